"""What is fuzzed: each parser, the files that it starts from, and what must hold of its answers."""

import functools
import json
import math
import random
import re
import tempfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from urllib.parse import parse_qs, quote

from models.errors import DomainError
from planner.catalogue import LookupFailed, data_folder, find, load
from planner.export.measured_options import options_of
from planner.export.scenario_file import to_json
from planner.export.scenario_reader import from_json
from planner.export.tables import record
from planner.export.telemetry_tables import forecast_record, forecast_rows, left_rows
from planner.forecast import NoForecast, chances, forecast
from planner.quantity.inputs import INPUTS, PLAN, renamed
from planner.quantity.link import from_query
from planner.quantity.parse import LONGEST as LONGEST_TEXT
from planner.scenario.sentence import read_sentence
from planner.search.uncertainty.notation import parse_correlation, parse_input
from planner.sections.request import plan_of
from planner.simulation.protocol.phases import parse_phase
from planner.simulation.protocol.presets import protocols
from planner.telemetry import FORMATS, DriveReading, read
from tests import drive_logs
from tests import synthetic_drives as drives
from tests import synthetic_fio as fio
from tests.fuzz import tables
from tests.fuzz.mutation import Mutate, mutated, packed
from tests.fuzz.promises import BrokenError, reading_of, sentence, trace_of
from tests.fuzz.tables import CUT
from tests.planner.telemetry.traces.samples import SAMPLES

__all__ = ["TARGETS", "Target"]

_FIO_TAGS = ("iops", "bw", "lat", "clat", "slat")
_TRACE_LINES = 12


@dataclass(frozen=True, kw_only=True)
class Target:
    """A parser: `hold` reads an input and raises where a promise is broken.

    `seeds` are inputs that are read without a complaint. `weight` is how many inputs are tried
    where another target tries 20.
    """

    name: str
    seeds: Sequence[bytes]
    hold: Callable[[bytes], object]
    mutate: Mutate = mutated
    weight: int = 20

    @property
    def slug(self) -> str:
        """The name as files of the corpus begin."""
        return re.sub(r"\W+", "-", self.name)


def _now_and_then(data: bytes, one_in: int) -> bool:
    """Decide by the input itself, so that it does the same when it is tried again."""
    return zlib.crc32(data) % one_in == 0


# --- files of drives and of fio ---

_SATA = {
    "attributes": [
        (9, "Power_On_Hours", 91, 43_614), (177, "Wear_Leveling_Count", 52, 3_541),
        (241, "Total_LBAs_Written", 98, 4_053_921_700_578),
        (251, "NAND_Writes", 100, 7_570_591_235_072),
    ],
    "statistics": [
        ("Percentage Used Endurance Indicator", 48), ("Logical Sectors Written", 4_053_921_700_578),
        ("Power-on Hours", 43_614),
    ],
}  # fmt: skip
_INTEL = {
    "attributes": [
        (9, "Power_On_Hours", 100, "9000h+17m+02.100s"), (226, "Workld_Media_Wear_Indic", 100, 7),
        (228, "Workload_Minutes", 100, 540_000), (233, "Media_Wearout_Indicator", 99, 0),
        (241, "Host_Writes_32MiB", 100, 700_000), (243, "NAND_Writes_32MiB", 100, 900_000),
    ]
}  # fmt: skip
_MICRON = {
    "attributes": [
        (202, "Percent_Lifetime_Remain", 97, 3), (246, "Total_LBAs_Written", 100, 9 * 10**11),
        (247, "Host_Program_Page_Count", 100, 7 * 10**9),
        (248, "FTL_Program_Page_Count", 100, 3 * 10**9), (173, "Ave_Block-Erase_Count", 97, 90),
    ]
}  # fmt: skip
_MODELS = (
    ("SAMSUNG MZ7LM960HCHP-0E003", _SATA), ("INTEL SSDSC2KB960G8", _INTEL),
    ("Micron_5300_MTFDDAK960TDS", _MICRON), ("Any SSD", _SATA),
)  # fmt: skip
_SAS = {"scsi_error_counter_log": {"write": {"gigabytes_processed": "12.345"}},
        "scsi_percentage_used_endurance_indicator": 3}  # fmt: skip
