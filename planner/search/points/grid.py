"""A grid as a small JSON file: inputs of a command as people write them, lists and ranges crossed.

`{"ssd_planner_sweep": 1, "command": "plan", "options": {"drive": ["845DC PRO 400"],
"writes": {"from": "1 TB/day", "to": "16 TB/day", "points": 5, "log": true}, "spare": "0-28%"}}`
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from models.errors import DomainError
from planner.quantity.door import parsed
from planner.quantity.door.texts import json_value, text_of
from planner.quantity.input import Input, InputError, probability, share, whole
from planner.quantity.parse import quoted
from planner.quantity.writes import unambiguous
from planner.search.points.row import COMMANDS, GridPoint, rows_of

MARK, VERSION = "ssd_planner_sweep", 1
LARGEST = 1 << 20  # characters of a file
MOST_POINTS = 10_000_000
_RATES = ("writes", "host_bytes_per_s")
_ENDS = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)(.*)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class PointGrid:
    """The inputs of a command, several values each; the last one changes from point to point.

    >>> grid = from_json('{"ssd_planner_sweep": 1, "command": "plan", "options": '
    ...                  '{"capacity": "1 TB", "drives": "4-6", "raid": ["5", "6"]}}')
    >>> len(grid), grid.point(3).inputs
    (6, {'capacity': '1 TB', 'drives': '5', 'raid': '6'})
    """

    command: str
    options: Mapping[str, Sequence[str]]
    seed: int = 1

    def __len__(self) -> int:
        """Return the number of points."""
        return math.prod(len(values) for values in self.options.values())

    def point(self, place: int) -> GridPoint:
        """Return a point by its place; its seed follows from that of the grid and the place."""
        inputs, rest = {}, place
        for name, values in reversed(list(self.options.items())):
            rest, at = divmod(rest, len(values))
            inputs[name] = values[at]
        return GridPoint(
            self.command, place, self.seed, {name: inputs[name] for name in self.options}
        )


def read_grid(path: Path) -> PointGrid:
    """Read the grid of a file; raise ValueError with what is wrong with it."""
    return parsed(_grid_of, path)


def _grid_of(stream: BinaryIO) -> PointGrid:
    return from_json(text_of(stream, 4 * LARGEST))


def from_json(text: str) -> PointGrid:
    """Read the file of a grid; raise ValueError with what is wrong with it."""
    value = json_value(text, LARGEST)
    if not isinstance(value, dict) or value.get(MARK) != VERSION:
        raise ValueError(f'is not a grid: "{MARK}": {VERSION} is missing')
    command, seed = value.get("command"), value.get("seed", 1)
    if command not in COMMANDS:
        known = ", ".join(COMMANDS)
        raise ValueError(f'"command" must be one of {known}, got {quoted(str(command))}')
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise ValueError(f'"seed" must be a whole number from 0, got {quoted(str(seed))}')
    grid = PointGrid(command=command, options=_options(command, value.get("options")), seed=seed)
    if len(grid) > MOST_POINTS:
        raise ValueError(f"has {len(grid):,} points; at most {MOST_POINTS:,} are accepted")
    return grid


def _options(command: str, written: Any) -> dict[str, tuple[str, ...]]:
    """Return the texts of each input that is written."""
    if not isinstance(written, dict) or not written:
        raise ValueError('holds no "options"')
    rows = rows_of(command)
    for name in written:
        if name not in rows and not _is_drive(command, name):
            raise ValueError(f"option {quoted(name)} is not an input of {command}")
    return {name: _values(rows.get(name), name, each) for name, each in written.items()}


def _is_drive(command: str, name: str) -> bool:
    return name == "drive" and command != "simulate"


def _values(row: Input | None, name: str, written: Any) -> tuple[str, ...]:
    """Return the texts of an input: one, a list, or a range."""
    if isinstance(written, dict):
        return _range(name, written)
    parts = written if isinstance(written, list) else [written]
    texts = [str(part).lower() if isinstance(part, bool) else str(part) for part in parts]
    if not texts or any(isinstance(part, dict | list) or part is None for part in parts):
        raise ValueError(f"option {quoted(name)} must be a text, a list of texts or a range")
    every = [text for part in texts for text in _listed(row, part)]
    return tuple(dict.fromkeys(every))


def _listed(row: Input | None, text: str) -> Sequence[str]:
    """Expand a text such as 4-24 or 0-28% into its values; a malformed one stays unchanged."""
    if row is None or row.read not in (whole, share, probability):
        return (text,)
    if not set(text) & set("-,") or " in " in text:  # 1 in 10,000 is one value
        return (text,)
    try:
        return [f"{value:.12g}" for value in row.values(text)]
    except (InputError, DomainError):
        return (text,)


def _range(name: str, written: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts from one end to the other, of the same unit."""
    ends = [_ENDS.fullmatch(str(written.get(end, ""))) for end in ("from", "to")]
    points, is_log = written.get("points"), written.get("log", False)
    is_known = written.keys() <= {"from", "to", "points", "log"} and isinstance(is_log, bool)
    if not is_known or type(points) is not int or not 2 <= points <= MOST_POINTS or None in ends:
        raise ValueError(
            f'option {quoted(name)} must be a range such as {{"from": "1 TB/day", "to": '
            '"16 TB/day", "points": 5, "log": true}'
        )
    (low, unit), (high, other) = ((float(end[1]), end[2].strip()) for end in ends if end)
    if unit != other:
        raise ValueError(f"option {quoted(name)} must have one unit, got {unit!r} and {other!r}")
    if is_log and not (low > 0 and high > 0):
        raise ValueError(f"option {quoted(name)} must be > 0 at both ends for steps of a factor")
    parts = [step / (points - 1) for step in range(points)]
    numbers = [
        low * (high / low) ** part if is_log else low + part * (high - low) for part in parts
    ]
    texts = (f"{number:.12g} {unit}".rstrip() for number in numbers)
    return tuple(unambiguous(text) if name in _RATES else text for text in texts)
