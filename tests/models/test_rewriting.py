"""A sequential pass over scattered data, against the page simulator; spans against identities."""

import numpy as np
import pytest

from models import consistency, rewriting
from models.simulator import Config, run
from models.simulator.config import Trace
from models.write_amplification import greedy

PAGES, BLOCKS, RESERVE, SETTLING = 64, 1200, 3, 6


def simulated(op_ratio, frontiers):
    """Write amplification in 20 parts of a pass after uniform random writes."""
    drive = {"pages_per_block": PAGES, "blocks": BLOCKS, "op_ratio": op_ratio, "reserve": RESERVE}
    pages = Config(**drive).pages
    random = np.random.default_rng(1).integers(0, pages, SETTLING * pages)
    written = np.concatenate([random, np.arange(pages)]).astype(np.uint32)
    result = run(
        Config(
            **drive,
            frontiers=frontiers,
            workload=Trace(written),
            warmup_overwrites=SETTLING,
            measured_overwrites=1,
            windows=20,
        )
    )
    return np.array(result.wa_over_time[-20:])


@pytest.mark.parametrize("op_ratio", [0.07, 0.145, 0.28, 0.5])
@pytest.mark.parametrize(("frontiers", "shared"), [("host-gc", 0.0), ("one", 1.0)])
def test_pass_is_as_simulated(op_ratio, frontiers, shared):
    """The mean of the pass within 3 %, a twentieth of it apart from noise."""
    expected = simulated(op_ratio, frontiers)
    found = rewriting.sequential_wa(
        greedy(op_ratio, pages_per_block=PAGES),
        rewritten_fraction=(np.arange(20) + 0.5) / 20,
        shared_fraction=shared,
    )
    assert np.mean(found) == pytest.approx(np.mean(expected), rel=0.03)
    assert np.median(np.abs(found / expected - 1)) < 0.04


def test_copies_take_the_time_between_both_rates():
    """At the steady write amplification the rate is the steady one."""
    rates = {"burst_write_iops": 90e3, "steady_write_iops": 50e3, "steady_wa": 2.03}
    each = rewriting.copy_s(90e3, steady_write_iops=50e3, steady_wa=2.03)
    for wa in (1.0, 2.03, 2.66):
        rate = rewriting.collected_bytes_per_s(90e3 * 4096, wa=wa, copy_s=each)
        assert rate / 4096 == pytest.approx(consistency.transient_iops(wa, **rates))


def test_whole_drive_has_its_own_spare_area():
    assert rewriting.span_op_ratio(0.28, span_fraction=1, filled_fraction=1) == pytest.approx(0.28)
    assert rewriting.span_op_ratio(0.28, span_fraction=0.5, filled_fraction=0.5) == pytest.approx(
        1.56
    )