_SAS_TEXT = """smartctl 7.3 2022-02-28 r5338 [synthetic] (local build)
=== START OF INFORMATION SECTION ===
Vendor:               ANY
Product:              SSD400
User Capacity:        400,088,457,216 bytes [400 GB]
Logical block size:   512 bytes
Rotation Rate:        Solid State Device
=== START OF READ SMART DATA SECTION ===
Percentage used endurance indicator: 7%
Accumulated power on time, hours:minutes 22843:17
Error counter log:
write:         0        0         0         0          0     123456.789           0
"""
_HISTORY = "date,host_bytes,percentage_used,power_on_hours,flash_bytes,model\n" + "".join(
    f"2024-{month:02}-01,{month * 10**13},{month},{720 * month},{3 * month * 10**13},A\n"
    for month in range(1, 10)
)
_BINS = {1000: 5, 2000: 3}
_DISKS = drives.diskstats(("nvme0n1", 7, 800, 9, 1200), ("nvme0n1p1", 7, 8, 9, 12))
_FILES: dict[str, list[bytes]] = {
    "smartctl JSON": [
        *(drives.encoded(drives.sata_json(model, **held)) for model, held in _MODELS),
        drives.encoded(drives.nvme_json()), drives.encoded(drives.sata_json(**_SAS)),
        drives.encoded([drives.nvme_json(), drives.sata_json("A", **_SATA)]),
    ],
    "Intel isdct JSON": [drives.encoded(drives.isdct_json())],
    "nvme-cli smart-log JSON": [
        drives.encoded(drives.smart_log()),
        drives.encoded(drives.smart_log()) + drives.encoded(drives.ocp_v2(10**15)),
    ],
    "nvme-cli smart-log text": [
        drives.smart_log_text().encode(),
        (drives.smart_log_text() + drives.smart_log_text(mark=".")).encode(),
    ],
    "OCP extended log JSON": [
        drives.encoded(drives.ocp_v1(1 << 70)), drives.encoded(drives.ocp_v2(9)),
    ],
    "smartctl text": [
        *(drives.sata_text(model, **held).encode() for model, held in _MODELS),
        drives.nvme_text().encode(), _SAS_TEXT.encode(),
        (drives.nvme_text() + drives.sata_text("A", **_SATA)).encode(),
        *(text.encode() for text in list(drive_logs.logs().values())[:: 80]),
    ],
    "Scrutiny JSON": [
        drives.scrutiny(drives.nvme_json(), days=(0, 9)),
        drives.scrutiny(drives.sata_json(**_SATA)),
    ],
    "Prometheus JSON": [
        drives.prometheus_answer((1.7e9, "a", drives.exporter_text(drives.nvme_json()))),
        drives.prometheus_answer(
            *((t, "a", drives.node_text(("sda", 9e9, 8e9, 7e6, 6e6, {}))) for t in (1.7e9, 1.8e9)),
            kind="matrix",
        ),
    ],
    "smartctl_exporter text": [
        drives.exporter_text(drives.nvme_json(), drives.sata_json("A", **_SATA)).encode(),
    ],
    "node_exporter text": [
        drives.node_text(
            ("nvme0n1", 9e12, 5e12, 3e8, 2e8, {"model": "A", "serial": "S123456"}),
            ("sda", 9e12, 5e12, 3e8, 2e8, {"rotational": "1"}), ("sdb1", 5, 5, 5, 5, {}),
        ).encode(),
    ],
    "iostat JSON": [
        drives.encoded(drives.iostat_json({"sda": {"kB_wrtn/s": 9.5, "kB_read/s": 0}})),
        drives.encoded(drives.iostat_json(
            *[{"sda": {"w/s": 9, "r/s": 3.5, "wMB/s": 2.5, "rMB/s": 1}}] * 3,
            timestamp="2026-01-02T10:00:00+0100",
        )),
    ],
    "diskstats text": [
        f"99.10 380.05\n{_DISKS}7300.50 9.00\n{_DISKS}".encode(),
        f"1750000000\n{_DISKS}1750003600\n{_DISKS}".encode(),
    ],
    "Intel isdct text": [drives.isdct_text().encode()],
    "wear history CSV": [_HISTORY.encode(), _HISTORY.replace("\n", "\r\n").encode()],
    "fio JSON": [
        fio.encoded(fio.run(
            fio.reads(8, 4e4, bins=_BINS, quantiles={99.0: 1e-3}), fio.reads(4, 2e4, group=1),
            bs="4k",
        )),
        b"fio-3.33\nStarting 2 processes\n"
        + fio.encoded(fio.run(*[fio.reads(4, 1e4, name="c", numjobs=2, bins=_BINS)] * 2))
        + b"Run status group 0\n",
        fio.encoded(fio.run_of_fio_2(8e3, 4e-3, iodepth="32", ioengine="libaio")),
    ],
    "fio log": [
        fio.log([900] * 8 + [300, 310, 290, 305, 0, 300, 300, 300, 300, 300]),
        fio.log([10**6, 10**7] * 6, kind=0, period_ms=500, tail=", 4096"),
    ],
    "block trace": [SAMPLES["MSR Cambridge"][:500], SAMPLES["fio iolog v3"]],
}  # fmt: skip
_EVERY_FILE = [d for kind, files in _FILES.items() if kind != "block trace" for d in files]


