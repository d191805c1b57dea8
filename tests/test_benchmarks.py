"""The benchmarks finish: a miss or a broken part is said at the end, beside everything else."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.__main__ import PARTS, run
from benchmarks.rows import Row

ROOT = Path(__file__).parents[1]
KEEPS, FAST = Row("keeps", 1.0, 2.0, "s"), Row("fast enough", 3.0, 2.0, "x", at_least=True)
MISSES, SLOW = Row("misses", 3.0, 2.0, "s"), Row("too slow", 1.0, 2.0, "x", at_least=True)
BESIDE = Row("beside", 9.0, None, "s")


def part(*rows, ends="0"):
    """A part that prints rows and ends somehow."""
    printed = "\n".join(map(json.dumps, rows))
    return [sys.executable, "-S", "-c", f"import sys; print({printed!r}); sys.exit({ends})"]


def test_everything_runs_after_a_miss_and_after_a_part_that_breaks(tmp_path, capfd):
    report = tmp_path / "bench.json"
    parts = {
        "one": part(KEEPS, MISSES, SLOW), "two": part(FAST, ends="1 / 0"), "three": part(BESIDE),
    }  # fmt: skip
    page = tmp_path / "speed.md"
    assert run(parts, report, page) == 1
    *table, last = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in table] == ["one", "one", "one", "two", "two", "three"]
    assert [line.endswith("MISSED") for line in table] == [False, True, True, False, True, False]
    assert last == f"6 figures, 3 beyond their limits: {report}"
    written = page.read_text()
    assert "6 figures, 3 beyond their limits:\n\n- one: misses, 3 s (limit <= 2)\n" in written
    assert "## Two\n\n| figure | measured | limit |" in written
    assert "| beside | 9 s |  |" in written
    got = json.loads(report.read_text())
    assert [row["fits"] for row in got["rows"]] == [True, False, False, True, False, True]
    assert got["rows"][0] == {"part": "one", **KEEPS._asdict(), "fits": True}
    assert {"processor", "cores", "python", "system"} <= set(got["machine"])
    assert len(got["commit"].removesuffix("-dirty")) == 40


def test_a_part_that_breaks_says_why_on_the_page(tmp_path, capfd):
    broken = [sys.executable, "-S", "-c", "raise ValueError('no such drive')"]
    page = tmp_path / "speed.md"
    assert run({"one": broken}, tmp_path / "bench.json", page) == 1
    assert "- one: exit code: ValueError: no such drive, 1  (limit <= 0)\n" in page.read_text()
    assert "Traceback" in capfd.readouterr().err


@pytest.mark.parametrize(("load", "shared"), [(1.5, False), (9.0, True)])
def test_the_page_says_that_others_shared_the_cores(tmp_path, monkeypatch, load, shared):
    monkeypatch.setattr("os.getloadavg", lambda: (load, load, load))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    page = tmp_path / "speed.md"
    run({"one": part(KEEPS)}, tmp_path / "bench.json", page)
    assert ("other programs shared its cores" in page.read_text()) == shared


def test_nothing_missed_is_exit_code_0(tmp_path, capfd):
    assert run({"one": part(KEEPS, FAST, BESIDE)}, tmp_path / "bench.json") == 0
    assert "MISSED" not in capfd.readouterr().out


@pytest.mark.parametrize("name", PARTS)
def test_every_part_yields_rows(name):
    assert callable(import_module(f"benchmarks.{name}").rows)


def test_make_bench_is_one_command():
    rules = (ROOT / "Makefile").read_text().split("\n\n")
    (rule,) = [rule for rule in rules if "\nbench:" in f"\n{rule}"]
    assert rule.count("python -m") == 1
