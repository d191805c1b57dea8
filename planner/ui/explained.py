"""Behind a number: arithmetic down to its sources, range, measured error, and a simulation."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.graph.answer import Answer, walk
from planner.graph.arithmetic import arithmetic
from planner.graph.explain import call_text, maths
from planner.quantity.show import complaint, span, text, unit_text
from planner.scenario.firmware import Layout
from planner.sections.loss_causes import LossKind
from planner.sections.origins import origin
from planner.sections.pinned import Statement, statement_of
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.why import narrowing, why
from planner.simulation.plan import replay, simulated
from planner.ui import state as scenario
from planner.ui.plain import bullets, plain, shown
from planner.ui.reports import errors_of
from planner.ui.tables import table

if TYPE_CHECKING:
    from models.simulator import Result


Ranged = Callable[[PlanReading], Range | None]


class Explanation(NamedTuple):
    """A number with its range, and the numbers and causes beside it.

    `ends` is its range; `ranged` computes it from another plan, by default as any number of a plan.
    `others` are further numbers of the same sentence, `kinds` losses with their causes, `remark` a
    cause without a probability.
    """

    number: Answer
    ends: Range | None = None
    ranged: Ranged | None = None
    others: Sequence[Answer] = ()
    kinds: Sequence[LossKind] = ()
    remark: str = ""
    notes: Sequence[str] = ()

    def range_in(self, plan: PlanReading) -> Range | None:
        """Return the range of the number in another plan."""
        return plan.range_of(self.number.key) if self.ranged is None else self.ranged(plan)


def explain(
    plan: PlanReading,
    number: Answer,
    *,
    key: str,
    ends: Range | None = None,
    ranged: Ranged | None = None,
) -> None:
    """Draw a button that shows what is behind a known number; nothing is worked out until then."""
    if number.is_known:
        button(plan, lambda: Explanation(number, ends, ranged), key=key)


def button(plan: PlanReading, explanation: Callable[[], Explanation], *, key: str) -> None:
    """Draw a button that opens an explanation, which is made only then."""
    part = st.popover("Explain", on_change="rerun", key=f"explain {key}", type="tertiary")
    if part.open:
        with part:
            behind(plan, explanation(), key=key)


@st.fragment
def behind(plan: PlanReading, explanation: Explanation, *, key: str) -> None:
    """Show a number down to its sources: a row for each input, opened one by one.

    What is opened is drawn alone, without the rest of the page.
    """
    number, path = explanation.number, f"tree {key}"
    quantity, ends = QUANTITIES[number.key], explanation.ends or explanation.range_in(plan)
    with st.container(key=path):
        _losses(explanation, path)
        st.markdown(f"**{plain(f'{quantity.label} = {shown(number)}')}**")
        st.caption(plain(quantity.meaning))
        _walk(number, path)
        for other in explanation.others:
            _row(other, f"{path} {other.key}")
        if ends is not None and ends.is_wide:
            first, *parts = why(number.key, ends)
            st.markdown(bullets(parts, head=f"**{plain(first)}**"))
            if explanation.ranged or explanation.ends is None:
                _assumptions(plan, explanation, ends, f"{path} range")
        if explanation.notes:
            st.markdown(bullets(explanation.notes, head="**Assumed**"))
    _formula(number)
    _measured(number)
    _beside(plan, number, key)
    scenario.leave()


def _losses(explanation: Explanation, path: str) -> None:
    """Show each kind of loss with its odds, and a row for each of its causes."""
    for kind in explanation.kinds:
        st.markdown(f"**{plain(kind)}**")
        for place, cause in enumerate(kind.causes):
            _row(cause.answer, f"{path} {kind.name} {place}", label=str(cause))
    if explanation.remark:
        st.markdown(plain(explanation.remark))


def _walk(number: Answer, path: str) -> None:
    """Show a number as arithmetic on its inputs, and a row for each of these; or its origin."""
    if not number.is_computed:
        st.markdown(plain(origin(number, scenario.catalogue().sources)))
        return
    line = arithmetic(number)
    if line.text:
        st.markdown(f"**{plain(line.text)}**")
    else:
        st.caption(plain(f"No short arithmetic: {maths(number.formula).summary}"))
    for name, part in number.inputs.items():
        _row(part, f"{path}/{name}", in_line=line.shown.get(name, ""))


def _row(part: Answer, path: str, *, in_line: str = "", label: str = "") -> None:
    """Draw a number in one row: one that is computed opens, any other has its origin below."""
    if not part.is_known:
        return
    value = text(part.key, part.value)
    is_other = in_line.partition(" ")[0] not in ("", value.partition(" ")[0])
    also = f" = {in_line}" if is_other else ""
    label = label or f"{QUANTITIES[part.key].label} = {value}{also}"
    if not part.is_computed:
        of = plain(origin(part, scenario.catalogue().sources))
        st.markdown(f"{plain(label)}  \n:small[{of}]")
        return
    branch = st.expander(plain(label), on_change="rerun", key=path, type="compact")
    if branch.open:
        with branch:
            _walk(part, path)


def _assumptions(plan: PlanReading, explanation: Explanation, ends: Range, path: str) -> None:
    """Draw a row for each uncertain input that matters, with a slider that states its value."""
    items = plan.uncertain.behind(explanation.number)
    for item, part in narrowing(items, ends):
        statement = statement_of(plan, item)
        if statement is None:
            continue
        place, label = f"{path} {item.quantity}", QUANTITIES[item.quantity].label
        row = st.expander(
            plain(f"If {label} were known ({part})"), on_change="rerun", key=place, type="compact"
        )
        if row.open:
            with row:
                st.caption(plain(item.reason))
                _slider(explanation, statement, ends, f"{place} slider")


def _slider(explanation: Explanation, statement: Statement, before: Range, path: str) -> None:
    """Show the range that a number has once an assumption is stated, at the value of a slider."""
    key = explanation.number.key
    name, label = statement.quantity, QUANTITIES[statement.quantity].label
    value = st.select_slider(
        plain(label), statement.values, statement.middle, key=path,
        format_func=lambda each: text(name, each),
    )  # fmt: skip
    stated = statement.texts(value, scenario.text_of("fact"))
    try:
        after = explanation.range_in(scenario.restated(stated))
    except DomainError as error:
        st.error(plain(complaint(error, {})))
        return
    if after is None:
        return
    st.markdown(f"**{plain(f'{label} {text(name, value)}: {_between(key, after)}')}**")
    st.caption(plain(f"Now, while it is assumed: {_between(key, before)}"))
    if st.button(
        "State it", key=f"{path} state", on_click=scenario.put, kwargs=stated, type="tertiary"
    ):
        st.rerun()


def _between(key: str, each: Range) -> str:
    """Write a range with its unit, its typical value, and how far apart its ends are."""
    written = f"{span(key, each.low, each.high, digits=3)}{unit_text(key)}"
    times = f", high {each.high / each.low:.3g} times low" if each.low > 0 and each.is_wide else ""
    return f"{written} (typically {text(key, each.typical, digits=3)}{times})"


def _formula(number: Answer) -> None:
    """Show the equation of a number and its validity, and the call in base units."""
    if not number.is_computed:
        return
    page = maths(number.formula)
    if page.equation:
        st.latex(page.equation)
    st.caption(plain(f"{page.summary} {page.validity} {number.note} In base units:"))
    st.code(call_text(number.formula, number.arguments, number.part), wrap_lines=True)


def _measured(number: Answer) -> None:
    """Show the errors of the formulas behind a number against simulators."""
    found = errors_of(dict.fromkeys(part.formula for part in walk([number]).values()))
    rows = [
        {"Formula": name, "Cases": f"{error.cases}, {error.group}", "Mean error": error.mean,
         "Worst": error.worst, "Report": error.topic}
        for name, each in found.items() for error in each
    ]  # fmt: skip
    if rows:
        st.markdown("**Formulas behind it against simulators**")
        table(rows)


def _beside(plan: PlanReading, number: Answer, key: str) -> None:
    """Offer the simulator beside a number that rests on write amplification."""
    known = walk([number])
    if "workload_wa" not in known:
        return
    result = simulation(plan, key=f"simulate {key}")
    if result is not None:
        formula = text("workload_wa", plan.run_wa.value, digits=4)
        st.caption(plain(f"Write amplification of such writes by the formulas: {formula}."))


def simulation(plan: PlanReading, *, key: str) -> "Result | None":
    """Offer a run of the reference simulator for the plan's spare area, workload and firmware."""
    config = replay(plan)
    if config is None or not st.button("Check by simulation", key=key):
        return None
    bar = st.progress(
        0.0, f"Simulating {config.blocks:,} blocks of {config.pages_per_block:,} pages"
    )
    result = simulated(plan, config, lambda done: bar.progress(done) is not None)
    bar.empty()
    for warning in result.warnings:
        st.warning(plain(warning))
    placed = ", with a single write frontier" if plan.firmware.layout is Layout.UNKNOWN else ""
    st.success(
        f"Simulated {result.wa:.4g} ({result.wa_low:.4g} to {result.wa_high:.4g}) in "
        f"{1000 * result.seconds:.0f} ms{placed}: {result.host_writes:,} host writes, "
        f"{result.copies:,} copies."
    )
    return result
