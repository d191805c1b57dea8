"""Every format of drives gives the record that its numbers mean, each with its field."""

import gzip
import json
import math

import pytest

from models.units import GB, GIB, HOUR_S, MIB, TB
from planner.export.telemetry_tables import reading_rows
from planner.telemetry import as_record, read
from tests import synthetic_drives as made
from tests.published import Printed

SAMSUNG = "SAMSUNG MZ7LM960HCHP-0E003"
INTEL = "INTEL SSDSC2KB960G8"


def only(data, name="drive"):
    reading = read(name, data if isinstance(data, bytes) else made.encoded(data))
    assert reading.refused is None, reading.refused
    (drive,) = reading.drives
    return drive


def sata(model, **known):
    """The same drive by both outputs of smartctl."""
    return only(made.sata_json(model, **known)), only(made.sata_text(model, **known).encode())


def test_samsung_counts_sectors_and_its_flash_writes():
    for drive in sata(
        SAMSUNG,
        attributes=[
            (9, "Power_On_Hours", 91, 43_614),
            (177, "Wear_Leveling_Count", 52, 3_541),
            (241, "Total_LBAs_Written", 98, 4_053_921_700_578),
            (243, "SATA_Downshift_Ct", 100, 7),
            (251, "NAND_Writes", 100, 7_570_591_235_072),
        ],
    ):
        assert drive.host_bytes.value == 4_053_921_700_578 * 512
        assert drive.host_bytes.field == "attribute 241 Total_LBAs_Written"
        assert drive.flash_bytes.value == 7_570_591_235_072 * 512
        assert drive.wa.value == pytest.approx(7_570_591_235_072 / 4_053_921_700_578, rel=1e-12)
        assert drive.wa.low < drive.wa.value < drive.wa.high
        assert (drive.used_fraction.low, drive.used_fraction.high) == (0.47, 0.49)
        assert drive.pe_cycles.value == pytest.approx(3_541 / 0.48)
        assert drive.power_on_s.value == 43_614 * HOUR_S
        assert drive.drive_id == "samsung-pm863-960gb"
        assert drive.unused == ()


def test_intel_counts_32_mib_and_not_sectors():
    """T8 e: 241 x 512 would be 65,536 times too little."""
    for drive in sata(
        INTEL,
        attributes=[
            (225, "Host_Writes_32MiB", 100, 215_581),
            (233, "Media_Wearout_Indicator", 58, 0),
            (241, "Host_Writes_32MiB", 100, 215_581),
            (243, "NAND_Writes_32MiB", 100, 2_122_543),
        ],
    ):
        assert drive.host_bytes.value == 215_581 * 32 * MIB
        assert drive.host_bytes.value / (215_581 * 512) == 65_536
        assert drive.wa.value == pytest.approx(2_122_543 / 215_581)
        assert drive.used_fraction.value == pytest.approx(0.42)


def test_the_finer_indicator_of_intel_counts_if_its_timer_was_never_reset():
    wear = [(233, "Media_Wearout_Indicator", 100, 0), (226, "Workld_Media_Wear_Indic", 100, 573)]
    hours = (9, "Power_On_Hours", 100, 13_383)
    whole, _ = sata(INTEL, attributes=[hours, *wear, (228, "Workload_Minutes", 100, 803_020)])
    assert whole.used_fraction.value == pytest.approx(573 / 1024 / 100)
    reset, _ = sata(INTEL, attributes=[hours, *wear, (228, "Workload_Minutes", 100, 60)])
    assert reset.used_fraction.value == 0
    assert reset.unused[0].reason == "was reset after the drive was new"
    never = [hours, *wear[:1], (226, "Workld_Media_Wear_Indic", 100, 65_535)]
    assert sata(INTEL, attributes=never)[0].unused == ()


