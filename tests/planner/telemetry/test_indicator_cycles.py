"""Rated cycles by the wear indicator and what was written, beside those by its erase count."""

import math

import pytest

import planner as ssd
from models.units import GIB
from planner.catalogue import load
from planner.export.reading_screen import reading_lines
from planner.export.telemetry_tables import cycles_line, reading_rows
from planner.forecast import forecast
from planner.telemetry import read
from planner.telemetry.indicator_cycles import indicator_cycles
from planner.telemetry.record import Observed
from tests.published import Printed
from tests.synthetic_drives import sata_text

# The review's own drive: 4,338.98 GiB written in sequence, three points, raw value 35.
EVO = [(9, "Power_On_Hours", 99, 1234), (177, "Wear_Leveling_Count", 97, 35),
       (241, "Total_LBAs_Written", 99, round(4338.98 * GIB / 512))]  # fmt: skip


@pytest.fixture
def evo(tmp_path):
    path = tmp_path / "evo.txt"
    path.write_text(
        sata_text("Samsung SSD 840 EVO 120GB", attributes=EVO, capacity=120_034_123_776)
    )
    return path


def exact(value):
    return Observed(value=value, field="f", low=value, high=value)


def test_the_cycles_of_the_review_and_their_range(evo):
    (drive,) = read("evo.txt", evo.read_bytes()).drives
    by_writes = drive.indicator_pe_cycles
    assert Printed("1130").admits(by_writes.value)
    assert (round(by_writes.low), round(by_writes.high)) == (847, 1695)
    assert Printed("1167").admits(drive.pe_cycles.value)
    assert drive.field_pe_cycles.low > by_writes.low
    assert drive.field_pe_cycles.high > by_writes.high


def test_every_face_that_reads_the_drive_says_both(evo):
    reading = read("evo.txt", evo.read_bytes())
    (drive,) = reading.drives
    line = cycles_line(drive)
    assert "1,130 (847 to 1,695) by host writes at WA 1" in line
    assert "1,167 (850 to 1,800) by its erase count" in line
    assert line in reading_lines(reading)
    rows = {row["What"]: row for row in reading_rows(drive)}
    assert rows["Rated cycles by what was written"]["Value"] == "1,130 cycles"
    assert cycles_line(forecast([drive])) == line
    (in_script,) = ssd.read(evo).drives
    assert in_script.cycles_by_writes.base == drive.indicator_pe_cycles.value
    assert in_script.cycles_in_field.base == drive.field_pe_cycles.value
    assert in_script.cycles_by_writes.base != in_script.cycles.base


def test_counted_flash_writes_need_no_write_amplification():
    drive_id, used = "samsung-840-evo-120gb", exact(0.5)
    raw = load().drives[drive_id].value("raw_bytes")
    flash = exact(300 * raw)
    found = indicator_cycles(drive_id, used, exact(100 * raw), flash, exact(3.0))
    assert found.in_field is None
    assert found.counted.value == pytest.approx(600)
    by_wa = indicator_cycles(drive_id, used, exact(100 * raw), None, exact(3.0))
    assert by_wa.counted.value == pytest.approx(600)


def test_the_first_point_leaves_no_upper_end():
    used = Observed(value=0.01, field="f", low=0.0, high=0.02)
    found = indicator_cycles("samsung-840-evo-120gb", used, exact(1e12), None, None)
    assert math.isinf(found.counted.high)
    assert found.counted.low == pytest.approx(found.counted.value / 2)


def test_nothing_follows_without_flash_wear_or_writes():
    worn, written = exact(0.03), exact(1e12)
    assert indicator_cycles(None, worn, written, None, None).counted is None
    for used, host in ((exact(0.0), written), (worn, exact(0.0)), (None, written), (worn, None)):
        assert indicator_cycles("samsung-840-evo-120gb", used, host, None, None).counted is None


def test_assumed_flash_widens_the_range():
    drive_id = "samsung-pm853t-240gb"
    assert load().drives[drive_id].value("raw_bytes") is None
    found = indicator_cycles(drive_id, exact(0.1), exact(1e14), None, None).counted
    assert found.low < found.value < found.high
