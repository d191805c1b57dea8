"""The statements of five reviews: complete, as printed, answered as the table says."""

import csv
import json
import math
import re
from pathlib import Path

import pytest

from planner.catalogue import find, load
from tests import blind_protocols, reviews_page
from tests.reviews_page import (
    ANSWERED,
    DRAWN,
    MISSED,
    OPEN,
    PENDING,
    REPEATED,
    UNKNOWN,
    WORD,
    Predicted,
)

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
STATEMENTS = reviews_page.statements()
KINDS = {"fact", "derived", "measured", "protocol", "ranking", "price"}
PRINTED = {"", "truncated", "about", "at least", "at most"}
# How many claims were collected of each review; they are numbered S0-001 and on.
COLLECTED = {"S0": 170, "S1": 11, "S2": 92, "S3": 22, "S4": 42}


@pytest.fixture(scope="module")
def rows():
    return reviews_page.rows()


def rows_where(condition):
    return [each.id for each in STATEMENTS if condition(each)]


def test_there_are_at_least_150_statements_besides_facts_of_the_catalogue():
    assert len({each.id for each in STATEMENTS}) == len(STATEMENTS)
    assert sum(each.answer != REPEATED for each in STATEMENTS) >= 150


def test_a_collected_claim_belongs_to_exactly_one_statement():
    claims = [claim for each in STATEMENTS for claim in each.claims.split()]
    wanted = {f"{name}-{n:03d}" for name, last in COLLECTED.items() for n in range(1, last + 1)}
    assert len(claims) == len(wanted)
    assert set(claims) == wanted
    with (DATA / "collected_claims.csv").open(encoding="utf-8", newline="") as lines:
        assert {row["id"] for row in csv.DictReader(lines)} < wanted


def test_a_claim_belongs_to_a_statement_of_its_own_review():
    reviews = list(dict.fromkeys(each.review for each in STATEMENTS))
    assert len(reviews) == len(COLLECTED)
    for each in STATEMENTS:
        own = {each.id.partition("-")[0].replace("R", "S")}
        assert {claim.partition("-")[0] for claim in each.claims.split()} <= own
        assert f"R{reviews.index(each.review)}" == each.id.partition("-")[0]


def test_cells_are_of_the_known_words():
    assert rows_where(lambda each: each.kind not in KINDS) == []
    assert rows_where(lambda each: each.printed not in PRINTED) == []
    assert rows_where(lambda each: each.unit not in {*reviews_page.UNITS, WORD, "mm2", "Mbit/s",
                                                     "Gbit/mm2"}) == []  # fmt: skip
    assert rows_where(lambda each: not (each.locator and each.quantity)) == []


def test_each_answer_has_what_it_needs():
    asks = {REPEATED, ANSWERED, MISSED, DRAWN}
    assert {each.answer for each in STATEMENTS} == asks | {OPEN, UNKNOWN}
    assert rows_where(lambda each: bool(each.command) != (each.answer in asks)) == []
    assert rows_where(lambda each: bool(each.key) != (each.answer in asks)) == []
    assert rows_where(lambda each: each.answer in asks - {DRAWN} and not each.published) == []
    assert rows_where(lambda each: each.answer == DRAWN and bool(each.published)) == []
    assert rows_where(lambda each: each.answer in (MISSED, UNKNOWN) and not each.reason) == []


def test_an_open_statement_names_what_it_waits_for():
    waits = {each.reason.partition(":")[0] for each in STATEMENTS if each.answer == OPEN}
    assert waits <= {*PENDING}


def occurs(figure, numbers):
    """Whether a printed number, 94 of 94E3, stands in a list: 2170000 as 2.17 million."""
    figure = figure.lstrip("-").partition("E")[0]
    written = {figure, f"{float(figure):,.10g}", f"{figure} million"}
    return bool(written & set(numbers.split("; ")))


def test_a_printed_figure_stands_in_its_review():
    reviews = json.loads((DATA / "review_numbers.json").read_text(encoding="utf-8"))
    with reviews_page.SOURCES.open(encoding="utf-8", newline="") as lines:
        numbers = {
            row["source_id"]: reviews[row["sha256"]]["numbers"]
            for row in csv.DictReader(lines) if row["sha256"] in reviews
        }  # fmt: skip
    printed = [
        (each, figure) for each in STATEMENTS for figure in each.published.split("..")
        if figure and each.unit != WORD and each.kind not in ("derived", "ranking")
    ]  # fmt: skip
    assert len(printed) > 250
    absent = [each.id for each, figure in printed if not occurs(figure, numbers[each.review])]
    assert absent == []


