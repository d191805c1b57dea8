"""What a trace says of a workload, against counting by hand."""

import io
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.telemetry.traces import PageWrites, trace
from planner.telemetry.traces.classes import classes_as_counted, estimated_classes
from planner.telemetry.traces.pages import Distinct, Sampler
from planner.telemetry.traces.rates import Runs
from planner.telemetry.traces.requests import Requests
from tests.planner.telemetry.traces.samples import csv_of

PAGE = 4096
READ, WRITE, TRIM = range(3)


def block(rows):
    """Requests from rows of kind, first page and pages; one in a second."""
    kind, first, count = (np.array(column) for column in zip(*rows, strict=True))
    return Requests(
        time_s=np.arange(len(rows), dtype=float),
        offset_bytes=first * PAGE,
        size_bytes=count * PAGE,
        kind=kind.astype(np.uint8),
        volume=np.zeros(len(rows), np.int64),
        lines=len(rows),
    )


def sampled(rows, **options):
    sampler = Sampler(**options)
    sampler.add(block(rows))
    return sampler.result()


def naive_lives(rows):
    """Lifetime of every page write, the rows repeated three times; those of the middle round."""
    events, clock = [], 0
    for turn in range(3):
        for kind, first, count in rows:
            for page in range(first, first + count):
                clock += kind == WRITE
                events.append((turn, page, kind, clock))
    lives = []
    for at, (turn, page, kind, clock) in enumerate(events):
        if turn == 1 and kind == WRITE:
            lives.append(next(e[3] for e in events[at + 1 :] if e[1] == page) - clock)
    return lives


ROWS = st.lists(
    st.tuples(st.sampled_from([WRITE, WRITE, TRIM]), st.integers(0, 12), st.integers(1, 4)),
    min_size=1,
    max_size=40,
)


@given(ROWS)
def test_lifetimes_are_those_of_the_trace_repeated(rows):
    written = sampled(rows)
    assert sorted(written.lives().lifetime.tolist()) == sorted(naive_lives(rows))


@given(ROWS)
def test_write_counts_are_those_of_the_trace(rows):
    counted = Counter(
        page for kind, first, count in rows if kind == WRITE for page in range(first, first + count)
    )
    assert sorted(sampled(rows).counts.tolist()) == sorted(counted.values())


def test_a_trim_of_the_whole_drive_frees_what_was_written():
    huge = 1 << 30
    written = sampled([(WRITE, 5, 2), (TRIM, 0, huge), (WRITE, 5, 1)])
    assert written.trims.tolist() == [False, False, True, True, False]


def test_a_sample_keeps_every_write_of_its_pages_and_stands_for_all():
    rng = np.random.default_rng(1)
    rows = [(WRITE, int(page), 1) for page in rng.integers(0, 40_000, 200_000)]
    part = sampled(rows, room=20_000)
    assert part.one_in == 16
    assert part.pages.size <= 20_000
    assert part.footprint_pages * part.one_in == pytest.approx(39_730, rel=0.05)
    whole = sampled(rows)
    assert part.counts.mean() == pytest.approx(whole.counts.mean(), rel=0.03)
    ages = [w.lives().lifetime.mean() * w.one_in for w in (part, whole)]
    assert ages[0] == pytest.approx(ages[1], rel=0.05)


def test_distinct_pages_are_exact_while_few_and_near_when_many():
    few, many = Distinct(), Distinct(size=4096)
    rows = [(READ, i % 700, 2) for i in range(3000)]
    few.add(block(rows))
    assert few.count == 701
    many.add(block([(WRITE, 1000 * i, 1000) for i in range(300)]))
    assert many.count == pytest.approx(300_000, rel=0.05)


def test_runs_go_on_where_one_of_the_last_requests_ended():
    runs = Runs()
    rows = [(WRITE, 0, 4), (WRITE, 90, 1), (WRITE, 4, 4), (READ, 8, 4), (WRITE, 8, 4)]
    runs.add(block(rows[:3]))
    runs.add(block(rows[3:]))
    assert runs.sequential.tolist() == [0, 2, 0]


