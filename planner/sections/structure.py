"""Properties of a scenario that pick formulas, and their inputs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models import pools
from models.units import KIB
from models.write_amplification import trimmed_classes
from planner.catalogue.drive import Drive
from planner.catalogue.facts import implied, stated
from planner.catalogue.priors import (
    field_copying,
    levelling_efficiency,
    rated_queue_depth,
    service_assumptions,
)
from planner.catalogue.priors_failures import UBER_GROUND, assumed_uber
from planner.catalogue.priors_kind import is_written_in_place
from planner.graph.answer import Answer, given, unknown
from planner.scenario.array import Array, RaidLevel
from planner.scenario.firmware import BY_CLASS, Firmware, Layout, Policy
from planner.scenario.growth import course_leaves
from planner.scenario.workload import Workload
from planner.sections.rating import rating_leaves, rating_values
from planner.sections.witnesses import witness_leaves, witness_values

IN_FIELD = (
    "Write pattern not stated. Assumed: the write amplification of typical hosts, far below that "
    "of uniform random writes. State a skew (uniform is one) or a measured write amplification."
)
_OF_USE = {"used_fraction", "host_bytes", "age_s"}
_OF_WORKLOAD = (
    "host_bytes_per_s", "growth_per_year", "read_fraction", "transfer_bytes",
    "sequential_fraction", "fill_fraction", "trim_share",
)  # fmt: skip


OF_RECORDS = "A pool reads and writes whole records, whatever the size of the host's requests."
OF_COLUMNS = "What one drive reads or writes of a record of the pool."
ERRORS = ("wa_error_ratio", "life_error_ratio")
TYPICAL_ERROR = "As computed; the range is that of drives to which nothing was fitted."
SECTOR_BYTES = 4 * KIB  # of a pool with ashift=12

_ALWAYS_RUN = (Policy.D_CHOICES, Policy.COST_BENEFIT)  # under skew
# Zones of like data, and the share of the worth of parting all classes that they leave to Zipf.
MOST_ZONES, BEYOND_ZONES = 3, 0.12


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """Discrete properties that pick formulas: hashable, fixed when a graph is built.

    `page_shares` are those of the data in use, `address_shares` those of all addresses where trims
    make them differ.
    """

    policy: Policy = Policy.GREEDY
    is_policy_known: bool = False
    layout: Layout = Layout.UNKNOWN
    accuracy: float = 1.0
    write_shares: tuple[float, ...] = (1.0,)
    page_shares: tuple[float, ...] = (1.0,)
    address_shares: tuple[float, ...] = ()
    has_trims_as_written: bool = False
    steps: int = 0
    is_phased_in: bool = False
    is_in_field: bool = False
    is_followed: bool = False  # write amplification was measured, over a span
    is_fitted: bool = False
    is_used: bool = False
    is_worn: bool = False  # the drive says of itself how far

    @property
    def is_skewed(self) -> bool:
        """Whether there is more than one class of data."""
        return len(self.write_shares) > 1

    @property
    def has_static_data(self) -> bool:
        """Whether a part of the data is never overwritten."""
        return 0.0 in self.write_shares

    @property
    def is_simulated(self) -> bool:
        """Whether no formula is known of its random writes.

        Host writes apart, static data among the rest, or the best of ten blocks under skew.
        """
        if not self.is_skewed or self.layout is Layout.STREAMS:
            return False
        if self.policy in _ALWAYS_RUN or self.layout in BY_CLASS:
            return True
        is_known = self.layout is Layout.ONE_LOG and not self.has_static_data
        return self.policy is Policy.GREEDY and not is_known

    @property
    def in_one_log(self) -> "Structure":
        """The structure with a single write frontier."""
        return replace(self, layout=Layout.ONE_LOG)

    @property
    def in_known_log(self) -> "Structure":
        """The structure with a single write frontier where placement is unknown."""
        return self.in_one_log if self.layout is Layout.UNKNOWN else self

    @property
    def with_copies_apart(self) -> "Structure":
        """The structure with frontiers for host and GC writes apart; greedy becomes ten choices."""
        is_greedy = self.policy is Policy.GREEDY
        policy = Policy.D_CHOICES if is_greedy else self.policy
        return replace(self, layout=Layout.HOST_GC, policy=policy)

    @property
    def one_log_weight(self) -> float:
        """Weight of a single write frontier in the typical write amplification.

        Of zones 0.8, of Zipf 0.4, between them by what three zones leave of the worth of parting
        all classes; 0.6 beside sequential writes alone, and of data that is never written.
        """
        if not self.is_skewed or self.has_static_data:
            return 0.6
        beyond = 1 - _worth_in_zones(self.write_shares, self.page_shares)
        return 0.8 - 0.4 * min(beyond / BEYOND_ZONES, 1.0)

    @property
    def trimmed_as_written(self) -> "Structure":
        """The same where trims follow the writes."""
        return replace(
            self, page_shares=self.address_shares or self.page_shares, address_shares=(),
            has_trims_as_written=True,
        )  # fmt: skip

    @property
    def frontiers(self) -> float:
        """Blocks that are open for writing at a time."""
        return float(Firmware(layout=self.layout).frontiers(len(self.write_shares)))


@cache
def _worth_in_zones(write_shares: tuple[float, ...], page_shares: tuple[float, ...]) -> float:
    """Return the worth of parting zones of like data, over that of parting every class.

    Copies grow as the sum of sqrt(write share * page share) over what is parted.
    """
    zones = list(zip(write_shares, page_shares, strict=True))  # the hottest first

    def copies(*parted: tuple[float, float]) -> float:
        return math.fsum(math.sqrt(written * held) for written, held in parted)

    whole = 1 - copies(*zones)
    if whole <= 0:  # all alike
        return 1.0
    while len(zones) > MOST_ZONES:
        pairs = list(pairwise(zones))
        joined = [(one[0] + two[0], one[1] + two[1]) for one, two in pairs]
        losses = [copies(both) - copies(*pair) for both, pair in zip(joined, pairs, strict=True)]
        least = losses.index(min(losses))
        zones[least : least + 2] = [joined[least]]
    return min((1 - copies(*zones)) / whole, 1.0)


def structure_of(workload: Workload, firmware: Firmware, *drives: Drive) -> Structure:
    """Return the structure of a scenario; of several drives one that serves all of them."""
    write_shares, addresses = workload.classes
    trim_share = float(np.mean(workload.trim_share))  # of uncertain trims their mean
    is_sorted = len(write_shares) > 1 and trim_share > 0
    in_use = addresses
    if is_sorted:
        _, _, in_use = trimmed_classes(
            0.0, write_shares=write_shares, page_shares=addresses, trim_share=trim_share
        )
    return Structure(
        policy=firmware.assumed_policy,
        is_policy_known=firmware.policy is not Policy.UNKNOWN,
        layout=firmware.layout,
        accuracy=firmware.accuracy,
        write_shares=tuple(write_shares),
        page_shares=tuple(in_use),
        address_shares=tuple(addresses) if is_sorted else (),
        steps=len(workload.rate_steps),
        is_phased_in=bool(np.any(workload.phase_in_s)),
        is_in_field=workload.is_in_field,
        is_followed=workload.measured_wa is not None and workload.measured_span_bytes is not None,
        is_fitted=any(drive.fit is not None for drive in drives),
        is_used=any(drive.facts.keys() & _OF_USE for drive in drives),
        is_worn=any(_is_worn(drive) for drive in drives),
    )


def _is_worn(drive: Drive) -> bool:
    """Whether a drive says what share of its life some writes have used."""
    statement = [drive.value(name) for name in ("used_fraction", "host_bytes")]
    return all(value is not None and np.all(np.asarray(value) > 0) for value in statement)


def leaves_of(
    drive: Drive,
    workload: Workload,
    *,
    array: Array | None = None,
    partition_fraction: ArrayLike = 1.0,
    rating_wa: float | None = None,
) -> dict[str, Answer]:
    """Return the known leaves of a scenario's graph, each with its source."""
    leaves = facts_of(drive) | workload_leaves(workload) | service_leaves(drive, workload)
    if workload.field_copy_ratio is not None:
        leaves["field_copy_ratio"] = given(
            "field_copy_ratio", workload.field_copy_ratio, source="assumption",
            note=f"assumed: {field_copying(drive)} {IN_FIELD}",
        )  # fmt: skip
    leaves |= errors_of(drive) | witness_leaves(drive, workload)
    leaves["uber:assumed"] = given(
        "uber", assumed_uber(drive), source="assumption", note=UBER_GROUND
    )
    leaves["partition_fraction"] = given("partition_fraction", partition_fraction,
                                         source="workload")  # fmt: skip
    if rating_wa is None:
        leaves |= rating_leaves(drive, workload)
    else:
        leaves["rating_wa"] = given("rating_wa", rating_wa, source="user")
    return leaves | array_leaves(array or Array(), workload) | _of_levelling()


