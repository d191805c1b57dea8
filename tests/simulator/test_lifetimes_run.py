"""Configurations that are refused, runs that repeat, and limits that need no other model."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from models.errors import DomainError
from models.simulator.lifetimes import Cancelled, Config, Lognormal, Normal, Weibull, run

BASE = {"members": 4, "parities": 1, "failures_per_s": 1e-3, "rebuild_s": 10.0, "horizon_s": 1e3}
BAD = [
    ("members", {"members": 0}),
    ("members", {"members": 1025}),
    ("parities", {"parities": 4}),
    ("parities", {"parities": -1}),
    ("trials", {"trials": 0}),
    ("seed", {"seed": -1}),
    ("horizon_s", {"horizon_s": 0.0}),
    ("horizon_s", {"horizon_s": math.inf}),
    ("failures_per_s", {"failures_per_s": -1.0}),
    ("wear", {"wear": 5.0}),
    ("weak", {"weak": Normal(mean_s=1.0, sd_s=1.0)}),
    ("weak_fraction", {"weak_fraction": 0.1}),
    ("weak_fraction", {"weak_fraction": 1.1, "weak": Weibull(scale_s=1.0, shape=1.0)}),
    ("replaced_s", {"replaced_s": 0.0}),
    ("rebuild_s", {"rebuild_s": 0.0}),
    ("rebuild_s", {"rebuild_s": math.nan}),
    ("rebuild_times", {"rebuild_times": "uniform"}),
    ("rebuilds", {"rebuilds": 0}),
    ("rebuilds", {"rebuilds": 5}),
    ("unreadable", {"unreadable": -0.1}),
    ("spares", {"spares": -1}),
    ("lead_s", {"lead_s": -1.0}),
    ("ages_s", {"ages_s": (0.0,)}),
    ("ages_s", {"ages_s": [0.0] * 4}),
    ("ages_s", {"ages_s": (0.0, 0.0, 0.0, -1.0)}),
    ("ages_s", {"ages_s": (0.0, 0.0, 0.0, 9.0), "replaced_s": 9.0}),
]
LAWS = [
    ("mean_s", lambda: Normal(mean_s=0.0, sd_s=1.0)),
    ("sd_s", lambda: Normal(mean_s=1.0, sd_s=0.0)),
    ("scale_s", lambda: Weibull(scale_s=0.0, shape=1.0)),
    ("shape", lambda: Weibull(scale_s=1.0, shape=0.0)),
    ("median_s", lambda: Lognormal(median_s=-1.0, log_sd=1.0)),
    ("log_sd", lambda: Lognormal(median_s=1.0, log_sd=0.0)),
]


@pytest.mark.parametrize(("name", "changed"), BAD)
def test_refuses_by_name(name, changed):
    with pytest.raises(DomainError, match=f"^{name} must be"):
        Config(**{"trials": 10} | BASE | changed)


@pytest.mark.parametrize(("name", "law"), LAWS)
def test_laws_refuse_by_name(name, law):
    with pytest.raises(DomainError, match=f"^{name} must be"):
        law()


def test_refuses_an_age_that_nothing_reaches():
    config = Config(
        **BASE | {"members": 1, "parities": 0}, wear=Normal(mean_s=100.0, sd_s=1.0),
        ages_s=(200.0,), trials=1,
    )  # fmt: skip
    with pytest.raises(DomainError, match=r"^ages_s must be"):
        run(config)


def test_a_run_repeats_whatever_its_progress():
    config = Config(**BASE, trials=1000)
    told = []
    first, second = run(config), run(config, told.append)
    np.testing.assert_array_equal(first.loss_s, second.loss_s)
    assert told == [part / 100 for part in range(1, 101)]
    other = run(Config(**BASE, trials=1000, seed=2))
    assert not np.array_equal(first.loss_s, other.loss_s)


def test_progress_can_stop_a_run():
    with pytest.raises(Cancelled):
        run(Config(**BASE, trials=1000), lambda done: done < 0.5)


def test_without_jit_the_numbers_are_the_same():
    script = (
        "from models.simulator.lifetimes import Config, run\n"
        f"r = run(Config(**{BASE!r}, trials=15, unreadable=0.5, spares=1, lead_s=50.0))\n"
        "print(r.loss_s.tolist(), r.failures.tolist(), r.waited_fraction)"
    )

    def printed(**environment):
        return subprocess.run(
            [sys.executable, "-c", script], check=True, capture_output=True, text=True,
            env=os.environ | environment,
        ).stdout  # fmt: skip

    assert printed() == printed(NUMBA_DISABLE_JIT="1")


def test_what_was_lost_by_the_end_is_what_was_lost():
    result = run(Config(**BASE, trials=5000, unreadable=0.2))
    assert result.lost_by(1e3) == (result.loss_probability, result.loss_low, result.loss_high)
    assert result.lost_by(500.0)[0] < result.loss_probability
    parts = result.failed_probability + result.unreadable_probability
    assert parts == pytest.approx(result.loss_probability, rel=1e-12)
    assert result.loss_low < result.loss_probability < result.loss_high


def test_members_that_are_replaced_in_time_do_not_fail():
    config = Config(
        members=10, rebuild_s=1.0, horizon_s=1000.0, trials=10,
        wear=Normal(mean_s=200.0, sd_s=5.0), replaced_s=150.0,
    )  # fmt: skip
    result = run(config)
    assert result.failures_mean == 0
    assert result.planned_mean == 60
    assert math.isnan(result.waited_fraction)
    assert math.isnan(result.wait_s)


def test_without_a_stock_every_failure_waits_for_the_lead_time():
    result = run(Config(**BASE, spares=0, lead_s=70.0, trials=500))
    assert result.waited_fraction == 1
    assert result.wait_s == pytest.approx(70.0, rel=1e-9)
    plenty = run(Config(**BASE, spares=100, lead_s=70.0, trials=500))
    assert plenty.waited_fraction == 0


def test_failures_at_a_constant_rate_are_a_poisson_count():
    result = run(Config(**BASE | {"rebuild_s": 1e-6}, trials=100_000))
    assert abs(result.failures_mean - 4) < 4 * result.failures_mean_error
    assert abs(result.failures_sd - 2) < 4 * result.failures_sd_error
    assert result.failures_sd_error == pytest.approx(2 * math.sqrt(2.25 / 4 / 1e5), rel=0.05)


@pytest.mark.parametrize("members", [1, 3])
def test_without_parity_the_first_failure_is_the_loss(members):
    result = run(Config(**BASE | {"members": members, "parities": 0}, trials=100_000))
    _, low, high = result.lost_by(300.0)
    assert low < -math.expm1(-0.3 * members) < high
