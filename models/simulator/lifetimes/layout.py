"""From a configuration to the arrays of its trials."""

import math

import numpy as np

from models.simulator.layout import _splitmix
from models.simulator.lifetimes import state as at
from models.simulator.lifetimes.config import Config, Lognormal, Normal, Weibull

BY_TRIAL = {
    "cause": np.int8, "loss_s": np.float64, "failures": np.int32, "planned": np.int32,
    "waited": np.int32, "wait_s": np.float64,
}  # fmt: skip


def build(config: Config) -> at.Trials:
    """Arrays before the first trial."""
    s = at.Trials(
        sys=np.zeros(at.SYS, np.int64),
        real=np.zeros(at.REALS),
        bits=np.array(_splitmix(config.seed, 4), np.uint64),
        member=np.zeros((config.members, at.MEMBER)),
        lane=np.zeros(config.side_by_side),
        order=np.zeros(max(1, config.spares or 0)),
        **{name: np.zeros(config.trials, kind) for name, kind in BY_TRIAL.items()},
    )
    for words, values in ((s.sys, _words(config)), (s.real, _reals(config))):
        for name, value in values.items():
            words[name] = value
    s.member[:, at.AGE] = config.ages_s or 0.0
    return s


def _words(config: Config) -> dict[int, int]:
    return {
        at.MEMBERS: config.members,
        at.PARITIES: config.parities,
        at.WEAR_LAW: _wear(config)[0],
        at.ANY_WEAK: config.weak_fraction > 0,
        at.EXPONENTIAL: config.rebuild_times == "exponential",
        at.LANES: config.side_by_side,
        at.SPARES: at.ALWAYS if config.spares is None else config.spares,
    }


def _reals(config: Config) -> dict[int, float]:
    weak = config.weak or Weibull(scale_s=1.0, shape=1.0)
    _, first, second = _wear(config)
    return {
        at.HORIZON: config.horizon_s,
        at.FAILURE_GAP: 1 / config.failures_per_s if config.failures_per_s else math.inf,
        at.WEAR_FIRST: first,
        at.WEAR_SECOND: second,
        at.WEAK_FRACTION: config.weak_fraction,
        at.WEAK_SCALE: weak.scale_s,
        at.WEAK_SHAPE: weak.shape,
        at.REPLACED: config.replaced_s,
        at.REBUILD: config.rebuild_s,
        at.UNREADABLE: config.unreadable,
        at.LEAD: config.lead_s,
    }


def _wear(config: Config) -> tuple[int, float, float]:
    """Law of wear-out and its two numbers."""
    law = config.wear
    if isinstance(law, Normal):
        return at.NORMAL, law.mean_s, law.sd_s
    if isinstance(law, Weibull):
        return at.WEIBULL, law.scale_s, law.shape
    if isinstance(law, Lognormal):
        return at.LOGNORMAL, law.median_s, law.log_sd
    return at.NO_WEAR, 0.0, 0.0
