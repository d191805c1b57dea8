"""The kernel agrees write for write with a naive simulator: every map entry, every count."""

import dataclasses

import numpy as np
import pytest

from models.simulator import (
    Classes,
    Config,
    Mixed,
    Sequential,
    Static,
    Trace,
    Uniform,
    Zipf,
    kernel,
    layout,
)
from models.simulator.config import POLICIES, class_count
from tests.naive_simulator import Twin

WORKLOADS = {
    "uniform": Uniform(),
    "classes": Classes(write_shares=(0.7, 0.25, 0.05), page_shares=(0.2, 0.3, 0.5)),
    "zipf": Zipf(0.99),
    "zipf-1": Zipf(1.0),
    "sequential": Sequential(),
    "mixed": Mixed(random_writes=0.6, random_pages=0.3),
    "mixed classes": Mixed(
        random_writes=0.6, random_pages=0.7,
        classes=Classes(write_shares=(0.9, 0.1), page_shares=(0.2, 0.8)),
    ),
    "static": Static(dynamic_pages=0.4),
    "interleaved": Static(dynamic_pages=0.4, interleaved=True),
    "trace": Trace(np.random.default_rng(5).integers(0, 300, 1000)),
    "trimming trace": Trace(
        np.random.default_rng(6).integers(0, 300, 1000), np.random.default_rng(7).random(1000) < 0.3
    ),
}  # fmt: skip
LAYOUTS = [
    ("one", "quota"), ("host-gc", "quota"), ("streams", "quota"), ("streams", "global"),
    ("streams", "global", "together"), ("streams", "global", "apart"),
]  # fmt: skip


def config(policy="greedy", layout_=("one", "quota"), workload="uniform", trim=0.0, **changed):
    frontiers, cleaning, copies = (*layout_, "with-writes")[:3]
    record = WORKLOADS[workload]
    routing = ((0.9, 0.1), (0.2, 0.8), (0.0, 1.0))[: class_count(record)]
    given = {
        "pages_per_block": 16,
        "blocks": 40,
        "op_ratio": 0.3,
        "reserve": 1 if frontiers == "one" else 2,
        "policy": policy,
        "choices": 4,
        "window": 7,
        "frontiers": frontiers,
        "cleaning": cleaning,
        "copies": copies,
        "routing": routing if frontiers == "streams" else (),
        "workload": record,
        "trim_share": trim,
        "seed": 7,
    }
    return Config(**(given | changed))


def places(drive, config):
    """Block and offset of every logical page, None where there is none."""
    shift = int(drive.word[kernel.SHIFT])
    return [
        None if code == kernel.NOWHERE else (code >> shift, code & ((1 << shift) - 1))
        for code in drive.where.tolist()
    ]


def counts(drive):
    names = ["WRITES", "COPIES", "ERASES", "REQUESTS", "IN_USE_SUM", "UNFILLED_SUM"]
    return [int(drive.word[getattr(kernel, name)]) for name in names]


def assert_agree(config, steps):
    drive, twin = layout.build(config), Twin(config)
    layout.start_fill(config, drive)
    for i, writes in enumerate([config.pages, *steps]):
        if i == 1:
            layout.start_workload(config, drive)
            layout.start_count(drive)
            twin.start()
            twin.reset()
        kernel.advance(writes, *drive)
        twin.advance(writes)
        assert not drive.word[kernel.STUCK]
        assert places(drive, config) == twin.where
        assert counts(drive) == [
            twin.writes, twin.copies, twin.erases, twin.requests, twin.in_use_sum,
            twin.unfilled_sum,
        ]  # fmt: skip
    assert layout.table(drive, kernel.VICTIM_VALID).tolist() == twin.histogram
    erases = drive.node[3 : 4 * config.blocks : 4].tolist()
    assert erases == [block.erases for block in twin.blocks]
    assert layout.table(drive, kernel.CLASS_IN_USE).tolist() == twin.class_in_use
    if class_count(config.workload) > 1:
        by_class = layout.table(drive, kernel.BY_CLASS).reshape(2, -1).tolist()
        assert by_class == twin.by_class


@pytest.mark.parametrize("trim", [0.0, 0.2])
@pytest.mark.parametrize("layout_", LAYOUTS, ids="-".join)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("workload", WORKLOADS)
def test_agrees_for_every_policy_layout_and_workload(workload, policy, layout_, trim):
    assert_agree(config(policy, layout_, workload, trim), [100, 900])


@pytest.mark.parametrize("pages_per_block", [2, 7, 63, 64, 65, 100, 200])
@pytest.mark.parametrize("policy", ["greedy", "fifo"])
def test_agrees_for_any_size_of_block(policy, pages_per_block):
    assert_agree(config(policy, pages_per_block=pages_per_block, blocks=20, reserve=3), [2000])


@pytest.mark.parametrize("op_ratio", [0.02, 0.07, 1.0])
@pytest.mark.parametrize("reserve", [1, 4])
def test_agrees_for_any_spare_area_and_reserve(reserve, op_ratio):
    assert_agree(config(reserve=reserve, op_ratio=op_ratio), [2000])


def test_agrees_after_a_sequential_fill():
    assert_agree(config(fill="sequential", workload="mixed"), [2000])


@pytest.mark.parametrize("workload", ["uniform", "classes", "mixed classes", "zipf"])
def test_agrees_where_trims_hit_any_page_in_use(workload):
    assert_agree(config(workload=workload, trim=0.3, trims="mapped"), [2000])


@pytest.mark.parametrize("layout_", LAYOUTS, ids="-".join)
def test_agrees_where_costs_and_benefits_of_all_blocks_are_weighed(layout_):
    assert_agree(config("cost-benefit", layout_, "mixed classes", choices=0), [2000])


def test_agrees_with_spare_area_given_by_stream():
    case = config("greedy", ("streams", "quota"), "classes", spare_shares=(0.7, 0.3))
    assert_agree(case, [2000])


@pytest.mark.parametrize("seed", range(24))
def test_agrees_for_random_traces_that_trim(seed):
    """Trims of pages in use and not, of the page just written, in runs; any round length."""
    rng = np.random.default_rng(seed)
    length = int(rng.integers(2, 1500))
    pages = rng.integers(0, rng.integers(1, 440), length)
    if seed % 3 == 0:  # runs, as of files that are deleted
        pages = np.sort(pages.reshape(-1)) if seed % 2 else np.repeat(pages, 3)[:length]
    trims = rng.random(length) < rng.choice([0.02, 0.3, 0.6, 0.95])
    trims[rng.integers(length)] = False
    case = config(
        rng.choice(["greedy", "fifo", "d-choices", "cost-benefit"]),
        LAYOUTS[seed % len(LAYOUTS)],
        fill=rng.choice(["random", "sequential"]),
        pages_per_block=int(rng.choice([8, 16, 33, 64])),
        logical_pages=440,
        op_ratio=None,
        blocks=int(rng.choice([90, 120])),
    )
    assert_agree(dataclasses.replace(case, workload=Trace(pages, trims)), [257, 1200])
