"""The app without a browser."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

APP = Path(__file__).parents[2] / "app.py"
EXAMPLE = {
    "drive": "Samsung 845DC PRO 400 GB", "writes": "10000 GiB/day", "drives": 12, "raid": 5,
}  # fmt: skip

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session", autouse=True)
def apps_share_what_never_changes():
    """Compile each screen once, and look once for packages with components.

    An app under test does both at every run, as if it were a server of its own.
    """
    scripts, scan = ScriptCache(), cache(manifest_scanner.scan_component_manifests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        patch.setattr(local_script_runner, "ScriptCache", lambda: scripts)
        yield


def linked(app, key):
    """What the link of an app says of an input; nothing where it is as usual."""
    values = app.query_params.get(key, "")
    return values if isinstance(values, str) else values[-1]


def tables(app):
    """The tables on a screen, their cells as they are read."""
    return [_read(table.value) for table in app.table]


def _read(frame):
    return frame.rename(columns=_text).map(_text)


def _text(written):
    """What a browser shows of the markdown of a cell."""
    shown = re.sub(r"^\*\*(.*)\*\*$", r"\1", written).replace("\u2060", "").replace("\xa0", " ")
    return re.sub(r"\\(?=[^a-zA-Z0-9\s])", "", shown)


@pytest.fixture
def start():
    """The app as a visitor finds it."""
    return AppTest.from_file(APP, default_timeout=60).run()


@pytest.fixture
def app(open_app):
    return open_app(**EXAMPLE)


@pytest.fixture
def open_app():
    def at(**query):
        app = AppTest.from_file(APP, default_timeout=60)
        app.query_params.update({key: str(value) for key, value in query.items()})
        return app.run()

    return at


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None and os.environ.get("CI"):
        pytest.fail("Chromium is not installed, and this build installs it")
    if program is None:
        pytest.skip("Chromium is not installed (Debian package chromium)")
    engine_of = pytest.importorskip(
        "playwright.sync_api", reason="playwright is a development requirement (make check)"
    )
    engine_of.expect.set_options(timeout=60_000)  # machines that build are shared and slow at times
    with engine_of.sync_playwright() as engine:
        profile = tmp_path_factory.mktemp("profile")
        context = engine.chromium.launch_persistent_context(
            str(profile), executable_path=program, headless=True, args=FLAGS,
            viewport={"width": 1500, "height": 1250}, accept_downloads=True,
            reduced_motion="reduce",  # what moves while nobody looks takes a tenth of a processor
        )  # fmt: skip
        yield context
        context.close()
