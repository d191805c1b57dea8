"""Logs of 2,101 real drives: none outside the bounds, and each that leaves them fails by name.

The bounds are computed here again from what is read and from the text, not by the code under test.
"""

import re
from pathlib import Path

from planner.telemetry import smart_units
from tests import drive_logs

ROOT = Path(__file__).parents[3]
SECTOR, RUNS_OVER = 512, 1 << 32
FASTEST_BYTES_PER_S = {"ATA": 600e6, "NVMe": 15.754e9, "SCSI": 4.8e9}
MOST_WA, MOST_RAW = 100, 4
STANDARD = re.compile(r"0x01  0x018 .*?(\d+)  [-NDCV]{3}  Logical Sectors Written")
ATTRIBUTE = re.compile(r"^ *(\d+) +\S+ +\S+ +\d+ +\d+ +\S+ +\S+ +(\d+)", re.MULTILINE)

# Logs whose host writes are not known any more, or never were although a counter is there.
CONTRADICTED = {
    "NVMe__SSDPEDME016T4S__193EBA666DF9.txt": "less than a sector for each write command",
    "NVMe__SSDPEDME016T4S__37911DB437B4.txt": "less than a sector for each write command",
    "SSD__ER2-GD480__5990DF9A2914.txt": "all ones",
    "SSD__MZ7LM960HCHP-0E003__41F06A322E11.txt": "0.16 GB beside 525 erases of 960 GB",
    "SSD__SD8SBAT256G1122__552271C34B21.txt": "zero at 237 % of the life used",
    "SSD__SDSSDXPS240G__B0BA3C45DE3E.txt": "66 or 237 TB",
    "SSD__SDSSDXPS240G__B1F1A88E9EBE.txt": "66 or 244 TB",
    "SSD__SSDSC2CT080A4__EEA2B81CC206.txt": "2.7 or 5.4 TB",
    "SSD__SSDSC2CW120A3__280892E4F73E.txt": "0.05 or 0.89 TB",
    "SSD__SSD_840_Series_250GB__5652C7CBFCB9.txt": "2.8 TB beside 2,477 erases of 250 GB",
}
# Logs in which an attribute does not count what its family counts; the standard log says so.
OTHER_FIRMWARE = {
    "SSD__P200_2TB__69D430B3EC94.txt", "SSD__P200_2TB__A35B7644B766.txt",
    "SSD__P200_2TB__D17731719F63.txt", "SSD__P210_256GB__5EB766BC9FC8.txt",
    "SSD__SU650_120GB__5D7856057CBB.txt",
}  # fmt: skip


def drives():
    return {name: one.drive for name, one in drive_logs.readings().items() if one.drive}


def outside(bad):
    """Name the drives of which something holds."""
    return sorted(name for name, drive in drives().items() if bad(name, drive))


def test_every_log_is_read_and_no_ssd_is_called_a_disk():
    refused = {name: one.refused for name, one in drive_logs.readings().items() if one.refused}
    assert refused == {}
    assert len(drives()) == 2101


def test_no_host_rate_exceeds_the_interface():
    def bad(_, drive):
        host, on = drive.host_bytes, drive.power_on_s
        if host is None:
            return False
        most = FASTEST_BYTES_PER_S[drive.protocol] * (on.high if on else 30 * 8766 * 3600)
        return host.low > most

    assert outside(bad) == []


def test_no_number_is_all_ones():
    def bad(_, drive):
        host = drive.host_bytes
        return host and any(host.value in (ones * SECTOR, ones * 512_000)
                            for ones in (2**32 - 1, 2**48 - 1, 2**64 - 1))  # fmt: skip

    assert outside(bad) == []


def test_write_amplification_is_within_its_range():
    compressing = {"intel-sandforce", "sandforce", "seagate-nytro"}

    def bad(name, drive):
        wa = drive.wa
        least = 0.13 if drive_logs.family(name) in compressing else 1.0
        return wa is not None and not least <= wa.value <= MOST_WA

    assert outside(bad) == []
    told = outside(lambda _, drive: any("compresses" in note for note in drive.notes))
    assert {drive_logs.family(name) for name in told} <= compressing


