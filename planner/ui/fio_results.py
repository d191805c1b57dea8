"""A test by fio: its results, the predictions of the planner, and the drive fitted to it."""

import streamlit as st

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.export.scenario_file import facts_of
from planner.export.telemetry_tables import fio_rows
from planner.quantity.show import complaint, text
from planner.simulation.fit import Fit, fit
from planner.telemetry.fio import FioTest
from planner.ui import state as scenario
from planner.ui.plain import bullets, plain
from planner.ui.tables import table


def draw(name: str, test: FioTest) -> None:
    """Draw a test, prediction beside result, and offer the fitted facts to the plan."""
    st.subheader(plain(name), anchor=False)
    if test.jobs:
        table(fio_rows(test))
    if test.notes:
        st.markdown(bullets(test.notes))
    plan = scenario.current()
    try:
        found = fit(
            plan.drive, [test], plan.workload, partition_fraction=plan.partition_fraction,
            firmware=plan.firmware,
        )  # fmt: skip
    except DomainError as error:
        st.info(plain(f"No fit to {plan.drive.name}: {complaint(error, {}).rstrip('.')}."))
        return
    _fit(plan.drive.name, found)
    facts = facts_of(found.drive, known=plan.drive)
    st.button(
        "Use in plan", key=f"fit {name}", on_click=_use, args=(tuple(facts.values()),),
        disabled=not facts, help="Sets the facts of the drive that the test gives.",
    )  # fmt: skip


def _fit(drive: str, found: Fit) -> None:
    """Set each measured figure beside that of the plan, before and after the fit."""
    rows = [
        {"Figure": point.name, "Measured": text(point.quantity, point.measured, digits=3),
         f"Predicted of {drive}": _shown(point.quantity, point.before),
         "Fitted": _shown(point.quantity, point.after)}
        for point in found.points
    ]  # fmt: skip
    table(rows)
    if found.facts:
        statement = (f"{QUANTITIES[fact.quantity].label}: {text(fact.quantity, fact.after)}"
                for fact in found.facts)  # fmt: skip
        st.markdown(bullets(statement, head="**What the test says of the drive**"))
    if found.notes:
        st.markdown(bullets(found.notes))


def _shown(quantity: str, value: float | None) -> str:
    return "missing" if value is None else text(quantity, value, digits=3)


def _use(facts: tuple[str, ...]) -> None:
    scenario.put(fact="; ".join(facts))
    scenario.show_plan("The plan now has what the test says of its drive")
