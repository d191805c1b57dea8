"""Configurations: what is refused, by which name; how much memory a drive takes."""

import math

import numpy as np
import pytest

from models.errors import DomainError
from models.simulator import (
    Classes,
    Config,
    Mixed,
    Static,
    Trace,
    Uniform,
    Zipf,
    bytes_needed,
    driver,
    layout,
    run,
)

GOOD = {"pages_per_block": 16, "blocks": 40, "op_ratio": 0.28}
STREAMS = {"frontiers": "streams", "reserve": 2, "routing": ((0.5, 0.5),)}

BAD = [
    ("pages_per_block", {"pages_per_block": 1}),
    ("pages_per_block", {"pages_per_block": 16.0}),
    ("pages_per_block", {"pages_per_block": True}),
    ("blocks", {"blocks": 2}),
    ("blocks", {"blocks": 2**29}),
    ("reserve", {"reserve": 0}),
    ("reserve", {"reserve": 1, "frontiers": "host-gc"}),
    ("op_ratio", {"op_ratio": 0.0}),
    ("op_ratio", {"op_ratio": math.nan}),
    ("op_ratio", {"op_ratio": "0.28"}),
    ("op_ratio", {"op_ratio": None}),
    ("op_ratio", {"logical_pages": 400}),
    ("op_ratio", {"op_ratio": 1e-4}),
    ("op_ratio", {"op_ratio": 0.02, "frontiers": "host-gc", "reserve": 2}),
    ("logical_pages", {"op_ratio": None, "logical_pages": 39 * 16}),
    ("logical_pages", {"op_ratio": None, "logical_pages": 0}),
    ("policy", {"policy": "lru"}),
    ("choices", {"choices": 0}),
    ("choices", {"choices": 0, "policy": "d-choices"}),
    ("choices", {"choices": -1, "policy": "cost-benefit"}),
    ("window", {"window": 0}),
    ("frontiers", {"frontiers": "two"}),
    ("cleaning", {"cleaning": "local"}),
    ("copies", {"copies": "lost"}),
    ("copies", {"copies": "together"}),
    ("copies", STREAMS | {"copies": "apart"}),
    ("op_ratio", STREAMS | {"copies": "apart", "cleaning": "global", "op_ratio": 0.05}),
    ("fill", {"fill": "none"}),
    ("workload", {"workload": "uniform"}),
    ("workload", {"workload": Trace([10_000])}),
    ("workload", {"workload": Static(dynamic_pages=1e-4)}),
    ("routing", {"routing": ((1.0,),)}),
    ("spare_shares", {"spare_shares": (1.0,)}),
    ("routing", STREAMS | {"routing": ()}),
    ("routing", STREAMS | {"routing": ((0.5, 0.5), (0.5, 0.5))}),
    ("routing", STREAMS | {"routing": ((),)}),
    ("routing", STREAMS | {"routing": ((0.5, 0.6),)}),
    ("spare_shares", STREAMS | {"spare_shares": (0.5, 0.4)}),
    ("spare_shares", STREAMS | {"spare_shares": (1.0,)}),
    ("trim_share", {"trim_share": 0.5}),
    ("trim_share", {"trim_share": -0.1}),
    ("warmup_overwrites", {"warmup_overwrites": -1.0}),
    ("warmup_overwrites", {"warmup_overwrites": math.inf}),
    ("measured_overwrites", {"measured_overwrites": 0.0}),
    ("windows", {"windows": 4}),
    ("seed", {"seed": -1}),
    ("seed", {"seed": 2**64}),
]


@pytest.mark.parametrize(("name", "changed"), BAD)
def test_a_bad_configuration_is_refused_by_name(name, changed):
    with pytest.raises(DomainError, match=rf"^{name} must"):
        Config(**(GOOD | changed))


