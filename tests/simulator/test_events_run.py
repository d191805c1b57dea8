"""A run of the event simulator: the same by seed, stoppable, honest about doubts, anywhere."""

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import models
from models.errors import DomainError
from models.simulator.events import Cancelled, Config, SlcCache, driver, kernel, layout, run
from models.simulator.events import state as at
from tests.simulator.both_ways import compiled_and_plain

TIMES = {"read_s": 5e-5, "program_s": 6e-4, "erase_s": 3e-3, "transfer_s": 8e-6, "link_s": 2e-6}
DRIVE = TIMES | {"dies": 8, "channels": 4, "blocks_per_die": 20, "pages_per_block": 32}
MIXED = DRIVE | {"queue_depth": 16, "read_fraction": 0.5, "measured_s": 2.0, "window_s": 0.25}

CASES = [
    Config(**DRIVE, queue_depth=20, measured_s=0.5, window_s=0.1),
    Config(**MIXED),
    Config(**MIXED, scope="superblock", collection="blocking", warmup_s=0.5),
    Config(**DRIVE, read_iops=3e4, write_iops=4e3, measured_s=1.0, suspend_s=5e-5),
]


STARVED = {"readers": 9, "dies": 1, "channels": 1, "buffer_pages": 8, "warmup_s": 1.0}


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


def test_the_width_of_windows_changes_no_event():
    narrow, wide = (run(Config(**MIXED | {"window_s": width})) for width in (0.1, 1.0))
    assert narrow.reads == dataclasses.replace(wide.reads, histogram=narrow.reads.histogram)
    assert narrow.reads.histogram.tolist() == wide.reads.histogram.tolist()
    assert narrow.windows.iops.reshape(2, 10).mean(axis=1) == pytest.approx(wide.windows.iops)


def test_progress_rises_to_one_and_false_stops(monkeypatch):
    monkeypatch.setattr(driver, "CHUNK", 1000)
    config = Config(**MIXED)
    seen = []
    run(config, seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 50
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled, match="stopped after"):
        run(config, lambda done: done < 0.5)


def test_the_record_adds_up():
    config = Config(**MIXED, warmup_s=1.0, parts=10)
    result = run(config)
    s = layout.build(config, log=200_000)
    kernel.advance(layout.ticks(1.0), 2**40, s)
    first = int(s.sys[at.LOGGED])
    kernel.advance(layout.ticks(3.0), 2**40, s)
    times, kinds, latencies = s.log[first : s.sys[at.LOGGED]].T
    for kind, record in enumerate((result.reads, result.writes)):
        own = latencies[kinds == kind] / 1e10
        assert record.count == len(own) == record.histogram.sum()
        assert [record.min_s, record.max_s] == [own.min(), own.max()]
        assert record.mean_s == pytest.approx(own.mean(), rel=1e-12)
        assert record.std_s == pytest.approx(own.std(), rel=1e-9)
        for percent in (0, 10, 50, 90, 99, 99.9, 100):
            exact = np.percentile(own, percent, method="inverted_cdf")
            assert record.percentile(percent) == pytest.approx(exact, rel=0.008)
    counts = np.histogram(times, 10**10 + 25 * 10**8 * np.arange(9))[0] / 0.25
    assert result.windows.iops[4:].tolist() == counts.tolist()
    assert result.iops == pytest.approx(counts.mean())
    assert [result.iops_min, result.iops_std] == [counts.min(), pytest.approx(counts.std())]
    parts = np.histogram(times, 10**10 + 25 * 10**7 * np.arange(81))[0] / 0.025
    assert result.part_min_iops == parts.min()
    assert result.part_std_iops == pytest.approx(parts.std())
    assert result.windows.part_min_iops[4:].tolist() == parts.reshape(8, 10).min(axis=1).tolist()
    assert result.worst_iops == 16 / max(result.reads.max_s, result.writes.max_s)
    assert result.wa == (result.host_pages + result.copies) / result.host_pages
    assert result.end_s == 3.0
    assert result.warmup_windows == 4


