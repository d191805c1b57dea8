"""Flash geometry against the tables of a review."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import flash_geometry
from models.units import GIB, KIB, MIB
from tests.published import Printed

MM2 = 1e-6
GBIT = 2**30

# AnandTech 7173, "IMFT vs. Samsung NAND Comparison": die [Gbit], area [mm2], Gbit per mm2;
# page [KiB] and pages per block; the block in MiB is derived.
DIES = [(64, 118, "0.542", 8, 256, "2.0"), (128, 202, "0.634", 16, 512, "8.0")]


@pytest.mark.parametrize(("gbit", "mm2", "density", "page_kib", "pages", "block_mib"), DIES)
def test_dies_reproduce_anandtech_7173(gbit, mm2, density, page_kib, pages, block_mib):
    bits = flash_geometry.bit_density_per_m2(gbit * GBIT / 8, die_area_m2=mm2 * MM2)
    assert Printed(density).admits(bits * MM2 / GBIT)
    block = flash_geometry.block_bytes(page_kib * KIB, pages_per_block=pages)
    assert Printed(block_mib).admits(block / MIB)


# AnandTech 7173, "Samsung SSD 840 EVO Memory": packages, dies per package (16 GiB each), total
# GiB. The 750 GB column prints 4 dies in a package of 96 GiB; only 6 give its 768 GiB.
DRIVES = [(2, 4, "128"), (2, 8, "256"), (4, 8, "512"), (8, 6, "768"), (8, 8, "1024")]


@pytest.mark.parametrize(("packages", "dies", "total_gib"), DRIVES)
def test_drives_reproduce_anandtech_7173(packages, dies, total_gib):
    got = flash_geometry.raw_bytes(16 * GIB, dies_per_package=dies, packages=packages)
    assert Printed(total_gib).admits(got / GIB)


@given(st.floats(1e6, 1e12), st.integers(1, 16), st.integers(1, 16))
def test_only_the_number_of_dies_matters(die_bytes, dies, packages):
    got = flash_geometry.raw_bytes(die_bytes, dies_per_package=dies, packages=packages)
    one = flash_geometry.raw_bytes(die_bytes, dies_per_package=dies * packages)
    assert got == pytest.approx(one, rel=1e-12)


@given(st.floats(1e6, 1e12), st.floats(1e-6, 1e-3))
def test_density_times_area_are_the_bits(die_bytes, area):
    got = flash_geometry.bit_density_per_m2(die_bytes, die_area_m2=area)
    assert got * area == pytest.approx(8 * die_bytes, rel=1e-12)


@given(st.floats(512, 1e6), st.integers(1, 4096))
def test_a_block_is_its_pages(page_bytes, pages):
    got = flash_geometry.block_bytes(page_bytes, pages_per_block=pages)
    assert got / pages == pytest.approx(page_bytes, rel=1e-12)
