"""Write amplification of traces: the model against the replay of the very trace."""

import io

import numpy as np
import pytest

from models.errors import DomainError
from models.write_amplification import fifo, greedy, trimmed_op_ratio
from planner.simulation.trace_wa import predict_wa, replay_trace, trace_wa
from planner.telemetry.traces import PageWrites, trace
from tests.planner.telemetry.traces.samples import csv_of
from tests.telemetry_samples import files

PAGES = 30_000
AGREES = 0.05


def writes(pages):
    numbers = np.unique(pages, return_inverse=True)[1].astype(np.uint32)
    return PageWrites(
        pages=numbers, trims=np.zeros(numbers.size, bool), one_in=1.0, written=numbers.size
    )


def hot_cold(share, on, overwrites):
    rng = np.random.default_rng(7)
    hot = rng.random(overwrites * PAGES) < share
    return np.where(
        hot,
        rng.integers(0, int(on * PAGES), hot.size),
        rng.integers(int(on * PAGES), PAGES, hot.size),
    )


def zipf(exponent, overwrites):
    rng = np.random.default_rng(8)
    weights = np.arange(1, PAGES + 1) ** -exponent
    ranks = np.searchsorted(np.cumsum(weights) / weights.sum(), rng.random(overwrites * PAGES))
    return rng.permutation(PAGES)[np.minimum(ranks, PAGES - 1)]


def mixed(random_writes, random_pages, overwrites=10):
    rng = np.random.default_rng(9)
    random = rng.random(overwrites * PAGES) < random_writes
    held = int(random_pages * PAGES)
    pages = held + (np.cumsum(~random) - 1) % (PAGES - held)
    return np.where(random, rng.integers(0, held, random.size), pages)


CASES = {
    "zipf 0.99": zipf(0.99, 10),
    "zipf 1.2": zipf(1.2, 10),
    "80/20": hot_cold(0.8, 0.2, 8),
    "90/10": hot_cold(0.9, 0.1, 15),
    "uniform": hot_cold(0.5, 0.5, 4),
    "half sequential": mixed(0.5, 0.5),
    "mostly sequential": mixed(0.2, 0.2),
    "sequential log beside data": mixed(0.2, 0.8),
    "sequential": np.arange(4 * PAGES) % PAGES,
}


@pytest.mark.parametrize("op_ratio", [0.15, 0.28])
@pytest.mark.parametrize("name", CASES)
def test_the_model_agrees_with_the_replay(name, op_ratio):
    got = replay_trace(writes(CASES[name]), op_ratio=op_ratio, pages_per_block=128)
    assert abs(got.error) < AGREES, (got.model, got.wa)


def test_the_model_agrees_with_the_replay_of_the_oldest_block():
    got = replay_trace(writes(CASES["80/20"]), op_ratio=0.28, pages_per_block=64, policy="fifo")
    assert abs(got.error) < AGREES


def test_tpcc_agrees_or_says_why_not():
    found = trace(io.BytesIO(files()["traces/mqsim_tpcc-small.trace"]))
    for op_ratio in (0.15, 0.28, 0.374, 0.5):
        got = trace_wa(*found, op_ratio=op_ratio, simulate=True)
        assert abs(got.replayed.error) < AGREES
    tight = trace_wa(*found, op_ratio=0.0995, simulate=True)
    assert abs(tight.replayed.error) > AGREES
    assert "stable levels" in tight.notes[-1]


def test_a_long_random_trace_gives_what_the_formulas_give():
    """Uniform writes, 20 to a page: chance removed, the closed form."""
    rng = np.random.default_rng(10)
    found = trace(io_of(rng.integers(0, 5000, 100_000)))
    got = trace_wa(*found, op_ratio=0.28)
    assert got.lasting_wa == pytest.approx(fifo(0.28), rel=0.005)
    assert got.predicted.wa == pytest.approx(fifo(0.28), rel=0.05)
    sized = trace_wa(*found, op_ratio=0.28, pages_per_block=64)
    assert sized.lasting_wa == pytest.approx(greedy(0.28, pages_per_block=64), rel=0.005)
    assert got.apart_wa <= got.host_gc_wa <= got.lasting_wa


def io_of(pages):
    return io.BytesIO(csv_of(pages))


def test_one_stream_around_costs_nothing():
    assert predict_wa(writes(CASES["sequential"]), op_ratio=0.1).wa == pytest.approx(1)


