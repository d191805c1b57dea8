"""Lifetime simulator: which arrays lose data, and how many drives are replaced, without formulas.

Every trial is one array from now until a horizon; its members fail, wait for a spare, are rebuilt
and begin a new life. It is the independent reference for formulas of data loss, wear-out and
spares, and shares no code with them.

Public are `Config` (array, laws of life, length), `Normal`, `Weibull` and `Lognormal` (laws of
wear-out), `run` and what it gives: `Result`. All times are in seconds, all rates per second.

Lives
    A life ends at the first of: an independent failure at a constant rate (`failures_per_s`); for
    a share of the drives (`weak_fraction`) early failure by the law `weak`; wear-out by the law
    `wear`. A member that reaches `replaced_s` is replaced in time: no failure, nothing is down.
    Members begin at the ages `ages_s`, alive; each later life begins when a rebuild is done or a
    member is replaced in time.

Rebuilds
    A failed member takes a spare and orders another, which comes `lead_s` later; without a spare
    it waits. Then it is rebuilt, in a fixed or an exponential time, up to `rebuilds` members side
    by side and the others in turn. A rebuild passes over the whole member at a constant rate and
    meets on average `unreadable` sectors, at random places, that cannot be read.

Loss
    Data are lost when more than `parities` members are down; or when, with as many down as that, a
    rebuild meets an unreadable sector at a place to which no other rebuild has come yet: where one
    has, its member gives what is missing. Each trial counts the first loss, then goes on as
    before: replacements do not depend on losses.

Rare losses take many trials: probabilities below 1e-5 cannot be simulated, so that comparisons are
made at larger rates. The noise of a result is in its interval.

>>> array = Config(members=8, parities=1, failures_per_s=2e-8, rebuild_s=1e5, horizon_s=1e8,
...                trials=20_000)
>>> result = run(array)
>>> result.loss_low < 0.1965 < result.loss_high
True
"""

from models.errors import Cancelled
from models.simulator.lifetimes.config import Config, Lognormal, Normal, Weibull
from models.simulator.lifetimes.driver import run
from models.simulator.lifetimes.result import Result

__all__ = ["Cancelled", "Config", "Lognormal", "Normal", "Result", "Weibull", "run"]
