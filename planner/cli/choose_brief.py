"""The first screen of a choice: ranked plans in 100 columns, and the facts that decide."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import NamedTuple

from planner.catalogue.unverified import unverified
from planner.cli.printing import COLUMNS, MARK, cut, print_wrapped
from planner.cli.terminal import echo
from planner.export.choice_tables import rejected_rows, rules_line
from planner.export.decision_text import decision_lines
from planner.export.quote_text import quote_lines, quotes_line
from planner.quantity.show import asked_odds, text
from planner.scenario.workload import Workload
from planner.search.choose import Candidate, Choice
from planner.search.choose.answer import Met, Rejected, Specification
from planner.search.choose.limits import AT_MOST
from planner.search.choose.question import Need, Objective
from planner.search.verdict.heading import host_text
from planner.search.verdict.words import ends, percent, three
from planner.sections.ranges import Range

LARGE = 1e5  # amounts in thousands
CHEAPER, MUCH_CHEAPER, NOT_FAR = 0.97, 0.8, 0.5
MOST_QUOTES = 12  # lines on quotes
LITTLE = 0.01  # of a rating
TO_CONFIRM = f" {MARK} facts to confirm: --all."
_SHORT: Mapping[Need, str] = {
    Need.USABLE: "TB", Need.IOPS: "IOPS", Need.WORST: "worst IOPS", Need.READS: "read p99.9",
    Need.LIFE: "life", Need.LOSS: "loss", Need.POWER: "power", Need.SLOTS: "slots",
    Need.BUDGET: "budget", Need.WARRANTY: "warranty", Need.RATED: "rating", Need.LANES: "lanes",
    Need.NODE_POWER: "node power",
}  # fmt: skip


class _Column(NamedTuple):
    """A column: its heading, its width, and whether it is aligned to the right."""

    name: str
    width: int
    is_number: bool = False


_COLUMNS = (
    _Column("", 2, is_number=True), _Column("Drive", 27), _Column("Layout", 16),
    _Column("Usable", 7, is_number=True), _Column("Price USD (range)", 20, is_number=True),
    _Column("Owning", 7, is_number=True), _Column("Rated", 5, is_number=True), _Column("Margin", 9),
)  # fmt: skip


def print_brief(found: Choice, workload: Workload) -> None:
    """Print the ranked plans, what decides between them, and where the rest is."""
    currency = found.candidates[0].ownership.terms.currency if found.candidates else "USD"
    lowest = f"Lowest {found.objective}" if found.candidates else "No plan meets every requirement"
    print_wrapped(f"{lowest}: {_asked(found, workload)}", bold=True)
    if found.candidates:
        echo(_row([each.name.replace("USD", currency) for each in _COLUMNS]))
    for place, one in enumerate(found.specifications, start=1):
        echo(_row([str(place), *_cells(one)]))
    for line in (*decision_lines(found), *_decisive(found)):
        print_wrapped(line)
    if counted := quotes_line(found):
        print_wrapped(counted)
    for line in quote_lines(found, most=MOST_QUOTES, are_together=True):
        print_wrapped(f"  {line}", indent=4)
    print_wrapped("More: --all (all columns, exclusions, savings), --xlsx FILE, --rfq FILE, --json")


def _asked(found: Choice, workload: Workload) -> str:
    """Write the requirements and the writes in one line."""
    needs = found.requirements.needs
    stated = [
        f"{need.label} at {'most' if need in AT_MOST else 'least'} {_of(need, value)}"
        f"{_filled(value, workload) if need is Need.USABLE else ''}"
        for need, value in needs.items() if need in _UNITS
    ]  # fmt: skip
    if stated:
        return ", ".join((*stated, host_text(workload)))
    return "nothing is required, state --usable or another need (--help)"


def _filled(usable_bytes: float, workload: Workload) -> str:
    """Describe the data that a capacity holds which is not filled whole."""
    fill = workload.fill_fraction
    if fill == 1:
        return ""
    held = text("usable_bytes", usable_bytes * fill, digits=3)
    return f" ({held} at a fill of {percent(fill)})"


_UNITS = {
    Need.USABLE: "usable_bytes", Need.IOPS: "drive_iops", Need.WORST: "worst_case_iops",
    Need.LIFE: "wear_life_s", Need.LOSS: "array_loss_probability", Need.POWER: "write_power_w",
    Need.BUDGET: "total_price_usd", Need.READS: "max_latency_s",
}  # fmt: skip


def _of(need: Need, value: float) -> str:
    return asked_odds(value) if need is Need.LOSS else text(_UNITS[need], value, digits=3)


def _cells(specified: Specification) -> list[str]:
    """Return the drives of a row, its asked capacity, price and cost, and the smallest margin."""
    one, count = specified.first, len(specified.models)
    kind = specified.kind._replace(is_protected=False)
    named = one.plan.drive.name if count == 1 else f"{kind}, {count} models"
    mark = MARK * bool(unverified(one.plan.drive))
    price = one.ranges.get("total_price_usd")
    cost = one.ownership["npv_usd"]
    usable = one.plan["usable_bytes"]
    return [
        cut(named, _COLUMNS[1].width - len(mark)) + mark,
        cut(_layout(one), _COLUMNS[2].width),
        text(usable.key, usable.value, digits=3) if usable.is_known else "",
        "unknown" if price is None else _money(price),
        _amount(float(cost.value) if cost.is_known else one.objective),
        _rated(one),
        "" if one.binding is None else _margin(one.binding),
    ]


def _layout(one: Candidate) -> str:
    array, spare = one.plan.array, 1 - one.plan.partition_fraction
    name = f"{array.members} x {array.name}" if array.members > 1 else "1 drive"
    if array.nodes is not None:
        name = f"{array.nodes} hosts x {array.members // array.nodes}"
    return f"{name} -{100 * spare:.0f} %" if spare > 0 else name


def _amount(value: float) -> str:
    return f"{three(value / 1e3)}k" if value >= LARGE else three(value)


def _money(part: Range) -> str:
    if part.high >= LARGE:
        return f"{three(part.typical / 1e3)}k{ends(part, size=1e3, sign='-', unit='k')}"
    return f"{three(part.typical)}{ends(part, sign='-')}"


def _rated(one: Candidate) -> str:
    """Write the share of the rating that is used within the years."""
    met = next((each for each in one.met if each.need is Need.RATED), None)
    if met is None or not met.available:
        return ""
    share = met.needed / met.available
    return "<1 %" if share < LITTLE else percent(share)


def _margin(met: Met) -> str:
    return f"+{100 * (met.margin - 1):.0f} % {_SHORT[met.need]}"


def _row(cells: list[str]) -> str:
    """Lay cells out in columns; a name is cut, a number never."""
    parts = (
        f"{cell:>{column.width}}" if column.is_number else f"{cell:<{column.width}}"
        for column, cell in zip(_COLUMNS, cells, strict=True)
    )
    return " ".join(parts).rstrip()[:COLUMNS]


def _decisive(found: Choice) -> Iterator[str]:
    """Yield what decides between plans: quotes, power-loss protection, defaults, near misses."""
    if found.candidates:
        marked = any(unverified(one.first.plan.drive) for one in found.specifications)
        yield _protection(found) + TO_CONFIRM * marked
    if rules := rules_line(found):
        yield rules
    head, owning = "Cheaper but short", "owning " if found.objective is Objective.COST else ""
    for row in rejected_rows(found, among=_near(found)):
        plan = f"{row['Drive']}, {row['Nearest plan']}, {owning}{row['For']}"
        short = _short(row["Lacks"], row["Available"], row["Needed"])
        yield f"{head if found.candidates else 'Nearest'}: {plan}. {short}"


def _near(found: Choice) -> list[Rejected]:
    """Return the closest of the cheaper drives, and the cheapest that lacks something else."""
    best, known = found.best, [one for one in found.rejected if one.lacks.available is not None]
    if best is not None:
        known = [one for one in known if (one.objective or inf) < CHEAPER * best.objective]
    if not known:
        return []
    closest = max(known, key=lambda one: one.lacks.margin)
    other = [
        one for one in known
        if one.lacks.margin >= NOT_FAR and one.lacks.need is not closest.lacks.need
    ]  # fmt: skip
    least = min(other, key=lambda one: one.objective or inf, default=closest)
    is_much = (least.objective or inf) < MUCH_CHEAPER * (closest.objective or inf)
    return [closest, least] if is_much else [closest]


def _short(lacks: str, available: str, needed: str) -> str:
    """Describe by how much a plan is short of a requirement, or over one.

    >>> print(_short("data loss", "1 in 35", "1 in 1,000"))
    Its data loss is 1 in 35, at most 1 in 1,000 asked.
    """
    if lacks in {need.label for need in AT_MOST}:
        return f"Its {lacks} is {available}, at most {needed} asked."
    return f"It has {available} of {needed} {lacks}."


def _protection(found: Choice) -> str:
    """List the rows whose drives have power-loss protection."""
    rows = found.specifications
    places = [place for place, one in enumerate(rows, start=1) if one.kind.is_protected]
    if len(places) == len(rows):
        return "Power-loss protection: on every drive."
    if not places:
        return "Power-loss protection: on none, --plp finds drives that have it."
    return f"Power-loss protection: rows {_places(places)}. --plp leaves the others out."


def _places(places: list[int] | tuple[int, ...]) -> str:
    """Write places as ranges.

    >>> _places([1, 2, 3, 5])
    '1 to 3, 5'
    """
    groups: list[list[int]] = []
    for place in places:
        if groups and place == groups[-1][-1] + 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    return ", ".join(
        f"{group[0]} to {group[-1]}" if len(group) > 1 else f"{group[0]}" for group in groups
    )
