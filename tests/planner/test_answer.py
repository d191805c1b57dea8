"""Figures know how they came about, and what is missing stays missing."""

import numpy as np
import pytest

from models import endurance, queueing
from models.errors import DomainError
from planner.graph.answer import Answer, figure, first_known, given, unknown, walk

DEPTH = given("queue_depth", 32, source="user")
RATE = given("iops", 5_000, source="review")
NOTHING = given("iops", None, source="user")


def test_a_figure_keeps_formula_inputs_and_note():
    got = figure("latency_s", queueing.latency_s, "at that depth", queue_depth=DEPTH, iops=RATE)
    assert got == Answer(
        key="latency_s",
        value=0.0064,
        formula="models.queueing.latency_s",
        inputs={"queue_depth": DEPTH, "iops": RATE},
        note="at that depth",
    )


def test_missing_inputs_make_the_figure_missing_and_are_all_named():
    half = figure("latency_s", queueing.latency_s, queue_depth=DEPTH, iops=NOTHING)
    assert half == unknown(key="latency_s", lacking=("iops",))
    both = figure(
        "throughput_bytes_per_s",
        queueing.throughput_bytes_per_s,
        iops=half,
        transfer_bytes=given("transfer_bytes", None, source="user"),
    )
    assert both == unknown(key="throughput_bytes_per_s", lacking=("iops", "transfer_bytes"))


def test_a_formula_refuses_what_is_outside_its_domain():
    with pytest.raises(DomainError, match=r"^queue_depth must be > 0"):
        figure(
            "latency_s",
            queueing.latency_s,
            queue_depth=given("queue_depth", 0, source="user"),
            iops=RATE,
        )


def test_first_known_skips_what_is_missing():
    assert first_known(NOTHING, RATE) is RATE
    assert first_known(NOTHING, given("wa", None, source="user")) is NOTHING


def test_walk_lists_inputs_before_what_they_feed_and_each_once():
    latency = figure("latency_s", queueing.latency_s, queue_depth=DEPTH, iops=RATE)
    back = figure("iops_again", queueing.iops, queue_depth=DEPTH, latency_s=latency)
    assert list(walk([back, NOTHING, latency])) == [
        "queue_depth",
        "iops",
        "latency_s",
        "iops_again",
    ]


def test_arrays_pass_through():
    rates = given("host_bytes_per_s", [1e6, 2e6], source="sweep")
    limit = given("limit_bytes", 1e12, source="review")
    got = figure("life", endurance.lifetime_s, limit_bytes=limit, host_bytes_per_s=rates)
    assert got.is_computed
    np.testing.assert_array_equal(got.value, [1e6, 5e5])
