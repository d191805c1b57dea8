"""Placement of data: formulas and small drives against the page simulator, on drawn cases.

The cases are drawn by a seed: none of them was used to make a formula or to size the small drives.
The reference is a drive of several times as many pages, under another seed, warmed up for longer.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.simulator import (
    Classes,
    Config,
    Mixed,
    Uniform,
    Workload,
    Zipf,
    cost_benefit_wa,
    d_choices_wa,
    fifo_wa,
    greedy_wa,
    run,
    states,
)
from models.simulator.small_drive import SOME
from models.write_amplification import (
    d_choices,
    fifo,
    greedy,
    high_placement_wa,
    low_placement_wa,
    random_victim,
    skewed,
    trimmed_classes,
    zipf_classes,
)

SEED = 20261124
SIZES = (64, 128, 256)
SLACK = 0.01
GREEDY = 0.97  # over ten choices, as the planner bounds skewed writes
MIXES, DETERMINED, TWO_STATES = (
    "sequential mixes",
    "sequential mixes, state determined",
    "sequential mixes, two states given",
)
READ = "sequential mixes of named skews, read between tenths"
MANY = 1e-7 * np.arange(SOME + 1)  # so near a share that as many as are read between are that one
NAMED: tuple[Workload, ...] = (
    Uniform(),
    Classes(write_shares=(0.8, 0.2), page_shares=(0.2, 0.8)),
    Classes(write_shares=(0.9, 0.1), page_shares=(0.1, 0.9)),
    Classes(write_shares=(0.95, 0.05), page_shares=(0.05, 0.95)),
    Classes(write_shares=(0.5, 0.3, 0.2), page_shares=(0.05, 0.15, 0.8)),
)
BOUNDS = {
    "TRIM under skew": (0.005, 0.015),
    DETERMINED: (0.01, 0.05),
    TWO_STATES: (0.05, 0.05),
    "separate frontiers, ten choices and random": (0.01, 0.05),
    "separate frontiers, greedy and FIFO": (0.02, 0.08),
    "temperatures apart, victims of all": (0.05, 0.12),
    "cost-benefit, single frontier": (0.03, 0.05),
    READ: (0.02, 0.9),
}  # mean and worst
SIMULATED: dict[str, Callable[..., float]] = {
    "greedy": greedy_wa, "fifo": fifo_wa, "d-choices": d_choices_wa,
    "cost-benefit": cost_benefit_wa,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Case:
    """One drive and its workload; `placement` as small drives have it."""

    group: str
    policy: Any
    placement: int
    op_ratio: float
    size: int
    writes: Workload
    sequential: float = 0.0
    trim_share: float = 0.0
    pages: int = 160_000
    overwrites: float = 60.0
    seed: int = 1

    @property
    def label(self) -> str:
        """Description of the case."""
        placed = {1: "single frontier", 2: "separate frontiers", 3: "temperatures apart"}[
            self.placement
        ]
        mix = f", {self.sequential:.0%} sequential" if self.sequential else ""
        trims = f", {self.trim_share:.0%} trims" if self.trim_share else ""
        drive = f"{self.policy}, {placed}, b {self.size}, spare {self.op_ratio:.1%}"
        return f"{drive}, {_name(self.writes)}{mix}{trims}"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Write amplification by the product and as simulated.

    `ordered` is that of a drive that was filled in sequence; `states` are those that the product
    names, one or two; `low` and `high` its bounds where placement is unknown.
    """

    case: Case
    formula: float
    simulated: float
    ordered: float
    states: tuple[float, ...]
    low: float = math.nan
    high: float = math.nan

    @property
    def error(self) -> float:
        """Formula over simulation less 1, of two states the nearer, of two fillings the worse."""
        is_one = len(self.states) == 1
        given = (self.formula,) if is_one else self.states
        errors = [
            min((state / seen - 1 for state in given), key=abs)
            for seen in (self.simulated, self.ordered)
        ]
        return max(errors, key=abs)

    @property
    def has_two_states(self) -> bool:
        """Whether the product names two states."""
        return len(self.states) > 1


