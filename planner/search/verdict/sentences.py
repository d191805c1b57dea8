"""One sentence for each question that a buyer asks."""

import math
from dataclasses import dataclass, replace

from planner.catalogue.prices import basis_of, priced_text
from planner.catalogue.priors_kind import is_written_in_place, kind_text
from planner.quantity.show import text
from planner.scenario.array import Array, RaidLevel
from planner.search.verdict.answer import Sentence
from planner.search.verdict.words import capital, chance, join, ranged, unknown_facts, years
from planner.sections.data_loss import DataLoss
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.used import counted_from

ROUND_OFF = 1.005  # as three digits are printed
MOST_LOSS = 1e-3  # of losing data within the years: what buyers of arrays accept
_IDLE = "Nothing is written"
RATING = {"rated_bytes", "rated_dwpd"}
WEAR = ("wear_life_s", "low_wear_life_s", "typical_wear_life_s", "high_wear_life_s")


@dataclass(frozen=True, slots=True)
class EnduranceDates:
    """What ends a drive: its rating, the wear of its flash, its warranty.

    `haste` is how many times as fast the workload uses up the rating as the writes of the rating
    would: 1, or more where these are larger. A rating is never lengthened. `is_worn_by_rating`
    where the wear is told by the rating alone, as of what is written in place.
    """

    rating: Range | None
    wear: Range | None
    warranty: Range | None
    haste: float = 1.0
    is_worn_by_rating: bool = False

    @property
    def is_rating_assumed(self) -> bool:
        """Whether a rating as drives of the kind have stands in for one that is not printed."""
        return self.rating is not None and self.rating.basis == "prior"

    @property
    def is_past(self) -> bool:
        """Whether nothing is left of the rating, or of the flash, whatever is assumed."""
        return any(part.high == 0 for part in self._printed_or_worn)

    @property
    def _printed_or_worn(self) -> list[Range]:
        """Limits that may say No: a rating that is assumed may not, nor a wear that it tells."""
        rating = None if self.is_rating_assumed else self.rating
        wear = None if self.is_rating_assumed and self.is_worn_by_rating else self.wear
        return [part for part in (rating, wear) if part is not None]

    def holds(self, horizon_s: float) -> bool | None:
        """Test if rating and wear cover a time; None where it is uncertain."""
        known = [part for part in (self.rating, self.wear) if part is not None]
        if any(part.high < horizon_s for part in self._printed_or_worn):
            return False
        if not known or any(part.high < horizon_s for part in known):
            return None
        if self.rating is not None and self.rating.low >= horizon_s:
            return True  # the vendor stands for it, however wide the modelled wear is
        return True if all(part.low >= horizon_s for part in known) else None


def dates(plan: PlanReading) -> EnduranceDates:
    """Return the dates of a plan as ranges; those that are not known are None."""
    ranges = plan.ranges
    wear = ranges.get("wear_life_s")
    warranty = ranges.get("warranty_left_s", ranges.get("warranty_s"))
    printed, converted = ranges.get("printed_life_s"), ranges.get("rated_life_s")
    behind = {item.quantity for item in plan.behind(plan.reading["wear_life_s"])}
    ends = EnduranceDates(printed, wear, warranty, is_worn_by_rating=not behind.isdisjoint(RATING))
    if printed is None or converted is None or converted.typical == 0:
        return ends
    haste = printed.typical / converted.typical
    if not haste > ROUND_OFF:  # nor where both are without end
        return ends
    return replace(ends, rating=converted._replace(basis=printed.basis), haste=haste)


def lasts(plan: PlanReading, horizon_s: float) -> Sentence:
    """Answer if the drives last to the horizon, and name the first limit."""
    ends = dates(plan)
    holds = ends.holds(horizon_s)
    is_by_wear = holds is False and ends.is_rating_assumed
    if ends.is_past:
        parts = [_past(plan)]
    else:
        rated, worn = _printed(plan, ends, horizon_s), _worn(plan, ends)
        first, second = (worn, rated) if is_by_wear else (rated, worn)
        parts = [_yes(holds, ends, horizon_s), _counted(plan, first), second]
    rating = "rated_life_s" if ends.haste > 1 else "printed_life_s"
    behind = plan.behind(*(plan.reading[key] for key in (rating, *WEAR)))
    return Sentence(
        "Lasts",
        " ".join(part for part in parts if part),
        holds,
        rating if ends.rating and not is_by_wear else "wear_life_s",
        tuple(item.reason for item in behind if item.is_range),
    )


