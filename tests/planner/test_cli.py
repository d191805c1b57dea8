"""The command line: answers for people and machines, complaints in one sentence."""

import json
import re

import click
import pytest
from openpyxl import load_workbook

from planner.catalogue import data_folder
from planner.cli import cli, main
from planner.export.scenario_file import to_json


def run(capsys, *arguments):
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def ok(capsys, *arguments):
    code, out, err = run(capsys, *arguments)
    assert (code, err) == (0, "")
    return out


def test_plan_for_people(capsys):
    out = ok(
        capsys, "plan", "--drive", "845DC PRO 400", "--writes", "4TB/day", "--drives", "12",
        "--raid", "5", "--stalled", "5%", "--price-age", "30 years", "--all",
    )  # fmt: skip
    assert out.startswith("12 x Samsung 845DC PRO 400 GB, RAID 5: 4 TB a day for 5 years\nLASTS  ")
    assert "Scenario: 4 TB a day of host writes, 70 % reads" in out
    assert "Life: 5 years by warranty period, then 30 years by rated TBW" in out
    for line in (
        "Workload write amplification",
        "60,000 IOPS",
        "4.4 TB",
        "2,618 USD/TB",
        "46 in 100",
    ):
        assert line in out
    assert "Exploring Worst-Case IOPS" in out.split("Sources")[1]


def test_plan_for_machines_is_in_base_units(capsys):
    got = json.loads(
        ok(
            capsys,
            "plan",
            "--drive",
            "840 EVO 250",
            "--writes",
            "50GiB/day",
            "--known-only",
            "--json",
        )
    )
    assert got["drive"]["drive_id"] == "samsung-840-evo-250gb"
    assert got["life"]["limit"] == "flash wear"
    assert got["answers"]["usable_bytes"] == 250e9
    assert got["figures"]["raw_bytes"]["value"] == 256 * 2**30
    assert got["figures"]["raw_bytes"]["source"] in got["sources"]
    assert got["figures"]["random_wa"]["formula"] == "models.write_amplification.fifo"
    assert got["figures"]["random_wa"]["inputs"] == {"op_ratio": "effective_op_ratio"}
    assert got["missing"]["rated_life_s"]
    assert got["answers"]["rated_life_s"] is None
    assert set(got["ranges"]) == {key for key, value in got["answers"].items() if value is not None}
    assert {each["basis"] for each in got["ranges"].values()} == {"fact", "derived"}


def test_every_answer_has_a_range_and_its_basis(capsys):
    got = json.loads(ok(capsys, "plan", "--drive", "840 EVO 250", "--json"))
    assert not got["missing"]
    assert got["ranges"].keys() == got["answers"].keys()
    for key, each in got["ranges"].items():
        assert each["typical"] == got["answers"][key]
        assert each["low"] <= each["typical"] <= each["high"]
    bases = {key: each["basis"] for key, each in got["ranges"].items()}
    assert (bases["usable_bytes"], bases["workload_wa"]) == ("derived", "prior")
    assert any(reason.startswith("Rated drive writes per day") for reason in got["assumed"])


def test_a_life_without_end_is_valid_json(capsys):
    out = ok(
        capsys, "plan", "--drive", "845DC PRO 400", "--writes", "1 GB/day", "--growth", "-50%",
        "--json",
    )  # fmt: skip
    got = json.loads(out, parse_constant=pytest.fail)
    assert got["answers"]["wear_life_s"] is None
    assert got["figures"]["wear_life_s"]["shown"] == "unlimited"


