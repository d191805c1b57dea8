"""Rating classes: requirements of the standard on a drive at the end of its rated endurance.

Temperatures in kelvin, times in seconds. A rated TBW is written under the workload of the class,
after which the drive must hold its data without power for the time given here.

References:
    .. [1] JEDEC JESD218B, "Solid-State Drive (SSD) Requirements and Endurance Test Method", 2016;
       classes as listed by Seagate in "SSD Endurance: Data Integrity is Marathon, Not a Sprint",
       Tom's Hardware.
    .. [2] JEDEC JESD219, "Solid-State Drive (SSD) Endurance Workloads", 2010: sizes and places of
       the enterprise workload, as listed there.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from models.units import DAY_S, HOUR_S, KIB, YEAR_S, ZERO_CELSIUS_K


class RatingClass(NamedTuple):
    """A class of use, and its requirements on a drive at its rated endurance [1]_."""

    name: str
    active_k: float
    active_s_per_day: float
    storage_k: float
    retention_s: float
    functional_failure_fraction: float
    uber: float


CLIENT = RatingClass(
    name="client",
    active_k=40 + ZERO_CELSIUS_K,
    active_s_per_day=8 * HOUR_S,
    storage_k=30 + ZERO_CELSIUS_K,
    retention_s=YEAR_S,
    functional_failure_fraction=0.03,
    uber=1e-15,
)
ENTERPRISE = RatingClass(
    name="enterprise",
    active_k=55 + ZERO_CELSIUS_K,
    active_s_per_day=DAY_S,
    storage_k=40 + ZERO_CELSIUS_K,
    retention_s=YEAR_S / 4,
    functional_failure_fraction=0.03,
    uber=1e-16,
)

# Share of operations by transfer size in bytes [2]_.
ENTERPRISE_SIZES: Mapping[float, float] = MappingProxyType(
    {0.5 * KIB: 0.04}
    | {halves * 0.5 * KIB: 0.01 for halves in range(2, 8)}
    | {4 * KIB: 0.67, 8 * KIB: 0.10, 16 * KIB: 0.07, 32 * KIB: 0.03, 64 * KIB: 0.03}
)

# Shares of accesses and of addresses, hottest first [2]_.
ENTERPRISE_PLACES = ((0.5, 0.05), (0.3, 0.15), (0.2, 0.8))
