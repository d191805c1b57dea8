"""Life of flash by two witnesses: what a rating promises, what a measurement narrows."""

import math

import pytest

from models.units import DAY_S, KIB
from planner.catalogue import find, load
from planner.catalogue.model_error import model_error
from planner.catalogue.priors import assumptions
from planner.graph.interval import LEVEL
from planner.quantity.writes import unambiguous
from planner.sections.life import ratings_of
from planner.sections.request import plan_of
from planner.sections.witnesses import XPOINT, evidence_of, has_printed_rating, kind_of

PARTS = 4
# A count, a promise, a definition: these are what they say.
EXACT = {
    "cleaning_spare_fraction", "cleaning_op_nominal", "effective_op_ratio", "rated_life_s",
    "warranty_s", "printed_life_s", "host_limit_bytes", "required_dwpd", "rated_dwpd",
    "usable_bytes", "member_quantile", "total_price_usd", "price_per_user_byte",
    "price_per_usable_byte", "price_per_written_byte",
}  # fmt: skip


def rated_flash():
    """List the drives with a printed rating; of each the bytes, the period and the name."""
    found = []
    for drive in load().drives.values():
        rated = ratings_of(drive)["rated_bytes"]
        if has_printed_rating(drive) and rated.is_known:
            period = drive.value("rating_period_s") or drive.value("warranty_s")
            if period:  # else the years are assumed, from a range
                found.append((drive, rated.value, period))
    return found


def at_its_rating(drive, rated_bytes, period_s):
    """Plan a drive under its rating's own workload, in units of its map, at exactly its TBW."""
    assumed = {item.quantity: item.high for item in assumptions(drive)}
    unit = max(4 * KIB, drive.value("unit_bytes") or assumed.get("unit_bytes", 0))
    rate = rated_bytes / period_s * DAY_S / 1e9
    return plan_of(
        drive, writes=unambiguous(f"{rate!r} GB/day"), skew="uniform", size=f"{unit / KIB:g} KiB"
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_no_flash_is_expected_to_bear_less_than_its_rating_promises(part):
    """At exactly the printed TBW typical life and low end are the rated years; not of XPoint."""
    for drive, rated_bytes, period_s in rated_flash()[part::PARTS]:
        life = at_its_rating(drive, rated_bytes, period_s).range_of("wear_life_s")
        if kind_of(drive) == XPOINT:
            assert life.low < life.typical < period_s, drive.name
        else:
            assert life.typical >= life.low >= period_s * (1 - 1e-9), drive.name


def test_drives_written_in_place_last_by_their_own_law():
    """In the field these drives were used up at about half of their rating; flash is no witness."""
    plan = plan_of("P4800X 750", writes="5 TB/day")
    ratio = math.exp(model_error("rated_limit_bytes", kind=XPOINT).middle)
    assert plan["wear_life_s"].value == pytest.approx(ratio * plan["rated_life_s"].value)
    assert "no flash" in plan["wear_limit_bytes"].note


def test_a_workload_that_copies_more_than_the_rating_lowers_the_promise():
    plan = plan_of("7450 PRO 960", writes="1.5 TB/day", skew="zipf:1.1", placement="one-log")
    converted = plan["promised_here_bytes"].arguments
    ratio = converted["rating_wa"] / converted["workload_wa"]
    assert ratio < 1
    promised = plan["promised_life_s"].value
    assert promised == pytest.approx(ratio * plan["printed_life_s"].value, rel=1e-6)
    assert plan.range_of("wear_life_s").low >= plan.range_of("promised_life_s").low * (1 - 1e-9)


def test_each_fact_that_is_known_narrows_the_life():
    """Unknown flash, then its cycles, then the write amplification, then its own wear indicator."""

    def half(**known):
        plan = plan_of("990 PRO 1TB", writes="100 GB/day", **known)
        return evidence_of(plan.drive, plan.workload).half

    unknown, cycles, counted = half(), half(pe_cycles="3000"), half(pe_cycles="3000", wa="2.1")
    assert unknown > cycles > counted
    used = plan_of("990 PRO 1TB", writes="100 GB/day", used="4%", written="30 TB")
    own = used.range_of("wear_life_s")
    assert math.log(own.high / own.low) / 2 < counted  # its own wear indicator
    assert "used_fraction" in own.facts


def test_what_the_witnesses_hold_is_not_counted_again():
    plan = plan_of("7450 PRO 960", writes="500 GB/day")
    each = plan.range_of("wear_life_s")
    found = evidence_of(plan.drive, plan.workload)
    assert not each.facts.keys() & found.inside
    assert each.model_half == pytest.approx(found.half)
    assert each.families == found.families


def test_without_a_printed_rating_the_flash_is_alone():
    plan = plan_of(None, capacity="1 TB", kind="TLC client NVMe 2022", writes="50 GB/day")
    found = evidence_of(plan.drive, plan.workload)
    assert (found.weight, found.half) == (1.0, model_error("wear_limit_bytes", kind="client").half)
    rated = plan_of("990 PRO 1TB", writes="50 GB/day").range_of("wear_life_s")
    alone = plan.range_of("wear_life_s")
    assert alone.high / alone.low > rated.high / rated.low


@pytest.mark.parametrize("inputs", [
    {"drive": "845DC PRO 400", "known_only": "true"}, {"drive": "845DC PRO 400"},
    {"drive": "7450 PRO 960", "skew": "80/20"}, {"drive": "990 PRO 1TB", "wa": "2"},
])  # fmt: skip
def test_every_range_has_its_level_and_every_computed_one_a_width(inputs):
    plan = plan_of(inputs["drive"], writes="1 TB/day", reads="50%", price="400",
                   **{name: text for name, text in inputs.items() if name != "drive"})  # fmt: skip
    assert {each.level for each in plan.ranges.values()} == {LEVEL}
    narrow = {key for key, each in plan.ranges.items() if not each.is_wide}
    assert narrow <= EXACT
    for each in plan.ranges.values():
        assert each.low <= each.typical <= each.high
        assert sum(each.shares.values()) == pytest.approx(1 if each.is_wide else 0, abs=1e-9)


def test_kinds_of_drives_by_which_errors_of_life_are_known():
    named = {"990 PRO 1TB": "client", "PM9A3 1.92": "enterprise", "P4800X 750": XPOINT,
             "IronWolf 125 500": "client"}  # fmt: skip
    assert {name: kind_of(find(load(), name)) for name in named} == named
