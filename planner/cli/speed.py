"""`speed`: the speed of one drive over a write test, and its latency under the workload."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from planner.catalogue import load
from planner.catalogue.drive import ASSUMPTION
from planner.catalogue.priors import supply
from planner.cli.fit import MEASURED, SAVE_FIT, fit_record, fitted, print_fit, save_fit
from planner.cli.help_groups import GroupedCommand
from planner.cli.options import one_drive, scenario
from planner.cli.parameters import ALL, AS_JSON, ONE_DRIVE, WITH_MATHS, examples
from planner.cli.printing import (
    print_answers,
    print_json,
    print_list,
    print_maths,
    print_read_as,
    print_sentences,
    print_wrapped,
)
from planner.cli.terminal import echo
from planner.export.tables import cited, heat_record, speed_record
from planner.graph.answer import Answer, walk
from planner.quantity.inputs import INPUTS, SURROUNDINGS, stated
from planner.quantity.show import text
from planner.scenario.workload import Workload
from planner.search.verdict.heading import typed_text
from planner.search.verdict.safe import power_text
from planner.search.verdict.sentences import longest
from planner.search.verdict.words import duration, ends, lasting, three
from planner.sections.heat import Heat, Surroundings, heat_of
from planner.sections.host_cache import Cached, HostCache, host_cache
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.rates import CONVERTED, RATES, rates
from planner.sections.recovery import Recovery, recovery
from planner.sections.speed import SHORT_TEST_S, Speed, speed_of
from planner.sections.speed_by_hand import PAGE_BYTES, by_hand
from planner.sections.speed_ranges import SpeedRanges, assumed_behind, speed_ranges_of
from planner.sections.why import why
from planner.simulation.fit import Fit

CACHE = ("host_cache", "flush", "crash_interval")
ENDLESS = "without end"  # of reads that take all of the time of the dies


@click.command(
    "speed",
    cls=GroupedCommand,
    epilog=examples(
        'ssd-planner speed --drive "845DC PRO 400"',
        'ssd-planner speed --drive "840 EVO 250" --trimmed 50% --host-cache 1GB',
        'ssd-planner speed --drive "980 1TB" --room 35C --cooling "desktop heatsink"',
        'ssd-planner speed --drive "845DC PRO 400" --measured result.json --save mine.json',
        "ssd-planner speed --iops 22769 --size 4KiB --depth 1",
    ),
)
@ONE_DRIVE
@scenario("trimmed", *CACHE, *SURROUNDINGS, *RATES)
@MEASURED
@SAVE_FIT
@click.option(
    "--why",
    "asked",
    multiple=True,
    metavar="NAME",
    help="Number whose range is explained: p99_read, p99_9_reader or a key of JSON.",
)
@ALL
@WITH_MATHS
@AS_JSON
def command(
    names: tuple[str, ...],
    is_all: bool,
    with_maths: bool,
    as_json: bool,
    measured: tuple[str, ...],
    save: Path | None,
    asked: tuple[str, ...],
    **texts: Any,
) -> None:
    """Show the speed of one drive over time: fresh, at the cliff, in steady state, at worst."""
    if is_conversion(texts):
        _print_rates(texts, names, as_json=as_json)
        return
    plan, fit = _fitted(names, texts, measured, save)
    answer = speed_of(plan)
    ranges = speed_ranges_of(plan, answer)
    if asked:
        _print_why(ranges, asked)
        return
    restored = _trim_recovery(answer, texts)
    cached = _memory_cache(answer, plan.workload, texts)
    parts = by_hand(answer, plan.workload)
    heat = heat_of(plan.drive, Surroundings(**stated(texts, SURROUNDINGS)))
    if as_json:
        values = speed_record(answer, load(), ranges=ranges, recovery=restored, host_cache=cached)
        values["energy_and_heat"] = heat_record(heat)
        _print_json(values, parts, fit)
        return
    print_read_as(plan.workload)
    if is_all:
        _print_speed(answer, ranges, restored, cached, parts)
        _print_heat(heat)
    else:
        is_asked = texts["host_cache"] is not None
        _print_first(plan, answer, ranges, None if is_asked else cached)
        _print_asked(restored, cached if is_asked else None)
        _print_heat_asked(heat, texts)
    if with_maths:
        print_maths(answer.nodes | walk(parts) | walk(heat.answers))
    if fit is not None:
        print_fit(fit)


def _fitted(
    names: tuple[str, ...], texts: Mapping[str, Any], measured: tuple[str, ...], save: Path | None
) -> tuple[PlanReading, Fit | None]:
    """Return the plan of the drive fitted to measured files, and the fit, which is kept."""
    if save is not None and not measured:
        raise click.UsageError("--save writes the fit to --measured; give both")
    known = one_drive(names, texts)
    plan, fit = fitted(known, measured)
    if save is not None and fit is not None:
        save_fit(save, known, fit)
    return plan, fit


def is_conversion(texts: dict[str, Any]) -> bool:
    """Whether figures are to be converted; what is not is no option of a drive."""
    if any(texts[row.name] is not None for row in RATES):
        return True
    for row in RATES:
        del texts[row.name]
    return False


def _print_rates(texts: Mapping[str, Any], names: Sequence[str], *, as_json: bool) -> None:
    """Print IOPS, throughput, latency and queue depth, each from the others; of no drive."""
    if names:
        options = ", ".join(row.option for row in RATES)
        raise click.UsageError(
            f"{options} convert figures of a test: name no drive with these options"
        )
    found = rates(stated(texts, CONVERTED))
    if as_json:
        print_json({answer.key: answer.value for answer in found.answers})
        return
    print_answers(found.answers)
    for note in found.notes:
        print_wrapped(note)


def _print_json(values: dict[str, Any], parts: Sequence[Answer], fit: Fit | None) -> None:
    values["by_hand"] = {part.key: part.value if part.is_known else None for part in parts}
    print_json(values if fit is None else values | {"fit": fit_record(fit)})


def _print_why(ranges: SpeedRanges, asked: tuple[str, ...]) -> None:
    """Print the parts of the ranges of some numbers, and the readings that narrow them."""
    known = {key: (key, each) for key, each in ranges.answers.items()} | ranges.percentiles
    for name in asked:
        if name not in known:
            raise click.UsageError(f"--why must be a number of this speed: {', '.join(known)}")
        echo(name, bold=True)
        for line in why(*known[name]):
            echo(f"  {line}")


def _trim_recovery(answer: Speed, texts: Mapping[str, Any]) -> Recovery | None:
    """Return the recovery of speed after a TRIM, if --trimmed is given."""
    trimmed = stated(texts, ["trimmed"])
    return recovery(answer, **trimmed) if trimmed else None


def _memory_cache(answer: Speed, workload: Workload, texts: Mapping[str, Any]) -> Cached | None:
    """Return the effect of a write-back cache in host memory, as stated or as the vendor has it."""
    of_vendor = answer.drive.value("host_cache_bytes")
    if texts["host_cache"] is None and of_vendor is None:
        return None
    sizes = {} if of_vendor is None else {"cache_bytes": of_vendor}
    return host_cache(answer, workload, HostCache(**sizes | stated(texts, CACHE)))


def _print_heat_asked(heat: Heat, texts: Mapping[str, Any]) -> None:
    """Print energy and heat if one of their options differs from its default."""
    if any(texts[name] not in (None, INPUTS[name].default) for name in SURROUNDINGS):
        _print_heat(heat)


def _print_heat(heat: Heat) -> None:
    """Print energy per byte, idle states and temperatures, and the assumed facts."""
    print_wrapped(f"\nEnergy and heat: {heat.sentence}", bold=True)
    for title, answers in heat.parts.items():
        echo(title)
        print_answers(answers, ranges=heat.ranges)
    print_list("Assumed of energy and heat", [item.reason for item in heat.assumed])
    print_list("Notes on energy and heat", heat.notes)


def _print_first(
    plan: PlanReading, answer: Speed, ranges: SpeedRanges, cached: Cached | None
) -> None:
    """Print the course of a write test, latencies and protection in at most ten lines."""
    depth = f"random 4 KiB writes at queue depth {answer.queue_depth:g} after a sequential fill"
    print_wrapped(f"{answer.drive.name}, {depth}", bold=True)
    rows = {
        "Fresh": _fresh(answer, ranges),
        "Steady state": _steady(answer, ranges),
        "Longest write": longest(plan).text,
        "Reads": _percentile_text(ranges.reads, f" beside writes of {typed_text(plan)}."),
        "Commits": _percentile_text(ranges.commits, f". {power_text(plan)}") or power_text(plan),
        "This workload": _own_rate(plan),
        "Host cache": _cache_text(cached),
    }
    print_sentences({label: line for label, line in rows.items() if line})
    if lacking := [supply(name) for name in answer.lacking]:
        print_wrapped(f"Missing facts: {'; '.join(lacking)}")
    if answer.saturation:
        print_wrapped(answer.saturation)
    print_wrapped("More: --all (percentiles, caches, TRIM, energy and heat), --why NAME")


def _own_rate(plan: PlanReading) -> str:
    """Describe the rate of a workload that is not the one of the write test."""
    workload = plan.workload
    if workload.transfer_bytes == PAGE_BYTES and not workload.sequential_fraction:
        return ""
    moved, writes = plan.range_of("drive_throughput_bytes_per_s"), plan["write_iops"]
    if moved is None or not writes.is_known:
        return ""
    alone = writes.value * workload.transfer_bytes
    rate, written = (
        text("drive_throughput_bytes_per_s", each, digits=3) for each in (moved.typical, alone)
    )
    size, order, reads = (
        text(key, getattr(workload, key), digits=3)
        for key in ("transfer_bytes", "sequential_fraction", "read_fraction")
    )
    between = moved.ends("drive_throughput_bytes_per_s", digits=3)
    mixed = f"{rate}{between} at {reads} reads"
    return f"{size}, {order} sequential: {mixed}, writes alone {written}."


def _cache_text(cached: Cached | None) -> str:
    """Describe a cache that the vendor has for the host's memory, where nobody asked for it."""
    if cached is None:
        return ""
    size = text("host_cache_bytes", cached.cache.cache_bytes)
    rates = [cached[key] for key in ("uncached_fresh_iops", "cached_fresh_iops")]
    gain = " to ".join(three(float(rate.value)) for rate in rates if rate.is_known)
    of_mix = f": {gain} IOPS, fresh" if gain else ""
    return f"{size} of host memory by the vendor's software{of_mix} (--host-cache)."


