"""What a choice tells a buyer: one row for drives that are alike, and what would turn it."""

import json
import re
from dataclasses import replace

import pytest

from planner.__main__ import main
from planner.catalogue import load
from planner.catalogue.drive import with_user_facts
from planner.search.choose import choose
from planner.search.choose.decision import ALIKE, decide, kind_of
from planner.search.choose.request import choice_request
from planner.sections.ownership import ownership
from planner.sections.plan import plan_drive

QUESTIONS = [
    {"usable": "20TB", "writes": "2TB/day"},
    {"usable": "10TB", "writes": "1TB/day", "plp": "true"},
    {"usable": "4TB", "writes": "200GB/day", "raid": "1", "minimise": "price"},
    {"usable": "60TB", "writes": "3TB/day", "nodes": "4-6", "rules": "server"},
]


def asked(question):
    texts = {"minimise": "cost", "today": "2026-10-01", **question}
    return choice_request(load().drives.values(), is_named=False, **texts)


@pytest.fixture(scope="module", params=QUESTIONS, ids=lambda asked: " ".join(asked.values()))
def request_and_choice(request):
    made = asked(request.param)
    return made, choose(**made)


def test_models_of_a_specification_are_alike(request_and_choice):
    _, found = request_and_choice
    objectives = {one.plan.drive.drive_id: one.objective for one in found.candidates}
    assert found.specifications[0].first == found.best
    for one in found.specifications:
        assert {kind_of(drive) for drive in one.models} == {one.kind}
        assert one.models[0] == one.first.plan.drive or one.models[0].drive_id == (
            one.first.plan.drive.drive_id
        )
        for drive in one.models:
            known = objectives.get(drive.drive_id)
            same = any(
                each.plan.array == one.first.plan.array and each.plan.drive.drive_id ==
                drive.drive_id for each in found.candidates
            )  # fmt: skip
            assert not same or known <= ALIKE * one.first.objective * (1 + 1e-12)


def test_at_the_price_that_turns_the_choice_both_cost_as_much(request_and_choice):
    made, found = request_and_choice
    decision = decide(found)
    for flip in decision.flips:
        if flip.flip_usd is None:
            continue
        plan = flip.specification.first.plan
        drive = with_user_facts(plan.drive, price_usd=flip.flip_usd)
        again = plan_drive(
            replace(drive, price_range=None, quote=None), plan.workload, array=plan.array,
            partition_fraction=plan.partition_fraction, firmware=plan.firmware,
        )  # fmt: skip
        key = "total_price_usd"
        cost = again[key].value
        if str(found.objective) == "cost of owning":
            cost = ownership(again, made["terms"], made["risk"])["npv_usd"].value
        assert cost == pytest.approx(decision.first.first.objective, rel=1e-9)
        assert flip.flip_usd <= flip.price_usd * (1 + 1e-12)


def test_nothing_that_is_cheaper_and_short_meets_its_need(request_and_choice):
    _, found = request_and_choice
    assert all(row.lacks.margin < 1 for row in found.rejected if row.array is not None)


def test_regret_is_positive_and_less_than_the_price_is_wide(request_and_choice):
    _, found = request_and_choice
    regret, price = decide(found).expected_regret_usd, found.best.ranges["total_price_usd"]
    assert 0 <= regret <= price.high


def test_every_number_of_the_sentence_is_one_of_the_record(capsys):
    assert main(["choose", "--usable", "20TB", "--writes", "2TB/day", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)["decision"]
    numbers = list(_numbers({key: value for key, value in record.items() if key != "text"}))
    digits = {two for value in numbers for two in _written(value)}
    dated = re.sub(r"(of|to) [A-Z]\w+ \d{4}|RAID \d+", "", record["text"])
    for name in {*record["models"], *(m for one in record["turned_by"] for m in one["models"])}:
        for part in (name, re.sub(r" [\d.]+ [TG]B$", "", name)):
            dated = dated.replace(part, "")
    said = re.findall(r"\d[\d,]*(?:\.\d+)?", dated)
    assert said
    assert {number.rstrip(",") for number in said} <= digits


def _numbers(value):
    if isinstance(value, dict):
        for each in value.values():
            yield from _numbers(each)
    elif isinstance(value, list):
        yield len(value)
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def _written(value):
    """The forms in which a number may be written: as it is, in GB or TB, a margin, a share."""
    for size in (value, value / 1e12, value / 1e3, 100 * (value - 1), 100 * (1 - value)):
        for digits in ("2g", "3g", "4g", "10g"):
            yield f"{float(f'{size:.{digits}}'):,.10g}"
