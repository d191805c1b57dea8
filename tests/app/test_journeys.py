"""What people come for, walked in a browser: ten questions, and what they do on the way.

Each question is asked of the screen as a visitor finds it, and answered in at most four steps: a
field filled, a click, a file. What must be read there is what the planner says.
"""

import re
from urllib.parse import urlencode

import openpyxl
import pyarrow.parquet
import pytest

from models.units import YEAR_S
from planner.application import answer_of
from planner.export.measured_options import options_of
from planner.forecast import forecast
from planner.search.commits import on_drive
from planner.search.verdict import verdict
from planner.sections.request import plan_of
from planner.telemetry import read
from tests import synthetic_drives as made
from tests import synthetic_fio as fio

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is a development requirement (make check)"
)
FIO = fio.encoded(fio.run(fio.reads(1, 9_500)))
# A request a second: three writes of 8 KiB to one read.
TRACE = b"time_s,op,offset,size\n" + b"".join(
    b"%d,%c,%d,8192\n" % (second, b"RWWW"[second % 4], 8192 * (second * 37 % 100))
    for second in range(400)
)
WORN = made.encoded(made.nvme_json(log=made.nvme_log(used=40, units=300_000_000)))


class Visitor:
    """Somebody at the screen, and how many steps he took."""

    def __init__(self, page):
        self.page, self.steps = page, 0

    def settle(self):
        self.page.wait_for_timeout(150)
        app = self.page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
        app.wait_for(timeout=60_000)
        self.page.wait_for_timeout(150)

    def start(self):
        self.page.get_by_role("button", name="Reset", exact=True).click()
        self.settle()
        self.steps = 0

    def fill(self, label, text):
        field = self.page.get_by_label(label, exact=True).first
        field.fill(text)
        self.page.wait_for_timeout(150)  # until the list of a box follows
        field.press("Enter")
        self._stepped()

    def click(self, name, role="button"):
        self.page.get_by_role(role, name=name, exact=True).first.click()
        self._stepped()

    def give(self, name, data):
        file = {"name": name, "mimeType": "application/json", "buffer": data}
        self.page.locator("input[type=file]").first.set_input_files(file)
        self._stepped()

    def _stepped(self):
        self.settle()
        self.steps += 1

    def sees(self, text):
        """Wait until a text is on the screen."""
        main = self.page.get_by_test_id("stMain")
        playwright.expect(main).to_contain_text(" ".join(text.split()), use_inner_text=True)


@pytest.fixture(scope="module")
def visitor(browser, server):
    page = browser.new_page()
    page.requested = []
    page.on("request", lambda request: page.requested.append(request.url))
    page.goto(server)
    page.get_by_text("NEXT").wait_for(timeout=60_000)
    yield Visitor(page)
    page.close()


def nas(visitor):
    """I put an 870 EVO of 1 TB into a NAS and write 30 GB a day. Will it last five years?"""
    visitor.click("NAS drive")
    return verdict(plan_of("870 EVO 1TB", writes="30 GB/day")).lasts.text


def heavy(visitor):
    """I render 800 GB a day onto a 980 PRO of 1 TB. When is its rating used up?"""
    visitor.fill("drive", "Samsung 980 PRO 1 TB")
    visitor.fill("writing", "800 GB")
    return "600 TB are used up after 2.1 years"  # 600 / (0.8 * 365)


def database(visitor):
    """Is a database on 12 drives in RAID 10 safe at 10 TB a day?"""
    visitor.click("12-drive database")
    plan = {"writes": "10 TB/day", "drives": 12, "raid": 10, "skew": "80/20", "size": "16 KiB"}
    return verdict(plan_of("PM9A3 3.84", **plan)).safe.text


def mirror(visitor):
    """What does a mirror of my drive save me from, and what does it cost?"""
    visitor.click("Apply")
    return verdict(plan_of("870 EVO 1TB", writes="30 GB/day", drives=2, raid=1)).safe.text


