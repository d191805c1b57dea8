"""Does the plan last: rating, flash wear-out and warranty against the years asked."""

import math
from dataclasses import dataclass, replace

from models.units import YEAR_S
from planner.quantity.show import text
from planner.scenario.growth import written_bytes
from planner.search.verdict.answer import Sentence
from planner.search.verdict.words import capital, over, percent, percents, two, years
from planner.sections.life import HASTE
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.rating import rating_pair, words_of
from planner.sections.used import counted_from

ROUNDING = 1e-9  # of lives that end at the horizon itself
RATING = {"rated_bytes", "rated_dwpd"}
WEAR = ("wear_life_s", "low_wear_life_s", "typical_wear_life_s", "high_wear_life_s")
YES, YES_BUT, PROBABLY, PROBABLY_NOT, NO, UNKNOWN = (
    "Yes", "Yes, but", "Probably", "Probably not", "No", "Unknown",
)  # fmt: skip
RANKS = {NO: 0, PROBABLY_NOT: 1, UNKNOWN: 1, PROBABLY: 2, YES_BUT: 3, YES: 4}
_HOLDS = {YES: True, YES_BUT: True, NO: False}
FAR = 4.0  # times the years asked
NO_RATING = "No rating of this model is known"
NO_ENDURANCE = (
    "Unknown: neither a rating nor P/E cycles are known. Enter the TBW of the data sheet."
)


@dataclass(frozen=True, slots=True)
class EnduranceDates:
    """Ends of a drive: its rating, its flash wear-out, its warranty.

    `haste` is how many times as fast the workload uses up the rating as the writes of the rating
    would: 1, or more where these are larger. A rating is never lengthened. `is_worn_by_rating`
    where the wear is told by the rating alone, as of media that are written in place.
    """

    rating: Range | None
    wear: Range | None
    warranty: Range | None
    haste: float = 1.0
    is_worn_by_rating: bool = False

    @property
    def is_rating_assumed(self) -> bool:
        """Whether the rating of typical drives of the class stands in for a printed one."""
        return self.rating is not None and self.rating.basis == "prior"

    @property
    def printed(self) -> Range | None:
        """The rating, if the vendor states one."""
        return None if self.is_rating_assumed else self.rating

    @property
    def own_wear(self) -> Range | None:
        """The flash wear-out, unless an assumed rating alone tells it."""
        return None if self.is_rating_assumed and self.is_worn_by_rating else self.wear

    @property
    def is_past(self) -> bool:
        """Whether the printed rating or the flash is used up already."""
        return any(part is not None and part.typical == 0 for part in (self.printed, self.own_wear))

    def word(self, horizon_s: float) -> str:
        """Judge if the drives last to the horizon, and whether their warranty does.

        A printed rating and the low end of the wear-out must both reach it for a yes; either the
        rating or the high end of the wear-out falls short for a no.
        """
        horizon_s *= 1 - ROUNDING
        printed, wear = self.printed, self.own_wear
        if any(part is not None and part.high < horizon_s for part in (printed, wear)):
            return NO
        if printed is None:
            typical = (wear or self.rating or Range(0.0, math.nan, 0.0, "")).typical
            if math.isnan(typical):
                return UNKNOWN
            return PROBABLY if typical >= horizon_s else PROBABLY_NOT
        if printed.low < horizon_s or (wear is not None and wear.low < horizon_s):
            parts = [part.typical for part in (printed, wear) if part is not None]
            return PROBABLY if min(parts) >= horizon_s else PROBABLY_NOT
        return YES_BUT if self._is_warranty_short(horizon_s) else YES

    def _is_warranty_short(self, horizon_s: float) -> bool:
        """Whether a known warranty ends before."""
        warranty = self.warranty
        return warranty is not None and warranty.basis != "prior" and warranty.high < horizon_s


