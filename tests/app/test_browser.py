"""The app in a real browser: loopback only, a slider moves a number, a link restores it."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from tests.app.conftest import APP

playwright = pytest.importorskip(
    "playwright.sync_api", reason="playwright is a development requirement (make check)"
)
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="module")
def server():
    """Start the app as `make run` does, on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    process = subprocess.Popen(
        command, cwd=APP.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)  # noqa: S310 - loopback
            break
        except OSError:
            time.sleep(0.2)
    yield url
    process.terminate()
    process.wait(10)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None and os.environ.get("CI"):
        pytest.fail("Chromium is not installed, and this build installs it")
    if program is None:
        pytest.skip("Chromium is not installed (Debian package chromium)")
    with playwright.sync_playwright() as engine:
        profile = tmp_path_factory.mktemp("profile")
        context = engine.chromium.launch_persistent_context(
            str(profile), executable_path=program, headless=True, args=FLAGS,
            viewport={"width": 1500, "height": 1250}, accept_downloads=True,
        )  # fmt: skip
        yield context
        context.close()


@pytest.fixture
def page(browser, server):
    page = browser.new_page()
    page.requested = []
    page.on("request", lambda request: page.requested.append(request.url))
    page.goto(server)
    page.get_by_test_id("stMetric").first.wait_for(timeout=60_000)
    page.locator(
        "[data-testid=stVegaLiteChart] canvas, [data-testid=stVegaLiteChart] svg"
    ).first.wait_for(timeout=60_000)
    yield page
    page.close()


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
    slider = page.get_by_role("slider", name="Extra spare area")
    slider.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    wait_for_change(page, "Write amplification", "2.04 x")
    page.wait_for_url("**spare=20**")
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
    for name, start in (("Download CSV", b"section,"), ("Download workbook", b"PK")):
        with page.expect_download(timeout=60_000) as download:
            page.get_by_role("button", name=name).click()
        target = tmp_path / download.value.suggested_filename
        download.value.save_as(target)
        assert target.read_bytes().startswith(start)


def test_charts_say_what_they_show(page):
    said = page.locator("[data-testid=stVegaLiteChart]").first
    assert said.count() == 1
    assert "each host byte costs" in page.content()