@pytest.mark.parametrize(
    ("mean", "pages"), [(2.0, 200_000), (5.0, 100_000), (12.0, 50_000)]
)  # fmt: skip
def test_chance_is_not_taken_for_skew(mean, pages):
    """Pages that are all alike come out alike, and those not seen are counted."""
    counts = np.random.default_rng(3).poisson(mean, pages)
    found = estimated_classes(counts[counts > 0])
    spread = sum(
        r * r / f for r, f in zip(found.write_shares, found.page_shares, strict=True)
    )  # 1 for uniform writes
    assert spread == pytest.approx(1, abs=0.02)
    assert found.pages_per_seen * np.count_nonzero(counts) == pytest.approx(pages, rel=0.03)
    taken = classes_as_counted(counts)
    naive = sum(r * r / f for r, f in zip(taken.write_shares, taken.page_shares, strict=True))
    assert naive > 1 + 0.4 / mean


def test_two_temperatures_are_found_again():
    rng = np.random.default_rng(4)
    counts = np.concatenate([rng.poisson(18, 20_000), rng.poisson(0.5 * 18 / 16, 80_000)])
    found = estimated_classes(counts[counts > 0])
    hot = np.array(found.write_shares) / found.page_shares > 1
    assert np.array(found.write_shares)[hot].sum() == pytest.approx(0.8889, abs=0.02)
    assert np.array(found.page_shares)[hot].sum() == pytest.approx(0.2, abs=0.02)


def test_rates_are_over_every_minute_idle_ones_too():
    rows = [f"{t},W,{4096 * t},4096" for t in range(60)]  # a busy minute
    rows += [f"{60 * 149},W,0,8192"]  # 148 idle ones, and a last with one write
    data = ("time_s,op,offset,size\n" + "\n".join(rows)).encode()
    minute = trace(io.BytesIO(data)).workload.minute
    assert minute.periods == 150
    assert minute.mean_bytes_per_s == pytest.approx(62 * 4096 / (150 * 60))
    assert minute.p99_bytes_per_s == pytest.approx(8192 / 60)  # the 149th of 150
    assert minute.max_bytes_per_s == pytest.approx(4096)


def test_figures_of_a_trace_counted_by_hand():
    data = b"""time_s,op,offset,size
0,W,0,8192
1,W,8192,4096
2,R,0,4096
3,W,100,200
4,D,8192,4096
10,R,40960,8192
"""
    found = trace(io.BytesIO(data)).workload
    assert (found.reads, found.writes, found.trims, found.span_s) == (2, 3, 1, 10)
    assert found.host_bytes == 8192 + 4096 + 200
    assert found.footprint_bytes == 5 * 4096
    assert found.written_footprint_bytes == 3 * 4096
    assert found.mapping_factor == pytest.approx(4 * 4096 / found.host_bytes)
    assert found.read_fraction == pytest.approx(2 / 5)
    assert found.trim_share == pytest.approx(1 / 4)
    assert found.sequential_fraction == pytest.approx(4096 / found.host_bytes)
    assert found.overwrites == pytest.approx(4 / 3)
    assert found.rewrite_interval_bytes == (3 * 4096,) * 3
    assert dict(found.write_sizes) == pytest.approx({256: 1 / 3, 4096: 1 / 3, 8192: 1 / 3})


def test_the_mapping_unit_is_the_callers():
    found = trace(io.BytesIO(csv_of(np.arange(16))), page_bytes=16384)
    assert found.writes.counts.tolist() == [4, 4, 4, 4]
    assert found.workload.mapping_factor == pytest.approx(4)


def test_a_trace_without_writes_says_so():
    found = trace(io.BytesIO(b"time_s,op,offset,size\n0,R,0,4096\n1,R,4096,4096\n"))
    assert found.workload.notes == ("The trace contains no write.",)
    assert isinstance(found.writes, PageWrites)