def _fresh(answer: Speed, ranges: SpeedRanges) -> str:
    """Describe the rate before the write cliff, and where a full SLC cache ends it earlier."""
    rate, cliff = answer.fresh_write_iops, answer.cliff_s
    if not rate.is_known:
        return ""
    if cached := _while_cached(answer, ranges):
        return f"{_rate(rate, ranges)} {cached}."
    ahead = f" for {_lasting(cliff, ranges)}, then the write cliff" if cliff.is_known else ""
    return f"{_rate(rate, ranges)}{ahead}."


def _while_cached(answer: Speed, ranges: SpeedRanges) -> str:
    """Describe the time until the SLC cache is full, if the flash behind it is slower."""
    direct, cliff = answer.drive.value("folded_write_bytes_per_s"), answer.cliff_s
    cached = next((part for part in answer.cache if part.key == "cached_s"), None)
    if cached is None or not cached.is_known or direct is None:
        return ""
    iops = direct / PAGE_BYTES
    if iops >= answer.fresh_write_iops.value or (cliff.is_known and cached.value >= cliff.value):
        return ""
    until = _lasting(cached, ranges)
    return f"for {until} until its SLC cache is full, then at most {three(iops)} IOPS"


def _steady(answer: Speed, ranges: SpeedRanges) -> str:
    rate, settled, lowest = answer.steady_write_iops, answer.settling_s, answer.lowest_write_iops
    if not rate.is_known:
        return ""
    source = " (specified)" if rate.is_given and rate.source != ASSUMPTION.source_id else ""
    is_late = settled.is_known and settled.value > 0
    start = f" from {_lasting(settled, ranges)}" if is_late else ""
    worst_second = f"; lowest second {_rate(lowest, ranges)}" if lowest.is_known else ""
    short = (
        f" A test of {SHORT_TEST_S:,.0f} s ends before."
        if answer.is_too_short(SHORT_TEST_S)
        else ""
    )
    return f"{_rate(rate, ranges)}{source}{start}{worst_second}.{short}"


