"""Formulas of speed against the event simulator, which shares no code with them.

Every group prints its mean and worst error when it fails; the limits are engineering limits.
"""

import numpy as np
import pytest

from models import flash_reads, latency_tail, parallelism, slc_cache, transient, write_budget
from models.simulator.events import Config, SlcCache, run
from models.write_amplification import greedy

READ_S, PROGRAM_S, ERASE_S, TRANSFER_S = 50e-6, 700e-6, 4e-3, 10e-6
TIMES = {"read_s": READ_S, "program_s": PROGRAM_S, "erase_s": ERASE_S, "transfer_s": TRANSFER_S}
# dies, channels, op_ratio, pages per block, pages per program
DRIVES = [(8, 8, 0.28, 128, 4), (16, 16, 0.145, 128, 4), (16, 8, 0.374, 128, 2)]


def told(errors):
    errors = np.abs(errors)
    return f"mean {np.mean(errors):.2%}, worst {np.max(errors):.2%} of {errors.size}"


@pytest.mark.parametrize(("dies", "mean", "worst"), [(4, 0.05, 0.10), (8, 0.02, 0.05)])
def test_reads_over_dies_by_queue_depth(dies, mean, worst):
    errors = []
    for depth in (1, 2, 4, 8, 16, 32, 64):
        drive = Config(
            dies=dies, channels=dies, read_s=READ_S, transfer_s=1e-7, queue_depth=depth,
            warmup_s=0.1, measured_s=0.8, window_s=0.1,
        )  # fmt: skip
        model = parallelism.dies_iops(depth, dies=dies, operation_s=READ_S + 1e-7)
        errors.append(model / run(drive).iops - 1)
    assert np.mean(np.abs(errors)) <= mean, told(errors)
    assert np.max(np.abs(errors)) <= worst, told(errors)


@pytest.mark.parametrize(("dies", "channels", "mean"), [(4, 2, 0.05), (16, 4, 0.02), (32, 8, 0.02)])
def test_reads_over_channels_and_link_by_queue_depth(dies, channels, mean):
    errors = []
    for transfer_s in (5e-6, 25e-6):
        for link_s in (0.0, 2.7e-6):
            for depth in (1, 8, 32, 128):
                network = {"dies": dies, "channels": channels, "read_s": READ_S,
                           "transfer_s": transfer_s, "link_s": link_s}  # fmt: skip
                drive = Config(
                    queue_depth=depth, warmup_s=0.05, measured_s=0.3, window_s=0.05, **network
                )
                errors.append(flash_reads.read_iops(depth, **network) / run(drive).iops - 1)
    assert np.mean(np.abs(errors)) <= mean, told(errors)
    assert np.max(np.abs(errors)) <= 0.10, told(errors)


def page_s(wa, pages_per_block, pages_per_program):
    program = write_budget.program_page_s(
        PROGRAM_S, transfer_s=TRANSFER_S, pages_per_program=pages_per_program
    )
    copy = write_budget.copy_page_s(
        wa, read_s=READ_S, transfer_s=TRANSFER_S, pages_per_read=pages_per_program
    )
    return write_budget.host_page_s(
        wa, program_page_s=program, copy_page_s=copy, erase_s=ERASE_S,
        pages_per_block=pages_per_block,
    )  # fmt: skip


