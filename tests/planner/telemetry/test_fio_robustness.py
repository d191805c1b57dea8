"""Whatever a file of fio holds, it is read or refused with one sentence: never a traceback."""

import json
import math
import tracemalloc
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from planner.telemetry import as_record, read
from tests import synthetic_fio as made

BINS = {1000: 5, 2000: 3}
FILES = {
    "result.json": made.encoded(
        made.run(
            made.reads(8, 4e4, bins=BINS, quantiles={99.0: 1e-3}),
            made.reads(4, 2e4, group=1),
            bs="4k",
        )
    ),
    "clones.json": b"fio-3.33\nStarting 2 processes\n"
    + made.encoded(made.run(*[made.reads(4, 1e4, name="c", numjobs=2, bins=BINS)] * 2))
    + b"Run status group 0\n",
    "old.json": made.encoded(made.run_of_fio_2(8e3, 4e-3, iodepth="32", ioengine="libaio")),
    "a_iops.1.log": made.log([900] * 8 + [300, 310, 290, 305, 0, 300, 300, 300, 300, 300]),
    "a_lat.log": made.log([10**6, 10**7] * 6, kind=0, period_ms=500, tail=", 4096"),
}  # fmt: skip
EACH = pytest.mark.parametrize("name", FILES)
NUMBERS = [
    "-1", "-5e300", "1e400", "9" * 70, "1" + "0" * 5_000, "NaN", "Infinity", "-Infinity", "0",
    "1.5", "null", "true", '"x"', '"-7"', "[]", "{}", '"\\ud800"', "1e-320", "1e18",
    "999999999999999", "-nan",
]  # fmt: skip


def numbers(value):
    """Every number in a record of records."""
    if is_dataclass(value):
        for field in fields(value):
            found = numbers(getattr(value, field.name))
            yield from ((inner or field.name, number) for inner, number in found)
    elif isinstance(value, dict):
        for part in (*value.keys(), *value.values()):
            yield from numbers(part)
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield "", value


def sound(name, data, kind=None):
    """Read a file and hold what comes out against what every reading promises."""
    reading = read(name, data, kind=kind)
    json.dumps(as_record(reading), allow_nan=False)
    if reading.refused is not None:
        assert reading.refused.startswith(
            tuple(f"{name}: {at} " for at in ("byte", "line", "packed"))
        )
        assert "\n" not in reading.refused
        assert len(reading.refused) < 600
        assert reading.workload is None
        return reading
    assert reading.workload is not None
    for field, number in numbers(reading.workload):
        assert math.isfinite(number), field
        assert number >= 0 or field == "little_error", field
    return reading


@EACH
@given(data=st.data())
@settings(max_examples=15)
def test_a_truncated_file(name, data):
    whole = FILES[name]
    sound(name, whole[: data.draw(st.integers(0, len(whole) - 1))])


@pytest.mark.parametrize("share", [0.3, 0.6, 0.99])
@pytest.mark.parametrize("name", ["result.json", "clones.json", "old.json"])
def test_a_document_cut_off_is_refused(name, share):
    whole = FILES[name].partition(b"Run status")[0].rstrip()
    assert sound(name, whole[: int(share * len(whole))]).refused.endswith("the file is cut off")


@EACH
@given(data=st.data())
@settings(max_examples=20)
def test_bytes_are_changed(name, data):
    broken = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(1, 8))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    sound(name, bytes(broken))


@EACH
@given(data=st.data())
@settings(max_examples=25)
def test_a_number_becomes_something_else(name, data):
    text = FILES[name].decode()
    starts = [i for i in range(len(text)) if text[i].isdigit() and not text[i - 1].isdigit()]
    start = data.draw(st.sampled_from(starts))
    end = next((i for i in range(start, len(text)) if not text[i].isdigit()), len(text))
    number = data.draw(st.sampled_from(NUMBERS))
    sound(name, (text[:start] + number + text[end:]).encode("utf-8", "surrogatepass"))


@EACH
@pytest.mark.parametrize(
    "encode",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le"),
        lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be"),
        lambda data: b"\r\n" + data + b"\r\n\r\n",
    ],
    ids=["mark", "CRLF", "UTF-16 little", "UTF-16 big", "blank lines"],
)
def test_marks_and_line_ends_change_nothing(name, encode):
    plain, changed = sound(name, FILES[name]), sound(name, encode(FILES[name]))
    assert changed.refused is None
    assert changed.workload == plain.workload


