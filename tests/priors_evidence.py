"""How well the assumed ranges hold: facts that were measured, hidden and predicted.

Run `python -m tests.priors_evidence > docs/evidence/priors.md` to write the page.

Two questions for every measured number of `data/field_flash.csv`. Does it lie inside the range
that the planner assumes for such a drive if the number is unknown? And does it if its family had
not been there when the ranges were made: with the ends that the other families of its kind give?
"""

import csv
import sys
from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
from scipy.stats import norm

from models.units import GIB, HOUR_S, TB, YEAR_S
from models.write_amplification import background_wa, fifo
from planner.catalogue import data_folder, load, priors
from planner.catalogue.drive import Drive, with_user_facts
from planner.catalogue.priors_kind import cell_of, words_of, year_of

HIDDEN = ("raw_bytes", "pe_cycles", "spare_fraction")
LIGHT = 20.0  # rewrites a year, of hosts that write little
SPREAD = 1.0  # of the logarithm of copies and of rewrites over models: both as fitted
LEAST = 0.9  # share of measured numbers that must lie inside
WIDEST = {"raw_bytes": 1.3, "pe_cycles": 4.0, "workload_wa": 3.0}  # medians of high over low
LABELS = {
    "raw_bytes": "Raw flash", "pe_cycles": "P/E cycles", "workload_wa": "Write amplification",
}  # fmt: skip
ROWS_OF = {"raw_bytes": "raw_size_ratio", "pe_cycles": "pe_cycles"}
# By the rule for a family left out: the other families' ends, wider by this.
MARGIN = {"raw_bytes": 1.03, "pe_cycles": 1.15}
COPYING = (0.085, 0.5, 0.78)  # quantiles over models and capacities
UNITS = {"raw_bytes": GIB, "pe_cycles": 1.0, "workload_wa": 1.0}


