"""How long will the drive last, and what ends it?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from models import endurance, growth, spare_area, wear_levelling, write_amplification
from models.units import YEAR_S
from planner.catalogue.drive import Drive
from planner.graph.answer import Answer, walk
from planner.graph.nodes import Argument, Call, Const, FirstKnown, Graph, Leaf, Node, When
from planner.graph.reading import Reading
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.sections.contradictions import contradictions
from planner.sections.rating_nodes import FIRST, HARDER, own_limit, own_rating
from planner.sections.structure import Structure, facts_of
from planner.sections.used import left_of_rating, left_of_warranty, left_of_wear, used_note, worn
from planner.sections.write_amplification import (
    assumptions_of,
    cleaning_op_ratio,
    default_wa,
    factory_wa,
    measured,
    modelled_wa,
    outside_checked_ranges,
    placement_ratio,
    simulation_notes,
    workload_wa,
)  # fmt: skip
from planner.sections.write_factors import RATING_UNIT_FACTOR, UNIT, UNIT_FACTOR, wear_wa

NO_BACKGROUND = "Background writes of the drive itself (refresh, scrubbing) are not counted."
BACKGROUND = (
    "Flash wear counts background writes of the drive (refresh, scrubbing, idle GC) beside "
    "today's writes; --fact background_rewrites_per_s=0 leaves it out."
)
RATED_UNIFORM = (
    "Assumed: rated under uniform random writes over the whole drive. Supply the rating "
    "workload's write amplification (rating_wa) where it is known."
)
RATED_ALIKE = (
    "Spare area or rating workload unknown. Assumed: the rating holds unchanged for this workload."
)
EVEN_WEAR = (
    "The date of flash wear assumes that all blocks wear alike. Its range ends when the first "
    "block reaches the rated P/E cycles, over a range of wear-levelling efficiency. Placement is "
    "the worse (low), a mean (typical) or the better (high) of a single write frontier and "
    "separate frontiers for host and GC writes."
)
WITNESSED = (
    "Flash and rating are two witnesses of one life: joined by their errors on drives in the "
    "field, and never below what the rating promises."
)
BY_ITS_OWN_LAW = (
    "3D XPoint is no flash: drives in the field wear out at about half of their rating, by a law "
    "of their own."
)
NAIVE = "Divides the rating by write amplification, which is already inside it."
FROM_DWPD = "From rated drive writes per day."

CREDIT_BASIS = Leaf("credit_basis", overrides=True)  # nothing assumed lies behind a conversion
REWRITES = Leaf("background_rewrites_per_s", overrides=True)
USER, TBW, DWPD = Leaf("user_bytes"), Leaf("rated_bytes"), Leaf("rated_dwpd")
ERROR = Leaf("life_error_ratio")
HASTE = 1.005  # times as fast as printed, from which small writes use a rating up faster
RATING_PERIOD = FirstKnown("rating_period_s:any", (Leaf("rating_period_s"), Leaf("warranty_s")))
RATED_BYTES = FirstKnown(
    "rated_bytes:any",
    (
        TBW,
        Call(
            "rated_bytes:dwpd",
            endurance.tbw_bytes,
            {"dwpd": DWPD, "user_bytes": USER, "period_s": RATING_PERIOD},
            FROM_DWPD,
        ),
    ),
)
RATED_DWPD = FirstKnown(
    "rated_dwpd:any",
    (
        Call(
            "rated_dwpd:tbw",
            endurance.dwpd,
            {"limit_bytes": TBW, "user_bytes": USER, "period_s": RATING_PERIOD},
        ),
        DWPD,
    ),
)
_RATINGS = Graph({"rated_bytes": RATED_BYTES, "rated_dwpd": RATED_DWPD})


class Limit(StrEnum):
    """Limit that ends a drive's service life."""

    FLASH_WEAR = "flash wear"
    RATED_TBW = "rated TBW"
    WARRANTY = "warranty period"


LIFE_OF: Mapping[Limit, str] = {
    Limit.FLASH_WEAR: "wear_life_s",
    Limit.RATED_TBW: "rated_life_s",
    Limit.WARRANTY: "warranty_s",
}
LEVELS = ("low", "typical", "high")


def ratings_of(drive: Drive) -> Reading:
    """Return rated TBW and rated drive writes per day, each from the other where need be."""
    return Reading(_RATINGS, facts_of(drive))


