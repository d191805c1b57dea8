"""The fit: a drive that fio is made to have measured comes back, and what was not fitted is met."""

import json
from dataclasses import replace

import numpy as np
import pytest

from models.errors import DomainError
from planner.catalogue.drive import own_drive, with_user_facts
from planner.cli import main
from planner.scenario.workload import Workload
from planner.sections.speed import speed
from planner.sections.speed_curve import speed_curve
from planner.simulation.fit import fit
from planner.telemetry import read
from tests import synthetic_fio as made

GENTLE = Workload(host_bytes_per_s=4e6)
DEPTHS = (1, 2, 4, 8, 16, 32)
TRUE = {
    "read_s": 75e-6, "program_s": 1500e-6, "random_read_iops": 70e3,
    "sequential_read_bytes_per_s": 510e6, "sequential_write_bytes_per_s": 400e6,
    "burst_write_iops": 80e3,
}  # fmt: skip


@pytest.fixture(scope="module")
def true(pro_400):
    """A drive that differs from its data sheet: its steady rate is what its dies have time for."""
    printed = ("worst_case_iops", "steady_write_iops")
    bare = replace(pro_400, facts={k: v for k, v in pro_400.facts.items() if k not in printed})
    return with_user_facts(bare, **TRUE)


@pytest.fixture(scope="module")
def pro_400():
    from planner.catalogue import find, load

    return find(load(), "845DC PRO 400")


@pytest.fixture(scope="module")
def result(true):
    """What fio would say of that drive."""
    curve = [
        made.reads(depth, speed(true, replace(GENTLE, queue_depth=depth)).random_read_iops.value,
                   group=depth)
        for depth in DEPTHS
    ]  # fmt: skip
    mixed = replace(GENTLE, host_bytes_per_s=1000 * 4096, queue_depth=4, read_fraction=0.9)
    tail = speed(true, mixed).closed_read_latency_s
    beside = [
        made.job("w", group=90, rw="randwrite", iodepth=256, rate_iops=1000,
                 write=made.direction(1000.0, mean_s=20e-6)),
        made.reads(4, 30e3, group=90, name="beside", quantiles=tail),
    ]  # fmt: skip
    sequential = [
        made.job("fill", group=91, rw="write", iodepth=32,
                 write=made.direction(400e6 / 2**20, bs=2**20, mean_s=32 / (400e6 / 2**20))),
        made.job("scan", group=92, rw="read", iodepth=32,
                 read=made.direction(510e6 / 2**17, bs=2**17, mean_s=32 / (510e6 / 2**17))),
    ]  # fmt: skip
    return read("a.json", made.encoded(made.run(*curve, *beside, *sequential))).workload


@pytest.fixture(scope="module")
def log(true):
    """A log of the course that the model has for that drive."""
    return logged(speed(true, GENTLE, with_readers=False))


def logged(answer):
    course = speed_curve(answer)
    seconds = np.arange(1, int(2 * answer.settling_s.value))
    rates = np.interp(seconds, course.seconds, course.iops)
    return read("steady_iops.log", made.log(rates)).workload


@pytest.fixture(scope="module")
def found(pro_400, result, log):
    return fit(pro_400, [result, log], GENTLE)


def test_the_drive_comes_back(found):
    got = {fact.quantity: fact.after for fact in found.facts}
    for quantity in set(TRUE) - {"program_s"}:
        assert got[quantity] == pytest.approx(TRUE[quantity], rel=0.005), quantity


def test_the_steady_rate_is_met_by_the_program_time(found, true):
    wanted = speed(true, GENTLE).steady_write_iops.value
    assert speed(found.drive, GENTLE).steady_write_iops.value == pytest.approx(wanted, rel=0.01)
    assert found.drive.value("program_s") == pytest.approx(TRUE["program_s"], rel=0.02)


