"""Which endurance class must be bought, if the rating is to last?"""

from dataclasses import replace

from models import endurance
from models.errors import DomainError
from models.units import YEAR_S
from planner.catalogue.drive import Drive, with_user_facts
from planner.graph.answer import unknown
from planner.search.size.answer import HORIZON_S, Margin, Sizing, lives, searched, target
from planner.search.size.roots import edge_by_ratio, reach
from planner.sections.life import Limit
from planner.sections.plan import PlanReading
from planner.sections.rating import rating_pair

CLASSES_DWPD = (0.3, 1.0, 3.0, 10.0)
STEP = 4.0
RATING_PERIOD_S = 5 * YEAR_S


def endurance_class(
    plan: PlanReading,
    horizon_s: float = HORIZON_S,
    *,
    rating_period_s: float | None = None,
    classes_dwpd: tuple[float, ...] = CLASSES_DWPD,
) -> Sizing:
    """Return the lowest class of rated drive writes per day that lasts `horizon_s`.

    The rating counts host writes at the vendor's rating workload, so that the need is converted by
    write amplification of this workload over that of the rating workload; `unrounded` is the
    rating just needed, the answer the first of `classes_dwpd` that suffices. Ratings are over
    `rating_period_s`: the drive's own, else five years.

    >>> from planner.catalogue import find, load
    >>> from planner.sections.plan import plan_drive
    >>> from planner.scenario.workload import Workload
    >>> plan = plan_drive(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=2e12 / 86400))
    >>> needed = endurance_class(plan)
    >>> print(f"{needed.unrounded.value:.2f} DWPD: class {needed.value:g}")
    5.00 DWPD: class 10
    """
    needed = target(horizon_s=horizon_s)
    if not plan.workload.host_bytes_per_s:
        raise DomainError("writes must be > 0 for a class: without writes every rating lasts")
    user_bytes = plan.drive.value("user_bytes")
    if user_bytes is None:
        return Sizing(answer=unknown(key="rated_dwpd", lacking=("user_bytes",)), plan=plan)
    if rating_pair(plan.drive, plan.workload) is not None:  # a class has one rating
        plan = _rated(plan, plan.workload.host_bytes_per_s * needed)
    period = target(rating_period_s=rating_period_s or _period_s(plan.drive))
    rating = {"user_bytes": user_bytes, "period_s": period}
    least = endurance.dwpd(_least_bytes(plan, needed), **rating)
    margins = {level: _margin(least, level) for level in sorted(classes_dwpd)}
    found = next((level for level, margin in margins.items() if margin.fits), None)
    chosen = max(margins) if found is None else found
    rated = {level: endurance.tbw_bytes(level, **rating) for level in margins}
    at_class = _rated(plan, rated[chosen])
    return Sizing(
        answer=None if found is None else searched("rated_dwpd", found),
        limit=str(Limit.RATED_TBW),
        unrounded=searched("rated_dwpd", least),
        by_limit={
            f"{level:g} DWPD": searched("rated_life_s", _life_s(plan, most))
            for level, most in rated.items()
        },
        margins=(margins[chosen],),
        rejected=(margins[chosen],) if found is None else (),
        plan=at_class,
        notes=_notes(at_class, needed),
    )


def _margin(least: float, level: float) -> Margin:
    return Margin(limit=str(Limit.RATED_TBW), key="rated_dwpd", needed=least, available=level)


def _notes(plan: PlanReading, needed: float) -> tuple[str, ...]:
    """Say that no rating helps a drive whose flash wears out sooner."""
    worn = lives(plan, (Limit.FLASH_WEAR,)).get(str(Limit.FLASH_WEAR), needed)
    sooner = "Flash wear ends this drive sooner than that, whatever it is rated for."
    return (*plan.life_notes, *((sooner,) if worn < needed else ()))


def _least_bytes(plan: PlanReading, horizon_s: float) -> float:
    """Return the rated TBW that is just used up at the horizon."""

    def excess(rated_bytes: float) -> float:
        life = _life_s(plan, rated_bytes)
        return Margin(
            limit=str(Limit.RATED_TBW), key="horizon_s", needed=horizon_s, available=life
        ).excess

    start = float(plan.workload.host_bytes_per_s) * horizon_s
    fits = reach(excess, start, factor=STEP)
    fails = reach(lambda rated: -excess(rated), start, factor=1 / STEP)
    if fits is None:
        return float("inf")
    return 0.0 if fails is None else edge_by_ratio(excess, fits=fits, fails=fails)


def _rated(plan: PlanReading, rated_bytes: float) -> PlanReading:
    """Plan the drive with another rating; what its own is printed as no longer counts."""
    facts = {name: fact for name, fact in plan.drive.facts.items() if name != "rated_dwpd"}
    drive = replace(plan.drive, facts=facts)
    return plan.again(drive=with_user_facts(drive, rated_bytes=rated_bytes))


def _life_s(plan: PlanReading, rated_bytes: float) -> float:
    return lives(plan, (Limit.RATED_TBW,), rated_bytes=rated_bytes)[str(Limit.RATED_TBW)]


def _period_s(drive: Drive) -> float:
    return drive.value("rating_period_s") or drive.value("warranty_s") or RATING_PERIOD_S
