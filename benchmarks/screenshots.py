"""Pictures of the app for the documents: `make screenshots`. Needs Chromium (Debian: chromium).

`make screenshots ARGS="--every FOLDER"` takes every place at three widths, light and dark, to be
looked at; docs/evidence/screens.md has what was seen.
"""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
STILL_MS = 5000  # until charts have come to rest
IS_IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
REVIEWED = {"drive": "Samsung 845DC PRO 400 GB", "writes": "400 GB/day"}
BOUGHT = {"drive": "Samsung 845DC PRO 400 GB", "writes": "4 TB/day"}
# Picture: place, what its link says, width and height, and the last text to be drawn.
PICTURES = {
    "app": ("", {}, (1440, 900), "Every number"),
    "speed": ("", REVIEWED | {"part": "Speed"}, (1440, 1750), "Basis and assumptions"),
    "choose": ("choose", BOUGHT, (1440, 1500), "Download plans as CSV"),
}
WIDTHS = {1440: 900, 1280: 800, 390: 844}
THEMES = ("light", "dark")
MOST_HIGH = 9000
_ARRAY = {"drive": "PM9A3 3.84", "drives": 6, "raid": 5, "writes": "4TB/day"}
_OTHERS = ["raid=6; spare=7%", "Samsung 870 EVO 1 TB; drives=8", "drives=12", "raid=10"]
# Place: its path, what its link says, and drawers to open, by their titles.
EVERY: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "plan": ("", {}, ()),
    "plan-advanced": ("", {"advanced": "true"}, ()),
    "plan-application": ("", {"app": "postgres-oltp"}, ()),
    "plan-array": ("", _ARRAY | {"part": "Array", "courses": "true"}, ()),
    "plan-array-mirror": ("", {"part": "Array", "drives": 2, "raid": 1}, ()),
    "plan-speed": ("", {"part": "Speed", "heat": "true"}, ()),
    "plan-protocols": ("", {"part": "Protocols"}, ()),
    "plan-cost": ("", {"part": "Cost"}, ("Terms of owning",)),
    "plan-numbers": ("", {"part": "Every number"}, ("Every number, its formula",)),
    "choose": ("choose", {"front_open": "true"}, ()),
    "choose-none": ("choose", {"c_usable": 5000}, ()),
    "compare": ("compare", {}, ("Alike in all",)),
    "compare-five": ("compare", _ARRAY | {"with": _OTHERS}, ("Alike in all",)),
    "my-drive": ("measure", {}, ()),
    "my-drive-fleet": ("measure", {"what": "A fleet"}, ()),
    "drives": ("drives", {}, ()),
    "accuracy": ("how_right", {}, ()),
}


def main(names: list[str]) -> None:
    """Take the pictures of these names, all of them without; or those of every place."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        sys.exit("Chromium is not installed (Debian package chromium)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with subprocess.Popen(  # noqa: S603 - this program
        command, cwd=ROOT, stdout=subprocess.DEVNULL
    ) as server:
        _wait(f"http://127.0.0.1:{port}")
        with sync_playwright() as engine:
            browser = engine.chromium.launch(executable_path=program, args=["--no-sandbox"])
            if names[:1] == ["--every"]:
                _every(browser, f"http://127.0.0.1:{port}", Path(names[1]), names[2:])
            else:
                _pictures(browser, f"http://127.0.0.1:{port}", names)
            browser.close()
        server.terminate()


def _pictures(browser: Browser, url: str, names: list[str]) -> None:
    for name in names or PICTURES:
        place, statement, (width, height), last = PICTURES[name]
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"{url}/{place}?{urlencode(statement)}")
        page.get_by_text(last).first.wait_for(timeout=120_000)
        page.locator(IS_IDLE).wait_for(timeout=120_000)
        page.wait_for_timeout(STILL_MS)
        page.screenshot(path=DOCS / f"{name}.png")
        page.close()


def _every(browser: Browser, url: str, folder: Path, names: list[str]) -> None:
    """Take places at their full height, and print how high and how wide each is."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in THEMES:
        page = browser.new_page(color_scheme=theme, reduced_motion="reduce")
        for name in names or EVERY:
            place, statement, drawers = EVERY[name]
            page.goto(f"{url}/{place}?{urlencode(statement, doseq=True)}")
            _come_to_rest(page)
            for title in drawers:
                page.locator("summary").filter(has_text=title).first.click()
                _come_to_rest(page)
            for width, least in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": least})
                page.wait_for_timeout(STILL_MS / 5)
                high, wide = page.get_by_test_id("stMain").evaluate(
                    "main => [main.scrollHeight, main.scrollWidth]"
                )
                print(f"{name} {theme} {width}: {high} high, {wide} wide")
                page.set_viewport_size({"width": width, "height": min(high, MOST_HIGH)})
                page.wait_for_timeout(STILL_MS / 5)
                page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
        page.close()


def _come_to_rest(page: Page) -> None:
    """Wait until the page has been idle for a second: a search goes on beside its page."""
    idle = 0
    while idle < 2:
        page.wait_for_timeout(STILL_MS / 10)
        busy = page.get_by_text("Choosing among the catalogue").count()
        idle = 0 if busy or not page.locator(IS_IDLE).count() else idle + 1


def _wait(url: str) -> None:
    for _ in range(300):
        with suppress(OSError):
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)  # noqa: S310 - loopback
            return
        time.sleep(0.2)
    sys.exit("the app does not start")


if __name__ == "__main__":
    main(sys.argv[1:])
