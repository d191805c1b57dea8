"""Host interfaces against the printed rates of the standards and of drives."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import interface, queueing
from models.errors import DomainError
from models.units import GB, MB
from tests.published import Printed


# Intel CS-009260 (150 and 300 MB/s, 80 % of the line rate); 6 Gb/s by the same 8b/10b.
@pytest.mark.parametrize(("generation", "printed"), [(1, "150"), (2, "300"), (3, "600")])
def test_sata_carries_what_is_printed(generation, printed):
    assert Printed(printed).admits(interface.sata_bytes_per_s(generation) / MB)
    assert interface.sata_bytes_per_s(generation) == 2 ** (generation - 1) * 150 * MB


# Intel AN 855: 250 and 500 MB/s per lane; AN 708: 8 lanes of generation 3 are about 8 GB/s,
# encoding costs 1.56 %; the lanes of later generations double.
@pytest.mark.parametrize(
    ("generation", "printed"),
    [(1, "0.250"), (2, "0.500"), (3, "0.985"), (4, "1.969"), (5, "3.938")],
)
def test_a_pcie_lane_carries_what_is_printed(generation, printed):
    assert Printed(printed).admits(interface.pcie_bytes_per_s(generation, lanes=1) / GB)


# G. K. Lockwood, "PCIe Gen6": 92.2 % of 128 GB/s, about 118 GB/s over 16 lanes.
def test_sixteen_lanes_of_generation_6():
    got = interface.pcie_bytes_per_s(6, lanes=16)
    assert Printed("118").admits(got / GB)
    assert Printed("92.2").admits(100 * got / (128 * GB))


@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
def test_lanes_add_up(lanes):
    one = interface.pcie_bytes_per_s(4, lanes=1)
    assert interface.pcie_bytes_per_s(4, lanes=lanes) == pytest.approx(lanes * one, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "accepted"),
    [
        (lambda: interface.sata_bytes_per_s(4), "1 to 3, got 4"),
        (lambda: interface.sata_bytes_per_s([1, 9]), "1 to 3, got 9"),
        (lambda: interface.pcie_bytes_per_s(7, lanes=4), "1 to 6, got 7"),
    ],
)
def test_generations_that_are_not_known_are_refused(call, accepted):
    with pytest.raises(DomainError, match=rf"^generation must be a whole number from {accepted}"):
        call()


# Intel AN 855 and AN 708: 5 to 7 words of 4 bytes around a payload; 256 bytes then are 90 to 93 %.
@pytest.mark.parametrize(("words", "printed"), [(5, "92.8"), (6, "91.4"), (7, "90.1")])
def test_packets_of_256_bytes(words, printed):
    got = interface.payload_bytes_per_s(1 * GB, payload_bytes=256, overhead_bytes=4 * words)
    assert Printed(printed).admits(100 * got / GB)


# Fastest sequential reads of the catalogue (data/facts.csv) on each link, MB/s. At 7,400 MB/s over
# four lanes of generation 4 packets must be larger than 256 bytes.
@pytest.mark.parametrize(
    ("generation", "lanes", "mb_per_s"),
    [(2, 8, 3_300), (3, 2, 1_750), (3, 4, 3_500), (3, 8, 6_800), (4, 4, 7_400), (5, 4, 14_000)],
)
def test_the_fastest_drives_fit_their_pcie_links(generation, lanes, mb_per_s):
    link = interface.pcie_bytes_per_s(generation, lanes=lanes)
    data = interface.payload_bytes_per_s(link, payload_bytes=512, overhead_bytes=20)
    assert 0.8 * data < mb_per_s * MB < data


def test_the_fastest_drives_fit_sata():
    link = interface.sata_bytes_per_s(3)
    data = interface.payload_bytes_per_s(link, payload_bytes=8192, overhead_bytes=16)
    assert 0.9 * data < 560 * MB < data
    # What frames would have to carry around their data to leave 560 MB/s.
    implied = interface.payload_bytes_per_s(link, payload_bytes=8192, overhead_bytes=585)
    assert Printed("560").admits(implied / MB)


# By count, 24 bytes around each packet: a completion entry of 16 bytes, an interrupt of 4 and the
# request for the submission entry go the way of read data; 64-byte entry and two doorbells of 4
# the way of written data.
def test_nvme_reads_at_the_limit_of_four_lanes():
    read_bytes, write_bytes = (16 + 24) + (4 + 24) + 24, (64 + 24) + 2 * (4 + 24)
    assert (read_bytes, write_bytes) == (92, 144)
    link = interface.payload_bytes_per_s(
        interface.pcie_bytes_per_s(3, lanes=4), payload_bytes=256, overhead_bytes=24
    )
    got = interface.link_iops(4096, link_bytes_per_s=link, command_bytes=read_bytes)
    assert got == pytest.approx(0.87e6, rel=0.02)


# 860 PRO, 100K reads and 560 MB/s: a command takes 2.69 us, so that 8 KiB reads come to 57.8K.
def test_larger_reads_of_the_860_pro():
    command_s = 1 / 100e3 - 4096 / 560e6
    got = interface.link_iops(8192, link_bytes_per_s=560e6, command_s=command_s)
    assert Printed("57.8").admits(got / 1e3)
    other_way = queueing.resized_iops(
        100e3, rated_transfer_bytes=4096, transfer_bytes=8192, throughput_bytes_per_s=560e6
    )
    assert got == pytest.approx(other_way, rel=1e-12)


sizes = st.floats(512, 1e8)
links = st.floats(1e6, 1e11)
overheads = st.floats(0, 1e-4)


@given(sizes, links, overheads, st.floats(0, 1e4))
def test_operations_take_command_and_transfer_one_after_the_other(size, link, seconds, extra):
    got = interface.link_iops(size, link_bytes_per_s=link, command_s=seconds, command_bytes=extra)
    assert 1 / got == pytest.approx(seconds + size / link + extra / link, rel=1e-12)
    assert got * size <= link * (1 + 1e-12)


@given(links, st.floats(16, 1e4), st.floats(0, 1e3))
def test_headers_only_take_away(link, payload, overhead):
    got = interface.payload_bytes_per_s(link, payload_bytes=payload, overhead_bytes=overhead)
    assert 0 < got <= link
    larger = interface.payload_bytes_per_s(link, payload_bytes=2 * payload, overhead_bytes=overhead)
    assert larger >= got * (1 - 1e-12)


def test_drives_share_their_uplink():
    members = np.array([1, 12, 24])
    got = interface.uplink_iops(
        92e3, members=members, uplink_bytes_per_s=4.8 * GB, transfer_bytes=4096
    )
    np.testing.assert_allclose(got, [92e3, 12 * 92e3, 4.8 * GB / 4096], rtol=1e-12)


@pytest.mark.parametrize("argument", ["command_s", "command_bytes"])
def test_overheads_are_finite(argument):
    with pytest.raises(DomainError, match=rf"^{argument} must be >= 0 and finite, got inf"):
        interface.link_iops(4096, link_bytes_per_s=1e9, **{argument: math.inf})
