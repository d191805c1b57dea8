"""Indirection units: bytes touched, what a buffer absorbs, scattered pages under skew."""

from collections import OrderedDict
from itertools import product

import numpy as np
import pytest

from models.errors import DomainError
from models.units import KIB
from models.write_amplification import (
    buffered_indirection_factor,
    destaged_sequential_fraction,
    greedy,
    indirection_factor,
    mixed_indirection_factor,
    scattered_classes,
    skewed,
    units_per_block,
    zipf_classes,
)


def test_a_block_holds_whole_units():
    assert units_per_block([1024, 1000, 3], unit_bytes=16 * KIB).tolist() == [256, 250, 1]
    assert units_per_block(512, unit_bytes=4 * KIB) == 512


def test_a_mix_is_the_bytes_of_both_parts():
    """A quarter sequential: 3 bytes at random touch 12, one touches itself."""
    assert mixed_indirection_factor(4.0, sequential_fraction=0.25) == 13 / 4
    assert destaged_sequential_fraction(0.25, unit_factor=4.0) == 1 / 13


@pytest.mark.parametrize("pages", [1, 2, 3, 4, 7])
def test_scattered_classes_against_every_draw_of_pages(pages):
    writes, held = np.array([0.6, 0.3, 0.1]), np.array([0.1, 0.2, 0.7])
    rates = writes / held
    drawn: dict[float, float] = {}
    for classes in product(range(3), repeat=pages):
        rate = round(sum(rates[k] for k in classes) / pages, 9)
        drawn[rate] = drawn.get(rate, 0.0) + float(np.prod(held[list(classes)]))
    got_writes, got_units = scattered_classes(pages, write_shares=writes, page_shares=held)
    got = dict.fromkeys(drawn, 0.0)
    for rate, share in zip(got_writes / got_units, got_units, strict=True):
        got[round(rate, 9)] += share
    assert [got[rate] for rate in drawn] == pytest.approx(list(drawn.values()), rel=1e-9)


def test_merged_classes_keep_shares_and_flatten_the_skew():
    writes, held = zipf_classes(0.99, pages=1e6)
    plain = skewed(0.28, write_shares=writes, page_shares=held)
    last = plain
    for pages in (4, 16, 64):
        classes = scattered_classes(pages, write_shares=writes, page_shares=held)
        assert [part.sum() for part in classes] == pytest.approx([1, 1], rel=1e-12)
        assert np.all(np.diff(classes[0] / classes[1]) < 0)
        now = skewed(0.28, write_shares=classes[0], page_shares=classes[1])
        assert greedy(0.28, pages_per_block=2**20) < now < last
        last = now


def test_a_buffer_absorbs_what_a_played_one_does():
    """90 % of the writes to a tenth of 4,000 units; 200 units in the buffer."""
    rng = np.random.default_rng(7)
    units, room, writes = 4000, 200, 200_000
    hot = rng.random(writes) < 0.9
    touched = np.where(hot, rng.integers(0, 400, writes), rng.integers(400, units, writes))
    held: OrderedDict[int, None] = OrderedDict()
    destaged = 0
    for unit in touched.tolist():
        destaged += unit not in held
        held[unit] = None
        held.move_to_end(unit)
        if len(held) > room:
            held.popitem(last=False)
    got = buffered_indirection_factor(
        4096, unit_bytes=16384, alignment_bytes=4096, buffered_fraction=room / units,
        write_shares=[0.9, 0.1], page_shares=[0.1, 0.9],
    )  # fmt: skip
    assert got == pytest.approx(4 * destaged / writes, rel=0.005)


def test_without_a_buffer_and_for_uniform_writes():
    sizes = {"unit_bytes": 65536, "alignment_bytes": 4096}
    shares = {"write_shares": [0.9, 0.1], "page_shares": [0.1, 0.9]}
    plain = indirection_factor([4096, 65536], **sizes)
    got = buffered_indirection_factor([4096, 65536], buffered_fraction=0, **sizes, **shares)
    assert got.tolist() == plain.tolist()
    even = {"write_shares": [1], "page_shares": [1]}
    got = buffered_indirection_factor([4096, 65536], buffered_fraction=0.25, **sizes, **even)
    assert got == pytest.approx(0.75 * plain, rel=1e-12)


def test_a_buffer_larger_than_what_is_written_is_refused():
    with pytest.raises(DomainError, match=r"^buffered_fraction must be < 0\.1"):
        buffered_indirection_factor(
            4096, unit_bytes=16384, alignment_bytes=4096, buffered_fraction=0.1,
            write_shares=[1, 0], page_shares=[0.1, 0.9],
        )  # fmt: skip
