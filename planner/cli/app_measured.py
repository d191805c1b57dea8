"""`app --measured`: counters of an application beside its model, and the model fitted to them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from models.errors import DomainError
from planner.cli.printing import print_list, print_table, print_wrapped
from planner.cli.scenario_file import given, scenario_bytes
from planner.cli.terminal import echo
from planner.quantity.bounds import ABOVE_0
from planner.quantity.input import Input, time
from planner.quantity.parse import quoted

if TYPE_CHECKING:
    from planner.application import Application
    from planner.search.counters import MeasuredApp

MEASURED = click.option(
    "--measured", "files", multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Two readings of counters, in one file or two: views of PostgreSQL, SHOW GLOBAL STATUS, "
    "db.serverStatus(), metrics of etcd, /proc/PID/io, /proc/diskstats, SMART.",
)  # fmt: skip
DEVICE = click.option("--device", metavar="NAME",
                      help="The drive in --measured, where several were written to.")  # fmt: skip
SAVE = click.option(
    "--save", "path", type=click.Path(dir_okay=False, path_type=Path),
    help="Scenario file to write, with these inputs and those fitted to --measured.",
)  # fmt: skip
OVER = Input("over", "over_s", time, None, ABOVE_0, "Time between the two readings of --measured.",
             "10 minutes", unit="s", title="Time between readings")  # fmt: skip


def fit_to(
    answer: "Application", files: Sequence[Path], over_s: float | None, device: str | None
) -> "MeasuredApp | None":
    """Return the application fitted to the counters of files; None without files."""
    if not files:
        for option, value in (("--over", over_s), ("--device", device)):
            if value is not None:
                raise click.UsageError(f"{option} applies to the two readings of --measured")
        return None
    from planner.search.counters import measured  # noqa: PLC0415 - few commands need it

    try:
        contents = [_content(path) for path in files]
        names = [path.name for path in files]
        return measured(answer, contents, names=names, over_s=over_s, device=device)
    except DomainError as error:
        raise click.UsageError(f"--measured: {error}") from None


def _content(path: Path) -> bytes:
    from planner.quantity import door  # noqa: PLC0415 - few commands read counters
    from planner.telemetry.limits import MOST_BYTES  # noqa: PLC0415 - likewise

    try:
        return door.content(path, MOST_BYTES)
    except door.DoorError as error:
        raise click.UsageError(f"--measured: {quoted(str(path))} {error}") from None


def save_application(
    context: click.Context, path: Path, answer: "Application", names: set[str]
) -> None:
    """Write the options of a command and the inputs of its application as a scenario file."""
    from planner.cli.saving import save  # noqa: PLC0415 - few save

    options = given(context, names)
    apps = answer.apps[0] if len(answer.apps) == 1 else answer.apps
    options |= {"app": apps, "in": [f"{name}={text}" for name, text in answer.texts.items()]}
    options |= {"on": answer.on} if answer.on else {}
    save({"--save": {path: scenario_bytes(options)}})


def measured_record(found: "MeasuredApp | None") -> dict[str, Any]:
    """Return the counters and the fitted inputs as they are written in JSON, if there are any."""
    if found is None:
        return {}
    application = found.fit.application
    rows = [
        {
            "quantity": row.quantity,
            "counted": row.counted,
            "model": row.model._asdict(),
            "ratio": row.ratio,
            "fitted": row.fitted._asdict(),
            "fitted_ratio": row.fitted_ratio,
        }
        for row in found.rows
    ]
    ends = ("low", "typical", "high")
    fitted = {
        name: {"text": application.texts[name]}
        | dict(zip(ends, application.input_figure(name), strict=True))
        for name in found.fit.inputs
    }
    return {"measured": rows, "fitted": fitted}


def print_measured(found: "MeasuredApp | None") -> None:
    """Print the counters beside the model before and after the fit, and the fitted inputs."""
    if found is None:
        return
    echo()
    print_table([
        {
            "Counter": row.quantity,
            "Counted": f"{row.counted:,.4g}",
            "Model before": f"{row.model.typical:,.4g}",
            "Ratio before": _ratio(row.ratio),
            "Model fitted": f"{row.fitted.typical:,.4g}",
            "Ratio fitted": _ratio(row.fitted_ratio),
        }
        for row in found.rows
    ])  # fmt: skip
    texts = found.fit.application.texts
    fitted = ", ".join(f"{name}={texts[name]}" for name in found.fit.inputs)
    print_wrapped(f"Fitted: {fitted or 'nothing'}.")
    print_list("Notes on the counters", found.fit.notes)


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