def test_micron_data_centre_drives_count_pages():
    for drive in sata(
        "Micron_5300_MTFDDAK960TDS",
        attributes=[
            (173, "Avg_Block-Erase_Count", 86, 1_014),
            (202, "Percent_Lifetime_Remain", 86, 14),
            (246, "Total_LBAs_Written", 100, 928_894_688_684),
            (247, "Host_Program_Page_Count", 100, 29_027_958_939),
            (248, "Bckgnd_Program_Page_Cnt", 100, 53_743_679_082),
        ],
    ):
        assert drive.wa.value == pytest.approx(1 + 53_743_679_082 / 29_027_958_939, rel=2e-4)
        assert drive.used_fraction.value == 0.14


def test_mx500_pages_have_no_size_but_a_ratio_and_its_statistics_run_over():
    for drive in sata(
        "CT1000MX500SSD1",
        family="Crucial/Micron MX500 SSDs",
        attributes=[
            (246, "Total_LBAs_Written", 100, 441_077_092_170),
            (247, "Host_Program_Page_Count", 100, 16_330_733_932),
            (248, "FTL_Program_Page_Count", 100, 31_164_100_485),
        ],
        statistics=[("Logical Sectors Written", 441_077_092_170 % (1 << 32))],
    ):
        assert drive.wa.value == pytest.approx(1 + 31_164_100_485 / 16_330_733_932)
        assert "the same size" in drive.wa.note
        assert drive.flash_bytes is None  # bytes need the size
        assert drive.host_bytes.value == 441_077_092_170 * 512
        (unused,) = drive.unused
        assert unused.reason.startswith("wrapped around at 32 bits")


def test_western_digital_counts_two_kinds_of_flash_writes():
    for drive in sata(
        "WDC  WDS100T2B0A-00SM50",
        attributes=[
            (173, "Average_PE_Cycles_TLC", 100, 135),
            (230, "Media_Wearout_Indicator", 25, "0x19600d321960"),
            (233, "NAND_GB_Written_TLC", 100, 137_252),
            (234, "NAND_GB_Written_SLC", 100, 308_965),
            (241, "Host_Writes_GiB", 253, 162_302),
        ],
        statistics=[("Percentage Used Endurance Indicator", 13)],
    ):
        assert drive.host_bytes.value == 162_302 * GIB
        assert drive.flash_bytes.value == (137_252 + 308_965) * GIB
        assert drive.used_fraction.value == 0.13  # T27: 230 is no percentage of either direction
        assert "SLC cache" in drive.notes[0]


def test_a_model_goes_before_its_family():
    attributes = [
        (231, "SSD_Life_Left", 88, 88),
        (233, "Flash_Writes_GiB", 100, 900),
        (241, "Lifetime_Writes_GiB", 100, 1_000),
    ]
    partial, _ = sata("KINGSTON SEDC500R1920G", attributes=attributes)
    assert partial.wa is None
    assert "does not compress" in partial.unused[0].reason
    compressing, _ = sata("ACME", family="SandForce Driven SSDs", attributes=attributes)
    assert compressing.flash_bytes is None  # what 233 counts there is not known
    a400, _ = sata("KINGSTON SA400S37240G", family="Phison Driven SSDs", attributes=attributes)
    assert a400.flash_bytes is None
    assert a400.used_fraction.value == pytest.approx(0.12)
    assert "does not compress" in a400.unused[0].reason


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (241, "Total_LBAs_Written"), (241, "Host_Writes_32MiB"), (233, "Flash_Writes_GiB"),
        (231, "SSD_Life_Left"), (177, "Wear_Leveling_Count"), (246, "Total_LBAs_Written"),
        (233, "Media_Wearout_Indicator"), (202, "Percent_Lifetime_Remain"), (251, "NAND_Writes"),
    ],
)  # fmt: skip
def test_a_counter_of_an_unknown_model_is_ambiguous_and_never_used(number, name):
    """T8 e and f, T27: neither the number nor the name of an attribute gives its unit."""
    for drive in sata("ACME 9000", family="", attributes=[(number, name, 42, 1_234)]):
        assert (drive.host_bytes, drive.flash_bytes, drive.used_fraction) == (None, None, None)
        assert drive.erase_cycles is None
        (unused,) = drive.unused
        assert unused.field == f"attribute {number} {name}"
        assert unused.reason == "ambiguous: its unit is not known for this model"


