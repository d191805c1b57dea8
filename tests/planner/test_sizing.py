"""Inverse questions: the answer meets the target, a little less does not, and plans agree."""

import math
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from models import endurance, spare_area
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import DAY_S, TB, TIB, YEAR_S
from models.write_amplification import fifo
from planner.catalogue import find, load
from planner.catalogue.drive import own_drive, with_user_facts
from planner.quantity.units import FACTORS
from planner.scenario.array import Array, RaidLevel
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.search.size import (
    CLASSES_DWPD,
    KEPT,
    OWNED,
    break_even_price,
    drives_for,
    effective_raw,
    endurance_class,
    most_writes,
    spare_for_dwpd,
    spare_for_iops,
    spare_for_life,
)
from planner.sections.array_queue import array_queue
from planner.sections.life import Limit
from planner.sections.ownership import ownership
from planner.sections.plan import plan_drive
from planner.sections.speed import speed_of

CATALOGUE = load()
PRO_400 = find(CATALOGUE, "845DC PRO 400")
BUSY = Workload(host_bytes_per_s=5 * TB / DAY_S)
SCENE = plan_drive(PRO_400, BUSY)
few = settings(max_examples=8)

workloads = st.builds(
    Workload,
    host_bytes_per_s=st.floats(1e5, 1e9),
    growth_per_year=st.sampled_from([0.0, 0.25]),
    fill_fraction=st.floats(0.7, 1.0),
)


scenes = st.fixed_dictionaries({
    "user_tb": st.floats(0.1, 20),
    "spare": st.floats(1.03, 2.0),
    "pe_cycles": st.floats(500, 50_000),
    "fills": st.floats(100, 20_000),
    "workload": workloads,
})  # fmt: skip


def planned(told):
    """Plan what was drawn: a record of its own, because plans are long to print."""
    user_bytes = told["user_tb"] * TB
    drive = with_user_facts(
        own_drive(user_bytes),
        raw_bytes=user_bytes * told["spare"],
        pe_cycles=told["pe_cycles"],
        rated_bytes=user_bytes * told["fills"],
    )
    return plan_drive(drive, told["workload"])


def first_life_s(scene):
    life = scene
    return life.lives.known[life.lives.endurance_limit].value


# Spare area


@few
@given(scenes, st.floats(1.02, 2.0))
def test_the_spare_area_just_meets_the_life(scene, longer):
    scene = planned(scene)
    needed_s = longer * first_life_s(scene.again(partition_fraction=1.0))
    found = spare_for_life(scene, needed_s)
    if not found.fits:
        return
    life = scene.again(partition_fraction=found.value)
    assert first_life_s(life) >= needed_s
    assert first_life_s(scene.again(partition_fraction=found.value * 1.000001)) < needed_s
    assert found.limit == str(life.lives.endurance_limit)
    assert found.plan == life
    assert found.value == min(part.value for part in found.by_limit.values())


@few
@given(scenes, st.floats(0.3, 0.98))
def test_the_spare_area_inverts_the_plan(scene, partition):
    """Both limits fall as the partition grows: the one that binds decides."""
    scene = planned(scene)
    life_s = first_life_s(scene.again(partition_fraction=partition))
    full_s = first_life_s(scene.again(partition_fraction=1.0))
    found = spare_for_life(scene, life_s).value
    if full_s < life_s * (1 - 1e-6):
        assert found == pytest.approx(partition, rel=1e-6)
    assert first_life_s(scene.again(partition_fraction=found)) >= life_s


def test_a_longer_life_wants_a_smaller_partition():
    parts = [spare_for_life(SCENE, years * YEAR_S).value for years in (4.1, 5, 6, 7)]
    assert all(larger > smaller for larger, smaller in pairwise(parts))


def test_nothing_has_to_stay_empty_for_a_life_that_is_there():
    found = spare_for_life(SCENE, 3.9 * YEAR_S)
    assert (found.value, found.limit) == (1.0, "rated TBW")
    assert [margin.fits for margin in found.margins] == [True, True]


