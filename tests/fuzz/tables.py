"""What is fuzzed of tables: quotes as text and as workbooks, and counters of applications."""

import io
import math
import random
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

from models.errors import DomainError
from planner.catalogue import load
from planner.catalogue.quotes import QuotesError, QuoteTables, read_quotes
from planner.telemetry.application_counters import read_counters
from planner.telemetry.record import Refused
from tests.fuzz.mutation import mutated
from tests.fuzz.promises import BrokenError, sentence
from tests.planner.quote_files import READ

__all__ = ["COUNTERS", "CUT", "TEXTS", "WORKBOOKS", "changed_member", "counters", "quotes"]

ROOT = Path(__file__).parents[2]
_ZIP = b"PK"
CUT = b"\n---8<---\n"  # between the files of an input that is several
_FILES = [file.content for file in READ.values() if len(file.content) < 1 << 15]
TEXTS = [content for content in _FILES if not content.startswith(_ZIP)]
WORKBOOKS = [content for content in _FILES if content.startswith(_ZIP)]
COUNTERS = [
    *(CUT.join(files) for files in (
        (b"wchar: 700\nwrite_bytes: 4096\n", b"wchar: 900\nwrite_bytes: 8192\n"),
        (b"8:0 rbytes=1 wbytes=2 rios=3 wios=4\n", b"8:0 rbytes=1 wbytes=20 rios=3 wios=9\n"),
        (
            b"-[ RECORD 1 ]-----\nwal_records | 123\nwal_bytes   | 56789\nwal_sync    | 12\n",
            b"-[ RECORD 1 ]-----\nwal_records | 125\nwal_bytes   | 66789\nwal_sync    | 14\n",
        ),
        (
            b"Innodb_os_log_written\t1000\nInnodb_pages_written\t5\nUptime\t100\n",
            b"Innodb_os_log_written\t9000\nInnodb_pages_written\t15\nUptime\t160\n",
        ),
    )),
    b" wal_records | wal_bytes | wal_sync \n-----+-----+----\n 123 | 56789 | 12 \n(1 row)\n",
    (
        b"rocksdb.bytes.written COUNT : 100\nrocksdb.flush.write.bytes COUNT : 90\n"
        b"rocksdb.compact.write.bytes COUNT : 400\nrocksdb.wal.bytes COUNT : 110\n"
    ),
    (ROOT / "docs" / "reference" / "counters.csv").read_bytes(),
]  # fmt: skip


def changed_member(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Change one part of a workbook, or now and then the package itself."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            parts = {entry.filename: book.read(entry) for entry in book.infolist()}
    except Exception:  # noqa: BLE001 - a package that is damaged has no parts
        return mutated(data, rng, others)
    if not parts or rng.randrange(10) == 0:
        return mutated(data, rng, others)
    name = rng.choice(list(parts))
    parts[name] = mutated(parts[name], rng, list(parts.values()))
    if rng.randrange(20) == 0:
        del parts[rng.choice(list(parts))]
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as book:
        for part, content in parts.items():
            book.writestr(zipfile.ZipInfo(part), content)
    return held.getvalue()


def quotes(data: bytes) -> object:
    """Read a table of quotes: each row is a drive or set aside, with its reason in one line."""
    try:
        found = read_quotes([("q", data)], load(), currency="USD", rates={"EUR": 1.1})
    except QuotesError as error:
        for problem in str(error).split("; "):
            sentence(problem)
        return str(error)[:80]
    _hold(found)
    return f"{len(found.drives)} drives, {len(found.set_aside)} aside, {found.notes}"


def _hold(found: QuoteTables) -> None:
    for line in (*map(str, found.set_aside), *found.notes, *found.doubts):
        for reason in re.split("[;,] ", line):
            sentence(reason)
    for drive in found.drives:
        price = drive.value("price_usd")
        if price is not None and not 0 < price < 1e9:
            raise BrokenError(f"a drive has an impossible price: {price}")
        if not 0 < drive.capacity_bytes < 1e18:
            raise BrokenError(f"a drive has an impossible capacity: {drive.capacity_bytes}")


def counters(data: bytes) -> object:
    """Read counters of an application: finite and not negative, or refused in one line."""
    files = data.split(CUT)
    try:
        counted = read_counters(files[:2] if len(files) > 1 else files * 2, over_s=60.0)
    except (Refused, DomainError) as error:
        sentence(str(error))
        return str(error)
    if not all(0 <= value < math.inf for value in counted.values.values()):
        raise BrokenError(f"an impossible count: {counted.values}"[:200])
    if counted.over_s is not None and not 0 < counted.over_s < math.inf:
        raise BrokenError(f"an impossible time: {counted.over_s}")
    return f"{counted.kinds}{sorted(counted.values)}"
