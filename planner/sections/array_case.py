"""Properties of an array that pick formulas of its speed, and the numbers of its layout."""

from collections.abc import Sequence
from dataclasses import dataclass

from models import pools
from planner.graph.answer import Answer, given
from planner.graph.nodes import quantity_of
from planner.scenario.array import Array, RaidLevel
from planner.scenario.workload import Workload
from planner.sections.structure import SECTOR_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayCase:
    """Discrete properties that pick formulas: hashable, fixed when a graph is built."""

    is_single: bool
    is_pool: bool
    is_draid: bool
    is_redundant: bool
    has_spread_spares: bool


def array_case(array: Array) -> ArrayCase:
    """Return the case of an array, which selects its formulas."""
    return ArrayCase(
        is_single=array.working == 1,
        is_pool=array.is_pool,
        is_draid=array.level is RaidLevel.DRAID,
        is_redundant=array.tolerated_failures > 0,
        has_spread_spares=array.spread_spares > 0,
    )


def by_case(arrays: Sequence[Array]) -> list[list[int]]:
    """Group arrays that take the same formulas, by their places."""
    places: dict[ArrayCase, list[int]] = {}
    for place, array in enumerate(arrays):
        places.setdefault(array_case(array), []).append(place)
    return list(places.values())


def layout_leaves(array: Array, workload: Workload) -> dict[str, Answer]:
    """List the numbers of the layout that the speed of an array takes beside those of the plan."""
    numbers: dict[str, float] = {
        "code_members": array.stripe_members,
        "chunk_members": array.group_members if array.parities else array.copies,
        "group_members": array.group_members,
        "data_members:degraded": array.stripe_members - array.parities if array.parities else 1,
    }
    if array.is_pool:
        numbers |= {
            "block_sectors": max(1.0, array.record_bytes // SECTOR_BYTES),
            "code_bytes_per_byte": array.stripe_members / (array.data_members or 1),
            **{
                f"{name}:records": value
                for name, value in record_operations(array, workload)._asdict().items()
            },
        }
    return {key: given(quantity_of(key), value, source="array") for key, value in numbers.items()}


def record_operations(array: Array, workload: Workload) -> pools.RecordOperations:
    """Count the columns of a record of a pool, and the records of the host's operations."""
    spread = {"stripe_members": float(array.stripe_members), "parities": float(array.parities)}
    sectors = pools.record_sectors(array.record_bytes, sector_bytes=SECTOR_BYTES)
    columns = pools.record_columns(sectors, **spread)
    is_draid = array.level is RaidLevel.DRAID
    with_parity = pools.written_columns(columns, parities=array.parities)
    at_random, in_sequence = (
        pools.records_per_operation(
            workload.transfer_bytes, record_bytes=array.record_bytes, sequential_fraction=share
        )
        for share in (0.0, 1.0)
    )
    return pools.RecordOperations(
        group_members=float(array.group_members),
        data_columns=columns,
        write_columns=float(array.stripe_members) if is_draid else with_parity,
        random_records=at_random,
        sequential_records=in_sequence,
        sequential_fraction=workload.sequential_fraction,
        is_part=float(workload.transfer_bytes < array.record_bytes),
    )
