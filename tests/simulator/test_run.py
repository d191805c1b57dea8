"""A run: the same by seed, stoppable, consistent with itself, honest about doubts."""

import dataclasses
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import models
from models.errors import DomainError
from models.simulator import (
    Cancelled,
    Classes,
    Config,
    Mixed,
    Sequential,
    Static,
    Trace,
    Zipf,
    driver,
    kernel,
    layout,
    run,
)
from models.simulator.config import POLICIES
from tests.simulator.both_ways import compiled_and_plain

GOOD = {"pages_per_block": 32, "blocks": 100, "op_ratio": 0.2}
HOT_COLD = Classes(write_shares=(0.9, 0.1), page_shares=(0.1, 0.9))
SPLIT = {"frontiers": "streams", "reserve": 2, "routing": ((1.0, 0.0), (0.1, 0.9))}


def figures(result):
    """Everything that a run gives but the time it took."""
    found = dataclasses.asdict(result)
    found["victim_valid"] = result.victim_valid.tolist()
    del found["seconds"]
    return found


CASES = [
    Config(**GOOD),
    Config(**GOOD, policy="d-choices", workload=Zipf(1.1)),
    Config(**GOOD, trim_share=0.3, workload=HOT_COLD, frontiers="host-gc", reserve=2),
    Config(**GOOD, policy="fifo", workload=Mixed(random_writes=0.5, random_pages=0.5)),
    Config(**GOOD, workload=HOT_COLD, **SPLIT),
]


@pytest.mark.parametrize("config", CASES)
def test_a_run_is_the_same_by_seed_and_in_any_chunks(config):
    whole = figures(run(config))
    assert whole == figures(run(config))
    for chunk in (97, 1000):
        assert whole == figures(driver._Run(config, None, chunk).result(0.0))
    other = dataclasses.replace(config, seed=2)
    assert whole != figures(run(other))


def test_progress_rises_to_one_and_false_stops(monkeypatch):
    monkeypatch.setattr(driver, "CHUNK", 1000)
    config = Config(**GOOD)
    seen = []
    run(config, seen.append)
    assert seen == sorted(seen)
    assert len(seen) > 10
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled, match="stopped after"):
        run(config, lambda done: done < 0.5)

    def fail(done):
        raise KeyError(done)

    with pytest.raises(KeyError):
        run(config, fail)


@pytest.mark.parametrize("trim", [0.0, 0.25])
@pytest.mark.parametrize("frontiers", ["one", "host-gc", "streams", "together", "apart"])
@pytest.mark.parametrize("policy", POLICIES)
def test_nothing_is_lost_and_everything_adds_up(policy, frontiers, trim):
    more = {"one": {}, "host-gc": {"frontiers": "host-gc", "reserve": 2}, "streams": SPLIT}
    more |= {
        copies: SPLIT | {"cleaning": "global", "copies": copies} for copies in ("together", "apart")
    }
    config = Config(**GOOD, policy=policy, trim_share=trim, workload=HOT_COLD, **more[frontiers])
    drive = layout.build(config)
    layout.start_fill(config, drive)
    kernel.advance(config.pages, *drive)
    layout.start_workload(config, drive)
    kernel.advance(5 * config.pages, *drive)
    size, blocks = config.pages_per_block, config.blocks
    shift = int(drive.word[kernel.SHIFT])

    mapped = np.flatnonzero(drive.where != kernel.NOWHERE)
    codes = drive.where[mapped].astype(int)
    assert len(set(codes.tolist())) == len(codes) == drive.word[kernel.IN_USE]
    np.testing.assert_array_equal(drive.holds[(codes >> shift) * size + codes % 2**shift], mapped)

    frontier = layout.table(drive, kernel.FRONTIER).reshape(-1, 2).tolist()
    programmed = {block: at for block, at in frontier if at < size}
    free, at = set(), int(drive.word[kernel.FREE_HEAD])
    for _ in range(drive.word[kernel.FREE]):
        free.add(at)
        at = int(drive.node[4 * at])
    assert len(free) == drive.word[kernel.FREE] == config.reserve
    valid = np.bincount(codes >> shift, minlength=blocks)
    bits = np.unpackbits(drive.valid.view(np.uint8), bitorder="little")
    used = 0
    for block in set(range(blocks)) - free:
        places = programmed.get(block, size)
        used += places
        count = int(drive.node[4 * block]) % kernel.OPEN - (size - places)
        assert count == valid[block]
        assert bits[block << shift :][:places].sum() == count
    assert len(programmed) + drive.word[kernel.SEALED] + len(free) == blocks

    word = drive.word
    histogram = layout.table(drive, kernel.VICTIM_VALID)
    assert histogram.sum() == word[kernel.ERASES] == drive.node[3 : 4 * blocks : 4].sum()
    assert histogram @ np.arange(size + 1) == word[kernel.COPIES]
    assert word[kernel.WRITES] + word[kernel.COPIES] == word[kernel.ERASES] * size + used
    by_class = layout.table(drive, kernel.BY_CLASS).reshape(2, -1).sum(axis=1)
    assert by_class.tolist() == [word[kernel.WRITES], word[kernel.COPIES]]
    assert layout.table(drive, kernel.CLASS_IN_USE).sum() == word[kernel.IN_USE]


