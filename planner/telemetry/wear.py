"""Life used from several indicators of wear: standard log, vendor's indicators, erase counts."""

import math
from collections.abc import Sequence

from planner.telemetry.evidence import Evidence
from planner.telemetry.record import Observed

FEWEST_CYCLES, MOST_CYCLES = 100.0, 100_000.0  # ratings of drives sold, QLC to SLC
_NEAR = 0.05  # indicators round differently, and may or may not count spare blocks
_NO_INDICATOR = 2.55


def life_used(evidence: Evidence) -> Observed | None:
    """Return the life used on which most indicators agree; list those that are not used.

    An indicator that implies an impossible P/E rating with the erase count is not used, nor is an
    unsupported percentage of 255. Of the others the largest group that agrees is used, if it is a
    majority.
    """
    possible = [one for one in evidence.used if _possible(evidence, one)]
    if not possible:
        return None
    groups = (
        [one, *(other for other in possible if other is not one and _near(one, other))]
        for one in possible
    )
    best = max(groups, key=len)
    rest = [one for one in possible if one not in best]
    if len(rest) >= len(best):
        for one in possible:
            other = next(two for two in possible if not _near(one, two))
            _leave_out(evidence, one, f"{other.field} says {_percent(other)}")
        return None
    for one in rest:
        _leave_out(evidence, one, f"{best[0].field} says {_percent(best[0])}")
    return _together(best)


def _possible(evidence: Evidence, statement: Observed) -> bool:
    erases, others = evidence.erase_cycles, [one for one in evidence.used if one is not statement]
    if statement.value == _NO_INDICATOR and (others or _alone(evidence)):
        _leave_out(evidence, statement, "255 is all ones, and nothing else says so")
        return False
    if erases is None or erases.low < 1:
        return True
    if erases.low > MOST_CYCLES * statement.high or erases.high < FEWEST_CYCLES * statement.low:
        low, high = f"{FEWEST_CYCLES:g}", f"{MOST_CYCLES:,.0f}"
        why = f"{erases.value:,.0f} mean erases would be a rating outside {low} to {high} cycles"
        _leave_out(evidence, statement, why)
        return False
    return True


def _alone(evidence: Evidence) -> bool:
    """Whether nothing supports the percentage of a SATA drive; new SandForce drives report 255."""
    return evidence.protocol == "ATA" and evidence.erase_cycles is None


def _near(one: Observed, other: Observed) -> bool:
    return one.low <= other.high + _NEAR and other.low <= one.high + _NEAR


def _together(statement: Sequence[Observed]) -> Observed:
    """Return the intersection of the intervals, or their span if they do not overlap."""
    low, high = max(one.low for one in statement), min(one.high for one in statement)
    best = min(statement, key=lambda one: one.high - one.low)
    if low > high:
        low, high = min(one.low for one in statement), max(one.high for one in statement)
        best = statement[0]
    return Observed(
        value=min(max(best.value, low), high), field=best.field, low=low, high=high, note=best.note
    )


def _leave_out(evidence: Evidence, statement: Observed, why: str) -> None:
    evidence.counters.skip(statement.field, _percent(statement), f"is contradicted: {why}")


def _percent(statement: Observed) -> str:
    more = "more than " if math.isinf(statement.high) else ""
    return f"{more}{100 * statement.value:.4g} % of the life used"
