"""Available amount of each need of a candidate: a live formula if possible, else a value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from planner.export.procurement.assumptions import Assumptions
from planner.export.procurement.names import NEED_KEYS
from planner.export.procurement.page import of_candidate
from planner.export.procurement.sizing import SizingSheet
from planner.graph.answer import Answer, walk
from planner.quantity.show import shown
from planner.search.choose import Candidate, Choice, Met, Need, Requirements
from planner.search.choose.limits import AT_MOST
from planner.search.warranted import is_credited, is_rated

AMPLE = "ample"  # to spare, where no percentage says how much
_VALUES = (Need.IOPS, Need.READS, Need.LOSS)
ENDLESS = (Need.LIFE, Need.RATED)  # that no writes use up
_NOT_OF_SPEED = ("price_usd", "idle_power_w", "read_power_w", "write_power_w", "afr_fraction")
_SIZED = {
    Need.USABLE: "usable_bytes", Need.WORST: "worst_case_floor_iops", Need.SLOTS: "members",
    Need.BUDGET: "total_price_usd", Need.WARRANTY: "warranty_s", Need.LIFE: "host_limit_bytes",
}  # fmt: skip
_SPARE = ("fill_fraction", "partition_fraction")


@dataclass(frozen=True, slots=True, kw_only=True)
class Available:
    """A figure of a candidate: formula and value in the unit shown, or a value with its inputs."""

    formula: str
    value: float | str
    inputs: tuple[str, ...] = ()

    @property
    def is_live(self) -> bool:
        """Whether the figure follows edits."""
        return not self.inputs


def available(
    need: Need, index: int, choice: Choice, sizing: SizingSheet, assumed: Assumptions, life: str
) -> Available:
    """Return the figure that a need is about; `life` is the cell of the sure life."""
    candidate = choice.candidates[index]
    (met,) = (one for one in candidate.met if one.need is need)
    value: float | str = (
        "missing" if met.available is None else float(shown(NEED_KEYS[need], met.available))
    )
    if need in ENDLESS and value == float("inf"):
        value = "never"
    if need in _VALUES:
        inputs = depends_on(need, candidate, sizing.inputs[index], assumed)
        return Available(formula="", value=value, inputs=tuple(inputs))
    if need is Need.RATED:
        printed = sizing.cell(index, "printed_life_s")
        formula = _rated(printed, life, candidate, choice.requirements)
        return Available(formula=formula, value=value)
    if need in (Need.LANES, Need.NODE_POWER):  # of a node: so many drives each
        share = 1 / candidate.plan.array.members
        each = f"{met.available * share!r}" if met.available is not None else '"missing"'
        return Available(formula=f"{sizing.cell(index, 'members')}*{each}", value=value)
    if value == "missing" and need is not Need.POWER:  # for which it says what is missing
        value = sizing.value(index, _SIZED[need]) or "missing"
    return Available(formula=_live(need, index, sizing, life), value=value)


def _live(need: Need, index: int, sizing: SizingSheet, life: str) -> str:
    if need is Need.LIFE:
        return life
    if need is Need.POWER:
        writing, reading = (sizing.cell(index, f"{side}_power_w") for side in ("write", "read"))
        most = f"{sizing.cell(index, 'members')}*MAX({writing},{reading})"
        return f'IF(AND({writing}="",{reading}=""),"missing",{most})'
    cell = sizing.cell(index, _SIZED[need])
    known = f'IF({cell}="","missing",{cell})'
    if need is not Need.BUDGET:
        return known
    dearer = of_candidate("dearer_price", index)
    return f"IF(ISNUMBER({dearer}),{sizing.cell(index, 'members')}*{dearer},{known})"


def _rated(printed: str, life: str, candidate: Candidate, requirements: Requirements) -> str:
    """Return the years that rated writes suffice, as printed unless more is credited."""
    drive = candidate.plan.drive
    if requirements.allows_unrated:
        modelled = f'IF(ISNUMBER({life}),{life},"never")'
        rated = f'IF(ISNUMBER({printed})+({printed}="never")>0,{printed},{modelled})'
    elif is_rated(drive):
        rated = f'IF({printed}="","missing",{printed})'
    else:
        return '"missing"'
    if not (requirements.credits_spare_area and is_credited(drive)):
        return rated
    more = f"IF(ISNUMBER({printed})*ISNUMBER({life})>0,MAX({printed},{life}),{rated})"
    return f'IF({life}="never","never",IF(ISNUMBER({printed}),{more},{life}))'


def spare(need: Need, has: str, needed: str) -> str:
    """Return the formula of how much more than is required there is, in percent."""
    share = f"{needed}/{has}" if need in AT_MOST else f"{has}/{needed}"
    endless = f'IF({has}="never","{AMPLE}","unknown")'
    return f'IF(ISNUMBER({has}),IF({has}>0,100*({share}-1),"{AMPLE}"),{endless})'


def holds(need: Need, has: str, needed: str) -> str:
    """Return the formula that says whether a need is met."""
    fits = f"{has}<={needed}*1.000000001" if need in AT_MOST else f"{has}>={needed}*0.999999999"
    endless = f'{has}="never"' if need in ENDLESS else "FALSE"
    return f"IF(ISNUMBER({has}),{fits},{endless})"


def depends_on(
    need: Need, candidate: Candidate, own: Mapping[str, object], assumed: Assumptions
) -> list[str]:
    """Name the cells from which a value was computed."""
    if need is Need.READS:
        return [name for name in (*assumed.workload, *own) if name not in _NOT_OF_SPEED]
    if need is Need.IOPS:
        names = _leaves(candidate.queue.answers)
        extra = ("queue_depth", "hot_spares", "members")
        return [name for name in (*names, *extra) if name in assumed.workload or name in own]
    names = _leaves(candidate.data_loss.answers)
    same = assumed.loss_horizon_s == assumed.terms.horizon_s
    found = [name for name in (*names, *_SPARE, "hot_spares", "members", "afr_fraction",
                               "life_cv", "replaced_fraction") if name != "horizon_s"]  # fmt: skip
    return [*found, "horizon_s"] if same else found


def _leaves(answers: Iterable[Answer]) -> list[str]:
    return [key for key, node in walk(answers).items() if node.is_given]


def spare_of(met: Met) -> float | str:
    """Return the share above the requirement as exported, in percent."""
    if met.available is None:
        return "unknown"
    return AMPLE if met.margin == float("inf") else 100 * (met.margin - 1)
