"""`read`, `forecast` and `plan --scenario`: exit codes, one object per input, saved scenarios."""

import json

import pytest

from planner.cli import main
from tests import synthetic_drives as made
from tests import synthetic_fio

SATA = {
    "attributes": [
        (9, "Power_On_Hours", 91, 2_400), (177, "Wear_Leveling_Count", 52, 110),
        (241, "Total_LBAs_Written", 98, 10**11), (251, "NAND_Writes", 100, 2 * 10**11),
    ],
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nvme.json").write_bytes(made.encoded(made.nvme_json()))
    (tmp_path / "sata.txt").write_text(made.sata_text("SAMSUNG MZ7LM960HCHP-0E003", **SATA))
    (tmp_path / "own.json").write_bytes(
        made.encoded(made.sata_json("ACME", attributes=[(241, "Total_LBAs_Written", 98, 5)]))
    )
    (tmp_path / "broken.json").write_bytes(made.encoded(made.nvme_json())[:300])
    return tmp_path


def run(capsys, *arguments):
    code = main(list(arguments))
    told = capsys.readouterr()
    return code, told.out, told.err


def test_one_object_per_input_and_exit_code_0_if_all_were_read(capsys, folder):
    code, out, err = run(capsys, "read", "nvme.json", "sata.txt", "--json")
    first, second = json.loads(out)
    assert (code, err) == (0, "")
    assert {"file", "kind", "drive", "workload", "refused"} <= set(first)
    assert (first["file"], first["kind"], first["refused"]) == ("nvme.json", "smartctl JSON", None)
    assert first["drive"]["host_bytes"]["value"] == 512e9
    assert first["drive"]["host_bytes"]["field"].endswith("data_units_written")
    assert second["drive"]["wa"]["value"] == pytest.approx(2)


@pytest.mark.parametrize("name", ["broken.json", "absent.json", "."])
def test_a_refused_file_is_an_object_and_exit_code_2(capsys, folder, name):
    code, out, _ = run(capsys, "read", "nvme.json", name, "--json")
    good, bad = json.loads(out)
    assert code == 2
    assert good["refused"] is None
    assert bad["drive"] is None
    assert bad["refused"].startswith(f"{name}: ")
    code, out, err = run(capsys, "read", name, "nvme.json", "--all")
    assert code == 2
    assert err.startswith(f"refused: {name}: ")
    assert err.count("\n") == 1
    assert "Host writes" in out


def test_standard_input_is_a_file(capsys, folder, monkeypatch):
    with (folder / "nvme.json").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        code, out, _ = run(capsys, "read", "-", "--json")
    assert (code, json.loads(out)[0]["file"]) == (0, "standard input")


def test_people_see_value_interval_field_and_what_was_not_used(capsys, folder):
    code, out, _ = run(capsys, "read", "nvme.json", "own.json", "--all")
    assert code == 0
    assert "2 to 4" in out
    assert "nvme_smart_health_information_log.percentage_used" in out
    assert "attribute 241 Total_LBAs_Written (5): ambiguous" in out


def test_the_format_can_be_named(capsys, folder):
    code, out, _ = run(capsys, "read", "sata.txt", "--format", "smartctl text", "--json")
    assert (code, json.loads(out)[0]["kind"]) == (0, "smartctl text")
    code, out, _ = run(capsys, "read", "sata.txt", "--format", "smartctl JSON", "--json")
    assert code == 2
    assert "not JSON" in json.loads(out)[0]["refused"]


def test_a_saved_scenario_is_planned_and_the_command_line_goes_before_it(capsys, folder):
    assert run(capsys, "read", "sata.txt", "--save", "scenario.json")[0] == 0
    saved = json.loads((folder / "scenario.json").read_text())
    assert saved["ssd_planner_scenario"] == 1
    assert saved["options"]["drive"] == "Samsung PM863 960 GB"
    assert saved["options"]["writes"] == "512 GB/day"
    code, out, _ = run(capsys, "plan", "--scenario", "scenario.json", "--json")
    direct = ["plan", "--drive", "PM863 960", "--writes", "512 GB/day", "--wa", "2", "--json"]
    for name in ("used", "written", "age", "as_of"):
        direct += [f"--{name.replace('_', '-')}", saved["options"][name]]
    assert code == 0
    assert json.loads(out) == json.loads(run(capsys, *direct)[1])
    _, out, _ = run(capsys, "plan", "--scenario", "scenario.json", "--writes", "1TB/day", "--json")
    assert json.loads(out) != json.loads(run(capsys, *direct)[1])


def test_a_drive_that_the_catalogue_lacks_is_saved_by_its_capacity(capsys, folder):
    run(capsys, "read", "own.json", "--save", "own-scenario.json")
    options = json.loads((folder / "own-scenario.json").read_text())["options"]
    assert options == {"capacity": "960.197124096 GB"}
    assert run(capsys, "plan", "--scenario", "own-scenario.json")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ["read", "nvme.json", "sata.txt", "--save", "s.json"],
            "--save: the files belong to several",
        ),
        (["read", "broken.json", "--save", "s.json"], "--save: the files contain no input"),
        (["read", "nvme.json", "--save", "no/such/folder.json"], "cannot be written"),
        (["read"], "Missing argument 'FILE...'"),
        (["plan", "--scenario", "absent.json"], "--scenario 'absent.json' No such file"),
        (["plan", "--scenario", "sata.txt"], "is no JSON"),
        (["plan", "--scenario", "nvme.json"], "is not a scenario"),
        (["plan", "--scenario", "odd.json"], "contains 'colour', which is not an option"),
        (["plan", "--scenario", "list.json"], "option 'writes' must be a text"),
        (["plan", "--scenario", "none.json"], 'holds no "options"'),
        (["forecast", "broken.json"], "broken.json: line 1"),
        (["forecast", "own.json"], "no forecast: no reading says how much"),
        (
            ["forecast", "nvme.json", "sata.txt"],
            "no forecast: the readings belong to several drives",
        ),
        (["forecast", "nvme.json", "--since", "May"], "--since must be a date"),
        (["forecast", "nvme.json", "--since", "2030-01-01"], "no forecast: the reading was not"),
    ],
)
def test_a_complaint_is_one_sentence(capsys, folder, arguments, complaint):
    for name, options in (("odd", {"colour": "red"}), ("list", {"writes": 5}), ("none", None)):
        text = json.dumps({"ssd_planner_scenario": 1, "options": options})
        (folder / f"{name}.json").write_text(text)
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert complaint in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("Error: ")
    assert "Traceback" not in err


