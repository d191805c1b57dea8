"""`wa` and `simulate` for scripts: write amplification of a trace, and of a simulated drive."""

from os import PathLike, fspath
from typing import Any

from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.graph.number import Number
from planner.quantity.door import DoorError
from planner.quantity.inputs import FACTS, PLAN
from planner.script.inputs import check_names, planned, texts_of, written_as
from planner.script.questions import Answers
from planner.sections.prices import PRICED

# Short names of the answers about a trace, by key.
OF_TRACE = {
    "repeated": "repeated_wa", "lasting": "lasting_wa", "host_gc": "host_gc_wa",
    "apart": "apart_wa", "partial": "mapping_factor", "replayed": "replayed_wa",
    "spare": "op_ratio",
}  # fmt: skip
OF_RUN = {"wa": "wa", "copies": "copies", "erases": "erased_blocks"}


def wa(
    trace: str | PathLike[str],
    drive: Drive | str | None = None,
    *,
    layout: str | None = None,
    mapping_unit: Any = None,
    simulate: bool = False,
    **inputs: Any,
) -> Answers:
    """Return the write amplification of a block trace on a drive: by model, and by replay.

    `layout` is the format of the trace, by default detected; `mapping_unit` the indirection unit,
    by default that of the drive; `simulate=True` also replays the trace in the page simulator.
    All other inputs are those of a plan. `record` has the workload and everything found.

    >>> found = wa("docs/examples/synthetic-trace.csv.gz", "845DC PRO 400")
    >>> found.repeated < found.lasting
    True
    """
    from planner.simulation.trace_wa import MAPPING_UNIT, trace_drive, trace_wa  # noqa: PLC0415
    from planner.telemetry import Refused  # noqa: PLC0415 - traces load pyarrow
    from planner.telemetry.traces import trace_file  # noqa: PLC0415

    plan = planned(drive, texts_of(inputs, (*PLAN, *FACTS, *PRICED), "a trace on a drive"))
    unit = (
        None if mapping_unit is None else MAPPING_UNIT.value(written_as(MAPPING_UNIT, mapping_unit))
    )
    on = trace_drive(plan, unit)
    name = fspath(trace)
    try:
        found = trace_file(name, layout=layout, page_bytes=on.unit_bytes)
    except (Refused, DoorError) as refused:
        raise DomainError(f"{name}: {refused}") from None
    got = trace_wa(
        found.workload, found.writes, op_ratio=on.op_ratio, pages_per_block=on.pages_per_block,
        policy=on.policy, simulate=simulate,
    )  # fmt: skip
    values: dict[str, Any] = {
        "repeated_wa": got.predicted.wa, "lasting_wa": got.lasting_wa,
        "host_gc_wa": got.host_gc_wa, "apart_wa": got.apart_wa,
        "mapping_factor": got.mapping_factor, "op_ratio": got.op_ratio,
    }  # fmt: skip
    numbers = {key: Number(value, key) for key, value in values.items()}
    levels = (got.predicted.low_wa, got.predicted.high_wa)
    numbers["repeated_wa"] = Number(got.predicted.wa, "repeated_wa", between=levels)
    if (played := got.replayed) is not None:
        ends = (played.wa_low, played.wa_high)
        numbers["replayed_wa"] = Number(played.wa, "replayed_wa", between=ends)
    title = f"Write amplification of {name} on {plan.drive.name}"
    return Answers(title, OF_TRACE, numbers, got.notes, (found.workload, got))


def simulate(**inputs: Any) -> Answers:
    """Simulate write amplification page by page, without formulas, as the command does.

    Inputs are the options of `simulate`: `op` for the spare area, `pages` per block, `blocks`,
    `collection`, `workload` and others. `wa` has the interval of the run; `record` is the result.

    >>> run = simulate(op=0.28, pages=32, blocks=256, warmup=4, measure=4)
    >>> run.wa.low < run.wa < run.wa.high
    True
    """
    from planner.simulation.page_run import ROWS, answers_of  # noqa: PLC0415 - loads numba

    rows = {row.name: row for row in ROWS}
    check_names(inputs, rows, "a simulation")
    found = answers_of({name: written_as(rows[name], each) for name, each in inputs.items()})
    numbers = {
        "wa": Number(found["wa"], "wa", between=(found["wa_low"], found["wa_high"])),
        "copies": Number(found["copies"], "copies"),
        "erased_blocks": Number(found["erases"], "erased_blocks"),
    }
    return Answers("Page simulator", OF_RUN, numbers, tuple(found["warnings"]), found)
