"""RAID layouts against writing out every chunk, and against the budget of each member."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from models import mixing, redundancy
from models.errors import DomainError
from tests.published import Printed

rates = st.floats(1, 1e7)
shares = st.floats(0, 1)
layouts = st.tuples(st.integers(1, 32), st.integers(1, 3), st.integers(0, 3)).filter(
    lambda layout: layout[0] - layout[2] >= layout[1]
)

# Chen et al. 1994, section 3: small writes cost 1 (RAID 0), 2 (mirror), 4 (RAID 5: 2 reads and
# 2 writes), 6 (RAID 6) member operations.
SMALL_WRITES = [
    pytest.param(8, 1, 0, 0, 1, id="RAID 0"),
    pytest.param(8, 2, 0, 0, 2, id="RAID 10"),
    pytest.param(8, 1, 1, 2, 2, id="RAID 5"),
    pytest.param(8, 1, 2, 3, 3, id="RAID 6"),
]


@pytest.mark.parametrize(("members", "copies", "parities", "reads", "writes"), SMALL_WRITES)
def test_small_writes_cost_what_chen_counts(members, copies, parities, reads, writes):
    assert redundancy.reads_per_write(members, parities=parities) == reads
    assert redundancy.writes_per_write(copies, parities=parities) == writes


def cheapest_reads(members: int, parities: int, chunks: int) -> int:
    """Read the old data and parity, or read the data that the write does not cover."""
    if parities == 0:
        return 0
    old_data_and_parity = chunks + parities
    untouched_data = members - parities - chunks
    return min(old_data_and_parity, untouched_data)


@given(st.integers(2, 40), st.integers(0, 3), st.integers(1, 40))
def test_reads_per_write_count_the_cheaper_way(members, parities, chunks):
    assume(chunks <= members - parities)
    got = redundancy.reads_per_write(members, parities=parities, chunks=chunks)
    assert got == cheapest_reads(members, parities, chunks)


@pytest.mark.parametrize("parities", [1, 2])
def test_a_full_stripe_needs_no_reads(parities):
    assert redundancy.reads_per_write(12, parities=parities, chunks=12 - parities) == 0


@given(layouts, st.floats(1e9, 1e14))
def test_usable_and_redundant_bytes_are_all_bytes(layout, member_bytes):
    members, copies, parities = layout
    usable = redundancy.usable_bytes(
        member_bytes, members=members, copies=copies, parities=parities
    )
    assert usable * copies + parities * member_bytes == pytest.approx(
        members * member_bytes, rel=1e-12
    )


@given(layouts, st.floats(1, 1e10), shares)
def test_members_receive_data_copies_and_parity(layout, flow, full_stripes):
    members, copies, parities = layout
    writes = redundancy.mean_writes_per_write(
        members, copies=copies, parities=parities, full_stripe_fraction=full_stripes
    )
    got = redundancy.member_write_bytes_per_s(flow, members=members, writes_per_write=writes)
    chunk_by_chunk = redundancy.writes_per_write(copies, parities=parities)
    # Writing full stripes of the whole array fills every member once per usable capacity.
    stripe = members / redundancy.usable_bytes(
        1.0, members=members, copies=copies, parities=parities
    )
    expected = flow * ((1 - full_stripes) * chunk_by_chunk + full_stripes * stripe)
    assert got * members == pytest.approx(expected, rel=1e-12)


@given(layouts)
def test_full_stripes_never_write_or_read_more(layout):
    members, copies, parities = layout
    none, half, full = redundancy.mean_writes_per_write(
        members, copies=copies, parities=parities, full_stripe_fraction=[0, 0.5, 1]
    )
    assert none * (1 + 1e-12) >= half
    assert half * (1 + 1e-12) >= full
    assert none == redundancy.writes_per_write(copies, parities=parities)
    some, fewer, nothing = redundancy.mean_reads_per_write(
        members, parities=parities, full_stripe_fraction=[0, 0.5, 1]
    )
    assert some == redundancy.reads_per_write(members, parities=parities)
    assert (fewer, nothing) == (some / 2, 0)


@given(layouts, st.floats(1, 1e15), shares)
def test_an_array_takes_writes_until_its_members_are_full(layout, limit, full_stripes):
    members, copies, parities = layout
    writes = redundancy.mean_writes_per_write(
        members, copies=copies, parities=parities, full_stripe_fraction=full_stripes
    )
    known = {"members": members, "writes_per_write": writes}
    total = redundancy.array_limit_bytes(limit, **known)
    assert redundancy.member_write_bytes_per_s(total, **known) == pytest.approx(limit, rel=1e-12)


def test_without_a_layout_an_array_is_plain_striping():
    assert redundancy.usable_bytes(1e12, members=12) == 12e12
    striped = redundancy.member_write_bytes_per_s(12e6, members=12, writes_per_write=1)
    assert striped == 1e6


@given(st.integers(2, 64), st.integers(0, 8), st.floats(1, 1e15))
def test_hot_spares_hold_nothing(members, spares, member_bytes):
    assume(spares < members)
    working = redundancy.working_members(members, spares=spares)
    assert redundancy.usable_bytes(member_bytes, members=members, spares=spares) == pytest.approx(
        working * member_bytes, rel=1e-12
    )


def test_one_drive_at_least_must_hold_data():
    with pytest.raises(DomainError, match=r"^spares must be < members"):
        redundancy.working_members(4, spares=4)


def test_wide_writes_copy_every_chunk_and_write_parity_once():
    assert redundancy.writes_per_write(2, parities=0, chunks=3) == 6
    assert redundancy.writes_per_write(1, parities=2, chunks=4) == 6


def test_raid_5_doubles_small_writes_and_not_full_stripes():
    small, full = redundancy.mean_writes_per_write(
        12, copies=1, parities=1, full_stripe_fraction=[0, 1]
    )
    assert small == 2
    assert full == pytest.approx(12 / 11, rel=1e-12)


@given(rates, rates, st.integers(1, 64), shares, st.floats(0, 10), st.floats(0.1, 10))
def test_the_budget_keeps_every_member_busy_all_the_time(
    read_iops, write_iops, members, read_fraction, reads, writes
):
    got = redundancy.budget_iops(
        read_iops,
        write_iops=write_iops,
        members=members,
        read_fraction=read_fraction,
        reads_per_write=reads,
        writes_per_write=writes,
    )
    host_writes = got * (1 - read_fraction)
    member_reads = got * read_fraction + host_writes * reads
    busy_s = member_reads / read_iops + host_writes * writes / write_iops
    assert busy_s == pytest.approx(members, rel=1e-12)


@given(rates, rates, st.integers(1, 64), shares)
def test_without_redundancy_the_budget_is_the_mix_times_the_members(r, w, members, read_fraction):
    got = redundancy.budget_iops(
        r,
        write_iops=w,
        members=members,
        read_fraction=read_fraction,
        reads_per_write=0,
        writes_per_write=1,
    )
    one = mixing.mixed_iops(r, write_iops=w, read_fraction=read_fraction)
    assert got == pytest.approx(members * one, rel=1e-12)


# AnandTech 8319: 12 drives of 50K IOPS have a theoretical 600K.
def test_budget_reproduces_the_array_of_anandtech_8319():
    got = redundancy.budget_iops(
        92e3, write_iops=50e3, members=12, read_fraction=0, reads_per_write=0, writes_per_write=1
    )
    assert Printed("600000").admits(got)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ({"members": 2, "parities": 2}, "members"),
        ({"members": 1, "copies": 2}, "members"),
        ({"members": 4, "parities": 0.5}, "parities"),
        ({"members": 2.5}, "members"),
        ({"members": 4, "copies": 1.5}, "copies"),
    ],
)
def test_impossible_layouts_are_refused(call, name):
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        redundancy.usable_bytes(1e12, **call)
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        redundancy.mean_writes_per_write(
            **{"copies": 1, "parities": 0, "full_stripe_fraction": 0} | call
        )


def test_a_write_wider_than_the_stripe_is_refused():
    with pytest.raises(DomainError, match=r"^chunks must be <= members - parities, got 12$"):
        redundancy.reads_per_write(12, parities=1, chunks=12)


@given(
    st.integers(1, 4),
    st.integers(1, 24),
    st.integers(1, 3),
    st.integers(0, 3),
    st.integers(0, 4),
    st.integers(1, 2**46),
)
def test_usable_bytes_are_exact(groups, width, copies, parities, spares, member_bytes):
    """Whole bytes, as Python counts them."""
    assume(width - parities >= copies)
    members = groups * width + spares
    assume((groups * (width - parities)) % copies == 0)
    got = redundancy.usable_bytes(
        member_bytes,
        members=members,
        copies=copies,
        parities=parities,
        groups=groups,
        spares=spares,
    )
    assert int(got) == member_bytes * groups * (width - parities) // copies


@given(st.integers(4, 40), st.integers(0, 2), st.integers(0, 2))
def test_parity_and_spares_never_add_capacity(members, parities, spares):
    assume(members - parities - spares > 1)
    known = {"members": members, "parities": parities, "spares": spares}
    usable = redundancy.usable_bytes(1e12, **known)
    for more in ("parities", "spares"):
        assert redundancy.usable_bytes(1e12, **known | {more: known[more] + 1}) < usable


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ({"members": 13, "groups": 2}, "members"),
        ({"members": 12, "groups": 6, "parities": 2}, "members"),
        ({"members": 12, "spares": 12}, "members"),
        ({"members": 12, "spares": 0.5}, "spares"),
    ],
)
def test_groups_and_spares_must_fit(call, name):
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        redundancy.usable_bytes(1e12, **call)
