"""`read` and `fleet` for scripts: what files of drives, tests and traces say."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isnan, nan
from os import PathLike, fspath
from time import time
from typing import TYPE_CHECKING, Any

from models.errors import DomainError
from planner.export.fleet_tables import drive_columns, headline, nothing_read
from planner.export.fleet_tables import notes as fleet_notes
from planner.export.measured_options import options_of
from planner.forecast.fleet import Fleet
from planner.forecast.fleet import fleet as _fleet
from planner.forecast.fleet.files import files_of
from planner.forecast.fleet.rollup import Ratio
from planner.graph.number import Number
from planner.quantity.parse import parse_duration
from planner.script.questions import Answers, Row, frame_of
from planner.telemetry import DriveReading, FileReading, Observed, read_file
from planner.telemetry.fio import FioTest, Measured
from planner.telemetry.formats import TRACE

if TYPE_CHECKING:
    import pandas as pd

    from planner.telemetry.traces import TraceWorkload

File = str | PathLike[str]
# Short names of the counters of a drive: field of a reading, and its quantity.
COUNTERS: Mapping[str, tuple[str, str]] = {
    "capacity": ("user_bytes", "user_bytes"),
    "power_on": ("power_on_s", "power_on_s"),
    "host_writes": ("host_bytes", "host_bytes"),
    "flash_writes": ("flash_bytes", "flash_written_bytes"),
    "wa": ("wa", "wa"),
    "used": ("used_fraction", "used_fraction"),
    "spare_left": ("spare_fraction", "spare_blocks_left_fraction"),
    "erases": ("erase_cycles", "erase_cycles"),
    "cycles": ("pe_cycles", "pe_cycles"),
    "cycles_by_writes": ("indicator_pe_cycles", "indicator_pe_cycles"),
    "cycles_in_field": ("field_pe_cycles", "field_pe_cycles"),
    "dwpd": ("dwpd", "dwpd"),
    "errors": ("media_errors", "media_errors"),
}
# Short names of the numbers of a trace: field of its workload, and its quantity.
OF_TRACE: Mapping[str, tuple[str, str]] = {
    "writes": ("host_bytes_per_s", "host_bytes_per_s"),
    "host_writes": ("host_bytes", "host_bytes"),
    "reads": ("read_fraction", "read_fraction"),
    "size": ("write_bytes", "transfer_bytes"),
    "sequential": ("sequential_fraction", "sequential_fraction"),
    "trim": ("trim_share", "trim_share"),
    "footprint": ("written_footprint_bytes", "span_bytes"),
    "partial": ("mapping_factor", "mapping_factor"),
}
DATES = ("early", "middle", "late")
UNITS_OF_FLEET = {
    "host_bytes": "bytes", "flash_bytes": "bytes", "written_bytes": "bytes", "wa": "x",
    "wa_low": "x", "wa_high": "x", "dwpd": "DWPD", "host_bytes_per_s": "bytes/s",
    "points_used": "%", "points_per_year": "%/year", "early_s": "s", "middle_s": "s",
    "late_s": "s", "rated_bytes": "bytes", "rated_share": "1",
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Contents:
    """Contents of files: drives, tests, or a traced workload.

    `records` are the files as read inside the planner.
    """

    records: tuple[FileReading, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The formats of the files."""
        return tuple(record.kind for record in self.records)

    @property
    def drives(self) -> tuple[Answers, ...]:
        """The counters of each drive at each reading, with what their steps leave open."""
        return tuple(_counters(drive) for record in self.records for drive in record.drives)

    @property
    def trace(self) -> Answers | None:
        """The numbers of a traced workload, if a file is a block trace."""
        found = next(iter(self._traces), None)
        return None if found is None else _trace(found)

    @property
    def classes(self) -> "pd.DataFrame":
        """The classes of temperature of a trace, hottest first: shares of writes and of space."""
        import pandas as pd  # noqa: PLC0415 - a file needs none of it

        rows = [
            {"writes": writes, "space": space}
            for found in self._traces
            for writes, space in zip(found.write_shares, found.page_shares, strict=True)
        ]
        return pd.DataFrame(rows, columns=["writes", "space"], dtype=float)

    @property
    def inputs(self) -> dict[str, Any]:
        """Inputs of a plan read from the files: `ssd.plan(**ssd.read(FILE).inputs)`."""
        try:
            return dict(options_of(self.records))
        except ValueError as error:
            raise DomainError(f"inputs: {error}") from None

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the files, and the counters that were not used."""
        notes = [note for record in self.records for note in record.notes]
        for drive in (drive for record in self.records for drive in record.drives):
            notes += drive.notes
            notes += [f"{each.field} is not used: {each.reason}" for each in drive.unused]
        return tuple(dict.fromkeys(notes))

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per reading of a drive, per job of a test and direction, or per trace.

        `attrs["units"]` has the units of the columns.
        """
        rows = [row for record in self.records for row in _rows(record)]
        return frame_of(rows)

    @property
    def _traces(self) -> "list[TraceWorkload]":
        return [workload for record in self.records if (workload := _traced(record)) is not None]

    def __repr__(self) -> str:
        return "\n".join(
            f"{record.file}: {record.kind}, {_content(record)}" for record in self.records
        )


