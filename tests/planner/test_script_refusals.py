"""What a stranger may pass to scripts by mistake is refused in words; near misses are read."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import planner as ssd
from models.errors import DomainError
from planner.script.inputs import written

SSD = "845DC PRO 400"
NO_DRIVE = r"^drive must be a drive or the name of one, got "


@pytest.mark.parametrize("drive", [3, Path("x"), pd.NA, 1.5, {"a": 1}])
def test_what_is_no_drive_is_refused_as_such(drive):
    """It was refused as several drives, or failed inside."""
    questions = (
        ssd.plan, ssd.drive, ssd.sweep, ssd.compare, ssd.choose,
        lambda each: ssd.size(each, "spare", life=5),
    )  # fmt: skip
    for question in questions:
        with pytest.raises(DomainError, match=NO_DRIVE):
            question(drive)


def test_what_is_no_drive_among_several_is_the_refusal_of_its_row():
    frame = ssd.sweep([SSD, 3], writes="1 TB/day")
    assert frame["wear"].notna().tolist() == [True, False]
    assert frame["refused"].tolist() == ["", "drive must be a drive or the name of one, got 3"]


def test_drives_and_words_must_be_texts():
    assert ssd.drive(ssd.drive(SSD)) is ssd.drive(SSD)
    with pytest.raises(DomainError, match=r"^drive must be named"):
        ssd.drive(None)
    for words in (None, 3):
        with pytest.raises(DomainError, match=r"^words must be a text, got"):
            ssd.drives(words)
    for drives in (None, pd.DataFrame({"capacity": ["1 TB"]})):
        with pytest.raises(DomainError, match=r"^drives must be named"):
            ssd.compare(drives)


def test_one_drive_to_choose_among_may_be_a_text():
    """Its letters were taken as drives."""
    one, several = (ssd.choose(among, usable="2 TB", raid="5") for among in (SSD, [SSD]))
    assert one.best.usable == several.best.usable


@pytest.mark.parametrize(
    ("value", "match"),
    [(pd.NA, "got <NA>"), (pd.NaT, "got NaT"), (np.inf, "finite, got inf"), (-np.inf, "finite")],
)
def test_values_that_are_no_numbers_are_refused_by_name(value, match):
    for name in ("spare", "drives", "price"):
        with pytest.raises(DomainError, match=f"^{name} must be .*{match}"):
            ssd.plan(SSD, **{name: value})


def test_an_infinite_value_is_the_refusal_of_its_row():
    refused = ssd.sweep(SSD, spare=[0, np.inf])["refused"]
    assert refused.tolist() == ["", "spare must be finite, got inf"]


def test_decimals_and_fractions_are_numbers():
    """A decimal 10 was read as a text, as 10 %, where a float 10 is refused."""
    for tenth in (Decimal("0.1"), Fraction(1, 10)):
        assert written("spare", tenth) == written("spare", 0.1)
        assert written("writes", (tenth, "TB/day")) == written("writes", (0.1, "TB/day"))
        assert written("warranty", (10 * tenth, "years")) == written("warranty", (1, "years"))
    for ten in (Decimal(10), Fraction(10)):
        with pytest.raises(DomainError, match=r"^spare must be in .*write '10%'"):
            ssd.plan(SSD, spare=ten)


def test_columns_of_a_frame_that_are_no_inputs_are_refused_in_words():
    row = [SSD, "1 TB/day", "2 TB/day"]
    with pytest.raises(DomainError, match=r"^writes must be one column of the frame, got several"):
        ssd.sweep(pd.DataFrame([row], columns=["drive", "writes", "writes"]))
    with pytest.raises(DomainError, match=r"^3 is not an input of a sweep"):
        ssd.sweep(pd.DataFrame([row[:2]], columns=["drive", 3]))


def test_lists_of_lists_are_refused_and_arrays_of_arrays_are_read():
    frame = ssd.sweep(SSD, spare=np.array([[0, 0.1], [0.2, 0.3]]))
    assert frame["wa"].notna().tolist() == [True] * 4
    with pytest.raises(DomainError, match=r"^step must be a factor and a time such as"):
        ssd.plan(SSD, step=[["x2 after 1 years"]])
