"""What may a drive cost, to be as good a buy as another?"""

from models.errors import DomainError
from planner.catalogue.drive import with_user_facts
from planner.graph.answer import Answer, unknown
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.search.size.answer import Margin, Sizing, lacking, lives, searched
from planner.sections.life import LIFE_OF
from planner.sections.ownership import Ownership, ownership
from planner.sections.plan import PlanReading

WRITTEN = "cost per byte written"
KEPT = "cost per usable byte and year"
OWNED = "equivalent annual cost"
PROBE_USD = 1.0
NEITHER = "Energy is known of one of the two drives alone: it is counted for neither."


def break_even_price(
    known: PlanReading,
    other: PlanReading,
    *,
    terms: Terms | None = None,
    risk: Risk | None = None,
    basis: str = WRITTEN,
) -> Sizing:
    """Return the price of the `other` plan's drive at which both plans cost the same.

    By cost per byte written: all drives of a plan over what applications may write to them until
    the first limit of endurance. By cost per usable byte and year: over usable capacity times that
    life, which counts up to the horizon of `terms`. By equivalent annual cost of owning, with
    replacements, energy, slots and labour. `basis` says which of the three is the answer; a price
    at which no drive would pay, even as a gift, is rejected.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> writes = Workload(host_bytes_per_s=1e7)
    >>> pro, twice = (plan_drive(find(load(), f"845DC PRO {size}"), writes) for size in (400, 800))
    >>> print(f"{break_even_price(pro, twice).value:.2f}")  # twice the rating of 960 USD
    1920.00
    """
    terms = terms or Terms()
    probe = other.again(drive=with_user_facts(other.drive, price_usd=PROBE_USD))
    owned = [ownership(plan, terms, risk) for plan in (known, probe)]
    prices = {
        WRITTEN: _equal(known["price_per_written_byte"], probe["price_per_written_byte"], 1.0),
        KEPT: _kept(known, probe, terms.horizon_s),
        OWNED: _owned(*owned),
    }
    if basis not in prices:
        raise DomainError(f"basis must be one of {', '.join(prices)}, got {basis}")
    answer = prices[basis]
    margins = _margins(other, basis, answer)
    rejected = tuple(margin for margin in margins if margin.available <= 0)
    return Sizing(
        answer=None if rejected else answer,
        limit=basis,
        by_limit=prices,
        margins=margins,
        rejected=rejected,
        plan=other,
        notes=(NEITHER,) if _is_uneven(*owned) else (),
    )


def _margins(other: PlanReading, basis: str, answer: Answer) -> tuple[Margin, ...]:
    """Set the price beside that of the catalogue; without one, beside a gift."""
    actual = other.drive.value("price_usd")
    if not answer.is_known or (actual is None and answer.value > 0):
        return ()
    needed = PROBE_USD if actual is None else actual
    return (Margin(limit=basis, key="price_usd", needed=needed, available=float(answer.value)),)


def _kept(known: PlanReading, probe: PlanReading, horizon_s: float) -> Answer:
    """Return the price of equal cost per usable byte and year."""
    served = [min(horizon_s, *lives(plan).values()) for plan in (known, probe) if lives(plan)]
    if len(served) < 2:
        parts = (plan[key] for plan in (known, probe) for key in LIFE_OF.values())
        return unknown(key="price_usd", lacking=lacking(parts))
    return _equal(
        known["price_per_usable_byte"], probe["price_per_usable_byte"], served[1] / served[0]
    )


def _equal(known: Answer, probed: Answer, ratio: float) -> Answer:
    """Scale the price that was tried: cost per byte is in proportion to it."""
    if not known.is_known or not probed.is_known:
        return unknown(key="price_usd", lacking=lacking((known, probed)))
    return searched("price_usd", PROBE_USD * known.value / probed.value * ratio)


def _owned(known: Ownership, probe: Ownership) -> Answer:
    """Return the price of equal annual cost, which is in part in proportion to the price."""
    parts = (known["equivalent_usd_per_year"], probe["equivalent_usd_per_year"])
    priced = probe["priced_usd_per_year"]
    if not priced.is_known or any(not part.is_known for part in parts):
        return unknown(key="price_usd", lacking=lacking((*parts, priced)))
    without = _is_uneven(known, probe)
    there, here = (_annual_usd(owned, without=without) for owned in (known, probe))
    price = PROBE_USD * (1 + (there - here) / priced.value)
    return searched("price_usd", price)


def _is_uneven(known: Ownership, probe: Ownership) -> bool:
    return known["yearly_energy_j"].is_known != probe["yearly_energy_j"].is_known


def _annual_usd(owned: Ownership, *, without: bool) -> float:
    """Return the annual cost, without energy where only one of the two has it."""
    keys = ("equivalent_usd_per_year", "npv_usd", "energy_present_usd")
    annual, npv, energy = (owned[key] for key in keys)
    if not annual.is_known or not npv.is_known or not energy.is_known:
        return 0.0
    return float(annual.value * (1 - energy.value / npv.value if without else 1.0))
