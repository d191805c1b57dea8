"""Numbers of ownership, data loss, arrays and speed as they stood before they became one graph.

`tests/data/eager.npz` holds every answer of 1,000 random scenarios to these four questions: single
numbers, percentiles and years, unknown ones as NaN; of a part of them the ranges. It proves nothing
about the models (other tests do); it shows that moving code moved no number, and is not written
again. `python -m tests.eager FILE` writes such a file of the code as it is.
"""

import json
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from models.errors import DomainError
from models.units import DAY_S, KIB, YEAR_S
from planner.catalogue import load
from planner.catalogue.priors_flash import generation_of
from planner.catalogue.priors_kind import year_of
from planner.catalogue.write_limit import WriteLimit
from planner.graph.answer import Answer
from planner.quantity.input import InputError
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.ownership import owned_ranges, ownership
from planner.sections.plan import PlanReading
from planner.sections.request import plan_of
from planner.sections.speed import speed_of
from planner.sections.speed_by_hand import by_hand
from planner.sections.speed_case import SUSPENDING_SINCE
from planner.sections.speed_ranges import speed_ranges_of

PINS = Path(__file__).parent / "data" / "eager.npz"
SCENARIOS, RANGED, SEED = 1000, 10, 20261124
# What rests on the erase block takes that of the flash generation where none is printed, as the
# speed of the drive does, no longer 16 MiB.
BY_BLOCK = {
    f"loss/{key}" for key in (
        "read_disturb_wa", "read_rewrite_s", "first_worn_cycles", "early_end_cycles",
        "end_of_life_sd_cycles", "spared_drive_fills",
    )
}  # fmt: skip
# The k-th drive of a slot wears out at a time of its own, spread around k mean lives: no longer all
# at once when the mean life is over. It moves what is lost where the horizon reaches second drives,
# which are not replaced in time; seldom up, by drives that wear out early twice.
BY_GENERATION = {
    "loss/array_wear_out_loss_probability", "loss/array_loss_probability",
    "loss/expected_lost_bytes",
}  # fmt: skip
_SECOND_DRIVE = 0.7  # mean lives
MOST_RISE = 1.1  # over the former loss
ROUNDING = 1e-12  # of a loss, below which the integral over ages is not exact
# Losses of a group of two ages are small differences: one unit in the last place of a factor of
# theirs moved one of 1.6e-15 by 1.3e-19.
BY_LAST_PLACE = {"loss/half_old_loss_probability": 1e-18}
# Reads that interrupt writes wait for slices as drives of five vendors have them, no longer three;
# those of a drive that cannot take its writes have an end.
OF_READS = ("speed/read_quantiles_s", "speed/closed_read_quantiles_s")
# Worst-case IOPS of the saturated test and those at the queue depth are two answers; they were one,
# that at the queue depth, under the key of whatever gave it.
WORST_AT_DEPTH = "worst_case_at_depth_iops"
WORST = ("worst_case_iops", WORST_AT_DEPTH, "modelled_worst_case_iops")
# Of how far read percentiles are known the ranges tell, by percentile.
GONE = frozenset({"speed/read_band_ratio"})
# Nodes of clusters cost since then, nothing where there is none; they are in the operating cost.
NEW = frozenset(
    f"{kind}ownership/{name}"
    for kind in ("", "range/")
    for name in ("node_present_usd", "operating_present_usd")
)
# Sequential writes beside random ones are read from small drives that have settled since then, and
# jumps are found to 1 % of the spare area: write amplification moved by up to a percent. In tails
# of drives that wear out, and in years in which many do, it is more.
MOVED, MOVED_TAIL, ANY = 0.1, 0.5, 1e6
TAILS = (
    "lognormal_worn_fraction", "weibull_worn_fraction", "horizon_worn_fraction",
    "replacements_quantile", "yearly_bought_drives", "yearly_drives_usd", "yearly_labour_usd",
    "yearly_replacements",
)  # fmt: skip
# RANGES: ends were those of all corners of what is assumed; they are the 5 % and 95 % points since,
# with the error of the model in them. That they hold is asserted by `tests/blind_errors.py`.
# The energy of drives with known power and rates is counted now, although their IOPS budget, which
# it does not need, is unknown. A drive lies beside a jump, by whose place its write amplification
# fell from 1.63 to 1.48. Two drives that take 25,000 writes/s each by the model, no steady rate
# being printed, are asked for 28,300: their dies carry 24,500, as `carried_write_iops` has it.
# A drive of 16 KiB units without a steady rate is as fast as its sequential rate in whole units; a
# rating is that of the workload's own mix of sizes.
CHANGED = {
    38: ("ownership", "loss"),
    156: ("speed", "array", "ownership"),
    638: ("loss/wear_out_life_s", "loss/half_old_loss_probability"),
    891: ("loss/wear_out_life_s", "loss/half_old_loss_probability"),
    223: ("energy", "power", "carbon", "operational"),
    410: ("energy", "power", "carbon", "operational"),
    469: ("speed/read_quantiles_s",),
}


