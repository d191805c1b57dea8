"""A run of the array simulator: the same by seed, stoppable, honest about doubts."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import models
from models.simulator.arrays import Cancelled, Config, driver, kernel, layout, report, run
from models.simulator.arrays import state as at
from tests.simulator.both_ways import compiled_and_plain

TIMES = {"read_s": 1e-4, "write_s": 3e-5, "measured_s": 2.0, "window_s": 0.25}
CASES = [
    Config(**TIMES, members=8, queue_depth=20),
    Config(**TIMES, members=8, parity=2, queue_depth=9, read_fraction=0.5, warmup_s=0.5),
    Config(**TIMES, members=6, copies=2, arrival_iops=9e3, read_fraction=0.7),
    Config(**TIMES, members=6, queue_depth=30, stall_s=4e-3, stall_rate=9.0, stall_together=True),
    Config(**TIMES, members=6, parity=1, queue_depth=30, stall_s=4e-3, stall_probability=1e-3),
]
# One stall of the second half of the run, about
HALF = {"stall_s": 1.0, "stall_rate": 0.5, "stall_together": True, "stall_intervals": "fixed"}


def figures(result):
    """Everything that a run gives but the time it took, in a form that can be compared."""
    found = dataclasses.asdict(result)
    del found["seconds"]
    return json.dumps(found, default=lambda array: array.tolist())


@pytest.mark.parametrize("config", CASES)
def test_a_run_is_the_same_by_seed_and_in_any_chunks(config):
    whole = figures(run(config))
    assert whole == figures(run(config))
    for chunk in (101, 5000):
        assert whole == figures(driver._Run(config, None, chunk).result(0.0))
    assert whole != figures(run(dataclasses.replace(config, seed=2)))


def test_progress_rises_to_one_and_false_stops(monkeypatch):
    monkeypatch.setattr(driver, "CHUNK", 1000)
    seen = []
    run(CASES[1], seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 50
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled, match="stopped after 5"):
        run(CASES[1], lambda done: done < 0.5)


@pytest.mark.parametrize("config", [CASES[1], CASES[2]])
def test_the_record_adds_up(config):
    config = dataclasses.replace(config, warmup_s=0.5, parts=10)
    result = run(config)
    s = layout.build(config, log=200_000)
    kernel.advance(layout.ticks(0.5), 2**40, s)
    first = int(s.sys[at.LOGGED])
    kernel.advance(layout.ticks(2.5), 2**40, s)
    times, kinds, latencies = s.log[first : s.sys[at.LOGGED]].T
    for kind, record in enumerate((result.reads, result.writes)):
        own = latencies[kinds == kind] / 1e10
        assert record.count == len(own) == record.histogram.sum()
        assert [record.min_s, record.max_s] == [own.min(), own.max()]
        assert record.mean_s == pytest.approx(own.mean(), rel=1e-12)
        assert record.std_s == pytest.approx(own.std(), rel=1e-9)
        for percent in (10, 50, 99, 99.9):
            exact = np.percentile(own, percent, method="inverted_cdf")
            assert record.percentile(percent) == pytest.approx(exact, rel=0.008)
    start = 5 * 10**9
    windows = np.histogram(times, start + 25 * 10**8 * np.arange(9))[0] / 0.25
    parts = np.histogram(times, start + 25 * 10**7 * np.arange(81))[0] / 0.025
    assert result.window_iops.tolist() == windows.tolist()
    assert result.part_iops.tolist() == parts.tolist()
    assert [result.window_min_iops, result.part_min_iops] == [windows.min(), parts.min()]
    assert result.window_p1_iops == np.percentile(windows, 1)
    assert result.part_p1_iops == np.percentile(parts, 1)
    assert result.iops == pytest.approx(windows.mean())
    assert result.read_iops + result.write_iops == pytest.approx(result.iops)
    batches = parts.reshape(20, 4).mean(axis=1)
    half = 2.093024054408263 * batches.std(ddof=1) / np.sqrt(20)  # Student's t, 19 degrees, 97.5 %
    assert [result.iops_low, result.iops_high] == pytest.approx(
        [result.iops - half, result.iops + half], rel=1e-12
    )
    assert result.end_s == 2.5


def test_the_interval_covers_the_mean_of_other_runs():
    """Of 40 runs, about 38 intervals hold the mean of all; fewer than 33 come once in 2000."""
    config = dataclasses.replace(CASES[4], measured_s=2.0)
    results = [run(dataclasses.replace(config, seed=seed)) for seed in range(40)]
    mean = np.mean([result.iops for result in results])
    assert sum(result.iops_low <= mean <= result.iops_high for result in results) >= 33
    widths = [(result.iops_high - result.iops_low) / 2 for result in results]
    assert np.mean(widths) < 4 * np.std([result.iops for result in results])


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("overload: 65536 operations", {"queue_depth": 0, "arrival_iops": 3e5}),
        ("stalls are few", {"stall_s": 1e-3, "stall_rate": 2.0}),
        ("no write completed", {"read_fraction": 1 - 1e-9}),
        ("IOPS drifted by -", HALF),
    ],
)
def test_doubts_are_stated(text, changed):
    config = Config(**TIMES | {"members": 8, "queue_depth": 8} | changed)
    warnings = run(config).warnings
    assert any(text in warning for warning in warnings), warnings


def test_an_overload_in_the_warm_up_leaves_nothing_measured():
    result = run(Config(**TIMES, members=4, arrival_iops=3e5, warmup_s=2.0))
    assert np.isnan([result.iops, result.iops_low, result.part_min_iops, result.reads.mean_s]).all()
    assert result.window_iops.size == result.part_iops.size == 0
    assert np.isnan(result.busy_fraction).all()
    assert result.end_s < 2.0


def test_a_quiet_run_has_no_warnings():
    assert run(dataclasses.replace(CASES[0], measured_s=5.0)).warnings == ()


def test_a_short_run_has_no_interval():
    result = run(dataclasses.replace(CASES[0], measured_s=0.25, parts=10))
    assert result.iops > 0
    assert np.isnan([result.iops_low, result.iops_high]).all()


def test_every_compiled_module_counts_for_the_kept_code():
    """Numba's cache sees changes in the file of the entry alone."""
    folder = Path(kernel.__file__).parent
    compiled = {path.stem for path in folder.glob("*.py") if "@jit" in path.read_text()}
    assert compiled - {"kernel"} <= {part.__name__.split(".")[-1] for part in kernel.PARTS}
    assert report.BATCHES == 20


