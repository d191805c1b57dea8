"""A fact that `--fact` takes changes an answer, and one that changes none is refused by name."""

import json
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

from models.nomenclature import QUANTITIES
from planner.cli import cli, main
from planner.quantity.drive_facts import FACTS_USED
from planner.quantity.input import InputError
from planner.quantity.inputs import INPUTS
from planner.quantity.show import shown
from planner.sections.heat import Surroundings, heat_of
from planner.sections.request import plan_of
from planner.sections.speed import speed

# A drive of one's own, and two values of each fact, in base units.
SCENE = {
    "capacity": "1.92TB", "kind": "TLC enterprise NVMe 2022", "writes": "2 TB/day",
    "size": "6 KiB", "skew": "uniform", "reads": "60%", "depth": "4",
}  # fmt: skip
FACTS = {
    "raw_bytes": 2.2e12, "rated_bytes": 3.5e15, "pages_per_block": 4096.0, "blocks": 800.0,
    "unit_bytes": 16384.0, "static_cache_bytes": 2e10, "bits_per_cell": 3.0,
    "relative_wear": 0.05, "entry_bytes": 8.0, "rating_transfer_bytes": 4096.0,
    "random_read_iops": 8e5, "steady_write_iops": 8e4, "sequential_read_bytes_per_s": 6e9,
    "sequential_write_bytes_per_s": 3e9, "rating_period_s": 1.5e8, "mtbf_s": 7.2e9,
    "uber": 1e-17, "worst_case_iops": 4000.0, "saturated_queue_depth": 32.0,
    "own_p99_read_ratio": 1.3, "light_transition_s": 0.3, "deep_transition_s": 1.0,
    "throttled_rate_ratio": 0.05,
}  # fmt: skip
CHANGED = {
    "user_bytes": 1.8e12, "pe_cycles": 25_000.0, "rated_dwpd": 0.7, "warranty_s": 9e7,
    "price_usd": 333.0, "reserve": 9.0, "alignment_bytes": 512.0, "stripe": 16.0,
    "base_factor": 1.04, "stored_fraction": 0.6,
    "background_rewrites_per_s": 3e-7, "absorbed_fraction": 0.2, "bits_per_cell": 4.0,
    "spec_write_iops": 2e4, "burst_write_iops": 9e4, "folded_write_bytes_per_s": 9e8,
    "slc_cache_bytes": 5e10, "member_stall_fraction": 0.02, "dies": 24.0, "die_bytes": 1.4e11,
    "channels": 4.0, "channel_bytes_per_s": 3e8, "page_bytes": 8192.0, "block_bytes": 3e6,
    "read_s": 9e-5, "program_s": 2e-3, "erase_s": 9e-3, "idle_power_w": 4.0,
    "read_power_w": 9.0, "write_power_w": 12.0, "rating_transfer_bytes": 8192.0,
    "rated_queue_depth": 8.0, "read_overhead_s": 3e-5, "map_cache_bytes": 6.4e7,
    "map_read_fraction": 0.3, "used_fraction": 0.2,
    "host_bytes": 3e14, "age_s": 3e7,
    "read_latency_s": 5e-5, "write_latency_s": 4e-5, "host_cache_bytes": 1.1e9,
    "own_read_loads": 4.0, "limit_k": 345.0, "hysteresis_k": 3.0, "throttled_rate_ratio": 0.3,
    "still_k_per_w": 9.0, "body_j_per_k": 50.0, "link_k_per_w": 2.0,
}  # fmt: skip
# Where a fact gives way to another that says more, that one is left out.
GIVES_WAY = {
    "rated_dwpd": {"rated_bytes"}, "spec_write_iops": {"steady_write_iops"},
    "warranty_s": {"rating_period_s"}, "die_bytes": {"dies"}, "entry_bytes": {"base_factor"},
}  # fmt: skip
KINDS = {"channels": "TLC enterprise NVMe 2016"}  # whose reads wait for all of a program
# Answers beyond plan and speed, by the command that gives them.
ELSEWHERE = {
    "mtbf_s": ["array", "--drives", "4", "--raid", "5"],
    "uber": ["array", "--drives", "4", "--raid", "5"],
    "host_cache_bytes": ["speed"],
    "idle_power_w": ["cost"], "read_power_w": ["cost"], "write_power_w": ["cost"],
}  # fmt: skip


def texts(facts):
    return tuple(f"{name}={shown(name, value):.17g}" for name, value in facts.items())


@cache
def planned(facts, kind):
    """The answers of the plan, and the plan."""
    plan = plan_of(**SCENE | {"kind": kind}, fact=list(facts))
    groups = plan.sections.values()
    known = [answer for group in groups for answer in group if answer.is_known]
    return {answer.key: answer.value for answer in known}, plan


@cache
def fast(facts, kind):
    """The answers of the speed over time."""
    _, plan = planned(facts, kind)
    found = speed(plan.drive, plan.workload, with_readers=False)
    return [(part.key, np.asarray(part.value).tolist()) for part in found.every if part.is_known]


@cache
def warm(facts, kind):
    """The answers on idle states and heat, where it throttles."""
    found = heat_of(planned(facts, kind)[1].drive, Surroundings(room_k=283.0, cooling="still"))
    return [(part.key, part.value) for part in found.answers]


def differ(facts, others, kind):
    """Whether the plans differ, or else idle states and heat, or the speed over time."""
    before, now = (texts(facts), kind), (texts(others), kind)
    if planned(*before)[0] != planned(*now)[0] or warm(*before) != warm(*now):
        return True
    return fast(*before) != fast(*now)


def answers_elsewhere(name, facts):
    line = [*ELSEWHERE[name], "--json", "--capacity", SCENE["capacity"], "--kind", SCENE["kind"]]
    stated = [part for text in texts(facts) for part in ("--fact", text)]
    result = CliRunner().invoke(cli, [*line, *stated])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", FACTS_USED)
def test_a_fact_that_is_taken_changes_an_answer(name):
    others = {key: value for key, value in FACTS.items() if key not in GIVES_WAY.get(name, ())}
    if name in ("idle_power_w", "read_power_w", "write_power_w"):
        others |= {"idle_power_w": 5.0, "read_power_w": 10.0, "write_power_w": 14.0}
    value = CHANGED.get(name, 1.5 * FACTS.get(name, 1.0))
    if name in ELSEWHERE:
        assert answers_elsewhere(name, others) != answers_elsewhere(name, others | {name: value})
    else:
        assert differ(others, others | {name: value}, KINDS.get(name, SCENE["kind"]))


def test_every_other_quantity_is_refused_by_name():
    for name in QUANTITIES.keys() - set(FACTS_USED):
        with pytest.raises(InputError, match=f"^fact .*; {name} is computed or of no effect"):
            INPUTS["fact"].value(f"{name}=1")


def test_the_refusal_says_what_to_state_instead(capsys):
    assert main(["plan", "--drive", "845DC PRO 400", "--fact", "fresh_write_iops=9000"]) == 2
    statement = capsys.readouterr().err
    assert "fresh_write_iops" in statement
    assert "state burst_write_iops instead" in statement
    assert main(["plan", "--drive", "845DC PRO 400", "--fact", "colour=1"]) == 2
    assert "colour must be a quantity" in capsys.readouterr().err
