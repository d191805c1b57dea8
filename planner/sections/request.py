"""A plan from inputs as people write them: the one way of every face and of scripts."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypedDict

from models.calibration import IopsPoint, Point, WaPoint
from models.errors import DomainError
from models.units import MIB
from planner.catalogue import find, load
from planner.catalogue.drive import USER, Drive, own_drive, with_user_facts
from planner.catalogue.facts import gives_way
from planner.catalogue.prices import priced
from planner.catalogue.priors import Level, field_copying, with_assumptions
from planner.catalogue.priors_kind import is_written_in_place, of_kind
from planner.graph.answer import Answer
from planner.quantity.input import InputError, ValueText
from planner.quantity.inputs import DRIVE, FACTS, FLASH, INPUTS, LOAD, PLAN, RATES, renamed, stated
from planner.quantity.parse import quoted, shortened
from planner.quantity.show import text
from planner.scenario import client_workloads
from planner.scenario.array import Array
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.situation import Situation
from planner.scenario.skew import FIELD, classes_of
from planner.scenario.workload import Workload
from planner.sections import stated_writes
from planner.sections.calibration import expected_wa, is_at_rated_size, with_points
from planner.sections.kept import array_of, assumed_rate, mean_writes, situation_of
from planner.sections.plan import PlanReading, plan_drive
from planner.sections.prices import PRICED, amount, price_terms_of

LEAST_PARTITION_BYTES = 64 * MIB  # as the smallest device of a pool
SATURATED_DEPTH = 32.0  # at which worst-case IOPS are measured
_OF_FIRMWARE = ("collection", "placement", "accuracy")
_OF_WORKLOAD = tuple(
    name
    for name in LOAD
    if name not in (*_OF_FIRMWARE, "writes", "writes_between", "client", "skew", "working_set")
)
_POINTS: Mapping[str, Callable[[float, float], Point]] = {
    "measured_wa": WaPoint, "measured_iops": IopsPoint,
}  # fmt: skip
# What a fit to measured points takes together, as effective flash and base factor.
_IN_FIT = frozenset({"stripe", "entry_bytes", "base_factor", "static_cache_bytes"})
_NO_FACTS = ("kind", "stalled", "wa", *_POINTS, "rating_wa", "fact")
_FACTS = tuple(name for name in DRIVE if name not in _NO_FACTS)


class Request(TypedDict):
    """Arguments of `plan_drive`."""

    drive: Drive
    workload: Workload
    array: Array
    partition_fraction: float
    rating_wa: float | None
    firmware: Firmware
    situation: Situation


def request(drive: Drive | str | None = None, **texts: Any) -> Request:
    """Parse the arguments of `plan` from inputs by the names of `planner.quantity.inputs`.

    Values are texts with units or plain numbers; those left out are at their defaults. Without a
    drive, `capacity` and `kind` describe one of the user's own. An old price is carried to today.

    >>> asked = request("845DC PRO 400", writes="4 TB/day", drives=12, raid=5, spare=0.07)
    >>> asked["array"].name, asked["partition_fraction"]
    ('RAID 5', 0.9299999999999999)
    >>> request("845DC PRO 400", writes="4TB")
    Traceback (most recent call last):
    planner.quantity.input.InputError: writes must be a rate such as 4TB/day, 4TB in 270 days or \
