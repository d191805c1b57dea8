"""How much flash do two sister models share, if their ratings differ by spare area alone?"""

from functools import partial

from models import endurance
from models.units import DAY_S
from planner.catalogue.drive import Drive, with_user_facts
from planner.graph.answer import Answer, unknown
from planner.graph.nodes import Call, Const, Graph
from planner.graph.reading import Reading
from planner.scenario.workload import Workload
from planner.search.size.answer import Margin, Sizing, lacking, searched
from planner.search.size.roots import edge_by_ratio
from planner.sections.life import RATED_DWPD, USER, ratings_of
from planner.sections.plan import PlanReading, plan_drive
from planner.sections.structure import facts_of

LEAST_OP_RATIO, MOST_OP_RATIO = 1e-6, 100.0
UNIFORM = Workload(host_bytes_per_s=1e6)  # the rate does not matter to write amplification
_PER_DAY = Graph({
    "rated_bytes": Call(
        "rated_bytes:per day", endurance.tbw_bytes,
        {"dwpd": RATED_DWPD, "user_bytes": USER, "period_s": Const("period_s:day", DAY_S)},
    )
})  # fmt: skip
TBW_RATIO = "rated TBW, smaller over larger"
ALIKE = (
    "Assumed: both hold the same flash with the same P/E cycles, each rated for the host writes "
    "that write amplification under the rating workload allows. Ratings are round numbers; the "
    "result is the flash without the part that the firmware reserves."
)


def effective_raw(one: Drive, other: Drive, *, rated_under: Workload = UNIFORM) -> Sizing:
    """Return the flash that two sister models share, by their capacities U and rated TBW L.

    With equal rated flash writes L WA, the flash T is where WA(T/U1 - 1) / WA(T/U2 - 1) equals L2 /
    L1, U1 being the larger capacity. Under collection in large blocks the left side falls without a
    turn from any height at T = U1 to 1, so that there is one T if the smaller model has the larger
    rated TBW, and none otherwise. Drive writes per day without a rating period are assumed to be
    over the same one. `rated_under` is the workload of the rating: uniform random writes unless it
    is given.

    >>> from models.units import TB
    >>> from planner.catalogue.drive import own_drive
    >>> pair = ((3.84, 1), (3.2, 3))
    >>> drives = [with_user_facts(own_drive(size * TB), rated_dwpd=day) for size, day in pair]
    >>> print(f"{effective_raw(*drives).value / TB:.3f}")
    4.226
    """
    smaller, larger = sorted((one, other), key=lambda drive: drive.capacity_bytes)
    ratio = _rated_ratio(larger, smaller)
    if not ratio.is_known:
        return Sizing(answer=unknown(key="raw_bytes", lacking=ratio.lacking), notes=(ALIKE,))
    most_bytes = _raw_bytes(larger, MOST_OP_RATIO)
    of = partial(
        _wa_ratio, _rated(larger, rated_under, most_bytes), _rated(smaller, rated_under, most_bytes)
    )
    rejected = [
        margin
        for margin in (
            _margin(needed=of(MOST_OP_RATIO), available=ratio.value),
            _margin(needed=ratio.value, available=of(LEAST_OP_RATIO)),
        )
        if not margin.excess > 0
    ]
    if rejected:
        return Sizing(answer=None, limit=TBW_RATIO, rejected=tuple(rejected), notes=(ALIKE,))

    def excess(op_ratio: float) -> float:
        return _margin(needed=ratio.value, available=of(op_ratio)).excess

    op_ratio = edge_by_ratio(excess, fits=LEAST_OP_RATIO, fails=MOST_OP_RATIO)
    found = _raw_bytes(larger, op_ratio)
    return Sizing(
        answer=searched("raw_bytes", found),
        limit=TBW_RATIO,
        details=_details(larger, smaller, rated_under, found),
        plan=_rated(larger, rated_under, found),
        notes=(ALIKE,),
    )


def _margin(*, needed: float, available: float) -> Margin:
    return Margin(limit=TBW_RATIO, key="tbw_ratio", needed=needed, available=available)


def _rated_ratio(larger: Drive, smaller: Drive) -> Answer:
    """Return rated TBW over rated TBW; by drive writes per day where only these are known."""
    by_rating = (_ratio(rate(larger), rate(smaller)) for rate in (_rated_bytes, _rated_per_day))
    first, second = by_rating
    return second if not first.is_known else first


def _ratio(larger: Answer, smaller: Answer) -> Answer:
    if not larger.is_known or not smaller.is_known:
        return unknown(key="tbw_ratio", lacking=lacking((larger, smaller)))
    return searched("tbw_ratio", smaller.value / larger.value)


def _rated_bytes(drive: Drive) -> Answer:
    return ratings_of(drive)["rated_bytes"]


def _rated_per_day(drive: Drive) -> Answer:
    return Reading(_PER_DAY, facts_of(drive))["rated_bytes"]


def _raw_bytes(larger: Drive, op_ratio: float) -> float:
    return larger.capacity_bytes * (1 + op_ratio)


def _wa_ratio(larger: PlanReading, smaller: PlanReading, op_ratio: float) -> float:
    """Return write amplification over that of the sister, by spare bytes of the larger model."""
    raw_bytes = _raw_bytes(larger.drive, op_ratio)
    of_larger, of_smaller = (
        plan.reading.swept("workload_wa", raw_bytes=raw_bytes)[0] for plan in (larger, smaller)
    )
    return float(of_larger / of_smaller)


def _rated(drive: Drive, rated_under: Workload, raw_bytes: float) -> PlanReading:
    known = {"raw_bytes": raw_bytes, "user_bytes": drive.capacity_bytes}
    return plan_drive(with_user_facts(drive, **known), rated_under)


def _wa(plan: PlanReading) -> float:
    wa = plan["workload_wa"]
    return float("nan") if not wa.is_known else float(wa.value)


def _details(
    larger: Drive, smaller: Drive, rated_under: Workload, raw_bytes: float
) -> tuple[Answer, ...]:
    """Return write amplification of both ratings, and the cycles that they spend."""
    wa, sister_wa = (_wa(_rated(drive, rated_under, raw_bytes)) for drive in (larger, smaller))
    known = (searched("rating_wa", wa), searched("sister_rating_wa", sister_wa))
    rated = _rated_bytes(larger)
    if not rated.is_known:
        return known
    per_cycle = endurance.write_limit_bytes(raw_bytes, pe_cycles=1.0, wa=wa)
    cycles = searched("pe_cycles", rated.value / per_cycle, note="Spent by rating.")
    return (*known, cycles)
