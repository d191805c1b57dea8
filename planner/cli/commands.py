"""The commands, and how a complaint reaches the user."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from models.nomenclature import QUANTITIES
from models.simulator import Cancelled
from planner import __version__
from planner.catalogue import load, search
from planner.catalogue.drive import Drive
from planner.cli.array import answers, array_options, print_array
from planner.cli.choose import choose_command
from planner.cli.cost import cost
from planner.cli.fio import (
    DEVICE_OPTION,
    MEASURED,
    SAVE_FIT,
    fit_record,
    fitted,
    job_file,
    print_fit,
    save_fit,
)
from planner.cli.options import OPTION_OF, optional, plans, scenario
from planner.cli.printing import as_json, print_json, print_plan, print_table
from planner.cli.simulation import simulate, simulation_options, validate
from planner.cli.size import size
from planner.cli.speed import beside, memory_cache, print_speed, trim_recovery
from planner.cli.telemetry import FILES, KIND, forecast_files, read_files
from planner.cli.trace import trace_options, wa_of_trace
from planner.cli.uncertainty import uncertainty_command
from planner.export.tables import array_record, comparison, record, rows, speed_record, to_csv
from planner.export.workbook.book import workbook
from planner.quantity.parse import parse_bytes
from planner.quantity.show import complaint, text
from planner.scenario import client_workloads
from planner.search.curves import speed_of
from validation.command import validate_arrays, validate_speed
from validation.speed import TOPICS

__all__ = ["cli", "main"]

AS_JSON = click.option("--json", "as_json", is_flag=True, help="For machines, in base units.")
DRIVES = click.option(
    "--drive", "names", multiple=True, help='A drive by name, such as "845DC PRO 400".'
)


def examples(*lines: str) -> str:
    """Return lines as an epilog that click does not wrap."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "ssd-planner drives 845dc",
        'ssd-planner plan --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5',
    ),
)
@click.version_option(__version__, message="%(version)s")
def cli() -> None:
    """Plan capacity and endurance of SSDs."""


@cli.command(epilog=examples("ssd-planner drives 845dc --min-capacity 400GB"))
@click.argument("words", nargs=-1)
@click.option("--vendor")
@click.option("--interface", help="Part of it: SATA, SAS, NVMe.")
@click.option("--nand", help="SLC, MLC, TLC, QLC.")
@click.option("--segment", help="client, enterprise ...")
@click.option("--min-capacity", help="At least: 960GB.")
@click.option("--max-capacity", help="At most: 4TB.")
@AS_JSON
def drives(
    words: tuple[str, ...],
    vendor: str | None,
    interface: str | None,
    nand: str | None,
    segment: str | None,
    min_capacity: str | None,
    max_capacity: str | None,
    as_json: bool,
) -> None:
    """List drives of the catalogue."""
    catalogue = load()
    found = search(
        catalogue,
        " ".join(words),
        vendor=vendor,
        interface=interface,
        nand_type=nand,
        segment=segment,
        min_bytes=optional(parse_bytes, "--min-capacity", min_capacity),
        max_bytes=optional(parse_bytes, "--max-capacity", max_capacity),
    )
    if as_json:
        print_json([_drive_record(drive) for drive in found])
        return
    shown = ("user_bytes", "raw_bytes", "rated_bytes", "rated_dwpd", "pe_cycles", "price_usd")
    table = [
        {"Drive": drive.name, "Interface": drive.interface, "NAND": drive.nand_type}
        | {QUANTITIES[name].label: _fact_text(drive, name) for name in shown[1:]}
        for drive in found
    ]
    print_table(table)
    click.echo(f"{len(found)} of {len(catalogue.drives)} drives")
    for problem in catalogue.problems:
        click.echo(problem, err=True)


@cli.command(epilog=examples("ssd-planner workloads --json"))
@AS_JSON
def workloads(as_json: bool) -> None:
    """List client workloads that reviews publish, for --client."""
    known = client_workloads.load().workloads.values()
    if as_json:
        print_json([
            {name: getattr(item, name) for name in ("workload_id", "name", "kind", "description")}
            | {"facts": [asdict(fact) for fact in item.facts.values()]}
            for item in known
        ])  # fmt: skip
        return
    print_table([
        {"Name": item.workload_id, "Kind": item.kind, "What": item.description} for item in known
    ])  # fmt: skip


