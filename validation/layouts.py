"""Separated streams, TRIM, static data, and separate frontiers for host writes and copies."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product

import numpy as np

from models.simulator import Classes, Static, Zipf
from models.write_amplification import (
    greedy,
    host_gc,
    required_accuracy,
    square_root_split,
    static_op_ratio,
    streams,
    trimmed_op_ratio,
    two_temperature,
    zipf_classes,
)
from validation.comparison import Case
from validation.drives import drive
from validation.skews import CLASSES, settled

Routing = tuple[tuple[float, ...], ...]

SLOW = "2 % of hot and 20 % of cold wrong"  # its noise falls slowest
THREE_STREAMS = ((0.9, 0.08, 0.02), (0.05, 0.9, 0.05), (0.02, 0.08, 0.9))
COLD_AMONG_HOT = (
    "the few cold pages in the hot stream are more skew than linear noise bears in small blocks; "
    "with the exact chain in each stream the error is below 0.1 %"
)
OFF_TABLE: dict[str, Classes | Zipf] = {
    "85/15": Classes(write_shares=(0.85, 0.15), page_shares=(0.15, 0.85)),
    "half on 5 %": Classes(write_shares=(0.5, 0.5), page_shares=(0.05, 0.95)),
    "99/1 on 10 %": CLASSES["99/1 on 10 %"],
    "three classes": CLASSES["three classes"],
    "JESD219": CLASSES["JESD219"],
    "four classes": Classes(
        write_shares=(0.5, 0.25, 0.15, 0.1), page_shares=(0.02, 0.08, 0.3, 0.6)
    ),
    "Zipf 0.7": Zipf(0.7),
    "Zipf 0.99": Zipf(0.99),
    "Zipf 1.15": Zipf(1.15),
}


def layout_cases(quick: bool) -> Iterator[Case]:
    """Yield streams with imperfect classifiers, TRIM, static data and the host/GC surrogate."""
    yield from _streams(quick)
    yield from _trim(quick)
    yield from _static(quick)
    yield from _host_gc(quick)


def _streams(quick: bool) -> Iterator[Case]:
    wrong = {"5 % wrong": _mistakes(0.05)}
    if quick:
        yield from _routed("90/10", wrong, (128,), (0.28,), quick=True)
        return
    degrees = {f"{100 * share:g} % wrong": _mistakes(share) for share in (0.0, 0.05, 0.2)}
    lopsided = {
        "20 % of hot and 2 % of cold wrong": _mistakes(0.2, 0.02),
        SLOW: _mistakes(0.02, 0.2),
    }
    for name in ("80/20", "90/10"):
        yield from _routed(name, degrees, (128,), (0.07, 0.28, 1.0))
        yield from _routed(name, wrong, (64, 256), (0.07, 0.28, 1.0))
        yield from _routed(name, lopsided, (128,), (0.07, 0.28))
    yield from _routed("three classes", {"3 streams": THREE_STREAMS}, (128,), (0.07, 0.28, 1.0))
    for name, wa, ratio in (("80/20", 6.0, 0.07), ("90/10", 2.0, 0.28), ("90/10", 1.15, 1.0)):
        accurate = {f"accuracy asked for {wa:g}": _accurate(name, wa, ratio)}
        yield from _routed(name, accurate, (128,), (ratio,))


def _mistakes(hot: float, cold: float | None = None) -> Routing:
    cold = hot if cold is None else cold
    return (1 - hot, hot), (cold, 1 - cold)


def _accurate(name: str, wa: float, op_ratio: float) -> Routing:
    """Return the routing that by formula reaches a write amplification."""
    classes = CLASSES[name]
    accuracy = required_accuracy(
        wa,
        op_ratio=op_ratio,
        write_shares=classes.write_shares,
        page_shares=classes.page_shares,
        pages_per_block=128,
    )
    return _mistakes(1 - accuracy)


def _routed(
    name: str,
    routings: dict[str, Routing],
    sizes: Sequence[int],
    ratios: Sequence[float],
    *,
    quick: bool = False,
) -> Iterator[Case]:
    """Yield streams; pages change streams as they are overwritten: cold ones decide the memory."""
    classes = CLASSES[name]
    for (statement, routing), size, ratio in product(routings.items(), sizes, ratios):
        matrix = np.array(routing)
        spare = square_root_split(
            np.array(classes.write_shares) @ matrix,
            page_shares=np.array(classes.page_shares) @ matrix,
        )
        shares = tuple(float(share) for share in spare)
        config = drive(
            size, ratio, quick=quick, least_pages=1.3e5, least_blocks=1000,
            writes=3e8 if statement == SLOW else 5e7,
            window=settled(classes, lifetimes=5.0), reserve=len(routing[0]), frontiers="streams",
            routing=routing, spare_shares=shares, workload=classes,
            warmup_overwrites=settled(classes, lifetimes=4.0 if quick else 8.0),
        )  # fmt: skip
        yield Case(
            group="streams with mistakes",
            series=f"{name}, {statement}, b = {size}",
            formula=partial(
                streams,
                write_shares=classes.write_shares,
                page_shares=classes.page_shares,
                routing=routing,
                spare_shares=shares,
                pages_per_block=size,
            ),
            config=config,
            bound=0.012 if quick else 0.005,
            note=COLD_AMONG_HOT if _diluted(name, routing, size, ratio) else "",
        )


def _diluted(name: str, routing: Routing, size: int, ratio: float) -> bool:
    """Whether few cold pages lie among hot ones, in small blocks and with much spare area."""
    return name == "90/10" and 0 < routing[1][0] < 0.1 and size < 256 and ratio == 1


def _trim(quick: bool) -> Iterator[Case]:
    """Yield TRIM; the data in use drift for a lifetime of the coldest pages."""
    shares = (0.1,) if quick else (0.05, 0.1, 0.25, 0.4)
    ratios = (0.07, 0.28) if quick else (0.07, 0.28, 1.0)
    bound = 0.006 if quick else 0.003
    for share, ratio in product(shares, ratios):
        yield Case(
            group="TRIM",
            series=f"uniform, q = {share}, b = 128",
            formula=partial(_trimmed, share),
            config=drive(
                128, ratio, quick=quick, least_pages=4e5, least_blocks=3000, writes=1.2e8,
                window=5.0, trim_share=share, warmup_overwrites=12,
            ),
            bound=bound,
        )  # fmt: skip
    hot = CLASSES["90/10"]
    for share, ratio in () if quick else product((0.05, 0.25), ratios):
        yield Case(
            group="TRIM",
            series=f"90/10, q = {share}, b = 128",
            formula=partial(_trimmed_hot, share),
            config=drive(
                128, ratio, quick=quick, least_pages=1.9e5, least_blocks=1500,
                writes=4.5e8 if ratio < 0.1 else 1.2e8,
                window=settled(hot, lifetimes=5.0), trim_share=share, workload=hot,
                warmup_overwrites=settled(hot, lifetimes=10.0),
            ),
            bound=bound,
        )  # fmt: skip


def _static(quick: bool) -> Iterator[Case]:
    for dynamic, ratio in product(
        (0.5,) if quick else (0.25, 0.5), (0.07,) if quick else (0.07, 0.28)
    ):
        yield Case(
            group="static data laid in sequence",
            series=f"{100 * dynamic:.0f} % rewritten, b = 64",
            formula=partial(_apart, dynamic),
            config=drive(
                64, ratio, quick=quick, workload=Static(dynamic_pages=dynamic),
                warmup_overwrites=8,
            ),
            bound=0.006 if quick else 0.002,
        )  # fmt: skip


def _host_gc(quick: bool) -> Iterator[Case]:
    """Yield points off the table of the surrogate: other ratios, other shapes, other sizes."""
    if quick:
        yield _estimated("90/10", CLASSES["90/10"], 256, 0.2, quick=True)
        return
    for (name, traffic), ratio in product(OFF_TABLE.items(), (0.05, 0.1, 0.2, 0.4, 0.8)):
        yield _estimated(name, traffic, 256, ratio)
    for name, size, ratio in product(("90/10", "Zipf 0.99"), (64, 1024), (0.1, 0.4)):
        yield _estimated(name, (CLASSES | OFF_TABLE)[name], size, ratio)
    for ratio in (0.1, 0.4):
        yield _estimated("Zipf 0.99 on a large drive", Zipf(0.99), 256, ratio, pages=3e6)


def _estimated(
    name: str,
    traffic: Classes | Zipf,
    size: int,
    ratio: float,
    *,
    pages: float = 5e5,
    quick: bool = False,
) -> Case:
    config = drive(
        size, ratio, quick=quick, least_pages=pages, least_blocks=2000, reserve=2, writes=2e7,
        policy="d-choices", choices=10, frontiers="host-gc", workload=traffic,
        warmup_overwrites=settled(traffic) if isinstance(traffic, Classes) else 60.0,
    )  # fmt: skip
    if isinstance(traffic, Zipf):
        writes, held = (
            tuple(x.tolist()) for x in zipf_classes(traffic.exponent, pages=config.pages)
        )
    else:
        writes, held = traffic.write_shares, traffic.page_shares
    return Case(
        group="host and copy frontiers, estimate",
        series=f"{name}, b = {size}",
        formula=partial(host_gc, write_shares=writes, page_shares=held, pages_per_block=size),
        config=config,
        bound=0.06,
    )


def _trimmed(share: float, op_ratio: float) -> float:
    return greedy(trimmed_op_ratio(op_ratio, trim_share=share), pages_per_block=128)


def _trimmed_hot(share: float, op_ratio: float) -> float:
    return two_temperature(
        trimmed_op_ratio(op_ratio, trim_share=share),
        hot_writes=0.9,
        hot_pages=0.1,
        pages_per_block=128,
    )


def _apart(dynamic: float, op_ratio: float) -> float:
    return greedy(static_op_ratio(op_ratio, dynamic_fraction=dynamic), pages_per_block=64)
