"""One quantity has one range: of plan, speed, array, owning, script, JSON and table."""

import itertools
import json
import math
import warnings

import pytest

import planner as ssd
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue import load
from planner.export.tables import record, rows
from planner.quantity.units import FACTORS
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.ownership import owned_ranges, ownership
from planner.sections.ranges import Range, ranges_among
from planner.sections.request import plan_of
from planner.sections.speed import speed_of
from planner.sections.speed_ranges import speed_ranges_of
from planner.sections.why import halving
from tests import eager

PLANS, PARTS = 100, 10
STRIDE = 10  # of the scenarios that are drawn
ENDS = ("low", "typical", "high")


def scenarios(part):
    chosen = itertools.islice(eager.scenarios(), 0, PLANS * STRIDE, STRIDE)
    return [inputs for place, (inputs, _, _) in enumerate(chosen) if place % PARTS == part]


def faces(plan, inputs):
    """Yield the ranges that each face has, by key."""
    yield "plan", dict(plan.ranges)
    if plan.array.working == 1:
        yield "speed", speed_ranges_of(plan, speed_of(plan), with_readers=False).answers
    queue, lost = array_queue(plan), data_loss(plan)
    answers = (*queue.answers, *lost.answers)
    yield "array", ranges_among([*queue.readings, *lost.readings], answers, plan.uncertain.every)
    yield "owning", owned_ranges(plan, ownership(plan))
    mine = ssd.plan(inputs["drive"], **{k: v for k, v in inputs.items() if k != "drive"})
    yield "script", {key: mine[key].between for key in plan.ranges}
    stated = json.loads(json.dumps(record(plan, load())))["ranges"]
    yield "JSON", {key: tuple(each[end] for end in ENDS) for key, each in stated.items()}
    in_table = {row.quantity: (row.low, row.high) for row in rows(plan, load())}
    yield "table", {
        key: tuple(map(FACTORS[QUANTITIES[key].shown_in].__mul__, ends))
        for key, ends in in_table.items() if key in plan.ranges and None not in ends
    }  # fmt: skip


@pytest.mark.parametrize("part", range(PARTS))
def test_a_quantity_lies_between_the_same_ends_on_every_face(part):
    for inputs in scenarios(part):
        inputs["drive"] = load().drives[inputs["drive"]].name
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                plan = plan_of(inputs["drive"], **{k: v for k, v in inputs.items() if k != "drive"})
            except DomainError:
                continue
            found = dict(faces(plan, inputs))
        first = found.pop("plan")
        for face, ranges in found.items():
            for key in first.keys() & ranges.keys():
                got = ranges[key]
                ends = (got[0], got[-1]) if len(got) < 4 else (got[0], got[2])
                if None in ends:  # without end, in JSON
                    continue
                expected = (first[key].low, first[key].high)
                assert ends == pytest.approx(expected, rel=1e-9), (face, key, inputs)


@pytest.mark.parametrize(
    ("facts", "model_half", "count"),
    [
        ({"pe_cycles": 0.4}, 0.0, 1),
        ({"pe_cycles": 0.4, "raw_bytes": 0.2}, 0.0, 1),  # a half of 0.2 is left of 0.447
        ({"pe_cycles": 0.4, "raw_bytes": 0.3}, 0.0, 2),  # 0.3 is more than half of 0.5
        ({"pe_cycles": 0.3, "raw_bytes": 0.1}, 1.0, 1),  # 0.32 is less than half of 1.05
        ({}, 0.0, 0),
        ({}, 0.1, 0),  # a measurement is no closer than what is known
    ],
)
def test_the_readings_that_halve_a_range_are_as_few_as_can_be(facts, model_half, count):
    each = Range(1.0, 2.0, 4.0, "prior", facts=facts, model_half=model_half)
    readings = halving("wear_life_s", each)
    assert len(readings) == count
    parts = sorted({**facts, "model": model_half}.values(), reverse=True)
    left = math.hypot(*parts[len(readings) :], 0.0)
    assert not readings or left <= math.hypot(*parts) / 2
