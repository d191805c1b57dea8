"""Intervals from swings: against the exact law of products, sums of draws, and identities."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from models.errors import DomainError
from models.write_amplification.factors import LEAST_COPIES
from planner.graph.interval import LEVEL, interval

Z95 = norm.ppf((1 + LEVEL) / 2)
SWINGS = st.lists(st.floats(0.0, 2.0), min_size=1, max_size=6)


@given(SWINGS, st.floats(1e-6, 1e12))
def test_a_product_of_lognormal_factors_is_met_exactly(widths, typical):
    """The 5 % and 95 % points of a product of independent lognormal factors are known."""
    sds = np.array(widths)
    ends = np.exp(Z95 * sds)
    found = interval(typical, at_low=typical / ends, at_high=typical * ends)
    sd = math.sqrt((sds**2).sum())
    exact = typical * np.exp(norm.ppf([0.05, 0.95]) * sd)
    assert [found.low, found.high] == pytest.approx(exact, rel=1e-9)


def test_draws_lie_inside_with_the_level():
    """Life = flash x cycles / write amplification, each lognormal, is inside as often as said."""
    rng = np.random.default_rng(5)
    sds, signs = np.array([0.05, 0.35, 0.5]), np.array([1, 1, -1])
    lives = np.exp((rng.normal(size=(100_000, 3)) * sds * signs).sum(axis=1))
    ends = np.exp(signs * Z95 * sds)
    found = interval(1.0, at_low=1 / ends, at_high=ends)
    inside = np.mean((lives >= found.low) & (lives <= found.high))
    assert inside == pytest.approx(LEVEL, abs=0.004)


@given(SWINGS, SWINGS)
def test_the_typical_answer_is_inside_and_each_swing_widens(first, second):
    def of(widths):
        ends = np.exp(widths)
        return interval(3.0, at_low=3 / ends, at_high=3 * ends)

    alone, both = of(np.array(first)), of(np.array(first + second))
    assert both.low <= alone.low * (1 + 1e-12)
    assert alone.low <= 3.0 <= alone.high
    assert alone.high <= both.high * (1 + 1e-12)


@pytest.mark.parametrize(("scale", "onto"), [
    ("logarithm", np.log),
    ("copies", lambda wa: np.log(wa - 1 + LEAST_COPIES)),
    ("logit", lambda p: np.log(p / (1 - p))),
    ("linear", np.array),
])  # fmt: skip
def test_a_single_input_gives_its_own_ends(scale, onto):
    typical, low, high = (0.4, 0.1, 0.8) if scale == "logit" else (2.0, 1.2, 5.0)
    found = interval(typical, at_low=[low], at_high=[high], scale=scale)
    assert (found.low, found.high) == pytest.approx((low, high))
    reversed_ = interval(typical, at_low=[high], at_high=[low], scale=scale)
    assert (reversed_.low, reversed_.high) == pytest.approx((low, high))
    assert found.swings[0] == pytest.approx(
        max(abs(onto(end) - onto(typical)) for end in (low, high))
    )


def test_an_end_without_limit_leaves_the_other_end_be():
    """A life that never ends at many cycles still ends sooner with few: not at the typical one."""
    found = interval(4.0, at_low=[2.0, 3.0], at_high=[math.inf, 5.0])
    alone = interval(4.0, at_low=[2.0, 3.0], at_high=[8.0, 5.0])
    assert found.low == pytest.approx(alone.low)
    assert found.low < 2.0
    assert found.high == math.inf


def test_the_middle_of_a_model_moves_both_ends():
    """Measured over computed 0.5 to 1 for a model alone; with a fact the width joins around it."""
    alone = interval(4.0, at_low=[2.0], at_high=[4.0], is_model=[True])
    assert (alone.low, alone.high, math.exp(alone.model_half)) == pytest.approx((2, 4, 2**0.5))
    joined = interval(4.0, at_low=[2.0, 3.0], at_high=[4.0, 16 / 3], is_model=[True, False])
    half = math.hypot(math.log(2) / 2, math.log(4 / 3))
    middle = math.log(4 * 2**-0.5)
    assert np.log([joined.low, joined.high]) == pytest.approx([middle - half, middle + half])
    far = interval(4.0, at_low=[1.0], at_high=[2.0], is_model=[True])
    assert (far.low, far.high) == pytest.approx((1.0, 4.0))  # the computed value stays inside


def test_answers_off_the_scale_lie_between_all_values():
    endless = interval(math.inf, at_low=[3.0, math.inf], at_high=[math.inf, math.inf])
    assert (endless.low, endless.high) == (3.0, math.inf)
    none = interval(0.0, at_low=[0.0], at_high=[0.2], scale="logit")
    assert (none.low, none.high) == (0.0, 0.2)
    unknown = interval(2.0, at_low=[math.nan, 1.0], at_high=[4.0, math.nan])
    assert (unknown.low, unknown.high) == pytest.approx((1.0, 4.0))


def test_many_answers_at_once_are_each_their_own():
    typical = np.array([1.0, 5.0])
    ends = np.array([[0.5, 0.9], [4.0, 2.0]]), np.array([[2.0, 1.2], [6.0, 9.0]])
    every = interval(typical, at_low=ends[0], at_high=ends[1])
    for place in range(2):
        one = interval(typical[place], at_low=ends[0][place], at_high=ends[1][place])
        assert (every.low[place], every.high[place]) == pytest.approx((one.low, one.high))


@pytest.mark.parametrize(("typical", "low"), [
    (1.2, 1.0), (1.0, 1.0), (1 - 1e-12, 1 - 1e-12), (0.99, 0.98),
])  # fmt: skip
def test_a_low_end_stops_at_the_least_unless_the_answer_is_less(typical, low):
    ends = {"at_low": [0.98, 1.0], "at_high": [1.5, 1.3], "scale": "copies"}
    free, cut = interval(typical, **ends), interval(typical, **ends, least=1.0)
    assert free.low <= 0.98
    assert cut.low == (free.low if low == 0.98 else low)
    assert cut[1:3] == free[1:3]


def test_no_input_is_no_width():
    assert interval(3.0, at_low=[], at_high=[])[:3] == (3.0, 3.0, 0.0)
    assert interval(0.1 + 0.2, at_low=[0.1 + 0.2], at_high=[0.1 + 0.2]).low == 0.1 + 0.2


def test_refused():
    with pytest.raises(DomainError, match="scale must be one of"):
        interval(1.0, at_low=[1.0], at_high=[1.0], scale="root")
    with pytest.raises(DomainError, match="at_high must have as many"):
        interval(1.0, at_low=[1.0], at_high=[1.0, 2.0])