SCRIPT = """
import json, dataclasses
from models.simulator.arrays import *
times = dict(read_s=1e-4, write_s=3e-5, measured_s=0.02, window_s=0.02, read_fraction=0.5)
layouts = [
    dict(members=6, copies=2, failed=(1,)),
    dict(members=6, parity=1, failed=(2,), update="reconstruct-write"),
]
loads = [
    dict(queue_depth=5), dict(arrival_iops=3e3, stall_s=1e-3, stall_rate=50.0),
    dict(queue_depth=9, stall_s=1e-3, stall_rate=50.0, stall_intervals="fixed"),
    dict(queue_depth=3, stall_s=1e-3, stall_probability=0.02),
]
found = []
for layout in layouts:
    for load in loads:
        result = run(Config(**times, **layout, **load))
        found.append([result.iops, result.busy_fraction.tolist(), result.reads.histogram.tolist()])
print(json.dumps(found))
"""


def test_kernels_give_the_same_as_plain_python():
    compiled, plain = compiled_and_plain(SCRIPT)
    assert len(compiled) == 8
    assert compiled == plain


def test_importing_the_package_does_not_load_numba():
    script = (
        "import sys, models.simulator.arrays as a; a.Config(members=1, read_s=1, write_s=1, "
        "queue_depth=1, measured_s=1); print('numba' in sys.modules)"
    )
    folder = Path(models.__path__[0]).parent
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=folder
    )
    assert done.stdout.strip() == "False"
