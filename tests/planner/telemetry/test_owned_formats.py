"""Files that owners have: Scrutiny, Prometheus's HTTP API, packed files, tables and histograms."""

import bz2
import gzip
import json
import lzma

import pyarrow as pa
import pytest

from planner.cli import main
from planner.telemetry import read
from tests import synthetic_drives as made

NVME = made.nvme_json()
SATA = made.sata_json(
    "SAMSUNG MZ7LM960HCHP-0E003",
    attributes=[
        (9, "Power_On_Hours", 91, 43_614),
        (177, "Wear_Leveling_Count", 52, 3_541),
        (241, "Total_LBAs_Written", 98, 4_053_921_700_578),
    ],
    statistics=[("Logical Sectors Written", 4_053_921_700_578)],
)
DAY_S = 86_400
FIGURES = ("host_bytes", "power_on_s", "used_fraction", "erase_cycles", "user_bytes", "model")


@pytest.mark.parametrize("document", [NVME, SATA])
def test_details_of_scrutiny_are_read_as_the_log_behind_them(document):
    (one,) = read("details.json", made.scrutiny(document)).drives
    other = read("smartctl.json", made.encoded(document)).drive
    for figure in FIGURES:
        mine, its = getattr(one, figure), getattr(other, figure)
        assert getattr(mine, "value", mine) == getattr(its, "value", its), figure
    assert one.identity == other.identity


def test_readings_of_scrutiny_are_those_of_one_drive_in_order_of_time():
    reading = read("details.json", made.scrutiny(SATA, days=(20, 0, 10)))
    assert reading.kind == "Scrutiny JSON"
    times = [one.read_at_s for one in reading.drives]
    assert times == sorted(times)
    assert times[2] - times[0] == 20 * DAY_S


def test_the_standard_count_that_scrutiny_stores_goes_before_an_attribute():
    written = made.scrutiny(SATA, total_bytes_written=4_053_921_700_578 * 512)
    assert read("x", written).drive.host_bytes.field.startswith("device statistics")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            made.scrutiny(SATA).replace(b'"rotational_speed": 0', b'"rotational_speed": 7200'),
            "hard disk",
        ),
        (made.scrutiny(SATA, days=()) + b'{"attrs": 0}', "no data.device"),
        (b'{"data": {"smart_results": 5, "attrs": 0}}', "no data.device"),
    ],
)
def test_details_without_an_ssd_are_refused(data, reason):
    assert reason in read("x", data).refused


def test_an_instant_query_is_read_as_the_page_of_the_exporter():
    text = made.exporter_text(NVME, SATA)
    reading = read("query.json", made.prometheus_answer((1.76e9, "a:9633", text)))
    page = read("metrics", text.encode())
    assert [one.read_at_s for one in reading.drives] == [1.76e9, 1.76e9]
    for one, other in zip(reading.drives, page.drives, strict=True):
        for figure in FIGURES:
            assert getattr(one, figure) == getattr(other, figure)


def test_a_range_query_gives_each_drive_of_each_host_at_each_moment():
    pages = [
        (1.76e9 + day * DAY_S, host, made.exporter_text(
            made.nvme_json(log=made.nvme_log(units=10**6 * (day + 1)), serial_number=host)))
        for day in (0, 30) for host in ("a:9633", "b:9633")
    ]  # fmt: skip
    drives = read("range.json", made.prometheus_answer(*pages, kind="matrix")).drives
    assert len(drives) == 4
    assert len({one.identity for one in drives}) == 2
    by_drive = {one.identity: [] for one in drives}
    for one in drives:
        by_drive[one.identity].append(one.host_bytes.value)
    assert all(later == 31 * first for first, later in by_drive.values())


