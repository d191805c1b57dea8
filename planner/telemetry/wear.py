"""Life used, weighed from all that testifies to it: indicators, erase counts, earlier drives.

Each reading of each indicator is a hypothesis. Its weight is the product, over all indicators, of
the share of drives of the family on which that indicator agrees with it
(`planner.telemetry.wear_counts`), and of the density of the rated cycles that it implies together
with the mean erase count. The interval spans all hypotheses that weigh at least 1 % of the best;
the others are listed as contradicted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.telemetry import wear_counts
from planner.telemetry.evidence import Evidence, Witness
from planner.telemetry.record import Observed
from planner.telemetry.wear_counts import WearCounts

FEWEST_CYCLES, MOST_CYCLES = 100.0, 100_000.0  # ratings of drives sold, QLC to SLC
_NEAR = 0.05  # indicators round differently, and may or may not count spare blocks
_NO_INDICATOR = 2.55
# Weight, relative to the best, below which a hypothesis is dropped; of the same indicator, the
# other reading.
_LEAST, _LEAST_OTHER = 0.01, 0.1
_MOST_WITNESSES = 32  # a drive has three or four
_FEWEST_ERASES = 10  # below, erases may be those of the factory


@dataclass(frozen=True, slots=True)
class _Claim:
    """One reading of an indicator, as a hypothesis."""

    witness: Witness
    used: Observed
    weight: float


def life_used(evidence: Evidence, counts: WearCounts | None = None) -> Observed | None:
    """Return the life used, spanning what disagrees; list indicators that are not used.

    An indicator that implies an impossible P/E rating with the erase count is not used, nor is an
    unsupported percentage of 255.
    """
    claims = _claims(evidence, counts or wear_counts.load())
    if not claims:
        return None
    best = max(claims, key=lambda one: one.weight)
    agreeing = [one for one in claims if one.weight and _near(one.used, best.used)]
    others = [one for one in claims if one not in agreeing and _stands(one, best, agreeing)]
    kept = [*agreeing, *others]
    if _says_nothing(kept):
        _leave_out(evidence, best.used, "it reads as a new drive or a worn one")
        return None
    _report(evidence, claims, agreeing, others)
    return _spanned(_together([one.used for one in agreeing]), [one.used for one in others])


def _claims(evidence: Evidence, counts: WearCounts) -> list[_Claim]:
    possible = [
        (witness, used)
        for witness in evidence.used[:_MOST_WITNESSES]
        for used in witness.readings.values()
        if _possible(evidence, witness, used)
    ]
    shares = [
        (witness, _shares(evidence, witness, counts))
        for witness in {id(one): one for one, _ in possible}.values()
    ]
    rating = counts.rating(evidence.firmware)
    return [
        _Claim(
            witness,
            used,
            math.prod(_agreement(*one, used) for one in shares) * _density(evidence, used, rating),
        )
        for witness, used in possible
    ]


def _shares(evidence: Evidence, witness: Witness, counts: WearCounts) -> list[float]:
    """Return the share of drives of the family on which each reading of an indicator holds."""
    return [counts.share(evidence.firmware, witness.counter, one) for one in witness.readings]


def _stands(claim: _Claim, best: _Claim, agreeing: Sequence[_Claim]) -> bool:
    """Whether a claim that disagrees with the best is kept.

    An indicator has one reading: where another one supports it, the others do not hold.
    """
    if claim.witness in (one.witness for one in agreeing):
        alone = all(one.witness is claim.witness for one in agreeing)
        return alone and claim.weight >= _LEAST_OTHER * best.weight
    return claim.weight >= _LEAST * best.weight


def _agreement(witness: Witness, shares: Sequence[float], used: Observed) -> float:
    """Return the probability of what an indicator says if the life used is `used`."""
    read = zip(shares, witness.readings.values(), strict=True)
    near = [share for share, one in read if _near(one, used)]
    return max(near) if near else 1 - max(shares)


def _density(evidence: Evidence, used: Observed, rating: tuple[float, float]) -> float:
    """Return the relative density of the rated cycles that the mean erase count implies."""
    erases = evidence.erase_cycles
    if erases is None or erases.value < _FEWEST_ERASES:
        return 1.0
    middle, spread = rating
    least = erases.low / used.high if used.high > 0 else math.inf
    most = erases.high / used.low if used.low > 0 else math.inf
    cycles = min(max(math.exp(middle), least), most)
    if not 0 < cycles < math.inf:
        return 0.0
    return math.exp(-(((math.log(cycles) - middle) / spread) ** 2) / 2)


def _possible(evidence: Evidence, witness: Witness, used: Observed) -> bool:
    erases, others = evidence.erase_cycles, [one for one in evidence.used if one is not witness]
    if used.value == _NO_INDICATOR and (others or _alone(evidence)):
        _leave_out(evidence, used, "255 is all ones, and nothing else says so")
        return False
    if erases is None or (erases.low < 1 and len(witness.readings) == 1):
        return True
    if erases.low > MOST_CYCLES * used.high or erases.high < FEWEST_CYCLES * used.low:
        if len(witness.readings) == 1:
            low, high = f"{FEWEST_CYCLES:g}", f"{MOST_CYCLES:,.0f}"
            why = (
                f"{erases.value:,.0f} mean erases would be a rating outside {low} to {high} cycles"
            )
            _leave_out(evidence, used, why)
        return False
    return True


def _alone(evidence: Evidence) -> bool:
    """Whether nothing supports the percentage of a SATA drive; new SandForce drives report 255."""
    return evidence.protocol == "ATA" and evidence.erase_cycles is None


def _says_nothing(kept: Sequence[_Claim]) -> bool:
    """Whether a single indicator reads as new in one way, and as worn in another."""
    single = all(one.witness is kept[0].witness for one in kept)
    lows, highs = [one.used.low for one in kept], [one.used.high for one in kept]
    return single and min(lows) == 0 and math.isinf(max(highs))


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


def _spanned(used: Observed, others: Sequence[Observed]) -> Observed:
    return Observed(
        value=used.value, field=used.field,
        low=min([used.low, *(one.low for one in others)]),
        high=max([used.high, *(one.high for one in others)]), note=used.note,
    )  # fmt: skip


def _report(
    evidence: Evidence,
    claims: Sequence[_Claim],
    agreeing: Sequence[_Claim],
    others: Sequence[_Claim],
) -> None:
    """List each indicator of which no reading is kept, and note those that disagree."""
    kept = [*agreeing, *others]
    for witness in evidence.used:
        its = [one for one in claims if one.witness is witness]
        if its and not any(one.witness is witness for one in kept):
            best = agreeing[0].used
            _leave_out(evidence, its[0].used, f"{best.field} says {_percent(best)}")
    if others:
        evidence.counters.notes.append(_spanning(agreeing, others))


def _spanning(agreeing: Sequence[_Claim], others: Sequence[_Claim]) -> str:
    """Return a sentence with two indicators that agree, and the one farthest from them."""
    best, fields = agreeing[0].used, [one.used.field for one in agreeing]
    alike = " and ".join([*dict.fromkeys(fields)][:2])
    far = max((one.used for one in others), key=lambda one: abs(one.value - best.value))
    more = f", {len(others) - 1} more disagree" if len(others) > 1 else ""
    verb = "agree on" if " and " in alike else "says"
    return " ".join(
        (
            f"{alike} {verb} {_percent(best)};",
            f"{far.field} says {_percent(far)}{more}: the interval spans them.",
        )
    )


def _leave_out(evidence: Evidence, used: Observed, why: str) -> None:
    evidence.counters.skip(used.field, _percent(used), f"is contradicted: {why}")


def _percent(used: Observed) -> str:
    more = "more than " if math.isinf(used.high) else ""
    return f"{more}{100 * used.value:.4g} % of the life used"