def dates(plan: PlanReading) -> EnduranceDates:
    """Return the dates of a plan as ranges; those that are not known are None."""
    ranges = plan.ranges
    wear = ranges.get("wear_life_s")
    warranty = ranges.get("warranty_left_s", ranges.get("warranty_s"))
    printed, converted = ranges.get("printed_life_s"), ranges.get("rated_life_s")
    if printed is not None and rating_pair(plan.drive, plan.workload) is not None:
        printed = printed._replace(basis="derived")  # flash may be assumed, both ratings are not
    behind = {item.quantity for item in plan.behind(plan.reading["wear_life_s"])}
    ends = EnduranceDates(printed, wear, warranty, is_worn_by_rating=not behind.isdisjoint(RATING))
    if printed is None or converted is None or converted.typical == 0:
        return ends
    haste = printed.typical / converted.typical
    if not haste > HASTE:  # nor where both are without end
        return ends
    return replace(ends, rating=converted._replace(basis=printed.basis), haste=haste)


def lasts(plan: PlanReading, horizon_s: float) -> Sentence:
    """Answer if the drives last to the horizon: by rating, flash wear-out and warranty.

    >>> from planner.sections.request import plan_of
    >>> print(lasts(plan_of("980 PRO 1TB", writes="800 GB/day"), 5 * YEAR_S).text)
    No. The rated 600 TB are used up after 2.1 years. Flash wear-out likely in 2.1 to 6.6 years. \
Warranty 5 years.
    """
    ends = dates(plan)
    word = NO if ends.is_past else ends.word(horizon_s)
    rating = "rated_life_s" if ends.haste > 1 else "printed_life_s"
    if word == UNKNOWN:
        statement = NO_ENDURANCE
    elif ends.is_past:
        statement = f"No: {_past(plan)}."
    else:
        parts = [_opening(word, ends), _rated(plan, ends, horizon_s), _worn(plan, ends, horizon_s)]
        parts += [] if word == YES_BUT else [_warranty(plan, ends.warranty)]
        statement = ". ".join(part for part in parts if part) + "."
    known = {rating: ends.rating, "wear_life_s": ends.wear, "warranty_s": ends.warranty}
    behind = plan.behind(*(plan.reading[key] for key in (rating, *WEAR)))
    by_wear = ends.printed is None or ends.printed.low >= horizon_s
    return Sentence(
        "Lasts",
        statement,
        _HOLDS.get(word),
        "wear_life_s" if by_wear and ends.wear else rating,
        tuple(item.reason for item in behind if item.is_range),
        word=word,
        numbers={key: part for key, part in known.items() if part is not None},
    )


def _opening(word: str, ends: EnduranceDates) -> str:
    if word == YES_BUT and ends.warranty is not None:
        over = ends.warranty.high == 0
        return "Yes, but out of warranty" + ("" if over else f" after {years(ends.warranty)}")
    return word


def _past(plan: PlanReading) -> str:
    """Describe the used-up rating or wear indicator of a used drive."""
    used, written = (plan.drive.value(name) for name in ("used_fraction", "host_bytes"))
    is_by_wear = used is not None and used >= 1
    if not is_by_wear and written is not None and plan["printed_life_s"].is_known:
        rated = float(plan.nodes["rated_bytes"].value)
        shares = f"{percent(written / rated)} of the rated {_bytes(rated)}"
        return f"{_bytes(written)} written, {shares}"
    return f"its wear indicator says that {percent(used or 1.0)} of its life is used"


def _rated(plan: PlanReading, ends: EnduranceDates, horizon_s: float) -> str:
    """Describe the rating by its used share, or by the time until it is used up."""
    rating = ends.rating
    if rating is None:
        return NO_RATING
    rated = _bytes(float(plan.nodes["rated_bytes"].value))
    if ends.is_rating_assumed:
        name = _unrated(plan, rated)
        early = rating.high < horizon_s
        return f"{name}, used up after {years(rating)}" if early else name
    name, more = (
        f"the rated {rated}{_of_workload(plan)}",
        " more" if counted_from(plan.drive) else "",
    )
    if "printed_left_bytes" in plan.nodes:
        name = f"the {_bytes(float(plan.nodes['printed_left_bytes'].value))} left of {name}"
    if math.isinf(rating.low):
        return f"Nothing{more} is written, and none of {name} is used"
    fast = f", {two(ends.haste)} times as fast with {_size(plan)} writes" if ends.haste > 1 else ""
    if rating.high < horizon_s:
        return f"{capital(name)} are used up after {years(rating)}" + fast
    span = _horizon(horizon_s)
    shares = percent(_share(plan, rating.typical, horizon_s))
    if rating.is_wide:
        ends_of = (_share(plan, end, horizon_s) for end in (rating.high, rating.low))
        shares = percents(*ends_of)
    return f"{span}{more} of writes use {shares} of " + name + fast


