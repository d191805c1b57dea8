"""The page of what can be relied on: `python -m tests.trust_page > docs/evidence/trust.md`.

A promise of `tests/data/promises.csv` names the test that fails where it is broken; without a test
of that name there is no page. Limits are those of the code, and runs those that `make long` wrote.
"""

import ast
import csv
import functools
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from planner.quantity import door
from planner.quantity.door.reader import MOST_WAITING
from planner.telemetry import limits
from tests.fuzz.targets import TARGETS
from tests.server_load import MOST_ANSWER_S, MOST_MEMORY_BYTES, Load

ROOT = Path(__file__).parents[1]
PROMISES, RUNS = ROOT / "tests/data/promises.csv", ROOT / "tests/fuzz/runs.jsonl"
LOADS = ROOT / "tests/data/server_loads.jsonl"
HEAD = """# What can be relied on

The planner may be given any file from anybody. This page lists its guarantees, each with the test
that checks it. It is generated: `python -m tests.trust_page > docs/evidence/trust.md`."""
# What is said of a section before its promises; the sections are in this order.
SECTIONS = {
    "Nothing is sent": (
        "The app listens on the loopback address, and its pages load nothing from anywhere else."
    ),
    "Text is text": (
        "Text from a file, a link or a user is shown as plain text, never as markdown, a picture, "
        "a link, HTML or a formula. Control characters, and marks that reorder or hide text, are "
        "escaped (`\\u001b`); long texts are shortened in the middle."
    ),
    "No implausible number": (
        "Counters mean different things on different firmwares, wrap around, stay at zero or are "
        "all ones. Each number is checked against the interface and the power-on time, the erases "
        "and the capacity, the standard logs and the other counters; bounds and sources are in "
        "`planner/telemetry/gate.py`. A number that fails is listed with the reason and reaches no "
        "plan, forecast or `--save`; if two numbers contradict each other and nothing decides, "
        "neither is used. [telemetry-gate.md](telemetry-gate.md) shows the effect on 2,101 real "
        "logs."
    ),
    "No input breaks a reader": (
        "`make fuzz` changes files by their structure (JSON trees, lines and fields, extreme "
        "numbers, parts of a workbook; repeated, nested, truncated, compressed), keeps the inputs "
        "that reach new code, and reads them: {targets}. The result is a reading or one sentence, "
        "never a traceback, NaN, a negative count or a hang.\n\n{runs}"
    ),
    "Limits": (
        "Files from outside are opened by one package (`planner/quantity/door`), and only regular "
        "files are: a pipe or a device is refused by name. Workbooks, packed files and all files "
        "above {short} are parsed by a reader process that ends at its limits; the other files of "
        "the command are read on. A file beyond a limit is refused with a sentence that names the "
        "limit. Standard input of a command may have {piped}.\n\n{files}\n\nFiles given to the app "
        "have further limits; of those named on the command line bytes and rows may be any:"
        "\n\n{limits}\n\n"
        "The app keeps files on disk until their tab is closed, and parses short texts of known "
        "formats itself. All others, of all tabs, pass {readers} reader processes (one where there "
        "is one processor). At most {waiting} files wait, in the order in which they came; one "
        "more is refused. A reading that takes longer than a second shows its progress, or its "
        "place in the queue, and a button to cancel it. `make long` gives the worst files to "
        "twenty tabs of a server while another visitor changes an input:\n\n{loads}"
    ),
    "No quote vanishes": "A row of a table is a drive, or it is set aside with its reason.",
    "No write is lost": (
        "Every file that a command or a script writes is first written to a temporary file beside "
        "it, synced to disk, and then renamed; the files of one command are renamed together, once "
        "all of them are on disk. After SIGKILL or a power failure each file is complete, but a "
        "temporary file `.ssd-planner-*.tmp` may remain. A workbook has one date, also in its "
        "properties: that of `--exported`, by default today."
    ),
    "It runs in restricted environments": "",
}


def page() -> str:
    """Return the page; raise where a promise has no test or stands in no section."""
    rows = promises()
    lost = sorted({section for section, _, _ in rows} - SECTIONS.keys())
    if lost:
        raise ValueError(f"no section {lost[0]!r}")
    words = {"targets": _targets(), "runs": _runs(), "limits": _limits(), "files": _files(),
             "short": f"{door.SHORT_BYTES >> 10} KiB", "loads": _loads(),
             "piped": f"{limits.MOST_PIPED_BYTES >> 20} MiB",
             "readers": "two", "waiting": str(MOST_WAITING)}  # fmt: skip
    parts = [HEAD]
    for section, prose in SECTIONS.items():
        for name, text in words.items():
            prose = prose.replace(f"{{{name}}}", text)  # noqa: PLW2901 - of this section
        table = [f"| {_cell(promise)} | `{test}` |" for of, promise, test in rows if of == section]
        if not table:
            raise ValueError(f"{section}: promises nothing")
        listed = "\n".join(["| guarantee | test |", "|---|---|", *table])
        parts.append("\n\n".join(part for part in (f"## {section}", prose, listed) if part))
    return "\n\n".join(parts) + "\n"


