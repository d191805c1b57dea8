"""No column is cut at 1280 pixels: what is chosen, the catalogue, a fleet; others: see axe."""

import json
from urllib.parse import quote

import pytest

from planner.catalogue import load, search
from planner.export.choice_tables import ranked_rows
from planner.search.choose import choose
from planner.search.choose.request import choice_request
from planner.ui import choose as choosing
from planner.ui import drives
from tests import synthetic_drives as made
from tests.app.conftest import APP
from tests.app.cut_columns import DRAWN, cut, overlapping
from tests.app.test_fleet_tab import TIDY

pytest.importorskip("playwright.sync_api", reason="playwright is a development requirement")
NARROW = {"width": 1280, "height": 900}
IS_IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
# Requests whose tables are unlike: single drives, many drives with space left free, servers, none.
REQUESTS = {
    "as it opens": "",
    "many drives": "writes=4TB/day&c_usable=40&plp=true&iops=50000",
    "servers": "like=PM9A3&writes=1000&c_usable=10&nodes=3,5&bays=12&watts=200",
    "nothing": "c_usable=5000",
}
# A model whose name says all that a name can, as vendors do.
LONG = made.nvme_json(
    serial_number="S0ME-SER1AL-0F-2O-D1G", model_name="SAMSUNG MZWLR15THALA-00007 BW"
)


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    page.add_init_script(DRAWN)
    page.set_viewport_size(NARROW)
    yield page
    page.close()


def settled(page):
    page.locator(IS_IDLE).wait_for(timeout=60_000)
    page.wait_for_timeout(300)


def views(page, names):
    """Choose one set of columns after the other."""
    for name in names:
        page.get_by_role("radio", name=name, exact=True).click()
        page.wait_for_timeout(200)
        settled(page)
        yield name


@pytest.mark.parametrize("request_", REQUESTS)
def test_no_column_of_choose_is_cut(page, server, request_):
    page.goto(f"{server}/choose?{quote(REQUESTS[request_], safe='=&')}")
    page.get_by_text("Download plans as CSV").wait_for(timeout=60_000)
    settled(page)
    assert cut(page) == []
    if request_ != "nothing":
        for name in views(page, choosing.VIEWS):
            assert cut(page) == [], name


def test_every_column_of_a_ranked_plan_is_in_a_view():
    request = choice_request(search(load(), "PM9A3"), minimise="cost", usable="4 TB",
                             writes="30 GB/day")  # fmt: skip
    shown = {"", "Drive", "Plan", "Quote"}.union(*choosing.VIEWS.values())
    assert shown.issuperset(ranked_rows(choose(**request))[0])


def test_no_column_of_the_catalogue_is_cut(page, server):
    longest = max(load().drives.values(), key=lambda drive: len(drive.name))
    for words in (longest.name, ""):
        page.goto(f"{server}/drives?search={quote(words)}")
        page.get_by_text("drives; some facts").wait_for(timeout=60_000)
        for name in views(page, drives.VIEWS):
            page.evaluate("window.drawn = []")
            page.get_by_test_id("stDataFrame").hover()
            page.mouse.move(0, 0)
            page.wait_for_timeout(300)
            assert cut(page) == [], name
            assert page.evaluate("window.drawn.length") > 0
            assert overlapping(page) == [], name


def test_the_dates_of_a_fleet_are_not_cut(page, server):
    page.goto(f"{server}/measure?what=A+fleet")
    files = {"tidy.csv": TIDY.encode(), "long.json": json.dumps(LONG).encode()}
    page.locator("input[type=file]").set_input_files([
        {"name": name, "mimeType": "text/plain", "buffer": data} for name, data in files.items()
    ])  # fmt: skip
    page.get_by_text("Every drive as CSV").wait_for(timeout=60_000)
    settled(page)
    assert page.get_by_text("Retire first").count() == 1
    assert cut(page) == []


def test_the_catalogue_alone_is_drawn_on_a_canvas():
    on_canvas = {path.stem for path in APP.parent.glob("planner/ui/*.py")
                 if "st.dataframe(" in path.read_text()}  # fmt: skip
    assert on_canvas == {"drives"}


def test_what_is_cut_is_noticed(page):
    page.goto("about:blank")
    table = "<div data-testid=stTable style='width:{}px;overflow:auto'><table><td>{}</table></div>"
    page.set_content(table.format(50, "unbreakable" * 9) + table.format(500, "word " * 40))
    (found,) = cut(page)
    assert found[0] == "table"
    page.evaluate(DRAWN)
    page.evaluate("""() => {
        const pen = document.createElement('canvas').getContext('2d');
        pen.fillText('a long text', 0, 10);
        pen.fillText('b', 20, 10);
        pen.fillText('c', 200, 10);
    }""")
    assert overlapping(page) == [("a long text", "b")]
