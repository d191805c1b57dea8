"""Pictures of the app for the documents: `make screenshots`. Needs Chromium (Debian: chromium)."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

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


def main(names: list[str]) -> None:
    """Take the pictures of these names, all of them without."""
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
            for name in names or PICTURES:
                place, statement, (width, height), last = PICTURES[name]
                page = browser.new_page(viewport={"width": width, "height": height})
                page.goto(f"http://127.0.0.1:{port}/{place}?{urlencode(statement)}")
                page.get_by_text(last).first.wait_for(timeout=120_000)
                page.locator(IS_IDLE).wait_for(timeout=120_000)
                page.wait_for_timeout(STILL_MS)
                page.screenshot(path=DOCS / f"{name}.png")
                page.close()
            browser.close()
        server.terminate()


def _wait(url: str) -> None:
    for _ in range(300):
        with suppress(OSError):
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)  # noqa: S310 - loopback
            return
        time.sleep(0.2)
    sys.exit("the app does not start")


if __name__ == "__main__":
    main(sys.argv[1:])
