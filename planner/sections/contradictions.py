"""Contradictions between the ratings of a data sheet."""

import numpy as np

from models import endurance
from planner.catalogue.drive import Drive

TOLERATED = 0.05  # by which rated TBW and rated drive writes per day may differ unsaid


def contradictions(drive: Drive) -> tuple[str, ...]:
    """Return the contradictions between the ratings of a drive; none where facts are ranges."""
    if any(np.ndim(fact.value) for fact in drive.facts.values()):
        return ()
    return tuple(sentence for sentence in (_two_ratings(drive), _too_few_cycles(drive)) if sentence)


def _two_ratings(drive: Drive) -> str:
    written, size = drive.value("rated_bytes"), drive.value("user_bytes")
    period_s = drive.value("rating_period_s") or drive.value("warranty_s")
    printed = drive.value("rated_dwpd")
    if written is None or size is None or period_s is None or not printed:
        return ""
    derived = endurance.dwpd(written, user_bytes=size, period_s=period_s)
    if abs(derived / printed - 1) <= TOLERATED:
        return ""
    return (
        f"The ratings disagree: rated TBW is {derived:.3g} drive writes per day over "
        f"the rating period, printed as {printed:.3g}; TBW is used."
    )


def _too_few_cycles(drive: Drive) -> str:
    written, cycles = drive.value("rated_bytes"), drive.value("pe_cycles")
    raw_bytes = drive.value("raw_bytes")
    if written is None or cycles is None or raw_bytes is None:
        return ""
    needed = endurance.implied_wa(raw_bytes, pe_cycles=cycles, rated_bytes=written)
    if needed >= 1:
        return ""
    return (
        f"The ratings disagree: rated TBW needs {1 / needed:.3g} times the rated "
        "program/erase cycles even without write amplification."
    )
