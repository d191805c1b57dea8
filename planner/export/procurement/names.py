"""Names of a choice's plans in the workbook, and its requirements in words."""

from collections.abc import Mapping, Sequence

from models.nomenclature import QUANTITIES
from planner.export import choice_tables
from planner.quantity.show import asked_odds, text
from planner.search.choose import Candidate, Need, Requirements

# The quantity in whose unit people see what is required of each need.
NEED_KEYS = {**choice_tables.NEED_KEYS, Need.READS: "max_latency_s"}


def called(candidate: Candidate) -> str:
    """Return drive and layout of a candidate."""
    answer = candidate.plan
    share = answer.partition_fraction
    part = "" if share == 1 else f", {100 * share:.4g} % partitioned"
    return f"{answer.drive.name}, {answer.array.layout}{part}"


def numbered(candidates: Sequence[Candidate]) -> list[str]:
    """Return the names of candidates, each with its number, without what an edit may change."""
    return [
        f"{place}. {one.plan.drive.name}, {one.plan.array.name}"
        for place, one in enumerate(candidates, start=1)
    ]


def live_name(candidate: Candidate, cells: Mapping[str, str]) -> str:
    """Return the formula of what `called` says, from the cells of members, spares and share."""
    name = candidate.plan.drive.name.replace('"', '""')
    spares = cells.get("hot_spares")
    standing = f'&IF({spares}>0,", "&{spares}&" spare","")' if spares else ""
    share = f"ROUND({cells['partition_fraction']},2)"
    level = candidate.plan.array.name
    return (
        f'"{name}, "&{cells["members"]}&" x {level}"{standing}'
        f'&IF({share}=100,"",", "&{share}&" % partitioned")'
    )


def asks_sure_life(requirements: Requirements) -> bool:
    """Whether the life with the required confidence affects any requirement."""
    return (
        requirements.life_s is not None
        or requirements.credits_spare_area
        or requirements.allows_unrated
    )


def needed_text(need: Need, value: float | None, currency: str) -> str:
    """Write a required amount with its unit."""
    if value is not None and need is Need.LOSS:
        return asked_odds(value)
    return available_text(need, value, currency)


def available_text(need: Need, value: float | None, currency: str) -> str:
    """Write the amount that a plan has of a need, with its unit."""
    if value is None:
        return "unknown"
    key = NEED_KEYS[need]
    statement = text(key, value)
    return statement.replace("USD", currency) if QUANTITIES[key].shown_in == "USD" else statement
