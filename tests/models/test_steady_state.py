"""The SNIA criterion, against a printed log and its own limits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import steady_state
from models.errors import DomainError

# SCSI Toolbox, "SSD and SSS Preconditioning Test in DMM", log of 2012-10-11: five values in MB/s,
# "Maximum Difference of Measurement Window Values: 11.82", "5.0% of Average Values", "Least
# Squares Slope: 2.41", "Maximum Difference on Least Squares Line: 9.66", "4.1%". The values are
# rounded to 0.01, so that a difference is known to 0.01 and one on the line, of 4 slopes, to 0.012.
LOGGED = [228.90, 240.21, 240.60, 240.71, 240.71]


def test_the_logged_window_is_steady():
    mean = 238.23
    range_ratio = steady_state.steady_range_ratio(LOGGED)
    slope_ratio = steady_state.steady_slope_ratio(LOGGED)
    assert range_ratio * mean == pytest.approx(11.82, abs=0.011)
    assert slope_ratio * mean == pytest.approx(9.66, abs=0.013)
    assert round(100 * range_ratio, 1) == 5.0
    assert slope_ratio == pytest.approx(0.041, abs=0.0006)
    assert steady_state.is_steady(LOGGED)


# Each side of each limit, on windows with a mean of 100.
@pytest.mark.parametrize(
    ("window", "steady"),
    [
        ([100, 110, 100, 90, 100], True),  # a range of exactly 20 %
        ([100, 110.1, 100, 90, 99.9], False),
        ([95, 97.5, 100, 102.5, 105], True),  # a rise of exactly 10 %
        ([94.9, 97.45, 100, 102.55, 105.1], False),
        ([105, 102.5, 100, 97.5, 95], True),
        ([105.1, 102.55, 100, 97.45, 94.9], False),
    ],
)
def test_the_limits_are_inside(window, steady):
    assert np.mean(window) == pytest.approx(100)
    assert steady_state.is_steady(window) is steady


values = st.lists(st.floats(1, 1e6), min_size=5, max_size=20)


@given(values)
def test_the_slope_is_that_of_least_squares(rounds):
    last = np.array(rounds[-5:])
    line = np.polyval(np.polyfit(np.arange(5), last, 1), np.arange(5))
    got = steady_state.steady_slope_ratio(rounds)
    assert got == pytest.approx(np.ptp(line) / np.mean(last), rel=1e-6, abs=1e-9)


@given(values, st.floats(1e-3, 1e3))
def test_the_unit_does_not_matter(rounds, factor):
    scaled = [factor * value for value in rounds]
    for formula in (steady_state.steady_range_ratio, steady_state.steady_slope_ratio):
        assert formula(scaled) == pytest.approx(formula(rounds), rel=1e-9, abs=1e-12)


@given(values)
def test_only_the_last_five_rounds_count(rounds):
    assert steady_state.is_steady([1.0, 1e6, *rounds]) == steady_state.is_steady(rounds)


@given(values)
def test_the_first_steady_round_is_the_first(rounds):
    by_hand = (n for n in range(5, len(rounds) + 1) if steady_state.is_steady(rounds[:n]))
    assert steady_state.first_steady_round(rounds) == next(by_hand, math.inf)


@pytest.mark.parametrize(
    ("rounds", "statement"),
    [
        ([1.0] * 4, "^round_values must be five numbers or more, got 4"),
        ([1.0] * 4 + [0.0], "^round_values must be > 0"),
        ([1.0] * 4 + [math.nan], "^round_values must be"),
        ([[1.0] * 5], "^round_values must be a sequence"),
    ],
)
def test_refuses_what_is_no_window(rounds, statement):
    with pytest.raises(DomainError, match=statement):
        steady_state.is_steady(rounds)