@pytest.mark.parametrize(
    ("name", "record", "given"),
    [
        ("write_shares", Classes, {"write_shares": (0.5, 0.6), "page_shares": (0.5, 0.5)}),
        ("write_shares", Classes, {"write_shares": (1.5, -0.5), "page_shares": (0.5, 0.5)}),
        ("page_shares", Classes, {"write_shares": (1.0, 0.0), "page_shares": (1.0, 0.0)}),
        ("page_shares", Classes, {"write_shares": (0.5, 0.5), "page_shares": (1.0,)}),
        ("exponent", Zipf, {"exponent": 0.0}),
        ("exponent", Zipf, {"exponent": math.nan}),
        ("random_writes", Mixed, {"random_writes": 1.0, "random_pages": 0.5}),
        ("random_pages", Mixed, {"random_writes": 0.5, "random_pages": 0.0}),
        ("dynamic_pages", Static, {"dynamic_pages": 1.0}),
        ("pages", Trace, {"pages": []}),
        ("pages", Trace, {"pages": [0.5]}),
        ("pages", Trace, {"pages": [-1]}),
        ("pages", Trace, {"pages": [2**31]}),
        ("trims", Trace, {"pages": [1, 2], "trims": [True]}),
        ("trims", Trace, {"pages": [1, 2], "trims": [1, 0]}),
        ("trims", Trace, {"pages": [1, 2], "trims": [True, True]}),
    ],
)
def test_a_bad_workload_is_refused_by_name(name, record, given):
    with pytest.raises(DomainError, match=rf"^{name} must"):
        record(**given)


def test_the_reserve_is_deducted_before_the_spare_area():
    assert Config(**GOOD).pages == round(39 * 16 / 1.28)
    assert Config(**GOOD | {"reserve": 5}).pages == round(35 * 16 / 1.28)
    assert Config(**GOOD | {"op_ratio": None, "logical_pages": 400}).pages == 400


def test_a_trace_is_copied_and_kept_from_change():
    pages = np.array([1, 2, 3])
    trace = Trace(pages)
    pages[0] = 9
    assert trace.pages.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        trace.pages[0] = 9


@pytest.mark.parametrize("policy", ["greedy", "fifo", "random", "cost-benefit"])
@pytest.mark.parametrize("frontiers", ["one", "streams"])
@pytest.mark.parametrize(("size", "blocks"), [(16, 4000), (100, 2000), (256, 1000), (4096, 100)])
@pytest.mark.parametrize("op_ratio", [0.07, 0.28, 0.8])
def test_a_drive_takes_at_most_twelve_bytes_a_page_and_sixteen_a_block(
    size, blocks, op_ratio, policy, frontiers
):
    streams = STREAMS if frontiers == "streams" else {}
    config = Config(
        pages_per_block=size, blocks=blocks, op_ratio=op_ratio, policy=policy, **streams
    )
    arrays = layout.build(config)
    assert sum(array.nbytes for array in arrays) == bytes_needed(config)
    tables = 16_000 + 24 * size * config.streams
    tables += 8 * blocks if policy == "cost-benefit" else 0  # the age of a block
    assert bytes_needed(config) <= 12 * config.pages + 16 * config.blocks + tables


def test_a_terabyte_drive_can_be_configured():
    drive = Config(pages_per_block=1024, blocks=340_000, op_ratio=0.28)
    assert drive.pages > 2.7e8
    assert 9 < bytes_needed(drive) / drive.pages < 12


def test_a_drive_beyond_the_memory_is_refused_with_the_bytes_it_needs(monkeypatch):
    drive = Config(pages_per_block=1024, blocks=340_000, op_ratio=0.28)
    monkeypatch.setattr(driver, "_available_bytes", lambda: 2.0**30)
    message = rf"^blocks must be fewer: .* needs {bytes_needed(drive)} bytes .* 1.0 GiB are"
    with pytest.raises(DomainError, match=message):
        run(drive)


def test_the_memory_is_unlimited_where_the_system_does_not_tell(monkeypatch):
    def refuse(*args):
        raise FileNotFoundError

    assert 2**20 < driver._available_bytes() < math.inf
    monkeypatch.setattr("builtins.open", refuse)
    assert driver._available_bytes() == math.inf


def test_uniform_is_the_default():
    assert Config(**GOOD).workload == Uniform()
