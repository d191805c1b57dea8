"""The answer: rates of one drive over the time of a write test, and reads beside its load."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from planner.catalogue.drive import Drive
from planner.graph.answer import Answer, walk
from planner.speed.reads import QUANTILES
from planner.speed.writes import CommitPath

SHORT_TEST_S = 2000.0  # of the reviews
MODEL_ERROR = 0.2  # by which the dies' time may exceed a printed rate


class Limit(StrEnum):
    """What holds a rate down."""

    DIES = "dies"
    LINK = "host link"
    QUEUE = "queue depth"
    PRINTED = "printed rate"
    ASSUMED = "assumed rate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """Rates of one drive over the time of a saturated write test, and reads beside its load.

    `collection` holds the longest write latency for each way of collecting garbage, because
    no data sheet says which one a drive follows. Spare area, unit of collection, pages and fills
    until the drive settles are what the course of the test is drawn from, with the write
    amplification of collection alone: all in units of the drive's map. The deep rates are those
    where the queue is no limit, `dies_write_iops` what the dies alone have time for.
    """

    drive: Drive
    queue_depth: float
    fresh_write_iops: Answer
    steady_write_iops: Answer
    deep_fresh_write_iops: Answer
    deep_steady_write_iops: Answer
    dies_write_iops: Answer
    steady_residual: Answer
    random_read_iops: Answer
    iops: Answer
    op_ratio: Answer
    pages_per_block: Answer
    user_pages: Answer
    settling_fills: Answer
    collection_wa: Answer
    wa: Answer
    peak_wa: Answer
    lowest_write_iops: Answer
    cliff_s: Answer
    settling_s: Answer
    max_latency_s: Answer
    worst_case_iops: Answer
    collection: tuple[Answer, ...]
    read_quantiles_s: Answer
    closed_read_quantiles_s: Answer
    write_quantiles_s: Answer
    commit_quantiles_s: Answer
    commit_path: CommitPath
    second_sd_iops: Answer
    cache: tuple[Answer, ...]
    binding: Mapping[str, Limit]
    notes: tuple[str, ...]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer of the write test, in the order in which people read them.

        Without how far the model is off a rate that the vendor does not print.
        """
        residual = self.steady_residual
        return (
            self.fresh_write_iops,
            self.cliff_s,
            self.lowest_write_iops,
            self.settling_s,
            self.steady_write_iops,
            *((residual,) if residual.is_known or residual.lacking else ()),
            self.max_latency_s,
            self.worst_case_iops,
            self.second_sd_iops,
            self.random_read_iops,
            self.iops,
        )

    @property
    def every(self) -> tuple[Answer, ...]:
        """Every answer: of the write test, of collection, of the cache and of reads."""
        quantiles = (
            self.read_quantiles_s,
            self.closed_read_quantiles_s,
            self.write_quantiles_s,
            self.commit_quantiles_s,
        )
        return (*self.answers, *self.collection, *self.cache, *quantiles)

    @property
    def nodes(self) -> dict[str, Answer]:
        """Every number by key: inputs first, then what they feed."""
        return walk(self.every)

    @property
    def lacking(self) -> tuple[str, ...]:
        """Facts that would supply what is missing."""
        found = [name for part in self.every if not part.is_known for name in part.lacking]
        return tuple(dict.fromkeys(found))

    @property
    def read_latency_s(self) -> dict[float, float]:
        """Read latency by percentile at the workload's own rates; empty where unknown."""
        return by_percentile(self.read_quantiles_s)

    @property
    def closed_read_latency_s(self) -> dict[float, float]:
        """Read latency by percentile for readers at the queue depth; empty where unknown."""
        return by_percentile(self.closed_read_quantiles_s)

    @property
    def write_latency_s(self) -> dict[float, float]:
        """Write latency by percentile at the workload's own rate; empty where unknown."""
        return by_percentile(self.write_quantiles_s)

    @property
    def commit_latency_s(self) -> dict[float, float]:
        """Commit latency by percentile at the workload's own rate; empty where unknown."""
        return by_percentile(self.commit_quantiles_s)

    @property
    def is_below_dies(self) -> bool:
        """Whether far less is printed than the dies have time for: firmware, or slower flash."""
        residual = self.steady_residual
        return bool(residual.is_known and residual.value > MODEL_ERROR)

    def is_too_short(self, test_s: float) -> bool | None:
        """Whether a test of this length ends before the steady state; None if unknown."""
        if not self.settling_s.is_known:
            return None
        return bool(self.settling_s.value > test_s)


def by_percentile(quantiles: Answer) -> dict[float, float]:
    """Return latencies by percentile; none where they are unknown."""
    if not quantiles.is_known:
        return {}
    values = np.atleast_1d(quantiles.value)
    return {round(100 * level, 6): float(s) for level, s in zip(QUANTILES, values, strict=True)}
