"""A trace, an application and a SMART file reach the plan as numbers, a trace with its own classes.

Traces are generated with known temperatures: the classes that are read must give the write
amplification of those, where no preset does.
"""

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import planner as ssd
from models.errors import DomainError
from planner.cli import cli
from planner.quantity.input import ValueText
from planner.quantity.inputs import INPUTS
from planner.scenario.skew import PRESETS, classes_of
from tests.planner.telemetry.traces.samples import csv_of

DRIVE = "845DC PRO 400"
PAGES, WRITES = 10_000, 200_000
SMART = "docs/examples/smartctl.json"
TEMPERATURES = {
    "60/5": ((0.6, 0.4), (0.05, 0.95)), "80/20": ((0.8, 0.2), (0.2, 0.8)),
    "95/50": ((0.95, 0.05), (0.5, 0.5)), "uniform": ((1.0,), (1.0,)),
}  # fmt: skip


def writes_of(write_shares, page_shares, seed=3):
    """Draw page writes of classes that lie scattered over the space."""
    rng = np.random.default_rng(seed)
    sizes = np.round(np.array(page_shares) * PAGES).astype(int)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    of = rng.choice(len(sizes), WRITES, p=write_shares)
    return rng.permutation(PAGES)[starts[of] + (rng.random(WRITES) * sizes[of]).astype(int)]


@pytest.fixture(scope="module", params=TEMPERATURES)
def traced(request, tmp_path_factory):
    """Return the name of a skew, and the file of a trace with it."""
    path = tmp_path_factory.mktemp("trace") / "trace.csv"
    path.write_bytes(csv_of(writes_of(*TEMPERATURES[request.param])))
    return request.param, path


def hottest(frame, space):
    """Return the share of writes to the hottest `space`, part of a class by its share."""
    known = frame.cumsum()
    return np.interp(space, [0, *known["space"]], [0, *known["writes"]])


def test_temperatures_come_back_as_classes_and_give_their_write_amplification(traced):
    skew, path = traced
    found = ssd.read(path)
    write_shares, page_shares = TEMPERATURES[skew]
    if skew != "uniform":
        assert hottest(found.classes, page_shares[0]) == pytest.approx(write_shares[0], abs=0.03)
    inputs = {**found.inputs, "placement": "one-log"}
    plan = ssd.plan(DRIVE, **inputs)
    others = {name: value for name, value in inputs.items() if name != "skew"}
    expected = ssd.plan(DRIVE, skew=skew, **others).wa
    assert plan.wa == pytest.approx(expected, rel=0.01)
    assert (plan.wa.low, plan.wa.high) == pytest.approx((expected.low, expected.high), rel=0.01)
    if skew not in PRESETS:
        presets = [float(ssd.plan(DRIVE, skew=name, **others).wa) for name in PRESETS]
        assert min(abs(wa / expected - 1) for wa in presets) > 0.02


def test_the_plan_has_the_numbers_of_the_trace_to_the_last_digit(traced):
    found = ssd.read(traced[1])
    known, trace = ssd.plan(DRIVE, **found.inputs).record.workload, found.records[0].workload
    assert known.write_shares == trace.write_shares
    assert known.page_shares == trace.page_shares
    assert known.host_bytes_per_s == trace.host_bytes_per_s
    assert known.transfer_bytes == trace.write_bytes
    assert known.sequential_fraction == trace.sequential_fraction
    assert not known.is_in_field


def test_a_saved_trace_is_the_scenario_of_a_plan(traced, tmp_path):
    scenario = tmp_path / "scenario.json"
    done = CliRunner().invoke(cli, ["read", str(traced[1]), "--save", str(scenario)])
    assert done.exit_code == 0, done.output
    options = json.loads(scenario.read_text())["options"]
    assert set(options) == {"reads", "sequential", "trim", "size", "skew", "writes"}
    line = ["plan", DRIVE, "--scenario", str(scenario), "--json"]
    printed = json.loads(CliRunner().invoke(cli, line).stdout)["answers"]["workload_wa"]
    assert printed == pytest.approx(ssd.plan(DRIVE, **ssd.read(traced[1]).inputs).wa.base, rel=1e-5)
    shares = classes_of(options["skew"], capacity_bytes=1.0)
    trace = ssd.read(traced[1]).records[0].workload
    assert shares[0] == pytest.approx(trace.write_shares, rel=1e-9)
    overridden = json.loads(CliRunner().invoke(cli, [*line, "--skew", "uniform"]).stdout)
    assert overridden["answers"]["workload_wa"] != printed


