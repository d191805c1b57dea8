"""Properties of flush sharing, classes of pages, the page store and trees under skew."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import application
from models.application import (
    Access,
    Checkpoint,
    Log,
    Relation,
    aged_pages,
    closed_commits_per_flush,
    commits_per_flush,
    leveled_wa,
    page_store,
    skewed_wa,
    uniform,
    unique_pages,
    zipf,
)

RATES = st.floats(0.01, 1e5)
FLUSHES = st.floats(1e-6, 0.05)
CLIENTS = st.floats(1, 1e3)
PAGES = st.floats(2, 1e9)
CHANGES = st.floats(1, 1e10)
EXPONENTS = st.floats(0, 1.6)
ROWS = st.floats(100, 1e10)
HELD = st.floats(1, 60)


@given(RATES, FLUSHES, CLIENTS)
def test_commits_that_share_a_flush_are_from_1_to_the_clients(rate, flush_s, clients):
    for shared in (
        commits_per_flush(rate, flush_s=flush_s, clients=clients),
        closed_commits_per_flush(clients, flush_s=flush_s, think_s=1 / rate),
    ):
        assert 1 <= shared <= max(1, clients)
    assert commits_per_flush(rate, flush_s=1e-12, clients=clients) == pytest.approx(1, abs=1e-6)


@given(RATES, FLUSHES)
def test_many_clients_that_pause_commit_at_random(rate, flush_s):
    many = 1e6 * max(1, rate * flush_s)
    closed = closed_commits_per_flush(many, flush_s=flush_s, think_s=many / rate)
    assert closed == pytest.approx(commits_per_flush(rate, flush_s=flush_s, clients=many), rel=1e-3)


@pytest.mark.parametrize("clients", [2, 8, 32])
@pytest.mark.parametrize("pauses", [0.1, 1, 10])
def test_closed_clients_share_as_in_a_simulation(clients, pauses):
    """Each commits, waits for the flush that takes it, pauses, and commits again."""
    chance = np.random.default_rng(5)
    pause = pauses * 1e-3
    next_commit = chance.exponential(pause, clients)
    now, committed, flushes = 0.0, 0, 6000
    for _ in range(flushes):
        now = max(now, next_commit.min())
        taken = next_commit <= now
        committed += taken.sum()
        now += 1e-3
        next_commit[taken] = now + chance.exponential(pause, taken.sum())
    formula = closed_commits_per_flush(clients, flush_s=1e-3, think_s=pause)
    assert formula == pytest.approx(committed / flushes, rel=0.02)


@given(PAGES, CHANGES)
def test_ages_write_less_than_checkpoints_and_those_less_than_each_change(pages, changes):
    access = uniform(pages)
    by_checkpoint = unique_pages(changes, access=access) / changes
    assert aged_pages(changes, access=access) <= by_checkpoint * (1 + 1e-9) <= 1 + 2e-9


@given(ROWS, EXPONENTS, HELD, CHANGES, st.floats(0.01, 0.99))
def test_classes_of_one_rate_are_one_class(rows, exponent, held, changes, part):
    shares, pages = zipf(rows, exponent=exponent, rows_per_page=held, is_scattered=1)
    split = Access(
        np.concatenate([part * shares, (1 - part) * shares]),
        np.concatenate([part * pages, (1 - part) * pages]),
    )
    for of in (unique_pages, aged_pages, application.leaving_fraction):
        whole = of(changes, access=Access(shares, pages))
        assert of(changes, access=split) == pytest.approx(whole, rel=1e-9, abs=1e-12)


@given(ROWS, EXPONENTS, HELD, CHANGES)
def test_hot_rows_apart_touch_no_fewer_pages_than_hot_rows_together(rows, exponent, held, changes):
    apart, together = (
        unique_pages(
            changes, access=zipf(rows, exponent=exponent, rows_per_page=held, is_scattered=place)
        )
        for place in (1, 0)
    )
    assert together <= apart * 1.02


@given(ROWS, EXPONENTS, HELD)
def test_shares_and_pages_add_up(rows, exponent, held):
    for place in (0, 1):
        shares, pages = zipf(rows, exponent=exponent, rows_per_page=held, is_scattered=place)
        assert shares.sum() == pytest.approx(1)
        assert pages.sum() == pytest.approx(max(rows / held, 1))
        assert np.all(shares >= -1e-12)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("exponent", [0.5, 0.99, 1, 1.2])
def test_classes_touch_the_pages_of_rows_one_by_one(exponent, place):
    """40,000 rows on 1,000 pages, each rank by itself: neighbours together, or dealt out."""
    rows, held, changes = 40_000, 40, 3_000
    weights = np.arange(1.0, rows + 1) ** -exponent
    weights /= weights.sum()
    ranks = np.arange(rows)
    of_page = np.bincount(ranks % (rows // held) if place else ranks // held, weights=weights)
    exact = np.sum(-np.expm1(-changes * of_page))
    access = zipf(rows, exponent=exponent, rows_per_page=held, is_scattered=place)
    assert unique_pages(changes, access=access) == pytest.approx(exact, rel=0.015)


def test_hot_rows_placed_by_chance_meet_on_pages_which_costs_a_tenth_at_most():
    rows, held, changes = 40_000, 40, 3_000
    for exponent, most in ((0.5, 1.01), (0.99, 1.06), (1.2, 1.1)):
        weights = np.arange(1.0, rows + 1) ** -exponent
        weights /= weights.sum()
        order = np.random.default_rng(3).permutation(rows)
        of_page = np.bincount(order // held, weights=weights)
        exact = np.sum(-np.expm1(-changes * of_page))
        access = zipf(rows, exponent=exponent, rows_per_page=held, is_scattered=1)
        assert exact <= unique_pages(changes, access=access) <= most * exact


def device_bytes(flush_s, **changes):
    relation = Relation(uniform(1e5), touches=1.0, image_bytes=7000.0)
    flushes = 500 / commits_per_flush(500, flush_s=flush_s, clients=64)
    given_ = {"relations": [relation], "log": Log(340, 8192), "checkpoint": Checkpoint(300, 1e9)}
    return page_store(500, flushes_per_s=flushes, **(given_ | changes)).device_bytes_per_s


@given(FLUSHES, FLUSHES)
def test_a_slower_flush_never_writes_more(one, other):
    quick, slow = sorted([one, other])
    assert device_bytes(slow) <= device_bytes(quick) * (1 + 1e-12)


@given(st.floats(10, 1e5), st.floats(1e7, 1e11), PAGES)
def test_a_checkpoint_comes_when_the_log_is_full_or_by_time(rate, limit, pages):
    relation = Relation(uniform(pages), touches=1.0, image_bytes=7000.0)
    rates = page_store(
        rate, flushes_per_s=rate, relations=[relation], log=Log(340),
        checkpoint=Checkpoint(timeout_s=300, log_bytes=limit),
    )  # fmt: skip
    log = rates.log_bytes_per_s * rates.cycle_s
    assert rates.cycle_s <= 300
    assert log == pytest.approx(limit, rel=1e-9) or (rates.cycle_s == 300 and log < limit)


def test_draws_are_evaluated_together_as_one_by_one():
    pages, hits = np.array([1e3, 1e5, 1e7]), np.array([1.0, 0.5, 0.1])
    rates = np.array([10.0, 500.0, 9000.0])

    def of(rate, count, hit):
        relation = Relation(uniform(count), touches=1.0, image_bytes=7e3, hit_ratio=hit)
        return page_store(
            rate, flushes_per_s=rate / 2, relations=[relation], log=Log(340),
            checkpoint=Checkpoint(300, 1e9),
        )  # fmt: skip

    together = of(rates, pages, hits)
    for place, one in enumerate(zip(rates, pages, hits, strict=True)):
        np.testing.assert_allclose([part[place] for part in together], of(*one), rtol=1e-9)


@pytest.mark.parametrize(("live", "size"), [(4e7, 2**22), (5e11, 2**28)])
@pytest.mark.parametrize("ratio", [4, 8, 10])
def test_one_class_of_rows_is_a_tree_without_skew(live, size, ratio):
    levels = {"trigger_bytes": size, "base_bytes": size, "level_ratio": ratio}
    plain = leveled_wa(live, updated_fraction=1, log_factor=0, **levels)
    assert skewed_wa(live, access=uniform(1e6), **levels) == pytest.approx(plain, rel=0.04)


@given(st.floats(0.05, 1.2), st.floats(0.05, 0.4))
def test_more_skew_never_costs_a_tree_more(exponent, more):
    levels = {"trigger_bytes": 4e6, "base_bytes": 4e6, "level_ratio": 10}
    less, most = (
        skewed_wa(4e7, access=zipf(2e5, exponent=s, rows_per_page=1, is_scattered=0), **levels)
        for s in (exponent, exponent + more)
    )
    assert most <= less * (1 + 1e-9)


@given(st.floats(1, 1e4), st.integers(1, 50), st.floats(1, 5000))
def test_flushing_every_commit_never_writes_less(changed, pages, checkpoint):
    both = [
        application.wal_bytes(
            changed, db_page_bytes=4096, checkpoint_pages=checkpoint, copied_pages=pages,
            synced_fraction=part,
        ).device_bytes
        for part in (0, 1)
    ]  # fmt: skip
    assert both[0] <= both[1]


@given(rate=st.floats(10, 2000), flush_s=st.floats(1e-4, 1e-2), scv=st.floats(0.05, 4))
def test_flushes_that_vary_are_shared_by_more_and_as_a_simulation_says(rate, flush_s, scv):
    """A flush takes all that came in the one before it, or else the next one to come."""
    fixed, varying = (
        commits_per_flush(rate, flush_s=flush_s, clients=1e9, flush_scv=each) for each in (0, scv)
    )
    assert varying >= fixed
    chance = np.random.default_rng(7)
    times = chance.gamma(1 / scv, scv * flush_s, 20_000)
    taken = np.maximum(chance.poisson(rate * times), 1)
    error = 5 * taken.std() / len(taken) ** 0.5
    assert taken.mean() == pytest.approx(varying, abs=error + 1e-3)
