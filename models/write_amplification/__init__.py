"""Write amplification: flash bytes programmed per byte that the host writes.

Every function maps spare area, as `op_ratio` (spare bytes per valid user byte),
to write amplification for one cleaning policy and one kind of traffic, or says what
spare area is left to count.
"""

from models.write_amplification.factors import (
    coalesced,
    compressed_op_ratio,
    folded_wa,
    indirection_factor,
    levelling_factor,
    map_factor,
    rain_factor,
    spread_factor,
)
from models.write_amplification.reserve import effective_blocks, reserved_op_ratio, unfilled_blocks
from models.write_amplification.skewed import skewed, two_temperature, zipf_classes
from models.write_amplification.surrogate import host_gc
from models.write_amplification.traffic import (
    from_survival,
    required_accuracy,
    separated,
    separation_gain,
    square_root_split,
    static_op_ratio,
    streams,
    trimmed_op_ratio,
)
from models.write_amplification.uniform import (
    d_choices,
    fifo,
    fifo_op_ratio,
    greedy,
    greedy_op_ratio,
    random_victim,
    unless_sequential,
)

__all__ = [
    "coalesced",
    "compressed_op_ratio",
    "d_choices",
    "effective_blocks",
    "fifo",
    "fifo_op_ratio",
    "folded_wa",
    "from_survival",
    "greedy",
    "greedy_op_ratio",
    "host_gc",
    "indirection_factor",
    "levelling_factor",
    "map_factor",
    "rain_factor",
    "random_victim",
    "required_accuracy",
    "reserved_op_ratio",
    "separated",
    "separation_gain",
    "skewed",
    "spread_factor",
    "square_root_split",
    "static_op_ratio",
    "streams",
    "trimmed_op_ratio",
    "two_temperature",
    "unfilled_blocks",
    "unless_sequential",
    "zipf_classes",
]
