"""The question: how fast is one drive over the time of a write test?"""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from models import parallelism
from models.calibration import fitted_wa
from models.write_amplification import greedy, total_wa
from planner.catalogue.drive import ASSUMPTION, Drive
from planner.catalogue.facts import stated
from planner.catalogue.priors_kind import is_written_in_place
from planner.graph.answer import Answer, figure, first_known, given, unknown
from planner.graph.nodes import Graph
from planner.graph.reading import Reading
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.sections.calibration import fit_notes
from planner.sections.datasheet_speed import speed_nodes
from planner.sections.flash import Flash, flash_of
from planner.sections.service import RATED_DEPTH
from planner.sections.structure import Structure, leaves_of, structure_of
from planner.sections.write_amplification import (
    cleaning_op_ratio,
    outside_checked_ranges,
    rating_op_ratio,
)
from planner.sections.write_factors import BASE
from planner.speed import rates, reads, worst, writes
from planner.speed.answer import MODEL_ERROR, Limit, Speed, by_percentile
from planner.speed.caches import write_cache
from planner.speed.course import Turns, no_turns, turns
from planner.speed.units import in_units, unit_factor

LARGE_BLOCK = 2.0**20  # pages, where the unit of collection is unknown: the limit of superblocks

# Arguments of `models.bottleneck.write_iops`; of equal ones the first is named.
FRESH_LIMITS = {
    "link_iops": Limit.LINK, "controller_iops": Limit.LINK, "media_iops": Limit.DIES
}  # fmt: skip
BESIDE = {"unit_bytes", "stripe", "entry_bytes", "base_factor"}  # garbage collection
STEADY_LIMITS = {"media_iops": Limit.DIES, "link_iops": Limit.LINK}

READ_LIMITS = {
    "queue depth": Limit.QUEUE, "dies": Limit.DIES, "link": Limit.LINK, "rates": Limit.PRINTED
}  # fmt: skip
TESTED_DEPTH = 32.0  # of the reviews' write test, where the workload has no queue depth

IN_PLACE_RATES = "steady_write_iops", "spec_write_iops", "burst_write_iops"
NO_GEOMETRY = (
    "The dies of this kind of flash are unknown (die capacity, page, block and times): steady "
    "writes rest on the printed rate alone."
)
IN_PLACE = (
    "3D XPoint is written in place and erases nothing: writes keep their rate. Latencies of reads "
    "beside writes are those of single-level flash, which is slower: upper ends, no more."
)


def speed(
    drive: Drive,
    workload: Workload,
    *,
    partition_fraction: float = 1.0,
    firmware: Firmware | None = None,
    with_readers: bool = True,
) -> Speed:
    """Return how fast the drive is over the time of a write test, and its reads under load.

    Readers at the queue depth take most of the time that this takes: they may be left out.

    >>> from planner.catalogue import find, load
    >>> got = speed(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6))
    >>> 47_500 < got.steady_write_iops.value < 52_500
    True
    """
    firmware = firmware or Firmware()
    flash = flash_of(drive)
    spare = _reading(drive, workload, partition_fraction, firmware)
    cleaning = _cleaning(drive, flash, spare)
    collected, wa = _wa(drive, cleaning, spare)
    media = _media(drive, flash, wa)
    link = rates.link_iops(drive)
    rated = stated(drive, "steady_write_iops")
    as_rated = _as_rated(drive, flash, spare, cleaning)
    depth = given("queue_depth", workload.queue_depth or TESTED_DEPTH, source="workload")
    accepted_s = spare.answer(spare.graph.nodes["write_latency_s"])
    accepted = unknown("accepted_write_iops")
    if workload.queue_depth:
        accepted = rates.accepted_iops(accepted_s, depth, spare.answer(RATED_DEPTH))
    residual = rates.residual(as_rated, rated)
    (deep_fresh, fresh), (deep, steady) = (
        rates.at_depth(rate, accepted) for rate in _in_deep_queue(drive, spare, media)
    )
    used = drive.capacity_bytes * workload.fill_fraction * partition_fraction
    course = _turns(used / unit_factor(drive).value, cleaning, collected, fresh, deep)
    random_reads = spare["page_read_iops"]
    collection = (
        worst.without_collection()
        if is_written_in_place(drive)
        else worst.by_collection(flash, depth, steady, media, wa)
    )
    max_latency_s, worst_iops = worst.worst_case(spare, collection[1], depth)
    tested = stated(drive, "saturated_queue_depth") if spare["max_latency_s"].is_known else depth
    written = writes.write_quantiles_s(
        drive, workload, accepted_s, writes.Saturated(deep, max_latency_s, tested), depth
    )
    path = writes.commit_path(drive, accepted_s, written)
    beside = reads.Beside(media, wa, deep)
    open_reads = reads.open_quantiles_s(drive, flash, workload, beside)
    return Speed(
        drive=drive,
        queue_depth=float(depth.value),
        fresh_write_iops=fresh,
        steady_write_iops=steady,
        deep_fresh_write_iops=deep_fresh,
        deep_steady_write_iops=deep,
        dies_write_iops=media,
        steady_residual=residual,
        random_read_iops=random_reads,
        iops=spare["drive_iops"],
        op_ratio=cleaning["op_ratio"],
        pages_per_block=cleaning["pages_per_block"],
        user_pages=course.user_pages,
        settling_fills=course.settling_fills,
        collection_wa=collected,
        wa=wa,
        peak_wa=course.peak_wa,
        lowest_write_iops=course.lowest_write_iops,
        cliff_s=course.cliff_s,
        settling_s=course.settling_s,
        max_latency_s=max_latency_s,
        worst_case_iops=worst_iops,
        collection=collection,
        read_quantiles_s=open_reads,
        closed_read_quantiles_s=reads.closed_quantiles_s(
            drive, flash, workload, beside, depth, link
        )
        if with_readers
        else unknown("closed_read_quantiles_s"),
        write_quantiles_s=written,
        commit_quantiles_s=writes.commit_quantiles_s(drive, workload, path),
        commit_path=path,
        second_sd_iops=writes.second_sd_iops(drive, flash, depth, steady, max_latency_s),
        cache=write_cache(drive),
        binding=_binding(drive, fresh, steady, residual, random_reads),
        notes=(*fit_notes(drive), *_notes(flash, media, drive, wa, depth.value, open_reads.note)),
    )