def test_an_unknown_model_is_read_by_what_the_standard_defines():
    for drive in sata(
        "ACME 9000",
        attributes=[(9, "Power_On_Hours", 100, 1_000), (187, "Reported_Uncorrect", 100, 2)],
        statistics=[
            ("Logical Sectors Written", 2_000_000_000),
            ("Percentage Used Endurance Indicator", 7),
        ],
    ):
        assert drive.host_bytes.value == 2_000_000_000 * 512
        assert drive.used_fraction.value == 0.07
        assert drive.media_errors.value == 2


def test_statements_on_wear_are_combined_and_contradictions_said():
    known = {"attributes": [(177, "Wear_Leveling_Count", 80, 1_482)]}
    near, _ = sata(SAMSUNG, **known, statistics=[("Percentage Used Endurance Indicator", 21)])
    assert (near.used_fraction.low, near.used_fraction.high) == (0.20, 0.21)
    close, _ = sata(SAMSUNG, **known, statistics=[("Percentage Used Endurance Indicator", 24)])
    used = close.used_fraction  # the standard log says 24 %, and the interval spans both
    assert (used.low, used.value, used.high) == (0.19, 0.24, 0.25)
    far, _ = sata(SAMSUNG, **known, statistics=[("Percentage Used Endurance Indicator", 50)])
    used = far.used_fraction  # nothing says which is wrong: the interval spans both
    assert (used.low, used.high) == (0.19, 0.51)
    assert far.unused == ()
    assert "says 50 % of the life used; attribute 177 Wear_Leveling_Count says 20 %" in far.notes[0]


def test_an_indicator_that_stops_at_1_leaves_the_wear_open():
    known = {"attributes": [(177, "Wear_Leveling_Count", 1, 3_422)]}
    alone, _ = sata("Samsung SSD 860 PRO 1TB", **known)
    assert (alone.used_fraction.low, alone.used_fraction.high) == (0.98, math.inf)
    statistics = [("Percentage Used Endurance Indicator", 163)]
    both, _ = sata("Samsung SSD 860 PRO 1TB", **known, statistics=statistics)
    assert both.used_fraction.value == 1.63


@pytest.mark.parametrize(
    "data", [made.nvme_json(), made.nvme_text().encode()], ids=["json", "text"]
)
def test_nvme_data_units_are_thousands_of_512_bytes_rounded_up(data):
    """T9: not 512 bytes, which would be 1,000 times too little."""
    drive = only(data)
    assert drive.host_bytes.value == 1_000_000 * 512_000
    assert drive.host_bytes.low == 999_999 * 512_000
    assert drive.host_bytes.high == drive.host_bytes.value
    assert (drive.used_fraction.low, drive.used_fraction.high) == (0.02, 0.04)
    assert drive.wa is None  # T9: no flash counter is no write amplification of 1
    assert drive.drive_id == "intel-dc-p3700-400gb"
    days = 8_000 / 24
    assert drive.dwpd.value == pytest.approx(512e9 / 400_088_457_216 / days)
    assert drive.dwpd.low == 0
    assert "at most" in drive.dwpd.note  # T8 b: power-on hours are not calendar time


def test_wear_is_not_the_spare_and_not_what_was_read():
    """T27: tools show 100 % available spare as wear, and reads as writes."""
    drive = only(made.nvme_json(log=made.nvme_log(used=12, spare=100)))
    assert drive.used_fraction.value == 0.12
    assert drive.spare_fraction.value == 1
    assert drive.host_bytes.value == 512e9


def test_255_percent_is_more_than_254():
    drive = only(made.nvme_json(log=made.nvme_log(used=255)))
    assert (drive.used_fraction.low, drive.used_fraction.high) == (2.54, math.inf)
    assert as_record(read("x", made.encoded(made.nvme_json(log=made.nvme_log(used=255)))))


@pytest.mark.parametrize("extended", [made.ocp_v1, made.ocp_v2])
def test_the_extended_log_gives_flash_bytes_in_either_key_style(extended):
    health = made.smart_log(units=2_000_000)
    media = 3 * 2_000_000 * 512_000
    together = made.encoded(health) + b"\n" + made.encoded(extended(media))
    drive = only(together)
    assert drive.flash_bytes.value == media
    assert drive.wa.value == pytest.approx(3)
    alone = only(extended(media))
    assert alone.flash_bytes.value == media
    assert alone.wa is None
    wide = only(extended(1 << 70))
    assert wide.flash_bytes.value == float(1 << 70)


