"""The app without a browser."""

from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

APP = Path(__file__).parents[2] / "app.py"
EXAMPLE = {
    "drive": "Samsung 845DC PRO 400 GB", "writes": "10,000 GiB/day", "drives": 12, "raid": 5,
}  # fmt: skip


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
