"""The next change: one step, with its effect, that turns the first No into a Yes."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace

from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue.drive import Drive
from planner.catalogue.prices import basis_of
from planner.quantity.keep import Place
from planner.quantity.rates import a_day_unit
from planner.quantity.show import text
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.scenario.situation import Power, Sync
from planner.search.verdict.alike import MARGIN, stand_ins
from planner.search.verdict.answer import Change, Sentence
from planner.search.verdict.lasts import (
    NO,
    PROBABLY,
    PROBABLY_NOT,
    RANKS,
    UNKNOWN,
    dates,
    lasts,
    used_share,
)
from planner.search.verdict.safe import (
    MOST_LOSS,
    is_overfull,
    is_power_harmless,
    is_protected,
    kept_bytes,
    loss_text,
    safe,
)
from planner.search.verdict.words import capital, percent, two
from planner.sections.data_loss import DataLoss, data_loss
from planner.sections.life import ratings_of
from planner.sections.plan import PlanReading

MOST_TRIES = 4
MOST_DRIVES = 1000
LITTLE = 0.05  # of a rating: a drive that uses less is over-bought
ENDURING = 1.0  # DWPD from which a rating costs more
LOWER = 0.7  # of a rating in DWPD, below which another class begins
NOTHING = "Nothing to change."
NO_RATING = "Enter the drive's TBW (data sheet) to get a verdict."
USED_UP = "Replace it now: its rated endurance is used up."
SMART_LOG = "Read its SMART log: the write amplification that it counts decides."
READ_AGAIN = "Read its counters again in 8 weeks: a second reading narrows the range."
PROTECTION = "Take a drive with power-loss protection (choose --plp) or add a UPS (--power ups)."
FASTER = "Choose a faster class of drive: power-loss protection is there already."
POWER_OPEN = (
    "Add a UPS (--power ups) or take drives with power-loss protection (choose --plp), unless the "
    "last seconds may be lost (--sync never)."
)
BACKUPS = "Keep a backup of each drive: every failed one loses its data."
_SAFER = {"Yes": 3, "No copy, as asked": 2, "Probably": 2, "No": 0}


def next_change(
    plan: PlanReading, loss: DataLoss, life: Sentence, wait: Sentence, safety: Sentence
) -> Change:
    """Return the first change that applies, in the order of what must hold."""
    if life.word == UNKNOWN:
        return Change(text=NO_RATING)
    if is_overfull(plan):
        room = text("host_bytes", kept_bytes(plan), digits=3)
        return Change(text=f"Keep less, or take drives with room for {room}.")
    if is_protection_lacking(plan):
        return _protected(plan, loss, safety)
    if life.word in (NO, PROBABLY_NOT):
        return _longer(plan, loss, safety)
    if safety.word == NO and not _is_safe_by_layout(plan, loss):
        return _safer(plan, loss)
    return _finer(plan, loss, life, wait, safety)


def _finer(
    plan: PlanReading, loss: DataLoss, life: Sentence, wait: Sentence, safety: Sentence
) -> Change:
    """Return the reading that decides, a faster drive, or a cheaper one; else nothing."""
    if life.word == PROBABLY:
        is_read = plan.drive.value("used_fraction") is not None
        return Change(text=READ_AGAIN if is_read else SMART_LOG)
    if wait.word == NO:
        return Change(text=FASTER) if is_protected(plan) else _protected(plan, loss, safety)
    return _cheaper(plan, loss, safety) or _nothing(plan, safety)


def is_protection_lacking(plan: PlanReading) -> bool:
    """Whether power can fail, as stated, and nothing protects writes that must survive."""
    asked = plan.situation
    can_fail = asked.power is Power.CAN_FAIL and asked.sync is not Sync.NEVER
    return can_fail and not is_protected(plan)


def extra_price(plan: PlanReading, array: Array) -> str:
    """Write the additional price of another array; nothing where no own price is known."""
    key, more = "total_price_usd", array.members - plan.array.members
    paid = plan.range_of(key)
    if paid is None or basis_of(plan.drive) == "curve":
        return ""
    low, high = (two(end * more / plan.array.members) for end in (paid.low, paid.high))
    unit = text(key, paid.high).rpartition(" ")[2]
    return f", + {low if low == high else f'{low} to {high}'} {unit}"


def _protected(plan: PlanReading, loss: DataLoss, safety: Sentence) -> Change:
    """Return a drive with power-loss protection that lasts, else the filter for one."""
    found = _stand_in(plan, loss, safety, lambda drive: drive.power_loss_protection == "yes")
    if found is not None:
        return replace(found, text=f"{found.text[:-1]}, with power-loss protection.")
    return Change(text=PROTECTION)


def _stand_in(
    plan: PlanReading, loss: DataLoss, safety: Sentence, accepts: Callable[[Drive], bool]
) -> Change | None:
    """Return the cheapest drive that lasts with a margin, and is no less safe."""
    horizon_s = loss.risk.horizon_s
    for other in stand_ins(plan, horizon_s, accepts):
        after = data_loss(other, loss.risk)
        if not _is_no_worse(loss, safety, after):
            continue
        share, name = percent(used_share(other, horizon_s)), other.drive.name
        rated = text("rated_bytes", ratings_of(other.drive)["rated_bytes"].value, digits=3)
        return Change(
            text=f"Take {name}: {share} of its rated {rated} used in the same time.",
            inputs={"drive": name},
        )
    return None


def _is_no_worse(before: DataLoss, safety: Sentence, after: DataLoss) -> bool:
    """Whether another drive is as safe: by its word, and by the loss of data."""
    if _SAFER[safe(after.plan, after).word] < _SAFER[safety.word]:
        return False
    old, new = (each["array_loss_probability"] for each in (before, after))
    if not new.is_known:
        return False
    return not old.is_known or new.value <= max(float(old.value), 1e-6)


def _longer(plan: PlanReading, loss: DataLoss, safety: Sentence) -> Change:
    """Return the drive that would last, more drives, or the writes that these drives bear."""
    found = _stand_in(plan, loss, safety, lambda _: True)
    if dates(plan).is_past:
        return replace(
            found or Change(text=""), text=" ".join([USED_UP, *([found.text] if found else [])])
        )
    if found is None:
        found = _more_drives(plan, loss.risk)
    most = _most_writes(plan, loss.risk.horizon_s)
    if found is not None:
        either = f" Or {most.text}." if most else ""
        return replace(found, text=f"{found.text}{either}")
    none = f"No drive of its class lasts with {percent(1 - MARGIN)} margin."
    if most is None:
        return Change(text=f"{none} See other classes with `choose`.")
    return replace(most, text=f"{none} {capital(most.text)}, or see `choose`.")


def _more_drives(plan: PlanReading, risk: Risk) -> Change | None:
    """Return the fewest drives that share the writes so that each lasts, if they are safe."""
    array = _enlarged(plan, risk.horizon_s)
    if array is None or not array.tolerated_failures:
        return None
    other = plan.again(array=array)
    if safe(other, data_loss(other, risk)).word == NO:
        return None
    return Change(
        text=f"Take {array.members} drives{extra_price(plan, array)}.",
        inputs={"drives": f"{array.members}"},
    )


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
    """Return the writes under which the drives last with the margin."""
    ends, other = dates(plan), plan
    if ends.printed is None:
        return None
    rate = float(plan.workload.host_bytes_per_s)
    for _ in range(MOST_TRIES):
        ends = dates(other)
        parts = [MARGIN * ends.printed.low] if ends.printed else []
        parts += [ends.own_wear.low] if ends.own_wear else []
        first_s = min(parts, default=0.0)
        if not 0 < first_s < math.inf:
            return None
        fewer = min(rate * first_s / horizon_s, 0.99 * rate)
        unit = (plan.workload.writes_unit or a_day_unit(fewer)).fitting(fewer)
        rate = _round_down(fewer / unit.size) * unit.size
        other = plan.again(workload=replace(plan.workload, host_bytes_per_s=rate))
        if lasts(other, horizon_s).holds and used_share(other, horizon_s) <= MARGIN:
            written = unit.written(rate)
            limit = f"flash wear-out after {horizon_s / YEAR_S:.3g} years"
            by = f"{percent(MARGIN)} of the rating" if first_s == parts[0] else limit
            return Change(text=f"write at most {written} ({by})", inputs={"writes": written})
    return None


def _round_down(value: float) -> float:
    """Round down to two digits.

    >>> _round_down(306.9), _round_down(2.57)
    (300.0, 2.5)
    """
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.floor(value / step) * step:.10g}")


def _is_safe_by_layout(plan: PlanReading, loss: DataLoss) -> bool:
    """Whether only a loss of power makes the plan unsafe."""
    lost, array = loss["array_loss_probability"], plan.array
    is_rebuilt = array.nodes is None or array.reserve_nodes > 0
    is_rare = lost.is_known and lost.value <= MOST_LOSS
    return array.tolerated_failures > 0 and is_rebuilt and is_rare


def _safer(plan: PlanReading, loss: DataLoss) -> Change:
    """Return the layout with the fewest drives that last and lose little, of as much capacity."""
    if plan.situation.place is Place.FLEET:
        return Change(text=BACKUPS)
    if plan.array.nodes is not None:
        return _one_host_more(plan)
    best: tuple[float, DataLoss] | None = None
    for other in _lasting_layouts(plan, loss.risk.horizon_s):
        left = data_loss(other, loss.risk)
        if not left["array_loss_probability"].is_known:
            continue
        probability = float(left["array_loss_probability"].value)
        if best is None or probability < best[0]:
            best = probability, left
        if probability <= MOST_LOSS:
            break
    if best is None:
        return Change(text="Replace the drives before they wear out: take a higher rating.")
    array = best[1].plan.array
    inputs = {"drives": f"{array.members}", "raid": array.written}
    layout = "Mirror it" if array.members == 2 else f"Take {array.members} drives in {array.name}"
    odds = f"loss {loss_text(best[1])}{extra_price(plan, array)}"
    return Change(text=f"{layout}: {odds}. Keep a backup as well.", inputs=inputs)


def _one_host_more(plan: PlanReading) -> Change:
    """Return the same copies on one host more, on which a lost one is rebuilt."""
    array = plan.array
    hosts = (array.nodes or 0) + 1
    copies = array.name.partition(" on ")[0]
    drives = array.members // (array.nodes or 1) * hosts
    return Change(
        text=f"Add a host: with {hosts}, a lost one can be rebuilt.",
        inputs={"keep": f"{copies} on {hosts} hosts", "drives": f"{drives}"},
    )


def _lasting_layouts(plan: PlanReading, horizon_s: float) -> Iterator[PlanReading]:
    """Plan safer layouts that last, fewest drives first; each only when it is asked for.

    Parity writes more, which more drives share where they must.
    """
    least, larger = RANKS[lasts(plan, horizon_s).word], list[Array]()
    for array in _layouts(plan.array):
        fewer = [each for each in larger if each.members <= array.members]
        larger = [each for each in larger if each.members > array.members]
        yield from (plan.again(array=each) for each in fewer)
        other = plan.again(array=array)
        if RANKS[lasts(other, horizon_s).word] >= least:
            yield other
        elif (more := _enlarged(other, horizon_s)) is not None:
            larger = sorted([*larger, more], key=lambda each: each.members)
    yield from (plan.again(array=each) for each in larger)


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


def _cheaper(plan: PlanReading, loss: DataLoss, safety: Sentence) -> Change | None:
    """Return a drive of a lower endurance class where the planned one is hardly used."""
    horizon_s = loss.risk.horizon_s
    rated, price = ratings_of(plan.drive)["rated_dwpd"], plan.range_of("total_price_usd")
    if not rated.is_known or rated.value < ENDURING or price is None:
        return None
    if not 0 < used_share(plan, horizon_s) < LITTLE:
        return None

    def is_lower(drive: Drive) -> bool:
        own = ratings_of(drive)["rated_dwpd"]
        return bool(own.is_known and own.value < LOWER * float(rated.value))

    for other in stand_ins(plan, horizon_s, is_lower):
        paid = other.range_of("total_price_usd")
        is_no_worse = _is_no_worse(loss, safety, data_loss(other, loss.risk))
        if paid is not None and paid.typical < price.typical and is_no_worse:
            share, name = percent(used_share(other, horizon_s)), other.drive.name
            return Change(
                text=f"A lower endurance class suffices: {name}, {share} of its rating used.",
                inputs={"drive": name},
            )
    return None


def _nothing(plan: PlanReading, safety: Sentence) -> Change:
    is_open = safety.word == PROBABLY and not is_power_harmless(plan)
    return Change(text=POWER_OPEN if is_open else NOTHING)
