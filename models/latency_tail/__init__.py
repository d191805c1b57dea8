"""Latency percentiles under load: reads behind programs and erases, buffered writes, commits.

Operations per second and die, and how long each holds the die, come from `background_operations`
or from elsewhere; readers are open (they arrive at random) or closed (each waits for its last
read). `loaded_read_latency_s` and `queued_read_latency_s` put it together for a whole drive whose
reads wait for whole operations, `read_latency_beside_writes_s` for one whose reads interrupt them;
`read_latency_through_limit_s` counts that the writes may be more than the drive takes.
"""

from models.latency_tail.buffered_writes import (
    WritePath,
    bounded_write_quantile_s,
    buffered_write_latency_s,
    buffered_write_quantile_s,
    longest_buffered_write_latency_s,
)
from models.latency_tail.closed_reads import closed_read_iops, closed_read_latency_s
from models.latency_tail.commits import commit_flush_iops, commit_latency_s, flush_latency_s
from models.latency_tail.fitted_reads import fitted_suspension
from models.latency_tail.loaded_reads import (
    FlashGeometry,
    WriteLoad,
    loaded_read_latency_s,
    queued_read_iops,
    queued_read_latency_s,
)
from models.latency_tail.open_reads import busy_fraction, mean_read_latency_s, read_latency_s
from models.latency_tail.operations import (
    FlashTimings,
    Operations,
    background_operations,
    whole_block_operations,
)
from models.latency_tail.queued_suspended import queued_typical_read_latency_s
from models.latency_tail.saturation import (
    SaturatedReads,
    borne_write_iops,
    carried_write_iops,
    read_latency_through_limit_s,
    saturated_read_latency_s,
    saturated_read_range_s,
    saturation_probability,
    write_limit_iops,
)
from models.latency_tail.sliced_reads import Slicing, sliced_operations, sliced_read_latency_s
from models.latency_tail.suspended_reads import (
    ReadLoad,
    Suspension,
    WriteTimes,
    erasing_share,
    read_latency_beside_writes_s,
    suspended_read_latency_s,
    typical_read_latency_s,
    typical_suspension,
    unloaded_read_s,
    write_load_fraction,
)
from models.latency_tail.transfers import channel_transfers, mean_channel_wait_s
from models.latency_tail.uncertain_reads import uncertain_read_latency_s

__all__ = [
    "FlashGeometry", "FlashTimings", "Operations", "ReadLoad", "SaturatedReads", "Slicing",
    "Suspension", "WriteLoad", "WritePath", "WriteTimes", "background_operations",
    "borne_write_iops", "bounded_write_quantile_s", "buffered_write_latency_s",
    "buffered_write_quantile_s",
    "busy_fraction", "carried_write_iops", "channel_transfers", "closed_read_iops",
    "closed_read_latency_s", "commit_flush_iops", "commit_latency_s", "erasing_share",
    "fitted_suspension", "flush_latency_s", "loaded_read_latency_s",
    "longest_buffered_write_latency_s", "mean_channel_wait_s", "mean_read_latency_s",
    "queued_read_iops", "queued_read_latency_s", "queued_typical_read_latency_s",
    "read_latency_beside_writes_s", "read_latency_s", "read_latency_through_limit_s",
    "saturated_read_latency_s", "saturated_read_range_s", "saturation_probability",
    "sliced_operations", "sliced_read_latency_s", "suspended_read_latency_s",
    "typical_read_latency_s", "typical_suspension", "uncertain_read_latency_s",
    "unloaded_read_s", "whole_block_operations",
    "write_limit_iops", "write_load_fraction",
]  # fmt: skip
