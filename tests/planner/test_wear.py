"""The range of the date of flash wear: what it holds, and when placement is known."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import planner as ssd
from models.units import DAY_S, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors import levelling_efficiency
from planner.cli.plan import print_plan
from planner.export.tables import record
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.workload import Workload
from planner.search.verdict.lasts import dates, lasts
from planner.search.verdict.words import years as in_years
from planner.sections.life import EVEN_WEAR, Limit
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of

LOAD = Workload(host_bytes_per_s=4e12 / DAY_S)
SKEWED = replace(LOAD, write_shares=(0.8, 0.2), page_shares=(0.2, 0.8), sequential_fraction=0.3)
PRO_400 = find(load(), "845DC PRO 400")
LEVELS = ["low", "typical", "high"]


def lifetime(drive, workload, **options):
    return plan_drive(drive, workload, **options)


def years(life):
    return [life[f"{level}_wear_life_s"].value / YEAR_S for level in LEVELS]


def test_writes_that_are_alike_leave_the_range_of_wear_levelling(pro_400):
    life = lifetime(pro_400, LOAD)
    even = life["wear_life_s"].value / YEAR_S
    assert years(life) == pytest.approx([0.85 * even, 0.9 * even, 0.95 * even], rel=1e-12)
    assert EVEN_WEAR in life.life_notes


def test_the_drive_s_own_rewrites_wear_one_that_is_hardly_written():
    """Per byte of the host they count the less the more is written; wear says their range."""
    drive = {"drive": "PM9A3 1.92TB", "skew": "uniform"}

    def wear(writes, *facts):
        plan = plan_of(**drive, writes=writes, fact=facts)
        return plan["wear_life_s"].value, plan

    none = "background_rewrites_per_s=0"
    light, plan = wear("5 GB/day")
    assert 1.5 < wear("5 GB/day", none)[0] / light < 3
    assert 1 < wear("2 TB/day", none)[0] / wear("2 TB/day")[0] < 1.01
    assert wear("5 GB/day", "background_rewrites_per_s=30")[0] < 0.3 * light
    assert plan.range_of("background_wa").high > 2 * plan["background_wa"].value
    assert any(part.startswith("Background rewrites") for part in plan.wide)
    once = 3 * 1.92e12 / (5e9 * 365)  # three times the capacity over what the host writes
    wa, whole = plan["workload_wa"].value, plan["background_wa"].value
    assert whole - wa == pytest.approx(once, rel=1e-12)


def test_a_measured_write_amplification_has_the_rewrites():
    plan = plan_of("PM9A3 1.92TB", writes="5 GB/day", wa="2.5")
    assert "background_wa" not in plan.nodes
    borne = plan.lives.known[Limit.FLASH_WEAR].inputs["limit_bytes"]
    assert borne.inputs["wear_limit_bytes"].inputs["wa"].value == 2.5


def test_every_face_says_the_same_of_flash_wear():
    """Of a drive with assumed facts: verdict, JSON, script and the life by either limit."""
    mine = ssd.plan("IronWolf 125 2TB", drives=4, raid="raidz1", writes="4 TB/day")
    even = mine.record.ranges["wear_life_s"]
    assert dates(mine.record).wear == even
    assert record(mine.record, load())["ranges"]["wear_life_s"]["low"] == even.low
    assert mine["wear_life_s"].low == pytest.approx(even.low / YEAR_S)
    assert f"Flash wear-out likely in {in_years(even)}." in lasts(mine.record, YEAR_S).text


def test_placement_widens_the_range_for_skewed_writes(pro_400):
    """Low, typical and high life by high, typical and low write amplification of the plan."""
    answer = plan_drive(pro_400, SKEWED)
    even = answer.nodes["wear_life_s"].value / YEAR_S
    low_wa, typical_wa, high_wa = (node.value for node in answer.wa_band)
    assert typical_wa == answer["workload_wa"].value
    expected = [0.85 * typical_wa / high_wa, 0.9, 0.95 * typical_wa / low_wa]
    assert years(answer) == pytest.approx([even * part for part in expected], rel=1e-9)


@pytest.mark.parametrize(
    ("workload", "firmware"),
    [
        (replace(SKEWED, measured_wa=1.7), Firmware()),
        (SKEWED, Firmware(layout=Layout.STREAMS)),
        (SKEWED, Firmware(policy=Policy.RANDOM)),
        (replace(LOAD, sequential_fraction=1.0), Firmware()),
    ],
)
def test_placement_that_is_known_leaves_wear_levelling_alone(pro_400, workload, firmware):
    life = lifetime(pro_400, workload, firmware=firmware)
    even = life["wear_life_s"].value / YEAR_S
    assert years(life) == pytest.approx([0.85 * even, 0.9 * even, 0.95 * even], rel=1e-12)


def test_the_three_dates_know_nothing_of_the_range(pro_400):
    life = lifetime(pro_400, SKEWED)
    for node in life.lives.known.values():
        parts = node.inputs.values() if node.is_computed else ()
        assert not any("uneven" in getattr(part, "formula", "") for part in parts)
    assert set(life.lives.known) == set(Limit)


def test_missing_flash_leaves_no_range(pro_4tb):
    life = lifetime(pro_4tb, LOAD)
    assert life.lives.known_wear == {}
    assert all(not answer.is_known for answer in (life[f"{level}_wear_life_s"] for level in LEVELS))
    assert EVEN_WEAR not in life.life_notes
    assert record(plan_drive(pro_4tb, LOAD), load())["life"]["years_by_flash_wear"] == {}


def test_sequential_writes_only_need_no_spare_area_for_a_range(pro_4tb):
    """Write amplification is 1 by definition; cycles and flash would still be needed."""
    life = lifetime(pro_4tb, replace(LOAD, sequential_fraction=1.0))
    lacking = {
        name
        for answer in (life[f"{level}_wear_life_s"] for level in LEVELS)
        for name in answer.lacking
    }
    assert lacking == {"pe_cycles", "raw_bytes"}


@settings(max_examples=25)
@given(st.floats(1e5, 1e9), st.sampled_from([LOAD, SKEWED]), st.floats(0.3, 1.0))
def test_low_is_never_above_typical_nor_typical_above_high(rate, workload, fill):
    life = lifetime(PRO_400, replace(workload, host_bytes_per_s=rate, fill_fraction=fill))
    assert years(life) == sorted(years(life))
    assert years(life)[0] < life["wear_life_s"].value / YEAR_S


def test_the_assumed_efficiency_is_labelled_with_its_ground(pro_400):
    assumed = levelling_efficiency()
    assert (assumed.low, assumed.typical, assumed.high) == (0.85, 0.90, 0.95)
    node = plan_drive(pro_400, LOAD).nodes["typical_levelling_efficiency"]
    assert node.is_given
    assert (node.value, node.source) == (0.90, "assumption")
    assert "crystaldiskinfo-178" in node.note


def test_growth_shortens_the_whole_range(pro_400):
    steady, growing = (
        years(lifetime(pro_400, replace(SKEWED, growth_per_year=rate))) for rate in (0.0, 0.3)
    )
    assert all(fast < slow for fast, slow in zip(growing, steady, strict=True))


def test_writes_that_die_out_have_an_endless_range(pro_400, capsys):
    answer = plan_drive(pro_400, replace(LOAD, growth_per_year=-0.9))
    life = record(answer, load())["life"]
    assert life["years_by_flash_wear"] == dict.fromkeys(LEVELS)
    print_plan(answer, 5 * YEAR_S, is_all=True)
    printed = capsys.readouterr().out
    assert "if blocks wear unevenly" not in printed  # all three are alike
    for level in LEVELS:
        assert re.search(rf"Life by flash wear, {level} +unlimited", printed)


def test_the_command_line_and_json_show_the_range(pro_400, capsys):
    answer = plan_drive(with_user_facts(pro_400, pe_cycles=10_000), SKEWED)
    told = record(answer, load())["life"]["years_by_flash_wear"]
    assert list(told.values()) == pytest.approx(years(answer), rel=1e-12)
    assert list(told) == LEVELS
    print_plan(answer, 5 * YEAR_S, is_all=True)
    (line,) = (
        line
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("Life by flash wear, if blocks wear unevenly: ")
    )
    assert [f"{value:.4g} years" in line for value in told.values()] == [True] * 3


@pytest.mark.parametrize("span", [1, 3, 5, 8, 20])
@pytest.mark.parametrize("writes", ["2 GB/day", "30 GB/day", "300 GB/day"])
def test_a_range_of_wear_that_decides_nothing_is_one_number_below_it(span, writes):
    plan = ssd.plan("870 EVO 1TB", writes=writes).record
    wear, text = dates(plan).wear, lasts(plan, span * YEAR_S).text
    found = re.search(r"likely after more than ([\d,]+) years", text)
    assert (found is not None) == (wear.low >= 4 * span * YEAR_S)
    if found:
        least = float(found[1].replace(",", ""))
        assert wear.low / YEAR_S / 2 <= least <= wear.low / YEAR_S
        assert least >= span
    else:
        assert f"likely in {in_years(wear)}" in text
