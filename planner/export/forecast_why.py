"""Evidence of each sentence and number of a forecast, and what would narrow it."""

import math
from collections.abc import Iterator

from planner.export.forecast_screen import (
    narrower,
    rate_text,
    sentences,
    size_text,
    span,
    warranty_left_s,
)
from planner.export.telemetry_tables import duration, moment
from planner.forecast import COVERAGE, Forecast, Interval, RemainingWrites
from planner.forecast.answer import SURE
from planner.search.verdict.words import capital, percent

# Each sentence of the screen, with the numbers of JSON that it contains.
TOPICS = {
    "left": ("rating", "worn_share", "points_used"),
    "rate": ("host_bytes_per_s", "points_per_year", "clock", "readings", "weeks"),
    "lasts": ("early_s", "middle_s", "late_s", "open", "steady", "label", "dates"),
    "warranty": ("warranty_s",),
    "wa": (),
}
_PAST = "nothing, its rated life is used up"
_RATING = "--drive NAME, whose rated TBW and warranty are in the catalogue"


def topic_of(name: str) -> str | None:
    """Name the sentence that a name or a number of JSON belongs to.

    >>> topic_of("Lasts"), topic_of("middle_s"), topic_of("safe")
    ('lasts', 'lasts', None)
    """
    asked = name.lower()
    return next((topic for topic, keys in TOPICS.items() if asked in (topic, *keys)), None)


def forecast_why(answer: Forecast, topic: str) -> list[str]:
    """List a sentence of a forecast and its evidence; the last line names what narrows it."""
    steps = {"left": _left, "rate": _rate, "lasts": _lasts, "warranty": _warranty, "wa": _wa}
    known = sentences(answer)
    first = [known[topic]] if topic in known else []
    return [*first, *(f"  {line}" for line in steps[topic](answer)),
            f"  Narrower with: {_narrower(answer, topic)}."]  # fmt: skip


def _left(answer: Forecast) -> Iterator[str]:
    rating = answer.rating
    if rating is not None and rating.rated_bytes is not None and rating.written_bytes is not None:
        rated, written = size_text(rating.rated_bytes), size_text(rating.written_bytes)
        left = _size(rating.left_bytes or 0.0)
        yield f"Rated TBW {rated} (catalogue, {rating.drive}) less {written} written: {left}."
    for each in answer.left:
        yield f"{_named(each)} {_bytes(each)} of host writes; field: {each.field}."
    if answer.worn_share is not None:
        yield f"Wear indicator: {percent(answer.worn_share)} of the rated life used."
    yield from map(capital, answer.disagreements)


def _rate(answer: Forecast) -> Iterator[str]:
    clock = "hours under power" if answer.clock == "power-on" else "calendar time"
    if math.isnan(answer.host_bytes_per_s):
        yield "No reading states host writes: wear per time is carried on."
    elif answer.readings == 1:
        yield f"{rate_text(answer.host_bytes_per_s)}: all host writes over {clock}, one reading."
    else:
        yield (
            f"{rate_text(answer.host_bytes_per_s)}: host writes between {answer.readings} readings "
            f"of {answer.weeks:,} weeks."
        )
    if answer.points_per_year is not None:
        yield f"Wear: {answer.points_per_year:.3g} % of the rated life a year."


def _lasts(answer: Forecast) -> Iterator[str]:
    rate = answer.host_bytes_per_s
    if answer.is_past:
        yield from _left(answer)
        return
    for each in answer.left:
        ends = (each.low_bytes / rate, each.high_bytes / rate)
        yield f"{_named(each)} {_bytes(each)} at {rate_text(rate)}: {span(*ends)}."
    if len(answer.left) > 1:
        yield f"The dates are those of the {answer.left[0].kind}."
    yield from map(capital, answer.disagreements)
    kind = f"{100 * COVERAGE:.0f} % of such drives" if answer.label == SURE else answer.label
    yield f"Range ({kind}): {_interval(answer)}."
    if answer.steady is not None:
        yield f"If the workload does not change: {_interval(answer.steady)}."
    yield from answer.notes


def _warranty(answer: Forecast) -> Iterator[str]:
    rating = answer.rating
    if rating is None or rating.warranty_s is None:
        return
    yield f"Warranty {span(rating.warranty_s, rating.warranty_s)}: catalogue, {rating.drive}."
    if rating.in_service_s is not None:
        yield f"In service since {moment(rating.in_service_s)}, as stated by --since."
    elif rating.least_age_s:
        yield f"Under power for {duration(rating.least_age_s)} so far, a lower bound of its age."


def _wa(answer: Forecast) -> Iterator[str]:
    if answer.wa is None:
        yield "Write amplification is not known: no reading states flash writes."
        return
    of = "the whole life" if answer.readings == 1 else "the time between the readings"
    yield f"Write amplification {answer.wa:.3g}: flash writes over host writes, of {of}."


def _narrower(answer: Forecast, topic: str) -> str:
    if answer.is_past:
        return _PAST
    if answer.rating is None and topic in ("left", "warranty"):
        return _RATING
    if topic == "warranty":
        is_dated = warranty_left_s(answer) is not None
        return "nothing, both dates are known" if is_dated else "--since DATE, when its use began"
    if topic == "wa" and answer.wa is None:
        return "a log with flash writes, such as the OCP log"
    return narrower(answer) or "nothing, the readings suffice"


def _named(left: RemainingWrites) -> str:
    return f"{left.kind[:1].upper()}{left.kind[1:]} leaves"


def _bytes(left: RemainingWrites) -> str:
    """Write the bytes that one kind of evidence leaves, with their range."""
    low, high = _size(left.low_bytes), _size(left.high_bytes)
    if left.value_bytes is None or math.isinf(left.value_bytes):
        return f"at least {low}"
    value = _size(left.value_bytes)
    return value if low == high else f"{value} ({low} to {high})"


def _size(size_bytes: float) -> str:
    if math.isinf(size_bytes):
        return "no limit"
    return size_text(size_bytes) if size_bytes > 0 else "nothing"


def _interval(ends: Forecast | Interval) -> str:
    middle = "" if ends.middle_s is None else f", middle {duration(ends.middle_s)}"
    return f"{duration(ends.early_s)} to {duration(ends.late_s)}{middle}"
