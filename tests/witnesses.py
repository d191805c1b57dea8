"""Indicators of wear in 2,101 real logs: where they disagree, and what families showed before.

`python -m tests.witnesses counts > data/wear_counts.csv` counts by family, from the logs of
`tests/data/drive_logs.txt.xz`; `python -m tests.witnesses > docs/evidence/witnesses.md` makes the
page. A family left out is weighed with the counts of the others alone.
"""

import copy
import csv
import functools
import math
import statistics
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass

from planner.telemetry import read, wear, wear_counts
from planner.telemetry.evidence import STANDARD, Evidence
from planner.telemetry.record import Observed
from planner.telemetry.wear_counts import ERASES, WearCount, WearCounts
from tests import drive_logs

_SOURCE, _LOCATOR = "linuxhw-enterprisedrive", "tests/data/drive_logs.txt.xz"
_TELLING = 0.10  # share of life used from which indicators can differ
_WORN, _ERASED = 0.03, 20  # from which the rounding of a percentage leaves the rating known
_FEWEST, _PASSES = 3, 4


@dataclass(frozen=True)
class Log:
    """What testifies to the wear of one drive, after the checks by physics."""

    name: str
    evidence: Evidence

    @property
    def family(self):
        return self.evidence.firmware or self.evidence.protocol or "none"

    def used(self, counts):
        """Return the life used by some counts, on a copy, as reading lists what is unused."""
        return wear.life_used(copy.deepcopy(self.evidence), counts)

    def stated(self, standard):
        """Return the readings of the standard indicator, or of those of vendors."""
        return [
            (witness, name, one)
            for witness in self.evidence.used
            if (witness.counter == STANDARD) == standard
            for name, one in witness.readings.items()
        ]

    @property
    def witnesses(self):
        return len(self.evidence.used) + (self.evidence.erase_cycles is not None)


@functools.cache
def logs():
    """Return the evidence of each log, taken where the reader weighs it."""
    taken: list[Evidence] = []
    weigh = wear.life_used
    wear.life_used = lambda evidence: taken.append(copy.deepcopy(evidence)) or weigh(evidence)
    try:
        found = []
        for name, text in drive_logs.logs().items():
            taken.clear()
            read(name, text.encode())
            found += [Log(name, one) for one in taken]
    finally:
        wear.life_used = weigh
    return tuple(found)


def near(one: Observed, other: Observed):
    """Whether two intervals are within five points of each other, as the reader has it."""
    return one.low <= other.high + 0.05 and other.low <= one.high + 0.05


@functools.cache
def counted():
    """Return counts by family: begun without any, and repeated until they hold."""
    counts = WearCounts()
    for _ in range(_PASSES):
        counts = WearCounts((*_ratings(counts), *_held(counts)))
    return counts


def _by_family():
    found = defaultdict(list)
    for one in logs():
        if one.evidence.protocol == "ATA":
            found[one.family].append(one)
    return {family: found[family] for family in sorted(found)}


def _ratings(counts):
    """Yield the rated cycles that erases and life used imply, where no indicator is in doubt."""
    for family, ones in _by_family().items():
        implied = []
        for one in ones:
            erases, used = one.evidence.erase_cycles, one.used(counts)
            if erases is None or used is None or used.low < _WORN or erases.value < _ERASED:
                continue
            if used.high - used.low < 0.05:
                implied.append(math.log(erases.value / used.value))
        if len(implied) >= _FEWEST:
            yield WearCount(
                family, ERASES, "", len(implied), len(implied),
                round(math.exp(statistics.median(implied))), round(statistics.stdev(implied), 2),
            )  # fmt: skip


def _held(counts):
    """Yield how often each reading of each indicator held, where indicators can differ."""
    for family, ones in _by_family().items():
        compared, right = Counter(), Counter()
        for one in ones:
            used = one.used(counts)
            if used is None or one.witnesses < 2:
                continue
            middle = Observed(value=used.value, field="", low=used.value, high=used.value)
            for witness, name, reading in [*one.stated(True), *one.stated(False)]:
                if len(witness.readings) > 1 or max(used.value, reading.low) >= _TELLING:
                    compared[witness.counter, name] += 1
                    right[witness.counter, name] += near(reading, middle)
        for key in sorted(compared):
            yield WearCount(family, *key, compared[key], right[key])


def write_counts(stream):
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(wear_counts.COLUMNS)
    for one in sorted(counted().rows, key=lambda row: (row.family, row.counter, row.reading)):
        shown = [f"{one.cycles:g}", f"{one.spread:g}"] if one.counter == ERASES else ["", ""]
        rows.writerow(
            [one.family, one.counter, one.reading, one.logs, one.right, *shown, _SOURCE, _LOCATOR]
        )


