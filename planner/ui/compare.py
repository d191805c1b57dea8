"""Compare: the plan on screen beside up to four others: drives, layouts, counts, spare area."""

from collections.abc import Mapping, Sequence

import streamlit as st

from models.errors import DomainError
from planner.catalogue import find
from planner.export.comparison import ComparisonRow, compared, titles
from planner.export.workbook.book import workbook
from planner.quantity.inputs import INPUTS
from planner.quantity.parse import shortened
from planner.quantity.show import complaint
from planner.search.verdict import verdict
from planner.sections.plan import PlanReading
from planner.ui import protocols
from planner.ui import state as scenario
from planner.ui.plain import BEST, bullets, plain
from planner.ui.tables import table

FIELDS = ("drives", "drive", "raid", "spare")
WIDTHS = {"drives": 80, "drive": 300, "raid": 130, "spare": 130}
LABELS = {"drives": "Drives", "drive": "Drive", "raid": "RAID", "spare": "Left free"}
MOST = 4  # beside the plan on screen
OTHERWISE = "Samsung 845DC EVO 480 GB"  # where the verdict proposes no other plan
_KEY, _SENT, _IGNORED = "with", "compared as sent", "ignored of compared plans"

Changes = dict[str, str]  # what another plan has otherwise than the one on screen


def render() -> None:
    """Draw the page."""
    here = scenario.current()
    st.caption("What another plan leaves blank is as in the plan above.")
    others = _others(here)
    opened, ignored = st.session_state.get(_IGNORED, ([], []))
    if ignored and opened == [to_link(changes) for changes in others]:
        st.error(bullets(ignored, head="In the link, but ignored:"))
    plans = [here, *(plan for plan in map(_drawn, range(len(others)), others) if plan is not None)]
    if len(others) < MOST:
        st.button("Add a plan", key="with_add", on_click=others.append, args=({},))
    _write_link(others)
    if len(plans) > 1:
        _tables(plans)
        tests = st.expander("A test of a review on these drives", key="tested", on_change="rerun",
                            bind="query-params")  # fmt: skip
        if tests.open:
            with tests:
                protocols.compare(_by_drive(plans))


def _by_drive(plans: Sequence[PlanReading]) -> list[PlanReading]:
    """Return one plan for each drive and share left free: a test runs on a single drive."""
    return [*{(plan.drive.name, plan.partition_fraction): plan for plan in plans}.values()]


# The other plans --------------------------------------------------------------------------------


def from_link(text: str) -> Changes:
    """Read another plan from a link: its drive, then what else it has of its own.

    >>> from_link("Samsung PM9A3 3.84 TB; drives=6; raid=5")
    {'drive': 'Samsung PM9A3 3.84 TB', 'drives': '6', 'raid': '5'}
    >>> from_link("raid=6; colour=red")
    {'raid': '6'}
    """
    changes: Changes = {}
    for part in text.split(";"):
        key, sign, value = part.strip().partition("=")
        if not sign and key:
            changes["drive"] = key
        elif key in FIELDS:
            changes[key] = value
    return changes


def ignored_of(text: str) -> list[str]:
    """Return a refusal for each key of another plan that no field takes.

    >>> ignored_of("raid=6; colour=red")
    ['colour is not an input of another plan']
    """
    keys = [part.strip().partition("=")[0] for part in text.split(";") if "=" in part]
    return [f"{shortened(key)} is not an input of another plan" for key in keys
            if key not in FIELDS]  # fmt: skip


def to_link(changes: Mapping[str, str]) -> str:
    """Write another plan as a link holds it."""
    own = [f"{key}={changes[key]}" for key in FIELDS if changes.get(key) and key != "drive"]
    return "; ".join([*filter(None, [changes.get("drive")]), *own])


def _others(plan: PlanReading) -> list[Changes]:
    """Return the other plans: of the link that was opened, else those kept, else a proposal."""
    state, linked = st.session_state, st.query_params.get_all(_KEY)
    if linked and linked != state.get(_SENT):
        _forget_fields()
        state[_KEY] = [from_link(text) for text in linked[:MOST]]
        ignored = [
            *(f"with={text}: {why}" for text in linked[:MOST] for why in ignored_of(text)),
            *(f"with={text}: at most {MOST} plans beside this" for text in linked[MOST:]),
        ]
        state[_IGNORED] = [to_link(changes) for changes in state[_KEY]], ignored
    if _KEY not in state:
        state[_KEY] = [_proposed(plan)]
    kept: list[Changes] = state[_KEY]
    return kept


