"""What the registry says of a formula is what the comparison with the simulator found."""

import re
from pathlib import Path

import pytest

from models import registry

REPORT = (Path(__file__).parents[2] / "docs" / "validation.md").read_text()
WORST = {
    name.strip(): float(worst) / 100
    for name, worst in re.findall(r"^\| ([\w ,-]+) \| \d+ \| ([\d.]+)% \|", REPORT, re.MULTILINE)
}


@pytest.mark.parametrize("name", registry.CHECKED)
def test_the_stated_error_holds_on_the_whole_grid(name):
    entry = registry.CHECKED[name]
    assert WORST[entry.group] <= entry.error
    assert entry.formula.__name__ == name


def test_every_group_of_the_report_belongs_to_a_formula():
    stated = {entry.group for entry in registry.CHECKED.values()}
    of_skewed = {
        "Zipf, linear noise",
        "skew, oldest block first",
        "static data interleaved, greedy",
    }
    assert set(WORST) == stated | of_skewed


def test_arguments_outside_their_range_are_named():
    (said,) = registry.outside("greedy", op_ratio=0.28, pages_per_block=4096)
    assert said.startswith("pages_per_block 4.1e+03 is outside the range from 16 to 512")
    assert registry.outside("no such formula", op_ratio=1) == ()
