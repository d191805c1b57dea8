"""Read disturb: published limits, a counting of reads block by block, and its own laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import read_disturb
from tests.published import Printed

limits = st.floats(1e3, 1e7)


# 256 pages at the limit that QNX names, 1,536 pages at a tenth of it.
@pytest.mark.parametrize(
    ("pages", "limit", "percent"), [(256, 100_000, "0.26"), (1536, 10_000, "15")]
)
def test_writes_per_read_at_usual_limits(pages, limit, percent):
    got = read_disturb.writes_per_read(pages, read_limit=limit)
    assert Printed(percent).admits(100 * got)


def counted_writes(shares, pages, limit, reads):
    """Page writes per read of blocks that are rewritten each time they meet the limit."""
    blocks = np.random.default_rng(11).choice(len(shares), reads, p=shares)
    counts = np.bincount(blocks, minlength=len(shares))
    return np.sum(counts // limit) * pages / reads


@pytest.mark.parametrize("shares", [np.full(20, 1 / 20), np.array([0.5, *[0.5 / 19] * 19])])
def test_concentrated_reads_cost_as_much_as_even_ones(shares):
    got = read_disturb.writes_per_read(64, read_limit=100)
    assert got == pytest.approx(counted_writes(shares, 64, 100, 1_000_000), rel=0.003)


def test_the_busiest_block_meets_the_limit_first():
    """Half of the reads on one block of twenty: it comes ten times as often as on average."""
    hot, mean = (
        read_disturb.rewrite_interval_s(
            1e5, block_iops=read_disturb.block_read_iops(9e4, read_share=share, read_blocks=blocks)
        )
        for share, blocks in ((0.5, 1), (1.0, 20))
    )
    assert mean == pytest.approx(10 * hot, rel=1e-12)
    assert hot == pytest.approx(1e5 / 45_000, rel=1e-12)


@given(st.floats(0, 0.999), st.integers(1, 4096), limits)
def test_added_writes_are_those_of_the_reads(read_fraction, pages, limit):
    added = read_disturb.added_wa(read_fraction, pages_per_block=pages, read_limit=limit)
    per_read = read_disturb.writes_per_read(pages, read_limit=limit)
    assert added * (1 - read_fraction) == pytest.approx(per_read * read_fraction, rel=1e-9)


def test_reads_alone_have_no_host_write_to_be_set_against():
    assert read_disturb.added_wa(1, pages_per_block=256, read_limit=1e5) == np.inf
