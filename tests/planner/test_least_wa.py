"""A write amplification begins at 1 where nothing compresses, in plans and in their workbooks."""

import itertools
import random
import warnings

import numpy as np
import pytest

from planner.catalogue import load
from planner.export.workbook.live import LivePlan
from planner.export.workbook.moved import ENDS, MovedPlan
from planner.export.workbook.plan_ranges import EndCells, live_ends
from planner.sections.request import plan_of
from tests.planner.export.formulas import FUNCTIONS, Text, compiled

WRITES = {"writes": "1 TB/day"}
SEED, PLANS, PARTS = 20261127, 60, 6
WAYS = (
    {"working_set": "1%"}, {"working_set": "3%"}, {"working_set": "10%"}, {"sequential": "99%"},
    {"sequential": "100%"}, {"spare": "60%"}, {"skew": "80/20", "spare": "50%"}, {"fill": "30%"},
    {"wa": "1.02"}, {"placement": "class", "skew": "99/1", "spare": "40%"}, {},
)  # fmt: skip


def plans():
    """Draw plans, most of which copy little."""
    rng = random.Random(SEED)  # noqa: S311 - plans are no secret
    drives = load().drives
    for _ in range(PLANS):
        inputs = {"writes": rng.choice(("50 GB/day", "1 TB/day")), **rng.choice(WAYS)}
        yield drives[rng.choice(sorted(drives))], inputs


def amplifications(plan):
    """Yield the key, and the range, of every write amplification of a plan."""
    for key, node in plan.reading.graph.answers.items():
        answer = plan.reading.answer(node)
        if key.endswith("_wa") and answer.is_known and not np.ndim(answer.value):
            yield key, plan.uncertain.range(key, answer.value, [node])


def computed(formula, values):
    code, _ = compiled(formula[1:])
    return eval(code, FUNCTIONS | {"Text": Text, "at": values.get})  # noqa: S307 - of our own formulas


def live_low(moved, key):
    """Compute the cell of the low end of a number from those of the number at its ends."""
    found, values, cells = moved.moved[key], {"C9": moved.live.value(key)}, []
    pairs = [[moved.rows[item.quantity, end].value(key) for end in ENDS] for item in found.inputs]
    are_models = [item.is_model for item in found.inputs]
    if found.folded is not None:
        pairs, are_models = [*pairs, found.folded], [*are_models, found.are_models]
    for row, (pair, is_model) in enumerate(zip(pairs, are_models, strict=True)):
        cells.append(EndCells(f"K{row}", f"L{row}", is_model))
        values |= dict(zip(cells[-1][:2], pair, strict=True))
    low, _ = live_ends(key, found.scale, "C9", cells, moved.least(key))
    return computed(low, values)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_write_amplification_begins_below_1(part):
    cut = live = 0
    for drive, inputs in itertools.islice(plans(), part, None, PARTS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plan = plan_of(drive, **inputs)
            moved = MovedPlan(LivePlan(plan))
            for key, each in amplifications(plan):
                assert 1 <= each.low <= each.typical <= each.high, (drive.name, inputs, key)
                cut += each.low == 1 < each.high
                if key in moved.moved and each.is_wide:
                    assert live_low(moved, key) == pytest.approx(each.low, rel=1e-9), (inputs, key)
                    live += 1
    assert cut
    assert live


@pytest.mark.parametrize("inputs", [
    {"fact": ["stored_fraction=60%"], "spare": "50%"}, {"wa": "0.985"},
])  # fmt: skip
def test_data_that_compress_are_less_on_the_flash(inputs):
    """By what a drive is said to store, or by its own counters."""
    each = plan_of("PM893 960", **WRITES, **inputs).ranges["workload_wa"]
    assert each.low <= each.typical < 1


def test_a_fact_that_nothing_compresses_is_as_none():
    plan = plan_of("PM893 960", **WRITES, fact=["stored_fraction=100%"], working_set="3%")
    assert plan.ranges["workload_wa"].low == 1


@pytest.mark.parametrize("stored", ["5%", "20%"])
def test_the_better_placement_copies_no_less_than_nothing(stored):
    """Greedy collection is a share of ten choices, but of next to no copies no share of the writes.

    Such a plan was refused.
    """
    fact = [f"stored_fraction={stored}"]
    assert plan_of("PM893 960", **WRITES, fact=fact, working_set="3%")["workload_wa"].value < 1