def _rate(part: Answer, ranges: SpeedRanges) -> str:
    each = ranges.answers.get(part.key)
    return f"{three(float(part.value))} IOPS{'' if each is None else ends(each)}"


def _lasting(part: Answer, ranges: SpeedRanges) -> str:
    each = ranges.answers.get(part.key)
    return duration(float(part.value)) if each is None else lasting(each)


def _percentile_text(course: Mapping[float, Range], condition: str) -> str:
    """Write the median and the 99.9th percentile of a latency, with their ranges."""
    named = {"median": course.get(50.0), "p99.9": course.get(99.9)}
    known = [f"{name} {_wait(each)}" for name, each in named.items() if each is not None]
    return f"{', '.join(known)}{condition}" if known else ""


def _wait(each: Range) -> str:
    return ENDLESS if math.isinf(each.typical) else lasting(each)


def _print_asked(restored: Recovery | None, cached: Cached | None) -> None:
    """Print the recovery after a TRIM, and the cache in the memory of the host, where asked."""
    if restored is not None:
        echo(f"\nAfter a TRIM of {100 * restored.trimmed_fraction:g} % of the data")
        print_answers(restored.answers)
    if cached is not None:
        size = text("dirty_bytes", cached.cache.cache_bytes)
        echo(f"\nWith {size} of write-back cache in the host's memory")
        print_answers(cached.answers)


