"""Errors of computed quantities on drives of families that were left out.

Run `python -m tests.blind_errors` to write `data/model_error.csv` again, with `--page` the page
`docs/evidence/accuracy.md` too. Every row is computed from measured numbers of `data/`
(`tests.blind_cases`) and holds the digest of the formulas that it is of: a row that is older than
they is refused.
"""

import csv
import hashlib
import io
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from models.model_error import FamilyError, conformal_half, new_family
from tests import blind_cases as cases
from tests import measured_reads
from tests.blind_cases import LeftOut, without

ROOT = Path(__file__).parents[1]
TABLE, PAGE = ROOT / "data" / "model_error.csv", ROOT / "docs" / "evidence" / "accuracy.md"
READS = ROOT / "data" / "read_errors.csv"
COLUMNS = (
    "quantity", "class", "regime", "middle", "half", "between", "within", "families", "cases", "s0",
    "facts_inside", "digest", "source",
)  # fmt: skip
ARITHMETIC = "models/model_error.py"
OF_WA = tuple(f"models/write_amplification/{name}.py" for name in ("uniform", "factors", "traffic"))
OF_READS = ("models/latency_tail/suspended_reads.py",)
WA_FACTS = "field_copy_ratio raw_bytes base_factor unit_bytes"
LIFE_FACTS = f"pe_cycles {WA_FACTS} background_rewrites_per_s wa_error_ratio"
# Of the flash of data-center drives nothing is printed but, of some, the latency of a read.
READ_FACTS = (
    "program_s erase_s read_s die_bytes page_bytes block_bytes channels channel_bytes_per_s "
    "raw_bytes read_overhead_s"
)
FLASH = "enterprise", "client"  # 3D XPoint is none
USUAL_WA, USUAL_BAND = 4.0, 0.3  # of uniform writes; of the logarithm between placements


@dataclass(frozen=True)
class Entry:
    """A row: errors by family and what they are of.

    `width` is high over low of a half width; `is_conformal` where the half width is that of many
    families, by weighted split conformal prediction.
    """

    quantity: str
    regime: str
    errors: Callable[[], dict]
    s0: float
    modules: tuple[str, ...]
    source: str
    kind: str = ""
    facts_inside: str = ""
    width: Callable[[FamilyError], float] = lambda error: math.exp(2 * error.half)
    is_conformal: bool = False
    own: Callable[[], list[LeftOut]] | None = None

    @property
    def key(self):
        return self.quantity, self.kind, self.regime

    def error(self, errors):
        found = new_family(errors, prior_sd=self.s0)
        return (
            found._replace(middle=0.0, half=conformal_half(errors)) if self.is_conformal else found
        )

    def row(self):
        errors = self.errors()
        found = self.error(errors)
        numbers = (f"{number:.4g}" for number in found[:4])
        counts = (len(errors), sum(map(len, errors.values())), self.s0)
        return dict(
            zip(COLUMNS, (*self.key, *numbers, *map(str, counts), self.facts_inside,
                          digest(self.modules), self.source), strict=True)
        )  # fmt: skip

    def left_out(self):
        """Return every case with the range that the other families give it."""
        if self.own is not None:
            return self.own()
        errors, found = self.errors(), []
        for family, own in errors.items() if len(errors) > 1 else ():
            others = self.error(without(errors, family))
            width = self.width(others)
            found += [LeftOut(family, one - others.middle, others.half, width) for one in own]
        return found


def digest(modules):
    """Return what tells whether the text of formulas has changed."""
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in (ARITHMETIC, *modules))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _of_hosts(error):
    return float(np.median([
        cases.wa_width(each.computed, -math.hypot(error.half, each.down),
                       math.hypot(error.half, each.up))
        for each in cases.served()
    ]))  # fmt: skip


def _of_uniform(error):
    ends = (error.middle - error.half, error.middle + error.half)
    return cases.wa_width(USUAL_WA, *ends)


def _of_band(error):
    return math.exp(2 * error.half * USUAL_BAND)


@cache
def entries():
    """Return the rows in their order."""
    return (*_of_wa(), *_of_rates(), *_of_lives(), *_of_reads())


