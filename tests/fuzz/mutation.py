"""Changes to a file that keep its structure: trees of JSON, lines with fields, text, packing.

`mutated` draws a few changes; everything follows from the random generator that is handed in.
"""

import bz2
import gzip
import io
import json
import lzma
import random
import re
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

__all__ = ["PACKINGS", "mutated", "packed"]

MOST_BYTES = 1 << 15  # of a mutated file, but for the few that are made large
LARGE_ONE_IN = 5_000
_LARGE_BYTES = (1 << 17, 1 << 20, 1 << 22, 255 << 16, 17 << 20)  # to both sides of a reader's limit

NUMBERS = [
    0, 1, -1, 2, 7, 99, 100, 101, 254, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**32,
    2**48 - 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**128 - 1, 2**128, 10**18,
    10**30, 10**400, -(2**63), -(10**40), 1.5, 0.1, -0.0, 1e-320, 1e15, 1e18, 1e300, 1.7e308,
    float("inf"), float("-inf"), float("nan"),
]  # fmt: skip
TEXTS = [
    "", " ", "-", "x", "N/A", "null", "true", "1,000", "1.000.000", "1 000", "0x10", "0xffffffff",
    "1e5", "1e400", "-7", "+3", "3.7", "12%", "100 %", "25 (Min/Max 20/30)", "9h+2m+1.5s", "1/2",
    "\u0663\u0664", "\u00b2", "\uff11\uff12", "\u2007" + "5", "\x00", "\x1b[31mred\x1b[0m", "\x07",
    "\r", "\n", "\t", "\u2028", "\u202e" + "abc", "\ufeff", "\ud800", "\U0001f4be", "e\u0301",
    "<img src=x>", "![a](//b)", "$x$", "`", "*", "[a](b)", "=1+1", "@", "..", "/", "%s", "{}",
    "SAMSUNG MZ7LM960HCHP-0E003", "INTEL SSDSC2KB960G8", "Micron_5300_MTFDDAK960TDS",
    "a" * 300, "9" * 70, "1" + "0" * 5000, '"', "'", "\\", "\u00e9" * 200,
]  # fmt: skip
WORDS = [
    "\n", "\r\n", "\r", ",", ";", "\t", ":", "=", "{", "}", "[", "]", '"', "\x00", "\ufeff", "-nan",
    "smartctl 7.3\n", "=== START OF INFORMATION SECTION ===\n", "ID# ATTRIBUTE_NAME\n",
    "Rotation Rate:    7200 rpm\n", "- F4 -\n", "Raw : 9\n", "fio-3.33\n", '"jobs"',
    '{"fio version":"x"}', "fio version 3 iolog\n", "1000, 5, 1, 0, 0\n", "date,host_bytes\n",
    " Q ", "8,0", "Write", "Read", "W", "D", "discard", "wait", "9007199254740992", "1e308",
]  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;\x1e\x00\ufeff]*")
_GAP = re.compile(r"( +|[,;:=\t])")

Places = list[tuple[Any, Any]]  # containers of a tree, each with one of its keys
Mutate = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


