"""Reads of a map that memory holds in part, against a cache that is played read by read."""

from collections import OrderedDict

import numpy as np
import pytest

from models.map_cache import map_read_fraction, mapped_read_iops


def missed(entries, units, reads):
    """Share of uniform reads that miss a cache of the entries used last."""
    rng, held, misses = np.random.default_rng(1), OrderedDict(), 0
    for number, unit in enumerate(rng.integers(units, size=reads).tolist()):
        misses += unit not in held and number >= reads // 4
        held[unit] = None
        held.move_to_end(unit)
        if len(held) > entries:
            held.popitem(last=False)
    return misses / (reads - reads // 4)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_share_of_reads_of_the_map_is_that_of_a_cache(share):
    units = 4000
    formula = map_read_fraction(
        share * units * 4, entry_bytes=4, unit_bytes=16384, span_bytes=units * 16384
    )
    assert formula == pytest.approx(missed(round(share * units), units, 40_000), abs=0.01)


def test_a_larger_unit_needs_less_map():
    sizes = {"entry_bytes": 4, "span_bytes": 1e12}
    small, large = (map_read_fraction(64e6, unit_bytes=unit, **sizes) for unit in (4096, 65536))
    assert small > 0.9
    assert large == 0


def test_every_read_of_the_map_costs_one_of_data():
    assert mapped_read_iops(500e3, map_read_fraction=1.0) == 250e3
