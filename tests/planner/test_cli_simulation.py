"""Commands that run the simulator."""

import json

import pytest

from planner.cli import main

SMALL = ("--blocks", "400", "--pages", "32", "--warmup", "3", "--measure", "3")


def run(capsys, *arguments):
    code = main(arguments)
    return code, *capsys.readouterr()


def test_simulate_for_machines(capsys):
    code, out, _ = run(capsys, "simulate", *SMALL, "--op", "28%", "--json")
    got = json.loads(out)
    assert code == 0
    assert list(got) == [
        "wa", "wa_low", "wa_high", "host_writes", "copies", "erases", "warnings",
    ]  # fmt: skip
    assert got["wa_low"] <= got["wa"] <= got["wa_high"]
    assert got["wa"] == pytest.approx(1 + got["copies"] / got["host_writes"])


@pytest.mark.parametrize(
    "options",
    [
        ("--workload", "zipf:0.99"), ("--workload", "hotcold:0.2:0.8"), ("--trim", "0.1"),
        ("--collection", "fifo"), ("--collection", "d-choices", "--choices", "5"),
        ("--frontiers", "host-gc", "--reserve", "2"), ("--fill", "sequential"),
    ],
)  # fmt: skip
def test_simulate_for_people(capsys, options):
    code, out, _ = run(capsys, "simulate", *SMALL, *options)
    assert code == 0
    assert out.startswith("Write amplification ")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--workload", "zipf"), "--workload must be uniform, zipf:EXPONENT or hotcold"),
        (("--workload", "hotcold:0.2"), "--workload must be uniform"),
        (("--blocks", "1.5"), "--blocks must be a whole number from 1 to 1,000,000,000, got '1.5'"),
        (("--op", "0"), "must be in (0, 1000]"),
        (("--trim", "60%"), "--trim must be from 0 to less than 50 %"),
        (("--frontiers", "host-gc"), "must be"),
        (("--blocks", "9e8", "--pages", "4"), "blocks must be"),
    ],
)
def test_a_complaint_names_the_field(capsys, options, complaint):
    code, out, err = run(capsys, "simulate", *SMALL, *options)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.startswith("Error: ")


def test_a_report_needs_a_folder_before_the_long_work_begins(capsys, tmp_path):
    code, _, err = run(capsys, "validate", "-o", str(tmp_path / "none" / "report.md"))
    assert code == 2
    assert "must be in a folder that exists" in err


def test_the_report_of_arrays_lists_every_case(tmp_path, monkeypatch):
    from validation import command as validation
    from validation.array_grid import array_tasks

    few = [task for task in array_tasks(quick=True) if "depth 512" in task.name][:3]
    monkeypatch.setattr(validation, "array_tasks", lambda *, quick: few)
    report = tmp_path / "arrays.md"
    assert main(["validate", "--what", "arrays", "--quick", "-o", str(report)]) == 0
    told = report.read_text()
    assert all(task.name in told for task in few)
    assert "IOPS of arrays, reporting half" in told
