"""`rates` for scripts: IOPS, throughput, latency and queue depth, each from the others."""

from typing import Any

from planner.graph.number import Number
from planner.quantity.inputs import stated
from planner.script.inputs import check_names, written_as
from planner.script.questions import Answers
from planner.sections.rates import ANSWERS, CONVERTED
from planner.sections.rates import rates as _rates

NAMES = dict(zip(("iops", "throughput", "latency", "depth", "size"), ANSWERS, strict=True))


def rates(**inputs: Any) -> Answers:
    """Return IOPS, throughput, latency and queue depth from two or three of them.

    `inputs` are `iops`, `throughput`, `latency`, `depth` and `size`, which is 4 KiB unless it is
    stated or follows. Figures that contradict each other are refused.

    >>> found = rates(iops=22769, size="4 KiB", depth=1)
    >>> found.throughput, found.latency
    (93.26 MB/s, 43.92 us)
    >>> rates(depth=32, latency="6.4 ms").iops
    5,000 IOPS
    """
    rows = {row.name: row for row in CONVERTED}
    check_names(inputs, rows, "rates")
    texts = {
        name: written_as(rows[name], value) for name, value in inputs.items() if value is not None
    }
    found = _rates(stated(texts, CONVERTED if "size" in texts else CONVERTED[:-1]))
    numbers = {answer.key: Number(answer.value, answer.key) for answer in found.answers}
    names = {name: key for name, key in NAMES.items() if key in numbers}
    return Answers("Rates", names, numbers, found.notes, found)
