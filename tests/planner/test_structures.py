"""Every combination of choices that picks formulas makes a graph."""

from itertools import product

import pytest

from planner.quantity.inputs import INPUTS
from planner.sections.plan import placed_graph
from planner.sections.request import request
from planner.sections.structure import structure_of

SHARES = tuple(
    product(("field", "uniform", "80/20"), ("0%", "10%"), ("0%", "40%"), ("100%", "50%"))
)


@pytest.mark.parametrize("placement", INPUTS["placement"].choices)
@pytest.mark.parametrize("collection", INPUTS["collection"].choices)
def test_a_graph_is_made_of_every_firmware_and_pattern(placement, collection):
    """Cost-benefit with trims, and zones with a skew, had two nodes of one name."""
    for skew, trim, sequential, working_set in SHARES:
        asked = request(
            "845DC PRO 400", placement=placement, collection=collection, skew=skew, trim=trim,
            sequential=sequential, working_set=working_set,
        )  # fmt: skip
        structure = structure_of(asked["workload"], asked["firmware"], asked["drive"])
        assert "workload_wa" in placed_graph(structure).answers
