"""The write test over time: cliff, write amplification and IOPS of every window, steady state."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models import _check, transient
from models.simulator.events import Config, Result, run
from models.write_amplification import greedy
from validation.speed.case import Curve, Finding, Row, Task, half_width, half_widths
from validation.speed.flash import TIMES, page_s, program_s

TOPIC = "course"
Points = NDArray[np.float64]
BUFFERED = 4  # programs per die that the write buffer holds
CURVES = {"16 dies, p = 0.145, b = 128": "Write test, die by die",
          "16 dies, p = 0.145, b = 2048": "Write test, superblocks"}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """A drive of the grid; `blocks` is what one die has."""

    dies: int
    channels: int
    op_ratio: float
    block: int
    program: int
    scope: Literal["die", "superblock"] = "die"
    blocks: int = 0
    overwrites: float = 1.0  # the least that is written after the cliff

    @property
    def name(self) -> str:
        """Name within its group, b being the pages of what is collected together."""
        return f"{self.dies} dies, p = {self.op_ratio:g}, b = {self.unit}"

    @property
    def unit(self) -> int:
        """Pages in one unit of garbage collection."""
        return self.block * (self.dies if self.scope == "superblock" else 1)


DRIVES = (
    Drive(dies=4, channels=4, op_ratio=0.5, block=64, program=2),
    Drive(dies=8, channels=8, op_ratio=0.28, block=128, program=4),
    Drive(dies=8, channels=4, op_ratio=1.0, block=128, program=4),
    Drive(dies=16, channels=16, op_ratio=0.07, block=128, program=4),
    Drive(dies=16, channels=16, op_ratio=0.145, block=128, program=4),
    Drive(dies=16, channels=4, op_ratio=0.1, block=128, program=4),
    Drive(dies=16, channels=8, op_ratio=0.374, block=128, program=2),
    Drive(dies=16, channels=16, op_ratio=0.28, block=256, program=8),
    Drive(dies=32, channels=8, op_ratio=0.374, block=64, program=4),
    Drive(dies=64, channels=16, op_ratio=0.2, block=64, program=4),
    Drive(dies=8, channels=8, op_ratio=0.28, block=128, program=4, scope="superblock"),
    Drive(
        dies=16, channels=16, op_ratio=0.145, block=128, program=4, scope="superblock", blocks=2000
    ),
    Drive(dies=16, channels=8, op_ratio=0.374, block=64, program=2, scope="superblock"),
)
PAGES = 1.2e6


def course_tasks(quick: bool) -> Iterator[Task]:
    """Yield write tests of drives, and one test by the size of the drive."""
    for drive in (DRIVES[1],) if quick else DRIVES:
        yield Task(
            topic=TOPIC, name=f"{drive.name} over time", measure=partial(_course, drive, quick),
            work_s=2.0 if quick else 15.0,
        )  # fmt: skip
    if not quick:
        yield Task(topic=TOPIC, name="dies by size", measure=partial(_sizes, "die"), work_s=20.0)
        yield Task(
            topic=TOPIC, name="superblocks by size", measure=partial(_sizes, "superblock"),
            work_s=20.0,
        )  # fmt: skip


def _course(drive: Drive, quick: bool) -> Finding:
    model, runs = _model_and_runs(drive, count=3 if quick else 4)
    courses = [result.windows.write_iops for result in runs]
    simulated = np.mean(courses, axis=0)
    iops = Errors(model.iops(simulated.size), simulated, half_widths(courses))
    amplified = _amplification(model, runs)
    picture = CURVES.get(drive.name)
    curves = () if picture is None or quick else (
        iops.curve(picture, "write IOPS", model.window_s),
        amplified.curve(picture, "write amplification", model.window_s),
    )  # fmt: skip
    rows = (*_course_rows(model, iops, amplified), *_turns(model, iops, runs))
    return Finding(rows=rows, curves=curves)


def _course_rows(model: "Model", iops: "Errors", amplified: "Errors") -> Iterator[Row]:
    name = model.drive.name
    later = amplified.after(model.past_cliff)
    yield amplified.row("write amplification over time", bound=0.005, case=name)
    yield later.row(
        "write amplification over time, worst window", worst=True, bound=0.03, case=name
    )
    yield iops.row("write IOPS over time", bound=0.04, unit="IOPS", case=name)
    yield iops.row(
        "write IOPS over time, worst window", worst=True, bound=0.1, unit="IOPS", case=name
    )


def _turns(model: "Model", iops: "Errors", runs: list[Result]) -> Iterator[Row]:
    """Yield cliff, steady state and lowest point."""
    drive = model.drive
    cliffs = [result.first_collection_s for result in runs]
    yield Row(
        group="cliff", case=drive.name, modelled=model.cliff_s, simulated=float(np.mean(cliffs)),
        noise=half_width(cliffs), bound=0.01, unit="s",
    )  # fmt: skip
    late = slice(-iops.simulated.size // 5, None)
    tails = [float(result.windows.write_iops[late].mean()) for result in runs]
    yield Row(
        group="write IOPS in steady state", case=drive.name,
        modelled=1 / model.page_s(greedy(drive.op_ratio, pages_per_block=drive.unit)),
        simulated=float(np.mean(tails)), noise=half_width(tails), bound=0.02, unit="IOPS",
    )  # fmt: skip
    modelled, simulated, noise = _lowest(iops)
    yield Row(
        group="lowest write IOPS after the cliff", case=drive.name, modelled=modelled,
        simulated=simulated, noise=noise, bound=0.03, unit="IOPS",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Errors:
    """A write test by formula and by simulation, window by window."""

    modelled: Points
    simulated: Points
    noise: Points

    def row(
        self, group: str, *, case: str, bound: float, unit: str = "", worst: bool = False
    ) -> Row:
        """Return the mean error, or the largest one with the values of its window."""
        errors = self.modelled / self.simulated - 1
        if worst:
            i = int(np.argmax(np.abs(errors)))
            return Row(
                group=group, case=case, modelled=float(self.modelled[i]),
                simulated=float(self.simulated[i]), noise=float(self.noise[i]), bound=bound,
                unit=unit,
            )  # fmt: skip
        return Row(
            group=group, case=case, modelled=float(self.modelled.mean()),
            simulated=float(self.simulated.mean()), noise=float(self.noise.mean()), bound=bound,
            unit=unit, deviation=float(np.mean(np.abs(errors))),
        )  # fmt: skip

    def after(self, first: int) -> "Errors":
        """Return the windows from `first` on."""
        return Errors(self.modelled[first:], self.simulated[first:], self.noise[first:])

    def curve(self, picture: str, name: str, window_s: float) -> Curve:
        """Return the curve for a picture, with 200 points at most."""
        step = -(-self.modelled.size // 200)
        middle = (np.arange(self.modelled.size) + 0.5) * window_s
        return Curve(
            picture=picture, name=name, x=tuple(middle[::step].tolist()),
            modelled=tuple(self.modelled[::step].tolist()),
            simulated=tuple(self.simulated[::step].tolist()),
        )  # fmt: skip


class Model:
    """The course by formula: seconds and host writes at closely spaced points."""

    def __init__(self, drive: Drive, blocks: int) -> None:
        self.drive = drive
        self.pages = _config(drive, blocks, window_s=1.0, measured_s=1.0, seed=1).pages
        settled = transient.greedy_settling_fills(drive.op_ratio, pages_per_block=drive.unit)
        last = max(3 * settled, drive.op_ratio + drive.overwrites)
        self.fills = np.linspace(0, last, 8000)
        flash = transient.greedy_flash_fills(
            drive.op_ratio, drive_fills=_check.plain(self.fills), pages_per_block=drive.unit
        )
        amplified = np.maximum(1.0, np.diff(flash) / np.diff(self.fills))
        fresh = amplified < 1 + 1e-6  # blocks are erased already
        each = np.where(
            fresh,
            program_s(drive.program) / drive.dies,
            self.page_s(_check.plain(np.where(fresh, 2, amplified))),
        )
        spent = np.cumsum(each * np.diff(self.fills)) * self.pages
        self.seconds = np.concatenate([[0.0], spent])
        self.window_s = float(f"{self.seconds[-1] / 400:.2g}")
        self.cliff_s = drive.op_ratio * self.pages * program_s(drive.program) / drive.dies

    @property
    def past_cliff(self) -> int:
        """First window after that of the cliff, and of the first block that each die fills then."""
        first_block_s = self.drive.block * self.page_s(2.0) * self.drive.dies
        return int((self.cliff_s + first_block_s) / self.window_s) + 1

    def page_s(self, wa: float) -> float:
        """Time per host page of all dies at a write amplification."""
        each = page_s(wa, pages_per_program=self.drive.program, pages_per_block=self.drive.block)
        return each / self.drive.dies

    def iops(self, windows: int) -> Points:
        """Mean IOPS of each window."""
        edges = np.arange(windows + 1) * self.window_s
        written = np.interp(edges, self.seconds, self.fills * self.pages)
        return np.asarray(np.diff(written) / self.window_s)

    def amplification(self, fills: Points) -> Points:
        """Mean write amplification from each amount of host writes to the next."""
        flash = transient.greedy_flash_fills(
            self.drive.op_ratio, drive_fills=_check.plain(fills), pages_per_block=self.drive.unit
        )
        return np.asarray(np.diff(flash) / np.diff(fills))


def _model_and_runs(drive: Drive, count: int) -> tuple[Model, list[Result]]:
    blocks = drive.blocks or max(200, round(PAGES / drive.dies / drive.block))
    model = Model(drive, blocks)
    length_s = float(np.floor(model.seconds[-1] / model.window_s)) * model.window_s
    runs = [
        run(_config(drive, blocks, window_s=model.window_s, measured_s=length_s, seed=seed))
        for seed in range(1, count + 1)
    ]
    return model, runs


def _config(drive: Drive, blocks: int, *, window_s: float, measured_s: float, seed: int) -> Config:
    """Return a saturated test of a drive that was filled in sequence."""
    return Config(
        dies=drive.dies, channels=drive.channels, blocks_per_die=blocks,
        pages_per_block=drive.block, pages_per_program=drive.program, op_ratio=drive.op_ratio,
        reserve=2, buffer_pages=BUFFERED * drive.dies * drive.program,
        scope=drive.scope,
        writers=64, window_s=window_s, measured_s=measured_s, seed=seed, **TIMES,
    )  # fmt: skip


def _amplification(model: Model, runs: list[Result]) -> Errors:
    """Compare write amplification by host writes, whatever time they took."""
    simulated = np.mean([result.windows.wa for result in runs], axis=0)
    written = np.mean([result.windows.write_iops for result in runs], axis=0) * model.window_s
    fills = np.concatenate([[0.0], np.cumsum(written)]) / model.pages
    noise = half_widths([result.windows.wa for result in runs])
    return Errors(model.amplification(fills), simulated, noise)


def _lowest(iops: Errors) -> tuple[float, float, float]:
    """Return the lowest mean of five consecutive windows, modelled and simulated, and its noise."""
    kernel = np.full(5, 0.2)
    modelled, simulated, noise = (
        np.convolve(values, kernel, "valid")
        for values in (iops.modelled, iops.simulated, iops.noise)
    )
    at = int(np.argmin(simulated))
    return float(modelled.min()), float(simulated[at]), float(noise[at]) / 5**0.5


def _sizes(scope: Literal["die", "superblock"]) -> Finding:
    """Compare the lowest point for drives of several sizes."""
    rows = []
    what = "superblocks" if scope == "superblock" else "blocks per die"
    for blocks in (80, 160, 640, 2560):
        drive = Drive(
            dies=16, channels=16, op_ratio=0.145, block=128, program=4, scope=scope, blocks=blocks
        )
        model, runs = _model_and_runs(drive, count=3 if blocks < 1000 else 2)
        courses = [result.windows.write_iops for result in runs]
        iops = Errors(model.iops(courses[0].size), np.mean(courses, axis=0), half_widths(courses))
        lowest = _lowest(iops)
        rows.append(
            Row(
                group="lowest write IOPS after the cliff, by the size of the drive",
                case=f"{drive.name}, {blocks} {what}",
                modelled=lowest[0], simulated=lowest[1], noise=lowest[2],
                bound=0.1 if blocks < 200 else 0.03, unit="IOPS",
            )
        )  # fmt: skip
    return Finding(rows=tuple(rows))
