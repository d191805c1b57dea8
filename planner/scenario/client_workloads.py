"""Client workloads as published in reviews, each number with its source.

`client_workloads.csv` lists them, `client_facts.csv` holds one row per number; `data/README.md`
describes the columns. If several rows state one quantity, the first is used and the others are
kept in `passed_over`.
"""

import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import numpy as np

from models import _check, service_time, slc_cache
from models.nomenclature import QUANTITIES
from planner import catalogue
from planner.catalogue.rows import CatalogueRow, CellError, read
from planner.graph.answer import Answer, unknown
from planner.quantity.units import FACTORS
from planner.scenario.workload import Workload

# Unit of a fact -> base unit of the nomenclature.
_BASE_UNITS = {
    "1": "1", "%": "1", "s": "s", "MB": "bytes", "GB": "bytes", "KiB": "bytes", "MiB": "bytes",
}  # fmt: skip
_WORKLOAD_KINDS = ("trace", "burst", "sustained")
_FACT_KINDS = ("stated", "derived")
_ROUNDINGS = ("nearest", "exact", "upto")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientFact:
    """One number of one workload; `at` is the part or class of the workload that it belongs to."""

    workload_id: str
    quantity: str
    at: str
    text: str
    value: float
    unit: str
    rounding: str
    condition: str
    kind: str
    source_id: str
    locator: str
    confidence: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientWorkload:
    """A workload and the numbers that its review states, in base units."""

    workload_id: str
    name: str
    kind: str
    description: str
    facts: Mapping[tuple[str, str], ClientFact] = field(default_factory=dict, repr=False)
    passed_over: tuple[ClientFact, ...] = field(default=(), repr=False)

    def value(self, quantity: str, at: str = "") -> float | None:
        """Return a number, or None if the review does not state it."""
        fact = self.facts.get((quantity, at))
        return None if fact is None else fact.value

    def shares(self, quantity: str) -> dict[str, float]:
        """Return the stated shares by class; they may sum to less than 1.

        >>> load().workloads["anandtech-heavy-2011"].shares("depth_share")
        {'1': 0.59}
        """
        return {at: fact.value for (name, at), fact in self.facts.items() if name == quantity}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientWorkloads:
    """Workloads by id, and the rows that could not be used."""

    workloads: Mapping[str, ClientWorkload]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """Busy time, total waiting time and queue depth while busy of a drive that replays a trace."""

    busy_s: float
    waited_s: float
    busy_queue_depth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bursts:
    """Effect of a write cache on repeated bursts of writes."""

    demand_s: float
    cycle_s: float
    first_slow_burst: float
    steady_burst_s: float
    cached_fraction: float

    @property
    def sustainable(self) -> bool:
        """Whether the cache absorbs every burst, however long the workload lasts."""
        return bool(np.isinf(self.first_slow_burst))


def load(folder: Path | None = None) -> ClientWorkloads:
    """Read the workloads of a folder, by default those of the package (cached).

    >>> load().workloads["anandtech-heavy-2011"].value("written_bytes")
    106320000000.0
    """
    return _of_package() if folder is None else _read(folder, catalogue.load(folder).sources)


def as_workload(client: ClientWorkload, *, host_bytes_per_s: float) -> Workload | Answer:
    """Return the workload of a plan with writes at a given rate.

    The read share and the mean transfer size follow from the reads, writes and bytes of the trace.
    """
    reads, size = _read_fraction(client), _transfer_bytes(client)
    sequential, depth = client.value("sequential_fraction"), client.value("queue_depth")
    if reads is None or size is None or sequential is None or depth is None:
        needed = {
            "queue_depth": depth,
            "read_fraction": reads,
            "sequential_fraction": sequential,
            "transfer_bytes": size,
        }
        lacking = tuple(name for name, value in needed.items() if value is None)
        return unknown(key="workload", lacking=lacking)
    fill = client.value("fill_fraction")
    return Workload(
        host_bytes_per_s=host_bytes_per_s,
        read_fraction=reads,
        transfer_bytes=size,
        sequential_fraction=sequential,
        queue_depth=depth,
        fill_fraction=1.0 if fill is None else fill,
    )


def service(
    client: ClientWorkload, *, data_rate_bytes_per_s: float, service_s: float
) -> Service | Answer:
    """Derive busy time, waiting time and queue depth from a review's mean rate and service time."""
    operations = _sum_of(client, "reads", "writes")
    moved = _sum_of(client, "read_bytes", "written_bytes")
    if operations is None or moved is None:
        return unknown(key="busy_s", lacking=("read_bytes", "reads", "writes", "written_bytes"))
    (rate,) = _check.finite(data_rate_bytes_per_s=data_rate_bytes_per_s)
    busy_s = moved / rate
    waited_s = service_time.waited_s(operations, service_s=service_s)
    return Service(
        busy_s=busy_s,
        waited_s=waited_s,
        busy_queue_depth=service_time.busy_queue_depth(waited_s, busy_s=busy_s),
    )


