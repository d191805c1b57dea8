"""Counters of an application from files, beside its model before and after the fit to them."""

from collections.abc import Sequence
from typing import NamedTuple

from models.errors import DomainError
from planner.application import Application, MeasuredComparison, beside
from planner.application.fit import AppFit, fitted
from planner.application.measured import CYCLE, Counts, TableChanges
from planner.quantity.door import DoorError, parsed_together
from planner.telemetry.application_counters import ApplicationCounters, read_counters
from planner.telemetry.record import Refused

CHECKPOINTS = ("timed_checkpoints", "requested_checkpoints")
SEVERAL = 3  # checkpoints, by which their time is known
# Presets of the engine that prints a counter; what a system counts may be of any.
OF_ENGINE = {
    "pg_stat": ("postgres-oltp", "postgres-insert", "page-store"),
    "SHOW GLOBAL STATUS": ("innodb", "mariadb", "mysql-8", "page-store"),
    "db.serverStatus()": ("mongodb", "page-store"),
    "etcd's metrics": ("etcd", "containers"),
    "INFO of Redis": ("redis-aof",),
    "RocksDB": ("rocksdb-leveled", "rocksdb-universal"),
}


class MeasuredApp(NamedTuple):
    """An application as it was counted, and each counter beside the model."""

    fit: AppFit
    rows: tuple[MeasuredComparison, ...]


def measured(
    answer: Application, files: Sequence[bytes], *, names: Sequence[str] = (),
    over_s: float | None = None, device: str | None = None,
) -> MeasuredApp:  # fmt: skip
    r"""Return an application with what its counters decide, or refuse them with the reason.

    >>> from planner.application import answer_of
    >>> text = "date -Is\nwchar: {0}\nwrite_bytes: {0}\n"
    >>> first, last = (text.format(each).encode() for each in (0, 6_000_000))
    >>> got = measured(answer_of("video", {"cameras": "1"}), [first, last], over_s=10)
    >>> [(row.quantity, round(row.ratio, 2)) for row in got.rows]
    [('data_bytes / file_bytes', 1.0), ('file_bytes_per_s', 1.18), ('data_bytes_per_s', 1.18)]
    """
    try:
        counted = parsed_together(_counted, files, names, over_s, device)
    except (Refused, DoorError) as error:
        raise DomainError(str(error)) from None
    counts = _counts(answer, counted)
    fit = fitted(answer, counts)
    return MeasuredApp(fit, beside(counts, answer, fit.application))


def _counted(
    files: Sequence[bytes], names: Sequence[str], over_s: float | None, device: str | None
) -> ApplicationCounters:
    return read_counters(files, names=names, over_s=over_s, device=device)


def _refuse_others(answer: Application, counted: ApplicationCounters) -> None:
    """Refuse counters that another engine prints."""
    for kind in counted.kinds:
        known = next((names for of, names in OF_ENGINE.items() if kind.startswith(of)), None)
        if known is not None and answer.preset.name not in known:
            raise DomainError(
                f"{kind} counts another engine than {answer.preset.name}: state one of "
                f"{', '.join(known)}"
            )


def _counts(answer: Application, counted: ApplicationCounters) -> Counts:
    _refuse_others(answer, counted)
    over_s = counted.over_s
    put = counted.values.get("application_bytes")
    if over_s is None and put:  # of a tree since it was opened: as long as its load takes for that
        over_s = put / answer.typical.application_bytes_per_s
    if over_s is None:
        raise DomainError(
            "over must be the time between the two readings: no clock that was set is in "
            f"{' and '.join(counted.kinds)}. Read them by `select now(), *`, or write a line of "
            "`date -Is` before each"
        )
    tables = [
        TableChanges(
            updates=table.get("updates", 0.0),
            inserts=table.get("inserts", 0.0),
            deletes=table.get("deletes", 0.0),
            hot_updates=table.get("hot_updates"),
            rows=table.get("rows"),
        )
        for table in counted.tables
    ]
    checkpoints = sum(counted.values.get(name, 0.0) for name in CHECKPOINTS)
    cycle = {CYCLE: over_s / checkpoints} if checkpoints >= SEVERAL else {}
    return Counts(counted.values, over_s, {**counted.levels, **cycle}, tables)
