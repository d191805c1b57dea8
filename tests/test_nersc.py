"""The procurement of an all-flash file system: its page runs, and says what was published.

G. K. Lockwood et al., "A Quantitative Approach to Architecting All-Flash Lustre File Systems",
2019; equation "Calculate DWPD" of ssd-endurance-requirements.ipynb in its dataset.
"""

import contextlib
import io
import re
from pathlib import Path

import pytest

from models.units import PB

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "evidence" / "nersc-perlmutter.md").read_text()


@pytest.fixture(scope="module")
def told():
    """Run the blocks of the page one after the other; return what they left and printed."""
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    names, out = {}, io.StringIO()
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(out):
        exec(compile(code, "nersc-perlmutter.md", "exec"), names)  # noqa: S102 - our own page
    return names | {"printed": out.getvalue().splitlines()}


def test_the_page_prints_what_it_says(told):
    statement = re.findall(r"^print\(.*\)  # (.*)$", PAGE, re.MULTILINE)
    assert len(statement) == 4
    assert told["printed"] == statement


def test_the_requirement_is_the_published_one(told):
    low, high = told["published"]
    assert (round(low, 2), round(high, 2)) == (0.28, 0.33)


def test_without_write_amplification_it_is_about_0_105(told):
    assert told["required"](3) == pytest.approx(0.105, abs=0.0005)
    assert told["required"](4) == pytest.approx(told["required"](3), rel=1e-12)


def test_one_question_gives_both_figures(told):
    """A rating earned at WA 1 is the published need; one at the workload's WA is the need bare."""
    ones, alike, _ = told["needed"].values()
    assert ones == pytest.approx(told["published"][0], rel=1e-9)
    assert alike == pytest.approx(told["required"](3), rel=1e-9)


def test_capacities_are_those_of_the_text(told):
    assert told["formatted_bytes"] / PB == pytest.approx(30.5, abs=0.05)
    unformatted = told["drives"] * told["drive_bytes"] * told["code_rate"]
    assert unformatted / PB == pytest.approx(32.5, abs=0.05)
    assert unformatted / told["formatted_bytes"] - 1 == pytest.approx(0.068, abs=0.0005)
    assert told["required"](3) * told["formatted_bytes"] / unformatted == pytest.approx(
        0.098, abs=0.0005
    )
    # The new system was announced with 30 PB: SSI of 4 asks for that.
    assert 4 * 28 / 0.5 * told["growth_bytes"] / PB == pytest.approx(30, abs=0.5)
