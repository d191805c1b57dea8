"""A fleet as records for machines and as rows that people read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np

from models.units import DAY_S, GB, TB, YEAR_S
from planner.catalogue.price_curve import change_text
from planner.export.fleet_prices import SparePrice, spare_prices
from planner.export.telemetry_tables import LONGEST_S, duration, moment
from planner.forecast.answer import PAST, SURE
from planner.forecast.fleet import Fleet
from planner.forecast.fleet.dates import NO_DATES
from planner.forecast.fleet.readings import Floats
from planner.forecast.fleet.rollup import Ratio, wa_of
from planner.quantity.parse import quoted
from planner.quantity.show import writes_text

_SHOWN_RETIRED = 20
_ENDS = ("early", "middle", "late")
NO_CLOCK, NO_FORECAST, DATED = "no clock", "no forecast", "dated"  # states, and PAST
DRIVE_COLUMNS = (
    "drive", "model", "site", "readings", "host_bytes", "flash_bytes", "written_bytes", "wa",
    "wa_low", "wa_high", "dwpd", "host_bytes_per_s", "points_used", "points_per_year", "early",
    "middle", "late", "label", "evidence", "anomalies", "state", "early_s", "middle_s", "late_s",
    "rated_bytes", "rated_share",
)  # fmt: skip


def fleet_record(fleet: Fleet) -> dict[str, Any]:
    """Return a fleet in base units for machines; what is not known is null."""
    columns, prices = drive_columns(fleet), spare_prices(fleet)
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    dated = ("early", "middle", "late", "label", "state", "early_s", "middle_s", "late_s")
    return {
        "drives": len(rows),
        "read": fleet.read,
        "refused": [asdict(one) for one in fleet.refused],
        "by_model": {name: _model(one) for name, one in fleet.by_model.items()},
        "dates": {row["drive"]: {name: row[name] for name in dated} for row in rows},
        "orders_by_month": [_finite(asdict(month)) for month in fleet.orders],
        "wa": _finite(asdict(fleet.wa)),
        "host_bytes": float(np.nansum(fleet.histories.life_host_bytes)),
        "flash_bytes": float(np.nansum(fleet.histories.flash_bytes)),
        "host_bytes_per_s": float(np.nansum(fleet.dates.rate)),
        "growth": None if fleet.growth is None else _finite(asdict(fleet.growth)),
        "spares": [
            _finite(asdict(one)) | {"price_change": _change(prices.get(one.model))}
            for one in fleet.spares
        ],
        "lead_s": fleet.lead_s,
        "retire_first": [columns["drive"][at] for at in fleet.retire_first[:_SHOWN_RETIRED]],
        "retire_now": [columns["drive"][at] for at in np.flatnonzero(fleet.dates.past).tolist()],
        "by_drive": rows,
    }


def _change(price: SparePrice | None) -> dict[str, float] | None:
    return None if price is None else price.later._asdict()


def nothing_read(fleet: Fleet, named: str) -> str:
    """Describe the reason that a fleet has no drive; `named` is the input that names its files."""
    if not fleet.refused:
        return f"{named} must name files of drives, got folders without files"
    first = fleet.refused[0]
    others = len(fleet.refused) - 1
    more = f", and {others} more refusals" if others else ""
    return f"no drive could be read: {quoted(first.file)}: {first.reason}{more}"


def drive_names(fleet: Fleet) -> list[str]:
    """Return a name for each drive that no other has."""
    names = [drive.name for drive in fleet.histories.drives]
    counts = Counter(names)
    return [
        f"{name} ({drive.model})" if counts[name] > 1 else name
        for name, drive in zip(names, fleet.histories.drives, strict=True)
    ]


def drive_columns(fleet: Fleet) -> dict[str, list[Any]]:
    """Return the numbers of each drive, by column."""
    histories, dates = fleet.histories, fleet.dates
    capacity = np.array([drive.user_bytes for drive in histories.drives])
    wa, low, high = wa_of(histories)
    with np.errstate(invalid="ignore", divide="ignore"):
        per_year = np.where(
            histories.is_series & np.isfinite(histories.points_used),
            histories.points_used / histories.span_s,
            histories.points / histories.power_on_s,
        )
        dwpd = dates.rate * DAY_S / capacity
    columns: tuple[Sequence[Any], ...] = (
        drive_names(fleet),
        [drive.model for drive in histories.drives],
        [drive.site for drive in histories.drives],
        histories.readings.tolist(),
        *map(
            _numbers,
            (
                histories.life_host_bytes, histories.flash_bytes,
                np.where(histories.by_time, np.nan, histories.written_bytes), wa, low, high,
                dwpd, dates.rate, histories.points, per_year * YEAR_S,
            ),
        ),
        *(_dates(fleet, time) for time in (dates.early_s, dates.middle_s, dates.late_s)),
        dates.label.tolist(),
        dates.evidence.tolist(),
        [
            [asdict(one) for one in histories.anomalies.get(at, ())]
            for at in range(len(histories.drives))
        ],
        states(fleet),
        *map(
            _numbers,
            (
                dates.early_s, dates.middle_s, dates.late_s, dates.rated_bytes,
                histories.life_host_bytes / dates.rated_bytes,
            ),
        ),
    )  # fmt: skip
    return {name: list(column) for name, column in zip(DRIVE_COLUMNS, columns, strict=True)}


def states(fleet: Fleet) -> list[str]:
    """Return of each drive if it is past its rating, has no clock, no forecast, or dates."""
    known = np.isfinite(fleet.dates.early_s)
    state = np.where(fleet.histories.is_dated, DATED, NO_CLOCK).astype("<U16")
    state[~known] = NO_FORECAST
    state[fleet.dates.past] = PAST
    return [str(one) for one in state]


def ends_at_s(fleet: Fleet, time_s: Floats) -> Floats:
    """Return times as seconds since 1970; NaN without a clock, and from 30 years on."""
    ends = np.where(fleet.histories.is_dated, fleet.histories.last_s + time_s, np.nan)
    return np.where(time_s <= LONGEST_S, ends, np.nan)


def _dates(fleet: Fleet, time_s: Floats) -> list[str | None]:
    return [
        datetime.fromtimestamp(end, UTC).date().isoformat() if np.isfinite(end) else None
        for end in ends_at_s(fleet, time_s).tolist()
    ]


def _numbers(column: Floats) -> list[float | None]:
    return [value if np.isfinite(value) else None for value in column.tolist()]


def _model(model: Any) -> dict[str, Any]:
    wa = {"wa": model.wa.value, "wa_low": model.wa.low, "wa_high": model.wa.high}
    record: dict[str, Any] = _finite(asdict(model) | wa)
    return record


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def model_rows(fleet: Fleet) -> list[dict[str, str]]:
    """Return a row for each model."""
    return [
        {
            "Model": name,
            "Drives": f"{one.drives:,}",
            "Host writes": _size(one.host_bytes),
            "Flash writes": _size(one.flash_bytes),
            "Write amplification": _ratio(one.wa),
            "Writes": _rate(one.host_bytes_per_s),
            "DWPD": "" if np.isnan(one.dwpd) else f"{one.dwpd:.3g}",
            "Departs": "; ".join(one.departs),
        }
        for name, one in fleet.by_model.items()
    ]


def _size(size: float) -> str:
    """Write bytes in decimal units, as ratings are; blank where unknown."""
    if np.isnan(size):
        return ""
    unit, of = next((one for one in _UNITS if size >= one[1]), ("GB", GB))
    return f"{size / of:,.0f} {unit}" if size >= 100 * of else f"{size / of:.3g} {unit}"


def _rate(rate: float) -> str:
    return "" if np.isnan(rate) else writes_text(rate, digits=3)


def _ratio(ratio: Ratio) -> str:
    if np.isnan(ratio.value):
        return ""
    between = "" if np.isnan(ratio.low) else f" ({ratio.low:.3g} to {ratio.high:.3g})"
    return f"{ratio.value:.3g}{between}"


def month_rows(fleet: Fleet, months: int = 12) -> list[dict[str, str]]:
    """Return a row for each of the next months, if any drive has dates."""
    dated = bool(np.isfinite(fleet.dates.early_s).any())
    return [
        {
            "Month": one.month,
            "Drives to order": "< 0.1" if 0 < one.expected < 0.05 else f"{one.expected:,.1f}",
            "Between": f"{one.low:,} and {one.high:,}",
        }
        for one in fleet.orders[: months if dated else 0]
    ]


def retire_rows(fleet: Fleet, most: int = _SHOWN_RETIRED) -> list[dict[str, str]]:
    """Return the drives whose early date comes first, those past their rated life before all."""
    columns = drive_columns(fleet)
    return [
        {
            "Drive": columns["drive"][at],
            "Model": columns["model"][at],
            "Life used": _percent(columns["points_used"][at]),
            "Of rated TBW": _share(columns["rated_share"][at]),
            **_dates_of(fleet, columns, at),
            "Dates": columns["label"][at],
        }
        for at in fleet.retire_first[:most]
    ]


def _dates_of(fleet: Fleet, columns: Mapping[str, Sequence[Any]], at: int) -> dict[str, str]:
    if fleet.dates.past[at]:
        return dict.fromkeys(("Early", "Middle", "Late"), "past")
    times = {name: float(getattr(fleet.dates, f"{name}_s")[at]) for name in _ENDS}
    return {
        name.capitalize(): columns[name][at] or duration(seconds) for name, seconds in times.items()
    }


def _percent(points: float | None) -> str:
    return "" if points is None else f"{points:.3g} %"


def _share(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.3g} %"


_CHANCE = "Between: 5 % and 95 % of what chance makes of drives that end independently."
_LONE = (
    "{drives} with one reading: their writes are the mean over power-on time, and their dates are "
    "as if never switched off; a second reading gives recent writes by the calendar."
)
_UNDATED = (
    "{drives} without a date, or whose clock was never set: durations from the reading, no dates; "
    "orders and spares count them from the newest reading of the fleet."
)
_OF_SYSTEMS = (
    "{drives} known only by what the system counted since its start or in an interval: that gives "
    "a rate of writes, neither the writes over the life nor dates."
)
_UNITS = (("PB", 1000 * TB), ("TB", TB))


def headline(fleet: Fleet) -> str:
    """Describe the fleet: drives, files and the age of the newest reading."""
    drives, files = _number(len(fleet.histories.drives), "drive"), _number(fleet.read, "file")
    dated = bool(fleet.histories.is_dated.any())
    return f"{drives} in {files}" + (f", newest reading {moment(fleet.now_s)}" if dated else "")


def labels(fleet: Fleet) -> str:
    """Count the drives by the worth of their dates."""
    kinds = Counter(label.partition(",")[0] for label in fleet.dates.label.tolist())
    called = {
        PAST: "past their rating", SURE: f"{SURE} intervals", "rough": "rough", NO_DATES: "none",
    }  # fmt: skip
    return ", ".join(
        f"{words} for {_number(kinds[kind], 'drive')}"
        for kind, words in called.items()
        if kinds[kind]
    )


def growth_line(fleet: Fleet) -> str:
    """Describe the growth of the writes of all drives; empty where it is unknown."""
    growth = fleet.growth
    if growth is None:
        return ""
    value, low, high = map(_percent_change, (growth.per_year, growth.low, growth.high))
    return (
        f"Growth of the writes {value} % a year ({low} to {high} %), from {growth.weeks} weeks "
        f"of {_number(growth.drives, 'drive')}"
    )


def _percent_change(growth: float) -> str:
    """Write a growth to whole percents, below ten to tenths; one that rounds to 0 has no sign."""
    written = f"{100 * growth:+,.{1 if abs(growth) < 0.1 else 0}f}"
    return "0" if not float(written.replace(",", "")) else written


def notes(fleet: Fleet) -> list[str]:
    """Explain the range of a month, and count the drives without a full history."""
    dated = np.isfinite(fleet.dates.early_s)
    lone, of_systems = fleet.dates.by_power_on & dated, ~fleet.histories.counts_life
    lone &= ~fleet.dates.past
    undated = dated & ~fleet.dates.past & ~fleet.histories.is_dated
    said = (
        (dated, _CHANCE), (lone, _LONE), (undated, _UNDATED), (of_systems, _OF_SYSTEMS),
    )  # fmt: skip
    return [
        sentence.format(drives=_number(int(which.sum()), "drive"))
        for which, sentence in said
        if which.any()
    ]


def spare_lines(fleet: Fleet) -> list[str]:
    """Say of each model how many spares cover the lead time, and what they cost now and then."""
    prices = spare_prices(fleet)
    return [
        f"{one.model}: {one.spares:,}{_spare_price(prices.get(one.model))}"
        for one in fleet.spares
        if one.spares
    ]


def _spare_price(price: SparePrice | None) -> str:
    if price is None:
        return ""
    return f", {price.text} each; after the lead time {change_text(price.later)}"


def mended_lines(fleet: Fleet) -> list[str]:
    """List the mended readings, and their repairs."""
    kinds: Counter[tuple[str, str]] = Counter()
    for anomalies in fleet.histories.anomalies.values():
        kinds.update((one.kind, one.done) for one in anomalies)
    return [
        f"{kind}: {_number(number, 'drive')}; {done}"
        for (kind, done), number in kinds.most_common()
    ]


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