def test_a_large_drive_loses_nothing():
    """Beyond some sizes memory is asked for ahead: a matter of speed alone."""
    config = Config(pages_per_block=512, blocks=700, op_ratio=0.28)
    assert config.pages > kernel.FAR
    drive = layout.build(config)
    layout.start_fill(config, drive)
    kernel.advance(config.pages, *drive)
    layout.start_workload(config, drive)
    kernel.advance(config.pages, *drive)
    codes = drive.where.astype(int)
    places = (codes >> 9) * 512 + codes % 512
    np.testing.assert_array_equal(drive.holds[places], np.arange(config.pages))
    histogram = layout.table(drive, kernel.VICTIM_VALID)
    assert histogram @ np.arange(513) == drive.word[kernel.COPIES] > config.pages // 2


@pytest.mark.parametrize(
    ("copies", "within"), [("with-writes", {0, 1}), ("together", {2}), ("apart", {2, 3})]
)
def test_copies_go_to_frontiers_of_their_own(copies, within):
    config = Config(
        **GOOD, workload=HOT_COLD, frontiers="streams", reserve=2, cleaning="global", copies=copies,
        routing=((1.0, 0.0), (0.0, 1.0)),
    )  # fmt: skip
    drive = layout.build(config)
    layout.start_fill(config, drive)
    kernel.advance(config.pages, *drive)
    layout.start_workload(config, drive)
    kernel.advance(5 * config.pages, *drive)
    size = config.pages_per_block
    hot = round(0.1 * config.pages)
    classes = {stream: set() for stream in range(4)}
    for page, code in enumerate(drive.where.tolist()):
        classes[int(drive.owner[code // size])].add(page >= hot)
    assert {stream for stream in classes if classes[stream]} == within | {0, 1}
    assert (classes[0], classes[1]) == ({False}, {True})
    assert classes[2] in ({False, True}, {False}, set())
    assert classes[3] in ({True}, set())
    assert (classes[2] == {False, True}) == (copies == "together")


def test_the_record_adds_up():
    config = Config(**GOOD, workload=HOT_COLD, warmup_overwrites=40, measured_overwrites=20)
    result = run(config)
    assert result.wa == 1 + result.copies / result.host_writes
    assert result.wa_low < result.wa < result.wa_high
    assert result.host_writes == 20 * config.pages
    assert result.victim_valid.sum() == result.erases
    assert result.victim_valid @ np.arange(33) == result.copies
    assert result.erase_mean * config.blocks == pytest.approx(result.erases)
    assert result.erase_min <= result.erase_mean <= result.erase_max
    assert result.wa == pytest.approx(np.dot(result.wa_by_class, (0.9, 0.1)), rel=0.01)
    assert np.mean(result.wa_over_time[-8:]) == pytest.approx(result.wa)
    assert len(result.wa_over_time) == 16 + 8
    assert result.in_use_fraction == 1
    assert result.frontier_free_pages == pytest.approx(16 / result.wa, abs=1)


def test_classes_that_are_never_written_have_no_ratio():
    static = Static(dynamic_pages=0.5, interleaved=True)
    assert run(Config(**GOOD, workload=static)).wa_by_class[1] == math.inf
    still = Classes(write_shares=(1.0, 0.0), page_shares=(0.1, 0.9))
    wide = {"pages_per_block": 8, "blocks": 40, "op_ratio": 1.0, "fill": "sequential"}
    hot, cold = run(Config(**wide, workload=still)).wa_by_class
    assert hot >= 1
    assert math.isnan(cold) or cold == math.inf


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("shorter than 3 lifetimes of the coldest pages, 27 ", {"workload": HOT_COLD}),
        ("lifetimes of the coldest pages", {"workload": Zipf(1.2)}),
        ("lifetimes of the coldest pages", {"workload": Trace(np.arange(2000).repeat(8))}),
        ("victims had no invalid page", {"policy": "random"}),
        ("no page was copied", {"workload": Sequential(), "fill": "sequential"}),
        ("drifted by [+]", {"warmup_overwrites": 0, "workload": HOT_COLD, "op_ratio": 0.5}),
    ],
)
def test_doubts_are_stated(text, changed):
    warnings = run(Config(**(GOOD | changed))).warnings
    assert any(re.search(text, warning) for warning in warnings)


def test_a_quiet_run_has_no_warnings():
    assert run(Config(**GOOD, warmup_overwrites=20, measured_overwrites=40)).warnings == ()


def test_the_lifetime_of_the_coldest_page_of_zipf():
    for exponent, op_ratio in [(0.6, 0.2), (1.0, 0.2), (1.3, 0.2), (1.3, 50.0)]:
        config = Config(**GOOD | {"op_ratio": op_ratio}, workload=Zipf(exponent))
        shares = np.arange(1.0, config.pages + 1) ** -exponent
        expected = shares.sum() / shares[-1] / config.pages
        assert driver._coldest_lifetime(config) == pytest.approx(expected, rel=1e-4)


def test_a_drive_without_gain_is_refused():
    """The quota of the stream of static pages is no whole number of blocks: it is always above."""
    config = Config(
        pages_per_block=8,
        blocks=41,
        op_ratio=0.2,
        policy="fifo",
        workload=Static(dynamic_pages=0.5),
        frontiers="streams",
        routing=((1.0, 0.0), (0.0, 1.0)),
        spare_shares=(1.0, 0.0),
        reserve=2,
    )
    with pytest.raises(DomainError, match=r"^op_ratio must leave fifo cleaning blocks to gain"):
        run(config)
    assert run(dataclasses.replace(config, policy="greedy")).wa > 1


SCRIPT = """
import json
import numpy as np
from models.simulator import *
from models.simulator.config import POLICIES
workloads = [
    Uniform(), Zipf(0.9), Zipf(1.0), Sequential(), Mixed(random_writes=0.5, random_pages=0.5),
    Classes(write_shares=(0.8, 0.2), page_shares=(0.2, 0.8)), Static(dynamic_pages=0.5),
    Trace(np.arange(90) ** 2 % 97, np.arange(90) % 7 == 3),
]
found = []
for workload in workloads:
    split = isinstance(workload, (Mixed, Classes, Static))
    for policy in POLICIES:
        for frontiers in ("one", "host-gc", "streams"):
            config = Config(
                pages_per_block=8, blocks=20, op_ratio=0.4, policy=policy, workload=workload,
                frontiers=frontiers, reserve=2, trim_share=0.2 if policy == "greedy" else 0.0,
                routing=((0.9, 0.1), (0.2, 0.8))[:1 + split] if frontiers == "streams" else (),
                warmup_overwrites=1, measured_overwrites=1, choices=3,
            )
            result = run(config)
            found.append([result.copies, result.erases, result.victim_valid.tolist()])
print(json.dumps(found))
"""


def test_kernels_give_the_same_as_plain_python():
    compiled, plain = compiled_and_plain(SCRIPT)
    assert len(compiled) == 8 * 6 * 3
    assert compiled == plain


def test_importing_the_package_does_not_load_numba():
    script = "import sys, models.simulator as s; s.Config(pages_per_block=8, blocks=9, op_ratio=1)"
    script += "; print('numba' in sys.modules)"
    folder = Path(models.__path__[0]).parent
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=folder
    )
    assert done.stdout.strip() == "False"


def test_it_shares_no_code_with_the_formulas():
    for path in Path(driver.__file__).parent.glob("*.py"):
        assert "models.write_amplification import" not in path.read_text()