def _named(parts: dict[str, str]) -> frozenset[str]:
    return frozenset(f"{part}/{name}" for part, names in parts.items() for name in names.split())


# Where a write cache hides the rate behind it and none is printed, that rate is the usual one by
# size and cells, which is slower than the dies; their program time is that of the generation.
BY_FOLDING = _named({
    "array":
        "absorbing_pages adapter_iops array_frozen_s array_iops array_iops#2 "
        "array_lowest_window_iops array_read_latency_s array_stalled_iops "
        "array_synchronised_iops array_window_iops array_write_latency_s bound_iops "
        "collection_s knee_queue_depth latency_spread_s longest_write_s "
        "member_utilisation remaining_read_iops second_stall_probability "
        "stalled_stripe_iops",
    "loss":
        "array_failed_loss_probability array_loss_probability "
        "array_unreadable_loss_probability array_wear_out_loss_probability "
        "expected_lost_bytes half_old_loss_probability mttdl_s rebuild_s "
        "unworn_loss_probability",
    "ownership":
        "array_power_w cost_per_iops cost_per_usable_byte cost_per_usable_byte_year "
        "cost_per_written_byte energy_present_usd equivalent_usd_per_year high_carbon_kg "
        "high_carbon_kg_per_byte_year high_operational_kg low_carbon_kg "
        "low_carbon_kg_per_byte_year low_operational_kg npv_usd typical_carbon_kg "
        "typical_carbon_kg_per_byte_year typical_operational_kg write_j write_j_per_byte "
        "yearly_energy_j yearly_energy_usd",
    "range/ownership":
        "write_j write_j_per_byte",
    "range/speed":
        "drain_s",
    "speed":
        "aligned_latency_s blocking_latency_s closed_read_quantiles_s commit_quantiles_s "
        "dies_program_bytes_per_s dies_steady_write_iops drain_s drive_iops "
        "full_cache_write_bytes_per_s incremental_latency_s lowest_write_iops "
        "max_latency_s minute_bytes needed_bus_bytes_per_s one_program_j "
        "random_dies_write_iops read_quantiles_s second_sd_iops settled_fraction "
        "settling_s steady_write_iops worst_case_at_depth_iops worst_case_iops "
        "write_quantiles_s",
})  # fmt: skip
# A drive whose map knows larger units programs all of one for a write of 4 KiB: before collection
# it is as fast as its sequential rate in such units, and the cliff comes later.
IN_UNITS = _named({"speed": "fresh_write_iops cliff_s lowest_write_iops settling_s"})
# What no source says of a drive that is written in place is that of such drives, never of flash.
IN_PLACE = _named({
    "array":
        "absorbing_pages adapter_iops array_frozen_s array_iops array_iops#2 "
        "array_lowest_window_iops array_read_latency_s array_stalled_iops "
        "array_synchronised_iops array_window_iops array_write_latency_s bound_iops "
        "degraded_read_iops knee_queue_depth latency_spread_s longest_write_s "
        "member_utilisation remaining_read_iops second_stall_probability "
        "stalled_stripe_iops",
    "loss":
        "array_loss_probability array_wear_out_loss_probability expected_lost_bytes "
        "lognormal_worn_fraction wear_out_life_s weibull_worn_fraction",
    "ownership":
        "array_power_w cost_per_iops cost_per_usable_byte cost_per_usable_byte_year "
        "cost_per_written_byte energy_present_usd equivalent_usd_per_year high_carbon_kg "
        "high_carbon_kg_per_byte_year high_operational_kg low_carbon_kg "
        "low_carbon_kg_per_byte_year low_operational_kg npv_usd read_j typical_carbon_kg "
        "typical_carbon_kg_per_byte_year typical_operational_kg write_j write_j_per_byte "
        "yearly_energy_j yearly_energy_usd",
    "speed":
        "closed_read_quantiles_s dies_program_bytes_per_s drive_iops fresh_write_iops "
        "needed_bus_bytes_per_s one_program_j random_read_iops read_quantiles_s "
        "second_sd_iops steady_write_iops written_j_per_byte",
})  # fmt: skip
RAIDS = {1: ["0"], 2: ["0", "1"], 4: ["5", "6", "10"], 6: ["1", "6"]}
OPTIONAL = (
    (0.4, "growth", ("-20%", "15%", "60%")),
    (0.3, "step", (["x3 after 1.5 years"], ["x2 after 1 years", "x1.5 after 3 years"])),
    (0.2, "phase_in", ("6 months",)),
    (0.3, "sequential", ("10%", "50%", "100%")),
    (0.3, "spare", ("7%", "20%", "28%")),
    (0.3, "skew", ("80/20", "zipf:0.9", "uniform")),
    (0.5, "price", ("60", "400", "3000")),
    (0.3, "block_size", ("512B", "16 KiB", "128 KiB")),
    (0.4, "queue_depth", ("1", "4", "32", "256")),
    (0.1, "trim", ("10%",)),
    (0.1, "fill", ("60%",)),
    (0.3, "known_only", (True,)),
)  # fmt: skip


