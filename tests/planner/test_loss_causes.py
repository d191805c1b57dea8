"""Causes of data loss: they add up to the losses of the sentence on safety."""

import math

import pytest

from models.units import YEAR_S
from planner.cli import main
from planner.quantity.show import RARE_ODDS, odds
from planner.scenario.risk import Risk
from planner.search.verdict.safe import loss_text, safe
from planner.sections.data_loss import data_loss
from planner.sections.loss_causes import loss_kinds
from planner.sections.request import plan_of

WRITES = {"writes": "1 TB/day"}
PLANS = {
    "single": ("870 EVO 1TB", {"writes": "30 GB/day"}),
    "mirror": ("870 EVO 1TB", {"writes": "30 GB/day", "drives": 2, "raid": 1}),
    "pairs": ("870 EVO 4TB", {**WRITES, "drives": 8, "raid": 10}),
    "parity": ("PM9A3 3.84", {**WRITES, "drives": 4, "raid": 5}),
    "two parities": ("870 QVO 8TB", {**WRITES, "drives": 12, "raid": 6}),
    "sets": ("PM9A3 1.92", {**WRITES, "drives": 8, "raid": 5, "sets": 2}),
    "copies": ("7450 PRO 3.84", {**WRITES, "drives": 12, "keep": "3 copies on 4 hosts"}),
    "worn": ("870 EVO 1TB", {"writes": "600 GB/day", "drives": 2, "raid": 1}),
}  # fmt: skip


@pytest.fixture(params=PLANS)
def loss(request):
    drive, inputs = PLANS[request.param]
    return data_loss(plan_of(drive, **inputs), Risk(afr_fraction=0.03, uber=1e-15))


def lost(kind):
    return [cause for cause in kind.causes if "survived" not in cause.event]


def test_causes_add_up_to_each_loss_and_all_losses_to_the_whole(loss):
    kinds, whole = loss_kinds(loss), float(loss["array_loss_probability"].value)
    parts = [float(cause.answer.value) for kind in kinds for cause in lost(kind)]
    for kind in kinds:
        total = math.fsum(float(cause.answer.value) for cause in lost(kind))
        assert kind.probability == pytest.approx(min(total, 1.0), rel=1e-12)
    assert max(parts) <= whole * (1 + 1e-9)
    assert math.fsum(parts) >= whole * (1 - 1e-9)
    assert math.fsum(parts) - whole <= sum(parts) ** 2  # two causes at once
    shares = [cause.share for kind in kinds for cause in lost(kind)]
    is_rare = math.fsum(parts) < RARE_ODDS  # no model of drives alone tells shares of that
    assert math.fsum(shares) == pytest.approx(0.0 if is_rare else 1.0)


def test_the_losses_are_those_of_the_sentence(loss):
    kinds = loss_kinds(loss)
    if loss.plan.array.tolerated_failures:
        array, sector = kinds
        assert odds(array.probability) in loss_text(loss)
        is_named = "of a sector" in loss_text(loss)
        assert not is_named or odds(sector.probability) in loss_text(loss)
    else:
        (drive,) = kinds
        assert odds(drive.probability) in safe(loss.plan, loss).text


def test_failures_that_are_survived_are_counted_one_by_one(loss):
    array, rate = loss.plan.array, float(loss["failures_per_s"].value)
    survived = [cause for cause in loss_kinds(loss)[0].causes if "survived" in cause.event]
    assert len(survived) == array.tolerated_failures
    values = [float(cause.answer.value) for cause in survived]
    assert values == sorted(values, reverse=True)
    if survived:
        any_of_all = -math.expm1(-array.groups * array.group_members * rate * 5 * YEAR_S)
        assert values[0] == pytest.approx(any_of_all, rel=1e-9)
        assert values[-1] >= float(loss["array_failed_loss_probability"].value)


def test_drives_that_wear_out_again_and_again_have_no_causes():
    plan = plan_of("870 EVO 1TB", writes="600 TB/day")
    assert loss_kinds(data_loss(plan)) == ()


def test_the_command_lists_the_causes(capsys):
    asked = ["plan", "PM9A3 3.84", "--drives", "4", "--raid", "5", "--writes", "2 TB/day"]
    assert main([*asked, "--why", "safe"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    array, _ = loss_kinds(data_loss(plan_of("PM9A3 3.84", writes="2 TB/day", drives=4, raid=5)))
    assert f"{array.causes[0]} 1 - exp(-4 x " in shown
    assert "Loss of a sector in a rebuild within 5 years" in shown
