"""Rates of a drive from which the course of a protocol follows, with what is uncertain of each.

Every number is an array of columns: the first is typical, in each of the others one uncertain input
is at one of its ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from models import parallelism, rewriting
from models.units import KIB
from planner.catalogue.drive import Drive
from planner.catalogue.facts import gives_way
from planner.catalogue.priors import (
    LEAST_CACHE,
    Assumption,
    assumptions,
    folded_write,
    one_at_a_time,
)
from planner.catalogue.priors_heat import idle_assumptions
from planner.catalogue.priors_kind import cell_of, words_of
from planner.graph.interval import JoinedSwings, interval
from planner.graph.nodes import Leaf, Node
from planner.graph.read import Reader
from planner.graph.reading import Reading
from planner.scenario.firmware import Firmware
from planner.scenario.skew import classes_of
from planner.scenario.workload import Workload
from planner.sections.service import DIES
from planner.sections.speed import Speed, speed
from planner.sections.uncertain import uncertain_inputs
from planner.sections.write_cache import CACHED, FOLD_RATE, FOLDED
from planner.simulation.protocol.phases import Phase

Columns = Any  # an array of floats, or one that broadcasts to it
PAGE_BYTES = 4.0 * KIB
# A reader keeps values by the identity of a node: these live as long as it does.
_READ, _RANDOM_READ = Leaf("sequential_read_bytes_per_s"), Leaf("random_read_iops")
_CACHE = Leaf("slc_cache_bytes")

# Of TLC and QLC client drives: printed caches of 54 and 14 drives of the catalogue over their
# capacity, from the 5 % to the 95 % point and the median.
CACHE_SHARES = {"TLC": (0.012, 0.04, 0.21), "QLC": (0.016, 0.09, 0.143)}
SHARED = Assumption(
    quantity="shared_fraction", low=0.0, typical=0.5, high=1.0,
    ground="Whether a drive writes copies to blocks of their own is not published.",
    basis="both placements",
)  # fmt: skip
TRIM_LEFT = Assumption(
    quantity="trim_left_fraction", low=0.0, typical=0.0, high=0.5,
    ground="A drive may erase what was trimmed at once, or when it needs the space.",
    basis="assumed: erased at once, at worst half of it late",
)  # fmt: skip
TURNAROUND = Assumption(
    quantity="turnaround_s", low=5e-6, typical=15e-6, high=40e-6,
    ground="Time between the end of a transfer and the next, at queue depth 1: host and link.",
    basis="assumed for a host of 2013 to 2025",
)  # fmt: skip
BESIDE = Assumption(
    quantity="beside_share", low=0.3, typical=0.5, high=0.8,
    ground="How a drive divides its time between two streams is not published.",
    basis="assumed: half each",
)  # fmt: skip
FLUID = Assumption(
    quantity="protocol_error_ratio", low=1 / 1.2, typical=1.0, high=1.2,
    ground="No protocol was fitted to a measurement: assumed to be within 20 %.",
    basis="the course as computed", is_model=True,
)  # fmt: skip
KEPT = Assumption(
    quantity="cache_kept_fraction", low=0.04, typical=0.3, high=1.0,
    ground="Of a cache that is not printed: static ones are all kept, of dynamic ones little.",
    basis="client drives with a write cache",
)  # fmt: skip
LATENCY = Assumption(
    quantity="protocol_latency_error_ratio", low=1 / 1.8, typical=1.0, high=1.8,
    ground="How requests of a trace bunch on another drive is not published: assumed to be within "
    "a factor of 1.8.",
    basis="queue depths as published", is_model=True,
)  # fmt: skip
CONCURRENT = Assumption(
    quantity="concurrent_fold_share", low=0.0, typical=0.0, high=0.5,
    ground="Whether a drive empties its write cache beside host writes is not published.",
    basis="assumed: only when idle, at most half as fast as then",
)  # fmt: skip
OWN = (SHARED, TRIM_LEFT, TURNAROUND, BESIDE, FLUID, LATENCY, CONCURRENT)


class PhaseTimes(NamedTuple):
    """Times of an operation of a phase alone, and its share on a die."""

    die_read_s: Columns
    read_rest_s: Columns
    write_alone_s: Columns
    random_read_iops: Columns


@dataclass(frozen=True, eq=False)
class DriveRates:
    """A drive as a protocol meets it; each number is an array of columns."""

    drive: Drive
    reading: Reading
    items: tuple[Assumption, ...]

    @cached_property
    def moved(self) -> dict[str, Columns]:
        """Leaves with one input at an end at a time, after the typical values."""
        ends = one_at_a_time(self.items)
        typical = {item.quantity: float(item.typical) for item in self.items}
        return {name: np.append(typical[name], values) for name, values in ends.items()}

    @property
    def count(self) -> int:
        """Number of columns."""
        return 1 + 2 * len(self.items)

    @cached_property
    def _reader(self) -> Reader:
        return self.reading.reader(**self.moved)

    def number(self, node: Node | str) -> Columns:
        """Return an answer or a leaf in every column."""
        return self._column(self._reader, node)

    def numbers_at(self, nodes: Sequence[Node | str], **leaves: Columns) -> list[Columns]:
        """Return answers or leaves in every column, with other values of some leaves."""
        reader = self.reading.reader(**{**self.moved, **leaves})
        return [self._column(reader, node) for node in nodes]

    def _column(self, reader: Reader, node: Node | str) -> Columns:
        found = self.reading.graph.answers[node] if isinstance(node, str) else node
        return np.broadcast_to(np.asarray(reader.value(found), float), self.count)

    def interval(self, columns: Columns) -> JoinedSwings:
        """Return the interval of numbers whose columns are the last axis."""
        count = len(self.items)
        return interval(
            columns[..., 0], at_low=columns[..., 1 : 1 + count], at_high=columns[..., 1 + count :],
            is_model=np.array([item.is_model for item in self.items]),
        )  # fmt: skip

    def own(self, name: str) -> Columns:
        """Return an input of the protocol alone."""
        return self.moved[name]

    @property
    def lacking(self) -> list[str]:
        """The rates that are unknown, and a write cache that is assumed where nothing may be."""
        needed = {
            "random writes": self.fresh_iops, "steady random writes": self.steady_iops,
            "random reads": self.random_reads, "spare area": self.op_ratio,
            "sequential writes": self.number(CACHED), "sequential reads": self.number(_READ),
        }  # fmt: skip
        if (self.drive.value("slc_cache_bytes") or 0.0) > 0:
            needed["sequential writes after the cache"] = self.number(FOLDED)
        lacking = [name for name, value in needed.items() if np.isnan(value[0])]
        supplied = all(item.quantity in self.drive.facts for item in assumptions(self.drive))
        return lacking if supplied or not unknown_cache(self.drive) else [*lacking, "write cache"]

    @cached_property
    def user_bytes(self) -> float:
        """The capacity that the host sees."""
        return self.drive.capacity_bytes

    @cached_property
    def op_ratio(self) -> Columns:
        """Spare area of the whole drive."""
        return self.number("op_ratio")

    @cached_property
    def unit_bytes(self) -> float:
        """Unit of the map: flash takes a smaller random write as all of one."""
        return max(self.drive.value("unit_bytes") or 0.0, PAGE_BYTES)

    @cached_property
    def pages_per_block(self) -> Columns:
        """Units of the map in a unit of collection."""
        return self.number("pages_per_block")

    @cached_property
    def fresh_iops(self) -> Columns:
        """Random writes of a unit, or less, per second without collection."""
        return self.number("any_fresh_write_iops")

    @cached_property
    def steady_iops(self) -> Columns:
        """The same in steady state."""
        return np.minimum(self.number("any_steady_write_iops"), self.fresh_iops)

    @cached_property
    def steady_wa(self) -> Columns:
        """Write amplification there."""
        return self.number("collection_wa")

    def copies_under(self, skew: str) -> Columns:
        """Return the copies of collection under a skew, over those of uniform writes."""
        if skew == "uniform":
            return np.ones(self.count)
        skewed, uniform = (self._workload_wa(name) for name in (skew, "uniform"))
        collects = uniform > 1
        return np.where(collects, (skewed - 1) / np.where(collects, uniform - 1, 1.0), 1.0)

    def _workload_wa(self, skew: str) -> Columns:
        writes, pages = classes_of(skew, capacity_bytes=self.user_bytes)
        workload = replace(_WRITES, write_shares=writes, page_shares=pages)
        reading = speed(self.drive, workload, with_readers=False).reading
        found = reading.reader(**self.moved).value(reading.graph.answers["workload_wa"])
        return np.broadcast_to(np.asarray(found, float), self.count)

    @cached_property
    def copy_s(self) -> Columns:
        """Time that a copied unit adds."""
        collects = self.steady_wa > 1
        wa: Columns = np.where(collects, self.steady_wa, 2.0)
        found = rewriting.copy_s(
            self.fresh_iops,
            steady_write_iops=self.steady_iops, steady_wa=wa,
        )  # fmt: skip
        return np.where(collects, found, 0.0)

    @cached_property
    def read_bytes_per_s(self) -> Columns:
        """Sequential reads; of unknown ones those of random pages."""
        return self._known(_READ, PAGE_BYTES * self.random_reads)

    @cached_property
    def random_reads(self) -> Columns:
        """Random reads of 4 KiB per second in a deep queue, over a span whose map is held."""
        return self.number(_RANDOM_READ)

    @cached_property
    def cached_bytes_per_s(self) -> Columns:
        """Sequential writes while the write cache has room, or always where there is none."""
        return self._known(CACHED, self.unit_bytes * self.fresh_iops)

    @cached_property
    def native_bytes_per_s(self) -> Columns:
        """Sequential writes once the cache is full."""
        return np.minimum(self._known(FOLDED, self.cached_bytes_per_s), self.cached_bytes_per_s)

    @cached_property
    def fold_bytes_per_s(self) -> Columns:
        """Rate at which an idle drive empties its cache."""
        return self._known(FOLD_RATE, self.native_bytes_per_s / 2)

    @cached_property
    def cache_bytes(self) -> Columns:
        """Write cache of the empty drive."""
        return self._known(_CACHE, np.zeros(self.count))

    def cache_at(self, filled_fraction: float) -> Columns:
        """Return the write cache of a drive that is filled to a share.

        The dynamic part takes free flash, and shrinks with it.
        """
        if KEPT.quantity in self.moved:
            kept = self.own(KEPT.quantity)
            return self.cache_bytes * (1 - filled_fraction * (1 - kept))
        if not gives_way(self.drive):
            return self.cache_bytes
        static = self.drive.value("static_cache_bytes")
        least = self.cache_bytes * LEAST_CACHE if static is None else np.asarray(static)
        bits = {"QLC": 4.0, "MLC": 2.0}.get(cell_of(self.drive), 3.0)
        free = self.user_bytes * (1 - filled_fraction) / bits
        return np.asarray(least + np.minimum(self.cache_bytes - least, free))

    def service(self, phase: Phase, span_fraction: float) -> PhaseTimes:
        """Return the times of the operations of a phase over its span."""
        over = {"transfer_bytes": phase.transfer_bytes, "partition_fraction": span_fraction}
        parts = self.reading.graph.nodes
        alone = (parts["die_read_s:any"], parts["read_rest_s"], "write_alone_s")
        times = self.numbers_at(alone, queue_depth=phase.queue_depth, **over)
        deep = self.reading.leaves["rated_queue_depth"].value
        return PhaseTimes(*times, *self.numbers_at(["random_read_iops"], queue_depth=deep, **over))

    def random_reads_iops(self, phase: Phase, service: PhaseTimes, depth: float) -> Columns:
        """Return random reads per second at a depth and size."""
        extra = np.maximum(phase.transfer_bytes - PAGE_BYTES, 0.0)
        cap = 1 / (1 / service.random_read_iops + extra / self.read_bytes_per_s)
        found = parallelism.drive_iops(
            depth, read_fraction=1.0, dies=self.number(DIES), die_read_s=service.die_read_s,
            read_rest_s=service.read_rest_s, read_cap_iops=cap,
        )  # fmt: skip
        return np.asarray(found)

    def in_sequence_iops(self, phase: Phase, bytes_per_s: Columns, depth: float) -> Columns:
        """Return sequential operations per second: at depth 1 the link waits for the host."""
        alone_s = phase.transfer_bytes / bytes_per_s
        return np.minimum(1 / alone_s, depth / (alone_s + self.own("turnaround_s")))

    def _known(self, node: Node, otherwise: Columns) -> Columns:
        found = self.number(node)
        return np.where(np.isnan(found), otherwise, found)


def drive_rates(drive: Drive, *, firmware: Firmware | None = None) -> DriveRates:
    """Return the rates of a drive whose assumptions are supplied."""
    of = uniform_speed(drive, firmware)
    of_drive = uncertain_inputs(drive, _WRITES, of.case.structure, of.reading)
    items = (*of_drive, *unknown_cache(drive), *_reading_power(drive), *OWN)
    return DriveRates(drive, of.reading, tuple(item for item in items if item.is_range))


def _reading_power(drive: Drive) -> list[Assumption]:
    """Return the assumption on the power of reads, where a drive does not print it."""
    if "read_power_w" in drive.facts:
        return []
    return [item for item in idle_assumptions(drive) if item.quantity == "read_power_ratio"]


_WRITES = Workload(host_bytes_per_s=0.0, read_fraction=0.0)


def uniform_speed(drive: Drive, firmware: Firmware | None = None) -> Speed:
    """Return the speed of a drive under uniform random writes over all of it."""
    return speed(drive, _WRITES, firmware=firmware, with_readers=False)


def unknown_cache(drive: Drive) -> Sequence[Assumption]:
    """Return the assumptions on the write cache of a client drive, if none is printed."""
    shares = CACHE_SHARES.get(cell_of(drive))
    if shares is None or "enterprise" in words_of(drive) or "slc_cache_bytes" in drive.facts:
        return ()
    low, typical, high = (share * drive.capacity_bytes for share in shares)
    kind = cell_of(drive)
    folded = () if "folded_write_bytes_per_s" in drive.facts else (folded_write(drive),)
    return (
        KEPT, *folded,
        Assumption(
            quantity="slc_cache_bytes", low=low, typical=typical, high=high,
            ground=f"Printed caches of {kind} client drives of the catalogue over their capacity.",
            basis=f"{kind} client drives",
        ),
    )  # fmt: skip