def test_a_trace_without_times_has_no_rate_and_one_of_reads_no_classes(tmp_path):
    reads, untimed = tmp_path / "reads.csv", tmp_path / "untimed.csv"
    reads.write_bytes(b"time_s,op,offset,size\n0,R,0,8192\n1,R,4096,8192\n")
    inputs = ssd.read(reads).inputs
    assert inputs.keys() == {"reads", "sequential", "trim", "size", "writes"}
    plan = ssd.plan(DRIVE, **inputs)
    assert (plan.record.workload.read_fraction, plan.record.workload.host_bytes_per_s) == (1, 0)
    untimed.write_bytes(b"op,offset,size\nW,0,4096\nW,4096,4096\nW,0,4096\n")
    assert "writes" not in ssd.read(untimed).inputs


def test_an_application_reaches_the_plan_to_the_last_digit():
    load = ssd.app("sqlite-wal", transactions_per_s=37).record
    workload = ssd.plan(
        DRIVE, app="sqlite-wal", app_inputs={"transactions_per_s": 37}
    ).record.workload
    low, typical, high = load.figures["device_bytes_per_s"]
    assert workload.host_bytes_per_s == typical
    assert workload.host_bytes_ratios == (low / typical, high / typical)
    assert workload.working_set_fraction == load.typical.span_bytes / 400e9


def test_counters_of_a_drive_reach_the_plan_to_the_last_digit(tmp_path):
    log = json.loads(Path(SMART).read_text())
    for attribute in log["ata_smart_attributes"]["table"]:
        if attribute["id"] == 241:
            attribute["raw"] = {"value": 1_012_345_678_901, "string": "1012345678901"}
    path = tmp_path / "smart.json"
    path.write_text(json.dumps(log))
    found = ssd.read(path)
    (reading,) = found.records[0].drives
    written, age_s = reading.host_bytes.value, reading.power_on_s.value
    plan = ssd.plan(**found.inputs).record
    assert plan.drive.value(INPUTS["written"].field) == written == 1_012_345_678_901 * 512
    assert plan.workload.host_bytes_per_s == written / age_s
    assert plan.workload.measured_wa == reading.wa.value
    assert INPUTS["written"].value(str(found.inputs["written"])) != written  # as the text is


def test_a_text_with_its_value_is_one_text_everywhere_and_keeps_the_value():
    third = ValueText("33.3%", 1 / 3)
    assert third == "33.3%"
    assert json.loads(json.dumps({"reads": third})) == {"reads": "33.3%"}
    for again in (third, copy.copy(third), copy.deepcopy(third), pickle.loads(pickle.dumps(third))):  # noqa: S301
        assert (again, INPUTS["reads"].value(again)) == ("33.3%", 1 / 3)
    assert INPUTS["reads"].value(str(third)) == pytest.approx(0.333)
    half = ValueText("1 GB", 1e9)
    assert INPUTS["working_set"].value(half, capacity_bytes=2e9) == 0.5
    with pytest.raises(ValueError, match=r"^reads must be from 0 to 100 %, got '120%'"):
        INPUTS["reads"].value(ValueText("120%", 1.2))


def test_several_traces_are_not_read_as_the_last(tmp_path):
    """The inputs were those of the last file, without a word."""
    names = []
    for name, size in (("one.csv", 4096), ("two.csv", 8192)):
        lines = [f"{second},W,{second * size},{size}\n" for second in range(10)]
        names.append(tmp_path / name)
        names[-1].write_text("time_s,op,offset_bytes,size_bytes\n" + "".join(lines))
    with pytest.raises(DomainError, match=r"one\.csv, .*two\.csv are several traces, and a scena"):
        _ = ssd.read(*names).inputs
    assert [ssd.read(name).inputs["size"] for name in names] == ["4 KiB", "8 KiB"]
