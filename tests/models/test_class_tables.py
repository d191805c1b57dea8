"""Sums over classes by table, from 256 points on: what the sums themselves give."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models import write_amplification as wa
from models.write_amplification import _tables

FORMULAS = {
    "skewed": False,
    "separated": False,
    "host_gc": False,
    "sequential_credit": True,
    "orderly_sequential_credit": True,
    "apart_ratio": True,
}
RATIOS = np.geomspace(0.005, 20, 300)
SHARES = np.linspace(0, 1, 300)


def at_once_and_apart(name, **classes):
    """Return what all points give together, and what few at a time give."""
    formula, mixed = getattr(wa, name), FORMULAS[name]
    turned = np.random.default_rng(0).permutation(SHARES)

    def part(points):
        mix = {"sequential_fraction": turned[points]} if mixed else {}
        return formula(RATIOS[points], **mix, **classes)

    size = _tables.MANY // 4
    parts = [part(slice(at, at + size)) for at in range(0, RATIOS.size, size)]
    return part(slice(None)), np.concatenate(parts)


@pytest.mark.parametrize("pages", [None, 64.0])
@pytest.mark.parametrize("name", FORMULAS)
def test_many_points_give_what_few_give(name, pages):
    classes = {
        "two": ([0.8, 0.2], [0.2, 0.8]),
        "resting": ([0.95, 0.05, 0.0], [0.05, 0.45, 0.5]),
        "Zipf": wa.zipf_classes(0.99, pages=1e6, classes=30),
    }
    for writes, held in classes.values():
        together, apart = at_once_and_apart(
            name, write_shares=writes, page_shares=held, pages_per_block=pages
        )
        np.testing.assert_allclose(together, apart, rtol=1e-9)


@settings(max_examples=15)
@given(st.lists(st.tuples(st.floats(1e-6, 1), st.floats(1e-6, 1)), min_size=1, max_size=6))
def test_any_classes_do(classes):
    writes, held = np.array(classes).T
    assume(np.ptp(np.log(writes / held)) < 14)
    together, apart = at_once_and_apart("skewed", write_shares=writes, page_shares=held)
    np.testing.assert_allclose(together, apart, rtol=1e-9)


def test_points_beyond_the_table_are_solved_as_they_are():
    ratios = np.concatenate([np.full(300, 0.28), [1e-9, 1e6]])
    classes = {"write_shares": [0.8, 0.2], "page_shares": [0.2, 0.8]}
    together = wa.skewed(ratios, **classes)
    np.testing.assert_allclose(together[-2:], wa.skewed(ratios[-2:], **classes), rtol=1e-13)
    apart = wa.separated(ratios, **classes)
    np.testing.assert_allclose(apart[-2:], wa.separated(ratios[-2:], **classes), rtol=1e-13)


def test_the_slope_of_a_class_is_its_derivative():
    x = np.geomspace(1e-6, 30, 50)
    step = 1e-5 * x
    numeric = (_tables.excess(x + step) - _tables.excess(x - step)) / (2 * step)
    np.testing.assert_allclose(_tables.excess_slope(x), numeric, rtol=1e-6)