def test_what_the_user_knows_comes_first(capsys):
    got = json.loads(ok(
        capsys, "plan", "--drive", "860 PRO 4TB", "--raw", "4096GiB", "--pe-cycles", "6000",
        "--tbw", "5000TB", "--price", "1500", "--worst-iops", "3200", "--pages", "256",
        "--rating-wa", "2", "--json",
    ))  # fmt: skip
    given = {key: node for key, node in got["figures"].items() if node.get("source") == "user"}
    assert {key: node["value"] for key, node in given.items()} == {
        "raw_bytes": 4096 * 2**30, "pe_cycles": 6000, "rated_bytes": 5e15, "price_usd": 1500,
        "worst_case_iops": 3200, "worst_case_at_depth_iops": 3200, "saturated_queue_depth": 32,
        "pages_per_block": 256,
        "rating_wa": 2,
    }  # fmt: skip
    assert got["figures"]["random_wa"]["formula"].endswith("greedy")
    assert got["answers"]["max_latency_s"] == pytest.approx(0.01)


def test_what_is_unknown_is_assumed_unless_known_facts_are_asked_for(capsys):
    known = ok(capsys, "plan", "--drive", "860 PRO 4TB", "--known-only", "--all")
    assert "missing" in known.split("Workload write amplification")[1].splitlines()[0]
    assumed = json.loads(ok(capsys, "plan", "--drive", "860 PRO 4TB", "--json"))
    assert assumed["figures"]["raw_bytes"]["source"] == "assumption"
    assert assumed["answers"]["workload_wa"] > 1


GROWN = (
    "plan", "--drive", "845DC PRO 400", "--writes", "3TB/day", "--growth", "20%",
    "--step", "x1.5 after 2 years", "--step", "x0.5 after 60 months", "--phase-in", "6months",
)  # fmt: skip


def test_steps_and_phase_in_reach_the_dates(capsys):
    out = ok(capsys, *GROWN, "--all")
    course = "growth of 20 %/year, phased in over 6 months, x1.5 after 2 years, x0.5 after 5 years"
    assert f"of host writes ({course}), 70 % reads" in out
    got = json.loads(ok(capsys, *GROWN, "--json"))
    assert got["figures"]["step_2_factor"]["value"] == 0.5
    first, second, *_ = got["life"]["years_of_replacements"]
    assert first == pytest.approx(got["life"]["years_by_limit"]["rated TBW"], rel=1e-12)
    assert f"Each drive in turn worn out: {first:.3g} years, {second:.4g} years" in out


def test_a_scenario_file_may_hold_steps(capsys, tmp_path):
    options = {
        "drive": "845DC PRO 400", "writes": "3TB/day", "growth": "20%", "phase_in": "6months",
        "step": ["x1.5 after 2 years", "x0.5 after 60 months"],
    }  # fmt: skip
    file = tmp_path / "scenario.json"
    file.write_text(to_json(options))
    assert ok(capsys, "plan", "--scenario", str(file)) == ok(capsys, *GROWN)


def test_maths_shows_formula_and_numbers(capsys):
    out = ok(capsys, "plan", "--drive", "840 EVO 250", "--maths")
    assert "models.growth.growing_lifetime_s(limit_bytes = " in out
    assert "growth_per_year = 0 %/year)" in out
    assert r"t = \frac{Y}{\gamma}" in out
    assert "models.write_amplification.fifo(op_ratio = 9.951 %)" in out
    assert "Program/erase cycles = 1,129 cycles [anandtech-7173]" in out


def test_drive_writes_per_day_count_the_usable_capacity(capsys):
    got = json.loads(ok(
        capsys, "plan", "--drive", "845DC PRO 400", "--writes", "1 DWPD", "--drives", "12",
        "--raid", "5", "--json",
    ))  # fmt: skip
    assert got["figures"]["host_bytes_per_s"]["value"] * 86400 == pytest.approx(4.4e12)


def test_drives_are_listed_searched_and_filtered(capsys):
    drives = len((data_folder() / "drives.csv").read_text().splitlines()) - 1
    assert f"2 of {drives} drives" in ok(capsys, "drives", "845dc", "pro")
    out = ok(capsys, "drives", "--vendor", "Micron", "--nand", "QLC", "--min-capacity", "1TB")
    assert "Micron 2400 2 TB" in out
    assert "Micron 2400 512 GB" not in out
    got = json.loads(ok(capsys, "drives", "845DC PRO 400", "--json"))
    assert got[0]["facts"]["raw_bytes"]["text"] == "512"
    assert f"0 of {drives} drives" in ok(capsys, "drives", "no such thing")


