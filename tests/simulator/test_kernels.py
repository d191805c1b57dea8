"""Compiled kernels run wherever the package lies, with or without a folder for their code."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import models
from models.simulator import Config, Trace, Uniform, kernel, run

SOURCE = Path(models.__path__[0])
KERNELS = ("", ".arrays", ".events", ".lifetimes")
# Of the four, the kernel of lifetimes takes the least time to compile.
SCRIPT = f"""
import importlib
from models.simulator.lifetimes import Config, run
for name in {KERNELS}:
    kernel = importlib.import_module(f"models.simulator{{name}}.kernel")
    print(kernel.advance.stats.cache_path is not None)
result = run(Config(members=4, failures_per_s=1e-3, rebuild_s=50.0, horizon_s=1e3, trials=50))
print(result.loss_s.tolist())
"""


def printed(folder: Path, **environment: str) -> list[str]:
    """Print whether each kernel keeps its code, and what a run gives."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True, cwd=folder,
        env=os.environ | environment,
    ).stdout.splitlines()  # fmt: skip


@pytest.fixture
def unwritable(tmp_path):
    """Copy the package; a file in the place of a folder stops root, too."""
    shutil.copytree(SOURCE, tmp_path / "models", ignore=shutil.ignore_patterns("__pycache__"))
    for name in KERNELS:
        (tmp_path / "models" / "simulator" / name.removeprefix(".") / "__pycache__").touch()
    (tmp_path / "home").touch()
    return tmp_path


def test_one_compilation_does_for_every_workload():
    drive = {"pages_per_block": 16, "blocks": 40, "logical_pages": 400, "measured_overwrites": 10}
    pages = np.arange(400)
    for workload in (Uniform(), Trace(pages), Trace(pages, pages % 20 == 1)):
        run(Config(**drive, workload=workload))
    assert len(kernel.advance.signatures) == 1


def test_kernels_run_where_neither_the_package_nor_home_is_writable(unwritable):
    home = str(unwritable / "home")
    got = printed(
        unwritable, HOME=home, XDG_CACHE_HOME=home, PYTHONDONTWRITEBYTECODE="1", NUMBA_CACHE_DIR=""
    )
    kept = printed(SOURCE.parent)
    assert (got[:4], kept[:4]) == (["False"] * 4, ["True"] * 4)
    assert got[4] == kept[4] != "[]"