def errors_of(drive: Drive) -> dict[str, Answer]:
    """Return the typical errors of models as leaves, but those that are stated of the drive."""
    return {
        name: given(name, 1.0, source="definition", note=TYPICAL_ERROR)
        for name in ERRORS if name not in drive.facts
    }  # fmt: skip


def facts_of(drive: Drive) -> dict[str, Answer]:
    """Return the facts of a drive as leaves, and the basis for converting its rating."""
    basis = {"credit_basis": given("credit_basis", 1.0, source="definition")}
    facts = implied(drive) | {name: stated(drive, name) for name in drive.facts}
    return facts | (basis if has_credit_basis(drive) else {})


def service_leaves(drive: Drive, workload: Workload) -> dict[str, Answer]:
    """Return the queue depth, that of the printed rates, and substitutes for unknown times."""
    rated = rated_queue_depth(drive)
    usual = given("rated_queue_depth", rated.typical, source="assumption", note=str(rated))
    printed = stated(drive, "rated_queue_depth")
    at_rated = printed if printed.is_known else usual
    depth = given("queue_depth", workload.queue_depth, source="workload")
    return {
        "rated_queue_depth": at_rated,
        "queue_depth": depth if depth.is_known else replace(at_rated, key="queue_depth"),
        **_collecting(drive),
        **{
            item.quantity: given(
                item.quantity, item.typical, source="assumption", note=f"assumed: {item}"
            )
            for item in service_assumptions(drive)
        },
    }


