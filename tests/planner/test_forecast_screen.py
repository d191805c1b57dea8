"""First screen of `forecast`: lines, the rating before the wear indicator, no dates undated."""

import re

import pytest

from models.units import DAY_S, GB, TB, YEAR_S
from planner.catalogue import find, load
from planner.cli import main
from planner.export.forecast_screen import forecast_lines
from planner.export.telemetry_tables import forecast_record, forecast_rows
from planner.forecast import NoForecast, forecast
from planner.telemetry import DriveReading, Observed
from tests.telemetry_samples import files, readings

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
    assert warranty.startswith("Warranty until 2030-11-24 (4.2 years left). Ends first: the warr")
    assert more == "Narrower with: a second reading in 8 weeks. More: --all, --json"


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