def test_percentiles_of_nothing_and_out_of_range():
    result = run(Config(**DRIVE, queue_depth=2, measured_s=1.0))
    assert np.isnan(result.writes.percentile(50))
    with pytest.raises(DomainError, match=r"^percent must be in \[0, 100\]"):
        result.reads.percentile(101)


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("overload: 65536 commands", {"queue_depth": 0, "write_iops": 2e5}),
        ("no page was copied in the measurement", {"queue_depth": 0, "write_iops": 100.0}),
        ("overwrites after the first collection", {}),
        ("blocking collections are few", {"collection": "blocking", "measured_s": 0.25}),
        ("no write completed", STARVED),
        (
            "IOPS drifted by -",
            {"read_fraction": 0.0, "start": "fresh", "window_s": 0.02, "measured_s": 0.2},
        ),
    ],
)
def test_doubts_are_stated(text, changed):
    warnings = run(Config(**MIXED | changed)).warnings
    assert any(re.search(text, warning) for warning in warnings), warnings


def test_an_overload_in_the_warm_up_leaves_nothing_measured():
    result = run(Config(**MIXED | {"queue_depth": 0, "write_iops": 2e5, "warmup_s": 1.0}))
    assert np.isnan([result.iops, result.iops_min, result.part_std_iops, result.wa]).all()
    assert result.writes.count == result.copies == 0
    assert len(result.windows.iops) == result.warmup_windows == int(result.end_s / 0.25)


def test_a_quiet_run_has_no_warnings():
    assert run(Config(**DRIVE, queue_depth=8, measured_s=5.0)).warnings == ()


def test_a_drive_without_gain_is_refused():
    """Four blocks a die, of which one is the frontier: some die fills up with valid pages."""
    tight = {"blocks_per_die": 4, "op_ratio": 0.1, "start": "fresh", "measured_s": 60.0}
    with pytest.raises(DomainError, match=r"^op_ratio must leave blocks to gain from; .* stuck"):
        run(Config(**MIXED | tight))


def test_every_compiled_module_counts_for_the_kept_code():
    """Numba's cache sees changes in the file of the entry alone."""
    folder = Path(kernel.__file__).parent
    compiled = {path.stem for path in folder.glob("*.py") if "@jit" in path.read_text()}
    assert compiled - {"kernel"} <= {part.__name__.split(".")[-1] for part in kernel.PARTS}
    assert kernel._sources() > 0
    code = [kernel._bound_to(i).__closure__ for i in (1, 2)] if not kernel._jit.JIT else [1, 2]
    assert code[0] != code[1]


SCRIPT = """
import json
from models.simulator.events import *
times = dict(read_s=5e-5, program_s=3e-4, erase_s=2e-3, transfer_s=8e-6, link_s=2e-6)
drive = times | dict(dies=3, channels=2, blocks_per_die=9, pages_per_block=8, op_ratio=1.0)
found = []
loads = [
    dict(queue_depth=4), dict(queue_depth=3, read_fraction=0.5), dict(writers=3, readers=1),
    dict(read_iops=1e3, write_iops=1e3),
]
for load in loads:
    for scope in ("die", "superblock"):
        for collection in ("incremental", "blocking"):
            for more in (dict(suspend_s=2e-5, cache_read=True), dict(service="exponential")):
                config = Config(
                    **drive, **load, **more, scope=scope, collection=collection,
                    measured_s=0.05, window_s=0.05,
                )
                result = run(config)
                found.append([result.iops, result.wa, result.reads.histogram.tolist()])
slc = SlcCache(program_s=1e-4, read_s=3e-5, static_pages=40, when_full="fold")
config = Config(
    **drive, slc=slc, writers=2, writes="sequential", burst_pages=60, burst_period_s=0.02,
    measured_s=0.2, window_s=0.1,
)
found.append(run(config).bursts_s.tolist())
print(json.dumps(found).replace("NaN", "null"))
"""


def test_kernels_give_the_same_as_plain_python():
    compiled, plain = compiled_and_plain(SCRIPT)
    assert len(compiled) == 4 * 2 * 2 * 2 + 1
    assert compiled == plain


def test_importing_the_package_does_not_load_numba():
    script = (
        "import sys, models.simulator.events as e; e.Config(dies=1, read_s=1, readers=1, "
        "measured_s=1); print('numba' in sys.modules)"
    )
    folder = Path(models.__path__[0]).parent
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=folder
    )
    assert done.stdout.strip() == "False"


def test_the_cache_is_public():
    assert SlcCache(program_s=1e-4, read_s=1e-4).when_full == "direct"
