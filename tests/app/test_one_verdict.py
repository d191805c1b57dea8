"""In a browser: one verdict and every control, whatever is typed, opened or read from a file."""

from urllib.parse import urlencode

import pytest

from models.units import YEAR_S
from planner.scenario.risk import Risk
from planner.search.verdict import verdict
from planner.sections.request import plan_of
from tests import synthetic_drives as made
from tests.app.test_journeys import Visitor

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is a development requirement (make check)"
)
MIRRORS = {"drive": "Samsung PM9A3 3.84 TB", "drives": "12", "raid": "10", "writes": "1 TB/day"}
RAID_5 = {"drive": "Samsung 870 EVO 4 TB", "drives": "8", "raid": "5", "writes": "1 TB/day"}
CONTROLS = ("I have", "drives of the model", "as RAID", "writing", "for")
PARTS = ("Endurance", "Speed", "Array", "Cost", "Every number")
WORN = made.encoded(made.nvme_json(log=made.nvme_log(used=40, units=300_000_000)))


@pytest.fixture(scope="module")
def visitor(browser, server):
    page = browser.new_page()
    yield Visitor(page)
    page.close()


@pytest.fixture
def at(visitor, server):
    def open_(place="", **query):
        visitor.page.goto(f"{server}/{place}?{urlencode(query)}")
        visitor.page.locator(".st-key-fields, .st-key-files").first.wait_for(timeout=60_000)
        visitor.settle()

    return open_


def verdict_of(page):
    return page.locator(".st-key-verdict")


def assert_alive_and_grey(page, refusal):
    """Hold that a refusal is red above the last good answer in grey, beside every control."""
    alert = page.get_by_role("alert").filter(has_text=refusal).first
    playwright.expect(alert).to_be_visible()
    answer = verdict_of(page).locator("> *").last
    playwright.expect(answer).to_have_css("filter", "grayscale(1)")
    assert alert.bounding_box()["y"] < answer.bounding_box()["y"]
    for label in CONTROLS:
        playwright.expect(page.get_by_label(label, exact=True).first).to_be_enabled()
    for part in PARTS:
        playwright.expect(page.get_by_role("radio", name=part, exact=True)).to_be_visible()


def test_fewer_drives_than_a_layout_takes_leave_the_page(visitor, at):
    at(**MIRRORS)
    lasts = verdict(plan_of(**MIRRORS)).lasts.text
    visitor.sees(lasts)
    visitor.fill("I have", "3")
    assert_alive_and_grey(visitor.page, "the figures are those of Drives '12'")
    visitor.sees(lasts)
    visitor.fill("I have", "4")
    playwright.expect(verdict_of(visitor.page).locator("> *").last).to_have_css("filter", "none")


def test_a_link_to_an_impossible_pair_leaves_the_page(visitor, at):
    at(**MIRRORS | {"drives": "3"})
    assert_alive_and_grey(visitor.page, "Drives must be")


@pytest.mark.parametrize(("label", "text", "risk"), [
    ("AFR", "40%", Risk(afr_fraction=0.4)),
    ("Unrecoverable bit errors", "1e-17", Risk(uber=1e-17)),
])  # fmt: skip
def test_failures_that_are_typed_on_the_array_are_in_the_verdict_at_once(
    visitor, at, label, text, risk
):
    at(**RAID_5, part="Array")
    visitor.sees(verdict(plan_of(**RAID_5)).safe.text)
    field = visitor.page.get_by_label(label, exact=True).first
    field.fill(text)
    field.press("Enter")
    visitor.settle()
    other = verdict(plan_of(**RAID_5), 5 * YEAR_S, risk).safe.text
    assert other != verdict(plan_of(**RAID_5)).safe.text
    visitor.sees(other)


def test_a_partial_link_starts_from_the_first_screen_and_names_what_it_ignores(visitor, at):
    at(growth="20%", colour="red", raid="9", writes="4 apples")
    page = visitor.page
    playwright.expect(page.get_by_label("drive", exact=True).first).to_have_value(
        "Samsung 870 EVO 1 TB"
    )
    playwright.expect(page.get_by_label("I have", exact=True)).to_have_value("1")
    playwright.expect(page.get_by_label("for", exact=True)).to_have_value("5 years")
    for named in ("colour is not an input", "raid must be one of", "writes must be a rate"):
        visitor.sees(named)


def test_an_amount_in_a_link_is_read_as_the_field_reads_it(visitor, at):
    at(writes="4TB")
    writing = visitor.page.get_by_label("writing", exact=True)
    playwright.expect(writing).to_have_value("4TB/day")
    assert visitor.page.get_by_role("alert").count() == 0
    said = verdict(plan_of("870 EVO 1TB", writes="4 TB/day")).lasts.text
    visitor.sees(said)
    at()
    visitor.fill("writing", "4TB")
    playwright.expect(writing).to_have_value("4TB/day")
    visitor.sees(said)


def test_a_file_has_one_verdict_on_my_drive_and_in_its_plan(visitor, at):
    at("measure")
    visitor.give("smart.json", WORN)
    lasts = visitor.page.get_by_test_id("stMarkdownContainer").filter(has_text="LASTS").first
    said = lasts.inner_text().removeprefix("LASTS").strip()
    visitor.click("Plan this drive")
    visitor.page.get_by_text("NEXT").wait_for(timeout=60_000)
    visitor.sees(said)
