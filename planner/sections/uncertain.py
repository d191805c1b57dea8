"""Uncertain inputs of a scenario: assumed facts, stated ranges, measured points."""

import math

import numpy as np

from models.write_amplification.factors import LEAST_COPIES
from planner.catalogue.drive import Drive
from planner.catalogue.fact_widths import uncertain_facts
from planner.catalogue.model_error import ModelError, model_error
from planner.catalogue.priors import Assumption, accepted_assumptions, field_copying
from planner.catalogue.priors_kind import is_written_in_place
from planner.graph.answer import Answer
from planner.graph.reading import Reading
from planner.scenario.firmware import BY_CLASS, Layout
from planner.scenario.workload import Workload
from planner.sections.calibration import curve_ranges
from planner.sections.structure import Structure
from planner.sections.used import wear_points
from planner.sections.witnesses import life_error
from planner.sections.write_amplification import by_class_wa, cleaning_op_ratio, wa_band

MEASURED_HALF = 0.05  # of a write amplification that was counted: assumed
ACTS_ON = frozenset({"workload_wa", "rating_wa"})
LEAST_HALF = 0.025  # of any write amplification, where all writes are alike
BEYOND_BAND = 1.03  # that a drive may lie outside both placements
OF_PLACEMENT = math.log(1.3)  # where placement is stated: assumed
LEAST_LEFT = 3e-3  # copies per host write at a low end
MEASURED = "Counters of a drive cover a span of its life: later ones differ by some percent."
PLACED = "No drive with a stated placement was measured: assumed to be within 1.3 of simulation."
SKEWED = (
    "Measured over typical on two drives, over the width between placements: "
    "docs/evidence/accuracy.md"
)


def assumed_inputs(drive: Drive, workload: Workload, op_ratio: Answer) -> tuple[Assumption, ...]:
    """Return the assumptions on a drive and its writes, and the ranges that measured points leave.

    `op_ratio` is the spare area of this use.
    """
    in_field = (field_copying(drive),) if workload.is_in_field else ()
    return (
        *workload.open_writes, *accepted_assumptions(drive), *in_field, *wear_points(drive),
        *left_by_fit(drive, op_ratio),
    )  # fmt: skip


def left_by_fit(drive: Drive, op_ratio: Answer) -> tuple[Assumption, ...]:
    """Return the ranges that measured points leave of the curve at a spare area."""
    if drive.fit is None or not op_ratio.is_known or np.ndim(op_ratio.value):
        return ()
    return curve_ranges(drive.fit, op_ratio.value)


def uncertain_inputs(
    drive: Drive, workload: Workload, structure: Structure, reading: Reading
) -> tuple[Assumption, ...]:
    """Return the assumptions, the facts that are only about right, and the errors of models."""
    assumed = assumed_inputs(drive, workload, reading["cleaning_op_ratio"])
    known = {item.quantity for item in assumed}
    facts = (item for item in uncertain_facts(drive) if item.quantity not in known)
    stated = drive.facts.keys()
    errors = (*_wa_error(drive, workload, structure, reading), life_error(drive, workload))
    return (*assumed, *facts, *(item for item in errors if item.quantity not in stated))


def _wa_error(
    drive: Drive, workload: Workload, structure: Structure, reading: Reading
) -> tuple[Assumption, ...]:
    """Return the error of the write amplification; none where nothing is copied, or one was fitted.

    The more the placements differ, the more so: of a drive it is unknown.
    """
    if is_written_in_place(drive) or drive.fit is not None:
        return ()
    if workload.measured_wa is not None:
        halves = (MEASURED_HALF, MEASURED_HALF)
        return (_of_wa(reading, halves, f"a count within {MEASURED_HALF:.0%}", MEASURED),)
    if workload.is_in_field:
        return (_of_copies(model_error("workload_wa", "field"), "hosts in the field"),)
    if structure.layout is not Layout.UNKNOWN:
        return (_of_placement(workload, structure, reading),)
    error = model_error("workload_wa", "skew")
    low, _, high = (np.median(reading.answer(node).value) for node in wa_band(structure).values())
    apart = math.log(high / low) if high > low else 0.0  # NaN where the flash is unknown
    half = max(error.half * apart, LEAST_HALF)
    halves = (half, half)
    if apart:  # never beyond both placements
        wa = float(np.median(reading["workload_wa"].value))
        beyond = math.log(BEYOND_BAND)
        down, up = max(math.log(wa / low), 0.0), max(math.log(high / wa), 0.0)
        halves = (min(half, down + beyond), min(half, up + beyond))
    return (_of_wa(reading, halves, "where a drive places data", SKEWED, error),)


def _of_placement(workload: Workload, structure: Structure, reading: Reading) -> Assumption:
    """Return the error where placement is stated: of no drive with it was any measured.

    Where the rule for victims is unknown, its range is joined.
    """
    if not (structure.is_skewed or np.any(np.asarray(workload.sequential_fraction) > 0)):
        return _of_wa(reading, (LEAST_HALF, LEAST_HALF), "how writes are placed", PLACED)
    halves = (OF_PLACEMENT, OF_PLACEMENT)
    if structure.layout in BY_CLASS and not structure.is_policy_known:
        low, typical, high = (
            float(np.median(reading.answer(node).value))
            for node in by_class_wa(cleaning_op_ratio(structure), structure).values()
        )
        halves = (
            math.hypot(OF_PLACEMENT, math.log(typical / low)),
            math.hypot(OF_PLACEMENT, math.log(high / typical)),
        )
    return _of_wa(reading, halves, "how writes are placed", PLACED)


def _of_copies(error: ModelError, basis: str) -> Assumption:
    """Return an error on the scale of copies."""
    return Assumption(
        quantity="wa_error_ratio", typical=1.0, low=math.exp(error.middle - error.half),
        high=math.exp(error.middle + error.half),
        ground=f"{error.source}: docs/evidence/accuracy.md",
        basis=basis, is_model=True, families=error.families, inside=error.facts_inside,
        acts_on=ACTS_ON,
    )  # fmt: skip


def _of_wa(
    reading: Reading,
    halves: tuple[float, float],
    basis: str,
    ground: str,
    error: ModelError | None = None,
) -> Assumption:
    """Return an error that is a factor on the whole write amplification, down and up."""
    wa = float(np.median(reading["workload_wa"].value))
    low, high = (
        max(wa * math.exp(side * half) - 1 + LEAST_COPIES, LEAST_LEFT) / (wa - 1 + LEAST_COPIES)
        for side, half in zip((-1, 1), halves, strict=True)
    )
    return Assumption(
        quantity="wa_error_ratio", typical=1.0, low=low, high=high, ground=ground, basis=basis,
        is_model=error is not None, is_measured=error is None,
        families=0 if error is None else error.families, acts_on=ACTS_ON,
    )  # fmt: skip
