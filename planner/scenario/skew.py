"""Skew of writes by name: "80/20", "zipf:0.99", "jesd219", "uniform".

"field" means unknown: write amplification is that of hosts in the field, or that of uniform writes
if only known facts are used.
"""

import re
from math import isclose

from models.errors import DomainError
from models.rating_class import ENTERPRISE_PLACES
from models.units import KIB
from models.write_amplification import zipf_classes
from planner.quantity.parse import parse_skew_name, quoted

Shares = tuple[tuple[float, ...], tuple[float, ...]]

_WRITES, _PAGES = zip(*ENTERPRISE_PLACES, strict=True)
JESD219: Shares = (_WRITES, _PAGES)
FIELD = "field"
PRESETS = ("uniform", "80/20", "90/10", "95/5", "zipf:0.99", "jesd219")


def classes_of(written: str, *, capacity_bytes: float, field: str = "skew") -> Shares:
    """Return the shares of writes and of pages by class, the hottest first.

    "80/20" sends 80 % of the writes to 20 % of the pages, "70/10+20/30+10/60" those of three
    tenants to the share of each; "zipf:0.99" is a Zipf law over the 4 KiB pages of
    `capacity_bytes`.

    >>> classes_of("80/20", capacity_bytes=400e9)
    ((0.8, 0.2), (0.2, 0.8))
    """
    name = parse_skew_name(field, written)
    if name in (FIELD, "uniform"):
        return (1.0,), (1.0,)
    if name == "jesd219":
        return JESD219
    if (pair := re.fullmatch(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", name)) is not None:
        return _two_classes(field, written, float(pair[1]) / 100, float(pair[2]) / 100)
    if "+" in name:
        return _tenants(field, written, name)
    if (zipf := re.fullmatch(r"zipf:(\d+(?:\.\d+)?)", name)) is not None:
        pages = max(1.0, float(capacity_bytes // (4 * KIB)))
        writes, held = zipf_classes(float(zipf[1]), pages=pages)
        return tuple(map(float, writes)), tuple(map(float, held))
    wanted = "field, uniform, 80/20, zipf:0.99, tenants as 70/10+20/30+10/60 or jesd219"
    raise DomainError(f"{field} must be {wanted}, got {quoted(written)}")


def _two_classes(field: str, written: str, writes: float, pages: float) -> Shares:
    if not (0 < writes < 1 and 0 < pages < 1):
        raise DomainError(f"{field} must be two shares between 0 and 100, got {quoted(written)}")
    return (writes, round(1 - writes, 12)), (pages, round(1 - pages, 12))


def _tenants(field: str, written: str, name: str) -> Shares:
    """Return the shares of tenants, the one that writes most over its data first."""
    shares = [[float(share) / 100 for share in pair.split("/")] for pair in name.split("+")]
    if any(share <= 0 for pair in shares for share in pair):
        raise DomainError(f"{field} must be shares above 0, got {quoted(written)}")
    writes, pages = zip(*sorted(shares, key=lambda pair: -pair[0] / pair[1]), strict=True)
    if not (isclose(sum(writes), 1) and isclose(sum(pages), 1)):
        raise DomainError(
            f"{field} must be shares of the writes, and of the data, that add up to 100, got "
            f"{quoted(written)}"
        )
    return writes, pages