def test_an_extended_log_that_stays_at_zero_is_not_used():
    drive = only(made.encoded(made.smart_log()) + made.encoded(made.ocp_v2(0)))
    assert drive.wa is None
    assert drive.unused[0].reason == "stays at zero although the host wrote"


def test_two_health_logs_are_two_drives():
    reading = read("two", made.encoded(made.smart_log()) + made.encoded(made.smart_log(used=9)))
    assert [drive.used_fraction.value for drive in reading.drives] == [0.03, 0.09]


@pytest.mark.parametrize(
    "data", [made.isdct_json(), made.isdct_text().encode()], ids=["json", "text"]
)
def test_isdct_counts_32_mib(data):
    drive = only(data)
    assert drive.flash_bytes.value == 3_989_648 * 32 * MIB
    assert drive.host_bytes.value == 1_815_198 * 32 * MIB
    assert Printed("2.198").admits(drive.wa.value)
    assert drive.drive_id is None  # half of a card


def test_isdct_bytes_that_contradict_the_counter_make_it_ambiguous():
    drive = only(made.isdct_json(smart_nand_bytes_written_bytes=3_989_648 * 512))
    assert drive.flash_bytes is None
    assert drive.unused[0].reason == "ambiguous: 32 MiB do not give the bytes beside this counter"


def test_sas_counts_gigabytes_to_three_decimals():
    document = made.sata_json(
        device={"protocol": "SCSI"},
        scsi_percentage_used_endurance_indicator=4,
        scsi_error_counter_log={
            "read": {"total_uncorrected_errors": 1},
            "write": {"gigabytes_processed": "12345.678"},
        },
    )
    del document["ata_smart_attributes"], document["ata_device_statistics"]
    drive = only(document)
    assert drive.host_bytes.value == pytest.approx(12_345.678 * GB, rel=1e-15)
    assert drive.host_bytes.high - drive.host_bytes.value == pytest.approx(1e6)
    assert (drive.used_fraction.value, drive.media_errors.value) == (0.04, 1)


SAS_TEXT = b"""smartctl 7.3 2022-02-28 r5338 [synthetic] (local build)

=== START OF INFORMATION SECTION ===
Vendor:               ACME
Product:              SAS 1
User Capacity:        960,197,124,096 bytes [synthetic]
Rotation Rate:        Solid State Device
Serial number:        SYNTHETIC-4

=== START OF READ SMART DATA SECTION ===
Percentage used endurance indicator: 4%
Accumulated power on time, hours:minutes 3862:30

Error counter log:
           Errors Corrected by           Total   Correction     Gigabytes    Total
read:          0        0         0         0          0       1111.222           0
write:         0        0         0         0          0      12345.678           0
"""


def test_sas_text_says_the_same_as_its_json():
    drive = only(SAS_TEXT)
    assert drive.host_bytes.value == pytest.approx(12_345.678 * GB, rel=1e-15)
    assert drive.used_fraction.value == 0.04
    assert drive.power_on_s.value == 3_862 * HOUR_S
    assert (drive.model, drive.protocol) == ("SAS 1", "SCSI")


def test_a_concatenation_is_several_drives_and_a_hard_disk_is_left_out():
    disk = made.sata_json("WDC WD40EFRX", attributes=[(3, "Spin_Up_Time", 99, 0)])
    drives = [made.nvme_json(), disk, made.nvme_json(serial_number="SYNTHETIC-9")]
    for data in (b"\n".join(map(made.encoded, drives)), made.encoded(drives)):
        reading = read("many.json", data)
        assert len(reading.drives) == 2
        assert reading.drives[0].identity != reading.drives[1].identity
        assert "is a hard disk" in reading.notes[0]
        assert len(as_record(reading)["drives"]) == 2
    text = made.nvme_text() + made.sata_text(SAMSUNG, attributes=[(177, "Wear", 50, 9)])
    assert [d.protocol for d in read("many.txt", text.encode()).drives] == ["NVMe", "ATA"]
    assert "line 1: is a hard disk" in read("disk.json", made.encoded(disk)).refused


