"""What all workbooks of a test process share: one LibreOffice, and formulas as they are written."""

from functools import cache
from types import SimpleNamespace

import pytest
from xlsxwriter.worksheet import Worksheet

from tests.libreoffice import running_office


@pytest.fixture(scope="session", autouse=True)
def formulas_are_prepared_once():
    """Keep how xlsxwriter writes a formula: it searches each for the names of 100 functions."""
    prepare = Worksheet._prepare_formula
    kept = cache(lambda text, future: prepare(SimpleNamespace(use_future_functions=future), text))

    def prepared(sheet, text, expand_future_functions=False):
        return kept(text, expand_future_functions or sheet.use_future_functions)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Worksheet, "_prepare_formula", prepared)
        yield


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