HEAD = """\
# Where indicators of wear disagree

Generated by `python -m tests.witnesses > docs/evidence/witnesses.md`; a test compares it. The logs
are those of `tests/data/drive_logs.txt.xz` (Linux Hardware Project, CC-BY-4.0), the counts those of
`data/wear_counts.csv`. [`planner/telemetry/wear.py`](../../planner/telemetry/wear.py) weighs every
indicator under each way to read it, with the erase count and with what the family showed before.
The interval of life used spans all that is not far less likely than the best.

"""
TABLE = """
## By family

SATA drives with at least two indicators of wear, an erase count included. "Disagree": some are more
than five points apart, under the reading that is used. "Spanned": the interval holds every
indicator; "dropped": those that the others contradict. "Left out": weighed with the counts of the
other families alone, the interval still contains the value that the own counts give.

| family | logs | disagree | spanned | standard dropped | vendor's dropped | widest, points | left out |
|---|---|---|---|---|---|---|---|
"""  # noqa: E501 - a table
APART = """
## Each log in which they disagree

Life used in percent. An open end means that the indicator stops there.

| log | standard | vendor's | mean erases | life used |
|---|---|---|---|---|
"""


@functools.cache
def weighed():
    """Return logs with several witnesses: log, life used, and that with the family left out."""
    counts = wear_counts.load()
    return tuple(
        (one, one.used(counts), one.used(counts.without(one.family)))
        for one in logs()
        if one.evidence.protocol == "ATA" and one.witnesses > 1 and one.evidence.used
    )


def holds(used: Observed | None, readings):
    """Whether an interval meets some reading of each indicator; True if there are none."""
    by_witness = defaultdict(list)
    for witness, _, one in readings:
        by_witness[id(witness)].append(one)
    return used is not None and all(
        any(one.low <= used.high and used.low <= one.high for one in ones)
        for ones in by_witness.values()
    )


def disagree(log: Log, used: Observed | None):
    """Whether some indicator has no reading within five points of the value."""
    if used is None:
        return True
    middle = Observed(value=used.value, field="", low=used.value, high=used.value)
    return any(
        not any(near(one, middle) for one in witness.readings.values())
        for witness in log.evidence.used
    )


def contains(interval: Observed | None, used: Observed | None):
    """Whether the value of one answer is within the interval of another; True if there is none."""
    if used is None:
        return True
    return interval is not None and interval.low <= used.value <= interval.high


def page():
    rows, apart = [], []
    by_family = defaultdict(list)
    for log, used, left in weighed():
        by_family[log.family].append((log, used, left))
        if disagree(log, used):
            apart.append(_apart(log, used))
    every = [one for ones in by_family.values() for one in ones]
    for label, ones in [("all", every), *sorted(by_family.items())]:
        rows.append(_row(label, ones))
    both = sum(
        not holds(used, log.stated(True)) and not holds(used, log.stated(False))
        for log, used, _ in every
        if log.stated(True) and log.stated(False)
    )
    text = (
        f"Of {len(every)} drives with several indicators, {len(apart)} have some that disagree. "
        f"Intervals that exclude both\nthe standard indicator and the vendor's: {both}.\n"
    )
    return HEAD + text + TABLE + "\n".join(rows) + "\n" + APART + "\n".join(apart) + "\n"


def _row(label, ones):
    apart = [(log, used) for log, used, _ in ones if disagree(log, used)]
    widths = [used.high - used.low for _, used in apart if used and math.isfinite(used.high)]
    cells = [
        label, len(ones), len(apart),
        sum(holds(used, [*log.stated(True), *log.stated(False)]) for log, used in apart),
        sum(not holds(used, log.stated(True)) for log, used in apart),
        sum(not holds(used, log.stated(False)) for log, used in apart),
        f"{100 * max(widths):.0f}" if widths else "-",
        f"{sum(contains(left, used) for _, used, left in ones)} of {len(ones)}",
    ]  # fmt: skip
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def _apart(log, used):
    cells = [log.name]
    for standard in (True, False):
        stated = [f"{name} {_points(one)}" for _, name, one in log.stated(standard)]
        cells.append(", ".join(stated).replace("stated ", "") or "-")
    erases = log.evidence.erase_cycles
    cells.append(f"{erases.value:,.0f}" if erases else "-")
    cells.append(f"{_points(used)} ({_ends(used)})" if used else "-")
    return "| " + " | ".join(cells) + " |"


def _points(one):
    return f"{100 * one.value:.3g}"


def _ends(one):
    return f"{100 * one.low:.3g} to {100 * one.high:.3g}" if math.isfinite(one.high) else "open"


if __name__ == "__main__":
    if sys.argv[1:2] == ["counts"]:
        write_counts(sys.stdout)
    else:
        sys.stdout.write(page())
