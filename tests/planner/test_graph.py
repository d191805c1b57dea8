"""A graph says the same of one scenario and of many, and what an unknown number lacks."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import endurance, growth, latency_tail
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue import find, load
from planner.graph.answer import given as leaf
from planner.graph.nodes import (
    Call,
    Const,
    Fields,
    FirstKnown,
    Graph,
    Leaf,
    Named,
    Part,
    When,
    none,
    quantity_of,
)
from planner.graph.read import Reader, read
from planner.graph.reading import Reading
from planner.scenario.array import Array, RaidLevel
from planner.scenario.firmware import Layout, Policy
from planner.scenario.workload import Workload
from planner.sections.plan import plan_drive, plan_graph
from planner.sections.structure import Structure, leaves_of

RAW, CYCLES, WA = Leaf("raw_bytes"), Leaf("pe_cycles"), Leaf("workload_wa")
TBW, RATE = Leaf("rated_bytes"), Leaf("host_bytes_per_s")
WORN = Call(
    "wear_limit_bytes",
    endurance.write_limit_bytes,
    {"raw_bytes": RAW, "pe_cycles": CYCLES, "wa": WA},
)
FIRST = Call(
    "host_limit_bytes:first",
    endurance.first_limit_bytes,
    {"wear_limit_bytes": WORN, "rated_limit_bytes": TBW},
)
LIMIT = FirstKnown("host_limit_bytes", (FIRST, WORN, TBW))
KNOWN = {"raw_bytes": 1e12, "pe_cycles": 3000.0, "workload_wa": 3.0, "rated_bytes": 9e14}
STRUCTURES = [
    Structure(policy=policy, layout=layout, write_shares=writes, page_shares=pages, steps=steps)
    for policy in Policy
    if policy is not Policy.UNKNOWN  # greedy, in a graph
    for layout in Layout
    for writes, pages in (((1.0,), (1.0,)), ((0.8, 0.2), (0.2, 0.8)))
    for steps in (0, 2)
]


def one(node, **values):
    return read([node], values)[0]


def test_a_choice_takes_the_first_way_whose_inputs_are_known():
    without = {key: value for key, value in KNOWN.items() if key != "raw_bytes"}
    assert one(LIMIT, **KNOWN) == 9e14
    assert one(LIMIT, **without, raw_bytes=1e11) == 1e14
    assert one(LIMIT, **without) == KNOWN["rated_bytes"]
    assert np.isnan(one(LIMIT))


@given(
    st.lists(st.sampled_from([np.nan, 1e11, 1e12, 1e13]), min_size=1, max_size=6),
    st.lists(st.sampled_from([np.nan, 1e14, 9e14]), min_size=1, max_size=4),
)
def test_an_array_gives_what_its_elements_give_one_by_one(raws, ratings):
    raw, rating = np.array(raws)[:, None], np.array(ratings)
    together = one(LIMIT, **KNOWN | {"raw_bytes": raw, "rated_bytes": rating})
    apart = [
        [one(LIMIT, **KNOWN | {"raw_bytes": a, "rated_bytes": b}) for b in ratings] for a in raws
    ]
    np.testing.assert_array_equal(np.broadcast_to(together, (len(raws), len(ratings))), apart)


def test_a_condition_holds_element_by_element():
    share = Leaf("sequential_fraction")
    node = FirstKnown("x", (When(share, Const("x:all", 1.0), (1.0,)), WA))
    assert one(node, sequential_fraction=np.array([0.0, 1.0]), workload_wa=3.0).tolist() == [3, 1]
    known = When(share, WA)
    assert np.isnan(one(known, workload_wa=3.0))
    assert one(known, workload_wa=3.0, sequential_fraction=0.5) == 3.0


def test_what_a_formula_refuses_is_refused_alone_and_unknown_among_many():
    with pytest.raises(DomainError, match="pe_cycles must be"):
        one(LIMIT, **KNOWN | {"pe_cycles": -1.0})
    cycles = np.array([3000.0, -1.0])
    limit, rated = read([LIMIT, TBW], KNOWN | {"pe_cycles": cycles})
    assert limit.tolist()[0] == 9e14
    assert np.isnan(limit[1])
    assert np.isnan(rated[1]), "an answer beside a refused one is refused too"


def test_the_fewest_facts_are_lacking():
    def lacking(node, *known):
        return set(Reader({key: KNOWN[key] for key in known}).lacking(node))

    assert lacking(LIMIT) == {"rated_bytes"}
    assert lacking(WORN, "raw_bytes") == {"pe_cycles", "workload_wa"}
    assert lacking(LIMIT, "rated_bytes") == set()
    override = FirstKnown("x", (Leaf("measured_wa", overrides=True), WORN))
    assert lacking(override, "raw_bytes", "pe_cycles") == {"workload_wa"}
    assert lacking(When(CYCLES, WA)) == {"pe_cycles"}


def test_lists_records_and_parts_are_what_a_formula_takes_and_gives():
    class Two(NamedTuple):
        first: float
        second: float

    def swap(pair):
        return Two(pair.second, pair.first)

    both = Call("pair", swap, {"pair": Fields(Two, {"first": RAW, "second": CYCLES})})
    second = Part("raw_bytes:again", both, "second")
    assert one(second, **KNOWN) == KNOWN["raw_bytes"]
    assert np.isnan(one(second, raw_bytes=1.0))
    life = Call(
        "life_s",
        growth.growing_lifetime_s,
        {
            "limit_bytes": TBW, "host_bytes_per_s": RATE,
            "step_times_s": (Leaf("step_1_s"),), "step_factors": (Leaf("step_1_factor"),),
        },
    )  # fmt: skip
    steps = {"step_1_s": 10.0, "step_1_factor": 2.0, "host_bytes_per_s": 1.0}
    assert one(life, rated_bytes=30.0, **steps) == pytest.approx(20.0)
    leaves = {key: leaf(key, value, source="test") for key, value in steps.items()}
    got = Reading(Graph({"life": life}), leaves | {"rated_bytes": leaf(
        "rated_bytes", 30.0, source="test")})["life"]  # fmt: skip
    assert list(got.inputs) == ["limit_bytes", "host_bytes_per_s", "step_1_s", "step_1_factor"]
    assert growth.growing_lifetime_s(**got.arguments) == got.value


class Halves(NamedTuple):
    mean: float
    rest: float


def halved(wa, *, pages_per_block):
    """Refuse what is below 1, as formulas do."""
    if np.any(np.asarray(wa) < 1):
        raise DomainError("wa must be >= 1")
    return Halves(np.divide(wa, 2), np.subtract(pages_per_block, wa))


@pytest.mark.parametrize("wa", [[2.0, np.nan, 0.5, 4.0], [np.nan, 0.5], [np.nan], [3.0, 5.0]])
def test_records_are_unknown_and_refused_element_by_element(wa):
    whole = Call("wa:halves", halved, {"wa": Leaf("wa"), "pages_per_block": Const("b", 8.0)})
    reader = Reader({"wa": np.array(wa)})
    nodes = [Part(f"wa:{name}", whole, name) for name in Halves._fields]  # kept: known by identity
    parts = [reader.value(node) for node in nodes]
    known = [np.nan if not one >= 1 else one for one in wa]
    for got, expected in zip(parts, (np.divide(known, 2), np.subtract(8, known)), strict=True):
        np.testing.assert_array_equal(np.broadcast_to(got, len(wa)), expected)
    np.testing.assert_array_equal(np.broadcast_to(reader.refused, len(wa)), np.less(wa, 1))


def test_a_number_that_is_held_is_not_computed_again():
    limit = Call("wear_limit_bytes", endurance.write_limit_bytes, {"raw_bytes": Leaf("raw_bytes")})
    reader = Reader({})
    reader.hold(limit, 7.0)
    assert reader.value(limit) == 7.0


def test_two_numbers_of_one_key_are_refused():
    other = Call("wear_limit_bytes", endurance.write_limit_bytes, {
        "raw_bytes": RAW, "pe_cycles": CYCLES, "wa": Const("equal_wa", 1.0)})  # fmt: skip
    with pytest.raises(
        ValueError, match="key wear_limit_bytes: name one like wear_limit_bytes:way"
    ):
        Graph({"a": WORN, "b": other})


def test_a_key_that_the_nomenclature_does_not_contain_is_refused():
    with pytest.raises(ValueError, match="no_such_quantity:measured has no row in"):
        Graph({"answer": Const("no_such_quantity:measured", 1.0)})


@pytest.mark.parametrize("structure", STRUCTURES, ids=str)
def test_every_number_of_a_plan_has_one_key_and_a_row_of_the_nomenclature(structure):
    keys = {quantity_of(key) for key in plan_graph(structure).nodes}
    assert keys <= QUANTITIES.keys()


@pytest.mark.parametrize("structure", STRUCTURES, ids=str)
def test_every_call_of_a_plan_is_a_formula_of_the_models(structure):
    calls = [node for node in plan_graph(structure).nodes.values() if isinstance(node, Call)]
    assert calls
    assert {node.formula.__module__.partition(".")[0] for node in calls} == {"models"}


def test_a_sweep_gives_what_plans_give_one_by_one():
    drive = find(load(), "845DC PRO 400")
    array = Array(members=6, level=RaidLevel.RAID5)
    rates = [1e6, 3e7, 2e8]
    base = plan_drive(drive, Workload(host_bytes_per_s=1e6), array=array)
    names = ("wear_life_s", "rated_life_s", "usable_bytes", "drive_iops")
    swept = base.reading.swept(*names, host_bytes_per_s=np.array(rates))
    for place, rate in enumerate(rates):
        alone = plan_drive(drive, Workload(host_bytes_per_s=rate), array=array).reading
        for name, values in zip(names, swept, strict=True):
            assert np.broadcast_to(values, len(rates))[place] == alone[name].value


def test_a_leaf_keeps_the_source_of_its_fact():
    drive = find(load(), "845DC PRO 400")
    leaves = leaves_of(drive, Workload(host_bytes_per_s=1e6))
    fact = drive.facts["raw_bytes"]
    assert (leaves["raw_bytes"].source, leaves["raw_bytes"].value) == (fact.source_id, fact.value)
    assert leaves["host_bytes_per_s"].source == "workload"


def test_nodes_that_are_not_kept_have_answers_of_their_own(pro_400):
    reading = plan_drive(pro_400, Workload(host_bytes_per_s=1e6)).reading
    keys = [key for key, leaf in reading.leaves.items() if leaf.is_known][:20]
    assert [reading.answer(Leaf(key)).value for key in keys] == [
        reading.leaves[key].value for key in keys
    ]


def test_a_leaf_along_an_axis_is_one_number_or_one_for_each_place_of_it():
    errors = Leaf("read_error_ratio", axis="level")
    inputs = {"latency_s": Leaf("level"), "read_error_ratio": errors}
    node = Call("read_quantiles_s", latency_tail.uncertain_read_latency_s, inputs)
    graph = Graph({"read_quantiles_s": node})
    assert graph.axis_of(node) == "level"
    leaves = {"level": leaf("level", [0.5, 0.9], source="definition"),
              "read_error_ratio": leaf("read_error_ratio", 1.0, source="assumption")}  # fmt: skip
    reading = Reading(graph, leaves)
    assert reading["read_quantiles_s"].value.tolist() == [0.5, 0.9]
    ends = [[1.0, 2.0, 3.0], [1.0, 4.0, 5.0]]
    (swept,) = reading.swept("read_quantiles_s", read_error_ratio=np.array(ends))
    np.testing.assert_allclose(swept, [[0.5, 1.0, 1.5], [0.9, 3.6, 4.5]])


LEVEL, OFFERED, SUSTAINED = Leaf("level"), Leaf("offered_iops"), Leaf("write_iops")
PATH = {"write_latency_s": Leaf("write_latency_s"), "write_iops": SUSTAINED}
TAIL = Call("write_quantiles_s", latency_tail.bounded_write_quantile_s, {
    "quantile": LEVEL, "offered_iops": OFFERED, "queue_depth": Leaf("queue_depth"),
    "path": Fields(latency_tail.WritePath, PATH),
}, axis="level", each=True)  # fmt: skip


def test_a_formula_of_one_axis_and_single_numbers_is_applied_to_each_column():
    levels, rates = np.array([0.5, 0.99, 0.999]), np.array([[1e3, np.nan, 4.9e4], [2e4, 3e4, 6e4]])
    drive = {"write_latency_s": 2e-5, "write_iops": 5e4, "queue_depth": 4.0}
    got = one(TAIL, level=levels[:, None, None], offered_iops=rates, **drive)
    assert got.shape == (3, 2, 3)
    for place, rate in np.ndenumerate(rates):
        alone = one(TAIL, level=levels, offered_iops=float(rate), **drive)
        assert np.array_equal(got[:, *place], np.broadcast_to(alone, 3), equal_nan=True)


def test_a_number_that_does_not_exist_lacks_nothing():
    """Of a condition that does not hold, or that no fact would change."""
    many = When(Leaf("members"), WORN, least=Const("members:many", 2.0))
    reader = Reader({"members": 1.0})
    assert reader.lacking(many) == frozenset()
    assert reader.lacking(none("wear_limit_bytes")) == frozenset()
    assert reader.lacking(FirstKnown("limit_bytes", (many, TBW))) == {"rated_bytes"}
    assert Reader({}).lacking(many) == {"members"}
    assert Reader({"members": 2.0}).lacking(many) == {"raw_bytes", "pe_cycles", "workload_wa"}


def test_a_condition_may_be_on_a_computed_number():
    later = When(WORN, WORN, least=TBW)
    assert one(later, **KNOWN) == one(WORN, **KNOWN)
    assert np.isnan(one(later, **KNOWN | {"rated_bytes": 1e18}))


def test_a_number_has_another_name_and_the_same_source():
    leaves = {key: leaf(key, value, source="test") for key, value in KNOWN.items()}
    limit = Named("host_limit_bytes:named", WORN)
    reading = Reading(Graph({"limit": limit, "worn": WORN}), leaves)
    got, worn = reading["limit"], reading["worn"]
    assert got == replace(worn, key="host_limit_bytes")
    assert Reading(Graph({"limit": limit}), {})["limit"].lacking == (
        "pe_cycles", "raw_bytes", "workload_wa",
    )  # fmt: skip
