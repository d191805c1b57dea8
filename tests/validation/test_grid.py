"""Formulas against the reference simulator, on the quick grid; the full one is `validate`."""

import sys
from dataclasses import replace
from types import ModuleType

import pytest

from benchmarks.surrogate import RATIOS, drop, drop_without_skew, two_classes
from models.simulator import Classes, Zipf
from models.write_amplification import surrogate
from validation import cases, compare, compare_case, quarter, size_checks

QUICK = cases(quick=True)
FULL = cases()


@pytest.mark.parametrize("case", QUICK, ids=lambda case: f"{case.group}: {case.label}")
def test_the_formula_keeps_its_bound(case):
    outcome = compare_case(case)
    assert outcome.noise < case.bound
    assert outcome.inside, f"{outcome.error:+.3%}, bound {case.bound:.2%}"


def test_a_wrong_formula_would_be_found():
    case = QUICK[0]
    wrong = replace(case, formula=lambda op_ratio: 1.02 * case.formula(op_ratio))
    assert not compare_case(wrong).inside


def test_runs_side_by_side_give_what_runs_one_by_one_give(monkeypatch):
    # New processes load the main module, which tests of the app leave as the app's own.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    told = []
    few = [case for case in QUICK if "b = 64" in case.series]
    together = compare(few, processes=2, advance=told.append)
    for case, outcome in zip(few, together, strict=True):
        alone = compare_case(case)
        assert outcome.case.label == case.label
        assert (outcome.formula_wa, outcome.result.wa) == (alone.formula_wa, alone.result.wa)
    assert sum(told) == pytest.approx(1)
    assert len(told) == len({case.config for case in few}) < len(few)


def test_every_case_has_a_name_of_its_own():
    names = [(case.group, case.label) for case in FULL]
    assert len(set(names)) == len(names)


def test_the_grid_spans_what_the_formulas_are_said_to_hold_for():
    spans = {}
    for case in FULL:
        config = case.config
        sizes, ratios = spans.setdefault(case.group, (set(), set()))
        sizes.add(config.pages_per_block)
        ratios.add(config.op_ratio)
    for policy in ("greedy", "fifo", "random", "d-choices"):
        sizes, ratios = spans[f"{policy}, uniform"]
        assert {16, 64, 256, 512} <= sizes
        assert {0.05, 0.28, 1.0} <= ratios
    sizes, ratios = spans["streams with mistakes"]
    assert {64, 128, 256} <= sizes
    assert {0.07, 0.28, 1.0} <= ratios


@pytest.mark.parametrize("case", FULL, ids=lambda case: f"{case.group}: {case.label}")
def test_windows_outlast_the_memory_of_the_drive(case):
    """Where pages change streams or leave use, the coldest pages decide how long it remembers."""
    config = case.config
    window = config.measured_overwrites / config.windows * (1 + 1e-9)
    traffic = config.workload
    coldest = 1.0
    if isinstance(traffic, Classes):
        pairs = zip(traffic.write_shares, traffic.page_shares, strict=True)
        coldest = max(pages / writes for writes, pages in pairs)
    assert window >= 2
    assert config.windows >= 20
    if config.trim_share or config.frontiers == "streams":
        assert window >= 5 * coldest
    if config.frontiers != "host-gc":
        assert config.warmup_overwrites >= 3 * coldest


def test_the_size_is_checked_in_every_group_that_has_a_bound_to_keep():
    checked = size_checks(FULL)
    unchecked = {case.group for case in FULL} - {case.group for case in checked}
    assert unchecked == {
        "host and copy frontiers, estimate", "skew, oldest block first",
        "static data interleaved, greedy",
    }  # fmt: skip
    case = checked[0]
    small = quarter(case).config
    assert small.blocks == case.config.blocks // 4
    assert small.pages * small.measured_overwrites == pytest.approx(
        case.config.pages * case.config.measured_overwrites, rel=1e-3
    )


@pytest.mark.parametrize(
    ("family", "row", "traffic"),
    [
        (surrogate._TWO_CLASSES, 2, two_classes(0.8)),
        (surrogate._TWO_CLASSES, 4, two_classes(0.95)),
        (surrogate._ZIPF, 1, Zipf(0.6)),
    ],
)
def test_the_surrogate_table_comes_from_its_recipe(family, row, traffic):
    got = drop(traffic, 0.28, pages=250_000)
    assert got == pytest.approx(family.drops[row, RATIOS.index(0.28)], abs=0.02)


def test_without_skew_the_surrogate_is_ten_choices_of_uniform_writes():
    got = [drop_without_skew(ratio) for ratio in RATIOS]
    for family in (surrogate._TWO_CLASSES, surrogate._ZIPF):
        assert family.drops[0].tolist() == pytest.approx(got, abs=0.0006)
