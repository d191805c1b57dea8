"""What is fast, as ratios measured in one run: `python -m benchmarks`.

Each benchmark yields rows with a limit; the exit status tells whether every row keeps its own.
Add one to `BENCHMARKS`: a function without arguments that yields rows.
"""

import logging
import pkgutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from scipy.special import lambertw
from streamlit.testing.v1 import AppTest

import models
from models.write_amplification import fifo, greedy

ROOT = Path(__file__).parents[1]


class Row(NamedTuple):
    """One measured figure and the most it may be."""

    name: str
    value: float
    limit: float
    unit: str


def write_amplification() -> Iterator[Row]:
    """Formulas on a million points, over the Lambert W function of scipy on as many."""
    op_ratio: Any = np.random.default_rng(0).uniform(0.02, 1, 1_000_000)
    alpha = 1 + op_ratio
    argument = -alpha * np.exp(-alpha)
    calls: dict[str, Callable[[], object]] = {
        "lambertw": partial(lambertw, argument),
        "fifo": partial(fifo, op_ratio),
    }
    for pages in (64, 256, 1024):
        calls[f"greedy, {pages} pages"] = partial(greedy, op_ratio, pages_per_block=pages)
    best = best_times(calls, rounds=7)
    for name in list(calls)[1:]:
        limit = 0.4 if name == "fifo" else 1.0
        yield Row(f"{name} / lambertw", best[name] / best["lambertw"], limit, "x")


def import_time() -> Iterator[Row]:
    """Importing every formula module, beyond numpy and scipy, in fresh processes."""
    every = [info.name for info in pkgutil.walk_packages(models.__path__, "models.")]
    names = [name for name in every if not name.startswith("models.simulator")]
    base = "import numpy, scipy.special"
    times: dict[str, list[float]] = {base: [], f"{base}, {', '.join(names)}": []}
    for _ in range(9):
        for statement, taken in times.items():
            taken.append(seconds(partial(run_python, statement)))
    without, with_models = map(median, times.values())
    yield Row("import models beyond numpy and scipy", with_models - without, 0.25, "s")


def app_rerun() -> Iterator[Row]:
    """A slider move: the whole script of the what-if screen, without a browser."""
    logging.disable(logging.WARNING)
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    taken = []
    for percent in range(1, 16):
        app.slider(key="spare").set_value(percent)
        taken.append(seconds(app.run))
    yield Row("rerun after a slider move", median(taken), 0.15, "s")


BENCHMARKS: list[Callable[[], Iterator[Row]]] = [write_amplification, import_time, app_rerun]


def best_times(calls: dict[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """Best time of each call, the calls taking turns so that a slow moment hits all of them."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            best[name] = min(best[name], seconds(call))
    return best


def seconds(call: Callable[[], object]) -> float:
    """Time of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def run_python(statement: str) -> None:
    """Run a statement in a fresh interpreter at the root of the project."""
    subprocess.run([sys.executable, "-c", statement], check=True, cwd=ROOT)  # noqa: S603


def main() -> int:
    """Print every row beside its limit; 1 if one is above it."""
    above = 0
    for benchmark in BENCHMARKS:
        for row in benchmark():
            fits = row.value <= row.limit
            above += not fits
            verdict = "" if fits else "  ABOVE THE LIMIT"
            print(f"{row.name:40}{row.value:8.3f} {row.unit}  limit {row.limit:g}{verdict}")
    return 1 if above else 0


if __name__ == "__main__":
    raise SystemExit(main())
