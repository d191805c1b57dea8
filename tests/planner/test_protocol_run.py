"""The job of a protocol, as fio takes it, and a result of fio beside the prediction."""

import json
import shutil
import subprocess
from io import BytesIO

import pytest

from models.errors import DomainError
from planner.catalogue import find, load
from planner.catalogue.priors import with_assumptions
from planner.export.protocol_job import protocol_job
from planner.simulation.protocol.answer import protocol_on
from planner.simulation.protocol.measured import measured_protocol
from planner.simulation.protocol.presets import own_protocol, protocols
from planner.telemetry import read

NAME, SIZE = "840 EVO 250", 64e6
OWN = (
    "fill", "write random 4KiB depth 4 for 1 s", "read random 4KiB depth 4 up to 4MB for 2 s",
    "mix 50% reads random 4KiB for 1 s", "idle 1 s", "trim",
    "write sequential 128KiB in bursts of 1MB up to 4MB busy 20%",
    "read sequential 64KiB depth 4 in bursts of 2MB up to 8MB beside writes of 1MB every 1 s",
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
def test_a_result_of_fio_finds_every_phase(tmp_path):
    """On fio's null engine, which moves nothing: phases are found, and the rates are fio's own."""
    answer = predicted(own_protocol(OWN))
    text = protocol_job(answer, device="null").replace("ioengine=libaio", "ioengine=null")
    job, result = tmp_path / "job.fio", tmp_path / "result.json"
    job.write_text(text.replace("direct=1\n", ""))
    command = ["fio", "--output-format=json+", f"--output={result}", str(job)]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    with result.open("rb") as stream:
        test = read("result.json", stream).workload
    found = measured_protocol(answer, [test])
    assert [each.name for each in found.phases] == [each.phase.name for each in answer.phases]
    jobs = {job["jobname"]: job for job in json.loads(result.read_text())["jobs"]}
    for each in found.phases:
        own = jobs[each.name]
        if each.answer.phase.busy_fraction == 1:
            sides = own["read"], own["write"]
            rates = sum(side["bw_bytes"] for side in sides)
            assert each.bytes_per_s == pytest.approx(rates, rel=0.01)


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
