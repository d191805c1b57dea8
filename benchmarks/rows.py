"""Rows of a benchmark, and the ways in which their figures are measured.

`python -m benchmarks.rows PART` prints the rows of one part as JSON, line by line.
"""

import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Row(NamedTuple):
    """One measured figure and its limit: a maximum or a minimum."""

    name: str
    value: float
    limit: float | None  # none where a figure only stands beside others
    unit: str
    at_least: bool = False

    @property
    def fits(self) -> bool:
        """Whether the figure keeps its limit."""
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def processor_s(call: Callable[[], object]) -> float:
    """Processor time of one call: others share the computer."""
    start = time.process_time()
    call()
    return time.process_time() - start


def best_times(calls: dict[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """Best processor time of each call; they take turns, so that a slow moment hits all of them."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            best[name] = min(best[name], processor_s(call))
    return best


def compiled(name: str, folder: str) -> ctypes.CDLL | None:
    """A C file beside this one, compiled on the spot; nothing where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    library = f"{folder}/{name}.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC", "-o", library]
    source = str(ROOT / "benchmarks" / f"{name}.c")
    subprocess.run([compiler, *flags, source], check=True)  # noqa: S603
    return ctypes.CDLL(library)


def output_of(script: str, *arguments: str, **environment: str) -> str:
    """Output of a script in a fresh interpreter at the root of the project."""
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", script, *arguments], check=True, capture_output=True, text=True,
        cwd=ROOT, env=os.environ | environment,
    ).stdout  # fmt: skip


if __name__ == "__main__":
    for row in import_module(f"benchmarks.{sys.argv[1]}").rows():
        print(json.dumps(row), flush=True)
