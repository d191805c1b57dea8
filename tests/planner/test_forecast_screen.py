"""First screen of `forecast`: lines, the rating before the wear indicator, no dates undated."""

import re
from pathlib import Path

import pytest

from models.units import DAY_S, GB, KIB, TB, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.rated import rated_bytes_of
from planner.cli import main
from planner.export.forecast_screen import forecast_lines, sentences
from planner.export.forecast_why import TOPICS, forecast_why
from planner.export.telemetry_tables import forecast_record, forecast_rows
from planner.forecast import NoForecast, forecast
from planner.sections.request import plan_of
from planner.telemetry import DriveReading, Observed
from tests.telemetry_samples import files, readings

ROOT = Path(__file__).parents[2]
MOST_LINES = 12
COLUMNS = 100
DATE = re.compile(r"\b(19|20|21|22|23)\d\d-\d\d")
PRO = find(load(), "980 PRO 2TB")
READ_S = 1_790_000_000.0  # 2026-09-21


def exact(value):
    return Observed(value=value, field="counter", low=value, high=value)


def reading(written=24 * TB, used=0.03, **more):
    named = {"read_at_s": READ_S, "power_on_s": exact(300 * DAY_S), **more}
    share = Observed(value=used, field="points", low=max(used - 0.01, 0), high=used + 0.01)
    return DriveReading(host_bytes=exact(written), used_fraction=share, **named)


def test_the_rating_is_the_headline_and_the_wear_indicator_stands_behind_it():
    answer = forecast([reading()], drive=PRO, in_service_s=READ_S - 300 * DAY_S)
    heading, rate, warranty, more = forecast_lines(answer)
    assert heading == "Samsung 980 PRO 2 TB: rated endurance left 1,176 of 1,200 TB"
    assert rate.startswith("At 80 GB a day it lasts over 30 years by its rating; roughly ")
    assert warranty.startswith(
        "Warranty until 2030-11-24 (4.2 years after the reading). Ends first: the warr"
    )
    assert more == "Narrower with: a second reading in 8 weeks. More: --all, --why lasts, --json"


@pytest.mark.parametrize("moment", [None, 3.0 * DAY_S])
def test_without_a_clock_there_are_durations_and_no_dates(moment):
    clock = {"read_at_s": moment, "clock_set": moment is None}
    answer = forecast([reading(200 * TB, 0.2, **clock)], drive=PRO)
    lines = forecast_lines(answer)
    assert not DATE.search(" ".join(lines))
    assert "durations, no dates" in " ".join(lines)
    assert "it lasts 4.1 years by its rating" in lines[1]
    assert {row["Date"] for row in forecast_rows(answer)} == {""}
    assert set(forecast_record(answer)["dates"].values()) == {None}


def test_a_drive_past_its_rated_tbw_has_no_time_left_whatever_its_wear_indicator_says():
    s3500 = find(load(), "DC S3500 240")
    answer = forecast([reading(516 * TB, 0.78, power_on_s=exact(5 * YEAR_S))], drive=s3500)
    assert (answer.is_past, answer.late_s, answer.label) == (True, 0.0, "retire now")
    heading, retire, *_ = forecast_lines(answer)
    assert heading == "Intel DC S3500 240 GB: 516 TB written, 369 % of the rated 140 TB"
    assert retire.startswith("Retire it now")
    assert not DATE.search(" ".join(forecast_lines(answer)))
    assert forecast_record(answer)["rating"]["rated_bytes"] == 140 * TB
    assert "the rated TBW is used" in answer.disagreements[0]
    assert answer.left[0].kind == "wear indicator"


