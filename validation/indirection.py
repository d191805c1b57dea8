"""Indirection units: formulas against the page simulator, fed with the units that writes touch.

The writes, the units that they touch and the write buffer are played here one by one and share no
code with the formulas. What the buffer destages is the trace of the page simulator, whose pages
are then units.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models import write_amplification
from models.simulator import Config, Trace, run
from models.units import KIB

PAGE_BYTES = 4 * KIB
PAGES_PER_BLOCK, BLOCKS = 512, 512
OVERWRITES = 12.0  # of the units by the host, played before they repeat
BOUND = 0.01

Shares = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One drive and one kind of writes; `buffered` is the share of the units in the buffer."""

    unit_pages: int
    write_pages: int = 1
    op_ratio: float = 0.28
    zipf: float = 0.0
    is_scattered: bool = True
    buffered: float = 0.0
    bound: float = BOUND

    @property
    def label(self) -> str:
        """Description of the case."""
        skew = "uniform"
        if self.zipf:
            skew = f"Zipf {self.zipf:g}, {'scattered' if self.is_scattered else 'in ranges'}"
        buffer = f", buffer of {self.buffered:.0%} of the units" if self.buffered else ""
        sizes = f"{4 * self.write_pages} KiB on units of {4 * self.unit_pages} KiB"
        return f"{sizes}, spare {self.op_ratio:.0%}, {skew}{buffer}"

    @property
    def units(self) -> int:
        """Units that hold data."""
        return round((BLOCKS - 1) * (PAGES_PER_BLOCK // self.unit_pages) / (1 + self.op_ratio))


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Flash bytes per host byte, by formula and as simulated."""

    case: Case
    formula: float
    simulated: float

    @property
    def error(self) -> float:
        """Formula over simulation, less 1."""
        return self.formula / self.simulated - 1


CASES: Sequence[Case] = (
    *(Case(unit_pages=u, op_ratio=p) for u in (4, 16) for p in (0.07, 0.28)),
    *(Case(unit_pages=4, write_pages=r) for r in (2, 4, 6, 8)),
    Case(unit_pages=4, write_pages=32, bound=0.06),
    Case(unit_pages=16, write_pages=4, op_ratio=0.12),
    Case(unit_pages=4, buffered=0.05, bound=0.05),
    *(Case(unit_pages=4, zipf=0.99, is_scattered=s) for s in (True, False)),
    *(Case(unit_pages=4, zipf=0.99, buffered=b, bound=0.08) for b in (0.01, 0.02, 0.08)),
)


def compare(case: Case, *, seed: int = 1) -> Outcome:
    """Return the formula's and the simulated flash bytes per host byte of one case."""
    rng = np.random.default_rng(seed)
    writes = round(OVERWRITES * case.units * min(1.0, case.unit_pages / case.write_pages))
    touched = _units(case, writes, rng)
    destaged = _destaged(touched, round(case.buffered * case.units))
    result = run(
        Config(
            pages_per_block=PAGES_PER_BLOCK // case.unit_pages, blocks=BLOCKS,
            logical_pages=case.units, workload=Trace(destaged), warmup_overwrites=10,
            measured_overwrites=8, seed=seed,
        )
    )  # fmt: skip
    per_page = destaged.size * case.unit_pages / (writes * case.write_pages)
    return Outcome(case=case, formula=_by_formula(case), simulated=per_page * result.wa)


def _units(case: Case, writes: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Play the host's writes: the units that they touch, in order."""
    pages = case.units * case.unit_pages
    if case.zipf:
        weights = np.arange(1, pages + 1) ** -case.zipf
        rank = np.searchsorted(np.cumsum(weights) / weights.sum(), rng.random(writes))
        start = rng.permutation(pages)[rank] if case.is_scattered else rank
    else:
        start = rng.integers(0, pages, writes)
    first, last = start // case.unit_pages, (start + case.write_pages - 1) // case.unit_pages
    most = int((last - first).max()) + 1
    units = first[:, None] + np.arange(most)
    return np.asarray(units[units <= last[:, None]] % case.units, np.int64)


def _destaged(touched: NDArray[np.int64], room: int) -> NDArray[np.int64]:
    """Play a buffer of `room` units that destages the one written longest ago."""
    if room == 0:
        return touched
    held: OrderedDict[int, None] = OrderedDict()
    out = []
    for unit in touched.tolist():
        if unit in held:
            held.move_to_end(unit)
            continue
        held[unit] = None
        if len(held) > room:
            out.append(held.popitem(last=False)[0])
    return np.asarray(out, np.int64)


def _by_formula(case: Case) -> float:
    shares: Shares = (np.ones(1), np.ones(1))
    if case.zipf and case.is_scattered:
        pages = case.units * case.unit_pages
        writes, held = write_amplification.zipf_classes(case.zipf, pages=pages)
        shares = write_amplification.scattered_classes(
            case.unit_pages, write_shares=writes, page_shares=held
        )
    elif case.zipf:
        shares = _in_ranges(case)
    factor = write_amplification.buffered_indirection_factor(
        case.write_pages * PAGE_BYTES, unit_bytes=case.unit_pages * PAGE_BYTES,
        alignment_bytes=PAGE_BYTES, buffered_fraction=case.buffered, write_shares=shares[0],
        page_shares=shares[1],
    )  # fmt: skip
    written = shares[0]
    if case.buffered:
        written = write_amplification.coalesced(
            case.buffered, write_shares=shares[0], page_shares=shares[1]
        )[1]
    units = write_amplification.units_per_block(
        PAGES_PER_BLOCK, unit_bytes=case.unit_pages * PAGE_BYTES
    )
    if not case.zipf:
        return factor * write_amplification.greedy(case.op_ratio, pages_per_block=units)
    return factor * write_amplification.skewed(
        case.op_ratio, write_shares=written, page_shares=shares[1], pages_per_block=units
    )


def _in_ranges(case: Case) -> Shares:
    """Return the shares of pages, which units of like pages keep."""
    return write_amplification.zipf_classes(case.zipf, pages=case.units * case.unit_pages)


def report(outcomes: Sequence[Outcome]) -> str:
    """Return the report, the largest error first."""
    return "\n".join(_lines(outcomes)) + "\n"


def _lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield "# Indirection units: formulas against the page simulator"
    yield ""
    yield (
        "Written by `python -m validation --what units`. Flash bytes per host byte, greedy "
        f"garbage collection, {BLOCKS} blocks of {PAGES_PER_BLOCK} pages of 4 KiB. Host writes "
        "start at any page; the units that they touch and the write buffer are played one by one."
    )
    yield ""
    yield "| case | formula | simulated | error | bound |"
    yield "|---|---|---|---|---|"
    for each in sorted(outcomes, key=lambda each: -abs(each.error)):
        yield (
            f"| {each.case.label} | {each.formula:.3f} | {each.simulated:.3f} "
            f"| {each.error:+.2%} | {each.case.bound:.0%} |"
        )
    yield ""
    yield (
        "Two errors are systematic, both on the safe side. A buffer lets a unit out again only "
        "after a while, so that lifetimes on flash are more even than random ones. A write of many "
        "units lays them side by side, and one overwrite frees several places of a block."
    )
