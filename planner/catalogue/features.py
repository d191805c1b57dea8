"""Features of a drive that follow from others: its family, its lanes, its endurance."""

import re
from collections.abc import Iterator

from models import endurance
from planner.catalogue.drive import RECALLED, Drive, Feature

DERIVED = ("family", "pcie_generation", "pcie_lanes", "endurance_class", "indirection_unit")


def derived_features(drive: Drive) -> dict[str, Feature]:
    """Return the features that follow from the facts of a drive; unverified where the facts are.

    >>> from planner.catalogue import find, load
    >>> features = derived_features(find(load(), "PM9A3 3.84"))
    >>> [features[name].value for name in ("family", "pcie_generation", "endurance_class")]
    ['Samsung PM9A3', '4.0', 'read-intensive']
    """
    return {feature.feature: feature for feature in _derived(drive)}


def _derived(drive: Drive) -> Iterator[Feature]:
    family, size = f"{drive.vendor} {drive.model}", drive.facts["user_bytes"]
    yield Feature("family", family, "derived", size.source_id, size.locator, "vendor and model")
    interface = drive.features.get("interface")
    if interface and (lanes := re.search(r"PCIe (\d\.\d) x(\d+)", interface.value)):
        for name, value in zip(("pcie_generation", "pcie_lanes"), lanes.groups(), strict=True):
            yield Feature(name, value, _kind(interface.kind), interface.source_id, "interface", "")
    if drive.segment == "enterprise" and (dwpd := _rated_dwpd(drive)) is not None:
        fact = drive.facts["rated_bytes" if "rated_bytes" in drive.facts else "rated_dwpd"]
        name = endurance_class(dwpd)
        yield Feature("endurance_class", name, _kind(fact.kind), fact.source_id, "rating", "")
    if unit := drive.facts.get("unit_bytes"):
        words = f"{unit.text} {unit.unit}"
        yield Feature("indirection_unit", words, unit.kind, unit.source_id, unit.locator, "")


def _kind(kind: str) -> str:
    return RECALLED if kind == RECALLED else "derived"


def _rated_dwpd(drive: Drive) -> float | None:
    """Drive writes per day of the rating: of the bytes, as in a plan, else as printed."""
    rated, period = drive.value("rated_bytes"), drive.value("rating_period_s")
    if rated is not None and period is not None:
        return endurance.dwpd(rated, user_bytes=drive.capacity_bytes, period_s=period)
    return drive.value("rated_dwpd")


def rated_bytes(drive: Drive) -> float | None:
    """Return the rating of a drive in host bytes: as printed, else by drive writes per day.

    >>> from planner.catalogue import find, load
    >>> rated_bytes(find(load(), "PM853T 240")) / 1e12
    78.84
    """
    rated, dwpd = drive.value("rated_bytes"), drive.value("rated_dwpd")
    period_s = drive.value("rating_period_s") or drive.value("warranty_s")
    if rated is not None or dwpd is None or period_s is None:
        return rated
    return endurance.tbw_bytes(dwpd, user_bytes=drive.capacity_bytes, period_s=period_s)


def endurance_class(dwpd: float) -> str:
    """Name the class of a rating as vendors do: to 2, to 10, and more drive writes per day.

    >>> [endurance_class(dwpd) for dwpd in (1, 3, 25)]
    ['read-intensive', 'mixed-use', 'write-intensive']
    """
    if dwpd < 2:
        return "read-intensive"
    return "mixed-use" if dwpd < 10 else "write-intensive"
