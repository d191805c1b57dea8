"""First screens: within their lines and 100 columns, for every drive and forty scenarios."""

import os
import random
from itertools import islice

import pytest

from models.units import YEAR_S
from planner.__main__ import main
from planner.catalogue import load
from planner.cli.plan import print_plan
from planner.search.verdict import dates, verdict
from planner.search.verdict.lasts import ROUNDING, lasts, used_share
from planner.sections.request import plan_of

DRIVES = list(load().drives.values())
EVERY = 1 if os.environ.get("LONG") else 12  # of the drives
MOST = {"plan": 14, "array": 12, "speed": 10, "compare": 12, "cost": 12, "choose": 20}
COLUMNS = 100
LAYOUTS = [
    {}, {}, {"drives": 2, "raid": 1}, {"drives": 4, "raid": 5}, {"drives": 8, "raid": 6},
    {"drives": 4, "raid": 0}, {"drives": 6, "raid": 10}, {"drives": 6, "raid": "raidz2"},
    {"keep": "3 copies on 4 hosts", "drives": 12}, {"keep": "4+2 on 8 hosts"},
    {"keep": "3 copies on 3 hosts"}, {"keep": "300 single drives"}, {"keep": "scratch"},
]  # fmt: skip
PATTERNS = [
    {}, {"skew": "80/20"}, {"skew": "uniform"}, {"sequential": "60%"}, {"growth": "20%"},
    {"power": "can fail", "sync": "each commit"}, {"power": "ups"}, {"commit_p99": "5 ms"},
    {"written": "100 TB", "age": "2 years"}, {"known_only": "true"},
]  # fmt: skip


def scenarios(count, seed=31):
    """Yield questions that people might ask, of drives of every kind."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    while count:
        drive = rng.choice(DRIVES)
        asked = {
            **rng.choice(LAYOUTS),
            **rng.choice(PATTERNS),
            "writes": f"{rng.choice((0.01, 0.1, 0.3, 1, 3))} DWPD",
        }
        yield drive, asked, rng.choice((1, 3, 5, 7)) * YEAR_S
        count -= 1


def as_options(asked):
    flags = [f"--{name.replace('_', '-')}" for name, text in asked.items() if text == "true"]
    pairs = ((f"--{name.replace('_', '-')}", str(text)) for name, text in asked.items()
             if text != "true")  # fmt: skip
    return [part for pair in pairs for part in pair] + flags


def fits(text, command):
    lines = text.splitlines()
    assert len(lines) <= MOST[command], text
    assert max(map(len, lines)) <= COLUMNS, text


def protection_is_stated(text):
    assert "ower-loss protection" in " ".join(text.split()), text


@pytest.mark.parametrize("drive", DRIVES[::EVERY], ids=lambda drive: drive.drive_id)
def test_the_screen_of_every_drive_fits_and_states_protection(drive, capsys):
    plan = plan_of(drive, writes="0.3 DWPD")
    print_plan(plan, 5 * YEAR_S)
    text = capsys.readouterr().out
    fits(text, "plan")
    protection_is_stated(text)


@pytest.mark.parametrize("command", ["plan", "array", "speed", "cost"])
def test_screens_of_scenarios_fit(command, capsys):
    for drive, asked, years_s in islice(scenarios(40), 0, None, 1 if command == "plan" else 3):
        line = [command, drive.name, *as_options(asked)]
        line += [] if command == "speed" else ["--years", f"{years_s / YEAR_S:g}"]
        assert main(line) == 0, line
        text = capsys.readouterr().out
        fits(text, command)
        protection_is_stated(text)


def test_a_comparison_of_two_fits(capsys):
    pairs = list(scenarios(12))
    for (one, asked, _), (other, _, _) in zip(pairs[::2], pairs[1::2], strict=True):
        new = {name: text for name, text in asked.items() if name not in ("written", "age")}
        assert main(["compare", one.name, other.name, *as_options(new)]) == 0
        text = capsys.readouterr().out
        fits(text, "compare")
        protection_is_stated(text)


@pytest.mark.parametrize("seed", range(4 if EVERY > 1 else 2000))
def test_no_yes_stands_beside_a_range_that_begins_inside_the_years(seed):
    for drive, asked, years_s in scenarios(50, 1000 + seed):
        plan = plan_of(drive, **asked)
        is_covered(lasts(plan, years_s).word, dates(plan), years_s)


def is_covered(word, ends, years_s):
    if word.startswith("Yes"):
        assert ends.printed is not None
        assert ends.printed.low >= years_s * (1 - ROUNDING)
        assert ends.own_wear is None or ends.own_wear.low >= years_s * (1 - ROUNDING)
    if word == "No":
        parts = (ends.printed, ends.own_wear)
        assert any(part is not None and part.high < years_s for part in parts)


@pytest.mark.parametrize(
    "drive", DRIVES[:: 8 * EVERY if EVERY > 1 else 1], ids=lambda d: d.drive_id
)
def test_the_drive_that_is_advised_for_each_passes(drive):
    for rate in ("0.3 DWPD", "1 DWPD", "3 DWPD"):
        asked = {"writes": rate}
        statement = verdict(plan_of(drive, **asked), 5 * YEAR_S)
        if "drive" in statement.change.inputs:
            advised_drive_passes(drive, asked, 5 * YEAR_S, statement)


@pytest.mark.parametrize("seed", range(4 if EVERY > 1 else 40))
def test_a_cluster_is_no_raid_and_what_is_advised_passes(seed):
    for drive, asked, years_s in scenarios(50, seed):
        plan = plan_of(drive, **asked)
        statement = verdict(plan, years_s)
        is_covered(statement.lasts.word, dates(plan), years_s)
        if plan.array.nodes or plan.situation.drives > 1:
            assert "RAID" not in statement.safe.text
            assert "irror" not in statement.change.text
        if "drive" in statement.change.inputs:
            advised_drive_passes(drive, asked, years_s, statement)


def advised_drive_passes(drive, asked, years_s, before):
    """The advised drive lasts with a margin, fits where the other was, and is no less safe."""
    new = {name: text for name, text in asked.items() if name not in ("written", "age", "writes")}
    rate = plan_of(drive, **asked).workload.host_bytes_per_s
    plan = plan_of(before.change.inputs["drive"], **new, writes=f"{rate:.12g} B/s")
    after = verdict(plan, years_s)
    assert after.lasts.word == "Yes", (drive.name, asked, before.change)
    assert used_share(plan, years_s) <= 0.8 * (1 + 1e-9)
    assert plan.drive.interface == drive.interface
    assert drive.capacity_gb <= plan.drive.capacity_gb <= 1.25 * drive.capacity_gb
    if drive.power_loss_protection == "yes":
        assert plan.drive.power_loss_protection == "yes"
    rank = ("No", "No copy, as asked", "Probably", "Yes").index
    assert rank(after.safe.word) >= rank(before.safe.word)


QUESTIONS = [
    ["--usable", "20TB", "--writes", "2 TB a day"],
    ["--usable", "50TB", "--nodes", "4-6"],
    ["--usable", "4TB", "--plp", "--iops", "100k", "--budget", "5000"],
    ["--usable", "900TB", "--slots", "4"],
    ["--like", "PM9A3", "--usable", "10TB", "--life", "7", "--spare", "0-28%"],
]


@pytest.mark.parametrize("asked", QUESTIONS, ids=" ".join)
def test_a_choice_fits_and_states_protection(asked, capsys):
    assert main(["choose", *asked]) == 0
    text = capsys.readouterr().out
    fits(text, "choose")
    assert "Power-loss protection: " in text or "No plan meets" in text
