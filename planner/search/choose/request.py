"""Request of a choice, from inputs as people write them: shared by commands and scripts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, TypedDict

from planner.catalogue import load
from planner.catalogue.drive import Drive, own_drive
from planner.catalogue.prices import PriceTerms, at_typical_price, is_on_offer, priced
from planner.catalogue.priors import Level, field_copying, with_assumptions
from planner.catalogue.quotes import QuotesError, QuoteTables, read_quotes
from planner.catalogue.sheet import MOST_BYTES
from planner.quantity.door import NAMED, UPLOADED, DoorError, FileLimits, content
from planner.quantity.input import InputError, flag
from planner.quantity.inputs import CHOSEN_BY, GRID, INPUTS, LOAD, NEEDS, OWNING, stated
from planner.scenario.firmware import Firmware
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.search.choose.filters import filtered
from planner.search.choose.nodes import OF_ARRAYS, kept_texts, nodes_of
from planner.search.choose.question import LOW_END, Grid, Objective, Requirements
from planner.search.choose.rules import DEFAULT, Rule, rules_in_force
from planner.search.warranted import printed
from planner.sections import stated_writes
from planner.sections.ownership import risk_of, terms_of
from planner.sections.prices import price_terms_of
from planner.sections.request import firmware_of, level_of, workload_of
from planner.sections.witnesses import with_life_error

# Inputs of a choice, and what is tried where nothing is said.
CHOICE = (*CHOSEN_BY, "rules", "hot_spares", "record", "assumed", "known_only", *LOAD, *OWNING)
GRID_OF = {"drives": "1-24", "spare": "0%,7%,14%,28%", "sets": "1"}
OBJECTIVES = {"cost": Objective.COST, "price": Objective.PRICE}  # the first unless stated
MOST_DRIVES = 10_000
BAYS = "24"


class ChoiceRequest(TypedDict):
    """Arguments of `choose` and `mixed_fleet`."""

    workload: Workload
    requirements: Requirements
    grid: Grid
    objective: Objective
    risk: Risk
    terms: Terms
    firmware: Firmware


class Ruled(NamedTuple):
    """Inputs of a choice with the rules that hold for what is not stated."""

    texts: dict[str, Any]
    rules: tuple[Rule, ...]


def ruled(texts: Mapping[str, Any]) -> Ruled:
    """Fill in what rules say of inputs that are not stated.

    >>> ruled({"sure": "99%"}).texts["sure"], ruled({}).texts["sure"]
    ('99%', '95%')
    """
    statement = {name: text for name, text in texts.items() if _is_stated(name, text)}
    rules = rules_in_force(statement.pop("rules", None), statement)
    if "assumed" in statement:  # typical figures are taken as they are
        rules = tuple(rule for rule in rules if (rule.rules, rule.input) != (DEFAULT, "sure"))
    return Ruled({rule.input: rule.value for rule in rules} | statement, rules)


def _is_stated(name: str, text: Any) -> bool:
    is_off = INPUTS[name].read is flag and str(text).lower() in ("", "false")
    return text not in (None, "", ()) and not is_off


def choice_request(
    among: Iterable[Drive], /, *, minimise: str, is_named: bool = True,
    quotes: QuoteTables | None = None, **texts: Any,
) -> ChoiceRequest:  # fmt: skip
    """Parse the arguments of `choose` from inputs by the names of `planner.quantity.inputs`.

    Counts, layouts, spare areas and sets take lists and ranges. What is not known of a drive is
    assumed at its cautious end, by `assumed` at typical figures; by `known_only` it is left open.
    Prices that are ranges count at their typical figure, against a budget at their dearer end; so
    does idle power: a drive is not dearer because its data sheet is missing.
    What is not stated is as rules say. Unless drives are named, those no longer sold are left out.
    `quotes` are the tables that some of the drives are from.

    >>> request = choice_request((), minimise="price", usable="10 TB", drives="4-6", raid="5,10")
    >>> request["grid"].members, request["requirements"].usable_bytes
    ((4, 5, 6), 10000000000000.0)
    """
    texts, rules = ruled(kept_texts(texts))
    usual = [rule for rule in rules if (rule.rules, rule.input) == (DEFAULT, "launched")]
    if usual and is_named:
        texts, rules = _without(usual[0], texts, rules)
    required, level = requirements_of(texts), level_of(texts)
    workload = _workload(texts, required.usable_bytes, level)
    prices = price_terms_of(texts)

    def is_waived(drive: Drive, name: str) -> bool:
        return name in {rule.input for rule in usual} and is_on_offer(drive, prices)

    of_drives = {name: text for name, text in texts.items()
                 if name != "lanes" or texts.get("nodes") is None}  # fmt: skip
    kept, excluded = filtered(among, of_drives, is_waived=is_waived)
    drives = drives_at(kept, level, workload, prices)
    return {
        "workload": workload,
        "requirements": required,
        "grid": replace(
            _grid(drives, level, texts),
            rules=rules,
            excluded=excluded,
            prices=prices,
            quotes=quotes,
        ),
        "objective": OBJECTIVES[minimise],
        "risk": risk_of(texts),
        "terms": terms_of(texts),
        "firmware": firmware_of(texts),
    }


def _without(rule: Rule, texts: Mapping[str, Any], rules: tuple[Rule, ...]) -> Ruled:
    """Return inputs of a choice without what one rule says."""
    left = {name: text for name, text in texts.items() if name != rule.input}
    return Ruled(left, tuple(each for each in rules if each != rule))


def requirements_of(texts: Mapping[str, Any]) -> Requirements:
    """Return the requirements: those stated, and a rating for the warranted years.

    Rated writes must suffice for the years, or for a longer life that is required; so must the
    life, whose figure is the low end of its range unless typical figures are asked for. Capacity
    that is filled in part must be larger by that part.

    >>> both = requirements_of({"life": "7 years"})
    >>> both.rated_s / 31536000, both.warranty_s / 31536000
    (7.0, 5.0)
    >>> requirements_of({"usable": "20 TB", "fill": "80%"}).usable_bytes
    25000000000000.0
    """
    required = Requirements(**stated(texts, NEEDS))
    if required.usable_bytes is not None:
        fill: float = stated(texts, ["fill"])["fill_fraction"]
        required = replace(required, usable_bytes=required.usable_bytes / fill)
    if texts.get("nodes") is not None:
        of_one = {name: INPUTS[name].value(texts[name]) for name in ("lanes", "watts")
                  if texts.get(name) is not None}  # fmt: skip
        required = replace(
            required, node_lanes=of_one.get("lanes"), node_power_w=of_one.get("watts")
        )
    years: float = stated(texts, ["years"])["horizon_s"]
    floors = {"rated_s": required.life_s or 0.0}
    if level_of(texts) == "cautious":
        required = replace(required, figure_confidence=LOW_END)
        if required.life_s is None:
            floors["life_s"] = 0.0
    if not stated(texts, ["beyond_warranty"])["beyond_warranty"]:
        floors["warranty_s"] = required.warranty_s or 0.0
    longest: dict[str, Any] = {name: max(least, years) for name, least in floors.items()}
    return replace(required, **longest, over_years=tuple(floors.items()))


def quotes_of(
    tables: Iterable[tuple[str, bytes]], texts: Mapping[str, Any], limits: FileLimits = NAMED
) -> QuoteTables:
    """Read tables of one's own, by name and content, with prices in the question's currency."""
    values = stated(texts, ("currency", "rate"))
    rates = dict(values.get("rates", ()))
    return read_quotes(tables, load(), currency=values["currency"], rates=rates, limits=limits)


def quotes_in(files: Iterable[tuple[str, str]], texts: Mapping[str, Any]) -> QuoteTables:
    """Read tables given to the app, by name and path, with prices in the question's currency."""
    tables = []
    for name, path in files:
        try:
            tables.append((name, content(path, MOST_BYTES)))
        except DoorError as error:
            raise QuotesError(f"{name}: {error}") from None
    return quotes_of(tables, texts, UPLOADED)


