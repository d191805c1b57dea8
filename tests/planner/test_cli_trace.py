"""The command `wa`: a trace on a drive, for people and for machines."""

import gzip
import json

import numpy as np
import pytest

from planner.cli import main
from tests.planner.telemetry.traces.samples import SAMPLES, csv_of

TRACE = csv_of(np.random.default_rng(1).integers(0, 4000, 40_000))


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "trace.csv.gz"
    path.write_bytes(gzip.compress(TRACE))
    return str(path)


def run(capsys, *arguments):
    code = main(("wa", *arguments))
    return code, *capsys.readouterr()


def test_for_people(capsys, trace):
    code, out, _ = run(capsys, "--trace", trace, "--drive", "845DC PRO 400", "--simulate")
    assert code == 0
    assert out.startswith("trace.csv.gz: CSV with named columns\n40,000 requests in 40 s")
    assert "Samsung 845DC PRO 400 GB, spare area 37.4 % of the data" in out
    assert "Model over replay" in out


def test_the_busy_minute_is_told_of_more_than_one(capsys, trace, tmp_path):
    """Of two minutes with 100 and 300 writes the busier has 1.5 times the mean; a day is one."""
    uneven = tmp_path / "uneven.csv"
    seconds = [*np.linspace(0, 59, 100), *np.linspace(60, 119, 300)]
    lines = [f"{1000 * s:.0f},W,{4096 * (i % 40)},4096" for i, s in enumerate(seconds)]
    uneven.write_text("time_ms,op,offset,size\n" + "\n".join(lines) + "\n")
    told = run(capsys, "--trace", str(uneven), "--drive", "845DC PRO 400")[1]
    (busy,) = (line.split() for line in told.splitlines() if "Busy" in line)
    assert busy == ["Busy", "minute", "(99", "%)", "over", "mean", "1.5"]
    assert "Busy" not in run(capsys, "--trace", trace, "--drive", "845DC PRO 400")[1]


def test_for_machines(capsys, trace):
    code, out, _ = run(
        capsys, "--trace", trace, "--capacity", "1TB", "--raw", "1.28TB", "--simulate", "--json"
    )
    got = json.loads(out)
    assert code == 0
    assert list(got) == ["file", "drive", "workload", "write_amplification"]
    assert got["workload"]["overwrites"] == pytest.approx(10, rel=0.01)
    wa = got["write_amplification"]
    assert wa["op_ratio"] == pytest.approx(0.28)
    played = wa["replayed"]
    assert played["model"]["wa"] == pytest.approx(played["wa"], rel=0.05)


def test_less_of_the_drive_in_use_is_less_write_amplification(capsys, trace):
    drive = ("--trace", trace, "--drive", "845DC PRO 400", "--json")
    full, half = (
        json.loads(run(capsys, *drive, *more)[1])["write_amplification"]["lasting_wa"]
        for more in ((), ("--spare", "50%"))
    )
    assert half < full


@pytest.mark.parametrize(
    ("arguments", "statement"),
    [
        (("--drive", "845DC PRO 400"), "Missing option '--trace'"),
        (("--trace", "none.csv", "--drive", "845DC PRO 400"), "--trace 'none.csv' cannot be read"),
        (("--trace", "TRACE"), "--drive must name one drive, or --capacity describe one"),
        (("--trace", "TRACE", "--drive", "860 PRO 4TB", "--known-only"),
         "give --raw 512GiB, or leave out --known-only"),
        (("--trace", "TRACE", "--drive", "845DC PRO 400", "--mapping-unit", "100B"),
         "--mapping-unit must be a multiple of 512 bytes"),
        (("--trace", "TRACE", "--drive", "845DC PRO 400", "--format", "tencent"), "line 1: has 4"),
        (("--trace", "TRACE", "--drive", "845DC PRO 400", "--format", "xyz"), "format must be one"),
    ],
)  # fmt: skip
def test_a_complaint_is_a_sentence(capsys, trace, arguments, statement):
    code, out, err = run(capsys, *(trace if a == "TRACE" else a for a in arguments))
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert statement in err
    assert err.count("\n") == 1


def test_a_trace_of_reads_has_no_write_amplification(capsys, tmp_path):
    path = tmp_path / "reads.csv"
    path.write_bytes(b"time_s,op,offset,size\n0,R,0,4096\n")
    code, _, err = run(capsys, "--trace", str(path), "--drive", "845DC PRO 400")
    assert (code, err) == (2, "Error: trace must contain a write\n")


def test_a_broken_trace_is_refused_with_file_and_line(capsys, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_bytes(SAMPLES["Alibaba"].replace(b"\n2,W,", b"\n2,Q,", 1))
    code, _, err = run(capsys, "--trace", str(path), "--drive", "845DC PRO 400")
    assert code == 2
    assert err == "Error: bad.csv: line 3: 'Q' is not a read, write or trim\n"
