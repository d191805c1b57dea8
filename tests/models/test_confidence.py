"""Confidence against the normal distribution and its own inverse."""

from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.confidence import holding_probability, margin_needed

spreads = st.floats(0.01, 2)


def test_a_standard_deviation_above_what_is_needed():
    sure = holding_probability(2.0, log_sd=0.6931471805599453)
    assert sure == pytest.approx(NormalDist().cdf(1.0), rel=1e-12)


def test_without_spread_a_figure_holds_or_does_not():
    assert [holding_probability(margin, log_sd=0) for margin in (0.99, 1.0, 1.01)] == [0, 1, 1]
    assert margin_needed(0.9, log_sd=0) == 1


@given(st.floats(0.01, 0.99), spreads)
def test_the_margin_needed_gives_the_probability(probability, log_sd):
    margin = margin_needed(probability, log_sd=log_sd)
    assert holding_probability(margin, log_sd=log_sd) == pytest.approx(probability, rel=1e-9)
