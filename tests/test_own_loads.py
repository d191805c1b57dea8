"""Twenty loads chosen and counted before a formula saw them, in the ranges of their presets."""

from statistics import median

from tests.doc_pages import DOCS
from tests.own_load_ranges import compared, page


def test_ranges_hold_what_was_counted_where_little_is_stated():
    found = list(compared(0))
    assert len(found) == 20
    assert sum(one.is_inside for one in found) >= 18
    assert median(one.width for one in found) <= 2.5
    assert all(one.low <= one.typical <= one.high for one in found)


def test_the_page_is_that_of_the_counts():
    stored = (DOCS / "evidence" / "own-loads.md").read_text(encoding="utf-8")
    assert stored == "\n".join(page()) + "\n", "run python -m tests.own_load_ranges"