@pytest.mark.parametrize(
    ("figure", "stands"), [("94E3", True), ("1000", True), ("38.83", True), ("38", False)]
)
def test_an_absent_figure_is_noticed(figure, stands):
    assert occurs(figure, "94; 1,000; 38.83 million") is stands


def test_the_ranges_hold_what_the_table_says_they_hold(rows):
    """A row is answered exactly where the range of the planner holds the published figure."""
    asked = [row for row in rows if row.predicted is not None]
    assert len(asked) > 300
    wrong = [row.statement.id for row in asked if row.holds != (row.statement.answer != MISSED)]
    assert wrong == []


def test_the_stored_page_is_the_generated_one(rows):
    stored = (ROOT / "docs" / "evidence" / "reviews.md").read_text(encoding="utf-8")
    assert stored == reviews_page.document(), "run python -m tests.reviews_page"


def statement(published, printed="", unit="", answer=ANSWERED, key="a"):
    blank = dict.fromkeys(reviews_page.Statement._fields, "")
    given = {"published": published, "printed": printed, "unit": unit, "answer": answer}
    return reviews_page.Statement(**{**blank, **given, "key": key})


@pytest.mark.parametrize(
    ("published", "printed", "predicted", "holds", "error"),
    [
        ("5", "", (5.5, 6, 7), True, 0.2),  # 5.5 rounds to the printed digit
        ("5.0", "", (5.5, 6, 7), False, 0.2),
        ("7.91", "truncated", (7.919, 7.919, 7.919), True, 7.919 / 7.91 - 1),
        ("7.91", "", (7.919, 7.919, 7.919), False, 7.919 / 7.91 - 1),
        ("94E3", "", (94_400, 94_400, 94_400), True, 4 / 940),
        ("94000", "", (94_400, 94_400, 94_400), False, 4 / 940),
        ("100", "about", (104, 104, 104), True, 0.04),
        ("100", "about", (106, 106, 106), False, 0.06),
        ("100", "at least", (50, 120, 130), True, 0),
        ("100", "at least", (50, 90, 130), False, -0.1),  # an order holds by the typical number
        ("100", "at most", (50, 90, 130), True, 0),
        ("15..30", "", (11, 12, 22), False, -0.2),
        ("15..30", "", (11, 12, 31), True, -0.2),  # the range holds all of it
        ("15..30", "", (11, 20, 22), True, 0),
    ],
)
def test_a_range_holds_a_figure_by_how_it_is_printed(published, printed, predicted, holds, error):
    row = reviews_page.Row(statement(published, printed), Predicted(*predicted))
    assert row.holds is holds
    assert row.error == pytest.approx(error)


@pytest.mark.parametrize(
    ("printed", "predicted", "undecided"),
    [
        ("at least", (0.5, 2, 3), True),
        ("at least", (1, 2, 3), False),
        ("at least", (0.5, 0.9, 3), False),  # not kept at all
        ("at most", (0.5, 0.9, 3), True),
        ("about", (0.5, 1, 3), False),
    ],
)
def test_an_order_is_undecided_where_the_range_holds_the_other(printed, predicted, undecided):
    row = reviews_page.Row(statement("1", printed), Predicted(*predicted))
    assert row.undecided is undecided


def test_a_fact_of_the_catalogue_may_be_rounded_and_nothing_else_may():
    near = Predicted(22768.67, 22768.67, 22768.67)
    assert reviews_page.Row(statement("22769.31", answer=REPEATED), near).holds
    assert not reviews_page.Row(statement("22769.31"), near).holds
    off = Predicted(22700, 22700, 22700)
    assert not reviews_page.Row(statement("22769.31", answer=REPEATED), off).holds
    assert reviews_page.Row(statement("yes", unit=WORD, answer=REPEATED), "yes").holds
    assert not reviews_page.Row(statement("yes", unit=WORD, answer=REPEATED), "no").holds


