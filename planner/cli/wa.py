"""`wa`: the write amplification of a block trace on a drive."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from models.units import KIB, MB, MIB
from planner.cli.options import options, plans
from planner.cli.parameters import AS_JSON, ONE_DRIVE, examples
from planner.cli.printing import print_json, print_list, print_table, progress
from planner.cli.terminal import echo
from planner.quantity import door
from planner.quantity.spare import spare_text
from planner.quantity.untrusted import one_line
from planner.sections.plan import PlanReading

if TYPE_CHECKING:
    from planner.simulation.trace_wa import TraceWa
    from planner.telemetry.traces import TraceWorkload

OPTIONS = [
    click.option("--trace", "path", required=True, metavar="FILE",
                 type=click.Path(dir_okay=False, path_type=Path),
                 help="Block trace, plain or compressed by gzip, xz or zstd."),
    click.option("--format", "layout", help="Format of the trace, by default detected: msr, "
                 "alibaba, tencent, fio, blkparse, mqsim, spc or csv."),
    click.option("--mapping-unit", help="Indirection unit; by default that of the drive, else "
                 "4KiB."),
    click.option("--simulate", "with_replay", is_flag=True,
                 help="Also replay the trace in the page simulator."),
]  # fmt: skip


def _trace_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of the trace and of the drive."""
    command = options(
        "capacity",
        "raw",
        "spare",
        "fill",
        "collection",
        "pages",
        "blocks",
        "reserve",
        "fact",
        "known_only",
    )(command)
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command(
    "wa",
    epilog=examples(
        'ssd-planner wa --trace trace.csv.gz --drive "845DC PRO 400"',
        'ssd-planner wa --trace trace.csv --drive "840 EVO 250" --simulate --json',
    ),
)
@ONE_DRIVE
@_trace_options
@AS_JSON
def command(names: tuple[str, ...], as_json: bool, **texts: Any) -> None:
    """Compute the write amplification of a block trace on a drive, by model and by replay."""
    from planner.simulation.trace_wa import MAPPING_UNIT, trace_drive, trace_wa  # noqa: PLC0415
    from planner.telemetry.record import FileReading, Refused, as_record  # noqa: PLC0415 - traces load pyarrow
    from planner.telemetry.traces import trace_file  # noqa: PLC0415

    path, unit = texts["path"], texts["mapping_unit"]
    answer = _plan(names, texts)
    drive = trace_drive(answer, None if unit is None else MAPPING_UNIT.value(unit))
    try:
        with progress(length=path.stat().st_size, label="Reading") as bar:
            found = trace_file(
                path,
                layout=texts["layout"],
                page_bytes=drive.unit_bytes,
                progress=lambda at: bar.update(at - bar.pos),
            )
    except Refused as refused:
        raise click.UsageError(f"{path.name}: {refused}") from None
    except door.DoorError as error:
        raise click.UsageError(f"--trace '{path}' {error}") from None
    except OSError as error:
        raise click.UsageError(f"--trace '{path}' cannot be read: {error.strerror}") from None
    with progress(length=1000, label="Replaying") as bar:
        try:
            got = trace_wa(
                found.workload,
                found.writes,
                op_ratio=drive.op_ratio,
                pages_per_block=drive.pages_per_block,
                policy=drive.policy,
                simulate=texts["with_replay"],
                progress=lambda done: bar.update(round(1000 * done) - bar.pos),
            )
        except KeyboardInterrupt:
            raise click.Abort from None
    if as_json:
        reading = as_record(FileReading(file=path.name, workload=found.workload))
        print_json({
            "file": path.name,
            "drive": answer.drive.name,
            "workload": reading["workload"],
            "write_amplification": asdict(got),
        })  # fmt: skip
        return
    _print_workload(path.name, found.workload)
    _print_wa(answer, got)
    print_list("Notes", got.notes)


