"""Block traces are read as they are written, or refused with one sentence and a line."""

import gzip
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner import telemetry
from planner.telemetry.record import Refused
from planner.telemetry.traces import trace
from planner.telemetry.traces.layouts import LAYOUTS, detect, named
from planner.telemetry.traces.requests import requests_of
from tests.planner.telemetry.traces.samples import SAMPLES
from tests.telemetry_samples import files

ROOT = Path(__file__).parents[4]
READ, WRITE, TRIM = range(3)


def requests(data, **options):
    """All requests of a trace: seconds, offset, size, kind, volume."""
    parts = list(requests_of(io.BytesIO(data), **options))
    columns = [
        np.concatenate([getattr(part, name) for part in parts]).tolist()
        for name in ("offset_bytes", "size_bytes", "kind", "volume")
    ]
    times = [] if parts[0].time_s is None else [t for part in parts for t in part.time_s.tolist()]
    return times, *columns


def zstd(data):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as packed:
        packed.write(data)
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize("name", SAMPLES)
def test_every_layout_is_detected(name):
    assert detect(SAMPLES[name]).name == name
    assert trace(io.BytesIO(SAMPLES[name])).workload.layout == name


# One line of each layout as its documentation describes it, and what it means in base units.
LINES = {
    "MSR Cambridge": (
        b"128166372003061629,usr,0,Write,8192,4096,100\n128166372013061629,usr,1,Read,0,512,1\n",
        ([0, 1.0], [8192, 0], [4096, 512], [WRITE, READ], [0, 1]),
    ),
    "Alibaba": (
        b"419,W,46,16384,1577808144360767\n725,R,360449,4096,1577808144360780\n",
        ([0, 13e-6], [46, 360449], [16384, 4096], [WRITE, READ], [0, 1]),
    ),
    "Tencent CBS": (
        b"1538323199,105352008,584,1,1576\n1538323201,8,1,0,1577\n",
        ([0, 2], [105352008 * 512, 4096], [584 * 512, 512], [WRITE, READ], [0, 1]),
    ),
    "MQSim ASCII": (  # the type is inverted: 0 writes
        b"938513000 4 264719034 16 0\n938828000 3 8 16 1\n",
        ([0, 315e-6], [264719034 * 512, 4096], [8192, 8192], [WRITE, READ], [0, 1]),
    ),
    "SPC": (
        b"0,20941264,8192,W,0.5\n0,8,512,r,1.75\n",
        ([0, 1.25], [20941264 * 512, 4096], [8192, 512], [WRITE, READ], [0, 0]),
    ),
    "fio iolog v3": (
        b"""\
fio version 3 iolog
22 t.dat add
142 t.dat read 249856 4096
143 t.dat write 0 4096
150 t.dat trim 0 8192
160 t.dat close
""",
        ([0, 1e-6, 8e-6], [249856, 0, 0], [4096, 4096, 8192], [READ, WRITE, TRIM], [0, 0, 0]),
    ),
    "fio iolog v2": (
        SAMPLES["fio iolog v2"],
        ([], [4096, 0, 4096], [4096, 4096, 4096], [WRITE, READ, TRIM], [0, 0, 0]),
    ),
    "blkparse text": (  # queued requests alone; a flush moves nothing
        SAMPLES["blkparse text"],
        (
            [0, 368e-9, 3271e-9, 3371e-9],
            [223488 * 512, 223496 * 512, 223488 * 512, 223488 * 512],
            [4096, 8192, 4096, 4096],
            [WRITE, WRITE, READ, TRIM],
            [0, 0, 0, 0],
        ),
    ),
    "CSV with named columns": (
        SAMPLES["CSV with named columns"],
        ([0, 10e-6, 20.5e-6], [4096, 8192, 4096], [4096, 4096, 40960], [READ, WRITE, TRIM],
         [0, 1, 0]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_columns_and_units_are_those_of_the_layout(name):
    data, (times, *rest) = LINES[name]
    got_times, *got = requests(data)
    assert got == [list(column) for column in rest]
    assert got_times == pytest.approx(times, abs=1e-12)


def test_blkparse_counts_what_was_issued_where_nothing_was_queued():
    lines = SAMPLES["blkparse text"].splitlines(keepends=True)
    issued = b"".join(line.replace(b" Q ", b" D ") for line in lines)
    assert len(requests(issued)[1]) == 4


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
@pytest.mark.parametrize("name", SAMPLES)
def test_a_packed_trace_is_the_trace(name, pack):
    assert requests(pack(SAMPLES[name])) == requests(SAMPLES[name])


@pytest.mark.parametrize("name", SAMPLES)
def test_line_ends_and_a_byte_order_mark_change_nothing(name):
    odd = b"\xef\xbb\xbf" + SAMPLES[name].replace(b"\n", b"\r\n")
    assert requests(odd) == requests(SAMPLES[name])


@pytest.mark.parametrize("size", [200, 333, 1000])
def test_blocks_may_end_anywhere(size, monkeypatch):
    from planner.telemetry.traces import stream

    whole = requests(SAMPLES["MSR Cambridge"])
    monkeypatch.setitem(stream.blocks.__kwdefaults__, "size", size)
    assert requests(SAMPLES["MSR Cambridge"]) == whole


def broken(name, line, old, new):
    lines = SAMPLES[name].splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return b"".join(lines)


@pytest.mark.parametrize(
    ("data", "statement"),
    [
        (b"", "byte 0: the file is empty"),
        (b"\n \n", "line 1: the file contains no line of text"),
        (b"hello\nworld\n", "line 1: not a known block trace"),
        (bytes(range(256)) * 20, "byte 0: the file is binary"),
        ("1,W,0,1,1\n".encode("utf-16"), "byte 0: the text is UTF-16"),
        (gzip.compress(SAMPLES["Alibaba"] * 99, mtime=0)[:60], "packed bytes: cannot be unpacked"),
        (zstd(SAMPLES["Alibaba"] * 99)[:40], "packed bytes: cannot be unpacked"),
        (b"fio version 3 iolog\n1 a add\n", "line 1: the trace (fio iolog v3) contains no request"),
        (broken("Alibaba", 41, b"W", b"Q"), "line 41: 'Q' is not a read, write or trim"),
        (broken("Alibaba", 41, b",4096,", b",-4096,"), "line 41: size -4096 is negative"),
        (broken("Alibaba", 41, b",4096,", b",nan,"), "line 41: 'nan' is not a number"),
        (broken("Alibaba", 41, b",4096,", b",,"), "line 41: a number is empty"),
        (broken("Alibaba", 41, b",4096,", b",4x3,"), "line 41: '4x3' is not a number"),
        (broken("Alibaba", 41, b",4096,", b"," + b"9" * 30 + b","), "line 41: a number is too"),
        (broken("Alibaba", 41, b",4096,", b",9007199254740992,"), "line 41: size 9007199254740992"),
        (broken("Alibaba", 41, b",4096,", b",2000000000,"), "is more than 1 GiB"),
        (broken("Alibaba", 41, b",4096,", b",4096,7,"), "line 41: has 6 fields, Alibaba has 5"),
        (broken("Alibaba", 41, b"\n", b"00\n"), "line 41: time is more than 50 years"),
        (broken("Alibaba", 41, b",15778", b",-15778"), "line 41: time -1577808144361127 is neg"),
        (broken("SPC", 41, b",40.40", b",-40.4"), "line 41: time -40.4 is negative"),
        (broken("MQSim ASCII", 1, b"938513000", b"-1"), "line 1: time -1 is negative"),
        (broken("fio iolog v3", 20, b"156", b"-156"), "line 20: time -156 is negative"),
        (broken("CSV with named columns", 4, b"30.5", b"-30.5"), "line 4: time -30.5 is neg"),
        (broken("fio iolog v3", 20, b"4096\n", b"-4096\n"), "line 20: size -4096 is negative"),
        (broken("fio iolog v3", 20, b"4096\n", b"nan\n"), "line 20: size is not"),
        (broken("blkparse text", 2, b"223488", b"abc"), "line 2: offset is not a number"),
        (b"1,W,0,1,1\n" + b"1" * 200_000, "line 2: is longer than 65536 bytes"),
    ],
)  # fmt: skip
def test_a_fault_is_one_sentence_with_its_place(data, statement):
    with pytest.raises(Refused) as caught:
        trace(io.BytesIO(data))
    assert statement in str(caught.value)
    assert "\n" not in str(caught.value)


def test_times_that_step_back_are_noted_beyond_what_reordering_explains():
    lines = [b"%d.25,W,0,4096\n" % at for at in (5, 7, 6, 8, 9, 2, 3)]
    found = trace(io.BytesIO(b"time_s,op,offset,size\n" + b"".join(lines))).workload
    assert found.notes[0].startswith("Times step back at 1 line, by up to 7 s: if the file")
    assert found.span_s == 7
    kept = trace(io.BytesIO(b"time_s,op,offset,size\n" + b"".join(lines[:5]))).workload
    assert not any("step back" in note for note in kept.notes)


@pytest.mark.parametrize("size", [400, 100_000])
def test_times_that_run_back_from_one_block_to_the_next_are_noted(size, monkeypatch):
    from planner.telemetry.traces import stream

    monkeypatch.setitem(stream.blocks.__kwdefaults__, "size", size)
    found = trace(io.BytesIO(SAMPLES["MSR Cambridge"] * 3)).workload
    assert found.notes[0].startswith("Times step back at 2 lines, by up to 119 s")


def test_a_fault_behind_many_blocks_has_its_line_number():
    good = SAMPLES["Alibaba"].splitlines(keepends=True)
    data = b"".join(good * 4000)
    bad = data + b"1,W,x,4096,1577808144360767\n" + data
    with pytest.raises(Refused, match=rf"^line {60 * 4000 + 1}: 'x' is not a number"):
        trace(io.BytesIO(bad))


@pytest.mark.parametrize("lines", [b"1,W,0,4096,10,7\n", b"\n" + b"1,W,0,4096,10,\n" * 3])
def test_lines_that_are_all_too_wide_are_not_taken_for_narrower_ones(lines):
    with pytest.raises(Refused, match="has 6 fields, Alibaba has 5"):
        list(requests_of(io.BytesIO(lines), layout=named("alibaba", lines)))


def test_a_last_line_that_breaks_off_is_left_out_with_a_note():
    found = trace(io.BytesIO(SAMPLES["MSR Cambridge"][:-30])).workload
    assert found.requests == 119
    assert found.notes[0] == "line 120: is truncated and left out"


def test_reading_among_the_formats_of_telemetry():
    good = telemetry.read("a.csv", SAMPLES["Alibaba"])
    assert (good.kind, good.workload.requests, good.refused) == ("block trace", 60, None)
    assert telemetry.read("a.zst", zstd(SAMPLES["Alibaba"])).workload.requests == 60
    bad = telemetry.read("a.csv", broken("Alibaba", 41, b"W", b"Q"))
    assert bad.refused == "a.csv: line 41: 'Q' is not a read, write or trim"


def survives(data):
    """Read or refused in one sentence, nothing else."""
    refused = telemetry.read("file", data).refused
    assert refused is None or "\n" not in refused


@settings(max_examples=150)
@given(st.binary(max_size=400))
def test_random_bytes_are_read_or_refused(data):
    survives(data)


TOKENS = st.sampled_from([
    b"", b" ", b"nan", b"inf", b"-1", b"1e400", b"9223372036854775807", b"9" * 25, b"\0", b'"',
    b"\xff", b"\r", b"Write", b"D", b"0x1", b"1.5", b"4611686018427387904", b"1073741824", b",",
])  # fmt: skip


@settings(max_examples=200)
@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_a_field_replaced_is_read_or_refused(name, draw):
    lines = SAMPLES[name].split(b"\n")[:20]
    at = draw.draw(st.integers(0, len(lines) - 1))
    mark = b"," if b"," in lines[at] else b" "
    fields = lines[at].split(mark)
    fields[draw.draw(st.integers(0, len(fields) - 1))] = draw.draw(TOKENS)
    lines[at] = mark.join(fields)
    survives(b"\n".join(lines)[: draw.draw(st.integers(0, 2000))])


def test_memory_does_not_grow_with_the_file(tmp_path):
    """A trace of 16 million page writes over 4 TB, in a process of its own."""
    script = """
import io, re, sys
from planner.telemetry.traces import trace
line = b"".join(b"%d,W,%d,262144,%d\\n" % (i % 9, i * 7919 % 1000003 * 4096 * 1024, 10**15 + i)
                for i in range(25_000))
class Repeated(io.RawIOBase):
    left = 9
    def __init__(self): self.buffer = io.BytesIO(line)
    def readable(self): return True
    def seekable(self): return True
    def tell(self): return 0
    def seek(self, at, whence=0):
        self.left = 9; self.buffer.seek(0); return 0
    def read(self, size=-1):
        data = self.buffer.read(size)
        if not data and self.left:
            self.left -= 1; self.buffer.seek(0); data = self.buffer.read(size)
        return data
found = trace(Repeated()).workload
with open("/proc/self/status") as status:  # rusage would count the parent's memory, too
    print(found.requests, found.sampled_one_in, re.search(r"VmHWM:\\s*(\\d+)", status.read())[1])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    requests_read, one_in, kib = map(float, done.stdout.split())
    assert (requests_read, one_in) == (250_000, 8)
    assert kib < 300 * 1024


def test_the_real_samples_are_read():
    tpcc = trace(io.BytesIO(files()["traces/mqsim_tpcc-small.trace"])).workload
    assert (tpcc.layout, tpcc.reads, tpcc.writes) == ("MQSim ASCII", 4381, 2618)
    fio = trace(io.BytesIO(files()["fio/sample_iolog_v3.txt"])).workload
    assert (fio.layout, fio.reads, fio.writes) == ("fio iolog v3", 152, 148)


def test_every_layout_has_a_sample():
    assert {layout.name for layout in LAYOUTS} < set(SAMPLES)
