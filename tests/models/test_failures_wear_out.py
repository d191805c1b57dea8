"""Members that wear out together: exact cases, published orders of size, simulation, laws."""

import itertools
import math
from functools import partial

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad, quad

from models import failures, registry
from models.errors import DomainError
from models.failures import Group, _overlap, _staggered
from models.simulator.lifetimes import Config, Normal, run
from models.units import DAY_S, HOUR_S, YEAR_S

MEAN, SD = 1500 * DAY_S, 90 * DAY_S
LAW = partial(failures.normal_failed_fraction, mean_s=MEAN, sd_s=SD)
EIGHT = Group(8, 1, 0.0, DAY_S, 0.0)


def loss(law=LAW, group=EIGHT, **changed):
    return failures.wear_out_loss_probability(law, group=group._replace(**changed))


def density(law, time_s, step=100.0):
    return (law(time_s + step) - law(time_s - step)) / (2 * step)


@pytest.mark.parametrize("days", [0.5, 10, 60])
@pytest.mark.parametrize(
    "law", [LAW, partial(failures.weibull_failed_fraction, scale_s=MEAN, shape=6.0)]
)
def test_two_members_overlap_as_the_integral_over_both_says(law, days):
    tau = days * DAY_S
    low, high = MEAN - 8 * SD, MEAN + 8 * SD
    exact = 2 * quad(
        lambda t: density(law, t) * (law(t + tau) - law(t)),
        max(0.0, low), high, limit=200, points=[MEAN],
    )[0]  # fmt: skip
    assert loss(law, members=2, rebuild_s=tau) == pytest.approx(exact, rel=2e-3)


def test_three_members_with_two_parities_overlap_as_the_integral_says():
    tau = 60 * DAY_S
    exact = 3 * dblquad(
        lambda u, t: 2 * density(LAW, t) * density(LAW, u) * (LAW(t + tau) - LAW(u)),
        MEAN - 6 * SD, MEAN + 6 * SD, lambda t: t, lambda t: t + tau, epsabs=1e-7,
    )[0]  # fmt: skip
    assert loss(members=3, parities=2, rebuild_s=tau) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize(("members", "parities"), [(8, 1), (24, 1), (8, 2), (12, 3), (20, 4)])
def test_short_rebuilds_follow_the_leading_order(members, parities):
    """n C(n - 1, m) tau^m times the integral of f^(m + 1), of a normal law in closed form."""
    tau = 2 * HOUR_S
    power = parities + 1
    integral = (2 * math.pi * SD**2) ** (-parities / 2) / math.sqrt(power)
    leading = members * math.comb(members - 1, parities) * tau**parities * integral
    got = loss(members=members, parities=parities, rebuild_s=tau)
    assert got == pytest.approx(-math.expm1(-leading), rel=0.03)


def test_a_wear_out_generation_is_two_thousand_times_the_risk_of_independent_failures():
    """Eight drives of RAID 5: 16 % where 1 % AFR over five years alone gives 8e-5."""
    together = loss()
    assert together == pytest.approx(0.162, abs=0.001)
    alone = failures.loss_probability(
        5 * YEAR_S, members=8, parities=1, failures_per_s=0.01 / YEAR_S, rebuild_s=DAY_S,
        unreadable_probability=0,
    )  # fmt: skip
    assert 1500 < together / alone < 2500


@pytest.mark.parametrize(("share", "expected"), [(0.95, 0.013), (0.9, 4e-4), (0.85, 2e-6)])
def test_replacement_in_time_takes_most_of_it_away(share, expected):
    """By F times f at the age of replacement, of a spread of 5 %: 1.3 %, 4e-4, about 1e-6."""
    law = partial(failures.normal_failed_fraction, mean_s=MEAN, sd_s=0.05 * MEAN)
    early = partial(failures.replaced_failed_fraction, failed_fraction=law, replaced_s=share * MEAN)
    pairs = 8 * 7 / 2 * DAY_S * 2
    upper = pairs * quad(lambda t: density(law, t) ** 2, 0.6 * MEAN, share * MEAN, limit=200)[0]
    got = loss(early)
    assert got == pytest.approx(upper, rel=0.03)
    assert got == pytest.approx(expected, rel=0.35)


def test_every_rebuild_of_a_generation_may_meet_a_sector():
    """Where none overlap: 1 - (1 - h)^n of RAID 5."""
    got = loss(rebuild_s=1.0, unreadable_probability=0.1)
    assert got == pytest.approx(1 - 0.9**8, rel=1e-3)


