"""The app without a browser."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "app.py"


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
