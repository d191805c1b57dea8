"""Scenario files that the planner wrote before its house was rebuilt still give their numbers.

`tests/data/former_scenarios.json` holds files as commit b83cf5b wrote them, what it answered, and
the options that state today what was the default then.
"""

import json
from pathlib import Path

import pytest

from planner.cli import main

FORMER = json.loads((Path(__file__).parents[1] / "data" / "former_scenarios.json").read_text())
# What differs on purpose, by place in the list: the reason and the answers.
DIFFERENT = {
    2: ("The printed 4 TB of the 860 PRO are 4,096 GB.",
        {"usable_bytes", "rated_dwpd", "rated_life_s", "printed_life_s", "price_per_user_byte",
         "price_per_usable_byte"}),
    3: (("The printed TBW of the 7450 PRO goes before its rated DWPD; below the printed queue "
        "depth its dies must be known."),
        {"rated_dwpd", "drive_iops", "drive_throughput_bytes_per_s", "latency_s", "read_iops",
         "budget_iops"}),
    8: ("Below the printed queue depth its dies must be known.",
        {"drive_iops", "drive_throughput_bytes_per_s", "latency_s", "read_iops", "budget_iops"}),
    9: (("What was assumed of cycles and of the rating follows from drives of the kind; TRIM is "
        "taken to hit all data alike."),
        {"effective_op_ratio", "workload_wa", "wear_life_s", "low_wear_life_s",
         "typical_wear_life_s", "high_wear_life_s", "host_limit_bytes", "naive_life_s",
         "price_per_written_byte", "rated_life_s"}),
}  # fmt: skip


def answered(capsys, *words):
    assert main(["plan", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["answers"]


@pytest.mark.parametrize("place", range(len(FORMER)))
def test_a_scenario_file_written_before_gives_its_numbers(capsys, tmp_path, place):
    before, path = FORMER[place], tmp_path / "scenario.json"
    path.write_text(json.dumps(before["file"]))
    now = answered(capsys, "--scenario", str(path), *before["defaults_then"])
    _, different = DIFFERENT.get(place, ("", set()))
    assert set(before["answers"]) <= set(now)
    for key, value in before["answers"].items():
        if key in different:
            assert now[key] != value, key
        elif value is not None:
            assert now[key] == pytest.approx(value, rel=1e-9, abs=0), key
