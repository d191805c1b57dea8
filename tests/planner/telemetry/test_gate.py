"""What no drive can have done is not read: each bound from both sides, on files of either tool."""

import math
import random

import pytest

from models.units import GB, GIB, HOUR_S, MIB, TB
from planner.export.measured_options import options_of
from planner.export.telemetry_tables import forecast_record, reading_rows
from planner.forecast import NoForecast, forecast
from planner.telemetry import read
from tests import synthetic_drives as made

SECTOR = 512
RUNS_OVER = 1 << 32
SIZE = 960_197_124_096
SAMSUNG, INTEL = "SAMSUNG MZ7LM960HCHP-0E003", "INTEL SSDSC2KB960G8"
WRITTEN, COMMANDS = "Logical Sectors Written", "Number of Write Commands"
USED = "Percentage Used Endurance Indicator"
LBAS = (241, "Total_LBAs_Written")


def readings(model="ACME 9000", *, hours=10_000, attributes=(), **known):
    """Return the same drive as both outputs of smartctl give it."""
    table = [(9, "Power_On_Hours", 90, hours), *attributes]
    files = (
        made.encoded(made.sata_json(model, attributes=table, **known)),
        made.sata_text(model, attributes=table, **known).encode(),
    )
    found = [read("drive", data) for data in files]
    assert all(one.refused is None for one in found)
    return found


def drive(model="ACME 9000", **known):
    """Return what both outputs agree on."""
    one, other = (reading.drive for reading in readings(model, **known))
    assert (one.host_bytes, one.wa, one.unused) == (other.host_bytes, other.wa, other.unused)
    return one


def reasons(one):
    return [unused.reason for unused in one.unused]


@pytest.mark.parametrize(("share", "used"), [(0.999, True), (1.001, False)])
def test_the_interface_and_the_hours_bound_host_writes(share, used):
    sectors = int(share * 600e6 * 3_600 * 101 / SECTOR)  # SATA, at most 101 hours
    one = drive(hours=100, statistics=[(WRITTEN, sectors)])
    assert (one.host_bytes is not None) == used
    assert used or reasons(one) == ["is more than the interface carries in the power-on time"]


