"""How many flash bytes does a host byte of this workload cost on this drive?"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from models import calibration, simulator, spare_area, write_amplification
from planner.catalogue.drive import Drive
from planner.catalogue.facts import LARGE_BLOCK, cell_bits
from planner.catalogue.priors_kind import is_written_in_place
from planner.graph.answer import Answer, walk
from planner.graph.explain import public_name
from planner.graph.nodes import Call, Const, FirstKnown, Leaf, Node, When
from planner.quantity.show import text
from planner.scenario.firmware import BY_CLASS, Firmware, Layout, Policy
from planner.scenario.workload import Workload
from planner.sections.structure import IN_FIELD, Structure
from planner.sections.write_factors import (
    BASE_FACTOR,
    DATA_FLASH,
    DESTAGED_SEQUENTIAL_FRACTION,
    FACTORY_OP_RATIO,
    FIT,
    MILDER_UNIT_FACTOR,
    RATING_UNIT_FACTOR,
    SEQUENTIAL_FRACTION,
    UNITS,
    in_small_units,
    stored_op_ratio,
    with_factors,
)

UNIFORM = "Assumes uniform random writes of single pages: neither the best nor the worst case."
SEQUENTIAL = (
    "Sequential writes run in circles over their own share of the data, among the random ones; "
    "their effect is simulated on a small drive, filled at random and in sequence. The higher of "
    "the two results counts."
)
WORKING_SET = (
    "Assumed: data outside the working set lies in the same blocks as the rest, where GC copies "
    "it until it has separated them; in its own blocks it costs less."
)
SKEWED = (
    "Skewed writes with a single write frontier for host and GC writes, which raises write "
    "amplification; placement that keeps hot and cold data apart lowers it."
)
HOST_GC = (
    "Skewed writes with separate frontiers for host and GC writes: simulated on a small drive, "
    "since no formula is known."
)
NOT_MIXED = "Nothing is mixed."
SEQUENTIAL_ONLY = "Sequential writes only."
SIMULATED = "Simulated on a small drive: no formula is known."
WEIGHT = (
    "Weight of a single write frontier in the mean of logarithms, from two drives: zones 0.8, "
    "Zipf 0.4, others between."
)
VICTIM_UNKNOWN = (
    "What it is worth to write classes of data to blocks of their own depends on the rule for "
    "victims, which no data sheet prints: the geometric mean of greedy collection and of the best "
    "of ten random blocks, between the least and the most of these and of cost-benefit."
)
PLACEMENT_UNKNOWN = (
    "Skewed writes: between a single write frontier and separate frontiers for host and GC "
    "writes, as measured on two drives; no data sheet prints where a drive places data "
    "(--placement states it)."
)
CLASSES_PLACED = (
    "The host names the class of each write, and each has blocks of its own, at most eight: "
    "simulated on a small drive, victims among all blocks."
)
PLACED_APART = "If placement sorts data by temperature or age; never counted on."
FIFO_APART = (
    "With FIFO collection, separate frontiers for host and GC writes do not change the cost."
)
STREAMS = "Skewed writes in a hot and a cold stream, each with a fixed share of the spare area."
CHOICES = "Ten random choices; within a stream taken as greedy, from which it differs by 3 %."
NO_RESERVE = (
    "Blocks that the drive keeps erased and blocks being filled are not deducted from the spare "
    "area: their number is unknown (collection blocks, blocks in reserve). With 330 superblocks "
    "and 4 in reserve, write amplification at 12.7 % is 12 % higher."
)
TRIMS = (
    "Assumed: TRIM hits all data in use alike, as files deleted at random. Cold data, seldom "
    "written again, are then in use less. If it follows the writes, as in a cache or a log, "
    "write amplification is higher: the high figure."
)
GROWS = (
    "Under skew as steep as Zipf from 0.99 on, greedy collection with separate frontiers costs "
    "more the more pages a drive has: from the simulated value up to that of a single write "
    "frontier."
)
SMALL_WRITES = (
    "Writes are smaller than the drive's indirection unit: each rewrites a whole unit. Assumed: "
    "no buffer merges them, and hot data lie in ranges of whole units."
)
COMPRESSES = (
    "Assumed: all data compress alike, small pieces share pages, and the rating holds for data "
    "that do not compress."
)
IN_PLACE = (
    "3D XPoint is written in place: no write copies data, whatever the pattern of the writes and "
    "the spare area."
)
GIVES_WAY = (
    "Assumed: the SLC cache shrinks as the drive fills. Each byte that it keeps on a full drive, "
    "up to {size}, takes {bits:g} bytes of spare area (static_cache_bytes)."
)
AS_GIVEN = "How the drive places data was measured or is given."
NO_MODEL_HERE = "Spare area unknown: as measured, whatever the spare area."
ALIKE = "All writes are alike: nothing can be kept apart."

HEAVY_SKEW = 100.0  # writes over pages of the hottest class

_PLACEMENTS = {
    1: "single write frontier",
    2: "separate frontiers for host and GC writes",
    3: "a frontier for each class",
    4: "a frontier for each class, copies together",
    5: "a frontier for each class and its copies",
}
_BLOCKS = Leaf("blocks", overrides=True)
MEASURED = Leaf("workload_wa", overrides=True)
WA_ERROR = Leaf("wa_error_ratio")
# A number of pages where a formula needs one and the drive's is unknown.
PAGES_OR_LARGE = FirstKnown(
    "pages_per_block:any", (UNITS, Const("pages_per_block:large", LARGE_BLOCK, "assumption"))
)
CHOSEN = Const("choices", 10.0, "firmware")
_PLACED = {
    Layout.UNKNOWN: Const("one_log_placement", 1.0, "firmware"),
    Layout.ONE_LOG: Const("one_log_placement", 1.0, "firmware"),
    Layout.HOST_GC: Const("host_gc_placement", float(simulator.HOST_GC_PLACEMENT), "firmware"),
    Layout.CLASS: Const("class_placement", 3.0, "firmware"),
    Layout.CLASS_COPIES_TOGETHER: Const("class_placement:copies together", 4.0, "firmware"),
    Layout.CLASS_AND_COPIES: Const("class_placement:copies by class", 5.0, "firmware"),
}
_GREEDY = Const("greedy_ratio", 0.97, "assumption", "As under uniform writes.")
_TRIM = Leaf("trim_share")
_ON_ALL_DATA = Const("trims_as_written", 0.0, "assumption", "Trims hit all data in use alike.")
_AS_WRITTEN = Const("followed_trims", 1.0, "assumption", "Trims follow the writes.")
_LEAST_MIXED = Const("least_sequential_fraction", 1e-3, "definition", "Fewer are not simulated.")
_EFFECTIVE = Leaf("effective_raw_bytes", overrides=True)
_PROGRAMS = Leaf("program_iops", overrides=True)


class _Names(NamedTuple):
    """Keys of the parts of a modelled write amplification."""

    wa: str
    collection: str
    random: str
    credit: str
    mixed: str
    placed: tuple[str, str]


_HERE = _Names(
    "workload_wa", "collection_wa", "random_wa", "sequential_credit", "mixed_wa",
    ("one_log_wa", "host_gc_wa"),
)  # fmt: skip
_THERE = _Names(
    "reference_wa", "reference_collection_wa", "reference_random_wa", "reference_credit",
    "reference_mixed_wa", ("reference_one_log_wa", "reference_host_gc_wa"),
)  # fmt: skip
_PLACEMENT_NOTES = {
    Layout.UNKNOWN: PLACEMENT_UNKNOWN, Layout.ONE_LOG: SKEWED, Layout.STREAMS: STREAMS,
}  # fmt: skip
_SIMULATED: Mapping[Policy, Callable[..., float]] = {
    Policy.GREEDY: simulator.greedy_wa,
    Policy.FIFO: simulator.fifo_wa,
    Policy.D_CHOICES: simulator.d_choices_wa,
    Policy.COST_BENEFIT: simulator.cost_benefit_wa,
}
_PARTITIONED = Call(
    "partitioned_op_ratio",
    spare_area.effective_op_ratio,
    {"op_ratio": FACTORY_OP_RATIO, "fill_fraction": Leaf("partition_fraction")},
)
_FILLED = Call(
    "filled_op_ratio",
    spare_area.effective_op_ratio,
    {"op_ratio": _PARTITIONED, "fill_fraction": Leaf("fill_fraction")},
)


def spare_area_left(structure: Structure) -> Node:
    """Return the spare bytes per byte stored that this use of the drive leaves."""
    if not structure.address_shares:
        return _trimmed("effective_op_ratio", _FILLED, Structure())
    of_trims = Structure(
        address_shares=structure.address_shares, write_shares=structure.write_shares
    )
    return _trimmed("effective_op_ratio:by class", _FILLED, of_trims)


@cache
def _trimmed(key: str, op_ratio: Node, structure: Structure) -> Node:
    spare: dict[str, Node] = {"op_ratio": op_ratio, "trim_share": _TRIM}
    if not structure.address_shares:
        return stored_op_ratio(key, Call(key, write_amplification.trimmed_op_ratio, spare))
    shares: dict[str, Node] = {
        "write_shares": Const("write_shares", structure.write_shares, "workload"),
        **_shares_of_addresses(structure),
    }
    formula = write_amplification.trimmed_class_op_ratio
    return stored_op_ratio(key, Call(key, formula, spare | shares, TRIMS))


@cache
def cleaning_op_ratio(structure: Structure) -> Node:
    """Return the spare area of this use without the reserve and the open blocks.

    The spare area itself where the number of the drive's blocks is unknown.
    """
    return _less_reserve("cleaning_op_ratio", spare_area_left(structure), structure)


@cache
def touched_op_ratio(structure: Structure) -> Node:
    """Return the spare area over what a write test overwrites: all data, or the working set."""
    whole = cleaning_op_ratio(structure)
    if not structure.has_static_data:
        return whole
    return Call(
        "touched_op_ratio",
        write_amplification.static_op_ratio,
        {"op_ratio": whole, "dynamic_fraction": Leaf("dynamic_fraction")},
    )


def rating_op_ratio(structure: Structure) -> Node:
    """Return the spare area of the whole, full drive without the reserve and the open blocks."""
    return _less_reserve("rating_op_ratio", FACTORY_OP_RATIO, structure)


@cache
def factory_wa(structure: Structure) -> Node:
    """Return the write amplification of uniform random writes over the whole, full drive."""
    return _rated_wa("rating", RATING_UNIT_FACTOR, structure)


@cache
def milder_wa(structure: Structure) -> Node:
    """Return the write amplification of the milder of two workloads that a drive is rated for."""
    alone = Const("milder_wa:sequential", 1.0, "definition", SEQUENTIAL_ONLY)
    streamed = with_factors("milder_wa:streamed", alone, alone, structure,
                            rating_unit_factor=MILDER_UNIT_FACTOR)  # fmt: skip
    random = _rated_wa("milder", MILDER_UNIT_FACTOR, structure)
    is_streamed = When(Leaf("milder_sequential_fraction", overrides=True), streamed, (1.0,))
    return FirstKnown("milder_wa:any", (is_streamed, random))


def _rated_wa(name: str, unit_factor: Node, structure: Structure) -> Node:
    """Return the WA of a rating for uniform random writes over the whole, full drive."""
    uniform = Structure(policy=structure.policy, is_fitted=structure.is_fitted)
    key = f"{name}_wa"
    alone, collected = (
        _random_wa(each, rating_op_ratio(structure), uniform)
        for each in (key, f"{name}_collection_wa")
    )
    whole = with_factors(key, alone, collected, structure, rating_unit_factor=unit_factor)
    return whole if structure.is_in_field else _uncertain(key, whole)


@cache
def default_wa(structure: Structure) -> Node:
    """Return the write amplification of hosts in the field on the whole, full drive."""
    uniform = Structure(policy=structure.policy, is_fitted=structure.is_fitted)
    random_wa = _random_wa("default_random_wa", rating_op_ratio(structure), uniform)
    inputs = {"random_wa": random_wa, "field_copy_ratio": Leaf("field_copy_ratio")}
    copied = Call("default_wa", write_amplification.field_wa, inputs)
    in_field = replace(structure, is_in_field=True)
    return with_factors("default_wa", copied, copied, in_field)


def _uncertain(key: str, wa: Node) -> Node:
    """Return a write amplification with the error of its model."""
    inputs = {"wa": wa, "wa_error_ratio": WA_ERROR}
    formula = write_amplification.uncertain_wa
    return Call(f"{key}:uncertain", formula, inputs, error="wa_error_ratio")


@cache
def modelled_wa(op_ratio: Node, structure: Structure) -> Node:
    """Return the write amplification by which a rating is converted: what the model gives.

    Of hosts in the field it is that of uniform random writes: what is assumed gives no credit.
    """
    if structure.is_in_field:
        stated = _pattern_wa("modelled_wa:pattern", _HERE, op_ratio, structure)
        return with_factors("modelled_wa", stated, stated, structure)
    return workload_wa(op_ratio, structure)


@cache
def workload_wa(op_ratio: Node, structure: Structure) -> Node:
    """Return the write amplification of this workload: measured, else modelled."""
    ways: tuple[Node, ...] = ()
    if structure.is_followed:
        ways = _followed(op_ratio, structure)
    else:
        modelled = _modelled(_HERE, op_ratio, structure)
        ways = (modelled,) if structure.is_in_field else (MEASURED, modelled)
    return _uncertain(_HERE.wa, FirstKnown(f"{_HERE.wa}:any", ways))


def measured(structure: Structure) -> Leaf:
    """Return the write amplification that was measured: as it is, or over a span."""
    return Leaf("measured_wa", overrides=True) if structure.is_followed else MEASURED


def _modelled(names: _Names, op_ratio: Node, structure: Structure) -> Node:
    """Return the modelled WA: garbage collection, and all that is written beside it."""
    alone, collected = (
        _collected(key, names, op_ratio, structure) for key in (names.wa, names.collection)
    )
    return with_factors(names.wa, alone, collected, structure)


def _collected(key: str, names: _Names, op_ratio: Node, structure: Structure) -> Node:
    """Return the WA of the workload by garbage collection alone.

    Hosts in the field copy a share of what the pattern, as far as it is stated, would need.
    """
    stated = _pattern_wa(_of_pattern(key, structure), names, op_ratio, structure)
    return _in_field(key, stated, structure)


def _of_pattern(key: str, structure: Structure) -> str:
    """Return the key of the WA of the stated pattern, which that of hosts in the field is not."""
    return f"pattern_wa:{key}" if structure.is_in_field else key


@cache
def _in_field(key: str, stated_wa: Node, structure: Structure) -> Node:
    """Return the WA of hosts in the field, where the writes are theirs, from that as stated."""
    if not structure.is_in_field:
        return stated_wa
    inputs: dict[str, Node] = {
        "random_wa": stated_wa, "field_copy_ratio": Leaf("field_copy_ratio"),
    }  # fmt: skip
    return Call(f"{key}:field", write_amplification.field_wa, inputs)


def _pattern_wa(key: str, names: _Names, op_ratio: Node, structure: Structure) -> Node:
    """Return the WA of the pattern of the writes as it is stated, uniform where it is not."""
    if structure.policy is Policy.RANDOM:  # copies pages whatever their age: nothing to credit
        spare = {"op_ratio": op_ratio}
        modelled = Call(f"{key}:modelled", write_amplification.random_victim, spare)
        return FirstKnown(f"{key}:collected", (modelled, _sequential_alone(key)))
    random_wa = _random_wa(names.random, op_ratio, structure.in_known_log)
    is_open = structure.layout is Layout.UNKNOWN or structure.layout in BY_CLASS
    inputs = {
        "random_wa": random_wa, "sequential_fraction": DESTAGED_SEQUENTIAL_FRACTION,
        "sequential_credit": _no_credit(names) if is_open else _credit(names, op_ratio, structure),
    }  # fmt: skip
    credited = Call(f"{key}:modelled", write_amplification.credited, inputs)
    known: tuple[Node, ...] = (credited,)
    if is_open:
        own = _of_unequal(key, names, op_ratio, structure)
        is_mixed = When(SEQUENTIAL_FRACTION, own, least=_LEAST_MIXED)
        known = (own,) if structure.is_skewed else (is_mixed, credited)
    return FirstKnown(f"{key}:collected", (*known, _sequential_alone(key)))


def _of_unequal(key: str, names: _Names, op_ratio: Node, structure: Structure) -> Node:
    """Return the WA of writes that are not all alike: typical, or as the host places them."""
    if structure.layout in BY_CLASS:
        return _by_class(key, op_ratio, structure)
    return _bound(f"{key}:typical", "typical_wa", op_ratio, structure, names.placed)


def _followed(op_ratio: Node, structure: Structure) -> tuple[Node, Node]:
    """Return the measured WA, moved from its spare area to this one by the model."""
    over_span = Call(
        "measured_op_ratio",
        spare_area.op_ratio,
        {"raw_bytes": DATA_FLASH, "user_bytes": Leaf("measured_span_bytes")},
    )
    trimmed = _trimmed("reference_op_ratio", over_span, structure)
    there = _less_reserve("reference_cleaning_op_ratio", trimmed, structure)
    one = {name: Const(f"{name}:unknown", 1.0) for name in ("modelled_wa", "reference_wa")}
    by_model: dict[str, Node] = {
        "modelled_wa": _modelled(_HERE._replace(wa="modelled_wa"), op_ratio, structure),
        "reference_wa": _modelled(_THERE, there, structure),
    }

    def moved(way: str, inputs: Mapping[str, Node], note: str = "") -> Node:
        leaf = {"measured_wa": measured(structure)}
        return Call(f"{_HERE.wa}:{way}", calibration.followed_wa, {**leaf, **inputs}, note)

    return moved("followed", by_model), moved("as measured", one, NO_MODEL_HERE)


def fitted_write_iops(structure: Structure) -> Node:
    """Return the steady rate of random writes that was fitted, at the spare area of this use."""
    uniform = Structure(policy=structure.policy)
    law = _random_wa("uniform_wa", cleaning_op_ratio(structure), uniform)
    fitted = Call(
        "steady_write_iops:fitted",
        calibration.fitted_write_iops,
        {
            "random_wa": in_small_units(law), "base_factor": BASE_FACTOR,
            "copy_cost": Leaf("copy_cost"), "program_iops": _PROGRAMS,
            "rate_ratio": Leaf("rate_ratio"),
        },
        FIT,
    )  # fmt: skip
    return When(_PROGRAMS, fitted)


@cache
def wa_band(structure: Structure, op_ratio: Node | None = None) -> dict[str, Node]:
    """Return low, typical and high: what placement makes of the workload where it is unknown.

    At the spare area of this use, unless another is given. High takes trims to follow the writes,
    the others to hit all data in use alike.
    """
    taken = dict.fromkeys(_BOUNDS, structure) | {"high_wa": structure.trimmed_as_written}
    band = {}
    for bound, of in taken.items():
        spare = op_ratio or cleaning_op_ratio(of)
        alone, collected = (
            _in_field(key, _bound(_of_pattern(key, of), bound, spare, of), of)
            for key in (bound, bound.replace("_wa", "_collection_wa"))
        )
        band[bound] = with_factors(bound, alone, collected, structure)
    return band


@cache
def placements(structure: Structure) -> dict[str, Node]:
    """Return the WA with a single write frontier, and with one each for host and GC writes."""
    return {
        key: _modelled(_HERE._replace(wa=key, collection=f"{key}:collection"),
                       cleaning_op_ratio(structure), of)
        for key, of in (
            ("one_log_wa", structure.in_one_log), ("host_gc_wa", structure.with_copies_apart),
        )
    }  # fmt: skip


@cache
def run_wa(structure: Structure) -> Node:
    """Return the WA of a run of the stated pattern; one frontier where placement is unknown."""
    stated = replace(structure.in_known_log, is_in_field=False, is_policy_known=True)
    alone, collected = (
        _collected(key, _HERE, cleaning_op_ratio(structure), stated)
        for key in (_HERE.wa, _HERE.collection)
    )
    return with_factors(_HERE.wa, alone, collected, structure)  # parity and map as in the plan


@cache
def apart_wa(structure: Structure, op_ratio: Node | None = None) -> Node:
    """Return the WA that placement by temperature could reach: a stream for every class."""
    mix = _mix(op_ratio or cleaning_op_ratio(structure), structure)
    formula = write_amplification.mixed_apart

    def placed(key: str) -> Node:
        ways = _by_pages(_of_pattern(key, structure), formula, mix, PLACED_APART)
        return _in_field(key, FirstKnown(f"{key}:placed", ways), structure)

    alone, collected = placed("apart_wa"), placed("apart_collection_wa")
    return with_factors("apart_wa", alone, collected, structure)


def placement_ratio(key: str, bound: str, op_ratio: Node, structure: Structure) -> Node:
    """Return a bound of WA over that of a single write frontier; 1 where placement is known."""
    known = Const(f"{key}:known", 1.0, "definition", AS_GIVEN)
    if structure.layout is not Layout.UNKNOWN or structure.policy is not Policy.GREEDY:
        return known
    alike = Const(f"{key}:alike", 1.0, "definition", ALIKE)
    uniform = () if structure.is_skewed else (When(SEQUENTIAL_FRACTION, alike, (0.0, 1.0)),)
    inputs = {
        name: _in_field(
            level, _bound(_of_pattern(level, structure), level, op_ratio, structure), structure
        )
        for name, level in (("wa", bound), ("reference_wa", "typical_wa"))
    }
    ratio = Call(f"{key}:bound", write_amplification.wa_ratio, inputs)
    return FirstKnown(key, (When(measured(structure), known), *uniform, ratio))


_BOUNDS: Mapping[str, Callable[..., float]] = {
    "low_wa": write_amplification.low_placement_wa,
    "typical_wa": write_amplification.typical_placement_wa,
    "high_wa": write_amplification.high_placement_wa,
}


@cache
def _bound(
    key: str,
    bound: str,
    op_ratio: Node,
    structure: Structure,
    names: tuple[str, str] = _HERE.placed,
) -> Node:
    """Return low, typical or high WA of a single and of separate write frontiers."""
    inputs = dict(_placements(op_ratio, structure, names))
    if bound == "low_wa" and structure.is_skewed and structure.policy is Policy.GREEDY:
        inputs["greedy_ratio"] = _GREEDY
    if bound == "typical_wa":
        weight = Const("one_log_weight", structure.one_log_weight, "assumption", WEIGHT)
        inputs["one_log_weight"] = weight
    return Call(key, _BOUNDS[bound], inputs)


@cache
def _placements(op_ratio: Node, structure: Structure, names: tuple[str, str]) -> dict[str, Node]:
    """Return WA with a single write frontier, and with one each for host and GC writes.

    Writes that are all alike cost the same on any frontiers.
    """
    in_log, host_gc = names
    one_log, apart = structure.in_one_log, structure.with_copies_apart
    one_log_wa = _placed_wa(in_log, _random_wa(in_log, op_ratio, one_log), one_log, op_ratio)
    random_wa = _random_wa(host_gc, op_ratio, apart) if structure.is_skewed else one_log_wa
    host_gc_wa = _placed_wa(host_gc, random_wa, apart, op_ratio)
    return {"one_log_wa": one_log_wa, "host_gc_wa": host_gc_wa}


def _placed_wa(key: str, random_wa: Node, structure: Structure, op_ratio: Node) -> Node:
    """Return the write amplification of the workload by one placement."""
    if structure.policy is Policy.RANDOM:  # as the plan: copies pages whatever their age
        return FirstKnown(f"{key}:placed", (random_wa, _sequential_alone(key)))
    mixed_wa = _mixed_wa(key.replace("_wa", "_mixed_wa"), op_ratio, structure)
    is_mixed = When(SEQUENTIAL_FRACTION, mixed_wa, least=_LEAST_MIXED)
    return FirstKnown(f"{key}:placed", (is_mixed, random_wa))


def _mixed_wa(key: str, op_ratio: Node, structure: Structure) -> Node:
    """Return write amplification of random and sequential writes, 1 where nothing is mixed."""
    none = Const(f"{key}:none", 1.0, "definition", NOT_MIXED)
    inputs = {
        **_small_drive(op_ratio, structure),
        "sequential_fraction": DESTAGED_SEQUENTIAL_FRACTION,
    }
    mixed = Call(f"{key}:simulated", _SIMULATED[structure.policy], inputs, SIMULATED)
    return FirstKnown(f"{key}:any", (When(SEQUENTIAL_FRACTION, none, (0.0, 1.0)), mixed))


def _sequential_alone(key: str) -> Node:
    one = Const(f"{key}:sequential", 1.0, "definition", SEQUENTIAL_ONLY)
    return When(SEQUENTIAL_FRACTION, one, (1.0,))


@cache
def _less_reserve(key: str, whole: Node, structure: Structure) -> Node:
    """Deduct the reserve and the open blocks, which are those of the spare area of this use.

    Flash that was fitted is without them.
    """
    used, frontiers = spare_area_left(structure), structure.frontiers
    own = Call(
        f"{key}:blocks",
        write_amplification.reserved_op_ratio,
        {"op_ratio": whole, **_deducted(frontiers), "unfilled_blocks": _unfilled(used, frontiers)},
    )
    fitted = (When(_EFFECTIVE, whole),) if structure.is_fitted else ()
    return FirstKnown(key, (*fitted, When(_BLOCKS, own), whole))


@cache
def _deducted(frontiers: float) -> dict[str, Node]:
    least = Const("reserve:least", frontiers, "definition", "One erased block per frontier.")
    return {
        "blocks": _BLOCKS,
        "reserve": FirstKnown("reserve:any", (Leaf("reserve", overrides=True), least)),
    }


@cache
def _unfilled(op_ratio: Node, frontiers: float) -> Node:
    filled = Call(
        "reserve_op_ratio",
        write_amplification.reserved_op_ratio,
        {
            "op_ratio": op_ratio,
            **_deducted(frontiers),
            "unfilled_blocks": Const("no_unfilled_blocks", 0.0),
        },
    )
    return Call(
        "unfilled_blocks",
        write_amplification.unfilled_blocks,
        {
            "wa": _random_wa("reserve_wa", filled, Structure()),
            "frontiers": Const("frontiers", frontiers, "firmware"),
        },
    )


@cache
def _random_wa(key: str, op_ratio: Node, structure: Structure) -> Node:
    """Return the write amplification of random writes on this drive: skewed ones or uniform."""
    spare: dict[str, Node] = {"op_ratio": op_ratio}
    uniform = "" if structure.is_skewed else UNIFORM
    if structure.policy is Policy.RANDOM:
        return Call(f"{key}:random", write_amplification.random_victim, spare, uniform)
    if structure.policy is Policy.COST_BENEFIT and not structure.is_skewed:
        small = _small_drive(op_ratio, structure.in_one_log)
        return Call(f"{key}:simulated", simulator.cost_benefit_wa, small, UNIFORM)
    if structure.is_skewed:
        return _skewed_wa(key, spare | _shares(structure), structure)
    fifo = Call(f"{key}:fifo", write_amplification.fifo, spare, UNIFORM)
    if structure.policy is Policy.D_CHOICES:
        numbers: dict[str, Node] = {"choices": CHOSEN, "pages_per_block": PAGES_OR_LARGE}
        return Call(f"{key}:choices", write_amplification.d_choices, spare | numbers, UNIFORM)
    if structure.policy is Policy.FIFO:
        return fifo
    greedy = Call(
        f"{key}:greedy", write_amplification.greedy, spare | {"pages_per_block": UNITS}, UNIFORM
    )
    return FirstKnown(f"{key}:any", (greedy, fifo))


def _skewed_wa(key: str, inputs: dict[str, Node], structure: Structure) -> Node:
    note = _placed(structure.policy, structure.layout)
    if structure.is_simulated:
        small = _small_drive(inputs["op_ratio"], structure)
        return Call(f"{key}:simulated", _SIMULATED[structure.policy], small, note)
    formula: Callable[..., float] = write_amplification.skewed
    if structure.layout is Layout.STREAMS:
        formula = write_amplification.two_streams
        inputs = inputs | {"accuracy": Const("accuracy", structure.accuracy, "firmware")}
    if structure.policy is Policy.FIFO:
        return Call(f"{key}:large blocks", formula, inputs, note)
    return FirstKnown(key, _by_pages(key, formula, inputs, note))


@cache
def _no_credit(names: _Names) -> Const:
    return Const(f"{names.credit}:none", 1.0, "definition", NOT_MIXED)


@cache
def _credit(names: _Names, op_ratio: Node, structure: Structure) -> Node:
    key, none = names.credit, _no_credit(names)
    mixed: tuple[Node, ...]
    if structure.layout is Layout.STREAMS:
        mixed = _by_pages(key, write_amplification.sequential_credit, _mix(op_ratio, structure))
    else:
        inputs = {
            "wa": _mixed_wa(names.mixed, op_ratio, structure),
            "reference_wa": _random_wa(names.random, op_ratio, structure),
        }
        mixed = (Call(f"{key}:simulated", write_amplification.wa_ratio, inputs),)
    return FirstKnown(key, (When(SEQUENTIAL_FRACTION, none, (0.0, 1.0)), *mixed))


@cache
def _by_class(key: str, op_ratio: Node, structure: Structure) -> Node:
    """Return the WA of classes of data placed by the host, by what is known of the victims."""
    if structure.is_policy_known:
        return _placed_by(key, structure.policy, op_ratio, structure)
    rules = _by_rule(key, op_ratio, structure)
    found = {name: rules[name] for name in ("greedy_wa", "d_choices_wa")}
    formula = write_amplification.unknown_victim_wa
    return Call(f"{key}:either", formula, found, VICTIM_UNKNOWN)


@cache
def _by_rule(key: str, op_ratio: Node, structure: Structure) -> dict[str, Node]:
    """Return the WA of classes of data placed by the host, under each rule for victims."""
    rules = (Policy.GREEDY, Policy.D_CHOICES, Policy.COST_BENEFIT)
    names = ("greedy_wa", "d_choices_wa", "cost_benefit_wa")
    return {
        name: _placed_by(f"{key}:{name}", policy, op_ratio, structure)
        for name, policy in zip(names, rules, strict=True)
    }


def _placed_by(key: str, policy: Policy, op_ratio: Node, structure: Structure) -> Node:
    """Return the WA of classes of data placed by the host, by a rule for victims."""
    if policy is Policy.RANDOM:
        return Call(f"{key}:random", write_amplification.random_victim, {"op_ratio": op_ratio})
    inputs = {
        **_small_drive(op_ratio, structure),
        "sequential_fraction": DESTAGED_SEQUENTIAL_FRACTION,
    }
    run = Call(f"{key}:simulated", _SIMULATED[policy], inputs, SIMULATED)
    return FirstKnown(f"{key}:placed", (run, _sequential_alone(key)))


_SEPARATED = ("low_separated_wa", "separated_wa", "high_separated_wa")


@cache
def by_class_wa(op_ratio: Node, structure: Structure) -> dict[str, Node]:
    """Return low, typical and high WA of classes of data placed by the host, by victim rule."""
    low_key, key, high_key = (_of_pattern(name, structure) for name in _SEPARATED)
    typical = _by_class(key, op_ratio, structure)
    if structure.is_policy_known:
        return dict.fromkeys(_SEPARATED, typical)
    rules = _by_rule(key, op_ratio, structure)
    low = Call(low_key, write_amplification.least_victim_wa, rules, VICTIM_UNKNOWN)
    high = Call(high_key, write_amplification.most_victim_wa, rules, VICTIM_UNKNOWN)
    return dict(zip(_SEPARATED, (low, typical, high), strict=True))


@cache
def separated_wa(structure: Structure) -> dict[str, Node]:
    """Return low, typical and high WA with each class of data in blocks of its own.

    Where the number of blocks is known, as many are open as in the plan.
    """
    rules = by_class_wa(cleaning_op_ratio(structure), replace(structure, layout=Layout.CLASS))
    found = {key: _in_field(key, node, structure) for key, node in rules.items()}
    return {key: with_factors(key, node, node, structure) for key, node in found.items()}


def _small_drive(op_ratio: Node, structure: Structure) -> dict[str, Node]:
    """Return the arguments of a run, whose pages are those of all addresses, in use or trimmed."""
    return {
        "op_ratio": _of_addresses(op_ratio, spare_area_left(structure)),
        **_shares(structure),
        **_shares_of_addresses(structure),
        "pages_per_block": PAGES_OR_LARGE,
        "placement": _PLACED[structure.layout],
        "trim_share": _TRIM,
        "trims_as_written": _AS_WRITTEN if structure.has_trims_as_written else _ON_ALL_DATA,
    }


@cache
def _of_addresses(op_ratio: Node, effective: Node) -> Node:
    """Return the spare area over all addresses, from that over the data in use."""
    key = f"untrimmed_op_ratio:{op_ratio.key}"
    inputs = {
        "op_ratio": op_ratio, "filled_op_ratio": _FILLED,
        "effective_op_ratio": effective,
    }  # fmt: skip
    untrimmed = Call(key, write_amplification.untrimmed_op_ratio, inputs)
    return FirstKnown(f"{key}:any", (When(_TRIM, op_ratio, (0.0,)), untrimmed))


def _by_pages(
    key: str, formula: Callable[..., float], inputs: Mapping[str, Node], note: str = ""
) -> tuple[Node, Node]:
    """Return a formula with the pages of a block, and in its limit of large blocks."""
    return (
        Call(f"{key}:pages", formula, {**inputs, "pages_per_block": UNITS}, note),
        Call(f"{key}:large blocks", formula, inputs, note),
    )


def _shares(structure: Structure) -> dict[str, Node]:
    way = "" if structure.is_skewed else ":uniform"
    return {
        "write_shares": Const(f"write_shares{way}", structure.write_shares, "workload"),
        "page_shares": Const(f"page_shares{way}", structure.page_shares, "workload"),
    }


def _shares_of_addresses(structure: Structure) -> dict[str, Node]:
    if not structure.address_shares:
        return {}
    shares = structure.address_shares
    return {"page_shares": Const("page_shares:addresses", shares, "workload")}


def _mix(op_ratio: Node, structure: Structure) -> dict[str, Node]:
    return {
        "op_ratio": op_ratio,
        "sequential_fraction": DESTAGED_SEQUENTIAL_FRACTION,
        **_shares(structure),
    }


def outside_checked_ranges(answers: Iterable[Answer]) -> tuple[str, ...]:
    """List warnings on inputs outside the range in which the models were checked."""
    from models import registry  # noqa: PLC0415 - it imports every formula

    complaints: dict[str, None] = {}
    for node in walk(answers).values():
        complaints |= dict.fromkeys(registry.outside(node.formula, **node.arguments))
    return tuple(complaints)


def assumptions_of(drive: Drive, workload: Workload, firmware: Firmware) -> tuple[str, ...]:
    """List the assumptions and omissions of the model of write amplification."""
    if workload.measured_wa is not None:
        return ()
    unit = drive.value("unit_bytes")
    sequential = np.asarray(workload.sequential_fraction)
    is_skewed = len(workload.classes[0]) > 1
    is_sorted = is_skewed and firmware.policy is not Policy.RANDOM
    notes = {
        UNIFORM: not is_skewed and not workload.is_in_field,
        IN_FIELD: workload.is_in_field and not is_written_in_place(drive),
        IN_PLACE: is_written_in_place(drive),
        SEQUENTIAL: bool(np.any((sequential > 0) & (sequential < 1))),
        WORKING_SET: workload.working_set_fraction < 1,
        _placed(firmware.policy, firmware.layout): is_sorted,
        TRIMS: is_skewed and bool(np.any(workload.trim_share)),
        CHOICES: firmware.policy is Policy.D_CHOICES and firmware.layout is Layout.STREAMS,
        SMALL_WRITES: unit is not None and bool(np.any(unit > workload.transfer_bytes)),
        COMPRESSES: drive.value("stored_fraction") is not None,
        NO_RESERVE: not is_written_in_place(drive)
        and drive.value("blocks") is None
        and drive.fit is None,
    }
    return (*(note for note, applies in notes.items() if applies), *_of_cache(drive))


def _of_cache(drive: Drive) -> tuple[str, ...]:
    """Return the note on a write cache in single-level mode that may take spare area."""
    size, bits = drive.value("slc_cache_bytes"), cell_bits(drive)
    if size is None or not bits or drive.value("static_cache_bytes") is not None:
        return ()
    return (GIVES_WAY.format(size=text("slc_cache_bytes", size), bits=bits),)


def simulation_notes(answers: Iterable[Answer]) -> tuple[str, ...]:
    """Return the notes on a simulation: its error, size of drive, and lasting states."""
    formulas = {public_name(formula): formula for formula in _SIMULATED.values()}
    notes: dict[str, None] = {}
    for node in walk(answers).values():
        if node.formula in formulas and not np.ndim(node.value):
            notes |= dict.fromkeys(_run_notes(formulas[node.formula], node.arguments))
    return tuple(notes)


def _run_notes(formula: Callable[..., float], arguments: Mapping[str, Any]) -> Iterator[str]:
    runs = simulator.runs(formula, **arguments)
    for run in runs[:1]:
        placed = _PLACEMENTS[int(arguments["placement"])]
        yield (
            f"Simulated, {placed}: {run.wa:.3g} ({run.low_wa:.3g} to {run.high_wa:.3g}) at a spare "
            f"area of {100 * run.op_ratio:.3g} %, on {run.blocks} blocks of {run.pages_per_block} "
            "pages."
        )
    for run in runs:
        if not run.is_settled:
            yield f"Not settled: it still drifted by {100 * run.drift:+.1f} % when the run ended."
    low, *high = simulator.states(formula, **arguments)
    if high:
        yield (
            f"Two states last: {high[0]:.3g} and {low:.3g}; which one a drive is in "
            "depends on the order in which it was filled, and on some percent of its spare area."
        )
    heavy = arguments["write_shares"][0] > HEAVY_SKEW * arguments["page_shares"][0]
    is_apart = arguments["placement"] == simulator.HOST_GC_PLACEMENT
    if runs and heavy and is_apart and runs[0].policy == "greedy":
        yield GROWS


def _placed(policy: Policy, layout: Layout) -> str:
    """Return the note on the placement of skewed writes, and on its computation."""
    if layout is Layout.HOST_GC:
        return FIFO_APART if policy is Policy.FIFO else HOST_GC
    return _PLACEMENT_NOTES.get(layout, CLASSES_PLACED)
