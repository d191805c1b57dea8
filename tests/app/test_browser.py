"""The app in a real browser: loopback only, a slider moves a number, a link restores it."""

import contextlib
import re
import socket
import time
import urllib.request
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from planner.export.scenario_file import to_json
from tests import synthetic_drives as made

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is a development requirement (make check)"
)
ROOT = Path(__file__).parents[2]
EXAMPLE = urlencode({
    "drive": "Samsung 845DC PRO 400 GB", "writes": "10000 GiB/day", "drives": 12, "raid": 5,
})  # fmt: skip


@pytest.fixture(scope="module")
def window(browser):
    """One page for all tests: to open a new one and load the app takes seconds."""
    page = browser.new_page()
    page.requested = []
    page.on("request", lambda request: page.requested.append(request.url))
    yield page
    page.close()


@pytest.fixture
def page(window, server):
    """The example, with its charts, unless another test of the example has just left it there."""
    page = window
    if not page.url.startswith(f"{server}/?{EXAMPLE}"):
        page.goto(f"{server}/?{EXAMPLE}")
    page.get_by_test_id("stMetric").first.wait_for(timeout=60_000)
    page.locator(
        "[data-testid=stVegaLiteChart] canvas, [data-testid=stVegaLiteChart] svg"
    ).first.wait_for(timeout=60_000)
    return page


def metric(page, label):
    box = page.get_by_test_id("stMetric").filter(has_text=label)
    return box.get_by_test_id("stMetricValue").inner_text()


def wait_for_change(page, label, before):
    for _ in range(100):
        if (now := metric(page, label)) != before:
            return now
        time.sleep(0.1)
    pytest.fail(f"{label} stayed at {before}")


def test_a_slider_moves_the_numbers_and_the_link_keeps_the_scenario(page, browser, server):
    assert metric(page, "Life by endurance").startswith("11.2")
    slider = page.get_by_role("slider", name="Left unpartitioned")
    slider.focus()
    page.get_by_test_id("stStatusWidget").wait_for(state="detached")
    for _ in range(100):
        if slider.input_value() == "3":
            break
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(50)
    wait_for_change(page, "Write amplification", "2.04 x")
    page.wait_for_url("**spare=3%25**")
    again = browser.new_page()
    again.goto(page.url)
    again.get_by_test_id("stMetric").first.wait_for(timeout=60_000)
    moved = metric(again, "Write amplification")
    assert moved != "2.04 x"
    playwright.expect(page.get_by_test_id("stMetricValue").filter(has_text=moved)).to_have_count(1)
    again.close()


def test_no_request_leaves_the_machine(page, server):
    outside = [url for url in page.requested if not url.startswith((server, "data:", "blob:"))]
    assert outside == []


def test_workbook_and_csv_can_be_downloaded(page, tmp_path):
    page.get_by_role("radio", name="Every number").click()
    for name, start in (("Download CSV", b"section,"), ("Download workbook", b"PK")):
        with page.expect_download(timeout=60_000) as download:
            page.get_by_role("button", name=name).click()
        target = tmp_path / download.value.suggested_filename
        download.value.save_as(target)
        assert target.read_bytes().startswith(start)


def test_charts_say_what_they_show(page):
    statement = page.locator("[data-testid=stVegaLiteChart]").first
    assert statement.count() == 1
    assert "flash wear-out" in page.content()


def test_every_answer_carries_the_policy(server):
    for place in ("", "_stcore/health", "drives"):
        with urllib.request.urlopen(f"{server}/{place}") as answer:  # noqa: S310 - loopback
            policy = dict(
                part.strip().partition(" ")[::2]
                for part in answer.headers["content-security-policy"].split(";")
            )
        assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
        assert "unsafe" not in policy["script-src"]
        assert policy["connect-src"] == "'self'"


