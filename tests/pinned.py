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

DATA = Path(__file__).parent / "data"
PLANS, COMMANDS = DATA / "plans.json.gz", DATA / "commands.json.gz"


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


def load(path: Path) -> Any:
    """Read a file of pinned answers."""
    return json.loads(gzip.decompress(path.read_bytes()))
