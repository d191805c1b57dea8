"""Cost of ownership of an array, part by part and year by year."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from models import cost, energy, growth
from planner.graph.answer import Answer, figure, first_known, given, walk
from planner.ownership.energy import NO_ENERGY, EnergyUse, energy_use
from planner.ownership.footprint import Footprint, footprint
from planner.ownership.horizon import Years, years_of
from planner.ownership.purchase import Purchase, purchase_of
from planner.ownership.replacements import Replacements, replacements_of
from planner.ownership.terms import Terms
from planner.reliability.data_loss import KNOWN_WEAR, NO_WEAR
from planner.reliability.failure_assumptions import AFR_GROUND, SPREAD, SPREAD_GROUND, Risk
from planner.scenario.growth import grown_answer, is_steady
from planner.sections.plan import Plan

WARRANTY = "Drives that fail within their warranty are counted as bought, not as replaced free."
ON_AVERAGE = (
    "Cold spares are used before further drives are bought; numbers of drives are averages."
)
GROWING = (
    "Writes change over the years: failures are assumed to be uniform over the bytes written, "
    "which is exact only for a constant rate."
)
SITE = "Enclosures, controllers, network and software are not counted."
REPLACED = (
    "Precautionary replacements are counted from mean and standard deviation of their time; one "
    "near the end of the horizon may be missed or counted early."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ownership:
    """Cost of owning an array over a horizon, part by part and year by year.

    `course` holds the undiscounted costs of each year for the parts that are known, `present` the
    present value of each part. If energy is unknown, the net present cost excludes it, with a note.
    """

    terms: Terms
    risk: Risk
    years: Years
    replacements: Replacements
    energy: EnergyUse
    capital_usd: Answer
    course: Mapping[str, Answer]
    present: Mapping[str, Answer]
    residual_usd: Answer
    npv_usd: Answer
    equivalent_usd_per_year: Answer
    priced_usd_per_year: Answer
    prices: Mapping[str, Answer]
    made_drives: Answer
    footprint: Footprint
    notes: tuple[str, ...]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order of printing."""
        return (
            self.npv_usd,
            self.equivalent_usd_per_year,
            *self.prices.values(),
            self.capital_usd,
            *self.present.values(),
            self.priced_usd_per_year,
            self.replacements.total,
            self.replacements.bought,
            *self.footprint.answers,
        )

    @property
    def nodes(self) -> dict[str, Answer]:
        """Every number by key, inputs before results."""
        return walk((*self.course.values(), *self.answers))

    @property
    def lacking(self) -> tuple[str, ...]:
        """Facts that would make unknown answers known, energy included."""
        parts = (*self.answers, self.energy.yearly_j)
        names = [name for part in parts if not part.is_known for name in part.lacking]
        return tuple(dict.fromkeys(names))


def ownership(answer: Plan, terms: Terms | None = None, risk: Risk | None = None) -> Ownership:
    """Return the cost of owning the plan's array over the horizon of `terms`.

    Failures and the spread of life are those of `risk`; its horizon is ignored.

    >>> from planner.scenario.array import Array, RaidLevel
    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan
    >>> from planner.scenario.workload import Workload
    >>> drive, writes = find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e7)
    >>> owned = ownership(plan(drive, writes, array=Array(members=12, level=RaidLevel.RAID5)))
    >>> owned.npv_usd.value > owned.capital_usd.value
    True
    """
    return cost_of(purchase_of(answer, risk or Risk()), terms, risk)


def cost_of(bought: Purchase, terms: Terms | None = None, risk: Risk | None = None) -> Ownership:
    """Return the cost of owning a purchase, whose numbers may be arrays."""
    terms = terms or Terms()
    risk = replace(risk or Risk(), horizon_s=terms.horizon_s)
    years = years_of(bought, terms)
    replaced = replacements_of(bought, terms, risk, years)
    used = energy_use(bought, terms, years)
    course = _course(bought, terms, years, replaced, used)
    initial = _initial_drives(bought, terms)
    capital = figure("capital_usd", cost.capital_usd, price_usd=bought.price_usd, **initial)
    residual = figure(
        "residual_usd",
        cost.residual_usd,
        capital_usd=capital,
        residual_fraction=given("residual_fraction", terms.residual_fraction, source="user"),
    )
    present = _present(terms, years, course, residual)
    npv = figure("npv_usd", cost.net_present_usd, capital_usd=capital, **present)
    annual = _annual("equivalent_usd_per_year", npv, terms, years)
    made = figure("made_drives", cost.made_drives, bought_drives=replaced.bought, **initial)
    return Ownership(
        terms=terms,
        risk=risk,
        years=years,
        replacements=replaced,
        energy=used,
        capital_usd=capital,
        course={part: node for part, node in course.items() if node.is_known},
        present=present,
        residual_usd=residual,
        npv_usd=npv,
        equivalent_usd_per_year=annual,
        priced_usd_per_year=_annual("priced_usd_per_year", _priced(capital, present), terms, years),
        prices=_prices(bought, terms, years, npv, annual),
        made_drives=made,
        footprint=footprint(bought, terms, made, used.yearly_j),
        notes=_notes(bought, terms, risk, used),
    )