def raid(visitor):
    """Four MX500 of 1 TB in RAID 5, 200 GB a day: how likely do I lose data?"""
    visitor.fill("I have", "4")
    visitor.fill("drives of the model", "Crucial MX500 1 TB")
    visitor.fill("as RAID", "5")
    visitor.fill("writing", "200 GB")
    return verdict(plan_of("MX500 1TB", drives=4, raid=5, writes="200 GB/day")).safe.text


def worst(visitor):
    """How long may my games stutter on a QVO of 4 TB?"""
    visitor.fill("drive", "Samsung 870 QVO 4 TB")
    return verdict(plan_of("870 QVO 4TB", writes="30 GB/day")).worst.text


def recorder(visitor):
    """Does the drive of my camera recorder last six years?"""
    visitor.click("Recorder")
    visitor.fill("for", "6 years")
    plan = plan_of("870 QVO 4TB", writes="700 GB/day", sequential="95%", size="256 KiB")
    return verdict(plan, 6 * YEAR_S).lasts.text


def unlisted(visitor):
    """My drive is not in the list: QLC, NVMe, 2 TB, of 2022. Does it bear 50 GB a day?"""
    visitor.fill("drive", "A drive that you describe")
    visitor.fill("of", "2 TB")
    visitor.fill("kind", "QLC client NVMe 2022")
    visitor.fill("writing", "50 GB")
    plan = plan_of(capacity="2 TB", kind="QLC client NVMe 2022", writes="50 GB/day")
    return verdict(plan).lasts.text


def spare(visitor):
    """What do I gain if I leave a twentieth of the drive empty?"""
    visitor.fill("writing", "400 GB")
    slider = visitor.page.get_by_role("slider", name="Left unpartitioned")
    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")
    visitor.page.wait_for_url("**spare=5%25**")
    visitor._stepped()
    return verdict(plan_of("870 EVO 1TB", writes="400 GB/day", spare="5%")).lasts.text


def worn(visitor):
    """smartctl says that 40 % of my drive is used. How long is left?"""
    visitor.click("My SMART file")
    visitor.give("smart.json", WORN)
    visitor.click("Plan this drive")
    reading = read("smart.json", WORN)
    left, options = forecast(reading.drives), options_of([reading])
    plan = plan_of(options.pop("drive"), **options)
    by_wear = left.left[0].value_bytes / left.host_bytes_per_s
    assert plan.nodes["wear_life_s"].value == pytest.approx(by_wear, rel=1e-4)
    return verdict(plan).lasts.text


def hosts(visitor):
    """Is the store of my VM hosts safe?"""
    visitor.click("VM host")
    return verdict(
        plan_of("7450 PRO 3.84", writes="2 TB/day", drives=4, raid=10, skew="80/20")
    ).safe.text


def transactions(visitor):
    """A PostgreSQL takes 5,000 transactions a second on a 7450 PRO. Does the drive last?"""
    visitor.click("My application")
    visitor.fill("Transactions per second", "5000")
    load = on_drive(answer_of("postgres-oltp", {"transactions_per_s": "5000"}), "7450 PRO 3.84")
    return verdict(plan_of("7450 PRO 3.84", **load.plan_inputs)).lasts.text


