"""What several statements on wear come to: standard log, vendor's indicators, erase counts."""

import math
from collections.abc import Sequence

from planner.telemetry.evidence import Evidence
from planner.telemetry.record import Observed

__all__ = ["FEWEST_CYCLES", "MOST_CYCLES", "agreed"]

FEWEST_CYCLES, MOST_CYCLES = 100.0, 100_000.0  # what is sold, QLC to SLC: `planner.telemetry.gate`
_NEAR = 0.05  # life used: indicators that round, and count spare blocks or do not
_NO_INDICATOR = 2.55


def agreed(evidence: Evidence) -> Observed | None:
    """Return the life used that the statements allow; what is left out is named.

    A statement that gives the erase count an impossible rating is out, and so is a percentage of
    255 that nothing bears out. Of the rest the largest group that agrees counts; without a majority
    none does.
    """
    possible = [one for one in evidence.used if _possible(evidence, one)]
    if not possible:
        return None
    best = max((_group(one, possible) for one in possible), key=len)
    rest = [one for one in possible if one not in best]
    if len(rest) >= len(best):
        for one in possible:
            other = next(two for two in possible if not _near(one, two))
            _leave_out(evidence, one, f"{other.field} says {_percent(other)}")
        return None
    for one in rest:
        _leave_out(evidence, one, f"{best[0].field} says {_percent(best[0])}")
    return _together(best)


def _possible(evidence: Evidence, said: Observed) -> bool:
    erases, others = evidence.erase_cycles, [one for one in evidence.used if one is not said]
    if said.value == _NO_INDICATOR and (others or _alone(evidence)):
        _leave_out(evidence, said, "255 is all ones, and nothing else says so")
        return False
    if erases is None or erases.low < 1:
        return True
    if erases.low > MOST_CYCLES * said.high or erases.high < FEWEST_CYCLES * said.low:
        low, high = f"{FEWEST_CYCLES:g}", f"{MOST_CYCLES:,.0f}"
        why = f"{erases.value:,.0f} mean erases would be a rating outside {low} to {high} cycles"
        _leave_out(evidence, said, why)
        return False
    return True


def _alone(evidence: Evidence) -> bool:
    """Whether nothing bears out the percentage of a SATA drive: SandForce says 255 when new."""
    return evidence.protocol == "ATA" and evidence.erase_cycles is None


def _group(one: Observed, said: Sequence[Observed]) -> list[Observed]:
    return [one, *(other for other in said if other is not one and _near(one, other))]


def _near(one: Observed, other: Observed) -> bool:
    return one.low <= other.high + _NEAR and other.low <= one.high + _NEAR


def _together(said: Sequence[Observed]) -> Observed:
    """Return what all intervals share, or span where they only come near each other."""
    low, high = max(one.low for one in said), min(one.high for one in said)
    best = min(said, key=lambda one: one.high - one.low)
    if low > high:
        low, high = min(one.low for one in said), max(one.high for one in said)
        best = said[0]
    return Observed(
        value=min(max(best.value, low), high), field=best.field, low=low, high=high, note=best.note
    )


def _leave_out(evidence: Evidence, said: Observed, why: str) -> None:
    evidence.counters.skip(said.field, _percent(said), f"is not borne out: {why}")


def _percent(said: Observed) -> str:
    more = "more than " if math.isinf(said.high) else ""
    return f"{more}{100 * said.value:.4g} % of the life used"