def test_a_life_beyond_write_amplification_of_one_is_rejected_with_what_there_is():
    found = spare_for_life(SCENE, 9 * YEAR_S)
    assert found.answer is None
    assert math.isnan(found.value)
    (rejected,) = found.rejected
    assert (rejected.limit, rejected.key) == ("rated TBW", "rated_life_s")
    # 4 years at WA 2.04 are 8.16 at WA 1.
    assert rejected.available / YEAR_S == pytest.approx(8.16, abs=0.005)
    assert rejected.needed == 9 * YEAR_S
    assert rejected.margin_ratio == pytest.approx(8.16 / 9 - 1, abs=0.001)
    assert found.by_limit.keys() == {"flash wear"}


def test_the_warranty_counts_where_it_is_asked_for():
    found = spare_for_life(SCENE, 6 * YEAR_S, limits=tuple(Limit))
    assert [margin.limit for margin in found.rejected] == ["warranty period"]
    assert found.rejected[0].available == 5 * YEAR_S


def test_measured_write_amplification_leaves_nothing_to_gain():
    scene = plan_drive(PRO_400, replace(BUSY, measured_wa=2.0))
    assert {margin.limit for margin in spare_for_life(scene, 12 * YEAR_S).rejected} == {
        "flash wear",
        "rated TBW",
    }


@few
@given(scenes, st.floats(1.05, 1.5), st.floats(1, 10))
def test_the_spare_area_for_drive_writes_per_day_is_that_for_the_writes(scene, more, years):
    """Written so often a day as is asked, over what is partitioned, drives last the period."""
    scene = planned(scene)
    scene = scene.again(workload=replace(scene.workload, growth_per_year=0.0))
    life = scene
    period_s = years * YEAR_S
    rated = endurance.dwpd(
        life["host_limit_bytes"].value,
        user_bytes=scene.drive.value("user_bytes"),
        period_s=period_s,
    )
    found = spare_for_dwpd(scene, more * rated, period_s=period_s)
    needed = more * rated * scene.drive.value("user_bytes") * found.value / DAY_S
    factor = needed / scene.reading["member_bytes_per_s"].value
    writes = replace(scene.workload, host_bytes_per_s=factor * scene.workload.host_bytes_per_s)
    lasting = first_life_s(scene.again(workload=writes, partition_fraction=found.value))
    assert lasting == pytest.approx(period_s, rel=1e-6)


def test_the_spare_area_for_a_steady_rate():
    found = spare_for_iops(SCENE, 60_000)
    rate = speed_of(SCENE.again(partition_fraction=found.value)).steady_write_iops.value
    lower = speed_of(SCENE.again(partition_fraction=found.value * 1.0001)).steady_write_iops.value
    assert lower < 60_000 <= rate
    assert rate == pytest.approx(60_000, rel=1e-6)
    assert spare_for_iops(SCENE, 40_000).value == 1.0
    assert found.plan.workload == SCENE.workload


def test_a_rate_above_the_link_is_rejected():
    found = spare_for_iops(SCENE, 100_000)
    assert [(m.limit, m.needed) for m in found.rejected] == [("steady write rate", 100_000)]
    assert found.rejected[0].available == pytest.approx(92_000)


def test_without_the_dies_the_printed_rate_stands():
    unknown = plan_drive(with_user_facts(own_drive(1e12), steady_write_iops=20_000), BUSY)
    assert spare_for_iops(unknown, 19_000).value == 1.0
    found = spare_for_iops(unknown, 21_000)
    assert found.answer is None
    assert any("dies of this kind of flash are unknown" in note for note in found.notes)


# Writes per day and endurance classes


@few
@given(scenes, st.floats(0.5, 10))
def test_the_most_writes_last_just_as_long(scene, years):
    scene = planned(scene)
    found = most_writes(scene, years * YEAR_S)
    at = scene.again(workload=replace(scene.workload, host_bytes_per_s=found.value))
    more = scene.again(workload=replace(scene.workload, host_bytes_per_s=found.value * 1.000001))
    assert first_life_s(more) < years * YEAR_S <= first_life_s(at)
    assert found.limit == str(at.lives.endurance_limit)
    assert found.by_limit.keys() == {"flash wear", "rated TBW"}


@few
@given(scenes)
def test_the_most_writes_invert_the_plan(scene):
    scene = planned(scene)
    found = most_writes(scene, first_life_s(scene))
    assert found.value == pytest.approx(scene.workload.host_bytes_per_s, rel=1e-9)