def test_a_number_is_read_at_its_key_with_its_range():
    plan = {
        "answers": {"drive_iops": 8.0}, "figures": {"dies": {"value": 16.0}}, "life": {"a": 2},
        "ranges": {"drive_iops": {"low": 4.0, "high": 9.0}},
        "heat": {"power_w": 2.0, "ranges": {"power_w": {"low": 1.0, "high": 3.0}}},
    }  # fmt: skip
    listed = [{"name": "A", "facts": [{"quantity": "size", "at": "4 KiB", "value": 0.5}]}, plan]
    assert reviews_page.number(plan, "answers/drive_iops") == (4, 8, 9)
    assert reviews_page.number(plan, "heat/power_w") == (1, 2, 3)
    assert reviews_page.number(plan, "figures/dies") == (16, 16, 16)
    assert reviews_page.number(listed, "1/answers/drive_iops") == (4, 8, 9)
    assert reviews_page.number(listed, "A/facts/size+4 KiB") == (0.5, 0.5, 0.5)
    tested = {"phases": {"write 4KiB over 8GB": {"iops": {"low": 5.0, "typical": 6, "high": 9.0}}}}
    assert reviews_page.number(tested, "phases/0/iops") == (5, 6, 9)
    with pytest.raises(KeyError, match="nothing at A/facts/size"):
        reviews_page.number(listed, "A/facts/size+8 KiB")


@pytest.mark.parametrize(
    ("word", "expected"),
    [("over", (0.5, 2, 8)), ("less", (-4, 4, 14)), ("plus", (6, 12, 24)), ("times", (8, 32, 128))],
)
def test_two_numbers_are_joined_with_their_ranges(monkeypatch, word, expected):
    data = {"a": 8.0, "b": 4.0, "ranges": {"a": {"low": 4, "high": 16}, "b": {"low": 2, "high": 8}}}
    monkeypatch.setattr(reviews_page, "asked", lambda _: data)
    asked = statement("1", key=f"a {word} b")._replace(command="any")
    low, typical, high = reviews_page.predicted(asked)
    assert (low, typical, high) == expected


def test_joined_numbers_are_read_from_the_left(monkeypatch):
    """(8 / 4) / 16 x 2, as the share of one drive over that of another is written."""
    data = {"a": 8.0, "b": 4.0, "c": 16.0, "d": 2.0}
    monkeypatch.setattr(reviews_page, "asked", lambda _: data)
    asked = statement("1", key="a over b over c times d")._replace(command="any")
    assert reviews_page.predicted(asked) == (0.25, 0.25, 0.25)


def test_a_statement_without_a_figure_is_compared_with_none():
    row = reviews_page.Row(statement("", answer=reviews_page.DRAWN), Predicted(1, 2, 3))
    assert row.holds
    assert not row.undecided
    assert reviews_page.deviation(row) == ""


def test_a_difference_has_its_error_in_its_unit():
    row = reviews_page.Row(statement("-13", unit="MB/s", key="a less b"), Predicted(*[10e6] * 3))
    assert row.error == pytest.approx(23e6)
    assert reviews_page.deviation(row) == "+23 MB/s"
    assert math.isnan(reviews_page.Row(statement("yes", unit=WORD), "yes").error)


def test_a_command_that_is_refused_says_so():
    with pytest.raises(ValueError, match=re.escape("plan: ")):
        reviews_page.asked("plan")


def test_blind_drives_have_no_measured_fact():
    """Its printed steady rate is kept, or taken out too; what a review measured never counts."""
    own = find(load(), "845DC EVO 240")
    kinds = {fact.kind for fact in blind_protocols.blind(own).facts.values()}
    assert "measured" in {fact.kind for fact in own.facts.values()}
    assert "measured" not in kinds
    printed = blind_protocols.blind_number("845DC EVO 240", "consistency", "phase_iops")
    alone = blind_protocols.blind_number(
        "845DC EVO 240", "consistency", "phase_iops", (blind_protocols.RATING,)
    )
    assert alone.high / alone.low > printed.high / printed.low


def test_steady_rates_are_within_a_factor_of_1_5_for_two_thirds(rows):
    ratios = [ratio for ratio, _ in blind_protocols.steady_ratios(rows).values()]
    assert len(ratios) == len(blind_protocols.STEADY)
    assert sum(1 / 1.5 <= ratio <= 1.5 for ratio in ratios) >= 2 / 3 * len(ratios)


def test_an_order_belongs_to_a_statement_of_one_of_its_drives():
    by_id = {each.id: each for each in STATEMENTS}
    for each in blind_protocols.orders():
        assert by_id[each.id].answer in {ANSWERED, MISSED, REPEATED}
        assert each.order in {"above", "tie"}
        assert each.why or each.found != "tie" or each.order == "tie", each.id


@pytest.mark.parametrize(
    ("probability", "word"), [(0.95, "decided"), (0.6, "tie"), (0.11, "tie"), (0.05, "reversed")]
)
def test_a_probability_decides_an_order(probability, word):
    assert blind_protocols.verdict(probability) == word
