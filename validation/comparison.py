"""One comparison: a formula of the spare area, and a run of the reference simulator.

The simulator has finitely many blocks; before a formula is evaluated, the spare area is counted as
the simulated drive has it: without the reserve and without the unfilled part of the open blocks
(`models.write_amplification.effective_blocks`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from models.simulator import Config, Result, Zipf, run
from models.write_amplification import effective_blocks, unfilled_blocks, zipf_classes
from validation.processes import side_by_side

Formula = Callable[[Any], Any]
Members = tuple[tuple[int, "Case"], ...]

NOISE_SHARE = 5  # the noise is to stay below the bound divided by this


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One point of the grid: a formula of the spare area, a run, and the error allowed."""

    group: str
    series: str
    formula: Formula
    config: Config
    bound: float
    note: str = ""

    @property
    def label(self) -> str:
        """Name of the case within its group."""
        return f"{self.series}, p = {self.config.op_ratio:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Results of formula and simulation."""

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
        """Whether the error is within its bound."""
        return abs(self.error) <= self.case.bound

    @property
    def quiet(self) -> bool:
        """Whether the noise is below a fifth of the bound."""
        return self.noise <= self.case.bound / NOISE_SHARE


def compare_case(case: Case) -> Outcome:
    """Compute and simulate one case."""
    ((_, outcome),) = _compare_members(((0, case),))
    return outcome


def compare(
    cases: Sequence[Case],
    *,
    processes: int = 1,
    advance: Callable[[float], object] = lambda _: None,
) -> list[Outcome]:
    """Compute and simulate all cases, in the order given; shared runs are done once.

    `advance` gets the share of the work that each finished run was.
    """
    found: dict[int, Outcome] = {}
    total = sum(map(_work, {case.config for case in cases}))
    for part in side_by_side(_compare_members, _by_run(cases), processes):
        found.update(part)
        advance(_work(part[0][1].case.config) / total)
    return [found[i] for i in range(len(cases))]


def quarter(case: Case) -> Case:
    """Return the case on a drive of a quarter of the blocks, with as many host writes."""
    config = case.config
    small = replace(
        config, blocks=config.blocks // 4, measured_overwrites=4 * config.measured_overwrites
    )
    formula: Callable[..., Any] = case.formula
    if isinstance(small.workload, Zipf):  # whose classes depend on the pages of the drive
        writes, pages = zipf_classes(small.workload.exponent, pages=small.pages)
        shares = {"write_shares": tuple(writes.tolist()), "page_shares": tuple(pages.tolist())}
        formula = partial(formula, **shares)
    return replace(case, config=small, formula=formula)


def _by_run(cases: Sequence[Case]) -> list[Members]:
    """Group the cases that share a run, the longest run first."""
    runs: dict[Config, list[tuple[int, Case]]] = {}
    for i, case in enumerate(cases):
        runs.setdefault(case.config, []).append((i, case))
    return [tuple(runs[config]) for config in sorted(runs, key=_work, reverse=True)]


def _compare_members(members: Members) -> list[tuple[int, Outcome]]:
    result = run(members[0][1].config)
    return [
        (i, Outcome(case=case, formula_wa=_formula_wa(case), result=result)) for i, case in members
    ]


def _work(config: Config) -> float:
    """Estimate page programs: host writes times something like the write amplification."""
    overwrites = 1 + config.warmup_overwrites + config.measured_overwrites
    return overwrites * config.pages * (1 + 0.5 / (config.op_ratio or 1.0))


def _formula_wa(case: Case) -> float:
    """Solve for the write amplification that decides the unfilled part of the open blocks."""
    config, wa = case.config, 2.0
    for _ in range(30):
        blocks = _blocks_with_data(config, wa)
        before, wa = wa, float(case.formula(blocks * config.pages_per_block / config.pages - 1))
        if abs(wa - before) < 1e-9 * wa:
            break
    return wa


def _blocks_with_data(config: Config, wa: float) -> float:
    """Return the blocks that hold data, on average or, for random victims, as they are drawn."""
    if config.policy == "random":
        return config.blocks - config.reserve  # victims are drawn as a block is opened, all empty
    frontiers = 2 if config.frontiers == "host-gc" else 1
    blocks = effective_blocks(config.blocks, reserve=config.reserve, wa=wa, frontiers=frontiers)
    if config.frontiers == "streams":
        blocks -= (config.streams - 1) * unfilled_blocks(wa)
    return blocks
