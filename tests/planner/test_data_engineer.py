"""What a data engineer does with scripts, written down before it was built.

1 read a frame of rates; 2 sweep arrays as a product; 3 join low and high; 4 plot life against spare
area; 5 vectorise over drives; 6 group by drive; 7 pickle a plan; 8 compare drives; 9 look up a key;
10 look up a name; 11 iterate over keys; 12 ask whether a key is known; 13 write JSON; 14 make a
frame; 15 take the first choice; 16 loop over choices; 17 size by a question; 18 give numbers with
units; 19 give a numpy scalar; 20 pass a Number on; 21 ask the percentiles of a drive; 22 ask its
array at several depths; 23 ask loss and cost over years; 24 see why a point is refused; 25 write
and read a Parquet file of a sweep. What is refused: several values, ambiguous shares, misspelt
names, numbers without a unit.

Written down next, before the rest was built: 26 a frame whose cells are empty, None, NaN or NA; 27
a row that is refused, even for an unknown drive, keeps the others; 28 the index of a frame stays,
so that results join it; 29 a Series of writes with its unit; 30 Numbers of one plan as values of a
sweep; 31 drives of the catalogue as an axis, grouped by name; 32 an application as the load of a
sweep and of a comparison; 33 scalars of numpy, pandas and datetime; 34 copy and pickle every
answer; 35 sort a choice by its cost; 36 plan a used drive from its SMART file; 37 forecast a drive
from files; 38 a fleet as a frame; 39 quantiles of an uncertain plan; 40 a plan through JSON; 41 a
workbook; 42 an application as numbers; 43 depth of an array as a text; 44 read a trace and plan
with it; 45 the units of the columns of every frame.
"""

import copy
import datetime
import io
import json
import pickle

import numpy as np
import pandas as pd
import pytest

import planner as ssd
from models.errors import DomainError
from models.units import DAY_S, TB
from planner.quantity.writes import unambiguous
from planner.script.sweeps import COLUMNS

DRIVE, PAIR = "PM9A3 1.92", ["PM9A3 1.92", "870 EVO 1TB"]


@pytest.fixture(scope="module")
def plan():
    return ssd.plan(DRIVE, writes="1 TB/day", drives=8, raid=6)


@pytest.fixture(scope="module")
def grid():
    return ssd.sweep(
        DRIVE, writes=["1 TB/day", "2 TB/day"], spare=np.linspace(0, 0.28, 5), drives=4
    )


def same_as_plans(frame, **fixed):
    """Check every row of a sweep against the plan of it."""
    for row in frame.to_dict("records"):
        inputs = {name.removeprefix("input_"): value for name, value in row.items()
                  if name not in NUMBERS}  # fmt: skip
        one = ssd.plan(inputs.pop("drive", DRIVE), **fixed, **inputs)
        for name in COLUMNS:
            number = getattr(one, name)
            expected = float(number), number.low, number.high
            got = row[name], row[f"{name}_low"], row[f"{name}_high"]
            np.testing.assert_allclose(got, expected, rtol=1e-9, err_msg=f"{name} {inputs}")


NUMBERS = {f"{name}{end}" for name in COLUMNS for end in ("", "_low", "_high")} | {"refused"}


def test_a_frame_of_rates_becomes_a_frame_of_plans():
    rates = pd.read_csv(io.StringIO("drive,writes,reads\nPM9A3 1.92,1 TB/day,0.5\n"
                                    "870 EVO 1TB,30 GB/day,0.9\n"))  # fmt: skip
    same_as_plans(ssd.sweep(rates, drives=2), drives=2)


def test_arrays_are_swept_as_a_product_and_each_row_is_its_plan(grid):
    assert len(grid) == 10
    same_as_plans(grid, drives=4)


@pytest.mark.parametrize("swept", [
    {"writes": (np.array([10.0, 300.0, 4000.0]), "GB/day")},
    {"reads": [0.0, 0.5, 1.0]}, {"sequential": [0.1, 0.9]}, {"growth": ["-20%", "15%"]},
    {"size": ["512 B", "4 KiB", "1 MiB"]}, {"depth": [1, 32, 256]}, {"fill": [0.5, 1]},
    {"trim": [0, 0.1]}, {"raw": ["2048 GiB", "2200 GiB"]}, {"pe_cycles": [1000, 7000]},
    {"price": [200, 400]}, {"warranty": ["3 years", "5 years"]}, {"wa": [1.5, 3]},
    {"raid": [0, 5, 6], "drives": [4, 8]}, {"skew": ["uniform", "80/20"]},
    {"writes": ["0.3 DWPD", "1 DWPD"], "spare": [0, 0.1]},
], ids=" ".join)  # fmt: skip
def test_any_input_may_vary(swept):
    same_as_plans(ssd.sweep(DRIVE, **swept))


