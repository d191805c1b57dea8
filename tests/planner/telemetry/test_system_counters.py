"""What the operating system counts of drives: node_exporter, iostat, /proc/diskstats."""

import json

import numpy as np
import pytest

from models.units import DAY_S, GB, KIB, MIB
from planner.cli import main
from planner.export.fleet_tables import fleet_record
from planner.export.measured_options import options_of
from planner.export.telemetry_tables import reading_rows
from planner.forecast import NoForecast, forecast
from planner.forecast.fleet import fleet
from planner.telemetry import read
from tests import synthetic_drives as made

HOUR = 3600.0
SSD = {"model": "Any SSD", "serial": "ABCD1234", "rotational": "0"}
PAGE = made.node_text(
    ("nvme0n1", 9.1e12, 4e12, 1e8, 3e8, SSD), ("nvme0n1p1", 9e12, 4e12, 1e8, 3e8, {}),
    ("dm-0", 9e12, 4e12, 1e8, 3e8, {}), ("sda", 1e12, 1e12, 1e6, 1e6, {"rotational": "1"}),
    ("xvda1", 864e9, 0, 1e6, 0, {}), ("sdb", 0, 0, 0, 0, {}),
)  # fmt: skip


def only(data):
    reading = read("counters", data.encode())
    assert reading.refused is None
    (drive,) = reading.drives
    return drive


def rates(activity):
    return tuple(
        number and number.value / activity.span_s
        for number in (activity.host_bytes, activity.read_bytes, activity.writes, activity.reads)
    )


def test_a_page_of_node_exporter_is_whole_drives_and_names_hard_disks():
    reading = read("metrics", PAGE.encode())
    assert reading.kind == "node_exporter text"
    assert [drive.device for drive in reading.drives] == ["nvme0n1", "xvda1"]
    ssd = reading.drives[0]
    assert (ssd.model, ssd.host_bytes, ssd.read_at_s) == ("Any SSD", None, 1.75e9)
    assert ssd.identity
    assert rates(ssd.activity) == pytest.approx((9.1e5, 4e5, 10, 30))
    assert reading.notes == ("line 8: is a hard disk, not an SSD",)
    shown = {row["What"]: row["Value"] for row in reading_rows(ssd)}
    assert shown["Share of reads"] == "75 %"
    assert any("since the system started" in what for what in shown)


def test_names_of_former_releases_are_read_too():
    page = (
        "node_boot_time 1.7e+09\nnode_time 1.7000864e+09\n"
        'node_disk_bytes_written{device="mmcblk0"} 8.64e+10\n'
        'node_disk_writes_completed{device="mmcblk0"} 864000\n'
    )
    assert rates(only(page).activity) == pytest.approx((1e6, None, 10, None), nan_ok=True)


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ({"tps": 9, "kB_read/s": 10.0, "kB_wrtn/s": 20}, (20 * KIB, 10 * KIB, None, None)),
        ({"MB_read/s": 1.0, "MB_wrtn/s": 2.5}, (2.5 * MIB, MIB, None, None)),
        ({"r/s": 3, "w/s": 4.5, "rkB/s": 5, "wkB/s": 6}, (6 * KIB, 5 * KIB, 4.5, 3)),
        ({"r/s": 3, "w/s": 4, "rMB/s": 5, "wMB/s": 6}, (6 * MIB, 5 * MIB, 4, 3)),
        ({"r/s": 3, "w/s": 4, "rsec/s": 6, "wsec/s": 8}, (4096, 3072, 4, 3)),
        ({"r": 3, "w": 4, "rkB": 6, "wkB": 8}, (8 * KIB, 6 * KIB, 4, 3)),
    ],
)
def test_iostat_prints_rates_in_kibibytes_mebibytes_or_sectors(report, expected):
    drive = only(json.dumps(made.iostat_json({"loop0": report, "sda": report, "dm-1": report})))
    assert (drive.device, rates(drive.activity)) == ("sda", expected)