WORN = reading(516 * TB, 0.78, power_on_s=exact(5 * YEAR_S))
SERIES = [reading(9 * TB, 0.03, read_at_s=READ_S - 60 * DAY_S), reading(24 * TB, 0.08)]
CASES = {
    "one": forecast([reading(200 * TB, 0.2)], drive=PRO),
    "series": forecast(SERIES, drive=PRO),
    "past": forecast([WORN], drive=find(load(), "DC S3500 240")),
    "nameless": forecast([reading(200 * TB, 0.2)]),
}


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("case", CASES)
def test_every_sentence_opens_to_its_evidence(case, topic):
    answer = CASES[case]
    lines = forecast_why(answer, topic)
    told = dict(zip(("left", "lasts", "warranty"), sentences(answer).values(), strict=True))
    assert topic not in told or lines[0] == told[topic]
    assert lines[-1].startswith("  Narrower with: ")
    assert sum(line.startswith("  Narrower with: ") for line in lines) == 1
    assert len(lines) >= 2 + (topic == "lasts")


def test_the_evidence_gives_the_numbers_of_the_screen():
    """200 TB in 300 days are 667 GB a day; 1,000 TB left of 1,200 TB are 4.1 years of it."""
    left, lasts, warranty = (
        "\n".join(forecast_why(CASES["one"], topic)) for topic in ("left", "lasts", "warranty")
    )
    assert "Rated TBW 1,200 TB (catalogue, Samsung 980 PRO 2 TB) less 200 TB written: 1,000" in left
    assert "Rated TBW leaves 1,000 TB at 667 GB a day: 4.1 years." in lasts
    assert "Wear indicator leaves 800 TB (752 TB to 853 TB) at 667 GB a day: 3.1 to 3.5" in lasts
    assert "Narrower with: --since DATE, when its use began." in warranty
    assert "--drive NAME" in forecast_why(CASES["nameless"], "left")[-1]
    assert "nothing, its rated life is used up" in forecast_why(CASES["past"], "lasts")[-1]


def test_a_number_of_json_opens_its_sentence(tmp_path, capsys):
    path = tmp_path / "own.json"
    path.write_bytes((ROOT / "docs/examples/smartctl.json").read_bytes())
    outputs = []
    for name in ("lasts", "middle_s"):
        assert main(["forecast", str(path), "--why", name]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert outputs[0].splitlines()[-1] == "  Narrower with: a second reading in 8 weeks."
    assert max(map(len, outputs[0].splitlines())) <= COLUMNS
    assert main(["forecast", str(path), "--why", "safe"]) == 2
    assert "--why must be left, rate, lasts, warranty, wa or a number" in capsys.readouterr().err


def test_an_end_more_than_thirty_years_away_is_no_date():
    answer = forecast([reading(GB)], drive=PRO, in_service_s=READ_S - 300 * DAY_S)
    shown = [cell for row in forecast_rows(answer) for cell in row.values()]
    assert "over 30 years" in shown
    dates = forecast_record(answer)["dates"]
    assert (dates["early"][:2], dates["late"]) == ("20", None)


@pytest.mark.parametrize("name", sorted(files()))
def test_the_screen_of_every_sample_fits(name, tmp_path, capsys):
    path = tmp_path / name.rpartition("/")[2]
    path.write_bytes(files()[name])
    if main(["forecast", str(path)]) == 0:
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) <= MOST_LINES
        assert max(map(len, lines)) <= COLUMNS


def test_no_sample_promises_a_year_to_a_drive_past_its_rating():
    past = 0
    for drive in (drive for one in readings() for drive in one.drives):
        try:
            answer = forecast([drive])
        except NoForecast:
            continue
        if answer.rating is not None and (answer.rating.used_share or 0) >= 1:
            past += 1
            assert answer.is_past
            assert "Retire it now" in forecast_lines(answer)[1]
    assert past >= 3


def test_a_rating_in_drive_writes_per_day_is_that_of_the_plan():
    """A forecast took no notice of it: one file, two verdicts."""
    drives = [
        drive for drive in load().drives.values()
        if drive.value("rated_bytes") is None and drive.value("rated_dwpd")
        and (drive.value("unit_bytes") or 0) <= 16 * KIB
    ]  # fmt: skip
    assert len(drives) > 300
    for drive in drives[::6]:
        life = plan_of(drive, writes="1 GB/day", size="16 KiB")["rated_life_s"]
        limit = rated_bytes_of(drive)
        assert life.value * GB / DAY_S == pytest.approx(limit.value, rel=1e-9), drive.name
        assert limit.low <= limit.value == limit.high