def test_without_reads_beside_writes_slow_flash_and_firmware_are_not_told_apart(pro_400, log):
    got = fit(pro_400, [log], GENTLE)
    assert got.drive.value("program_s") is None
    assert any("would distinguish it from slow flash" in note for note in got.notes)


def test_a_steady_rate_of_a_part_of_the_drive_replaces_the_printed_one_of_the_whole(pro_400):
    part = {"partition_fraction": 0.75}
    slower = with_user_facts(pro_400, steady_write_iops=42e3, program_s=1350e-6)
    true = speed(slower, GENTLE, **part, with_readers=False)
    got = fit(pro_400, [logged(true)], GENTLE, **part)
    assert got.drive.value("steady_write_iops") == pytest.approx(42e3, rel=0.03)
    (steady,) = (point for point in got.points if point.name == "Steady random writes")
    assert steady.is_fitted
    assert abs(steady.residual_after) < 0.006


def test_points_that_nothing_was_fitted_to_are_met(found):
    """The curve between its ends, and percentiles beside writes."""
    held_out = [p for p in found.points if not p.is_fitted and p.residual_after is not None]
    reads = [p for p in held_out if p.name.startswith("Random reads")]
    tail = [p for p in found.points if "reads beside writes" in p.name]
    assert len(reads) == len(DEPTHS) - 2
    assert [p.is_fitted for p in tail] == [True, False, True, True, False]
    for point in reads:
        assert abs(point.residual_after) < 0.01, point.name
    for point in tail:
        assert abs(point.residual_after) < 0.05, point.name
    assert max(abs(point.residual_before) for point in reads) > 0.1


def test_a_fitted_point_is_met_and_says_so(found):
    fitted = [p for p in found.points if p.is_fitted and "beside writes" not in p.name]
    assert {"Steady random writes", "Fresh random writes", "Random reads, depth 1"} <= {
        point.name for point in fitted
    }
    for point in fitted:
        assert abs(point.residual_after) < 0.01, point.name


def test_a_drive_that_is_as_predicted_is_hardly_changed(pro_400):
    curve = [
        made.reads(depth, speed(pro_400, replace(GENTLE, queue_depth=depth)).random_read_iops.value,
                   group=depth)
        for depth in DEPTHS
    ]  # fmt: skip
    test = read("a.json", made.encoded(made.run(*curve))).workload
    got = fit(pro_400, [test], GENTLE)
    assert {fact.quantity for fact in got.facts} == {"random_read_iops", "read_s"}
    assert got.worst_residual < 1e-3


def test_the_mean_over_a_course_is_not_taken_for_the_steady_rate(pro_400):
    one = made.job("w", rw="randwrite", iodepth=32,
                   write=made.direction(60e3, mean_s=32 / 60e3, runtime_s=1000))  # fmt: skip
    got = fit(pro_400, [read("a.json", made.encoded(made.run(one))).workload], GENTLE)
    assert got.facts == ()
    assert any("mixes the fresh and the steady rate" in note for note in got.notes)


def test_after_a_first_run_past_the_settling_the_mean_is_steady(pro_400):
    writes = made.direction(45e3, mean_s=32 / 45e3, runtime_s=2000, max_s=8e-3)
    runs = [made.job(f"w{n}", group=n, rw="randwrite", iodepth=32, write=writes) for n in (0, 1)]
    got = fit(pro_400, [read("a.json", made.encoded(made.run(*runs))).workload], GENTLE)
    facts = {fact.quantity: fact.after for fact in got.facts}
    assert facts["steady_write_iops"] == 45e3
    assert facts["worst_case_iops"] == pytest.approx(32 / 8e-3)
    assert speed(got.drive, GENTLE).steady_write_iops.value == pytest.approx(45e3, rel=0.006)
    half = fit(pro_400, [read("a.json", made.encoded(made.run(*runs))).workload], GENTLE,
               partition_fraction=0.75)  # fmt: skip
    assert "steady_write_iops" not in {fact.quantity for fact in half.facts}