def life_nodes(rate: Node, structure: Structure) -> dict[str, Node]:
    """Return the answers about life; `rate` is what one drive receives."""
    op_ratio = cleaning_op_ratio(structure)
    wa = workload_wa(op_ratio, structure)
    alone = wear_wa(wa)
    background = _background_wa(alone, rate)
    # What was measured has them already; unknown ones are left out.
    worn_wa = FirstKnown("background_wa:any", (When(measured(structure), alone), background, alone))
    by_cycles = Call(
        "flash_limit_bytes",
        endurance.write_limit_bytes,
        {"raw_bytes": Leaf("raw_bytes"), "pe_cycles": Leaf("pe_cycles"), "wa": worn_wa},
    )
    by_model = modelled_wa(op_ratio, structure)
    rated = FirstKnown("rated_bytes:any", (*own_rating(by_model, structure), *RATED_BYTES.ways))
    rating = _rated_limit(rated, by_model, structure)
    promise = _promise(rated, by_model, rate, structure)
    bears = _witnessed(by_cycles, rated, promise, worn_wa, structure)
    wear = worn(bears, wa, measured(structure), structure)
    new_limit = host_limit = _first_limit("host_limit_bytes", wear, rating)

    def left(key: str, limit: Node) -> Node:
        return left_of_rating(key, limit, rated, structure)

    wear_left, rated_left = left_of_wear(wear, structure), left("rated_left_bytes", rating)
    if structure.is_used:
        host_limit = _first_limit("host_left_bytes", wear_left, rated_left)
    life = life_at(rate, structure)
    return {
        "cleaning_op_ratio": op_ratio,
        **_other_definitions(op_ratio),
        "workload_wa": wa,
        "background_wa": background,
        "wear_limit_bytes": wear_left,
        "rated_limit_bytes": rated_left,
        "wear_life_s": life("wear_life_s", wear_left),
        "rated_life_s": life("rated_life_s", rated_left),
        "warranty_s": left_of_warranty(Leaf("warranty_s"), structure),
        **_uneven_lives(wear_left, op_ratio, life, structure),
        "printed_life_s": life("printed_life_s", left("printed_left_bytes", rated)),
        "promised_life_s": life("promised_life_s", left("promised_left_bytes", promise)),
        "endurance_life_s": life("endurance_life_s", host_limit),
        "host_limit_bytes": host_limit,
        "new_limit_bytes": new_limit,
        "required_dwpd": Call(
            "required_dwpd", endurance.required_dwpd, {"host_bytes_per_s": rate, "user_bytes": USER}
        ),
        "rated_dwpd": _rated_dwpd(rated),
        "naive_life_s": life("naive_life_s", left("naive_left_bytes", _naive_limit(rated, wa))),
    }


def _rated_dwpd(rated: Node) -> Node:
    """Return the rating in drive writes per day; of several ratings the own one of the workload."""
    inputs = {"limit_bytes": rated, "user_bytes": USER, "period_s": RATING_PERIOD}
    own = Call("rated_dwpd:own", endurance.dwpd, inputs)
    return FirstKnown("rated_dwpd:any", (When(HARDER, own), *RATED_DWPD.ways))


def _promise(rated: Node, wa: Node, rate: Node, structure: Structure) -> Node:
    """Return the promise of a rating: as printed, less under a workload that copies more.

    It holds for the years of the rating: of one that writes less than is rated it is what that
    writes within them.
    """
    stated = Leaf("rating_wa", overrides=True)
    rating_wa = FirstKnown("rating_wa:in force", (stated, factory_wa(structure)))
    by_wa = Call(
        "promised_here_bytes", endurance.effective_tbw_bytes,
        {"rated_bytes": rated, "rating_wa": rating_wa, "workload_wa": wa},
    )  # fmt: skip
    here = FirstKnown("promised_here_bytes:any", (When(HARDER, rated), by_wa))
    within = Call(
        "period_bytes", growth.written_bytes,
        {"time_s": RATING_PERIOD, "host_bytes_per_s": rate, **growth_inputs(structure)},
    )  # fmt: skip

    def least(key: str, one: Node, other: Node) -> Node:
        both: dict[str, Argument] = {"wear_limit_bytes": one, "rated_limit_bytes": other}
        return FirstKnown(f"{key}:any", (Call(key, endurance.first_limit_bytes, both), one))

    return least("promised_limit_bytes", least("promised_bytes", rated, here), within)


