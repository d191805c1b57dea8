"""Reads behind slices against the event simulator: a small part of the grid, and the page of all.

The whole grid is `python -m planner validate --what slices`.
"""

import re
from pathlib import Path

import pytest

from validation.speed.read_tail import sliced_read_tasks

STORED = (Path(__file__).parents[2] / "docs" / "evidence" / "validation-slices.md").read_text()
QUICK = list(sliced_read_tasks(quick=True))
GROUP = re.compile(r"^\| (.+) \| (\d+) \| ([\d.]+)% \|  \| ([\d.]+)% \| ([\d.]+)% \|", re.MULTILINE)
LIMITS = {"rate of waiting readers, slices": 5.0}  # percent; 10 for percentiles


@pytest.mark.parametrize("task", QUICK, ids=lambda task: task.name)
def test_formulas_keep_their_bounds(task):
    assert not [row for row in task.measure().rows if not row.inside]


def test_the_stored_page_has_every_case_within_what_is_required():
    groups = {
        name: (int(count), float(worst)) for name, count, _, worst, _ in GROUP.findall(STORED)
    }
    assert len(groups) == 5
    assert sum(count for count, _ in groups.values()) == 164
    for name, (_, worst) in groups.items():
        assert worst <= LIMITS.get(name, 10.0), name
    assert "**outside**" not in STORED
