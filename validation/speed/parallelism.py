"""Random reads at a constant queue depth: dies, channels, host link."""

from collections.abc import Iterator
from functools import partial
from itertools import product

from models import flash_reads, parallelism
from models.simulator.events import Config, run
from validation.speed.case import Curve, Finding, Row, Task, half_width, parts
from validation.speed.flash import READ_S

TOPIC = "parallelism"
DEPTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
IN_STEP = 1e-7  # a transfer that takes next to no time
COMMANDS = 250_000
PICTURE = "Random reads"


def parallelism_tasks(quick: bool) -> Iterator[Task]:
    """Yield dies alone, dies on channels behind a link, dies that are free after the sense."""
    for dies in (4, 16) if quick else (4, 8, 16, 32, 64, 128):
        yield _task("dies", dies, 1, partial(_over_dies, dies, quick))
    networks = [(16, 4)] if quick else [
        (dies, dies // shared) for dies in (4, 8, 16, 32, 64, 128) for shared in (1, 2, 4, 8)
        if dies // shared
    ]  # fmt: skip
    for dies, channels in networks:
        yield _task("channels", dies, channels, partial(_over_channels, dies, channels, quick))


def _task(kind: str, dies: int, channels: int, measure: partial[Finding]) -> Task:
    name = f"{dies} dies" + (f" on {channels} channels" if kind == "channels" else "")
    return Task(topic=TOPIC, name=name, measure=measure, work_s=2.0 if kind == "dies" else 8.0)


def _over_dies(dies: int, quick: bool) -> Finding:
    rows, few = [], dies < 8
    for depth in DEPTHS[::2] if quick else DEPTHS:
        drive = _drive(depth, quick, dies=dies, channels=dies, read_s=READ_S, transfer_s=IN_STEP)
        model = parallelism.dies_iops(depth, dies=dies, operation_s=READ_S + IN_STEP)
        simulated, noise = _measured(drive)
        rows.append(
            Row(
                group="reads over 4 dies" if few else "reads over dies",
                case=f"{dies} dies, queue depth {depth}",
                modelled=model, simulated=simulated, noise=noise,
                bound=0.10 if few else 0.05, unit="IOPS",
            )
        )  # fmt: skip
    return Finding(rows=tuple(rows), curves=(_curve(f"{dies} dies", rows),))


def _over_channels(dies: int, channels: int, quick: bool) -> Finding:
    rows, curves = [], []
    transfers = (10e-6,) if quick else (5e-6, 12.5e-6, 25e-6)
    for transfer_s, link_s, freed in product(
        transfers, (2.7e-6,) if quick else (0.0, 2.7e-6), (False, True)
    ):
        if freed and (transfer_s < 10e-6 or not link_s):
            continue
        network = {"dies": dies, "channels": channels, "read_s": READ_S,
                   "transfer_s": transfer_s, "link_s": link_s}  # fmt: skip
        formula = flash_reads.cache_read_iops if freed else flash_reads.read_iops
        few = dies < 8
        found = []
        for depth in (1, 8, 32, 128):
            simulated, noise = _measured(_drive(depth, quick, cache_read=freed, **network))
            found.append(
                Row(
                    group=_group(freed=freed, few=few),
                    case=f"{dies} dies, {channels} channels of {1e6 * transfer_s:g} us, "
                    f"link of {1e6 * link_s:g} us, queue depth {depth}",
                    modelled=formula(depth, **network), simulated=simulated, noise=noise,
                    bound=_bound(freed=freed, few=few), unit="IOPS",
                )
            )  # fmt: skip
        rows += found
        if not freed and (dies, channels, transfer_s) == (16, 4, 12.5e-6):
            what = "with a link" if link_s else "no link"
            curves.append(_curve(f"16 dies on 4 channels, {what}", found))
    return Finding(rows=tuple(rows), curves=tuple(curves))


def _group(*, freed: bool, few: bool) -> str:
    what = "reads that free their die after the sense" if freed else "reads over channels and link"
    return f"{what}, 4 dies" if few else what


def _bound(*, freed: bool, few: bool) -> float:
    if freed:
        return 0.14 if few else 0.085
    return 0.10 if few else 0.08


def _drive(depth: int, quick: bool, **network: float) -> Config:
    """Return a drive and a run of so many reads, at most at the rate of the busiest resource."""
    busiest = max(
        network["read_s"] / network["dies"],
        network["transfer_s"] / network["channels"],
        network.get("link_s", 0.0),
        network["read_s"] / depth,
    )
    window_s = (COMMANDS / 3 if quick else COMMANDS) * busiest / 20
    return Config(
        queue_depth=depth, window_s=window_s, warmup_s=3 * window_s, measured_s=20 * window_s,
        **network,  # type: ignore[arg-type]  # counts among them are whole
    )  # fmt: skip


def _measured(drive: Config) -> tuple[float, float]:
    result = run(drive)
    return result.iops, half_width(parts(result.windows.iops[result.warmup_windows :]))


def _curve(name: str, rows: list[Row]) -> Curve:
    return Curve(
        picture=PICTURE,
        name=name,
        x=tuple(float(row.case.rsplit(" ", 1)[1]) for row in rows),
        modelled=tuple(row.modelled for row in rows),
        simulated=tuple(row.simulated for row in rows),
    )
