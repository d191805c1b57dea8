"""What whole stripes and whole records of an array do: under stalls, on RAID-Z, on dRAID."""

import numpy as np

from models import array_stalls, bottleneck, declustered, interface, queueing, raidz, stalls
from planner.arrays.stalls import Stalls
from planner.graph.answer import Answer, figure, first_known, given, unknown
from planner.scenario.array import RaidLevel
from planner.sections.plan import Plan
from planner.sections.structure import SECTOR_BYTES

ADAPTER = "An adapter of PCIe 3.0 x8, as usual for SAS and SATA: 256 bytes of data, 24 around them."
ADAPTER_BYTES_PER_S = 8 * 8e9 * 128 / 130 / 8  # eight lanes of 8 GT/s
RULE = "By hand, for deep queues: a record takes its drives one after another, all else is free."


def of_layout(answer: Plan, of: Stalls) -> tuple[Answer, ...]:
    """Return the collection behind the longest latency, and what whole stripes and records do."""
    collection = figure(
        "collection_s", stalls.implied_clean_s,
        max_latency_s=answer.reading["max_latency_s"], iops=answer.performance.rated_write_iops,
        buffer_pages=given("buffer_pages", 0.0, source="definition"),
    )  # fmt: skip
    if answer.array.working == 1:
        return (collection,)
    adapter = _behind_adapter(answer)
    if answer.array.level is RaidLevel.DRAID:
        return collection, adapter, *_spread(answer)
    if answer.array.is_pool:
        return collection, adapter, *_of_vdev(answer)
    return collection, adapter, _stripes(answer, of)


def _behind_adapter(answer: Plan) -> Answer:
    """Return the operations of all drives that one adapter lets through."""
    data = figure(
        "adapter_bytes_per_s", interface.payload_bytes_per_s, ADAPTER,
        link_bytes_per_s=given(
            "adapter_link_bytes_per_s", ADAPTER_BYTES_PER_S, source="definition"
        ),
        payload_bytes=given("payload_bytes", 256.0, source="assumption", note=ADAPTER),
        overhead_bytes=given("overhead_bytes", 24.0, source="assumption", note=ADAPTER),
    )  # fmt: skip
    speed, size = answer.performance, answer.workload.transfer_bytes
    return figure(
        "adapter_iops", interface.uplink_iops, ADAPTER,
        link_iops=first_known(speed.rated_iops, speed.rated_write_iops),
        members=answer.reading["working_members"], uplink_bytes_per_s=data,
        transfer_bytes=given("transfer_bytes", size, source="workload"),
    )  # fmt: skip


def _stripes(answer: Plan, of: Stalls) -> Answer:
    """Return whole stripes per second while each drive stalls by itself."""
    if of.interval_s.is_known and np.isinf(of.interval_s.value):  # drives that never stall
        return unknown("stalled_stripe_iops")
    one = given("one", 1.0, source="definition")
    often = figure("stalls_per_s", queueing.iops, queue_depth=one, latency_s=of.interval_s)
    begun = figure(
        "stalls_per_operation", bottleneck.utilisation,
        iops=often, servers=one, operation_s=of.operation_s,
    )  # fmt: skip
    return figure(
        "stalled_stripe_iops", array_stalls.stalled_stripe_iops,
        members=given("group_members", answer.array.group_members, source="array"),
        operation_s=of.operation_s, stall_s=of.stall_s, stalls_per_operation=begun,
    )  # fmt: skip


def _of_vdev(answer: Plan) -> tuple[Answer, ...]:
    """Return what one RAID-Z vdev keeps of its drives for such records, and how many it reads."""
    array = answer.array
    vdev = {
        "members": given("group_members", array.group_members, source="array"),
        "parities": given("parities", array.parities, source="array"),
    }
    record = {
        "record_bytes": given("record_bytes", array.record_bytes, source="array"),
        "sector_bytes": given("sector_bytes", SECTOR_BYTES, source="definition"),
    }
    sectors = given("block_sectors", max(1.0, array.record_bytes // SECTOR_BYTES), source="array")
    return (
        figure("vdev_usable_fraction", raidz.raidz_usable_fraction, **record, **vdev),
        figure(
            "vdev_usable_bytes", raidz.raidz_usable_bytes,
            member_bytes=answer.reading.leaves["user_bytes"], **record, **vdev,
        ),
        figure(
            "vdev_read_iops", raidz.raidz_read_iops, RULE,
            member_read_iops=answer.performance.rated_read_iops, block_sectors=sectors, **vdev,
        ),
    )  # fmt: skip


def _spread(answer: Plan) -> tuple[Answer, ...]:
    """Return what one dRAID vdev reads at random, and how full its drives are."""
    array = answer.array
    members = given("group_members", array.group_members, source="array")
    return (
        figure(
            "vdev_read_iops", declustered.declustered_iops, RULE,
            iops=answer.performance.rated_read_iops, members=members,
            spares=given("spread_spares", array.spread_spares, source="array"),
            data_members=given("data_members", array.data_members, source="array"),
            parities=given("parities", array.parities, source="array"),
        ),
        figure(
            "member_fill_fraction", declustered.member_fill_fraction,
            stored_bytes=answer.array_answer.usable_bytes,
            member_bytes=answer.reading.leaves["user_bytes"],
            members=answer.reading["working_members"],
            writes_per_write=given(
                "code_bytes_per_byte", array.stripe_members / (array.data_members or 1),
                source="array",
            ),
        ),
    )  # fmt: skip