def _of_wa():
    field = "data/field_flash.csv"
    return (
        Entry("workload_wa", "field", cases.field_wa_beyond_facts, cases.WA_SD, OF_WA, field,
              width=_of_hosts, is_conformal=True),
        Entry("workload_wa", "field family", cases.field_wa, cases.WA_SD, OF_WA, field,
              facts_inside=WA_FACTS, own=cases.in_known_families),
        Entry("workload_wa", "uniform", cases.uniform_wa, 0.15, OF_WA, "data/measured_spans.csv",
              facts_inside="raw_bytes base_factor", width=_of_uniform),
        Entry("workload_wa", "skew", cases.skewed_wa, 0.15,
              ("models/write_amplification/placement.py",), "data/measured_skews.csv",
              width=_of_band),
    )  # fmt: skip


def _of_rates():
    reads, spans = "data/measured_reads.csv", "data/measured_spans.csv"
    return (
        Entry("steady_write_iops", "NVMe from 2018", lambda: cases.steady_writes(is_nvme=True),
              0.08, (), f"{spans}, data/measured_skews.csv, {reads}"),
        Entry("steady_write_iops", "other", lambda: cases.steady_writes(is_nvme=False), 0.1, (),
              f"{spans}, data/measured_skews.csv, {reads}, data/facts.csv"),
        Entry("steady_write_iops", "beside reads", cases.steady_writes_beside, 0.1, (), reads),
        Entry("folded_write_bytes_per_s", "", cases.folded_writes, 0.4,
              ("models/slc_cache/folding.py",), "data/facts.csv"),
    )  # fmt: skip


def _of_lives():
    modules, field = (*OF_WA, "models/endurance.py"), "data/field_life.csv"
    for kind in ("enterprise", "client", "XPoint"):
        yield Entry("wear_limit_bytes", "", lambda kind=kind: cases.of_flash(kind), cases.LIFE_SD,
                    modules, field, kind=kind, facts_inside=LIFE_FACTS)  # fmt: skip
        yield Entry("rated_limit_bytes", "", lambda kind=kind: cases.of_rating(kind),
                    cases.LIFE_SD, (), field, kind=kind,
                    facts_inside="field_copy_ratio background_rewrites_per_s")  # fmt: skip
    for kind in ("enterprise", "client"):
        yield Entry("wear_limit_bytes", "write amplification known",
                    lambda kind=kind: cases.flash_alone()[kind], cases.LIFE_SD,
                    ("models/endurance.py",), "data/field_flash.csv", kind=kind,
                    facts_inside="pe_cycles raw_bytes")  # fmt: skip


def _of_reads():
    """Yield the percentiles of reads beside writes, where `tests.measured_reads` has them."""
    for regime, errors in getattr(measured_reads, "blind_errors", dict)().items():
        yield Entry("read_quantiles_s", regime, lambda errors=errors: errors, 0.25, OF_READS,
                    "data/measured_reads.csv", facts_inside=READ_FACTS)  # fmt: skip


def stored():
    """Return the rows of the file by quantity, class and regime."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return {tuple(row[name] for name in COLUMNS[:3]): row for row in csv.DictReader(lines)}


def of_vendors():
    """Return the mean error of each measured drive by percentile, its vendor left out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("regime", "drive_id", "vendor", "error", "loads"))
    for regime, errors in measured_reads.blind_errors().items():
        for drive_id, drive in measured_reads.drives().items():
            own = errors[drive.vendor]
            writer.writerow((regime, drive_id, drive.vendor, f"{np.mean(own):.4f}", len(own)))
    return text.getvalue()


def table():
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(entry.row() for entry in entries())
    return text.getvalue()


# The page

