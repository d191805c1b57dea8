"""IOPS, throughput, latency and queue depth, each from the others by Little's law."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from models import queueing
from models.units import KIB
from planner.graph.answer import Answer, given
from planner.graph.nodes import Call, Const, Graph, Leaf, Node, none
from planner.graph.reading import Reading
from planner.quantity import bounds
from planner.quantity.input import Input, InputError, number, quantity, time
from planner.quantity.inputs import INPUTS
from planner.quantity.show import text

USUAL_BYTES = 4 * KIB
AGREE = 0.02  # by which figures that are printed rounded may differ
MUST_AGREE = f"must agree with the others within {100 * AGREE:g} %"
USUAL_SIZE = "Size not stated: taken as 4 KiB."
LONGEST = (
    "If {latency} is the longest latency, {iops} are the worst case at queue depth {depth}, as "
    "reviews count it."
)
TOO_FEW = "must be stated, or throughput, or both latency and depth"
# Figures that a test or a data sheet prints.
RATES: tuple[Input, ...] = (
    Input("iops", "iops", number, None, bounds.ARRAY_IOPS,
          "IOPS to convert, with --size to MB/s, with --depth to a latency: needs no drive.",
          "22769", unit="IOPS", title="IOPS"),
    Input("throughput", "throughput_bytes_per_s", quantity, None, bounds.THROUGHPUT,
          "Throughput to convert: needs no drive.", "93MB/s"),
    Input("latency", "latency_s", time, None, bounds.LATENCY,
          "Latency to convert, the longest one to worst-case IOPS: needs no drive.", "6.4ms"),
)  # fmt: skip
CONVERTED = (*RATES, INPUTS["depth"], INPUTS["size"])
_ROW = {row.field: row for row in CONVERTED}
ANSWERS = ("iops", "throughput_bytes_per_s", "latency_s", "queue_depth", "transfer_bytes")


class ConvertedRates(NamedTuple):
    """Figures that were stated and those that follow, in reading order."""

    answers: tuple[Answer, ...]
    notes: tuple[str, ...]


def rates(stated: Mapping[str, Any]) -> ConvertedRates:
    """Return IOPS, throughput, latency, queue depth and size from those that are stated.

    Two that determine a third which is stated too must agree with it within 2 %.

    >>> found = rates({"iops": 22_769.0, "queue_depth": 1.0})
    >>> [text(answer.key, answer.value) for answer in found.answers]
    ['22,769 IOPS', '93.26 MB/s', '43.92 us', '1', '4 KiB']
    >>> rates({"latency_s": 6.4e-3, "queue_depth": 32.0}).notes[0]
    'If 6,400 us is the longest latency, 5,000 IOPS are the worst case at queue depth 32, as \
reviews count it.'
    """
    known = {key: value for key, value in stated.items() if value is not None}
    has_rate = bool({"iops", "throughput_bytes_per_s"} & known.keys())
    has_queue = {"latency_s", "queue_depth"} <= known.keys()
    if not has_rate and not has_queue:
        raise InputError(_ROW["iops"], TOO_FEW)
    leaves = {key: given(key, value, source="user") for key, value in known.items()}
    reading = Reading(Graph(_nodes(known)), leaves).check()
    _check_agreement(known, {key: reading[key].value for key in ANSWERS}, has_queue=has_queue)
    answers = tuple(reading[key] for key in ANSWERS)
    notes = [] if has_rate else [_longest(reading)]
    if reading["transfer_bytes"].source == "assumption":
        notes.append(USUAL_SIZE)
    return ConvertedRates(tuple(answer for answer in answers if answer.is_known), tuple(notes))


def _nodes(known: Mapping[str, float]) -> dict[str, Node]:
    """Return a node for each quantity: as stated, else by the first two that give it."""
    leaves: dict[str, Node] = {key: Leaf(key) for key in known}

    def call(key: str, formula: Any, *inputs: str) -> Node:
        return Call(f"{key}:converted", formula, {name: nodes[name] for name in inputs})

    nodes = dict(leaves)
    if {"iops", "throughput_bytes_per_s"} <= known.keys():
        size = call("transfer_bytes", queueing.operation_bytes, "throughput_bytes_per_s", "iops")
    else:
        size = Const("transfer_bytes:usual", USUAL_BYTES, "assumption", USUAL_SIZE)
    nodes.setdefault("transfer_bytes", size)
    if "iops" not in known and "throughput_bytes_per_s" in known:
        nodes["iops"] = call(
            "iops", queueing.iops_at_throughput, "throughput_bytes_per_s", "transfer_bytes"
        )
    elif "iops" not in known:
        nodes["iops"] = call("iops", queueing.iops, "queue_depth", "latency_s")
    if "throughput_bytes_per_s" not in known:
        formula = queueing.throughput_bytes_per_s
        nodes["throughput_bytes_per_s"] = call(
            "throughput_bytes_per_s", formula, "iops", "transfer_bytes"
        )
    if "latency_s" not in known and "queue_depth" in known:
        nodes["latency_s"] = call("latency_s", queueing.latency_s, "queue_depth", "iops")
    if "queue_depth" not in known and "latency_s" in known:
        nodes["queue_depth"] = call("queue_depth", queueing.queue_depth, "iops", "latency_s")
    return {key: nodes.get(key) or none(key) for key in ANSWERS}


def _check_agreement(
    known: Mapping[str, float], found: Mapping[str, float], *, has_queue: bool
) -> None:
    """Refuse figures that contradict each other, and say by how much."""
    moved = queueing.throughput_bytes_per_s(found["iops"], transfer_bytes=found["transfer_bytes"])
    shown = {key: text(key, value) for key, value in found.items()}
    if {"iops", "throughput_bytes_per_s", "transfer_bytes"} <= known.keys():
        is_moved = f"{shown['iops']} of {shown['transfer_bytes']}"
        _compare("throughput_bytes_per_s", is_moved, moved, found)
    if has_queue and {"iops", "throughput_bytes_per_s"} & known.keys():
        outstanding = queueing.queue_depth(found["iops"], latency_s=found["latency_s"])
        waiting = f"{shown['iops']} of {shown['latency_s']}"
        _compare("queue_depth", waiting, outstanding, found)


def _compare(key: str, others: str, value: float, found: Mapping[str, float]) -> None:
    ratio = value / found[key]
    if abs(ratio - 1) <= AGREE:
        return
    apart = f"{ratio:.3g} times" if ratio > 2 else f"{100 * abs(ratio - 1):.3g} % off"
    raise InputError(
        _ROW[key],
        f"{MUST_AGREE}: {others} give {text(key, value)}, {apart} {text(key, found[key])}",
    )


def _longest(reading: Reading) -> str:
    numbers = {key: reading[key].value for key in ("latency_s", "iops", "queue_depth")}
    shown = {key: text(key, value) for key, value in numbers.items()}
    return LONGEST.format(
        latency=shown["latency_s"], iops=shown["iops"], depth=shown["queue_depth"]
    )
