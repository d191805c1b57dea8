"""Expected losses of a group whose members wear out, cell by cell of the time in which they do.

In each cell a member goes down while as many others as parity allows, less one, are down; the
group is then without parity until the first of them is back, and is lost if by then another fails
or a rebuild meets an unreadable sector. Members that are down have been so for uniform times.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models._crossing import least_reaching, powers_reaching
from models.failures._group import survival

Floats = NDArray[np.float64]
Law = Callable[[Any], Any]

_CELLS = 256
_LATE_CELLS = 32  # after the last failure, until its rebuild is done
_TAIL = 1e-12  # of the failures is left out at either end
_LONGEST = 1023  # power of two, in seconds
_TINY = 2.0**-53


class Group(NamedTuple):
    """A group that can do without as many members as `parities`; numbers of the same shape."""

    parities: int
    members: Floats
    failures_per_s: Floats
    rebuild_s: Floats
    unreadable: Floats  # sectors that a rebuild is expected to meet

    def others_down(self, down: Floats) -> Floats:
        """Probability that members other than one use up all but the last parity."""
        from scipy.special import binom  # noqa: PLC0415 - slow to import

        left = self.members - self.parities
        ways = binom(self.members - 1, self.parities - 1)
        return np.asarray(ways * down ** (self.parities - 1) * (1 - down) ** left)

    def fewer_down(self, down: Floats) -> Floats:
        """Probability that the last parity is not taken yet, by members other than one."""
        from scipy.special import betainc  # noqa: PLC0415 - slow to import

        left = self.members - self.parities
        return np.asarray(betainc(left, float(self.parities), 1 - down))

    def lost(self, meeting: Floats) -> Floats:
        """Probability of a loss before the first is back, by losses expected in a rebuild time."""
        return meeting / self.parities * survival(self.parities + 1, meeting)

    @property
    def else_met(self) -> Floats:
        """Expected losses in a rebuild without parity, from causes other than wear."""
        return (self.members - self.parities) * self.failures_per_s * self.rebuild_s + (
            self.unreadable
        )

    @property
    def down(self) -> Floats:
        """Probability that a member is down without any wear."""
        return self.failures_per_s * self.rebuild_s / (1 + self.failures_per_s * self.rebuild_s)


class Span(NamedTuple):
    """Time in cells, on a first axis, and what one member does in each."""

    width_s: Floats
    failing: Floats  # probability to wear out in the cell
    before: Floats  # or in the rebuild time before it
    after: Floats  # or after it


def support_s(law: Law, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Ages between which a law has all but a negligible share of its failures."""
    whole = np.asarray(law(np.full(shape, np.inf)))
    most = whole * (1 - _TAIL)
    shares = np.array([whole * _TAIL, most])
    first, last = least_reaching(law, shares, powers_reaching(law, most, most=_LONGEST))
    return first, last


def cells(law: Law, ends_s: tuple[Floats, Floats], group: Group, times: int = 1) -> Span:
    """Cut the time from the first failure until the last rebuild into cells."""
    edges = _edges(times * _CELLS, *np.broadcast_arrays(*ends_s, group.rebuild_s))
    middle = (edges[1:] + edges[:-1]) / 2
    unfailed = np.exp(-group.failures_per_s * middle)  # what fails else is new when it is back
    now = law(middle)
    return Span(
        np.diff(edges, axis=0),
        unfailed * np.diff(law(edges), axis=0),
        unfailed * (now - law(np.maximum(middle - group.rebuild_s, 0.0))),
        unfailed * (law(middle + group.rebuild_s) - now),
    )


def _edges(count: int, first_s: Floats, last_s: Floats, rebuild_s: Floats) -> Floats:
    early = np.linspace(first_s, last_s, count + 1)
    return np.concatenate([early, np.linspace(last_s, last_s + rebuild_s, _LATE_CELLS + 1)[1:]])


def hazard(span: Span) -> Floats:
    """Failures of a member in a rebuild time, if it did not fail in the one before."""
    share = span.after / np.maximum(1 - span.before, _TINY)
    return np.asarray(-np.log1p(-np.minimum(share, 1 - _TINY)))


def least_probability(law: Law, group: Group) -> Floats:
    """Probability of a loss; no more than with fewer parities, all of which are tried."""
    span = cells(law, support_s(law, group.members.shape), group)
    found = any_failure(span.failing.sum(0), group.members)
    for parities in range(1, group.parities + 1):
        found = np.minimum(found, _by_parities(span, group._replace(parities=parities)))
    return found


def any_failure(failing: Floats, members: Floats) -> Floats:
    """Probability that any member wears out."""
    return np.asarray(-np.expm1(members * np.log1p(-np.minimum(failing, 1 - _TINY))))


def _by_parities(span: Span, group: Group) -> Floats:
    losses = probability(*_expected_losses(span, group), group.members, group.parities)
    return np.maximum(losses, _mean_followed(span, group))


def _expected_losses(span: Span, group: Group) -> tuple[Floats, Floats]:
    """Losses by overlapping wear-out alone; by all else that wear-out meets, where none overlap."""
    met = (group.members - group.parities) * hazard(span)
    wearing = group.members * span.failing
    failing = group.members * group.failures_per_s * span.width_s
    down = span.before + (1 - span.before) * group.down
    lost = group.others_down(down) * group.lost(met + group.else_met)
    steady = (1 - group.down) * group.others_down(group.down) * group.lost(group.else_met)
    alone = group.others_down(span.before) * group.lost(met)
    apart = np.maximum(group.fewer_down(span.before) - alone, _TINY)
    others = wearing * (lost - alone) + failing * ((1 - down) * lost - steady)
    return (wearing * alone).sum(0), np.maximum((others / apart).sum(0), 0.0)


def _mean_followed(span: Span, group: Group) -> Floats:
    """Mean probability that a member is followed by enough others: no loss is less likely.

    With one parity the times from one failure to the next are as good as independent.
    """
    from scipy.special import betainc  # noqa: PLC0415 - slow to import

    spare = group.members - group.parities
    followed = betainc(float(group.parities), spare, np.minimum(span.after, 1.0))
    mean = np.asarray((group.members / spare * span.failing * followed).sum(0))
    return any_failure(mean, spare) if group.parities == 1 else mean


def probability(overlaps: Floats, others: Floats, members: Floats, parities: int) -> Floats:
    """Probability of any loss, of which few members can only have a few."""
    none = _log_none(overlaps, members, parities + 1)
    return -np.expm1(none + _log_none(others, members, parities))


def _log_none(expected: Floats, members: Floats, taken: int) -> Floats:
    """Log probability of no loss, as of independent ones that leave as many pairs as sets do."""
    from scipy.special import binom  # noqa: PLC0415 - slow to import

    most = 1 / (1 - binom(members - taken, taken) / binom(members, taken))
    return np.asarray(most * np.log1p(-np.minimum(expected / most, 1 - _TINY)))
