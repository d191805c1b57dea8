"""The job file: INI that fio takes, in the order of a test, with the planner's own figures."""

import configparser
import os
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from models.errors import DomainError
from planner.catalogue import find
from planner.cli import main
from planner.export.fio_job import fio_job
from planner.quantity.show import text
from planner.scenario.workload import Workload
from planner.sections.speed import speed
from planner.telemetry import read

BUSY = Workload(host_bytes_per_s=50e6, read_fraction=0.7)
FIO = shutil.which("fio")


def parsed(job):
    """Read a job file by the rules of fio: # and ; begin comments, options may lack a value."""
    parser = configparser.ConfigParser(
        allow_no_value=True, delimiters=("=",), comment_prefixes=("#", ";"), interpolation=None
    )
    parser.read_string(job)
    return parser


def says(job, section):
    """The comment above a section."""
    above = job.partition(f"[{section}]")[0].splitlines()
    lines = []
    for line in reversed(above):
        if not line.startswith(";"):
            break
        lines.append(line.removeprefix("; "))
    return "\n".join(reversed(lines))


@pytest.fixture(scope="module")
def pro_400():
    from planner.catalogue import load

    return find(load(), "845DC PRO 400")


@pytest.fixture(scope="module")
def job(pro_400):
    return fio_job(pro_400, BUSY)


def test_the_order_of_the_test(job):
    sections = parsed(job).sections()
    assert sections == [
        "global", "fill", "sequential-read", "steady-writes", "writes-1", "readers-beside",
        "writes-2", "reads-beside", *(f"reads-{1 << power}" for power in range(6)),
    ]  # fmt: skip
    waits = [name for name in sections[1:] if parsed(job).has_option(name, "stonewall")]
    assert set(sections[1:]) - set(waits) == {"readers-beside", "reads-beside"}


def test_precondition_is_two_sequential_fills(job):
    fill = dict(parsed(job)["fill"])
    assert (fill["rw"], fill["loops"]) == ("write", "2")
    assert "runtime" not in fill
    assert "time_based" not in parsed(job)["global"]
    assert parsed(job)["global"]["size"] == "100%"


def test_writes_run_past_the_predicted_settling_with_a_log_for_every_second(job, pro_400):
    got = parsed(job)["steady-writes"]
    settles = speed(pro_400, BUSY).settling_s.value
    assert settles + 600 <= float(got["runtime"]) <= settles + 660
    assert (got["rw"], got["bs"], got["iodepth"]) == ("randwrite", "4k", "32")
    assert (got["log_avg_msec"], got["write_iops_log"]) == ("1000", "steady-writes")
    assert "norandommap" in parsed(job)["global"]


def test_reads_run_beside_the_rate_of_the_workload(job):
    got = parsed(job)
    assert got["writes-1"]["rate_iops"] == str(round(50e6 / 4096))
    assert got["reads-beside"]["rate_iops"] == str(round(50e6 / 4096 * 7 / 3))
    assert "rate_iops" not in got["readers-beside"]
    assert got["reads-beside"]["rate_process"] == "poisson"


def test_each_job_carries_its_prediction(job, pro_400):
    answer = speed(pro_400, BUSY)
    for quantity, value in {
        "burst_write_iops": answer.fresh_write_iops, "cliff_s": answer.cliff_s,
        "steady_write_iops": answer.steady_write_iops, "settling_s": answer.settling_s,
        "max_latency_s": answer.max_latency_s,
    }.items():  # fmt: skip
        assert text(quantity, value.value) in says(job, "steady-writes")
    for section, latencies in {
        "readers-beside": answer.closed_read_latency_s, "reads-beside": answer.read_latency_s,
    }.items():  # fmt: skip
        for percent, seconds in latencies.items():
            assert f"p{percent:.7g}: {text('read_s', seconds)}" in says(job, section)
    for depth in (1, 8, 32):
        reads = speed(pro_400, replace(BUSY, queue_depth=depth)).random_read_iops.value
        assert text("random_read_iops", reads) in says(job, f"reads-{depth}")
    assert "460 MB/s" in says(job, "fill")


