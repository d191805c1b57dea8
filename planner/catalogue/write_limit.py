"""Maximum write rate over the steady rate, from measured drives of the same class."""

import math
from typing import NamedTuple

import numpy as np

from planner.catalogue.drive import ASSUMPTION, Drive
from planner.catalogue.fact_widths import ANOTHER_UNIT, OWN_RATE, printed_rate_error
from planner.catalogue.model_error import model_error
from planner.catalogue.priors import BESIDE_DIES, accepted_assumptions

SDS_OF_90 = 1.6449  # standard deviations of a normal distribution to its 95 % point
RATE = "steady_write_iops"


class WriteLimit(NamedTuple):
    """Median of the limit over the steady rate, spread of its logarithm, and where from."""

    ratio: float
    sd: float
    note: str


def write_limit(drive: Drive, *, is_beside_reads: bool) -> WriteLimit:
    """Return the limit of a drive over its steady rate, alone or beside reads.

    Beside reads drives lose up to a quarter, which no printed fact announces.

    >>> from planner.catalogue import find, load
    >>> drive = find(load(), "PM9A3 960")
    >>> alone, beside = (write_limit(drive, is_beside_reads=each) for each in (False, True))
    >>> print(f"{alone.ratio:.2f} {alone.sd:.2f}, {beside.ratio:.2f} {beside.sd:.2f}")
    1.07 0.08, 0.99 0.16
    """
    middle, half, said = _of_rate(drive)
    if is_beside_reads:
        beside, alone = (model_error(RATE, regime) for regime in ("beside reads", "NVMe from 2018"))
        middle += beside.middle - alone.middle
        half = math.sqrt(half**2 + max(0.0, beside.half**2 - alone.half**2))
        said += f"; beside reads as {beside.families} families of NVMe drives did"
    return WriteLimit(math.exp(middle), half / SDS_OF_90, f"{said} (data/model_error.csv).")


def _of_rate(drive: Drive) -> tuple[float, float, str]:
    """Return middle and half width of the limit of writes alone over the rate, and in words."""
    fact, fit = drive.facts.get(RATE), drive.fit
    is_fitted = fit is not None and not math.isnan(fit.program_iops)
    if is_fitted or (fact is not None and fact.kind == "user"):
        return 0.0, OWN_RATE, "The drive's own rate, within 6 %: assumed"
    if fact is not None and fact.kind == "measured":
        return 0.0, math.log(ANOTHER_UNIT[1]), "Measured on another drive of this model"
    error = printed_rate_error(drive)
    said = f"Most writes over printed ones of {error.families} families"
    if fact is None:
        low, _, high = BESIDE_DIES
        return error.middle, math.hypot(error.half, math.log(high / low) / 2), f"{said} and dies"
    if fact.kind == ASSUMPTION.source_id:
        (item,) = (one for one in accepted_assumptions(drive) if one.quantity == RATE)
        spread = float(np.log(item.high / item.low)) / 2
        return error.middle, math.hypot(error.half, spread), f"{said}, of a rate that is assumed"
    return error.middle, error.half, said