def test_low_and_high_are_joined_beside_the_number(grid):
    ends = grid[["wear_low", "wear", "wear_high"]].to_numpy()
    assert np.all(np.diff(ends, axis=1) >= 0)
    assert grid.attrs["units"]["wear"] == "years"


def test_life_over_spare_area_rises_as_a_curve_to_plot(grid):
    curves = grid.pivot_table(index="spare", columns="writes", values="wear")
    assert np.all(np.diff(curves.to_numpy(), axis=0) > 0)


def test_drives_are_swept_and_grouped():
    frame = ssd.sweep(PAIR, writes=["100 GB/day", "1 TB/day"])
    assert frame.groupby("drive", sort=False)["wear"].min().index.tolist() == PAIR


def test_a_plan_is_pickled(plan):
    again = pickle.loads(pickle.dumps(plan))  # noqa: S301 - its own
    assert list(again) == list(plan)
    assert [float(again[key]) for key in again if key in again.record.reading.graph.answers] == [
        float(plan[key]) for key in plan if key in plan.record.reading.graph.answers
    ]
    assert again.wear.explain() == plan.wear.explain()


def test_drives_are_compared_by_name():
    frame = ssd.compare(PAIR, writes="100 GB/day")
    assert frame.index.tolist() == PAIR
    assert frame.loc[PAIR[1], "price"] == float(ssd.plan(PAIR[1], writes="100 GB/day").price)


def test_a_plan_is_a_mapping_of_its_numbers(plan):
    assert plan["workload_wa"] == plan["wa"] == plan.wa
    assert "life" in plan
    assert "raw_bytes" in plan
    assert "weight" not in plan
    assert len(plan) == len(list(plan)) == len(plan.keys())
    assert {"life_s", "workload_wa", "total_price_usd"} <= {*plan}
    assert {key: float(plan[key]) for key in plan}["usable_bytes"] == float(plan.usable)


def test_json_and_frames_have_the_same_numbers(plan):
    base = json.loads(plan.to_json())["answers"]["workload_wa"]
    assert base == float(plan.to_frame().loc["workload_wa", "value"]) == float(plan.wa)


def test_choices_are_a_sequence():
    choice = ssd.choose(PAIR, usable="4 TB", writes="100 GB/day", raid="5,10")
    assert choice[0].record is choice.best.record
    assert len(choice) == len([*choice]) == len(choice.plans)


def test_a_drive_is_sized_by_a_question():
    sized = ssd.size(DRIVE, "spare", writes="1 TB/day", life="5 years")
    assert 0 <= sized.value <= 100
    assert ssd.size(PAIR, "price", writes="100 GB/day").value > 0


def test_a_number_has_its_unit_or_is_a_count():
    expected = ssd.plan(DRIVE, writes="1 TB/day", drives=8)
    for writes in ((1, "TB/day"), (np.float64(1e12 / DAY_S / 1e6), "MB/s"), "1000 GB/day"):
        assert ssd.plan(DRIVE, writes=writes, drives=np.int64(8)).wear == pytest.approx(
            expected.wear
        )
    assert ssd.plan(DRIVE, raw=expected["raw_bytes"])["raw_bytes"] == expected["raw_bytes"]


def test_questions_have_inputs_of_their_own(plan):
    speed = plan.speed()
    assert speed.p50_read <= speed.p99_read <= speed.p99_99_read <= speed.p99_99_read.high
    iops = [plan.array(depth=depth).iops for depth in (1, 8, 64)]
    assert iops == sorted(iops)
    assert plan.loss(years=1).loss <= plan.loss(years=10).loss
    assert plan.loss(afr="5%").afr == 5
    costs = [plan.cost_of(years=years, discount_rate="0%").cost for years in (1, 5)]
    assert costs[0] < costs[1]
    assert plan.cost_of().to_frame().loc["npv_usd", "value"] == float(plan.cost_of().cost)
    assert "npv_usd" in plan.cost_of()
    with pytest.raises(AttributeError, match="Loss of data has no 'chance'; it has loss"):
        _ = plan.loss().chance


def test_a_point_that_cannot_be_has_its_reason():
    frame = ssd.sweep(DRIVE, raid=[0, 5], drives=[1, 4])
    assert frame["refused"].tolist() == ["", "", "drives must be >= 3 for RAID 5, got 1", ""]
    assert frame["usable"].isna().tolist() == [False, False, True, False]


