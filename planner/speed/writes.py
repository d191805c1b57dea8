"""Writes beside the workload: how long until the buffer has them, until they are safe, how even."""

from typing import NamedTuple

from models import array_speed, array_stalls, consistency, latency_tail, stalls
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.catalogue.priors_flash import generation_of
from planner.catalogue.priors_kind import cell_of, words_of
from planner.graph.answer import Answer, Record, figure, given, unknown
from planner.scenario.workload import Workload
from planner.sections.flash import Flash
from planner.speed.reads import levels
from planner.speed.units import offered_pages_per_s
from planner.speed.worst import latency_cv

BUFFERED = (
    "Writes take the time of the buffer until the flash cannot keep up or stalls: for the pause "
    "of the longest latency and the share of time that drives of the kind stall when saturated, "
    "less in proportion to the writes; at most the queue depth of writes waits for one stall. "
    "Of three measured drives two hold writes back as long at p99 already, one hardly ever."
)
COMMITS = "Every write is a commit; those that wait share the next flush."
PROTECTED = "With power-loss protection a flush is complete as soon as the buffer has the data."
TAKEN_AS_PROTECTED = (
    f"{PROTECTED} Assumed: an enterprise drive is protected where its data sheet is not known."
)
UNPROTECTED = (
    "Without power-loss protection, or where it is unknown of a client drive, a flush programs the "
    "data and then the map."
)
EVEN = (
    "Of the queue depth over the latency of each operation, in a saturated test: the stalls of the "
    "longest latency for the share of time that drives of the kind stall."
)
IN_STEP = "of the saturated test, in proportion to the writes"
CACHED_PROGRAM_S = 200e-6  # with one bit per cell: 150 to 300 us, assumed for flash of layers


class Saturated(NamedTuple):
    """What a saturated test says of a drive: steady rate, longest latency, the queue of these."""

    steady: Answer
    max_latency_s: Answer
    queue_depth: Answer


class CommitPath(NamedTuple):
    """What a commit waits for: the buffer, pages that a flush programs, and what holds it back."""

    write_latency_s: Answer
    program_s: Answer
    programs: Answer
    flush_s: Answer
    held_s: Answer


def write_quantiles_s(
    drive: Drive, workload: Workload, accepted_s: Answer, test: Saturated, depth: Answer
) -> Answer:
    """Return quantiles of the latency of buffered writes at the workload's own rate."""
    offered = _offered(drive, workload)
    if offered is None:
        return unknown(key="write_quantiles_s", lacking=())
    path = {"write_latency_s": accepted_s, "write_iops": test.steady}
    return figure(
        "write_quantiles_s",
        latency_tail.bounded_write_quantile_s,
        BUFFERED,
        quantile=levels(),
        offered_iops=offered,
        queue_depth=depth,
        path=Record(latency_tail.WritePath, path | _stalls(drive, offered, test)),
    )


def _stalls(drive: Drive, offered: Answer, test: Saturated) -> dict[str, Answer]:
    """Return stalls and the rate between them, where a test says how long and how often."""
    share = stated(drive, "member_stall_fraction")
    known = (share, test.steady, test.max_latency_s, test.queue_depth)
    if not all(answer.is_known for answer in known):
        return {}
    if test.max_latency_s.value <= test.queue_depth.value / test.steady.value:
        return {}  # no longer than the queue
    stall_s = figure(
        "stall_s", stalls.implied_pause_s,
        max_latency_s=test.max_latency_s, queue_depth=test.queue_depth, iops=test.steady,
    )  # fmt: skip
    load = min(1.0, offered.value / test.steady.value)
    stalled = given("write_stall_fraction", share.value * load, source="definition", note=IN_STEP)
    return {
        "stall_s": stall_s,
        "stall_interval_s": figure(
            "stall_interval_s", array_stalls.stall_interval_s,
            stall_s=stall_s, member_stall_fraction=stalled,
        ),
        "write_iops": figure(
            "unstalled_write_iops", array_stalls.stall_free_iops,
            iops=test.steady, member_stall_fraction=share,
        ),
    }  # fmt: skip


def commit_path(drive: Drive, accepted_s: Answer, written: Answer) -> CommitPath:
    """Return what a commit on the drive waits for."""
    note = _protection(drive)
    programs = given("flush_programs", 2.0 if note == UNPROTECTED else 0.0, source="definition")
    program_s = _flushed_program_s(drive)
    flush_s = figure(
        "flush_latency_s",
        latency_tail.flush_latency_s,
        note,
        write_latency_s=accepted_s,
        program_s=program_s,
        flush_programs=programs,
    )
    held_s = figure("held_s", array_speed.delay_s, latency_s=written, operation_s=accepted_s)
    return CommitPath(accepted_s, program_s, programs, flush_s, held_s)


def commit_quantiles_s(drive: Drive, workload: Workload, path: CommitPath) -> Answer:
    """Return quantiles of the latency of commits at the workload's own rate of writes."""
    offered = _offered(drive, workload)
    if offered is None:
        return unknown(key="commit_quantiles_s", lacking=())
    return figure(
        "commit_quantiles_s",
        latency_tail.commit_latency_s,
        COMMITS,
        quantile=levels(),
        commit_iops=offered,
        flush_s=path.flush_s,
        held_s=path.held_s,
    )


def second_sd_iops(
    drive: Drive, flash: Flash, depth: Answer, steady: Answer, max_latency_s: Answer
) -> Answer:
    """Return the standard deviation of the IOPS within a second of a saturated test."""
    return figure(
        "second_sd_iops",
        consistency.second_sd_iops,
        EVEN,
        queue_depth=depth,
        iops=steady,
        latency_cv=latency_cv(flash, depth),
        max_latency_s=max_latency_s,
        member_stall_fraction=stated(drive, "member_stall_fraction"),
    )


def _protection(drive: Drive) -> str:
    """Say whether the buffer of a drive survives a loss of power."""
    if drive.power_loss_protection == "yes":
        return PROTECTED
    is_unknown = not drive.power_loss_protection
    return TAKEN_AS_PROTECTED if is_unknown and "enterprise" in words_of(drive) else UNPROTECTED


def _flushed_program_s(drive: Drive) -> Answer:
    """Return the time of a program that a flush waits for: with one bit per cell on client TLC."""
    if cell_of(drive) in ("TLC", "QLC") and "enterprise" not in words_of(drive):
        note = "written with one bit per cell first"
        return given("flush_program_s", CACHED_PROGRAM_S, source="assumption", note=note)
    generation = generation_of(drive)
    return given(
        "flush_program_s", generation.one_shot_s[1], source="assumption", note=generation.ground
    )


def _offered(drive: Drive, workload: Workload) -> Answer | None:
    """Return the workload's writes per second, if it writes."""
    writes = offered_pages_per_s(drive, workload)
    if workload.read_fraction >= 1 or writes <= 0:
        return None
    return given("offered_write_iops", writes, source="workload")