def test_compare_lays_drives_side_by_side(capsys):
    out = ok(
        capsys,
        "compare",
        "--drive",
        "845DC PRO 400",
        "--drive",
        "DC S3700 400",
        "--writes",
        "1TB/day",
        "--known-only",
        "--all",
    )
    head = out.splitlines()[0]
    assert "Samsung 845DC PRO 400 GB" in head
    assert "Intel DC S3700 400 GB" in head
    assert "missing: " in out
    both = json.loads(
        ok(capsys, "compare", "--drive", "840 EVO 250", "--drive", "840 EVO 500", "--json")
    )
    assert [plan["drive"]["name"] for plan in both] == [
        "Samsung 840 EVO 250 GB",
        "Samsung 840 EVO 500 GB",
    ]


def test_export_writes_the_format_of_the_name(capsys, tmp_path):
    for name, start in (("a.xlsx", b"PK"), ("a.csv", b"drive,section,"), ("a.json", b"[\n  {")):
        ok(capsys, "export", "--drive", "840 EVO 250", "-o", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(start)


def test_a_drive_of_ones_own_needs_only_a_capacity(capsys):
    out = ok(capsys, "plan", "--capacity", "1.92TB", "--writes", "1 DWPD")
    assert out.startswith("Own drive 1.92 TB: 1 DWPD = 1.92 TB a day for 5 years\n")
    got = json.loads(ok(
        capsys, "plan", "--capacity", "1.92TB", "--raw", "2048GiB", "--pe-cycles", "3000",
        "--writes", "1 DWPD", "--known-only", "--json",
    ))  # fmt: skip
    assert got["life"]["limit"] == "flash wear"
    assert got["answers"]["required_dwpd"] == pytest.approx(1)


def test_what_is_assumed_gives_a_range_with_its_reasons(capsys):
    out = ok(capsys, "plan", "--drive", "860 PRO 4TB", "--writes", "2TB/day", "--all")
    low, high = re.search(r"over the assumed facts: ([\d.]+) years to ([\d.]+) years", out).groups()
    assert float(low) < float(high)
    assert "- Program/erase cycles 2,000 to 6,000 assumed from V-NAND V4 64L MLC" in out


def test_what_is_known_of_ones_own_drive_does_not_reach_the_others(capsys):
    got = json.loads(ok(
        capsys, "compare", "--drive", "845DC PRO 400", "--capacity", "1.92TB", "--raw", "2048GiB",
        "--pe-cycles", "3000", "--price", "300", "--price-age", "30 years", "--json",
    ))  # fmt: skip
    assert [plan["figures"]["price_usd"]["value"] for plan in got] == [960, 300]
    assert got[0]["figures"]["raw_bytes"]["value"] == 512 * 2**30


def test_one_drive_twice_keeps_two_columns(capsys):
    out = ok(capsys, "compare", "--drive", "840 EVO 250", "--drive", "840 EVO 250")
    assert "Samsung 840 EVO 250 GB (2)" in out.splitlines()[0]


def test_version_needs_no_installation(capsys):
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", ok(capsys, "--version"))


def test_csv_ends_with_its_sources(capsys, tmp_path):
    ok(capsys, "export", "--drive", "840 EVO 250", "-o", str(tmp_path / "a.csv"))
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert ",Sources," in lines[-1]
    assert "AnandTech" in lines[-1]


EVO = ("--drive", "840 EVO 250")
COMPLAINTS = [
    (["plan", *EVO, "--capacity", "1TB"], "--drive must be one drive here; use compare"),
    (["plan", *EVO, "--drive", "840 EVO 500"], "--drive must be one drive here"),
    (["plan", *EVO, "--writes", "1,5 TB"], "--writes must be a rate such"),
    (["plan", *EVO, "--writes", "1e400TB/day"], "--writes must be a number up to 1e+100"),
    (
        ["plan", *EVO, "--worst-iops", "0"],
        "--worst-iops must be from 1 to 1,000,000,000 IOPS, got '0'",
    ),
    (["plan", *EVO, "--tbw", "0TB"], "--tbw must be from 0.001 to 1,000,000,000 TB, got '0TB'"),
    (
        ["compare", *EVO, "--drive", "840 EVO 500", "--price", "9"],
        "--price describes one drive; give one --drive, or --capacity",
    ),
    (["plan", "--capacity", "0TB"], "--capacity must be from 0.0001 to 10,000 TB, got '0TB'"),
    (["plan"], "--drive or --capacity must name a drive"),
    (["plan", "--drive", "no such drive"], "no drive matches 'no such drive'"),
    (["plan", "--drive", "850 EVO"], "drive '850 EVO' is ambiguous: name one of Samsung 850 EVO"),
    (["plan", *EVO, "--writes", "50"], "--writes must be a rate such as"),
    (["plan", *EVO, "--step", "x2 in May"], "--step must be a factor and a time such as"),
    (["plan", *EVO, "--step", "x0 after 1 year"], "--step must be from 0.001 to 1000"),
    (["plan", *EVO, *["--step", "x2 after 1 year"] * 7], "--step must be at most 6, got 7"),
    (["plan", *EVO, "--phase-in", "soon"], "--phase-in must be a time such as 6 months or 2 years"),
    (
        ["plan", *EVO, "--phase-in", "-6 months"],
        "--phase-in must be from 0 to 12,000 months, got '-6 months'",
    ),
    (
        ["plan", *EVO, "--writes", "-1 GB/day"],
        "--writes must be 0 or from 0.000000001 to 10,000,000,000 GiB/day such as 1 GB/day",
    ),
    (["plan", *EVO, "--fill", "120%"], "--fill must be > 0 and <= 100 %, got '120%'"),
    (["plan", *EVO, "--raw", "100GiB"], "--raw must be >= --capacity, got 100 GiB"),
    (["plan", *EVO, "--drives", "2.5"], "--drives must be a whole number from 1 to 1,000,000"),
    (["plan", *EVO, "--drives", "2", "--raid", "5"], "--drives must be >= 3 for RAID 5"),
    (["plan", *EVO, "--raid", "7"], "--raid must be one of raid0"),
    (["plan", *EVO, "--spare", "100%"], "--spare must be from 0 to less than 100 %, got '100%'"),
    (["export", *EVO, "-o", "plan.doc"], "--output must end in .xlsx, .csv or"),
    (["export", *EVO, "-o", "/no/such/folder/a.csv"], "cannot be written: No such"),
    (["plam"], "No such command 'plam'"),
    (["plan", "--drvie", "x"], "No such option"),
]


@pytest.mark.parametrize(("arguments", "complaint"), COMPLAINTS, ids=lambda value: str(value)[:60])
def test_a_complaint_is_one_sentence_and_exit_code_2(capsys, arguments, complaint):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert complaint in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_every_command_has_help_with_an_example(capsys, name):
    told = ok(capsys, name, "--help")
    assert f"\n    ssd-planner {name} " in told
    assert "\\b" not in told


def test_every_option_is_described():
    for name, command in cli.commands.items():
        for option in command.params:
            if isinstance(option, click.Option) and option.name not in ("vendor", "raid", "json"):
                assert option.help, f"{name} {option.name}"


@pytest.mark.parametrize("name", ["plan", "speed", "array", "cost", "size writes", "fio-job"])
def test_the_drive_may_be_an_argument(capsys, name):
    with_option = ok(capsys, *name.split(), *EVO)
    assert ok(capsys, *name.split(), EVO[1]) == with_option
    assert ok(capsys, *name.split(), *EVO[1].split()) == with_option
    assert ok(capsys, *name.split(), EVO[1].lower(), *EVO) == with_option


@pytest.mark.parametrize("name", ["plan", "speed", "array", "cost", "size writes", "fio-job"])
def test_an_argument_and_an_option_that_differ_are_refused(capsys, name):
    code, _, err = run(capsys, *name.split(), "840 EVO 500", *EVO)
    assert code == 2
    assert "--drive must be one drive here" in err
    assert "'840 EVO 500' and '840 EVO 250'" in err


def test_several_drives_may_be_arguments_and_options(capsys):
    other = ("--drive", "840 EVO 500")
    with_options = ok(capsys, "compare", *EVO, *other)
    assert ok(capsys, "compare", "840 EVO 250", "840 EVO 500") == with_options
    assert ok(capsys, "compare", "840 EVO 250", *other) == with_options


def test_the_drive_as_an_argument_goes_before_that_of_a_scenario_and_is_saved(capsys, tmp_path):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    ok(capsys, "plan", "840 EVO 500", "--writes", "70 GB/day", "--save", str(first))
    assert json.loads(first.read_text())["options"]["drive"] == ["840 EVO 500"]
    scenario = ("--scenario", str(first))
    ok(capsys, "plan", *scenario, "840 EVO 250", "--save", str(second))
    assert json.loads(second.read_text())["options"]["drive"] == ["840 EVO 250"]
    code, _, err = run(capsys, "plan", "840 EVO 250", *scenario, "--drive", "840 EVO 500")
    assert (code, "'840 EVO 250' and '840 EVO 500'" in err) == (2, True)


def test_years_are_saved_exported_and_left_aside_where_nothing_depends_on_them(capsys, tmp_path):
    file, out, book = (tmp_path / name for name in ("s.json", "p.json", "p.xlsx"))
    array = ("845DC PRO 400", "--drives", "4", "--raid", "5", "--writes", "2 TB/day")
    held = json.loads(ok(capsys, "plan", *array, "--years", "9", "--save", str(file), "--json"))
    assert json.loads(file.read_text())["options"]["years"] == "9"
    ok(capsys, "compare", "--scenario", str(file))
    ok(capsys, "export", "--scenario", str(file), "-o", str(out))
    (exported,) = json.loads(out.read_text())
    assert exported["verdict"] == held["verdict"]
    ok(capsys, "export", "--scenario", str(file), "-o", str(book))
    sheet = load_workbook(book)["Array"]
    shown = {row[0].value: row[2].value for row in sheet.iter_rows() if row[0].value}
    lost = json.loads(ok(capsys, "array", "--scenario", str(file), "--json"))
    assert shown["Horizon"] == 9
    assert shown["Data loss of the array"] == pytest.approx(100 * lost["loss_probability"]["total"])


def test_without_a_command_help_is_shown(capsys):
    code, _, err = run(capsys)
    assert code == 2
    assert "Commands:" in err


def test_a_client_workload_brings_its_mix(capsys):
    assert main(["workloads"]) == 0
    assert "anandtech-light-2011" in capsys.readouterr().out
    assert main(["workloads", "--json"]) == 0
    assert all(item["facts"] for item in json.loads(capsys.readouterr().out))
    drive = ["plan", "--drive", "840 EVO 250", "--json", "--client"]
    assert main([*drive, "anandtech-light-2011"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert figures["sequential_fraction"]["value"] == pytest.approx(0.7)
    assert figures["read_fraction"]["value"] == pytest.approx(372_630 / (372_630 + 459_709))
    assert main([*drive, "minesweeper"]) == 2
    assert "anandtech-light-2011" in capsys.readouterr().err
    assert main([*drive, "pcper-mixed-burst"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert figures["read_fraction"]["value"] == pytest.approx(2000 / 3200)
    assert figures["queue_depth"]["value"] == 4
