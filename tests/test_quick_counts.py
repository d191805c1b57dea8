"""What SQLite passes for short loads is possible at all, whatever a formula says of it."""

import pytest

from tests import engines
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