def test_ten_drive_writes_per_day_for_five_years_are_the_rating():
    """845DC PRO 400 GB: rated 10 DWPD over five years (AnandTech 8319)."""
    found = most_writes(SCENE)
    assert found.value * DAY_S == pytest.approx(4 * TB)
    assert found.limit == "rated TBW"
    raid = plan_drive(PRO_400, BUSY, array=Array(members=12, level=RaidLevel.RAID5))
    assert most_writes(raid).value * DAY_S == pytest.approx(6 * 4 * TB)


def test_the_speed_of_the_array_is_a_limit_of_writes():
    """A life of a day takes more writes than the drive has time for: 50K IOPS of 4 KiB."""
    scene = plan_drive(PRO_400, replace(BUSY, read_fraction=0.0))
    found = most_writes(scene, DAY_S)
    assert found.limit == "speed at the mix"
    assert found.value == pytest.approx(50_000 * 4096)
    reads = plan_drive(PRO_400, replace(BUSY, read_fraction=1.0))
    assert most_writes(reads, DAY_S).limit == "rated TBW"


def test_writes_that_shrink_may_never_meet_a_limit():
    shrinking = plan_drive(PRO_400, replace(BUSY, growth_per_year=-0.9))
    assert most_writes(shrinking, 100 * YEAR_S).value > most_writes(SCENE, 100 * YEAR_S).value


@few
@given(scenes, st.floats(0.5, 10), st.floats(1, 8))
def test_the_rating_needed_is_the_writes_by_the_ratio_of_write_amplification(
    scene, years, rating_wa
):
    """Against the closed form without growth: D = l A_w / (U A_r), horizon over rating period."""
    scene = planned(scene)
    scene = scene.again(rating_wa=rating_wa, workload=replace(scene.workload, growth_per_year=0.0))
    found = endurance_class(scene, years * YEAR_S, rating_period_s=5 * YEAR_S)
    bare = endurance.required_dwpd(
        scene.workload.host_bytes_per_s, user_bytes=scene.drive.value("user_bytes")
    )
    ratio = scene["workload_wa"].value / rating_wa
    assert found.unrounded.value == pytest.approx(bare * ratio * years / 5, rel=1e-9)
    enough = [level for level in CLASSES_DWPD if level >= found.unrounded.value]
    assert found.fits == bool(enough)
    assert not enough or found.value == enough[0]
    assert tuple(found.by_limit) == ("0.3 DWPD", "1 DWPD", "3 DWPD", "10 DWPD")
    lasting = [life.value >= years * YEAR_S for life in found.by_limit.values()]
    assert lasting == [level >= found.unrounded.value for level in CLASSES_DWPD]


@few
@given(scenes, st.floats(1, 8))
def test_the_rating_needed_just_lasts_under_growth(scene, years):
    scene = planned(scene)
    found = endurance_class(scene, years * YEAR_S).unrounded.value
    rated = endurance.tbw_bytes(
        found, user_bytes=scene.drive.value("user_bytes"), period_s=5 * YEAR_S
    )
    for factor, lasts in ((1 + 1e-9, True), (1 - 1e-6, False)):
        drive = with_user_facts(scene.drive, rated_bytes=rated * factor)
        life = scene.again(drive=drive)["rated_life_s"].value
        assert (life >= years * YEAR_S) is lasts


def test_no_class_suffices_for_more_than_ten():
    found = endurance_class(SCENE)
    assert found.answer is None
    (rejected,) = found.rejected
    assert (rejected.needed, rejected.available) == (pytest.approx(12.5), 10.0)
    assert endurance_class(SCENE, 3 * YEAR_S).value == 10.0
    assert "Flash wear ends" in endurance_class(SCENE, 20 * YEAR_S).notes[-1]


# Counts of drives


def layouts(level, sets, spares):
    """List what can be built, by trying everything."""
    told = {"data_members": 4, "parity_members": 2} if level is RaidLevel.EC else {}
    for members in range(1, 30):
        try:
            yield Array(members=members, level=level, hot_spares=spares, sets=sets, **told)
        except DomainError:
            continue


def got(scene):
    return {
        "usable_bytes": scene["usable_bytes"].value,
        "budget_iops": scene["budget_iops"].value,
        "worst_case_floor_iops": scene["worst_case_floor_iops"].value,
        "wear_out_life_s": first_life_s(scene),
    }


