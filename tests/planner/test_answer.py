"""Answers know how they came about, and what is missing stays missing."""

import numpy as np
import pytest

from models import endurance, queueing
from models.errors import DomainError
from planner.graph.answer import Answer, given, unknown, walk
from planner.graph.nodes import Call, Graph, Leaf
from planner.graph.reading import Reading

DEPTH = given("queue_depth", 32, source="user")
RATE = given("iops", 5_000, source="review")
_LATENCY = Call("latency_s", queueing.latency_s,
                {"queue_depth": Leaf("queue_depth"), "iops": Leaf("iops")},
                "at that depth")  # fmt: skip


def answer(node, *leaves):
    """Return a node as the only answer of a graph with these leaves."""
    return Reading(Graph({"asked": node}), {leaf.key: leaf for leaf in leaves})["asked"]


def test_an_answer_keeps_formula_inputs_and_note():
    assert answer(_LATENCY, DEPTH, RATE) == Answer(
        key="latency_s",
        value=0.0064,
        formula="models.queueing.latency_s",
        inputs={"queue_depth": DEPTH, "iops": RATE},
        note="at that depth",
    )


def test_missing_inputs_make_the_answer_missing_and_are_all_named():
    assert answer(_LATENCY, DEPTH) == unknown(key="latency_s", lacking=("iops",))
    both = Call("latency_s:again", queueing.latency_s,
                {"queue_depth": Leaf("one"), "iops": _LATENCY})  # fmt: skip
    assert answer(both, DEPTH) == unknown(key="latency_s", lacking=("iops", "one"))


def test_a_formula_refuses_what_is_outside_its_domain():
    with pytest.raises(DomainError, match=r"^queue_depth must be > 0"):
        answer(_LATENCY, given("queue_depth", 0, source="user"), RATE)


def test_walk_lists_inputs_before_what_they_feed_and_each_once():
    again = Call("drive_iops", queueing.iops,
                 {"queue_depth": Leaf("queue_depth"), "latency_s": _LATENCY})  # fmt: skip
    found = [answer(node, DEPTH, RATE) for node in (again, _LATENCY)]
    nothing = given("wa", None, source="user")
    assert list(walk([found[0], nothing, found[1]])) == [
        "queue_depth", "iops", "latency_s", "drive_iops",
    ]  # fmt: skip


def test_arrays_pass_through():
    rates = given("host_bytes_per_s", [1e6, 2e6], source="sweep")
    limit = given("limit_bytes", 1e12, source="review")
    life = Call("wear_life_s", endurance.lifetime_s,
                {"limit_bytes": Leaf("limit_bytes"),
                 "host_bytes_per_s": Leaf("host_bytes_per_s")})  # fmt: skip
    got = answer(life, rates, limit)
    assert got.is_computed
    np.testing.assert_array_equal(got.value, [1e6, 5e5])
