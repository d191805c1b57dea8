"""Choices made by hand, and what their workbooks must say after an edit."""

from dataclasses import dataclass, replace

import numpy as np

from models import confidence
from planner.catalogue.drive import with_user_facts
from planner.quantity.show import shown
from planner.scenario.array import Array
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.search.choose import Candidate, Choice, Met, Need, Objective, Requirements
from planner.search.choose.limits import AT_MOST
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.ownership import ownership
from planner.sections.plan import plan_drive
from tests.libreoffice import cell


@dataclass(frozen=True)
class Case:
    """One candidate: drive, layout and share, and the edits of its own column in shown units."""

    drive: object
    array: Array
    fraction: float = 1.0
    members: int | None = None  # after the edit
    facts: tuple[tuple[str, float, float], ...] = ()  # quantity, typed in, in base units


def known(answer):
    return None if not answer.is_known else float(answer.value)


def met(answer, queue, lost, requirements):
    """Compare a plan with what is required, need by need, from the figures of the plan alone."""
    spread = confidence.margin_needed(requirements.life_confidence, log_sd=requirements.life_log_sd)
    known_lives = answer.lives.known.items()
    lives = [node.value / spread for limit, node in known_lives if str(limit) != "warranty period"]
    powers = [answer.drive.value(f"{side}_power_w") for side in ("write", "read")]
    powers = [value for value in powers if value is not None]
    has = {
        Need.USABLE: known(answer["usable_bytes"]),
        Need.IOPS: known(queue.iops),
        Need.WORST: known(answer["worst_case_floor_iops"]),
        Need.LIFE: min(lives, default=None),
        Need.LOSS: known(lost["array_loss_probability"]),
        Need.POWER: answer.array.members * max(powers) if powers else None,
        Need.SLOTS: float(answer.array.members),
        Need.BUDGET: known(answer["total_price_usd"]),
        Need.WARRANTY: answer.drive.value("warranty_s"),
        Need.RATED: known(answer["printed_life_s"]),
    }
    return tuple(
        Met(need=need, needed=needed, available=has[need], margin=margin(need, needed, has[need]))
        for need, needed in requirements.needs.items()
    )


def margin(need, needed, available):
    if available is None:
        return -np.inf
    return needed / available if need in AT_MOST else available / needed


def candidate(case, workload, *, terms=None, risk=None, requirements=None):
    terms, risk, requirements = terms or Terms(), risk or Risk(), requirements or Requirements()
    answer = plan_drive(case.drive, workload, array=case.array, partition_fraction=case.fraction)
    queue, lost = array_queue(answer, queue_depth=requirements.queue_depth), data_loss(answer, risk)
    return Candidate(
        plan=answer,
        queue=queue,
        data_loss=lost,
        ownership=ownership(answer, terms, risk),
        objective=known(answer["total_price_usd"]) or np.nan,
        life_probability=None,
        met=met(answer, queue, lost, requirements),
    )


def chosen(cases, workload, *, terms=None, risk=None, requirements=None, **more):
    """Make a choice of which the candidates are these cases."""
    told = {
        "objective": Objective.PRICE, "requirements": requirements or Requirements(),
        "rejected": (),
        "rejected_by": {}, "savings": (), "axes": (), "front": (), "configurations": len(cases),
        "possible": len(cases), "holding": len(cases), "notes": (),
    } | more  # fmt: skip
    found = (
        candidate(case, workload, terms=terms, risk=risk, requirements=requirements)
        for case in cases
    )
    return Choice(candidates=tuple(found), **told)


def edited(case, workload, terms, risk, **changed):
    """Plan a case once more, with its own edits and with `changed` fields of workload and terms."""
    array = replace(case.array, members=case.members or case.array.members)
    drive = with_user_facts(case.drive, **{name: value for name, _, value in case.facts})
    load = {name: value for name, value in changed.items() if name in Workload.__slots__}
    money = {name: value for name, value in changed.items() if name in Terms.__slots__}
    answer = plan_drive(
        drive, replace(workload, **load), array=array, partition_fraction=case.fraction
    )
    return answer, ownership(answer, replace(terms, **money), risk)


def typed(case, column):
    """Return what is typed into the column of a case, by the name of the cell."""
    changes = {numbered(name, column): number for name, number, _ in case.facts}
    if case.members is not None:
        changes[numbered("members", column)] = case.members
    return changes


def numbered(name, column):
    return name if column == 1 else f"{name}_{column}"


def read(book, name, column=1):
    """Return the value of a named cell, or the values of cells side by side."""
    found = cell(book, numbered(name, column))
    return [part.value for part in found[0]] if isinstance(found, tuple) else found.value


def differences(book, column, answer, owned):
    """Yield each live number by name: what the workbook says and what the planner says."""
    skipped = {"year", "year_part", "year_end_s", "year_length_s"}
    nodes = {**owned.nodes, **answer.nodes}
    for key, node in nodes.items():
        name = numbered(key, column)
        if not node.is_computed or key in skipped or name not in book.defined_names:
            continue
        told = np.ravel(read(book, key, column)).tolist()
        values = [shown(key, float(value)) for value in np.ravel(node.value)]
        for number, value in enumerate(values):
            yield f"{name}[{number}]", told[number], value