def _yes(holds: bool | None, ends: EnduranceDates, horizon_s: float) -> str:
    if holds is None:
        either = ends.rating or ends.wear
        if either is None:
            return "Not known: neither a rating nor the flash's cycles are."
        if either.typical >= horizon_s:
            return "Probably."
        return f"Probably not{', if rated as drives of its kind are' * ends.is_rating_assumed}."
    if not holds:
        return "No."
    if ends.is_rating_assumed:
        return "Yes, if rated as drives of its kind are."
    short = ends.warranty is not None and ends.warranty.high < horizon_s
    return "Yes by wear, but not under warranty to the end." if short else "Yes."


def _past(plan: PlanReading) -> str:
    """Describe the used-up limits of a used drive."""
    used, written = (plan.drive.value(name) for name in ("used_fraction", "host_bytes"))
    statement = (
        [] if used is None else [f"{text('used_fraction', used, digits=3)} of its life is used"]
    )
    if written is not None and plan["printed_life_s"].is_known:
        rated = text("rated_bytes", plan.nodes["rated_bytes"].value, digits=3)
        amount, unit = text("host_bytes", written, digits=3).split(" ", 1)
        of = amount if rated.endswith(unit) else f"{amount} {unit}"
        statement.append(f"{of} of the rated {rated} are written")
    return f"No: past its rated life. {capital(join(statement))}."


def _counted(plan: PlanReading, statement: str) -> str:
    """Say from when times count that a used drive has left."""
    since = counted_from(plan.drive)
    return (
        f"From {since} on {statement[:1].lower()}{statement[1:]}"
        if since and statement
        else statement
    )


def _warranted(warranty: Range | None, *, is_used: bool) -> str:
    """Describe the remaining warranty."""
    if warranty is None:
        return ""
    if warranty.high == 0:
        return "the warranty is over"
    return f"the warranty {'goes on for' if is_used else 'ends after'} {years(warranty)}"


def _printed(plan: PlanReading, ends: EnduranceDates, horizon_s: float) -> str:
    """Say of rating and warranty which is first."""
    rating, warranty = ends.rating, ends.warranty
    is_used = bool(counted_from(plan.drive))
    guarantee = _warranted(warranty, is_used=is_used)
    if rating is None:
        return f"{capital(guarantee)}; a rating is not known." if guarantee else ""
    if math.isinf(rating.low):
        statement = "The rating is never used up" if plan.workload.host_bytes_per_s else _IDLE
        return f"{statement}{f'; {guarantee}' if guarantee else ''}."
    bytes_rated = text("rated_bytes", plan.nodes["rated_bytes"].value, digits=3)
    is_assumed = ends.is_rating_assumed
    name = "a rating as drives of its kind have" if is_assumed else f"the rated {bytes_rated}"
    if "printed_left_bytes" in plan.nodes:
        left = text("rated_bytes", plan.nodes["printed_left_bytes"].value, digits=3)
        name = f"what is left of {name}, {left},"
    if ends.haste > 1:
        name = f"{name.rstrip(',')}, used up {_times(ends.haste)} times as fast by these writes,"
    if rating.high < horizon_s or (warranty is not None and rating.typical < warranty.typical):
        later = f"; {guarantee}" if guarantee else ""
        return f"{capital(name)} {_is(is_assumed)} written after {years(rating)}{later}."
    if not guarantee:
        return f"{capital(name)} would take {years(rating)}."
    return f"{capital(guarantee)}; {name} would take {years(rating)}."


def _times(factor: float) -> str:
    """Write a factor to two digits.

    >>> _times(1.52), _times(4096.0)
    ('1.5', '4,100')
    """
    return f"{float(f'{factor:.2g}'):,.10g}"


def _is(is_one: bool) -> str:
    return "is" if is_one else "are"


def _worn(plan: PlanReading, ends: EnduranceDates) -> str:
    """Say when the flash is worn by the model, and why the range is wide."""
    if ends.wear is None or math.isinf(ends.wear.low):
        return ""
    why = unknown_facts(plan, *WEAR)
    how = "by its own wear indicator" if "worn_limit_bytes" in plan.nodes else "modelled"
    known = f"Flash worn in {years(ends.wear)} ({how}{f': {why}' if why else ''})"
    return f"{known}{_unevenly(plan, ends.wear)}."


def _unevenly(plan: PlanReading, even: Range) -> str:
    """Say from when on the most worn block may be at its end, nothing where that is no sooner."""
    first = plan.ranges.get("low_wear_life_s")
    if first is None or not first.low * ROUND_OFF < even.low:
        return ""
    years_from = text("wear_life_s", first.low, digits=2)
    return f", its most worn blocks from {years_from} on"


