"""Every configuration of a grid in one reading: along drives, spare areas and arrays."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.errors import DomainError
from planner.catalogue.drive import Drive
from planner.catalogue.prices import price_ratios
from planner.catalogue.priors import largest_unit_bytes
from planner.catalogue.quotes import for_count
from planner.graph.answer import Answer
from planner.graph.nodes import Graph
from planner.graph.read import Reader
from planner.scenario.array import Array
from planner.scenario.firmware import Firmware
from planner.scenario.growth import written_bytes
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.search.choose.filters import lanes_of, why_none
from planner.search.choose.question import Grid
from planner.search.warranted import is_credited, is_rated
from planner.sections.life import HASTE, RATED_BYTES
from planner.sections.owning import owning_graph
from planner.sections.plan import PlanReading, plan_drive, plan_graph
from planner.sections.redundancy import FACTS, FAILURES_PER_S
from planner.sections.structure import (
    Structure,
    has_credit_basis,
    life_values,
    service_values,
    stacked,
    stacked_leaves,
    structure_of,
    workload_leaves,
)

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_ANSWERS = (
    "usable_bytes", "host_limit_bytes", "new_limit_bytes", "endurance_life_s",
    "member_bytes_per_s", "budget_iops", "worst_case_floor_iops",
    "total_price_usd", "warranty_s", "rated_read_iops", "rated_write_iops",
)  # fmt: skip


class Places(NamedTuple):
    """Configurations by their place among drives, spare areas and arrays."""

    drive: Numbers
    spare: Numbers
    array: Numbers


@dataclass(frozen=True, kw_only=True)
class Configurations:
    """A grid and the answers of its plans, NaN where unknown.

    Each answer has three axes, drives, spare areas and arrays, of length 1 along those on which
    it does not depend; `values` are the leaves that they are read from. `rated_bytes` are ratings
    as printed, or assumed. `refused` is where a formula refuses what it is given: nothing is known
    there.
    """

    workload: Workload
    grid: Grid
    firmware: Firmware
    arrays: tuple[Array, ...]
    structure: Structure
    values: Mapping[str, Any]
    answers: Mapping[str, Floats]
    rated_bytes: Floats
    refused: NDArray[np.bool_]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Drives, spare areas, arrays."""
        return len(self.grid.drives), len(self.grid.partition_fractions), len(self.arrays)

    def __getitem__(self, name: str) -> Floats:
        """Return an answer along the three axes."""
        return self.answers[name]

    def at(self, name: str, places: Places) -> Floats:
        """Return an answer of some configurations."""
        return np.asarray(np.broadcast_to(self.answers[name], self.shape)[places])

    def places(self, flat: Numbers) -> Places:
        """Return the positions of configurations along each axis, from their number in the grid."""
        return Places(*(np.asarray(axis) for axis in np.unravel_index(flat, self.shape)))

    def of_arrays(self, name: str) -> Floats:
        """Return a number of the layout, by array."""
        return _each(self.arrays, name)

    def plan_of(self, drive: int) -> PlanReading:
        """Return the plan of one drive alone, at every spare area together."""
        return plan_drive(
            self.grid.drives[drive],
            self.workload,
            partition_fraction=_check.plain(np.array(self.grid.partition_fractions)),
            firmware=self.firmware,
        )

    def values_at(self, places: tuple[Any, Any, Any]) -> dict[str, Any]:
        """Return the leaves of the drives, spare areas and arrays at some places of each axis."""
        return {
            key: _with_axes(value)[tuple(
                at if size > 1 else slice(None)
                for at, size in zip(places, _with_axes(value).shape, strict=True)
            )] if np.ndim(value) else value
            for key, value in self.values.items()
        }  # fmt: skip

    @cached_property
    def held_fraction(self) -> Floats:
        """Share of a drive's capacity that holds data, by spare area."""
        return np.array(self.grid.partition_fractions) * self.workload.fill_fraction

    @cached_property
    def graph(self) -> Graph:
        """The graph that all plans are read from."""
        return plan_graph(self.structure)

    @cached_property
    def drive_bytes(self) -> Floats:
        """Size of the operations of drives, by array: of a pool the columns of its records."""
        leaves = stacked_leaves(self.arrays, self.workload)
        same = np.full(len(self.arrays), self.workload.transfer_bytes)
        return leaves.get("transfer_bytes", same)

    @cached_property
    def price_usd(self) -> Floats:
        """Price of one drive, by drive and, where quantities have prices of their own, array."""
        by_count = _prices(self.grid.drives, self.arrays)
        return by_count.get("price_usd", _fact(self.grid.drives, "price_usd"))

    @cached_property
    def dearest_usd(self) -> Floats:
        """Price of all drives; a range counts at its upper end."""
        ratios = np.array([price_ratios(drive)[1] for drive in self.grid.drives])
        return np.asarray(self["total_price_usd"] * ratios[:, None, None])

    def drive_for(self, drive: int, array: int) -> Drive:
        """Return a drive at its price for as many as an array has."""
        one = self.grid.drives[drive]
        price = for_count(one, self.arrays[array].members)
        if price is None or price == one.value("price_usd"):
            return one
        fact = replace(one.facts["price_usd"], value=price)
        return replace(one, facts={**one.facts, "price_usd": fact})

    @cached_property
    def members(self) -> Floats:
        """Drives that are bought, by array."""
        return self.of_arrays("members")

    @cached_property
    def is_rated(self) -> NDArray[np.bool_]:
        """Whether a rating is printed, by drive."""
        return _whether([is_rated(drive) for drive in self.grid.drives])

    @cached_property
    def is_credited(self) -> NDArray[np.bool_]:
        """Whether spare area may be credited, by drive."""
        return _whether([is_credited(drive) for drive in self.grid.drives])

    @cached_property
    def power_w(self) -> Floats:
        """Power of all drives at their most active, where writing or reading is known."""
        drive_w = np.fmax(
            *(_fact(self.grid.drives, f"{side}_power_w") for side in ("write", "read"))
        )
        return np.asarray(drive_w * self.members)

    @cached_property
    def nodes(self) -> Floats:
        """Nodes over which the drives are spread, by array; one of a single array."""
        return np.array([array.nodes or 1 for array in self.arrays], float)

    @cached_property
    def node_lanes(self) -> Floats:
        """PCIe lanes that the drives of a node take, by drive and array."""
        lanes = np.array([lanes_of(drive) for drive in self.grid.drives], float)[:, None, None]
        return np.asarray(lanes * self.members / self.nodes)

    def failures_per_s(self, risk: Risk) -> Floats:
        """Return the failure rate of each drive, along the first axis."""
        stated = {} if risk.afr_fraction is None else {"afr_fraction": risk.afr_fraction}
        return np.asarray(Reader({**self.values, **stated}).value(FAILURES_PER_S))

    def reader(self, at: Places, held: Iterable[str], leaves: Mapping[str, Any]) -> Reader:
        """Return a reader of some configurations that has these answers, and further leaves."""
        values = {
            key: np.broadcast_to(_with_axes(value), self.shape)[at] if np.ndim(value) else value
            for key, value in self.values.items()
        }
        reader = Reader({**values, **leaves})
        for name in held:
            reader.hold(self.graph.answers[name], self.at(name, at))
        return reader

    def of_layout(
        self, at: Places, leaves_of: Callable[[Array], Mapping[str, Answer]]
    ) -> dict[str, Floats]:
        """Return the leaves of the arrays of some configurations."""
        places, back = np.unique(at.array, return_inverse=True)
        rows = [leaves_of(self.arrays[place]) for place in places]
        return {key: numbers[back] for key, numbers in stacked(rows).items()}

    def written_bytes(self, elapsed_s: float) -> Floats:
        """Return the bytes written to one drive by a time."""
        rate = self["member_bytes_per_s"]
        known = np.where(np.isnan(rate), 1.0, rate)
        return np.where(
            np.isnan(rate), np.nan, written_bytes(self.workload, elapsed_s, host_bytes_per_s=known)
        )

    @cached_property
    def refusals(self) -> tuple[str, ...]:
        """Reasons for leaving out drives that a formula refuses at every spare area and array."""
        lost = np.broadcast_to(self.refused, self.shape).all(axis=(1, 2))
        statement = []
        for place in np.flatnonzero(lost).tolist():
            try:
                self.plan_of(place)
            except DomainError as error:
                statement.append(f"{self.grid.drives[place].name} is left out: {error}")
        return tuple(statement)


