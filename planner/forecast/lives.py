"""The law of the remaining life, alike for one drive and for a fleet: blocks, distances, ends."""

import numpy as np

from models.units import WEEK_S
from models.wear_forecast import POINTS, distances_bytes, remaining_lives
from planner.forecast.answer import COVERAGE, Ends, Floats

FEWEST_WEEKS = 8  # fewest weeks, and fewest blocks of one week, for an interval
QUANTILES = np.array([(1 - COVERAGE) / 2, 0.5, (1 + COVERAGE) / 2])
_MOST_BLOCKS = 60
_WHOLE = 0.01  # of a block: readings come at about the same hour
_CURVE = np.array([0.002, 0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99, 0.998])


def block_weeks(span_s: Floats, intervals: Floats) -> tuple[Floats, Floats]:
    """Return the length of equal blocks in weeks, and how many of them a history has.

    Blocks last a week, longer where readings are rare or over 60 weeks long.
    """
    span = np.asarray(span_s) / WEEK_S
    weeks = np.maximum(np.ceil(span / _MOST_BLOCKS), np.ceil(span / intervals - _WHOLE))
    weeks = np.nan_to_num(np.maximum(weeks, 1), nan=1)
    return weeks, np.nan_to_num(np.floor(span / weeks + _WHOLE))


def distances(
    by_counts: np.ndarray, *, written_bytes: Floats, points_used: Floats, points_left: Floats,
    low_bytes: Floats, high_bytes: Floats,
) -> Floats:  # fmt: skip
    """Return equally likely host bytes until the end, a row for each drive.

    By wear counted in whole points, less what other evidence excludes; else even between the ends.
    """
    share = (np.arange(POINTS) + 0.5) / POINTS
    low, high = low_bytes[:, None], high_bytes[:, None]
    even = low + (high - low) * share
    counted = distances_bytes(
        np.nan_to_num(written_bytes), points_used=np.nan_to_num(points_used),
        points_left=np.nan_to_num(points_left),
    )  # fmt: skip
    outside = (counted < low) | (counted > high)
    for row in np.flatnonzero(outside.any(axis=1) & ~outside.all(axis=1) & by_counts):
        kept = counted[row][~outside[row]]
        rank = np.argsort(np.argsort(counted[row], kind="stable"))
        counted[row] = np.quantile(kept, share[rank])
    return np.where(by_counts[:, None], counted, even)


def ends_of(
    written_bytes: Floats, *, interval_s: float, distance_bytes: Floats, changes: bool
) -> Ends:
    """Return the ends of one drive, by the equal blocks of its writes.

    `changes` says whether the level of the writes may change; if not, few of the ends are computed.
    """
    probabilities = _CURVE if changes else QUANTILES
    times = remaining_lives(
        probabilities, written_bytes=written_bytes, interval_s=interval_s,
        distance_bytes=distance_bytes, changes=changes,
    )  # fmt: skip
    return Ends(probabilities, times[:, 0])