def test_a_worn_out_member_may_meet_an_independent_failure():
    rate = 0.01 / YEAR_S
    met = 2 * 8 * 7 * rate * HOUR_S  # of each pair one wears out, and the other fails by then
    left = math.exp(-rate * MEAN)  # have not failed before
    expected = left**2 * loss(rebuild_s=HOUR_S) + left * met
    got = loss(rebuild_s=HOUR_S, failures_per_s=rate)
    assert got == pytest.approx(expected, rel=0.05 * met / expected)


def test_without_parity_the_first_that_wears_out_is_the_loss():
    early = partial(failures.replaced_failed_fraction, failed_fraction=LAW, replaced_s=MEAN - SD)
    got = loss(early, parities=0, members=3)
    assert got == pytest.approx(1 - (1 - float(LAW(MEAN - SD))) ** 3, rel=1e-9)


def test_equal_ages_are_no_ages():
    for m, h, rate in itertools.product((1, 2, 3), (0.0, 0.1), (0.0, 1e-10)):
        group = Group(8, m, rate, 10 * DAY_S, h)
        apart = failures.staggered_loss_probability(LAW, group=group, ages_s=np.zeros(8))
        assert apart == pytest.approx(loss(group=group), rel=1e-6)


@pytest.mark.parametrize(("days", "percent"), [(30, 12), (60, 7.7), (120, 3.5)])
def test_ages_apart_lower_the_risk(days, percent):
    """Pairs whose means lie d apart overlap 2 tau phi(d / (sqrt 2 sigma)) / (sqrt 2 sigma)."""
    ages = np.arange(8) * days * DAY_S
    got = failures.staggered_loss_probability(LAW, group=EIGHT, ages_s=ages)
    spread = math.sqrt(2) * SD
    pairs = [
        2 * DAY_S * math.exp(-(((a - b) / spread) ** 2) / 2) / (math.sqrt(2 * math.pi) * spread)
        for a, b in itertools.combinations(ages, 2)
    ]
    assert got == pytest.approx(-math.expm1(-sum(pairs)), rel=0.02)
    assert 100 * got == pytest.approx(percent, rel=0.06)


def test_who_else_is_down_is_counted_by_listing_all_cases():
    down = np.random.default_rng(1).uniform(0.01, 0.9, (2, 5))
    every = _staggered.others_down(down, 3)
    for count in range(4):
        got = every[..., count]
        for row, member in np.ndindex(2, 5):
            others = np.delete(down[row], member)
            cases = [
                np.prod(np.where(np.isin(np.arange(4), taken), others, 1 - others))
                for taken in itertools.combinations(range(4), count)
            ]
            assert got[row, member] == pytest.approx(sum(cases), rel=1e-12)


@pytest.mark.parametrize(("members", "parities"), [(2, 1), (3, 1), (4, 1), (5, 1), (7, 2), (9, 2)])
def test_losses_of_sets_that_share_members_are_no_independent_ones(members, parities):
    sets = [set(one) for one in itertools.combinations(range(members), parities + 1)]
    apart = sum(not one & other for one in sets for other in sets) / len(sets) ** 2
    most = 1 / (1 - apart)
    got = _overlap._log_none(np.array(0.3), np.array(float(members)), parities + 1)
    assert got == pytest.approx(most * math.log1p(-0.3 / most), rel=1e-12)


def test_the_age_of_replacement_meets_its_target():
    targets = np.array([1e-9, 1e-3, 0.05])
    ages = failures.replacement_age_s(targets, failed_fraction=LAW, group=EIGHT)
    for age, target in zip(ages, targets, strict=True):
        law = partial(failures.replaced_failed_fraction, failed_fraction=LAW, replaced_s=age)
        assert loss(law) == pytest.approx(target, rel=1e-3)
    assert np.all(np.diff(ages) > 0)
    assert failures.replacement_age_s(0.5, failed_fraction=LAW, group=EIGHT) == math.inf


def test_the_stagger_meets_its_target():
    got = failures.stagger_s(0.05, failed_fraction=LAW, group=EIGHT)
    begins = np.arange(8) * got
    back = failures.bought_apart_loss_probability(LAW, group=EIGHT, begins_s=begins)
    aged = failures.staggered_loss_probability(LAW, group=EIGHT, ages_s=begins)
    assert aged == pytest.approx(back, rel=1e-2)  # young drives: hardly any has failed before
    assert back == pytest.approx(0.05, rel=1e-3)
    assert failures.stagger_s(0.5, failed_fraction=LAW, group=EIGHT) == 0
    unreadable = EIGHT._replace(unreadable_probability=0.1)
    assert failures.stagger_s(0.05, failed_fraction=LAW, group=unreadable) == math.inf


