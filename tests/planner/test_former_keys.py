"""JSON has the keys and types that it had before the house was rebuilt, and further ones.

`tests/data/former_keys.json` holds, by command, lines that commit b83cf5b answered, and the types
of each key in all answers together; and lines that it refused.
"""

import json
import re
import shlex
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from planner.cli import main

# Objects that name what an answer used or lacks: their keys follow from it.
MAPS = ("figures", "missing", "sources", "inputs", "rejected_by")
# Known alone, an answer lacks what is assumed by default since then.
KNOWN_ALONE = ("plan", "compare", "speed", "cost")
# Answered then, and beyond the largest rate that is accepted since: no drive takes 1e30 TB a day.
BEYOND_BOUNDS = ('plan --drive "840 EVO 250" --writes 1e30TB/day --json',)
# What an unknown number lacks: numbers that are assumed by default since then lack nothing.
OF_UNKNOWNS = re.compile(r".*/lacking(/\*)?|/missing/\*")
# Null has always been a number that is not known. A forecast from one reading is, since then, a
# factor of two without a coverage that anybody measured.


@cache
def former():
    path = Path(__file__).parents[1] / "data" / "former_keys.json"
    return json.loads(path.read_text(encoding="utf-8"))


def kind(value):
    """Name the JSON type of a value."""
    names = {dict: "object", list: "list", bool: "boolean", int: "number", float: "number",
             str: "string", type(None): "null"}  # fmt: skip
    return names[type(value)]


def keys(value, place=""):
    """List the place and type of every value; elements of lists and maps are alike."""
    yield place, kind(value)
    if isinstance(value, list):
        parts = (("*", part) for part in value)
    elif isinstance(value, dict):
        is_map = place.rpartition("/")[2] in MAPS
        parts = (("*" if is_map else key, part) for key, part in value.items())
    else:
        return
    for key, part in parts:
        yield from keys(part, f"{place}/{key}")


def types(answers):
    """Return the types of every key in some answers together."""
    result = defaultdict(set)
    for answer in answers:
        for place, name in keys(answer):
            result[place].add(name)
    return result


def answered(capsys, line, *further):
    assert main([*shlex.split(line), *further]) == 0, (line, further)
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("command", former()["answered"])
def test_no_key_of_then_is_gone_and_none_has_another_type(capsys, command):
    then = former()["answered"][command]
    lines = [line for line in then["lines"] if line not in BEYOND_BOUNDS]
    answers = [answered(capsys, line) for line in lines]
    if command in KNOWN_ALONE:
        answers += [answered(capsys, line, "--known-only") for line in lines]
    now = types(answers)
    gone = then["types"].keys() - now.keys()
    if command not in KNOWN_ALONE:
        gone = {place for place in gone if not OF_UNKNOWNS.fullmatch(place)}
    assert gone == set()
    for place, names in then["types"].items():
        known = set(names) - {"null"}
        assert not known or now.get(place, set()) <= known | {"null"}, place


@pytest.mark.parametrize("line", [*former()["refused"], *BEYOND_BOUNDS])
def test_what_was_refused_then_is_refused_with_the_same_exit_code(capsys, line):
    assert main(shlex.split(line)) == 2
    answer = json.loads(capsys.readouterr().out)
    assert answer[0]["refused"] if isinstance(answer, list) else answer["error"]