@cache
def measured():
    """Return the measured rows, each with the drive as it stands without the number."""
    with (data_folder() / "field_flash.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return [(row, float(row["value"]) * UNITS[row["quantity"]], _unknown(row)) for row in rows]


def _unknown(row):
    size = float(row["capacity_gb"])
    known = [
        drive for drive in load().drives.values()
        if (drive.vendor, drive.model) == (row["vendor"], row["family"])
        and abs(drive.capacity_gb / size - 1) < 0.03
    ]  # fmt: skip
    if known:
        facts = {key: fact for key, fact in known[0].facts.items() if key not in HIDDEN}
        return replace(known[0], facts=facts)
    stack = {"planar": "20nm", "3D": "3D"}
    drive = Drive(
        drive_id="hidden", vendor=row["vendor"], model=row["family"], capacity_gb=size,
        segment=row["segment"], interface="SATA 6Gb/s", nand_type=row["cell"].split()[-1],
        nand_process=stack.get(row["cell"].split()[0], ""),
    )  # fmt: skip
    dwpd = row["rated_dwpd"] or {"mixed-use": "3", "read-intensive": "1"}.get(row["class"])
    rated = {"rated_dwpd": float(dwpd), "warranty_s": 5 * YEAR_S} if dwpd else {}
    return with_user_facts(drive, **rated)


def shipped(quantity, drive):
    """Return low and high end that the planner assumes."""
    if quantity != "workload_wa":
        offered = {item.quantity: item for item in priors.assumptions(drive)}
        return offered[quantity].low, offered[quantity].high
    copying = priors.field_copying(drive)
    return _wa_range(drive, copying.low, copying.high)


def _wa_range(drive, least, most):
    raw = drive.value("raw_bytes")
    ends = (raw, raw) if raw else shipped("raw_bytes", drive)
    ratios = [end / drive.capacity_bytes - 1 for end in ends]
    wide = [1 + share * (float(fifo(ratio)) - 1) for share, ratio in product((least, most), ratios)]
    return min(wide), max(wide)


def left_out(row, drive):
    """Return low and high end by the rule, as if the family of a row had never been measured."""
    quantity = row["quantity"]
    if quantity == "workload_wa":
        others = [share for each, share in copying() if each["family"] != row["family"]]
        least, _, most = np.quantile(others, COPYING)
        return _wa_range(drive, least, most)
    applied = _applied(quantity, drive)
    others = [
        _in_rows(quantity, value, other)
        for each, value, other in measured()
        if each["quantity"] == quantity and each["family"] != row["family"]
        and _applied(quantity, other) == applied
    ]  # fmt: skip
    ends = (*others, *(published(drive) if quantity == "pe_cycles" else ()))
    if not ends:
        return shipped(quantity, drive)
    margin = MARGIN[quantity]
    with RangeOf(applied, quantity, min(ends) / margin, max(ends) * margin):
        return shipped(quantity, drive)


@cache
def copying():
    """Return for each write amplification of the field its copies over those of uniform writes."""
    flash = {
        (row["family"], row["capacity_gb"]): value
        for row, value, _ in measured() if row["quantity"] == "raw_bytes"
    }  # fmt: skip
    found = []
    for row, value, drive in measured():
        if row["quantity"] != "workload_wa":
            continue
        offered = {item.quantity: item.typical for item in priors.assumptions(drive)}
        raw = flash.get((row["family"], row["capacity_gb"]), offered["raw_bytes"])
        uniform = float(fifo(raw / drive.capacity_bytes - 1))
        found.append((row, (value - 1) / (uniform - 1)))
    return found


@cache
def served():
    """Return the write amplifications of the field, each with its drive and its host rewrites."""
    with (data_folder() / "field_rates.csv").open(encoding="utf-8", newline="") as lines:
        hosts = {
            (row["family"], row["capacity_gb"]): float(row["host_tb"]) / float(row["hours"])
            for row in csv.DictReader(lines)
        }
    return [
        (row, drive, hosts[row["family"], row["capacity_gb"]] * TB * YEAR_S / HOUR_S
         / drive.capacity_bytes)
        for row, _, drive in measured() if row["quantity"] == "workload_wa"
    ]  # fmt: skip


def in_service(drive, yearly, *, rewrites=None):
    """Return between what the counters of a drive lie whose host rewrites it so often a year."""
    (own,) = (a for a in priors.assumptions(drive) if a.quantity == "background_rewrites_per_s")
    ends = (own.low, own.high) if rewrites is None else (rewrites, rewrites)
    rate = {"user_bytes": 1.0, "host_bytes_per_s": yearly / YEAR_S}
    return [
        background_wa(wa, background_rewrites_per_s=end, **rate)
        for wa, end in zip(shipped("workload_wa", drive), ends, strict=True)
    ]


def likelihood(rewrites):
    """Return the log-likelihood of the counters if drives rewrite themselves so often a year.

    Copies (0.28 in the median) and rewrites are lognormal over models and capacities.
    """
    draws = rewrites * np.exp(SPREAD * norm.ppf((np.arange(400) + 0.5) / 400))
    yearly = np.array([host for _, _, host in served()])[:, None]
    excess = np.array([float(row["value"]) - 1 for row, _, _ in served()])[:, None]
    uniform = excess / np.array([share for _, share in copying()])[:, None]
    copied = np.maximum(excess - draws / yearly, 1e-9) / uniform
    dense = norm.pdf(np.log(copied / 0.28) / SPREAD) / copied
    return float(np.sum(np.log(dense.mean(axis=1) / uniform[:, 0])))


def published(drive):
    """Return the cycles that are published for a drive's cells and grade, of any maker.

    MLC of drives for reading may be of either grade.
    """
    words = words_of(drive)
    grades = ["client"] if "client" in words else ["enterprise"]
    if words >= {"read-intensive", "MLC"}:
        grades = ["client", "enterprise"]
    stack = "planar" if "planar" in words else "3D"
    with (data_folder() / "flash_generations.csv").open(encoding="utf-8", newline="") as lines:
        rows = [
            row for row in csv.DictReader(lines)
            if not row["maker"] and row["cell"] == cell_of(drive)
            and row["name"].startswith("planar") == (stack == "planar")
        ]  # fmt: skip
    ends = (f"pe_{grade}_{end}" for grade in grades for end in ("low", "high"))
    return [float(row[end]) for end in ends for row in rows]


def _applied(quantity, drive):
    """Return the words of the row that the planner takes for a drive."""
    row = priors._row(ROWS_OF[quantity], drive)
    return row["applies_to"]


def _in_rows(quantity, value, drive):
    if quantity == "pe_cycles":
        return value
    return value / (GIB * 2 ** np.ceil(np.log2(drive.capacity_bytes / GIB)))


class RangeOf:
    """Have the planner take another range for a kind of drive."""

    def __init__(self, applied, quantity, low, high):
        self.applied, self.quantity, self.ends = applied, ROWS_OF[quantity], (low, high)

    def __enter__(self):
        low, high = self.ends
        for row in priors._ranges():
            if (row["quantity"], row["applies_to"]) == (self.quantity, self.applied):
                self.row, self.before = row, dict(row)
                row.update(low=str(low), high=str(high))
                row["typical"] = str(min(max(float(row["typical"]), low), high))

    def __exit__(self, *_):
        self.row.update(self.before)


def kinds_known():
    """Return the drives of the catalogue of which cell type, class and year are known."""
    classes = {"client", "read-intensive", "mixed-use", "write-intensive"}
    return [
        drive for drive in load().drives.values()
        if cell_of(drive) not in ("", "XPoint") and year_of(drive) and words_of(drive) & classes
    ]  # fmt: skip


def widths():
    """Return by quantity the ends over the catalogue, where the number is unknown."""
    ratios = defaultdict(list)
    for drive in kinds_known():
        for quantity in WIDEST:
            if quantity not in drive.facts:
                low, high = shipped(quantity, drive)
                ratios[quantity].append(high / low)
    return {quantity: float(np.median(values)) for quantity, values in ratios.items()}


def coverage(ends):
    """Return by quantity whether each measured number lies inside its range."""
    inside = defaultdict(list)
    for row, value, drive in measured():
        low, high = ends(row, drive)
        inside[row["quantity"]].append(low <= value <= high)
    return inside


def page():
    """Return the page of documentation."""
    with_it = coverage(lambda row, drive: shipped(row["quantity"], drive))
    without, wide = coverage(left_out), widths()
    lines = [
        "# What is assumed of a drive, and how well it holds", "",
        "Generated by `python -m tests.priors_evidence > docs/evidence/priors.md`; a test holds",
        "the shares and the widths.",
        "Measured numbers of `data/field_flash.csv` were hidden and predicted.",
        "*Family left out*: with the ends that the other families of the kind and the published",
        "cycles give. *High over low*: median over the drives of the catalogue of which cell type,",
        "class and year are known.", "",
        "| quantity | models and capacities | inside | family left out | high over low |",
        "|---|---|---|---|---|",
    ]  # fmt: skip
    for quantity, label in LABELS.items():
        got, left = with_it[quantity], without[quantity]
        lines.append(
            f"| {label} | {len(got)} | {100 * np.mean(got):.0f} % | {100 * np.mean(left):.0f} % | "
            f"{wide[quantity]:.2f} |"
        )
    lines += ["", "Outside the range that is assumed:", ""]
    for row, value, drive in measured():
        low, high = (end / UNITS[row["quantity"]] for end in shipped(row["quantity"], drive))
        if not low <= value / UNITS[row["quantity"]] <= high:
            lines.append(
                f"- {LABELS[row['quantity']]} of {row['vendor']} {row['family']} "
                f"{row['capacity_gb']} GB: {float(row['value']):.4g}, "
                f"assumed {low:.4g} to {high:.4g}"
            )
    return "\n".join([*lines, *_background()]) + "\n"


def _background():
    """Return the part on background writes: how likely, and light drives with and without."""
    grid = (1, 2, 3, 5, 8, 12)
    none = likelihood(0.0)
    held = {name: np.mean(got) for name, got in light().items()}
    rows = [
        f"| {row['vendor']} {row['family']} {row['capacity_gb']} GB | {yearly:.1f} | "
        f"{float(row['value']):.2f} | {alone[0]:.2f} to {alone[1]:.2f} | "
        f"{whole[0]:.2f} to {whole[1]:.2f} |"
        for row, yearly, alone, whole in light_rows()
    ]
    return [
        "", "## Background writes", "",
        "The less a host writes, the more flash writes there are for each of its bytes: refresh,",
        "scrubbing and collection when idle. `data/field_rates.csv` has what the hosts of these",
        "models wrote. With copies as assumed (0.28 in the median), and rewrites of the capacity",
        "a year that are lognormal over models, the gain of the log-likelihood over none is", "",
        f"| rewrites a year, median | {' | '.join(str(one) for one in grid)} |",
        f"|---{'|---' * len(grid)}|",
        "| gain | " + " | ".join(f"{likelihood(one) - none:+.1f}" for one in grid) + " |", "",
        f"Of those below {LIGHT:g} host rewrites a year {100 * held['whole']:.0f} % are inside,",
        f"and without background writes {100 * held['alone']:.0f} %: flash is unknown here.", "",
        "| drive | host rewrites a year | write amplification | without | with |",
        "|---|---|---|---|---|",
        *rows,
    ]  # fmt: skip


def light_rows():
    """Return the drives whose hosts write little: range without and with background writes."""
    return [
        (row, yearly, in_service(drive, yearly, rewrites=0.0), in_service(drive, yearly))
        for row, drive, yearly in sorted(served(), key=lambda item: item[2]) if yearly < LIGHT
    ]  # fmt: skip


def light():
    """Return of the same whether what was measured lies inside."""
    return {
        name: [low <= float(row["value"]) <= high for row, (low, high) in ranges]
        for name, ranges in (
            ("alone", [(row, alone) for row, _, alone, _ in light_rows()]),
            ("whole", [(row, whole) for row, _, _, whole in light_rows()]),
        )
    }


if __name__ == "__main__":
    sys.stdout.write(page())