def test_groups_and_laws_broadcast():
    sds = SD * np.array([[1.0], [2.0]])
    law = partial(failures.normal_failed_fraction, mean_s=MEAN, sd_s=sds)
    parities = np.array([0, 1, 2])
    got = loss(law, parities=parities)
    assert got.shape == (2, 3)
    for row, column in np.ndindex(2, 3):
        one = partial(failures.normal_failed_fraction, mean_s=MEAN, sd_s=float(sds[row, 0]))
        alone = loss(one, parities=int(parities[column]))
        assert got[row, column] == pytest.approx(alone, rel=1e-12)


def over_lives(lives, group=EIGHT, **changed):
    """Loss over a horizon of so many mean lives."""
    known = {"mean_s": MEAN, "life_cv": SD / MEAN, "group": group} | changed
    return failures.generations_loss_probability(lives * MEAN, **known)


def simulated(lives, replaced_fraction, group):
    """The same, of arrays drawn life by life, whose generations drift apart."""
    return run(
        Config(
            members=int(group.members), parities=int(group.parities), failures_per_s=0.0,
            wear=Normal(mean_s=MEAN, sd_s=SD), replaced_s=replaced_fraction * MEAN,
            rebuild_s=group.rebuild_s, horizon_s=lives * MEAN, trials=400_000,
        )
    )  # fmt: skip


@pytest.mark.parametrize(("lives", "replaced"), [(0.95, math.inf), (1.6, math.inf), (1.5, 0.97)])
def test_the_first_generation_is_that_of_simulated_arrays(lives, replaced):
    got = over_lives(lives, EIGHT._replace(rebuild_s=5 * DAY_S), replaced_fraction=replaced)
    truth = simulated(lives, replaced, EIGHT._replace(rebuild_s=5 * DAY_S)).loss_probability
    assert got == pytest.approx(truth, rel=registry.CHECKED["generations_loss_probability"].error)


@pytest.mark.parametrize("parities", [1, 2])
@pytest.mark.parametrize("lives", [1.0, 1.01, 1.04, 2.0, 2.08, 2.6, 3.04, 3.6])
def test_later_generations_are_those_of_simulated_arrays(lives, parities):
    """Drives that are left to wear out drift apart, from one generation to the next."""
    group = EIGHT._replace(rebuild_s=5 * DAY_S, parities=parities)
    truth = simulated(lives, math.inf, group).loss_probability
    got = over_lives(lives, group)
    assert got == pytest.approx(truth, rel=registry.CHECKED["generations_loss_probability"].error)


@pytest.mark.parametrize(("lives", "replaced", "parities"), [(3.5, 0.95, 1), (3.6, 1.0, 2)])
def test_later_generations_of_drives_replaced_in_time_are_an_upper_bound(lives, replaced, parities):
    """Drives that wear out before they are replaced drift apart, which the formula leaves out."""
    group = EIGHT._replace(rebuild_s=5 * DAY_S, parities=parities)
    got, truth = (
        over_lives(lives, group, replaced_fraction=replaced),
        simulated(lives, replaced, group),
    )
    assert truth.loss_high <= got <= 1.8 * truth.loss_probability


@pytest.mark.parametrize("replaced", [0.9, 1.0, math.inf])
@pytest.mark.parametrize("stagger_s", [0.0, 30 * DAY_S])
def test_loss_rises_with_the_horizon_and_never_jumps(replaced, stagger_s):
    group = EIGHT._replace(rebuild_s=5 * DAY_S)
    known = {"group": group, "replaced_fraction": replaced, "stagger_s": stagger_s}
    course = np.array([over_lives(lives, **known) for lives in np.arange(0.8, 3.2, 0.02)])
    assert np.diff(course).min() >= -1e-5 * course[-1]  # the error of the integrals
    for whole in (1, 2, 3):
        place = whole * min(1.0, replaced)
        before, after = (over_lives(place * (1 + step), **known) for step in (-1e-9, 1e-9))
        assert after == pytest.approx(before, rel=1e-6)


def test_so_many_generations_are_counted_in_no_more_time_and_from_above():
    rare = EIGHT._replace(rebuild_s=HOUR_S)
    hundred, more = (over_lives(lives, rare, life_cv=0.02) for lives in (100, 150))
    assert hundred < more <= 1 - (1 - hundred) ** 1.5


@pytest.mark.parametrize("lives", [0.9, 1.02, 2.5])
def test_one_drive_without_parity_is_lost_when_it_wears_out(lives):
    """Replaced at the mean life: whole lives, and what is left of the last, of a normal law."""
    alone = Group(1, 0, 0.0, DAY_S, 0.0)

    def worn(life):
        return (mpmath.ncdf((life - 1) / 0.06) - mpmath.ncdf(-1 / 0.06)) / mpmath.ncdf(1 / 0.06)

    rest = lives % 1
    alive = (1 - worn(1)) ** int(lives) * (1 - (worn(rest) if rest > 0.4 else 0))
    got = over_lives(lives, alone, replaced_fraction=1.0)
    assert got == pytest.approx(float(1 - alive), rel=1e-6)


