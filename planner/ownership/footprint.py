"""Carbon emissions of an array: making its drives and running them."""

from collections.abc import Mapping
from dataclasses import dataclass

from models import carbon, cost
from planner.graph.answer import Answer, figure, first_known, given
from planner.ownership.energy import NO_ENERGY
from planner.ownership.purchase import Purchase
from planner.ownership.terms import LEVELS, Level, Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """Carbon emissions, each as low, typical and high."""

    embodied_kg: Mapping[Level, Answer]
    operational_kg: Mapping[Level, Answer]
    total_kg: Mapping[Level, Answer]
    kg_per_byte_year: Mapping[Level, Answer]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order of printing."""
        return (
            *self.total_kg.values(),
            *self.kg_per_byte_year.values(),
            *self.embodied_kg.values(),
            *self.operational_kg.values(),
        )


def footprint(bought: Purchase, terms: Terms, made_drives: Answer, yearly_j: Answer) -> Footprint:
    """Return the carbon of making `made_drives` and of the energy `yearly_j` of the site."""
    drawn = figure("energy_j", cost.all_years, yearly=yearly_j)
    making, grid = terms.interval("embodied_kg_per_byte"), terms.interval("grid_kg_per_j")
    embodied: dict[Level, Answer] = {
        level: figure(
            f"{level}_embodied_kg",
            carbon.embodied_kg,
            size_bytes=bought.user_bytes,
            drives=made_drives,
            embodied_kg_per_byte=making[level],
        )
        for level in LEVELS
    }
    operational: dict[Level, Answer] = {
        level: first_known(
            figure(
                f"{level}_operational_kg",
                carbon.operational_kg,
                energy_j=drawn,
                grid_kg_per_j=grid[level],
            ),
            given(f"{level}_operational_kg", 0.0, source="assumption", note=NO_ENERGY),
        )
        for level in LEVELS
    }
    total: dict[Level, Answer] = {
        level: figure(
            f"{level}_carbon_kg",
            carbon.carbon_kg,
            embodied_kg=embodied[level],
            operational_kg=operational[level],
        )
        for level in LEVELS
    }
    return Footprint(
        embodied_kg=embodied,
        operational_kg=operational,
        total_kg=total,
        kg_per_byte_year={
            level: figure(
                f"{level}_carbon_kg_per_byte_year",
                carbon.carbon_kg_per_byte_year,
                carbon_kg=total[level],
                usable_bytes=bought.usable_bytes,
                horizon_s=given("horizon_s", terms.horizon_s, source="user"),
            )
            for level in LEVELS
        },
    )
