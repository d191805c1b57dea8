"""Reserve, frontiers and the factors beside garbage collection."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import DomainError
from models.units import YEAR_S
from models.write_amplification import (
    background_wa,
    coalesced,
    compressed_op_ratio,
    effective_blocks,
    fifo,
    folded_wa,
    greedy,
    indirection_factor,
    levelling_factor,
    map_factor,
    rain_factor,
    reserved_op_ratio,
    spread_factor,
    unfilled_blocks,
)
from tests.published import Printed


def settled(formula, op_ratio, blocks, reserve, frontiers):
    """The write amplification that agrees with the unfilled space that it makes."""
    wa = 1.0
    for _ in range(20):
        unfilled = unfilled_blocks(wa, frontiers=frontiers)
        wa = formula(
            reserved_op_ratio(op_ratio, blocks=blocks, reserve=reserve, unfilled_blocks=unfilled)
        )
    return wa


# Superblocks, reserve, and write amplification printed for p = 0.127 over all of them, host
# writes and copies apart; 4.617 without.
@pytest.mark.parametrize(
    ("blocks", "reserve", "printed"),
    [(330, 2, "4.913"), (330, 4, "5.171"), (1000, 4, "4.785"), (4000, 8, "4.694")],
)
def test_few_superblocks_cost(blocks, reserve, printed):
    assert Printed(printed).admits(settled(fifo, 0.127, blocks, reserve, 2))
    assert Printed("4.617").admits(fifo(0.127))


# Page-level simulation, p = 0.07 with the reserve deducted, 128 pages per block, separate
# frontiers; then one frontier and 64 pages, 0.27 % below the simulation.
@pytest.mark.parametrize(("blocks", "simulated"), [(200, 7.683), (1000, 7.447), (4000, 7.404)])
def test_separate_frontiers_agree_with_simulation(blocks, simulated):
    op_ratio = 1.07 * blocks / (blocks - 2) - 1
    got = settled(lambda p: greedy(p, pages_per_block=128), op_ratio, blocks, 2, 2)
    assert got == pytest.approx(simulated, rel=6e-4)


def test_the_reserve_alone_changes_nothing_once_deducted():
    got = [
        settled(lambda p: greedy(p, pages_per_block=128), 1.07 * 1000 / (1000 - r) - 1, 1000, r, 1)
        for r in (1, 4, 16, 64)
    ]
    np.testing.assert_allclose(got, 7.397, rtol=6e-4)


def test_blocks_and_spare_are_the_same_account():
    unfilled = unfilled_blocks(5.0, frontiers=2)
    left = effective_blocks(330, reserve=4, wa=5.0, frontiers=2)
    spare = reserved_op_ratio(0.127, blocks=330, reserve=4, unfilled_blocks=unfilled)
    assert unfilled == pytest.approx(0.6, rel=1e-12)
    assert left == pytest.approx(325.4, rel=1e-12)
    assert 1 + spare == pytest.approx(1.127 * left / 330, rel=1e-12)


@given(st.floats(0.05, 3), st.integers(200, 10_000), st.floats(0, 4), st.floats(1, 20))
def test_what_is_taken_is_never_spare(op_ratio, blocks, reserve, wa):
    unfilled = unfilled_blocks(wa)
    spare = reserved_op_ratio(op_ratio, blocks=blocks, reserve=reserve, unfilled_blocks=unfilled)
    assert 0 < spare < op_ratio
    assert unfilled <= 0.5
    assert unfilled_blocks(wa, frontiers=2) == pytest.approx(unfilled + 0.5, rel=1e-12)


def test_a_drive_without_spare_for_its_reserve_is_refused():
    with pytest.raises(DomainError, match=r"^op_ratio must be more than reserve"):
        reserved_op_ratio(0.07, blocks=100, reserve=8, unfilled_blocks=0.5)
    with pytest.raises(DomainError, match=r"^op_ratio must be more than"):  # the reserve is all
        reserved_op_ratio(1.0, blocks=2, reserve=1, unfilled_blocks=0)
    with pytest.raises(DomainError, match=r"^blocks must be more than reserve"):
        effective_blocks(4, reserve=4, wa=2.0)
    with pytest.raises(DomainError, match=r"^frontiers must be 1 or 2"):
        unfilled_blocks(2.0, frontiers=3)
    with pytest.raises(DomainError, match=r"^wa must be >= 1"):
        unfilled_blocks(0.5)


KIB = 1024


@pytest.mark.parametrize(
    ("transfer", "unit", "alignment", "printed"),
    [(4, 16, 4, "4"), (64, 16, 4, "1.19"), (4, 64, 4, "16"), (64, 16, 16, "1"), (8, 16, 8, "2")],
)
def test_indirection_as_printed(transfer, unit, alignment, printed):
    got = indirection_factor(transfer * KIB, unit_bytes=unit * KIB, alignment_bytes=alignment * KIB)
    assert Printed(printed).admits(got)


@given(st.integers(1, 200), st.integers(1, 60), st.integers(1, 60))
def test_indirection_by_counting_the_units_that_every_start_touches(size, unit, alignment):
    starts = [alignment * i for i in range(unit)]
    touched = [(start + size - 1) // unit - start // unit + 1 for start in starts]
    got = indirection_factor(size, unit_bytes=unit, alignment_bytes=alignment)
    assert got == pytest.approx(np.mean(touched) * unit / size, rel=1e-12)
    assert got >= 1


# A buffer of 5 % of the pages at 90/10: hits by theory and by simulation.
def test_a_buffer_catches_hot_writes():
    hits, writes = coalesced(0.05, write_shares=[0.9, 0.1], page_shares=[0.1, 0.9])
    assert Printed("0.4365").admits(hits[0])
    assert Printed("0.0071").admits(hits[1])
    np.testing.assert_allclose(hits, [0.4371, 0.0073], atol=7e-4)
    left = 0.9 * (1 - hits[0]) + 0.1 * (1 - hits[1])
    np.testing.assert_allclose(writes, [0.9 * (1 - hits[0]) / left, 0.1 * (1 - hits[1]) / left])


shares = st.lists(st.tuples(st.floats(0.02, 1), st.floats(0.02, 1)), min_size=1, max_size=6)


@given(st.floats(1e-9, 0.999), shares)
def test_the_buffer_holds_what_hits(buffered, pairs):
    writes, pages = np.array(pairs).T
    hits, after = coalesced(buffered, write_shares=writes, page_shares=pages)
    assert hits @ pages / pages.sum() == pytest.approx(buffered, rel=1e-9)
    assert after.sum() == pytest.approx(1, rel=1e-12)
    rates, flattened = writes / pages, after / writes
    for hotter, colder in zip(np.argsort(rates)[1:], np.argsort(rates)[:-1], strict=True):
        assert hits[hotter] >= hits[colder] * (1 - 1e-12)
        assert flattened[hotter] <= flattened[colder] * (1 + 1e-12)


@given(st.floats(1e-6, 0.99), st.lists(st.floats(0.02, 1), min_size=1, max_size=4))
def test_uniform_writes_hit_by_the_share_buffered(buffered, pages):
    hits, _ = coalesced(buffered, write_shares=pages, page_shares=pages)
    np.testing.assert_allclose(hits, buffered, rtol=1e-9)


@pytest.mark.parametrize("bad", [0.0, -1.0, 1.0, 0.6, np.nan, [0.1, 0.2]])
def test_a_buffer_larger_than_what_is_written_is_refused(bad):
    with pytest.raises(DomainError, match=r"^buffered_fraction must be"):
        coalesced(bad, write_shares=[1, 0], page_shares=[0.5, 0.5])


def test_bookkeeping_factors():
    assert rain_factor(16) == pytest.approx(16 / 15, rel=1e-15)
    assert (map_factor(8, unit_bytes=4096) - 1) * 100 == pytest.approx(0.2, abs=0.005)
    assert levelling_factor(0.5, erases_per_move=50) == pytest.approx(1.01, rel=1e-15)
    assert spread_factor(0.5, spread_cycles=50) == pytest.approx(1.01, rel=1e-15)
    wear = folded_wa(2.0, absorbed_fraction=0.25, bits_per_cell=4, relative_wear=0.125)
    assert wear == pytest.approx(0.75 * 2 + 4 * 0.125, rel=1e-15)
    assert folded_wa(2.0, absorbed_fraction=0, bits_per_cell=3, relative_wear=0) == 2
    with pytest.raises(DomainError, match=r"^stripe must be a whole number >= 2"):
        rain_factor(1)


@given(st.floats(1, 10), st.floats(0, 60), st.floats(0.01, 1e3), st.floats(1.01, 10))
def test_the_drive_s_own_writes_count_less_the_more_the_host_writes(wa, rewrites, host, more):
    """Per second they are the same whatever the host writes: its flash writes less those."""

    def whole(yearly):
        return background_wa(
            wa, background_rewrites_per_s=rewrites / YEAR_S, user_bytes=1e12,
            host_bytes_per_s=yearly * 1e12 / YEAR_S,
        )  # fmt: skip

    assert wa <= whole(more * host) <= whole(host)
    assert (whole(host) - wa) * host == pytest.approx(rewrites, rel=1e-9, abs=1e-9 * wa * host)


def test_a_drive_that_is_not_written_has_nothing_to_refresh():
    rates = {"background_rewrites_per_s": 1e-7, "user_bytes": 1e12}
    assert background_wa(2.0, **rates, host_bytes_per_s=[0.0, 1e5]).tolist() == [2.0, 3.0]


@given(st.floats(0, 5), st.floats(0.01, 1))
def test_compression_leaves_the_flash_and_shrinks_the_data(op_ratio, stored):
    got = compressed_op_ratio(op_ratio, stored_fraction=stored)
    assert (1 + got) * stored == pytest.approx(1 + op_ratio, rel=1e-12)
    assert compressed_op_ratio(op_ratio, stored_fraction=1) == op_ratio
