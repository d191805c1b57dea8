"""Energy: energy of operations, power of drives and of a site, and the load of a drive.

Base units: watts, joules, seconds.
"""

from models.energy.load import mean_iops, member_read_iops
from models.energy.operations import operation_j, program_j, transfer_j_per_byte
from models.energy.power import (
    array_power_w,
    energy_j,
    energy_usd,
    limited_power_w,
    power_w,
    sequential_power_w,
)

__all__ = [
    "array_power_w", "energy_j", "energy_usd", "limited_power_w", "mean_iops", "member_read_iops",
    "operation_j", "power_w", "program_j", "sequential_power_w", "transfer_j_per_byte",
]  # fmt: skip
