"""The tab of a fleet says what the command says of the same files."""

import json
import sys
from contextlib import chdir
from pathlib import Path

import numpy as np
import pytest

from models.units import DAY_S
from planner.export.fleet_tables import model_rows, month_rows, retire_rows
from planner.forecast.fleet import fleet
from planner.ui.fleet_reading import LEAD_DAYS
from planner.ui.measured_fleet import ALLOWED
from tests import synthetic_drives as logs
from tests.app.conftest import tables

PAGE = "planner/ui/measure.py"
DAYS = 200
TIDY = "date,serial,model,capacity_bytes,host_bytes,percent_used\n" + "".join(
    f"{np.datetime64('2026-01-01') + day},DRIVE{drive},Any NVMe,1000000000000,"
    f"{int((50 + drive) * 1e9 * day)},{(1 + drive) * day / 10:.1f}\n"
    for drive in range(3)
    for day in range(0, DAYS, 5)
)
FILES = {
    "tidy.csv": TIDY.encode(),
    "one.json": json.dumps(logs.nvme_json(serial_number="LOGGED1")).encode(),
    "notes *of* mine.md": b"# no drive",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fleet")
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def expected(folder):
    with chdir(folder):  # a drive without a serial number has the name of its file
        return fleet(map(Path, FILES), lead_s=LEAD_DAYS * DAY_S, now_s=0.0)


def rows_of(app, column):
    return next(one for one in tables(app) if column in one).to_dict("records")


def test_files_of_a_fleet_say_what_the_command_says_of_them(open_app, expected):
    app = open_app(what="A fleet").switch_page(PAGE).run()
    assert "No drive is read yet" in app.info[0].value
    given = [(name, data, "text/plain") for name, data in FILES.items()]
    given.append(("notes *of* mine.md", b"another", "text/plain"))
    app.file_uploader(key="fleet_files").set_value(given).run()
    assert not app.exception
    assert rows_of(app, "Host writes") == model_rows(expected)
    assert rows_of(app, "Drives to order") == month_rows(expected)
    assert rows_of(app, "Early") == retire_rows(expected)
    assert len(expected.histories.drives) == 4
    (refused,) = (one.value for one in app.warning)
    assert "\n- notes \\*of\\* mine.md: " in refused
    assert "\n- notes \\*of\\* mine (2).md: " in refused
    (chart,) = app.get("vega_lite_chart")
    assert json.loads(chart.proto.spec)["layer"]
    endings = [one.proto.label for one in app.get("download_button")]
    assert endings == ["Every drive as CSV", "Every drive as PARQUET", "Every drive as XLSX"]


def test_folders_are_read_only_where_the_app_was_started_so(
    open_app, folder, expected, monkeypatch
):
    assert not open_app(what="A fleet").switch_page(PAGE).run().text_area
    monkeypatch.setattr(sys, "argv", ["app.py", ALLOWED])
    app = open_app(what="A fleet").switch_page(PAGE).run()
    app.text_area(key="fleet_paths").set_value(f"{folder}/*").run()
    assert not app.exception
    assert rows_of(app, "Host writes") == model_rows(expected)
    app.text_area(key="fleet_paths").set_value(f"{folder}/nothing").run()
    assert "No drive could be read" in app.error[0].value
