"""Configurations of the event simulator: what is refused, by which name."""

import dataclasses
import math
import tracemalloc

import pytest

from models.errors import DomainError
from models.simulator import driver
from models.simulator.events import Config, SlcCache, layout, run

READS = {"dies": 8, "read_s": 50e-6, "queue_depth": 8, "measured_s": 1.0}
WRITES = READS | {"read_fraction": 0.5, "program_s": 6e-4, "erase_s": 3e-3, "link_s": 1e-6}
TALL = {"scope": "superblock", "dies": 512, "blocks_per_die": 3, "pages_per_block": 2**20}
CACHE = SlcCache(program_s=2e-4, read_s=5e-5)

BAD = [
    ("dies", READS, {"dies": 0}),
    ("dies", READS, {"dies": 1025}),
    ("dies", READS, {"dies": 8.0}),
    ("channels", READS, {"channels": 9}),
    ("channels", READS, {"channels": True}),
    ("pages_per_program", READS, {"pages_per_program": 0}),
    ("pages_per_block", READS, {"pages_per_block": 1}),
    ("pages_per_block", READS, {"pages_per_block": 130, "pages_per_program": 4}),
    ("pages_per_block", WRITES, TALL),
    ("reserve", READS, {"reserve": 0}),
    ("blocks_per_die", READS, {"blocks_per_die": 2}),
    ("blocks_per_die", WRITES, {"blocks_per_die": 2**25}),
    ("gain_blocks", READS, {"gain_blocks": 0}),
    ("op_ratio", READS, {"op_ratio": 0}),
    ("op_ratio", READS, {"op_ratio": math.nan}),
    ("op_ratio", WRITES, {"op_ratio": 1e-6}),
    ("buffer_pages", READS, {"buffer_pages": 3, "pages_per_program": 4}),
    ("die_queue", READS, {"die_queue": 0}),
    ("read_s", READS, {"read_s": 0.0}),
    ("read_s", READS, {"read_s": "fast"}),
    ("program_s", WRITES, {"program_s": 0.0}),
    ("erase_s", WRITES, {"erase_s": 0.0}),
    ("transfer_s", READS, {"transfer_s": -1e-6}),
    ("link_s", READS, {"link_s": math.inf}),
    ("link_s", WRITES, {"link_s": 0.0, "start": "fresh"}),
    ("resume_s", READS, {"resume_s": -1.0}),
    ("suspend_s", READS, {"suspend_s": -1.0}),
    ("suspend_s", READS, {"suspend_s": 1e-5, "priority": "fifo"}),
    ("slice_s", READS, {"slice_s": 0.0}),
    ("slice_s", READS, {"slice_s": 1e-5, "priority": "fifo"}),
    ("slice_s", READS, {"slice_s": 1e-5, "suspend_s": 1e-5}),
    ("erase_slice_s", READS, {"erase_slice_s": 1e-4}),
    ("slices", READS, {"slice_s": 1e-5, "slices": "uniform"}),
    ("max_suspensions", READS, {"max_suspensions": -1}),
    ("service", READS, {"service": "uniform"}),
    ("scope", READS, {"scope": "drive"}),
    ("collection", READS, {"collection": "idle"}),
    ("allocation", READS, {"allocation": "random"}),
    ("start", READS, {"start": "half"}),
    ("priority", READS, {"priority": "write"}),
    ("arrivals", READS, {"arrivals": "bursty"}),
    ("writes", READS, {"writes": "zipf"}),
    ("cache_read", READS, {"cache_read": "yes"}),
    ("queue_depth", READS, {"queue_depth": 0}),
    ("queue_depth", READS, {"queue_depth": -1}),
    ("readers", READS, {"readers": 1.5}),
    ("writers", READS, {"writers": -1}),
    ("read_fraction", READS, {"read_fraction": 1.1}),
    ("read_iops", READS, {"read_iops": -1.0}),
    ("write_iops", READS, {"write_iops": math.nan}),
    ("read_batch", READS, {"read_batch": 0}),
    ("write_batch", READS, {"write_batch": 2**17}),
    ("burst_pages", READS, {"burst_pages": -1}),
    ("burst_period_s", READS, {"burst_period_s": 0.0}),
    ("burst_period_s", READS, {"burst_period_s": math.nan}),
    ("writers", WRITES, {"burst_pages": 10}),
    ("slc", READS, {"slc": True}),
    ("writes", WRITES, {"slc": CACHE}),
    ("window_s", READS, {"window_s": 0.0}),
    ("parts", READS, {"parts": 0}),
    ("warmup_s", READS, {"warmup_s": -1.0}),
    ("measured_s", READS, {"measured_s": 0.5}),
    ("measured_s", READS, {"measured_s": 1e5}),
    ("seed", READS, {"seed": -1}),
]


