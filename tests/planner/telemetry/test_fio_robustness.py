"""Whatever a file of fio holds, it is read or refused: what can be written down.

What is drawn at random is in `tests/test_fuzz.py`.
"""

import tracemalloc

import pytest

from tests import synthetic_fio as made
from tests.fuzz.promises import reading_of

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


@pytest.mark.parametrize("share", [0.3, 0.6, 0.99])
@pytest.mark.parametrize("name", ["result.json", "clones.json", "old.json"])
def test_a_document_cut_off_is_refused(name, share):
    whole = FILES[name].partition(b"Run status")[0].rstrip()
    assert reading_of(name, whole[: int(share * len(whole))]).refused.endswith(
        "the file is cut off"
    )


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
    plain, changed = reading_of(name, FILES[name]), reading_of(name, encode(FILES[name]))
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
    assert reading_of(name, data(FILES[name])).refused is not None


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
    reading_of(name, data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < (12 * len(data) if name.endswith("json") else 0) + (4 << 20)
