"""Energy: of operations and of tasks, power of drives, idle states, a site, and its load.

Base units: watts, joules, seconds.
"""

from models.energy.idle import (
    IdleShares,
    asleep_fraction,
    battery_s,
    idle_shares,
    mean_idle_power_w,
    mean_wake_s,
    transition_s,
)
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
from models.energy.task import bytes_per_j, moved_j_per_byte, reading_power_w, task_j

__all__ = [
    "IdleShares", "array_power_w", "asleep_fraction", "battery_s", "bytes_per_j", "energy_j",
    "energy_usd", "idle_shares", "limited_power_w", "mean_idle_power_w", "mean_iops",
    "mean_wake_s", "member_read_iops", "moved_j_per_byte", "operation_j", "power_w", "program_j",
    "reading_power_w",
    "sequential_power_w", "task_j", "transfer_j_per_byte", "transition_s",
]  # fmt: skip
