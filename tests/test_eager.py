"""Ownership, data loss, arrays and speed give the numbers that they gave before one graph.

The suite asks every fifth scenario, `make long` all of them.
"""

import os
import warnings

import numpy as np
import pytest

from planner.catalogue import load
from planner.catalogue.priors_kind import is_written_in_place
from tests import eager

PARTS = 20
STRIDE = 1 if os.environ.get("LONG") else 5
REL = 1e-7  # between processors; on the one that wrote the file the numbers are equal bit by bit


@pytest.fixture(scope="module")
def before():
    return eager.pinned()


def test_the_scenarios_are_those_that_were_pinned(before):
    assert len(before) == eager.SCENARIOS
    assert sum("plan" not in row for row in before) > 0.9 * eager.SCENARIOS


def as_then(before, inputs, terms, risk):
    """State what was assumed of a drive and is not since then: a price by class, one UBER."""
    if risk.get("uber") is None and load().drives[inputs["drive"]].value("uber") is None:
        risk = risk | {"uber": 1e-16}
    spent = before.get("ownership/capital_usd")
    if spent is not None and not np.isnan(spent) and "price" not in inputs:
        drives = int(inputs.get("drives", 1)) + int(terms.get("spare_drives", 0))
        inputs = inputs | {"price": f"{float(spent) / drives:.17g}"}
    return inputs, terms, risk


def check_generations(now, before, risk):
    """Check losses that are followed over generations since then, and return their names."""
    names = {
        name
        for name in eager.BY_GENERATION & now.keys()
        if eager.reaches_second_drives(before, risk) or before[name] < eager.ROUNDING
    }
    for name in names:
        assert np.isnan(now[name]) == np.isnan(before[name]), name
        assert not now[name] > max(eager.MOST_RISE * before[name], eager.ROUNDING), name
    return names


def by_drive(drive):
    """Yield the names that rest on what is assumed otherwise of such a drive since then."""
    if drive.value("block_bytes") is None:
        yield from eager.BY_BLOCK
    if "slc_cache_bytes" in drive.facts and "folded_write_bytes_per_s" not in drive.facts:
        yield from eager.BY_FOLDING
    if is_written_in_place(drive):
        yield from eager.IN_PLACE
    if (drive.value("unit_bytes") or 0.0) > 4096:
        yield from eager.IN_UNITS


def name_worst_as_then(now, before):
    """Give worst-case IOPS at the queue depth the key that they had, in place of both answers."""
    for question in ("speed", "range/speed"):
        values = {name: now.pop(f"{question}/{name}", None) for name in eager.WORST}
        for name in eager.WORST:
            if f"{question}/{name}" in before:
                now[f"{question}/{name}"] = values[eager.WORST_AT_DEPTH]


@pytest.mark.parametrize("part", range(0, PARTS, STRIDE))
def test_answers_are_what_they_were(before, part):
    for place, scenario in enumerate(eager.scenarios()):
        if place % PARTS != part or place % STRIDE:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            now = eager.of_scenario(place, *as_then(before[place], *scenario))
        name_worst_as_then(now, before[place])
        changed = eager.CHANGED.get(place, ())
        changed = (*changed, *by_drive(load().drives[scenario[0]["drive"]]))
        if eager.reads_differ(before[place], scenario[0]):
            changed = (*changed, *eager.OF_READS)
        names = {name for name in now.keys() | before[place].keys()
                 if not any(part in name for part in changed)} - eager.GONE - eager.NEW  # fmt: skip
        assert names <= now.keys() & before[place].keys(), (place, scenario)
        names -= check_generations(now, before[place], scenario[2])
        for name in names:
            value = before[place][name]
            if isinstance(value, str):
                assert now[name] == value, (place, name, scenario)
                continue
            assert np.shape(now[name]) == value.shape, (place, name, scenario)
            if name.startswith("range/"):
                assert now[name][0] <= now[name][1], (place, name, scenario)  # see eager.RANGES
                continue
            rel = max(REL, eager.mixed_tolerance(name, scenario[0]))
            lost = eager.ROUNDING if rel > REL else eager.BY_LAST_PLACE.get(name, 0.0)
            np.testing.assert_allclose(
                now[name], value, rtol=rel, atol=lost, err_msg=f"{place} {name} {scenario}"
            )
