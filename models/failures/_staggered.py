"""Expected losses of a group whose members have different ages, on the last axis.

As `_overlap` for members that are all alike, but who is down is a sum over unequal members.
"""

import numpy as np

from models.failures._overlap import Floats, Group, Law, Span, cells, hazard, probability, support_s

_MOST_TIMES = 16  # as many cells as for one member
_TINY = 2.0**-53


def aged(law: Law, ages_s: Floats) -> Law:
    """Law of the remaining life at an age, given that it is reached."""
    before = law(ages_s)

    def left(time_s: Floats) -> Floats:
        return np.asarray((law(ages_s + time_s) - before) / (1 - before))

    return left


def begun(law: Law, begins_s: Floats) -> Law:
    """Laws of members that are put into service at different times."""

    def later(time_s: Floats) -> Floats:
        return np.asarray(law(np.maximum(time_s - begins_s, 0.0)))

    return later


def staggered_probability(law: Law, group: Group) -> Floats:
    """Probability of a loss; no more than with fewer parities, all of which are tried.

    The law has the members on its last axis.
    """
    first_s, last_s = support_s(law, (int(group.members),))
    ends_s = np.min(first_s, keepdims=True), np.max(last_s, keepdims=True)
    times = int(np.ceil((ends_s[1] - ends_s[0]).item() / np.min(last_s - first_s)))
    span = cells(law, ends_s, group, min(times, _MOST_TIMES))
    by_parities = []
    for parities in range(1, group.parities + 1):
        losses = _expected_losses(span, group._replace(parities=parities))
        by_parities.append(probability(*losses, group.members, parities))
    return np.asarray(np.min(by_parities, axis=0))


def _expected_losses(span: Span, group: Group) -> tuple[Floats, Floats]:
    """Losses by overlapping wear-out alone; by all else that wear-out meets, where none overlap."""
    failing = group.failures_per_s * span.width_s
    down = span.before + (1 - span.before) * group.down
    each, most = hazard(span), group.parities - 1
    lost = others_down(down, most)[..., -1] * group.lost(_met(each, down, group) + group.else_met)
    unworn = np.full((1, down.shape[-1]), group.down)  # without wear all cells are the same
    steady = others_down(unworn, most)[..., -1] * group.lost(group.else_met)
    worn = others_down(span.before, most)
    alone = worn[..., -1] * group.lost(_met(each, span.before, group))
    fewer = worn.sum(-1)
    others = span.failing * (lost - alone)
    others = others + failing * ((1 - down) * lost - (1 - group.down) * steady)
    return (span.failing * alone).sum(), np.maximum(
        (others / np.maximum(fewer - alone, _TINY)).sum(), 0.0
    )


def others_down(down: Floats, most: int) -> Floats:
    """Probability that 0, 1 ... `most` members other than one are down, for every member."""
    members = down.shape[-1]
    chances = np.zeros((*down.shape, most + 1))
    chances[..., 0] = 1.0
    for member in range(members):
        its = down[..., member, None, None]
        more = chances * (1 - its)
        more[..., 1:] += chances[..., :-1] * its
        more[..., member, :] = chances[..., member, :]
        chances = more
    return chances


def _met(each: Floats, down: Floats, group: Group) -> Floats:
    """Further failures in a rebuild time, of the members that are not likely to be down."""
    odds = down / np.maximum(1 - down, np.finfo(float).tiny)
    likely = _of_others(odds)
    taken = np.where(likely > 0, (group.parities - 1) / np.where(likely > 0, likely, 1.0), 0.0)
    return np.maximum(_of_others(each) - taken * _of_others(odds * each), 0.0)


def _of_others(values: Floats) -> Floats:
    return np.asarray(values.sum(-1, keepdims=True) - values)