4TB every 2 h, got '4TB': 4 TB by when?
    """
    texts, _ = renamed(texts, (*PLAN, *FACTS))
    for name in texts.keys() - {*PLAN, *FACTS, *PRICED}:
        raise DomainError(f"{shortened(name)} is not an input of a plan")
    texts = {name: text for name, text in texts.items() if text is not None}
    if "price" in texts and not isinstance(texts["price"], (int, float)):
        texts["price"] = amount("price", texts["price"], texts)
    firmware = firmware_of(texts)
    named = _of_kind(_named(drive, texts.get("capacity")), texts)
    described = _measured(_described(named, texts), texts, firmware)
    array, written = array_of(texts), mean_writes(texts)
    texts = dict(stated_writes.to_drives(texts, array.nodes, array.members))
    situation = replace(
        situation_of(texts),
        kept_s=stated_writes.writes_of(texts).kept_s,
        heading=assumed_rate(texts),
    )
    partition = _partition(described, texts)
    described = _filled(described, texts, partition)
    workload = workload_of(
        texts,
        capacity_bytes=described.capacity_bytes,
        dwpd_bytes=_usable_bytes(described, array, partition),
        each_bytes=described.capacity_bytes * partition,
        field_copy_ratio=_field_copies(texts, described),
    )
    if workload.measured_wa is not None:
        workload = _over_span(workload, described)
        described = _with_own_point(described, workload, firmware)
    elif is_written_in_place(described):
        workload = _without_pattern(workload)
    asked: Request = {
        "drive": described,
        "workload": workload,
        "array": array,
        "partition_fraction": partition,
        "rating_wa": stated(texts, ["rating_wa"]).get("rating_wa"),
        "firmware": firmware,
        "situation": situation,
    }
    if written is not None:
        asked["situation"] = replace(situation, heading=written.heading)
        return _to_each_drive(asked, written.bytes_per_s)
    if array.members == 1 or stated_writes.writes_of(texts).scope != "drive":
        return asked
    asked["situation"] = replace(situation, is_to_each=True)
    return _to_each_drive(asked, workload.host_bytes_per_s)


def _to_each_drive(asked: Request, bytes_per_s: float) -> Request:
    """Return the request with host writes of which each drive receives the stated rate.

    Writes to a drive are in proportion to those to the array.
    """
    workload = asked["workload"]
    at_one = asked.copy()
    at_one["workload"] = replace(workload, host_bytes_per_s=1.0)
    each = plan_drive(**at_one).reading["member_bytes_per_s"].value
    asked["workload"] = replace(workload, host_bytes_per_s=bytes_per_s / each)
    return asked


def plan_of(drive: Drive | str | None = None, **texts: Any) -> PlanReading:
    """Plan a drive from inputs as people write them.

    >>> answer = plan_of("845DC PRO 400", writes="5 TB/day")
    >>> print(f"{answer.lives.limit}: {answer.lives.years:.2f} years")
    rated TBW: 4.00 years
    """
    return plan_drive(**request(drive, **texts))


def workload_of(
    texts: Mapping[str, Any],
    *,
    capacity_bytes: float,
    dwpd_bytes: float,
    each_bytes: float | None = None,
    field_copy_ratio: float | None = None,
) -> Workload:
    """Parse the workload from texts.

    Skew is that of a drive of `capacity_bytes`; a DWPD writes `dwpd_bytes` once a day, one to each
    drive `each_bytes`; without these, writes to each drive are refused. Writes without a stated
    pattern have the GC writes of typical hosts, if that ratio is given.
    """
    skew = _given(texts, "skew")
    write_shares, page_shares = (
        skew.value if isinstance(skew, ValueText)
        else classes_of(skew, capacity_bytes=capacity_bytes)
    )  # fmt: skip
    counted_bytes = stated_writes.counted_bytes(texts, dwpd_bytes, each_bytes)
    rate = INPUTS["writes"].value(_given(texts, "writes"), capacity_bytes=counted_bytes)
    load = _like_client(
        texts.get("client"),
        Workload(
            host_bytes_per_s=rate,
            host_bytes_ratios=_ratios(texts, rate, counted_bytes),
            write_shares=write_shares,
            page_shares=page_shares,
            working_set_fraction=_working_set(texts, dwpd_bytes),
            writes_read_as=stated_writes.read_as(texts, counted_bytes),
            writes_typed=stated_writes.typed(texts),
            writes_unit=stated_writes.unit_of(texts, counted_bytes),
            **stated(texts, (*_OF_WORKLOAD, "wa")) | stated_writes.hints(texts),
        ),
    )
    is_of_field = load.is_undescribed and INPUTS["skew"].value(skew) == FIELD
    return replace(load, field_copy_ratio=field_copy_ratio) if is_of_field else load


def _working_set(texts: Mapping[str, Any], usable_bytes: float) -> float:
    """Return the share of the data that is overwritten; a size refers to the data that is kept."""
    fill: float = stated(texts, ["fill"])["fill_fraction"]
    row = INPUTS["working_set"]
    share: float = row.value(_given(texts, row.name), capacity_bytes=fill * usable_bytes)
    return share


def _ratios(texts: Mapping[str, Any], rate: float, dwpd_bytes: float) -> tuple[float, float]:
    """Return the ends of the writes over their typical rate, from their own input or the writes."""
    written, row = texts.get("writes_between"), INPUTS["writes_between"]
    if written in (None, ""):
        ends = stated_writes.writes_of(texts).ends(dwpd_bytes)
        return (ends[0] / rate, ends[1] / rate) if ends and rate > 0 else (1.0, 1.0)
    is_typed = not isinstance(texts.get("writes"), ValueText)
    if is_typed and stated_writes.writes_of(texts).scope == "drive":
        raise InputError(row, "is of all drives and cannot be beside writes per drive")
    low, high = row.value(written, capacity_bytes=dwpd_bytes)
    if not (rate > 0 and low <= rate <= high):
        typical = text("host_bytes_per_s", rate)
        raise InputError(row, f"must hold the writes, {typical} and not 0, got {quoted(written)}")
    return low / rate, high / rate


def firmware_of(texts: Mapping[str, Any]) -> Firmware:
    """Parse the firmware of the drive from texts."""
    values = stated(texts, _OF_FIRMWARE)
    return Firmware(
        policy=Policy(values["policy"]),
        layout=Layout(values["layout"]),
        accuracy=values["accuracy"],
    )


def level_of(texts: Mapping[str, Any]) -> Level | None:
    """Return the end of the ranges of assumed facts; None assumes nothing.

    >>> [level_of(said) for said in ({}, {"assumed": "true"}, {"known_only": "true"})]
    ['cautious', 'typical', None]
    """
    statement = stated(texts, ["assumed", "known_only"])
    if statement["assumed"] and statement["known_only"]:
        only = INPUTS["known_only"].option
        raise InputError(INPUTS["assumed"], f"takes typical figures where {only} takes none")
    if statement["known_only"]:
        return None
    return "typical" if statement["assumed"] else "cautious"


def _given(texts: Mapping[str, Any], name: str) -> str:
    """Return the text of an input, with its value where it holds one, or the default."""
    written = texts.get(name, INPUTS[name].default)
    return written if isinstance(written, ValueText) else str(written)


def _named(drive: Drive | str | None, capacity: object) -> Drive:
    """Return a drive of the catalogue, or one of which at most the capacity is known."""
    user_bytes = None if capacity is None else INPUTS["capacity"].value(capacity)
    if drive is None:
        return own_drive(user_bytes)
    known = find(load(), drive) if isinstance(drive, str) else drive
    return known if user_bytes is None else with_user_facts(known, user_bytes=user_bytes)


def _of_kind(drive: Drive, texts: Mapping[str, Any]) -> Drive:
    kind = stated(texts, ["kind"]).get("kind")
    if kind is None:
        return drive
    try:
        return of_kind(drive, kind)
    except DomainError as error:
        raise InputError(INPUTS["kind"], str(error).removeprefix("kind ")) from None


def _described(drive: Drive, texts: Mapping[str, Any]) -> Drive:
    """Add what the user knows of the drive, then what is assumed of the rest."""
    facts = dict(stated(texts, ["fact"]).get("fact", ()))
    for iops in stated(texts, ["member_iops"]).values():
        facts |= {"random_read_iops": iops, "steady_write_iops": iops}
    facts |= stated(texts, (*RATES, *FLASH, *_FACTS))
    if "worst_case_iops" in facts:
        facts.setdefault("saturated_queue_depth", SATURATED_DEPTH)
    drive = with_user_facts(drive, **facts)
    if _is_known_only(texts):
        return drive
    return with_assumptions(priced(drive, price_terms_of(texts)))


def _partition(drive: Drive, texts: Mapping[str, Any]) -> float:
    """Return the share of a drive that is partitioned; refuse one that no file system takes."""
    partition: float = 1 - stated(texts, ["spare"])["partition_fraction"]
    if 0 < drive.capacity_bytes * partition < LEAST_PARTITION_BYTES:  # 0 is not known
        most = 100 * (1 - LEAST_PARTITION_BYTES / drive.capacity_bytes)
        why = f"must be at most {most:.6g} % of this drive, got {quoted(texts['spare'])}"
        raise InputError(INPUTS["spare"], why)
    return partition


def _measured(drive: Drive, texts: Mapping[str, Any], firmware: Firmware) -> Drive:
    """Add what points measured on the drive say of it."""
    points, rows = [], []
    for name, of in _POINTS.items():
        row = INPUTS[name]
        found = stated(texts, [name]).get(row.field, ())
        points += [of(*written) for written in found]
        rows += [row] * bool(found)
    beside = _IN_FIT & dict(stated(texts, ["fact"]).get("fact", ())).keys()
    if points and beside:
        raise InputError(rows[0], f"fits what {min(beside)} says too: state one of the two")
    try:
        return with_points(drive, points, policy=firmware.assumed_policy)
    except DomainError as error:
        raise InputError(rows[0], str(error).partition(" ")[2]) from None


def _over_span(workload: Workload, drive: Drive) -> Workload:
    """Say that the write amplification of the workload is that of the whole capacity.

    Of a drive whose flash is unknown it is that of every spare area.
    """
    if not drive.facts.keys() & {"raw_bytes", "effective_raw_bytes"}:
        return workload
    return replace(workload, measured_span_bytes=drive.capacity_bytes * workload.fill_fraction)


def _with_own_point(drive: Drive, workload: Workload, firmware: Firmware) -> Drive:
    """Take the write amplification of uniform writes as measured on the drive, where it may be.

    One beyond what the drive may have is of other writes, which say nothing of its flash.
    """
    wa, span_bytes = workload.measured_wa, workload.measured_span_bytes
    is_uniform = len(workload.classes[0]) == 1 and not workload.trim_share
    if wa is None or span_bytes is None or not is_uniform or workload.sequential_fraction:
        return drive
    if _IN_FIT & _stated_facts(drive) or not is_at_rated_size(drive, workload.transfer_bytes):
        return drive
    usual = expected_wa(drive, span_bytes, policy=firmware.assumed_policy)
    if not usual.low <= wa <= usual.high:
        return drive
    before = () if drive.fit is None else drive.fit.points
    point = WaPoint(wa, span_bytes)
    return with_points(drive, (*before, point), policy=firmware.assumed_policy)


def _without_pattern(workload: Workload) -> Workload:
    """Return the workload without a pattern of its writes: nothing is copied, whatever it is."""
    return replace(
        workload, write_shares=(1.0,), page_shares=(1.0,), working_set_fraction=1.0, trim_share=0.0,
        field_copy_ratio=workload.field_copy_ratio or 0.0,
    )  # fmt: skip


def _stated_facts(drive: Drive) -> set[str]:
    inferred = ("assumption", "fit")
    return {name for name, fact in drive.facts.items() if fact.kind not in inferred}


def _is_known_only(texts: Mapping[str, Any]) -> bool:
    return bool(stated(texts, ["known_only"])["known_only"])


def _field_copies(texts: Mapping[str, Any], drive: Drive) -> float | None:
    """Return the GC writes of typical hosts relative to uniform ones; None where WA is measured."""
    is_measured = any(texts.get(name) not in (None, "", ()) for name in _POINTS)
    return None if is_measured or _is_known_only(texts) else field_copying(drive).typical


def _filled(drive: Drive, texts: Mapping[str, Any], partition: float) -> Drive:
    """Add the flash that is free for a dynamic write cache, where the fill is stated."""
    known = drive.facts.get("free_bytes")
    if "fill" not in texts or not gives_way(drive) or (known and known.kind == USER.source_id):
        return drive
    free = 1 - partition * stated(texts, ["fill"])["fill_fraction"]
    return with_user_facts(drive, free_bytes=free * drive.capacity_bytes) if free > 0 else drive


def _usable_bytes(drive: Drive, array: Array, partition: float) -> float:
    """Return the capacity that DWPD counts: that which the array leaves for data."""
    data = 1 - array.parities / array.stripe_members
    members = (array.working - array.spread_spares * array.sets) * data / array.copies
    return drive.capacity_bytes * partition * members


def _like_client(name: str | None, workload: Workload) -> Workload:
    """Take mix, size, sequential share and queue depth from a client workload, if one is named."""
    if name is None:
        return workload
    known = client_workloads.load().workloads
    if name not in known:
        raise InputError(INPUTS["client"], f"must be one of {', '.join(known)}, got {quoted(name)}")
    client = client_workloads.as_workload(known[name], host_bytes_per_s=workload.host_bytes_per_s)
    if isinstance(client, Answer):
        lacking = ", ".join(client.lacking)
        raise InputError(INPUTS["client"], f"{name} does not publish {lacking}")
    return replace(
        workload,
        read_fraction=client.read_fraction,
        transfer_bytes=client.transfer_bytes,
        sequential_fraction=client.sequential_fraction,
        queue_depth=client.queue_depth,
    )
