"""Indicators of wear among SMART attributes, under each way in which firmwares count them."""

from collections.abc import Sequence
from dataclasses import replace

from models.units import HOUR_S
from planner.telemetry.attributes import Attribute, whole_count
from planner.telemetry.evidence import Evidence, Witness, percent_used
from planner.telemetry.record import Observed
from planner.telemetry.smart_units import UnitRule

TIMED = "1/1024 %"  # wear since a timer was reset, beside a counter of the minutes since then
_TIMER, _NEVER_RESET, _NONE_YET = 228, 0.01, 65535
_TIMED_ERROR = 0.06
_MOST_RAW = 10_000  # percent of a rating that a drive can have used


def take_indicator(evidence: Evidence, attribute: Attribute, rule: UnitRule) -> None:
    """Add an indicator that falls from 100, with the readings that its form leaves open."""
    value, raw = evidence.counters.take(attribute.value, attribute.field), whole_count(attribute)
    if value is None or raw is None:
        return
    if rule.unit == "100 - value, raw 0" and raw:
        evidence.counters.skip(
            attribute.field, attribute.raw, "counts something else: wear has no raw number"
        )
    elif raw > _MOST_RAW and rule.unit == "raw past 100":
        evidence.counters.skip(attribute.field, attribute.raw, "is more than an indicator counts")
    elif rule.unit == "raw past 100" and raw > 100 and (100 - value - raw) % 256 == 0:
        _add(evidence, attribute, {"raw used": percent_used(raw, attribute.field)})
    elif value > 100:
        evidence.counters.skip(
            attribute.field, attribute.raw, "is above 100, so not a share of life"
        )
    else:
        _add(evidence, attribute, _readings(attribute.field, value, raw, rule.unit))


def _readings(name: str, value: float, raw: float, unit: str) -> dict[str, Observed]:
    """Return the share used by the value; where that stays at 100, by either sense of the raw."""
    if unit != "value, or raw" or value < 100 or raw > 100:
        return {"value left": _left(value, name)}
    return {"raw left": _left(raw, name), "raw used": percent_used(raw, name)}


def take_timed(evidence: Evidence, attribute: Attribute, table: Sequence[Attribute]) -> None:
    """Add the finer indicator if its timer was never reset."""
    steps = evidence.counters.take(attribute.count, attribute.field)
    minutes = next((whole_count(a) for a in table if a.number == _TIMER), None)
    hours = evidence.power_on_s
    if steps is None or steps == _NONE_YET:
        return
    if hours is None or minutes is None or not hours.value:
        evidence.counters.skip(
            attribute.field, attribute.raw, "when it was last reset is not known"
        )
    elif abs(minutes / 60 * HOUR_S / hours.value - 1) > _NEVER_RESET:
        evidence.counters.skip(attribute.field, attribute.raw, "was reset after the drive was new")
    else:
        share = steps / 1024 / 100
        used = Observed(
            value=share, field=attribute.field,
            low=share * (1 - _TIMED_ERROR), high=share * (1 + _TIMED_ERROR),
        )  # fmt: skip
        _add(evidence, attribute, {"raw used": used})


def _add(evidence: Evidence, attribute: Attribute, readings: dict[str, Observed]) -> None:
    evidence.used.append(Witness(counter=str(attribute.number), readings=readings))


def _left(left: float, name: str) -> Observed:
    used = percent_used(100 - left, name)
    if left > 1:
        return used
    return replace(used, high=float("inf"), note="the indicator stops here")
