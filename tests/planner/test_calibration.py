"""Points measured on a drive, as every face takes them, and what a plan makes of them."""

import json
from dataclasses import replace

import numpy as np
import pytest

import planner as ssd
from models.calibration import IopsPoint, WaPoint, calibrated
from models.units import GB, GIB
from planner.catalogue.drive import own_drive, with_user_facts
from planner.cli import main
from planner.export.tables import record
from planner.quantity.input import InputError
from planner.quantity.link import from_query
from planner.scenario.firmware import Firmware, Policy
from planner.scenario.workload import Workload
from planner.search.sweeps import wa_curve
from planner.sections.calibration import with_points
from planner.sections.plan import known_only, plan_drive
from planner.sections.request import plan_of
from planner.sections.speed import speed_of
from planner.sections.speed_ranges import speed_ranges_of

DRIVE = "7450 PRO 960"
WA, FULL_IOPS, PART_IOPS = "3.19@894GiB", "94204@894GiB", "225848@596GiB"
POINTS = (WaPoint(3.19, 894 * GIB), IopsPoint(94_204, 894 * GIB), IopsPoint(225_848, 596 * GIB))
PART = 596 * GIB / (960 * GB)


@pytest.fixture(scope="module")
def fit():
    return calibrated(POINTS, nominal_raw_bytes=1024 * GIB)


def test_a_plan_is_on_the_fitted_curve_at_every_spare_area(fit):
    for part in (1.0, PART):
        answer = plan_of(
            DRIVE, measured_wa=WA, measured_iops=[FULL_IOPS, PART_IOPS], spare=f"{1 - part!r}"
        )
        span = 960 * GB * part
        assert answer.ranges["workload_wa"][:3] == pytest.approx(fit.wa(span), rel=1e-9)
        assert answer.ranges["write_iops"][:3] == pytest.approx(fit.iops(span), rel=1e-9)
        assert answer.ranges["workload_wa"].basis == "derived"


def test_what_was_fitted_is_shown_with_its_intervals(fit, catalogue):
    answer = plan_of(DRIVE, measured_wa=WA, measured_iops=f"{FULL_IOPS}; {PART_IOPS}")
    names = {"effective_raw_bytes": "raw_bytes"}
    for name in ("effective_raw_bytes", "base_factor", "copy_cost", "program_iops"):
        expected = fit.spread(names.get(name, name))
        assert answer.ranges[name][:3] == pytest.approx(expected, rel=1e-9)
    assert "write amplification 3.19 at 894 GiB and 94,204 IOPS at 894 GiB" in answer.notes[0]
    statement = record(answer, catalogue)
    assert [point["quantity"] for point in statement["fit"]["points"]] == ["wa", "iops", "iops"]
    assert statement["sources"]["fit"]["title"]
    assert json.dumps(statement)


def test_one_steady_rate_alone_says_that_it_identifies_no_curve():
    answer = plan_of(DRIVE, measured_iops=FULL_IOPS)
    assert answer.notes[0].startswith("One steady rate alone identifies no curve")
    before = plan_of(DRIVE, skew="uniform").ranges["workload_wa"]
    wa = answer.ranges["workload_wa"]
    assert wa.low < before.low
    assert wa.high > before.high


def test_a_point_narrows_what_is_answered():
    wide = plan_of(DRIVE, skew="uniform").ranges["workload_wa"]
    narrow = plan_of(DRIVE, measured_wa=WA).ranges["workload_wa"]
    assert narrow.high / narrow.low < 0.8 * wide.high / wide.low


@pytest.mark.parametrize("wa", [1.2, 1.89, 3.19])
def test_a_measured_workload_stays_at_its_span_and_follows_elsewhere(wa):
    here = plan_of(DRIVE, wa=wa)
    assert here["workload_wa"].value == wa
    each = here.ranges["workload_wa"]  # later counts differ by some percent
    assert each.high / each.low < 1.11 or here.drive.fit is not None
    elsewhere = [plan_of(DRIVE, wa=wa, spare=f"{spare}%") for spare in (5, 15, 33)]
    values = [one["workload_wa"].value for one in elsewhere]
    assert wa > values[0] > values[1] > values[2] > 1


