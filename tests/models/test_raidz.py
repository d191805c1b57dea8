"""RAID-Z and dRAID: sectors laid out one by one, printed examples, laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import declustered, raidz, redundancy
from models.errors import DomainError

widths = st.integers(2, 24)
parity = st.integers(1, 3)


def laid_out(sectors, members, parities):
    """Write a block row by row: parity first, then data, then padding up to a multiple."""
    layout = []
    left = sectors
    while left:
        row = min(left, members - parities)
        layout += ["P"] * parities + ["D"] * row
        left -= row
    while len(layout) % (parities + 1):
        layout.append("X")
    return layout


@given(st.integers(1, 300), widths, parity)
def test_a_block_takes_the_sectors_that_it_is_laid_out_on(sectors, members, parities):
    if members <= parities:
        return
    layout = laid_out(sectors, members, parities)
    assert raidz.raidz_sectors(sectors, members=members, parities=parities) == len(layout)
    assert layout.count("D") == sectors


# OpenZFS documentation, "RAIDZ": one sector of data on RAID-Z1 is a mirror, on Z2 three copies.
@pytest.mark.parametrize("parities", [1, 2, 3])
def test_one_sector_is_as_dear_as_copies(parities):
    assert raidz.raidz_sectors(1, members=9, parities=parities) == 1 + parities


# M. Ahrens, "How I Learned to Stop Worrying and Love RAIDZ", 2014: RAID-Z1 of five disks, 4 KiB
# sectors: 8 KiB take 3 sectors and 1 of padding, 16 KiB 4 + 1 and 1 of padding.
@pytest.mark.parametrize(("kib", "sectors"), [(4, 2), (8, 4), (16, 6), (32, 10)])
def test_small_records_on_raid_z1_of_five(kib, sectors):
    got = raidz.raidz_usable_fraction(kib * 1024, sector_bytes=4096, members=5, parities=1)
    assert got == kib / 4 / sectors


@given(st.floats(512, 2**24), st.sampled_from([512, 4096, 8192]), widths, parity)
def test_records_never_get_more_than_stripes_of_data(record, sector, members, parities):
    if members <= parities:
        return
    known = {"members": members, "parities": parities}
    share = raidz.raidz_usable_fraction(record, sector_bytes=sector, **known)
    assert 0 < share <= (members - parities) / members * (1 + 1e-12)
    huge = raidz.raidz_usable_fraction(2**40, sector_bytes=sector, **known)
    assert huge == pytest.approx((members - parities) / members, rel=1e-5)
    usable = raidz.raidz_usable_bytes(4e12, **known, record_bytes=record, sector_bytes=sector)
    assert usable == pytest.approx(4e12 * members * share, rel=1e-12)


def test_more_parity_never_leaves_more_but_for_padding():
    """One parity more is a sector more in each row; padding was m sectors at most before."""
    members, parities, sectors = np.ogrid[4:25, 0:3, 1:301]
    less, more = (
        raidz.raidz_sectors(sectors, members=members, parities=m) for m in (parities, parities + 1)
    )
    rows = -(-sectors // (members - parities))
    assert np.all(more >= less + rows - parities)
    assert np.all((more >= less) | (parities == 2))


def test_padding_may_cost_more_than_a_parity():
    """20 members: 17 + 2 sectors are padded to 7 times 3, and 17 + 3 are 5 times 4 as they are."""
    assert [raidz.raidz_sectors(17, members=20, parities=m) for m in (2, 3)] == [21, 20]


@pytest.mark.parametrize("members", [4, 6, 8, 12, 24])
@pytest.mark.parametrize("parities", [1, 2, 3])
def test_blocks_over_all_members_read_like_one_drive(members, parities):
    if 2 * parities >= members:
        return
    known = {"members": members, "parities": parities}
    assert raidz.raidz_read_iops(1e5, **known, block_sectors=64) == 1e5
    assert raidz.raidz_read_iops(1e5, **known, block_sectors=1) == members * 1e5


def counted_stripes(members, spares, width):
    """Stripes dealt to the emptiest drives, spares left out, until one finds no room."""
    room = [width] * (members - spares)
    for dealt in range(members * width + 1):
        free = sorted(range(len(room)), key=room.__getitem__)[-width:]
        if room[free[0]] == 0:
            return dealt
        for member in free:
            room[member] -= 1
    raise AssertionError


@given(st.integers(2, 16), st.integers(0, 2), st.integers(1, 8), st.integers(0, 3))
def test_declustered_capacity_is_the_stripes_that_fit(members, spares, data, parities):
    width = data + parities
    if members - spares < width:
        return
    dealt = counted_stripes(members, spares, width)
    got = declustered.declustered_usable_bytes(
        float(width), members=members, spares=spares, data_members=data, parities=parities
    )
    assert got == dealt * data


# zpoolconcepts(7): (N - S) D / (D + P) X and floor((N - S) / (D + P)) of a drive.
def test_draid2_of_24():
    layout = {"members": 24, "spares": 2, "data_members": 8, "parities": 2}
    assert declustered.declustered_usable_bytes(4e12, **layout) == 70.4e12
    assert declustered.declustered_iops(1e5, **layout) == 2e5


@given(st.integers(1, 10**6), st.integers(1, 32), st.integers(0, 3))
def test_draid_blocks_are_whole_stripes(sectors, data, parities):
    got = declustered.declustered_sectors(sectors, data_members=data, parities=parities)
    stripes, rest = divmod(int(got), data + parities)
    assert rest == 0
    assert (stripes - 1) * data < sectors <= stripes * data


@given(st.integers(4, 24), st.integers(0, 2), st.integers(1, 8), st.integers(0, 2))
def test_a_full_array_fills_every_drive_but_for_its_spares(members, spares, data, parities):
    if members - spares < data + parities:
        return
    layout = {"members": members, "spares": spares, "data_members": data, "parities": parities}
    stored = declustered.declustered_usable_bytes(4e12, **layout)
    fill = declustered.member_fill_fraction(
        stored, member_bytes=4e12, members=members, writes_per_write=(data + parities) / data
    )
    assert fill == pytest.approx((members - spares) / members, rel=1e-12)


def test_a_stripe_over_all_drives_is_plain_parity():
    layout = {"members": 12, "spares": 0, "data_members": 11, "parities": 1}
    plain = redundancy.usable_bytes(4e12, members=12, parities=1)
    assert declustered.declustered_usable_bytes(4e12, **layout) == plain


@pytest.mark.parametrize(
    ("formula", "call", "name"),
    [
        (raidz.raidz_sectors, {"members": 2, "parities": 2}, "members"),
        (raidz.raidz_sectors, {"members": 4, "parities": 1.5}, "parities"),
        (
            declustered.declustered_usable_bytes,
            {"members": 10, "spares": 1, "data_members": 8, "parities": 2},
            "members",
        ),
        (
            declustered.declustered_iops,
            {"members": 12, "spares": 1, "data_members": 8, "parities": 0.5},
            "parities",
        ),
        (
            declustered.member_fill_fraction,
            {"member_bytes": 0.5, "members": 1, "writes_per_write": 1},
            "stored_bytes",
        ),
    ],
)
def test_impossible_layouts_are_refused(formula, call, name):
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        formula(1, **call)