def is_met(value, needed):
    """Twelve times 0.4 TB are enough for 4.8 TB, whatever the last digits of both come to."""
    return value >= needed * (1 - 1e-11)


@few
@example(RaidLevel.RAID0, 0, 1, (1.0000000000000002, None, None, None))
@given(
    level=st.sampled_from([RaidLevel(name) for name in ("0", "1", "10", "5", "6", "ec")]),
    spares=st.integers(0, 2),
    sets=st.sampled_from([1, 1, 2]),
    factors=st.tuples(*[st.none() | st.floats(1, 6)] * 4).filter(any),
)
def test_as_many_drives_as_trying_every_count(level, spares, sets, factors):
    sets = 1 if level in (RaidLevel.RAID0, RaidLevel.RAID1, RaidLevel.RAID10) else sets
    tried = [plan_drive(PRO_400, BUSY, array=array) for array in layouts(level, sets, spares)]
    values = [got(scene) for scene in tried]
    targets = {
        name: factor * values[0][name]
        for name, factor in zip(values[0], factors, strict=True)
        if factor is not None
    }
    enough = [
        scene.array.members
        for scene, value in zip(tried, values, strict=True)
        if all(is_met(value[name], needed) for name, needed in targets.items())
    ]
    found = drives_for(tried[0], **targets)
    if not enough:
        assert not found.fits or found.value > tried[-1].array.members
        return
    assert found.value == enough[0]
    step = tried[1].array.members - tried[0].array.members
    assert found.value - step - 1e-6 < found.unrounded.value <= found.value + 1e-6 or (
        found.value == tried[0].array.members and found.unrounded.value <= found.value + 1e-6
    )
    assert all(margin.fits for margin in found.margins)


@pytest.mark.parametrize("level", [RaidLevel.RAID0, RaidLevel.RAID5, RaidLevel.RAID10])
def test_a_target_that_whole_drives_meet_takes_no_drive_for_the_last_digits(level):
    """Arithmetic may bear 4e-15 here; a millionth of a millionth is a rounding, a billionth is not.

    `Margin.fits` decides it, so that a target printed by one plan is met by the same drives.
    """
    array = next(islice(layouts(level, 1, 0), 3, None))
    scene = plan_drive(PRO_400, BUSY, array=array)
    for name, value in got(scene).items():
        for more in (1 - 1e-9, 1.0, 1 + 4e-15, 1 + 1e-12):
            assert drives_for(scene, **{name: value * more}).value <= array.members
        assert drives_for(scene, **{name: value * (1 + 1e-9)}).value > array.members


def test_the_need_of_drives_before_rounding():
    """RAID 5 of 400 GB for 4.3 TB: 4.3 / 0.4 + 1; its floor of 58K needs 58 / 5 drives."""
    scene = plan_drive(PRO_400, BUSY, array=Array(members=3, level=RaidLevel.RAID5))
    found = drives_for(scene, usable_bytes=4.3 * TB)
    assert (found.value, found.unrounded.value) == (12, pytest.approx(11.75))
    found = drives_for(scene, usable_bytes=1 * TB, worst_case_floor_iops=58_000)
    assert (found.value, found.unrounded.value) == (12, pytest.approx(11.6))
    assert found.limit == QUANTITIES["worst_case_floor_iops"].label
    assert [answer.value for answer in found.by_limit.values()] == [4, 12]


def test_the_least_layout_may_be_more_than_is_needed():
    scene = plan_drive(PRO_400, BUSY, array=Array(members=4, level=RaidLevel.RAID6))
    found = drives_for(scene, usable_bytes=0.3 * TB)
    assert (found.value, found.unrounded.value) == (4, pytest.approx(2.75))


def test_drives_for_the_slowest_windows_and_the_percentile_that_a_stripe_sees():
    array = Array(members=1, member_stall_fraction=0.05)
    found = drives_for(plan_drive(PRO_400, BUSY, array=array), array_window_iops=200_000)
    chosen = plan_drive(PRO_400, BUSY, array=replace(array, members=int(found.value)))
    fewer = plan_drive(PRO_400, BUSY, array=replace(array, members=int(found.value) - 1))
    rates = [array_queue(scene).stalled[-1].value for scene in (fewer, chosen)]
    assert rates[0] < 200_000 <= rates[1]
    quantile, aligned = found.details
    assert quantile.value == pytest.approx(0.99 ** (1 / found.value))
    assert aligned.value == pytest.approx(0.05**found.value)
    # The floor with every drive stalled at once asks for more drives than windows ever see.
    floor = drives_for(plan_drive(PRO_400, BUSY, array=array), worst_case_floor_iops=200_000)
    assert floor.value == 40 > found.value


