"""What the drive's firmware does, in the plan: policy, layout, reserve; and the run beside it."""

import math
from dataclasses import replace

import pytest

from models.errors import DomainError
from models.simulator import cost_benefit_wa, d_choices_wa, greedy_wa, run
from planner.catalogue.drive import own_drive, with_user_facts
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.skew import classes_of
from planner.scenario.workload import Workload
from planner.sections.plan import plan_drive
from planner.sections.write_amplification import (
    CHOICES,
    FIFO_APART,
    HOST_GC,
    NO_RESERVE,
    STREAMS,
    WORKING_SET,
)
from planner.simulation.plan import replay

UNIFORM = Workload(host_bytes_per_s=1e7)
HOT = replace(UNIFORM, write_shares=(0.9, 0.1), page_shares=(0.1, 0.9))


def drive(op_ratio=0.28, **facts):
    return with_user_facts(own_drive(1e12), raw_bytes=(1 + op_ratio) * 1e12, **facts)


def wa(of, workload=UNIFORM, **firmware):
    answer = plan_drive(of, workload, firmware=Firmware(**firmware))
    return answer["workload_wa"].value


@pytest.mark.parametrize("workload", [UNIFORM, HOT])
def test_policies_are_in_order(workload):
    known = drive(0.07, pages_per_block=128)  # where the rules differ most
    greedy, choices, fifo, random = (
        wa(known, workload, policy=policy)
        for policy in (Policy.GREEDY, Policy.D_CHOICES, Policy.FIFO, Policy.RANDOM)
    )
    assert greedy <= choices <= fifo < random
    assert random == pytest.approx(1.07 / 0.07)


def test_random_choices_without_a_known_block_are_those_of_large_ones():
    assert wa(drive(), policy=Policy.D_CHOICES) == pytest.approx(2.528, abs=1e-3)  # 512 pages


def test_layouts_are_in_order():
    one_log, host_gc, streams = (
        wa(drive(), HOT, layout=layout, policy=Policy.D_CHOICES)
        for layout in (Layout.ONE_LOG, Layout.HOST_GC, Layout.STREAMS)
    )
    assert streams < host_gc < one_log


def test_mistakes_of_the_classifier_cost():
    right, some, half = (
        wa(drive(), HOT, layout=Layout.STREAMS, accuracy=accuracy) for accuracy in (1.0, 0.95, 0.5)
    )
    assert right < some < half


def test_the_plan_says_which_layout_it_took():
    told = {
        (Policy.D_CHOICES, Layout.HOST_GC): HOST_GC,
        (Policy.GREEDY, Layout.HOST_GC): HOST_GC,
        (Policy.FIFO, Layout.HOST_GC): FIFO_APART,
        (Policy.GREEDY, Layout.STREAMS): STREAMS,
        (Policy.D_CHOICES, Layout.STREAMS): CHOICES,
    }
    for (policy, layout), note in told.items():
        answer = plan_drive(drive(), HOT, firmware=Firmware(policy=policy, layout=layout))
        assert note in answer.notes


def test_the_band_is_low_typical_high():
    low, typical, high = plan_drive(drive(), HOT).wa_band
    assert [low.key, typical.key, high.key] == ["low_wa", "typical_wa", "high_wa"]
    assert low.value < typical.value < high.value
    assert high.value == wa(drive(), HOT, layout=Layout.ONE_LOG)
    assert typical.value == wa(drive(), HOT)
    apart = wa(drive(), HOT, policy=Policy.D_CHOICES, layout=Layout.HOST_GC)
    assert low.value == pytest.approx(0.97 * apart)


def test_placement_by_temperature_is_no_bound():
    answer = plan_drive(drive(), HOT)
    assert answer.apart_wa.value < 0.8 * answer.wa_band[0].value
    assert answer.apart_wa.key not in [bound.key for bound in answer.wa_band]