def test_a_sweep_is_stored_and_read(grid, tmp_path):
    grid.to_parquet(tmp_path / "grid.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "grid.parquet"), grid)


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"writes": ["1 TB/day", "2 TB/day"]}, r"writes takes one value here; ssd\.sweep takes"),
        ({"spare": np.array([0, 0.1])}, r"spare takes one value here; ssd\.sweep"),
        ({"writes": ("1 TB/day", "2 TB/day")}, r"writes takes one value here; ssd\.sweep takes"),
        ({"writes": pd.Series([1.0, 2.0])}, r"writes takes one value here; ssd\.sweep takes"),
        ({"writes": (np.ones(2), "MB/s")}, r"writes takes one value here; ssd\.sweep takes"),
        ({"years": [3, 5]}, r"years takes one value here; ssd\.sweep takes"),
        ({"writes": np.nan}, "writes must be a number, got NaN"),
        ({"reads": float("nan")}, "reads must be a number, got NaN"),
        ({"write": "1 TB/day"}, "write is not an input of a plan; did you mean writes?"),
        ({"writes": 46e6}, r"writes must be with its unit: '50 GiB/day', or \(4.6e\+07"),
        ({"capacity": 1.92e12}, "capacity must be with its unit"),
        ({"reads": 70}, "reads must be in .0, 1. or a text: write '70%'"),
        ({"reads": 1.5}, "reads must be in .0, 1. or a text such as '70%', got 1.5"),
        ({"reads": 1.0000001}, "reads must be in .0, 1. or a text such as '70%'"),
        ({"reads": "1.5"}, "reads must be in .0, 1. or a share such as '70%'"),
        ({"growth": 1.5}, "growth must be a text: '150%' or '1.5%'"),
        ({"growth": "1.5"}, "growth must be with its unit, 1.5% or 150%"),
    ],
)
def test_what_is_ambiguous_is_refused(inputs, sentence):
    with pytest.raises(DomainError, match=sentence):
        ssd.plan(DRIVE, **inputs)


def test_several_drives_are_compared_not_planned():
    with pytest.raises(
        DomainError, match=r"^drive takes one value here; ssd\.compare and ssd\.swe"
    ):
        ssd.plan(PAIR)


@pytest.mark.parametrize(
    ("reads", "fraction"),
    [(0, 0), (1, 1), (0.7, 0.7), ("0.7", 0.7), ("70%", 0.7), ("70", 0.7), (1 + 1e-13, 1),
     (-1e-13, 0), (np.float32(0.5), 0.5)],
)  # fmt: skip
def test_a_share_is_a_fraction_unless_it_says_percent(reads, fraction):
    assert ssd.plan(DRIVE, reads=reads).record.workload.read_fraction == fraction


def test_help_lists_the_inputs():
    for name in ("writes", "spare", "pe_cycles", "known_only"):
        assert f"        {name}: " in ssd.plan.__doc__
    assert "uneven_low" in dir(ssd.plan(DRIVE))


def test_units_of_a_sweep_are_those_of_numbers(plan):
    frame = ssd.sweep(DRIVE, writes=["1 TB/day"], drives=8, raid=6)
    for name, unit in frame.attrs["units"].items():
        assert getattr(plan, name).unit == unit
    assert frame["usable"][0] * TB == pytest.approx(plan.usable.base)
    assert frame["price_per_usable"][0] == pytest.approx(float(plan.price_per_usable)), (
        "per TB, not per byte"
    )


def test_a_blank_cell_says_nothing_and_a_refused_row_keeps_the_others():
    text = """host,drive,writes,reads,drives
    a,PM9A3 1.92,1 TB/day,0.5,
    b,870 EVO 1TB,,0.9,2
    c,PM9A3 1.92,2 TB/day,,3
    d,no such drive,1 TB/day,0.5,2
    e,,1 TB/day,0.5,1
    f,PM9A3 1.92,1 parsec/day,0.5,2"""
    rates = pd.read_csv(io.StringIO(text), skipinitialspace=True).set_index("host")
    frame = ssd.sweep(rates)
    assert frame.index.tolist() == rates.index.tolist()
    assert rates.join(frame["wear"]).loc["c", "wear"] == frame.loc["c", "wear"]
    assert frame.loc["a", "wear"] == float(ssd.plan(DRIVE, writes="1 TB/day", reads=0.5).wear)
    assert frame.loc["b", "wear"] == float(ssd.plan(PAIR[1], reads=0.9, drives=2).wear)
    assert frame.loc["c", "wear"] == float(ssd.plan(DRIVE, writes="2 TB/day", drives=3).wear)
    assert frame.loc[["d", "e", "f"], "wear"].isna().all()
    assert frame["refused"].map(bool).tolist() == [False] * 3 + [True] * 3
    assert "no such drive" in frame.loc["d", "refused"]
    assert frame.loc["e", "refused"] == "drive must be named, or capacity be stated"
    assert frame.loc["f", "refused"].startswith("writes must be a rate such as")


