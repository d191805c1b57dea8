"""Real files: each is read, or refused with a reason, as the table says."""

from pathlib import Path

import pytest

from tests import telemetry_samples
from tests.published import Printed

ROOT = Path(__file__).parents[3]
DRIVES = ("smartctl_json", "smartctl_text", "isdct")


@pytest.fixture(scope="module")
def read():
    return {reading.file: reading for reading in telemetry_samples.readings()}


def drive(read, name):
    (found,) = (reading for file, reading in read.items() if name in file)
    return found.drive


def test_every_file_is_read_or_refused_with_its_name(read):
    assert len(read) > 40
    for file, reading in read.items():
        assert (reading.refused is None) == bool(reading.drives or reading.workload)
        if reading.refused is not None:
            assert reading.refused.startswith(f"{file}: ")


def test_of_the_drives_only_the_hard_disk_is_refused(read):
    refused = [f for f, r in read.items() if f.startswith(DRIVES) and r.refused is not None]
    assert refused == ["smartctl_json/scrutiny_smart-sat.json"]
    assert "is a hard disk" in read[refused[0]].refused


def test_the_table_in_the_documentation_is_this_one():
    def of_drives(text):
        return [
            line for line in text.splitlines() if line.startswith(tuple(f"| {d}" for d in DRIVES))
        ]

    written = of_drives((ROOT / "docs" / "evidence" / "telemetry-samples.md").read_text())
    assert len(written) == 36
    assert written == of_drives(telemetry_samples.table())


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("NVMe_INTEL_SSDPE2KX020T8", "733"), ("NVMe_INTEL_SSDPED1K375GA", "3780"),
        ("NVMe_KXG60ZNV256G", "16.4"), ("NVMe_SAMSUNG_MZQLB960", "1000"),
        ("NVMe_WUS4BB096D7P3E3", "1490"),
    ],
)  # fmt: skip
def test_bytes_are_those_that_smartctl_prints_beside_the_units(read, name, printed):
    """Printed with three digits, cut off."""
    value = drive(read, name).host_bytes.value / 1e12
    step = 10 ** (len(printed.partition(".")[0]) - 3)
    assert Printed(printed, "truncated").admits(value // step * step)


def test_bytes_of_isdct_are_those_of_its_own_columns(read):
    """118,960,846 data units and 1,815,198 x 32 MiB tell the same, as does its own ratio."""
    found = read["isdct/sample_nersc_isdct.json.gz"].drives
    assert len(found) == 8
    assert found[0].host_bytes.value == 60_907_937_857_536
    assert found[0].flash_bytes.value == 133_870_372_519_936
    assert found[-1].wa.value == pytest.approx(2.7464765521640633, rel=1e-12)


def test_two_counters_of_one_drive_agree(read):
    """Attribute 251 and erase counts of Samsung, pages and erases of Micron, to raw over user."""
    for name, low, high in (
        ("MZ7LH960HAJR", 1.0, 1.2), ("MZ7LM960HMJP", 1.0, 1.2), ("5300_MTFDDAK960TDS__", 1.2, 1.5),
        ("5210_MTFDDAK3T8QDE", 1.0, 1.4),
    ):  # fmt: skip
        one = drive(read, name)
        raw = one.flash_bytes.value / one.erase_cycles.value
        assert low <= raw / one.user_bytes.value <= high, name


def test_statements_on_wear_contradict_each_other_on_one_drive(read):
    """SandForce says 255 % beside 80 %, all ones of eight bits; DC500R 0 % at 562 erases."""
    apart = {
        file for file, reading in read.items()
        if reading.drive and any("is contradicted" in one.reason for one in reading.drive.unused)
    }  # fmt: skip
    assert {file.partition("/")[2].partition("__")[0] for file in apart} == {
        "INTEL_SSDSC2CW240A3", "KINGSTON_SEDC500R1920G",
    }  # fmt: skip
