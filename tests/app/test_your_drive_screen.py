"""The screen "Your drive": what was read with its fields, the forecast, and the plan with it."""

import pytest

from models.units import DAY_S
from planner.catalogue import find, load
from planner.export.telemetry_tables import forecast_rows
from planner.forecast import forecast
from planner.quantity.show import text
from planner.sections.request import plan_of
from planner.telemetry import read
from planner.ui import measured_drive
from tests import synthetic_drives as made
from tests import synthetic_fio as fio
from tests.app.conftest import linked, tables
from tests.telemetry_samples import files

PAGE = "planner/ui/measure.py"
SATA = {
    "attributes": [
        (9, "Power_On_Hours", 91, 2_400), (177, "Wear_Leveling_Count", 52, 110),
        (241, "Total_LBAs_Written", 98, 10**11), (251, "NAND_Writes", 100, 2 * 10**11),
    ],
}  # fmt: skip
WORN = made.sata_text("SAMSUNG MZ7LM960HCHP-0E003", **SATA).encode()
HISTORY = "\n".join(
    ["date,host_bytes,percentage_used"]
    + [f"{1_700_000_000 + day * 86_400},{day * 10**11},{day // 20}" for day in range(300)]
).encode()


@pytest.fixture
def upload(open_app):
    def files(**named):
        app = open_app().switch_page(PAGE).run()
        parts = [(name, data, "text/plain") for name, data in named.items()]
        app.file_uploader(key="files").set_value(parts).run()
        return app

    return files


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def test_without_a_file_the_screen_says_what_it_reads(open_app):
    app = open_app().switch_page(PAGE).run()
    assert not app.exception
    assert "smartctl JSON, Intel isdct JSON" in app.info[0].value
    assert "nothing of them is sent" in app.caption[0].value


def test_what_was_read_is_shown_with_its_fields(upload):
    app = upload(worn=WORN)
    assert not app.exception
    table = next(each for each in tables(app) if "Field" in each and "What" in each)
    row = table.set_index("What").loc["Write amplification"]
    assert row["Value"] == "2 x"
    assert "attribute 251 NAND_Writes" in row["Field"]


def test_one_reading_draws_an_interval_and_names_its_clock(upload):
    app = upload(worn=WORN)
    assert set(metrics(app)) == {"Early (rough)", "Middle", "Late (rough)"}
    chart = app.get("vega_lite_chart")[0]
    assert "rated life ends" in chart.proto.alt
    assert any("power-on time" in caption.value for caption in app.caption)
    app.date_input(key="since").set_value("2020-01-01").run()
    assert not app.exception
    assert any("Years of the calendar" in caption.value for caption in app.caption)


def test_a_series_draws_the_chance_and_the_planners_dates(upload):
    app = upload(history=HISTORY)
    answer = forecast(read("history", HISTORY).drives)
    shown = metrics(app)
    assert list(shown) == ["Early (5 % of drives)", "Middle", "Late (95 %)"]
    (stays,) = [text.value for text in app.markdown if "workload does not change" in text.value]
    for row in forecast_rows(answer):
        assert row["If the workload does not change"] in stays
    assert any("the band is 90 %; the dark part" in caption.value for caption in app.caption)
    assert shown["Middle"] == f"{answer.middle_s / (365 * 86_400):.1f} years"
    frame, most = measured_drive.picture(answer)
    chances = frame[frame["kind"] == "chance"]
    assert chances["chance"].is_monotonic_increasing
    assert chances["chance"].iloc[-1] > 95
    assert most > answer.late_s


def test_a_refused_file_is_a_sentence_beside_the_others(upload):
    app = upload(worn=WORN, broken=made.encoded(made.nvme_json())[:300])
    assert not app.exception
    (statement,) = app.error
    assert statement.value.startswith("Refused: broken: line 1")
    assert len(app.metric) == 3


def test_what_cannot_be_forecast_says_why(upload):
    app = upload(own=made.encoded(made.sata_json("A", attributes=[(241, "Total_LBAs", 9, 5)])))
    assert not app.exception
    assert "ambiguous: its unit is not known for this model" in app.warning[0].value
    assert any("No forecast: no reading says" in statement.value for statement in app.info)


def test_no_wear_at_all_has_no_end_to_draw(upload):
    app = upload(fresh=made.encoded(made.nvme_json(log=made.nvme_log(used=0))))
    assert not app.exception
    assert metrics(app)["Late (rough)"] == "no end in sight"


@pytest.mark.parametrize("used", [124, 163])
def test_a_drive_past_its_rated_life_is_said_in_red(upload, used):
    app = upload(worn=made.encoded(made.nvme_json(log=made.nvme_log(used=used))))
    assert not app.exception
    assert [error.value for error in app.error] == ["This drive is past its rated life."]
    assert not app.metric
    assert not app.get("vega_lite_chart")
    assert not any("No end of life" in info.value for info in app.info)


def test_a_drive_past_its_rated_tbw_gets_no_date_from_its_wear_indicator(upload):
    """At 369 % of its rating, while the indicator states 78 % used."""
    app = upload(worn=files()["smartctl_json/INTEL_SSDSC2BB240G4-sde.json"])
    assert not app.exception
    assert [error.value for error in app.error] == ["This drive is past its rated life."]
    assert not app.metric


