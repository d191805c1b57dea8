"""A phone of 390 pixels: the answer before the form, names of drives, one subject at a time."""

import pytest

from planner.ui.how_right import SUMMARY, subjects
from planner.ui.reports import REPORTS
from tests.app.conftest import APP

pytest.importorskip("playwright.sync_api", reason="playwright is a development requirement")
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 844}
IS_IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
SIZE = "main => [main.scrollWidth, main.scrollHeight]"
REPORT = "Reads of measured drives"  # of the tables that are widest


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


def opened(page, url, last):
    page.set_viewport_size(PHONE)
    page.goto(url)
    page.get_by_text(last).last.wait_for(timeout=60_000)
    page.locator(IS_IDLE).wait_for(timeout=60_000)


def top(page, text):
    return page.get_by_text(text, exact=True).first.bounding_box()["y"]


def test_choose_shows_its_answer_above_its_form(page, server):
    opened(page, f"{server}/choose?like=PM9A3&writes=1000", "Download plans as CSV")
    last = page.get_by_text("Download plans as CSV").bounding_box()["y"]
    assert page.get_by_test_id("stAlert").first.bounding_box()["y"] < last
    assert last < top(page, "Requirements") < top(page, "Usable capacity")
    page.get_by_text("Change the requirements").click()
    page.wait_for_timeout(500)
    assert 0 <= top(page, "Requirements") < PHONE["height"]
    page.set_viewport_size(DESK)
    page.wait_for_timeout(300)
    assert top(page, "Requirements") < page.get_by_text("Download plans").bounding_box()["y"]
    assert not page.get_by_text("Change the requirements").is_visible()


def test_the_drive_of_drives_has_room_for_its_name(page, server):
    opened(page, f"{server}/drives?search=870+EVO", "Facts of Samsung 870 EVO 1 TB")
    field = page.locator(".st-key-drive input")
    assert field.evaluate("field => field.scrollWidth <= field.clientWidth")
    assert field.input_value() == "Samsung 870 EVO 1 TB"


def test_a_report_is_a_page_for_each_subject(page, server):
    opened(page, f"{server}/how_right", "cases")
    main = page.get_by_test_id("stMain")
    assert main.evaluate(SIZE)[0] == PHONE["width"]
    assert main.evaluate(SIZE)[1] < 8000
    page.get_by_role("radio", name=REPORT).click()
    subject = list(subjects((APP.parent / "docs/evidence" / f"{REPORTS[REPORT]}.md").read_text()))
    page.get_by_text("Subject").wait_for(timeout=60_000)
    page.locator(IS_IDLE).wait_for(timeout=60_000)
    page.get_by_role("combobox").click()
    page.get_by_role("option", name=subject[-1]).click()
    page.get_by_role("heading", name=subject[-1]).wait_for(timeout=60_000)
    assert page.get_by_role("heading", level=2).count() == 1
    assert main.evaluate(SIZE)[0] == PHONE["width"]


@pytest.mark.parametrize("report", sorted(REPORTS.values()))
def test_no_part_of_a_report_is_lost(report):
    text = (APP.parent / "docs/evidence" / f"{report}.md").read_text()
    pages = subjects(text)
    lines = [line for page in pages.values() for line in page.splitlines()]
    assert sorted(filter(None, lines)) == sorted(filter(None, f"#{text}".splitlines()))
    assert "Outside their bounds" not in pages
    assert ("Outside their bounds" in text) == ("Outside their bounds" in pages[SUMMARY])
