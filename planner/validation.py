"""Formulas against the reference simulator: the grid and the comparison.

The simulator has finitely many blocks; before a formula is asked, the spare area is
counted as the simulated drive has it: without the reserve and without the unfilled part
of the open block (`models.write_amplification.effective_blocks`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product

from models.simulator import Classes, Config, Result, Static, Uniform, Zipf, run
from models.write_amplification import (
    d_choices,
    effective_blocks,
    fifo,
    greedy,
    random_victim,
    skewed,
    static_op_ratio,
    streams,
    trimmed_op_ratio,
    two_temperature,
    zipf_classes,
)

__all__ = ["Case", "Outcome", "cases", "compared"]

Formula = Callable[[float], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One point of the grid: a formula of the spare area, a run, and the error allowed."""

    group: str
    label: str
    formula: Formula
    config: Config
    bound: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What both ways to the number gave."""

    case: Case
    formula_wa: float
    result: Result

    @property
    def error(self) -> float:
        """Relative error of the formula."""
        return self.formula_wa / self.result.wa - 1

    @property
    def noise(self) -> float:
        """Half width of the simulator's own interval, relative."""
        return (self.result.wa_high - self.result.wa_low) / 2 / self.result.wa

    @property
    def inside(self) -> bool:
        """Whether the error keeps its bound."""
        return abs(self.error) <= self.case.bound


def compared(case: Case) -> Outcome:
    """Run one case both ways."""
    return Outcome(case=case, formula_wa=_formula_wa(case), result=_simulated(case.config))


@lru_cache(maxsize=4)
def _simulated(config: Config) -> Result:
    """Run a drive once where several formulas are compared with it."""
    return run(config)


def cases(*, quick: bool = False) -> list[Case]:
    """Return the grid; `quick` is a part of it on smaller drives with wider bounds."""
    groups = (_uniform, _policies, _two_classes, _zipf, _streams, _trim, _static)
    return [case for group in groups for case in group(quick)]


def _formula_wa(case: Case) -> float:
    """Solve for the write amplification that decides the unfilled part of the open block."""
    config, wa = case.config, 2.0
    pages = config.pages
    for _ in range(30):
        blocks = effective_blocks(
            config.blocks, reserve=config.reserve, wa=wa, frontiers=_frontiers(config)
        )
        wa = case.formula(blocks * config.pages_per_block / pages - 1)
    return wa


def _frontiers(config: Config) -> int:
    return {"one": 1, "host-gc": 2}.get(config.frontiers, 1)


