"""Lifetimes of traced pages: simulated drives, closed forms, identities and laws."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from models import registry
from models.errors import DomainError
from models.simulator import Config, Trace, run
from models.write_amplification import (
    from_survival,
    greedy,
    held_level,
    lifetime_levels,
    shared_fate,
    skewed,
    with_shared_fate,
)

PAGES = 8_000
RNG = np.random.default_rng(4)


def cyclic_lifetimes(pages):
    """Writes until the next write of the same page, the trace repeated: page by page."""
    last, found = {}, np.zeros(pages.size)
    for at in range(2 * pages.size):
        page = int(pages[at % pages.size])
        if page in last:
            found[last[page] % pages.size] = at - last[page]
        last[page] = at
    return found


def simulated(pages, policy, blocks, size):
    drive = Config(
        pages_per_block=size,
        blocks=blocks,
        logical_pages=PAGES,
        policy=policy,
        workload=Trace(pages),
        fill="sequential",
        warmup_overwrites=40,
        measured_overwrites=20,
    )
    return run(drive).wa, (blocks - 1) * size / PAGES - 1


def hot_cold():
    hot = RNG.random(10 * PAGES) < 0.8
    cold = RNG.integers(PAGES // 5, PAGES, hot.size)
    return np.where(hot, RNG.integers(0, PAGES // 5, hot.size), cold)


def bursts(share, length):
    """Runs of pages at random in one part, and on around the other."""
    random = np.repeat(RNG.random(10 * PAGES // length) < share, length)
    held = int(share * PAGES)
    on = held + (np.cumsum(~random) - 1) % (PAGES - held)
    return np.where(random, RNG.integers(0, held, random.size), on)


@pytest.mark.parametrize("blocks", [300, 350])
@pytest.mark.parametrize("pages", [RNG.integers(0, PAGES, 8 * PAGES), hot_cold()], ids=["1", "2"])
def test_levels_of_random_writes_are_those_of_a_simulated_drive(pages, blocks):
    """All lie together, and the drive that cleans its oldest block is at them."""
    allowed = registry.CHECKED["lifetime_levels"].error
    wa, op_ratio = simulated(pages, "fifo", blocks, 32)
    levels = lifetime_levels(op_ratio, lifetimes=cyclic_lifetimes(pages))
    assert np.array(levels) == pytest.approx(wa, rel=allowed)


@pytest.mark.parametrize("share", [0.3, 0.6])
@pytest.mark.parametrize("length", [128, 256])
def test_bursts_are_met_far_better_with_shared_fates(share, length):
    entry = registry.CHECKED["with_shared_fate"]
    pages = bursts(share, length)
    lifetimes = cyclic_lifetimes(pages)
    wa, op_ratio = simulated(pages, "greedy", 320, 32)
    longer = (1 + 1 / 64) * (1 + op_ratio) - 1
    alone = held_level(lifetime_levels(longer, lifetimes=lifetimes), random_fraction=share)
    got = with_shared_fate(alone, op_ratio=op_ratio, lifetimes=lifetimes, pages_per_block=32)
    assert got == pytest.approx(wa, rel=entry.error)
    around = (math.floor(100 * op_ratio) / 100, math.ceil(100 * op_ratio) / 100)
    assert entry.ranges == {"op_ratio": around, "pages_per_block": (32, 32)}
    assert abs(got - wa) < 0.5 * abs(alone - wa)


@pytest.mark.parametrize("op_ratio", [0.1, 0.28, 0.8])
def test_drawn_lifetimes_give_what_survival_gives(op_ratio):
    """Two classes of exponential lifetimes: the formulas for classes and for survival."""
    fast = RNG.random(400_000) < 0.8
    drawn = np.where(fast, 0.25, 4.0) * RNG.exponential(size=fast.size)
    (level,) = lifetime_levels(op_ratio, lifetimes=drawn)
    (known,) = from_survival(
        op_ratio, survival=lambda t: 0.8 * np.exp(-4 * t) + 0.2 * np.exp(-t / 4), longest=80.0
    )
    assert level == pytest.approx(known, rel=0.01)
    classes = skewed(op_ratio, write_shares=[0.8, 0.2], page_shares=[0.2, 0.8])
    assert level == pytest.approx(classes, rel=0.01)


@settings(max_examples=25)
@given(st.floats(0.02, 2))
def test_one_stream_around_has_levels_at_whole_numbers_of_rounds(op_ratio):
    """Pages that live alike: tau ceil(1 / tau) = 1 + p, which 1 / n solves for no p > 0 but 1."""
    levels = lifetime_levels(op_ratio, lifetimes=np.ones(10))
    assert levels[0] == pytest.approx(1)


@settings(max_examples=25)
@example([0.0] * 5 + [1.0, 1.5, 1.5625, 1.53125, 2.28125], 0.05, 0.25)
@given(st.lists(st.floats(0, 9), min_size=1, max_size=40).filter(lambda life: sum(life) > 0.1),
       st.floats(0.05, 2), st.sampled_from([0.25, 2.0, 1024.0]))  # fmt: skip
def test_levels_solve_their_equation_in_any_unit(lifetimes, op_ratio, unit):
    values = np.array(lifetimes)
    levels = lifetime_levels(op_ratio, lifetimes=values)
    assert list(levels) == sorted(levels)
    assert levels == lifetime_levels(op_ratio, lifetimes=unit * values)
    for level in levels:
        ages = (1 + op_ratio) / level * np.linspace(0.98, 1.02, 81)[:, None]
        held = ages[:, 0] * np.maximum(np.ceil(values / values.mean() / ages), 1).mean(axis=1)
        # At a jump the level is found to the 1e-9 by which the formula tells steps apart.
        assert held.min() <= (1 + op_ratio) * (1 + 1e-8)
        assert held.max() >= (1 + op_ratio) * (1 - 1e-8)


@given(st.lists(st.floats(1, 20), min_size=1, max_size=9), st.floats(0, 1), st.floats(0, 1))
def test_a_level_is_held_the_less_the_more_is_random(found, some, more):
    levels = sorted(found)
    some, more = sorted([some, more])
    calm, blurred = (held_level(levels, random_fraction=share) for share in (some, more))
    assert calm <= blurred
    assert {calm, blurred} <= set(levels[::2])


@given(st.integers(2, 40), st.floats(0.05, 0.95), st.randoms(use_true_random=False))
def test_fates_at_random_are_not_shared_and_whole_blocks_share_them(size, share, random):
    rng = np.random.default_rng(random.getrandbits(32))
    alive = rng.random(200) < share
    alive[:2] = True, False
    assert shared_fate(np.repeat(alive, size), pages_per_block=size) == pytest.approx(1)
    assert shared_fate(rng.random(400 * size) < share, pages_per_block=size) < 0.25


def test_the_share_of_fates_is_that_which_was_drawn():
    """Of each block a share of pages follows the block, the others chance: rho is its square."""
    blocks, size = 6400, 64
    leader = np.repeat(RNG.random(blocks) < 0.4, size)
    follows = RNG.random(leader.size) < 0.7
    fates = np.where(follows, leader, RNG.random(leader.size) < 0.4)
    assert shared_fate(fates, pages_per_block=size) == pytest.approx(0.49, abs=0.02)


def test_a_slow_wave_over_all_blocks_is_no_choice():
    wave = (np.arange(64 * 64 * 40) // (64 * 64 * 10)) % 2 == 0
    assert shared_fate(wave, pages_per_block=64) == 0


@given(st.floats(1.05, 8), st.floats(0.05, 1))
def test_independent_fates_change_nothing(wa, op_ratio):
    lifetimes = np.random.default_rng(1).exponential(size=6400)
    got = with_shared_fate(wa, op_ratio=op_ratio, lifetimes=lifetimes, pages_per_block=64)
    assert got == wa


def test_blocks_of_one_fate_count_as_single_pages():
    lifetimes = np.repeat(np.random.default_rng(1).exponential(size=3200), 64)
    call = {"op_ratio": 0.28, "lifetimes": lifetimes, "pages_per_block": 64}
    uniform = greedy(0.28, pages_per_block=64)
    assert with_shared_fate(uniform, **call) == pytest.approx(1, abs=0.01)


def test_halves_of_blocks_of_one_fate_count_as_two_pages():
    lifetimes = np.repeat(np.random.default_rng(1).exponential(size=64_000), 32)
    call = {"op_ratio": 0.28, "lifetimes": lifetimes, "pages_per_block": 64}
    ratio = greedy(0.28, pages_per_block=2) / greedy(0.28, pages_per_block=64)
    assert with_shared_fate(2.4, **call) == pytest.approx(2.4 * ratio, rel=0.03)


@pytest.mark.parametrize(
    ("call", "statement"),
    [
        (lambda: lifetime_levels(0, lifetimes=[1]), "op_ratio must be"),
        (lambda: lifetime_levels(0.1, lifetimes=[1, -1]), "lifetimes must be"),
        (lambda: lifetime_levels(0.1, lifetimes=[0, 0]), "lifetimes must be"),
        (lambda: lifetime_levels(0.1, lifetimes=[np.nan]), "lifetimes must be"),
        (lambda: lifetime_levels(0.1, lifetimes=[]), "lifetimes must be a list"),
        (lambda: lifetime_levels(0.1, lifetimes=[[1, 2]]), "lifetimes must be a list"),
        (lambda: lifetime_levels(0.1, lifetimes=[-1, 3]), "lifetimes must be >= 0"),
        (lambda: lifetime_levels(0.1, lifetimes=[1, np.inf]), "lifetimes must be >= 0"),
        (lambda: held_level([], random_fraction=0), "levels must be"),
        (lambda: held_level([2, 1], random_fraction=0), "levels must be"),
        (lambda: held_level([1], random_fraction=2), "random_fraction must be"),
        (lambda: shared_fate([0.5], pages_per_block=2), "survived must be"),
        (lambda: shared_fate([1], pages_per_block=1), "pages_per_block must be"),
        (lambda: with_shared_fate(0.5, op_ratio=1, lifetimes=[1], pages_per_block=4), "wa must"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(call, statement):
    with pytest.raises(DomainError, match=f"^{statement}"):
        call()


def test_drives_may_write_two_pages_at_a_time():
    one, two = (
        with_shared_fate(2, op_ratio=0.28, lifetimes=[1, 2], pages_per_block=2, written_pages=pages)
        for pages in (None, 2)
    )
    assert one == two
