"""The decision of a choice in the sentences that a buyer signs, and as a record."""

from collections.abc import Iterator

from planner.catalogue.prices import price_record
from planner.catalogue.unverified import unverified
from planner.export.choice_tables import spare_of
from planner.export.tables import range_record
from planner.quantity.show import text
from planner.search.choose import Choice
from planner.search.choose.answer import Specification
from planner.search.choose.decision import Decision, Flip, decide
from planner.search.choose.question import Need
from planner.search.verdict.sentences import priced_at
from planner.search.verdict.words import ends, three, two

MOST_MODELS = 8
LEAST_SPARE, LEAST_REGRET = 1e-9, 1e-3
_NAMES = {Need.LIFE: "the low end of life", Need.LOSS: "data loss"}


def decision_lines(choice: Choice) -> Iterator[str]:
    """Yield the purchase with its binding limit, the prices that turn it, and facts to check."""
    decision = decide(choice)
    if decision is not None:
        yield from _lines(choice, decision)


def _lines(choice: Choice, decision: Decision) -> Iterator[str]:
    yield f"Buy {bought(decision.first)}. {' '.join(_reasons(decision))}"
    if turning := [line for flip in decision.flips[:2] if (line := _turned(choice, flip))]:
        yield f"Turned by: {'; '.join(turning)}."
    if checks := unverified(decision.first.first.plan.drive):
        yield f"Check before ordering: {', '.join(map(str, checks))}."


def bought(one: Specification) -> str:
    """Name the drives, the layout and the models that qualify."""
    array, spare = one.first.plan.array, 1 - one.first.plan.partition_fraction
    layout = f" in {array.name}" if array.members > 1 else ""
    layout += f", {100 * spare:.3g} % left unpartitioned" if spare > LEAST_SPARE else ""
    if len(one.models) == 1:
        return f"{array.members} x {one.models[0].name}{layout}"
    written = text("rated_bytes", one.needed_bytes, digits=3)
    rated = f"each rated for at least {written}"
    return f"{array.members} x any {one.kind}{layout}, {rated}: {models_text(one)}"


def models_text(one: Specification) -> str:
    """Count the models that qualify, and name them in the order of the objective."""
    names = [f"{drive.vendor} {drive.model}" for drive in one.models[:MOST_MODELS]]
    more = f" and {len(one.models) - MOST_MODELS} more" if len(one.models) > MOST_MODELS else ""
    return f"{len(one.models)} models qualify, in this order: {', '.join(names)}{more}"


def _reasons(decision: Decision) -> Iterator[str]:
    first = decision.first.first
    currency = first.ownership.terms.currency
    usable, price = first.plan["usable_bytes"], first.ranges.get("total_price_usd")
    if usable.is_known and price is not None:
        size = text(usable.key, usable.value, digits=3)
        amount = f"{two(price.typical)} {currency}{ends(price)}"
        yield f"{size} usable for about {amount}. {priced_at(first.plan)}."
    array = first.plan.array
    if array.nodes == array.stripe_members:
        part = "copy" if array.data_members == 1 else "chunk"
        yield (f"After the loss of a host nothing can be made again until it is back: each of the "
               f"{array.nodes} holds a {part}.")  # fmt: skip
    if first.binding is not None:
        spare = spare_of(first.binding).rpartition(": ")[2]
        name = _NAMES.get(first.binding.need, str(first.binding.need))
        yield f"Closest to its limit: {name}, margin {spare}."
    if decision.expected_regret_usd > LEAST_REGRET * first.objective:
        regret = two(decision.expected_regret_usd)
        yield f"Quotes may save {regret} {currency} on average."


def _turned(choice: Choice, flip: Flip) -> str:
    """Describe the price at which another specification is as good."""
    if flip.flip_usd is None:
        return ""
    one, currency = flip.specification, choice.specifications[0].first.ownership.terms.currency
    array = one.first.plan.array
    name = one.models[0].name if len(one.models) == 1 else f"any {one.kind}"
    layout = f" in {array.name}" if array.members > 1 else ""
    below, now = _apart(flip.flip_usd, flip.price_usd)
    return f"{array.members} x {name}{layout} below {below} {currency} a drive (about {now} now)"


def _apart(below: float, now: float) -> tuple[str, str]:
    """Write two prices with so many digits that they differ, at least two.

    >>> _apart(360.0, 410.0), _apart(3060.4, 3101.0)
    (('360', '410'), ('3,060', '3,100'))
    """
    return (two(below), two(now)) if two(below) != two(now) else (three(below), three(now))


def decision_record(choice: Choice) -> dict[str, object] | None:
    """Return the decision as JSON has it, in base units; None where nothing can be chosen."""
    decision = decide(choice)
    if decision is None:
        return None
    first = decision.first.first
    usable, binding = first.plan["usable_bytes"], first.binding
    price = first.ranges.get("total_price_usd")
    return {
        "text": " ".join(_lines(choice, decision)),
        **_specification_record(decision.first),
        "usable_bytes": float(usable.value) if usable.is_known else None,
        "price_usd": None if price is None else range_record(price),
        **price_record(first.plan.drive),
        "binding": None
        if binding is None
        else {"need": str(binding.need), "margin": binding.margin},
        "turned_by": [
            _specification_record(flip.specification)
            | {"price_usd": flip.price_usd, "flip_usd": flip.flip_usd}
            for flip in decision.flips
        ],
        "unverified": [str(each) for each in unverified(first.plan.drive)],
        "expected_regret_usd": decision.expected_regret_usd,
    }


def _specification_record(one: Specification) -> dict[str, object]:
    array = one.first.plan.array
    return {
        "drive_kind": one.kind._asdict(),
        "models": [drive.name for drive in one.models],
        "drives": array.members,
        "level": array.name,
        "partition_fraction": one.first.plan.partition_fraction,
        "needed_bytes_per_drive": one.needed_bytes,
        "objective": one.first.objective,
    }