def read_tail(
    drive: Drive,
    workload: Workload,
    *,
    partition_fraction: float = 1.0,
    firmware: Firmware | None = None,
) -> dict[float, float]:
    """Return the read latency by percentile at the workload's own rates; empty where unknown.

    What `speed` says of it, without the rest.
    """
    flash = flash_of(drive)
    spare = _reading(drive, workload, partition_fraction, firmware or Firmware())
    cleaning = _cleaning(drive, flash, spare)
    _, wa = _wa(drive, cleaning, spare)
    media = _media(drive, flash, wa)
    _, steady = _in_deep_queue(drive, spare, media)
    writes = reads.Beside(media, wa, steady)
    return by_percentile(reads.open_quantiles_s(drive, flash, workload, writes))


def _media(drive: Drive, flash: Flash, wa: Answer) -> Answer:
    """Return host writes per second of the dies; of those written in place the printed ones say."""
    if is_written_in_place(drive):
        return unknown("modelled_write_iops")
    return rates.media_iops("modelled_write_iops", flash, wa)


def _in_deep_queue(drive: Drive, spare: Reading, media: Answer) -> tuple[Answer, Answer]:
    """Return the rates before collection and in steady state, where the queue is no limit.

    Memory that is written in place keeps its rate.
    """
    if is_written_in_place(drive):
        kept = first_known(*(stated(drive, name) for name in IN_PLACE_RATES))
        return replace(kept, key="fresh_write_iops"), replace(kept, key="steady_write_iops")
    fresh = rates.fresh_iops(spare["deep_burst_write_iops"], stated(drive, "steady_write_iops"))
    return fresh, rates.steady_iops(media, spare["deep_steady_write_iops"], fresh)


def _as_rated(drive: Drive, flash: Flash, spare: Reading, cleaning: Mapping[str, Answer]) -> Answer:
    """Return host writes per second that the dies have time for on the full drive."""
    if is_written_in_place(drive):
        return unknown("rated_media_iops")
    full = {**cleaning, "op_ratio": spare["rating_op_ratio"]}
    collected = figure("rating_collection_wa", greedy, **full)
    rated_wa = _with_factors("speed_rating_wa", drive, collected, spare["base_factor"])
    return rates.media_iops("rated_media_iops", flash, rated_wa)


@cache
def _graph(structure: Structure) -> Graph:
    """Return the spare area of this use and of the full drive, and what it does at a depth."""
    return Graph(
        {
            "cleaning_op_ratio": cleaning_op_ratio(structure),
            "rating_op_ratio": rating_op_ratio(structure),
            "base_factor": BASE,
            **speed_nodes(structure),
        }
    )


def _wa(drive: Drive, cleaning: Mapping[str, Answer], spare: Reading) -> tuple[Answer, Answer]:
    """Return the write amplification of the test: of collection alone, and all of it."""
    if is_written_in_place(drive):
        one = given("uniform_wa", 1.0, source="definition", note=IN_PLACE)
        return one, replace(one, key="speed_wa")
    collected = figure("uniform_wa", greedy, **cleaning)
    if drive.fit is None:
        return collected, _with_factors("speed_wa", drive, collected, spare["base_factor"])
    law = _with_factors("collection_wa", drive, collected)
    factors = {name: stated(drive, name) for name in ("base_factor", "curve_ratio")}
    return collected, figure("speed_wa", fitted_wa, random_wa=law, **factors)


