"""Model of the write amplification of page writes that are repeated without end.

Three steps. By classes of update frequency, every class written at random: the mean field of
`write_amplification.skewed`. By order: what the trace's own lifetimes of pages make of it
(`lifetime_levels`, `held_level`), over what random lifetimes of the same classes would make. By
block: what greedy garbage collection gains where pages written together become invalid together
(`with_shared_fate`). A trace of random writes has an order credit near 1; sequential streams, files
rewritten in rounds and bursts have less.

Trims enter as lifetimes that they end: data in use are what lifetimes add up to (Little's law), and
what is trimmed is spare area; of a class of pages counts the share of the time that it holds data.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.write_amplification import (
    held_level,
    lifetime_levels,
    shared_fate,
    skewed,
    with_shared_fate,
)
from planner.telemetry.traces import PageWrites
from planner.telemetry.traces.classes import classes_as_counted

__all__ = ["Predicted", "in_use", "predicted"]

_LOOK_BACK = 8
_MOST_SPARE = 1e3  # times the data in use, beyond which nothing is ever copied


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """Write amplification by model: flash pages programmed per page that the host writes.

    Attributes
    ----------
    wa, low_wa, high_wa : float
        The prediction, and the range of levels at which such a drive may stay. [1]
    class_wa : float
        If every page were written at random times, at its own rate. [1]
    order_credit : float
        Share of that which order and bursts of the rewrites leave, as far as is known. [1]
    shared_fate : float
        Correlation of the validity of pages written together: 0 at random, 1 by blocks. [1]
    in_use_fraction : float
        Share of the written pages that hold data at a time; trims leave less than 1. [1]
    levels : tuple of float
        Every level that the lifetimes allow, fates taken as independent: ones to stay at and
        ones that part them in turn. [1]
    """

    wa: float
    low_wa: float
    high_wa: float
    class_wa: float
    order_credit: float
    shared_fate: float
    in_use_fraction: float
    levels: tuple[float, ...]


def predicted(
    writes: PageWrites, *, op_ratio: float, pages_per_block: int | None = None
) -> Predicted:
    """Return the write amplification by model of page writes that are repeated without end.

    `op_ratio` is spare over written pages, in use or trimmed. Without `pages_per_block` the oldest
    block is collected, which is also the greedy limit of large blocks if fates are independent;
    with it greedy garbage collection as in `skewed`.
    """
    lives = writes.lives()
    held = float(lives.lifetime.sum()) / max(1, lives.lifetime.size)
    used = held / max(1, writes.footprint_pages)
    if 1 + op_ratio >= _MOST_SPARE * used:
        return Predicted(
            wa=1.0, low_wa=1.0, high_wa=1.0, class_wa=1.0, order_credit=1.0, shared_fate=0.0,
            in_use_fraction=used, levels=(1.0,),
        )  # fmt: skip
    ratio = (1 + op_ratio) / used - 1
    classes = classes_as_counted(writes.counts, in_use=in_use(writes))
    shares: Any = {"write_shares": classes.write_shares, "page_shares": classes.page_shares}
    class_wa = float(skewed(ratio, pages_per_block=pages_per_block, **shares))
    greedy = 1 if pages_per_block is None else 1 + 0.5 / pages_per_block
    longer = greedy * (1 + ratio) - 1
    scale = class_wa / float(skewed(longer, **shares))
    levels = tuple(
        max(1.0, level * scale) for level in lifetime_levels(longer, lifetimes=lives.lifetime)
    )
    apart = held_level(levels, random_fraction=_random_share(writes)) if levels else class_wa
    wa, fate = apart, 0.0
    group = round(pages_per_block / writes.one_in) if pages_per_block else 0
    if pages_per_block and group > 1:
        wa = with_shared_fate(
            apart, op_ratio=ratio, lifetimes=lives.lifetime, pages_per_block=pages_per_block,
            written_pages=group,
        )  # fmt: skip
        age = (1 + ratio) / wa * held
        fate = shared_fate(lives.lifetime > age, pages_per_block=group)
    return Predicted(
        wa=wa,
        low_wa=min([wa, *levels[:1]]),
        high_wa=max([wa, *levels[-1:]]),
        class_wa=class_wa,
        order_credit=min(1.0, wa / class_wa),
        shared_fate=fate,
        in_use_fraction=used,
        levels=levels,
    )


def in_use(writes: PageWrites) -> NDArray[np.float64]:
    """Return the share of the time that each page holds data: 1 without trims."""
    lives = writes.lives()
    held = np.bincount(lives.page, lives.lifetime, minlength=writes.footprint_pages)
    return np.asarray(held / max(1, lives.page.size))


def _random_share(writes: PageWrites) -> float:
    """Return the share of page writes that do not continue one of the last few."""
    pages = writes.pages[~writes.trims].astype(np.int64)
    goes_on = np.zeros(pages.size, bool)
    for back in range(1, min(_LOOK_BACK, pages.size - 1) + 1):
        goes_on[back:] |= pages[back:] == pages[:-back] + 1
    return 1 - float(goes_on.mean())
