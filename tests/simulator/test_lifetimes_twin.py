"""The lifetime kernel agrees with a naive simulator, trial for trial."""

import math

import numpy as np
import pytest

from models.simulator.lifetimes import Config, Lognormal, Normal, Weibull, kernel, layout
from models.simulator.lifetimes import state as at
from tests.naive_lifetimes import trials

CAUSES = {None: at.NOT, "failures": at.FAILED, "sector": at.UNREADABLE_SECTOR}

LIVES = [
    {"failures_per_s": 3e-3},
    {"wear": Normal(mean_s=500.0, sd_s=60.0)},
    {"wear": Weibull(scale_s=400.0, shape=3.0), "failures_per_s": 1e-3, "replaced_s": 350.0},
    {"wear": Lognormal(median_s=300.0, log_sd=0.4), "ages_s": (0.0, 50.0, 100.0, 250.0, 0.0, 9.0)},
    {"failures_per_s": 1e-3, "weak_fraction": 0.3, "weak": Weibull(scale_s=90.0, shape=0.6)},
]
REBUILDS = [
    {"parities": 0},
    {"parities": 1, "unreadable": 0.7},
    {"parities": 2, "unreadable": 3.0, "rebuild_times": "exponential"},
    {"parities": 2, "unreadable": 1.0, "rebuilds": 1},
    {"parities": 3, "spares": 0, "lead_s": 30.0},
    {"parities": 2, "spares": 2, "lead_s": 400.0, "rebuilds": 2, "unreadable": 0.5},
]


@pytest.mark.parametrize("lives", LIVES)
@pytest.mark.parametrize("rebuilds", REBUILDS)
def test_agrees_for_every_law_and_rebuild(lives, rebuilds):
    config = Config(members=6, rebuild_s=40.0, horizon_s=1500.0, trials=40, **lives, **rebuilds)
    s = layout.build(config)
    with np.errstate(over="ignore"):
        kernel.advance(config.trials, s)
    twins = trials(config)
    assert s.cause.tolist() == [CAUSES[twin.cause] for twin in twins]
    assert s.failures.tolist() == [twin.failures for twin in twins]
    assert s.planned.tolist() == [twin.planned for twin in twins]
    assert s.waited.tolist() == [len(twin.waits) for twin in twins]
    np.testing.assert_allclose(s.loss_s, [twin.lost for twin in twins], rtol=1e-9)
    np.testing.assert_allclose(s.wait_s, [sum(twin.waits) for twin in twins], rtol=1e-9, atol=1e-6)


def test_every_cause_and_every_wait_occurs_in_what_is_compared():
    config = Config(
        members=6, rebuild_s=40.0, horizon_s=1500.0, trials=40, **LIVES[2], **REBUILDS[5]
    )
    twins = trials(config)
    assert {twin.cause for twin in twins} >= {"failures", "sector"}
    assert any(twin.waits for twin in twins)
    assert any(twin.planned for twin in twins)
    safe = Config(members=6, rebuild_s=40.0, horizon_s=1500.0, trials=40, **LIVES[0], **REBUILDS[4])
    assert any(twin.lost == math.inf for twin in trials(safe))