def test_capacity_is_found_where_the_user_capacity_is_missing():
    several = made.nvme_json(user_capacity=None, nvme_total_capacity=8_001_563_222_016)
    assert only(several).user_bytes.field == "nvme_total_capacity"
    one = made.nvme_json(user_capacity=None, nvme_namespaces=[{"size": {"bytes": 5 * 10**11}}])
    assert only(one).user_bytes.value == 5e11


def test_the_worn_850_pro_of_a_bug_report():
    """T1, smartmontools issue 13: 21.4 % of 150 TBW, and yet 98 % of its life is used."""
    attributes = [
        (177, "Wear_Leveling_Count", 2, 5_887), (241, "Total_LBAs_Written", 99, 62_578_693_422),
    ]  # fmt: skip
    size, model = 128_035_676_160, "Samsung SSD 850 PRO 128GB"
    document = made.sata_json(model, attributes=attributes, user_capacity={"bytes": size})
    text = made.sata_text(model, attributes=attributes, capacity=size)
    for drive in (only(document), only(text.encode())):
        assert Printed("32.04").admits(drive.host_bytes.value / TB)
        assert drive.used_fraction.value == pytest.approx(0.98)
        assert Printed("6007").admits(drive.pe_cycles.value)
        assert drive.wa is None  # it has no flash counter
        shown = {row["What"]: row["Value"] for row in reading_rows(drive)}
        assert shown["Host writes"] == "32.04 TB"  # T8 a: decimal, not 29.14


