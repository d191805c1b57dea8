"""Life by plain Monte Carlo: samplers of numpy, and the formulas put together by hand.

Each case is a drive, a workload and uncertain inputs; an input is the name of a distribution with
its parameters, for three points also the scale on which their halves are normal.
"""

from dataclasses import dataclass, field

import numpy as np

from models import write_amplification
from models.units import DAY_S, GB, GIB, TB, YEAR_S

Z90 = 1.2815515655446004


@dataclass(frozen=True)
class Case:
    """One plan with uncertain inputs, in base units; facts as the catalogue has them."""

    drive: str
    inputs: dict
    facts: dict
    host_bytes_per_s: float
    skew: str = "uniform"
    workload: dict = field(default_factory=dict)
    pages_per_block: float | None = None


EVO = {"raw_bytes": 256 * GIB, "user_bytes": 250 * GB, "pe_cycles": 1129, "rated_bytes": np.inf}
PRO = {"raw_bytes": 512 * GIB, "user_bytes": 400 * GB, "pe_cycles": 40_000,
       "rated_bytes": 7300 * TB}  # fmt: skip

CASES = {
    "consumer drive, uniform writes": Case(
        "840 EVO 250",
        {
            "pe_cycles": ("low..mid..high", "log", 900.0, 1129.0, 1600.0),
            "host_bytes_per_s": ("lognormal", 50 * GIB / DAY_S, 0.4),
            "fill_fraction": ("low..mid..high", "odds", 0.5, 0.75, 0.9),
        },
        EVO,
        50 * GIB / DAY_S,
    ),
    "enterprise drive, growing writes": Case(
        "845DC PRO 400",
        {
            "pe_cycles": ("uniform", 25_000.0, 45_000.0),
            "host_bytes_per_s": ("low..mid..high", "log", 2 * TB / DAY_S, 4 * TB / DAY_S,
                                 9 * TB / DAY_S),
            "growth_per_year": ("uniform", 0.0, 0.4),
            "partition_fraction": ("triangular", 0.6, 0.8, 1.0),
            "rated_bytes": ("normal", 7300 * TB, 300 * TB),
        },
        PRO,
        4 * TB / DAY_S,
    ),
    "80/20 with sequential writes": Case(
        "845DC PRO 400",
        {
            "pe_cycles": ("lognormal", 30_000.0, 0.25),
            "host_bytes_per_s": ("lognormal", 5 * TB / DAY_S, 0.5),
            "sequential_fraction": ("low..mid..high", "straight", 0.0, 0.1, 0.3),
            "fill_fraction": ("pert", 0.5, 0.9, 1.0),
            "trim_share": ("uniform", 0.0, 0.15),
        },
        PRO,
        5 * TB / DAY_S,
        skew="80/20",
    ),
    "Zipf on superblocks": Case(
        "840 EVO 250",
        {
            "pe_cycles": ("pert", 700.0, 1129.0, 2500.0),
            "host_bytes_per_s": ("low..mid..high", "log", 30 * GIB / DAY_S, 50 * GIB / DAY_S,
                                 120 * GIB / DAY_S),
            "fill_fraction": ("uniform", 0.6, 1.0),
            "raw_bytes": ("triangular", 250 * GIB, 256 * GIB, 264 * GIB),
        },
        EVO,
        50 * GIB / DAY_S,
        skew="zipf:0.99",
        pages_per_block=512.0,
    ),
}  # fmt: skip


def drawn(rng, kind, parameters, count):
    """Draw from one distribution."""
    if kind == "low..mid..high":
        return _points(rng, count, *parameters)
    one, *others = parameters
    if kind == "lognormal":
        return one * np.exp(others[0] * rng.standard_normal(count))
    if kind == "pert":
        mode, high = others
        width = high - one
        return one + width * rng.beta(1 + 4 * (mode - one) / width, 1 + 4 * (high - mode) / width,
                                      count)  # fmt: skip
    return getattr(rng, kind)(*parameters, count)


def _points(rng, count, scale, low, mid, high):
    into, back = {
        "log": (np.log, np.exp),
        "odds": (lambda x: np.log(x / (1 - x)), lambda t: 1 / (1 + np.exp(-t))),
        "straight": (lambda x: x, lambda t: np.clip(t, 0, 1)),
    }[scale]
    z = rng.standard_normal(count) / Z90
    width = np.where(z < 0, into(mid) - into(low), into(high) - into(mid))
    return back(into(mid) + z * width)


def lives_s(case, rng, count, shares):
    """Return the time until the first of flash wear and rating in each of `count` draws."""
    values = {"host_bytes_per_s": case.host_bytes_per_s, **case.facts, **case.workload}
    values |= {name: drawn(rng, kind, rest, count) for name, (kind, *rest) in case.inputs.items()}
    factory = values["raw_bytes"] / values["user_bytes"] - 1
    left = (1 + factory) / values.get("partition_fraction", 1.0) - 1
    left = (1 + left) / values.get("fill_fraction", 1.0) - 1
    trims = values.get("trim_share", 0.0)
    writes, pages = shares
    left = write_amplification.trimmed_class_op_ratio(
        left, write_shares=writes, page_shares=pages, trim_share=trims
    )
    _, *in_use = write_amplification.trimmed_classes(  # a plan takes classes at the mean, too
        0.0, write_shares=writes, page_shares=pages, trim_share=float(np.mean(trims))
    )
    wa = _wa(case, left, values.get("sequential_fraction", 0.0), in_use)
    rated_wa = _wa(case, factory, 0.0, ((1.0,), (1.0,)))
    limit = np.minimum(
        values["raw_bytes"] * values["pe_cycles"] / wa, values["rated_bytes"] * rated_wa / wa
    )
    steady = limit / values["host_bytes_per_s"]
    growth = np.log1p(values.get("growth_per_year", 0.0)) / YEAR_S
    grows = np.asarray(growth) > 1e-15
    return np.where(grows, np.log1p(steady * growth) / np.where(grows, growth, 1.0), steady)


def _wa(case, ratio, sequential, shares):
    writes, pages = shares
    if len(writes) == 1 and np.ndim(sequential) == 0:
        if case.pages_per_block is None:
            return write_amplification.fifo(ratio)
        return write_amplification.greedy(ratio, pages_per_block=case.pages_per_block)
    kept = {"write_shares": writes, "page_shares": pages, "pages_per_block": case.pages_per_block}
    random = _by_ratio(lambda part: write_amplification.skewed(part, **kept), ratio)
    if np.ndim(sequential) == 0:
        return random
    credit = np.concatenate(
        [
            write_amplification.sequential_credit(part, sequential_fraction=share, **kept)
            for part, share in zip(np.array_split(ratio, 64), np.array_split(sequential, 64),
                                   strict=True)
        ]
    )  # fmt: skip
    return np.where(sequential < 1, np.maximum(1.0, random * credit), 1.0)


def _by_ratio(formula, ratios, nodes=1000, few=100):
    """Interpolate a smooth formula of the spare area, asked for a few points at a time."""
    places = np.geomspace(0.999 * ratios.min(), 1.001 * ratios.max(), nodes)
    values = np.concatenate([formula(part) for part in np.split(places, nodes // few)])
    return np.exp(np.interp(np.log(ratios), np.log(places), np.log(values)))
