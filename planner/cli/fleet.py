"""`fleet`: when each drive of a fleet is worn out, from folders of files of any kind."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from glob import glob, has_magic
from pathlib import Path

import click
import numpy as np

from models.units import DAY_S
from planner.cli.parameters import AS_JSON, examples
from planner.cli.printing import print_json, print_list, print_table
from planner.cli.saving import save
from planner.cli.terminal import echo
from planner.export.fleet_files import home_assistant, prometheus, table
from planner.export.fleet_tables import fleet_record, model_rows, month_rows, retire_rows
from planner.export.telemetry_tables import moment
from planner.forecast.fleet import Fleet, fleet
from planner.forecast.fleet.cluster import executor_of
from planner.forecast.fleet.readings import Refusal
from planner.quantity.parse import quoted

__all__ = ["command"]

_FILE = click.Path(dir_okay=False, path_type=Path)
_SHOWN = 10  # refusals, and drives under "retire first"
_CHANCE = "Between: 5 % and 95 % of what chance makes of drives that end independently."

_LONE = (
    "their writes are the mean over power-on time, and their dates are as if never switched off; "
    "a second reading gives recent writes by the calendar."
)


@click.command(
    "fleet",
    epilog=examples(
        "ssd-planner fleet smart/", "ssd-planner fleet 'daily/*.parquet' inventory.csv --json"
    ),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--lead", "lead_days", type=click.FloatRange(0, 365), default=56, show_default=True,
              help="Days from an order of spare drives to their delivery.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS",
              help="Scheduler of a dask cluster for large tables: tcp://host:8786.")  # fmt: skip
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    type=_FILE,
    help="Write a row for each drive: .csv, .parquet, or .xlsx with sums by model.",
)
@click.option(
    "--prometheus",
    "exposition",
    metavar="FILE",
    type=_FILE,
    help="Write the text exposition, for the textfile collector of node_exporter.",
)
@click.option(
    "--mqtt",
    metavar="FILE",
    type=_FILE,
    help="Write messages of Home Assistant's MQTT discovery, as JSON by topic.",
)
@AS_JSON
def command(
    paths: tuple[str, ...], lead_days: float, scheduler: str | None, output: Path | None,
    exposition: Path | None, mqtt: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Forecast the end of the rated life of all drives in folders of files."""
    with nullcontext() if scheduler is None else executor_of(scheduler) as executor:
        answer = fleet(
            files_of(paths), lead_s=lead_days * DAY_S, now_s=time.time(), executor=executor
        )
    if not answer.histories.drives:
        raise click.UsageError(_nothing(answer))
    files = {
        "--output": {} if output is None else {output: table(answer, output)},
        "--prometheus": {} if exposition is None else {exposition: prometheus(answer)},
        "--mqtt": {} if mqtt is None else {mqtt: home_assistant(answer)},
    }
    if any(files.values()):
        save(files)
    if as_json:
        print_json(fleet_record(answer))
    else:
        _print(answer)


def files_of(paths: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files of folders, patterns and names, each once."""
    seen: set[Path] = set()
    for path in paths:
        # Path.glob takes no absolute patterns
        matches = sorted(glob(path, recursive=True)) if has_magic(path) else [path]  # noqa: PTH207
        for one in map(Path, matches or [path]):
            inside = sorted(one.rglob("*")) if _is_folder(one) else [one]
            for file in inside:
                if file not in seen and not _is_folder(file) and not file.name.startswith("."):
                    seen.add(file)
                    yield file


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long is none; reading it says why
        return False


def _nothing(answer: Fleet) -> str:
    if not answer.refused:
        return "PATH... must name files of drives, got folders without files"
    first = answer.refused[0]
    others = len(answer.refused) - 1
    more = f", and {others} more refusals" if others else ""
    return f"no drive could be read: {quoted(first.file)}: {first.reason}{more}"


def _print(answer: Fleet) -> None:
    drives = len(answer.histories.drives)
    labels = Counter(label.partition(",")[0] for label in answer.dates.label.tolist())
    said = ", ".join(f"{number:,} {label}" for label, number in labels.most_common())
    files = _number(answer.read, "file")
    echo(f"{_number(drives, 'drive')} in {files}, newest {moment(answer.now_s)}", bold=True)
    echo(f"Dates: {said}\n")
    print_table(model_rows(answer))
    if answer.growth is not None:
        growth = answer.growth
        echo(
            f"\nGrowth of the writes {100 * growth.per_year:+.3g} % a year "
            f"({100 * growth.low:+.3g} to {100 * growth.high:+.3g} %), from {growth.weeks} weeks "
            f"of {_number(growth.drives, 'drive')}"
        )
    echo()
    print_table(month_rows(answer))
    by_power_on = int(np.sum(answer.dates.by_power_on & np.isfinite(answer.dates.early_s)))
    lone = [f"{_number(by_power_on, 'drive')} with one reading: {_LONE}"] if by_power_on else []
    print_list("Notes", [_CHANCE, *lone])
    print_list(
        f"Spares for a lead time of {answer.lead_s / DAY_S:g} days",
        [f"{one.model}: {one.spares:,}" for one in answer.spares if one.spares],
    )
    echo("\nRetire first")
    print_table(retire_rows(answer, _SHOWN))
    _print_wrong(answer)


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _print_wrong(answer: Fleet) -> None:
    """Print what was mended, and what was not used."""
    kinds: Counter[tuple[str, str]] = Counter()
    for anomalies in answer.histories.anomalies.values():
        kinds.update((one.kind, one.done) for one in anomalies)
    lines = [
        f"{kind}: {_number(number, 'drive')}; {done}"
        for (kind, done), number in kinds.most_common()
    ]
    print_list("Mended readings", lines)
    print_list("Not used", [_sentence(one) for one in answer.refused[:_SHOWN]])
    more = len(answer.refused) - _SHOWN
    if more > 0:
        echo(f"... and {more:,} more; --json lists all")


def _sentence(refusal: Refusal) -> str:
    return f"{refusal.file}: {refusal.reason}"
