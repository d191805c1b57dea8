"""Whatever a trace holds, it is read or refused with one sentence: what fuzzers try, and found."""

import random
from pathlib import Path

import pytest

from planner.telemetry.record import Refused
from tests.fuzz import telemetry
from tests.fuzz.traces import STARTS, sound

CORPUS = [
    (path, name)
    for path in sorted((Path(__file__).parents[3] / "fuzz" / "corpus").iterdir())
    for name in STARTS
    if path.name.startswith(name.replace(" ", "-"))
]


@pytest.mark.parametrize(("path", "name"), CORPUS, ids=lambda part: getattr(part, "name", ""))
def test_files_that_once_broke_a_reader(path, name):
    sound(path.read_bytes(), name)
    sound(path.read_bytes())


@pytest.mark.parametrize("name", STARTS)
def test_mutated_files_of_each_layout(name):
    rng = random.Random(name)  # noqa: S311 - repeatable, not secret
    for _ in range(20):
        data = telemetry.mutated(rng.choice(STARTS[name]), rng)
        sound(data, name)


@pytest.mark.parametrize("name", STARTS)
def test_the_files_that_are_mutated_are_read_to_begin_with(name):
    whole, *_ = STARTS[name]
    assert not isinstance(sound(whole, name), Refused)
    assert sound(whole).layout == name