HEAD = """# How far computed quantities are from measured ones

Generated by `python -m tests.blind_errors --page`; a test holds the numbers. Each case is computed
without what was measured of its family: constants, the spread between families and the middle come
from the other families. *Inside* is the share of cases in the range of 90 %, *high over low* the
median width of these ranges. The rows are those of `data/model_error.csv`.

| quantity | of | families | cases | middle | inside, family left out | high over low |
|---|---|---:|---:|---:|---:|---:|"""
SAID = {
    "workload_wa": "Write amplification", "steady_write_iops": "Steady writes over printed",
    "folded_write_bytes_per_s": "Rate after the write cache",
    "wear_limit_bytes": "Bytes until worn, by flash",
    "rated_limit_bytes": "Bytes until worn over the rating",
    "read_quantiles_s": "Read latency beside writes",
}  # fmt: skip
NOTES = """
Write amplification of hosts in the field: beside the swings of copies and raw flash a half width by
split conformal prediction (a factor of {scale:.2f} on the copies); random effects on the same
errors cover {effects:.0f} % at {effects_width:.1f}. The width is that of hosts: within a family
they differ more than families do. Of a known family the other capacities are known. The range of a
write amplification does not reach below 1: errors are those of the copies.

Write amplification of a skew: errors over the width between the placements, whose weights were
fitted to these two drives: not blind. The width is that of a band of {band:.2f} in logarithms.

Steady writes: of drives that were measured beside some 5,000 reads per second alone, that rate
stands in for the one alone, which is at least as much. Of the older drives one family of two lies
outside with its three sizes: a review says "about 10K" of them, and elsewhere "around 15K".
One of the drives lost 28 % beside the reads, the others at most 5 %.

Read latency: p99.9 of a Kioxia drive, 17 of the loads, lies outside at eight of them; with each
vendor weighing the same the shares inside are 95, 93 and 91 %. `docs/evidence/measured-reads.md`
says more.

Bytes until worn, flash and rating joined (correlation 0.5), family left out; *cut* where no range
reaches below a printed TBW. {below}
Indicators count whole percents, of which some drives had used 5.

| drives | cases | inside | high over low | inside, cut | high over low, cut |
|---|---:|---:|---:|---:|---:|
{joint}

With so few families no share is known to better than 15 points. Drives of one model that makers of
computers buy under their own firmware differ by ten times; their SMART logs say which they are.
3D XPoint is of one family, so that nothing can be left out: it is not flash and wears by its own
law, at {xpoint:.2f} of its rating.

No row covers more than 98 % of over 50 cases.

Not measured: steady writes of a drive with a stated placement, the rate after the cache of
enterprise drives, write amplification of TRIM, anything of QLC beside writes, life of SAS drives.
"""


def page():
    """Return the page of documentation."""
    lines = [HEAD]
    for entry in entries():
        row, found = entry.row(), entry.left_out()
        said = [
            SAID[entry.quantity],
            ", ".join(part for part in (entry.kind, entry.regime) if part),
        ]
        middle = "" if entry.is_conformal or entry.regime == "skew" else _factor(row["middle"])
        held = [f"{100 * _share(found):.0f} %", f"{_width(found):.2f}"] if found else ["", ""]
        cells = (*said, row["families"], row["cases"], middle, *held)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n" + NOTES.format(**_said())


def _said():
    (field,) = (entry for entry in entries() if entry.regime == "field")
    effects = cases.by_random_effects()
    xpoint = new_family(cases.of_rating("XPoint"), prior_sd=cases.LIFE_SD)
    return {
        "scale": math.exp(conformal_half(field.errors())), "effects": 100 * _share(effects),
        "effects_width": _width(effects), "band": USUAL_BAND, "joint": _joint(),
        "below": _below(),
        "xpoint": math.exp(xpoint.middle),
    }  # fmt: skip


def _joint():
    whole, cut = (_groups(is_cut=is_cut) for is_cut in (False, True))
    return "\n".join(
        f"| {name} | {len(found)} | {_held(found)} | {_held(cut[name])} |"
        for name, found in whole.items()
    )


def _groups(*, is_cut):
    """Return the lives joined by groups of drives."""
    enterprise, client = (cases.joint_lives(kind, is_cut=is_cut) for kind in FLASH)
    return {
        "enterprise": enterprise,
        "client with a printed rating": [one for one in client if one.is_rated],
        "client without": [one for one in client if not one.is_rated],
        "all with a printed rating": [one for one in (*enterprise, *client) if one.is_rated],
        "all": [*enterprise, *client],
    }


def _below():
    """Say how many of the rated drives were worn before their rating: no cut is right of them."""
    ratios = [
        math.exp(one.limit - one.rated)
        for one in cases.worn() if one.kind in FLASH and one.rated is not None
    ]  # fmt: skip
    early = sum(ratio < 1 for ratio in ratios)
    return (
        f"Worn before their rating:\n{early} of {len(ratios)} rated models, the earliest at "
        f"{min(ratios):.3f} of it."
    )


def _held(found):
    return f"{100 * _share(found):.0f} % | {_width(found):.1f}"


def _share(found):
    return float(np.mean([one.is_inside for one in found]))


def _width(found):
    return float(np.median([one.width for one in found]))


def _factor(middle):
    return f"x{math.exp(float(middle)):.2f}"


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
    READS.write_text(of_vendors(), encoding="utf-8")
    if "--page" in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