def test_flash_writes_and_erases_leave_room_for_each_other():
    def bad(_, drive):
        flash, erases, size = drive.flash_bytes, drive.erase_cycles, drive.user_bytes
        if flash is None or erases is None or erases.value < 1:
            return False
        if any("SLC cache" in note for note in drive.notes):
            return False  # whose blocks have erases of their own
        return flash.low > erases.high * MOST_RAW * size.value

    assert outside(bad) == []


def test_the_wear_implies_a_rating_that_is_sold():
    def bad(_, drive):
        rating = drive.pe_cycles
        return rating is not None and (rating.high < 100 or rating.low > 100_000)

    assert outside(bad) == []


def standard(name):
    found = STANDARD.search(drive_logs.logs()[name])
    return int(found[1]) * SECTOR if found else None


def attributes(name):
    return {int(number): int(raw) for number, raw in ATTRIBUTE.findall(drive_logs.logs()[name])}


def ran_over(value, statement, step):
    """Whether a standard count is another less a multiple of 2^32 sectors, to a step or 32 MiB."""
    apart = (value - statement) % (RUNS_OVER * SECTOR)
    near = min(apart, RUNS_OVER * SECTOR - apart) <= max(step, 32 << 20)
    return statement < RUNS_OVER * SECTOR <= value + step and near


def test_host_writes_follow_the_standard_log_or_it_is_named_as_not_used():
    def bad(name, drive):
        statement = standard(name)
        if statement is None or any("Logical Sectors" in one.field for one in drive.unused):
            return False
        return (
            drive.host_bytes is None or abs(drive.host_bytes.value - statement) > 1e-9 * statement
        )

    assert outside(bad) == []


def test_a_standard_count_loses_only_where_it_ran_over_or_says_nothing():
    """Where it ran over, host writes are the same modulo 2^32 sectors, to one step."""

    def bad(name, drive):
        statement, host = standard(name), drive.host_bytes
        if statement is None or host is None or not host.field.startswith("attribute"):
            return False
        if statement <= 28_773 * SECTOR:
            return False  # SanDisk SSDA120G: five sectors in 28,773 commands
        return not ran_over(host.value, statement, 2 * (host.high - host.value))

    assert outside(bad) == []


def test_host_writes_are_lost_only_where_named():
    lost = outside(
        lambda name, drive: (
            drive.host_bytes is None
            and (drive_logs.before()[name]["host_bytes"] or standard(name) is not None)
        )
    )
    assert sorted(lost) == sorted(CONTRADICTED)
    silent = outside(
        lambda name, drive: (
            drive.host_bytes is None and not drive.unused and 241 in attributes(name)
        )
    )
    assert silent == []


def test_the_units_of_the_database_are_those_of_the_standard_log():
    """The drive database against the standard counts: each unit, on each drive with both."""
    units, apart, held = smart_units.load(), set(), 0
    for name, drive in drives().items():
        statement, raw = standard(name), attributes(name)
        family = units.family(drive.model, drive.family)
        for counter in ("225", "233", "241", "246"):
            for rule in units.rules_of(family, counter):
                unit = smart_units.BYTES.get(rule.unit)
                number = raw.get(int(counter), 0)
                if rule.quantity == "host_bytes" and unit and statement is not None and number > 10:
                    held += 1
                    value = number * unit
                    near = abs(value - statement) <= 0.1 * max(value, statement) + unit
                    if not near and not ran_over(value, statement, unit):
                        apart.add(name)
    assert held > 700
    assert sorted(apart - set(CONTRADICTED)) == sorted(OTHER_FIRMWARE)


def test_the_page_of_the_documentation_is_this_one():
    written = (ROOT / "docs" / "evidence" / "telemetry-gate.md").read_text(encoding="utf-8")
    assert written == drive_logs.page()
