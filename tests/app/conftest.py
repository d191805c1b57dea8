"""The app without a browser."""

from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture(scope="session", autouse=True)
def components_are_scanned_once():
    """Read once what packages are installed: every start of an app does, in half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            manifest_scanner,
            "scan_component_manifests",
            cache(manifest_scanner.scan_component_manifests),
        )
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