def promises(path: Path = PROMISES) -> list[tuple[str, str, str]]:
    """Return section, promise and test of each promise; raise where there is no such test."""
    with path.open(newline="") as file:
        rows = [(row["section"], row["promise"], row["test"]) for row in csv.DictReader(file)]
    for _, promise, test in rows:
        file, _, name = test.partition("::")
        if name not in _tests_of(file):
            raise ValueError(f"{promise!r} names {test}, which is no test")
    return rows


@functools.cache
def _tests_of(file: str) -> frozenset[str]:
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    nodes = ast.walk(ast.parse(path.read_text()))
    return frozenset(node.name for node in nodes if isinstance(node, ast.FunctionDef))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _targets() -> str:
    traces = [name for name in TARGETS if name.startswith("trace, ")]
    others = [name for name in TARGETS if name not in traces]
    return f"{', '.join(others)}, and {len(traces)} layouts of traces"


def _runs() -> str:
    """Tell the runs of the last commit that was fuzzed."""
    runs = [json.loads(line) for line in RUNS.read_text().splitlines()]
    last = [run for run in runs if run["commit"] == runs[-1]["commit"]]
    head = "| date | commit | seed | seconds | inputs | edges of code | faults |"
    return "\n".join([head, "|---|---|---|---|---|---|---|", *map(_run_row, last)])


def _run_row(run: dict[str, Any]) -> str:
    counts = " | ".join(f"{run[name]:,}" for name in ("seconds", "inputs", "edges", "faults"))
    return f"| {run['date']} | {run['commit']} | {run['seed']} | {counts} |"


def _loads() -> str:
    """Tell the last load of a server."""
    last = json.loads(LOADS.read_text().splitlines()[-1])
    limit = Load(**{name: last[name] for name in Load._fields})
    head = "| date | commit | processors | tabs | time | answers | slowest | memory | faults |"
    row = (
        f"| {last['date']} | {last['commit']} | {last['processors']} | {limit.tabs} | "
        f"{limit.seconds:g} s | {limit.answers:,} | {limit.slowest_s:.1f} s | "
        f"{limit.most_bytes / 1e9:.2f} GB | {'; '.join(limit.faults()) or 'none'} |"
    )
    limits = f"| | limit | | | | | {MOST_ANSWER_S:g} s | {MOST_MEMORY_BYTES / 1e9:g} GB | |"
    return "\n".join([head, "|---|---|---|---|---|---|---|---|---|", row, limits])


def _files() -> str:
    """Tell the limits of a file by its source."""
    rows = [("files given to the app", door.UPLOADED), ("named on the command line", door.NAMED)]
    listed = [
        f"| {source} | {_mib(limit.most_bytes)} | {_mib(limit.memory_bytes)} | {_time(limit)} |"
        for source, limit in rows
    ]
    return "\n".join(
        ["| files | bytes | memory | time of a reading |", "|---|---|---|---|", *listed]
    )


def _mib(size_bytes: float) -> str:
    return "any" if math.isinf(size_bytes) else f"{size_bytes / (1 << 20):,.0f} MiB"


def _time(limit: door.FileLimits) -> str:
    more = f", and {limit.seconds_per_mb:g} s a MB" if limit.seconds_per_mb else ""
    return f"{limit.seconds:g} s{more}"


def _limits() -> str:
    rows = "\n".join(f"| {most} | {what} |" for most, what in _limit_rows())
    return f"| limit | of what |\n|---|---|\n{rows}"


def _limit_rows() -> Iterator[tuple[str, str]]:
    mib = 1 << 20
    whole = "a file that is read as a whole (all but block traces and logs of fio), unpacked"
    yield f"{limits.MOST_BYTES // mib} MiB", whole
    yield f"{limits.MOST_DRIVES:,}", "documents or drives in a file"
    yield f"{limits.MOST_PARTS:,}", "brackets and texts in JSON"
    yield f"{limits.MOST_LINES:,}", "lines of smartctl's text"
    yield f"{limits.MOST_READINGS:,}", "rows of a wear history"
    yield f"{limits.MOST_PERIODS:,}", "seconds in a log of fio, its directions together"


if __name__ == "__main__":
    sys.stdout.write(page())
