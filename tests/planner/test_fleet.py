"""A fleet from files of mixed kinds: nothing is lost unsaid, and each drive as by itself."""

import json
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from models.units import DAY_S, GB, HOUR_S, TB
from planner.catalogue.price_curve import change_text, waiting
from planner.cli import main
from planner.export.fleet_tables import fleet_record, spare_lines
from planner.forecast import forecast
from planner.forecast.fleet import fleet
from planner.telemetry import DriveReading, Observed, read
from tests import synthetic_drives as logs
from tests import synthetic_fleet as made

NOW_S = made.START_S + 400 * DAY_S


def answer_of(*paths):
    return fleet(paths, lead_s=56 * DAY_S, now_s=NOW_S)


def write(folder, columns, name="fleet.parquet"):
    path = folder / name
    table = pa.table(columns)
    if name.endswith("csv"):
        pyarrow.csv.write_csv(table, path)
    else:
        pyarrow.parquet.write_table(table, path)
    return path


def of(columns, rows):
    return {name: column[rows] for name, column in columns.items()}


def joined(*parts):
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def one(folder, columns):
    """Return the record of the only drive of a table."""
    answer = answer_of(write(folder, columns))
    record = fleet_record(answer)
    assert record["drives"] == 1
    return record["by_drive"][0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of every kind: eight drives, and four files that say nothing of one."""
    folder = tmp_path_factory.mktemp("fleet")
    (folder / "sub").mkdir()
    nvme = [
        logs.nvme_json(
            log=logs.nvme_log(units=1_000_000 + 40_000 * week, used=3 + week // 4),
            local_time={"time_t": int(made.START_S + 7 * DAY_S * week)},
        )
        for week in range(30)
    ]
    (folder / "series.jsonl").write_text("\n".join(map(json.dumps, nvme)))
    sata = [(241, "Total_LBAs_Written", 99, 10**12), (177, "Wear_Leveling_Count", 90, 100)]
    text = logs.sata_text("SAMSUNG MZ7LH960HAJR-00005", attributes=sata, statistics=[
        ("Power-on Hours", 9000)], serial="TEXT1")  # fmt: skip
    (folder / "sub" / "sata.txt").write_text(text)
    (folder / "sub" / "smart-log.json").write_text(json.dumps(logs.smart_log()))
    (folder / "isdct.json").write_text(json.dumps(logs.isdct_json()))
    (folder / "exporter.prom").write_text(logs.exporter_text(
        logs.nvme_json("Any NVMe", serial_number="EXPORTED1"),
        logs.nvme_json("Any NVMe", serial_number="EXPORTED2"),
    ))  # fmt: skip
    write(folder, made.one_drive(), "tidy.csv")
    write(folder, made.one_drive() | {"serial": np.array(["ONE00002"] * 120)}, "tidy.parquet")
    smart = {
        "date": np.array(["2026-01-01", "2026-01-01"]), "serial_number": np.array(["B1", "HDD1"]),
        "model": np.array(["SAMSUNG MZ7LH960HAJR-00005", "ST4000DM000"]),
        "capacity_bytes": np.array([960_197_124_096, 4_000_787_030_016]),
        "failure": np.array([0, 0]), "smart_9_normalized": np.array([99, 99]),
        "smart_9_raw": np.array([8000, 8000]), "smart_177_normalized": np.array([95, 0]),
        "smart_177_raw": np.array([60, 0]), "smart_241_normalized": np.array([99, 99]),
        "smart_241_raw": np.array([9 * 10**11, 10**10]),
    }  # fmt: skip
    smart["serial_number"] = np.array(["BLAZE0001", "BLAZE0002"])
    write(folder, smart, "2026-01-01.csv")
    (folder / "notes.md").write_text("# not a drive\n")
    (folder / "cut.json").write_text(json.dumps(nvme[0])[:200])
    (folder / "broken.parquet").write_bytes(b"PAR1 and no more")
    (folder / "no_date.csv").write_text("serial,host_bytes,percent_used\nA1234,5,1\n")
    return folder


def test_files_of_every_kind_are_read_and_the_others_named(folder, capsys):
    assert main(["fleet", str(folder), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["drives"] == 9
    assert record["read"] == 8
    refused = {one["file"].rpartition("/")[2]: one for one in record["refused"]}
    assert set(refused) == {
        "notes.md", "cut.json", "broken.parquet", "no_date.csv", "2026-01-01.csv",
    }  # fmt: skip
    assert refused["2026-01-01.csv"]["rows"] == 1
    assert "hard disk" in refused["2026-01-01.csv"]["reason"]
    assert "cut off" in refused["cut.json"]["reason"]
    assert "column date" in refused["no_date.csv"]["reason"]
    for model in record["by_model"].values():
        assert {"wa", "host_bytes", "flash_bytes"} <= set(model)
    for dates in record["dates"].values():
        assert {"early", "middle", "late"} <= set(dates)
        assert dates["early_s"] <= dates["middle_s"] <= (dates["late_s"] or np.inf)
        if dates["state"] == "dated":
            assert (dates["early"] or "9999") <= (dates["middle"] or "9999")
        else:  # a clock that was never set, or none
            assert (dates["early"], dates["middle"], dates["late"]) == (None, None, None)
    assert {one["state"] for one in record["dates"].values()} == {"dated", "no clock"}
    assert len(record["dates"]) == 9
    assert [*record["orders_by_month"][0]][:2] == ["month", "expected"]
    series = record["dates"][str(folder / "series.jsonl")]
    assert series["label"] == "90 %"


def test_the_same_fleet_for_people(folder, capsys):
    assert main(["fleet", str(folder), "--all"]) == 0
    shown = capsys.readouterr().out
    lone = "6 drives with one reading: their writes are the mean over power-on time"
    for part in ("9 drives in 8 files", "Drives to order", "Retire first", "Not used", lone):
        assert part in shown
    assert main(["fleet", str(folder / "tidy.csv"), "--all"]) == 0
    shown = capsys.readouterr().out
    assert "1 drive in 1 file, newest" in shown
    assert "weeks of 1 drive\n" in shown


def test_a_drive_past_its_rated_life_is_retired_first_and_has_no_dates(tmp_path, capsys):
    rows = (
        "A1,2026-01-01,4e12,31\nA1,2026-04-01,5e12,40\n"
        "B2,2026-01-01,4e12,120\nB2,2026-04-01,5e12,124\n"
    )
    (tmp_path / "worn.csv").write_text("serial,date,host_bytes,percent_used\n" + rows)
    assert main(["fleet", str(tmp_path), "--all"]) == 0
    first = capsys.readouterr().out.partition("Retire first")[2].splitlines()[3]
    assert first.split()[0] == "B2"
    assert first.count("past") == 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fleet", "{}/notes.md"], "no drive could be read: "),
        (["fleet", "{}/nowhere"], "cannot be read: No such file or directory"),
        (["fleet", "{}/empty"], "folders without files"),
        (["fleet", "{}", "--scheduler", "tcp://127.0.0.1:1"], "--scheduler "),
        (["fleet", "{}", "--lead", "-1"], "'--lead': -1.0 is not in the range 0<=x<=365"),
    ],
)
def test_nothing_read_is_one_sentence(folder, capsys, monkeypatch, arguments, sentence):
    monkeypatch.setattr(
        "planner.forecast.fleet.cluster._PATIENCE_S", 0.5
    )  # half a minute for a scheduler far away
    (folder / "empty").mkdir(exist_ok=True)
    assert main([part.format(folder) for part in arguments]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert len(error.splitlines()) == 1


def test_patterns_and_repeated_files_are_each_read_once(folder, capsys):
    assert main(["fleet", f"{folder}/*.csv", str(folder / "tidy.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["read"] == 2


def exact(value):
    return Observed(value=value, field="counter", low=value, high=value)


def readings_of(columns):
    return [
        DriveReading(
            model=str(columns["model"][row]), read_at_s=float(columns["date"][row]),
            host_bytes=exact(float(columns["host_bytes"][row])),
            used_fraction=Observed(
                value=points / 100, field="points", low=max(points - 1, 0) / 100,
                high=(points + 1) / 100,
            ),
        )
        for row, points in enumerate(columns["percent_used"].tolist())
    ]  # fmt: skip


def test_each_drive_has_the_dates_of_a_forecast_of_itself(tmp_path):
    """Of 24 drives over 26 weeks, by one law."""
    fleet_ = made.made(24, 183, seed=3, truth=False)
    columns = made.columns(fleet_)
    answer = answer_of(write(tmp_path, columns))
    assert len(answer.histories.drives) == 24
    assert 12 < np.sum(answer.dates.label == "90 %") < 24
    for at in range(24):
        alone = forecast(readings_of(of(columns, slice(at * 183, (at + 1) * 183))))
        assert answer.dates.label[at] == alone.label
        together = [getattr(answer.dates, name)[at] for name in ("early_s", "middle_s", "late_s")]
        ours = [alone.early_s, alone.middle_s, alone.late_s]
        np.testing.assert_allclose(together, ours, rtol=1e-7)


@pytest.mark.parametrize(
    ("erases", "normal"), [(30, 99), (300, 80), (300, 99), (900, 1), (1600, 1)]
)
def test_a_file_with_wear_and_erases_says_the_same_on_both_faces(tmp_path, erases, normal):
    """An 840 EVO, rated for cycles: flash writes narrow the wear where they agree with it."""
    attributes = [
        (9, "Power_On_Hours", 95, 20_000), (177, "Wear_Leveling_Count", normal, erases),
        (241, "Total_LBAs_Written", 99, 2 * erases * 10**9),
    ]  # fmt: skip
    path = tmp_path / "drive.txt"
    model, capacity = "Samsung SSD 840 EVO 1TB", 1_000_204_886_016
    path.write_text(logs.sata_text(model, attributes=attributes, capacity=capacity))
    alone = forecast(read(path.name, path.read_bytes()).drives)
    assert [left.kind for left in alone.left] == ["wear indicator", "flash writes"]
    dates = answer_of(path).dates
    together = dates.early_s[0], dates.middle_s[0], dates.late_s[0]
    np.testing.assert_allclose(together, [alone.early_s, alone.middle_s, alone.late_s])


def test_two_whole_points_of_wear_are_two_however_they_round():
    """16 - 14 points: 100 x 0.16 - 100 x 0.14 is a little less than 2 in binary."""
    columns = made.one_drive(days=183, per_day=22 * GB, point=2 * TB, start=28.1 * TB)
    assert columns["percent_used"][[0, -1]].tolist() == [14, 16]
    assert forecast(readings_of(columns)).label == "90 %"


@pytest.mark.parametrize(("days", "least", "sure"), [(365, 0.85, True), (90, 0.70, False)])
def test_intervals_hold_the_ends_that_are_known(tmp_path, days, least, sure):
    """Of drives written on until they are worn out; docs/reference/fleet.md has 600."""
    drawn = made.made(80, days, seed=days)
    answer = answer_of(write(tmp_path, made.columns(drawn)))
    assert [drive.name for drive in answer.histories.drives] == drawn.names.tolist()
    drawn_out = np.char.startswith(answer.dates.label, "90 %" if sure else "rough, from 12")
    known = drawn_out & np.isfinite(drawn.ends_s)
    inside = (answer.dates.early_s <= drawn.ends_s) & (drawn.ends_s <= answer.dates.late_s)
    assert known.sum() > 50
    assert inside[known].mean() >= least
    width = (answer.dates.late_s - answer.dates.early_s) / drawn.ends_s
    assert np.median(width[known]) < 1.6


def test_sums_are_of_bytes_and_never_means_of_ratios(tmp_path):
    """A drive that writes a thousand times as much decides the ratio of its model."""
    small, large = made.one_drive(), made.one_drive(per_day=100_000 * GB, start=0.0)
    for columns, wa in ((small, 9.0), (large, 2.0)):
        columns["flash_bytes"] = wa * columns["host_bytes"]
    large["serial"] = np.array(["ONE00002"] * 120)
    large["percent_used"] = np.floor(large["host_bytes"] / (2000 * TB))
    answer = answer_of(write(tmp_path, joined(small, large)))
    (model,) = answer.by_model.values()
    assert model.wa.value == pytest.approx((9 * 100 + 2 * 100_000) / 100_100)
    assert model.host_bytes_per_s * DAY_S == pytest.approx(100_100 * GB)
    assert answer.wa.value == model.wa.value


def test_a_counter_reset_loses_no_writes(tmp_path):
    columns = made.one_drive()
    columns["host_bytes"][60:] -= columns["host_bytes"][59] - 5 * GB
    record = one(tmp_path, columns)
    assert record["written_bytes"] == pytest.approx(119 * 100 * GB, rel=0.01)
    assert [anomaly["kind"] for anomaly in record["anomalies"]] == ["counter reset"]
    assert record["host_bytes"] == pytest.approx(10 * TB + 119 * 100 * GB, rel=0.01)


def test_a_swapped_drive_leaves_the_one_before_out(tmp_path):
    columns = made.one_drive()
    columns["host_bytes"][50:] = 50 * GB * np.arange(70)
    columns["power_on_hours"][50:] = 24.0 * np.arange(70)
    columns["percent_used"][50:] = np.floor(np.arange(70) / 20)
    record = one(tmp_path, columns)
    assert [anomaly["kind"] for anomaly in record["anomalies"]] == ["swapped drive"]
    assert record["readings"] == 70
    assert record["host_bytes_per_s"] * DAY_S == pytest.approx(50 * GB)


def test_missing_days_are_counted_and_their_writes_kept(tmp_path):
    columns = of(made.one_drive(), np.r_[0:40, 55:120])
    record = one(tmp_path, columns)
    assert record["anomalies"] == [
        {"kind": "missing days", "number": 15, "done": "writes were spread over the gap"}
    ]
    assert record["written_bytes"] == pytest.approx(119 * 100 * GB)


def test_a_jump_beyond_the_interface_is_left_out(tmp_path):
    columns = made.one_drive()
    columns["host_bytes"][60:] += 5000 * TB
    record = one(tmp_path, columns)
    assert [anomaly["kind"] for anomaly in record["anomalies"]] == ["jump"]
    assert record["written_bytes"] == pytest.approx(118 * 100 * GB)


def test_a_duplicate_day_changes_nothing_but_is_said(tmp_path):
    columns = made.one_drive()
    record = one(tmp_path, joined(columns, of(columns, slice(30, 33))))
    alone = one(tmp_path, columns)
    assert [(a["kind"], a["number"]) for a in record["anomalies"]] == [("duplicate day", 3)]
    assert record | {"anomalies": []} == alone


@pytest.mark.parametrize("hours", [True, False])
def test_two_drives_with_one_serial_number_are_two(tmp_path, hours):
    first = made.one_drive(hours=hours)
    second = made.one_drive(start=90 * TB, per_day=300 * GB, hours=hours)
    if hours:
        second["power_on_hours"] = second["power_on_hours"] + 20_000
    record = fleet_record(answer_of(write(tmp_path, joined(first, second))))
    assert record["drives"] == 2
    rates = sorted(row["host_bytes_per_s"] * DAY_S for row in record["by_drive"])
    assert rates == pytest.approx([100 * GB, 300 * GB])
    for row in record["by_drive"]:
        assert row["anomalies"][0]["kind"] == "two drives with one serial number"


@pytest.mark.parametrize("hours", [True, False])
def test_a_clock_that_goes_back_keeps_every_reading(tmp_path, hours):
    columns = made.one_drive(hours=hours)
    columns["date"] = columns["date"].copy()
    columns["date"][60:] -= 10.5 * DAY_S
    record = one(tmp_path, columns)
    assert record["anomalies"][0]["kind"] == "clock going back"
    assert record["readings"] == 120
    assert record["written_bytes"] == pytest.approx(119 * 100 * GB)
    if hours:
        assert record["host_bytes_per_s"] * DAY_S == pytest.approx(100 * GB, rel=1e-6)


def test_two_models_with_one_serial_number_are_two_drives(tmp_path):
    other = made.one_drive() | {"model": np.array(["SYN-2"] * 120)}
    record = fleet_record(answer_of(write(tmp_path, joined(made.one_drive(), other))))
    assert set(record["dates"]) == {"ONE00001 (SYN-1)", "ONE00001 (SYN-2)"}


def test_rows_that_cannot_be_used_are_counted_by_reason(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(
        "date,serial,host_bytes,percent_used\n2026-01-01,AA123,5e12,3\nsoon,AA123,6e12,4\n"
        "2026-01-03,AA123,,\n2026-01-04,AA123,-5,many\n2026-01-05,AA123,7e12,4,surplus\n"
        "1767830400,AA123,7e12,4 %\n"
    )
    answer = answer_of(path)
    reasons = {refusal.reason: refusal.rows for refusal in answer.refused}
    assert sorted(reasons.values()) == [1, 1, 2]
    assert any(reason.startswith("row 2: date 'soon' is not ISO") for reason in reasons)
    assert any(reason.startswith("row 3 and 1 more: neither") for reason in reasons)
    assert answer.histories.readings.tolist() == [2]
    assert answer.histories.written_bytes.tolist() == [2e12]
    assert answer.histories.span_s.tolist() == [7 * DAY_S]


def test_a_wear_rate_needs_no_host_writes(tmp_path):
    """20 points in 400 days from 40 %: 40 left, 800 days."""
    day = np.arange(0, 401, 4)
    columns = {
        "date": made.START_S + DAY_S * day, "serial": np.array(["WEAR1234"] * day.size),
        "percent_used": 40 + np.floor(day / 20), "power_on_hours": 24.0 * day + 19_200,
    }  # fmt: skip
    answer = answer_of(write(tmp_path, columns))
    assert answer.dates.middle_s[0] / DAY_S == pytest.approx(790, rel=0.05)
    assert np.isnan(answer.dates.rate[0])
    lone = answer_of(write(tmp_path, of(columns, slice(100, 101)), "one.csv"))
    assert lone.dates.middle_s[0] == pytest.approx(40 / 60 * (24 * 400 + 19_200) * HOUR_S)
    assert lone.dates.by_power_on[0]


def test_orders_hold_every_end_once_and_the_replacements_again(tmp_path):
    """Twenty drives of 100 days of life each: all end within the horizon, many times."""
    parts = []
    for number in range(20):
        part = made.one_drive(per_day=1000 * GB, point=TB, start=0.0, days=60 + number % 3)
        parts.append(part | {"serial": np.full(part["date"].size, f"SHORT{number:04}")})
    answer = answer_of(write(tmp_path, joined(*parts)))
    first_year = sum(month.expected for month in answer.orders[:12])
    assert first_year == pytest.approx(20 * (365 - 40) / 100, rel=0.25)
    assert sum(month.by_site["unknown"] for month in answer.orders) == pytest.approx(
        sum(month.expected for month in answer.orders)
    )
    (spares,) = answer.spares
    assert spares.spares >= spares.expected > 5
    newest = datetime.fromtimestamp(made.START_S + 61 * DAY_S, UTC)
    assert answer.orders[0].month == newest.strftime("%Y-%m")


def test_spares_of_a_known_model_say_what_waiting_for_the_lead_time_costs(tmp_path):
    """The change of the price after half a year: wider than after one, around the same trend."""
    parts = []
    for number in range(20):
        part = made.one_drive(per_day=1000 * GB, point=TB, start=0.0, days=60)
        count = part["date"].size
        parts.append(part | {"serial": np.full(count, f"SHORT{number:04}"),
                             "model": np.full(count, "SAMSUNG MZ7LM960HCHP-0E003"),
                             "capacity_bytes": np.full(count, 960_197_124_096.0)})  # fmt: skip
    table = write(tmp_path, joined(*parts))
    for lead_s in (30 * DAY_S, 180 * DAY_S):
        answer = fleet([table], lead_s=lead_s, now_s=made.START_S)
        (spare,) = fleet_record(answer)["spares"]
        assert spare["price_change"] == waiting("enterprise", lead_s)._asdict()
        (line,) = spare_lines(answer)
        assert "USD" in line
        assert change_text(waiting("enterprise", lead_s)) in line


def test_a_model_that_departs_from_its_peers_is_named(tmp_path):
    fleet_ = made.made(80, 70, seed=5, truth=False)
    answer = answer_of(write(tmp_path, made.columns(fleet_)))
    departs = {name: one.departs for name, one in answer.by_model.items() if one.departs}
    assert any("write amplification" in line for line in departs["SYN-Q 7680"])
    assert answer.by_model["SYN-R 1920"].wa.value == pytest.approx(1.6, rel=1e-3)
    assert set(answer.orders[0].by_site) == set(made.SITES)
    assert -0.9 < answer.growth.low < answer.growth.per_year < answer.growth.high


def test_a_rating_of_the_catalogue_serves_where_no_wear_is_stated(tmp_path):
    columns = made.one_drive(days=200, per_day=500 * GB)
    del columns["percent_used"]
    columns |= {
        "model": np.array(["SAMSUNG MZ7LH1T9HMLT-00005"] * 200),
        "capacity_bytes": np.full(200, 1_920_383_410_176.0),
    }
    answer = answer_of(write(tmp_path, columns))
    assert answer.dates.evidence[0] == "rated TBW"
    assert answer.dates.label[0] == "90 %"
    bare = answer_of(write(tmp_path, columns | {"model": np.array(["Unknown"] * 200)}))
    assert bare.dates.label[0] == "no dates"
    assert fleet_record(bare)["dates"]["ONE00001"]["early"] is None


def test_no_file_is_no_drive_and_no_error():
    answer = answer_of()
    assert answer.histories.readings.size == 0
    assert fleet_record(answer)["orders_by_month"][0]["expected"] == 0
