"""What all workbooks of a test process share: one LibreOffice."""

import pytest

from tests.libreoffice import running_office


@pytest.fixture(scope="session")
def recalculate_all(tmp_path_factory):
    """Set named cells of several workbooks, recalculate them, and return their values."""
    with running_office(tmp_path_factory.mktemp("office")) as recalculate:
        yield recalculate


@pytest.fixture
def recalculate(recalculate_all, tmp_path):
    """Do the same with one workbook."""

    def one(book, changes=None):
        (values,) = recalculate_all([(book, changes or {})], tmp_path)
        return values

    return one
