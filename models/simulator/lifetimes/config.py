"""Configuration of a simulated array: its members, their lives, the length and the trials."""

import math
from dataclasses import dataclass
from typing import Literal

from models.errors import DomainError
from models.simulator.config import _between, _choice, _whole

MOST_MEMBERS = 1024
MOST_TRIALS = 1 << 24
MOST_SPARES = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Normal:
    """Lifetimes of a normal law, truncated at 0."""

    mean_s: float
    sd_s: float

    def __post_init__(self) -> None:
        _between("mean_s", self.mean_s, 0, 1e12, low_open=True)
        _between("sd_s", self.sd_s, 0, 1e12, low_open=True)


@dataclass(frozen=True, kw_only=True)
class Weibull:
    """Lifetimes of Weibull's law."""

    scale_s: float
    shape: float

    def __post_init__(self) -> None:
        _between("scale_s", self.scale_s, 0, 1e12, low_open=True)
        _between("shape", self.shape, 0.1, 100)


@dataclass(frozen=True, kw_only=True)
class Lognormal:
    """Lifetimes whose logarithm is normal."""

    median_s: float
    log_sd: float

    def __post_init__(self) -> None:
        _between("median_s", self.median_s, 0, 1e12, low_open=True)
        _between("log_sd", self.log_sd, 0, 10, low_open=True)


@dataclass(frozen=True, kw_only=True)
class Config:
    """An array of alike members, how they live and are rebuilt, and the number of trials.

    Args:
        members: Drives in the array.
        parities: Failed members that the array can do without.
        failures_per_s: Independent failures per member. [1/s]
        wear: Law of the age at which a member wears out; by default none does.
        weak_fraction: Share of drives that fail early, in [0, 1].
        weak: Law of the age at which those fail.
        replaced_s: Age at which a member is replaced in time; infinite for never. [s]
        ages_s: Age of every member at the beginning, in order; by default all are new. [s]
        rebuild_s: Mean time of a rebuild. [s]
        rebuild_times: "fixed" or "exponential".
        rebuilds: Members that are rebuilt side by side; by default all.
        unreadable: Sectors that one rebuild is expected to meet that cannot be read.
        spares: Spares in stock at the beginning; by default there always is one.
        lead_s: Time from the order of a spare, when one is used, until it comes. [s]
        horizon_s: End of every trial. [s]
        trials: Arrays simulated, one after the other.
        seed: Seed of the random stream, in [0, 2**64).
    """

    members: int
    parities: int = 0
    failures_per_s: float = 0.0
    wear: Normal | Weibull | Lognormal | None = None
    weak_fraction: float = 0.0
    weak: Weibull | None = None
    replaced_s: float = math.inf
    ages_s: tuple[float, ...] | None = None
    rebuild_s: float
    rebuild_times: Literal["fixed", "exponential"] = "fixed"
    rebuilds: int | None = None
    unreadable: float = 0.0
    spares: int | None = None
    lead_s: float = 0.0
    horizon_s: float
    trials: int
    seed: int = 1

    def __post_init__(self) -> None:
        _whole("members", self.members, 1, MOST_MEMBERS)
        _whole("parities", self.parities, 0, self.members - 1)
        _whole("trials", self.trials, 1, MOST_TRIALS)
        _whole("seed", self.seed, 0, 2**64 - 1)
        _between("horizon_s", self.horizon_s, 0, 1e12, low_open=True)
        _lives(self)
        _rebuilds(self)
        _ages(self)

    @property
    def side_by_side(self) -> int:
        """Members that are rebuilt at a time."""
        return self.members if self.rebuilds is None else self.rebuilds


def _lives(config: Config) -> None:
    _between("failures_per_s", config.failures_per_s, 0, 1e3)
    _between("weak_fraction", config.weak_fraction, 0, 1 if config.weak else 0)
    _between("replaced_s", config.replaced_s, 0, math.inf, low_open=True)
    for name, kinds in (("wear", Normal | Weibull | Lognormal), ("weak", Weibull)):
        law = getattr(config, name)
        if law is not None and not isinstance(law, kinds):
            raise DomainError(f"{name} must be a law of life, got {law!r}")


def _rebuilds(config: Config) -> None:
    _between("rebuild_s", config.rebuild_s, 0, 1e12, low_open=True)
    _choice("rebuild_times", config.rebuild_times, ("fixed", "exponential"))
    if config.rebuilds is not None:
        _whole("rebuilds", config.rebuilds, 1, config.members)
    _between("unreadable", config.unreadable, 0, 1e6)
    if config.spares is not None:
        _whole("spares", config.spares, 0, MOST_SPARES)
    _between("lead_s", config.lead_s, 0, 1e12)


def _ages(config: Config) -> None:
    if config.ages_s is None:
        return
    if not isinstance(config.ages_s, tuple) or len(config.ages_s) != config.members:
        raise DomainError(f"ages_s must be a tuple of {config.members} ages, got {config.ages_s!r}")
    for age_s in config.ages_s:
        _between("ages_s", age_s, 0, config.replaced_s, high_open=True)
