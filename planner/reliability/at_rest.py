"""May a drive lie without power, and does reading alone wear it? Retention and read disturb."""

from models import (
    endurance,
    energy,
    flash_geometry,
    growth,
    queueing,
    read_disturb,
    retention,
    spare_area,
)
from models.rating_class import CLIENT, ENTERPRISE, RatingClass
from models.units import DAY_S
from planner.catalogue.facts import stated
from planner.catalogue.priors_kind import is_written_in_place
from planner.graph.answer import Answer, figure, given, unknown
from planner.reliability.worn_blocks import erase_block_bytes, horizon_worn, worn_blocks
from planner.scenario.growth import grown_answer
from planner.scenario.risk import Risk
from planner.sections.plan import Plan

BY_CLASS = (
    "JESD218 asks this of the class when the rated writes are spent: client drives a year at 30 C, "
    "enterprise drives three months at 40 C. A fresh drive keeps its data longer."
)
BY_WEAR = (
    "Taken as the inverse of the wear, of a tenth of the rating at least, as JESD47 asks of flash "
    "(ten years after a tenth of the cycles, one after all; recalled). Drives may do otherwise."
)
LEAST_WEAR = 0.1
READ_LIMIT = 1e5
READ_LIMIT_GROUND = (
    "Firmware is taken to rewrite a block after 100,000 reads, the fewest that are published: most "
    "blocks bear more, worn ones fewer. Reads are spread evenly over the data."
)
REFRESH_S = 90 * DAY_S
REFRESH_GROUND = "Firmware is taken to rewrite data that nobody writes every 90 days."


def at_rest(answer: Plan, risk: Risk) -> tuple[Answer, ...]:
    """Return how long the data last without power, and what the drive rewrites by itself.

    Nothing of memory that is written in place: these are models of flash cells, which leak charge
    and are disturbed by reads of their neighbours.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan
    >>> from planner.scenario.workload import Workload
    >>> evo = plan(find(load(), "870 EVO 1 TB"), Workload(host_bytes_per_s=1e5))
    >>> when_spent, *_ = at_rest(evo, Risk())
    >>> round(when_spent.value / DAY_S)
    740
    """
    if is_written_in_place(answer.drive):
        return ()
    return *_retention(answer, risk), *_reads(answer), _refreshed(answer)


def blocks_worn(answer: Plan, risk: Risk) -> tuple[Answer, ...]:
    """Return when the blocks of a drive wear out, and how many within the horizon.

    Nothing of memory that is written in place, which has none.
    """
    if is_written_in_place(answer.drive):
        return ()
    spent = figure(
        "rated_cycles_spent", endurance.used_fraction,
        host_bytes=_written(answer, risk), limit_bytes=answer.reading["wear_limit_bytes"],
    )  # fmt: skip
    return *worn_blocks(answer), horizon_worn(spent)


def _retention(answer: Plan, risk: Risk) -> tuple[Answer, Answer]:
    """Return the time without power once the rating is spent, and after the horizon."""
    kind = _class_of(answer)
    stored = {
        "rated_retention_s": given(
            "rated_retention_s", kind.retention_s, source="assumption", note=BY_CLASS
        ),
        "temperature_k": given("temperature_k", risk.temperature_k, source="user"),
        "reference_k": given("reference_k", kind.storage_k, source="assumption", note=BY_CLASS),
    }
    return (
        figure("rated_wear_retention_s", retention.retention_s, BY_CLASS, **stored),
        figure(
            "retention_s", retention.retention_s, BY_WEAR,
            **stored, wear_ratio=_wear(answer, risk),
        ),
    )  # fmt: skip


def _class_of(answer: Plan) -> RatingClass:
    return CLIENT if answer.drive.segment == "client" else ENTERPRISE