def worst(plan: PlanReading) -> Sentence:
    """Describe the longest wait of an operation."""
    key = "max_latency_s"
    part = plan.ranges.get(key)
    if part is None:
        return Sentence("Worst second", "Not known: no test under full load is at hand.", key=key)
    value = ranged(key, part)
    if part.basis == "prior" and is_written_in_place(plan.drive):
        statement = f"{value} expected of {_kind(plan)} drives; not measured for this model."
    elif part.basis == "prior":
        usual = text(key, part.typical, digits=2)
        statement = (
            f"Under full load a write may wait {value}, typically {usual}, while flash blocks are "
            "erased: by the dies, not measured for this model."
        )
    else:
        iops = text("worst_case_iops", plan["worst_case_iops"].value, digits=3)
        statement = f"{value} is the longest wait in a saturated test; {iops} are left then."
    return Sentence("Worst second", statement, None, key, _reasons(plan, key))


def safe(plan: PlanReading, loss: DataLoss, mirror: tuple[DataLoss, str] | None) -> Sentence:
    """Describe the probability of data loss, its causes, and the effect of mirroring one drive."""
    array, horizon = plan.array, text("horizon_s", loss.risk.horizon_s, digits=3)
    if not loss["array_loss_probability"].is_known:
        statement = "No: the drives wear out again and again within the time."
        return Sentence("Safe", statement, False, "array_loss_probability")
    probability = float(loss["array_loss_probability"].value)
    odds = f"{chance(probability)} in {horizon}{_without_wear(loss)}"
    holds = probability <= MOST_LOSS
    if array.tolerated_failures:
        survived = _survived(array)
        by = f", mostly by {_cause(loss)}" if not holds else ""
        statement = f"{'Yes' if holds else 'No'}: {survived}; data loss {odds}{by}."
    elif array.members == 1:
        statement = f"One drive: any failure loses all ({odds})."
    else:
        statement = f"No: any failure of {array.members} drives loses all ({odds})."
    if mirror is not None:
        mirrored, price = mirror
        statement += f" A mirror: {chance(float(mirrored['array_loss_probability'].value))}{price}."
    return Sentence("Safe", statement, holds, "array_loss_probability", loss.notes)


def _without_wear(loss: DataLoss) -> str:
    """Say from when on a drive counts as worn out, and what is left without that, where it decides.

    A drive past its rating need not fail; nobody says how likely it does.
    """
    worn_out = float(loss["array_wear_out_loss_probability"].value)
    failed = float(loss["array_failed_loss_probability"].value)
    if loss.plan.array.tolerated_failures or not worn_out > failed:
        return ""
    worn = text("wear_life_s", loss["wear_out_life_s"].value, digits=2)
    return (
        f", if a drive fails once its rating or its flash is used up, after {worn}; "
        f"{chance(failed)} by other failures"
    )


def _survived(array: Array) -> str:
    failures = array.tolerated_failures
    of = "" if array.groups == 1 else " of each group"
    name = "a mirror" if array.level is RaidLevel.RAID1 else array.name
    return f"{name} survives {failures} failed drive{'s' if failures > 1 else ''}{of}"


def _cause(loss: DataLoss) -> str:
    parts = {
        "drives that fail before a rebuild ends": loss["array_failed_loss_probability"],
        "sectors that cannot be read during a rebuild": loss["array_unreadable_loss_probability"],
        "drives that wear out together": loss["array_wear_out_loss_probability"],
    }
    return max(parts, key=lambda name: float(parts[name].value))


def cost(plan: PlanReading) -> Sentence:
    """Describe the cost of the drives, in total and per usable byte."""
    key = "total_price_usd"
    part, each = plan.ranges.get(key), plan.ranges.get("price_per_usable_byte")
    if part is None or each is None:
        return Sentence("Cost", "No price is known: state one.", None, key)
    total, kept = ranged(key, part), ranged("price_per_usable_byte", each)
    fact = plan.drive.facts["price_usd"]
    where = f"price: {fact.condition}" if fact.condition else "at the price given"
    if basis_of(plan.drive) == "carried":
        where = f"price: {priced_text(plan.drive)}"
    elif part.basis == "prior":
        where = f"no price of this drive is known; {_kind(plan)} drives cost that"
    per = kept.removesuffix("/TB") + " per TB kept"
    return Sentence("Cost", f"{total}; {per} ({where}).", None, key, _reasons(plan, key))


def _reasons(plan: PlanReading, key: str) -> tuple[str, ...]:
    items = plan.behind(plan.reading[key])
    return tuple(item.reason for item in items if item.is_range)


def _kind(plan: PlanReading) -> str:
    return kind_text(plan.drive).replace(",", "")