@pytest.fixture
def stranger():
    """Return the address of a server of somebody else, and who called it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        callers = []

        def called():
            with contextlib.suppress(BlockingIOError):
                callers.append(listening.accept())
            return callers

        yield f"http://127.0.0.1:{listening.getsockname()[1]}", called


def hostile_text(stranger):
    return (
        f"![a]({stranger}/x) <img src={stranger}/y> $\\href{{{stranger}/z}}{{b}}$ "
        f"[c](javascript:fetch('{stranger}')) [d]({stranger}/e) {stranger}/f :red[g] :smile:"
    )


def assert_quoted(page, text):
    """Hold that a text stands on the page as it is, and that nothing was made of it."""
    shown = page.locator("[data-testid=stAppViewContainer]").inner_text().replace("\u2060", "")
    assert " ".join(text.split()) in " ".join(shown.split())
    drawn = page.locator("[data-testid=stMarkdownContainer]")
    for form in ("a[href*='127.0.0.1']", "a[href^='javascript']", "img[src^='http']", ".katex"):
        assert drawn.locator(form).count() == 0


def test_hostile_files_reach_nobody_and_are_quoted(window, server, stranger):
    page = window
    address, called = stranger
    text, refused = hostile_text(address), []
    name = f"{text.replace('/', '|')}.csv"  # a browser gives the last part of a path
    page.on(
        "console",
        lambda statement: "Security Policy" in statement.text and refused.append(statement.text),
    )
    attributes = [(251, text, 100, 5), (241, "Total_LBAs_Written", 99, 5)]
    smart = made.encoded(made.sata_json(text, attributes=attributes))
    trace = f"time_s,op,offset,size\n0,{text},0,4096\n".encode()
    page.goto(f"{server}/measure?writes={quote(text)}&{quote(text)}=1")
    page.locator("input[type=file]").set_input_files([
        {"name": "smart.json", "mimeType": "text/plain", "buffer": smart},
        {"name": name, "mimeType": "text/plain", "buffer": b"no"},
    ])  # fmt: skip
    page.get_by_text("Refused:").wait_for(timeout=60_000)
    page.get_by_text("Not used:").first.wait_for(timeout=60_000)
    assert_quoted(page, f"Refused: {name}: byte 0")
    page.goto(f"{server}/measure")
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": trace}
    )
    page.get_by_text("line 2").wait_for(timeout=60_000)
    assert_quoted(page, f"{name}: line")
    outside = [url for url in page.requested if not url.startswith((server, "data:", "blob:"))]
    assert (outside, called(), refused) == ([], [], [])


# Each box for files, by its key: its place, and what to click to see it.
UPLOADERS = {
    "files": ("measure", None),
    "fleet_files": ("measure?what=A+fleet", None),
    "quotes": ("choose", "Quotes and drives of your own"),
    "scenario_given": ("", "Share"),
    "protocol_run": ("?part=Protocols", None),
}


# Whether an answer of the page, and not the name of the file in its box, has the hostile text.
QUOTED = """() => [...document.querySelectorAll('[data-testid=stMarkdownContainer]')].some(
    one => !one.closest('[data-testid=stFileUploader]')
        && one.innerText.replaceAll('\u2060', '').includes('![a]('))"""


def test_every_uploader_is_tried():
    text = "".join(path.read_text() for path in (ROOT / "planner" / "ui").glob("*.py"))
    boxes = re.findall(r"(?:\bgiven|file_uploader)\(\s*\"[^\"]*\",[^)]*?\bkey=\"(\w+)\"", text)
    assert sorted(boxes) == sorted(UPLOADERS)
    calls = re.findall(r"(?<!def )\b(?:given|file_uploader)\(", text)
    assert len(calls) == len(UPLOADERS) + 1  # the one that all others pass


@pytest.mark.parametrize("key", UPLOADERS)
def test_hostile_files_of_an_uploader_reach_nobody(window, server, stranger, key):
    page = window
    address, called = stranger
    text, refused = hostile_text(address), []
    page.on(
        "console",
        lambda statement: "Security Policy" in statement.text and refused.append(statement.text),
    )
    place, opened = UPLOADERS[key]
    page.goto(f"{server}/{place}")
    if opened:
        page.get_by_text(opened, exact=True).first.click(timeout=60_000)
    ending = {"quotes": "csv", "scenario_given": "json"}.get(key, "txt")
    name = f"{text.replace('/', '|')}.{ending}"
    content = {
        "quotes": f"Model,Price\n{text},{text}\n",
        "scenario_given": to_json({"drive": text, "writes": text}),
    }.get(key, text)
    box = page.locator(f".st-key-{key} input[type=file]")
    box.set_input_files({"name": name, "mimeType": "text/plain", "buffer": content.encode()})
    if key == "scenario_given":
        page.get_by_role("button", name="Open it").click(timeout=60_000)
    page.wait_for_function(QUOTED, timeout=60_000)
    page.get_by_test_id("stStatusWidget").wait_for(state="detached")
    drawn = page.locator("[data-testid=stMarkdownContainer]")
    for form in ("a[href*='127.0.0.1']", "a[href^='javascript']", "img[src^='http']", ".katex"):
        assert drawn.locator(form).count() == 0
    outside = [url for url in page.requested if not url.startswith((server, "data:", "blob:"))]
    assert (outside, called(), refused) == ([], [], [])


def test_a_long_reading_can_be_cancelled(window, server):
    page = window
    page.goto(f"{server}/measure")
    slow = b"time_s,op,offset,size\n" + b"1,W,0,1073741824\n" * 200_000
    page.locator("input[type=file]").set_input_files(
        {"name": "slow.csv", "mimeType": "text/plain", "buffer": slow}
    )
    page.get_by_role("button", name="Cancel", exact=True).click(timeout=60_000)
    page.get_by_text("was cancelled").wait_for(timeout=60_000)
