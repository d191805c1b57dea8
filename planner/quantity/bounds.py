"""Ranges that inputs and facts accept: beyond them no storage exists, and formulas overflow.

Ends are physical and generous: ten times and more beyond any drive sold, or any one site.
"""

import math
from typing import NamedTuple

from models.units import DAY_S, GB, GIB, HOUR_S, KWH, MB, MIB, MS, PB, TB, US, YEAR_S

PLAIN_UNITS = ("1", "x", "cycles", "per bit")  # not written after a number
_GROUPED = 1e4  # from which digits are in groups of three; years, such as 1990, are not


class Bounds(NamedTuple):
    """The range of an input in base units, and whether it includes its ends.

    With `or_0` zero is accepted too, below the least other value: none, or some.
    """

    least: float = -math.inf
    most: float = math.inf
    holds_least: bool = True
    holds_most: bool = True
    whole: bool = False
    or_0: bool = False

    def holds(self, value: float) -> bool:
        """Whether a value is inside; NaN, which is not known yet, counts as inside.

        >>> SHARE.holds(0.0), SHARE.holds(1.0)
        (False, True)
        """
        if self.or_0 and value == 0:
            return True
        below = value < self.least or (value == self.least and not self.holds_least)
        above = value > self.most or (value == self.most and not self.holds_most)
        return not (below or above or (self.whole and value % 1))

    def words(self, one: float = 1.0) -> str:
        """Describe the range in a unit that equals `one` base units.

        >>> SHARE.words(0.01), DRIVES.words()
        ('> 0 and <= 100', 'a whole number from 1 to 1,000,000')
        """
        least, most = _plain(self.least / one), _plain(self.most / one)
        above = f">= {least}" if self.holds_least else f"> {least}"
        below = f"<= {most}" if self.holds_most else f"< {most}"
        if math.isinf(self.most):
            between = above
        elif self.holds_least:
            between = f"from {least} to {'' if self.holds_most else 'less than '}{most}"
        else:
            between = f"{above} and {below}"
        between = f"0 or {between}" if self.or_0 else between
        return f"a whole number {between}" if self.whole else between


def unit_after(unit: str) -> str:
    """Write the unit after a number, with a blank before it; none where numbers have none.

    >>> unit_after("GB"), unit_after("cycles")
    (' GB', '')
    """
    return "" if unit in PLAIN_UNITS else f" {unit}"


def _plain(number: float) -> str:
    """Write an end of a range as it is typed: 0.1, 1990, 1,000,000.

    >>> _plain(1e-6), _plain(1990.0), _plain(1e6), _plain(1e18)
    ('0.000001', '1990', '1,000,000', '1e+18')
    """
    if _GROUPED <= abs(number) < 1e13 and math.isclose(number, round(number), rel_tol=1e-9):
        return f"{number:,.0f}"
    return f"{number:.9f}".rstrip("0") if 1e-9 <= number < 1e-4 else f"{number:.10g}"


ANY = Bounds()
ABOVE_0 = Bounds(0.0, holds_least=False)
FROM_0 = Bounds(0.0)
SHARE = Bounds(0.0, 1.0, holds_least=False)
FRACTION = Bounds(0.0, 1.0)
CHANCE = Bounds(0.0, 1.0, holds_least=False, holds_most=False)
MOST_WHOLE = 10**9  # of samples and seeds
WHOLE = Bounds(1.0, MOST_WHOLE, whole=True)
WHOLE_FROM_0 = Bounds(0.0, MOST_WHOLE, whole=True)
MOST_DEPTH = 65_536  # entries of a queue
MOST_DRIVES = 1_000_000  # of one fleet
DRIVES = Bounds(1.0, MOST_DRIVES, whole=True)
DRIVES_FROM_0 = Bounds(0.0, MOST_DRIVES, whole=True)
NODES = Bounds(1.0, 10_000.0, whole=True)
NODES_FROM_0 = Bounds(0.0, 10_000.0, whole=True)