def _with_factors(
    key: str, drive: Drive, collected: Answer, base_factor: Answer | None = None
) -> Answer:
    """Return flash bytes per host byte of random writes of 4 KiB."""
    if not drive.facts.keys() & BESIDE:
        return replace(collected, key=key)
    one = given("no_factor", 1.0, source="definition")
    return figure(
        key,
        total_wa,
        collection_wa=collected,
        unit_factor=unit_factor(drive),
        base_factor=base_factor or one,
        stored_fraction=one,
    )


def _reading(
    drive: Drive, workload: Workload, partition_fraction: float, firmware: Firmware
) -> Reading:
    leaves = leaves_of(drive, workload, partition_fraction=partition_fraction)
    return Reading(_graph(structure_of(workload, firmware, drive)), leaves)


def _cleaning(drive: Drive, flash: Flash, spare: Reading) -> dict[str, Answer]:
    return {
        "op_ratio": spare["cleaning_op_ratio"],
        "pages_per_block": in_units(drive, _unit_of_collection(drive, flash)),
    }


def _unit_of_collection(drive: Drive, flash: Flash) -> Answer:
    return first_known(
        stated(drive, "pages_per_block"),
        flash.pages_per_block,
        given("pages_per_block", LARGE_BLOCK, source="definition"),
    )


def _turns(
    used: float, cleaning: Mapping[str, Answer], wa: Answer, fresh: Answer, steady: Answer
) -> Turns:
    """Return the turns of the course, if it has any: writes may cost no more than themselves."""
    if not wa.is_known:
        return no_turns(wa.lacking)
    if wa.value <= 1 or rates.rises(fresh, steady):
        return no_turns(())
    pace = {"burst_write_iops": fresh, "steady_write_iops": steady, "steady_wa": wa}
    return turns(given("used_bytes", used, source="workload"), cleaning, pace)


def _binding(
    drive: Drive, fresh: Answer, steady: Answer, residual: Answer, random_reads: Answer
) -> dict[str, Limit]:
    """Say what holds each rate down, where it is known."""
    limits = {
        "fresh_write_iops": _least(fresh, FRESH_LIMITS),
        "steady_write_iops": _steady_limit(fresh, steady, residual),
        "random_read_iops": _read_limit(random_reads, stated(drive, "random_read_iops")),
    }
    return {name: limit for name, limit in limits.items() if limit is not None}


def _steady_limit(fresh: Answer, steady: Answer, residual: Answer) -> Limit | None:
    """Name what holds the steady rate down: the dies too where they explain the printed one."""
    if steady.is_given and residual.is_known and abs(residual.value) <= MODEL_ERROR:
        return Limit.DIES
    if "burst_write_iops" not in steady.arguments:
        return _least(steady, STEADY_LIMITS)
    return _least(fresh, FRESH_LIMITS) if steady.value >= fresh.value else Limit.DIES


def _least(rate: Answer, limits: Mapping[str, Limit]) -> Limit | None:
    """Name the least of the rates that a rate is the least of."""
    if not rate.is_computed:
        return _printed(rate)
    if "queue_iops" in rate.arguments:
        return Limit.QUEUE
    known = [name for name in limits if name in rate.arguments]
    if not known:
        return None  # fitted to what was measured: the limit is not known
    return limits[min(known, key=lambda name: float(rate.arguments[name]))]


def _read_limit(random_reads: Answer, printed: Answer) -> Limit | None:
    """Name what holds random reads down: as printed too where reads of the map slow them down."""
    if random_reads.key == printed.key:
        return _printed(printed)
    if not random_reads.is_computed:
        return None
    point = parallelism.operating_point(**random_reads.arguments, write_accept_s=math.inf)
    return READ_LIMITS[parallelism.BINDINGS[int(point.binding)]]


def _printed(rate: Answer) -> Limit | None:
    if not rate.is_given:
        return None
    return Limit.ASSUMED if rate.source == ASSUMPTION.source_id else Limit.PRINTED


def _notes(
    flash: Flash, media: Answer, drive: Drive, wa: Answer, readers: float, of_reads: str
) -> tuple[str, ...]:
    interrupted = of_reads == reads.INTERRUPTED
    notes = {
        NO_GEOMETRY: not media.is_known and not is_written_in_place(drive),
        IN_PLACE: is_written_in_place(drive),
        worst.ALIGNED: drive.value("worst_case_iops") is None and not is_written_in_place(drive),
        of_reads or reads.LOAD: True,
        reads.CROWDED: not interrupted and flash.dies.is_known and readers > flash.dies.value,
    }
    applying = (note for note, applies in notes.items() if applies)
    return (*applying, *outside_checked_ranges((wa,)), *flash.assumed)