def test_a_forecast_for_people_and_for_machines(capsys, folder):
    code, out, _ = run(capsys, "forecast", "nvme.json", "--all")
    assert code == 0
    assert "if never switched off" in out
    assert "wear indicator" in out
    code, out, _ = run(capsys, "forecast", "nvme.json", "--since", "2022-11-14", "--json")
    answer = json.loads(out)
    assert (code, answer["clock"], answer["coverage"]) == (0, "calendar", None)
    assert (answer["label"], answer["weeks"]) == ("rough, within a factor of two", 0)
    assert (answer["steady"], answer["open"]) == (None, None)
    assert answer["early_s"] < answer["middle_s"] < answer["late_s"]
    assert answer["dates"]["early"].startswith("20")
    assert "draws" not in answer


def test_two_files_of_one_drive_are_a_series(capsys, folder):
    later = made.nvme_json(
        log=made.nvme_log(units=2 * 10**6, used=9), local_time={"time_t": 1_720_000_000}
    )
    (folder / "later.json").write_bytes(made.encoded(later))
    code, out, _ = run(capsys, "forecast", "nvme.json", "later.json", "--all")
    assert code == 0
    assert "From a series of 2 readings" in out
    assert "Early (rough)" in out
    assert "90 %" not in out


def test_a_year_of_readings_gives_both_intervals(capsys, folder):
    rows = [f"{1_700_000_000 + day * 86_400},{day * 10**11},{day // 20}" for day in range(366)]
    (folder / "year.csv").write_text("\n".join(["date,host_bytes,percentage_used", *rows]))
    _, out, _ = run(capsys, "forecast", "year.csv", "--all")
    for statement in ("From the last reading (90 %)", "If the workload does not change",
                 "Early (5 % of drives)", "an assumption that no reading can check"):  # fmt: skip
        assert statement in out
    _, again, _ = run(capsys, "forecast", "year.csv", "--json")
    answer = json.loads(again)
    assert (answer["label"], answer["weeks"], answer["coverage"]) == ("90 %", 52, 0.9)
    assert answer["open"] == {
        "early_s": answer["early_s"], "middle_s": answer["middle_s"], "late_s": answer["late_s"],
        "dates": answer["dates"],
    }  # fmt: skip
    assert answer["early_s"] < answer["steady"]["early_s"] < answer["steady"]["late_s"]
    assert answer["steady"]["late_s"] < answer["late_s"]
    assert run(capsys, "forecast", "year.csv", "--json")[1] == again


def test_a_rating_can_be_borrowed_from_a_drive_of_the_catalogue(capsys, folder):
    code, out, _ = run(capsys, "forecast", "nvme.json", "--drive", "845DC PRO 400", "--json")
    kinds = [left["kind"] for left in json.loads(out)["left"]]
    assert (code, kinds) == (0, ["wear indicator", "rated TBW"])


def test_people_see_what_each_job_of_fio_measured(capsys, tmp_path):
    file = tmp_path / "synthetic.json"
    file.write_bytes(
        synthetic_fio.encoded(synthetic_fio.run(synthetic_fio.reads(8, 80_000.0, name="reads-8")))
    )
    assert main(["read", str(file), "--all"]) == 0
    out = capsys.readouterr().out
    for told in ("reads-8", "80,000 IOPS", "By Little's law", "4 KiB"):
        assert told in out
