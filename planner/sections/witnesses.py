"""Evidence of a drive's endurance: its flash, its rating, and drives worn out in the field.

A rating is a promise that most drives exceed; flash and cycles, mostly unknown, say as much again.
Each has an error that was found on drives in the field whose wear indicators were read. Joined they
are one life, and narrower than either.
"""

import math
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from models.model_error import joined
from planner.catalogue.drive import ASSUMPTION, Drive
from planner.catalogue.fact_widths import width_of
from planner.catalogue.model_error import PRIOR_FAMILIES, ModelError, model_error
from planner.catalogue.priors import Assumption, Level, field_copying, with_assumed
from planner.catalogue.priors_kind import is_written_in_place, words_of
from planner.graph.answer import Answer, given
from planner.scenario.workload import Workload

KNOWN_WA = "write amplification known"
# Half width of the write amplification of hosts in the field: docs/evidence/accuracy.md
OF_HOSTS = 0.67
ROUGH = 1.25  # of cycles of which only the user knows how good they are
XPOINT, COPIED = "XPoint", "field_copy_ratio"
GROUND = (
    "Weight and ratio by the errors of flash and rating on drives in the field whose wear "
    "indicators were read (data/model_error.csv): {families} families, {cases} models and sizes."
)
ERROR = (
    "Measured over computed bytes until the wear indicator says that all is used, of {families} "
    "families in the field of which none was fitted (data/model_error.csv)"
)


class LifeEvidence(NamedTuple):
    """Flash and rating as one estimate: weight of the flash, ratio, and error of both together.

    Logarithms but for the weight. Without a printed rating the flash is alone, and its middle error
    is left to the range.
    """

    weight: float
    ratio: float
    middle: float
    half: float
    families: int
    cases: int
    inside: frozenset[str]


def evidence_of(drive: Drive, workload: Workload) -> LifeEvidence:
    """Join what flash and rating of a drive say of its endurance."""
    kind = kind_of(drive)
    flash, rating = _flash_error(drive, workload, kind), model_error("rated_limit_bytes", kind=kind)
    if kind == XPOINT:  # no flash: it wears by a law of its own, of which only ratings tell
        return LifeEvidence(0.0, rating.middle, 0.0, rating.half, rating.families, rating.cases,
                        flash.facts_inside)  # fmt: skip
    if not (has_printed_rating(drive) and takes_priors(drive, workload)):
        return LifeEvidence(1.0, 0.0, flash.middle, flash.half, flash.families, flash.cases,
                        flash.facts_inside)  # fmt: skip
    return _joint(flash, rating)


@lru_cache(maxsize=64)
def _joint(flash: ModelError, rating: ModelError) -> LifeEvidence:
    """Join the errors of two witnesses, of which there are few."""
    halves, degrees = [flash.half, rating.half], [_degrees(flash), _degrees(rating)]
    weight = joined([1.0, 0.0], halves=halves, degrees=degrees).middle
    both = joined([flash.middle, rating.middle], halves=halves, degrees=degrees)
    ratio = both.middle / (1 - weight) if weight < 1 else 0.0  # all of it, on the rating
    return LifeEvidence(
        weight, ratio, 0.0, both.half, min(flash.families, rating.families), rating.cases,
        flash.facts_inside | (rating.facts_inside if weight < 1 else frozenset()),
    )  # fmt: skip


def kind_of(drive: Drive) -> str:
    """Name the class of a drive by which errors of its life are known."""
    if is_written_in_place(drive):
        return XPOINT
    return "enterprise" if "enterprise" in words_of(drive) else "client"


def has_printed_rating(drive: Drive) -> bool:
    """Whether the vendor rates the drive: what is assumed of a rating is no promise."""
    facts = (drive.facts.get(name) for name in ("rated_bytes", "rated_dwpd"))
    return any(fact is not None and fact.kind != ASSUMPTION.source_id for fact in facts)


def takes_priors(drive: Drive, workload: Workload) -> bool:
    """Whether what is unknown is assumed."""
    is_assumed = any(fact.kind == ASSUMPTION.source_id for fact in drive.facts.values())
    return is_assumed or workload.field_copy_ratio is not None


def witness_values(drive: Drive, workload: Workload) -> dict[str, float]:
    """Return weight and ratio of the two witnesses; nothing where there is one, or no prior."""
    is_told = has_printed_rating(drive) or kind_of(drive) == XPOINT
    if not takes_priors(drive, workload) or not is_told:
        return {}
    found = evidence_of(drive, workload)
    is_stated = workload.field_copy_ratio is not None
    copied = {} if is_stated else {COPIED: field_copying(drive).typical}
    return {"flash_weight": found.weight, "witness_ratio": math.exp(found.ratio), **copied}


def witness_leaves(drive: Drive, workload: Workload) -> dict[str, Answer]:
    """Return the same as leaves."""
    values = witness_values(drive, workload)
    if not values:
        return {}
    found = evidence_of(drive, workload)
    note = GROUND.format(families=found.families, cases=found.cases)
    of_hosts = f"assumed: {field_copying(drive)}"
    return {
        name: given(name, value, source=ASSUMPTION.source_id,
                    note=of_hosts if name == COPIED else note)
        for name, value in values.items()
    }  # fmt: skip


def life_error(drive: Drive, workload: Workload) -> Assumption:
    """Return the error of the bytes that a drive bears."""
    found = evidence_of(drive, workload)
    return Assumption(
        quantity="life_error_ratio", typical=1.0,
        low=math.exp(found.middle - found.half), high=math.exp(found.middle + found.half),
        ground=ERROR.format(families=found.families),
        basis=f"{kind_of(drive)} drives in the field",
        is_model=True, families=found.families, inside=found.inside,
        acts_on=frozenset({"wear_limit_bytes"}),
    )  # fmt: skip


def with_life_error(drive: Drive, workload: Workload, level: Level) -> Drive:
    """Return a drive whose life is at one end of its range, or as computed."""
    error = life_error(drive, workload)
    value: float = getattr(error, level)
    if value == error.typical or not takes_priors(drive, workload):
        return drive
    return with_assumed(drive, error, level)


def _flash_error(drive: Drive, workload: Workload, kind: str) -> ModelError:
    """Return the error of what flash, cycles and write amplification say."""
    regime = "" if workload.is_in_field or kind == XPOINT else KNOWN_WA
    error, cycles = model_error("wear_limit_bytes", regime, kind), drive.facts.get("pe_cycles")
    if cycles is None or cycles.kind == ASSUMPTION.source_id or kind == XPOINT:
        return error
    _, high = width_of(cycles, drive) or (1.0, ROUGH)  # stated by the user
    known = model_error("wear_limit_bytes", KNOWN_WA, kind)
    within = known.half * known.within / math.hypot(known.between, known.within)
    half = math.hypot(math.log(high), within, OF_HOSTS if workload.is_in_field else 0.0)
    inside = error.facts_inside if workload.is_in_field else frozenset({"pe_cycles"})
    return replace(known, middle=0.0, half=half, facts_inside=inside)


def _degrees(error: ModelError) -> float:
    return float(PRIOR_FAMILIES + error.families - 1)