def _name(writes: Workload) -> str:
    if isinstance(writes, Zipf):
        return f"Zipf {writes.exponent:.2f}"
    if isinstance(writes, Classes):
        pairs = zip(writes.write_shares, writes.page_shares, strict=True)
        return " ".join(f"{100 * w:.0f}/{100 * f:.0f}" for w, f in pairs)
    return "uniform"


def drawn(*, quick: bool = False) -> list[Case]:
    """Return the cases: the same for everybody, and none that was fitted to."""
    rng = np.random.default_rng(SEED)
    counts = (1, 2, 1, 1, 1, 1, 8, 2) if quick else (10, 32, 12, 8, 12, 6, 400, 200)
    makers = (_trim, _mix, _choices, _greedy, _apart, _benefit, _any, _named)
    return [
        make(rng, place, quick)
        for make, count in zip(makers, counts, strict=True)
        for place in range(count)
    ]


def _drive(rng: np.random.Generator, quick: bool, **more: Any) -> dict[str, Any]:
    shared = {
        "op_ratio": float(np.exp(rng.uniform(np.log(0.07), np.log(0.5)))),
        "size": int(rng.choice(SIZES)),
        "seed": int(rng.integers(1000, 10_000)),
    }
    return shared | ({"pages": 40_000, "overwrites": 20.0} if quick else {}) | more


def _two(rng: np.random.Generator) -> Classes:
    hot = float(np.exp(rng.uniform(np.log(0.05), np.log(0.3))))
    written = float(rng.uniform(max(0.6, hot + 0.3), 0.95))
    return Classes(write_shares=(written, 1 - written), page_shares=(hot, 1 - hot))


def _three(rng: np.random.Generator) -> Classes:
    held = np.sort(rng.dirichlet([1, 1, 1]) * 0.85 + 0.05)
    written = np.sort(rng.dirichlet([1, 1, 1]) * 0.85 + 0.05)[::-1]
    return Classes(
        write_shares=tuple((written / written.sum()).tolist()),
        page_shares=tuple((held / held.sum()).tolist()),
    )


def _skew(rng: np.random.Generator, place: int, steepest: float = 1.2) -> Workload:
    kinds: tuple[Callable[[], Workload], ...] = (
        lambda: _two(rng), lambda: _three(rng), lambda: Zipf(float(rng.uniform(0.5, steepest))),
    )  # fmt: skip
    return kinds[place % 3]()


def _trim(rng: np.random.Generator, place: int, quick: bool) -> Case:
    writes = _two(rng) if place % 2 else _three(rng)
    return Case(
        group="TRIM under skew", policy="greedy", placement=1, writes=writes,
        trim_share=float(rng.uniform(0.02, 0.3)),
        **_drive(rng, quick, size=256, pages=80_000, overwrites=150.0),
    )  # fmt: skip


def _mix(rng: np.random.Generator, place: int, quick: bool) -> Case:
    is_apart = place % 2 == 1
    return Case(
        group=MIXES,
        policy="d-choices" if is_apart else "greedy",
        placement=2 if is_apart else 1,
        writes=Uniform() if place % 4 < 2 else _two(rng),
        sequential=float(rng.uniform(0.1, 0.92)),
        **_drive(rng, quick),
    )


