"""Protocols: what is typed, what the state of a drive carries on, and the order of drives."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import DomainError
from planner.catalogue import find, load
from planner.catalogue.priors import with_assumptions
from planner.cli import cli
from planner.scenario.workload import Workload
from planner.sections.speed import speed
from planner.simulation.protocol.answer import protocol_on
from planner.simulation.protocol.phases import Action, parse_phase
from planner.simulation.protocol.presets import own_protocol, protocol_named, protocols
from planner.simulation.protocol.rank import ranking
from planner.simulation.protocol.traces import trace_of

MB = 1e6


def drive(name):
    return with_assumptions(find(load(), name))


def answer(name, *phases, usable=1.0):
    return protocol_on(drive(name), own_protocol(phases), usable_fraction=usable)


def rate(name, *phases):
    """Typical MB/s of the last phase."""
    return answer(name, *phases).phases[-1].bytes_per_s.typical / MB


WRITE = "write random 4KiB depth 32"


# What is typed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("write random 4KiB depth 32 for 2000 s", {"queue_depth": 32, "lasts_s": 2000}),
        ("read sequential 128k, depth 1, for 1 min", {"transfer_bytes": 131072, "lasts_s": 60}),
        ("mix 70% reads 4KiB for 60 s over 8GB", {"read_fraction": 0.7}),
        ("Write RANDOM 4KiB for 1,000 s", {"lasts_s": 1000}),
        ("idle for 30 s", {"lasts_s": 30}),
        ("read 64KiB in bursts of 200MB up to 2GB", {"burst_bytes": 200e6}),
        ("write 4KiB up to 32GB busy 20%", {"busy_fraction": 0.2}),
    ],
)
def test_phase_is_read(text, expected):
    phase = parse_phase("phase", text)
    assert {name: getattr(phase, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "accepted:"),
        ("scrub", "'scrub' is not understood"),
        ("write random 4KiB", "say when it ends"),
        ("write backwards for 3 s", "'backwards' is not understood"),
        ("mix 4KiB for 3 s", "share of reads"),
        ("read 70% reads for 3 s", 'belongs to "mix"'),
        ("write depth 0 for 3 s", "depth must be above 0"),
        ("write over 0% for 3 s", "share must be above 0"),
        ("write for 3 s for 4 s", "given twice"),
        ("replay", "which trace"),
        ("erase everything", "'everything' is not understood"),
        ("idle 900 days", "at most 400 days"),
        ("write 4KiB for 3 s " + "x" * 300, "at most 200 characters"),
        ("trim 150%", "at most 100 %"),
    ],
)
def test_phase_is_refused_with_the_reason(text, word):
    with pytest.raises(DomainError, match="phase 1") as error:
        own_protocol((text, "fill"))
    assert word in str(error.value)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        phase = parse_phase("phase", text)
    except DomainError:
        return
    assert phase.action in Action


def test_published_protocols_have_sources_and_a_phase_to_rank_by():
    for protocol in protocols().values():
        assert protocol.source_id in load().sources, protocol.name
        assert {*protocol.judged_by} <= {phase.name for phase in protocol.measured}, protocol.name
        names = [phase.name for phase in protocol.phases]
        assert len(names) == len(set(names)), protocol.name


def test_published_protocols_are_listed_with_what_each_phase_states():
    listed = CliRunner().invoke(cli, ["protocol", "--list", "--json"])
    found = json.loads(listed.stdout)
    assert found.keys() == protocols().keys()
    assert found["torture"]["phases"]["torture"]["lasts_s"] == 3600
    assert found["consistency-25"]["phases"]["steady"]["span_fraction"] == 0.75
    assert found["light"]["phases"]["full"] == {
        "action": "replay", "is_measured": True, "trace": "light"
    }  # fmt: skip
    reads = found["mixed-burst"]["phases"]["reads"]
    assert (reads["other_burst_bytes"], reads["cycle_s"], reads["burst_bytes"]) == (40e6, 2, 200e6)
    assert found["sustained-random-read"]["judged_by"] == "the mean of depth-1, depth-2 and depth-4"


# The state of the drive


def test_long_random_writes_end_at_the_steady_rate_of_the_speed():
    """The same drive, the same number: a long phase against `speed`."""
    own = drive("845DC PRO 400")
    steady = speed(own, Workload(host_bytes_per_s=0.0), with_readers=False).steady_write_iops.value
    found = rate("845DC PRO 400", "fill", f"{WRITE} for 4 h", f"{WRITE} for 10 min") * MB / 4096
    assert found == pytest.approx(steady, rel=0.01)


def test_cliff_comes_when_the_spare_area_is_written():
    own = drive("845DC PRO 400")
    found = speed(own, Workload(host_bytes_per_s=0.0), with_readers=False)
    course = answer("845DC PRO 400", "fill", f"{WRITE} for 1 h").phases[-1].course
    fast = course.bytes_per_s > 0.97 * course.bytes_per_s[0]
    ends = course.seconds[1:][fast][-1] - course.seconds[0]
    assert ends == pytest.approx(found.cliff_s.value, rel=0.06)


def test_splitting_a_phase_changes_nothing():
    whole = answer("840 EVO 250", "fill", f"{WRITE} for 1000 s").phases[-1]
    parts = answer("840 EVO 250", "fill", f"{WRITE} for 300 s", f"{WRITE} for 700 s").phases
    written = sum(part.ranges["phase_written_bytes"].typical for part in parts)
    assert written == pytest.approx(whole.ranges["phase_written_bytes"].typical, rel=0.01)


def test_less_span_is_faster_and_a_full_drive_slower():
    small = rate("840 EVO 250", "fill", f"{WRITE} over 8GB for 30 min")
    whole = rate("840 EVO 250", "fill", f"{WRITE} for 30 min")
    part = rate("840 EVO 250", "fill 75%", f"{WRITE} over 75% for 30 min")
    assert small > part > whole


def test_torture_slows_sequential_writes_and_trim_restores_them():
    phase = "write sequential 128KiB depth 32 for 60 s"
    clean = rate("840 EVO 120", "fill", phase)
    dirty = rate("840 EVO 120", "fill", f"{WRITE} for 1 h", phase)
    trimmed = rate("840 EVO 120", "fill", f"{WRITE} for 1 h", "trim", phase)
    assert dirty < 0.6 * clean
    assert trimmed == pytest.approx(clean, rel=0.02)


def test_sequential_pass_restores_a_scattered_drive():
    torture = ("fill", f"{WRITE} for 1 h")
    passes = answer(
        "840 EVO 120", *torture, "write sequential 128KiB depth 32 up to 1 times",
        "write sequential 128KiB depth 32 up to 1 times",
    ).phases  # fmt: skip
    _, first, second = (each.bytes_per_s.typical for each in passes)
    assert first < second


def test_idle_time_drains_the_cache():
    burst = "write sequential 128KiB depth 32 up to 3GB"
    full = rate("840 EVO 120", burst, burst)
    drained = rate("840 EVO 120", burst, "idle 2 min", burst)
    assert drained > 1.2 * full


def test_write_cache_ends_after_its_size():
    course = answer("840 EVO 120", "write sequential 128KiB depth 32 up to 10GB").phases[0].course
    moved = np.cumsum(course.bytes_per_s * np.diff(course.seconds))
    fast = course.bytes_per_s > 0.99 * course.bytes_per_s[0]
    assert moved[fast][-1] == pytest.approx(3e9, rel=0.03)


def test_second_stream_slows_reads():
    reads = "read sequential 64KiB depth 4 in bursts of 200MB up to 2GB"
    alone = rate("840 EVO 250", "fill", reads)
    beside = rate("840 EVO 250", "fill", f"{reads} beside writes of 40MB every 2 s")
    assert 0.5 * alone < beside < alone


@settings(max_examples=25, deadline=None)
@given(
    depth=st.sampled_from([1, 2, 4, 32, 256]), size=st.sampled_from(["4KiB", "64KiB", "1MiB"]),
    way=st.sampled_from(["random", "sequential"]),
    verb=st.sampled_from(["read", "write", "mix 30% reads"]),
    span=st.sampled_from(["1GB", "64GB", "50%", "all"]), before=st.sampled_from(["erase", "fill"]),
    name=st.sampled_from(["870 QVO 4TB", "7450 PRO 1.92", "Optane 905P 960", "SN550 1TB"]),
)  # fmt: skip
def test_numbers_are_finite_and_inside_their_ranges(depth, size, way, verb, span, before, name):
    found = answer(name, before, f"{verb} {way} {size} depth {depth} over {span} for 20 min")
    for each in found.phases[-1].ranges.values():
        assert 0 < each.low <= each.typical <= each.high < math.inf


def test_deeper_queue_is_never_slower():
    rates = [rate("870 EVO 1TB", "fill", f"read random 4KiB depth {depth} over 64GB for 60 s")
             for depth in (1, 2, 4, 8, 16, 32)]  # fmt: skip
    assert rates == sorted(rates)


def test_scatter_of_a_steady_phase_is_that_of_the_speed():
    own = drive("845DC PRO 400")
    found = speed(own, Workload(host_bytes_per_s=0.0), with_readers=False)
    steady = answer("845DC PRO 400", "fill", f"{WRITE} for 4 h", f"{WRITE} for 60 s").phases[-1]
    worst, within = (steady.ranges[f"phase_{name}"] for name in ("worst_iops", "second_sd_iops"))
    assert worst.typical == pytest.approx(own.value("worst_case_iops"))
    assert within.typical == pytest.approx(found.second_sd_iops.value, rel=0.02)


def test_seconds_spread_as_the_course_where_it_falls():
    """Time-weighted, from the numbers of the course that are drawn; stalls add little to it."""
    falling = answer("845DC PRO 400", "fill", f"{WRITE} for 1400 s").phases[-1]
    times, rates = np.diff(falling.course.seconds), falling.course.bytes_per_s / 4096
    used = times > 0
    mean = np.average(rates[used], weights=times[used])
    spread = math.sqrt(np.average((rates[used] - mean) ** 2, weights=times[used]))
    assert falling.ranges["phase_sd_iops"].typical == pytest.approx(spread, rel=0.03)


@pytest.mark.parametrize(
    "phase",
    [
        "read random 4KiB depth 32 for 60 s", "write sequential 128KiB depth 1 for 60 s",
        "mix 50% reads random 4KiB for 60 s", "write 4KiB over 16GB in bursts of 4MB up to 1GB",
        "replay heavy",
    ],
)  # fmt: skip
def test_scatter_is_known_of_random_writes_alone(phase):
    found = answer("845DC PRO 400", "fill", phase).phases[-1]
    assert not {"phase_sd_iops", "phase_worst_iops"} & found.ranges.keys()


# The order of drives


def test_order_is_decided_only_where_ranges_say_so():
    protocol = protocol_named("consistency")
    names = "845DC PRO 400", "845DC EVO 240", "845DC EVO 240"
    fast, slow, same = (protocol_on(drive(name), protocol) for name in names)
    first, second, third = ranking([slow, fast, same])
    assert first.answer is fast
    assert first.is_decided
    assert second.place == third.place == 2
    assert second.above_next == 0.5


def test_drives_are_ranked_by_the_mean_of_the_judged_phases():
    found = protocol_on(drive("860 PRO 512"), protocol_named("sustained-random-read"))
    rates = {each.phase.name: each.bytes_per_s.typical for each in found.phases}
    mean = (rates["depth-1"] + rates["depth-2"] + rates["depth-4"]) / 3
    score = found.judged_bytes_per_s
    assert score.typical == pytest.approx(mean)
    assert score.low < mean < score.high < rates["depth-4"] * 1.3


def test_latencies_of_a_trace_average_to_that_of_all_operations():
    """Reads and writes wait in one queue: weighted by their number they make the mean."""
    trace = trace_of("heavy")
    found = protocol_on(drive("840 EVO 250"), protocol_named("heavy")).phases[-1].ranges
    share = trace.reads / (trace.reads + trace.writes)
    for level in ("", "p99_"):
        reads, writes, both = (
            found[f"phase_{level}{name}latency_s"].typical for name in ("read_", "write_", "")
        )
        assert share * reads + (1 - share) * writes == pytest.approx(both)
        assert reads < writes  # of a full drive that collects


def test_protocol_needs_known_rates():
    own = replace(find(load(), "845DC PRO 400"), facts={})
    with pytest.raises(DomainError, match="a protocol needs"):
        protocol_on(own, protocol_named("consistency"))
