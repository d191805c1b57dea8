"""What SQLite passes for short loads, possible at all and met by the formulas."""

import pytest

from tests import engines
from tests.quick_comparisons import LIMITS, MISSES, compared
from tests.quick_counts import LOADS, counted

PAGE_BYTES, FRAME_BYTES = 4096, 4096 + 24
pytestmark = pytest.mark.skipif(
    not engines.accounts("self").exists(), reason="there is no /proc/self/io"
)


def test_an_update_of_sqlite_passes_each_changed_page_and_at_most_one_copy():
    load = LOADS["sqlite-zipf-scattered"]
    passed = counted(load.name)["file_bytes"]
    assert FRAME_BYTES < passed < load.rows_per_tx * (FRAME_BYTES + PAGE_BYTES)


def test_hot_rows_that_lie_together_pass_less():
    together, scattered = (counted(f"sqlite-zipf-{how}") for how in ("together", "scattered"))
    assert together["file_bytes"] < 0.9 * scattered["file_bytes"]


def test_an_index_at_random_adds_pages_to_a_ring():
    load = LOADS["sqlite-ring"]
    plain, indexed = counted("sqlite-ring"), counted("sqlite-ring-indexed")
    added = indexed["file_bytes"] - plain["file_bytes"]
    entries = 2 * load.rows_per_tx  # one is inserted, one deleted, each on a page of its own
    assert 0.5 * entries * FRAME_BYTES < added < entries * (FRAME_BYTES + PAGE_BYTES)


@pytest.mark.parametrize("name", [name for name, load in LOADS.items() if load.engine == "sqlite"])
def test_the_formula_of_sqlite_is_met(name):
    for found in compared(name, counted(name)):
        low, high = found.ends
        assert low <= found.error <= high, found


def test_every_short_load_has_limits_and_every_miss_is_outside_its_own():
    assert set(LIMITS) == set(LOADS)
    assert all(abs(error) > LIMITS[name][quantity] for (name, quantity), error in MISSES.items())
