"""Today's formulas are as far from the simulated drives as the stored report of them says.

The simulations took hours and are in the report; the formulas are evaluated again. A formula that
changes without its report fails here, and so does a number in it that no other test compares.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from models import registry
from models.write_amplification import (
    d_choices,
    fifo,
    greedy,
    host_gc,
    random_victim,
    separation_gain,
    skewed,
    static_op_ratio,
    streams,
    surrogate,
    trimmed_op_ratio,
    two_temperature,
    zipf_classes,
)
from validation import cases
from validation.comparison import _formula_wa

REPORT = (Path(__file__).parents[2] / "docs" / "evidence" / "validation.md").read_text()
GROUPS = {
    "d-choices, uniform": d_choices,
    "fifo, uniform": fifo,
    "greedy, uniform": greedy,
    "host and copy frontiers, estimate": host_gc,
    "random, uniform": random_victim,
    "skew, linear noise": skewed,
    "skew, oldest block first": skewed,
    "Zipf, linear noise": skewed,
    "static data interleaved, greedy": skewed,
    "static data laid in sequence": static_op_ratio,
    "streams with mistakes": streams,
    "TRIM": trimmed_op_ratio,
    "two temperatures, exact chain": two_temperature,
}

SLOW = {"two temperatures, exact chain": 12, "Zipf, linear noise": 3}  # every so many cases


def stored(group):
    """Return write amplification of formula and simulation, and the error in percent, by case."""
    section = REPORT.split(f"\n## {group}\n")[1].split("\n## ")[0]
    row = r"^\| ([^|]+) \| ([\d.]+) \| ([\d.]+) \| ([-+][\d.]+)% \|"
    return {
        case: [float(number) for number in numbers]
        for case, *numbers in re.findall(row, section, re.MULTILINE)
    }


@pytest.mark.parametrize("group", GROUPS)
def test_the_formula_is_as_far_from_the_simulation_as_reported(group):
    known = stored(group)
    compared = [case for case in cases() if case.group == group]
    assert known.keys() == {case.label for case in compared}
    for case in compared[:: SLOW.get(group, 1)]:
        _, simulated, error = known[case.label]
        today = 100 * (_formula_wa(case) / simulated - 1)
        rounding = 0.0005 + 100 * 0.00005 / simulated * (1 + abs(error) / 100)
        assert today == pytest.approx(error, abs=1.02 * rounding), case.label


def test_every_group_of_the_grid_is_compared():
    assert {case.group for case in cases()} == set(GROUPS)
    for group, formula in GROUPS.items():
        assert registry.CHECKED[formula.__name__].group in {group, "skew, linear noise"}


def test_the_tables_of_separate_frontiers_are_at_kinds_of_skew():
    """Two classes from 70/30 to 99/1, and Zipf of a million pages: gain and divergence of each."""
    hot = np.array([0.7, 0.8, 0.9, 0.95, 0.98, 0.99])
    two = [([share, 1 - share], [1 - share, share]) for share in hot]
    zipf = [zipf_classes(s, pages=1_000_000) for s in (0.6, 0.8, 0.9, 0.99, 1.1, 1.2)]
    for family, kinds in ((surrogate._TWO_CLASSES, two), (surrogate._ZIPF, zipf)):
        gains = [separation_gain(writes, page_shares=pages) for writes, pages in kinds]
        apart = [np.sum(writes * np.log(np.divide(writes, pages))) for writes, pages in kinds]
        np.testing.assert_allclose(family.log_gains, [0.0, *np.log(gains)], atol=5.1e-5)
        np.testing.assert_allclose(family.divergences, [0.0, *apart], atol=5.1e-5)


@pytest.mark.parametrize("skew", [0.8, 0.9])
def test_beyond_the_tables_separate_frontiers_fade_with_the_cost_of_uniform_writes(skew):
    """From twice the data as spare area on: a constant power of it; without pages the limit."""
    shares = {"write_shares": [skew, 1 - skew], "page_shares": [1 - skew, skew]}
    ratios = np.array([2.0, 2.5, 3.0, 4.0])
    uniform = greedy(ratios, pages_per_block=256)
    powers = np.log(host_gc(ratios, **shares, pages_per_block=256)) / np.log(uniform)
    np.testing.assert_allclose(powers, powers[0], rtol=1e-9)
    ratios = np.array([0.05, 0.28, 1.0, 2.0, 3.0])
    large = host_gc(ratios, **shares, pages_per_block=2**18)
    np.testing.assert_allclose(host_gc(ratios, **shares), large, rtol=1e-4)
