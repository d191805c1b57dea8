"""Sizes of a model that the catalogue does not list: drives with what its other sizes have alike.

What holds for a model at every listed size holds at any; a rating in bytes is in proportion to the
capacity if it is so between listed sizes; other facts hold between two sizes that have them alike.
Each such fact is an estimate, with the source of the nearest size.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from planner.catalogue.drive import Drive, Fact
from planner.catalogue.size_codes import SOLD_GB, nearest_sold_gb

# What vendors state for a model rather than for a size.
_OF_MODEL = ("rated_dwpd", "warranty_s", "rating_period_s", "mtbf_s", "uber", "pe_cycles")
_OF_SIZE = ("user_bytes", "price_usd", "rated_bytes")
_IN_PROPORTION = 1.03  # greatest ratio of ratings per byte that are one, rounded
_ROUNDED = 0.01  # of a reported capacity beside the one that it is sold with
_ID = re.compile(r"(.+)-(\d+)gb")


def unlisted(alike: Sequence[Drive], size_gb: float) -> Drive | None:
    """Return the drive of a model's unlisted size; None for a size that no drive is sold with.

    `alike` are the listed sizes of the model.

    >>> from planner.catalogue.reader import load
    >>> listed = [one for one in load().drives.values() if one.model == "5100 ECO"]
    >>> drive = unlisted(listed, 1920)
    >>> drive.name, drive.value("rated_dwpd"), drive.facts["rated_dwpd"].kind
    ('Micron 5100 ECO 1.92 TB (size not listed)', 1.0, 'estimate')
    """
    sold_gb = nearest_sold_gb(size_gb, _ROUNDED)
    if not alike or sold_gb is None:
        return None
    nearest = min(alike, key=lambda one: abs(one.capacity_gb - sold_gb))
    drive_id = _ID.sub(rf"\1-{sold_gb:.0f}gb", nearest.drive_id)
    own = {name: one for name, one in nearest.features.items() if not one.is_of_capacity}
    without: dict[str, Any] = dict.fromkeys(nearest.features.keys() - own.keys(), "")
    facts = {fact.quantity: fact for fact in _facts(alike, nearest, sold_gb)}
    return replace(
        nearest,
        drive_id=drive_id,
        capacity_gb=sold_gb,
        is_listed=False,
        features=own,
        facts={name: replace(fact, drive_id=drive_id) for name, fact in facts.items()},
        passed_over={},
        **without,
    )


def by_id(drives: Mapping[str, Drive], drive_id: str) -> Drive | None:
    """Return the drive with an id, listed or not; None where no model has it.

    >>> from planner.catalogue.reader import load
    >>> by_id(load().drives, "micron-5100-eco-1920gb").name
    'Micron 5100 ECO 1.92 TB (size not listed)'
    """
    if drive_id in drives:
        return drives[drive_id]
    asked = _ID.fullmatch(drive_id)
    if asked is None or float(asked[2]) not in SOLD_GB:
        return None
    alike = [one for one in drives.values() if _ID.sub(r"\1", one.drive_id) == asked[1]]
    return unlisted(alike, float(asked[2]))


def _facts(alike: Sequence[Drive], nearest: Drive, size_gb: float) -> Iterator[Fact]:
    """Yield the facts of an unlisted size, those of the nearest size that states each."""
    ordered = sorted(alike, key=lambda one: abs(one.capacity_gb - size_gb))
    for name in dict.fromkeys(name for one in ordered for name in one.facts):
        stating = [one for one in ordered if name in one.facts]
        fact = stating[0].facts[name]
        sizes = ", ".join(f"{one.capacity_gb:.10g}" for one in alike if one in stating)
        why = f"as the model has it at {sizes} GB: this size is not in the catalogue"
        note = "; ".join(part for part in (why, fact.note) if part)
        if name not in _OF_SIZE and _is_alike(name, stating, size_gb):
            yield replace(fact, kind="estimate", note=note)
        elif name == "rated_bytes" and _is_in_proportion(stating):
            value = fact.value * size_gb / stating[0].capacity_gb
            yield replace(fact, kind="estimate", value=value, text=f"{value:.4g}", note=note)
    yield replace(
        nearest.facts["user_bytes"], text=f"{size_gb:.10g}", unit="GB", value=size_gb * 1e9,
        kind="derived", locator="the size that its number states", condition="", note="",
    )  # fmt: skip


def _is_alike(name: str, stating: Sequence[Drive], size_gb: float) -> bool:
    """Whether a fact is one of all sizes that state it, and is so of the model or on both sides."""
    sizes = [one.capacity_gb for one in stating]
    is_between = min(sizes) < size_gb < max(sizes)
    return len({one.value(name) for one in stating}) == 1 and (name in _OF_MODEL or is_between)


def _is_in_proportion(stating: Sequence[Drive]) -> bool:
    each = [(one.value("rated_bytes") or 0.0) / one.capacity_gb for one in stating]
    return len(each) > 1 and max(each) <= _IN_PROPORTION * min(each)
