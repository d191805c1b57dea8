"""Time of uncertainty, and its precision.

4,096 samples of ten inputs in each of four scrambles, through one call of the plan, against a loop
that plans one sample at a time; then 5 % and 95 % points of life beside 300,000 plain draws.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.rows import Row, best_times, processor_s
from planner.catalogue import find, load
from planner.scenario.array import Array, RaidLevel
from planner.scenario.skew import classes_of
from planner.scenario.workload import Workload
from planner.search import uncertainty as u
from planner.search.uncertainty.answer import numbers
from planner.search.uncertainty.inputs import with_values
from planner.sections.plan import PlanReading, plan_drive
from tests.naive_uncertainty import CASES, Case, lives_s

SAMPLES, SINGLE, DRAWS = 4096, 64, 300_000  # their own error is 0.3 %
SKEWS = ("uniform", "80/20", "95/5", "zipf:0.99", "jesd219")
INPUTS = (
    "pe_cycles=30000..40000..50000", "raw=500..512..520 GiB", "writes=2..4..8 TB/day",
    "growth=uniform(0%, 20%)", "read-share=50%..70%..85%", "sequential=0%..10%..30%",
    "fill=60%..80%..95%", "trim=0%..2%..10%", "partition=pert(70%, 90%, 100%)",
    "price=normal(960, 50)",
)  # fmt: skip


def question(skew: str) -> tuple[PlanReading, dict[str, Any]]:
    """Twelve drives and ten inputs."""
    drive = find(load(), "845DC PRO 400")
    writes, pages = classes_of(skew, capacity_bytes=drive.capacity_bytes)
    workload = Workload(host_bytes_per_s=4e12 / 86400, write_shares=writes, page_shares=pages)
    answer = plan_drive(drive, workload, array=Array(members=12, level=RaidLevel.RAID5))
    return answer, dict(u.parse_input(written, capacity_bytes=4.4e12) for written in INPUTS)


def everything(answer: PlanReading, inputs: dict[str, Any]) -> None:
    """Quantiles of life, write amplification and speed, probabilities and the tornado."""
    known = u.uncertainty(answer, inputs, samples=SAMPLES, seed=1)
    for key in (u.LIFE, "workload_wa", "budget_iops", "price_per_written_byte"):
        known.spread(key)
    known.chance(u.LIFE, at_least=1.5e8)
    u.tornado(known)


def one_call(answer: PlanReading, inputs: dict[str, Any]) -> None:
    """Read the life of every sample at once."""
    u.uncertainty(answer, inputs, samples=SAMPLES, seed=1).values(u.LIFE)


def one_by_one(answer: PlanReading, inputs: dict[str, Any]) -> None:
    """Read the life of the first samples one at a time."""
    draws = u.uncertainty(answer, inputs, samples=SINGLE, seed=1).draws
    for place in range(SINGLE):
        alone = with_values(answer, {name: values[place].item() for name, values in draws.items()})
        numbers(alone, u.LIFE, 1)


def speed() -> Iterator[Row]:
    """Seconds of the whole answer, and one call over a loop of as many plans."""
    for skew in SKEWS:
        answer, inputs = question(skew)
        first = processor_s(partial(everything, answer, inputs))
        calls: dict[str, Callable[[], object]] = {
            "all": partial(everything, answer, inputs),
            "one call": partial(one_call, answer, inputs),
            "loop": partial(one_by_one, answer, inputs),
        }
        best = best_times(calls, rounds=3)
        loop = best["loop"] / SINGLE * 4 * SAMPLES
        most = 1.4 if skew == SKEWS[0] else 0.15  # the first loads scipy
        yield Row(f"{skew}: 4096 samples, first time", first, most, "s")
        yield Row(f"{skew}: 4096 samples", best["all"], 0.12, "s")
        yield Row(f"{skew}: one call / loop of plans", best["one call"] / loop, 0.002, "x")


def three_inputs() -> Iterator[Row]:
    """Processor time of one life at 4,096 draws of three inputs, once its graph is built."""
    answer, inputs = question("uniform")
    three = {name: inputs[name] for name in ("pe_cycles", "host_bytes_per_s", "raw_bytes")}
    draws = u.uncertainty(answer, three, samples=SAMPLES // 4).draws
    lives: dict[str, Callable[[], object]] = {
        "life": lambda: numbers(with_values(answer, draws), u.LIFE, SAMPLES)
    }
    best = best_times(lives, rounds=5)
    yield Row("life at 4096 draws of three inputs", best["life"], 0.003, "s")


def worst_error(name: str, case: Case) -> float:
    """Return the largest error of the 5 % and 95 % points of life over three seeds."""
    from tests.planner.test_uncertainty import question as asked  # noqa: PLC0415 - needs pytest

    answer, inputs, shares = asked(case, load())
    lives = lives_s(case, np.random.default_rng(len(name)), DRAWS, shares)
    exact = np.quantile(lives, (0.05, 0.95))
    errors = []
    for seed in range(3):
        spread = u.uncertainty(answer, inputs, samples=SAMPLES, seed=seed).spread(u.LIFE)
        got = [spread.quantiles[chance] for chance in (0.05, 0.95)]
        errors.append(np.max(np.abs(np.array(got) / exact - 1)))
    return float(np.max(errors))


def exactness() -> Iterator[Row]:
    """Every case with uniform writes, in two classes and in many."""
    for name, case in CASES.items():
        for skew in ("uniform", "80/20", "zipf:0.99"):
            error = worst_error(name, replace(case, skew=skew))
            yield Row(f"{name.partition(',')[0]}, {skew}", 100 * error, 1.0, "%")


def rows() -> Iterator[Row]:
    """Speed, then exactness."""
    yield from speed()
    yield from three_inputs()
    yield from exactness()
