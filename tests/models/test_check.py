"""Domain checks: what passes, what comes back, what the message says."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import _check
from models.errors import DomainError

INSIDE_OUTSIDE = [
    (_check.positive, [5e-324, 1, math.inf], [0, -1, math.nan], "> 0"),
    (_check.non_negative, [0, -0.0, 1], [-5e-324, math.nan], ">= 0"),
    (_check.fraction, [0, 0.5, 1], [-0.1, 1 + 1e-15, math.nan], "in [0, 1]"),
    (_check.share, [1e-300, 1], [0, 1 + 1e-15, math.nan], "in (0, 1]"),
    (_check.count, [1, 2.0, 2**53], [0, -1, 0.5, 1.5, math.inf, math.nan], "a whole number >= 1"),
]


@pytest.mark.parametrize(
    ("check", "value"), [(check, x) for check, inside, _, _ in INSIDE_OUTSIDE for x in inside]
)
def test_passes_a_value_inside_through(check, value):
    (back,) = check(rate=value)
    assert type(back) is float
    assert back == value


@pytest.mark.parametrize(
    ("check", "value", "accepted"),
    [(check, x, words) for check, _, outside, words in INSIDE_OUTSIDE for x in outside],
)
def test_refuses_a_value_outside_by_name(check, value, accepted):
    with pytest.raises(DomainError) as refused:
        check(fine=1, rate=value)
    assert str(refused.value) == f"rate must be {accepted}, got {value:g}"


@pytest.mark.parametrize(
    ("check", "value"), [(check, x) for check, _, outside, _ in INSIDE_OUTSIDE for x in outside]
)
def test_names_the_first_bad_element_of_an_array(check, value):
    with pytest.raises(DomainError, match=rf"^rate must be .*, got {value:g}$"):
        check(rate=[1, value, 1])


def test_above_takes_its_bound():
    assert _check.above(-1, growth=-0.5) == (-0.5,)
    with pytest.raises(DomainError, match=r"^growth must be > -1, got -1$"):
        _check.above(-1, growth=-1)


def test_gives_values_back_in_the_order_of_the_names():
    assert _check.positive(b=2, a=1) == (2.0, 1.0)


@pytest.mark.parametrize("value", [[1, 2], (1, 2), np.array([1, 2]), np.array([[1], [2]])])
def test_lists_and_integer_arrays_become_arrays_of_floats(value):
    (back,) = _check.positive(rate=value)
    assert back.dtype == np.float64
    assert back.shape == np.shape(value)


@pytest.mark.parametrize("value", [np.int64(3), np.float32(3), np.array(3), 3])
def test_a_single_number_of_any_type_becomes_a_float(value):
    (back,) = _check.positive(rate=value)
    assert type(back) is float
    assert back == 3.0


@pytest.mark.parametrize("value", ["many", [1, "many"], [[1], [1, 2]], object(), {"a": 1}])
def test_refuses_what_is_no_number_by_name(value):
    with pytest.raises(DomainError, match=r"^rate must be a number or an array of them, got "):
        _check.positive(rate=value)


def test_refuses_a_missing_value():
    with pytest.raises(DomainError, match=r"^rate must be > 0, got nan$"):
        _check.positive(rate=None)


def test_a_domain_error_is_a_value_error():
    assert issubclass(DomainError, ValueError)


def test_require_finds_the_element_that_broke_a_rule_between_arguments():
    raw, user = np.array([3.0, 2.0]), np.array([[1.0], [2.5]])
    with pytest.raises(DomainError, match=r"^raw must be >= user, got 2$"):
        _check.require(raw >= user, "raw", ">= user", raw)


def test_plain_gives_floats_for_single_numbers_and_keeps_arrays():
    assert type(_check.plain(np.float64(2))) is float
    assert type(_check.plain(np.array(2))) is float
    assert _check.plain(np.array([2.0])).shape == (1,)


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_an_array_passes_exactly_if_all_its_elements_pass(values):
    if all(value > 0 for value in values):
        np.testing.assert_array_equal(_check.positive(rate=values)[0], values)
    else:
        with pytest.raises(DomainError):
            _check.positive(rate=values)


@pytest.mark.parametrize("wrong", ["5", ["5", "6"], None, 1 + 2j, {}, "five"])
def test_what_is_no_number_is_refused_by_name(wrong):
    with pytest.raises(DomainError, match=r"^wa must be "):
        _check.positive(wa=wrong)
