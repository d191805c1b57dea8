"""Mixes of operations: shares of operations are shares of time, never of rates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import mixing
from models.errors import DomainError

rates = st.floats(1, 1e7)
shares = st.floats(0, 1)


# 845DC EVO of AnandTech 8319 (87K reads, 12K writes): two operations take 1/87K + 1/12K.
def test_half_reads_and_half_writes_are_far_below_the_mean_rate():
    got = mixing.mixed_iops(87e3, write_iops=12e3, read_fraction=0.5)
    assert got == pytest.approx(2 / (1 / 87e3 + 1 / 12e3), rel=1e-12)
    assert round(got) == 21_091


@given(rates, rates, shares)
def test_busy_shares_of_a_mix_sum_to_one(read_iops, write_iops, read_fraction):
    got = mixing.mixed_iops(read_iops, write_iops=write_iops, read_fraction=read_fraction)
    busy = got * read_fraction / read_iops + got * (1 - read_fraction) / write_iops
    assert busy == pytest.approx(1, rel=1e-12)


@given(rates, rates)
def test_pure_reads_and_pure_writes_give_their_own_rate(read_iops, write_iops):
    reads = mixing.mixed_iops(read_iops, write_iops=write_iops, read_fraction=1)
    writes = mixing.mixed_iops(read_iops, write_iops=write_iops, read_fraction=0)
    assert reads == pytest.approx(read_iops, rel=1e-12)
    assert writes == pytest.approx(write_iops, rel=1e-12)


@given(rates, rates, shares)
def test_a_mix_lies_between_its_rates_and_never_above_their_mean(a, b, read_fraction):
    got = mixing.mixed_iops(a, write_iops=b, read_fraction=read_fraction)
    assert min(a, b) * (1 - 1e-12) <= got <= max(a, b) * (1 + 1e-12)
    assert got <= (read_fraction * a + (1 - read_fraction) * b) * (1 + 1e-12)


@given(rates, rates, shares)
def test_two_classes_are_the_read_write_mix(a, b, read_fraction):
    two = mixing.class_mix_iops([a, b], shares=[read_fraction, 1 - read_fraction])
    mixed = mixing.mixed_iops(a, write_iops=b, read_fraction=read_fraction)
    assert two == pytest.approx(mixed, rel=1e-12)


classes = st.lists(st.tuples(rates, st.floats(1e-3, 1)), min_size=1, max_size=8)


@given(classes, st.floats(1e-3, 1e3))
def test_shares_are_relative(pairs, factor):
    iops, parts = np.array(pairs).T
    got = mixing.class_mix_iops(iops, shares=parts)
    assert mixing.class_mix_iops(iops, shares=factor * parts) == pytest.approx(got, rel=1e-12)


@given(classes)
def test_splitting_a_class_changes_nothing(pairs):
    iops, parts = np.array(pairs).T
    split_iops = np.append(iops, iops[0])
    split_parts = np.append(parts, 0.3 * parts[0])
    split_parts[0] *= 0.7
    got = mixing.class_mix_iops(split_iops, shares=split_parts)
    assert got == pytest.approx(mixing.class_mix_iops(iops, shares=parts), rel=1e-12)


@given(classes)
def test_a_class_with_no_share_is_free(pairs):
    iops, parts = np.array(pairs).T
    got = mixing.class_mix_iops(np.append(iops, 1e-6), shares=np.append(parts, 0.0))
    assert got == pytest.approx(mixing.class_mix_iops(iops, shares=parts), rel=1e-12)


def test_one_share_for_all_classes_means_equal_shares():
    equal = mixing.class_mix_iops([50e3, 4e3], shares=[0.5, 0.5])
    assert mixing.class_mix_iops([50e3, 4e3], shares=0.5) == equal
    assert mixing.class_mix_iops([50e3, 4e3], shares=[1.0]) == equal


def test_one_rate_for_all_classes_is_that_rate():
    assert mixing.class_mix_iops([4e3], shares=[0.2, 0.3]) == pytest.approx(4e3, rel=1e-12)


def test_the_last_axis_is_reduced_and_the_others_broadcast():
    iops = np.array([[50e3, 4e3], [20e3, 1e3], [1e3, 1e3]])
    parts = np.array([0.25, 0.75])
    got = mixing.class_mix_iops(iops, shares=parts)
    apart = [mixing.class_mix_iops(row, shares=parts) for row in iops]
    assert got.shape == (3,)
    np.testing.assert_allclose(got, apart, rtol=1e-13)


@pytest.mark.parametrize(
    ("iops", "parts", "name"),
    [
        ([1e3, 0.0], [0.5, 0.5], "class_iops"),
        ([1e3, -1.0], [0.5, 0.5], "class_iops"),
        ([1e3, np.nan], [0.5, 0.5], "class_iops"),
        ([1e3, 2e3], [0.5, -0.5], "shares"),
        ([1e3, 2e3], [0.5, np.nan], "shares"),
        ([1e3, 2e3], [0.0, 0.0], "shares"),
        ([[1e3, 2e3]] * 2, [[0.5, 0.5], [0.0, 0.0]], "shares"),
    ],
)
def test_names_the_argument_outside_its_domain(iops, parts, name):
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        mixing.class_mix_iops(iops, shares=parts)


@given(st.floats(1, 1e7), st.floats(1, 1e7), st.floats(0, 1))
def test_a_blend_is_a_mix_of_two_kinds_whatever_they_are(sequential, random, share):
    got = mixing.blended_iops(sequential, random_iops=random, sequential_fraction=share)
    same = mixing.mixed_iops(sequential, write_iops=random, read_fraction=share)
    assert got == same
    assert min(sequential, random) * (1 - 1e-12) <= got <= max(sequential, random) * (1 + 1e-12)
