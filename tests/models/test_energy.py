"""Energy: operations from printed points, power under load, and what a site draws."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import energy
from models.units import KWH, MB, US, YEAR_S
from tests.published import Printed

# K. Vatto, AnandTech 8319, tables "Samsung SSD 845DC EVO" and "Samsung SSD 845DC PRO": idle and
# load power (read/write), IOPS, MB/s. The energies follow from them; the review prints none.
OPERATIONS = [
    pytest.param(1.7, 1.0, 92e3, "7.6", id="PRO 400 GB, random read"),
    pytest.param(3.1, 1.0, 50e3, "42", id="PRO 400 GB, random write"),
    pytest.param(2.7, 1.2, 87e3, "17.2", id="EVO, random read"),
    pytest.param(3.8, 1.2, 12e3, "217", id="EVO 240 GB, random write"),
    pytest.param(3.8, 1.2, 14e3, "186", id="EVO 480 GB, random write"),
]
TRANSFERS = [
    pytest.param(3.1, 1.0, 460, "4.6", id="PRO 400 GB"),
    pytest.param(3.8, 1.2, 270, "9.6", id="EVO 240 GB"),
    pytest.param(3.8, 1.2, 410, "6.3", id="EVO 480 GB"),
]


@pytest.mark.parametrize(("active", "idle", "iops", "microjoules"), OPERATIONS)
def test_energies_of_operations_from_the_tables_of_a_review(active, idle, iops, microjoules):
    got = energy.operation_j(active, idle_power_w=idle, iops=iops)
    assert Printed(microjoules).admits(got / US)


@pytest.mark.parametrize(("active", "idle", "mb_per_s", "millijoules"), TRANSFERS)
def test_energies_of_sequential_writes_from_the_tables(active, idle, mb_per_s, millijoules):
    got = energy.transfer_j_per_byte(
        active, idle_power_w=idle, throughput_bytes_per_s=mb_per_s * MB
    )
    # 6.34 and 9.63 mJ/MB are told as 6.3 and 9.6.
    assert Printed(millijoules).admits(got * MB * 1e3)


@pytest.mark.parametrize(
    ("write_j", "wa", "microjoules"), [(42e-6, 2.04, "20.6"), (217e-6, 4.09, "53")]
)
def test_energy_of_a_program_is_that_of_a_write_without_its_copies(write_j, wa, microjoules):
    assert Printed(microjoules).admits(energy.program_j(write_j, wa=wa) / US)


powers = st.floats(0.01, 30)
rates = st.floats(1, 1e6)


@given(powers, powers, rates, rates)
def test_at_the_points_of_the_specification_power_is_the_printed_one(idle, above, reads, writes):
    active = idle + above
    read_j = energy.operation_j(active, idle_power_w=idle, iops=reads)
    write_j = energy.operation_j(active, idle_power_w=idle, iops=writes)
    per_byte = energy.transfer_j_per_byte(active, idle_power_w=idle, throughput_bytes_per_s=1e8)
    load = {"read_j": read_j, "write_j": write_j}
    for point in (
        {"read_iops": reads, "write_iops": 0.0},
        {"read_iops": 0.0, "write_iops": writes},
        {"read_iops": reads / 2, "write_iops": writes / 2},
        {
            "read_iops": 0.0,
            "write_iops": 0.0,
            "sequential_power_w": energy.sequential_power_w(per_byte, throughput_bytes_per_s=1e8),
        },
    ):
        assert energy.power_w(idle, **load, **point) == pytest.approx(active, rel=1e-9)
    none = {"read_iops": 0.0, "write_iops": 0.0}
    assert energy.power_w(idle, **load, **none) == idle


def test_a_load_without_limit_takes_the_power_of_a_busy_drive():
    asked = energy.power_w(1.0, read_j=1e-6, read_iops=math.inf, write_j=0.0, write_iops=math.inf)
    assert asked == math.inf
    assert energy.limited_power_w(asked, read_power_w=1.7, write_power_w=3.1) == 3.1
    assert energy.limited_power_w(asked, read_power_w=3.1, write_power_w=1.7) == 3.1


@given(powers, powers, st.integers(1, 100), st.integers(0, 10))
def test_hot_spares_idle(power, idle, working, spares):
    got = energy.array_power_w(power, working_members=working, idle_power_w=idle, hot_spares=spares)
    assert got == pytest.approx(working * power + spares * idle)


def test_a_watt_is_876_kwh_in_ten_years_of_365_days_and_pue_multiplies_it():
    decade = energy.energy_j(1.0, time_s=10 * YEAR_S, pue=1.0)
    assert decade / KWH == pytest.approx(87.6, rel=1e-12)
    assert energy.energy_j(1.0, time_s=10 * YEAR_S, pue=1.58) == pytest.approx(1.58 * decade)
    assert energy.energy_usd(decade, energy_usd_per_j=0.15 / KWH) == pytest.approx(13.14)


@given(st.floats(1, 1e6), st.floats(0, 0.99), st.floats(1, 4), st.floats(0, 4))
def test_reads_of_a_drive_are_the_hosts_by_the_mix_and_those_of_parity(host, share, each, parity):
    """Of `host` writes per second and drive, each makes `each` writes and `parity` reads."""
    got = energy.member_read_iops(
        host * each, read_fraction=share, reads_per_write=parity, writes_per_write=each
    )
    assert got == pytest.approx(host * share / (1 - share) + host * parity, rel=1e-9)


def test_a_host_that_only_reads_reads_without_limit():
    load = {"reads_per_write": 2.0, "writes_per_write": 2.0}
    assert energy.member_read_iops(1e3, read_fraction=1.0, **load) == math.inf


@given(st.floats(1, 1e15), st.floats(1, 1e9), st.floats(512, 1e7))
def test_operations_of_a_size_move_their_bytes(written, time_s, size):
    rate = energy.mean_iops(written, time_s=time_s, transfer_bytes=size)
    assert rate * time_s * size == pytest.approx(written, rel=1e-12)
