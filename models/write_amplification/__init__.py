"""Write amplification: flash bytes programmed per byte that the host writes.

Every function maps spare area, as `op_ratio` (spare bytes per valid user byte),
to write amplification for one garbage collection policy and one kind of traffic, or gives the spare
area to count.
"""

from models.write_amplification.factors import (
    background_wa,
    base_factor,
    coalesced,
    compressed_op_ratio,
    data_flash_bytes,
    folded_wa,
    indirection_factor,
    levelling_factor,
    map_factor,
    rain_factor,
    spread_factor,
    total_wa,
    uncertain_wa,
)
from models.write_amplification.indirection import (
    buffered_indirection_factor,
    destaged_sequential_fraction,
    fill_bytes,
    mixed_indirection_factor,
    page_write_iops,
    scattered_classes,
    touched_bytes,
    units_per_block,
)
from models.write_amplification.layouts import mixed_apart, mixed_host_gc, mixed_in_one_log
from models.write_amplification.lifetimes import (
    held_level,
    lifetime_levels,
    shared_fate,
    with_shared_fate,
)
from models.write_amplification.placement import (
    apart_ratio,
    high_placement_wa,
    host_gc_ratio,
    least_victim_wa,
    low_placement_wa,
    most_victim_wa,
    typical_placement_wa,
    unknown_victim_wa,
    wa_ratio,
)
from models.write_amplification.reserve import effective_blocks, reserved_op_ratio, unfilled_blocks
from models.write_amplification.separation import separated, separation_gain, square_root_split
from models.write_amplification.sequential import (
    credited,
    orderly_sequential_credit,
    sequential_credit,
)
from models.write_amplification.skewed import skewed, two_temperature, zipf_classes
from models.write_amplification.streams import (
    required_accuracy,
    streams,
    two_stream_routing,
    two_streams,
)
from models.write_amplification.surrogate import host_gc
from models.write_amplification.traffic import (
    field_wa,
    from_survival,
    static_op_ratio,
    trimmed_class_op_ratio,
    trimmed_classes,
    trimmed_op_ratio,
    untrimmed_op_ratio,
)
from models.write_amplification.uniform import (
    GreedyLaw,
    d_choices,
    fifo,
    fifo_op_ratio,
    greedy,
    greedy_op_ratio,
    random_victim,
)

__all__ = [
    "GreedyLaw", "apart_ratio", "background_wa", "base_factor", "buffered_indirection_factor",
    "coalesced", "compressed_op_ratio", "credited", "d_choices", "data_flash_bytes",
    "destaged_sequential_fraction", "effective_blocks", "field_wa", "fifo", "fifo_op_ratio",
    "fill_bytes", "folded_wa", "from_survival", "greedy", "greedy_op_ratio", "held_level",
    "high_placement_wa", "host_gc", "host_gc_ratio", "indirection_factor", "least_victim_wa",
    "levelling_factor",
    "lifetime_levels", "low_placement_wa", "map_factor", "mixed_apart", "mixed_host_gc",
    "mixed_in_one_log", "mixed_indirection_factor", "most_victim_wa", "orderly_sequential_credit",
    "page_write_iops",
    "rain_factor", "random_victim", "required_accuracy", "reserved_op_ratio", "scattered_classes",
    "separated", "separation_gain", "sequential_credit", "shared_fate", "skewed", "spread_factor",
    "square_root_split", "static_op_ratio", "streams", "total_wa", "touched_bytes",
    "trimmed_class_op_ratio", "trimmed_classes", "trimmed_op_ratio", "two_stream_routing",
    "two_streams", "two_temperature", "typical_placement_wa", "uncertain_wa", "unfilled_blocks",
    "units_per_block", "unknown_victim_wa", "untrimmed_op_ratio", "wa_ratio", "with_shared_fate",
    "zipf_classes",
]  # fmt: skip