@pytest.mark.parametrize("blank", [None, np.nan, pd.NA, pd.NaT])
def test_every_blank_is_one(blank):
    cells = pd.DataFrame({"writes": ["1 TB/day", "1 TB/day"], "spare": [blank, 0.1]}, dtype=object)
    frame = ssd.sweep(cells.assign(drive=DRIVE))
    expected = [float(ssd.plan(DRIVE, writes="1 TB/day", spare=spare).wear) for spare in (0, 0.1)]
    assert frame["wear"].tolist() == pytest.approx(expected, rel=1e-12)


def test_a_series_of_writes_has_one_unit():
    rates = pd.Series([10.0, 300.0], index=["x", "y"])
    frame = ssd.sweep(DRIVE, writes=(rates, "GB/day"))
    expected = [float(ssd.plan(DRIVE, writes=unambiguous(f"{rate} GB/day")).wear) for rate in rates]
    assert frame["wear"].tolist() == pytest.approx(expected, rel=1e-12)
    with pytest.raises(DomainError, match=r"writes takes one value here; ssd\.sweep takes several"):
        ssd.plan(DRIVE, writes=rates)


def test_numbers_keep_their_units_in_a_sweep():
    rate = ssd.plan(DRIVE, writes="3 TB/day")["host_bytes_per_s"]
    frame = ssd.sweep(DRIVE, writes=[rate, "1 TB/day"])
    assert frame["wear"][0] == pytest.approx(float(ssd.plan(DRIVE, writes="3 TB/day").wear))


def test_drives_of_the_catalogue_are_an_axis():
    frame = ssd.sweep(ssd.drives("PM9A3"), writes=["1 TB/day", "2 TB/day"])
    best = frame.groupby("drive")["wear"].max()
    assert set(best.index) == {drive.name for drive in ssd.drives("PM9A3")}
    assert best.is_monotonic_increasing or len(best) > 1


def test_an_application_is_the_load_of_a_sweep_and_of_a_comparison():
    etcd = {"app": "etcd", "app_inputs": {"puts_per_s": 50}}
    frame = ssd.sweep(DRIVE, spare=[0, 0.1], **etcd)
    assert frame["wear"][0] == float(ssd.plan(DRIVE, spare=0, **etcd).wear)
    compared = ssd.compare(PAIR, **etcd)
    assert compared.loc[PAIR[1], "rating"] == float(ssd.plan(PAIR[1], **etcd).rating)
    both = {"app": ["etcd", "video"], "app_inputs": {"etcd": {"puts_per_s": 50}}}  # on one drive
    assert ssd.sweep(DRIVE, spare=[0], **both)["rating"][0] == float(
        ssd.plan(DRIVE, spare=0, **both).rating
    )
    with pytest.raises(DomainError, match="app must be one of "):
        ssd.sweep(DRIVE, app=5)


@pytest.mark.parametrize(
    ("inputs", "same"),
    [
        ({"drives": np.array(4), "raid": np.int64(5)}, {"drives": 4, "raid": 5}),
        ({"writes": np.str_("2 TB/day")}, {"writes": "2 TB/day"}),
        ({"known_only": np.bool_(True)}, {"known_only": True}),
        ({"age": pd.Timedelta(days=730)}, {"age": "2 years"}),
        ({"age": datetime.timedelta(days=365)}, {"age": "1 year"}),
        ({"age": 1, "as_of": pd.Timestamp("2024-01-01")}, {"age": 1, "as_of": "2024-01-01"}),
        ({"phase_in": (6, "months")}, {"phase_in": "6 months"}),
        ({"writes": None}, {}),
    ],
)
def test_scalars_of_other_libraries_are_inputs(inputs, same):
    plan, expected = ssd.plan(DRIVE, **inputs), ssd.plan(DRIVE, **same)
    assert (plan.record.array, plan.record.drive) == (expected.record.array, expected.record.drive)
    assert plan.wear.low == expected.wear.low or not expected.wear.is_known
    assert repr(plan) == repr(expected)


