"""Model of the write amplification of page writes that are repeated forever.

It has three steps. Classes of update frequency, with random writes within each class, give the mean
field of `write_amplification.skewed`. The lifetimes of pages in the trace correct it for the order
of the writes (`lifetime_levels`, `held_level`), relative to random lifetimes of the same classes.
The correlation of pages written together corrects it for what greedy garbage collection gains when
they become invalid together (`with_shared_fate`). A trace of random writes has an order credit near
1; sequential streams, files rewritten in rounds, and bursts have less.

A trim ends a lifetime. The data in use follow from the lifetimes (Little's law), and trimmed pages
are spare area; a class of pages counts for the share of the time in which it holds data.
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

_LOOK_BACK = 8
_MOST_SPARE = 1e3  # flash over data in use, from which nothing is copied


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelledWa:
    """Write amplification by model: flash pages programmed per page written by the host.

    Attributes:
        wa: The prediction. [1]
        low_wa: Lower end of the range of its stable levels. [1]
        high_wa: Upper end of that range. [1]
        class_wa: Write amplification if every page were written at random times at its own rate.
            [1]
        order_credit: The prediction over `class_wa`, at most 1: effect of order and bursts of the
            writes. [1]
        shared_fate: Correlation of the validity of pages written together: 0 if independent, 1 if
            whole blocks become invalid together. [1]
        in_use_fraction: Mean share of the written pages that hold data; below 1 because of trims.
            [1]
        levels: All fixed points for the lifetimes if pages become invalid independently: stable and
            unstable ones alternate. [1]
    """

    wa: float
    low_wa: float
    high_wa: float
    class_wa: float
    order_credit: float
    shared_fate: float
    in_use_fraction: float
    levels: tuple[float, ...]


def predict_wa(
    writes: PageWrites, *, op_ratio: float, pages_per_block: int | None = None
) -> ModelledWa:
    """Return the write amplification by model of page writes that are repeated forever.

    `op_ratio` is spare pages over written pages, in use or trimmed. With `pages_per_block` garbage
    collection is greedy as in `skewed`. Without it the oldest block is collected (FIFO), which is
    also the limit of greedy for large blocks if pages become invalid independently.
    """
    lives = writes.lives()
    held = float(lives.lifetime.sum()) / max(1, lives.lifetime.size)
    used = held / max(1, writes.footprint_pages)
    if 1 + op_ratio >= _MOST_SPARE * used:
        return ModelledWa(
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
    independent_wa = (
        held_level(levels, random_fraction=_random_share(writes)) if levels else class_wa
    )
    wa, fate = independent_wa, 0.0
    group = round(pages_per_block / writes.one_in) if pages_per_block else 0
    if pages_per_block and group > 1:
        wa = with_shared_fate(
            independent_wa, op_ratio=ratio, lifetimes=lives.lifetime,
            pages_per_block=pages_per_block, written_pages=group,
        )  # fmt: skip
        age = (1 + ratio) / wa * held
        fate = shared_fate(lives.lifetime > age, pages_per_block=group)
    return ModelledWa(
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
    """Return the share of the time in which each page holds data; 1 without trims."""
    lives = writes.lives()
    held = np.bincount(lives.page, lives.lifetime, minlength=writes.footprint_pages)
    return np.asarray(held / max(1, lives.page.size))


def _random_share(writes: PageWrites) -> float:
    """Return the share of page writes that are not sequential to one of the last few."""
    pages = writes.pages[~writes.trims].astype(np.int64)
    is_sequential = np.zeros(pages.size, bool)
    for back in range(1, min(_LOOK_BACK, pages.size - 1) + 1):
        is_sequential[back:] |= pages[back:] == pages[:-back] + 1
    return 1 - float(is_sequential.mean())
