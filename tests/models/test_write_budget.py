"""Die time of writes against published drives, a counted log and the laws of the budget."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import bottleneck, calibration, spare_area, write_amplification, write_budget
from models.errors import DomainError
from models.units import GB, GIB, MB

SIZE = 4096

# AnandTech 8319, specification tables: dies (of 16 GiB), user GB, sequential write MB/s, random
# write IOPS, and the time to sense a page, which is assumed: 50 us for MLC, 90 us for TLC.
PRO_400 = (32, 400, 460, 50e3, 50e-6)
PRO_800 = (64, 800, 460, 51e3, 50e-6)
EVO_240 = (16, 240, 270, 12e3, 90e-6)
EVO_480 = (32, 480, 410, 14e3, 90e-6)
EVO_960 = (64, 960, 410, 14e3, 90e-6)
# Host pages in a program and in an erase of one die. EVO: pages of 8 KB, 256 to a block, as the
# same flash has in AnandTech 7173. PRO: not published; two planes, and 384 pages to a block.
TLC_PAGES, VNAND_PAGES = (2, 512), (4, 1536)
# Assumed for all: 10 us for 4 KiB on a channel, 4 ms for an erase.
TRANSFER_S, ERASE_S = 10e-6, 4e-3


def steady_iops(drive, pages, *, read_s=None, transfer_s=TRANSFER_S, erase_s=ERASE_S):
    """What the dies give in steady state, from the printed sequential rate; with the WA."""
    dies, user_gb, write_mb_per_s, _, sense_s = drive
    at_once, block = pages
    op_ratio = spare_area.op_ratio(dies * 16 * GIB, user_bytes=user_gb * GB)
    wa = write_amplification.greedy(op_ratio, pages_per_block=block)
    program_s = calibration.effective_program_s(
        write_mb_per_s * MB,
        dies=dies,
        pages_per_program=at_once,
        transfer_s=transfer_s,
        transfer_bytes=SIZE,
    )
    host_page_s = write_budget.host_page_s(
        wa,
        program_page_s=write_budget.program_page_s(
            program_s, transfer_s=transfer_s, pages_per_program=at_once
        ),
        copy_page_s=write_budget.copy_page_s(
            wa, read_s=read_s or sense_s, transfer_s=transfer_s, pages_per_read=at_once
        ),
        erase_s=erase_s,
        pages_per_block=block,
    )
    return write_budget.media_write_iops(dies, host_page_s=host_page_s), wa


def residual(drive, pages, **timings):
    modelled, _ = steady_iops(drive, pages, **timings)
    return calibration.residual_ratio(modelled, rated_iops=drive[3])


WIDE = pytest.mark.xfail(reason="32 KiB to a program: +5.3 % and +5.6 %")


# Within 5 % of the printed rate for programs of one or two pages of 8 KB and blocks of any size.
@pytest.mark.parametrize("drive", [PRO_400, PRO_800], ids=["400 GB", "800 GB"])
@pytest.mark.parametrize(
    "pages", [(2, 512), (2, 768), (4, 1024), VNAND_PAGES, pytest.param((8, 2048), marks=WIDE)]
)
def test_845dc_pro(drive, pages):
    assert abs(residual(drive, pages)) <= 0.05


FAST_SENSE = pytest.mark.xfail(reason="+10.7 % with 75 us and 4.5 ms, general figures for TLC")
TWO_PLANES = pytest.mark.xfail(reason="+17 % if one read serves two planes")


# Within 10 %, but not by much: 75 us and 4.5 ms are "TLC" in AnandTech 6337, "A TLC Refresher".
@pytest.mark.parametrize(
    ("pages", "timings"),
    [
        (TLC_PAGES, {}),
        (TLC_PAGES, {"transfer_s": 20e-6}),
        pytest.param(TLC_PAGES, {"read_s": 75e-6, "erase_s": 4.5e-3}, marks=FAST_SENSE),
        pytest.param((4, 1024), {}, marks=TWO_PLANES),
    ],
)
def test_845dc_evo_of_240_gb(pages, timings):
    assert abs(residual(EVO_240, pages, **timings)) <= 0.10


# Two and four times the dies of the smallest, and the same printed 14K for both.
@pytest.mark.parametrize("drive", [EVO_480, EVO_960], ids=["480 GB", "960 GB"])
def test_larger_845dc_evo_are_limited_by_their_firmware(drive):
    modelled, _ = steady_iops(drive, TLC_PAGES)
    assert modelled / drive[3] - 1 > 0.4
    cap = calibration.controller_iops(drive[3], modelled_iops=modelled, tolerance_ratio=0.1)
    assert bottleneck.write_iops(modelled, controller_iops=cap) == drive[3]


def test_the_smallest_845dc_evo_is_limited_by_its_dies():
    modelled, _ = steady_iops(EVO_240, TLC_PAGES)
    cap = calibration.controller_iops(EVO_240[3], modelled_iops=modelled, tolerance_ratio=0.1)
    assert math.isinf(cap)


# The rule of thumb that divides the sequential rate by write amplification is much further off.
@pytest.mark.parametrize(
    ("drive", "pages"), [(PRO_400, VNAND_PAGES), (PRO_800, VNAND_PAGES), (EVO_240, TLC_PAGES)]
)
def test_sequential_rate_over_write_amplification_is_too_optimistic(drive, pages):
    modelled, wa = steady_iops(drive, pages)
    naive = drive[2] * MB / SIZE / wa
    assert naive > modelled * 1.03
    assert naive / drive[3] - 1 > abs(residual(drive, pages)) + 0.03


@pytest.mark.parametrize(("dies", "at_once"), [(16, 2), (32, 4), (128, 12)])
def test_a_fresh_drive_writes_at_its_sequential_rate(dies, at_once):
    program_s = calibration.effective_program_s(
        460 * MB, dies=dies, pages_per_program=at_once, transfer_s=10e-6, transfer_bytes=SIZE
    )
    program_page_s = write_budget.program_page_s(
        program_s, transfer_s=10e-6, pages_per_program=at_once
    )
    fresh_s = write_budget.host_page_s(
        1, program_page_s=program_page_s, copy_page_s=1.0, erase_s=0, pages_per_block=512
    )
    got = write_budget.media_write_iops(dies, host_page_s=fresh_s)
    assert got * SIZE == pytest.approx(460 * MB, rel=1e-12)


class Log:
    """One log, greedy cleaning, operations counted: pages in lists, nothing clever."""

    def __init__(self, blocks, pages, op_ratio):
        self.pages, self.random = pages, random.Random(5)  # noqa: S311
        self.blocks = [[None] * pages for _ in range(blocks)]
        self.free, self.front, self.filled = list(range(blocks)), None, pages
        self.where = {}
        self.counts = dict.fromkeys(["host", "programs", "copies", "erases"], 0)
        self.reads = {1: 0, 2: 0, 4: 0}
        self.logical = int((blocks - 1) * pages / (1 + op_ratio))

    def program(self, page):
        if self.filled == self.pages:
            self.front, self.filled = self.free.pop(), 0
        if page in self.where:
            block, place = self.where[page]
            self.blocks[block][place] = None
        self.blocks[self.front][self.filled] = page
        self.where[page] = (self.front, self.filled)
        self.filled += 1
        self.counts["programs"] += 1

    def write(self, page):
        self.counts["host"] += 1
        self.program(page)
        while self.filled == self.pages and len(self.free) < 2:
            self.collect()

    def collect(self):
        sealed = set(range(len(self.blocks))) - set(self.free)
        valid = {block: self.pages - self.blocks[block].count(None) for block in sealed}
        victim = min(sorted(sealed), key=valid.get)
        places = [k for k, page in enumerate(self.blocks[victim]) if page is not None]
        for together in self.reads:
            self.reads[together] += len({place // together for place in places})
        for place in places:
            self.program(self.blocks[victim][place])
        self.blocks[victim] = [None] * self.pages
        self.free.insert(0, victim)
        self.counts["copies"] += len(places)
        self.counts["erases"] += 1

    def run(self, writes):
        for page in range(self.logical):
            self.write(page)
        for _ in range(3 * self.logical):
            self.write(self.random.randrange(self.logical))
        self.counts = dict.fromkeys(self.counts, 0)
        self.reads = dict.fromkeys(self.reads, 0)
        for _ in range(writes):
            self.write(self.random.randrange(self.logical))


@pytest.fixture(scope="module", params=[0.15, 0.4])
def log(request):
    found = Log(blocks=80, pages=64, op_ratio=request.param)
    found.run(20_000)
    return found


@pytest.mark.parametrize("together", [1, 2, 4])
def test_the_budget_agrees_with_the_operations_of_a_log(log, together):
    counts = log.counts
    wa = counts["programs"] / counts["host"]
    harvested = write_budget.harvested_pages(wa, pages_per_read=together)
    assert harvested == pytest.approx(counts["copies"] / log.reads[together], rel=0.02)
    spent_s = 250e-6 * counts["programs"] + 10e-6 * counts["copies"]
    spent_s += 90e-6 * log.reads[together] + 4e-3 * counts["erases"]
    copy_page_s = write_budget.copy_page_s(
        wa, read_s=90e-6, transfer_s=10e-6, pages_per_read=together
    )
    got = write_budget.host_page_s(
        wa, program_page_s=250e-6, copy_page_s=copy_page_s, erase_s=4e-3, pages_per_block=64
    )
    assert got == pytest.approx(spent_s / counts["host"], rel=0.01)


amplifications = st.floats(1, 50)
counts = st.integers(1, 64)
times = st.floats(1e-6, 1e-2)


@given(amplifications, counts)
def test_harvest_is_the_mean_of_a_binomial_number_that_is_not_zero(wa, together):
    valid = 1 - 1 / wa
    chances = [
        math.comb(together, k) * valid**k * (1 - valid) ** (together - k)
        for k in range(together + 1)
    ]
    got = write_budget.harvested_pages(wa, pages_per_read=together)
    assert 1 - 1e-12 <= got <= together * (1 + 1e-12)
    if valid > 1e-6:
        expected = sum(k * chance for k, chance in enumerate(chances)) / sum(chances[1:])
        assert got == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("together", [1, 4, 64])
def test_harvest_of_empty_and_of_full_victims(together):
    assert write_budget.harvested_pages(1, pages_per_read=together) == 1
    nearly = write_budget.harvested_pages(1 + 1e-12, pages_per_read=together)
    assert nearly == pytest.approx(1, rel=1e-3)
    full = write_budget.harvested_pages(1e9, pages_per_read=together)
    assert full == pytest.approx(together, rel=1e-6)


@given(amplifications, st.floats(1.001, 2), times, times, times, counts)
def test_more_write_amplification_costs_more(wa, factor, program_s, read_s, erase_s, together):
    def cost(wa):
        return write_budget.host_page_s(
            wa,
            program_page_s=program_s,
            copy_page_s=write_budget.copy_page_s(
                wa, read_s=read_s, transfer_s=10e-6, pages_per_read=together
            ),
            erase_s=erase_s,
            pages_per_block=512,
        )

    assert cost(wa * factor) > cost(wa)


@pytest.mark.parametrize("drive", [PRO_400, EVO_240])
def test_more_spare_area_is_more_iops(drive):
    spare = np.linspace(1.0, 0.4, 30)
    user_gb = drive[1] * spare
    got = [steady_iops((drive[0], gb, *drive[2:]), TLC_PAGES)[0] for gb in user_gb]
    assert np.all(np.diff(got) >= 0)
    assert got[-1] > 1.5 * got[0]


@given(st.floats(1e7, 1e11), amplifications)
def test_the_bus_carries_copies_out_and_back(bus, wa):
    got = write_budget.bus_write_iops(bus, wa=wa, transfer_bytes=SIZE)
    assert got * SIZE * wa + got * SIZE * (wa - 1) == pytest.approx(bus, rel=1e-12)


@pytest.mark.parametrize("wa", [0.99, math.inf])
@pytest.mark.parametrize(
    "call",
    [
        lambda wa: write_budget.harvested_pages(wa, pages_per_read=4),
        lambda wa: write_budget.bus_write_iops(1e9, wa=wa, transfer_bytes=SIZE),
        lambda wa: write_budget.host_page_s(
            wa, program_page_s=1e-4, copy_page_s=1e-5, erase_s=4e-3, pages_per_block=512
        ),
    ],
)
def test_write_amplification_below_one_or_without_end_is_refused(call, wa):
    with pytest.raises(DomainError, match=r"^wa must be"):
        call(wa)


def test_erase_time_is_finite():
    with pytest.raises(DomainError, match=r"^erase_s must be >= 0 and finite"):
        write_budget.host_page_s(
            2, program_page_s=1e-4, copy_page_s=1e-5, erase_s=math.inf, pages_per_block=512
        )


@given(st.floats(1, 1e4))
def test_victims_make_room_for_one_page_per_host_page(wa):
    """Of A programmed pages 1 comes from the host, so that a share 1/A of a victim is free."""
    assert wa * (1 - write_budget.victim_valid_fraction(wa)) == pytest.approx(1, rel=1e-9)


# Full drives, 4 KiB uniform random writes; write amplification and rate as measured (SSD-iq, PVLDB
# 18(11), 2025). Dies of 512 Gbit; page reads and programs of four planes; sequential rates printed.
@pytest.mark.parametrize(
    ("wa", "mb_per_s", "dies", "read_s", "printed_mb_per_s", "measured"),
    [
        (4.2, 1500, 16, 45e-6, 5000, 76_553),  # Samsung PM9A3 960 GB
        (4.4, 6750, 64, 57e-6, 14_000, 324_286),  # Kioxia CM7-R 3.84 TB
        (3.19, 1400, 16, 50e-6, 6800, 94_204),  # Micron 7450 PRO 960 GB
    ],
)
def test_steady_writes_of_measured_drives(wa, mb_per_s, dies, read_s, printed_mb_per_s, measured):
    flash = write_budget.flash_bytes_per_s(
        8, channel_bytes_per_s=400 * MB, printed_bytes_per_s=printed_mb_per_s * MB
    )
    got = write_budget.steady_write_iops(
        wa, sequential_write_bytes_per_s=mb_per_s * MB, dies=dies, read_s=read_s,
        transfer_s=SIZE / 1.2e9, slots_per_read=16, internal_bytes_per_s=flash,
    )  # fmt: skip
    assert got == pytest.approx(measured, rel=0.05)


def test_channels_that_cannot_carry_the_printed_rate_are_more():
    flash = write_budget.flash_bytes_per_s(
        8, channel_bytes_per_s=400 * MB, printed_bytes_per_s=14e9
    )
    assert flash == pytest.approx(15.4e9)


def test_steady_writes_are_the_budget_of_dies_and_channels():
    """Term by term, of the formulas for one page."""
    wa, dies, rate = 3.0, 32, 460 * MB
    given = {"read_s": 50e-6, "transfer_s": TRANSFER_S}
    page_s = write_budget.host_page_s(
        wa, program_page_s=dies * SIZE / rate, pages_per_block=64, erase_s=0.0,
        copy_page_s=write_budget.copy_page_s(wa, pages_per_read=8, **given),
    )  # fmt: skip
    by_dies = write_budget.media_write_iops(dies, host_page_s=page_s)
    steady = {"sequential_write_bytes_per_s": rate, "dies": dies, "slots_per_read": 8, **given}
    assert write_budget.steady_write_iops(wa, **steady) == pytest.approx(by_dies, rel=1e-12)
    by_bus = write_budget.bus_write_iops(1e8, wa=wa, transfer_bytes=SIZE)
    bound = write_budget.steady_write_iops(wa, **steady, internal_bytes_per_s=1e8)
    assert bound == pytest.approx(by_bus, rel=1e-12)
