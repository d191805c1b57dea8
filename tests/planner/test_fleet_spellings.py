"""Tables and logs as strangers write them: the same drive by every spelling, and nothing lost."""

import gzip
import json
from datetime import UTC, datetime, timedelta

import pytest

from models.units import DAY_S
from planner.forecast.fleet import fleet

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
    assert "date '01/01/2026' is neither ISO" in reasons["american.csv"].reason
    assert reasons["american.csv"].rows == 30
    assert reasons["grouped.csv"].reason.startswith("host_bytes '1,000,000': no number")
    assert "is more than the interface carries" in reasons["huge.json"].reason
    assert reasons["two.json"].reason.startswith("2 readings have neither serial number nor date")
    assert "begins 'vendor,price'" in reasons["prices.csv"].reason
    assert "a JPEG picture" in reasons["picture.jpg"].reason
    assert len(answer.histories.drives) == 2
