"""Plans and commands give the numbers that they gave before the house was rebuilt."""

import json
import re
import shlex

import pytest
from click.testing import CliRunner

from planner.catalogue import load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors import with_assumptions
from planner.cli import cli, main
from planner.scenario.array import Array, RaidLevel
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.skew import classes_of
from planner.scenario.workload import Workload
from planner.sections.plan import plan
from tests import pinned

SCENARIOS, PARTS = 1000, 20
MEASURED = "/workload/lines_per_s"  # of the machine, not of the trace
# What is meant to differ. Prose: how much is said is no promise. What an answer lacks: the fewest
# facts that would supply it, where it was every fact that any way to it takes.
FEWER = re.compile(r"/notes/|/missing/[^/]+/[1-9]")
# Drives less the hot spares were a number without a formula.
NOW_COMPUTED = "/figures/working_members/source"
# Rated drive writes per day that are printed beside a TBW without its period were lost.
NEWLY_KNOWN = "rated dwpd"
REL = 1e-12  # between processors; on one machine the numbers are equal bit by bit


def built(scenario):
    """Return the arguments of `plan` for a pinned scenario."""
    drive = load().drives[scenario["drive"]]
    if scenario["with_assumptions"]:
        drive = with_assumptions(drive)
    drive = with_user_facts(drive, **scenario["facts"])
    writes, pages = classes_of(scenario["skew"], capacity_bytes=drive.capacity_bytes)
    workload = scenario["workload"]
    steps = tuple((time_s, factor) for time_s, factor in workload["rate_steps"])
    array = scenario["array"]
    firmware = scenario["firmware"]
    return (
        (drive, Workload(**workload | {"rate_steps": steps}, write_shares=writes,
                         page_shares=pages)),
        {
            "array": Array(**array | {"level": RaidLevel(array["level"])}),
            "firmware": Firmware(policy=Policy(firmware["policy"]),
                                 layout=Layout(firmware["layout"]),
                                 accuracy=firmware["accuracy"]),
            "partition_fraction": scenario["partition_fraction"],
            "rating_wa": scenario["rating_wa"],
        },
    )  # fmt: skip


def answers(scenario):
    """Return every answer of a plan under a name that does not depend on the code."""
    positional, named = built(scenario)
    try:
        result = plan(*positional, **named)
    except ValueError:
        return {"refused": True}
    life, speed, array = result.lifetime, result.performance, result.array_answer
    nodes = {
        "cleaning op ratio": life.effective_op_ratio, "wa": life.workload_wa,
        **{f"life by {limit}": node for limit, node in life.life_by_limit.items()},
        **{f"{level} wear life": node for level, node in life.wear_band.items()},
        "host limit": life.host_limit_bytes, "required dwpd": life.required_dwpd,
        "rated dwpd": life.rated_dwpd, "printed life": life.printed_life_s,
        "naive life": life.naive_life_s,
        **{f"speed {place}": node for place, node in enumerate(speed.answers)},
        **{f"array {place}": node for place, node in enumerate(array.answers)},
        **{f"cost {place}": node for place, node in enumerate(result.cost.answers)},
        **{f"wa band {place}": node for place, node in enumerate(result.wa_band)},
    }  # fmt: skip
    numbers = {
        name: None if not node.is_known else pinned.plain(node.value)
        for name, node in nodes.items()
    }
    limits = {"limit": life.limit, "runner up": life.runner_up, "speed": speed.limit}
    words = {name: None if limit is None else str(limit) for name, limit in limits.items()}
    return {"numbers": numbers, "words": words | {"array": array.limit}}


def command_answer(line):
    """Return exit code and flattened JSON of a command; former names are answered on stderr."""
    result = CliRunner().invoke(cli, shlex.split(line), catch_exceptions=True)
    if result.exit_code:
        return {"exit": main(shlex.split(line))}
    return {"exit": 0, "json": dict(pinned.flattened(json.loads(result.stdout)))}


@pytest.mark.parametrize("part", range(PARTS))
def test_plans_give_the_numbers_they_gave(part):
    rows = pinned.load(pinned.PLANS)
    assert len(rows) == SCENARIOS
    for scenario, before in rows[part::PARTS]:
        now = answers(scenario)
        assert now.keys() == before.keys(), scenario
        if "refused" in before:
            continue
        assert now["words"] == before["words"], scenario
        for name, value in before["numbers"].items():
            if value is None and name != NEWLY_KNOWN:
                assert now["numbers"][name] is None, (name, scenario)
            elif value is None:
                continue
            else:
                assert now["numbers"][name] == pytest.approx(value, rel=REL, abs=0), (
                    name,
                    scenario,
                )


@pytest.mark.parametrize("line", pinned.load(pinned.COMMANDS))
def test_commands_give_the_json_they_gave(line):
    before, now = pinned.load(pinned.COMMANDS)[line], command_answer(line)
    assert now["exit"] == before["exit"]
    for path, value in before.get("json", {}).items():
        if path in (MEASURED, NOW_COMPUTED) or FEWER.search(path):
            continue
        assert path in now["json"], path
        if isinstance(value, str):
            assert isinstance(now["json"][path], str), path
        elif value is None or isinstance(value, bool):
            assert now["json"][path] is value, path
        else:
            assert now["json"][path] == pytest.approx(value, rel=1e-9, abs=0), path