def mutated(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Change a file in a few places; `others` are files from which parts may be taken."""
    for _ in range(rng.choice([1, 1, 1, 1, 2, 2, 4])):
        data = rng.choices(_WAYS, _WEIGHTS)[0](data, rng, others)[:MOST_BYTES]
    return _large(data, rng) if rng.randrange(LARGE_ONE_IN) == 0 else data


# --- trees ---


def _tree(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Change JSON documents as trees; anything else as lines."""
    documents = _documents(data)
    if not documents:
        return _lines(data, rng, others)
    for _ in range(rng.choice([1, 1, 2, 4])):
        _change_node(documents, rng)
    if rng.randrange(12) == 0:
        documents *= rng.choice([2, 3, 20])
    indent, ascii_only = rng.choice([None, None, None, None, None, 2]), rng.random() < 0.8
    between = rng.choice(["\n", "\n", "", ",", "\x00", "\x1e"])
    texts = (json.dumps(one, indent=indent, ensure_ascii=ascii_only) for one in documents)
    return _encoded(between.join(texts))


def _documents(data: bytes) -> list[Any]:
    """Return the objects and lists that a text begins with; one that begins otherwise has none."""
    text = data.decode("utf-8", "replace")
    decoder, values, at = json.JSONDecoder(), list[Any](), 0
    while len(values) < 30:
        start = _BETWEEN.match(text, at)
        at = start.end() if start else at
        if text[at : at + 1] not in ("{", "["):
            return values
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return values
        values.append(value)
    return values


def _change_node(documents: list[Any], rng: random.Random) -> None:
    places = _places(documents)
    parent, key = rng.choice(places)
    rng.choices(_CHANGES, [4, 1, 1, 1, 1, 1, 1, 1])[0](parent, key, rng, places)


def _to_an_edge(parent: Any, key: Any, rng: random.Random, _: Places) -> None:
    parent[key] = _edge(parent[key], rng)


def _to_anything(parent: Any, key: Any, rng: random.Random, _: Places) -> None:
    parent[key] = rng.choice([*NUMBERS, *TEXTS])


def _to_another_kind(parent: Any, key: Any, rng: random.Random, _: Places) -> None:
    parent[key] = rng.choice([None, True, False, [], {}, [None], {"": {}}, [[]]])


def _left_out(parent: Any, key: Any, _: random.Random, __: Places) -> None:
    if isinstance(parent, dict) or len(parent) > 1:
        del parent[key]


def _nested(parent: Any, key: Any, rng: random.Random, _: Places) -> None:
    for _ in range(rng.choice([1, 1, 2, 60, 90])):
        parent[key] = [parent[key]] if rng.random() < 0.5 else {"a": parent[key]}


def _from_elsewhere(parent: Any, key: Any, rng: random.Random, places: Places) -> None:
    other, its = rng.choice(places)
    parent[key] = _copy(other[its])


def _under_another_key(parent: Any, key: Any, rng: random.Random, places: Places) -> None:
    names = [name for _, name in places if isinstance(name, str)]
    if isinstance(parent, dict) and names:
        parent[rng.choice(names)] = parent[key]


def _repeated(parent: Any, key: Any, rng: random.Random, _: Places) -> None:
    held = parent[key]
    if isinstance(held, list) and held:
        one = _copy(rng.choice(held))
        most = MOST_BYTES // len(json.dumps(one))
        parent[key] = [*held, *[one] * min(most, rng.choice([1, 2, 300]))]


_CHANGES = [
    _to_an_edge, _to_anything, _to_another_kind, _left_out, _nested, _from_elsewhere,
    _under_another_key, _repeated,
]  # fmt: skip


def _places(documents: list[Any]) -> Places:
    """Return every container and key of the trees."""
    places: Places = []
    waiting: list[Any] = [documents]
    while waiting and len(places) < 3000:
        node = waiting.pop()
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            places.append((node, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    return places


def _copy(value: Any) -> Any:
    """Copy a part so that no tree holds itself."""
    try:
        text = json.dumps(value)
    except RecursionError:
        return None
    return json.loads(text) if len(text) < MOST_BYTES else None


def _edge(value: Any, rng: random.Random) -> Any:
    """Return a value near one of its kind: a number off by one, as a text, or at an edge."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return rng.choice(NUMBERS) if rng.random() < 0.5 else rng.choice(TEXTS)
    return rng.choice([
        value + 1, value - 1, -value, value * 2, value * 512, str(value), f"{value} ",
        [value], {"hi": value, "lo": rng.choice(NUMBERS)}, rng.choice(NUMBERS),
    ])  # fmt: skip


# --- lines ---


def _lines(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    lines = data.decode("utf-8", "replace").splitlines(keepends=True) or [""]
    at = rng.randrange(len(lines))
    end = min(len(lines), at + rng.choice([1, 1, 1, 2, 5, 40]))
    part = lines[at:end]
    what = rng.randrange(10)
    if what == 0:
        part = []
    elif what == 1:
        part = part * rng.choice([2, 2, 3, 50, 400])
    elif what == 2:
        part = rng.sample(part, len(part))
    elif what == 3:
        part = [*part, *_some_lines(rng.choice(others), rng)]
    elif what == 4:
        part = [line[: rng.randint(0, len(line))] for line in part]
    elif what == 5:
        part = [rng.choice(WORDS), *part]
    elif what == 6:
        swap = rng.choice([("\n", "\r\n"), ("\n", "\r"), ("\n", "\n\n"), (",", ";"), (" ", "  ")])
        part = [line.replace(*swap) for line in part]
    else:
        part = [_fields(line, rng) for line in part]
    return _encoded("".join([*lines[:at], *part, *lines[end:]]))


def _some_lines(data: bytes, rng: random.Random) -> list[str]:
    lines = data.decode("utf-8", "replace").splitlines(keepends=True)
    at = rng.randint(0, len(lines))
    return lines[at : at + rng.choice([1, 2, 10, 1000])]


def _fields(line: str, rng: random.Random) -> str:
    """Change one field of a line, or which fields it has."""
    parts = _GAP.split(line[:4000])
    at = rng.randrange(len(parts))
    what = rng.randrange(5)
    if what == 0:
        parts[at] = _text_of(rng)
    elif what == 1:
        del parts[at]
    elif what == 2:
        parts[at : at + 1] = [parts[at]] * rng.choice([2, 3, 30])
    else:
        numbers = [place for place, part in enumerate(parts) if _NUMBER.search(part)] or [at]
        at = rng.choice(numbers)
        parts[at] = _NUMBER.sub(lambda _: _text_of(rng), parts[at], count=1)
    return "".join(parts)


def _text_of(rng: random.Random) -> str:
    return str(rng.choice(NUMBERS)) if rng.random() < 0.6 else rng.choice(TEXTS)


# --- the whole file ---


def _numbers(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """Replace one number, wherever it stands."""
    text = data.decode("utf-8", "replace")
    spans = [match.span() for match in _NUMBER.finditer(text)]
    if not spans:
        return data
    start, end = rng.choice(spans)
    return _encoded(text[:start] + _text_of(rng) + text[end:])


def _bytes(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Change, leave out, double or insert a few bytes."""
    at = rng.randint(0, len(data))
    end = min(len(data), at + rng.choice([0, 1, 1, 2, 8, 60]))
    other = rng.choice(others)
    start = rng.randint(0, len(other))
    piece = rng.choice([
        bytes([rng.randrange(256)]), b"", data[at:end] * 2, rng.choice(WORDS).encode(),
        other[start : start + 40],
    ])  # fmt: skip
    return data[:at] + piece + data[end:]


def _cut(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    return data[: rng.randint(0, len(data))]


def _joined(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Put a file, a part of one, or itself again behind a file."""
    between = rng.choice([b"", b"\n", b"\n\n", b"\x00"])
    return data + between + rng.choice([data, rng.choice(others), rng.choice(others)[:200]])


def _reencoded(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    text = data.decode("utf-8", "replace")
    encoding = rng.choice(["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1", "utf-32"])
    changed = text.encode(encoding, "replace")
    return b"\xfe\xff" + changed if encoding == "utf-16-be" else changed


def _large(data: bytes, rng: random.Random) -> bytes:
    """Repeat a file, one of its lines or a piece of it until it is large."""
    lines = data.splitlines(keepends=True) or [b" "]
    piece = rng.choice([data, rng.choice(lines), data[:20], b" ", b"\n", b"[", b"9", b"\\", b", "])
    least = rng.choice(_LARGE_BYTES)
    return data[:MOST_BYTES] + (piece or b"0") * (least // max(1, len(piece)))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_WAYS: list[Mutate] = [_tree, _lines, _numbers, _bytes, _cut, _joined, _reencoded]
_WEIGHTS = [30, 25, 25, 10, 4, 5, 1]

# --- packing ---


def _members(data: bytes) -> bytes:
    """Pack by gzip in three members, as files put together are."""
    third = max(1, len(data) // 3)
    parts = (data[:third], data[third : 2 * third], data[2 * third :])
    return b"".join(gzip.compress(part, 1, mtime=0) for part in parts)


def _zipped(data: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("a"), data)
    return held.getvalue()


def _tarred(data: bytes) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        entry = tarfile.TarInfo("a")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return held.getvalue()


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 1, mtime=0),
    "gzip, several members": _members,
    "zstd": lambda data: pa.compress(data, codec="zstd", asbytes=True),
    "bzip2": bz2.compress,
    "xz": lambda data: lzma.compress(data, preset=0),
    "zip": _zipped,
    "tar": _tarred,
}


def packed(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Pack a changed file once or twice, then perhaps damage the package."""
    data = mutated(data, rng, others)
    for _ in range(rng.choice([1, 1, 1, 2])):
        data = rng.choice(list(PACKINGS.values()))(data)
    damage = rng.choice([None, None, None, _bytes, _cut, _joined])
    return data if damage is None else damage(data, rng, others)
