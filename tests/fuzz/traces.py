"""Fuzz the readers of block traces: `python -m tests.fuzz.traces "MSR Cambridge" --seconds 600`.

The machinery is that of `tests.fuzz.telemetry`. A file that found a fault moves to
`tests/fuzz/corpus`, which `tests/planner/telemetry/traces/test_robustness.py` reads.
"""

import gzip
import io
import json
import math
import re

from tests.fuzz import telemetry
from tests.fuzz.guidance import instrumented
from tests.planner.telemetry.traces.samples import SAMPLES

with instrumented("planner.telemetry"):
    from planner.telemetry.record import Reading, Refused, as_record
    from planner.telemetry.traces import TraceWorkload, trace

LINES = 12
STARTS = {
    name: [
        b"\n".join(data.splitlines()[:LINES]) + b"\n",
        b"\r\n".join(data.splitlines()[:3]),
        gzip.compress(data[:400], mtime=0),
    ]
    for name, data in SAMPLES.items()
}
STARTS["CSV with named columns"] += [
    b"op,lba,length_kib\nw,8,4\nr,0,4\n",
    b"ts_ms;op\n",
    b"Time (ns),Type,Address,Bytes,Volume\n1e9,Write,4096,512,v0\n2e9,TRIM,0,1048576,v1\n",
]
WORDS = [
    "Write", "Read", "W", "D", "discard", "trim", "wait", "add", "open", "close", "FWS", " + ",
    " Q ", " C ", "8,0", ".5", "1e308", "inf", "1073741824", "9007199254740992", "4294967295",
    "fio version 2 iolog\n", "fio version 3 iolog\n", "offset", "size", "time_us", "\n,\n",
]  # fmt: skip
POSITION = re.compile(r"(byte|line) \d+|packed bytes|volumes|times")
SHARES = ("read_fraction", "trim_share", "sequential_fraction", "sequential_read_fraction",
          "written_once_fraction")  # fmt: skip


def sound(data: bytes, kind: str | None = None) -> TraceWorkload | Refused:
    """Read a trace of a layout; hold what comes out against what every reading promises."""
    try:
        found, writes = trace(io.BytesIO(data), name=kind)
    except Refused as refused:
        return _one_sentence(refused)
    record = json.loads(json.dumps(as_record(Reading(file="a", workload=found)), allow_nan=False))
    for field, value in record["workload"].items():
        for number in _numbers(value):
            assert math.isfinite(number), field
            assert number >= 0 or field == "course", field
    assert all(0 <= getattr(found, share) <= 1 + 1e-9 for share in SHARES)
    assert found.requests == found.reads + found.writes + found.trims > 0
    assert math.isclose(sum(found.write_shares), 1)
    lifetimes = writes.lives().lifetime
    assert lifetimes.size == (~writes.trims).sum()
    assert (lifetimes >= 0).all()
    return found


def _one_sentence(refused: Refused) -> Refused:
    assert POSITION.fullmatch(refused.position), refused
    assert "\n" not in str(refused)
    assert len(str(refused)) < 400
    return refused


def _numbers(value: object) -> list[float]:
    if isinstance(value, dict):
        return [number for part in value.values() for number in _numbers(part)]
    if isinstance(value, list):
        return [number for part in value for number in _numbers(part)]
    return [value] if isinstance(value, int | float) else []


if __name__ == "__main__":
    telemetry.SEEDS.clear()
    telemetry.SEEDS |= STARTS
    telemetry.WORDS += WORDS
    telemetry.sound = sound
    telemetry.main()