def test_the_first_of_several_reports_is_left_out_and_idle_ones_count():
    def wrote(rate):
        return {"nvme0n1": {"kB_wrtn/s": rate, "kB_read/s": 0}}

    drive = only(json.dumps(made.iostat_json(wrote(9e9), wrote(30), wrote(60), {"sda": {"a": 1}})))
    assert drive.activity.host_bytes.value == pytest.approx(90 / 3 * KIB)
    dated = made.iostat_json(wrote(5), timestamp="2026-01-02T10:00:00+0100")
    reading = read("one", json.dumps(dated).encode())
    assert reading.drives[0].read_at_s == 1_767_344_400
    assert "since the system started" in reading.notes[0]


def disks(written, *, read=2000, columns=20):
    return made.diskstats(
        ("nvme0n1", 10, read, 30, written), ("nvme0n1p2", 10, read, 30, written),
        ("loop3", 9, 9, 9, 9), columns=columns,
    )  # fmt: skip


@pytest.mark.parametrize(
    "times", [("100.00 750.10\n", "3700.00 9.90\n"), ("1750000000\n", "1750003600.0\n"),
              ("2026-01-02T10:00:00+01:00\n", "2026-01-02T10:00:00+00:00\n")],
)  # fmt: skip
def test_a_pair_of_diskstats_is_what_was_written_between(times):
    first, last = times
    drive = only(first + disks(1000, columns=14) + "\n" + last + disks(8000, read=9000, columns=14))
    assert drive.device == "nvme0n1"
    expected = 7000 * 512 / HOUR, 7000 * 512 / HOUR, 0, 0
    assert rates(drive.activity) == pytest.approx(expected)
    assert drive.activity.since_start is False


def test_one_diskstats_with_the_uptime_is_the_mean_since_the_start_and_two_files_are_a_pair():
    texts = [
        f"{time}.00 9.00\n{disks(sectors)}" for time, sectors in ((7200, 7200), (10800, 43200))
    ]
    readings = [read("disks", text.encode()) for text in texts]
    assert rates(readings[0].drives[0].activity)[0] == 512
    assert options_of(readings[:1])["writes"] == f"{512 * DAY_S / GB:.6g} GB/day"
    assert options_of(readings) == {"writes": f"{5120 * DAY_S / GB:.6g} GB/day"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (disks(5), "line 1: comes before a line that says when"),
        ("9.00 9.00\n" + 2 * disks(5), "line 5: names a device again"),
        ("1750000000\n" + disks(5), "is one reading at a date; a second"),
        ("9.00 9.00\n" + disks(9) + "99.00 9.00\n" + disks(5), "the system restarted"),
        ("9.00 9.00\n" + disks(9) + "1750000000\n" + disks(50), "by another clock"),
        ("soon\n" + disks(9), "line 1: is not a line of /proc/diskstats"),
        ("9.00 9.00\n" + made.diskstats(("loop0", 1, 1, 1, 1)), "of no drive"),
        (made.node_text(), "without its disks"),
        (made.node_text(("sda", 1, 1, 1, 1, {}), start=1.76e9), "no node_time_seconds after"),
        (made.node_text(("sda", 1, 1, 1, 1, {"rotational": "1"})), "is a hard disk"),
        (json.dumps(made.iostat_json({"sda": {"tps": 5, "kB/s": 9}})), "run iostat without -s"),
        (json.dumps(made.iostat_json({"sda": {"w/s": -5, "wkB/s": "9"}})), "no drive that wrote"),
    ],
)  # fmt: skip
def test_what_says_nothing_of_a_drive_is_refused_with_its_reason(text, reason):
    refused = read("file", text.encode()).refused
    assert refused is not None
    assert reason in refused


def test_counters_beyond_any_interface_are_not_used():
    drive = only(json.dumps(made.iostat_json({"sda": {"wkB/s": 1e12}})))
    assert drive.activity is None
    assert drive.unused[0].reason == "is more than a drive can take"


