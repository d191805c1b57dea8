"""Workers that cannot start end the work; they are not started again for ever."""

import sys
import time
from concurrent.futures.process import BrokenProcessPool
from types import ModuleType

import pytest

from validation.processes import side_by_side


def test_a_worker_that_cannot_start_is_an_error(monkeypatch, tmp_path):
    main = ModuleType("__main__")
    main.__file__ = str(tmp_path / "main.py")
    (tmp_path / "main.py").write_text("raise SystemExit(3)\n")
    monkeypatch.setitem(sys.modules, "__main__", main)
    with pytest.raises(BrokenProcessPool):
        list(side_by_side(abs, [1, 2, 3], 2))


def test_work_that_fails_raises_its_own_error():
    with pytest.raises(TypeError):
        list(side_by_side(abs, ["one", "two"], 2))


def test_leaving_ends_what_still_runs():
    start = time.monotonic()
    results = side_by_side(time.sleep, [0.0, 600.0], 2)
    next(results)
    results.close()
    assert time.monotonic() - start < 60
