"""Random and sequential writes in one log: levels, laws, and the simulator beside them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import DomainError
from models.simulator import Config, Mixed, run
from models.write_amplification import (
    credited,
    from_survival,
    greedy,
    host_gc,
    mixed_apart,
    mixed_host_gc,
    mixed_in_one_log,
    orderly_sequential_credit,
    separated,
    sequential_credit,
    skewed,
)

UNIFORM = {"write_shares": [1.0], "page_shares": [1.0]}
HOT = {"write_shares": [0.8, 0.2], "page_shares": [0.2, 0.8]}
CREDITS = (sequential_credit, orderly_sequential_credit)
LAYOUTS = (mixed_apart, mixed_host_gc, mixed_in_one_log)
SPARE = st.floats(0.03, 2.0)
SHARE = st.floats(0.01, 0.99)


def levels(op_ratio, share, rates=(1.0,), pages=(1.0,)):
    """Every solution, from the survival function of the mix."""
    rates, pages = np.array(rates)[:, None], np.array(pages)[:, None]

    def survival(age):
        age = np.asarray(age)
        alive = np.sum(rates * pages * np.exp(-rates * np.ravel(age)), axis=0)
        return (1 - share) * alive.reshape(age.shape) + share * (age < 1)

    return from_survival(op_ratio, survival=survival, longest=200.0)


@pytest.mark.parametrize("skew", [UNIFORM, HOT])
@pytest.mark.parametrize("op_ratio", [0.07, 0.15, 0.28, 1.0])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_both_credits_are_solutions_of_the_survival_equation(op_ratio, share, skew):
    pages = np.array(skew["page_shares"])
    found = levels(op_ratio, share, np.array(skew["write_shares"]) / pages, pages)
    alone = skewed(op_ratio, **skew)
    lowest = alone * orderly_sequential_credit(op_ratio, sequential_fraction=share, **skew)
    highest = alone * sequential_credit(op_ratio, sequential_fraction=share, **skew)
    assert lowest == pytest.approx(min(found[0], alone), rel=1e-6)
    assert min(abs(highest / wa - 1) for wa in (*found, alone)) < 1e-6


# Greedy cleaning, 256 pages, filled at random and in sequence; the cases name what they show.
@pytest.mark.parametrize(
    ("op_ratio", "share"),
    [
        pytest.param(0.28, 0.5, id="one level"),
        pytest.param(0.5, 0.8, id="nearly free"),
        pytest.param(0.28, 0.7, id="filling decides"),
        pytest.param(0.15, 0.5, id="stays above the lowest"),
        pytest.param(0.07, 0.6, id="between levels"),
    ],
)
def test_a_simulated_drive_lies_between_the_credits(op_ratio, share):
    mix = {"sequential_fraction": share, **UNIFORM, "pages_per_block": 256}
    alone = greedy(op_ratio, pages_per_block=256)
    low, high = (
        credited(alone, sequential_fraction=share, sequential_credit=credit(op_ratio, **mix))
        for credit in (orderly_sequential_credit, sequential_credit)
    )
    for fill in ("random", "sequential"):
        drive = Config(
            pages_per_block=256, blocks=600, op_ratio=op_ratio, fill=fill,
            workload=Mixed(random_writes=1 - share, random_pages=1 - share),
            warmup_overwrites=15, measured_overwrites=8,
        )  # fmt: skip
        assert low * 0.99 <= run(drive).wa <= high * 1.02


@given(SPARE, SHARE)
def test_a_mix_costs_no_more_than_its_random_writes_and_no_less_than_its_lowest(op_ratio, share):
    lowest, highest = (
        credit(op_ratio, sequential_fraction=share, **HOT)
        for credit in (orderly_sequential_credit, sequential_credit)
    )
    assert 0 < lowest <= highest * (1 + 1e-12)
    assert highest <= 1


@given(SPARE)
def test_without_sequential_writes_nothing_is_credited(op_ratio):
    for credit in CREDITS:
        assert credit(op_ratio, sequential_fraction=0.0, **HOT) == pytest.approx(1, rel=1e-12)
    found = [formula(op_ratio, sequential_fraction=0.0, **HOT) for formula in LAYOUTS]
    apart, one = separated(op_ratio, **HOT), skewed(op_ratio, **HOT)
    usual = min(max(host_gc(op_ratio, **HOT), apart), one)
    assert found == pytest.approx([apart, usual, one], rel=1e-9)


@given(SPARE)
def test_only_sequential_writes_copy_nothing(op_ratio):
    for formula in LAYOUTS:
        assert formula(op_ratio, sequential_fraction=1.0, **HOT) == pytest.approx(1, rel=1e-6)


@given(SPARE, SHARE)
def test_layouts_are_in_order(op_ratio, share):
    low, usual, high = (formula(op_ratio, sequential_fraction=share, **HOT) for formula in LAYOUTS)
    assert 1 <= low <= usual * (1 + 1e-12)
    assert usual <= high * (1 + 1e-12)


@given(SPARE, SPARE, SHARE)
def test_more_spare_area_never_costs(one, other, share):
    less, more = sorted((one, other))
    for formula in (mixed_apart,):
        values = [formula(spare, sequential_fraction=share, **HOT) for spare in (less, more)]
        assert values[1] <= values[0] * (1 + 1e-9)


def test_arrays_give_what_their_elements_give():
    spare = np.array([[0.07], [0.28], [1.0]])
    share = np.array([0.0, 0.3, 0.9, 1.0])
    for formula in (*CREDITS, *LAYOUTS):
        together = formula(spare, sequential_fraction=share, **HOT)
        apart = [[formula(p, sequential_fraction=s, **HOT) for s in share] for (p,) in spare]
        np.testing.assert_allclose(together, apart, rtol=1e-12)


@pytest.mark.parametrize("formula", [*CREDITS, *LAYOUTS])
@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"op_ratio": 0.0}, "op_ratio"),
        ({"op_ratio": np.nan}, "op_ratio"),
        ({"sequential_fraction": 1.1}, "sequential_fraction"),
        ({"write_shares": [-1.0, 2.0]}, "write_shares"),
        ({"page_shares": [1.0]}, "page_shares"),
        ({"pages_per_block": 1.5}, "pages_per_block"),
    ],
)
def test_bad_input_is_named(formula, changed, name):
    mix = {"op_ratio": 0.28, "sequential_fraction": 0.5, **HOT, "pages_per_block": 64} | changed
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        formula(mix.pop("op_ratio"), **mix)