@pytest.mark.parametrize(("name", "good", "changed"), BAD)
def test_a_bad_configuration_is_refused_by_name(name, good, changed):
    Config(**good)
    with pytest.raises(DomainError, match=rf"^{name} must"):
        Config(**good | changed)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("program_s", {"program_s": 0.0}),
        ("read_s", {"read_s": -1e-6}),
        ("idle_s", {"idle_s": math.nan}),
        ("static_pages", {"static_pages": -1}),
        ("free_pages", {"free_pages": 1.5}),
        ("bits_per_cell", {"bits_per_cell": 1}),
        ("when_full", {"when_full": "stop"}),
        ("folding", {"folding": "sometimes"}),
    ],
)
def test_a_bad_cache_is_refused_by_name(name, changed):
    with pytest.raises(DomainError, match=rf"^{name} must"):
        dataclasses.replace(CACHE, **changed)


def test_the_reserve_is_deducted_before_the_spare_area():
    config = Config(**WRITES, blocks_per_die=33, pages_per_block=64, reserve=3, op_ratio=0.25)
    assert config.pages == 30 * 64 * 8 / 1.25
    assert config.pages % config.pages_per_program == 0


@pytest.mark.parametrize("size", [64, 128, 1024])
@pytest.mark.parametrize("scope", ["die", "superblock"])
def test_a_drive_takes_at_most_twelve_bytes_a_page(size, scope):
    blocks = 2**17 // size
    config = Config(**WRITES, blocks_per_die=blocks, pages_per_block=size, scope=scope)
    arrays = layout.build(config)
    held = sum(array.nbytes for array in arrays)
    assert held == layout.array_bytes(config)
    lists = 8 * config.dies * (size + 1) if scope == "die" else 8 * (size * config.dies + 1)
    assert held <= 12 * config.pages + 16 * blocks * config.dies + lists + 100_000


def test_a_drive_that_only_reads_takes_no_maps():
    drive = Config(**READS | {"dies": 64}, blocks_per_die=10_000, pages_per_block=1024)
    assert layout.array_bytes(drive) < 200_000


def test_a_drive_beyond_the_memory_is_refused_with_the_bytes_it_needs(monkeypatch):
    drive = Config(**WRITES, blocks_per_die=10_000, pages_per_block=1024)
    monkeypatch.setattr(driver, "_available_bytes", lambda: 2.0**20)
    message = rf"^blocks_per_die must be fewer: .* need {layout.bytes_needed(drive)} bytes"
    with pytest.raises(DomainError, match=message):
        run(drive)


LOADS = {
    "a large block": {"blocks_per_die": 513, "pages_per_block": 1024},
    "small blocks": {"blocks_per_die": 65_536, "pages_per_block": 8},
    "superblocks": {"blocks_per_die": 513, "pages_per_block": 1024, "scope": "superblock"},
    "small superblocks": {"blocks_per_die": 65_536, "pages_per_block": 8, "scope": "superblock"},
    "many commands": {"queue_depth": 2**18, "readers": 2**18, "read_fraction": 0.5},
    "many windows": {"window_s": 2e-6, "parts": 1, "measured_s": 0.04},
    "fresh": {"blocks_per_die": 513, "pages_per_block": 1024, "start": "fresh"},
}


@pytest.mark.parametrize("load", LOADS)
def test_a_run_takes_the_memory_that_it_announces(load):
    config = Config(**WRITES | {"measured_s": 1e-3, "window_s": 1e-3} | LOADS[load])
    run(Config(**WRITES | {"measured_s": 1e-3, "window_s": 1e-3}))  # kernels are compiled
    announced = layout.bytes_needed(config)
    tracemalloc.start()
    try:
        run(config)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert 0.4 * announced < taken < announced + 100_000
