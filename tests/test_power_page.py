"""The page on power and heat is generated, and its ranges hold on families that were left out."""

from pathlib import Path

import pytest

from planner.catalogue.priors import of_words
from tests import power_page

PAGE = Path(__file__).parents[1] / "docs" / "evidence" / "power.md"


def test_the_page_is_what_is_computed():
    assert PAGE.read_text(encoding="utf-8") == power_page.page()


def test_powers_of_families_that_were_left_out_lie_inside():
    for *row, inside, _ in power_page.rows_of_power():
        if inside:
            held, of = map(int, inside.split(" of "))
            assert held >= 0.85 * of, row


def test_the_range_of_the_power_of_reading_is_that_of_families():
    item = of_words("read_power_ratio", frozenset(), "")
    ends = (item.low, item.typical, item.high)
    assert ends == pytest.approx(power_page.ratio_range(), rel=0.02)
