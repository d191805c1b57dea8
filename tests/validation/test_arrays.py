"""Formulas of arrays against the array simulator, on a quick part of the grid.

The whole grid is printed by `python -m benchmarks.arrays`. Errors are of the cases kept for
reporting; every group says its mean and worst when it fails.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from validation.arrays import (
    LAYOUTS,
    VARIANTS,
    ArrayOutcome,
    compare_arrays,
    error_summary,
    formula_speed,
    report_rows,
    speed_cases,
    speed_iops,
    stall_cases,
)

SPEED, STALLS = speed_cases(quick=True), stall_cases(quick=True)


@pytest.fixture(scope="module")
def reported():
    return compare_arrays([case for case in SPEED if not case.chooses])


def test_the_mean_error_of_iops_over_all_layouts(reported):
    assert max(outcome.noise for outcome in reported) < 0.02
    assert np.mean([abs(outcome.error) for outcome in reported]) <= 0.02, error_summary(reported)


@pytest.mark.parametrize("group", [*LAYOUTS, *VARIANTS])
def test_the_iops_of_a_layout_keep_their_bound(reported, group):
    own = [outcome for outcome in reported if outcome.case.group == group]
    assert len(own) >= 4
    assert max(abs(outcome.error) for outcome in own) <= 0.10, error_summary(own)


def test_one_operation_at_a_time_is_exact(reported):
    """Its mix of reads and writes is drawn: the interval holds that."""
    alone = [outcome for outcome in reported if outcome.case.config.queue_depth == 1]
    assert len(alone) >= 6
    for outcome in alone:
        formula, result = formula_speed(outcome.case.config), outcome.result
        pairs = [(formula.read_latency_s, result.reads), (formula.write_latency_s, result.writes)]
        for latency_s, simulated in pairs:
            if simulated.count:
                assert latency_s == pytest.approx(simulated.mean_s, rel=1e-9)
        assert abs(outcome.error) <= 2 * outcome.noise + 1e-4


def test_the_latencies_of_every_layout_keep_their_bounds(reported):
    errors = []
    for outcome in reported:
        formula, result = formula_speed(outcome.case.config), outcome.result
        if result.reads.count:
            errors.append(formula.read_latency_s / result.reads.mean_s - 1)
        if result.writes.count:
            errors.append(formula.write_latency_s / result.writes.mean_s - 1)
    statement = f"mean {np.mean(np.abs(errors)):.2%}, worst {np.max(np.abs(errors)):.2%}"
    assert np.mean(np.abs(errors)) <= 0.05, statement


def test_the_iops_of_stalling_arrays_keep_their_bound():
    outcomes = compare_arrays([case for case in STALLS if not case.chooses])
    assert len(outcomes) == 10
    for outcome in outcomes:
        config, result = outcome.case.config, outcome.result
        service_s = config.read_s + config.stall_probability * config.stall_s
        assert result.iops <= config.members / service_s * (1 + 2 * outcome.noise)
        assert result.iops < 0.995 * speed_iops(config)  # that the stalls cost something
        assert abs(outcome.error) <= 0.06, error_summary([outcome])
    assert np.mean([abs(outcome.error) for outcome in outcomes]) <= 0.02, error_summary(outcomes)


def test_the_halves_of_the_grids_are_alike():
    """Either half has every layout, depth and share of reads about as often."""
    for cases in (speed_cases(), stall_cases()):
        assert [case.number for case in cases] == list(range(len(cases)))
        assert len({(case.group, case.label) for case in cases}) == len(cases)
    points = Counter()
    for case in speed_cases():
        config = case.config
        for value in (case.group, f"depth {config.queue_depth}", f"reads {config.read_fraction}"):
            points[value, case.chooses] += 1
    for value, chooses in list(points):
        assert points[value, chooses] == points[value, not chooses], value
    assert len(speed_cases()) >= 120
    assert len(stall_cases()) >= 42


def test_the_share_done_is_told_case_by_case():
    told = []
    compare_arrays(SPEED[:3], advance=told.append)
    assert told == [1 / 3] * 3


def test_the_summary_names_the_worst_and_the_rows_every_case(reported):
    worst = replace(reported[1], formula_iops=1.5 * reported[1].result.iops)
    given = [reported[0], worst, reported[2]]
    assert "worst +50.00% of 3 " in error_summary(given)
    assert worst.case.label in error_summary(given)
    rows = report_rows(given)
    assert len(rows) == 5
    assert "| +50.00% | reporting |" in rows[3]
    assert isinstance(worst, ArrayOutcome)