def _unrated(plan: PlanReading, rated: str) -> str:
    """Say that there is no whole rating, and of what drives the one is that is assumed."""
    facts = [plan.drive.facts.get(name) for name in ("rated_bytes", "rated_dwpd")]
    kinds = {fact.kind for fact in facts if fact is not None}
    if "estimate" in kinds:
        return f"No rating of this size is known, other sizes of the model have {rated}"
    if kinds <= {"assumption"}:
        return f"{NO_RATING}, typical drives of its class have {rated}"
    left = plan.nodes.get("printed_left_bytes")
    of_it = "" if left is None else f", of which {_bytes(float(left.value))} are left"
    daily = f"{plan.drive.value('rated_dwpd'):.3g} DWPD"
    return f"Its rating of {daily} states no period: over five years it is {rated}{of_it}"


def _of_workload(plan: PlanReading) -> str:
    """Name the rating in use of a drive that is rated for several workloads."""
    pair = rating_pair(plan.drive, plan.workload)
    if pair is None or plan.rating_wa is not None:
        return ""
    used = float(plan.nodes["rated_bytes"].value)
    for rated in pair:
        if rated is not None and math.isclose(used, rated.limit_bytes or 0.0, rel_tol=ROUNDING):
            return f" ({words_of(rated)})"
    harder, milder = map(words_of, filter(None, pair))
    return f" (between {harder} and {milder})"


def used_share(plan: PlanReading, horizon_s: float) -> float:
    """Return the share of the printed rating that is used within a time; infinite without one."""
    printed = dates(plan).printed
    return math.inf if printed is None else _share(plan, printed.low, horizon_s)


def _share(plan: PlanReading, end_s: float, horizon_s: float) -> float:
    """Return the share of a rating that is used at the horizon; all of it is at another time."""
    if math.isinf(end_s):
        return 0.0
    end = written_to(plan, end_s)
    return written_to(plan, horizon_s) / end if end else math.inf


def written_to(plan: PlanReading, time_s: float) -> float:
    """Return the bytes written to one drive by a time."""
    rate = plan.reading["member_bytes_per_s"].value
    return float(written_bytes(plan.workload, time_s, host_bytes_per_s=rate))


def _worn(plan: PlanReading, ends: EnduranceDates, horizon_s: float) -> str:
    """Describe the likely time of flash wear-out; nothing where an assumed rating tells it.

    A range that begins long after the years asked decides nothing: its low end is enough.
    """
    wear = ends.own_wear
    if wear is None or math.isinf(wear.low):
        return ""
    by = " by its wear indicator" if "worn_limit_bytes" in plan.nodes else ""
    likely = " likely" if wear.is_wide else ""
    if wear.is_wide and wear.low >= FAR * horizon_s:
        return f"Flash wear-out{by}{likely} after more than {over(wear.low / YEAR_S)} years"
    return f"Flash wear-out{by}{likely} in {years(wear)}"


def _warranty(plan: PlanReading, warranty: Range | None) -> str:
    if warranty is None:
        return "Warranty not stated"
    if warranty.high == 0:
        return "Out of warranty"
    left = " left" if counted_from(plan.drive) else ""
    known = "" if warranty.basis != "prior" else " (typical of its class)"
    return f"Warranty {years(warranty)}{left}{known}"


def _bytes(value: float) -> str:
    return text("rated_bytes", value, digits=3)


def _size(plan: PlanReading) -> str:
    return text("transfer_bytes", plan.workload.transfer_bytes)


def _horizon(horizon_s: float) -> str:
    """Write the years asked at the beginning of a sentence.

    >>> _horizon(5 * YEAR_S), _horizon(YEAR_S)
    ('5 years', '1 year')
    """
    number = f"{horizon_s / YEAR_S:.3g}"
    return f"{number} year{'' if number == '1' else 's'}"