@EACH
@pytest.mark.parametrize(
    "data",
    [
        lambda data: data.decode().encode("utf-16-le"),
        lambda data: data[: len(data) // 2] + b"\xff\xfa" + data[len(data) // 2 :],
        lambda data: b"\xff\xfe" + data.decode().encode("utf-16-le")[:-1],
    ],
    ids=["UTF-16 without its mark", "bytes of no encoding", "half a character"],
)
def test_a_wrong_encoding_is_refused_with_its_place(name, data):
    assert sound(name, data(FILES[name])).refused is not None


@given(st.sampled_from([*FILES]), st.binary(max_size=500))
@example("a_iops.1.log", b"")
@example("result.json", b'{"fio version": 1')
def test_random_bytes(name, data):
    assert sound(name, data).refused is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda part: (
        st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=8), part, max_size=4)
    ),
    max_leaves=8,
)
IN_DIRECTION = (
    "iops", "runtime", "total_ios", "io_bytes", "io_kbytes", "bw", "bw_bytes", "clat_ns", "lat_ns",
    "lat", "clat", "iops_min", "iops_stddev",
)  # fmt: skip
LATENCY = st.fixed_dictionaries(
    {},
    optional={
        "mean": JSON, "max": JSON, "stddev": JSON, "percentile": JSON,
        "bins": JSON | st.dictionaries(st.integers(0, 99).map(str), JSON, max_size=4),
    },
)  # fmt: skip
DIRECTION = st.fixed_dictionaries(
    {"iops": st.floats(0, 1e9) | JSON},
    optional=dict.fromkeys(IN_DIRECTION[1:], JSON | st.floats(0, 1e20) | LATENCY),
)
OPTIONS = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("iodepth", "numjobs", "rw", "rate", "ioengine", "write_iops_log"),
                               JSON | st.integers(1, 99).map(str)),
)  # fmt: skip
JOB = st.fixed_dictionaries(
    {},
    optional={
        "jobname": JSON, "groupid": JSON, "job options": OPTIONS | JSON, "read": DIRECTION | JSON,
        "write": DIRECTION, "trim": DIRECTION, "iodepth_level": JSON,
    },
)  # fmt: skip


@given(st.lists(JOB | JSON, max_size=4) | JSON, JSON | OPTIONS)
@settings(max_examples=100)
def test_known_keys_with_values_of_any_kind(jobs, options):
    document = {"fio version": "fio-3", "global options": options, "jobs": jobs}
    sound("a.json", json.dumps(document).encode("utf-8", "surrogatepass"))


COLUMN = st.integers(-3, 10**17).map(str) | st.sampled_from(["", "1e9", "nan", "0x0", " "])


@given(st.lists(st.lists(COLUMN, min_size=1, max_size=8).map(", ".join), max_size=6))
@settings(max_examples=60)
def test_lines_of_any_columns(lines):
    sound("a_bw.log", ("1000, 5, 1, 0, 0\n" * 30 + "\n".join(lines)).encode())


@given(
    st.lists(st.tuples(st.integers(0, 10**15 - 1), st.integers(0, 10**15 - 1), st.integers(0, 2)))
)
@example([(1, 1, 0), (10**14, 1, 0), (2 * 10**14, 1, 0), (2 * 10**14 + 9000, 1, 0)])
def test_any_times_and_values(rows):
    lines = "".join(f"{time}, {value}, {kind}, 0\n" for time, value, kind in rows)
    for tag in ("iops", "lat"):
        sound(f"a_{tag}.log", lines.encode())


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.json", b'{"fio version": ' + b"[" * 100_000),
        ("a.json", b'{"fio version": ' + b'{"a":' * 50_000),
        ("a.json", b'{"fio version":"x"}\n' + b"{\n" * 300_000),
        ("a.json", b'"fio version"\n' + b'{"\n}\n' * 50_000),
        ("a.json", b'"fio version"' + b" " * 2_000_000 + b"{"),
        ("a.json", b'{"fio version": "' + b"a" * (17 << 20) + b'"}'),
        ("a_iops.log", b"1000, 5, 1, 0, 0\n" * 1000 + b"9" * 2_000_000),
        ("a_iops.log", b"1000, 5, 1, 0, 0\n" * 1000 + b", " * 1_000_000),
        ("a_iops.log", b"1000, 5, 1, 0, 0\n" * 60_000),
        ("a_iops.log", b"1, 5, 1, 0\n2000, 5, 1, 0\n3000, 5, 1, 0\n99999999999999, 5, 1, 0\n" * 2),
    ],
    ids=["lists", "objects", "braces", "documents", "blanks", "17 MiB", "digits", "commas",
         "one second", "ages"],
)  # fmt: skip
def test_a_hostile_file_takes_neither_time_nor_memory(name, data):
    tracemalloc.start()
    sound(name, data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < (12 * len(data) if name.endswith("json") else 0) + (4 << 20)
