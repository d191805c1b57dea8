"""Reading of scenario files, which `planner.export.scenario_file` describes."""

from pathlib import Path
from typing import BinaryIO

from planner.export.scenario_file import MARK, VERSION, Options
from planner.quantity.door import NAMED, FileLimits, parsed
from planner.quantity.door.texts import json_value, text_of
from planner.quantity.parse import quoted

LARGEST = 1 << 20  # characters of a file


def read_scenario(source: Path | bytes, limits: FileLimits = NAMED) -> Options:
    """Read the scenario of a file, or of its content; raise ValueError with what is wrong with it.

    >>> from planner.export.scenario_file import to_json
    >>> read_scenario(to_json({"writes": "50 GiB/day"}).encode())
    {'writes': '50 GiB/day'}
    """
    return parsed(_options_of, source, limits=limits)


def _options_of(stream: BinaryIO) -> Options:
    return from_json(text_of(stream, 4 * LARGEST))


def from_json(text: str) -> Options:
    """Read the text of a scenario; raise ValueError with what is wrong with it.

    >>> from_json("{}")
    Traceback (most recent call last):
    ValueError: is not a scenario: "ssd_planner_scenario": 1 is missing
    """
    value = json_value(text, LARGEST)
    if not isinstance(value, dict) or value.get(MARK) != VERSION:
        raise ValueError(f'is not a scenario: "{MARK}": {VERSION} is missing')
    options = value.get("options")
    if not isinstance(options, dict):
        raise ValueError('holds no "options"')  # noqa: TRY004 - of a file, not of an argument
    for name, written in options.items():
        parts = written if isinstance(written, list) else [written]
        if not all(isinstance(part, str) for part in parts):
            raise ValueError(f"option {quoted(name)} must be a text, or a list of texts")
    return options