def _choices(rng: np.random.Generator, place: int, quick: bool) -> Case:
    return Case(
        group="separate frontiers, ten choices and random",
        policy="random" if place % 3 == 2 else "d-choices",
        placement=2, writes=_skew(rng, place // 3 + place), **_drive(rng, quick),
    )  # fmt: skip


def _greedy(rng: np.random.Generator, place: int, quick: bool) -> Case:
    return Case(
        group="separate frontiers, greedy and FIFO",
        policy=("greedy", "fifo")[place % 2],
        placement=2, writes=_skew(rng, place // 2, 0.95), **_drive(rng, quick),
    )  # fmt: skip


def _apart(rng: np.random.Generator, place: int, quick: bool) -> Case:
    return Case(
        group="temperatures apart, victims of all",
        policy=("greedy", "d-choices", "cost-benefit", "fifo")[place % 4],
        placement=3, writes=_two(rng) if place % 3 else _three(rng), **_drive(rng, quick),
    )  # fmt: skip


def _benefit(rng: np.random.Generator, place: int, quick: bool) -> Case:
    return Case(
        group="cost-benefit, single frontier", policy="cost-benefit", placement=1,
        writes=_skew(rng, place), **_drive(rng, quick),
    )  # fmt: skip


def _any(rng: np.random.Generator, place: int, quick: bool) -> Case:
    """Draw a drive of any rule and placement, for the bounds."""
    writes = Uniform() if place % 8 == 7 else _skew(rng, place)
    has_classes = isinstance(writes, Classes)
    return Case(
        group="bounds",
        policy=str(rng.choice(["greedy", "fifo", "d-choices"])),
        placement=int(rng.choice([3, 1, 2] if has_classes else [1, 2])),
        writes=writes,
        **_drive(rng, quick, pages=40_000, overwrites=25.0),
    )


def _named(rng: np.random.Generator, place: int, quick: bool) -> Case:
    """Draw a mix as one of many draws has it: any share, of a skew that has a name."""
    is_apart = place % 2 == 1
    return Case(
        group=READ,
        policy="d-choices" if is_apart else "greedy",
        placement=2 if is_apart else 1,
        writes=NAMED[place % len(NAMED)],
        sequential=float(rng.uniform(0.02, 0.98)),
        **_drive(rng, quick, size=256, pages=80_000, overwrites=40.0),
    )


def compare(case: Case) -> Outcome:
    """Return formula and simulation of one case."""
    ratio, simulated, shares = _reference(case, "random")
    seen: dict[str, Any] = {"case": case, "simulated": simulated, "ordered": simulated}
    if case.group == "bounds":
        one_log, apart = _placements(case, ratio, shares)
        is_greedy = case.policy == "greedy" and len(shares["write_shares"]) > 1
        low = low_placement_wa(one_log, host_gc_wa=apart, greedy_ratio=GREEDY if is_greedy else 1)
        high = high_placement_wa(one_log, host_gc_wa=apart)
        return Outcome(formula=one_log, states=(one_log,), low=low, high=high, **seen)
    formula = _formula(case, ratio, shares)
    if case.group == READ or not case.sequential:
        return Outcome(formula=formula, states=(formula,), **seen)
    if case.placement == 1:
        seen["ordered"] = _reference(case, "sequential")[1]
    return Outcome(
        formula=formula,
        states=states(SIMULATED[case.policy], **_arguments(case, ratio, shares, case.placement)),
        high=high_placement_wa(
            _small("greedy", case, ratio, shares, 1),
            host_gc_wa=_small("d-choices", case, ratio, shares, 2),
        ),
        **seen,
    )


Shares = dict[str, Any]


def _reference(case: Case, fill: Any) -> tuple[float, float, Shares]:
    """Return spare area, write amplification and classes of a large drive."""
    classes = len(case.writes.write_shares) if isinstance(case.writes, Classes) else 1
    frontiers = {1: 1, 2: 2, 3: classes}[case.placement]
    blocks = max(512, round(case.pages * (1 + case.op_ratio) / case.size))
    pages = round((blocks - frontiers) * case.size / (1 + case.op_ratio))
    placed: dict[str, Any] = {"frontiers": "one" if case.placement == 1 else "host-gc"}
    if case.placement == 3:
        own = tuple(tuple(float(k == n) for n in range(classes)) for k in range(classes))
        placed = {"frontiers": "streams", "cleaning": "global", "routing": own}
    workload = case.writes
    if case.sequential:
        random = 1 - case.sequential
        of = workload if isinstance(workload, Classes) else None
        workload = Mixed(random_writes=random, random_pages=random, classes=of)
    result = run(
        Config(
            pages_per_block=case.size, blocks=blocks, logical_pages=pages, reserve=frontiers,
            policy=case.policy, choices=0 if case.policy == "cost-benefit" else 10,
            workload=workload, fill=fill, trim_share=case.trim_share,
            trims="mapped", warmup_overwrites=case.overwrites, measured_overwrites=10,
            windows=10, seed=case.seed, **placed,
        )
    )  # fmt: skip
    held = (blocks - frontiers) * case.size - result.frontier_free_pages
    return held / pages - 1, result.wa, _shares(case.writes, pages)


def _shares(writes: Workload, pages: int) -> Shares:
    if isinstance(writes, Zipf):
        written, held = zipf_classes(writes.exponent, pages=pages)
        return {"write_shares": written, "page_shares": held}
    if isinstance(writes, Classes):
        return {"write_shares": writes.write_shares, "page_shares": writes.page_shares}
    return {"write_shares": (1.0,), "page_shares": (1.0,)}


def _formula(case: Case, ratio: float, shares: Shares) -> float:
    """Return the product's answer: by a formula, where one is known, or a small drive."""
    if case.trim_share:
        spare, written, held = trimmed_classes(ratio, trim_share=case.trim_share, **shares)
        return skewed(spare, write_shares=written, page_shares=held, pages_per_block=case.size)
    if case.group == READ:
        asked = _arguments(case, ratio, shares, case.placement)
        asked["sequential_fraction"] = np.clip(case.sequential + MANY, 0, 1)
        return float(np.asarray(SIMULATED[case.policy](**asked))[0])
    if case.sequential:
        return _small(case.policy, case, ratio, shares, case.placement)
    known: dict[tuple[str, int], Callable[[], float]] = {
        ("random", 2): lambda: random_victim(ratio),
        ("fifo", 3): lambda: skewed(ratio, **shares),
        ("fifo", 2): lambda: skewed(ratio, **shares),
        ("cost-benefit", 1): lambda: skewed(ratio, pages_per_block=case.size, **shares),
        ("greedy", 3): lambda: greedy(ratio, pages_per_block=case.size),
    }
    if (case.policy, case.placement) in known:
        return known[case.policy, case.placement]()
    return _small(case.policy, case, ratio, shares, case.placement)


def _small(policy: str, case: Case, ratio: float, shares: Shares, placement: int) -> float:
    return SIMULATED[policy](**_arguments(case, ratio, shares, placement))


def _arguments(case: Case, ratio: float, shares: Shares, placement: int) -> dict[str, Any]:
    return {
        "op_ratio": ratio,
        "pages_per_block": case.size,
        "placement": placement,
        "sequential_fraction": case.sequential,
        **shares,
    }


def _placements(case: Case, ratio: float, shares: Shares) -> tuple[float, float]:
    """Return both placements by which a plan bounds a drive of this rule of collection."""
    if len(shares["write_shares"]) == 1:
        law = {
            "fifo": lambda: fifo(ratio),
            "greedy": lambda: greedy(ratio, pages_per_block=case.size),
            "d-choices": lambda: d_choices(ratio, choices=10, pages_per_block=case.size),
        }[case.policy]()
        return law, law
    if case.policy == "fifo":
        law = skewed(ratio, **shares)
        return law, law
    apart = _small("d-choices", case, ratio, shares, 2)
    if case.policy == "d-choices":
        return _small("d-choices", case, ratio, shares, 1), apart
    return skewed(ratio, pages_per_block=case.size, **shares), apart


def _group(outcome: Outcome) -> str:
    """Return the group that a case is judged in: of mixes by what the product says of states."""
    if outcome.case.group != MIXES:
        return outcome.case.group
    return TWO_STATES if outcome.has_two_states else DETERMINED


def outside(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the cases whose error is beyond the worst that is accepted of their group."""
    groups = [(outcome, _group(outcome)) for outcome in outcomes]
    return [o for o, group in groups if group in BOUNDS and abs(o.error) > BOUNDS[group][1]]


def report(outcomes: Sequence[Outcome]) -> str:
    """Return the page of the comparison: a summary, then every case, the largest error first."""
    return "\n".join(_lines(outcomes)) + "\n"


def _lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    judged = {name: [o for o in outcomes if _group(o) == name] for name in BOUNDS}
    mixes = [o for o in outcomes if o.case.group == MIXES]
    yield "# Placement: formulas and small drives against the page simulator"
    yield ""
    yield (
        "Written by `python -m planner validate --what placement`. The cases are drawn by seed "
        f"{SEED} after the formulas were fixed; the reference is a drive of some 160,000 pages, "
        "warmed up for 60 overwrites (TRIM: 150), under another seed. A plan answers by a formula "
        "where one is known, else by a small drive that it simulates. Of more sequential shares "
        f"than {SOME}, as of uncertain inputs, it reads between drives at every tenth of them: by "
        "the spare areas where write amplification jumps, it may be that of the other side. These "
        "cases have 80,000 pages, warmed up for 40 overwrites, filled at random."
    )
    yield ""
    yield "| group | cases | mean error | worst | bounds |"
    yield "|---|---|---|---|---|"
    for name, each in judged.items():
        errors = [abs(o.error) for o in each] or [0.0]
        mean, worst = BOUNDS[name]
        yield (
            f"| {name} | {len(each)} | {np.mean(errors):.2%} | {max(errors):.2%} "
            f"| {mean:.1%}, {worst:.1%} |"
        )
    yield ""
    yield from _bound_lines([o for o in outcomes if o.case.group == "bounds"], mixes)
    for name, each in judged.items():
        yield f"## {name[0].upper()}{name[1:]}"
        yield ""
        yield from _case_lines(each)
        yield ""


def _case_lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Write out the cases of a group, the largest error first."""
    is_mixed = any(o.case.group == MIXES for o in outcomes)
    yield f"| case | answer | simulated |{' filled in sequence |' if is_mixed else ''} error |"
    yield f"|---|---|---|{'---|' if is_mixed else ''}---|"
    for o in sorted(outcomes, key=lambda o: -abs(o.error)):
        answer = " or ".join(f"{state:.3f}" for state in o.states[::-1])
        answer = answer if o.has_two_states else f"{o.formula:.3f}"
        ordered = f" {o.ordered:.3f} |" if is_mixed else ""
        yield f"| {o.case.label} | {answer} | {o.simulated:.3f} |{ordered} {o.error:+.2%} |"


def _bound_lines(drawn_: Sequence[Outcome], mixes: Sequence[Outcome]) -> Iterator[str]:
    """Count the cases within the bounds of a plan where placement is unknown."""
    over = sorted((o.simulated / o.high - 1 for o in drawn_), reverse=True) or [0.0]
    mixed = sorted((o.simulated / o.high - 1 for o in mixes), reverse=True) or [0.0]
    known = [o for o in drawn_ if o.case.placement < 3]
    under = sorted((o.low / o.simulated - 1 for o in known), reverse=True) or [0.0]
    yield "## Bounds where placement is unknown"
    yield ""
    yield (
        "Low and high are the better and the worse of a single write frontier and of separate "
        "frontiers for host and GC writes, for low collected greedily. "
        "The drives of the random configurations collect greedily, by age or by ten choices, with "
        "a single frontier, separate frontiers, or a frontier for each temperature."
    )
    yield ""
    yield "| bound | drives | beyond by more than 1 % | farthest beyond |"
    yield "|---|---|---|---|"
    for name, beyond in (
        ("high, sequential mixes", mixed),
        ("high, random configurations", over),
        ("low, random configurations with a single or separate frontiers", under),
    ):
        count = sum(each > SLACK for each in beyond)
        yield f"| {name} | {len(beyond)} | {count} | {beyond[0]:+.2%} |"
    yield ""
    yield "| farthest beyond a bound | low | simulated | high |"
    yield "|---|---|---|---|"
    worst = sorted(
        drawn_,
        key=lambda o: (
            -max(o.simulated / o.high, o.low / o.simulated if o.case.placement < 3 else 0.0)
        ),
    )
    for o in worst[:8]:
        yield f"| {o.case.label} | {o.low:.3f} | {o.simulated:.3f} | {o.high:.3f} |"
    yield ""