def _witnessed(by_cycles: Node, rated: Node, promise: Node, wa: Node, structure: Structure) -> Node:
    """Return the writes that the flash bears: by flash and rating, or the one that is known.

    Memory written in place wears by a law of its own, known from its rating alone.
    """
    weight, ratio = Leaf("flash_weight"), Leaf("witness_ratio")
    first = FirstKnown("first_rated_bytes:any", (FIRST, rated))  # as drives of the field are rated
    in_field = Call(
        "field_limit_bytes", endurance.effective_tbw_bytes,
        {"rated_bytes": first, "rating_wa": default_wa(structure), "workload_wa": wa},
    )  # fmt: skip
    by_both = Call(
        "wear_limit_bytes:witnessed", endurance.witnessed_limit_bytes,
        {"wear_limit_bytes": by_cycles, "field_limit_bytes": in_field, "flash_weight": weight,
         "witness_ratio": ratio, ERROR.key: ERROR, "promised_limit_bytes": promise},
        WITNESSED,
    )  # fmt: skip
    in_place = Call(
        "in_place_limit_bytes", endurance.effective_tbw_bytes,
        {"rated_bytes": first, "rating_wa": ratio, "workload_wa": Const("wa:in place", 1.0)},
    )  # fmt: skip
    limit, formula = "wear_limit_bytes", endurance.uncertain_limit_bytes
    by_rating = Call(f"{limit}:in place", formula, {limit: in_place, ERROR.key: ERROR},
                     BY_ITS_OWN_LAW)  # fmt: skip
    by_flash = Call(f"{limit}:flash", formula, {limit: by_cycles, ERROR.key: ERROR},
                    error=ERROR.key)  # fmt: skip
    return FirstKnown(f"{limit}:any", (When(weight, by_rating, (0.0,)), by_both, by_flash))


def _background_wa(wa: Node, rate: Node) -> Node:
    """Return the WA including background writes."""
    inputs: dict[str, Argument] = {
        "wa": wa, "background_rewrites_per_s": REWRITES, "user_bytes": USER,
        "host_bytes_per_s": rate,
    }  # fmt: skip
    return Call("background_wa", write_amplification.background_wa, inputs)


def _other_definitions(op_ratio: Node) -> dict[str, Node]:
    """Return the same spare area as reviews and as data sheets count it."""
    spare = {"op_ratio": op_ratio}
    return {
        "cleaning_spare_fraction": Call(
            "cleaning_spare_fraction", spare_area.spare_fraction_from_op_ratio, spare
        ),
        "cleaning_op_nominal": Call(
            "cleaning_op_nominal", spare_area.op_nominal_from_op_ratio, spare
        ),
    }


def _rated_limit(rated: Node, wa: Node, structure: Structure) -> Node:
    """Return rated TBW converted from its rating workload to this one, where both are stated."""
    key, alike = "rated_limit_bytes", Const("equal_wa", 1.0, "assumption", RATED_ALIKE)
    stated = Leaf("rating_wa", overrides=True)

    def converted(way: str, rating: Node, workload: Node, note: str = "") -> Node:
        inputs: dict[str, Argument] = {
            "rated_bytes": rated, "rating_wa": rating, "workload_wa": workload,
        }  # fmt: skip
        return Call(f"{key}:{way}", endurance.effective_tbw_bytes, inputs, note)

    by_statement = converted("stated rating", stated, wa)
    by_model = converted("modelled rating", factory_wa(structure), wa, RATED_UNIFORM)
    by_size = converted("by size of writes", RATING_UNIT_FACTOR, UNIT_FACTOR, RATED_ALIKE)
    return FirstKnown(
        key,
        (
            When(CREDIT_BASIS, by_statement),
            When(measured(structure), by_statement),
            *own_limit(rated, wa, structure, CREDIT_BASIS),
            When(CREDIT_BASIS, by_model),
            When(UNIT, by_size),
            converted("as printed", alike, alike, RATED_ALIKE),
        ),
    )


def _naive_limit(rated: Node, wa: Node) -> Node:
    """Return the naive limit of calculators: the rating divided by write amplification."""
    one = Const("naive_wa", 1.0)
    inputs: dict[str, Argument] = {"rated_bytes": rated, "rating_wa": one, "workload_wa": wa}
    return Call("naive_limit_bytes", endurance.effective_tbw_bytes, inputs, NAIVE)


def _first_limit(key: str, wear: Node, rating: Node) -> Node:
    both = Call(
        f"{key}:first",
        endurance.first_limit_bytes,
        {"wear_limit_bytes": wear, "rated_limit_bytes": rating},
    )
    return FirstKnown(key, (both, wear, rating))


