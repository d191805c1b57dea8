"""The years of a horizon, and what is written to one drive in each."""

from dataclasses import dataclass

import numpy as np

from models import cost, growth
from planner.graph.answer import Answer, figure, given
from planner.ownership.terms import Terms
from planner.scenario.growth import grown
from planner.sections.plan import Plan

__all__ = ["Years", "years_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Years:
    """The years along the first axis, before the axes of the plan's arrays.

    The last year may be cut short: `part` is the share of each that the horizon holds.
    `written_bytes` goes to one drive by the end of each year, `year_bytes` in each.
    """

    horizon_s: Answer
    part: Answer
    length_s: Answer
    end_s: Answer
    written_bytes: Answer
    year_bytes: Answer


def years_of(answer: Plan, terms: Terms) -> Years:
    """Return the years of the terms' horizon under the plan's writes."""
    horizon = given("horizon_s", terms.horizon_s, source="user")
    answers = (part for section in answer.sections.values() for part in section)
    axes = max(np.ndim(part.value) for part in answers if part.is_known)
    column = terms.years.reshape(-1, *(1,) * axes)
    year = given("year", column, source="definition")
    part, length, end = (
        figure(key, formula, year=year, horizon_s=horizon)
        for key, formula in (
            ("year_part", cost.year_part),
            ("year_length_s", cost.year_length_s),
            ("year_end_s", cost.year_end_s),
        )
    )
    rate = answer.reading["member_bytes_per_s"]
    written = grown(
        "yearly_written_bytes",
        growth.written_bytes,
        answer.workload,
        time_s=end,
        host_bytes_per_s=rate,
    )
    return Years(
        horizon_s=horizon,
        part=part,
        length_s=length,
        end_s=end,
        written_bytes=written,
        year_bytes=figure("year_bytes", cost.by_year, cumulative=written),
    )