@cli.command(
    "plan",
    epilog=examples(
        'ssd-planner plan --drive "840 EVO 250" --writes "50 GiB/day"',
        'ssd-planner plan --drive "845DC PRO 400" --writes 4TB/day --drives 12 --raid 5',
        "ssd-planner plan --capacity 1.92TB --raw 2048GiB --pe-cycles 3000 --writes 1DWPD",
    ),
)
@DRIVES
@scenario
@click.option("--maths", "with_maths", is_flag=True, help="Show every formula with its numbers.")
@AS_JSON
def plan_command(names: tuple[str, ...], with_maths: bool, as_json: bool, **options: Any) -> None:
    """Plan one drive or an array of it."""
    if len(names) + bool(options["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here; use compare or export for more")
    (answer,) = plans(names, options)
    if as_json:
        print_json(record(answer, load()))
    else:
        print_plan(answer, with_maths=with_maths)


@cli.command(
    "speed",
    epilog=examples(
        'ssd-planner speed --drive "845DC PRO 400"',
        'ssd-planner speed --drive "840 EVO 1000" --partition 75% --writes 5MB/s --json',
        'ssd-planner speed --drive "840 EVO 250" --trimmed 50% --host-cache 1GB',
        "ssd-planner speed --capacity 1.92TB --raw 2TiB --fact dies=64 --fact read_s=60us",
        'ssd-planner speed --drive "845DC PRO 400" --measured result.json --save mine.json',
    ),
)
@DRIVES
@scenario
@beside
@MEASURED
@SAVE_FIT
@click.option("--maths", "with_maths", is_flag=True, help="Show every formula with its numbers.")
@AS_JSON
def speed_command(
    names: tuple[str, ...],
    with_maths: bool,
    as_json: bool,
    trimmed: str | None,
    host_cache: str | None,
    measured: tuple[str, ...],
    save: Path | None,
    **options: Any,
) -> None:
    """Say how fast one drive is over time: fresh, at the cliff, settled, at worst."""
    if len(names) + bool(options["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here")
    if save is not None and not measured:
        raise click.UsageError("--save keeps what was fitted to --measured; give both")
    (known,) = plans(names, options)
    scene, fit = fitted(known, measured)
    if save is not None and fit is not None:
        save_fit(save, known, fit)
    answer = speed_of(scene)
    restored = trim_recovery(answer, trimmed)
    cached = memory_cache(
        answer, scene.workload, host_cache, options["flush"], options["crash_interval"]
    )
    if as_json:
        told = speed_record(answer, load(), recovery=restored, host_cache=cached)
        print_json(told if fit is None else told | {"fit": fit_record(fit)})
        return
    print_speed(answer, restored, cached, with_maths=with_maths)
    if fit is not None:
        print_fit(fit)


@cli.command(
    "fio-job",
    epilog=examples(
        'ssd-planner fio-job --drive "845DC PRO 400" --writes 50MB/s --read-share 70%',
        'ssd-planner fio-job --drive "840 EVO 250" --partition 75% -o measure.fio',
    ),
)
@DRIVES
@scenario
@DEVICE_OPTION
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path),
              help="File to write; the terminal without.")  # fmt: skip
