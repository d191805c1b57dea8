"""The years of a horizon, and the bytes written to one drive in each."""

from dataclasses import dataclass

from models import cost, growth
from planner.graph.answer import Answer, figure, given
from planner.ownership.purchase import Purchase
from planner.ownership.terms import Terms
from planner.scenario.growth import grown_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Years:
    """The years of the horizon, along the first axis, before the axes of the purchase's arrays.

    `part` is the share of each year within the horizon, which may end within the last year.
    `written_bytes` are written to one drive by the end of each year, `year_bytes` in each year.
    """

    horizon_s: Answer
    part: Answer
    length_s: Answer
    end_s: Answer
    written_bytes: Answer
    year_bytes: Answer


def years_of(bought: Purchase, terms: Terms) -> Years:
    """Return the years of the terms' horizon under the writes of a purchase."""
    horizon = given("horizon_s", terms.horizon_s, source="user")
    column = terms.years.reshape(-1, *(1,) * bought.axes)
    year = given("year", column, source="definition")
    part, length, end = (
        figure(key, formula, year=year, horizon_s=horizon)
        for key, formula in (
            ("year_part", cost.year_part),
            ("year_length_s", cost.year_length_s),
            ("year_end_s", cost.year_end_s),
        )
    )
    written = grown_answer(
        "yearly_written_bytes",
        growth.written_bytes,
        bought.workload,
        time_s=end,
        host_bytes_per_s=bought.member_bytes_per_s,
    )
    return Years(
        horizon_s=horizon,
        part=part,
        length_s=length,
        end_s=end,
        written_bytes=written,
        year_bytes=figure("year_bytes", cost.by_year, cumulative=written),
    )
