"""Formulas against the reference simulator, on the quick grid; the full one is `validate`."""

import math
from pathlib import Path

import pytest

from benchmarks.surrogate import share
from models.write_amplification import surrogate
from planner.export.validation_report import report
from planner.validation import cases, compared

QUICK = cases(quick=True)


@pytest.mark.parametrize("case", QUICK, ids=lambda case: f"{case.group}: {case.label}")
def test_the_formula_keeps_its_bound(case):
    outcome = compared(case)
    assert outcome.noise < case.bound
    assert outcome.inside, f"{outcome.error:+.3%}, bound {case.bound:.2%}"


def test_a_wrong_formula_would_be_found():
    case = QUICK[0]
    wrong = type(case)(
        group=case.group, label=case.label, config=case.config, bound=case.bound,
        formula=lambda op_ratio: 1.02 * case.formula(op_ratio),
    )  # fmt: skip
    assert not compared(wrong).inside


def test_the_report_lists_every_case_worst_first():
    outcomes = [compared(case) for case in QUICK[:2]]
    text = report(outcomes)
    errors = [line.split("|")[4].strip() for line in text.splitlines() if line.startswith("| b = ")]
    assert len(errors) == 2
    sizes = [abs(float(error.rstrip("%"))) for error in errors]
    assert sizes == sorted(sizes, reverse=True)


def test_the_stored_report_has_every_case_of_the_full_grid():
    stored = (Path(__file__).parents[2] / "docs" / "validation.md").read_text()
    for case in cases():
        assert f"| {case.label} |" in stored


@pytest.mark.parametrize(("row", "writes"), [(1, 0.8), (3, 0.95)])
def test_the_surrogate_table_comes_from_its_recipe(row, writes):
    got = share(writes, 1 - writes, 0.28, blocks=1002)
    assert math.isclose(got, surrogate._SHARES[row, 2], abs_tol=0.02)