def test_writes_that_saturate_the_drive_say_so(pro_400):
    job = fio_job(pro_400, replace(BUSY, host_bytes_per_s=400e6))
    assert "saturated (90 % range of the drive's limit: " in says(job, "writes-1")
    assert "saturated" not in says(job, "readers-beside")


def test_a_part_of_the_device(pro_400):
    quarter = parsed(fio_job(pro_400, BUSY, partition_fraction=0.75))
    assert quarter["global"]["size"] == "75%"
    odd = parsed(fio_job(pro_400, BUSY, partition_fraction=0.333))["global"]["size"]
    assert int(odd) % 4096 == 0
    assert int(odd) == pytest.approx(0.333 * 400e9, abs=4096)


def test_a_workload_without_writes_or_reads_needs_no_jobs_beside(pro_400):
    only_reads = fio_job(pro_400, replace(BUSY, read_fraction=1.0))
    assert "writes-1" not in parsed(only_reads).sections()
    only_writes = parsed(fio_job(pro_400, replace(BUSY, read_fraction=0.0))).sections()
    assert "readers-beside" in only_writes
    assert "reads-beside" not in only_writes


def test_a_drive_of_unknown_flash_says_what_is_not_predicted(catalogue):
    job = fio_job(find(catalogue, "860 PRO 4TB"), BUSY)
    assert "not predicted" in says(job, "steady-writes")
    assert int(parsed(job)["steady-writes"]["runtime"]) >= 600


@pytest.mark.parametrize("device", ["", " ", "/dev/sda\n[evil]", "a:b", "a;b", "a#b", "a\\b"])
def test_a_device_that_would_break_the_file_is_refused(pro_400, device):
    with pytest.raises(DomainError, match=r"^device must be"):
        fio_job(pro_400, BUSY, device=device)


def test_the_command_writes_the_file(tmp_path, capsys, job):
    call = ["fio-job", "--drive", "845DC PRO 400", "--writes", "50MB/s", "--reads", "70%",
            "--known-only"]  # fmt: skip
    assert main(call) == 0
    assert capsys.readouterr().out == job + "\n"
    target = tmp_path / "measure.fio"
    assert main([*call, "-o", str(target), "--device", "/dev/nvme1n1"]) == 0
    assert parsed(target.read_text())["global"]["filename"] == "/dev/nvme1n1"
    assert main([*call, "-o", str(tmp_path / "none" / "x.fio")]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.skipif(FIO is None, reason="fio is not installed")
def test_fio_takes_it(job, tmp_path):
    file = tmp_path / "job.fio"
    file.write_text(job)
    (tmp_path / "t").write_bytes(b"")
    run = subprocess.run(
        [FIO, "--parse-only", str(file)], capture_output=True, text=True, check=False,
        cwd=tmp_path, env=os.environ | {"DEVICE": "t"},
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(FIO is None, reason="fio is not installed")
def test_what_fio_writes_is_read_back_with_the_jobs_recognised(job, tmp_path):
    small = re.sub(r"runtime=\d{4}", "runtime=2500ms", job)
    small = re.sub(r"runtime=\d+$", "runtime=300ms", small, flags=re.MULTILINE)
    small = re.sub(r"rate_iops=\d+", "rate_iops=300", small).replace("size=100%", "size=8m")
    small = small.replace("direct=1", "direct=0").replace("${DEVICE}", "t")
    (tmp_path / "job.fio").write_text(small)
    subprocess.run(
        [FIO, "--output-format=normal,json+", "--output=result.json", "job.fio"], cwd=tmp_path,
        capture_output=True, check=True, timeout=120,
    )  # fmt: skip
    reading = read("result.json", (tmp_path / "result.json").read_bytes())
    assert reading.refused is None
    jobs = {one.name: one for one in reading.workload.jobs}
    assert list(jobs) == parsed(job).sections()[1:]
    assert jobs["readers-beside"].beside == ("writes-1",)
    assert jobs["writes-1"].is_paced
    assert not jobs["readers-beside"].is_paced
    (curve,) = (c for c in reading.workload.curves if c.pattern == "random")
    assert curve.queue_depths == (1, 2, 4, 8, 16, 32)
    log = read("steady-writes_iops.log", (tmp_path / "steady-writes_iops.log").read_bytes())
    assert log.workload.courses[0].prefix == jobs["steady-writes"].log_prefix