def _name(data: bytes) -> str:
    """Name a file as fio names its logs, which say in their names what they hold."""
    return f"a_{_FIO_TAGS[zlib.crc32(data) % len(_FIO_TAGS)]}.1.log"


def _format(kind: str) -> Target:
    """Read files as of one format, though now and then they are of another."""

    def hold(data: bytes) -> object:
        packing = "gzip" if _now_and_then(data, 13) else ""
        packing = "gzip, several members" if _now_and_then(data, 29) else packing
        again = _now_and_then(data, 11)
        return reading_of(_name(data), data, kind=kind, packing=packing, again=again)

    def mutate(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
        way = rng.randrange(25)
        start = rng.choice(_EVERY_FILE) if way < 2 else data
        return (packed if way == 0 else mutated)(start, rng, others)

    weights = {"block trace": 1, "nvme-cli smart-log JSON": 30, "OCP extended log JSON": 30,
               "fio log": 30}  # fmt: skip
    weight = weights.get(kind, 20)
    return Target(name=kind, seeds=_FILES[kind], hold=hold, mutate=mutate, weight=weight)


def _any_file(data: bytes) -> object:
    """Detect the format; named, it must read the same."""
    reading = reading_of(_name(data), data)
    if reading.kind and _now_and_then(data, 5):
        named = read(_name(data), data, kind=reading.kind)
        if (named.refused, named.drives) != (reading.refused, reading.drives):
            raise BrokenError(f"otherwise if the format {reading.kind} is named")
    return reading


def _layout(name: str) -> Target:
    data = SAMPLES[name]
    seeds = [b"".join(data.splitlines(keepends=True)[:_TRACE_LINES])]
    if name.startswith("CSV"):
        seeds += [
            b"op,lba,length_kib\nw,8,4\nr,0,4\n",
            b"Time (ns),Type,Address,Bytes,Volume\n1e9,Write,4096,512,v0\n2e9,TRIM,0,1048576,v1\n",
        ]

    def hold(data: bytes) -> object:
        packing = "gzip" if _now_and_then(data, 13) else "zstd" if _now_and_then(data, 11) else ""
        return trace_of(data, name, packing=packing)

    return Target(name=f"trace, {name}", seeds=seeds, hold=hold, weight=1)


# --- several files of one drive ---


def _several(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Change one file of several, their order, or how many there are."""
    files = data.split(CUT)
    at = rng.randrange(len(files))
    what = rng.randrange(6)
    if what == 0:
        files.insert(at, rng.choice(files))
    elif what == 1:
        rng.shuffle(files)
    elif what == 2 and len(files) > 1:
        del files[at]
    else:
        files[at] = mutated(files[at], rng, [part for one in others for part in one.split(CUT)])
    return CUT.join(files[:12])


def _histories(data: bytes) -> object:
    """Forecast the life of a drive from several files, and save what they supply."""
    readings = [read(f"{n}.txt", part) for n, part in enumerate(data.split(CUT))]
    try:
        options = options_of(readings)
        if from_json(to_json(options)) != options:
            raise BrokenError("a saved scenario reads back otherwise")
    except ValueError as error:
        sentence(str(error))
    return _forecast([drive for reading in readings for drive in reading.drives])


def _forecast(readings: Sequence[DriveReading]) -> str:
    try:
        answer = forecast(readings)
    except NoForecast as error:
        sentence(str(error))
        return str(error)
    json.dumps(forecast_record(answer), allow_nan=False)
    forecast_rows(answer), left_rows(answer)
    middle = answer.early_s if answer.middle_s is None else answer.middle_s
    if not 0 <= answer.early_s <= middle <= answer.late_s:
        raise BrokenError(f"times out of order: {answer.early_s}, {middle}, {answer.late_s}")
    is_by_wear_alone = not answer.left  # without host writes: no rate is known
    if not is_by_wear_alone and not 0 < answer.host_bytes_per_s < math.inf:
        raise BrokenError(f"a rate of {answer.host_bytes_per_s}")
    for note in (*answer.disagreements, *answer.better, *answer.notes):
        sentence(note)
    curve = chances(answer, [1e6, 1e8])  # type: ignore[arg-type]  # an array or what makes one
    if curve is not None and not 0 <= curve[0] <= curve[1] <= 1:
        raise BrokenError(f"chances out of order: {curve}")
    return f"{answer.basis}{answer.notes}{answer.curve is None}"


_SEVERAL = [
    CUT.join(
        drives.encoded(drives.nvme_json(
            log=drives.nvme_log(units=10**8 * n, used=n, hours=700 * n),
            local_time={"time_t": 1_700_000_000 + 2_500_000 * n},
        ))
        for n in range(1, 5)
    ),
    CUT.join([
        drives.nvme_text(units=10**7).encode(),
        drives.nvme_text(units=2 * 10**7).replace("2024 CET", "2025 CET").encode(),
    ]),
    _HISTORY.encode(),
]  # fmt: skip

# --- scenarios, links, quantities ---

_SCENARIOS = [
    to_json({"drive": "845DC PRO 400", "writes": "5 TB/day", "raid": "5", "drives": "8"}).encode(),
    to_json({
        "capacity": "960 GB", "raw": "1 TiB", "pe_cycles": "3000",
        "fact": ["dies=32", "read_s=60us"], "step": ["x1.5 after 2 years"],
        "skew": "80/20", "phase_in": "6 months", "spare": "7%",
    }).encode(),
    to_json({
        row.name: row.default or row.example
        for row in (INPUTS[name] for name in PLAN) if row.default or row.example
    } | {"raw": "2TiB", "drives": "6", "raid": "5", "fact": ["dies=32"]}).encode(),
]  # fmt: skip


def _scenario(data: bytes) -> object:
    """Read a scenario, write it again, and now and then plan what it says."""
    try:
        options = from_json(data.decode("utf-8-sig", "replace"))
    except ValueError as error:
        sentence(str(error))
        return str(error)
    if from_json(to_json(options)) != options:
        raise BrokenError("written and read again it is another scenario")
    drive = options.pop("drive", None)
    if isinstance(drive, list):  # several are compared, one by one
        drive = drive[0] if drive else None
    try:
        answer = plan_of(drive, **options)
        json.dumps(record(answer, load()), allow_nan=False)
    except (DomainError, LookupFailed) as error:
        sentence(str(error))
        return str(error)
    known = answer.lives.known
    if not all(life.value >= 0 for life in known.values()):
        raise BrokenError(f"an impossible life: {known}"[:300])
    return f"{list(known)}"


def _queries() -> list[bytes]:
    stated = {name: row.default for name, row in INPUTS.items() if row.default}
    former = {old.name: row.default or "1" for row in INPUTS.values() for old in row.links}
    halves = list(stated.items())
    parts = [dict(halves[::2]), dict(halves[1::2]), former, {
        "drive": "Samsung 845DC PRO 400 GB", "choose_drives": "4-24", "choose_spare": "0,7,28",
        "stepx": "2", "stepat": "3", "step": "x2 after 3 years", "fact": "dies=32",
    }]  # fmt: skip
    return ["&".join(f"{key}={quote(text)}" for key, text in one.items()).encode() for one in parts]


def _link(data: bytes) -> object:
    """Read the parameters of a link; what it amounts to must be a link that says the same."""
    query = parse_qs(data.decode("utf-8", "replace"), keep_blank_values=True)
    link = from_query(query, others=("drive", "with"))
    for line in (*link.refused, *link.renamed):
        sentence(line)
    statement = {
        key: [text] if isinstance(text, str) else text for key, text in link.values.items()
    }
    again = from_query(statement, others=("drive", "with"))
    if again.values != link.values or again.refused:
        raise BrokenError(f"another link when it is read again: {again.refused}"[:200])
    return f"{sorted(link.values)}{len(link.refused)}{len(link.renamed)}"


def _quantity(data: bytes) -> object:
    """Read NAME=TEXT as an input: within its bounds and the same with blanks, or refused."""
    name, _, text = data.decode("utf-8", "replace").partition("=")
    row = INPUTS.get(name) or list(INPUTS.values())[zlib.crc32(data) % len(INPUTS)]
    try:
        value = row.value(text)
        padded = row.value(f"  {text} ")
        several = row.values(text)
        old, _ = renamed({name: text}, INPUTS)
    except DomainError as error:
        sentence(str(error))
        return str(error)
    if not (padded == value or value != value):  # noqa: PLR0124 - NaN, which DWPD are
        raise BrokenError(f"otherwise with blanks around it: {value!r}, {padded!r}"[:200])
    if isinstance(value, float) and (math.isinf(value) or not row.bounds.holds(value)):
        raise BrokenError(f"{row.name} is {value!r}")
    return f"{row.name}{type(value)}{len(several)}{list(old)}"


_QUANTITIES = [
    *(f"{row.name}={row.default or row.example or '1'}".encode() for row in INPUTS.values()),
    b"writes=20 MB/s", b"writes=0.3 DWPD", b"writes=1,000.5 GiB/day", b"raid=ec:8+3",
    b"skew=zipf:0.99", b"step=x1.5 after 2 years", b"fact=erase_s=4 ms", b"drives=4-24",
]  # fmt: skip

_PHASES = [
    *(row.name.encode() for protocol in protocols().values() for row in protocol.phases),
    b"mix 70% reads 4KiB depth 1 skew 80/20 for 60 s",
    b"write 16k, in bursts of 4MB, busy 20%, up to its rating",
    b"read 200MB up to 2 times beside writes of 40MB every 2 s", b"trim 5%",
]  # fmt: skip


def _phase(data: bytes) -> object:
    """Read a phase of a protocol: what it is called is read as the same phase."""
    try:
        phase = parse_phase("--phase", data.decode("utf-8", "replace"))
    except DomainError as error:
        sentence(str(error))
        return str(error)
    if parse_phase("--phase", phase.name) != phase:
        raise BrokenError(f"another phase when it is read again: {phase.name!r}"[:200])
    numbers = (phase.transfer_bytes, phase.queue_depth, phase.busy_fraction)
    if not all(0 < number < math.inf for number in numbers) or not phase.lasts_s > 0:
        raise BrokenError(f"an impossible phase: {phase}"[:300])
    return f"{phase.action}{phase.is_sequential}{phase.skew}"


_SENTENCES = [
    b"two Samsung 870 EVO 4 TB in a mirror, 40 GB a day, five years", b"4x pm9a3 3.84tb raid10",
    b"990 pro 1tb 35 TB in 270 days", b"PostgreSQL, 2.5 TB a day on 2x 7450 PRO 1.92 in RAID 1",
    b"980 pro 1TB, 70% health left, 210 TB written, 3 years old; 5 more years?",
    b"6 x SSDSC2KB960G8, 3 copies on 5 hosts, 70% reads, 20% spare, a UPS, $230 each",
    b"1TB TLC client SATA, 1.500 GB a day, 12 TBW", b"12 cameras at 6 Mbit/s on an MX500 2TB",
]  # fmt: skip


def _sentence(data: bytes) -> object:
    """Read a sentence: its parts stand in it, and what is asked is one short line."""
    text = data.decode("utf-8", "replace")
    try:
        said = read_sentence(text)
    except DomainError as error:
        sentence(str(error))
        return str(error)
    for part in (*said.parts, *said.questions):
        if not 0 <= part.start <= part.end <= len(text):
            raise BrokenError(f"a part out of the sentence: {part}"[:200])
    for question in said.questions:
        sentence(question.why)
    for part in said.parts:
        if part.name in INPUTS and len(part.value) > LONGEST_TEXT:
            raise BrokenError(f"a value that no field takes: {part}"[:200])
    return f"{sorted(said.inputs)}{len(said.questions)}{len(said.unread)}"


_UNCERTAIN = [
    b"pe_cycles=2000..3000..5000", b"writes=0.5..1..2 TB/day", b"fill=uniform(50%, 90%)",
    b"writes=lognormal(1 TB/day, 0.5)", b"price=normal(450, 50)", b"raw=pert(480, 512, 544 GiB)",
    b"reads=triangular(10%,50%,70%)", b"wa=2.5", b"writes,fill=0.5", b"spare=0..7..28%",
]  # fmt: skip


def _uncertain(data: bytes) -> object:
    """Read NAME=DISTRIBUTION, or NAME,NAME=CORRELATION where there is a comma before the sign."""
    text = data.decode("utf-8", "replace")
    try:
        if "," in text.partition("=")[0]:
            return f"{parse_correlation(text)}"
        name, known = parse_input(text, capacity_bytes=1e12)
        points = [known.at(chance) for chance in (0.001, 0.1, 0.5, 0.9, 0.999)]
    except DomainError as error:
        sentence(str(error))
        return str(error)
    if sorted(points) != points or not all(map(math.isfinite, points)):
        raise BrokenError(f"{name} has points {points}")
    return f"{name} {str(known)[:10]}"


# --- the catalogue ---

_TABLES = ("sources.csv", "drives.csv", "facts.csv")


def _catalogue_seed(rows: int = 3) -> bytes:
    """Return few drives of the catalogue, with their facts and these facts' sources."""
    texts = [(data_folder() / name).read_text(encoding="utf-8") for name in _TABLES]
    sources, drive_lines, fact_lines = (text.splitlines(keepends=True) for text in texts)
    kept = [drive_lines[0], *drive_lines[1 : rows + 1]]
    ids = {line.partition(",")[0] for line in kept[1:]}
    facts = [fact_lines[0], *(x for x in fact_lines if x.partition(",")[0] in ids)]
    used = [sources[0], *(x for x in sources[1:] if any(x.partition(",")[0] in f for f in facts))]
    return CUT.join("".join(lines).encode() for lines in (used, kept, facts))


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="fuzz-")


def _catalogue(data: bytes) -> object:
    """Read a catalogue: rows that cannot be used are named, the others make drives."""
    parts = data.split(CUT)
    folder = Path(_folder().name)
    for name, part in zip_longest(_TABLES, parts[: len(_TABLES)], fillvalue=b""):
        (folder / str(name)).write_bytes(bytes(part))
    catalogue = load(folder)
    for problem in catalogue.problems:
        sentence(problem)
    for drive in catalogue.drives.values():
        numbers = [drive.capacity_bytes, *(fact.value for fact in drive.facts.values())]
        if not all(isinstance(x, float) and 0 <= x < math.inf for x in numbers):
            raise BrokenError(f"{drive.drive_id[:40]!r} has an impossible number")
    try:
        find(catalogue, parts[-1][:60].decode("utf-8", "replace"))
    except LookupFailed as error:
        sentence(str(error))
    return f"{len(catalogue.drives)} drives, {catalogue.problems[:3]}"


# A trace takes two hundred times as long as a quantity: weights even that out in part.
TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        *(_format(known.name) for known in FORMATS),
        Target(name="any file, packed", seeds=_EVERY_FILE, hold=_any_file, mutate=packed),
        Target(name="any file", seeds=_EVERY_FILE, hold=_any_file),
        *(_layout(name) for name in SAMPLES),
        Target(name="histories", seeds=_SEVERAL, hold=_histories, mutate=_several, weight=4),
        Target(name="scenario", seeds=_SCENARIOS, hold=_scenario, weight=4),
        Target(name="link", seeds=_queries(), hold=_link),
        Target(name="quantity", seeds=_QUANTITIES, hold=_quantity, weight=120),
        Target(name="sentence", seeds=_SENTENCES, hold=_sentence, weight=20),
        Target(name="phase of a protocol", seeds=_PHASES, hold=_phase, weight=80),
        Target(name="uncertain input", seeds=_UNCERTAIN, hold=_uncertain, weight=80),
        Target(
            name="catalogue", seeds=[_catalogue_seed()], hold=_catalogue, mutate=_several, weight=8
        ),
        Target(name="quotes, text", seeds=tables.TEXTS, hold=tables.quotes, weight=4),
        Target(
            name="quotes, workbook",
            seeds=tables.WORKBOOKS,
            hold=tables.quotes,
            mutate=tables.changed_member,
            weight=4,
        ),
        Target(name="counters", seeds=tables.COUNTERS, hold=tables.counters),
    )
}
