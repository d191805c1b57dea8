"""docs/evidence/trust.md is as it is generated; a promise without its test is refused."""

from pathlib import Path

import pytest

from tests.trust_page import page, promises

ROOT = Path(__file__).parents[1]


def test_the_page_is_as_it_is_generated():
    assert (ROOT / "docs" / "evidence" / "trust.md").read_text() == page()


@pytest.mark.parametrize("test", ["tests/test_trust.py::test_of_nothing", "tests/none.py::test_a"])
def test_a_promise_without_its_test_fails_the_page(tmp_path, test):
    table = tmp_path / "promises.csv"
    table.write_text(f"section,promise,test\nLimits,All holds,{test}\n")
    with pytest.raises(ValueError, match="which is no test"):
        promises(table)
