"""The choice against plans made one by one, and its laws."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import confidence
from models.errors import DomainError
from models.units import TB, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors import with_assumptions
from planner.export.choice_record import choice_record
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.search.choose import Grid, Need, Objective, Requirements, choose, kept
from planner.search.choose.request import choice_request
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.plan import plan_drive
from tests.planner.optimiser.drives import DRIVES, LARGE, RATED, SMALL, UNRATED, WRITE_ONLY

ANY = Workload(host_bytes_per_s=2e7, queue_depth=8.0)
FEW = Grid(
    drives=(SMALL, LARGE, UNRATED, WRITE_ONLY, RATED), members=(4, 6, 8),
    partition_fractions=(0.7, 1.0), levels=("0", "10", "5"), sets=(1, 2),
)  # fmt: skip
GRID = Grid(
    drives=DRIVES, members=(2, 4, 6, 8, 12), partition_fractions=(0.7, 1.0),
    levels=("0", "10", "5", "6"), sets=(1, 2),
)  # fmt: skip


def value_of(answer):
    return np.nan if not answer.is_known else float(answer.value)


def enough(requirements, has, below):
    """Whether what is worked out so far meets its needs."""
    return all(
        value >= requirements.needs[need] * (1 - 1e-12)
        for need, value in has.items()
        if need in requirements.needs
    ) and all(
        value <= requirements.needs[need] * (1 + 1e-12)
        for need, value in below.items()
        if need in requirements.needs
    )


def one_by_one(workload, requirements, grid, risk):
    """Every configuration that holds, best first: the slow twin, with scalar plans only."""
    held = []
    spread = confidence.margin_needed(requirements.life_confidence, log_sd=requirements.life_log_sd)
    for number, drive in enumerate(grid.drives):
        for spare, fraction in enumerate(grid.partition_fractions):
            for place, array in enumerate(grid.arrays()):
                one = plan_drive(drive, workload, array=array, partition_fraction=fraction)
                lives = [
                    node.value for limit, node in one.lives.known.items()
                    if str(limit) != "warranty period"
                ]  # fmt: skip
                has = {
                    Need.USABLE: value_of(one["usable_bytes"]),
                    Need.WORST: value_of(one["worst_case_floor_iops"]),
                    Need.LIFE: min(lives, default=np.nan) / spread,
                }
                has[Need.RATED] = rated_life(one, requirements, has[Need.LIFE])
                has[Need.WARRANTY] = drive.value("warranty_s")
                below = {
                    Need.BUDGET: value_of(one["total_price_usd"]),
                    Need.SLOTS: array.members,
                    Need.POWER: array.members * (drive.value("write_power_w") or np.nan),
                }
                price = below[Need.BUDGET]
                if np.isnan(price) or not enough(requirements, has, below):
                    continue
                if Need.IOPS in requirements.needs:
                    has[Need.IOPS] = value_of(
                        array_queue(one, queue_depth=requirements.queue_depth).iops
                    )
                if Need.LOSS in requirements.needs:
                    below[Need.LOSS] = value_of(data_loss(one, risk)["array_loss_probability"])
                if enough(requirements, has, below):
                    usable = has[Need.USABLE]
                    held.append((price, array.members, -usable, number, spare, place))
    return sorted(held)


def rated_life(one, requirements, modelled):
    """Time until the printed rating is used up; what is modelled only as far as that is asked."""
    printed = value_of(one["printed_life_s"])
    if np.isnan(printed):
        unlimited = np.inf if np.isnan(modelled) else modelled  # nothing is held against it
        return unlimited if requirements.allows_unrated else np.nan
    return np.fmax(printed, modelled) if requirements.credits_spare_area else printed


def told(candidate, grid):
    plan_ = candidate.plan
    return (
        candidate.objective, plan_.array.members, -plan_["usable_bytes"].value,
        grid.drives.index(plan_.drive), grid.partition_fractions.index(plan_.partition_fraction),
        grid.arrays().index(plan_.array),
    )  # fmt: skip


EACH = {
    "usable_bytes": st.floats(0.5e12, 5e12),
    "iops": st.floats(1e4, 2e5),
    "worst_case_iops": st.floats(5e3, 3e4),
    "life_s": st.floats(1 * YEAR_S, 15 * YEAR_S),
    "rated_s": st.floats(0.2 * YEAR_S, 6 * YEAR_S),
    "warranty_s": st.floats(1 * YEAR_S, 8 * YEAR_S),
    "loss_probability": st.sampled_from([1e-6, 1e-4, 1e-2, 0.1]),
    "power_w": st.floats(16, 60),
    "slots": st.integers(4, 14),
    "budget_usd": st.floats(500, 4000),
}


@st.composite
def requirements(draw):
    """Up to three needs, so that something often holds them."""
    requirements = draw(st.sets(st.sampled_from(sorted(EACH)), min_size=1, max_size=3))
    return Requirements(
        queue_depth=draw(st.none() | st.integers(1, 256)),
        life_confidence=draw(st.floats(0.1, 0.95)),
        credits_spare_area=draw(st.booleans()),
        allows_unrated=draw(st.booleans()),
        **{name: draw(EACH[name]) for name in sorted(requirements)},
    )


@settings(max_examples=15, deadline=None)
@given(
    requirements(),
    st.floats(1e6, 3e8),
    st.sampled_from([0.0, 0.3, 0.7, 1.0]),
    st.sampled_from([0.0, 0.2]),
)
def test_the_best_plan_is_that_of_plans_made_one_by_one(requirements, rate, reads, growth):
    workload = replace(ANY, host_bytes_per_s=rate, read_fraction=reads, growth_per_year=growth)
    risk = Risk()
    expected = one_by_one(workload, requirements, FEW, risk)
    got = choose(workload, requirements, FEW, risk=risk)
    assert (got.best is None) == (not expected)
    kinds = {}
    for row in expected:
        kinds.setdefault((row[3], FEW.arrays()[row[5]].level), row)
    assert [told(one, FEW)[1:] for one in got.candidates] == [
        (row[1], pytest.approx(row[2]), *row[3:]) for row in list(kinds.values())[:10]
    ]


def test_what_is_kept_of_a_question_changes_nothing_of_the_next():
    easy = Requirements(usable_bytes=2 * TB, iops=2e4, loss_probability=1e-2)
    asked = replace(easy, usable_bytes=3 * TB, loss_probability=1e-3)
    kept._TABLES.clear()
    fresh = choice_record(choose(ANY, asked, GRID))
    kept._TABLES.clear()
    choose(ANY, easy, GRID)
    (table,) = kept._TABLES.values()
    assert choice_record(choose(ANY, asked, GRID)) == fresh
    assert list(kept._TABLES.values()) == [table]
    choose(replace(ANY, host_bytes_per_s=3e7), asked, GRID)
    choose(ANY, asked, replace(GRID, members=(4, 6)))
    assert len(kept._TABLES) == 2
    assert table not in kept._TABLES.values()


def test_a_cheaper_plan_lacks_something():
    requirements = Requirements(usable_bytes=4 * TB, life_s=5 * YEAR_S, loss_probability=1e-3)
    got = choose(ANY, requirements, GRID)
    lacks = {row.drive.drive_id: row.lacks for row in got.rejected}
    assert lacks["drive-5"].need is Need.BUDGET  # no price, no place in the order
    assert lacks["drive-4"].need is Need.LIFE
    assert lacks["drive-4"].available is None
    assert all(row.lacks.margin < 1 for row in got.rejected)
    for row in got.rejected:
        at_most = row.lacks.need in (Need.LOSS, Need.BUDGET, Need.POWER)
        if row.lacks.available is not None and not at_most:
            assert row.lacks.available < row.lacks.needed
    assert sum(got.rejected_by.values()) > 0


def test_the_life_told_is_that_of_drives_new_today():
    grown = replace(ANY, growth_per_year=0.5)
    best = choose(grown, Requirements(life_s=2 * YEAR_S, life_confidence=0.5), GRID).best
    (met,) = best.met
    assert best.plan["endurance_life_s"].value == pytest.approx(met.available, rel=1e-9)


def test_codes_wider_than_their_stripes_keep_within_the_members_time():
    """A full stripe of 4 + 2 costs 6 / 4 however many drives it is spread over."""
    grid = replace(GRID, levels=("ec:4+2",), members=(6, 12, 24), sets=(1,))
    written = replace(ANY, sequential_fraction=1.0, read_fraction=0.0)
    for array in grid.arrays():
        one = plan_drive(SMALL, written, array=array)
        deep = array_queue(one, queue_depth=20_000).iops.value
        assert deep == pytest.approx(one["budget_iops"].value, rel=1e-3)


def test_a_drive_is_not_cheaper_for_power_that_is_unknown():
    told = with_user_facts(SMALL, idle_power_w=1.0, read_power_w=3.0)
    twin = replace(SMALL, drive_id="twin")
    twin = with_user_facts(twin, price_usd=101.0)
    grid = replace(GRID, drives=(told, twin), levels=("5",))
    got = choose(ANY, Requirements(usable_bytes=1 * TB), grid, objective=Objective.COST)
    assert got.best.plan.drive.drive_id == told.drive_id
    assert "Energy is left out" in got.notes[0]


def test_nothing_is_chosen_where_no_array_is_possible():
    with pytest.raises(DomainError, match=r"^members must be >= 4 for RAID 6, got 2"):
        choose(ANY, Requirements(), replace(GRID, members=(2,), levels=("6",)))


def test_a_probability_is_not_relaxed_beyond_certainty():
    got = choose(ANY, Requirements(usable_bytes=1 * TB, loss_probability=0.95), GRID)
    assert [row.need for row in got.savings] == [Need.USABLE]


def test_writes_that_cease_never_wear_drives_out():
    ceasing = replace(ANY, growth_per_year=-0.9)
    best = choose(ceasing, Requirements(life_s=9 * YEAR_S), GRID).best
    assert (best.plan["endurance_life_s"].value, best.life_probability) == (np.inf, 1.0)


def test_each_need_is_met_by_the_figures_of_the_plan():
    requirements = Requirements(
        usable_bytes=3 * TB, iops=5e4, worst_case_iops=9e3, life_s=3 * YEAR_S,
        loss_probability=1e-2, power_w=60.0, slots=16, budget_usd=5000.0,
        warranty_s=3 * YEAR_S,
    )  # fmt: skip
    best = choose(ANY, requirements, GRID).best
    met = {one.need: one for one in best.met}
    assert met[Need.USABLE].available == pytest.approx(best.plan["usable_bytes"].value)
    assert met[Need.IOPS].available == pytest.approx(best.queue.iops.value)
    assert met[Need.LOSS].available == pytest.approx(
        best.data_loss["array_loss_probability"].value, rel=1e-6
    )
    assert met[Need.BUDGET].available == pytest.approx(best.plan["total_price_usd"].value)
    assert met[Need.WARRANTY].available == 5 * YEAR_S
    assert met[Need.SLOTS].available == best.plan.array.members
    assert all(one.margin >= 1 for one in best.met)


def test_asking_less_never_costs_more():
    requirements = Requirements(usable_bytes=4.9 * TB, life_s=1 * YEAR_S, budget_usd=9e3)
    got = choose(ANY, requirements, GRID)
    assert got.best.objective == 6 * 210  # 5.76 TB; 12 x 400 GB at 100 each are 4.8 TB
    savings = {row.need: row.saving for row in got.savings}
    assert savings == {Need.USABLE: 60.0, Need.LIFE: 0.0, Need.BUDGET: 0.0}


def test_what_cannot_be_had_is_an_answer():
    got = choose(ANY, Requirements(usable_bytes=500 * TB), GRID)
    assert got.best is None
    nearest = [row for row in got.rejected if row.lacks.need is Need.USABLE]
    assert nearest
    assert all(row.lacks.available < 500 * TB for row in nearest)


@pytest.mark.parametrize(
    ("field", "value"),
    [("usable_bytes", 0), ("iops", -1), ("life_confidence", 1.0), ("loss_probability", 0.0),
     ("budget_usd", float("nan")), ("life_log_sd", -0.1), ("slots", float("inf"))],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused_by_name(field, value):
    with pytest.raises(DomainError, match=f"^{field} must be"):
        Requirements(**{field: value})


def test_a_drive_without_a_printed_idle_power_pays_for_the_typical_one():
    """Not for the worst of its class, at which every drive that prints one would be cheaper."""
    silent = find(load(), "870 EVO 4TB")
    silent = replace(silent, facts={name: fact for name, fact in silent.facts.items()
                                    if name != "idle_power_w"})  # fmt: skip
    request = choice_request([silent], minimise="cost", usable="4TB")
    (drive,) = request["grid"].drives
    ends = (with_assumptions(silent, level=level) for level in ("typical", "cautious"))
    typical, worst = (end.value("idle_power_w") for end in ends)
    assert drive.value("idle_power_w") == typical < worst
