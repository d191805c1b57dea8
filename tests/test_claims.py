"""Every claim of the reviews that follows from others, by its id."""

import csv
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from models.errors import DomainError
from tests import claims
from tests.claims import ARITHMETIC, CLAIMS, CONTRADICTIONS, Claim
from tests.published import Printed

BY_ID = {row.claim_id: row for row in (*CLAIMS, *CONTRADICTIONS)}
HELD = [claim for claim in CLAIMS if claim.tolerance is not None]


def name(row):
    return row.claim_id


@pytest.mark.parametrize("claim", CLAIMS, ids=name)
def test_claim_is_reproduced(claim):
    assert claim.holds(), f"{claim.compute()} is not {claim.printed} {claim.unit}"


@pytest.mark.parametrize("row", CONTRADICTIONS, ids=name)
def test_contradiction_is_shown(row):
    value = row.compute()
    assert row.shows.admits(value)
    assert not row.printed.admits(value)
    assert row.reason.endswith(".")


@pytest.mark.parametrize("claim", HELD, ids=name)
def test_a_tolerance_is_needed_tight_and_explained(claim):
    deviation = abs(claim.compute() / float(claim.printed.text) - 1)
    assert deviation <= claim.tolerance <= 1.5 * deviation
    half_digit = 0.5 / float(claim.printed.text)  # of a figure printed without decimals
    narrower_than_the_digits = claim.tolerance < half_digit and claim.printed.text == "1"
    assert narrower_than_the_digits or not claim.printed.admits(claim.compute())
    assert claim.reason.endswith(".")


@pytest.mark.parametrize("row", BY_ID.values(), ids=name)
def test_the_named_formulas_are_the_ones_that_compute(row):
    called = set()

    def note(frame, event, _arg):
        module, function = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        public = not function.startswith(("_", "<")) and module != "models._check"
        if event == "call" and module.startswith("models.") and public:
            called.add(f"{module.removeprefix('models.')}.{function}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        row.compute()
    finally:
        sys.setprofile(before)
    assert called == set(row.formula.split(", ")) - {ARITHMETIC}


def test_a_fact_that_is_changed_in_the_catalogue_breaks_its_claims(monkeypatch):
    """Each fact that a claim reads, by a third more or less: the claim holds no longer."""
    read, broken = [], set()
    fact = claims.fact
    monkeypatch.setattr(claims, "fact", lambda *key: read.append(key) or fact(*key))
    used = {}
    for row in BY_ID.values():
        read.clear()
        row.compute()
        used[row.claim_id] = set(read)
    monkeypatch.setattr(claims, "fact", fact)
    for claim_id, keys in used.items():
        for key in keys:
            changed = [agrees(BY_ID[claim_id], monkeypatch, key, by) for by in (4 / 3, 3 / 4)]
            if not all(changed):
                broken.add((claim_id, key))
    unbroken = {(claim_id, key) for claim_id, keys in used.items() for key in keys} - broken
    # The quotient of two ratings of one drive over one period does not depend on either.
    pm853t = "samsung-pm853t-240gb"
    assert unbroken == {
        ("S2-053", (pm853t, "user_bytes")), ("S2-053", (pm853t, "rating_period_s")),
    }  # fmt: skip
    assert sum(map(bool, used.values())) > 80


def agrees(row, monkeypatch, key, by):
    """Whether a claim is as stated when the fact that it reads is another."""
    drive_id, quantity, *condition = key
    drive = claims.DRIVES[drive_id]
    facts = (drive.facts[quantity], *drive.passed_over.get(quantity, ()))
    one = next(fact for fact in facts if "".join(condition) in fact.condition)
    first, *rest = (replace(f, value=f.value * by) if f is one else f for f in facts)
    other = replace(
        drive,
        facts={**drive.facts, quantity: first},
        passed_over={**drive.passed_over, quantity: tuple(rest)},
    )
    with monkeypatch.context() as patched:
        patched.setattr(claims, "DRIVES", {**claims.DRIVES, drive_id: other})
        try:
            return row.holds() if isinstance(row, Claim) else row.shows.admits(row.compute())
        except DomainError:
            return False


def test_every_claim_has_its_own_id():
    assert len(BY_ID) == len(CLAIMS) + len(CONTRADICTIONS)


@pytest.mark.parametrize(
    ("text", "rounding", "inside", "outside"),
    [
        ("7.91", "nearest", [7.905, 7.91, 7.915], [7.9049, 7.9151]),
        ("7.91", "truncated", [7.91, 7.9199], [7.9099, 7.92]),
        ("10", "nearest", [9.5, 10.5], [9.4999, 10.5001]),
        ("2.4e-16", "nearest", [2.35e-16, 2.45e-16], [2.34e-16, 2.46e-16]),
        ("-0.5", "nearest", [-0.55, -0.45], [-0.56, -0.44, 0.5]),
    ],
)
def test_a_printed_figure_admits_what_its_digits_allow(text, rounding, inside, outside):
    printed = Printed(text, rounding)
    assert all(printed.admits(value) for value in inside)
    assert not any(printed.admits(value) for value in (*outside, float("nan")))


# Of the figures collected from the reviews, those that follow from others.
COLLECTED = Path(__file__).parent / "data" / "collected_claims.csv"


@pytest.fixture
def collected():
    with COLLECTED.open(encoding="utf-8", newline="") as lines:
        return {row["id"]: row for row in csv.DictReader(lines)}


def test_the_claims_are_exactly_those_collected_as_derivable(collected):
    assert set(BY_ID) == set(collected)
    assert {row.claim_id for row in CLAIMS} == {
        key for key, row in collected.items() if row["verdict"] == "match"
    }


def test_the_claims_carry_the_collected_values(collected):
    for key, row in collected.items():
        claim = BY_ID[key]
        printed = float(row["value"].split()[0])
        assert float(claim.printed.text) == printed, key
        if row["computed_value"]:
            computed = float(row["computed_value"])
            assert claim.compute() == pytest.approx(computed, rel=1e-3), key
