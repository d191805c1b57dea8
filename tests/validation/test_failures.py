"""Loss, wear-out and spares against the lifetime simulator, on few cases."""

from dataclasses import replace

import pytest

from models import failures, registry
from models.simulator.lifetimes import Config, Weibull, run
from models.units import DAY_S, YEAR_S
from planner.scenario.risk import Risk
from planner.sections.data_loss import data_loss
from planner.sections.request import plan_of
from validation.failures import compare_failures, failure_cases

QUICK = failure_cases(quick=True)
FULL = failure_cases()
STATED = {
    "independent": registry.CHECKED["loss_probability"],
    "wear-out": registry.CHECKED["wear_out_loss_probability"],
    "ages apart": registry.CHECKED["staggered_loss_probability"],
    "replacements, mean": registry.CHECKED["mean_replacements"],
    "replacements, sd": registry.CHECKED["replacements_sd"],
}


def stated(group):
    (entry,) = [entry for start, entry in STATED.items() if group.startswith(start)]
    return entry


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.label)
def test_the_formula_keeps_its_bound(case):
    for row in compare_failures(case):
        assert row.noise < 0.06
        error = stated(row.group).error
        assert replace(row, bound=error).inside, f"{row.group}: {row.error:+.2%}"


@pytest.mark.parametrize("years", [0.1, 1.0, 4.0])
def test_early_failures_a_constant_rate_and_wear_are_one_survival(years):
    result = run(
        Config(
            members=1, failures_per_s=0.02 / YEAR_S, weak_fraction=0.1,
            weak=Weibull(scale_s=200 * DAY_S, shape=0.5),
            wear=Weibull(scale_s=5 * YEAR_S, shape=6.0),
            rebuild_s=1.0, horizon_s=5 * YEAR_S, trials=200_000,
        )
    )  # fmt: skip
    age_s = years * YEAR_S
    alive = failures.surviving_fraction(
        age_s, weak_fraction=0.1, weak_scale_s=200 * DAY_S, weak_shape=0.5,
        failures_per_s=0.02 / YEAR_S,
        worn_out_fraction=failures.weibull_failed_fraction(age_s, scale_s=5 * YEAR_S, shape=6.0),
    )  # fmt: skip
    _, low, high = result.lost_by(age_s)
    assert low < 1 - alive < high
    assert high - low < 0.05 * (1 - alive) + 0.001


def test_a_wrong_formula_would_be_found():
    case = QUICK[1]
    wrong = replace(case, formula=lambda: 1.1 * case.formula())
    (row,) = compare_failures(wrong)
    assert not row.inside


def test_every_case_has_a_name_of_its_own():
    for cases in (QUICK, FULL):
        names = [(getattr(case, "group", "replacements"), case.label) for case in cases]
        assert len(set(names)) == len(names)


def test_the_grid_spans_what_the_formulas_are_said_to_hold_for():
    independent = [case.config for case in FULL if getattr(case, "group", "").startswith("indep")]
    assert {config.parities for config in independent} == {0, 1, 2, 3}
    loads = [config.failures_per_s * config.rebuild_s * config.members for config in independent]
    ranges = STATED["independent"].ranges
    assert min(loads) <= ranges["failures_in_a_rebuild"][1] <= max(loads)
    worn = [case.config for case in FULL if getattr(case, "group", "").startswith("wear-out,")]
    spread = [
        config.rebuild_s * config.members / config.wear.sd_s
        for config in worn
        if hasattr(config.wear, "sd_s")
    ]
    assert max(spread) >= STATED["wear-out"].ranges["rebuilds_in_the_spread_of_lives"][1]


@pytest.mark.parametrize(
    ("raid", "days", "years"),
    [("raidz1", 1, 1), ("raidz2", 3, 3), ("raidz3", 8, 4), ("draid2:6d:1s", 3, 3)],
)
def test_a_planned_pool_loses_data_as_often_as_its_simulation(raid, days, years):
    """With failures and rebuilds so many and long that losses are not rare."""
    answer = plan_of("845DC PRO 400", drives=12, raid=raid)
    times = {"rebuild_s": days * DAY_S, "horizon_s": years * YEAR_S}
    lost = data_loss(answer, Risk(afr_fraction=0.6, uber=0.0, **times))
    lost = lost["array_failed_loss_probability"].value
    result = run(
        Config(
            members=12, parities=answer.array.tolerated_failures, trials=80_000,
            failures_per_s=failures.failures_per_s(0.6), **times,
        )
    )  # fmt: skip
    assert (result.loss_high - result.loss_low) / 2 < 0.05 * result.loss_probability
    assert lost == pytest.approx(result.loss_probability, rel=0.05)
