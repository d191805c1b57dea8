"""No writes at all: a life without end, said as such on every face."""

import json
import math

import pytest
from click.testing import CliRunner

import planner as ssd
from models.endurance import lifetime_s, required_dwpd
from models.growth import growing_lifetime_s, mean_life_s, written_bytes
from models.units import YEAR_S
from planner.cli import cli, main
from planner.export.comparison import comparison
from planner.sections.request import plan_of

DRIVE = ["--drive", "845DC PRO 400", "--writes", "0"]
SHRINKING = {"growth_per_year": -0.2, "step_times_s": [YEAR_S], "step_factors": [2.0]}


@pytest.mark.parametrize(
    "course",
    [{}, {"growth_per_year": 0.2}, SHRINKING, {"phase_in_s": YEAR_S}],
    ids=["steady", "growing", "shrinking, with a step", "phased in"],
)
def test_a_limit_is_never_met(course):
    assert growing_lifetime_s(1e12, host_bytes_per_s=0, **course) == math.inf
    assert written_bytes(10 * YEAR_S, host_bytes_per_s=0, **course) == 0
    both = growing_lifetime_s(1e12, host_bytes_per_s=[0.0, 1e4], **course)
    assert both[1] == growing_lifetime_s(1e12, host_bytes_per_s=1e4, **course)


def test_a_generation_without_writes_has_no_end():
    assert lifetime_s(1e12, host_bytes_per_s=0) == math.inf
    assert mean_life_s(YEAR_S, limit_bytes=1e12, written_bytes=0) == math.inf
    assert required_dwpd(0, user_bytes=1e12) == 0


@pytest.mark.parametrize("written", ["0", "0 GiB/day", "0 DWPD", "0.0"])
def test_none_is_written_with_any_unit_or_without(written):
    assert plan_of("845DC PRO 400", writes=written).workload.host_bytes_per_s == 0


def test_a_plan_ends_with_its_warranty():
    life = plan_of("845DC PRO 400", writes="0")
    assert (life.lives.limit, life.lives.years, life.lives.endurance_limit) == (
        "warranty period",
        5.0,
        None,
    )
    assert life["endurance_life_s"].value == life["wear_life_s"].value == math.inf
    assert ssd.plan("845DC PRO 400", writes=0).wear == math.inf


def test_every_life_is_unlimited_as_text_and_null_as_json():
    statement = CliRunner().invoke(cli, ["plan", *DRIVE, "--all"]).stdout
    assert "then unlimited by flash wear" in statement
    assert "missing" not in statement
    record = json.loads(CliRunner().invoke(cli, ["plan", *DRIVE, "--json"]).stdout)
    assert record["answers"]["wear_life_s"] is None
    assert record["missing"] == {}
    rows = comparison([plan_of("845DC PRO 400", writes="0")])
    named = {row["Quantity"]: row["Samsung 845DC PRO 400 GB"] for row in rows}
    assert named["Life by endurance"] == "unlimited"


@pytest.mark.parametrize(
    "line",
    [
        ["speed", *DRIVE, "--json"],
        ["array", *DRIVE, "--drives", "4", "--raid", "5", "--json"],
        ["cost", *DRIVE, "--json"],
        ["compare", *DRIVE, "--drive", "DC S3700 400", "--json"],
        ["uncertainty", *DRIVE, "--uncertain", "pe_cycles=20000..30000..50000", "--json"],
        ["size", "spare", *DRIVE, "--life", "5", "--json"],
        ["size", "drives", *DRIVE, "--life", "5", "--json"],
        ["choose", "--usable", "2TB", "--writes", "0", "--like", "845DC", "--json"],
    ],
    ids=lambda line: " ".join(line[:2]),
)
def test_every_command_answers(line):
    result = CliRunner().invoke(cli, line)
    assert result.exit_code == 0
    record = json.loads(result.stdout, parse_constant=pytest.fail)
    assert not record.get("missing") if isinstance(record, dict) else record


def test_a_rating_for_no_writes_is_refused_in_a_sentence(capsys):
    assert main(["size", "class", "--capacity", "1.92TB", "--raw", "2TiB", "--writes", "0"]) == 2
    assert "writes must be > 0 for a class" in capsys.readouterr().err


def test_writes_below_none_are_refused(capsys):
    assert main(["plan", "--drive", "845DC PRO 400", "--writes", "-5 GiB/day"]) == 2
    assert "writes must be" in capsys.readouterr().err