def _config(pages_per_block: int, op_ratio: float, quick: bool, **options: object) -> Config:
    """Return a drive large and a run long enough for the bounds, or a tenth of it."""
    physical = 300_000 if quick else 2_500_000
    return Config(
        pages_per_block=pages_per_block,
        blocks=max(400, physical // pages_per_block),
        op_ratio=op_ratio,
        **options,  # type: ignore[arg-type]  # fields of Config by name
    )


def _uniform(quick: bool) -> Iterator[Case]:
    sizes = (16, 128) if quick else (16, 32, 64, 128, 256, 512)
    ratios = (0.07, 0.28) if quick else (0.05, 0.07, 0.1, 0.15, 0.28, 0.5, 1.0)
    for size, ratio in product(sizes, ratios):
        yield Case(
            group="greedy, uniform",
            label=f"b = {size}, p = {ratio}",
            formula=partial(greedy, pages_per_block=size),
            config=_config(size, ratio, quick, warmup_overwrites=8, measured_overwrites=10),
            bound=0.005 if quick else 0.001,
        )


def _policies(quick: bool) -> Iterator[Case]:
    for policy, size in product(("fifo", "random", "d-choices"), (64,) if quick else (16, 64, 256)):
        formulas: dict[str, Formula] = {
            "fifo": fifo,
            "random": random_victim,
            "d-choices": partial(d_choices, choices=10, pages_per_block=size),
        }
        for ratio in (0.28,) if quick else (0.07, 0.28, 1.0):
            yield Case(
                group=f"{policy}, uniform",
                label=f"b = {size}, p = {ratio}",
                formula=formulas[policy],
                config=_config(
                    size, ratio, quick, policy=policy, choices=10, warmup_overwrites=10,
                    measured_overwrites=20,
                ),
                bound=0.005 if quick else 0.001,
            )  # fmt: skip


def _two_classes(quick: bool) -> Iterator[Case]:
    skews = ((0.8, 0.2),) if quick else ((0.8, 0.2), (0.9, 0.1), (0.95, 0.05))
    for (writes, pages), size in product(skews, (64,) if quick else (64, 256)):
        for ratio in (0.28,) if quick else (0.07, 0.28, 1.0):
            config = _config(
                size, ratio, quick, workload=_classes(writes, pages),
                warmup_overwrites=4 * (1 - pages) / (1 - writes), measured_overwrites=15,
            )  # fmt: skip
            label = f"{100 * writes:.0f}/{100 * pages:.0f}, b = {size}, p = {ratio}"
            yield Case(
                group="two temperatures, exact chain",
                label=label,
                formula=partial(
                    two_temperature, hot_writes=writes, hot_pages=pages, pages_per_block=size
                ),
                config=config,
                bound=0.006 if quick else 0.0015,
            )
            yield Case(
                group="skew, linear noise",
                label=label,
                formula=partial(
                    skewed,
                    write_shares=(writes, 1 - writes),
                    page_shares=(pages, 1 - pages),
                    pages_per_block=size,
                ),
                config=config,
                bound=_noise_bound(writes, size) + (0.005 if quick else 0.0),
            )


def _noise_bound(writes: float, size: int) -> float:
    """Return the stated bound of the linear-noise correction."""
    if size >= 256:
        return 0.005 if writes >= 0.95 else 0.0012
    return 0.05 if writes >= 0.95 else 0.014


def _zipf(quick: bool) -> Iterator[Case]:
    for exponent in (0.99,) if quick else (0.6, 0.8, 0.99, 1.2):
        for ratio in (0.28,) if quick else (0.07, 0.28, 1.0):
            config = _config(
                256, ratio, quick, workload=Zipf(exponent),
                warmup_overwrites=15 if quick else 60, measured_overwrites=15,
            )  # fmt: skip
            held = config.pages
            writes, pages = zipf_classes(exponent, pages=held)
            yield Case(
                group="Zipf, linear noise",
                label=f"s = {exponent}, b = 256, p = {ratio}",
                formula=partial(
                    skewed, write_shares=writes, page_shares=pages, pages_per_block=256
                ),
                config=config,
                bound=0.01 if quick else 0.002,
            )


def _streams(quick: bool) -> Iterator[Case]:
    for (writes, split), wrong in product(((0.8, 0.525), (0.9, 0.475)), (0.0, 0.05, 0.2)):
        if quick and wrong != 0.05:
            continue
        routing = ((1 - wrong, wrong), (wrong, 1 - wrong))
        yield Case(
            group="streams with mistakes",
            label=f"{writes:.0%} hot writes, {wrong:.0%} wrong, p = 0.28",
            formula=partial(
                streams,
                write_shares=(writes, 1 - writes),
                page_shares=(1 - writes, writes),
                routing=routing,
                spare_shares=(split, 1 - split),
                pages_per_block=128,
            ),
            config=_config(
                128, 0.28, quick, reserve=2, frontiers="streams", routing=routing,
                spare_shares=(split, 1 - split), workload=_classes(writes, 1 - writes),
                warmup_overwrites=4 * writes / (1 - writes), measured_overwrites=15,
            ),
            bound=0.012 if quick else 0.005,
        )  # fmt: skip


def _trim(quick: bool) -> Iterator[Case]:
    for share, ratio in product((0.1,) if quick else (0.05, 0.1, 0.25), (0.07, 0.28)):
        yield Case(
            group="TRIM, uniform",
            label=f"q = {share}, b = 128, p = {ratio}",
            formula=partial(_trimmed, share),
            config=_config(
                128, ratio, quick, trim_share=share, warmup_overwrites=12, measured_overwrites=12
            ),
            bound=0.006 if quick else 0.003,
        )


def _static(quick: bool) -> Iterator[Case]:
    for dynamic in (0.5,) if quick else (0.25, 0.5):
        yield Case(
            group="static data laid in sequence",
            label=f"{100 * dynamic:.0f} % rewritten, b = 64, p = 0.07",
            formula=partial(_apart, dynamic),
            config=_config(
                64, 0.07, quick, workload=Static(dynamic_pages=dynamic), warmup_overwrites=8,
                measured_overwrites=12,
            ),
            bound=0.006 if quick else 0.002,
        )  # fmt: skip


def _trimmed(share: float, op_ratio: float) -> float:
    return greedy(trimmed_op_ratio(op_ratio, trim_share=share), pages_per_block=128)


def _apart(dynamic: float, op_ratio: float) -> float:
    return greedy(static_op_ratio(op_ratio, dynamic_fraction=dynamic), pages_per_block=64)


def _classes(writes: float, pages: float) -> Classes | Uniform:
    return Classes(write_shares=(writes, 1 - writes), page_shares=(pages, 1 - pages))
