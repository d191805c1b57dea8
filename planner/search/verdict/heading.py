"""The heading of a plan: its drives, layout, writes and years."""

import math

from models.units import DAY_S, GIB, YEAR_S
from planner.quantity.keep import Place
from planner.quantity.rates import RateUnit
from planner.quantity.show import decimal_text, writes_text
from planner.scenario.growth import course_text
from planner.scenario.workload import Workload
from planner.sections.plan import PlanReading
from planner.sections.used import counted_from

EXACT = 1e-9  # of a rate that was typed in binary bytes


def heading(plan: PlanReading, horizon_s: float = 5 * YEAR_S) -> str:
    """Describe the scenario of a plan in one line.

    >>> from planner.sections.request import plan_of
    >>> heading(plan_of("7450 PRO 3.84", writes="2 TB/day", drives=12, keep="3 copies on 4 hosts"))
    '12 x Micron 7450 PRO 3.84 TB, 3 copies on 4 hosts: 2 TB a day by clients = 500 GB a day to \
each drive for 5 years'
    """
    extra = plan.situation.heading
    since = counted_from(plan.drive)
    left = f"counted from {since}" if since and since != "now" else ""
    said = ", ".join(part for part in (extra, course_text(plan.workload), left) if part)
    span = f"{horizon_s / YEAR_S:.3g}"
    years = f"for {span} year{'' if span == '1' else 's'}"
    added = f" ({said})" if said else ""
    return f"{drives_text(plan)}: {rate_text(plan)}{added} {years}"


def drives_text(plan: PlanReading) -> str:
    """Name the drives of a plan, their number and layout."""
    array, asked = plan.array, plan.situation
    if asked.place is Place.FLEET and asked.drives > 1:
        return f"{asked.drives:,} x {plan.drive.name}, single drives"
    if array.members == 1:
        return plan.drive.name
    spares = f", {array.hot_spares} of them hot spares" if array.hot_spares else ""
    return f"{array.members} x {plan.drive.name}, {array.name}{spares}"


def each_text(plan: PlanReading) -> str:
    """Name the drives of a plan whose numbers are those of one drive of a fleet.

    >>> from planner.sections.request import plan_of
    >>> each_text(plan_of("MX500 2TB", keep="200 single drives"))
    'Each of 200 x Crucial MX500 2 TB, single drives'
    """
    return f"Each of {drives_text(plan)}" if plan.situation.drives > 1 else drives_text(plan)


def a_day(bytes_per_s: float) -> str:
    """Write a rate as people say it, in decimal bytes unless it is a round number of binary ones.

    >>> a_day(30e9 / 86400), a_day(50 * 2**30 / 86400), a_day(56.9e9 / 86400)
    ('30 GB a day', '50 GiB a day', '56.9 GB a day')
    """
    binary = bytes_per_s * DAY_S / GIB
    is_round = binary > 0 and math.isclose(binary, float(f"{binary:.3g}"), rel_tol=EXACT)
    written = writes_text(bytes_per_s, digits=3) if is_round else decimal_text(bytes_per_s)
    return written.replace("/day", " a day")


def host_text(workload: Workload) -> str:
    """Write the host writes in the unit that was typed, else in bytes a day.

    >>> from planner.sections.request import plan_of
    >>> host_text(plan_of("870 EVO 1TB", writes="0.5 TiB a week").workload)
    '0.5 TiB a week'
    """
    return _typed(float(workload.host_bytes_per_s), workload.writes_unit)


def _typed(bytes_per_s: float, unit: RateUnit | None) -> str:
    return a_day(bytes_per_s) if unit is None else unit.fitting(bytes_per_s).written(bytes_per_s)


def typed_text(plan: PlanReading) -> str:
    """Write the rate of a plan as it was typed, of the host or of each drive."""
    if plan.situation.is_to_each:
        each = float(plan.reading["member_bytes_per_s"].value)
        return f"{_typed(each, plan.workload.writes_unit)} to each drive"
    return host_text(plan.workload)


def rate_text(plan: PlanReading) -> str:
    """Write the rate of the host, or of clients and of each drive of a fleet or a cluster.

    A rate that was typed a second, in bits or in drive writes has bytes a day beside it.
    """
    rate, unit = float(plan.workload.host_bytes_per_s), plan.workload.writes_unit
    each = float(plan.reading["member_bytes_per_s"].value)
    is_to_each = plan.situation.is_to_each
    one = each if is_to_each else rate
    written, per_day = _typed(one, unit), a_day(one)
    is_a_day = unit is None or unit.fitting(one).is_of_days
    both = written if is_a_day else f"{written} = {per_day}"
    if plan.situation.place is Place.FLEET and plan.situation.drives > 1:
        return f"{both} to each"
    if is_to_each:
        return f"{both} to each drive"
    if plan.array.nodes is None:
        return both
    share = a_day(each) if unit is None or not is_a_day else _at_least_one(each, unit)
    return f"{written} by clients = {share} to each drive"


def _at_least_one(bytes_per_s: float, unit: RateUnit) -> str:
    return unit.fitting(bytes_per_s, fewest=1.0).written(bytes_per_s)
