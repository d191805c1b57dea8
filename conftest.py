"""Rules for the whole suite: no clocks in Hypothesis, modules and kernels loaded once."""

import gc
import importlib
import os
import re
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent
PACKAGES = {"models", "planner", "validation"}
_SIMULATORS = re.compile(
    r"(from|import) (models\.simulator|planner\.simulation|validation)\b|=\"simulate"
)
OFFICE, BROWSERS = "recalculate_all", ("browser", "server")  # fixtures that start a program
MAIN = sys.modules["__main__"]

# Machines that build are shared and slow at times. `make test EXAMPLES=1000` looks for longer.
settings.register_profile(
    "house",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    max_examples=int(os.environ.get("EXAMPLES", "50")),
)
settings.load_profile("house")

# Thousands of tests stay in memory: to look through them for garbage takes a tenth of the time.
gc.set_threshold(50_000, 20, 20)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what runs an office, the simulators or a browser.

    All of it is then in the part of one worker, which compiles the kernels and starts each program
    once; workers that have nothing left take over the end of a part, not its beginning. The office
    is first: its workbooks take longest to make, and each worker that shares them makes them again.
    """
    items.sort(key=_rank)


def _rank(item: pytest.Item) -> int:
    used = getattr(item, "fixturenames", ())
    if OFFICE in used:
        return 0
    if _runs_simulators(item.path):
        return 1
    return next((rank for rank, name in enumerate(BROWSERS, 2) if name in used), len(BROWSERS) + 2)


@cache
def _runs_simulators(path: Path) -> bool:
    return bool(_SIMULATORS.search(path.read_text()))


def pytest_collection_finish() -> None:
    """Leave what was collected out of every later search for garbage."""
    gc.collect()
    gc.freeze()


def pytest_collect_file(file_path: Path) -> None:
    """Import a module of the packages by its name before pytest takes it from its path.

    Given a single file, pytest loads the package, which loads the module, and then loads the
    module again: every function and class would be there twice, and equal to none.
    """
    parts = file_path.relative_to(ROOT).with_suffix("").parts
    if file_path.suffix == ".py" and parts[0] in PACKAGES:
        importlib.import_module(".".join(part for part in parts if part != "__init__"))


def pytest_runtest_teardown() -> None:
    """Put back the main module, which a run of the app replaces and new processes import."""
    sys.modules["__main__"] = MAIN