def bursts(
    client: ClientWorkload,
    *,
    slc_cache_bytes: float,
    cached_write_bytes_per_s: float,
    folded_write_bytes_per_s: float,
    fold_bytes_per_s: float,
) -> Bursts | Answer:
    """Return the behaviour of a drive's write cache in the write bursts of a workload."""
    burst, cycle_s = client.value("burst_bytes", "writes"), client.value("cycle_s", "writes")
    if burst is None or cycle_s is None:
        return unknown(key="first_slow_burst", lacking=("burst_bytes", "cycle_s"))
    rate = {"cached_write_bytes_per_s": cached_write_bytes_per_s}
    fold = {"fold_bytes_per_s": fold_bytes_per_s}
    cycle = {"cycle_s": cycle_s, "slc_cache_bytes": slc_cache_bytes}
    slow = {"folded_write_bytes_per_s": folded_write_bytes_per_s}
    return Bursts(
        demand_s=slc_cache.demand_s(burst, **rate, **fold),
        cycle_s=cycle_s,
        first_slow_burst=slc_cache.first_slow_burst(burst, **cycle, **rate, **fold),
        steady_burst_s=slc_cache.steady_burst_s(burst, **cycle, **rate, **slow, **fold),
        cached_fraction=slc_cache.cached_fraction(burst, **cycle, **rate, **slow, **fold),
    )


def _read_fraction(client: ClientWorkload) -> float | None:
    reads, writes = client.value("reads"), client.value("writes")
    if reads is None or writes is None:
        return client.value("read_fraction")
    return reads / (reads + writes)


def _transfer_bytes(client: ClientWorkload) -> float | None:
    operations = _sum_of(client, "reads", "writes")
    moved = _sum_of(client, "read_bytes", "written_bytes")
    if operations is None or moved is None:
        return client.value("transfer_bytes")
    return moved / operations


def _sum_of(client: ClientWorkload, first: str, second: str) -> float | None:
    values = [client.value(first), client.value(second)]
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


@functools.cache
def _of_package() -> ClientWorkloads:
    return _read(catalogue.data_folder(), catalogue.load().sources)


def _read(folder: Path, sources: Collection[str]) -> ClientWorkloads:
    problems: list[str] = []
    workloads: dict[str, ClientWorkload] = {}
    make = functools.partial(_workload, known=workloads)
    for client in read(folder / "client_workloads.csv", _columns(ClientWorkload), make, problems):
        workloads[client.workload_id] = client
    make_fact = functools.partial(_fact, workloads=workloads, sources=sources)
    for fact in read(folder / "client_facts.csv", _columns(ClientFact), make_fact, problems):
        workloads[fact.workload_id] = _with_fact(workloads[fact.workload_id], fact)
    return ClientWorkloads(workloads=workloads, problems=tuple(problems))


def _columns(record: type[ClientWorkload | ClientFact]) -> list[str]:
    """Return the columns of the file that holds such records."""
    return [c.name for c in fields(record) if c.name not in {"facts", "passed_over", "text"}]


def _workload(row: CatalogueRow, *, known: Collection[str]) -> ClientWorkload:
    if (workload_id := row.required("workload_id")) in known:
        raise CellError(f"workload_id: {workload_id!r} is listed twice")
    return ClientWorkload(
        workload_id=workload_id,
        name=row.required("name"),
        kind=row.choice("kind", _WORKLOAD_KINDS),
        description=row.required("description"),
    )


def _fact(row: CatalogueRow, *, workloads: Collection[str], sources: Collection[str]) -> ClientFact:
    quantity = row.choice("quantity", QUANTITIES)
    unit = row.choice("unit", _BASE_UNITS)
    if _BASE_UNITS[unit] != QUANTITIES[quantity].unit:
        raise CellError(f"unit: {unit!r} is not a unit of {quantity}")
    return ClientFact(
        workload_id=row.choice("workload_id", workloads),
        quantity=quantity,
        at=row["at"],
        text=row["value"],
        value=row.number("value") * FACTORS[unit],
        unit=unit,
        rounding=row.choice("rounding", _ROUNDINGS),
        condition=row["condition"],
        kind=row.choice("kind", _FACT_KINDS),
        source_id=row.choice("source_id", sources),
        locator=row.required("locator"),
        confidence=row.required("confidence"),
        note=row["note"],
    )


def _with_fact(client: ClientWorkload, fact: ClientFact) -> ClientWorkload:
    key = (fact.quantity, fact.at)
    if key in client.facts:
        return replace(client, passed_over=(*client.passed_over, fact))
    return replace(client, facts={**client.facts, key: fact})