def fio_job_command(
    names: tuple[str, ...], device: str, output: Path | None, **options: Any
) -> None:
    """Print the fio job that would measure what is predicted of one drive."""
    if len(names) + bool(options["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here")
    (scene,) = plans(names, options)
    job = job_file(scene, device)
    if output is None:
        click.echo(job)
        return
    try:
        output.write_text(job + "\n", encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"--output '{output}' cannot be written: {error.strerror}") from None
    click.echo(f"{output}")


@cli.command(
    "array",
    epilog=examples(
        "ssd-planner array --members 12 --level raid0 --member-iops 50000 --member-worst-iops 5000",
        'ssd-planner array --drive "845DC PRO 400" --members 8 --level raid6 --writes 60TB/day',
        "ssd-planner array --capacity 4TB --members 12 --level ec:8+3 --rebuild-hours 6 --json",
    ),
)
@DRIVES
@array_options
@click.option("--maths", "with_maths", is_flag=True, help="Show every formula with its numbers.")
@AS_JSON
def array_command(names: tuple[str, ...], with_maths: bool, as_json: bool, **options: Any) -> None:
    """Say how fast an array is, at worst too, and how likely it loses data."""
    if len(names) + bool(options["capacity"]) > 1:
        raise click.UsageError("--drive must be one drive here")
    told = answers(names, options)
    if as_json:
        print_json(array_record(*told))
    else:
        print_array(*told, with_maths=with_maths)


@cli.command(
    epilog=examples(
        'ssd-planner compare --drive "845DC PRO 400" --drive "DC S3700 400" --writes 1TB/day'
    )
)
@DRIVES
@scenario
@AS_JSON
def compare(names: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Lay drives side by side under one scenario."""
    answers = plans(names, options)
    if as_json:
        print_json([record(answer, load()) for answer in answers])
    else:
        print_table(comparison(answers))


@cli.command(
    epilog=examples('ssd-planner export --drive "860 PRO 4TB" --writes 100GiB/day -o plan.xlsx')
)
@DRIVES
@scenario
@click.option("--output", "-o", required=True, type=click.Path(dir_okay=False, path_type=Path),
              help="File to write: .xlsx (live formulas), .csv or .json.")  # fmt: skip
def export(names: tuple[str, ...], output: Path, **options: Any) -> None:
    """Write a plan as a workbook with live formulas, as CSV or as JSON."""
    answers = plans(names, options)
    writers: dict[str, Callable[[], bytes]] = {
        ".xlsx": lambda: workbook(answers, load()),
        ".csv": lambda: to_csv(
            [{"drive": a.drive.name} | asdict(row) for a in answers for row in rows(a, load())]
        ),
        ".json": lambda: as_json([record(answer, load()) for answer in answers]).encode(),
    }
    if output.suffix.lower() not in writers:
        raise click.UsageError(f"--output must end in .xlsx, .csv or .json, got '{output}'")
    try:
        output.write_bytes(writers[output.suffix.lower()]())
    except OSError as error:
        raise click.UsageError(f"--output '{output}' cannot be written: {error.strerror}") from None
    click.echo(f"{output}")


@cli.command(
    "read",
    epilog=examples(
        "ssd-planner read smart.json old/*.txt", "ssd-planner read smart.json --save scenario.json"
    ),
)
@FILES
@KIND
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path),
              help="Scenario to write, for plan --scenario.")  # fmt: skip
@AS_JSON
def read_command(
    files: tuple[str, ...], kind: str | None, save: Path | None, as_json: bool
) -> None:
    """Say what files of drives, tests and traces hold; nothing leaves this machine."""
    if not read_files(files, kind, save, as_json=as_json):
        raise click.exceptions.Exit(2)


@cli.command(
    "forecast",
    epilog=examples(
        "ssd-planner forecast january.json june.json",
        "ssd-planner forecast history.csv --json",
        "ssd-planner forecast smart.json --since 2022-05-01",
    ),
)
@FILES
@KIND
@click.option("--drive", help="Whose ratings hold, if the model is not in the catalogue.")
@click.option("--since", help="Day on which the drive was put to use: 2022-05-01.")
@AS_JSON
def forecast_command(
    files: tuple[str, ...], kind: str | None, drive: str | None, since: str | None, as_json: bool
) -> None:
    """Say when the rated life of one drive ends, from one reading of it or several."""
    forecast_files(files, kind, drive, since, as_json=as_json)


@cli.command(
    "wa",
    epilog=examples(
        'ssd-planner wa --trace trace.csv.gz --drive "845DC PRO 400"',
        'ssd-planner wa --trace trace.csv --drive "840 EVO 250" --simulate --json',
    ),
)
@DRIVES
@trace_options
@AS_JSON
def wa_command(names: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Say what write amplification a block trace has on a drive, by model and by replay."""
    wa_of_trace(names, as_json, **options)


@cli.command(
    "simulate",
    epilog=examples(
        "ssd-planner simulate --op 0.28 --pages-per-block 128 --workload zipf:0.99",
        "ssd-planner simulate --policy fifo --workload hotcold:0.2:0.8 --json",
    ),
)
@simulation_options
@AS_JSON
def simulate_command(as_json: bool, **options: Any) -> None:
    """Count write amplification page by page, without any formula."""
    simulate(as_json, **options)


@cli.command(
    "validate",
    epilog=examples(
        "ssd-planner validate --quick",
        "ssd-planner validate --what speed --topic stalls -o stalls.md",
        "ssd-planner validate --what arrays --quick -o arrays.md",
    ),
)
@click.option(
    "--what",
    type=click.Choice(["amplification", "speed", "arrays"]),
    default="amplification",
    show_default=True,
    help="Write amplification; IOPS, latencies, caches and TRIM; or arrays and data loss.",
)
@click.option(
    "--topic",
    "topics",
    multiple=True,
    type=click.Choice(list(TOPICS)),
    help="Of speed, what to compare; everything without.",
)
@click.option("--quick", is_flag=True, help="A part of the grid on small drives.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Report to write; without, docs/validation.md, -speed.md or -arrays.md.",
)
def validate_command(what: str, topics: tuple[str, ...], quick: bool, output: Path | None) -> None:
    """Compare formulas with the simulators and write the report."""
    if what == "speed":
        validate_speed(topics, quick, output or Path("docs/validation-speed.md"))
        return
    if topics:
        raise click.UsageError("--topic must come with --what speed")
    if what == "arrays":
        validate_arrays(quick, output or Path("docs/validation-arrays.md"))
        return
    validate(quick, output or Path("docs/validation.md"))  # fmt: skip


cli.add_command(choose_command)
cli.add_command(cost)
cli.add_command(size)
cli.add_command(uncertainty_command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; a complaint is one sentence on stderr and exit code 2."""
    try:
        code = cli.main(args=argv, prog_name="ssd-planner", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
    except click.ClickException as error:
        click.echo(f"Error: {error.format_message()}", err=True)
    except ValueError as error:
        click.echo(f"Error: {complaint(error, OPTION_OF)}", err=True)
    except (click.Abort, KeyboardInterrupt, Cancelled):
        click.echo("Stopped.", err=True)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    else:
        return code if isinstance(code, int) else 0
    return 2


def _fact_text(drive: Drive, name: str) -> str:
    value = drive.value(name)
    return "" if value is None else text(name, value)


def _drive_record(drive: Drive) -> dict[str, object]:
    identity = {
        name: getattr(drive, name)
        for name in ("drive_id", "name", "vendor", "model", "segment", "interface", "nand_type")
    }
    facts = {name: asdict(fact) for name, fact in drive.facts.items()}
    return identity | {"facts": facts}
