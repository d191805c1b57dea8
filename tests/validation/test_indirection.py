"""Indirection units: the formulas against the page simulator, and the stored report."""

import re
from pathlib import Path

import pytest

from validation.indirection import CASES, compare, report

STORED = (Path(__file__).parents[2] / "docs" / "evidence" / "validation-units.md").read_text()
UNIFORM = [case for case in CASES if not (case.zipf or case.buffered)]


@pytest.mark.parametrize("case", UNIFORM, ids=lambda case: case.label)
def test_uniform_writes_agree_with_the_simulator(case):
    assert abs(compare(case).error) <= case.bound


def test_short_writes_are_held_to_a_percent():
    assert {case.bound for case in CASES if case.write_pages <= 8 and not case.buffered} == {0.01}
    assert len([case for case in UNIFORM if case.bound == 0.01]) == 9


def test_the_stored_report_has_every_case_inside_its_bound():
    errors = dict(re.findall(r"^\| (.+?) \| [\d.]+ \| [\d.]+ \| ([-+][\d.]+)% \|", STORED, re.M))
    assert errors.keys() == {case.label for case in CASES}
    for case in CASES:
        assert abs(float(errors[case.label])) / 100 <= case.bound


def test_the_report_is_that_of_the_command():
    again = report([compare(UNIFORM[0])]).splitlines()
    assert set(again[-4:]) <= set(STORED.splitlines())
