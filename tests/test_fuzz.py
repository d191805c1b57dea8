"""Parsers keep their promises on inputs that are mutated; `make fuzz` tries more of them."""

import math
import random
import time
from dataclasses import replace

import pytest

from planner.telemetry import FileReading
from planner.telemetry.traces import TraceWorkload
from tests.fuzz import promises, runner
from tests.fuzz.mutation import PACKINGS
from tests.fuzz.promises import BrokenError
from tests.fuzz.runner import CORPUS, Run, fault_of, target_of
from tests.fuzz.targets import TARGETS, Target

ROUNDS = 3  # in each, a target tries as many inputs as its weight


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_promises_hold_of_mutated_inputs(target, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "FAULTS", tmp_path)
    faults = []
    run = Run([target], seed=0, say=faults.append)
    run.go_on(lambda now: now.tried >= ROUNDS * target.weight)
    assert faults == []


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_seeds_are_read_to_begin_with(target):
    for seed in target.seeds:
        outcome = target.hold(seed)
        assert not isinstance(outcome, FileReading) or outcome.refused is None
        assert isinstance(outcome, TraceWorkload) or not target.name.startswith("trace")


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_files_that_once_broke_a_promise(path):
    data = path.read_bytes()
    assert fault_of(target_of(path), data) is None
    assert fault_of(TARGETS["any file"], data) is None


def planted(hold, tmp_path, monkeypatch, *, inputs=40):
    """Run a target with a fault; return what is said and what is kept."""
    monkeypatch.setattr(runner, "FAULTS", tmp_path)

    def changed(data, rng, _):
        return bytes(rng.randrange(97, 123) for _ in range(rng.randint(0, 30)))

    statement = []
    target = Target(name="planted", seeds=[b""], hold=hold, mutate=changed, weight=1)
    run = Run([target], seed=1, say=statement.append)
    run.go_on(lambda now: now.tried >= inputs)
    return statement, [path.read_bytes() for path in tmp_path.iterdir()]


def test_an_exception_is_said_once_and_its_input_cut_down(tmp_path, monkeypatch):
    def hold(data):
        return {}["no such key"] if b"x" in data else data[:1]

    statement, kept = planted(hold, tmp_path, monkeypatch)
    assert len(statement) == 1
    assert "KeyError" in statement[0]
    assert kept == [b"x"]


def test_an_input_that_hangs_is_stopped(tmp_path, monkeypatch):
    def hold(data):
        try:
            while True:
                time.process_time()
        except Exception:  # noqa: BLE001 - a reader that swallows everything
            return ""

    monkeypatch.setattr(runner, "LONGEST_S", 0.02)
    statement, _ = planted(hold, tmp_path, monkeypatch, inputs=1)
    assert statement[0].startswith("planted: more than 0.02 s of CPU time")


def test_an_input_that_takes_memory_is_met(tmp_path, monkeypatch):
    peaks = iter(range(1 << 30, 1 << 34, 1 << 30))
    monkeypatch.setattr(runner, "peak_bytes", lambda: next(peaks))
    monkeypatch.setattr(runner, "_resident_bytes", lambda: 0)
    monkeypatch.setattr(runner, "FILLS_NOTHING_S", -1.0)
    statement, _ = planted(lambda _: "", tmp_path, monkeypatch, inputs=1)
    assert statement[0].startswith("planted: memory of one reading: 3072 MiB")


@pytest.mark.parametrize(
    "message", ["x" * 301, "a\x1b[2Jb", "two\nlines", "a\u2028b", "\ud800"], ids=ascii
)
def test_a_message_that_no_screen_should_show_is_met(message):
    with pytest.raises(BrokenError):
        promises.sentence(message)


def test_the_name_of_the_file_is_not_counted():
    promises.sentence("a" * 400 + ": is not text", of="a" * 400)


@pytest.mark.parametrize("number", [-1.0, math.nan, math.inf])
def test_a_workload_with_an_impossible_number_is_met(number, monkeypatch):
    target = TARGETS["trace, SPC"]
    known = promises.trace

    def broken(*arguments, **options):
        workload, writes = known(*arguments, **options)
        return replace(workload, host_bytes=number), writes

    monkeypatch.setattr(promises, "trace", broken)
    with pytest.raises(BrokenError, match="host_bytes"):
        target.hold(target.seeds[0])


def test_a_file_that_reads_otherwise_if_packed_is_met(monkeypatch):
    data = TARGETS["smartctl JSON"].seeds[0]
    other = TARGETS["smartctl JSON"].seeds[1]
    monkeypatch.setitem(PACKINGS, "gzip", lambda _: other)
    with pytest.raises(BrokenError, match="other drives if packed by gzip"):
        promises.reading_of("a", data, packing="gzip")


def test_a_seed_fixes_the_inputs():
    def drawn(seed):
        target, rng = TARGETS["fio JSON"], random.Random(seed)  # noqa: S311 - repeatable, not secret
        return [target.mutate(target.seeds[0], rng, target.seeds) for _ in range(20)]

    assert drawn(1) == drawn(1) != drawn(2)