def growth_inputs(structure: Structure) -> dict[str, Argument]:
    """Return growth, steps and phase-in of the writes as arguments of `models.growth`."""
    course: dict[str, Argument] = {"growth_per_year": Leaf("growth_per_year")}
    if structure.steps:
        numbers = range(1, structure.steps + 1)
        course["step_times_s"] = tuple(Leaf(f"step_{number}_s") for number in numbers)
        course["step_factors"] = tuple(Leaf(f"step_{number}_factor") for number in numbers)
    if structure.is_phased_in:
        course["phase_in_s"] = Leaf("phase_in_s")
    return course


def life_at(rate: Node, structure: Structure) -> Callable[[str, Node], Node]:
    """Return a function from a write limit to a time, at the growing rate of the workload."""
    course = growth_inputs(structure)

    def life(key: str, limit: Node) -> Node:
        inputs = {"limit_bytes": limit, "host_bytes_per_s": rate, **course}
        return Call(key, growth.growing_lifetime_s, inputs)

    return life


def _uneven_lives(
    even: Node, op_ratio: Node, life: Callable[[str, Node], Node], structure: Structure
) -> dict[str, Node]:
    """Return low, typical and high time until the first block reaches its rated P/E cycles."""
    ratios: dict[str, Node] = {
        "low": placement_ratio("one_log_ratio", "high_wa", op_ratio, structure),
        "typical": Const("placement_ratio:typical", 1.0, "definition"),
        "high": placement_ratio("apart_ratio", "low_wa", op_ratio, structure),
    }
    if structure.is_worn:  # however the drive places data, it is worn as it says
        ratios = dict.fromkeys(ratios, Const("one_log_ratio", 1.0))
    limits = {
        level: Call(
            f"{level}_wear_limit_bytes",
            wear_levelling.uneven_limit_bytes,
            {
                "wear_limit_bytes": even,
                "levelling_efficiency": Leaf(f"{level}_levelling_efficiency"),
                "placement_ratio": ratio,
            },
        )
        for level, ratio in ratios.items()
    }
    return {(key := f"{level}_wear_life_s"): life(key, limit) for level, limit in limits.items()}


def _middle(life: Answer) -> float:
    return float(np.median(life.value)) if np.ndim(life.value) else life.value


@dataclass(frozen=True)
class DriveLives:
    """The lives of a drive that are known, by what ends them, the first to be met first.

    `known_wear` is the date of flash wear, low, typical and high, if blocks wear unevenly; empty
    where it could not be computed. Lives that are arrays are in order of their median.
    """

    known: Mapping[Limit, Answer]
    known_wear: Mapping[str, Answer]

    @property
    def _met(self) -> list[Limit]:
        return [limit for limit, node in self.known.items() if not np.all(np.isinf(node.value))]

    @property
    def limit(self) -> Limit | None:
        """The limit met first; None where nothing is known or no limit is ever met."""
        return next(iter(self._met), None)

    @property
    def runner_up(self) -> Limit | None:
        """The limit met second."""
        return next(iter(self._met[1:]), None)

    @property
    def endurance_limit(self) -> Limit | None:
        """The limit of wear or rating that is met first, whatever the warranty says."""
        return next((limit for limit in self._met if limit is not Limit.WARRANTY), None)

    @property
    def years(self) -> float | None:
        """Time to the first limit in 365-day years; None where nothing is known."""
        return None if self.limit is None else self.known[self.limit].value / YEAR_S


def lives_of(reading: Reading) -> DriveLives:
    """List the lives of a plan that are known."""
    lives = {limit: reading[key] for limit, key in LIFE_OF.items()}
    known = {limit: life for limit, life in lives.items() if life.is_known}
    wear = {level: reading[f"{level}_wear_life_s"] for level in LEVELS}
    return DriveLives(
        dict(sorted(known.items(), key=lambda entry: _middle(entry[1]))),
        wear if all(life.is_known for life in wear.values()) else {},
    )


def life_notes(
    reading: Reading, drive: Drive, workload: Workload, firmware: Firmware
) -> tuple[str, ...]:
    """List the assumptions behind the dates by which the workload uses up the drive."""
    wa, worn, rated = (
        reading[key] for key in ("workload_wa", "wear_limit_bytes", "rated_limit_bytes")
    )
    behind = walk((worn,))
    is_modelled = "pe_cycles" in behind and "measured_wa" not in behind
    of_background = BACKGROUND if "background_wa" in behind else NO_BACKGROUND
    return (
        *used_note(drive),
        *contradictions(drive),
        *assumptions_of(drive, workload, firmware),
        *simulation_notes((wa, reading["low_wear_life_s"])),
        *outside_checked_ranges((wa,)),
        *((rated.note,) if rated.note else ()),
        *((EVEN_WEAR,) if worn.is_known else ()),
        *((of_background,) if is_modelled else ()),
    )
