"""First screen of a forecast: rating left, time at the present rate, warranty, first end."""

import math

from models.units import DAY_S, GB, KB, MB, TB, YEAR_S
from planner.export.telemetry_tables import LONGEST_S, cycles_line, moment
from planner.forecast import Forecast
from planner.forecast.answer import SURE
from planner.forecast.evidence import HOST
from planner.search.verdict.words import percent, three, two

_MONTH_S = YEAR_S / 12
_SECOND_READING = "a second reading in 8 weeks"


def forecast_lines(answer: Forecast) -> list[str]:
    """List the lines of the first screen, the heading first."""
    known = sentences(answer)
    clock = "" if answer.is_past else _clock_line(answer)
    lines = (known["lasts"], clock, known["warranty"], cycles_line(answer))
    rest = [line for line in lines if line]
    narrowed = "" if answer.is_past else narrower(answer)
    more = f"Narrower with: {narrowed}. " if narrowed else ""
    return [known["left"], *rest, f"{more}More: --all, --why lasts, --json"]


def sentences(answer: Forecast) -> dict[str, str]:
    """Return the sentences of the first screen by what they tell.

    The rating left, the time left, and the warranty.
    """
    lasts = _past_line(answer) if answer.is_past else _rate_line(answer)
    warranty = " ".join(part for part in (_warranty(answer), _first(answer)) if part)
    return {"left": _heading(answer), "lasts": lasts, "warranty": warranty}


def narrower(answer: Forecast) -> str:
    """Name the reading that narrows the dates most; empty where none would."""
    first = _SECOND_READING if answer.readings == 1 else "; ".join(answer.better[:1])
    return (first[:1].lower() + first[1:]).partition(";")[0].rstrip(".")


def _heading(answer: Forecast) -> str:
    rating = answer.rating
    name = answer.model or "A drive of unknown model"
    if rating is not None:
        name = rating.drive
    if rating is None or rating.rated_bytes is None or rating.used_share is None:
        worn = answer.worn_share
        used = "" if worn is None else f", {percent(worn)} used by its wear indicator"
        return f"{name}: no rated TBW known{used}"
    if rating.is_past:
        used = of_rated(rating.used_share, rating.rated_bytes)
        return f"{name}: {size_text(rating.written_bytes or 0.0)} written, {used}"
    left = size_text(rating.left_bytes or 0.0).removesuffix(" TB")
    return f"{name}: rated endurance left {left} of {size_text(rating.rated_bytes)}"


def _past_line(answer: Forecast) -> str:
    worn = answer.worn_share
    used = "" if worn is None else f" Its wear indicator states {percent(worn)} used."
    return f"Retire it now: its rated life is used up, no time is left.{used}"


def _rate_line(answer: Forecast) -> str:
    """Describe the time left at the present rate, by the rating and by the first evidence."""
    parts = []
    if (seconds := rating_left_s(answer)) is not None:
        date = _date(answer, seconds)
        least = least_left_s(answer)
        parts.append(f"it lasts {span(least, seconds)} by its rating{date and f' ({date})'}")
    if (other := _by_evidence(answer)) is not None:
        parts.append(other)
    if math.isnan(answer.host_bytes_per_s):
        rate = f"{answer.points_per_year or 0.0:.2g} points of wear a year"
    else:
        rate = rate_text(answer.host_bytes_per_s)
    on = " under power" if answer.clock == "power-on" else ""
    return f"At {rate}{on} {'; '.join(parts)}."


def _by_evidence(answer: Forecast) -> str | None:
    """Describe the interval of the forecast, and its evidence."""
    word = "likely" if answer.label == SURE else "roughly"
    early, late = answer.early_s, answer.late_s
    kind = answer.left[0].kind if answer.left else "wear indicator"
    if kind == HOST:
        return None if answer.open is None else f"{word} {span(early, late)} as its writes vary"
    by_kind = f"{span(early, late)} by its {kind}"
    if rating_left_s(answer) is not None:
        return f"{word} {by_kind}"
    dates = [_date(answer, end) for end in (early, late)]
    days = f" ({' to '.join(dates)})" if all(dates) else ""
    return f"{'it likely lasts' if word == 'likely' else 'it lasts roughly'} {by_kind}{days}"


def least_left_s(answer: Forecast) -> float:
    """Return the least time until the rated TBW is used up: of a rating without a period."""
    assert answer.rating is not None  # noqa: S101 - of the caller
    return (answer.rating.least_left_bytes or 0.0) / answer.host_bytes_per_s


def rating_left_s(answer: Forecast) -> float | None:
    """Return the time until the rated TBW is used up, at the rate of the forecast."""
    rating, rate = answer.rating, answer.host_bytes_per_s
    left = None if rating is None else rating.left_bytes
    return None if left is None or not rate > 0 else left / rate


def _clock_line(answer: Forecast) -> str:
    """State that no date follows, or that times count under power."""
    if answer.read_at_s is None:
        return "The reading has no date, or its clock was not set: durations, no dates."
    if answer.clock == "power-on":
        return "Times count hours under power; --since DATE gives time by the calendar."
    return ""