def test_disks_of_a_system_are_read_from_the_api():
    text = made.node_text(("sda", 8.64e11, 0, 1e6, 3e6, {"model": "Any"}), now=1.75e9)
    (one,) = read("query.json", made.prometheus_answer((1.75e9, "a:9100", text))).drives
    assert one.activity.host_bytes.value == pytest.approx(8.64e11)
    assert one.activity.span_s == pytest.approx(1e7)


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"status": "error", "errorType": "bad_data", "error": "parse error"}, "parse error"),
        ({"status": "success", "data": {"resultType": "vector", "result": []}}, "by name"),
        ({"status": "success", "data": {"resultType": "scalar", "result": [1, "2"]}}, "by name"),
        ({"status": "success", "data": {"resultType": "vector", "result": [
            {"metric": {"__name__": "node_disk_written_bytes_total", "device": "sda"},
             "value": [1.7e9, "5"]}]}}, "node_boot_time_seconds"),
        ({"status": "success", "data": {"resultType": "matrix", "result": [
            {"metric": 5, "values": [[1, 2, 3], [None, "1"], ["x", "1"], 4]}]}}, "by name"),
    ],
)  # fmt: skip
def test_an_answer_without_drives_says_what_to_query(document, reason):
    assert reason in read("query.json", json.dumps(document).encode()).refused


PACKINGS = {"gzip": gzip.compress, "xz": lzma.compress}


@pytest.mark.parametrize("packing", [*PACKINGS, "zstd"])
def test_a_packed_file_is_read_as_the_file(packing, tmp_path):
    data = made.encoded(SATA)
    if packing == "zstd":
        path = tmp_path / "a.zst"
        with pa.CompressedOutputStream(str(path), "zstd") as sink:
            sink.write(data)
        packed = path.read_bytes()
    else:
        packed = PACKINGS[packing](data)
    assert read("x", packed).drives == read("x", data).drives
    assert read("x", gzip.compress(packed)).drives == read("x", data).drives
    cut = read("x", packed[: len(packed) // 2])
    assert "packed bytes" in cut.refused


def test_what_unpacks_to_more_than_a_file_may_hold_is_refused():
    assert (
        "longer than 16 MiB"
        in read("x", lzma.compress(b'{"smartctl": ' + b" " * (17 << 20))).refused
    )
    big = lzma.compress(b"{}", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}])
    assert "emory usage limit" in read("x", big).refused
    assert "packed by bzip2" in read("x", bz2.compress(b"{}")).refused
    alone = lzma.compress(b"{}", format=lzma.FORMAT_ALONE)
    assert "packed by LZMA without xz" in read("x", alone).refused


HISTOGRAM = "".join(f"{1000 * n}, {n % 2}, 4096, {', '.join('0' * 29)}, 7\n" for n in range(1, 40))


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("a_clat_hist.1.log", HISTOGRAM, "a histogram log of fio (clat_hist)"),
        ("b_clat_hist.1.log", HISTOGRAM.replace(", ", ","), "a histogram log of fio (clat_hist)"),
        ("a.csv", "date,serial_number,model,capacity_bytes,failure,smart_9_raw\n", "`fleet` reads"),
        ("a.csv", "Date;Serial;Model;host_bytes\n", "`fleet` reads"),
        (
            "a.csv",
            "Part number,Capacity,Unit price,Currency\nX,1TB,9,EUR\n",
            "`choose --catalogue`",
        ),
        ("a.csv", "vendor,model,capacity,tbw,price\n", "`choose --catalogue` reads"),
        ("a.json", '{"ssd_planner_scenario": 1, "options": {}}', "`plan --scenario` reads"),
        ("a.xlsx", "PK\3\4", "`choose --catalogue` reads quotes in XLSX"),
        ("a.txt", "Dear all, the date and the model are unknown\n", "begins 'Dear all"),
    ],
)
def test_a_file_of_another_command_is_named_with_it(name, text, what):
    refused = read(name, text.encode()).refused
    assert "unknown format" in refused
    assert what in refused


def test_more_operations_than_any_drive_takes_are_not_used(tmp_path, capsys):
    """1e308 reads gave a share of infinity, which was saved."""
    page = made.node_text(("sda", 8.64e11, 0, 1e6, 1e308, {}))
    one = read("metrics", page.encode()).drive
    assert one.activity.reads is None
    assert one.unused[0].reason == "is more than a drive can take"
    (tmp_path / "metrics").write_text(page)
    saved = tmp_path / "scenario.json"
    assert main(["read", str(tmp_path / "metrics"), "--save", str(saved)]) == 0
    assert "inf" not in capsys.readouterr().out
    assert json.loads(saved.read_text())["options"] == {"writes": "7.46496 GB/day"}