@pytest.mark.parametrize(("dies", "channels", "op_ratio", "block", "program"), DRIVES)
def test_writes_over_time(dies, channels, op_ratio, block, program):
    """Cliff, course and steady state of a saturated test of a sequentially filled drive."""
    blocks, window_s = 160, 0.05
    pages = round((blocks - 2) * dies * block / (1 + op_ratio))
    fresh_s = PROGRAM_S / program + TRANSFER_S
    settled = transient.greedy_settling_fills(op_ratio, pages_per_block=block)
    fills = np.linspace(0, max(4 * settled, 3.0), 8000)
    wa = transient.greedy_wa(op_ratio, drive_fills=fills, pages_per_block=block)
    middle = np.maximum((wa[1:] + wa[:-1]) / 2, 1 + 1e-9)
    each = np.where(middle > 1 + 1e-6, page_s(middle, block, program), fresh_s)
    seconds = np.concatenate([[0.0], np.cumsum(each * np.diff(fills) * pages / dies)])
    result = run(
        Config(
            dies=dies, channels=dies, blocks_per_die=blocks, pages_per_block=block,
            pages_per_program=program, op_ratio=op_ratio, reserve=2,
            buffer_pages=4 * dies * program,
            allocation="least-loaded", die_queue=2, writers=64, window_s=window_s,
            measured_s=float(np.floor(seconds[-1])), **TIMES,
        )
    )  # fmt: skip
    simulated = np.asarray(result.windows.write_iops)
    edges = np.arange(simulated.size + 1) * window_s
    errors = np.diff(np.interp(edges, seconds, fills * pages)) / window_s / simulated - 1
    assert np.mean(np.abs(errors)) <= 0.04, told(errors)
    steady = dies / page_s(greedy(op_ratio, pages_per_block=block), block, program)
    assert steady == pytest.approx(simulated[-simulated.size // 5 :].mean(), rel=0.02)
    cliff_s = op_ratio * pages * fresh_s / dies
    assert result.first_collection_s == pytest.approx(cliff_s, rel=0.01)
    assert channels <= dies


@pytest.mark.parametrize(("dies", "channels", "op_ratio", "block", "program"), DRIVES)
@pytest.mark.parametrize("load", [0.3, 0.6])
def test_read_latency_under_writes(dies, channels, op_ratio, block, program, load):
    wa = greedy(op_ratio, pages_per_block=block)
    writes, reads = load * dies / page_s(wa, block, program), 600.0 * dies
    pages = round(58 * dies * block / (1 + op_ratio))
    result = run(
        Config(
            dies=dies, channels=channels, blocks_per_die=60, pages_per_block=block,
            pages_per_program=program, op_ratio=op_ratio, reserve=2,
            buffer_pages=4 * dies * program,
            allocation="least-loaded", die_queue=2, write_iops=writes, read_iops=reads,
            window_s=0.5, warmup_s=float(np.ceil(4 * pages / writes)), measured_s=40.0, **TIMES,
        )
    )  # fmt: skip
    flash = latency_tail.FlashTimings(
        **TIMES, pages_per_read=program, pages_per_program=program, pages_per_block=block
    )
    die = {"die_write_iops": writes / dies, "wa": wa, "flash": flash}
    transfers = latency_tail.channel_transfers(
        reads / dies, dies_per_channel=dies // channels, **die
    )
    wait = latency_tail.mean_channel_wait_s(transfers)
    model = latency_tail.read_latency_s(
        [0.5, 0.9, 0.99, 0.999, 0.9999], die_read_iops=reads / dies, die_read_s=READ_S + TRANSFER_S,
        background=latency_tail.background_operations(channel_wait_s=wait, **die),
        transfers=transfers,
    )  # fmt: skip
    simulated = [result.reads.percentile(percent) for percent in (50, 90, 99, 99.9, 99.99)]
    errors = np.asarray(model) / simulated - 1
    assert abs(errors[0]) <= 0.10, errors
    assert np.max(np.abs(errors[1:])) <= 0.05, errors


@pytest.mark.parametrize(
    ("when_full", "burst"), [("direct", 15_000), ("direct", 60_000), ("fold", 60_000)]
)
def test_a_burst_into_a_write_cache(when_full, burst):
    dies, program, cached = 8, 4, 20_000
    fast_s, dense_s = 200e-6, 1.2e-3
    cache = SlcCache(
        program_s=fast_s, read_s=30e-6, static_pages=cached, when_full=when_full,
        folding="idle" if when_full == "fold" else "never", idle_s=1e-3,
    )  # fmt: skip
    result = run(
        Config(
            dies=dies, channels=dies, blocks_per_die=400, pages_per_block=128,
            pages_per_program=program, op_ratio=0.1, read_s=60e-6, program_s=dense_s,
            erase_s=ERASE_S, transfer_s=TRANSFER_S, buffer_pages=dies * program, die_queue=2,
            allocation="least-loaded", writers=64, writes="sequential", burst_pages=burst,
            burst_period_s=6.0, slc=cache, measured_s=6.0, window_s=0.1,
        )
    )  # fmt: skip
    rate = dies * program / (fast_s + program * TRANSFER_S)
    direct = dies * program / (dense_s + program * TRANSFER_S)
    fold = dies * program / (30e-6 + dense_s + 2 * program * TRANSFER_S)
    after = direct if when_full == "direct" else 1 / (1 / rate + 1 / fold)
    model = slc_cache.burst_s(
        burst, slc_cache_bytes=cached, cached_write_bytes_per_s=rate,
        folded_write_bytes_per_s=after,
    )  # fmt: skip
    assert result.bursts_s[0] == pytest.approx(model, rel=0.01)