def _plan(names: tuple[str, ...], texts: dict[str, Any]) -> PlanReading:
    """Return the plan of the drive; refuse one whose flash is not known."""
    if len(names) + bool(texts["capacity"]) != 1:
        raise click.UsageError("--drive must name one drive, or --capacity describe one")
    from planner.simulation.trace_wa import spare_of  # noqa: PLC0415 - traces load pyarrow

    (plan,) = plans(names, texts)
    if not spare_of(plan).is_known:
        raise click.UsageError(
            f"{plan.drive.name}: raw flash is not in the catalogue; give --raw 512GiB, or leave "
            "out --known-only"
        )
    return plan


def _print_workload(name: str, found: "TraceWorkload") -> None:
    echo(one_line(f"{name}: {found.layout}"), bold=True)
    span = "" if found.span_s is None else f" in {_time(found.span_s)}"
    echo(
        f"{found.requests:,} requests{span}, read at {found.lines_per_s / 1e6:.2f} million lines/s"
    )
    rows = [
        ("Host writes", _bytes(found.host_bytes)),
        ("Footprint, touched and written",
         f"{_bytes(found.footprint_bytes)}, {_bytes(found.written_footprint_bytes)}"),
        ("Writes per written page", f"{found.overwrites:.3g}"),
        ("Pages written once", f"{100 * found.written_once_fraction:.3g} %"),
        ("Reads", f"{100 * found.read_fraction:.3g} % of requests"),
        ("Size of writes, of reads",
         f"{found.write_bytes / KIB:.3g} KiB, {found.read_bytes / KIB:.3g} KiB"),
        ("Sequential", f"{100 * found.sequential_fraction:.3g} % of written bytes"),
        ("TRIM", f"{100 * found.trim_share:.3g} % of writes and trims"),
    ]  # fmt: skip
    if found.host_bytes_per_s is not None:
        rows.append(("Mean rate of writes", f"{found.host_bytes_per_s / MB:.3g} MB/s"))
    for name_, peak in (("minute", found.minute), ("day", found.day)):
        if peak is not None and peak.periods > 1:
            rows.append((f"Busy {name_} (99 %) over mean", f"{peak.p99_over_mean:.3g}"))
    if found.rewrite_interval_bytes:
        half = found.rewrite_interval_bytes[1]
        rows.append(("Written between rewrites, median", _bytes(half)))
    for label, value in rows:
        echo(f"  {label:<34}{value:>24}")


def _print_wa(plan: PlanReading, got: "TraceWa") -> None:
    echo(f"\nWrite amplification on {plan.drive.name}, {spare_text(got.op_ratio)}")
    model = got.predicted
    table = [
        ("the trace, repeated", f"{model.wa:.4g}"),
        ("same write rates, random order", f"{got.lasting_wa:.4g}"),
        ("with separate frontiers for GC writes", f"{got.host_gc_wa:.4g}"),
        ("with a frontier for every temperature", f"{got.apart_wa:.4g}"),
        ("factor of partial-unit writes", f"{got.mapping_factor:.4g}"),
        ("flash bytes per host byte, repeated", f"{got.mapping_factor * model.wa:.4g}"),
    ]
    for label, value in table:
        echo(f"  {label:<38}{value:>10}")
    played = got.replayed
    if played is None:
        return
    echo(f"\nReplay: {played.pages:,} pages in {played.blocks} blocks of {played.pages_per_block}")
    print_table([
        {
            "By model": f"{played.model.wa:.4f}",
            "By replay": f"{played.wa:.4f} ({played.wa_low:.4f} to {played.wa_high:.4f})",
            "Model over replay": f"{100 * played.error:+.2f} %",
        }
    ])  # fmt: skip
    for warning in played.warnings:
        echo(f"warning: {warning}", err=True)


def _bytes(size: float) -> str:
    for unit, name in ((1e12, "TB"), (1e9, "GB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size / MIB:.3g} MiB"


def _time(seconds: float) -> str:
    for unit, name in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds:.3g} s"