def test_a_drive_of_unknown_flash_takes_rates_and_says_what_it_cannot(result):
    got = fit(own_drive(1e12), [result], GENTLE)
    assert got.drive.value("random_read_iops") == pytest.approx(70e3, rel=0.005)
    assert any("the flash of the drive is unknown" in note for note in got.notes)


def test_nothing_to_compare_is_a_sentence(pro_400):
    one = made.job("m", rw="randrw", iodepth=4, read=made.direction(1e4, mean_s=2e-4),
                   write=made.direction(1e4, mean_s=2e-4))  # fmt: skip
    test = read("a.json", made.encoded(made.run(one))).workload
    with pytest.raises(DomainError, match="m: reads and writes of one job"):
        fit(pro_400, [test], GENTLE)


def test_speed_takes_measurements(tmp_path, capsys):
    file = tmp_path / "r.json"
    file.write_bytes(made.encoded(made.run(made.reads(1, 10e3), made.reads(32, 60e3, group=1))))
    call = ["speed", "--drive", "845DC PRO 400", "--measured", str(file)]
    assert main([*call, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["random_read_iops"] == pytest.approx(60e3)
    assert {fact["quantity"] for fact in told["fit"]["facts"]} == {"random_read_iops", "read_s"}
    assert main(call) == 0
    assert "Fitted to the measurements" in capsys.readouterr().out


def figures(capsys, *call):
    assert main([*call, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    told.pop("fit", None)
    return told


def test_fitted_facts_are_saved_and_taken_again(tmp_path, capsys):
    """The drive of the saved scenario gives every figure of the fitted one."""
    file, saved = tmp_path / "r.json", tmp_path / "mine.json"
    file.write_bytes(made.encoded(made.run(made.reads(1, 10e3), made.reads(32, 60e3, group=1))))
    asked = [
        "speed", "--drive", "845DC PRO 400", "--fill", "80%", "--known-only",
        "--fact", "erase_s=3ms", "--fact", "read_s=99us",
    ]  # fmt: skip
    fitted = figures(capsys, *asked, "--measured", str(file), "--save", str(saved))
    assert figures(capsys, "speed", "--scenario", str(saved)) == fitted
    assert figures(capsys, *asked) != fitted
    options = json.loads(saved.read_text())["options"]
    facts = dict(fact.split("=") for fact in options.pop("fact"))
    assert options == {"known_only": "true", "fill": "80%", "drive": "Samsung 845DC PRO 400 GB"}
    assert set(facts) == {"erase_s", "read_s", "random_read_iops"}
    assert facts["read_s"].endswith(" us")
    assert main(["plan", "--scenario", str(saved)]) == 0


def test_a_drive_of_ones_own_and_a_replaced_option_are_saved(tmp_path, capsys):
    file, saved = tmp_path / "r.json", tmp_path / "mine.json"
    file.write_bytes(made.encoded(made.run(made.reads(32, 60e3))))
    asked = ["speed", "--capacity", "1TB", "--raw", "1TiB", "--collection", "fifo"]
    fitted = figures(capsys, *asked, "--measured", str(file), "--save", str(saved))
    assert figures(capsys, "speed", "--scenario", str(saved)) == fitted
    assert main([*asked, "--save", str(saved)]) == 2
    assert "--save writes the fit to --measured" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "statement"),
    [(b"", "the file is empty"), (b"date,host_bytes\n2024-01-01,5\n", "is not a fio test"),
     (None, "cannot be read")],
)  # fmt: skip
def test_what_is_no_test_by_fio_is_a_sentence(tmp_path, capsys, data, statement):
    file = tmp_path / "r.json"
    if data is not None:
        file.write_bytes(data)
    assert main(["speed", "--drive", "845DC PRO 400", "--measured", str(file)]) == 2
    assert statement in capsys.readouterr().err
