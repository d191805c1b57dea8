"""Times of everyday use: formulas on many points, imports, a slider of the app."""

import logging
import pkgutil
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from scipy.special import lambertw
from streamlit.testing.v1 import AppTest

import models
from benchmarks.rows import ROOT, Row, best_times, output_of, processor_s
from models.write_amplification import fifo, greedy

GREEDY = {64: 0.4, 256: 0.5, 1024: 0.6}  # pages per block, and the limit


def write_amplification() -> Iterator[Row]:
    """Formulas on a million points, over the Lambert W function of scipy on as many."""
    op_ratio: Any = np.random.default_rng(0).uniform(0.02, 1, 1_000_000)
    alpha = 1 + op_ratio
    argument = -alpha * np.exp(-alpha)
    calls: dict[str, Callable[[], object]] = {
        "lambertw": partial(lambertw, argument),
        "fifo": partial(fifo, op_ratio),
    }
    for pages in GREEDY:
        calls[f"greedy, {pages} pages"] = partial(greedy, op_ratio, pages_per_block=pages)
    best = best_times(calls, rounds=7)
    limits = (0.35, *GREEDY.values())
    for name, limit in zip(list(calls)[1:], limits, strict=True):
        yield Row(f"{name} / lambertw", best[name] / best["lambertw"], limit, "x")


def import_time() -> Iterator[Row]:
    """Importing every formula module, beyond numpy and scipy, in fresh processes."""
    every = [info.name for info in pkgutil.walk_packages(models.__path__, "models.")]
    names = [name for name in every if not name.startswith("models.simulator")]
    base = "import numpy, scipy.special"
    times: dict[str, list[float]] = {base: [], f"{base}, {', '.join(names)}": []}
    for _ in range(9):
        for statement, taken in times.items():
            taken.append(float(output_of(f"{statement}, time; print(time.process_time())")))
    without, with_models = map(median, times.values())
    yield Row("import models beyond numpy and scipy", with_models - without, 0.3, "s")


def app_rerun() -> Iterator[Row]:
    """A slider move: the whole script of the what-if screen, without a browser."""
    logging.disable(logging.WARNING)
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60).run()
    taken = []
    for percent in range(1, 16):
        app.slider(key="spare_slider").set_value(percent)
        taken.append(processor_s(app.run))
    yield Row("rerun after a slider move", median(taken), 0.15, "s")


def rows() -> Iterator[Row]:
    """Formulas, imports, the app."""
    yield from write_amplification()
    yield from import_time()
    yield from app_rerun()
