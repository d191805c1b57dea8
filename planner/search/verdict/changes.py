"""The next change: the cheapest one that turns a No into a Yes."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace

from models.errors import DomainError
from models.units import DAY_S
from planner.catalogue import load
from planner.catalogue.drive import RECALLED, Drive
from planner.catalogue.prices import basis_of
from planner.catalogue.priors import with_assumptions
from planner.quantity.show import text, writes_text
from planner.scenario.array import Array, RaidLevel
from planner.scenario.growth import written_bytes
from planner.scenario.risk import Risk
from planner.search.verdict.answer import Change, Sentence
from planner.search.verdict.sentences import MOST_LOSS, dates, lasts
from planner.search.verdict.words import capital, chance, ranged, years
from planner.sections.data_loss import DataLoss, data_loss
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range

MORE_SPARE = 0.07
NEWEST_FIRST = 2018  # drives launched before it are hard to buy
AS_LARGE = 1.15  # a drive of the same size has up to so much more
MOST_TRIES = 4
MOST_DRIVES = 1000


def next_change(
    plan: PlanReading,
    loss: DataLoss,
    life: Sentence,
    safety: Sentence,
    tried: Mapping[Array, DataLoss],
) -> Change:
    """Return the change that turns the first No into a Yes; else the one that extends life most.

    What is `tried` already is not planned again.
    """
    risk = loss.risk
    if not life.holds:
        return _longer(plan, risk.horizon_s)
    if not safety.holds:
        return _safer(plan, risk, tried)
    return _further(plan)


def mirror(plan: PlanReading, risk: Risk) -> tuple[Array, DataLoss]:
    """Return the mirror of a single drive, and what it leaves of the loss."""
    array = Array(members=2, level=RaidLevel.RAID1)
    return array, data_loss(plan.again(array=array), risk)


def extra_price(plan: PlanReading, array: Array) -> str:
    """Write what an array costs more than the one that is planned; nothing where unknown."""
    key, more = "total_price_usd", array.members - plan.array.members
    paid = plan.range_of(key)
    if paid is None or basis_of(plan.drive) == "class":
        return ""
    low, typical, high = (end * more / plan.array.members for end in paid[:3])
    return f", + {ranged(key, Range(low, typical, high, paid.basis))}"


def _longer(plan: PlanReading, horizon_s: float) -> Change:
    """Return the drive that would last, more drives, or the writes that these drives bear."""
    most = _most_writes(plan, horizon_s)
    for change in (_rated_drive(plan, horizon_s), _more_drives(plan, horizon_s)):
        if change is not None:
            either = f", or {most.text}" if most else ""
            return replace(change, text=f"{capital(change.text)}{either}.")
    if most is None and dates(plan).is_past:
        return Change(text="Replace it: of its rated life nothing is left.")
    if most is None:
        return Change(text="State a rating of the drive: without one nothing can be promised.")
    return replace(most, text=f"{capital(most.text)}.")


def _written(plan: PlanReading, time_s: float) -> float:
    """Return the bytes written to one drive by a time."""
    rate = plan.reading["member_bytes_per_s"].value
    return written_bytes(plan.workload, time_s, host_bytes_per_s=rate)


def _rated_drive(plan: PlanReading, horizon_s: float) -> Change | None:
    """Return the drive of the same size and interface with the least rating that is enough."""
    needed = _written(plan, horizon_s)
    fits = sorted(_alike(plan.drive, needed), key=lambda entry: entry[0])
    for rated, drive in fits[:MOST_TRIES]:
        known = with_assumptions(drive) if plan.assumed else drive
        other = plan.again(drive=known)
        if lasts(other, horizon_s).holds:
            name, written = drive.name, text("rated_bytes", rated, digits=3)
            return Change(text=f"take {name}, rated for {written}", inputs={"drive": name})
    return None


def _alike(drive: Drive, needed: float) -> Iterator[tuple[float, Drive]]:
    """List drives that could stand in its place, with a printed rating that is enough."""
    size = drive.capacity_gb
    for other in load().drives.values():
        fact, year = other.facts.get("rated_bytes"), other.launch_year or other.launch_year_recalled
        is_same_size = size <= other.capacity_gb <= AS_LARGE * size
        is_sold = year is not None and year >= NEWEST_FIRST
        if fact is None or fact.kind == RECALLED or not (is_same_size and is_sold):
            continue
        if fact.value >= needed and other.interface == drive.interface:
            yield fact.value, other


def _more_drives(plan: PlanReading, horizon_s: float) -> Change | None:
    """Return the fewest drives that share the writes so that each lasts."""
    array = _enlarged(plan, horizon_s)
    if array is None:
        return None
    text = f"take {array.members} drives{extra_price(plan, array)}"
    return Change(text=text, inputs={"drives": f"{array.members}"})


def _enlarged(plan: PlanReading, horizon_s: float) -> Array | None:
    """Return the array of the same level with the fewest more drives that last."""
    array = plan.array
    if array.level in (RaidLevel.RAID1, RaidLevel.EC, RaidLevel.DRAID):
        return None
    enough = _enough_drives(plan, horizon_s)
    if enough is None:
        return None
    step = 2 if array.level is RaidLevel.RAID10 else array.sets
    counts = range(array.members + step, enough.members, step)

    def holds(count: int) -> bool:
        other = plan.again(array=replace(array, members=count))
        return lasts(other, horizon_s).holds is True

    fewer = bisect_left(counts, True, key=holds)
    return replace(array, members=counts[fewer]) if fewer < len(counts) else enough


def _enough_drives(plan: PlanReading, horizon_s: float) -> Array | None:
    """Return an array whose drives last, by what ends them first: more than enough at times."""
    array, other = plan.array, plan
    count = array.members
    for _ in range(MOST_TRIES):
        life = dates(other)
        first_s = min((part.low for part in (life.rating, life.wear) if part), default=0.0)
        if not first_s:
            return None
        count = max(count + 1, round(count * horizon_s / first_s + 0.5))
        count += count % 2 if array.level is RaidLevel.RAID10 else -count % array.sets
        if count > MOST_DRIVES:
            return None
        other = plan.again(array=replace(array, members=count))
        if lasts(other, horizon_s).holds:
            return other.array
    return None


def _most_writes(plan: PlanReading, horizon_s: float) -> Change | None:
    """Return the writes under which the drives last: by their rating, else by cautious wear."""
    ends = dates(plan)
    sure = ends.rating or ends.wear
    if sure is None:
        return None
    first_s = min(sure.low, ends.wear.high if ends.wear else math.inf)
    if not 0 < first_s < horizon_s:
        return None
    share = _written(plan, first_s) / _written(plan, horizon_s)
    a_day = _round_down(share * float(plan.workload.host_bytes_per_s) * DAY_S)
    rate = writes_text(a_day / DAY_S)
    return Change(text=f"write at most {rate}", inputs={"writes": rate})


def _round_down(value: float) -> float:
    """Round down to two digits.

    >>> _round_down(306.9), _round_down(2.57)
    (300.0, 2.5)
    """
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.floor(value / step) * step:.10g}")


def _safer(plan: PlanReading, risk: Risk, tried: Mapping[Array, DataLoss]) -> Change:
    """Return the layout with the fewest drives that last and lose little, of as much capacity."""
    best: tuple[float, Array] | None = None
    for other in _lasting_layouts(plan, risk.horizon_s, tried):
        left = (tried.get(other.array) or data_loss(other, risk))["array_loss_probability"]
        if not left.is_known:
            continue
        probability = float(left.value)
        if best is None or probability < best[0]:
            best = probability, other.array
        if probability <= MOST_LOSS:
            break
    if best is None:
        return Change(text="Replace the drives before they are worn: buy a higher rating.")
    probability, array = best
    level = array.name if array.members > 2 else "RAID 1"
    inputs = {"drives": f"{array.members}", "raid": array.written}
    what = "mirror it" if array.members == 2 else f"{array.members} drives as {level}"
    odds = chance(probability)
    return Change(
        text=f"{capital(what)}: data loss {odds}{extra_price(plan, array)}.", inputs=inputs
    )


def _lasting_layouts(
    plan: PlanReading, horizon_s: float, tried: Mapping[Array, DataLoss]
) -> list[PlanReading]:
    """Plan safer layouts that last: parity writes more, which more drives share where they must."""
    plans = []
    for array in _layouts(plan.array):
        other = tried[array].plan if array in tried else plan.again(array=array)
        if lasts(other, horizon_s).holds:
            plans.append(other)
        elif (larger := _enlarged(other, horizon_s)) is not None:
            plans.append(plan.again(array=larger))
    return sorted(plans, key=lambda each: each.array.members)


def _layouts(array: Array) -> Iterator[Array]:
    """List safer layouts of the same data, fewest drives first."""
    data = array.working - array.parities * array.sets
    if array.level in (RaidLevel.RAID1, RaidLevel.RAID10):
        data = array.working // (2 if array.level is RaidLevel.RAID10 else array.working)
    offers = [
        (data + 1, RaidLevel.RAID5),
        (data + 2, RaidLevel.RAID6),
        (2 * data, RaidLevel.RAID10),
    ]
    if array.is_pool:
        offers = [(data + 1, RaidLevel.RAIDZ1), (data + 2, RaidLevel.RAIDZ2),
                  (data + 3, RaidLevel.RAIDZ3)]  # fmt: skip
    elif data == 1:
        offers = [(2, RaidLevel.RAID1), (3, RaidLevel.RAID1)]
    for members, level in sorted(offers, key=lambda offer: offer[0]):
        try:
            new = Array(members=members, level=level, record_bytes=array.record_bytes)
        except DomainError:
            continue
        if new.tolerated_failures > array.tolerated_failures or level is RaidLevel.RAID10:
            yield new


def _further(plan: PlanReading) -> Change:
    """Say that nothing has to change, and what spare area would add to the life of the flash."""
    before = dates(plan).wear
    partition = plan.partition_fraction * (1 - MORE_SPARE)
    after = dates(plan.again(partition_fraction=partition)).wear
    statement = "Nothing has to change."
    if before is None or after is None or after.low <= before.low * 1.01:
        return Change(text=statement)
    spare = text("spare_fraction", 1 - partition, digits=2)
    return Change(
        text=f"{statement} With {spare} left unpartitioned the flash is worn in {years(after)}.",
        inputs={"spare": spare.replace(" ", "")},
    )