def reaches_second_drives(found: dict[str, Any], risk: dict[str, Any]) -> bool:
    """Whether second drives of a slot wear out within the horizon of a scenario."""
    life_s = found.get("loss/wear_out_life_s", np.inf)
    return risk["replaced_fraction"] is None and risk["horizon_s"] > _SECOND_DRIVE * life_s


def mixed_tolerance(name: str, inputs: dict[str, Any]) -> float:
    """By how much a number may differ by what sequential writes beside random ones cost."""
    if inputs.get("sequential", "0%") in {"0%", "100%"}:
        return 0.0
    if "trim" in inputs:  # trimmed pages are in the run since then: no share in use stood for both
        return ANY if name.endswith(TAILS) else MOVED_TAIL
    return MOVED_TAIL if name.endswith(TAILS) else MOVED


def reads_differ(found: dict[str, Any], inputs: dict[str, Any]) -> bool:
    """Whether reads of the drive of a scenario interrupt its writes, or it cannot take these."""
    drive = load().drives[inputs["drive"]]
    is_interrupted = generation_of(drive).suspends and (year_of(drive) or 0) >= SUSPENDING_SINCE
    offered = float(inputs["writes"].removesuffix(" GB/day")) * 1e9 / DAY_S / int(inputs["drives"])
    most = found.get("speed/steady_write_iops", np.inf) * 4 * KIB
    is_endless = bool(np.any(np.isinf(found.get("speed/read_quantiles_s", 0.0))))
    return is_interrupted or is_endless or offered > most