def configurations(
    workload: Workload, grid: Grid, *, firmware: Firmware | None = None
) -> Configurations:
    """Read every configuration of the grid at once; none is planned by itself."""
    arrays = grid.arrays()
    if not grid.drives:
        raise DomainError(why_none(grid.excluded))
    if not arrays:
        raise DomainError(grid.why_empty())
    firmware = firmware or Firmware()
    structure = structure_of(workload, firmware, *grid.drives)
    graph = owning_graph(structure)
    values = {
        **_facts(grid.drives, workload, [*(leaf.key for leaf in graph.leaves), *FACTS]),
        **_prices(grid.drives, arrays),
        "credit_basis": _credited(grid.drives),
        **_known(workload_leaves(workload)),
        **_copied(workload),
        "partition_fraction": np.array(grid.partition_fractions)[:, None],
        **stacked_leaves(arrays, workload),
    }
    reader = Reader(values)
    nodes = (*(graph.answers[name] for name in _ANSWERS), RATED_BYTES)
    *results, rated = reader.without_refused([reader.value(node) for node in nodes])
    if grid.assumed == "cautious":
        rated = np.fmin(rated, _rated_in_units(values, graph, grid))
    return Configurations(
        workload=workload,
        grid=grid,
        firmware=firmware,
        arrays=arrays,
        structure=structure,
        values=values,
        answers={name: _with_axes(result) for name, result in zip(_ANSWERS, results, strict=True)},
        rated_bytes=_with_axes(rated),
        refused=reader.refused,
    )