def test_mirrors_of_more_copies_hold_no_more():
    scene = plan_drive(PRO_400, BUSY, array=Array(members=2, level=RaidLevel.RAID1))
    (rejected,) = drives_for(scene, usable_bytes=0.5 * TB).rejected
    assert (rejected.needed, rejected.available) == (0.5 * TB, 0.4 * TB)


# Prices


@few
@given(scenes, scenes, st.floats(10, 5000), st.integers(1, 6), st.integers(1, 6))
def test_at_the_break_even_price_both_cost_the_same(one, other, price, ones, others):
    one, other = planned(one), planned(other)
    one = one.again(drive=with_user_facts(one.drive, price_usd=price), array=Array(members=ones))
    other = other.again(array=Array(members=others))
    found = break_even_price(one, other)
    drive = with_user_facts(other.drive, price_usd=found.value)
    equal = other.again(drive=drive)["price_per_written_byte"].value
    assert equal == pytest.approx(one["price_per_written_byte"].value, rel=1e-12)
    back = break_even_price(other.again(drive=drive), one)
    assert back.value == pytest.approx(price, rel=1e-12)
    kept = found.by_limit[KEPT].value
    served = [
        members * scene.drive.value("user_bytes") * min(5 * YEAR_S, first_life_s(scene))
        for members, scene in ((ones, one), (others, other))
    ]
    assert kept * others / served[1] == pytest.approx(price * ones / served[0], rel=1e-12)


def test_what_a_drive_of_less_endurance_may_cost():
    """960 USD for 7,300 TB; at that price 300 TB are worth 39.45 USD, and it costs 490."""
    quiet = Workload(host_bytes_per_s=50e9 / DAY_S)
    pro, evo = plan_drive(PRO_400, quiet), plan_drive(find(CATALOGUE, "845DC EVO 480"), quiet)
    found = break_even_price(pro, evo)
    assert found.value == pytest.approx(960 * 300 / 7300)
    assert [(m.needed, m.fits) for m in found.margins] == [(490, False)]
    by_capacity = break_even_price(pro, evo, basis=KEPT)
    assert by_capacity.value == pytest.approx(960 * 480 / 400)


@pytest.mark.parametrize(("members", "writes_tb"), [(1, 0.05), (3, 3.0)])
def test_at_the_price_of_equal_annual_cost_both_cost_the_same_to_own(members, writes_tb):
    writes = Workload(host_bytes_per_s=writes_tb * TB / DAY_S)
    terms = Terms(horizon_s=7 * YEAR_S, residual_fraction=0.1, spare_drives=1)
    pro, evo = plan_drive(PRO_400, writes), plan_drive(find(CATALOGUE, "845DC EVO 480"), writes)
    evo = evo.again(array=Array(members=members))
    found = break_even_price(pro, evo, terms=terms, basis=OWNED)
    assert found.fits
    equal = evo.again(drive=with_user_facts(evo.drive, price_usd=found.value))
    costs = [ownership(scene, terms) for scene in (pro, equal)]
    assert not any(not owned["yearly_energy_j"].is_known for owned in costs)
    annual = [owned["equivalent_usd_per_year"].value for owned in costs]
    assert annual[1] == pytest.approx(annual[0], rel=1e-9)


def test_energy_of_one_drive_alone_is_left_out_of_both():
    unpowered = with_user_facts(
        own_drive(400e9), raw_bytes=549e9, pe_cycles=40_000, rated_bytes=7300e12, price_usd=960
    )
    terms, known = Terms(), plan_drive(PRO_400, BUSY)
    found = break_even_price(known, plan_drive(unpowered, BUSY), terms=terms, basis=OWNED)
    assert any("counted for neither" in note for note in found.notes)
    bare = ownership(plan_drive(unpowered, BUSY), terms)
    there = ownership(known, terms)
    energy = there["energy_present_usd"].value
    assert energy > 0
    # Without its energy the known drive owns like the other one at the same failures and wear.
    assert there["npv_usd"].value - energy == pytest.approx(bare["npv_usd"].value, rel=2e-3)
    assert found.value == pytest.approx(960, rel=2e-3)


