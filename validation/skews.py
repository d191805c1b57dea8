"""Skewed writes with a single write frontier: classes, Zipf, and static data among the rest."""

from collections.abc import Iterator
from functools import partial
from itertools import product

from models.simulator import Classes, Config, Static, Zipf
from models.write_amplification import skewed, two_temperature, zipf_classes
from validation.comparison import Case
from validation.drives import drive

CLASSES = {
    "80/20": Classes(write_shares=(0.8, 0.2), page_shares=(0.2, 0.8)),
    "90/10": Classes(write_shares=(0.9, 0.1), page_shares=(0.1, 0.9)),
    "95/5": Classes(write_shares=(0.95, 0.05), page_shares=(0.05, 0.95)),
    "99/1 on 10 %": Classes(write_shares=(0.99, 0.01), page_shares=(0.1, 0.9)),
    "three classes": Classes(write_shares=(0.6, 0.3, 0.1), page_shares=(0.1, 0.3, 0.6)),
    "JESD219": Classes(write_shares=(0.5, 0.3, 0.2), page_shares=(0.05, 0.15, 0.8)),
}
RATIOS = (0.07, 0.127, 0.28, 0.5, 1.0)
SQUARE = (
    "linear noise leaves out what falls as the square of the block size; the exact chain does not"
)
APART = (
    "greedy cleaning leaves the blocks with most static data alone: with much spare area the "
    "classes come apart, which no formula here follows"
)


def settled(classes: Classes, *, lifetimes: float = 4.0) -> float:
    """Return the warm-up, in overwrites, that equals some lifetimes of the coldest pages."""
    pairs = zip(classes.write_shares, classes.page_shares, strict=True)
    return lifetimes * max(pages / writes for writes, pages in pairs)


def skew_cases(quick: bool) -> Iterator[Case]:
    """Yield the exact chain of two classes, linear noise, Zipf, and collecting the oldest block."""
    runs = [*_class_runs(quick)]
    for name, classes, config in runs:
        if len(classes.write_shares) == 2:
            yield _exact(name, classes, config, quick)
    for name, classes, config in runs:
        if config.pages_per_block != 128:
            yield _linear(name, classes, config, quick)
    yield from _zipf(quick)
    yield from _interleaved(quick)
    yield from _oldest_first(quick)


def _class_runs(quick: bool) -> Iterator[tuple[str, Classes, Config]]:
    names = ("80/20",) if quick else CLASSES
    for name, size in product(names, (64,) if quick else (64, 128, 256, 512)):
        if size in {128, 512} and name != "90/10":
            continue
        for ratio in (0.28,) if quick else RATIOS:
            classes = CLASSES[name]
            if name == "99/1 on 10 %" and ratio in {0.127, 1.0}:
                continue
            few_hot = name == "95/5" and ratio < 0.1  # the error falls slowly with the blocks
            config = drive(
                size, ratio, quick=quick, least_pages=3e5,
                least_blocks=16_000 if few_hot else 4000, writes=4e7, workload=classes,
                warmup_overwrites=settled(classes),
            )  # fmt: skip
            yield name, classes, config


def _exact(name: str, classes: Classes, config: Config, quick: bool) -> Case:
    size = config.pages_per_block
    formula = partial(
        two_temperature,
        hot_writes=classes.write_shares[0],
        hot_pages=classes.page_shares[0],
        pages_per_block=size,
    )
    return Case(
        group="two temperatures, exact chain",
        series=f"{name}, b = {size}",
        formula=formula,
        config=config,
        bound=0.006 if quick else 0.0015,
    )


def _linear(name: str, classes: Classes, config: Config, quick: bool) -> Case:
    size = config.pages_per_block
    formula = partial(
        skewed,
        write_shares=classes.write_shares,
        page_shares=classes.page_shares,
        pages_per_block=size,
    )
    return Case(
        group="skew, linear noise",
        series=f"{name}, b = {size}",
        formula=formula,
        config=config,
        bound=_noise_bound(name, size) + (0.005 if quick else 0.0),
        note=SQUARE if (name, size, config.op_ratio) == ("90/10", 256, 0.28) else "",
    )