def test_the_drive_of_the_file_is_planned(upload):
    app = upload(worn=WORN)
    app.button(key="plan_drive").click().run()
    assert not app.exception
    assert "what is left of this drive" in app.toast[0].value
    drive = find(load(), "PM863 960")
    assert app.selectbox(key="drive").value == drive.name
    assert app.text_input(key="writes").value == "512 GB/day"
    assert app.text_input(key="drives").value == "1"
    assert metrics(app)["Write amplification"] == text("workload_wa", 2.0, digits=3)
    assert linked(app, "written") == "51.2 TB"
    left = forecast(read("worn", WORN).drives).left[0].value_bytes / (512e9 / DAY_S)
    statement = " ".join(element.value for element in app.markdown)
    assert "by its wear indicator" in statement
    assert any("counted from 2024-11-07" in caption.value for caption in app.caption)
    options = {key: linked(app, key) for key in ("used", "written", "age", "as_of", "wa", "writes")}
    planned = plan_of(drive, **options).nodes["wear_life_s"].value
    assert planned == pytest.approx(left, rel=1e-4)
    assert any("Years left from 2024-11-07" in caption.value for caption in app.caption)


def test_a_drive_that_the_catalogue_lacks_is_planned_as_ones_own(upload):
    known = {"attributes": SATA["attributes"][:1]}
    statistics = [("Logical Sectors Written", 10**11)]
    app = upload(own=made.encoded(made.sata_json("ACME 1", **known, statistics=statistics)))
    app.button(key="plan_drive").click().run()
    assert not app.exception
    assert linked(app, "capacity") == "960.197124096 GB"
    assert app.text_input(key="writes").value == "512 GB/day"


def test_the_scenario_file_is_on_offer(upload):
    app = upload(worn=WORN)
    assert "Scenario file" in [button.proto.label for button in app.get("download_button")]


def test_files_stay_while_another_place_is_open_until_they_are_taken_away(upload):
    app = upload(worn=WORN)
    app.switch_page("planner/ui/plan.py").run()
    app.switch_page(PAGE).run()
    assert len(app.metric) == 3
    app.file_uploader(key="files").set_value([("history", HISTORY, "text/plain")]).run()
    assert {label for label in metrics(app) if "Early" in label} == {"Early (5 % of drives)"}
    away = [button for button in app.button if button.label == "worn"]
    assert len(away) == 1
    app.file_uploader(key="files").set_value([]).run()
    next(button for button in app.button if button.label == "worn").click().run()
    assert not app.metric


def verdicts(app):
    return [each.value for each in app.markdown if "badge[LASTS]" in each.value]


@pytest.mark.parametrize(
    "name",
    [
        "smartctl_json/INTEL_SSDSC2BB240G4-sde.json",
        "smartctl_json/INTEL_MEMPEK1W032GA-nvme0.json",
        "smartctl_text/CT1000MX500SSD1__1762B70D4138.txt",
        "smartctl_text/Samsung_SSD_840_EVO_1TB__08F0A01C749C.txt",
    ],
)
def test_the_verdict_on_a_file_is_that_of_its_plan_whatever_was_typed_before(open_app, name):
    """The catalogue lacks the second drive."""
    app = open_app(drives=4, raid="10", skew="80/20", years="3 years", reads="20%")
    app.switch_page(PAGE).run()
    app.file_uploader(key="files").set_value([("log", files()[name], "text/plain")]).run()
    (stated,) = verdicts(app)
    app.button(key="plan_drive").click().run()
    assert not app.exception
    assert verdicts(app) == [stated]
    assert linked(app, "years") == "3 years"


def nvme(serial, *, at_s=None, units=300_000_000, used=3):
    log = made.nvme_json(log=made.nvme_log(used=used, units=units), serial_number=serial)
    return made.encoded(log | ({"local_time": {"time_t": at_s}} if at_s else {}))


def give(open_app, files):
    app = open_app().switch_page(PAGE).run()
    parts = [(name, data, "text/plain") for name, data in files.items()]
    app.file_uploader(key="files").set_value(parts).run()
    assert not app.exception
    return app


def said(app):
    return " ".join(each.value for each in (*app.markdown, *app.subheader, *app.info))


def test_files_of_several_drives_open_their_fleet_at_once(open_app):
    app = give(open_app, {f"{each}.json": nvme(f"SERIAL{each}") for each in range(3)})
    assert "3 files: 3 drives in 3 files, shown as a fleet." in said(app)
    assert any("Retire first" in each.value for each in app.markdown)
    assert "Every drive as CSV" in [each.proto.label for each in app.get("download_button")]
    assert "No forecast" not in said(app)
    assert "several drives" not in said(app)


def test_files_of_one_drive_are_its_history(open_app):
    start, month = 1_700_000_000, 30 * 86_400
    logs = {
        f"{each}.json": nvme("SERIAL1", at_s=start + each * month, units=(each + 1) * 10**6)
        for each in range(3)
    }
    app = give(open_app, logs)
    assert "3 files: 1 drive in 3 files, shown as its history." in said(app)
    assert len(verdicts(app)) == 1
    assert linked(app, "what") == ""


def test_a_mix_of_files_says_what_became_of_each(open_app):
    files = {f"{each}.json": nvme(f"SERIAL{each}") for each in range(2)}
    files |= {"fio.json": fio.encoded(fio.run(fio.reads(1, 9_500))), "notes.md": b"# no drive"}
    app = give(open_app, files)
    assert "4 files: 2 drives in 2 files, shown as a fleet; 1 fio result; 1 refused." in said(app)
    assert "Refused: notes.md" in app.error[0].value


def test_a_table_of_several_serial_numbers_is_no_history_of_one_drive(open_app):
    rows = [
        f"{1_700_000_000 + day * 86_400},DRIVE{drive},{day * (drive + 1) * 10**11},{day // 20}"
        for drive in range(2)
        for day in range(0, 300, 10)
    ]
    table = "\n".join(["date,serial,host_bytes,percentage_used", *rows]).encode()
    app = give(open_app, {"table.csv": table})
    assert "1 file: 2 drives in 1 file, shown as a fleet." in said(app)
    assert any("Retire first" in each.value for each in app.markdown)
