"""The units in which quantities are written and shown, in base units."""

from models import units
from models.nomenclature import Quantity
from models.units import DAY_S, GB, HOUR_S

SIZES: dict[str, float] = {"B": 1.0} | {
    name: getattr(units, name.upper())
    for name in ("KB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB", "PiB")
}

# Units in which a quantity is shown or stored, in base units.
FACTORS: dict[str, float] = SIZES | {
    "bytes": 1.0, "1": 1.0, "x": 1.0, "%": 0.01, "%/year": 0.01, "1/day": 1.0, "DWPD": 1.0,
    "1/year": 1 / units.YEAR_S, "GiB/day": units.GIB / DAY_S, "MB/s": units.MB, "GB/s": GB,
    "MiB/year": units.MIB / units.YEAR_S, "IOPS": 1.0, "1/s": 1.0, "cycles": 1.0, "points": 1.0,
    "s": 1.0, "ms": units.MS, "us": units.US, "hours": HOUR_S, "days": DAY_S,
    "drive-days": DAY_S, "months": units.YEAR_S / 12, "years": units.YEAR_S,
    "USD": 1.0, "USD/GB": 1 / GB, "USD/TB": 1 / units.TB, "W": 1.0, "mm2": 1e-6,
    "USD/year": 1.0, "USD/(TB year)": 1 / units.TB, "USD/kIOPS": 1e-3, "USD/kWh": 1 / units.KWH,
    "IOPS/USD": 1.0, "MB/s/USD": units.MB, "TB/USD": units.TB,
    "kWh": units.KWH, "uJ": 1e-6, "mJ/MB": 1e-3 / units.MB, "J/GB": 1 / GB,
    "J/K": 1.0, "K/W": 1.0, "m/s": 1.0, "mW": 1e-3, "Wh": units.HOUR_S, "kJ": 1e3,
    "kJ/TB": 1e3 / units.TB, "MB/s per W": units.MB,
    "kg": 1.0, "kg/TB": 1 / units.TB, "kg/(TB year)": 1 / units.TB, "g/kWh": 1e-3 / units.KWH,
    "K": 1.0, "C": 1.0, "eV": 1.0,  # degrees of difference
    "per bit": 1.0, "sectors per bit": 1.0,
}  # fmt: skip

# Units that stand for the same base unit.
_SAME: dict[str, tuple[str, ...]] = {
    "s": ("s", "ms", "us", "hours", "days", "months", "years"), "bytes": tuple(SIZES),
    "bytes/s": ("MB/s", "GB/s"), "1/s": ("IOPS",), "1": ("%",), "USD/byte": ("USD/GB", "USD/TB"),
}  # fmt: skip


def units_of(quantity: Quantity) -> tuple[str, ...]:
    """Return the units in which a quantity may be written, first the one in which it is shown.

    >>> from models.nomenclature import QUANTITIES
    >>> units_of(QUANTITIES["price_per_usable_byte"])
    ('USD/TB', 'USD/GB')
    """
    return tuple(dict.fromkeys([quantity.shown_in, *_SAME.get(quantity.unit, ())]))
