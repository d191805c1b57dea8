"""The evidence of a sentence or a number of a plan, and what would narrow it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from models.nomenclature import QUANTITIES
from planner.catalogue import load
from planner.cli.printing import print_sentences, print_wrapped
from planner.cli.terminal import echo
from planner.graph.answer import Answer
from planner.graph.arithmetic import arithmetic
from planner.quantity.parse import quoted
from planner.quantity.show import text
from planner.scenario.risk import Risk
from planner.search.verdict import verdict
from planner.search.verdict.sentences import COMMIT, commits_of
from planner.sections.answers import ANSWERS, key_named
from planner.sections.data_loss import data_loss
from planner.sections.loss_causes import loss_kinds
from planner.sections.origins import origin
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.why import why

if TYPE_CHECKING:
    from planner.application import Application

QUESTIONS = ("lasts", "worst", "safe", "cost", "next")


def print_why(
    plan: PlanReading, risk: Risk, asked: tuple[str, ...], *,
    application: "Application | None" = None, ranges: Mapping[str, Range] | None = None,
    numbers: Mapping[str, Answer] | None = None,
) -> None:  # fmt: skip
    """Print the evidence of sentences and numbers, and what would narrow them.

    `ranges` are those of a face beside the plan's, `numbers` its answers without a range.
    """
    further, others = ranges or {}, numbers or {}
    for name in asked:
        if name.lower() in QUESTIONS:
            _print_evidence(plan, risk, QUESTIONS.index(name.lower()), application)
            continue
        key = key_named(name)
        each = further.get(key) or plan.range_of(key)
        if each is not None:
            for line in why(key, each):
                print_wrapped(line, indent=2 + len(line) - len(line.lstrip()))
            node = plan.node_in_force(key)
            if node is not None:
                _print_formula(plan.reading.answer(node))
        elif key in others and others[key].is_known:
            echo(f"{QUANTITIES[key].label} {text(key, others[key].value)}")
            _print_formula(others[key])
        else:
            own = [row.name or row.key for row in ANSWERS if row.key in plan.ranges]
            known = ", ".join(dict.fromkeys((*own, *further)))
            raise click.UsageError(
                f"--why must be {', '.join(QUESTIONS)} or a number of this plan, got "
                f"{quoted(name)}; numbers are {known}"
            )


def _print_evidence(
    plan: PlanReading, risk: Risk, place: int, application: "Application | None"
) -> None:
    """Print a sentence, its numbers with formula and inputs, and what would narrow each."""
    statement = verdict(plan, risk.horizon_s, risk, application=application)
    question, line = list(statement.lines.items())[place]
    print_sentences({question: line})
    sentence = (*statement.sentences, None)[place]
    if sentence is None:
        inputs = statement.change.inputs
        changes = ", ".join(f"{name} = {value}" for name, value in inputs.items())
        echo(f"  Inputs that change: {changes or 'none'}")
        return
    # Assumptions that no number of the sentence has as a range of its own.
    is_noted = bool(sentence.reasons) and not any(each.shares for each in sentence.numbers.values())
    for key, each in sentence.numbers.items():
        node = plan.nodes.get(key) or _commit(plan, key, application)
        if node is not None:
            _print_formula(node)
        plain = f"{QUANTITIES[key].label} {text(key, each.typical)}"
        for part in [plain] if is_noted and not each.is_wide else why(key, each):
            print_wrapped(f"  {part}", indent=6)
    if QUESTIONS[place] == "safe":
        _print_causes(plan, risk)
    for reason in sentence.reasons if is_noted else ():
        print_wrapped(f"  {reason}", indent=4)


def _commit(plan: PlanReading, key: str, application: "Application | None") -> Answer | None:
    """Return the wait of a commit, which no plan has among its numbers; None for another key."""
    found = commits_of(plan, application) if key == COMMIT else None
    if found is None:
        return None
    from planner.search.commits import commit_answer  # noqa: PLC0415 - few plans state a limit

    return commit_answer(plan, found)


def _print_causes(plan: PlanReading, risk: Risk) -> None:
    """Print each kind of data loss with its causes, and how those join."""
    loss = data_loss(plan, risk)
    if loss["array_loss_probability"].is_known:
        _print_formula(loss["array_loss_probability"])
    for kind in loss_kinds(loss):
        print_wrapped(f"  {kind}", indent=6)
        for cause in kind.causes:
            print_wrapped(f"    {cause}", indent=8)
            if cause.line:
                print_wrapped(f"      {cause.line}", indent=10)


def _print_formula(node: Answer) -> None:
    """Print a number as arithmetic on its inputs, its formula, and the origin of each input."""
    if not node.is_computed:
        print_wrapped(f"  {QUANTITIES[node.key].label}: {_origin(node)}", indent=6)
        return
    if line := arithmetic(node).text:
        print_wrapped(f"  {line}", indent=6)
    inputs = {name: text(part.key, part.value) for name, part in node.inputs.items()}
    values = ", ".join(f"{name} = {value}" for name, value in inputs.items())
    print_wrapped(f"  {node.formula}({values})", indent=6)
    for part in node.inputs.values():
        if part.is_known:
            behind = arithmetic(part).text or f"by {part.formula}"
            origin_of = behind if part.is_computed else _origin(part)
            value = text(part.key, part.value)
            print_wrapped(f"    {QUANTITIES[part.key].label} {value}: {origin_of}", indent=8)


def _origin(node: Answer) -> str:
    return origin(node, load().sources)
