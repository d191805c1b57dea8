"""`fit` and `fit_app` for scripts: a drive fitted to fio tests, an application to its counters."""

from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from models.errors import DomainError
from planner.application import answer_of
from planner.catalogue.drive import Drive
from planner.graph.number import Number
from planner.quantity import door
from planner.quantity.parse import parse_duration
from planner.script.files import read
from planner.script.inputs import app_texts
from planner.script.loads import answers_of
from planner.script.plans import Plan, plan
from planner.script.questions import Answers
from planner.script.typed_inputs import PlanInputs
from planner.search.counters import MeasuredApp, measured
from planner.simulation.fit import Fit
from planner.simulation.fit import fit as _fit
from planner.telemetry.fio import FioTest
from planner.telemetry.limits import MOST_BYTES

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


@dataclass(frozen=True, eq=False)
class FittedApp:
    """An application with inputs fitted to its counters, and each counter beside the model.

    `app` are its writes after the fit, `app_inputs` all inputs now stated, as `plan` takes them,
    `record` the fit as used inside the planner.
    """

    app: Answers
    record: MeasuredApp

    @property
    def app_inputs(self) -> dict[str, str]:
        """The stated inputs and those fitted, as texts."""
        return dict(self.record.fit.application.texts)

    @property
    def fitted(self) -> tuple[str, ...]:
        """Names of the inputs that the counters decided."""
        return self.record.fit.inputs

    @property
    def notes(self) -> tuple[str, ...]:
        """Limits of these counters."""
        return self.record.fit.notes

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per counter: counted, by the model before the fit and after it."""
        import pandas as pd  # noqa: PLC0415 - few questions need it

        rows = [
            {"counted": row.counted, "before": row.model.typical, "after": row.fitted.typical,
             "ratio_before": row.ratio, "ratio_after": row.fitted_ratio}
            for row in self.record.rows
        ]  # fmt: skip
        names = [row.quantity for row in self.record.rows]
        return pd.DataFrame(rows, index=pd.Index(names, name="counter"))


def fit_app(
    preset: str, /, *files: str | PathLike[str], over: str | None = None,
    device: str | None = None, **inputs: Any,
) -> FittedApp:  # fmt: skip
    """Fit an application to counters of it: two readings, in one file or two.

    `over` is the time between them, such as "10 minutes", where the files do not say it; `device`
    names the drive where several were written to. `inputs` are those of the preset.

    >>> fit_app("postgres-oltp")
    Traceback (most recent call last):
    models.errors.DomainError: files must name at least one file of counters, got none
    """
    if not files:
        raise DomainError("files must name at least one file of counters, got none")
    over_s = None if over is None else parse_duration("over", over)
    try:
        contents = [door.content(file, MOST_BYTES) for file in files]
    except door.DoorError as error:
        raise DomainError(f"files {error}") from None
    except OSError as error:
        raise DomainError(f"files: {error.filename} cannot be read: {error.strerror}") from None
    answer = answer_of(preset, app_texts(inputs))
    names = [Path(file).name for file in files]
    found = measured(answer, contents, names=names, over_s=over_s, device=device)
    return FittedApp(answers_of(found.fit.application), found)


def _in_unit(quantity: str, value: float | None) -> float | None:
    return None if value is None else float(Number(value, quantity))
