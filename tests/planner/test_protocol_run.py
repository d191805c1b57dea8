"""The job of a protocol, as fio takes it, and a result of fio beside the prediction."""

import json
import os
import re
import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pytest

from models.errors import DomainError
from planner.catalogue import find, load
from planner.catalogue.priors import with_assumptions
from planner.export.protocol_job import protocol_job
from planner.simulation.protocol.answer import protocol_on
from planner.simulation.protocol.measured import log_name, measured_protocol
from planner.simulation.protocol.presets import own_protocol, protocols
from planner.telemetry import read
from tests import protocol_runs
from tests.protocol_runs import run_fio

ROOT = Path(__file__).parents[2]
NAME, SIZE = "840 EVO 250", 64e6
OWN = (
    "fill", "write random 4KiB depth 4 for 1 s", "read random 4KiB depth 4 up to 4MB for 2 s",
    "mix 50% reads random 4KiB for 1 s", "idle 1 s", "trim",
    "write sequential 128KiB in bursts of 1MB up to 4MB busy 20%",
    # By time: fio does not end the second stream of a phase that is over before it runs.
    "read sequential 64KiB depth 4 in bursts of 2MB for 2 s beside writes of 1MB every 1 s",
)  # fmt: skip


def predicted(protocol, size_bytes=SIZE):
    drive = with_assumptions(find(load(), NAME))
    return protocol_on(drive, protocol, usable_fraction=size_bytes / drive.capacity_bytes)


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
@pytest.mark.parametrize("name", sorted(protocols()))
def test_fio_parses_the_job_of_every_protocol(name, tmp_path):
    job = tmp_path / "job.fio"
    job.write_text(protocol_job(predicted(protocols()[name], 20e9), device=f"{tmp_path}/file"))
    run = subprocess.run(
        ["fio", "--parse-only", str(job)], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
@pytest.mark.parametrize("engine", ["libaio", "null"])
def test_a_result_of_fio_finds_every_phase(tmp_path, engine):
    """On a file, and on the null engine: every phase is found, with the rates of fio."""
    answer = predicted(own_protocol(OWN))
    found = run_fio(answer, tmp_path, engine)
    assert [each.name for each in found.phases] == [each.phase.name for each in answer.phases]
    assert found.others == ()
    jobs = {
        job["jobname"]: job for job in json.loads((tmp_path / "result.json").read_text())["jobs"]
    }
    assert not any(job["error"] for job in jobs.values())
    for each in found.phases:
        own = jobs[each.name]
        if each.answer.phase.busy_fraction == 1:
            sides = own["read"], own["write"]
            rates = sum(side["bw_bytes"] for side in sides)
            assert each.bytes_per_s == pytest.approx(rates, rel=0.01)
    assert jobs["idle 1 s"]["read"]["runtime"] == pytest.approx(1000, abs=100)
    # The second stream has its own job, and ends with the phase beside it.
    [reads] = [job for name, job in jobs.items() if name == OWN[-1]]
    assert reads["write"]["io_bytes"] == 0
    assert jobs[f"{OWN[-1]}-beside"]["write"]["runtime"] < 10_000


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_logs_of_fio_are_the_courses_of_their_phases(tmp_path):
    """Of a mix both directions together; a skew in the name of a phase is no folder."""
    phases = "mix 50% reads random 4KiB for 3 s", "write random 4KiB skew 80/20 for 3 s"
    answer = predicted(own_protocol(phases))
    job = protocol_job(answer, device=str(tmp_path / "file"))
    for phase in phases:
        log = f"write_bw_log={log_name(phase)}\nlog_avg_msec=1000\nper_job_logs=0"
        job = job.replace(f"[{phase}]\n", f"[{phase}]\n{log}\n")
    (tmp_path / "job.fio").write_text(job)
    command = ["fio", "--output-format=json+", "--output=result.json", "job.fio"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    found = run_fio(answer, tmp_path)
    assert [course.name for course in found.courses] == list(phases)
    for course, phase in zip(found.courses, found.phases, strict=True):
        assert course.bytes_per_s.mean() == pytest.approx(phase.bytes_per_s, rel=0.3)


def test_a_file_is_not_trimmed_by_fio():
    answer = predicted(own_protocol(("fill", "trim", "write 4KiB for 1 s")))
    assert "rw=trim" in protocol_job(answer, device="/dev/nvme9n9")
    on_file = protocol_job(answer, device="/srv/file")
    assert "rw=trim" not in on_file
    assert "; trim: fio trims devices, not files." in on_file


@pytest.mark.parametrize(
    ("skew", "expected"),
    [
        ("80/20", "zoned:80/20:20/80"), ("jesd219", "zoned:50/5:30/15:20/80"),
        ("zipf:1.2", "zipf:1.2"),
        ("zipf:1.0", "zipf:1.0001"), ("62.5/10+37.5/90", "zoned:62/10:38/90"),
    ],
)  # fmt: skip
def test_a_skew_is_a_distribution_of_fio(skew, expected, tmp_path):
    answer = predicted(own_protocol((f"write 4KiB skew {skew} for 1 s",)))
    job = protocol_job(answer, device=str(tmp_path / "file"))
    assert f"random_distribution={expected}" in job.splitlines()
    if shutil.which("fio"):
        (tmp_path / "job.fio").write_text(job)
        subprocess.run(["fio", "--parse-only", "job.fio"], cwd=tmp_path, check=True)


def test_a_skew_that_fio_has_no_zones_for_is_refused():
    answer = predicted(own_protocol(("write 4KiB skew 99.9/0.1 for 1 s",)))
    with pytest.raises(DomainError, match=r"skew 99\.9/0\.1 has a part below 1 %"):
        protocol_job(answer, device="/srv/file")


@pytest.mark.skipif(not os.environ.get("LONG"), reason="half an hour, in `make long`")
def test_presets_run_on_a_file_of_1_gb(tmp_path):
    """Every phase and its log, of the runs of `docs/evidence/protocol-runs.md`."""
    for run in protocol_runs.runs(tmp_path):
        assert len(run.found.phases) == run.phases, run.name
        assert run.found.courses, run.name


def test_page_of_runs_tells_that_every_phase_was_found():
    page = (ROOT / "docs" / "evidence" / "protocol-runs.md").read_text()
    [(found, asked)] = re.findall(r"^(\d+) of (\d+) phases", page, re.MULTILINE)
    lines = [line for line in page.splitlines() if re.match(r"\| (?!protocol|-)", line)]
    names = [(run, engine) for run, engine, *_ in (re.findall(r"[\w-]+", line) for line in lines)]
    asked_of = {name: len(protocols()[name].measured) for name in ("burst", "mixed-burst")}
    asked_of |= {"four-corners": len(protocols()["four-corners"].measured), "own": 5}
    expected = sum(asked_of[name] for name, _ in set(names))
    assert int(found) == int(asked) == len(lines) == expected


def test_a_job_is_found_by_its_kind_where_its_name_is_another():
    answer = predicted(own_protocol(OWN))
    [phase] = [each for each in answer.phases if each.phase.name == OWN[2]]
    document = {
        "fio version": "fio-3.33",
        "jobs": [{
            "jobname": "mine",
            "job options": {"rw": "randread", "bs": "4k", "iodepth": "4", "ioengine": "libaio"},
            "read": {"bw_bytes": 100_000_000, "iops": 24414.0, "total_ios": 1000, "runtime": 41,
                     "io_bytes": 4_096_000},
        }],
    }  # fmt: skip
    test = read("result.json", BytesIO(json.dumps(document).encode())).workload
    found = measured_protocol(answer, [test])
    assert [each.name for each in found.phases] == [phase.phase.name]
    assert found.phases[0].ratio == pytest.approx(1e8 / phase.bytes_per_s.typical)


def test_jobs_of_another_test_are_refused():
    answer = predicted(own_protocol(OWN[:2]))
    with pytest.raises(DomainError, match="no job is a phase of own"):
        measured_protocol(answer, [])
