"""Tables and logs as strangers write them: the same drive by every spelling, and nothing lost."""

import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from models.units import DAY_S
from planner.cli import main
from planner.export.fleet_tables import growth_line
from planner.forecast.fleet import fleet
from planner.forecast.fleet.rollup import Growth
from tests.synthetic_drives import iostat_json, node_text

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
ISO = "%Y-%m-%d"


def table(*, separator=",", decimal=".", date=ISO):
    """Thirty weeks of a drive, with quarters of a point."""
    rows = [separator.join(("date", "serial", "model", "host_bytes", "percent_used"))]
    for week in range(30):
        day = BEGIN + timedelta(7 * week)
        shown = date(day) if callable(date) else day.strftime(date)
        points = f"{10 + 0.25 * week:.2f}".replace(".", decimal)
        rows.append(separator.join((shown, "A", "Any SSD", str(10**13 + week * 7**13), points)))
    return "\n".join(rows) + "\n"


SPELLINGS = {
    "plain.csv": table().encode(),
    "semicolons.csv": b"\xef\xbb\xbf" + table(separator=";", decimal=",").encode(),
    "tabs.tsv": table(separator="\t", decimal=",").encode(),
    "packed.csv.gz": gzip.compress(table().encode()),
    "wide.csv": table().encode("utf-16"),
    "dotted.csv": table(separator=";", date="%d.%m.%Y").encode(),
    "seconds.csv": table(date=lambda day: str(int(day.timestamp()))).encode(),
    "milliseconds.csv": table(date=lambda day: str(1000 * int(day.timestamp()))).encode(),
    "compact.csv": table(date="%Y%m%d").encode(),
    "zone.csv": table(date="%Y-%m-%dT01:00:00+0100").encode(),
}


def answer_of(folder):
    return fleet(sorted(folder.iterdir()), lead_s=56 * DAY_S, now_s=0.0)


def test_a_table_gives_the_same_dates_by_every_spelling(tmp_path):
    answers = {}
    for name, data in SPELLINGS.items():
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_bytes(data)
        answers[name] = answer_of(folder)
    plain = answers["plain.csv"]
    for name, answer in answers.items():
        assert not answer.refused, name
        assert answer.dates.label.tolist() == ["90 %"]
        assert answer.dates.middle_s == pytest.approx(plain.dates.middle_s, rel=1e-12), name
        assert answer.now_s == plain.now_s


def test_each_file_and_number_that_is_not_used_is_named(tmp_path):
    log = {
        "smartctl": {"version": [7, 4]}, "model_name": "Any NVMe", "serial_number": "B",
        "nvme_smart_health_information_log": {
            "data_units_written": 2**70, "percentage_used": 3, "power_on_hours": 100,
        },
    }  # fmt: skip
    logs = {name: {"percent_used": 4, "data_units_written": 9**7} for name in ("nvme0", "nvme1")}
    files = {
        "american.csv": table(date="%m/%d/%Y"),
        "grouped.csv": 'date,serial,host_bytes,percent_used\n2026-01-01,C,"1,000,000",1\n',
        "huge.json": json.dumps(log),
        "two.json": json.dumps(logs),
        "prices.csv": "vendor,price\nA,3\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "picture.jpg").write_bytes(b"\xff\xd8\xff\xe0 and so on")
    answer = answer_of(tmp_path)
    reasons = {one.file.rpartition("/")[2]: one for one in answer.refused}
    assert reasons.keys() == {*files, "picture.jpg"}
    assert "date '01/01/2026' is not ISO" in reasons["american.csv"].reason
    assert reasons["american.csv"].rows == 30
    assert reasons["grouped.csv"].reason.startswith("host_bytes '1,000,000': no number")
    assert "is more than the interface carries" in reasons["huge.json"].reason
    assert reasons["two.json"].reason.startswith("2 readings have neither serial number nor date")
    assert "begins 'vendor,price'" in reasons["prices.csv"].reason
    assert "a JPEG picture" in reasons["picture.jpg"].reason
    assert len(answer.histories.drives) == 2


def test_what_the_system_counted_gives_a_rate_and_is_not_the_writes_of_the_life(tmp_path, capsys):
    """An interval of iostat, without a date, and counters since the start of a system."""
    rates = {"nvme0n1": {"rkB/s": 1.0, "wkB/s": 5000.0}, "sda": {"rkB/s": 1.0, "wkB/s": 50.0}}
    page = node_text(("sdb", 3e12, 1.0, 1.0, 1.0, {}), now=1.75e9, start=1.74e9)
    (tmp_path / "iostat.json").write_text(json.dumps(iostat_json(rates)))
    (tmp_path / "node.prom").write_text(page)
    assert main(["fleet", str(tmp_path), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    drives = {row["drive"].rpartition("#")[2]: row for row in record["by_drive"]}
    assert {name: row["host_bytes_per_s"] for name, row in drives.items()} == {
        "nvme0n1": 5000 * 1024, "sda": 50 * 1024, "sdb": pytest.approx(3e5),
    }  # fmt: skip
    assert {row["host_bytes"] for row in drives.values()} == {None}
    assert record["by_model"]["unknown"]["host_bytes"] is None
    assert [one["reason"] for one in record["refused"]] == [
        "Of one report only, which is the mean since the system started unless -y was given."
    ]
    assert main(["fleet", str(tmp_path), "--all"]) == 0
    printed = capsys.readouterr().out
    assert "Dates: none for 3 drives" in printed
    assert "3 drives known only by what the system counted since its start or in an" in printed
    assert "Month" not in printed
    assert "Retire first" not in printed


def test_a_table_without_what_counts_is_named_with_its_columns(tmp_path):
    (tmp_path / "a.csv").write_text("date,serial,model,tb_written\n2026-01-01,A,B,5\n")
    (tmp_path / "b.csv").write_text(
        "Date,Serial Number,Model Name,Percentage Used\n2026-01-01,A,B,5\n2026-02-01,A,B,6\n"
    )
    answer = answer_of(tmp_path)
    (refusal,) = answer.refused
    columns = "'date', 'serial', 'model', 'tb_written' (did you mean bytes_written?)"
    missing = "the column date, or both of host_bytes and percent_used, are missing"
    assert refusal.reason == f"{missing}; it has {columns}"
    assert answer.histories.points.tolist() == [6]
    assert answer.histories.drives[0].model == "B"


@pytest.mark.parametrize(
    ("growth", "written"),
    [
        (-4e-14, "0 % a year (0 to 0 %)"), (0.0312, "+3.1 % a year (+3.1 to +3.1 %)"),
        (-0.256, "-26 % a year (-26 to -26 %)"), (12.5, "+1,250 % a year (+1,250 to +1,250 %)"),
    ],
)  # fmt: skip
def test_growth_is_printed_as_precisely_as_it_is_known(tmp_path, growth, written):
    (tmp_path / "a.csv").write_text(table())
    answer = replace(answer_of(tmp_path), growth=Growth(growth, growth, growth, 30, 1))
    assert growth_line(answer) == f"Growth of the writes {written}, from 30 weeks of 1 drive"