QUESTIONS = [
    nas, heavy, database, mirror, raid, worst, recorder, unlisted, spare, worn, hosts, transactions,
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_a_question_is_answered_in_four_steps(visitor, question):
    visitor.start()
    expected = question(visitor)
    visitor.sees(expected)
    assert visitor.steps <= 4


SCENARIO = {"drive": "Samsung PM9A3 3.84 TB", "drives": "4", "raid": "10", "writes": "2 TB/day"}
# Addresses of screens that were, and where they lead.
FORMER = {
    "what_if": ("/", "Endurance"), "speed": ("/", "Speed"), "array": ("/", "Array"),
    "amplification": ("/", "Endurance"), "your_drive": ("/measure", ""),
    "your_workload": ("/measure", ""),
}  # fmt: skip


@pytest.mark.parametrize("former", FORMER)
def test_a_former_address_leads_to_its_place_with_its_scenario(visitor, server, former):
    place, part = FORMER[former]
    visitor.page.goto(f"{server}/{former}?{urlencode(SCENARIO)}")
    visitor.page.wait_for_url(f"{server}{place}?*")
    visitor.settle()
    assert urlencode(SCENARIO) in visitor.page.url
    if part:
        chosen = visitor.page.get_by_role("radio", name=part, exact=True)
        playwright.expect(chosen).to_be_checked()
    else:
        visitor.sees("No file is read yet")


def test_what_fio_measured_goes_into_the_plan(visitor, server):
    visitor.page.goto(f"{server}/measure?drive=845DC+PRO+400")
    visitor.give("fio.json", FIO)
    visitor.sees("The file does not name its drive. Nothing is compared until you choose it.")
    use = visitor.page.get_by_role("button", name="Use in plan", exact=True)
    playwright.expect(use).to_be_disabled()
    assert visitor.page.get_by_text("What the test says of the drive").count() == 0
    visitor.click("It is the drive of the plan, Samsung 845DC PRO 400 GB")
    visitor.page.get_by_text("What the test says of the drive").wait_for(timeout=60_000)
    visitor.click("Use in plan")
    visitor.page.wait_for_url("**fact=**")
    visitor.page.get_by_text("NEXT").wait_for(timeout=60_000)


def test_files_of_a_fleet_are_read_together(visitor, server):
    page = visitor.page
    page.goto(f"{server}/measure?what=A+fleet")
    files = [
        {"name": f"{number}.json", "mimeType": "application/json",
         "buffer": made.encoded(made.nvme_json(serial_number=f"SERIAL{number}"))}
        for number in range(2)
    ]  # fmt: skip
    files.append({"name": "notes.md", "mimeType": "text/plain", "buffer": b"# none"})
    page.locator("input[type=file]").first.set_input_files(files)
    page.get_by_text("2 drives in 2 files").wait_for(timeout=60_000)
    visitor.settle()
    visitor.sees("Not used notes.md: ")
    with page.expect_download(timeout=60_000) as download:
        page.get_by_role("button", name="Every drive as PARQUET").click()
    assert pyarrow.parquet.read_table(download.value.path()).num_rows == 2


def test_a_row_of_the_catalogue_is_planned(visitor, server):
    page = visitor.page
    page.goto(f"{server}/drives?search=7450+PRO+3.84")
    page.get_by_text(re.compile("^1 of [0-9,]+ drives")).wait_for(timeout=60_000)
    visitor.settle()
    page.locator("[data-testid=stDataFrame] .dvn-scroller").first.click(position={"x": 20, "y": 53})
    page.get_by_text("Facts of Micron 7450 PRO 3.84 TB").wait_for(timeout=30_000)
    page.wait_for_url("**drive=Micron+7450+PRO+3.84+TB**")


def test_what_a_trace_wrote_goes_into_the_plan(visitor, server):
    visitor.page.goto(f"{server}/measure?drive=845DC+PRO+400")
    visitor.give("trace.csv", TRACE)
    visitor.page.get_by_text("Write amplification on").wait_for(timeout=60_000)
    visitor.sees("Requests 400")
    visitor.click("Use in plan")
    writing = visitor.page.get_by_label("writing", exact=True)
    playwright.expect(writing).to_have_value(re.compile("GiB/day"), timeout=30_000)
    rate = float(writing.input_value().partition(" ")[0].replace(",", ""))
    assert rate == pytest.approx(300 * 8192 / 399 * 86400 / 2**30, rel=0.01)


def test_undo_redo_and_reset_restore_the_sentence(visitor, server):
    page = visitor.page
    page.goto(server)
    writing = page.get_by_label("writing", exact=True)
    for rate in ("70 GB", "80 GB"):
        visitor.fill("writing", rate)
    for step, there in (("Undo", 70), ("Undo", 30), ("Redo", 70), ("Reset", 30), ("Undo", 70)):
        visitor.click(step)
        playwright.expect(writing).to_have_value(f"{there} GB/day", timeout=30_000)
        lasts = verdict(plan_of("870 EVO 1TB", writes=f"{there} GB/day")).lasts.text
        playwright.expect(page.get_by_test_id("stMain")).to_contain_text(lasts[:60])


def test_back_and_forward_restore_what_was_there(visitor, server):
    page = visitor.page
    page.goto(server)
    page.get_by_text("NEXT").wait_for(timeout=60_000)  # an edit before it may be lost
    visitor.settle()
    writing = page.get_by_label("writing", exact=True)
    for rate in ("100", "200"):
        visitor.fill("writing", f"{rate} GB")
        page.wait_for_url(f"**writes={rate}**")  # an edit during its run would share its address
    for go, there in ((page.go_back, "100"), (page.go_back, "30"), (page.go_forward, "100")):
        go()
        playwright.expect(writing).to_have_value(f"{there} GB/day", timeout=30_000)
        visitor.settle()
    visitor.click("Compare", role="link")
    page.wait_for_url("**/compare?**writes=100**")
    for _ in range(4):  # its address had nothing at first
        page.go_back()
        visitor.settle()
        if "/compare" not in page.url:
            break
    assert page.url.startswith(f"{server}/?")
    playwright.expect(writing).to_have_value("100 GB/day")


def test_a_link_opens_in_another_window_and_a_bad_one_is_named(visitor, browser, server):
    other = Visitor(browser.new_page())
    other.page.goto(f"{server}/?{urlencode(SCENARIO)}")
    playwright.expect(other.page.get_by_label("I have", exact=True)).to_have_value("4")
    other.settle()
    other.sees(verdict(plan_of("PM9A3 3.84", drives=4, raid=10, writes="2 TB/day")).safe.text)
    other.page.goto(f"{server}/?drive=foo&writes=4&raid=9&colour=red")
    other.page.get_by_text("In the link, but ignored:").wait_for(timeout=60_000)
    for name in ("drive=foo", "raid must be one of", "colour is not an input"):
        other.sees(name)
    other.page.close()


def test_the_workbook_of_a_choice_opens_with_the_best_plan(visitor, server, tmp_path):
    asked = {"like": "845DC", "writes": "1 TB/day", "usable": "2 TB"}
    visitor.page.goto(f"{server}/choose?{urlencode(asked)}")
    button = visitor.page.get_by_role("button", name=re.compile("workbook", re.IGNORECASE)).first
    button.wait_for(timeout=60_000)
    visitor.settle()
    best = visitor.page.get_by_test_id("stAlert").first.inner_text()
    with visitor.page.expect_download(timeout=60_000) as download:
        button.click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    rows = (row for sheet in openpyxl.load_workbook(path) for row in sheet.iter_rows(max_row=40))
    cells = [str(cell.value) for row in rows for cell in row]
    model = best.partition(" x ")[2].partition(" in ")[0]
    assert any(model in cell for cell in cells), best


def test_a_phone_shows_the_verdict_first_and_nothing_sideways(visitor, server):
    page = visitor.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(server)
    page.get_by_text("NEXT").wait_for(timeout=60_000)
    visitor.settle()
    statement = page.get_by_test_id("stMarkdownContainer").filter(has_text="LASTS").bounding_box()
    picture = page.locator(".st-key-life_bar").bounding_box()
    assert statement["y"] < 400
    assert statement["width"] > 320  # beside nothing
    assert picture["y"] + picture["height"] < 740
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth") <= 360
    assert picture["width"] <= 360


def test_nothing_was_asked_of_another_machine(visitor, server):
    own = (server, server.replace("http", "ws", 1), "data:", "blob:")
    assert [url for url in visitor.page.requested if not url.startswith(own)] == []