def _proposed(plan: PlanReading) -> Changes:
    """Return the change that the verdict proposes, or else another drive."""
    risk, load = scenario.risk(), scenario.application()
    change = verdict(plan, risk.horizon_s, risk, application=load).change.inputs
    return dict(change) if change and change.keys() <= {*FIELDS} else {"drive": OTHERWISE}


def _write_link(others: list[Changes]) -> None:
    texts = [to_link(changes) for changes in others]
    st.session_state[_SENT] = texts
    if st.query_params.get_all(_KEY) != texts and not scenario.is_bare():
        st.query_params[_KEY] = texts


def _drawn(place: int, changes: Changes) -> PlanReading | None:
    """Draw the fields of another plan, keep what they say, and return it if it can be had."""
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"with_{place}"):
        for field in FIELDS:
            written = _field(field, f"with_{place}_{field}", changes.get(field, ""))
            changes[field] = written
        st.button(
            "", icon=":material/close:", key=f"with_{place}_away", help="Take this plan away",
            on_click=_take_away, args=(place,),
        )  # fmt: skip
    try:
        return _plan(changes)
    except DomainError as error:
        st.error(plain(complaint(error, {})))
    except ValueError as error:
        st.error(plain(str(error)))
    return None


def _field(field: str, key: str, text: str) -> str:
    """Draw a field of another plan; blank, it shows what the plan on screen has."""
    if key not in st.session_state:
        st.session_state[key] = text or (None if field == "drive" else "")
    if field == "drive":
        return str(
            st.selectbox(
                plain(LABELS[field]), scenario.names()[:-1], index=None, key=key,
                accept_new_options=True, placeholder=scenario.drive_name(), width=WIDTHS[field],
            ) or ""
        )  # fmt: skip
    return st.text_input(
        plain(LABELS[field]), key=key, placeholder=scenario.text_of(field), width=WIDTHS[field],
        help=plain(INPUTS[field].help),
    )  # fmt: skip


def _plan(changes: Changes) -> PlanReading:
    name = changes["drive"]
    if not name or name == scenario.drive_name():
        drive, is_same = scenario.chosen(), True
    else:
        drive, is_same = find(scenario.catalogue(), name), False
    own = {field: text for field, text in changes.items() if text and field != "drive"}
    return scenario.checked(scenario.changed(drive, own, known=is_same))


def _take_away(place: int) -> None:
    del st.session_state[_KEY][place]
    _forget_fields()


def _forget_fields() -> None:
    """Let the fields be made anew from the plans: those after one that went move up."""
    for place in range(MOST):
        for field in FIELDS:
            st.session_state.pop(f"with_{place}_{field}", None)


# The answers ------------------------------------------------------------------------------------


def _tables(plans: list[PlanReading]) -> None:
    names = titles(plans)
    rows = compared(plans, scenario.risk())
    alike = [row for row in rows if not (row.differs or row.is_verdict)]
    table(_cells([row for row in rows if row not in alike], names))
    st.caption("✓ the better figure, where one direction is better. Ranges: facts are assumed.")
    if alike:
        with st.expander(f"Alike in all: {len(alike):,} rows"):
            table(_cells(alike, names))
    st.download_button(
        "Download workbook (live formulas)",
        lambda: workbook(
            plans, scenario.catalogue(), application=scenario.application(), risk=scenario.risk()
        ),
        "comparison.xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        on_click="ignore",
        key="comparison_xlsx",
    )


def _cells(rows: list[ComparisonRow], names: list[str]) -> list[dict[str, str]]:
    """Return rows of a table, the better figure of each marked."""
    return [
        {"Quantity": row.label}
        | {name: f"{BEST if place in row.best else ''}{value}"
           for place, (name, value) in enumerate(zip(names, row.values, strict=True))}
        for row in rows
    ]  # fmt: skip


if __name__ == "__main__":
    render()
