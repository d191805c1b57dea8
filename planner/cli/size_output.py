"""Results of sizing, on a terminal and for machines."""

import math
from typing import Any

from planner.catalogue.priors import supply
from planner.cli.printing import print_answers, print_json, print_list, print_read_as
from planner.cli.terminal import echo
from planner.export.tables import range_record
from planner.graph.answer import Answer
from planner.quantity.show import text
from planner.search.size import Margin, Sizing
from planner.search.size.wording import headline, sentence

ASSUMED = {
    "cautious": "Assumed, and taken at its cautious end",
    "typical": "Assumed, and taken at typical figures",
    "generous": "", None: "Assumed",
}  # fmt: skip


def tell(sized: Sizing, *, as_json: bool) -> None:
    """Print the answer, what binds and the margins; or all of it as JSON."""
    if as_json:
        print_json(_record(sized))
    else:
        _print(sized)


def _print(sized: Sizing) -> None:
    if sized.plan is not None:
        echo(sized.plan.drive.name)
        print_read_as(sized.plan.workload)
    echo(headline(sized), bold=True)
    if sized.unrounded is not None:
        print_answers((sized.unrounded,))
    if sized.by_limit:
        echo("\nBy each limit alone")
        for limit, part in sized.by_limit.items():
            value = "missing" if not part.is_known else text(part.key, part.value)
            echo(f"  {limit:<47} {value:>16}")
    if sized.margins:
        echo("\nNeeded and available")
        for margin in sized.margins:
            echo(f"  {sentence(margin)}")
    _print_details([part for part in sized.details if part.is_known])
    print_list("Missing facts would come from", [supply(name) for name in sized.lacking])
    if sized.plan is not None:
        print_list(ASSUMED[sized.level], sized.plan.wide)
    print_list("Notes", sized.notes)


def _print_details(parts: list[Answer]) -> None:
    if parts:
        echo("\nWith it")
        print_answers(parts)


def _record(sized: Sizing) -> dict[str, Any]:
    answer = sized.answer
    return {
        "drive": None if sized.plan is None else sized.plan.drive.drive_id,
        "fits": sized.fits,
        "quantity": None if answer is None else answer.key,
        "value": _value(answer),
        "unrounded": _value(sized.unrounded),
        "range": None if sized.range is None else range_record(sized.range),
        "limit": sized.limit,
        "by_limit": {limit: _value(part) for limit, part in sized.by_limit.items()},
        "margins": [_margin(margin) for margin in sized.margins],
        "rejected": [_margin(margin) for margin in sized.rejected],
        "details": {part.key: _value(part) for part in sized.details},
        "assumed": [] if sized.plan is None else list(sized.plan.wide),
        "missing": list(sized.lacking),
        "notes": list(sized.notes),
    }


def _value(answer: Answer | None) -> float | None:
    if answer is None or not answer.is_known or not math.isfinite(answer.value):
        return None
    return float(answer.value)


def _margin(margin: Margin) -> dict[str, Any]:
    numbers = {
        "needed": margin.needed,
        "available": margin.available,
        "margin_ratio": margin.margin_ratio,
    }
    finite = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
    return {"limit": margin.limit, "quantity": margin.key} | finite
