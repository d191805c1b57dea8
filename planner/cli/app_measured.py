"""`app --measured`: a system's counts of an application beside the results of its formulas."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from planner.application import Application, MeasuredComparison, beside
from planner.cli.printing import print_table
from planner.cli.terminal import echo
from planner.quantity import door
from planner.quantity.input import ABOVE_0, Input, time
from planner.telemetry.application_counters import read_counters
from planner.telemetry.limits import MOST_BYTES
from planner.telemetry.record import Refused

MEASURED = click.option(
    "--measured", "files", multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What the system counted: two readings of /proc/PID/io, io.stat of a cgroup, pg_stat_wal "
    "or pg_stat_io, or one of RocksDB's statistics, zpool iostat -p or iostat -o JSON.",
)  # fmt: skip
OVER = Input("over", "over_s", time, None, ABOVE_0, "Time between the two readings of --measured.",
             "10 minutes", unit="s", title="Time between readings")  # fmt: skip


def comparisons(
    answer: Application, files: Sequence[Path], over_s: float | None
) -> tuple[MeasuredComparison, ...]:
    """Compare the counters of files with the model."""
    if not files:
        if over_s is not None:
            raise click.UsageError("--over applies to the two readings of --measured")
        return ()
    try:
        readings = [read_counters(door.content(path, MOST_BYTES)) for path in files]
        counted = readings[0] if len(readings) == 1 else readings[1].since(readings[0])
    except (Refused, door.DoorError) as error:
        raise click.UsageError(f"--measured: {error}") from None
    if len(readings) > 2 or not (counted.is_whole or counted.is_rate):
        raise click.UsageError(f"--measured must be two readings of {counted.kind}, one after the "
                               f"other, got {len(readings)}")  # fmt: skip
    return beside(answer, counted.values, 1.0 if counted.is_rate else over_s)


def comparison_records(rows: Sequence[MeasuredComparison]) -> dict[str, Any]:
    """Return the rows as they are written in JSON, if there are any."""
    records = [
        {
            "quantity": row.quantity,
            "counted": row.counted,
            "model": row.model._asdict(),
            "ratio": row.ratio,
        }
        for row in rows
    ]
    return {"measured": records} if records else {}


def print_comparisons(rows: Sequence[MeasuredComparison]) -> None:
    """Print the counted values beside the model, if there are any."""
    if rows:
        echo()
    print_table(
        [
            {
                "Counted": row.quantity,
                "By the system": f"{row.counted:,.4g}",
                "By the model": f"{row.model.typical:,.4g}",
                "Low": f"{row.model.low:,.4g}",
                "High": f"{row.model.high:,.4g}",
                "Counted over model": "" if row.ratio is None else f"{row.ratio:.3g}",
            }
            for row in rows
        ]
    )
