"""The unit of garbage collection, where it is unknown, is one number of pages everywhere."""

import numpy as np

import planner as ssd
from planner.catalogue.facts import LARGE_BLOCK
from planner.graph.nodes import Const
from planner.sections import die_speed, write_amplification
from planner.simulation.plan import replay
from tests.planner.telemetry.traces.samples import csv_of

DRIVE = "845DC PRO 400"


def last_of(node):
    """Return the number that is taken where no way before it is known."""
    *_, last = node.ways
    assert isinstance(last, Const)
    return last.value


def test_formulas_simulated_drives_and_replays_take_the_same_unknown_block(tmp_path):
    assert last_of(write_amplification.PAGES_OR_LARGE) == LARGE_BLOCK
    assert last_of(die_speed._PAGES) == LARGE_BLOCK
    plan = ssd.plan(DRIVE).record
    assert plan.drive.value("pages_per_block") is None
    assert replay(plan).pages_per_block == LARGE_BLOCK
    pages = np.random.default_rng(5).integers(0, 60_000, 180_000)
    path = tmp_path / "trace.csv"
    path.write_bytes(csv_of(pages))
    replayed = ssd.wa(path, DRIVE, simulate=True).record[1].replayed
    assert replayed.pages_per_block == LARGE_BLOCK