def _initial_drives(bought: Purchase, terms: Terms) -> dict[str, Answer]:
    return {
        "members": bought.members,
        "spare_drives": given("spare_drives", terms.spare_drives, source="user"),
    }


def _course(
    bought: Purchase, terms: Terms, years: Years, replaced: Replacements, used: EnergyUse
) -> dict[str, Answer]:
    """Return the costs of each year by part, undiscounted."""
    return {
        "Energy": figure(
            "yearly_energy_usd",
            energy.energy_usd,
            energy_j=used.yearly_j,
            energy_usd_per_j=terms.known("energy_usd_per_j"),
        ),
        "Slots": figure(
            "yearly_slot_usd",
            cost.slots_usd,
            slot_usd_per_year=terms.known("slot_usd_per_year"),
            members=bought.members,
            year_part=years.part,
        ),
        "Labour": figure(
            "yearly_labour_usd",
            cost.labour_total_usd,
            labour_usd=terms.known("labour_usd"),
            mean_replacements=replaced.yearly,
        ),
        "Drives": figure(
            "yearly_drives_usd",
            cost.drives_usd,
            price_usd=bought.price_usd,
            drives=replaced.yearly_bought,
        ),
    }


def _present(
    terms: Terms, years: Years, course: Mapping[str, Answer], residual: Answer
) -> dict[str, Answer]:
    """Return the present value of each part; that of energy is 0 if it is unknown."""
    within = {"discount_rate": terms.known("discount_rate"), "horizon_s": years.horizon_s}
    keys = {
        "Energy": "energy_present_usd",
        "Slots": "slot_present_usd",
        "Labour": "labour_present_usd",
        "Drives": "drives_present_usd",
    }
    parts: dict[str, Answer] = {
        key: figure(key, cost.present_total_usd, yearly_usd=course[part], **within)
        for part, key in keys.items()
    }
    without = given("energy_present_usd", 0.0, source="assumption", note=NO_ENERGY)
    parts["energy_present_usd"] = first_known(parts["energy_present_usd"], without)
    parts["residual_present_usd"] = figure(
        "residual_present_usd",
        cost.present_usd,
        cost_usd=residual,
        discount_rate=within["discount_rate"],
        time_s=years.horizon_s,
    )
    return parts


def _priced(capital: Answer, present: Mapping[str, Answer]) -> Answer:
    return figure(
        "priced_present_usd",
        cost.priced_present_usd,
        capital_usd=capital,
        drives_present_usd=present["drives_present_usd"],
        residual_present_usd=present["residual_present_usd"],
    )


def _annual(key: str, npv: Answer, terms: Terms, years: Years) -> Answer:
    return figure(
        key,
        cost.equivalent_usd_per_year,
        npv_usd=npv,
        discount_rate=terms.known("discount_rate"),
        horizon_s=years.horizon_s,
    )


def _prices(
    bought: Purchase, terms: Terms, years: Years, npv: Answer, annual: Answer
) -> dict[str, Answer]:
    """Return the cost per byte usable, per byte written and per IOPS."""
    usable = bought.usable_bytes
    rate = bought.host_bytes_per_s
    written = grown_answer(
        "horizon_written_bytes", growth.written_bytes, bought.workload,
        time_s=years.horizon_s, host_bytes_per_s=rate,
    )  # fmt: skip
    per_byte = {
        "cost_per_usable_byte": (npv, usable),
        "cost_per_usable_byte_year": (annual, usable),
        "cost_per_written_byte": (npv, written),
    }
    prices: dict[str, Answer] = {
        key: figure(key, cost.usd_per_byte, price_usd=price, size_bytes=size)
        for key, (price, size) in per_byte.items()
    }
    iops = first_known(given("qos_iops", terms.qos_iops, source="user"), bought.budget_iops)
    return prices | {
        "cost_per_iops": figure("cost_per_iops", cost.usd_per_iops, price_usd=npv, iops=iops)
    }


def _notes(bought: Purchase, terms: Terms, risk: Risk, used: EnergyUse) -> tuple[str, ...]:
    unlimited = not bought.host_limit_bytes.is_known
    notes = {
        NO_WEAR: unlimited,
        KNOWN_WEAR: not unlimited,
        SPREAD_GROUND: not unlimited and risk.life_cv == SPREAD,
        AFR_GROUND: _is_rate_assumed(bought),
        GROWING: not unlimited and not is_steady(bought.workload),
        REPLACED: not unlimited and risk.replaced_fraction is not None,
        ON_AVERAGE: terms.spare_drives > 0,
        WARRANTY: True,
        SITE: True,
    }
    assumed = [f"Assumed: {term}" for term in terms.assumed]
    return (*used.notes, *(note for note, applies in notes.items() if applies), *assumed)


def _is_rate_assumed(bought: Purchase) -> bool:
    """Whether the failure rate is assumed, neither stated nor from an MTBF."""
    return any(part.note == AFR_GROUND for part in bought.failures_per_s.inputs.values())