def _print_speed(
    answer: Speed,
    ranges: SpeedRanges,
    restored: Recovery | None,
    cached: Cached | None,
    parts: Sequence[Answer],
) -> None:
    """Print the write test, the latencies, then missing facts, assumptions, notes and sources."""
    echo(answer.drive.name, bold=True)
    depth = f"{answer.queue_depth:g}"
    echo(f"Random 4 KiB writes at queue depth {depth}, after a sequential fill")
    every = (*answer.answers, *answer.collection, *answer.cache)
    bound = {getattr(answer, name).key: limit for name, limit in answer.binding.items()}
    print_answers({item.key: item for item in every}.values(), bound, ranges.answers)
    if answer.is_too_short(SHORT_TEST_S):
        echo(f"A test of {SHORT_TEST_S:.0f} s ends before the steady state.")
    courses = {
        "Read latency at the workload's own rates": ranges.reads,
        f"Read latency of {depth} readers, beside the workload's writes": ranges.closed_reads,
        "Write latency at the workload's own rate": ranges.writes,
        "Commit latency, if every write is flushed": ranges.commits,
    }
    for title, course in courses.items():
        _print_latency(title, course)
    if answer.saturation:
        echo(answer.saturation)
    _print_asked(restored, cached)
    notes = (
        *answer.notes,
        *([restored.note] if restored else []),
        *(cached.notes if cached else ()),
    )
    sources = cited(answer, load())
    lacking = [supply(name) for name in answer.lacking]
    echo("\nBy hand, each part of the drive by itself")
    print_answers(parts)
    print_list("Missing facts would come from", lacking)
    print_list(
        "Assumed facts that widen the ranges", [item.reason for item in assumed_behind(answer)]
    )
    print_list("Notes", notes)
    print_list("Sources", [f"{key}: {load().sources[key].title}" for key in sources])


def _print_latency(title: str, latency_s: Mapping[float, Range]) -> None:
    if latency_s:
        echo(f"\n{title}")
    for percent, each in latency_s.items():
        value = ENDLESS if math.isinf(each.typical) else text("read_s", each.typical)
        echo(f"  {f'p{percent:.7g}':<47} {value:>16}{each.ends('read_s')}")
