"""Blind errors: what was measured of drives over what is computed without their family.

An error is the natural logarithm of measured over computed; a family is a vendor's series. Every
function returns errors by family. A constant that was fitted is fitted again without the family.
"""

import csv
import math
from collections import defaultdict
from functools import cache
from typing import NamedTuple

import numpy as np

from models.model_error import joined, known_family, new_family
from models.units import DAY_S, TB, YEAR_S
from planner.catalogue import data_folder, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors_kind import cell_of, dwpd_of, is_written_in_place, words_of
from planner.sections.request import plan_of
from tests import priors_evidence

COPIES = 0.03  # that write amplification exceeds 1 by at least, in its logarithm
HALF_A_DAY = 0.5  # drive writes per day at which lives are compared
LIFE_SD = 0.4  # of the logarithm of lives between families, before any is seen
WA_SD = 0.5  # the same, of the logarithm of what write amplification exceeds 1 by
SIBLING_SD = 0.2
LEAST_BAND = 0.05  # of the logarithm between placements


class LeftOut(NamedTuple):
    """A case with the range that others give it; width is high over low."""

    family: str
    error: float
    half: float
    width: float
    is_rated: bool = False

    @property
    def is_inside(self):
        return abs(self.error) <= self.half


def rows(name):
    with (data_folder() / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def by_family(pairs):
    errors = defaultdict(list)
    for family, error in pairs:
        errors[family].append(float(error))
    return dict(errors)


def family_of(drive):
    return f"{drive.vendor} {drive.model}"


def without(errors, family):
    return {name: own for name, own in errors.items() if name != family}


def in_logs(wa):
    """Return the scale on which errors of write amplification are alike."""
    return math.log(max(wa - 1, 0.0) + COPIES)


# Write amplification of hosts in the field


class Served(NamedTuple):
    """A model in the field: its error, and how far copies and raw flash swing what is computed."""

    family: str
    computed: float
    error: float
    down: float
    up: float


@cache
def served():
    """Return the models of the field, each with the copies that the other families have."""
    return [_served(*row) for row in priors_evidence.served()]


def _served(row, drive, yearly):
    if "user_bytes" not in drive.facts:
        drive = with_user_facts(drive, user_bytes=drive.capacity_bytes)
    copied = [share for other, share in priors_evidence.copying() if not _is_of(row, other)]
    low, typical, high = np.quantile(copied, priors_evidence.COPYING)
    writes = f"{yearly * DAY_S / YEAR_S} DWPD"
    ends = priors_evidence.shipped("raw_bytes", drive) if "raw_bytes" not in drive.facts else ()
    as_shipped = priors_evidence.priors.field_copying(drive).typical

    def computed(drive):
        shipped = plan_of(drive, writes=writes).ranges["workload_wa"].typical
        return 1 + (shipped - 1) * typical / as_shipped

    wa = computed(drive)
    swings = [in_logs(computed(with_user_facts(drive, raw_bytes=end))) for end in ends]
    swings = [in_logs(wa) - min(swings), max(swings) - in_logs(wa)] if swings else [0.0, 0.0]
    down, up = (
        math.hypot(swing, in_logs(1 + (wa - 1) * end / typical) - in_logs(wa))
        for swing, end in zip(swings, (low, high), strict=True)
    )
    return Served(
        f"{row['vendor']} {row['family']}", wa, in_logs(float(row["value"])) - in_logs(wa), down, up
    )


def _is_of(row, other):
    return (row["vendor"], row["family"]) == (other["vendor"], other["family"])


def field_wa():
    """Return errors of the write amplification that is assumed of a host."""
    return by_family((model.family, model.error) for model in served())


def field_wa_beyond_facts():
    """Return what of these errors copies and raw flash leave, which swing the number by more."""
    return by_family((model.family, _left(model)) for model in served())


def _left(model):
    swing = model.up if model.error > 0 else model.down
    return math.copysign(math.sqrt(max(0.0, model.error**2 - swing**2)), model.error)


def by_random_effects():
    """Return the models of the field with the range that random effects of the others give."""
    errors, found = field_wa(), []
    for model in served():
        other = new_family(without(errors, model.family), prior_sd=WA_SD)
        width = wa_width(model.computed, other.middle - other.half, other.middle + other.half)
        found.append(LeftOut(model.family, model.error - other.middle, other.half, width))
    return found


def in_known_families():
    """Return each capacity of the field with the range that its family's others give it."""
    errors, found = field_wa(), []
    for model in served():
        own = list(errors[model.family])
        own.remove(model.error)
        if own:
            unknown = new_family(without(errors, model.family), prior_sd=WA_SD)
            known = known_family(unknown, own_errors=own, unit_sd=SIBLING_SD)
            width = wa_width(model.computed, known.middle - known.half, known.middle + known.half)
            found.append(LeftOut(model.family, model.error - known.middle, known.half, width))
    return found


def wa_width(computed, low, high):
    """Return high over low of a write amplification, from its errors on the scale of `in_logs`."""
    ends = (1 + max(math.exp(in_logs(computed) + end) - COPIES, 0.0) for end in (low, high))
    low, high = ends
    return high / low


# Write amplification of known writes


def uniform_wa():
    """Return errors under uniform random writes over the full drive."""
    full = (
        (row, load().drives[row["drive_id"]]) for row in rows("measured_spans.csv") if row["wa"]
    )
    return by_family(
        (family_of(drive), in_logs(float(row["wa"])) - in_logs(_wa(drive, "uniform")))
        for row, drive in full
    )


def _wa(drive, skew):
    return plan_of(drive, writes="1 DWPD", skew=skew).ranges["workload_wa"].typical


@cache
def skewed_wa():
    """Return errors of typical over uniform write amplification, over the band of placements.

    The weights of the two placements were fitted to these patterns: not blind.
    """
    rates = {(row["drive_id"], row["skew"]): float(row["write_iops"])
             for row in rows("measured_skews.csv")}  # fmt: skip
    uniform = {row["drive_id"]: float(row["write_iops"]) for row in _alone()}
    found = []
    for (drive_id, skew), rate in rates.items():
        if skew == "uniform":
            continue
        drive = load().drives[drive_id]
        plan = plan_of(drive, writes="1 DWPD", skew=skew)
        low, typical, high = (answer.value for answer in plan.wa_band)
        measured = uniform[drive_id] / rate
        band = max(math.log(high / low), LEAST_BAND)
        error = math.log(measured * _wa(drive, "uniform") / typical)
        found.append((family_of(drive), error / band))
    return by_family(found)


# Steady random writes


def printed_writes():
    """Return measured over printed steady rates, writes alone, by drive.

    Drives that were measured beside reads only did at least as much alone.
    """
    alone = {row["drive_id"]: float(row["write_iops"]) for row in _alone()}
    rates = {drive_id: rate for drive_id, (rate, _) in _beside().items()} | alone
    nvme = [(load().drives[drive_id], rate) for drive_id, rate in rates.items()]
    return [*((drive, math.log(rate / _printed(drive))) for drive, rate in nvme), *_of_reviews()]


def _alone():
    full = [row for row in rows("measured_spans.csv")
            if row["write_iops"] and _is_full(row)]  # fmt: skip
    return [*full, *(row for row in rows("measured_skews.csv") if row["skew"] == "uniform")]


def _is_full(row):
    size = float(row["span_gib"]) * 2**30
    return size > 0.99 * load().drives[row["drive_id"]].capacity_bytes


def _beside():
    """Return for each drive its highest rate beside reads, and the reads."""
    found = {}
    for row in rows("measured_reads.csv"):
        pair = float(row["write_iops"]), float(row["read_iops"])
        found[row["drive_id"]] = max(found.get(row["drive_id"], pair), pair)
    return {drive_id: pair for drive_id, pair in found.items() if drive_id}


def _printed(drive):
    facts = (drive.facts["steady_write_iops"], *drive.passed_over.get("steady_write_iops", ()))
    return next(fact.value for fact in facts if fact.kind == "spec")


def _of_reviews():
    for drive in load().drives.values():
        passed = drive.passed_over.get("steady_write_iops", ())
        measured = [fact.value for fact in passed if fact.kind == "measured"]
        if measured and drive.facts["steady_write_iops"].kind == "spec":
            yield drive, math.log(measured[0] / _printed(drive))


def steady_writes(*, is_nvme):
    """Return measured over printed: of NVMe drives from 2018 on, or of all."""
    return by_family(
        (family_of(drive), error) for drive, error in printed_writes()
        if not is_nvme or "NVMe" in words_of(drive)
    )  # fmt: skip


def steady_writes_beside():
    """Return measured beside some 5,000 reads per second over printed."""
    return by_family(
        (family_of(drive), math.log(rate / _printed(drive)))
        for drive_id, (rate, _) in _beside().items()
        for drive in [load().drives[drive_id]]
    )


# Life


class Worn(NamedTuple):
    """A model in the field: bytes at which its indicator is used up, by flash and by rating."""

    family: str
    kind: str
    limit: float
    by_flash: float
    rated: float | None


@cache
def worn():
    return [_worn(row, load().drives[row["drive_id"]]) for row in rows("field_life.csv")]


def _worn(row, drive):
    plan = plan_of(drive, writes=f"{HALF_A_DAY} DWPD")
    flash = plan.reading.answer(plan.reading.graph.nodes["flash_limit_bytes"])  # without the rating
    dwpd = dwpd_of(drive)
    rated = drive.value("rated_bytes") or (
        dwpd and dwpd * drive.capacity_bytes * 5 * YEAR_S / DAY_S
    )
    kind = "client" if "client" in words_of(drive) else "enterprise"
    return Worn(
        family_of(drive), "XPoint" if is_written_in_place(drive) else kind,
        math.log(float(row["limit_tb"]) * TB),
        math.log(flash.value), math.log(rated) if rated else None,
    )  # fmt: skip


def of_flash(kind):
    """Return errors of raw flash times cycles over write amplification."""
    return by_family((one.family, one.limit - one.by_flash) for one in worn() if one.kind == kind)


def of_rating(kind):
    """Return bytes until the indicator is used up over rated bytes."""
    return by_family(
        (one.family, one.limit - one.rated)
        for one in worn() if one.kind == kind and one.rated is not None
    )  # fmt: skip


def joint_lives(kind, *, is_cut=False):
    """Return for each model of a kind the joint range of flash and rating, family left out.

    Where it `is_cut`, a printed rating is the least that it reaches to, as in a plan.
    """
    return [_joint(one, is_cut=is_cut) for one in worn() if one.kind == kind]


def _joint(one, *, is_cut):
    flash = new_family(without(of_flash(one.kind), one.family), prior_sd=LIFE_SD)
    middle, half = one.by_flash + flash.middle, flash.half
    ratings = without(of_rating(one.kind), one.family)
    if one.rated is not None and ratings:
        rating = new_family(ratings, prior_sd=LIFE_SD)
        middle, half = joined(
            [middle, one.rated + rating.middle], halves=[half, rating.half],
            degrees=[flash.degrees, rating.degrees],
        )  # fmt: skip
    is_rated = one.rated is not None
    low, high = middle - half, middle + half
    if is_cut and is_rated:
        low, high = max(low, one.rated), max(middle, one.rated) + half
    error, half = one.limit - (low + high) / 2, (high - low) / 2
    return LeftOut(one.family, error, half, math.exp(2 * half), is_rated)


@cache
def flash_alone():
    """Return errors of raw flash times cycles, both counted, by class: nothing of the host."""
    flash = {
        (row["family"], row["capacity_gb"]): value
        for row, value, _ in priors_evidence.measured() if row["quantity"] == "raw_bytes"
    }  # fmt: skip
    found = defaultdict(list)
    for row, cycles, drive in priors_evidence.measured():
        if row["quantity"] != "pe_cycles":
            continue
        offered = {
            item.quantity: item.typical for item in priors_evidence.priors.assumptions(drive)
        }
        raw = flash.get((row["family"], row["capacity_gb"]), offered["raw_bytes"])
        error = math.log(raw * cycles / offered["raw_bytes"] / offered["pe_cycles"])
        found[row["segment"]].append((f"{row['vendor']} {row['family']}", error))
    return {kind: by_family(pairs) for kind, pairs in found.items()}


# Rate after the write cache


@cache
def _folded():
    return [
        (family_of(drive), math.log(drive.capacity_bytes / TB), cell_of(drive) == "QLC",
         math.log(rate), math.log(drive.value("sequential_write_bytes_per_s") or math.inf))
        for drive in load().drives.values()
        if (rate := drive.value("folded_write_bytes_per_s")) is not None
        and drive.facts["folded_write_bytes_per_s"].source_id != "user"
    ]  # fmt: skip


def folded_law(left_out=""):
    """Return rate at 1 TB, power of the size and factor of QLC, without a family."""
    cases = [case for case in _folded() if case[0] != left_out]
    counts = {family: sum(case[0] == family for case in cases) for family, *_ in cases}
    weight = np.array([counts[case[0]] ** -0.5 for case in cases])
    terms = np.array([(1.0, size, is_qlc) for _, size, is_qlc, *_ in cases])
    rates = np.array([case[3] for case in cases])
    base, power, qlc = np.linalg.lstsq(terms * weight[:, None], rates * weight, rcond=None)[0]
    return math.exp(base), float(power), math.exp(qlc)


@cache
def folded_writes():
    """Return errors of the law without the family, at most the printed sequential rate."""
    found = []
    for family, size, is_qlc, rate, most in _folded():
        base, power, qlc = folded_law(family)
        computed = math.log(base) + power * size + is_qlc * math.log(qlc)
        found.append((family, rate - min(computed, most)))
    return by_family(found)
