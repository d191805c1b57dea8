"""One reading of a grid against plans made one by one, and what it does with what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.units import TB
from planner.catalogue import load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors import with_assumptions
from planner.scenario.firmware import Firmware, Policy
from planner.scenario.workload import Workload
from planner.search.choose import Grid, Objective, Requirements, choose, mixed_fleet
from planner.search.choose.configurations import configurations
from planner.sections.plan import plan_drive
from tests.families import one_per_family
from tests.planner.optimiser.drives import DRIVES, SMALL

FAMILIES = one_per_family(load().drives.values())
CATALOGUE = st.sampled_from(FAMILIES) | st.sampled_from(FAMILIES).map(with_assumptions)
REFUSED = replace(
    with_user_facts(SMALL, raw_bytes=0.9 * SMALL.capacity_bytes), drive_id="x", model="less flash"
)
LEVELS = ("0", "1", "10", "5", "6", "ec:3+2")


@st.composite
def workloads(draw):
    """Workloads of every kind that picks another formula or another way."""
    skewed = draw(st.booleans())
    return Workload(
        host_bytes_per_s=draw(st.floats(1e6, 3e8)),
        sequential_fraction=draw(st.sampled_from([0.0, 0.3, 1.0])),
        read_fraction=draw(st.sampled_from([0.0, 0.7, 1.0])),
        growth_per_year=draw(st.sampled_from([-0.3, 0.0, 0.2])),
        fill_fraction=draw(st.sampled_from([0.8, 1.0])),
        measured_wa=draw(st.sampled_from([None, None, 2.5])),
        rate_steps=draw(st.sampled_from([(), ((3.2e7, 2.0),)])),
        write_shares=(0.8, 0.2) if skewed else (1.0,),
        page_shares=(0.2, 0.8) if skewed else (1.0,),
    )


@settings(max_examples=20, deadline=None)
@given(
    workloads(),
    st.lists(CATALOGUE | st.sampled_from(DRIVES), min_size=1, max_size=3),
    st.sampled_from([Firmware(), Firmware(policy=Policy.FIFO), Firmware(policy=Policy.D_CHOICES)]),
    st.integers(0, 1),
)
def test_a_grid_reads_what_plans_made_one_by_one_say(workload, drives, firmware, spares):
    grid = Grid(
        drives=tuple(drives), members=(5, 8), partition_fractions=(0.7, 1.0), levels=LEVELS,
        sets=(1, 2), hot_spares=spares,
    )  # fmt: skip
    table = configurations(workload, grid, firmware=firmware)
    assert table.refusals == ()
    some = np.random.default_rng(spares).choice(np.prod(table.shape), 8)
    for place in zip(*np.unravel_index(some, table.shape), strict=True):
        drive, spare, array = place
        alone = plan_drive(
            grid.drives[drive], workload, array=table.arrays[array], firmware=firmware,
            partition_fraction=grid.partition_fractions[spare],
        ).reading  # fmt: skip
        for name, values in table.answers.items():
            value = np.broadcast_to(values, table.shape)[place]
            assert value == pytest.approx(alone[name].value, rel=1e-12, nan_ok=True), name


def test_a_drive_that_a_formula_refuses_is_left_out_alone_and_named():
    workload, requirements = Workload(host_bytes_per_s=2e7), Requirements(usable_bytes=1 * TB)
    grid = Grid(drives=(SMALL, REFUSED), members=(4, 6), partition_fractions=(0.8, 1.0))
    table = configurations(workload, grid)
    alone = configurations(workload, replace(grid, drives=(SMALL,)))
    for name, values in table.answers.items():
        rows = np.broadcast_to(values, table.shape)
        np.testing.assert_array_equal(
            rows[0], np.broadcast_to(alone[name], alone.shape)[0], err_msg=name
        )
        assert np.isnan(rows[1]).all(), name
    for objective in Objective:
        got = choose(workload, requirements, grid, objective=objective)
        assert got.best.plan.drive == SMALL
        (note,) = (note for note in got.notes if REFUSED.name in note)
        assert "is left out: " in note
        assert "raw_bytes" in note
    fleet = mixed_fleet(workload, requirements, grid)
    assert [pool.drive for pool in fleet.pools] == [SMALL] * len(fleet.pools) != []
    assert note in fleet.notes
