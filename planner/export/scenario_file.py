"""A scenario as a small JSON file: options of a plan, written as on the command line.

`{"ssd_planner_scenario": 1, "options": {"drive": "...", "writes": "50 GiB/day"}}`

Where points were measured on the drive, `fitted` says what they gave; it is for readers, and fitted
again when the file is read.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from models.nomenclature import QUANTITIES
from planner.quantity.show import shown

if TYPE_CHECKING:
    from planner.catalogue.drive import Drive

VERSION = 1
MARK = "ssd_planner_scenario"

Options = dict[str, str | list[str]]


def facts_of(drive: "Drive", *, known: "Drive") -> dict[str, str]:
    """Return the facts of a drive that another record of it lacks, as `--fact` takes them.

    >>> from planner.catalogue.drive import own_drive, with_user_facts
    >>> mine = own_drive(480e9)
    >>> facts_of(with_user_facts(mine, erase_s=0.004, dies=8), known=mine)
    {'erase_s': 'erase_s=4.0 ms', 'dies': 'dies=8.0'}
    """
    fresh = {
        name: fact.value for name, fact in drive.facts.items() if known.facts.get(name) != fact
    }
    return {
        name: f"{name}={shown(name, value)!r}{_unit(name)}"
        for name, value in fresh.items()
        if isinstance(value, float)
    }


def _unit(name: str) -> str:
    unit = QUANTITIES[name].shown_in
    return "" if unit == "1" else f" {unit}"


def to_json(options: Mapping[str, str | list[str]], fitted: Mapping[str, Any] | None = None) -> str:
    """Write a scenario file.

    >>> json.loads(to_json({"writes": "50 GiB/day"}))
    {'ssd_planner_scenario': 1, 'options': {'writes': '50 GiB/day'}}
    """
    scenario = {MARK: VERSION, "options": dict(options)}
    found = {} if fitted is None else {"fitted": dict(fitted)}
    return json.dumps(scenario | found, indent=2, ensure_ascii=False)