def test_the_writes_go_into_a_plan(tmp_path, capsys):
    (tmp_path / "metrics").write_text(made.node_text(("sda", 8.64e11, 0, 1e6, 3e6, {})))
    saved = tmp_path / "scenario.json"
    assert main(["read", str(tmp_path / "metrics"), "--save", str(saved)]) == 0
    capsys.readouterr()
    assert json.loads(saved.read_text())["options"] == {"writes": "7.46496 GB/day", "reads": "75%"}
    with pytest.raises(ValueError, match="several drives"):
        options_of([read("metrics", PAGE.encode())])


def test_a_fleet_takes_rates_of_systems_and_smart_logs_before_them(tmp_path):
    """Of a drive that both describe, the counters of its life are taken, and it is one drive."""
    for day, written in ((0, 1e12), (70, 8e12), (80, 1e11)):  # started anew on day 78
        now, start = 1.75e9 + day * DAY_S, 1.749e9 if day < 75 else 1.75e9 + 78 * DAY_S
        devices = (
            ("nvme0n1", written, 0, 1e6, 1e6, SSD),
            ("sda", 5e12, 0, 1, 1, {"serial": "SATA5678"}),
        )
        page = made.node_text(*devices, now=now, start=start)
        (tmp_path / f"{day}.prom").write_text(page)
    log = made.nvme_json("Known", serial_number="SATA5678", log=made.nvme_log(used=5))
    (tmp_path / "smart.json").write_text(json.dumps(log))
    record = fleet_record(fleet([*tmp_path.iterdir()], lead_s=DAY_S, now_s=1.76e9))
    assert record["drives"] == 2
    assert [one["rows"] for one in record["refused"]] == [1, 1, 1]
    of = {row["model"]: row for row in record["by_drive"]}
    system = of["Any SSD"]
    assert system["label"] == "no dates"
    days = (1.75e9 + 80 * DAY_S - 1.749e9) / DAY_S
    assert system["host_bytes_per_s"] * DAY_S == pytest.approx(8.1e12 / days, rel=1e-6)
    assert system["anomalies"][0]["kind"] == "counter reset"
    assert of["Known"]["label"] == "rough, within a factor of two"


@pytest.mark.parametrize("lines", ["2026-01-01,10,1000", "2026-01-01,10,1000\n2026-07-01,12,3000"])
def test_wear_over_power_on_time_alone_gives_a_rate_and_rough_dates_on_both_faces(tmp_path, lines):
    path = tmp_path / "wear.csv"
    path.write_text(f"date,percent_used,power_on_hours\n{lines}\n")
    reading = read("wear.csv", path.read_bytes())
    alone = forecast(reading.drives)
    assert reading.drives[0].wear_per_s.value * HOUR == pytest.approx(1e-4)
    assert (alone.label, alone.left, alone.steady) == ("rough, from wear alone", (), None)
    assert alone.early_s < alone.middle_s < alone.late_s
    if len(reading.drives) == 1:
        assert alone.middle_s == pytest.approx(9000 * HOUR)
        assert alone.points_per_year == pytest.approx(87.66, rel=1e-3)
    else:  # 2 points in 181 days, 87.5 left
        assert alone.middle_s == pytest.approx(87.5 / 2 * 181 * DAY_S)
    dates = fleet([path], lead_s=DAY_S, now_s=1.8e9).dates
    assert dates.label[0] == alone.label
    ours = (alone.early_s, alone.middle_s, alone.late_s)
    np.testing.assert_allclose([dates.early_s[0], dates.middle_s[0], dates.late_s[0]], ours)


def test_wear_without_any_time_has_no_dates():
    dated = read("a.csv", b"date,percent_used\n2026-01-01,10\n2026-03-01,11\n").drives
    with pytest.raises(NoForecast, match="less than 2 points of wear between"):
        forecast(dated)
    assert forecast(dated[:1], in_service_s=dated[0].read_at_s - 10 * DAY_S).points_used == 10
