"""Reads of the drive itself beside writes: what fio says of them moves and narrows percentiles."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.model_error import model_error
from planner.cli import main
from planner.scenario.firmware import Firmware
from planner.scenario.workload import Workload
from planner.sections.read_error import BY_ITSELF, ITSELF, OWN, OWN_LOADS, read_error
from planner.sections.request import plan_of
from planner.sections.speed import speed_of
from planner.sections.speed_case import QUANTILES, case_of
from planner.sections.speed_ranges import speed_ranges_of
from tests import measured_reads as evidence
from tests import read_ranges
from tests import synthetic_fio as made

RATIOS = {"p50": 1.2, "p99": 1.3, "p99.9": 0.8}  # measured over computed
PERCENTS = dict(zip(RATIOS, (50.0, 99.0, 99.9), strict=True))
PLACES = dict(zip(RATIOS, (0, 2, 3), strict=True))  # among `QUANTILES`
WRITES, READS = 20_000, 5_000  # per second
SCENE = {"writes": f"{4096 * WRITES} B/s", "reads": f"{100 * READS / (READS + WRITES)}%"}


@pytest.fixture(scope="module")
def unknown():
    """A drive as those measured, of a vendor of whom none was."""
    return replace(find(load(), "PM9A3 960"), drive_id="other", vendor="Any")


def own(drive, ratios=RATIOS, loads=1):
    facts = {OWN[name]: ratio for name, ratio in ratios.items()}
    return with_user_facts(drive, **facts, **{OWN_LOADS: float(loads)})


def error_of(drive):
    return read_error(drive, case_of(drive, Workload(host_bytes_per_s=1e6), Firmware()))


def reads_of(drive, **scene):
    plan = plan_of(drive, **SCENE | scene)
    return speed_ranges_of(plan, speed_of(plan, with_readers=False), with_readers=False).reads


def by_hand(name, ratio, loads):
    """Middle and half width given the error of a vendor of whom no drive was measured."""
    error = model_error("read_quantiles_s", name)
    between, noise = error.between**2, ITSELF**2 + error.within**2 / loads
    share = between / (between + noise)
    sd = math.sqrt(between * (1 - share) + ITSELF**2 + error.within**2)
    middle = error.middle + share * (math.log(ratio) - error.middle)
    return middle, t.ppf(0.95, 3 + error.families - 1) * sd


@pytest.mark.parametrize("loads", [1, 3])
def test_an_own_measurement_moves_the_typical_and_narrows_the_range(unknown, loads):
    found = error_of(own(unknown, loads=loads))
    assert found.basis == BY_ITSELF
    for name, ratio in RATIOS.items():
        middle, half = by_hand(name, ratio, loads)
        place = PLACES[name]
        assert np.log(found.typical[place]) == pytest.approx(middle)
        assert np.log(found.high / found.low)[place] / 2 == pytest.approx(half)
        assert (
            half
            < found.half_before[place]
            == pytest.approx(model_error("read_quantiles_s", name).half)
        )


def test_the_printed_percentiles_move_and_say_whose_measurement_it_was(unknown):
    before, now = reads_of(unknown), reads_of(own(unknown))
    for name, percent in PERCENTS.items():
        middle, half = by_hand(name, RATIOS[name], 1)
        assert now[percent].typical == pytest.approx(before[percent].typical * math.exp(middle))
        assert math.log(now[percent].high / now[percent].low) / 2 == pytest.approx(half)
        assert now[percent].basis == "measured"
        assert before[percent].basis == "prior"
        assert not now[percent].facts  # of its flash: part of what was measured


def test_another_unit_that_was_measured_is_known_less_than_the_drive_itself():
    drive = find(load(), "PM9A3 960")
    other, itself = error_of(drive), error_of(own(drive))
    assert np.all(np.log(itself.high / itself.low) < np.log(other.high / other.low))


def test_a_drive_of_a_kind_that_nobody_measured_is_known_by_its_own_reads():
    drive = find(load(), "845DC PRO 400")
    before, now = error_of(drive), error_of(own(drive))
    assert np.all(np.log(now.high / now.low) < np.log(before.high / before.low))
    assert not before.inside
    assert {"erase_s", "die_bytes"} <= now.inside


def test_what_was_not_measured_is_as_computed(unknown):
    before, now = error_of(unknown), error_of(own(unknown, {"p99": 1.3}))
    assert now.typical[0] == 1 < now.typical[2]
    assert (now.low[0], now.high[0]) == pytest.approx((before.low[0], before.high[0]))


def test_no_percentile_falls_below_a_lower_one(unknown):
    """A median far above, and tails far below what is computed, at a load of little else."""
    drive = own(unknown, {"p50": 6.0, "p99": 0.2, "p99.9": 0.1}, loads=50)
    reads = list(reads_of(drive, writes=f"{4096 * 1000} B/s").values())
    for ends in zip(*(each[:3] for each in reads), strict=True):
        assert np.all(np.diff(ends) >= 0)
    assert all(each.low <= each.typical <= each.high for each in reads)
    plan = plan_of(drive, **SCENE | {"writes": f"{4096 * 1000} B/s"})
    shown = list(speed_of(plan, with_readers=False).read_latency_s.values())
    assert shown == pytest.approx([each.typical for each in reads])


def results(tmp_path, *rates, ratios=RATIOS):
    """What fio would say of loads of a drive that takes so much longer than is computed."""
    jobs = []
    for group, rate in enumerate(rates):
        share = f"{100 * READS / (READS + rate)}%"
        plan = plan_of("980 PRO 1TB", writes=f"{4096 * rate} B/s", reads=share, depth="32")
        computed = speed_of(plan, with_readers=False).read_latency_s
        took = {percent: ratios[name] * computed[percent] for name, percent in PERCENTS.items()}
        jobs += [
            made.job(f"w{group}", group=group, rw="randwrite", iodepth=32, rate_iops=rate,
                     write=made.direction(rate, mean_s=2e-5)),
            made.reads(32, READS, group=group, name=f"r{group}", rate_iops=READS, quantiles=took),
        ]  # fmt: skip
    path = tmp_path / "own.json"
    path.write_bytes(made.encoded(made.run(*jobs)))
    return str(path)


def told(capsys, *call):
    assert main(list(call)) == 0
    return capsys.readouterr().out


LINE = ["speed", "--drive", "980 PRO 1TB", "--writes", "10 MB/s", "--reads", "30%", "--depth", "32"]


def test_the_door_of_fio_results_takes_them_and_a_saved_scenario_keeps_them(tmp_path, capsys):
    saved = str(tmp_path / "mine.json")
    measured = ["--measured", results(tmp_path, 1000, 3000), "--save", saved]
    before, now = (json.loads(told(capsys, *LINE, *more, "--json")) for more in ([], measured))
    facts = {fact["quantity"]: fact["after"] for fact in now["fit"]["facts"]}
    assert facts == pytest.approx({OWN[name]: ratio for name, ratio in RATIOS.items()}, rel=1e-3)
    assert now["read_latency_s"]["p99"] > before["read_latency_s"]["p99"]
    for percent in ("p50", "p99", "p99.9"):
        ends = [each["ranges"]["read_latency_s"][percent] for each in (before, now)]
        assert ends[1]["basis"] == "measured"
        assert ends[1]["high"] / ends[1]["low"] < ends[0]["high"] / ends[0]["low"]
    again = json.loads(told(capsys, "speed", "--scenario", saved, "--json"))
    for percent, each in now["ranges"]["read_latency_s"].items():
        assert again["ranges"]["read_latency_s"][percent]["high"] == pytest.approx(each["high"])


def test_a_load_that_may_saturate_the_drive_says_nothing(tmp_path, capsys):
    said = told(capsys, *LINE, "--measured", results(tmp_path, 400_000))
    assert "p99 is not used" in said
    assert "Own p99" not in said


def test_why_says_what_the_measurement_removed(tmp_path, capsys):
    before = told(capsys, *LINE, "--why", "p99_read")
    assert "found on drives of 5 families" in before
    said = told(capsys, *LINE, "--measured", results(tmp_path, 1000), "--why", "p99_read")
    assert "Your own measurement of this drive removed" in said
    assert "measure its reads at more loads (fio)" in said
    assert main([*LINE, "--why", "nothing"]) == 2
    assert "--why must be a number of this speed" in capsys.readouterr().err


def test_one_own_load_narrows_the_others_and_still_covers_them():
    """Of each measured drive, its vendor left out: the load nearest to 0.3 of saturation."""
    rest = read_ranges.planned_by_own(0.3)
    names = {(row.load.drive.drive_id, row.load.write_iops) for row in rest}
    alone = [row for row in read_ranges.below()
             if (row.load.drive.drive_id, row.load.write_iops) in names]  # fmt: skip
    assert len(rest) == len(alone) == len(read_ranges.below()) - len(evidence.drives())
    assert np.all(np.mean([row.is_inside for row in rest], axis=0) >= 0.9)
    micron = [row.is_inside[2] for row in rest if row.load.drive.vendor == "Micron"]
    assert (sum(micron), len(micron)) == (2, 5)  # as the page says
    assert np.all(read_ranges.widths(rest) < read_ranges.widths(alone))
    assert np.all(read_ranges.near(rest) > read_ranges.near(alone))


def test_levels_are_those_of_the_percentiles():
    assert [QUANTILES[place] for place in PLACES.values()] == [0.5, 0.99, 0.999]