def read(*files: File, kind: str | None = None) -> Contents:
    """Read files of drives, of fio tests or of block traces; nothing leaves this machine.

    `kind` is the format, by default detected. The files may be several readings of one drive:
    `inputs` then has its mean writes between them.

    >>> from planner import plan
    >>> found = read("docs/examples/smartctl.json")
    >>> found
    docs/examples/smartctl.json: smartctl JSON, SAMSUNG MZ7LM960HCHP-0E003
    >>> found.drives[0].wa, found.drives[0].used, found.inputs.get("writes")
    (1.85 x, 12 % (11 to 13), '561.0960 GB/day')
    >>> plan(**found.inputs).drive.name
    'Samsung PM863 960 GB'
    """
    if not files:
        raise DomainError("files must name at least one file")
    records = tuple(read_file(name, kind=kind) for name in files)
    for record in records:
        if record.refused is not None:
            raise DomainError(record.refused)
    return Contents(records)


def _traced(record: FileReading) -> "TraceWorkload | None":
    found: Any = record.workload
    return found if record.kind == TRACE else None


def _counters(drive: DriveReading) -> Answers:
    """Return the counters of a drive as numbers between the ends that their steps leave open."""
    numbers = {}
    for field, key in COUNTERS.values():
        observed: Observed | None = getattr(drive, field)
        if observed is not None:
            ends = (observed.low, observed.high)
            numbers[key] = Number(observed.value, key, between=ends)
    names = {name: key for name, (_, key) in COUNTERS.items()}
    return Answers(drive.model or "A drive", names, numbers, drive.notes, drive)


def _trace(found: "TraceWorkload") -> Answers:
    values = {key: getattr(found, field) for field, key in OF_TRACE.values()}
    numbers = {key: Number(value, key) for key, value in values.items() if value is not None}
    names = {name: key for name, (_, key) in OF_TRACE.items()}
    return Answers(found.layout, names, numbers, found.notes, found)


def _rows(record: FileReading) -> Iterator[Row]:
    for drive in record.drives:
        known = _counters(drive)
        dated = drive.read_at_s is not None and drive.clock_set
        lead = {
            "file": record.file, "model": drive.model,
            "read": datetime.fromtimestamp(drive.read_at_s or 0.0, UTC) if dated else None,
        }  # fmt: skip
        yield lead, {name: known[name] for name in known.names if name in known}
    if (found := _traced(record)) is not None:
        known = _trace(found)
        yield {"file": record.file}, {name: known[name] for name in known.names if name in known}
    if isinstance(record.workload, FioTest):
        for job in record.workload.jobs:
            for one in job.directions:
                yield {"file": record.file, "job": job.name, "direction": one.kind,
                       "depth": job.queue_depth}, _measured(one)  # fmt: skip


def _measured(one: Measured) -> dict[str, Number]:
    """Return the numbers of a job of fio in one direction."""
    numbers = {
        "size": Number(one.transfer_bytes, "transfer_bytes"),
        "iops": Number(one.iops, "drive_iops"),
        "throughput": Number(one.bytes_per_s, "drive_throughput_bytes_per_s"),
    }
    if one.mean_latency_s is not None:
        numbers["latency"] = Number(one.mean_latency_s, "latency_s")
    quantiles = {f"p{percent:g}".replace(".", "_"): s for percent, s in one.quantiles_s.items()}
    return numbers | {name: Number(seconds, "latency_s") for name, seconds in quantiles.items()}