def drives_at(
    among: Iterable[Drive], level: Level | None, workload: Workload, prices: PriceTerms
) -> tuple[Drive, ...]:
    """Return drives with the rating that is printed for such writes, and what is assumed of them.

    Without a level nothing is assumed, and prices that do not compete as they are are not known.
    Those of the catalogue are kept: the next question mostly differs in something else.
    """
    kept = _kept(level, workload.sequential_fraction, workload.transfer_bytes, prices)
    return tuple(_once(kept, drive, level, workload, prices) for drive in among)


@lru_cache(maxsize=2)  # a few dozen MB each
def _kept(*_question: object) -> dict[str, Drive]:
    """Return the cache of catalogue drives for a question of this kind."""
    return {}


def _once(
    kept: dict[str, Drive], drive: Drive, level: Level | None, workload: Workload,
    prices: PriceTerms,
) -> Drive:  # fmt: skip
    is_of_catalogue = load().drives.get(drive.drive_id) is drive
    if is_of_catalogue and drive.drive_id in kept:
        return kept[drive.drive_id]
    rated = priced(printed(drive, workload), prices)
    read = rated
    if level is not None:
        read = at_typical_price(with_assumptions(rated, level=level, typical=("idle_power_w",)))
        read = with_life_error(read, workload, level)
    if is_of_catalogue:
        kept[drive.drive_id] = read
    return read