def test_p400_lite_and_mx500_read_as_their_owners_saw_them():
    """T3 and T4: 8 % at 2 TB, 6 % at 6.172 TB; the rating would say 0.36 % and 3.4 %."""
    lite, _ = sata(
        "ACME P400",
        statistics=[
            ("Logical Sectors Written", 2 * 10**12 // 512),
            ("Percentage Used Endurance Indicator", 8),
        ],
    )
    assert Printed("22").admits(lite.used_fraction.value / (lite.host_bytes.value / (560 * TB)))
    mx500, _ = sata(
        "CT500MX500SSD1",
        attributes=[
            (202, "Percent_Lifetime_Remain", 94, 6),
            (246, "Total_LBAs_Written", 100, 6_172 * 10**9 // 512),
        ],
    )
    assert mx500.used_fraction.value == pytest.approx(0.06)
    assert Printed("3.4").admits(100 * mx500.host_bytes.value / (180 * TB))


def test_newer_versions_sum_the_wear_up():
    told = made.sata_json("ACME", endurance_used={"current_percent": 9})
    assert only(told).used_fraction.field == "endurance_used.current_percent"
    below = [("Percentage Used Endurance Indicator", 8)]
    told = made.sata_json("ACME", statistics=below, endurance_used={"current_percent": 9})
    assert only(told).used_fraction.value == 0.08


def test_hours_that_no_drive_can_have_are_not_used():
    drive, _ = sata("ACME", attributes=[(9, "Power_On_Hours_and_Msec", 0, "958258h+17m+14.680s")])
    assert drive.power_on_s is None
    assert drive.unused[0].reason == "is longer than any drive has run"


def test_the_record_is_json_and_holds_no_serial_number():
    reading = read("a.json", made.encoded(made.nvme_json(log=made.nvme_log(used=255))))
    text = json.dumps(as_record(reading), allow_nan=False)
    assert "SYNTHETIC" not in text
    assert json.loads(text)["drive"]["used_fraction"]["high"] is None


def test_gzip_is_unpacked():
    packed = gzip.compress(made.encoded(made.nvme_json()))
    assert read("a.json.gz", packed).kind == "smartctl JSON"


def test_a_clock_beyond_every_calendar_says_nothing():
    reading = read("a", made.encoded(made.nvme_json(local_time={"time_t": 870_400_000_000})))
    assert reading.drive.read_at_s is None
    late = read("a.csv", b"date,host_bytes\n1e9,1\n".replace(b"1e9", b"99999999999"))
    assert late.refused == "a.csv: line 2: date is after 2100"


def test_a_field_of_any_length_is_named_shortly():
    table = [(246, "Total_" + 50_000 * "9", 100, 10**11), (10**300, "NAND\x1b[2J", 100, "9")]
    reading = read("a", made.encoded(made.sata_json("Micron_5300_MTFDDAK960TDS", attributes=table)))
    named = [*(one.field for one in reading.drive.unused), reading.drive.host_bytes.field]
    assert all(len(field) < 70 and field.isprintable() for field in named)


SATA_DRIVE = made.sata_json(
    SAMSUNG,
    attributes=[
        (9, "Power_On_Hours", 91, 43_614),
        (177, "Wear_Leveling_Count", 52, 3_541),
        (241, "Total_LBAs_Written", 98, 405_392_170_057),
        (251, "NAND_Writes", 100, 757_059_123_507),
    ],
    statistics=[("Logical Sectors Written", 405_392_170_057)],
)  # fmt: skip


@pytest.mark.parametrize("data_unit", [512_000, 512 * 1024], ids=["1,000", "1,024 sectors"])
def test_the_page_of_an_exporter_says_the_same_as_smartctl(data_unit):
    documents = (SATA_DRIVE, made.nvme_json(log=made.nvme_log(units=41_854_000)))
    page = made.exporter_text(*documents, data_unit=data_unit)
    reading = read("metrics", page.encode())
    assert reading.kind == "smartctl_exporter text"
    quantities = ("host_bytes", "flash_bytes", "used_fraction", "erase_cycles", "user_bytes",
                  "power_on_s", "spare_fraction", "media_errors", "dwpd")  # fmt: skip
    for document, drive in zip(documents, reading.drives, strict=True):
        expected = only(document)
        assert (drive.model, drive.identity) == (expected.model, expected.identity)
        for name in quantities:
            ours, theirs = getattr(drive, name), getattr(expected, name)
            assert (ours is None) == (theirs is None), name
            if ours is not None:
                assert (ours.value, ours.low, ours.high) == (theirs.value, theirs.low, theirs.high)


def test_an_exporter_prints_0_for_what_a_drive_has_not():
    log = made.nvme_log(units=0, hours=0)
    (drive,) = read("m", made.exporter_text(made.nvme_json(capacity=0, log=log)).encode()).drives
    assert (drive.host_bytes, drive.user_bytes, drive.power_on_s) == (None, None, None)


def test_a_page_of_an_exporter_leaves_out_hard_disks():
    page = made.exporter_text(SATA_DRIVE) + 'smartctl_device_rotation_rate{device="disk0"} 7200\n'
    assert read("m", page.encode()).refused == "m: line 2: is a hard disk, not an SSD"


@pytest.mark.parametrize("mark", [",", ".", "'", "\u202f", ""])
def test_the_text_of_nvme_cli_says_what_its_json_says(mark):
    of_json = only(made.encoded(made.smart_log(45_678_901, 5, 8_760)))
    of_text = only(made.smart_log_text(45_678_901, 5, 8_760, mark=mark).encode())
    assert of_text.host_bytes.value == of_json.host_bytes.value == 45_678_901 * 512_000
    assert of_text.used_fraction.value == of_json.used_fraction.value == 0.05
    assert of_text.power_on_s.value == of_json.power_on_s.value
    assert of_text.spare_fraction.value == of_json.spare_fraction.value


def test_each_log_of_a_text_of_nvme_cli_is_a_drive():
    written = (
        made.smart_log_text(used=3) + "$ nvme smart-log /dev/nvme1\n" + made.smart_log_text(used=9)
    )
    reading = read("two", written.encode())
    assert [drive.used_fraction.value for drive in reading.drives] == [0.03, 0.09]


def test_a_number_of_nvme_cli_that_is_no_whole_number_is_not_read():
    broken = made.smart_log_text().replace("1,000,000", "1,000,00")
    assert only(broken.encode()).host_bytes is None