def scenarios() -> Iterator[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """Draw inputs of a plan, terms of ownership and assumptions on failures, as a seed has it."""
    rng = random.Random(SEED)  # noqa: S311 - scenarios are no secret
    drives = sorted(load().drives)
    for _ in range(SCENARIOS):
        count = rng.choice([1, 1, 2, 4, 6, 8, 12, 24])
        inputs: dict[str, Any] = {
            "drive": rng.choice(drives), "drives": str(count),
            "raid": rng.choice(RAIDS.get(count, ["0", "5", "6", "10"])),
            "writes": f"{rng.choice([0, 1, 10, 50, 300, 1000, 4000, 20000])} GB/day",
            "reads": f"{rng.choice([0, 30, 70, 95, 100])}%",
        }  # fmt: skip
        if count >= 8 and rng.random() < 0.4:
            inputs["raid"] = rng.choice(["ec:4+2", "raidz2", "draid2:4d:8c:1s"])
        if count > 2 and rng.random() < 0.2:
            inputs["hot_spares"] = "1"
        inputs |= {key: rng.choice(ways) for share, key, ways in OPTIONAL if rng.random() < share}
        terms = {
            "horizon_s": YEAR_S * rng.choice([1, 2.5, 5, 7, 10.25]),
            "spare_drives": rng.choice([0, 0, 1, 3]), "residual_fraction": rng.choice([0, 0.1]),
            "discount_rate": rng.choice([None, 0.0, 0.08]), "pue": rng.choice([None, 1.2]),
            "qos_iops": rng.choice([None, 5000.0]),
        }  # fmt: skip
        risk = {
            "horizon_s": terms["horizon_s"],
            "afr_fraction": rng.choice([None, None, 0.005, 0.02, 0.02, 0.0]),
            "life_cv": rng.choice([0.05, 0.1]), "replaced_fraction": rng.choice([None, None, 0.9]),
            "uber": rng.choice([None, 1e-16]), "rebuild_s": rng.choice([None, None, 2e4]),
        }  # fmt: skip
        yield inputs, terms, risk


# WITNESSED: the bytes until a drive is worn are joined from flash and rating since then. Plans are
# read here by the flash alone, as they were; tests of life assert what the rating adds.
_BY_FLASH_ALONE = "planner.sections.structure.witness_leaves"


# IN_ONE_LOG: where placement is not stated, write amplification is the middle of two since then,
# and sequential writes change the pattern of the field, no longer that of uniform writes. Scenarios
# state here what was meant: one log, and uniform writes beside sequential ones.
_MEANT = {"placement": "one-log"}


def planned(inputs: dict[str, Any]) -> PlanReading:
    """Plan a scenario by the flash alone, in one log."""
    texts = _MEANT | {key: text for key, text in inputs.items() if key != "drive"}
    if "sequential" in texts:
        texts.setdefault("skew", "uniform")
    with patch(_BY_FLASH_ALONE, return_value={}):
        return plan_of(load().drives[inputs["drive"]], **texts)


def answers(plan: PlanReading, terms: dict[str, Any], risk: dict[str, Any]) -> dict[str, Any]:
    """Return every answer of the four questions by question and key; a refusal as its sentence."""
    questions = {
        "ownership": lambda: _owned(plan, terms, risk),
        "loss": lambda: _lost(plan, risk),
        "array": lambda: _queued(plan),
        "speed": lambda: _fast(plan),
    }
    found: dict[str, Any] = {}
    for question, ask in questions.items():
        try:
            rows = list(ask())
        except DomainError as error:
            found[question] = f"refused: {error}"
            continue
        seen: dict[str, int] = {}
        for row in rows:
            place = seen[row.key] = seen.get(row.key, 0) + 1
            name = f"{question}/{row.key}" + f"#{place}" * (place > 1)
            found[name] = np.asarray(row.value, float) if row.is_known else np.nan
    return found


def _owned(plan: PlanReading, terms: dict[str, Any], risk: dict[str, Any]) -> Iterable[Answer]:
    owned = ownership(plan, Terms(**terms), Risk(**risk))
    yearly = ("yearly_replacements", "yearly_bought_drives", "array_power_w", "yearly_energy_j")
    further = (owned[key] for key in yearly)
    return (*owned.answers, *owned.operations, *further, *owned.course.values())


def _lost(plan: PlanReading, risk: dict[str, Any]) -> Iterable[Answer]:
    lost = data_loss(plan, Risk(**risk))
    return *lost.answers, *lost.further


def _queued(plan: PlanReading) -> Iterable[Answer]:
    queue = array_queue(plan)
    return *queue.answers, queue.curve_iops, *queue.further


# UNLIMITED: reads lie between those of a saturated drive and of one that is not since then. They
# are read here without a limit, as they were; tests of reads assert what the limit adds.
_LIMIT, _WITHOUT = "planner.sections.speed_case.write_limit", WriteLimit(1e9, 0.1, "")


def _fast(plan: PlanReading) -> Iterable[Answer]:
    with patch(_LIMIT, return_value=_WITHOUT):
        fast = speed_of(plan)
    return *fast.every, *by_hand(fast, plan.workload)


def ranges(plan: PlanReading, terms: dict[str, Any], risk: dict[str, Any]) -> dict[str, Any]:
    """Return low and high of the answers of ownership and of speed, by question and key."""
    owned = owned_ranges(plan, ownership(plan, Terms(**terms), Risk(**risk)))
    fast = speed_ranges_of(plan, speed_of(plan))
    found = {f"ownership/{key}": [each.low, each.high] for key, each in owned.items()}
    found |= {f"speed/{key}": [each.low, each.high] for key, each in fast.answers.items()}
    for name in ("reads", "closed_reads", "writes", "commits"):
        for percent, each in getattr(fast, name).items():
            found[f"speed/{name}/{percent:g}"] = [each.low, each.high]
    return {f"range/{key}": np.asarray(ends, float) for key, ends in found.items()}


def of_scenario(
    place: int, inputs: dict[str, Any], terms: dict[str, Any], risk: dict[str, Any]
) -> dict[str, Any]:
    """Return everything that is pinned of one scenario."""
    try:
        plan = planned(inputs)
    except (DomainError, InputError) as error:
        return {"plan": f"refused: {error}"}
    found = answers(plan, terms, risk)
    if place % RANGED == 0 and not any(isinstance(value, str) for value in found.values()):
        found |= ranges(plan, terms, risk)
    return found


def write(path: Path) -> None:
    """Write the pins: names and shapes as JSON, all numbers in one row."""
    rows, numbers = [], []
    for place, scenario in enumerate(scenarios()):
        found = of_scenario(place, *scenario)
        rows.append({name: value if isinstance(value, str) else list(np.shape(value))
                     for name, value in found.items()})  # fmt: skip
        numbers += [np.ravel(value) for value in found.values() if not isinstance(value, str)]
    shapes = np.frombuffer(json.dumps(rows).encode(), np.uint8)
    np.savez_compressed(path, shapes=shapes, numbers=np.concatenate(numbers))


def pinned() -> list[dict[str, Any]]:
    """Read the pins, one dict a scenario."""
    with np.load(PINS) as stored:
        rows, numbers = json.loads(stored["shapes"].tobytes()), stored["numbers"]
    place, read = 0, []
    for row in rows:
        found: dict[str, Any] = {}
        for name, shape in row.items():
            if isinstance(shape, str):
                found[name] = shape
                continue
            size = int(np.prod(shape))
            found[name] = numbers[place : place + size].reshape(shape)
            place += size
        read.append(found)
    return read


if __name__ == "__main__":
    write(Path(sys.argv[1]))
