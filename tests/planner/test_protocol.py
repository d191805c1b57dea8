"""Protocols: what is typed, what the state of a drive carries on, and the order of drives."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import planner as ssd
from models.errors import DomainError
from planner.catalogue import find, load
from planner.catalogue.priors import with_assumptions
from planner.cli import cli
from planner.export.protocol_table import notes
from planner.scenario.workload import Workload
from planner.sections.request import plan_of
from planner.sections.speed import speed
from planner.simulation.protocol.answer import protocol_answer, protocol_on
from planner.simulation.protocol.phases import Action, parse_phase
from planner.simulation.protocol.presets import own_protocol, protocol_named, protocols
from planner.simulation.protocol.rank import ranking
from planner.simulation.protocol.traces import depth_shares, trace_of

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
        ("mix 0% reads 512B for 60 s", {"read_fraction": 0.0, "transfer_bytes": 512.0}),
        ("Write RANDOM 4KiB for 1,000 s", {"lasts_s": 1000}),
        ("idle for 30 s", {"lasts_s": 30}),
        ("read 64KiB in bursts of 200MB up to 2GB", {"burst_bytes": 200e6}),
        ("write 4KiB up to 32GB busy 20%", {"busy_fraction": 0.2}),
        ("write 4KiB skew jesd219 up to its rating", {"skew": "jesd219"}),
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
        ("read 4KiB up to its rating", "reads use up no rating"),
        ("write sequential skew 80/20 for 3 s", "a skew belongs to random writes"),
        ("write skew 180/20 for 3 s", "two shares between 0 and 100"),
        ("write skew field for 3 s", "a test has a skew of its own"),
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
    for key, each in found.phases[-1].ranges.items():
        may_be_even = key.endswith("_sd_iops")  # seconds of a steady phase may not spread at all
        assert each.low > 0 or (may_be_even and each.low == 0)
        assert each.low <= each.typical <= each.high < math.inf


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


# Laws


def planned(name, protocol, **inputs):
    return protocol_answer(plan_of(name, **inputs), protocol_named(protocol))


def numbers(found):
    return {each.phase.name: dict(each.ranges) for each in found.phases}


@pytest.mark.parametrize("protocol", ["consistency", "burst", "mixed-burst", "light"])
def test_a_drive_of_an_array_is_tested_as_one_alone(protocol):
    """Writes, other drives and a layout are no part of a test of one drive."""
    alone = planned("845DC PRO 400", protocol)
    inside = planned("845DC PRO 400", protocol, drives="12", raid="5", writes="4 TB/day")
    assert numbers(inside) == numbers(alone)


def test_several_drives_are_tested_as_each_alone():
    found = ssd.protocol("torture", ["845DC PRO 400", "840 EVO 250"])
    for name, together in zip(("845DC PRO 400", "840 EVO 250"), found, strict=True):
        [alone] = ssd.protocol("torture", name)
        assert {phase: dict(together[phase]) for phase in together} == {
            phase: dict(alone[phase]) for phase in alone}  # fmt: skip


@pytest.mark.parametrize(("over", "usable", "said"), [
    ("9TB", 1.0, "1 TB under test, not 9 TB."), ("8GB", 1e-3, "1 GB under test, not 8 GB."),
    ("1TB", 1.0, ""), ("8GB", 1.0, ""), ("75%", 1e-3, ""),
])  # fmt: skip
@pytest.mark.parametrize("before", [(), ("read 4KiB for 1 s",)])
def test_a_part_larger_than_what_is_tested_is_said(over, usable, said, before):
    phases = (f"{WRITE} over {over} for 60 s", *before)
    found = notes([answer("870 EVO 1TB", *phases, usable=usable)])
    assert [each for each in found if "under test" in each] == ([
        f"Samsung 870 EVO 1 TB: '{phases[0]}' covers the {said}"] if said else [])  # fmt: skip


@pytest.mark.parametrize("size", ["512B", "3KiB"])
@pytest.mark.parametrize(
    ("name", "unit"),
    [("845DC PRO 400", "4KiB"), ("840 EVO 250", "4KiB"), ("990 PRO 2TB", "4KiB"),
     ("D5-P5336 15.36", "16KiB"), ("D5-P5316 15.36", "64KiB")],
)  # fmt: skip
def test_a_random_write_smaller_than_a_unit_costs_the_flash_a_unit(name, unit, size):
    """As many writes in a time, of which each is rewritten and held as a whole unit of the map."""
    small, page = (
        answer(name, "fill", f"{WRITE[:12]} {each} depth 32 for 1 h").phases[0]
        for each in (size, unit)
    )
    for key in ("phase_iops", "phase_lowest_iops"):
        ends, of_page = small.ranges[key], page.ranges[key]
        assert (ends.low, ends.typical, ends.high) == pytest.approx(
            (of_page.low, of_page.typical, of_page.high), rel=0.02)  # fmt: skip
    times = page.phase.transfer_bytes / small.phase.transfer_bytes
    assert small.ranges["phase_wa"].typical == pytest.approx(
        times * page.ranges["phase_wa"].typical, rel=0.02)  # fmt: skip


@pytest.mark.parametrize("name", ["845DC PRO 400", "840 EVO 250", "990 PRO 2TB"])
def test_spare_area_is_a_part_that_is_not_written(name):
    """A quarter that is not partitioned, against phases over the other three."""
    spared = planned(name, "consistency", spare="25%")
    over = planned(name, "consistency-25")
    for whole, part in zip(numbers(spared).values(), numbers(over).values(), strict=True):
        assert whole.keys() == part.keys()
        for key, each in whole.items():
            ends = each.low, each.typical, each.high
            assert ends == pytest.approx((part[key].low, part[key].typical, part[key].high))


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("840 EVO 120", "needs sequential writes after the cache, which"),
        ("860 PRO 4TB", "needs steady random writes, "),
        ("870 QVO 4TB", "steady random writes, spare area"),
    ],
)
def test_known_facts_alone_refuse_a_test_by_the_names_of_what_is_missing(name, missing):
    with pytest.raises(DomainError, match=f"{find(load(), name).name}: a protocol") as error:
        planned(name, "cache-curve", known_only=True)
    assert missing in str(error.value)
    stated = {"folded_write_bytes_per_s": "140 MB/s"} if name == "840 EVO 120" else {}
    if stated:
        facts = [f"{key}={value}" for key, value in stated.items()]
        found = planned(name, "cache-curve", known_only=True, fact=facts).judged[0]
        assert found.bytes_per_s.typical == pytest.approx(120e9 / (3e9 / 410e6 + 117e9 / 140e6))


def test_units_of_a_phase_agree():
    """Bytes over seconds, operations of their size, and Little's law."""
    protocol = own_protocol(("fill", f"{WRITE} over 64GB for 300 s", "read 128KiB depth 4 for 9 s",
                             "mix 70% reads 8KiB depth 8 up to 20GB"))  # fmt: skip
    for each in protocol_on(drive("845DC PRO 400"), protocol).phases:
        typical = {key: found.typical for key, found in each.ranges.items()}
        phase, rate = each.phase, typical["phase_bytes_per_s"]
        moved = each.course.moved_bytes[-1]
        assert moved / typical["phase_s"] == pytest.approx(rate)
        assert typical["phase_iops"] * phase.transfer_bytes == pytest.approx(rate)
        depth = typical["phase_iops"] * typical["phase_latency_s"]
        assert depth == pytest.approx(phase.queue_depth)
        written = typical.get("phase_written_bytes", 0.0)
        assert written == pytest.approx(moved * (1 - phase.read_fraction))