# Sizes
CAPACITY = Bounds(0.1 * GB, 10.0 * PB)  # from the first cards to far more than one drive has
RAW_FLASH = Bounds(0.1 * GIB, 1e8 * GIB)
USABLE = Bounds(0.1 * GB, MOST_DRIVES * 10.0 * PB)
OPERATION = Bounds(512.0, GIB)  # a sector; no operating system sends more at once
RECORD = Bounds(512.0, 16 * MIB)  # as ZFS has them
CACHE = Bounds(1e-6 * GIB, 1e6 * GIB)  # of a host
CACHE_OF_DRIVE = Bounds(0.0, 10.0 * PB)
PAGE = Bounds(512.0, 16 * MIB)  # of flash, of all planes
BLOCK = Bounds(512.0, 16 * GIB)
PAGES = Bounds(8.0, 2.0**22, whole=True)  # to where the law of garbage collection was checked
BLOCKS = Bounds(1.0, 1e12)
RESERVE = Bounds(0.0, 1e12)
DIES = Bounds(1.0, 1_000_000.0, whole=True)

# Writes: a byte a day, or none; 10,000 drives that write 10 GB/s
WRITES = Bounds(1e-9 * GIB / DAY_S, 1e10 * GIB / DAY_S, or_0=True)
RATED = Bounds(GB, 1e9 * TB)  # 10 PB a hundred times a day for three years
WRITTEN = Bounds(0.0, 1e9 * TB)
DRIVE_WRITES = Bounds(1e-6, 1000.0)  # a day
GROWTH = Bounds(-1.0, 10.0, holds_least=False)  # elevenfold a year
STEP = Bounds(1e-3, 1e3)
WA = Bounds(0.01, 1000.0)  # below 1 by compression
MEASURED_WA = Bounds(1.0, 1000.0)
CYCLES = Bounds(1.0, 1e7)
USED = Bounds(0.0, 100.0)  # counters end at 255 %, losses of sectors do not

# Times
SERVICE = Bounds(1e-3 * YEAR_S, 1000 * YEAR_S)
COURSE = Bounds(0.0, 1000 * YEAR_S)  # from now, or so far
LATENCY = Bounds(US, HOUR_S)
REBUILD = Bounds(1e-3 * HOUR_S, 1e5 * HOUR_S)
FLUSH = Bounds(MS, 1e6)
CRASHES = Bounds(0.01 * DAY_S, 1e6 * DAY_S)
FLASH_TIME = Bounds(0.1 * US, 10.0)

# Rates
IOPS = Bounds(1.0, 1e9)  # of a drive
ARRAY_IOPS = Bounds(1.0, 1e15)
THROUGHPUT = Bounds(1e-3 * MB, 1e6 * MB)
NETWORK = Bounds(125e3, 1.25e12)  # 1 Mbit/s to 10 Tbit/s
DEPTH = Bounds(0.0, MOST_DEPTH, holds_least=False)

# Money, in any currency: some have a million to the dollar
PRICE = Bounds(0.01, 1e12)
BUDGET = Bounds(0.01, 1e18)
YEARLY = Bounds(0.0, 1e12)
EXCHANGE = Bounds(1e-9, 1e9)
ENERGY = Bounds(0.0, 1e6 / KWH)
OVERHEAD = Bounds(1.0, 10.0)  # of a site over its IT equipment
EMBODIED = Bounds(0.0, 1e6 / TB)  # kg
GRID = Bounds(0.0, 1e5 * 1e-3 / KWH)  # kg; the dirtiest grids have 1 kg/kWh
POWER = Bounds(1e-3, 1e9)  # W
DRIVE_POWER = Bounds(0.0, 1e4)

# Chances
RATIO = Bounds(1e-3, 1e4)  # of a measured number to the computed one
REPLACED = Bounds(0.01, 10.0)  # share of the mean life
LOG_SD = Bounds(0.0, 5.0)
SLEEP = Bounds(0.0, HOUR_S)  # until a drive sleeps, and until it is awake again
IDLE_GAP = Bounds(MS, 1e6)
BATTERY = Bounds(36.0, 3.6e9)  # 0.01 Wh to 1 MWh
HOT = Bounds(273.15, 473.15)  # K
RESISTANCE = Bounds(1e-3, 1e4)  # K/W
