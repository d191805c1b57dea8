"""Every call that is shown under the maths can be made: the formula, by its name, gives the number.

Twelve drives, six workloads, each in an array of its own and under other assumptions of failures:
what is shown of plan, speed, queue, data loss, cost of owning, recovery and host cache is written
as Python and run.
"""

from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module

import numpy as np
import pytest

import models
from models.units import DAY_S, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.priors import with_assumptions
from planner.graph.answer import walk
from planner.graph.explain import call_text, maths
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.scenario.skew import classes_of
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.host_cache import HostCache, host_cache
from planner.sections.ownership import ownership
from planner.sections.plan import plan_drive
from planner.sections.recovery import recovery
from planner.sections.replacements import replacement_dates
from planner.sections.speed import speed

DRIVES = (
    "845DC PRO 400", "845DC PRO 800", "845DC EVO 240", "840 EVO 250", "840 PRO 256", "850 PRO 256",
    "850 EVO 1 TB", "870 EVO 1 TB", "860 PRO 512", "M500 480", "DC S3700 400", "DC S3500 480",
)  # fmt: skip
TURNS = {"growth_per_year": 0.2, "rate_steps": ((3e7, 2.0), (6e7, 0.5)), "phase_in_s": 5e6}
WRITES, PAGES = classes_of("80/20", capacity_bytes=4e11)
CASES = {
    "one drive": (Workload(host_bytes_per_s=1e6, queue_depth=4), Array(), Risk()),
    "growth": (
        Workload(host_bytes_per_s=6e6, read_fraction=0.5, queue_depth=32, **TURNS),
        Array(members=12, level=RaidLevel.RAID5, member_stall_fraction=0.02),
        Risk(replaced_fraction=0.9),
    ),
    "sequential": (
        Workload(host_bytes_per_s=4e7, read_fraction=0, sequential_fraction=0.3, queue_depth=8),
        Array(members=14, level=RaidLevel.EC, data_members=8, parity_members=2, hot_spares=1),
        Risk(stagger_s=30 * DAY_S, horizon_s=10 * YEAR_S),
    ),
    "skew": (
        Workload(
            host_bytes_per_s=3e6,
            fill_fraction=0.8,
            write_shares=WRITES,
            page_shares=PAGES,
            queue_depth=12,
        ),
        Array(members=4, level=RaidLevel.RAID10),
        Risk(afr_fraction=0.02, uber=1e-15, rebuild_s=DAY_S),
    ),
    "reads": (
        Workload(host_bytes_per_s=1e5, read_fraction=0.99, queue_depth=66),
        Array(members=10, level=RaidLevel.RAID5, sets=3, hot_spares=1),
        Risk(life_cv=0.1),
    ),
    "worn out": (
        Workload(host_bytes_per_s=5e8, trim_share=0.1, transfer_bytes=16384, queue_depth=2),
        Array(members=8, level=RaidLevel.RAID6, member_stall_fraction=0.0),
        Risk(stagger_s=30 * DAY_S, replaced_fraction=1.0),
    ),
}


def shown(drive, workload, array, risk):
    """Return every number that some face shows, by the question that it answers."""
    answer = plan_drive(drive, workload, array=array)
    one = speed(drive, workload)
    queue = array_queue(answer)
    return {
        "plan": answer.nodes.values(),
        "placement": walk(answer.wa_band).values(),
        "speed": one.nodes.values(),
        "queue": walk((*queue.answers, *queue.further)).values(),
        "curve": walk([queue.curve_iops]).values(),
        "data loss": data_loss(answer, risk).nodes.values(),
        "replacements": walk([replacement_dates(answer)]).values(),
        "owning": ownership(answer, Terms(), risk).nodes.values(),
        "recovery": walk(recovery(one, trimmed_fraction=0.3).answers).values(),
        "host cache": walk(host_cache(one, workload, HostCache(cache_bytes=1e9)).answers).values(),
    }


def called(node):
    """Return what the call gives that is shown as Python."""
    module = node.formula.rpartition(".")[0]
    import_module(module)
    return eval(call_text(node.formula, node.arguments), {"models": models})  # noqa: S307 - the text is the test


def each_once(questions):
    """List computed numbers with what their calls give; of several results one call is made."""
    results = {}
    for node in (node for nodes in questions.values() for node in nodes if node.is_computed):
        if id(node.arguments) not in results:
            results[id(node.arguments)] = called(node)
        result = results[id(node.arguments)]
        yield node, getattr(result, node.part) if node.part else result


def numbers(argument, named) -> Iterator[object]:
    """List the numbers of an argument: of a list its members, of a record those that are named."""
    if is_dataclass(argument):
        yield from (getattr(argument, name) for name in argument.__slots__ if name in named)
    elif hasattr(argument, "_asdict"):
        yield from (value for name, value in argument._asdict().items() if name in named)
    elif isinstance(argument, list):
        yield from argument
    else:
        yield argument


@pytest.mark.parametrize("name", DRIVES)
def test_every_call_gives_its_number(name):
    drive, formulas = with_assumptions(find(load(), name)), set()
    for case in CASES.values():
        for node, result in each_once(shown(drive, *case)):
            assert np.array_equal(result, node.value, equal_nan=True), node
            used = [
                part
                for argument in node.arguments.values()
                for part in numbers(argument, node.inputs)
            ]
            known = [part.value for part in node.inputs.values()]
            assert all(map(np.array_equal, used, known)), node
            assert len(used) == len(known), node
            formulas.add(node.formula)
    assert len(formulas) > 50
    assert all(formula.startswith("models.") for formula in formulas)


def behind(node, seen):
    """List a number and all that it rests on, each object once."""
    if id(node) not in seen and node.is_known:
        seen[id(node)] = node
        for part in node.inputs.values():
            behind(part, seen)
    return seen


@pytest.mark.parametrize("case", CASES)
def test_one_name_is_one_number(case):
    """Else a list by name would show one of them and leave the other out."""
    for question, nodes in shown(with_assumptions(find(load(), DRIVES[0])), *CASES[case]).items():
        seen, named = {}, {}
        for node in nodes:
            behind(node, seen)
        for node in seen.values():
            value = named.setdefault(node.key, node.value)
            assert np.array_equal(value, node.value), (question, node.key)


def test_every_question_has_calls_and_every_formula_a_page():
    """Of a drive whose dies are known, in an array whose members stall."""
    answers = shown(with_assumptions(find(load(), DRIVES[0])), *CASES["growth"])
    counts = {name: sum(node.is_computed for node in nodes) for name, nodes in answers.items()}
    assert min(counts.values()) > 1, counts
    for node, _ in each_once(answers):
        page = maths(node.formula)
        assert page.equation, node.formula
        assert page.validity.startswith("Valid"), node.formula
        assert "]_" not in page.validity, node.formula
