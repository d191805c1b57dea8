"""What of a scenario is not known exactly: assumed facts, stated ranges, points measured."""

import numpy as np

from planner.catalogue.drive import Drive
from planner.catalogue.priors import Assumption, accepted_assumptions, field_copying
from planner.graph.answer import Answer
from planner.scenario.workload import Workload
from planner.sections.calibration import curve_ranges
from planner.sections.used import wear_points


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
