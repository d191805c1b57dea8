"""Units: the only place that defines 1e9, 2**30 and 86400.

Decimal prefixes (KB, MB, GB, TB, PB) are powers of 1000, as drive capacities
and rated TBW are printed; binary prefixes (KIB .. PIB) are powers of 1024, as
flash is built. The year has 365 days: rated TBW and DWPD agree only then.
"""

KB, MB, GB, TB, PB = (float(1000**power) for power in range(1, 6))
KIB, MIB, GIB, TIB, PIB = (float(1024**power) for power in range(1, 6))

US = 1e-6
MS = 1e-3

HOUR_S = 3600.0
DAY_S = 24 * HOUR_S
WEEK_S = 7 * DAY_S
YEAR_S = 365 * DAY_S

KWH = 1e3 * HOUR_S  # joules

ZERO_CELSIUS_K = 273.15