def test_a_drive_that_would_not_pay_as_a_gift_is_rejected():
    """Ten slots of one drive cost more in five years than another drive and its slot."""
    quiet = Workload(host_bytes_per_s=1e5)
    one = plan_drive(with_user_facts(PRO_400, price_usd=100), quiet)
    ten = one.again(array=Array(members=10))
    terms = Terms(slot_usd_per_year=50)
    found = break_even_price(one, ten, terms=terms, basis=OWNED)
    assert found.answer is None
    (rejected,) = found.rejected
    assert (rejected.key, rejected.needed) == ("price_usd", 100)
    assert rejected.available < 0
    with pytest.raises(DomainError, match=r"^basis must be one of cost per byte written"):
        break_even_price(one, ten, basis="beauty")


# Raw capacity of sister models


@few
@given(st.floats(0.5, 30), st.floats(1.02, 1.5), st.floats(1.05, 2.5))
def test_the_raw_capacity_behind_two_ratings_is_found_again(user_tb, spare, ratio):
    """Ratings made from equal flash writes at the WA of each spare area give the flash back."""
    raw_bytes = user_tb * TB * spare
    sizes = user_tb * TB, user_tb * TB / ratio
    drives = [
        with_user_facts(
            own_drive(size),
            rated_bytes=raw_bytes * 3000 / fifo(spare_area.op_ratio(raw_bytes, user_bytes=size)),
        )
        for size in sizes
    ]
    found = effective_raw(*drives)
    assert found.value == pytest.approx(raw_bytes, rel=1e-7)
    assert effective_raw(*reversed(drives)).value == found.value
    wa, sister_wa, cycles = found.details
    assert wa.value == pytest.approx(fifo(spare - 1), rel=1e-5)
    assert wa.value > sister_wa.value >= 1
    assert cycles.value == pytest.approx(3000, rel=1e-6)


@given(st.floats(1.02, 4), st.floats(1e-3, 0.5), st.floats(1e-4, 1))
def test_there_is_one_raw_capacity_because_the_ratio_of_wa_only_falls(ratio, spare, step):
    """U1 = 1, U2 = 1/ratio: WA(T/U1 - 1) / WA(T/U2 - 1) over T."""
    raw = 1 + np.array([spare, spare * (1 + step)])
    there = fifo(raw - 1) / fifo(raw * ratio - 1)
    assert there[1] < there[0]


def sisters():
    """Pairs of one family, of 1 and of 3 drive writes per day or so, from the catalogue."""
    names = {
        "Micron 9200": ("9200 PRO", "9200 MAX", ((1920, 1600), (3840, 3200), (7680, 6400))),
        "Micron 9650": ("9650 PRO", "9650 MAX", ((30720, 25600),)),
        "Samsung PM1733": (
            "PM1733", "PM1735", ((960, 800), (1920, 1600), (7680, 6400), (15360, 12800))
        ),
        "Seagate Nytro 333x": (
            "Nytro 3332", "Nytro 3532", ((960, 800), (1920, 1600), (3840, 3200), (7680, 6400))
        ),
        "Kioxia CD6": ("CD6-R", "CD6-V", ((15360, 12800),)),
    }  # fmt: skip
    for one, three, sizes in names.values():
        for large, small in sizes:
            yield find(CATALOGUE, f"{one} {large}"), find(CATALOGUE, f"{three} {small}")


@pytest.mark.parametrize(("one", "three"), list(sisters()), ids=lambda drive: drive.name)
def test_sister_models_of_the_catalogue_share_a_power_of_two_less_a_reserve(one, three):
    """3.84 TB at 1 DWPD beside 3.2 TB at 3: 4 TiB less 3.9 %, and so in every family."""
    found = effective_raw(one, three)
    nominal = TIB * 2 ** round(math.log2(found.value / TIB))
    assert one.capacity_bytes < found.value < nominal
    assert found.value / nominal == pytest.approx(0.961, abs=0.001)