def test_hours_that_stay_at_zero_are_no_bound():
    one = drive(hours=0, statistics=[(WRITTEN, 40 * 10**12 // SECTOR)])
    assert one.host_bytes is not None
    assert (one.power_on_s, one.dwpd) == (None, None)
    assert reasons(one) == [f"stays at zero beside device statistics, {WRITTEN}"]
    assert drive(hours=0, statistics=[(WRITTEN, 10**9)]).power_on_s is not None


@pytest.mark.parametrize(("share", "used"), [(0.999, True), (1.001, False)])
def test_two_ports_bound_what_a_sas_drive_wrote(share, used):
    document = made.sata_json(
        device={"protocol": "SCSI"}, power_on_time={"hours": 100},
        scsi_error_counter_log={
            "write": {"gigabytes_processed": f"{share * 2 * 2.4 * 3_600 * 101:.3f}"}
        },
    )  # fmt: skip
    assert (read("x", made.encoded(document)).drive.host_bytes is not None) == used


def test_four_lanes_bound_what_an_nvme_drive_wrote():
    fast = made.nvme_log(units=14 * GB * 3_600 * 10 / 512_000 // 1, hours=10)
    faster = made.nvme_log(units=17 * GB * 3_600 * 11 / 512_000 // 1, hours=10)
    kept, taken = (read("x", made.encoded(made.nvme_json(log=log))).drive for log in (fast, faster))
    assert kept.host_bytes is not None
    assert (taken.host_bytes, taken.power_on_s, taken.dwpd) == (None, None, None)
    assert "too short" in taken.unused[0].reason  # either may be wrong: both are named
    assert "interface" in taken.unused[1].reason


def test_a_write_command_writes_at_least_a_sector():
    for commands, used in ((1_000_000_000, True), (1_000_000_001, False)):
        log = made.nvme_log(units=1_000_000) | {"host_writes": commands}
        one = read("x", made.encoded(made.nvme_json(log=log))).drive
        assert (one.host_bytes is not None) == used


@pytest.mark.parametrize("bits", [32, 40, 48, 56, 64])
def test_all_ones_are_no_number(bits):
    ones = (1 << bits) - 1
    one = drive(statistics=[(WRITTEN, ones)])
    assert one.host_bytes is None
    assert reasons(one) == ["is all ones: the drive does not count this"]
    for log in (made.nvme_log(units=ones), made.nvme_log(hours=ones)):
        taken = read("x", made.encoded(made.nvme_json(log=log))).drive
        assert None in (taken.host_bytes, taken.power_on_s)
        assert "all ones" in taken.unused[0].reason
    near = read("x", made.encoded(made.nvme_json(log=made.nvme_log(units=(1 << 32) - 2)))).drive
    assert near.host_bytes is not None


def test_the_standard_count_goes_before_the_attribute_that_agrees():
    one = drive(INTEL, attributes=[(241, "Host_Writes_32MiB", 100, 1_000)],
                statistics=[(WRITTEN, 1_000 * 65_536 + 777)])  # fmt: skip
    assert one.host_bytes.value == (1_000 * 65_536 + 777) * SECTOR
    assert one.host_bytes.field == f"device statistics, {WRITTEN}"
    assert one.unused == ()


@pytest.mark.parametrize(
    ("model", "attribute", "unit"),
    [
        ("SSDSC2KG019T8R", (233, "Total_LBAs_Written"), 32 * MIB),  # T: 65,536 times too little
        ("INTEL SSDSC2BX200G4R", (233, "Total_LBAs_Written"), 32 * MIB),
        ("SAMSUNG MZNLH1T0HALB-00000", LBAS, GIB),
        ("SAMSUNG MZ7LN1T0HAJQ-00000", LBAS, GIB),
        ("SAMSUNG MZNLN512HMJP-00000", LBAS, GIB),
        ("MZ7KM200HAGR00D3", (233, "Media_Wearout_Indicator"), SECTOR),
        (SAMSUNG, LBAS, SECTOR),
    ],
)
def test_the_unit_of_an_attribute_is_that_of_the_firmware(model, attribute, unit):
    assert drive(model, attributes=[(*attribute, 99, 50_000)]).host_bytes.value == 50_000 * unit


@pytest.mark.parametrize("unit", [SECTOR, MIB, GIB, GB])
def test_the_standard_log_tells_the_unit_of_an_attribute(unit):
    """A family whose table is wrong for one firmware: the attribute loses, and is named."""
    count = int(40_000_000_000_000 // unit)
    one = drive(INTEL, attributes=[(241, "Total_LBAs_Written", 99, count)],
                statistics=[(WRITTEN, int(count * unit // SECTOR))])  # fmt: skip
    assert one.host_bytes.value == count * unit // SECTOR * SECTOR
    assert "by the standard log" in reasons(one)[0] or "interface" in reasons(one)[0]


def test_a_log_that_repeats_the_attribute_is_judged_by_what_is_possible():
    """Patriot P200: 32 MiB would be 72 GB/s. SanDisk SSDA: five sectors in 28,773 commands."""
    sectors = 86_974_499_536
    one = drive("Patriot P200", family="Silicon Motion based SSDs", hours=11_250,
                attributes=[(241, "Host_Writes_32MiB", 100, sectors)],
                statistics=[(WRITTEN, sectors), (COMMANDS, 521_947_433)])  # fmt: skip
    assert one.host_bytes.value == sectors * SECTOR
    assert "interface" in reasons(one)[0]
    other = drive("SanDisk SDSSDA120G", attributes=[(241, "Lifetime_Writes_GiB", 253, 5)],
                  statistics=[(WRITTEN, 5), (COMMANDS, 28_773)])  # fmt: skip
    assert other.host_bytes.value == 5 * GIB
    assert "less than a sector for each" in reasons(other)[0]
    unknown = drive("Nobody", attributes=[(*LBAS, 253, 5)],
                    statistics=[(WRITTEN, 5), (COMMANDS, 28_773)])  # fmt: skip
    assert unknown.host_bytes is None


@pytest.mark.parametrize(
    ("model", "attribute", "unit"),
    [
        ("CT1000MX500SSD1", (246, "Total_LBAs_Written"), SECTOR),
        ("CT240BX500SSD1", (246, "Total_LBAs_Written"), SECTOR),
        ("KINGSTON SA400S37240G", (241, "Lifetime_Writes_GiB"), GIB),
        ("Nobody 1", LBAS, 32 * MIB),
        ("Nobody 2", LBAS, GIB),
        ("Nobody 3", LBAS, MIB),
    ],
)
@pytest.mark.parametrize("sectors", [RUNS_OVER + 70_000_000, 54_321_098_765])
def test_a_standard_count_of_32_bits_is_known_by_the_attribute_beside_it(
    model, attribute, unit, sectors
):
    """Any drive, known or not: the two agree modulo 2^32 sectors in one unit."""
    one = drive(model, attributes=[(*attribute, 99, int(sectors * SECTOR // unit))],
                statistics=[(WRITTEN, sectors % RUNS_OVER)])  # fmt: skip
    assert one.host_bytes.low <= sectors * SECTOR <= one.host_bytes.high + unit
    assert abs(one.host_bytes.value - sectors * SECTOR) <= unit
    assert any("wrapped around at 32 bits" in reason for reason in reasons(one))


def test_a_count_beyond_the_interface_is_not_what_ran_over():
    """Attribute 241 agrees in GiB, which would be 1.6 GB/s: the standard count stands."""
    sectors = 5 * RUNS_OVER + 1_000_000_000
    one = drive("Nobody", hours=1, attributes=[(*LBAS, 99, sectors * SECTOR // 2**30)],
                statistics=[(WRITTEN, sectors % RUNS_OVER)])  # fmt: skip
    assert one.host_bytes.value == sectors % RUNS_OVER * SECTOR


def test_unrelated_counts_are_not_taken_for_a_run_over():
    """Chance makes one of 1,000 at a step of 1 GiB: of 300 drawn here at most two."""
    rng = random.Random(7)  # noqa: S311 - repeatable, not secret
    false = 0
    for _ in range(300):
        document = made.sata_json(
            "Nobody", attributes=[(9, "Hours", 9, 50_000), (*LBAS, 9, rng.randrange(3_000, 10**6))],
            statistics=[(WRITTEN, rng.randrange(1, RUNS_OVER))],
        )  # fmt: skip
        one = read("x", made.encoded(document)).drive
        false += "statistics" not in one.host_bytes.field
    assert false <= 2


def test_counters_that_physics_cannot_judge_are_both_named_and_neither_used():
    known = {
        "attributes": [(241, "Host_Writes_32MiB", 100, 100_000)],
        "statistics": [(WRITTEN, 3 * 100_000 * 65_536)],
    }
    for reading in readings(INTEL, **known):
        assert reading.drive.host_bytes is None
        assert [one.field.partition(" ")[0] for one in reading.drive.unused] == [
            "device", "attribute",
        ]  # fmt: skip
        saved = options_of([reading])  # what --save writes
        assert saved.keys() == {"drive", "age", "as_of"}
        with pytest.raises(NoForecast):
            forecast([reading.drive])


def test_a_collector_whose_two_counts_contradict_each_other_names_both():
    units = 1_815_198 * 32 * MIB / 512_000
    for factor, used in ((1, True), (3, False)):
        log = made.isdct_json(data_units_written=int(factor * units))
        one = read("x", log if isinstance(log, bytes) else made.encoded(log)).drive
        assert (one.host_bytes is not None, one.wa is not None) == (used, used)
        assert len(one.unused) == (0 if used else 2)


def test_counters_near_each_other_give_an_interval_that_spans_both():
    one = drive(INTEL, attributes=[(241, "Host_Writes_32MiB", 100, 95_000)],
                statistics=[(WRITTEN, 100_000 * 65_536)])  # fmt: skip
    assert one.host_bytes.value == 100_000 * 32 * MIB
    assert one.host_bytes.low < 95_000 * 32 * MIB < one.host_bytes.high
    assert "differs by 5 %" in one.host_bytes.note


def test_a_count_that_stays_at_zero_says_nothing():
    one = drive(INTEL, attributes=[(241, "Host_Writes_32MiB", 100, 5_000)],
                statistics=[(WRITTEN, 0)])  # fmt: skip
    assert one.host_bytes.value == 5_000 * 32 * MIB
    worn = drive(statistics=[(WRITTEN, 0), (USED, 40)])
    assert worn.host_bytes is None
    assert reasons(worn) == ["stays at zero although the drive is worn"]
    assert drive(statistics=[(WRITTEN, 0), (USED, 0)]).host_bytes.value == 0


def samsung(*, host=10**12, flash=2 * 10**12, erases=3, value=99, **known):
    """A drive with three counters, in bytes."""
    attributes = [
        (177, "Wear_Leveling_Count", value, erases), (*LBAS, 99, int(host) // SECTOR),
        (251, "NAND_Writes", 99, int(flash) // SECTOR),
    ]  # fmt: skip
    return drive(SAMSUNG, attributes=attributes, hours=50_000, **known)


def test_each_byte_of_the_host_is_programmed_at_least_once():
    """A counter in steps of 1 GiB may fall short of another by a step."""
    one = drive(
        "SAMSUNG MZNLN512HMJP-00000", attributes=[(*LBAS, 99, 2_942), (249, "N", 99, 2_941)]
    )
    assert (one.wa.value, one.wa.low) == (1.0, 1.0)


def test_flash_writes_fit_into_the_erases():
    assert samsung().wa.value == pytest.approx(2)
    most = samsung(erases=30, host=10 * TB, flash=3.9 * 31 * SIZE)
    assert most.flash_bytes is not None
    beyond = samsung(erases=30, host=10 * TB, flash=4.1 * 31 * SIZE)
    assert (beyond.flash_bytes, beyond.wa) == (None, None)
    assert reasons(beyond) == ["is more than the mean erase count leaves room for"]
    short = samsung(erases=1_000, value=90, host=50 * TB, flash=100 * TB)
    assert (short.flash_bytes, short.wa, short.host_bytes.value) == (None, None, 50 * TB)
    assert "too little for the mean erase count" in reasons(short)[0]


def test_host_writes_beyond_the_erases_take_the_erase_count_back():
    for erases in (0, 10):  # some firmware never counts
        one = samsung(erases=erases, host=200 * TB, flash=0)
        assert one.erase_cycles is None
    assert samsung(erases=0, host=2 * TB, flash=0).erase_cycles.value == 0
    assert "leaves no room" in reasons(one)[0]


def test_write_amplification_above_100_names_both_counters_and_uses_neither():
    one = samsung(host=10**9, flash=101 * 10**9)
    assert (one.host_bytes, one.flash_bytes, one.wa) == (None, None, None)
    assert len(one.unused) == 2
    by_standard = samsung(host=10**9, flash=101 * 10**9, statistics=[(WRITTEN, 10**9 // SECTOR)])
    assert by_standard.host_bytes is not None  # a log of the standard outlives the vendor's
    assert (by_standard.flash_bytes, by_standard.wa) == (None, None)
    idle = samsung(host=10**9, flash=90 * 10**9)
    assert idle.wa.value == pytest.approx(90, rel=1e-3)
    assert "Less than one drive write so far" in idle.notes[0]
    assert samsung(host=2 * SIZE, flash=4 * SIZE, erases=5).notes == ()


@pytest.mark.parametrize(
    ("model", "family", "compresses"),
    [("ADATA SP550", "Silicon Motion based SSDs", False),
     ("INTEL SSDSC2BW240A4", "Intel 53x and Pro 1500/2500 Series SSDs", True)],
)  # fmt: skip
def test_less_flash_than_host_writes_is_compression_only_where_the_controller_compresses(
    model, family, compresses
):
    flash = (249, "NAND_Writes_1GiB", 99, 500) if compresses else (
        245, "TLC_Writes_32MiB", 99, 500 * 32
    )  # fmt: skip
    one = drive(model, family=family, hours=20_000,
                attributes=[(241, "Host_Writes_32MiB", 99, 1_000 * 32), flash])  # fmt: skip
    assert (one.wa is not None) == compresses
    assert any("the controller compresses" in note for note in one.notes) == compresses
    if not compresses:
        assert one.flash_bytes is None
        assert "counts a part of the flash writes" in reasons(one)[0]


@pytest.mark.parametrize(("flash", "used"), [(500, True), (120, False)])
def test_a_controller_compresses_to_an_eighth_at_most(flash, used):
    one = drive("INTEL SSDSC2BW240A4", family="Intel 53x and Pro 1500/2500 Series SSDs",
                attributes=[(241, "Host_Writes_32MiB", 99, 1_000 * 32),
                            (249, "NAND_Writes_1GiB", 99, flash)])  # fmt: skip
    assert (one.wa is not None) == used
    assert used or "compresses no further" in reasons(one)[0]


def micron(model="CT500MX500SSD1", *, host, pages, others, **known):
    attributes = [
        (246, "Total_LBAs_Written", 100, int(host) // SECTOR),
        (247, "Host_Program_Page_Count", 100, pages),
        (248, "FTL_Program_Page_Count", 100, others), *known.pop("attributes", ()),
    ]  # fmt: skip
    return drive(model, attributes=attributes, hours=40_000, **known)


def test_page_counts_give_write_amplification_whatever_the_size_of_a_page():
    one = micron(host=10 * TB, pages=10**9, others=18 * 10**8)
    assert one.wa.value == pytest.approx(2.8)
    assert (
        "if the pages counted for the host and for the controller have the same size" in one.wa.note
    )
    assert one.flash_bytes is None
    (option,) = (
        options_of([reading])["wa"]
        for reading in readings(
            "CT500MX500SSD1",
            attributes=[(246, "A", 9, 10**10), (247, "B", 9, 10**8), (248, "C", 9, 10**8)],
        )[:1]
    )
    assert option == "2"
    over = micron(host=100 * TB, pages=100 * 10**12 // 16_384 - RUNS_OVER, others=10**9)
    assert over.wa is None
    assert reasons(over) == ["wrapped around at 32 bits"]
    erased = [(173, "Ave_Block-Erase_Count", 50, 2_000)]
    short = micron(host=50 * TB, pages=4 * 10**9, others=10**9, attributes=erased)
    assert short.wa is None
    assert "too little for the mean erase count" in reasons(short)[0]
    assert micron(host=1 * TB, pages=10**6, others=2 * 10**8).wa is None  # above 100


def test_a_name_with_another_unit_than_the_family_is_not_followed():
    """Crucial BX200 is a Silicon Motion drive: 246 counts its SLC cache, not sectors."""
    one = drive("CT240MX500SSD1", attributes=[(246, "SLC_Writes_32MiB", 99, 10**9)])
    assert one.host_bytes is None
    assert "smartctl calls it 32 MiB" in reasons(one)[0]


def test_a_table_has_no_more_lines_than_a_drive_keeps():
    """Each statement on wear is held against each other: 20,000 would take hours."""
    wear = [(177, f"Wear_{number}", number % 100, number) for number in range(20_000)]
    document = made.sata_json(SAMSUNG, attributes=wear)
    one = read("x", made.encoded(document)).drive
    assert len(one.unused) <= 256


ZEROS = [(3, "Spin_Up_Time", 100, 0), (7, "Seek_Error_Rate", 100, 0)]


def test_an_ssd_is_none_the_less_for_attributes_of_disks():
    """Toshiba THNSN, Intel 320, Innodisk, OCZ Vertex 4: their log says Solid State Device."""
    text = made.sata_text("TOSHIBA THNSN8960PCSE", attributes=ZEROS, statistics=[(WRITTEN, 9**9)])
    assert read("x", text.encode()).drive.host_bytes.value == 9**9 * SECTOR
    bare = text.replace("Rotation Rate:    Solid State Device\n", "")
    assert "is a hard disk" in read("x", bare.encode()).refused
    named = bare.replace("Device Model:     TOSHIBA", "Device Model:     Old SSD of")
    assert read("x", named.encode()).refused is None
    disk = text.replace("Solid State Device", "7200 rpm")
    assert "is a hard disk" in read("x", disk.encode()).refused
    document = made.sata_json("THNSN", attributes=ZEROS, rotation_rate=0)
    assert read("x", made.encoded(document)).refused is None
    assert read("x", made.encoded(document | {"rotation_rate": 7_200})).refused is not None


@pytest.mark.parametrize(
    ("model", "attribute", "statistics", "used"),
    [
        ("CT500MX500SSD1", (202, "Percent_Lifetime_Remain", 74, 282), (), 2.82),  # 8 bits of value
        ("CT500MX500SSD1", (202, "Percent_Lifetime_Remain", 74, 26), (), 0.26),
        ("KINGSTON SA400S37120G", (231, "SSD_Life_Left", 93, 7), (), 0.07),
        ("KINGSTON SA400S37120G", (231, "SSD_Life_Left", 100, 89), (), 0.11),
        ("KINGSTON SA400S37120G", (231, "SSD_Life_Left", 100, 0), (), None),
        (INTEL, (233, "Media_Wearout_Indicator", 100, 56_946_846), [(USED, 76)], 0.76),
        (INTEL, (233, "Media_Wearout_Indicator", 52, 0), [(USED, 255)], 0.48),
        ("ACME 9000", (1, "Raw_Read_Error_Rate", 100, 0), [(USED, 255)], None),
        ("ACME 9000", (1, "Raw_Read_Error_Rate", 100, 0), [(USED, 254)], 2.54),
    ],
)
def test_wear_is_the_share_that_the_indicator_of_the_firmware_counts(
    model, attribute, statistics, used
):
    one = drive(model, attributes=[attribute], statistics=statistics)
    assert (one.used_fraction and one.used_fraction.value) == used
    if used is None:
        assert one.unused


def test_an_erase_count_judges_between_statements_on_wear():
    one = drive(SAMSUNG, attributes=[(177, "Wear_Leveling_Count", 50, 4_000)],
                statistics=[(USED, 1)])  # fmt: skip
    assert one.used_fraction.value == 0.5  # 1 % would be a rating of over 200,000 cycles
    assert "outside 100 to 100,000 cycles" in reasons(one)[0]


def test_errors_are_a_count_that_both_logs_allow():
    """Intel 520: 213,706,166 uncorrectable errors beside none in the log of the standard."""
    errors = "Number of Reported Uncorrectable Errors"
    one = drive(attributes=[(187, "Uncorrectable_Error_Cnt", 118, 213_706_166)])
    assert one.media_errors is None
    assert reasons(one) == ["is a rate of errors, not a count"]
    rate = [(187, "Uncorrectable_Error_Cnt", 118, 213_706_166)]
    assert drive(attributes=rate, statistics=[(errors, 0)]).media_errors.value == 0
    count = [(187, "Reported_Uncorrect", 100, 7)]
    assert drive(attributes=count, statistics=[(errors, 7)]).unused == ()
    other = drive(attributes=count, statistics=[(errors, 38_889_431)])  # Phison
    assert other.media_errors is None
    assert reasons(other) == [
        "attribute 187 Reported_Uncorrect says 7", f"device statistics, {errors} says 38889431",
    ]  # fmt: skip


def test_the_longer_power_on_time_counts():
    one = drive(hours=20_000, statistics=[("Power-on Hours", 463)])
    assert one.power_on_s.value == 20_000 * HOUR_S
    assert reasons(one) == ["is less than attribute 9 Power_On_Hours"]
    other = drive(hours=463, statistics=[("Power-on Hours", 20_000)])
    assert other.power_on_s.value == 20_000 * HOUR_S


def at(time_s):
    log = made.nvme_log(units=40_000_000, used=10)
    document = made.nvme_json(log=log, local_time={"time_t": time_s})
    return read("x", made.encoded(document)).drive


@pytest.mark.parametrize(
    ("time_s", "was_set"),
    [(1, False), (1_234_567_890, False), (1_546_127_999, False), (1_700_000_000, True)],
)
def test_a_clock_before_the_program_that_wrote_the_file_gives_no_dates(time_s, was_set):
    """1970, 2009-02-13 as redacted, the day before smartctl wrote JSON."""
    one = at(time_s)
    assert one.clock_set == was_set
    assert any(row["What"] == "Read" for row in reading_rows(one)) == was_set
    answer = forecast([one])
    assert math.isfinite(answer.early_s)
    assert (answer.read_at_s is not None) == was_set
    assert (forecast_record(answer)["dates"]["early"] is not None) == was_set
    assert any("clock" in note and "dates" in note for note in answer.notes) == (not was_set)
    if not was_set:
        with pytest.raises(NoForecast, match="was not set"):
            forecast([one], in_service_s=0.0)


def test_the_banner_of_a_text_dates_the_program():
    for year, was_set in ((2021, False), (2023, True)):
        text = made.nvme_text().replace("Nov  7 15:28:44 2024", f"Nov  7 15:28:44 {year}")
        assert read("x", text.encode()).drive.clock_set == was_set


def test_a_clock_that_was_reset_between_two_readings_gives_no_series():
    def reading(time_s, hours):
        log = made.nvme_log(units=1_000 * hours, used=hours // 1_000, hours=hours)
        document = made.nvme_json(log=log, local_time={"time_t": time_s})
        return read("x", made.encoded(document)).drive

    start = 1_700_000_000
    with pytest.raises(NoForecast, match="the clock was reset"):
        forecast([reading(start, 1_000), reading(start + 86_400, 9_000)])
    assert forecast([reading(start, 1_000), reading(start + 8_000 * 3_600, 9_000)]).readings == 2