def service_values(drive: Drive, workload: Workload) -> dict[str, float]:
    """Return the numbers of `service_leaves` alone: of a whole catalogue nobody reads the words."""
    rated = drive.value("rated_queue_depth") or rated_queue_depth(drive).typical
    depth = rated if workload.queue_depth is None else workload.queue_depth
    return {
        "rated_queue_depth": rated,
        "queue_depth": depth,
        **({} if is_written_in_place(drive) else {"collects_garbage": 1.0}),
        **{item.quantity: item.typical for item in service_assumptions(drive)},
    }


def life_values(drive: Drive, workload: Workload) -> dict[str, float]:
    """Return the numbers of what tells of the life of a drive, and typical errors, alone."""
    return {
        **dict.fromkeys(ERRORS, 1.0), "uber:assumed": assumed_uber(drive),
        **witness_values(drive, workload), **rating_values(drive, workload),
    }  # fmt: skip


def _collecting(drive: Drive) -> dict[str, Answer]:
    """Return that a drive collects garbage, unless it is written in place."""
    collects = given("collects_garbage", 1.0, source="definition")
    return {} if is_written_in_place(drive) else {collects.key: collects}


def has_credit_basis(drive: Drive) -> bool:
    """Whether nothing is assumed that converts a rating to a workload: flash and rating.

    A warranty is what a vendor promises; what is assumed of a drive never lengthens it.
    """
    assumed = {name for name, fact in drive.facts.items() if fact.kind == "assumption"}
    rating = {"rated_dwpd"} | (set() if "rated_bytes" in drive.facts else {"rating_period_s"})
    return not assumed & {"raw_bytes", *rating}


