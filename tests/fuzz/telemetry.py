"""Fuzz the readers of drives: `python -m tests.fuzz.telemetry "smartctl JSON" --seconds 600`.

Guided by coverage where atheris is installed (it is no requirement), else by mutation alone.
What breaks a promise is written to `tests/fuzz/found`; a file that found a fault moves to
`tests/fuzz/corpus`, which `tests/planner/telemetry/test_robustness.py` reads in every run.
"""

import argparse
import hashlib
import json
import math
import random
import sys
import tempfile
import time
from dataclasses import fields
from pathlib import Path

from tests import synthetic_drives as made
from tests.fuzz.guidance import instrumented

with instrumented("planner.telemetry"):
    from planner.telemetry import Observed, Reading, as_record, read

HERE = Path(__file__).parent
SATA = {
    "attributes": [
        (9, "Power_On_Hours", 91, 43_614), (177, "Wear_Leveling_Count", 52, 3_541),
        (241, "Total_LBAs_Written", 98, 4_053_921_700_578),
        (251, "NAND_Writes", 100, 7_570_591_235_072),
    ],
    "statistics": [("Percentage Used Endurance Indicator", 48)],
}  # fmt: skip
HISTORY = "date,host_bytes,percentage_used,power_on_hours\n2024-05-01,10,1,5\n2024-06-01,20,2,9\n"
MODELS = ("SAMSUNG MZ7LM960HCHP-0E003", "INTEL SSDSC2KB960G8", "Micron_5300_MTFDDAK960TDS")
SEEDS = {
    "smartctl JSON": [
        *(made.encoded(made.sata_json(model, **SATA)) for model in MODELS),
        made.encoded(made.nvme_json()),
        made.encoded([made.nvme_json(), made.sata_json("A", **SATA)]),
        made.encoded(
            made.sata_json(scsi_error_counter_log={"write": {"gigabytes_processed": "12.345"}})
        ),
    ],
    "smartctl text": [
        *(made.sata_text(model, **SATA).encode() for model in MODELS),
        made.nvme_text().encode(), (made.nvme_text() + made.sata_text("A", **SATA)).encode(),
    ],
    "nvme-cli smart-log JSON": [
        made.encoded(made.smart_log()),
        made.encoded(made.smart_log()) + made.encoded(made.ocp_v2(10**15)),
    ],
    "OCP extended log JSON": [made.encoded(made.ocp_v1(1 << 70)), made.encoded(made.ocp_v2(9))],
    "Intel isdct JSON": [made.encoded(made.isdct_json())],
    "Intel isdct text": [made.isdct_text().encode()],
    "wear history CSV": [HISTORY.encode(), HISTORY.replace("\n", "\r\n").encode()],
}  # fmt: skip
WORDS = [
    "-1", "1e400", "9" * 40, "NaN", "Infinity", "null", "true", "[]", "{}", '"', "255", "0x", "\\u",
    "\r\n", "\ufeff", "smartctl 7", "=== START OF ", "ID# ATTRIBUTE_NAME", "- F4 -", "Raw : ",
    "hi", "lo", "table", "raw", "string", "value", "pages", "model_name", "user_capacity", "bytes",
    "nvme_namespaces", "power_on_time", "rotation_rate", "logical_block_size", "percentage_used",
]  # fmt: skip


def sound(data: bytes, kind: str | None = None) -> Reading:
    """Read a file and hold what comes out against what every reading promises."""
    reading = read("a file", data, kind=kind)
    json.dumps(as_record(reading), allow_nan=False)
    if reading.refused is not None:
        assert reading.refused.startswith(("a file: byte ", "a file: line ", "a file: packed "))
        assert "\n" not in reading.refused
        assert len(reading.refused) < 600
        assert reading.drives == ()
        return reading
    assert reading.drives or reading.workload is not None
    for drive in reading.drives:
        for field in fields(drive):
            value = getattr(drive, field.name)
            if isinstance(value, Observed):
                assert 0 <= value.low <= value.value <= value.high, field.name
                assert math.isfinite(value.value), field.name
                assert value.field
    return reading


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Change a few places: bytes, words, cut, doubled."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randint(0, len(found))
        end = min(len(found), at + rng.choice([0, 1, 1, 2, 8, 60]))
        piece = rng.choice([
            rng.choice(WORDS).encode(), bytes([rng.randrange(256)]), b"", bytes(found[at:end]) * 2,
        ])  # fmt: skip
        found[at:end] = piece
    return bytes(found)


def by_mutation(kind: str, seconds: float) -> int:
    """Run without guidance; return how many files were tried."""
    rng = random.Random(kind)  # noqa: S311 - repeatable, not secret
    until, tried = time.monotonic() + seconds, 0
    pool = list(SEEDS[kind])
    while time.monotonic() < until:
        data = mutated(rng.choice(pool), rng)
        _one(data, kind)
        tried += 1
        if tried % 50 == 0 and len(pool) < 500:
            pool.append(data)
    return tried


def by_coverage(kind: str, seconds: float) -> None:
    """Run guided by coverage; atheris prints what it tried and ends the process."""
    import atheris

    with tempfile.TemporaryDirectory() as folder:
        starts, words = Path(folder, "starts"), Path(folder, "words")
        starts.mkdir()
        for number, data in enumerate(SEEDS[kind]):
            (starts / str(number)).write_bytes(data)
        words.write_text("".join(f'"{_escaped(word)}"\n' for word in WORDS))
        atheris.Setup(
            [sys.argv[0], str(starts), f"-max_total_time={seconds:.0f}", f"-dict={words}",
             "-max_len=20000", "-rss_limit_mb=1024", "-timeout=20", "-verbosity=0",
             "-print_final_stats=1", f"-artifact_prefix={folder}/"],
            lambda data: _one(data, kind),
        )  # fmt: skip
        atheris.Fuzz()


def _one(data: bytes, kind: str) -> None:
    try:
        sound(data, kind)
    except BaseException:
        found = HERE / "found"
        found.mkdir(exist_ok=True)
        digest = hashlib.sha256(data).hexdigest()[:12]
        (found / f"{kind.replace(' ', '-')}-{digest}").write_bytes(data)
        raise


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=list(SEEDS))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--unguided", action="store_true")
    told = parser.parse_args()
    try:
        import atheris  # noqa: F401
    except ImportError:
        told.unguided = True
    if told.unguided:
        tried = by_mutation(told.kind, told.seconds)
        sys.stdout.write(f"{tried} files tried, none broke {told.kind}\n")
    else:
        by_coverage(told.kind, told.seconds)


if __name__ == "__main__":
    main()