def _rated_in_units(values: Mapping[str, Any], graph: Graph, grid: Grid) -> Floats:
    """Return the ratings as small writes use them up, with units of the map that may be assumed.

    As printed where the writes use it up no faster: infinite then.
    """
    units = np.array([largest_unit_bytes(drive) for drive in grid.drives], float)
    reader = Reader({**values, "unit_bytes": units[:, None, None]})
    nodes = [graph.answers["rated_limit_bytes"], RATED_BYTES]
    used, printed = reader.without_refused([reader.value(node) for node in nodes])
    return np.where(np.asarray(printed) > HASTE * np.asarray(used), used, np.inf)


def _facts(
    drives: Sequence[Drive], workload: Workload, quantities: Sequence[str]
) -> dict[str, Floats]:
    """Return the facts that any drive has, known or assumed; NaN for the others."""
    facts = {quantity: np.full((len(drives), 1, 1), np.nan) for quantity in quantities}
    for place, drive in enumerate(drives):
        known = service_values(drive, workload) | life_values(drive, workload)
        known |= {quantity: fact.value for quantity, fact in drive.facts.items()}
        for quantity in known.keys() & facts.keys():
            facts[quantity][place] = known[quantity]
    return {quantity: each for quantity, each in facts.items() if not np.isnan(each).all()}


def _prices(drives: Sequence[Drive], arrays: Sequence[Array]) -> dict[str, Floats]:
    """Return prices by drive and array where some depend on the number that is ordered."""
    quotes = [drive.quote for drive in drives if drive.quote is not None]
    if not any(quote.breaks or quote.least_order > 1 for quote in quotes):
        return {}
    prices = [[for_count(drive, array.members) for array in arrays] for drive in drives]
    return {"price_usd": np.array(prices, float)[:, None, :]}


def _credited(drives: Sequence[Drive]) -> Floats:
    """Return 1 for the drives whose rating may be converted to a workload, NaN for the others."""
    known = [1.0 if has_credit_basis(drive) else np.nan for drive in drives]
    return np.array(known)[:, None, None]


def _copied(workload: Workload) -> dict[str, float]:
    """Return the GC writes of typical hosts relative to uniform ones, where assumed."""
    copied = workload.field_copy_ratio
    return {} if copied is None else {"field_copy_ratio": copied}


def _known(leaves: Mapping[str, Answer]) -> dict[str, Any]:
    return {key: leaf.value for key, leaf in leaves.items() if leaf.is_known}


def _fact(drives: Sequence[Drive], quantity: str) -> Floats:
    """Return a fact along the first axis."""
    facts = np.array([drive.value(quantity) for drive in drives], float)  # None becomes NaN
    return facts[:, None, None]


def _whether(drives: Sequence[bool]) -> NDArray[np.bool_]:
    """Return a condition on drives as an array along the first axis."""
    return np.array(drives, bool)[:, None, None]


def _each(arrays: Sequence[Array], name: str) -> Floats:
    return np.array([getattr(array, name) for array in arrays], float)


def _with_axes(result: Any) -> Floats:
    several = np.asarray(result, float)
    return several.reshape((1,) * (3 - several.ndim) + several.shape)
