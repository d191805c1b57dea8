"""`forecast`: the end of the rated life of a drive in use."""

import click

from planner.catalogue import find, load
from planner.cli.files import FILES, KIND, read_file
from planner.cli.parameters import ALL, AS_JSON, examples, why_option
from planner.cli.printing import print_json, print_list, print_table, print_wrapped
from planner.cli.terminal import echo
from planner.export.forecast_screen import forecast_lines
from planner.export.forecast_why import TOPICS, forecast_why, topic_of
from planner.export.telemetry_tables import cycles_line, forecast_record, forecast_rows, left_rows
from planner.forecast import Forecast, NoForecast, forecast
from planner.quantity.parse import parse_day, quoted
from planner.quantity.show import writes_text
from planner.quantity.untrusted import one_line


@click.command(
    "forecast",
    epilog=examples(
        "ssd-planner forecast january.json june.json",
        "ssd-planner forecast history.csv --json",
        "ssd-planner forecast smart.json --since 2022-05-01 --why lasts",
    ),
)
@FILES
@KIND
@click.option("--drive", help="Drive whose ratings to use if the model is not in the catalogue.")
@click.option("--since", help="Day on which the drive was put into service: 2022-05-01.")
@why_option(f"{', '.join(TOPICS)} or a key of JSON")
@ALL
@AS_JSON
def command(
    files: tuple[str, ...], kind: str | None, drive: str | None, since: str | None,
    asked: tuple[str, ...], is_all: bool, as_json: bool,
) -> None:  # fmt: skip
    """Forecast the end of a drive's rated life from one or several of its readings."""
    readings = [read_file(name, kind) for name in files]
    if refused := [reading.refused for reading in readings if reading.refused is not None]:
        raise click.UsageError("; ".join(refused))
    try:
        answer = forecast(
            [one for reading in readings for one in reading.drives],
            drive=None if drive is None else find(load(), drive),
            in_service_s=None if since is None else parse_day("--since", since),
        )
    except NoForecast as reason:
        raise click.UsageError(f"no forecast: {reason}") from None
    if asked:
        _print_why(answer, asked)
    elif as_json:
        print_json(forecast_record(answer))
    elif is_all:
        _print_all(answer)
    else:
        heading, *lines = forecast_lines(answer)
        print_wrapped(heading, bold=True)
        for line in lines:
            print_wrapped(line)


def _print_why(answer: Forecast, asked: tuple[str, ...]) -> None:
    """Print the evidence of sentences and numbers, and what would narrow them."""
    for name in asked:
        topic = topic_of(name)
        if topic is None:
            keys = ", ".join(key for each in TOPICS.values() for key in each)
            known = f"{', '.join(TOPICS)} or a number of this forecast: {keys}"
            raise click.UsageError(f"--why must be {known}, got {quoted(name)}")
        for line in forecast_why(answer, topic):
            print_wrapped(line, indent=2 + len(line) - len(line.lstrip()))


def _print_all(answer: Forecast) -> None:
    echo(one_line(answer.model or "A drive of unknown model"), bold=True)
    clock = "power-on time" if answer.clock == "power-on" else "calendar time"
    wa = "" if answer.wa is None else f", write amplification {answer.wa:.3g}"
    echo(f"From {_basis(answer)}, at {_rate(answer)} over {clock}{wa}\n")
    print_table(forecast_rows(answer))
    if answer.left:
        echo()
        print_table(left_rows(answer))
    if cycles := cycles_line(answer):
        echo(f"\n{cycles}")
    print_list("Contradictions", answer.disagreements)
    print_list("What would improve the forecast", answer.better)
    print_list("Notes", answer.notes)


def _rate(answer: Forecast) -> str:
    if answer.left:
        return f"{writes_text(answer.host_bytes_per_s)} of host writes"
    return f"{answer.points_per_year or 0.0:.3g} points of wear a year"


def _basis(answer: Forecast) -> str:
    return "one reading" if answer.readings == 1 else f"a series of {answer.readings} readings"