def _wear(answer: Plan, risk: Risk) -> Answer:
    """Return the cycles spent within the horizon over those rated, a tenth at least."""
    spent = figure(
        "wear_ratio", endurance.used_fraction,
        host_bytes=_written(answer, risk), limit_bytes=answer.reading["new_limit_bytes"],
    )  # fmt: skip
    if not spent.is_known or spent.value >= LEAST_WEAR:
        return spent
    return given("wear_ratio", LEAST_WEAR, source="assumption", note=BY_WEAR)


def _written(answer: Plan, risk: Risk) -> Answer:
    """Return what the host writes to one drive within the horizon."""
    return grown_answer(
        "horizon_bytes", growth.written_bytes, answer.workload,
        time_s=given("horizon_s", risk.horizon_s, source="user"),
        host_bytes_per_s=answer.reading["member_bytes_per_s"],
    )  # fmt: skip


def _reads(answer: Plan) -> tuple[Answer, Answer]:
    """Return flash writes per host write for reads alone, and when each block is rewritten."""
    workload = answer.workload
    size = erase_block_bytes(answer)
    operation = workload.transfer_bytes
    limit = given("read_limit", READ_LIMIT, source="assumption", note=READ_LIMIT_GROUND)
    pages = given(
        "pages_per_block", max(1.0, float(size.value // operation)), source="definition",
        note=size.note,
    )  # fmt: skip
    added = figure(
        "read_disturb_wa", read_disturb.added_wa, READ_LIMIT_GROUND,
        read_fraction=given("read_fraction", workload.read_fraction, source="workload"),
        pages_per_block=pages, read_limit=limit,
    )  # fmt: skip
    each = figure(
        "block_iops", read_disturb.block_read_iops,
        read_iops=_reads_per_s(answer),
        read_share=given("read_share", 1.0, source="definition"),
        read_blocks=figure(
            "read_blocks", flash_geometry.host_pages,
            flash_bytes=_valid_bytes(answer), unit_bytes=size,
        ),
    )  # fmt: skip
    often = figure(
        "read_rewrite_s", read_disturb.rewrite_interval_s, READ_LIMIT_GROUND,
        read_limit=limit, block_iops=each,
    )  # fmt: skip
    return added, often


def _reads_per_s(answer: Plan) -> Answer:
    """Return the host's reads of one drive that its writes and the share of reads imply."""
    workload, writes = answer.workload, member_page_writes(answer)
    if workload.read_fraction in (0, 1) or not writes.is_known:
        return unknown("member_page_reads", ())
    return figure(
        "member_page_reads", energy.member_read_iops, write_iops=writes,
        read_fraction=given("read_fraction", workload.read_fraction, source="workload"),
        reads_per_write=given("no_parity_reads", 0.0, source="definition"),
        writes_per_write=given("one", 1.0, source="definition"),
    )  # fmt: skip


def member_page_writes(answer: Plan) -> Answer:
    """Return the writes per second of the workload that reach one drive; unknown where none do."""
    rate = answer.reading["member_bytes_per_s"]
    if rate.is_known and rate.value == 0:
        return unknown("member_page_writes", ())
    return figure(
        "member_page_writes", queueing.iops_at_throughput, throughput_bytes_per_s=rate,
        transfer_bytes=given("transfer_bytes", answer.workload.transfer_bytes, source="workload"),
    )  # fmt: skip


def _refreshed(answer: Plan) -> Answer:
    """Return the flash writes that keep data fresh, of a drive that has power."""
    return figure(
        "refresh_bytes_per_s", retention.refresh_bytes_per_s, REFRESH_GROUND,
        valid_bytes=_valid_bytes(answer),
        refresh_s=given("refresh_s", REFRESH_S, source="assumption", note=REFRESH_GROUND),
    )  # fmt: skip


def _valid_bytes(answer: Plan) -> Answer:
    """Return the data on one drive."""
    share = answer.partition_fraction * answer.workload.fill_fraction
    return figure(
        "valid_bytes", spare_area.partition_bytes, user_bytes=stated(answer.drive, "user_bytes"),
        partition_fraction=given("held_fraction", share, source="workload"),
    )  # fmt: skip