def _content(record: FileReading) -> str:
    """Say in a few words what a file contains."""
    if (found := _traced(record)) is not None:
        return f"{found.requests:,} requests"
    if isinstance(record.workload, FioTest):
        return f"{len(record.workload.jobs)} jobs"
    names = dict.fromkeys(drive.model or "a drive" for drive in record.drives)
    times = f" at {len(record.drives)} times" if len(record.drives) > len(names) else ""
    return f"{', '.join(names)}{times}"


@dataclass(frozen=True, eq=False, repr=False)
class FleetForecast:
    """The forecast of all drives of a fleet, and the sums over them.

    `record` is the whole forecast as used inside the planner.
    """

    record: Fleet

    def __len__(self) -> int:
        return len(self.record.histories.drives)

    @property
    def wa(self) -> Number:
        """Flash writes over host writes of all drives that count both."""
        return _ratio(self.record.wa, "wa")

    @property
    def growth(self) -> Number:
        """Growth of the writes per year, over the weeks that the drives have in common."""
        found = self.record.growth
        if found is None:
            return Number(nan, "growth_per_year")
        return Number(found.per_year, "growth_per_year", between=(found.low, found.high))

    @property
    def months(self) -> "pd.DataFrame":
        """Drives to order by month: expected, and the ends that chance leaves in 9 of 10 cases."""
        return _table(self.record.orders, ("month", "expected", "low", "high"))

    @property
    def models(self) -> "pd.DataFrame":
        """The sums by model; in base units, `wa` with its ends."""
        import pandas as pd  # noqa: PLC0415 - a fleet needs none of it

        found = self.record.by_model
        rows = [
            {"drives": one.drives, "host_bytes": one.host_bytes, "flash_bytes": one.flash_bytes,
             "wa": one.wa.value, "wa_low": one.wa.low, "wa_high": one.wa.high,
             "host_bytes_per_s": one.host_bytes_per_s, "dwpd": one.dwpd,
             "departs": "; ".join(one.departs)}
            for one in found.values()
        ]  # fmt: skip
        return pd.DataFrame(rows, index=pd.Index(found, name="model"))

    @property
    def spares(self) -> "pd.DataFrame":
        """Drives of each model to hold for the lead time, 95 % sure."""
        return _table(self.record.spares, ("model", "expected", "spares"))

    @property
    def refused(self) -> "pd.DataFrame":
        """The files that were not used, with the reason; the others are kept."""
        return _table(self.record.refused, ("file", "reason"))

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions and limits of validity."""
        return tuple(fleet_notes(self.record))

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per drive, in base units; `early`, `middle` and `late` are dates."""
        import pandas as pd  # noqa: PLC0415 - a fleet needs none of it

        frame = pd.DataFrame(drive_columns(self.record)).set_index("drive")
        frame["anomalies"] = [len(each) for each in frame["anomalies"]]
        for name in DATES:
            frame[name] = pd.to_datetime(frame[name], errors="coerce")
        numbers = list(UNITS_OF_FLEET)
        frame[numbers] = frame[numbers].astype(float)
        frame.attrs["units"] = UNITS_OF_FLEET
        return frame

    def __repr__(self) -> str:
        return headline(self.record)


def fleet(*paths: File, lead: str | tuple[float, str] = "56 days") -> FleetForecast:
    """Forecast the end of the rated life of all drives in files, patterns and folders.

    `lead` is the time from an order of spare drives to their delivery. Files that cannot be used
    are in `refused`; the others are kept.

    >>> found = fleet("docs/examples/smart*.json")
    >>> len(found), found.to_frame()["wa"].tolist()
    (1, [1.85])
    """
    text = f"{lead[0]} {lead[1]}" if isinstance(lead, tuple) else str(lead)
    answer = _fleet(
        files_of(fspath(path) for path in paths),
        lead_s=parse_duration("lead", text, bare=""),
        now_s=time(),
    )
    if not answer.histories.drives:
        raise DomainError(nothing_read(answer, "paths"))
    return FleetForecast(answer)


def _ratio(found: Ratio, key: str) -> Number:
    ends = None if isnan(found.low) else (found.low, found.high)
    return Number(found.value, key, between=ends)


def _table(rows: Iterable[Any], columns: Sequence[str]) -> "pd.DataFrame":
    """Return some fields of records as columns."""
    import pandas as pd  # noqa: PLC0415 - few questions need it

    return pd.DataFrame(
        [{name: getattr(row, name) for name in columns} for row in rows], columns=[*columns]
    )
