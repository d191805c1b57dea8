"""Arrays: layouts by name, what each drive gets, and the three numbers of the worst case."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import DomainError
from planner.catalogue import find, load
from planner.graph.answer import unknown
from planner.scenario.array import Array, RaidLevel, parse_level
from planner.scenario.workload import Workload
from planner.sections.plan import plan_drive

ANY = Workload(host_bytes_per_s=12e6)
PRO_400 = find(load(), "845DC PRO 400")
PLAIN_LEVELS = [RaidLevel(level) for level in ("0", "1", "10", "5", "6")]


def answer_of(drive, array, workload=ANY, **options):
    return plan_drive(drive, workload, array=array, **options)


def performance(drive, workload):
    return plan_drive(drive, workload)


def member_bytes_per_s(workload, array):
    return plan_drive(PRO_400, workload, array=array).reading["member_bytes_per_s"]


@pytest.mark.parametrize(
    ("level", "members", "copies", "parities"),
    [("0", 3, 1, 0), ("1", 3, 3, 0), ("10", 4, 2, 0), ("5", 3, 1, 1), ("6", 4, 1, 2)],
)
def test_layouts_by_their_usual_names(level, members, copies, parities):
    array = Array(members=members, level=RaidLevel(level))
    assert (array.copies, array.parities) == (copies, parities)


@pytest.mark.parametrize(
    ("level", "members", "complaint"),
    [
        ("5", 2, "members must be >= 3 for RAID 5, got 2"),
        ("6", 3, "members must be >= 4 for RAID 6, got 3"),
        ("1", 1, "members must be >= 2 for RAID 1, got 1"),
        ("10", 5, "members must be >= 4 and even for RAID 10, got 5"),
        ("0", 0, "members must be a whole number >= 1, got 0"),
        ("0", 1.5, "members must be a whole number >= 1, got 1.5"),
    ],
)
def test_impossible_layouts_are_refused(level, members, complaint):
    with pytest.raises(DomainError, match=f"^{complaint}$"):
        Array(members=members, level=RaidLevel(level))


def test_the_stalled_share_is_a_share():
    with pytest.raises(DomainError, match=r"^member_stall_fraction must be in \[0, 1\], got 5"):
        Array(member_stall_fraction=5)


def test_twelve_drives_give_a_floor_its_probability_and_a_quantile():
    """The review's array: 12 x 50K on average, 12 x 5K at worst."""
    array = Array(members=12, level=RaidLevel.RAID5, member_stall_fraction=0.05)
    got = answer_of(PRO_400, array)
    assert got["worst_case_floor_iops"].value == 60_000
    assert got["stall_probability"].value == pytest.approx(0.4596, abs=5e-5)
    assert got["aligned_stall_probability"].value == pytest.approx(2.44e-16, rel=1e-2)
    assert got["member_quantile"].value == pytest.approx(0.99916, abs=5e-6)
    assert got["usable_bytes"].value == pytest.approx(4.4e12)
    assert answer_of(PRO_400, array, partition_fraction=0.5)["usable_bytes"].value == 2.2e12


def test_without_a_stalled_share_its_probabilities_are_missing():
    got = answer_of(PRO_400, Array(members=12))
    assert got["stall_probability"] == unknown(
        key="stall_probability", lacking=("member_stall_fraction",)
    )
    assert got["worst_case_floor_iops"].value == 60_000


def test_one_drive_is_an_array_of_one():
    got = answer_of(PRO_400, Array())
    assert got["usable_bytes"].value == 400e9
    assert got["budget_iops"].value == pytest.approx(performance(PRO_400, ANY)["drive_iops"].value)
    assert member_bytes_per_s(ANY, Array()).value == 12e6


def test_parity_reaches_every_drive():
    array = Array(members=12, level=RaidLevel.RAID5)
    assert member_bytes_per_s(ANY, array).value == pytest.approx(2e6)
    whole = Workload(host_bytes_per_s=12e6, sequential_fraction=1.0)
    assert member_bytes_per_s(whole, array).value == pytest.approx(12e6 / 11)


@given(st.sampled_from(PLAIN_LEVELS), st.integers(2, 20), st.floats(0, 1))
def test_a_further_pair_of_drives_never_lowers_capacity_or_speed(level, half, reads):
    workload = Workload(host_bytes_per_s=12e6, read_fraction=reads)
    small, large = (
        answer_of(PRO_400, Array(members=members, level=level), workload)
        for members in (2 * half, 2 * half + 2)
    )
    slack = 1 - 1e-12
    assert (
        large["budget_iops"].value >= small["budget_iops"].value * slack or level is RaidLevel.RAID1
    )
    assert large["usable_bytes"].value >= small["usable_bytes"].value * slack
    assert large["worst_case_floor_iops"].value > small["worst_case_floor_iops"].value


