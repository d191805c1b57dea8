"""Every benchmark, part by part: `make bench`, or `python -m benchmarks simulator choice`.

Each part runs in a process of its own and yields rows; a row that misses its limit, or a part that
breaks, stops nothing. At the end stand one table, a JSON file and, if every part ran, the page
`docs/evidence/speed.md`; exit code 1 if anything missed.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.rows import ROOT, Row
from planner.export.files import write_files

PARTS = (
    "faces", "everyday", "simulator", "events", "arrays", "array_formulas", "traces",
    "uncertainty", "choice", "growth", "fleet",
)  # fmt: skip
REPORT = ROOT / "bench.json"
PAGE = ROOT / "docs" / "evidence" / "speed.md"
# Why figures miss that are known to, by a part of their name.
CAUSES = {
    "samples, first time": (
        "skewed writes run small drives, since uncertain TRIMs change their shares of pages;"
        " uniform writes run none"
    ),
    "one call / loop of calls": (
        "a loop of single arrays climbs in plain numbers, faster than when the limit was set"
    ),
    "one call / loop of plans": "a single plan is faster than when the limit was set",
    "workbook of 12 plans": (
        "the ends of every range are searched for anew; to write the cells takes 0.13 s"
    ),
    "80/20 with sequential writes": (
        "draws scatter by 0.4 %, and the yardstick takes a formula of sequential writes where the"
        " plan reads runs of small drives"
    ),
    "Zipf on superblocks": "the scatter of 4,096 draws; it is 0.8 % with 32,768",
    "of the catalogue in one reading": "the graph of 313 drives; no cheaper reading was found",
    "plain group-by": (
        "the tables are read in one thread, and their rows written once before the forecasts"
    ),
}
_SHARED = (
    ", so that other programs shared its cores, which makes processor time up to twice as long."
)
INTRODUCTION = """# Speed of the whole

Written by `make bench`. Every figure is of one run on one machine: processor time, so that other
load of the machine matters less, or a ratio to a yardstick in the same process. A limit is a
maximum (`<=`) or a minimum (`>=`); figures without one are for comparison. Sources and
measurements: the parts in [`benchmarks/`](../../benchmarks).
"""


def commands(parts: Sequence[str]) -> dict[str, list[str]]:
    """The command of each part."""
    return {part: [sys.executable, "-m", "benchmarks.rows", part] for part in parts}


def rows_of(command: Sequence[str]) -> Iterator[Row]:
    """The rows that a part prints, as they come; a part that breaks has one more that misses."""
    with (
        tempfile.TemporaryFile("w+", errors="replace") as said,
        subprocess.Popen(  # noqa: S603
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=said, text=True
        ) as part,
    ):
        for line in part.stdout or ():
            yield Row(*json.loads(line))
        part.wait()
        said.seek(0)
        lines = said.read().splitlines()
    print(*lines, sep="\n", end="\n" * bool(lines), file=sys.stderr)
    if part.returncode:
        why = lines[-1].strip()[:200] if lines else "says nothing"
        yield Row(f"exit code: {why}", part.returncode, 0, "")


def run(parts: Mapping[str, Sequence[str]], report: Path, page: Path | None = None) -> int:
    """Run parts, print the table and write the report, and the page; 1 if anything missed."""
    rows: list[tuple[str, Row]] = []
    start = time.perf_counter()
    for name, command in parts.items():
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += [(name, row) for row in rows_of(command)]
    missed = sum(not row.fits for _, row in rows)
    print(*map(line_of, rows), sep="\n")
    print(f"{len(rows)} figures, {missed} beyond their limits: {report}")
    measured = record(rows, time.perf_counter() - start)
    text = json.dumps(measured, indent=2, allow_nan=False)
    files = {report: f"{text}\n".encode()}
    if page is not None:
        files[page] = page_of(measured, rows).encode()
    write_files(files)
    return 1 if missed else 0


def page_of(measured: Mapping[str, Any], rows: Sequence[tuple[str, Row]]) -> str:
    """The page of documents: the machine, what missed, and a table for each part."""
    machine = measured["machine"]
    missed = [
        f"- {part}: {row.name}, {_shown(row)}{_cause(row)}" for part, row in rows if not row.fits
    ]
    where = (
        f"{measured['measured'][:10]}, commit {(measured['commit'] or 'unknown')[:12]}, "
        f"{machine['cores']} cores of {machine['processor']}, Python {machine['python']}. The "
        f"run took {measured['elapsed_s'] / 60:.1f} minutes and "
        f"{measured['processor_s'] / 60:.1f} of processor time. "
        f"The load of the machine was {machine['load']:.1f} at the end"
        + (_SHARED if machine["load"] > machine["cores"] + 1 else ".")
    )
    count = f"{len(rows)} figures, {len(missed)} beyond their limits{':' if missed else '.'}"
    lines = [INTRODUCTION, where, "", count, "", *missed]
    for part in dict.fromkeys(part for part, _ in rows):
        lines += ["", f"## {part.replace('_', ' ').capitalize()}", ""]
        lines += ["| figure | measured | limit |", "|---|---:|---:|"]
        lines += [
            f"| {row.name} | {row.value:.4g} {row.unit} | {_limit(row)} |"
            for owner, row in rows
            if owner == part
        ]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _cause(row: Row) -> str:
    return next((f": {cause}" for words, cause in CAUSES.items() if words in row.name), "")


def _shown(row: Row) -> str:
    return f"{row.value:.4g} {row.unit} (limit {_limit(row)})"


def _limit(row: Row) -> str:
    return "" if row.limit is None else f"{'>=' if row.at_least else '<='} {row.limit:g}"


def line_of(entry: tuple[str, Row]) -> str:
    """One line of the table."""
    part, row = entry
    limit, verdict = _limit(row), "" if row.fits else "MISSED"
    return f"{part:<15}{row.name:<60}{row.value:>10.4g} {row.unit:<4}{limit:<12}{verdict}".rstrip()


def record(rows: Sequence[tuple[str, Row]], elapsed_s: float) -> dict[str, Any]:
    """Record of the measured rows, with commit and machine."""
    described = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    commit = subprocess.run(described, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    return {
        "commit": commit.stdout.strip() or None,
        "measured": datetime.now(UTC).isoformat(timespec="seconds"),
        "elapsed_s": elapsed_s,
        "processor_s": sum(os.times()[:4]),
        "machine": {
            "processor": processor(),
            "cores": os.cpu_count(),
            "load": os.getloadavg()[0],
            "system": platform.platform(),
            "python": platform.python_version(),
        },
        "rows": [{"part": part, **row._asdict(), "fits": row.fits} for part, row in rows],
    }


def processor() -> str:
    """The processor by its name."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text().splitlines() if known.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


if __name__ == "__main__":
    chosen = sys.argv[1:] or PARTS
    if unknown := set(chosen) - set(PARTS):
        raise SystemExit(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    page = PAGE if set(chosen) == set(PARTS) else None
    raise SystemExit(run(commands(chosen), REPORT, page))
