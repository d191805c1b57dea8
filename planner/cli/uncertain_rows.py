"""Rows and records of uncertain plans."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from models.nomenclature import QUANTITIES
from planner.quantity.show import text
from planner.search.uncertainty import (
    LIFE,
    Distribution,
    Share,
    Spread,
    Swing,
    Uncertain,
    sobol_shares,
    tornado,
)


def reasons(known: Uncertain) -> dict[str, str]:
    """Return the origin of each assumed input, and the measurement that would narrow it."""
    ranges = (item for item in known.base.assumed if item.quantity in known.inputs)
    return {
        item.quantity: item.reason
        for item in ranges
        if known.inputs[item.quantity].name == "assumed"
    }


def input_row(name: str, item: Distribution, why: Mapping[str, str]) -> dict[str, str]:
    """Return the three points of an input, and from what it is assumed if nobody stated it."""
    points = {"10 %": 0.1, "50 %": 0.5, "90 %": 0.9}
    row = {"Input": QUANTITIES[name].label}
    row |= {head: text(name, item.at(chance)) for head, chance in points.items()}
    return row | {"Because": why[name].partition(" assumed ")[2] if name in why else "as stated"}


def spread_row(item: Spread) -> dict[str, str]:
    """Return the quantiles of a number, and the largest of their relative errors."""
    row = {"Quantity": QUANTITIES[item.key].label}
    row |= {f"{100 * chance:g} %": text(item.key, v) for chance, v in item.quantiles.items()}
    middle = item.quantiles[0.5]
    worst = max(
        (error / item.quantiles[chance] for chance, error in item.errors.items()
         if 0 < item.quantiles[chance] < np.inf and np.isfinite(error)),
        default=0.0,
    )  # fmt: skip
    return row | {"Standard error": f"{100 * worst:.2f} %" if middle else ""}


def swing_rows(known: Uncertain) -> list[dict[str, str]]:
    """Return the effect of each input on life by endurance, the strongest first."""
    swings, shares = tornado(known), sobol_shares(known)
    by_name = {share.name: share for share in shares}
    return [_swing_row(swing, by_name.get(swing.name)) for swing in swings]


def _swing_row(swing: Swing, share: Share | None) -> dict[str, str]:
    row = {
        "Input": QUANTITIES[swing.name].label,
        "From": text(swing.name, swing.low),
        "to": text(swing.name, swing.high),
        "Life from": text(LIFE, swing.at_low),
        "to ": text(LIFE, swing.at_high),
    }
    if share is None:
        return row | {"Of the variance": "", "with others": ""}
    return row | {
        "Of the variance": f"{100 * max(0.0, share.first):.0f} %",
        "with others": f"{100 * max(0.0, share.total):.0f} %",
    }


def record(
    known: Uncertain, keys: Sequence[str], horizon_s: float, target: float | None
) -> dict[str, Any]:
    """Return everything for machines, in base units."""
    swings, shares, why = tornado(known), sobol_shares(known), reasons(known)
    return {
        "drive": known.base.drive.drive_id,
        "samples": known.samples,
        "seed": known.seed,
        "inputs": {
            name: {"distribution": str(item), "assumed": why.get(name)}
            | {f"p{c}": item.at(c / 100) for c in (10, 50, 90)}
            for name, item in known.inputs.items()
        },
        "life_at_least": {"seconds": horizon_s} | _chancerecord(known, LIFE, horizon_s),
        "iops_at_least": None
        if target is None
        else {"iops": target} | _chancerecord(known, "budget_iops", target),
        "first_limit": {str(limit): share for limit, share in known.binding.items()},
        "quantiles": {key: _spreadrecord(known.spread(key)) for key in dict.fromkeys(keys)},
        "tornado": [_swingrecord(item) for item in swings],
        "sobol": [{"input": s.name, "first": s.first, "total": s.total} for s in shares],
        "notes": list(known.notes),
    }


def _chancerecord(known: Uncertain, key: str, least: float) -> dict[str, Any]:
    chance = known.chance(key, at_least=least)
    if not chance.is_known:
        return {"probability": None, "lacking": list(chance.lacking)}
    return {"probability": chance.value, "standard_error": chance.error}


def _spreadrecord(item: Spread) -> dict[str, Any]:
    if not item.is_known:
        return {"lacking": list(item.lacking)}
    return {
        f"p{100 * chance:02g}": {
            "value": _finite(value),
            "standard_error": _finite(item.errors[chance]),
        }
        for chance, value in item.quantiles.items()
    }


def _swingrecord(item: Swing) -> dict[str, Any]:
    return {"input": item.name, "low": item.low, "high": item.high,
            "life_at_low": _finite(item.at_low), "life_at_high": _finite(item.at_high),
            "log_ratio": _finite(item.log_ratio)}  # fmt: skip


def _finite(value: float) -> float | None:
    """Return None for what JSON cannot hold."""
    return value if np.isfinite(value) else None