def test_a_measured_workload_that_may_be_uniform_follows_the_fit():
    followed = plan_of(DRIVE, wa=3.19, spare=f"{1 - PART!r}")["workload_wa"].value
    fitted = plan_of(DRIVE, measured_wa=WA, spare=f"{1 - PART!r}")["workload_wa"].value
    assert followed == pytest.approx(fitted, rel=0.02)
    assert plan_of(DRIVE, wa=1.89).drive.fit is None  # of other writes
    assert plan_of(DRIVE, wa=3.19, skew="80/20").drive.fit is None


def test_a_measured_workload_follows_in_every_sweep():
    answer = plan_of(DRIVE, wa=1.89)
    (swept,) = answer.reading.swept("workload_wa", partition_fraction=np.array([1.0, 0.67]))
    assert swept[0] == 1.89
    assert swept[1] == pytest.approx(
        plan_of(DRIVE, wa=1.89, spare="33%")["workload_wa"].value, rel=1e-12
    )
    curve = wa_curve(answer, np.array([0.1, 0.3, 0.6]))
    assert curve[0] > curve[1] > curve[2]


def test_a_plan_of_the_library_keeps_what_was_measured_without_a_span():
    drive = with_user_facts(own_drive(960 * GB), raw_bytes=1024 * GIB)
    fixed = Workload(host_bytes_per_s=1e6, measured_wa=1.89)
    got = plan_drive(drive, fixed, partition_fraction=0.5)["workload_wa"]
    assert (got.value, got.is_given) == (1.89, True)
    moved = plan_drive(drive, replace(fixed, measured_span_bytes=960 * GB), partition_fraction=0.5)
    assert 1 < moved["workload_wa"].value < 1.5


def test_without_a_model_a_measured_workload_is_as_measured():
    answer = known_only(plan_of(DRIVE, wa=1.89, spare="33%"))
    assert answer.drive.value("raw_bytes") is None
    assert answer["workload_wa"].value == 1.89


@pytest.mark.parametrize("policy", list(Policy))
def test_a_policy_is_fitted_by_its_own_law(policy):
    drive = with_user_facts(own_drive(960 * GB), raw_bytes=1024 * GIB, pages_per_block=64.0)
    usual = plan_drive(drive, Workload(host_bytes_per_s=1e6), firmware=Firmware(policy=policy))
    point = WaPoint(usual["workload_wa"].value, 960 * GB)
    fitted = with_points(drive, [point], policy=policy)
    answer = plan_drive(fitted, Workload(host_bytes_per_s=1e6), firmware=Firmware(policy=policy))
    assert answer["workload_wa"].value == pytest.approx(point.wa, rel=0.03)


@pytest.mark.parametrize(
    ("raw_gib", "user_gb", "nominal_gib"), [(1024, 960, 1024), (1040, 960, 1024), (1248, 960, 1248)]
)
def test_flash_that_is_stated_is_the_nominal_one(raw_gib, user_gb, nominal_gib):
    drive = with_user_facts(own_drive(user_gb * GB), raw_bytes=raw_gib * GIB)
    got = with_points(drive, [IopsPoint(1e5, user_gb * GB)]).value("effective_raw_bytes")
    assert got / GIB == pytest.approx(nominal_gib * (1.02 if nominal_gib == 1024 else 1), rel=0.01)


def test_texts_numbers_and_lists_are_one_way_of_the_script():
    one = ssd.plan(DRIVE, measured_wa=WA)
    other = ssd.plan(DRIVE, measured_wa=[WA])
    assert float(one.wa) == float(other.wa)
    low, high = one.wa.low, one.wa.high
    assert low < one.wa < high
    assert one["effective_raw_bytes"] == pytest.approx(1079, abs=2)


