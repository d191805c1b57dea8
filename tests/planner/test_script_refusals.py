"""What a stranger may pass to scripts by mistake is refused in words; near misses are read."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import openpyxl
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


def test_keys_that_are_no_texts_are_refused_by_a_plan():
    plan = ssd.plan(SSD)
    for key in (3, None, ("life", "wa"), ["life"]):
        with pytest.raises(KeyError, match="a plan has its numbers by key"):
            plan[key]
        assert key not in plan
    with pytest.raises(KeyError, match=r"'life'.* are near"):
        plan["lfe"]


def test_a_plan_contains_what_its_items_give():
    """The random write amplification was an item, and yet not in the plan."""
    plan = ssd.plan(SSD)
    assert plan["random_wa"].is_known
    assert "random_wa" in plan
    assert "nosuch" not in plan


@pytest.mark.parametrize(
    ("question", "match"),
    [
        (lambda: ssd.size(SSD, "spare"), r"^one of life, dwpd and iops must be given$"),
        (lambda: ssd.size(SSD, "drives"), r"^one of usable, iops, floor_iops, window_iops, life "),
        (lambda: ssd.size([SSD, SSD], "price", by="weight"), r"^by must be one of written, "),
        (lambda: ssd.uncertainty(SSD, samples="many"), r"^samples must be a whole number from 0, "),
        (lambda: ssd.uncertainty(SSD, seed=-1), r"^seed must be a whole number from 0, got -1"),
        (lambda: ssd.uncertainty(SSD, seed=1.5), r"^seed must be a whole number from 0, got 1.5"),
        (lambda: ssd.uncertainty(SSD, "writes"), r"^uncertain must be ranges by input: .*'writes'"),
        (lambda: ssd.uncertainty(SSD, correlate=0.5), r"^correlate must be numbers by pairs: "),
        (lambda: ssd.uncertainty(SSD, correlate={"writes": 0.5}), r"^correlate must be numbers by"),
        (lambda: ssd.least_regret(3), NO_DRIVE),
        (lambda: ssd.app(None), r"^app must be one of .*, got 'None'"),
        (lambda: ssd.app(3), r"^app must be one of .*, got '3'"),
        (ssd.remaining_life, r"^files must name at least one file"),
        (lambda: ssd.plan(SSD).to_excel("x.xlsx", exported="soon"), r"^exported must be a date"),
    ],
)
def test_questions_refuse_in_words_of_scripts(question, match):
    with pytest.raises(DomainError, match=match):
        question()


def test_dates_may_be_dates_or_texts(tmp_path):
    history = "docs/examples/wear-history.csv"
    day = date(2020, 1, 1)
    assert ssd.remaining_life(history, since=day).life == (
        ssd.remaining_life(history, since="2020-01-01").life
    )
    for exported in (day, "2020-01-01"):
        ssd.plan(SSD).to_excel(tmp_path / "plan.xlsx", exported=exported)
        cell = openpyxl.load_workbook(tmp_path / "plan.xlsx")["Plan"]["B3"].value
        assert cell.date() == day


def test_what_a_choice_tries_may_be_a_list():
    """Lists were refused with a hint at sweep, though texts of several values were read."""
    load = {"usable": "2 TB", "writes": "1 TB/day"}
    text = ssd.choose(SSD, **load, drives="6-8", raid="5,10", spare="0%,14%")
    listed = ssd.choose(SSD, **load, drives=range(6, 9), raid=[5, 10], spare=np.array([0, 0.14]))
    assert "\n  12 configurations" in repr(text)
    assert repr(listed) == repr(text)
    assert listed.to_frame().equals(text.to_frame())
    with pytest.raises(DomainError, match=r"^drives must have at least one value"):
        ssd.choose(SSD, **load, drives=[])
    with pytest.raises(DomainError, match=r"^usable takes one value here"):
        ssd.choose(SSD, usable=["1 TB", "2 TB"])


def test_a_number_without_its_unit_is_not_offered_the_wrong_one():
    """4096, asked for as (4096, 'KiB'), would have been 4 MiB."""
    with pytest.raises(DomainError, match=r"^size must be with its unit: '4 KiB', or \(4096, UNIT"):
        ssd.plan(SSD, size=4096)


def test_completion_offers_the_names_of_the_planner_alone():
    assert {name for name in dir(ssd) if not name.startswith("__")} == set(ssd.__all__)


@pytest.mark.parametrize(
    ("drive", "inputs", "key"),
    [
        ("PM9A3 1.92", {}, "worst_case_at_depth_iops"),
        ("PM9A3 3.84", {"drives": 24, "raid": "raidz2", "sets": 3}, "member_read_fraction"),
    ],
)
def test_an_item_is_the_number_in_force(drive, inputs, key):
    """It was that of a way that does not apply: 57,503 worst-case IOPS in place of 7,188."""
    plan = ssd.plan(drive, writes="1 TB/day", **inputs)
    if key == "worst_case_at_depth_iops":  # as tested, at a queue as deep as in the test
        assert plan[key] == plan["worst_case_iops"]
    else:  # parity of records, which the array counts
        assert plan[key] == plan["member_read_fraction:records"]
        assert plan[key] != plan["member_read_fraction:operations"]


def test_a_plan_of_no_drive_is_refused():
    with pytest.raises(DomainError, match=r"^drive must be named, or capacity stated"):
        ssd.plan(writes="1 TB/day")
    assert list(ssd.sweep(writes=["1 TB/day"])["refused"].str.startswith("drive must")) == [True]
    assert ssd.plan(capacity="2 TB", writes="1 TB/day").usable == 2