def _warranty(answer: Forecast) -> str:
    rating = answer.rating
    if rating is None or rating.warranty_s is None:
        return "Warranty: not in the catalogue."
    whole = span(rating.warranty_s, rating.warranty_s)
    left = warranty_left_s(answer)
    if rating.warranty_ends_s is not None and left is not None:
        until = moment(rating.warranty_ends_s)
        return f"Warranty until {until} ({span(left, left)} after the reading)." if left > 0 else (
            f"Out of warranty since {until}."
        )  # fmt: skip
    most = rating.warranty_s - rating.least_age_s
    if most <= 0:
        return f"Out of warranty: longer under power than its {whole}."
    at_most = f", at most {span(most, most)} left" if rating.least_age_s else ""
    dated = "" if answer.read_at_s is None else " (--since DATE tells its end)"
    return f"Warranty {whole}{at_most}{dated}."


def warranty_left_s(answer: Forecast) -> float | None:
    """Return the time from the last reading to the end of the warranty, where it is dated."""
    ends = None if answer.rating is None else answer.rating.warranty_ends_s
    return None if ends is None or answer.read_at_s is None else ends - answer.read_at_s


def _first(answer: Forecast) -> str:
    """Name the end that comes first, if there are two to compare."""
    ends = {"its rating": rating_left_s(answer), "the warranty": _most_warranty_s(answer)}
    if answer.left and answer.left[0].kind != HOST:
        ends[f"its {answer.left[0].kind}"] = answer.middle_s
    known = {name: time for name, time in ends.items() if time is not None}
    if answer.is_past or len(known) < 2:
        return ""
    return f"Ends first: {min(known, key=lambda name: known[name])}."


def _most_warranty_s(answer: Forecast) -> float | None:
    """Return the time left of the warranty; undated, its upper bound if all else ends later."""
    if (left := warranty_left_s(answer)) is not None:
        return max(left, 0.0)
    rating = answer.rating
    if rating is None or rating.warranty_s is None or not rating.least_age_s:
        return None
    most = max(rating.warranty_s - rating.least_age_s, 0.0)
    others = (rating_left_s(answer), answer.middle_s)
    return most if all(other is None or other > most for other in others) else None


def _date(answer: Forecast, seconds: float) -> str:
    """Write the month of a time from the last reading; empty without a calendar."""
    if answer.read_at_s is None or answer.clock == "power-on" or seconds > LONGEST_S:
        return ""
    return moment(answer.read_at_s + seconds)[:7]


def span(low_s: float, high_s: float) -> str:
    """Write a range of times in one unit, to two digits.

    >>> span(4.2 * YEAR_S, 14 * YEAR_S), span(40 * DAY_S, 2e7)
    ('4.2 to 14 years', '1.3 to 7.6 months')
    >>> span(5 * YEAR_S, 5 * YEAR_S), span(40 * YEAR_S, math.inf)
    ('5 years', 'over 30 years')
    >>> span(9 * DAY_S, 14 * YEAR_S)
    '9 days to 14 years'
    """
    if high_s < DAY_S:
        return "less than a day"
    units = (
        ("days", DAY_S, 2 * _MONTH_S),
        ("months", _MONTH_S, YEAR_S),
        ("years", YEAR_S, math.inf),
    )
    unit, size, _ = next(one for one in units if high_s < one[2] or one[0] == "years")
    if low_s < size / 10:
        return f"{span(low_s, low_s)} to {span(high_s, high_s)}"
    most = f"over {LONGEST_S / YEAR_S:.0f}"
    ends = [most if end > LONGEST_S else two(end / size) for end in (low_s, high_s)]
    written = " to ".join(dict.fromkeys(ends))
    return f"{written} {unit[:-1] if written == '1' else unit}"


def of_rated(share: float, rated_bytes: float) -> str:
    """Write a used share of a rated TBW.

    >>> of_rated(3.69, 140e12)
    '369 % of the rated 140 TB'
    """
    return f"{percent(share)} of the rated {size_text(rated_bytes)}"


def rate_text(bytes_per_s: float) -> str:
    """Write a rate in decimal bytes a day.

    >>> rate_text(50e9 / DAY_S), rate_text(1.5e12 / DAY_S)
    ('50 GB a day', '1.5 TB a day')
    """
    return f"{size_text(bytes_per_s * DAY_S)} a day"


def size_text(size_bytes: float) -> str:
    """Write bytes in decimal units, at most in TB, as ratings are.

    >>> size_text(1176.3e12), size_text(512e9), size_text(34.4e6), size_text(0.0)
    ('1,176 TB', '512 GB', '34.4 MB', '0 kB')
    """
    units = (("TB", TB), ("GB", GB), ("MB", MB), ("kB", KB))
    unit, size = next((one for one in units if size_bytes >= one[1]), units[-1])
    number = size_bytes / size
    return f"{f'{number:,.0f}' if number >= 100 else three(number)} {unit}"
