"""Random walks over the app: no exception, no dead page, and each figure the same on every place.

A walk begins on the first screen. After each step the controls and the verdict of the place are
there, and each figure is, by its key, what any place showed of the same scenario before. The suite
takes a few steps, `make long` 2,000; a walk that fails prints its seed and the steps that it needs.
"""

import os

import pytest

from tests.app.conftest import APP
from tests.app.figures import Figure, Figures, recorded
from tests.app.walker import Step, Walk, shrunk, walk_at_random
from tests.walks_page import page, record

LENGTH, WALKS = (25, 80) if os.environ.get("LONG") else (30, 2)
FIRST_SEED = int(os.environ.get("SEED", "1"))


@pytest.fixture
def figures():
    with recorded() as found:
        yield found


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + WALKS))
def test_a_random_walk_finds_no_fault(figures, seed):
    walking, steps, faults = walk_at_random(figures, seed, LENGTH)
    if os.environ.get("LONG"):
        record(seed, walking, steps, faults)
    if faults:
        fewer = shrunk(figures, steps, faults[0])
        pytest.fail("\n".join([f"seed {seed}: {faults[0]}", *map(str, fewer)]), pytrace=False)
    assert len(walking.seen) > 1


LINK = {"drive": "PM9A3 3.84", "drives": "4", "raid": "5", "writes": "2 TB/day", "afr": "5%"}
# Steps, and a figure that each shows.
TOUR = {
    Step("link", "", tuple(LINK.items())): "workload_wa",
    Step("button_group", "part", "Speed"): "steady_write_iops",
    Step("button_group", "part", "Array"): "mean_replacements",
    Step("button_group", "part", "Cost"): "npv_usd",
    Step("button_group", "part", "Every number"): "wear_life_s",
}  # fmt: skip


def test_figures_are_recorded_from_every_part(figures):
    """Check what walks compare: were nothing recorded, no walk would fail."""
    walking = Walk(figures)
    for step, key in TOUR.items():
        walking.do(step)
        assert walking.faults() == []
        assert {key, "total_price_usd", "afr_fraction"} <= figures.drawn.keys()


def test_a_figure_that_differs_is_found():
    found = Figures()
    found.put("npv_usd", 1.0, "verdict")
    assert not Figure(1.0 + 1e-6, "cost").is_like(found.drawn["npv_usd"][0])
    assert Figure(1.0 + 1e-12, "cost").is_like(found.drawn["npv_usd"][0])
    assert Figure(float("nan"), "cost").is_like(Figure(float("nan"), "verdict"))


def test_the_page_is_as_it_is_generated():
    assert page() == (APP.parent / "docs" / "evidence" / "walks.md").read_text()