def test_kinds_of_data_apart_are_worth_what_runs_of_the_rules_give():
    """A log beside random writes: greedy collection gives up most of what parting them is worth."""
    mixed = replace(UNIFORM, sequential_fraction=0.5)
    answer = plan_drive(drive(pe_cycles=3000.0, pages_per_block=512), mixed)
    asked = {"write_shares": [1.0], "page_shares": [1.0], "pages_per_block": 512.0,
             "sequential_fraction": 0.5, "placement": 3}  # fmt: skip
    ratio = answer["cleaning_op_ratio"].value
    by_rule = [
        simulated(ratio, **asked) for simulated in (greedy_wa, d_choices_wa, cost_benefit_wa)
    ]
    typical, now = math.sqrt(by_rule[0] * by_rule[1]), answer["workload_wa"].value
    of = {row.key: row.value for row in answer.placement}
    reading = answer.placed
    assert reading["separated_wa"].value == pytest.approx(typical)
    assert of["separated_ratio"] == pytest.approx(typical / now)
    assert of["most_separated_ratio"] == pytest.approx(max(by_rule) / now)
    assert of["least_separated_ratio"] == pytest.approx(min(by_rule) / now)
    life_s = answer.reading["wear_life_s"].value * now
    assert of["separated_wear_life_s"] == pytest.approx(life_s / typical)
    half = plan_drive(drive(pages_per_block=512), replace(mixed, measured_wa=1 + (now - 1) / 2))
    assert half.placed["separated_wa"].value - 1 == pytest.approx((typical - 1) / 2)
    stated = Firmware(policy=Policy.D_CHOICES)
    known = plan_drive(drive(pages_per_block=512), mixed, firmware=stated).placed
    assert known["separated_wa"].value == pytest.approx(by_rule[1])
    assert known["least_separated_ratio"].value == known["most_separated_ratio"].value


def test_tenants_gain_by_what_they_differ():
    """Tenants that write alike over their data are one; what is unknown gains nothing known."""
    alike, apart = (
        plan_drive(drive(), replace(UNIFORM, write_shares=writes, page_shares=pages))
        for writes, pages in (
            classes_of(name, capacity_bytes=1e12) for name in ("30/30+70/70", "30/80+70/20")
        )
    )
    gains = [answer.placed["separated_ratio"].value for answer in (alike, apart)]
    assert gains[0] == pytest.approx(1, rel=0.02)
    assert gains[1] < 1
    assert apart.placed["least_separated_ratio"].value < 0.8
    assert not plan_drive(drive(), Workload(host_bytes_per_s=1e6, field_copy_ratio=0.3)).placement


@pytest.mark.parametrize("name", ["60/10+30/30", "0/10+100/90", "60/10+40"])
def test_shares_of_tenants_add_up(name):
    with pytest.raises(DomainError, match=r"^skew must be "):
        classes_of(name, capacity_bytes=1e12)


def test_beside_sequential_writes_copies_apart_can_be_the_high_figure():
    answer = plan_drive(drive(0.07), replace(UNIFORM, sequential_fraction=0.8))
    low, typical, high = (bound.value for bound in answer.wa_band)
    in_one_log = wa(drive(0.07), answer.workload, layout=Layout.ONE_LOG)
    assert in_one_log == pytest.approx(low)
    assert 1.15 * low < high
    assert low < typical < high


def test_what_is_simulated_says_so():
    mix = replace(UNIFORM, sequential_fraction=0.5)
    answer = plan_drive(drive(), mix, firmware=Firmware(layout=Layout.ONE_LOG))
    mixed = answer.nodes["mixed_wa"]
    assert (mixed.source, mixed.formula) == ("simulated", "models.simulator.greedy_wa")
    assert any(note.startswith("Simulated, single write frontier: ") for note in answer.notes)


# 330 superblocks, 4 in reserve, host writes and copies apart: 4.617 becomes 5.171, as a
# page-level simulation of that size did.
def test_reserve_and_open_blocks_are_deducted():
    small = drive(0.127, blocks=330, reserve=4, rated_bytes=1e15)
    answer = plan_drive(small, UNIFORM, firmware=Firmware(layout=Layout.HOST_GC))
    assert answer["workload_wa"].value == pytest.approx(5.171, rel=2e-4)
    assert answer.nodes["rating_wa"].value == pytest.approx(5.171, rel=2e-4)
    assert NO_RESERVE not in answer.notes
    assert NO_RESERVE in plan_drive(drive(0.127), UNIFORM).notes
    assert wa(drive(0.127), layout=Layout.HOST_GC) == pytest.approx(4.617, rel=2e-4)


