"""Numbers of plans and answers of commands as they stood before the house was rebuilt.

`tests/data/plans.json.gz` holds 1,000 random scenarios with every answer of their plans,
`tests/data/commands.json.gz` the JSON of commands with the names of options of that time. They
prove nothing about the models (other tests do); they show that moving code moved no number, and
are not written again. A scenario is plain JSON: the fields of the records that a plan takes.
"""

import gzip
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from models.units import GIB, YEAR_S
from planner.catalogue.drive import Drive, with_user_facts

DATA = Path(__file__).parent / "data"
PLANS, COMMANDS = DATA / "plans.json.gz", DATA / "commands.json.gz"
# Typical and highest cycles that were assumed of a kind of flash.
CYCLES_OF_THEN = {
    frozenset({"V-NAND", "MLC"}): (6000.0, 40_000.0),
    frozenset({"TLC"}): (1000.0, 3000.0),
    frozenset({"MLC"}): (3000.0, 3000.0),
}


def flattened(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """List the leaves of JSON by their path; of lists the first 40 items."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from flattened(part, f"{path}/{name}")
    elif isinstance(value, list):
        for place, part in enumerate(value[:40]):
            yield from flattened(part, f"{path}/{place}")
    else:
        yield path, value


def plain(value: Any) -> Any:
    """Return a number or a list of numbers as JSON holds it."""
    if np.ndim(value):
        return [float(part) for part in np.ravel(value)]
    number = float(value)
    return None if math.isnan(number) else number


def with_facts_of_then(drive: Drive) -> Drive:
    """Return a drive with what was assumed of it then, as facts: flash, cycles and period."""
    raw_bytes = drive.value("raw_bytes") or GIB * 2.0 ** math.ceil(math.log2(drive.capacity_gb))
    facts = {} if "raw_bytes" in drive.facts else {"raw_bytes": raw_bytes}
    needed = (drive.value("rated_bytes") or 0.0) / raw_bytes
    kind = {*drive.nand_process.split(), *drive.nand_type.split()}
    cycles = next((ends for words, ends in CYCLES_OF_THEN.items() if words <= kind), None)
    if "pe_cycles" not in drive.facts and cycles is not None and cycles[1] >= needed:
        facts["pe_cycles"] = max(cycles[0], needed)
    if "rated_dwpd" in drive.facts and not {"warranty_s", "rating_period_s"} & drive.facts.keys():
        facts["rating_period_s"] = 5 * YEAR_S
    return with_user_facts(drive, **facts)


def load(path: Path) -> Any:
    """Read a file of pinned answers."""
    return json.loads(gzip.decompress(path.read_bytes()))
