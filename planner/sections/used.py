"""Remaining life of a used drive: of its flash, its rating and its warranty.

Where the used share of its life and the host writes so far are known, the two give the total writes
until wear-out under the past workload, whatever its cycles and its write amplification are.
"""

from datetime import UTC, datetime
from functools import cache

from models import endurance
from planner.catalogue.drive import Drive
from planner.catalogue.priors import Assumption
from planner.graph.nodes import Call, FirstKnown, Leaf, Node, When
from planner.sections.structure import Structure

USED, WRITTEN = Leaf("used_fraction", overrides=True), Leaf("host_bytes", overrides=True)
AGE = Leaf("age_s", overrides=True)
AS_SO_FAR = "From the wear so far. Assumed: later writes wear the drive alike."
AS_PLANNED = "Assumed: earlier writes wore the flash as the planned writes do."
HALF_A_POINT = 0.005  # wear indicators count whole points of 100


def worn(modelled: Node, wa: Node, measured: Leaf, structure: Structure) -> Node:
    """Return the host writes that wear a new drive out: by its own indicator, else modelled.

    Where its write amplification was measured, they follow that of the plan.
    """
    if not structure.is_worn:
        return modelled
    so_far = Call(
        "worn_limit_bytes",
        endurance.worn_limit_bytes,
        {"host_bytes": WRITTEN, "used_fraction": USED},
        AS_SO_FAR,
    )
    moved = Call(
        "wear_limit_bytes:as measured",
        endurance.effective_tbw_bytes,
        {"rated_bytes": so_far, "rating_wa": measured, "workload_wa": wa},
    )
    return FirstKnown("wear_limit_bytes:own", (When(measured, moved), so_far))


def left_of_wear(limit: Node, structure: Structure) -> Node:
    """Return the remaining writes until flash wear-out."""
    if not structure.is_used:
        return limit
    by_model = Call(
        "wear_used_fraction",
        endurance.used_fraction,
        {"host_bytes": WRITTEN, "limit_bytes": limit},
        AS_PLANNED,
    )
    return _left("wear_left_bytes", limit, FirstKnown("wear_used_fraction:any", (USED, by_model)))


def left_of_rating(key: str, limit: Node, rated: Node, structure: Structure) -> Node:
    """Return the rest of a limit that is used in the same share as the rating."""
    if not structure.is_used:
        return limit
    return _left(key, limit, _rating_used(rated))


@cache
def _rating_used(rated: Node) -> Node:
    written = Call(
        "rating_used_fraction",
        endurance.used_fraction,
        {"host_bytes": WRITTEN, "limit_bytes": rated},
    )
    return FirstKnown("rating_used_fraction:any", (written, USED))


def _left(key: str, limit: Node, used: Node) -> Node:
    """Return the rest of a limit; the whole limit where its use is unknown."""
    left = Call(key, endurance.left_bytes, {"limit_bytes": limit, "used_fraction": used})
    return FirstKnown(f"{key}:any", (left, limit))


def left_of_warranty(warranty: Leaf, structure: Structure) -> Node:
    """Return the remaining warranty."""
    if not structure.is_used:
        return warranty
    left = Call("warranty_left_s", endurance.left_s, {"period_s": warranty, "age_s": AGE})
    return FirstKnown("warranty_left_s:any", (left, warranty))


def wear_points(drive: Drive) -> tuple[Assumption, ...]:
    """Return between what the share of its life lies that a drive says is used.

    From 100 % on all of it is used.
    """
    used = drive.value("used_fraction")
    if used is None or drive.value("host_bytes") is None:
        return ()
    return (
        Assumption(
            quantity="used_fraction",
            low=used if used >= 1 else max(used - HALF_A_POINT, HALF_A_POINT),
            typical=used,
            high=used + HALF_A_POINT,
            ground="Wear indicators count whole points of 100.",
            basis="a count of whole points",
            is_measured=True,
        ),
    )


def counted_from(drive: Drive) -> str:
    """Name the date from which remaining times of a used drive count; empty for a new drive."""
    if not drive.facts.keys() & {USED.key, WRITTEN.key, AGE.key}:
        return ""
    read_at_s = drive.value("read_at_s")
    if read_at_s is None:
        return "now"
    return datetime.fromtimestamp(read_at_s, UTC).strftime("%Y-%m-%d")


def used_note(drive: Drive) -> tuple[str, ...]:
    """Say that times of a used drive are what is left."""
    since = counted_from(drive)
    return (f"The drive is used: what is left of its life from {since} on.",) if since else ()