# Skew and rating


def test_a_rating_is_written_whole_and_takes_its_time():
    found = planned("845DC PRO 400", "jesd219-enterprise").judged[0].ranges
    assert found["phase_written_bytes"].typical == pytest.approx(7300e12)
    days = found["phase_s"].typical / 86_400
    rate = found["phase_bytes_per_s"].typical
    assert days == pytest.approx(7300e12 / rate / 86_400)
    skewed = plan_of("845DC PRO 400", writes="4 TB/day", skew="jesd219")["workload_wa"].value
    uniform = plan_of("845DC PRO 400", writes="4 TB/day", skew="uniform")["workload_wa"].value
    own = answer("845DC PRO 400", "fill", "write random 8KiB depth 32 up to its rating")
    ratio = (found["phase_wa"].typical - 1) / (own.phases[0].ranges["phase_wa"].typical - 1)
    assert ratio == pytest.approx((skewed - 1) / (uniform - 1), rel=0.01)


def test_a_rating_that_is_unknown_is_named():
    own = find(load(), "845DC PRO 400")
    facts = {key: fact for key, fact in own.facts.items() if not key.startswith("rat")}
    facts.pop("warranty_s", None)
    with pytest.raises(DomainError, match="ends with its rating, which is unknown"):
        protocol_on(replace(own, facts=facts), protocol_named("jesd219-enterprise"))


@pytest.mark.parametrize("skew", ["80/20", "zipf:0.99", "jesd219", "70/10+20/30+10/60"])
def test_a_skew_changes_writes_and_not_reads(skew):
    plain = answer("990 PRO 2TB", "fill", f"{WRITE} up to 2 times", "read random 4KiB for 9 s")
    skewed = answer("990 PRO 2TB", "fill", f"{WRITE} skew {skew} up to 2 times",
                    "read random 4KiB for 9 s")  # fmt: skip
    (write, read), (own_write, own_read) = plain.phases, skewed.phases
    assert write.ranges["phase_wa"].typical != own_write.ranges["phase_wa"].typical
    assert read.bytes_per_s.typical == own_read.bytes_per_s.typical


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


@given(alone=st.floats(0.05, 0.95), further=st.floats(1.0, 4.5))
def test_shares_of_depths_keep_the_share_alone_and_the_mean(alone, further):
    mean = alone + (1 - alone) * (1 + further)
    shares = depth_shares(alone, mean)
    assert sum(shares) == pytest.approx(1)
    assert shares[0] == pytest.approx(alone)
    assert sum(at * share for at, share in enumerate(shares, 1)) == pytest.approx(mean, rel=1e-3)
