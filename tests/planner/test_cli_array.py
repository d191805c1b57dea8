"""The command `array`: known answers of twelve drives, its keys, and its complaints."""

import json
import re

import pytest

from models.nomenclature import QUANTITIES
from planner.cli import main
from planner.quantity.show import ODDS

TWELVE = ["array", "--drives", "12", "--member-iops", "50000", "--worst-iops", "5000"]


def told(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_twelve_drives_of_50k_and_5k(capsys):
    got = told(capsys, *TWELVE, "--raid", "raid0")
    assert (got["iops"], got["worst_case_floor_iops"]) == (600_000, 60_000)
    assert 0.97 < got["iops_at_queue_depth"] / got["iops"] <= 1
    assert got["worst_case_probability"] < 1e-20 < got["any_stalled_probability"] < 0.1
    assert got["usable_bytes"] is None
    assert got["missing"]["usable_bytes"] == ["user_bytes"]


@pytest.mark.parametrize(
    ("level", "usable"),
    [
        ("raid0", 48e12),
        ("raid10", 24e12),
        ("raid5", 44e12),
        ("raid6", 40e12),
        ("ec:8+3", 384e12 / 11),
    ],
)
def test_every_level_by_name(capsys, level, usable):
    got = told(capsys, *TWELVE, "--raid", level, "--capacity", "4TB")
    assert got["usable_bytes"] == pytest.approx(usable)
    loss = got["loss_probability"]
    assert set(loss) == {"total", "failures", "unreadable", "wear_out"}
    assert 0 < loss["total"] <= 1
    assert next(iter(got["remedies"])) == "As it is"
    rates = list(got["iops_by_queue_depth"].values())
    assert rates == sorted(rates)


def test_what_is_told_of_the_risks_counts(capsys):
    base = ["array", "--drive", "845DC PRO 400", "--drives", "8", "--raid", "raid5"]
    loose = told(capsys, *base, "--writes", "60TB/day", "--life-spread", "10%")
    tight = told(capsys, *base, "--writes", "60TB/day", "--replace-at", "85%", "--afr", "0.5%",
                 "--uber", "1e-17", "--rebuild", "1")  # fmt: skip
    assert tight["loss_probability"]["total"] < loose["loss_probability"]["total"]


def test_people_get_the_parts_and_what_mends_them(capsys):
    assert (
        main(["array", "--drive", "845DC PRO 400", "--drives", "8", "--raid", "raid6", "--all"])
        == 0
    )
    out = capsys.readouterr().out
    for line in ("Data loss by wear-out together", "Replaced at 90 % of the mean life", "RAID 6"):
        assert line in out


@pytest.mark.parametrize(
    ("command", "name", "expected"),
    [
        ("array", "array_iops", "of the variance: Random write IOPS, 4 KiB, steady; state it"),
        ("array", "array_loss_probability", "models.failures.any_loss_probability("),
        ("array", "wear", "read its SMART log"),
        ("array", "safe", "SAFE Yes. RAID 6 survives 2 failed drives."),
        ("cost", "npv_usd", "100 % of the variance: Price per drive; state the price"),
        ("cost", "lasts", "LASTS Yes."),
        ("plan", "wear", "read its SMART log"),
        ("plan", "rated_dwpd", "7,300 TB / 0.4 TB / 1,825 days = 10 DWPD"),
        ("plan", "rated_dwpd", "User capacity 400 GB: Samsung SSD 845DC EVO/PRO Preview"),
    ],
)
def test_one_option_explains_on_every_face(capsys, command, name, expected):
    drives = ["845DC PRO 400", "--drives", "8", "--raid", "raid6"]
    assert main([command, *drives, "--why", name]) == 0
    assert expected in " ".join(capsys.readouterr().out.split())
    assert main([command, *drives, "--why", "nothing"]) == 2
    refused = capsys.readouterr().err
    assert "--why must be lasts, worst, safe, cost, next or a number" in refused
    assert "got 'nothing'" in refused


def test_the_evidence_of_safety_uses_the_stated_failures(capsys):
    array = ["array", "845DC PRO 400", "--drives", "4", "--raid", "raid5", "--why", "safe"]
    outputs = []
    for rate in ("0.5%", "20%"):
        assert main([*array, "--afr", rate]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] != outputs[1]


@pytest.mark.parametrize("command", ["plan", "array", "compare"])
def test_probabilities_are_odds_on_every_screen(capsys, command):
    names = ["845DC PRO 400", "DC S3700 400"] if command == "compare" else ["845DC PRO 400"]
    array = [] if command == "compare" else ["--drives", "8", "--raid", "raid6"]
    assert main([command, *names, *array, "--writes", "60TB/day", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    risks = {quantity.label for name, quantity in QUANTITIES.items() if name in ODDS}
    named = [line for line in lines if line.strip().partition("  ")[0] in risks]
    assert len(named) >= 2
    assert all(re.search(r"\d in \d|almost certain", line) for line in named), named
    assert not any("%" in line or "0." in line for line in named), named


@pytest.mark.parametrize(
    ("arguments", "statement"),
    [
        (["--raid", "raid7"], "--raid must be one of raid0"),
        (["--drives", "10", "--raid", "ec:8+3"], "--drives must be >= 11 for 8+3"),
        (["--afr", "120%"], "--afr must be from 0 to less than 100 %, got '120%'"),
        (["--member-iops", "fast"], "--member-iops must be a number"),
    ],
)
def test_complaints_name_the_option(capsys, arguments, statement):
    assert main(["array", *arguments]) == 2
    assert statement in capsys.readouterr().err


def test_plan_and_array_say_the_same_of_stalls(capsys):
    """Of a drive whose stalls are assumed; the array's IOPS under stalls use the same share."""
    scenario = ["--drive", "990 PRO 4TB", "--drives", "2", "--raid", "1", "--json"]
    assert main(["plan", *scenario]) == 0
    planned = json.loads(capsys.readouterr().out)["answers"]
    assert main(["array", *scenario]) == 0
    array = json.loads(capsys.readouterr().out)
    assert array["any_stalled_probability"] == planned["stall_probability"]
    assert array["worst_case_probability"] == planned["aligned_stall_probability"]