def _noise_bound(name: str, size: int) -> float:
    """Return the stated bound: of linear noise, and of the chain for steeper skew."""
    return 0.0012 if size >= 256 and name not in {"95/5", "99/1 on 10 %"} else 0.005


def _zipf(quick: bool) -> Iterator[Case]:
    exponents = (0.99,) if quick else (0.6, 0.8, 0.99, 1.2)
    for exponent, size in product(exponents, (256,) if quick else (64, 256)):
        for ratio in (0.28,) if quick else (0.07, 0.28, 1.0):
            lifetimes = 60.0 if exponent < 1.1 else 330.0
            large = exponent > 1.1 and ratio < 0.1
            config = drive(
                size, ratio, quick=quick, least_pages=1.3e6 if large else 3e5,
                least_blocks=10_000 if large else 4000,
                writes=5e7 if size == 256 else 2e7, workload=Zipf(exponent),
                warmup_overwrites=15.0 if quick else lifetimes,
            )  # fmt: skip
            writes, pages = zipf_classes(exponent, pages=config.pages)
            bound = 0.0012 if size == 256 else 0.007
            yield Case(
                group="Zipf, linear noise",
                series=f"s = {exponent}, b = {size}",
                formula=partial(
                    skewed,
                    write_shares=tuple(writes.tolist()),
                    page_shares=tuple(pages.tolist()),
                    pages_per_block=size,
                ),
                config=config,
                bound=0.01 if quick else bound,
                note=SQUARE if large and size == 64 else "",
            )


def _interleaved(quick: bool) -> Iterator[Case]:
    """Yield static data in the same blocks as the rest: a class that is never written."""
    for dynamic, size in () if quick else product((0.25, 0.5), (64, 256)):
        for ratio in (0.07, 0.28, 1.0):
            yield Case(
                group="static data interleaved, greedy",
                series=f"{dynamic:.0%} rewritten, b = {size}",
                formula=partial(_with_static, dynamic, size),
                config=drive(
                    size, ratio, quick=quick, least_pages=3e5, writes=2e7, warmup_overwrites=15,
                    workload=Static(dynamic_pages=dynamic, interleaved=True),
                ),
                bound=0.014,
                note="" if ratio < 0.1 else APART,
            )  # fmt: skip


def _oldest_first(quick: bool) -> Iterator[Case]:
    names = ("80/20",) if quick else ("80/20", "95/5", "three classes")
    ratios = (0.28,) if quick else (0.07, 0.28, 1.0)
    for name, ratio in product(names, ratios):
        classes = CLASSES[name]
        yield Case(
            group="skew, oldest block first",
            series=f"{name}, b = 64",
            formula=partial(
                skewed, write_shares=classes.write_shares, page_shares=classes.page_shares
            ),
            config=drive(
                64, ratio, quick=quick, least_pages=3e5, policy="fifo", workload=classes,
                writes=7e7, warmup_overwrites=settled(classes),
            ),
            bound=0.006 if quick else 0.001,
        )  # fmt: skip
    for dynamic, ratio in () if quick else product((0.25, 0.5), (0.07, 0.28)):
        yield Case(
            group="skew, oldest block first",
            series=f"{dynamic:.0%} rewritten, interleaved, b = 64",
            formula=partial(_with_static, dynamic, None),
            config=drive(
                64, ratio, quick=quick, least_pages=3e5, policy="fifo",
                writes=1e8 if (dynamic, ratio) == (0.5, 0.07) else 7e8, warmup_overwrites=15,
                workload=Static(dynamic_pages=dynamic, interleaved=True),
            ),
            bound=0.002,
        )  # fmt: skip


def _with_static(dynamic: float, size: int | None, op_ratio: float) -> float:
    return skewed(
        op_ratio, write_shares=(1.0, 0.0), page_shares=(dynamic, 1 - dynamic), pages_per_block=size
    )