def answers(plan):
    return {
        "speed": plan.speed(), "array": plan.array(), "loss": plan.loss(), "cost": plan.cost_of(),
        "choice": ssd.choose(PAIR, usable="4 TB", writes="100 GB/day", raid="5,10"),
        "size": ssd.size(DRIVE, "spare", writes="1 TB/day", life="5 years"),
        "uncertainty": ssd.uncertainty(DRIVE, {"writes": "1..2..4 TB/day"}),
        "remaining": ssd.remaining_life("docs/examples/wear-history.csv"),
        "contents": ssd.read("docs/examples/smartctl.json"), "app": ssd.app("kafka"),
        "fleet": ssd.fleet("docs/examples/smartctl.json"),
        "trace": ssd.wa("docs/examples/synthetic-trace.csv.gz", DRIVE), "plan": plan,
        "verdict": plan.verdict(),
    }  # fmt: skip


def test_every_answer_is_copied_and_pickled(plan):
    for name, answer in answers(plan).items():
        for again in (copy.copy(answer), copy.deepcopy(answer),
                      pickle.loads(pickle.dumps(answer))):  # noqa: S301 - its own  # fmt: skip
            assert repr(again) == repr(answer), name
            if hasattr(answer, "to_frame"):
                pd.testing.assert_frame_equal(again.to_frame(), answer.to_frame())


def test_a_choice_is_sorted_and_filtered_as_a_frame():
    frame = ssd.choose(PAIR, usable="4 TB", writes="100 GB/day", raid="5,10").to_frame()
    costs = [name for name in frame if "present value" in name.lower() or "cost" in name.lower()]
    assert frame[costs[0]].is_monotonic_increasing
    assert (frame.sort_values("drives")["drives"].diff().dropna() >= 0).all()


def test_a_used_drive_is_planned_and_forecast_from_its_file():
    file = "docs/examples/smartctl.json"
    plan = ssd.plan(**ssd.read(file).inputs)
    assert plan.drive.name == "Samsung PM863 960 GB"
    assert plan.record.workload.measured_wa == 1.85
    assert repr(plan).startswith("Samsung PM863 960 GB at 561.1 GB/day")
    assert ssd.remaining_life(file).life.low < ssd.remaining_life(file).life


def test_a_fleet_is_a_frame_with_dates():
    frame = ssd.fleet("docs/examples/smart*.json").to_frame()
    assert frame["wa"].tolist() == [1.85]
    assert frame["early"].dt.year.iloc[0] > 2023
    assert frame.attrs["units"]["host_bytes"] == "bytes"


def test_quantiles_of_an_uncertain_plan_are_a_frame():
    known = ssd.uncertainty(DRIVE, {"writes": "1..2..4 TB/day"})
    points = known.quantiles("life", "wear").drop(columns=["label", "unit"]).to_numpy(float)
    assert np.all(np.diff(points, axis=1) >= 0)
    assert known["wear"].low <= known["wear"] <= known["wear"].high
    with pytest.raises(KeyError, match="a plan has no 'lfie'"):
        known.chance("lfie", at_least=3)
    with pytest.raises(DomainError, match="at_least must be with its unit: '3 TB'"):
        known.chance("host_limit", at_least=3)


def test_a_plan_is_written_as_json_and_as_a_workbook(plan, tmp_path):
    written = json.loads(plan.to_json())
    values = {key: plan[key].base for key, each in written["answers"].items() if each is not None}
    assert values == pytest.approx(
        {key: each for key, each in written["answers"].items() if each is not None}, rel=1e-12
    )
    plan.to_excel(tmp_path / "plan.xlsx", exported=datetime.date(2026, 1, 1))
    cells = pd.read_excel(tmp_path / "plan.xlsx", sheet_name="Plan", header=None)
    assert len(cells) > 20


def test_the_depth_of_an_array_may_be_a_text(plan):
    assert plan.array(depth="32").iops == plan.array(depth=32).iops
    with pytest.raises(DomainError, match=r"^depth takes one value here"):
        plan.array(depth=[1, 2])
    with pytest.raises(DomainError, match=r"^depth must be"):
        plan.array(depth=0)


def test_every_frame_says_its_units(plan, grid):
    frames = [
        grid, ssd.read("docs/examples/smartctl.json").to_frame(), ssd.workloads(),
        ssd.read("docs/examples/synthetic-trace.csv.gz").to_frame(),
        ssd.fleet("docs/examples/smart*.json").to_frame(), ssd.compare(PAIR, writes="1 TB/day"),
    ]  # fmt: skip
    for frame in frames:
        assert frame.attrs["units"]
        assert set(frame.attrs["units"]) <= set(frame.columns)
    assert plan.to_frame()["unit"].all()
    assert plan.cost_of().to_frame()["unit"].all()
