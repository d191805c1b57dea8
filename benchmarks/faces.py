"""Times of each face: commands in fresh processes, places of the app, workbooks.

Processor time. Commands are those that people start with; of the app every place is drawn for the
first time and again, without a browser; a workbook is written for one plan and for several.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from functools import partial
from statistics import median

from streamlit.testing.v1 import AppTest

from benchmarks.growth import grown
from benchmarks.rows import ROOT, Row, processor_s
from planner.catalogue import load
from planner.export.workbook.book import workbook
from planner.sections.plan import PlanReading
from planner.sections.request import plan_of

DRIVE = "845DC PRO 400"
COMMANDS = {  # and the limit, in seconds
    "--help": (("--help",), 0.25),
    "drives 845dc": (("drives", "845dc"), 0.5),
    "plan": (("plan", DRIVE), 1.2),
    "plan --skew 80/20": (("plan", DRIVE, "--skew", "80/20"), 1.7),
    "speed": (("speed", DRIVE), 1.5),
    "array": (("array", DRIVE, "--drives", "12", "--raid", "5"), 1.5),
    "uncertainty": (("uncertainty", DRIVE, "--writes", "4TB/day"), 2.0),
    "simulate": (("simulate", "--blocks", "400"), 2.0),
}
SCRIPT = "import planner as ssd; ssd.plan('845DC PRO 400', writes='4 TB/day').life"
PLACES = ("plan", "choose", "compare", "measure", "drives", "how_right")
BOOKS = (1, 3, 6, 12)


def commands() -> Iterator[Row]:
    """Processor time of commands, interpreter and imports included; the median of three."""
    for name, (words, limit) in COMMANDS.items():
        yield Row(f"command {name}", started("-m", "planner", *words), limit, "s")
    yield Row("script: one plan", started("-c", SCRIPT), 1.0, "s")


def started(*words: str) -> float:
    """Processor time of a run of Python."""
    taken = []
    for _ in range(3):
        before = os.times()
        subprocess.run(  # noqa: S603
            [sys.executable, *words], check=True, cwd=ROOT, stdout=subprocess.DEVNULL
        )
        after = os.times()
        taken.append(sum(after[2:4]) - sum(before[2:4]))
    return median(taken)


def places() -> Iterator[Row]:
    """Each place of the app: drawn for the first time, and again."""
    logging.disable(logging.WARNING)
    for name in PLACES:
        app = AppTest.from_file(ROOT / "app.py", default_timeout=120).run()
        app.switch_page(f"planner/ui/{name}.py")
        first = processor_s(app.run)
        again = median(processor_s(app.run) for _ in range(5))
        yield Row(f"place {name}, first time", first, 6.0, "s")
        yield Row(f"place {name}, drawn again", again, 1.5, "s")


def books() -> Iterator[Row]:
    """Workbooks of several plans."""
    drives = list(load().drives.values())
    few = drives[:: len(drives) // 12][:12]
    plans = [plan_of(drive, writes="1 TB/day") for drive in few]
    arrays = [plan_of(drive, writes="1 TB/day", drives="12", raid="5") for drive in few]

    def written(count: int, of: list[PlanReading] = plans) -> float:
        return processor_s(partial(workbook, of[:count], load(), exported=date(2026, 1, 1)))

    written(1)
    yield from grown("workbook, plans", written, BOOKS, limit=1.1)
    yield Row("workbook of 12 plans", written(12), 0.6, "s")
    yield Row("workbook of 12 plans in RAID 5", written(12, arrays), 0.6, "s")


def rows() -> Iterator[Row]:
    """Commands, places, workbooks."""
    yield from commands()
    yield from places()
    yield from books()