def test_what_binds_the_members_is_named():
    array = Array(members=12, level=RaidLevel.RAID5)
    assert answer_of(PRO_400, array, replace(ANY, read_fraction=0.1)).binding["Array"] == "writes"
    assert (
        answer_of(PRO_400, array, replace(ANY, read_fraction=0.95)).binding["Array"] == "host reads"
    )


def test_full_stripes_cost_no_reads_and_share_their_parity():
    array = Array(members=12, level=RaidLevel.RAID5)
    whole = replace(ANY, sequential_fraction=1.0, read_fraction=0.0, transfer_bytes=131072)
    drive_iops = performance(PRO_400, whole)["write_iops"].value
    budget = answer_of(PRO_400, array, whole)["budget_iops"].value
    assert budget == pytest.approx(drive_iops * 11)


def test_an_erasure_code_spreads_stripes_over_more_drives():
    code = Array(members=12, level=RaidLevel.EC, data_members=8, parity_members=3)
    answer = answer_of(PRO_400, code)
    assert answer["usable_bytes"].value == pytest.approx(12 * 400e9 * 8 / 11)
    assert (code.stripe_members, code.tolerated_failures, code.groups) == (11, 3, 1)
    small = replace(ANY, read_fraction=0, sequential_fraction=0)
    assert member_bytes_per_s(small, code).value == pytest.approx(12e6 * 4 / 12)
    assert member_bytes_per_s(replace(small, sequential_fraction=1), code).value == pytest.approx(
        12e6 * 11 / 8 / 12
    )


def test_hot_spares_hold_nothing():
    spared = Array(members=8, level=RaidLevel.RAID5, hot_spares=1)
    assert answer_of(PRO_400, spared)["usable_bytes"].value == pytest.approx(6 * 400e9)
    assert member_bytes_per_s(replace(ANY, sequential_fraction=1), spared).value == pytest.approx(
        12e6 * 7 / 6 / 7
    )


@pytest.mark.parametrize(
    ("written", "name", "parities"),
    [
        ("raid5", "RAID 5", 1),
        ("6", "RAID 6", 2),
        ("EC:8+3", "8+3", 3),
        ("8+3", "8+3", 3),
        ("raid10", "RAID 10", 0),
    ],
)
def test_levels_by_their_usual_names(written, name, parities):
    array = Array(members=12, **parse_level("level", written))
    assert (array.name, array.parities) == (name, parities)


@pytest.mark.parametrize("written", ["raid7", "ec:8", "ec", "", "8+", "8+3+1"])
def test_an_unknown_level_is_refused_with_those_there_are(written):
    with pytest.raises(DomainError, match=r"level must be one of raid0.*ec:K\+M"):
        parse_level("level", written)


def test_sets_have_parity_of_their_own():
    raid60 = Array(members=24, level=RaidLevel.RAID6, sets=3)
    assert (raid60.name, raid60.stripe_members, raid60.groups) == ("RAID 60, 3 sets", 8, 3)
    whole = replace(ANY, sequential_fraction=1.0, read_fraction=0.0)
    answer = answer_of(PRO_400, raid60, whole)
    assert answer["usable_bytes"].value == pytest.approx(18 * 400e9)
    assert member_bytes_per_s(whole, raid60).value == pytest.approx(12e6 * 8 / 6 / 24)


@pytest.mark.parametrize(
    ("level", "sets", "members", "complaint"),
    [
        (RaidLevel.RAID10, 2, 8, "sets must be 1 for RAID 10, got 2"),
        (RaidLevel.RAID5, 3, 8, "members must be >= 9 and a multiple of 3 for RAID 50, 3 sets"),
        (RaidLevel.RAID6, 2, 9, "members must be >= 8 and even for RAID 60, 2 sets, got 9"),
        (RaidLevel.RAID6, 0, 9, "sets must be a whole number >= 1, got 0"),
    ],
)
def test_impossible_sets_are_refused_by_name(level, sets, members, complaint):
    with pytest.raises(DomainError, match=complaint):
        Array(members=members, level=level, sets=sets)


@pytest.mark.parametrize(
    ("members", "level", "is_said"),
    [(2, RaidLevel.RAID1, False), (4, RaidLevel.RAID1, True), (4, RaidLevel.RAID10, False)],
)
def test_a_mirror_of_many_drives_is_said_to_be_one_of_many_copies(members, level, is_said):
    array = Array(members=members, level=level)
    answer = plan_drive(find(load(), "PM9A3 3.84"), Workload(host_bytes_per_s=1e6), array=array)
    assert any("striped are RAID 10" in note for note in answer.array_notes) == is_said