def workload_leaves(workload: Workload) -> dict[str, Answer]:
    """Return the leaves of a workload, and its write amplification if that was measured."""
    leaves = {
        name: given(name, getattr(workload, name), source="workload") for name in _OF_WORKLOAD
    } | course_leaves(workload)
    hot = given("dynamic_fraction", workload.working_set_fraction, source="workload")
    leaves[hot.key] = hot
    if workload.measured_wa is None:
        return leaves
    if workload.measured_span_bytes is None:
        key = "workload_wa"
    else:
        key, span = "measured_wa", workload.measured_span_bytes
        leaves["measured_span_bytes"] = given("measured_span_bytes", span, source="user")
    return leaves | {key: given(key, workload.measured_wa, source="user", note="Measured.")}


def array_leaves(array: Array, workload: Workload) -> dict[str, Answer]:
    """Return the numbers of an array's layout, and the size of what its drives are given."""
    numbers: dict[str, ArrayLike | None] = {
        name: getattr(array, name) for name in ("members", "hot_spares", "copies", "parities")
    }
    if array.data_members is not None:
        numbers |= {"stripe_members": array.stripe_members, "data_members": array.data_members}
    if array.level is RaidLevel.DRAID:
        numbers["spread_spares"] = array.spread_spares
    if array.nodes is not None:
        numbers |= {
            "cluster_nodes": array.nodes, "node_members": array.members // array.nodes,
            "node_spares": array.node_spares, "reserve_nodes": array.reserve_nodes,
            "fill_limit": array.fill_limit,
        }  # fmt: skip
    leaves = {name: given(name, value, source="array") for name, value in numbers.items()}
    if array.is_pool:
        leaves |= _record_leaves(array, workload)
    leaves["sets"] = given("sets", array.sets, source="array" if array.parities else "definition")
    stalled = given("member_stall_fraction", array.member_stall_fraction, source="user")
    return leaves | ({"member_stall_fraction": stalled} if stalled.is_known else {})


def stacked_leaves(arrays: Sequence[Array], workload: Workload) -> dict[str, NDArray[np.float64]]:
    """Return the numbers of arrays one after the other.

    NaN where an array has no such number; the size of operations is then that of the workload.
    """
    found = stacked([array_leaves(array, workload) for array in arrays])
    sizes = found.get("transfer_bytes")
    if sizes is not None:
        sizes[np.isnan(sizes)] = workload.transfer_bytes
    return found


def stacked(rows: Sequence[Mapping[str, Answer]]) -> dict[str, NDArray[np.float64]]:
    """Return the numbers of leaves one after the other, NaN where they are unknown."""
    names = sorted({name for row in rows for name, leaf in row.items() if leaf.is_known})
    none = unknown("none")
    return {name: np.array([row.get(name, none).value for row in rows], float) for name in names}


def _record_leaves(array: Array, workload: Workload) -> dict[str, Answer]:
    """Return the record of a pool, and the operation of a host."""
    column = pools.column_bytes(
        array.record_bytes, sector_bytes=SECTOR_BYTES, stripe_members=array.stripe_members,
        parities=array.parities,
    )  # fmt: skip
    return {
        "record_bytes": given("record_bytes", array.record_bytes, source="array"),
        "operation_bytes": given(
            "operation_bytes", workload.transfer_bytes, source="workload", note=OF_RECORDS
        ),
        "transfer_bytes": given("transfer_bytes", column, source="array", note=OF_COLUMNS),
    }


def _of_levelling() -> dict[str, Answer]:
    """Return the assumed wear-levelling efficiencies."""
    assumed = levelling_efficiency()
    efficiencies = {"low": assumed.low, "typical": assumed.typical, "high": assumed.high}
    return {
        (name := f"{level}_levelling_efficiency"): given(
            name, value, source="assumption", note=assumed.ground
        )
        for level, value in efficiencies.items()
    }
