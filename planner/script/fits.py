"""`fit` for scripts: a plan whose drive is fitted to fio tests of it."""

from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Unpack

from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.graph.number import Number
from planner.script.files import read
from planner.script.plans import Plan, plan
from planner.script.typed_inputs import PlanInputs
from planner.simulation.fit import Fit
from planner.simulation.fit import fit as _fit
from planner.telemetry.fio import FioTest

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class FittedPlan:
    """A plan with facts fitted to fio tests, and how far off each measured point is.

    `plan` is the plan with the fitted drive, `record` the fit as used inside the planner.
    """

    plan: Plan
    record: Fit

    @property
    def facts(self) -> "pd.DataFrame":
        """The fitted facts, before and after, in the units that they print."""
        import pandas as pd  # noqa: PLC0415 - few questions need it

        rows = [
            {"before": _in_unit(each.quantity, each.before), "after": _in_unit(each.quantity,
             each.after), "unit": Number(0.0, each.quantity).unit, "from": each.origin}
            for each in self.record.facts
        ]  # fmt: skip
        names = [each.quantity for each in self.record.facts]
        return pd.DataFrame(rows, index=pd.Index(names, name="fact"))

    @property
    def notes(self) -> tuple[str, ...]:
        """Parts of the tests that were not used, with reasons."""
        return self.record.notes

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per measured point, with the predictions before and after the fit.

        `error_before` and `error_after` are relative errors; a fitted point is no test.
        """
        import pandas as pd  # noqa: PLC0415 - few questions need it

        points = self.record.points
        rows = [
            {
                "measured": _in_unit(point.quantity, point.measured),
                "before": _in_unit(point.quantity, point.before),
                "after": _in_unit(point.quantity, point.after),
                "unit": Number(0.0, point.quantity).unit,
                "error_before": point.residual_before, "error_after": point.residual_after,
                "is_fitted": point.is_fitted,
            }
            for point in points
        ]  # fmt: skip
        return pd.DataFrame(rows, index=pd.Index([point.name for point in points], name="point"))


def fit(
    drive: Drive | str, /, *files: str | PathLike[str], **inputs: Unpack[PlanInputs]
) -> FittedPlan:
    """Fit a drive to fio tests of it, and plan it with the fitted facts.

    `files` are fio's JSON or logs; `inputs` are those of a plan.
    """
    of_plan = plan(drive, **inputs)
    tests = []
    for record in read(*files).records:
        if not isinstance(record.workload, FioTest):
            raise DomainError(f"files must be fio tests, got {record.file}: {record.kind}")
        tests.append(record.workload)
    reading = of_plan.record
    found = _fit(
        reading.drive, tests, reading.workload, partition_fraction=reading.partition_fraction,
        firmware=reading.firmware,
    )  # fmt: skip
    return FittedPlan(replace(of_plan, record=reading.again(drive=found.drive)), found)


def _in_unit(quantity: str, value: float | None) -> float | None:
    return None if value is None else float(Number(value, quantity))