def test_drives_that_never_wear_lose_nothing_by_wear():
    assert over_lives(2.5, mean_s=math.inf) == 0


def test_buying_apart_protects_whole_generations():
    group = EIGHT._replace(rebuild_s=5 * DAY_S)
    at_once, month = (over_lives(1.55, group, stagger_s=days * DAY_S) for days in (0, 30))
    apart = failures.bought_apart_loss_probability(
        LAW, group=group, begins_s=np.arange(8) * 30 * DAY_S
    )
    assert month == pytest.approx(apart, rel=1e-12)
    assert month < at_once / 1.2


@settings(max_examples=25)
@given(
    st.integers(2, 12), st.integers(0, 2), st.floats(0.1, 4), st.floats(1, 1.5),
    st.sampled_from([0.9, 1.0, math.inf]),
)  # fmt: skip
def test_laws_of_generations(members, parities, lives, longer, replaced):
    group = EIGHT._replace(members=members, parities=min(parities, members - 1))
    got = over_lives(lives, group, replaced_fraction=replaced)
    assert 0 <= got <= 1
    later = over_lives(longer * lives, group, replaced_fraction=replaced)
    assert got <= later * (1 + 1e-4) + 1e-12  # what the integral over ages leaves
    assert over_lives(lives, group, replaced_fraction=0.8) <= over_lives(lives, group) + 1e-12


def test_groups_and_lives_of_generations_broadcast():
    group = EIGHT._replace(members=np.array([[4.0], [8.0]]), parities=np.array([1.0, 2.0, 0.0]))
    got = over_lives(1.2, group, mean_s=MEAN * np.array([0.9, 1.0, 1.1]))
    for row, members in enumerate((4, 8)):
        for column, (parities, ratio) in enumerate(((1, 0.9), (2, 1.0), (0, 1.1))):
            one = EIGHT._replace(members=members, parities=parities)
            expected = over_lives(1.2, one, mean_s=MEAN * ratio)
            assert got[row, column] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        ({"life_cv": 0.2}, r"^life_cv must be in \(0, 0.15\]"),
        ({"stagger_s": math.inf}, "^stagger_s must be a single number"),
        ({"stagger_s": 1e6, "mean_s": [MEAN, MEAN]}, "^stagger_s must be 0 for arrays"),
        ({"replaced_fraction": 0}, "^replaced_fraction must be > 0"),
    ],
)
def test_generations_that_cannot_be_are_refused(changed, match):
    with pytest.raises(DomainError, match=match):
        over_lives(1.2, **changed)


def test_ages_that_cannot_be_are_refused():
    for ages in (np.zeros(7), -np.ones(8), np.full(8, math.inf)):
        with pytest.raises(DomainError, match=r"^ages_s must be"):
            failures.staggered_loss_probability(LAW, group=EIGHT, ages_s=ages)
    with pytest.raises(DomainError, match=r"^parities must be >= 1"):
        failures.staggered_loss_probability(
            LAW, group=EIGHT._replace(parities=0), ages_s=np.zeros(8)
        )
    with pytest.raises(DomainError, match=r"^members must be a single number"):
        failures.stagger_s(0.1, failed_fraction=LAW, group=EIGHT._replace(members=np.array([8, 9])))
    with pytest.raises(DomainError, match=r"^target_probability must be"):
        failures.replacement_age_s(0.0, failed_fraction=LAW, group=EIGHT)


@settings(max_examples=25)
@given(
    st.integers(4, 24), st.integers(1, 2), st.floats(0.01, 20), st.floats(0, 0.5),
    st.floats(1, 2), st.floats(0.2, 1),
)  # fmt: skip
def test_laws_of_wear_out(members, parities, days, h, times, share):
    """Rebuild times up to half the spread of lives; up to the last percent but for parity."""
    group = Group(members, parities, 1e-10, days * DAY_S, h)
    base = loss(group=group)
    assert 0 < base <= 1
    slack, least = base * (1 + 1e-9), min(base, 0.99) * (1 - 1e-9)
    assert loss(group=group._replace(parities=parities + 1)) <= slack
    assert loss(group=group._replace(unreadable_probability=h * share)) <= slack
    assert loss(group=group._replace(rebuild_s=group.rebuild_s * times)) >= least
    assert loss(group=group._replace(members=members + 3)) >= least
    early = partial(failures.replaced_failed_fraction, failed_fraction=LAW, replaced_s=share * MEAN)
    assert loss(early, group) <= slack
