"""Rating of a workload: the one that is printed for it, or two that it lies between.

Where a drive is rated for several workloads, the harder of two is the highest rating whose own
workload is at least as hard as that of the plan, else the lowest of all; the milder one is the next
above it. A rating for sequential writes is the milder one as soon as some writes are
sequential. A rating under JESD219 stands for random writes of its mean size where no other rating
is for random writes.
"""

from typing import NamedTuple

import numpy as np

from planner.catalogue.drive import Drive
from planner.catalogue.rated import RatedWorkload, rated_workloads
from planner.graph.answer import Answer, given
from planner.quantity.show import text
from planner.scenario.skew import JESD219
from planner.scenario.workload import Workload


class RatingPair(NamedTuple):
    """Two ratings that a workload lies between; without a milder one the harder one holds."""

    harder: RatedWorkload
    milder: RatedWorkload | None


def rating_pair(drive: Drive, workload: Workload) -> RatingPair | None:
    """Return the ratings of a drive that a workload lies between; None of a drive with one rating.

    >>> from planner.catalogue import find, load
    >>> drive = find(load(), "PM853T 240")
    >>> half = Workload(host_bytes_per_s=1e6, sequential_fraction=0.5)
    >>> [rated.name for rated in rating_pair(drive, half)]
    ['4 KB random writes', '64 KB sequential writes']
    """
    known = [rated for rated in rated_workloads(drive) if rated.limit_bytes is not None]
    if len(known) < 2:
        return None
    if workload.classes == JESD219 and (own := [each for each in known if each.is_jedec]):
        return RatingPair(own[0], None)
    known = _without_jedec(known)
    covering = [rated for rated in known if covers(rated, workload)]
    harder = max(covering, key=_bytes) if covering else min(known, key=_bytes)
    above = [each for each in known if each not in covering and _bytes(each) > _bytes(harder)]
    streamed = [each for each in above if each.is_sequential]
    if streamed and np.any(np.asarray(workload.sequential_fraction) > 0):
        above = streamed
    return RatingPair(harder, min(above, key=_bytes, default=None))


def covers(rated: RatedWorkload, workload: Workload) -> bool:
    """Whether the writes are no harder than those that a rating is printed for."""
    if np.all(np.asarray(workload.sequential_fraction) == 1.0):
        return True
    is_as_large = bool(np.all(np.asarray(workload.transfer_bytes) >= (rated.transfer_bytes or 0.0)))
    return not rated.is_sequential and is_as_large


def _without_jedec(known: list[RatedWorkload]) -> list[RatedWorkload]:
    """Leave out ratings under JESD219 where another one is for random writes."""
    others = [rated for rated in known if not rated.is_jedec]
    return others if any(not rated.is_sequential for rated in others) else known


def _bytes(rated: RatedWorkload) -> float:
    return float(np.mean(rated.limit_bytes or 0.0))


def rating_values(drive: Drive, workload: Workload) -> dict[str, float]:
    """Return the numbers of `rating_leaves` alone."""
    return {key: leaf.value for key, leaf in rating_leaves(drive, workload).items()}


def rating_leaves(drive: Drive, workload: Workload) -> dict[str, Answer]:
    """Return the two ratings as leaves, each with its source; none of a drive with one rating."""
    pair = rating_pair(drive, workload)
    if pair is None:
        return {}
    leaves = _limit("first", rated_workloads(drive)[0]) | _limit("harder", pair.harder)
    if "rating_transfer_bytes" not in drive.facts and pair.harder.transfer_bytes is not None:
        size = pair.harder.transfer_bytes
        leaves["rating_transfer_bytes"] = _printed("rating_transfer_bytes", size, pair.harder)
    if pair.milder is None:
        return leaves
    order = float(pair.milder.is_sequential)
    leaves |= _limit("milder", pair.milder)
    leaves["milder_sequential_fraction"] = _printed(
        "milder_sequential_fraction", order, pair.milder
    )
    if pair.milder.transfer_bytes is not None:
        leaves["milder_transfer_bytes"] = _printed(
            "milder_transfer_bytes", pair.milder.transfer_bytes, pair.milder
        )
    return leaves


def _limit(which: str, rated: RatedWorkload) -> dict[str, Answer]:
    key = f"{which}_rated_bytes"
    return {key: _printed(key, rated.limit_bytes, rated)}


def _printed(key: str, value: float | None, rated: RatedWorkload) -> Answer:
    fact = rated.fact
    note = f"Of several ratings: {words_of(rated)}."
    return given(key, value, source=fact.source_id, locator=fact.locator, note=note)


def words_of(rated: RatedWorkload) -> str:
    """Write a rating with its workload.

    >>> from planner.catalogue import find, load
    >>> words_of(rated_workloads(find(load(), "PM853T 240"))[1])
    '1.6 DWPD under 64 KB sequential writes'
    """
    fact = rated.fact
    return f"{text(fact.quantity, fact.value)} under {fact.condition}"
