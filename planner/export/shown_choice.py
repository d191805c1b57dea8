"""A choice as a page shows it: sentences, rows, and plans to take.

A page asks for it in another process (`planner.quantity.door`), which keeps what it computed for
the next question; a choice with all its plans would take longer to send than to compute.
"""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from models.errors import DomainError
from planner.application import Application
from planner.catalogue import load, search
from planner.catalogue.quotes import QuoteTables, merged
from planner.export.choice_tables import (
    Rows,
    axis_title,
    excluded_lines,
    front_rows,
    named_plan,
    needs_line,
    nodes_lines,
    ranked_rows,
    rejected_rows,
    rules_line,
    saving_rows,
    undecided_line,
    unknown_lines,
)
from planner.export.decision_text import decision_lines
from planner.export.owning_text import parts_text
from planner.export.procurement import Project, procurement_workbook
from planner.export.quote_text import quote_lines, quotes_line
from planner.quantity.show import complaint
from planner.scenario.array import Array
from planner.search.choose import Axis, Candidate, Choice, choose
from planner.search.choose.answer import ASIDE
from planner.search.choose.request import choice_request

MOST_REJECTED = 15


class ChoiceQuestion(NamedTuple):
    """A question: texts of inputs, words of names, objective, own tables of quotes, and a front."""

    texts: Mapping[str, str]
    words: str
    minimise: str
    quotes: QuoteTables | None = None
    only_own: bool = False
    axis: Axis | None = None  # on which the front is shown


class ShownPlan(NamedTuple):
    """A ranked plan: its name, its drive and layout, and sentences on its cost and nodes."""

    name: str
    drive: str
    array: Array
    partition_fraction: float
    lines: tuple[str, ...]


class ShownQuotes(NamedTuple):
    """Sentences on tables of quotes: their rows counted, then one for each row."""

    counted: str
    lines: tuple[str, ...]
    are_set_aside: bool  # some of them


class ShownFront(NamedTuple):
    """The plans that no other beats in both figures, and the names of these."""

    titles: tuple[str, ...]
    rows: tuple[Mapping[str, object], ...]


class ShownChoice(NamedTuple):
    """The answer to a question, without its plans in full."""

    decision: tuple[str, ...]  # none where no plan meets every requirement
    is_client: bool  # whether the best drive is one for desktops
    quotes: ShownQuotes
    needs: str
    rules: str
    ranked: Rows
    undecided: str
    plans: tuple[ShownPlan, ...]
    front: ShownFront
    rejected: Rows
    excluded: tuple[str, ...]
    savings: Rows
    notes: tuple[str, ...]


def shown_choice(question: ChoiceQuestion) -> ShownChoice:
    """Answer a question; raise a sentence where it cannot be one, or no drive has such a name."""
    try:
        found = _choice(question)
    except DomainError as error:
        raise ValueError(complaint(error, {})) from None
    best = found.best
    return ShownChoice(
        decision=tuple(decision_lines(found)),
        is_client=best is not None and best.plan.drive.segment.startswith("client"),
        quotes=ShownQuotes(
            quotes_line(found),
            tuple(quote_lines(found)),
            found.quotes is not None and bool(found.quotes.total(ASIDE)),
        ),
        needs=needs_line(found),
        rules=rules_line(found),
        ranked=ranked_rows(found),
        undecided=undecided_line(found),
        plans=tuple(map(_plan, found.candidates)),
        front=ShownFront(
            tuple(axis_title(found, axis) for axis in found.axes), tuple(front_rows(found))
        ),
        rejected=rejected_rows(found, most=MOST_REJECTED),
        excluded=(*unknown_lines(found), *excluded_lines(found)),
        savings=saving_rows(found),
        notes=found.notes,
    )


def procurement(question: ChoiceQuestion, title: str, load_of: Application | None) -> bytes:
    """Return the workbook of a purchase for the answer to a question."""
    return procurement_workbook(
        _choice(question), load(), exported=date.today(), project=Project(title=title),
        application=load_of,
    )  # fmt: skip


def _choice(question: ChoiceQuestion) -> Choice:
    own = () if question.quotes is None else question.quotes.drives
    drives = own if question.only_own else merged(search(load(), question.words), own)
    if not drives:
        raise ValueError(f"No drive's name holds '{question.words}'.")
    request = choice_request(
        drives, minimise=question.minimise, is_named=bool(question.words), quotes=question.quotes,
        **question.texts,
    )  # fmt: skip
    axes = () if question.axis is None else (Axis.LEAST, question.axis)
    return choose(**request, axes=axes)


def _plan(one: Candidate) -> ShownPlan:
    currency, parts = one.ownership.terms.currency, parts_text(one.ownership)
    owned = f"Cost of owning, present value in {currency}: {parts}" if parts else ""
    return ShownPlan(
        name=named_plan(one),
        drive=one.plan.drive.name,
        array=one.plan.array,
        partition_fraction=one.plan.partition_fraction,
        lines=tuple(line for line in (owned, *nodes_lines(one)) if line),
    )