def test_a_sister_rated_for_less_shares_no_flash():
    lesser = [with_user_facts(own_drive(u * TB), rated_dwpd=d) for u, d in ((3.84, 3), (3.2, 3))]
    found = effective_raw(*lesser)
    (rejected,) = found.rejected
    assert rejected.key == "tbw_ratio"
    assert rejected.available == pytest.approx(3.2 / 3.84)
    assert rejected.needed >= 1
    alike = [with_user_facts(own_drive(TB), rated_dwpd=dwpd) for dwpd in (3, 5)]
    assert effective_raw(*alike).answer is None


# What cannot be known, and what cannot be asked


@pytest.mark.parametrize(
    ("ask", "lacking"),
    [
        (lambda scene: spare_for_life(scene, YEAR_S), "raw_bytes"),
        (lambda scene: spare_for_dwpd(scene, 1.0), "raw_bytes"),
        (lambda scene: spare_for_iops(scene, 1e4), "steady_write_iops"),
        (most_writes, "pe_cycles"),
        (lambda scene: drives_for(scene, wear_out_life_s=YEAR_S), "pe_cycles"),
        (lambda scene: drives_for(scene, budget_iops=1e5), "random_read_iops"),
        (lambda scene: break_even_price(scene, SCENE), "price_usd"),
        (lambda scene: effective_raw(scene.drive, PRO_400), "rated_dwpd"),
    ],
)
def test_what_is_unknown_is_named(ask, lacking):
    found = ask(plan_drive(own_drive(1.92e12), BUSY))
    assert not found.answer.is_known
    assert not found.fits
    assert math.isnan(found.value)
    assert lacking in found.lacking


def test_a_class_needs_the_capacity_alone():
    nameless = plan_drive(own_drive(None), BUSY)
    assert endurance_class(nameless).lacking == ("user_bytes",)
    found = endurance_class(plan_drive(own_drive(5 * TB), BUSY))
    assert (found.value, found.unrounded.value) == (1.0, pytest.approx(1.0))
    assert any("the rating holds unchanged" in note for note in found.notes)


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_a_target_that_cannot_be_aimed_at_is_refused_by_name(value):
    for ask in (
        lambda: spare_for_life(SCENE, value),
        lambda: spare_for_dwpd(SCENE, value),
        lambda: spare_for_iops(SCENE, value),
        lambda: most_writes(SCENE, value),
        lambda: drives_for(SCENE, usable_bytes=value),
    ):
        with pytest.raises(DomainError, match=r"^\w+ must be > 0 and finite, got"):
            ask()


def test_targets_of_an_array_are_named():
    with pytest.raises(DomainError, match=r"^iops must be one of usable_bytes"):
        drives_for(SCENE, iops=1.0)
    with pytest.raises(DomainError, match="must be given"):
        drives_for(SCENE)


def test_every_number_of_an_answer_has_a_name_and_a_unit():
    asked = (
        spare_for_life(SCENE, 5 * YEAR_S), spare_for_dwpd(SCENE, 12), most_writes(SCENE),
        endurance_class(SCENE, YEAR_S), drives_for(SCENE, usable_bytes=TB),
        break_even_price(SCENE, SCENE), effective_raw(*next(sisters())),
    )  # fmt: skip
    for found in asked:
        parts = [found.answer, found.unrounded, *found.by_limit.values(), *found.details]
        keys = {part.key for part in parts if part} | {margin.key for margin in found.margins}
        assert keys <= QUANTITIES.keys()
        assert all(QUANTITIES[key].shown_in in FACTORS for key in keys)


def test_the_fewest_drives_are_found_where_one_more_costs_more_parity_reads():
    """Reads slower than writes: three drives in RAID 5 read once for a write, four read twice."""
    drive = with_user_facts(
        own_drive(1e12), random_read_iops=1e5, steady_write_iops=3e5, raw_bytes=1.1e12
    )
    writes = Workload(host_bytes_per_s=1e6, read_fraction=0.0)
    rates = {
        members: plan_drive(drive, writes, array=Array(members=members, level=RaidLevel.RAID5))
        for members in range(3, 9)
    }
    target = rates[3]["budget_iops"].value
    assert rates[4]["budget_iops"].value < target
    assert drives_for(rates[8], budget_iops=target * (1 - 1e-9)).value == 3