def test_the_least_reserve_is_a_block_per_frontier():
    nodes = plan_drive(drive(blocks=330), UNIFORM).nodes
    assert nodes["reserve"].value == 1
    assert nodes["reserve"].source == "definition"


def test_a_reserve_that_eats_the_spare_area_is_refused():
    with pytest.raises(DomainError, match=r"^op_ratio must be more than reserve"):
        plan_drive(drive(0.01, blocks=100, reserve=4), UNIFORM)


@pytest.mark.parametrize("accuracy", [0.49, 1.01, float("nan")])
def test_an_accuracy_outside_its_range_is_refused(accuracy):
    with pytest.raises(DomainError, match=r"^accuracy must be"):
        Firmware(accuracy=accuracy)


@pytest.mark.parametrize(
    ("workload", "firmware", "within"),
    [
        (UNIFORM, Firmware(), 0.01),
        (UNIFORM, Firmware(policy=Policy.RANDOM), 0.01),
        (UNIFORM, Firmware(policy=Policy.D_CHOICES), 0.01),
        (HOT, Firmware(layout=Layout.ONE_LOG), 0.02),
        (HOT, Firmware(policy=Policy.D_CHOICES, layout=Layout.HOST_GC), 0.08),
        (HOT, Firmware(layout=Layout.STREAMS, accuracy=0.95), 0.03),
        (
            replace(UNIFORM, sequential_fraction=0.4, trim_share=0.1),
            Firmware(layout=Layout.ONE_LOG),
            0.02,
        ),
        (
            replace(HOT, sequential_fraction=0.3, trim_share=0.1),
            Firmware(layout=Layout.ONE_LOG),
            0.02,
        ),
        (HOT, Firmware(policy=Policy.D_CHOICES, layout=Layout.CLASS), 0.02),
        (HOT, Firmware(policy=Policy.COST_BENEFIT, layout=Layout.CLASS_AND_COPIES), 0.04),
        (replace(UNIFORM, trim_share=0.1), Firmware(), 0.02),
        (replace(UNIFORM, fill_fraction=0.8), Firmware(), 0.01),
        (replace(UNIFORM, sequential_fraction=0.5), Firmware(layout=Layout.ONE_LOG), 0.02),
    ],
    ids=str,
)
def test_the_run_beside_a_plan_is_of_that_plan(workload, firmware, within):
    """A small drive: half a thousand blocks leave a percent, an estimate leaves more."""
    answer = plan_drive(drive(pages_per_block=256), workload, firmware=firmware)
    result = run(replay(answer))
    assert result.wa == pytest.approx(answer["workload_wa"].value, rel=within)


def test_there_is_no_run_without_spare_area_or_random_writes():
    assert replay(plan_drive(own_drive(1e12), UNIFORM)) is None
    assert replay(plan_drive(drive(), replace(UNIFORM, sequential_fraction=1.0))) is None
    assert not plan_drive(own_drive(1e12), UNIFORM).wa_band[0].is_known


def test_the_reserve_is_deducted_before_the_run():
    answer = plan_drive(drive(blocks=330, reserve=10), UNIFORM)
    assert replay(answer).op_ratio == pytest.approx(answer["cleaning_op_ratio"].value)


# Simulated, 64 pages, 7 % spare, the rest of the data never rewritten: in blocks of its own, and
# among the data that is.
@pytest.mark.parametrize(("share", "apart", "among"), [(0.25, 2.406, 7.57), (0.5, 4.014, 7.18)])
def test_a_working_set_depends_on_how_the_rest_was_laid_down(share, apart, among):
    workload = replace(UNIFORM, working_set_fraction=share)
    in_log = Firmware(layout=Layout.ONE_LOG)
    answer = plan_drive(drive(0.07, pages_per_block=64), workload, firmware=in_log)
    life, (_, _, high) = answer, answer.wa_band
    assert answer.apart_wa.value == pytest.approx(apart, rel=0.003)
    assert high.value == pytest.approx(among, rel=0.01)
    assert life["workload_wa"].value == pytest.approx(high.value, rel=0.01)
    assert WORKING_SET in life.life_notes


def test_a_working_set_is_one_number():
    with pytest.raises(DomainError, match=r"^working_set_fraction must be one number"):
        replace(UNIFORM, working_set_fraction=[0.5, 1.0])
