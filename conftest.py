"""Rules for the whole suite: Hypothesis without clocks, each module of the packages loaded once."""

import importlib
import os
import sys
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).parent
PACKAGES = {"models", "planner", "validation"}
MAIN = sys.modules["__main__"]

# Machines that build are shared and slow at times.
settings.register_profile("house", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("house")


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