@pytest.mark.parametrize(
    ("inputs", "statement"),
    [
        ({"measured_wa": "0.5@894GiB"}, "measured_wa must be from 1 to 1000, got '0.5@894GiB'"),
        ({"measured_wa": "3.19"}, "measured_wa must be a number at a span, such as 3.19@894GiB"),
        (
            {"measured_iops": "0@894GiB"},
            "measured_iops must be from 1 to 1,000,000,000, got '0@894GiB'",
        ),
        (
            {"measured_iops": "9@0GiB"},
            "measured_iops must be at a span from 0.1 to 10,000,000 GB, got '9@0GiB'",
        ),
        ({"measured_wa": "3@1TB"}, "measured_wa must lie in the user capacity of 960 GB, got"),
        (
            {"measured_wa": ["3.19@894GiB", "3.19@600GiB"]},
            "measured_wa must agree with each other, got write amplification 3.19 at 600 GiB, wh",
        ),
        ({"measured_wa": "1.2@894GiB"}, "measured_wa must agree with 1024 GiB of flash, got"),
    ],
)
def test_what_cannot_be_is_refused_by_its_name(inputs, statement):
    with pytest.raises(InputError) as refused:
        plan_of(DRIVE, **inputs)
    assert str(refused.value).startswith(statement)


def test_a_contradiction_is_an_error_of_the_command(capsys):
    arguments = ["plan", "--drive", DRIVE, "--measured-iops", FULL_IOPS, "--measured-iops",
                 "95000@596GiB", "--json"]  # fmt: skip
    assert main(arguments) == 2
    statement = json.loads(capsys.readouterr().out)["error"]
    assert statement["option"] == "--measured-iops"
    assert statement["message"].endswith(": -65 % off")


def test_a_scenario_keeps_the_points_and_what_they_gave(capsys, tmp_path, fit):
    path = tmp_path / "mine.json"
    options = ["--measured-wa", WA, "--measured-iops", FULL_IOPS, "--measured-iops", PART_IOPS]
    assert main(["plan", "--drive", DRIVE, *options, "--save", str(path), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    saved = json.loads(path.read_text())
    assert saved["options"]["measured_iops"] == [FULL_IOPS, PART_IOPS]
    assert saved["fitted"] == first["fit"]
    assert saved["fitted"]["effective_raw_bytes"]["typical"] == pytest.approx(fit.raw_bytes)
    assert main(["plan", "--scenario", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ranges"] == first["ranges"]


@pytest.mark.parametrize("part", [1.0, PART])
def test_speed_settles_at_the_fitted_rate(part, fit):
    answer = plan_of(DRIVE, measured_iops=[FULL_IOPS, PART_IOPS], spare=f"{1 - part!r}")
    alone = calibrated(POINTS[1:], nominal_raw_bytes=1024 * GIB)
    got = speed_of(answer)
    expected = alone.iops(960 * GB * part)
    assert got.steady_write_iops.value == pytest.approx(expected.typical, rel=1e-9)
    assert "steady_write_iops" not in got.binding
    ranges = speed_ranges_of(answer, got).answers["steady_write_iops"]
    assert ranges[:3] == pytest.approx(expected, rel=1e-9)


def test_a_link_holds_points():
    link = from_query({"measured_iops": [f"{FULL_IOPS}; {PART_IOPS}"], "measured_wa": ["0.3@1GB"]})
    assert link.values == {"measured_iops": f"{FULL_IOPS}; {PART_IOPS}"}
    assert link.refused == ["measured_wa must be from 1 to 1000, got '0.3@1GB'"]


@pytest.mark.parametrize("unit_kib", [4, 8, 16, 64])
def test_an_unknown_unit_is_the_one_that_a_measured_write_amplification_fits(unit_kib):
    """A drive whose map is known says what it writes; the point alone tells as much of it."""
    kind = {"capacity": "30.72TB", "kind": "QLC enterprise NVMe 2024", "skew": "uniform"}
    of_unit = plan_of(**kind, fact=f"unit_bytes={unit_kib}KiB")
    wa = of_unit.reading["workload_wa"].value
    fitted = plan_of(**kind, measured_wa=f"{wa!r}@30.72TB", spare="20%")
    assert fitted.drive.value("unit_bytes") == unit_kib * 1024
    there = plan_of(**kind, fact=f"unit_bytes={unit_kib}KiB", spare="20%")
    ratio = fitted.reading["workload_wa"].value / there.reading["workload_wa"].value
    assert ratio == pytest.approx(1, abs=0.05)
    named = any(f"{unit_kib} KiB fits best" in note for note in fitted.notes)
    assert named == (unit_kib > 4)


def test_a_point_that_leaves_less_flash_than_data_is_refused():
    with pytest.raises(InputError, match="measured_wa must agree with more flash than 61,440 GB"):
        plan_of("BM1743 61.44", measured_wa="80@50TB")
