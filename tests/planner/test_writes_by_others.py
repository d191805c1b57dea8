"""Sentences that people type into the field Writes, written before the reader was looked at."""

import csv
from pathlib import Path

import pytest

from models.errors import DomainError
from models.units import DAY_S
from planner.quantity.writes import statement

TYPED = Path(__file__).parents[1] / "data" / "writes_by_others.csv"
with TYPED.open(encoding="utf-8") as _lines:
    ROWS = [(row["sentence"], row["expect"]) for row in csv.DictReader(_lines)]
READ = [(said, right) for said, right in ROWS if right]
REFUSED = [said for said, right in ROWS if not right]


def stated(said):
    """Return the rate of a sentence as the table states it."""
    read = statement("writes", said)
    if read.fills:
        assert not read.rate
        return {"fills": read.fills * DAY_S}
    ends = read.ends()
    return {"rate": read.rate} if ends is None else {"low": ends[0], "high": ends[1]}


def expected(right):
    if right.startswith("fills:"):
        return {"fills": float(right.removeprefix("fills:"))}
    low, is_range, high = right.partition("..")
    return {"low": float(low), "high": float(high)} if is_range else {"rate": float(right)}


def test_the_table_has_each_sentence_once():
    assert len(dict(ROWS)) == len(ROWS) >= 150


@pytest.mark.parametrize(("said", "right"), READ)
def test_a_sentence_is_read_as_an_expert_reads_it(said, right):
    assert stated(said) == pytest.approx(expected(right), rel=1e-8)


@pytest.mark.parametrize("said", REFUSED)
def test_a_sentence_is_asked_back_where_an_expert_would(said):
    with pytest.raises(DomainError, match=r"^writes must be .* such as "):
        statement("writes", said)