def _workload(texts: dict[str, Any], usable_bytes: float | None, level: Level | None) -> Workload:
    """Return the workload; a DWPD and a skew by size are those of the capacity required.

    What hosts in the field make a drive copy is that of any drive.
    """
    if usable_bytes is None and stated_writes.writes_of(texts).fills:
        usable = INPUTS["usable"].option
        raise InputError(INPUTS["writes"], f"in DWPD is of {usable}, which is not given")
    size = usable_bytes or 1.0
    copied = None if level is None else field_copying(own_drive(size)).typical
    workload = workload_of(texts, capacity_bytes=size, dwpd_bytes=size, field_copy_ratio=copied)
    return workload if level is None else workload.at_level(level)


def _grid(drives: tuple[Drive, ...], level: Level | None, texts: dict[str, Any]) -> Grid:
    nodes = nodes_of(texts)
    if nodes is not None:
        texts = texts | _drives_of_a_node(texts)
    texts = GRID_OF | texts
    values = {row.name: row.values(texts.get(row.name, row.default))
              for row in (INPUTS[name] for name in GRID)}  # fmt: skip
    if max(values["drives"]) > MOST_DRIVES:
        raise InputError(INPUTS["drives"], f"must rise to at most {MOST_DRIVES}")
    group = INPUTS["parity_group"]
    return Grid(
        drives=drives,
        members=values["drives"],
        partition_fractions=tuple(1 - spare for spare in values["spare"]),
        levels=values["raid"],
        sets=values["sets"],
        assumed=level,
        nodes=nodes,
        parity_group=group.value(texts[group.name]) if group.name in texts else None,
        **stated(texts, ["hot_spares", "record"]),
    )


def _drives_of_a_node(texts: dict[str, Any]) -> dict[str, str]:
    """Return the counts of drives that are tried in each node, all that its bays hold."""
    for name in OF_ARRAYS:
        if str(texts.get(name)).lower() not in ("none", "", "false", GRID_OF.get(name, "0")):
            raise InputError(INPUTS[name], f"is of one array, and {INPUTS['nodes'].option} are "
                             "clusters: --replicas or --ec say what they keep")  # fmt: skip
    bays = INPUTS["bays"].value(texts.get("bays") or BAYS)
    written = texts.get("drives") or GRID_OF["drives"]
    counts: Sequence[int] = range(1, bays + 1)
    if written != GRID_OF["drives"]:
        counts = [count for count in INPUTS["drives"].values(written) if count <= bays]
    if not counts:
        raise InputError(INPUTS["drives"], f"must be at most {bays}, the bays of a node")
    return {"drives": ",".join(map(str, counts)), "raid": "0"}