def test_trims_leave_more_room():
    pages = CASES["uniform"][:60_000]
    plain = writes(pages)
    trims = np.zeros(2 * pages.size, bool)
    trims[1::2] = np.arange(pages.size) % 2 == 0
    both = np.repeat(plain.pages, 2)
    kept = trims | (np.arange(both.size) % 2 == 0)
    freed = PageWrites(pages=both[kept], trims=trims[kept], one_in=1.0, written=pages.size)
    assert predict_wa(freed, op_ratio=0.28).wa < predict_wa(plain, op_ratio=0.28).wa


def trimming(draw, share, run):
    """Writes, and trims of runs of pages: a share of the requests, one page each, if `run` is 1."""
    rng = np.random.default_rng(11)
    pages, trims = [], []
    for page in draw:
        if rng.random() < share / run:
            start = rng.integers(PAGES // run) * run
            pages += range(start, start + run)
            trims += [True] * run
        pages.append(page)
        trims.append(False)
    pages, trims = np.array(pages), np.array(trims)
    known = np.isin(pages, pages[~trims])
    numbers = np.unique(pages[known], return_inverse=True)[1].astype(np.uint32)
    kept = trims[known]
    return PageWrites(pages=numbers, trims=kept, one_in=1.0, written=int((~kept).sum()))


@pytest.mark.parametrize("run", [1, 64])
@pytest.mark.parametrize(("share", "frees"), [(0.1, 0.05), (0.4, 0.15)])
@pytest.mark.parametrize("name", ["80/20", "uniform"])
def test_the_model_agrees_with_the_replay_of_trims(name, share, frees, run):
    writes_and_trims = trimming(CASES[name].tolist(), share, run)
    got = replay_trace(writes_and_trims, op_ratio=0.15, pages_per_block=64)
    assert abs(got.error) < 0.01
    assert got.model.in_use_fraction < 1 - frees
    without = predict_wa(writes(CASES[name]), op_ratio=0.15, pages_per_block=64)
    assert got.wa < 0.9 * without.wa


def test_the_long_run_counts_what_trims_free():
    """Uniform writes and trims: the closed form of trims at random."""
    rng = np.random.default_rng(12)
    lines = ["op,offset,size"]
    held = np.zeros(500, bool)
    for page in rng.integers(0, held.size, 60_000).tolist():
        if held.any() and rng.random() < 0.2:
            gone = int(rng.choice(np.flatnonzero(held)))
            held[gone] = False
            lines.append(f"trim,{gone * 4096},4096")
        else:
            held[page] = True
            lines.append(f"write,{page * 4096},4096")
    found = trace(io.BytesIO("\n".join(lines).encode()))
    got = trace_wa(*found, op_ratio=0.28, pages_per_block=64)
    spare = trimmed_op_ratio(0.28, trim_share=0.2)
    assert got.lasting_wa == pytest.approx(greedy(spare, pages_per_block=64), rel=0.01)
    assert got.predicted.wa == pytest.approx(greedy(spare, pages_per_block=64), rel=0.02)


def test_a_page_that_is_trimmed_as_soon_as_it_is_written_costs_nothing():
    pages = np.repeat(np.arange(200, dtype=np.uint32), 2)
    trims = np.arange(400) % 2 == 1
    gone = PageWrites(pages=pages, trims=trims, one_in=1.0, written=200)
    assert predict_wa(gone, op_ratio=0.07).wa == 1
    assert replay_trace(gone, op_ratio=0.5, pages_per_block=16).wa == 1


def test_bursts_are_cheaper_than_single_pages():
    """Runs of 512 sequential pages beside runs of 512 random ones: the estimate is rough."""
    rng = np.random.default_rng(13)
    random = np.repeat(rng.random(10 * PAGES // 512) < 0.5, 512)
    half = PAGES // 2
    pages = np.where(random, rng.integers(0, half, random.size), half + np.cumsum(~random) % half)
    got = replay_trace(writes(pages), op_ratio=0.28, pages_per_block=64)
    assert got.model.shared_fate > 0.1
    assert abs(got.error) < 0.25
    assert got.wa < 0.65 * got.model.class_wa
    alone = predict_wa(writes(CASES["half sequential"]), op_ratio=0.28, pages_per_block=64)
    assert alone.shared_fate == 0


def test_a_trace_without_writes_is_refused():
    found = trace(io_of(np.arange(4)))
    empty = PageWrites(pages=np.empty(0, np.uint32), trims=np.empty(0, bool), one_in=1.0, written=0)
    with pytest.raises(DomainError, match="trace must contain a write"):
        trace_wa(found.workload, empty, op_ratio=0.28)
