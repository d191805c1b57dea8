"""The reports of what formulas were compared with, and how far off each formula was."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import models

ROOT = Path(models.__file__).parents[1]
REPORTS = {
    "Write amplification": "validation",
    "Speed": "validation-speed",
    "Arrays and data loss": "validation-arrays",
    "Pools of ZFS": "pools",
    "Remaining life": "validation-forecast",
    "Suspended reads": "validation-slices",
    "Indirection units": "validation-units",
    "Placement of data": "validation-placement",
    "How wide ranges are": "accuracy",
    "Reads of measured drives": "measured-reads",
    "A drive at many spare areas": "measured-spans",
    "Facts that are assumed": "priors",
    "Readings of drives": "telemetry-gate",
    "Claims of reviews": "reviews",
}
WA, SPEED, ARRAYS, PLACEMENT = (
    "Write amplification", "Speed", "Arrays and data loss", "Placement of data",
)  # fmt: skip
_ARRAY_IOPS = (ARRAYS, "IOPS of arrays, reporting half")
_STALLS = (ARRAYS, "IOPS under stalls, reporting half")
# Of each formula, the topic and the group of cases that it was compared in.
COMPARED: dict[str, tuple[tuple[str, str], ...]] = {
    "models.write_amplification.greedy": ((WA, "greedy, uniform"),),
    "models.write_amplification.fifo": ((WA, "fifo, uniform"),),
    "models.write_amplification.random_victim": ((WA, "random, uniform"),),
    "models.write_amplification.d_choices": ((WA, "d-choices, uniform"),),
    "models.write_amplification.skewed": ((WA, "skew, linear noise"), (WA, "Zipf, linear noise")),
    "models.write_amplification.two_streams": ((WA, "streams with mistakes"),),
    "models.write_amplification.trimmed_op_ratio": ((WA, "TRIM"),),
    "models.write_amplification.trimmed_class_op_ratio": ((PLACEMENT, "TRIM under skew"),),
    "models.write_amplification.host_gc": ((WA, "host and copy frontiers, estimate"),),
    "models.simulator.d_choices_wa": (
        (PLACEMENT, "separate frontiers, ten choices and random"),
    ),
    "models.consistency.cliff_s": ((SPEED, "cliff"),),
    "models.consistency.transient_iops": ((SPEED, "lowest write IOPS after the cliff"),),
    "models.bottleneck.write_iops": ((SPEED, "write IOPS in steady state"),),
    "models.parallelism.drive_iops": ((SPEED, "reads over dies"),),
    "models.parallelism.operating_point": (_ARRAY_IOPS,),
    "models.array_speed.mixed_array_speed": (_ARRAY_IOPS,),
    "models.array_stalls.independent_stalled_iops": (_STALLS,),
    "models.failures.loss_probability_parts": ((ARRAYS, "independent failures"),),
    "models.failures.generations_loss_probability": (
        (ARRAYS, "wear-out, 2 overlap"), (ARRAYS, "ages apart, 2 overlap"),
    ),
    "models.failures.replacements_over": (
        (ARRAYS, "replacements, mean"), (ARRAYS, "replacements, sd"),
    ),
}  # fmt: skip


class Error(NamedTuple):
    """Errors of a formula over a group of cases, as they are printed."""

    topic: str
    group: str
    cases: str
    mean: str
    worst: str
    outside: str


def errors_of(formulas: Iterable[str]) -> dict[str, list[Error]]:
    """Return the errors of formulas by name; none where there are no reports.

    >>> (error,) = errors_of(["models.write_amplification.greedy"])["write_amplification.greedy"]
    >>> error.cases, error.group
    ('42', 'greedy, uniform')
    """
    known = {
        name.removeprefix("models."): [
            errors(topic)[group]
            for topic, group in COMPARED.get(name, ())
            if group in errors(topic)
        ]
        for name in formulas
    }
    return {name: rows for name, rows in known.items() if rows}


@cache
def errors(topic: str) -> dict[str, Error]:
    """Return the errors that the report on a topic lists, by group of cases."""
    path = ROOT / "docs" / "evidence" / f"{REPORTS[topic]}.md"
    lines = path.read_text().splitlines() if path.exists() else []
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in lines if line.startswith("|")]  # fmt: skip
    heads, found = [], {}
    for row in rows:
        if row[0] == "group":
            heads = row
        elif heads and len(row) == len(heads) and row[1].isdigit():
            named = dict(zip(heads, row, strict=True))
            mean = named.get("mean", named.get("mean error", ""))
            found[row[0]] = Error(
                topic, row[0], row[1], mean, named["worst"], named.get("outside", "")
            )
    return found
