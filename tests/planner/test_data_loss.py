"""Data loss of an array: its parts, the laws that hold for every input, and what mends it."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import DomainError
from models.units import DAY_S, YEAR_S
from planner.catalogue.drive import own_drive, with_user_facts
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.sections.data_loss import data_loss, remedies
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of

IDLE = Workload(host_bytes_per_s=1e6)
HEAVY = Workload(host_bytes_per_s=800e6)


def lost(drive, level, workload=IDLE, risk=None, members=8, **array):
    return data_loss(
        plan_drive(drive, workload, array=Array(members=members, level=level, **array)), risk
    )


def test_without_redundancy_the_first_failure_loses_data(pro_400):
    got = lost(pro_400, RaidLevel.RAID0, risk=Risk(afr_fraction=0.01))
    assert got["array_loss_probability"].value == pytest.approx(1 - 0.99 ** (8 * 5), rel=1e-9)
    assert got["array_unreadable_loss_probability"].value == 0


def test_the_parts_make_the_whole(pro_400):
    got = lost(pro_400, RaidLevel.RAID5, HEAVY)
    parts = (
        got["array_failed_loss_probability"].value,
        got["array_unreadable_loss_probability"].value,
        got["array_wear_out_loss_probability"].value,
    )
    assert max(parts) <= got["array_loss_probability"].value <= sum(parts)
    assert got["array_loss_probability"].value == pytest.approx(sum(parts), rel=0.01)


def test_drives_that_wear_out_together_are_the_danger(pro_400):
    """At 800 MB/s of writes all drives of a batch end within weeks, several times in 5 years."""
    got = lost(pro_400, RaidLevel.RAID5, HEAVY)
    assert got["array_wear_out_loss_probability"].value > 50 * (
        got["array_failed_loss_probability"].value + got["array_unreadable_loss_probability"].value
    )
    spread = lost(pro_400, RaidLevel.RAID5, HEAVY, Risk(life_cv=0.1))
    assert (
        spread["array_wear_out_loss_probability"].value
        < got["array_wear_out_loss_probability"].value
    )


def test_replacing_early_and_buying_apart_mend_it(pro_400):
    answer = plan_drive(pro_400, HEAVY, array=Array(members=8, level=RaidLevel.RAID5))
    as_is, early, month, quarter = (
        remedy.data_loss["array_loss_probability"].value for remedy in remedies(answer)
    )
    assert early < as_is / 10
    assert quarter <= month < as_is


def test_pairs_of_raid_10_lose_data_one_by_one(pro_400):
    two = lost(pro_400, RaidLevel.RAID1, members=2)
    eight = lost(pro_400, RaidLevel.RAID10)
    assert eight["array_loss_probability"].value == pytest.approx(
        1 - (1 - two["array_loss_probability"].value) ** 4, rel=1e-6
    )


def test_an_erasure_code_counts_failures_among_all_drives(pro_400):
    code = {"data_members": 4, "parity_members": 2}
    wide = lost(pro_400, RaidLevel.EC, members=8, **code)
    narrow = lost(pro_400, RaidLevel.EC, members=6, **code)
    assert (
        wide["array_failed_loss_probability"].value > narrow["array_failed_loss_probability"].value
    )
    assert wide.nodes["rebuild_read_bytes"].value == narrow.nodes["rebuild_read_bytes"].value


risks = st.builds(
    Risk,
    horizon_s=st.floats(0.1, 20).map(lambda years: years * YEAR_S),
    afr_fraction=st.floats(0, 0.3),
    uber=st.floats(0, 1e-13),
    rebuild_s=st.floats(60, 10 * DAY_S),
    life_cv=st.floats(0.02, 0.15),
)
writes = st.floats(1e5, 1e9).map(lambda rate: Workload(host_bytes_per_s=rate))


@given(risks, writes, st.integers(4, 16))
@settings(max_examples=25, deadline=None)
def test_raid_6_is_never_less_safe_than_raid_5(pro_400, risk, workload, members):
    """At the same writes to each member; parity writes alone would shorten the life of both."""
    five = lost(pro_400, RaidLevel.RAID5, workload, risk, members)
    six = lost(pro_400, RaidLevel.RAID6, workload, risk, members)
    for part in ("failed", "unreadable"):
        key = f"array_{part}_loss_probability"
        assert six[key].value <= five[key].value * (1 + 1e-9) + 1e-300


@pytest.mark.parametrize(
    ("name", "uber"), [("870 EVO 1TB", 1e-15), ("845DC PRO 400", 1e-16), ("PM9A3 1.92TB", 1e-17)]
)
def test_uber_is_stated_or_the_limit_of_its_class(name, uber):
    plan = plan_of(name, writes="30 GB/day", drives=4, raid="5")
    assert data_loss(plan).nodes["uber"].value == uber
    stated = data_loss(plan, Risk(uber=uber))["unreadable_probability"]
    assert data_loss(plan)["unreadable_probability"].value == stated.value


@given(risks, st.floats(1, 10))
@settings(max_examples=25, deadline=None)
def test_a_slower_rebuild_or_a_worse_uber_never_helps(pro_400, risk, factor):
    """But for the rebuild under way at the end, whose sectors are not all read yet."""
    base = lost(pro_400, RaidLevel.RAID5, risk=risk)
    slower = lost(pro_400, RaidLevel.RAID5, risk=replace(risk, rebuild_s=factor * risk.rebuild_s))
    worse = lost(pro_400, RaidLevel.RAID5, risk=replace(risk, uber=factor * risk.uber))
    assert 0 <= base["array_loss_probability"].value <= 1
    unfinished = factor * risk.rebuild_s / risk.horizon_s
    assert slower["array_loss_probability"].value >= base["array_loss_probability"].value * (
        1 - unfinished
    )
    assert slower["array_failed_loss_probability"].value >= base[
        "array_failed_loss_probability"
    ].value * (1 - 1e-9)
    assert worse["array_loss_probability"].value >= base["array_loss_probability"].value * (
        1 - 1e-9
    )


def test_replacements_are_failures_until_drives_wear_out(pro_400):
    quiet = lost(pro_400, RaidLevel.RAID6, risk=Risk(afr_fraction=0.01))
    rate = -math.log(0.99)
    assert quiet["mean_replacements"].value == pytest.approx(8 * 5 * rate, rel=1e-3)
    assert quiet["replacements_sd"].value == pytest.approx(math.sqrt(8 * 5 * rate), rel=1e-2)
    busy = lost(pro_400, RaidLevel.RAID6, HEAVY)
    turns = 5 * YEAR_S / busy["wear_out_life_s"].value
    assert busy["mean_replacements"].value == pytest.approx(8 * turns, rel=0.1)


def test_what_is_unknown_is_missing_or_labelled(catalogue):
    bare = lost(own_drive(None), RaidLevel.RAID5)
    assert not bare["array_loss_probability"].is_known
    assert "user_bytes" in bare.lacking
    told = lost(with_user_facts(own_drive(1e12), sequential_write_bytes_per_s=5e8), RaidLevel.RAID5)
    assert told["array_loss_probability"].value > 0
    assert any("Backblaze" in note for note in told.notes)
    assert told.nodes["wear_out_loss_probability"].note


@pytest.mark.parametrize(
    ("field", "value"),
    [("horizon_s", 0), ("afr_fraction", 1), ("uber", -1), ("life_cv", 0.3), ("rebuild_s", 0)],
)
def test_an_impossible_risk_is_refused_by_name(field, value):
    with pytest.raises(DomainError, match=f"{field} must be"):
        Risk(**{field: value})


def test_drives_that_are_used_up_at_once_are_not_counted(pro_400):
    got = lost(pro_400, RaidLevel.RAID5, Workload(host_bytes_per_s=1e12))
    assert not got["array_loss_probability"].is_known
    assert not got["mean_replacements"].is_known
    assert any("wears out more than 100 times" in note for note in got.notes)
