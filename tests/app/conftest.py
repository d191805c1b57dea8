"""The app without a browser."""

from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

APP = Path(__file__).parents[2] / "app.py"


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


@pytest.fixture
def app():
    return AppTest.from_file(APP, default_timeout=60).run()


@pytest.fixture
def open_app():
    def at(**query):
        app = AppTest.from_file(APP, default_timeout=60)
        app.query_params.update({key: str(value) for key, value in query.items()})
        return app.run()

    return at
