"""First screen of `read`: a few lines of each file, labels and no raw keys, counters in JSON."""

import json
import re
import shutil
from pathlib import Path

import pytest

from planner.cli import main
from tests import synthetic_drives as logs
from tests.telemetry_samples import files

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
COLUMNS = 100
RAW = re.compile(r"\b(?!Wear_Leveling)[a-z]+_(bytes|fraction|share|shares|per_s|s)\b")


def screen(capsys, *arguments, most=12):
    code = main(["read", *map(str, arguments)])
    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert len(lines) <= most, told.out
    assert all(len(line) <= COLUMNS for line in lines), told.out
    return code, lines, told.err


@pytest.mark.parametrize("name", sorted(files()))
def test_the_screen_of_every_sample_fits(name, tmp_path, capsys):
    path = tmp_path / name.rpartition("/")[2]
    path.write_bytes(files()[name])
    screen(capsys, path)


def test_a_drive_is_named_with_its_writes_and_the_next_command(capsys, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    code, lines, _ = screen(capsys, "smartctl.json")
    assert code == 0
    heading, *rest = lines
    assert heading == (
        "smartctl.json: smartctl JSON of a Samsung PM863 960 GB, read 2023-11-14 "
        "(power-on 21,900 h)"
    )
    assert rest == [
        "Written 512 TB (37 % of the rated 1,400 TB) · used 12 % · WA 1.85 (flash 947 TB)",
        (
            "Rated cycles: 7,108 (6,193 to 7,991) by flash writes, "
            "7,375 (6,800 to 8,055) by its erase count"
        ),
        "Next: `plan --scenario drive.json` after `--save drive.json`; `forecast smartctl.json`",
    ]


def test_a_trace_has_six_lines_with_labels(capsys, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    _, lines, _ = screen(capsys, "synthetic-trace.csv.gz")
    labels = [line.partition(":")[0] for line in lines[1:7]]
    assert labels == ["Requests", "Size", "Span", "Written", "Skew", "WA"]
    assert lines[4] == "Written: 34.4 MB (1.24 GB a day) to 4.79 MB of pages, 7.2 times each"
    assert main(["read", "synthetic-trace.csv.gz", "--all"]) == 0
    out = capsys.readouterr().out
    assert not RAW.search("\n".join(lines) + out)
    assert "Rate of host writes: 1.24 GB a day" in out


def test_what_is_ignored_takes_two_lines(capsys, tmp_path):
    attributes = [(241, f"Total_LBAs_{'x' * 60}{at}", 98, 5) for at in range(4)]
    content = logs.sata_json("ACME", attributes=[*attributes, (251, "NAND_Writes", 9, 9)])
    (tmp_path / "own.json").write_bytes(logs.encoded(content))
    _, lines, _ = screen(capsys, tmp_path / "own.json")
    at = next(at for at, line in enumerate(lines) if line.startswith("Ignored: "))
    end = next(at for at, line in enumerate(lines) if line.startswith("Next: "))
    assert end - at <= 3
    assert "more with --all" in " ".join(lines[at:end])


def test_several_files_take_two_lines_each_and_name_the_rest(capsys, tmp_path):
    for number in range(30):
        shutil.copy(EXAMPLES / "smartctl.json", tmp_path / f"drive-{number:02}.json")
    names = sorted(tmp_path.iterdir())
    _, lines, _ = screen(capsys, *names, most=20)
    assert lines[0].startswith("drive-00.json: smartctl JSON")
    assert sum(line.endswith(" more with --all") for line in lines) == 1
    assert main(["read", *map(str, names), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 30


def test_a_clock_that_was_never_set_is_said_without_a_date(capsys, tmp_path):
    smart = logs.nvme_json(log=logs.nvme_log(units=10**8, used=40), local_time={"time_t": 5})
    (tmp_path / "smart.json").write_text(json.dumps(smart))
    _, lines, _ = screen(capsys, tmp_path / "smart.json")
    text = " ".join(lines).replace(str(tmp_path), "")
    assert "its clock was not set" in text
    assert not re.search(r"\b\d{4}-\d\d-\d\d", text)


def test_a_refused_file_is_one_line_beside_the_others(capsys, tmp_path):
    shutil.copy(EXAMPLES / "smartctl.json", tmp_path)
    (tmp_path / "cut.json").write_text("{")
    code, lines, err = screen(capsys, tmp_path / "cut.json", tmp_path / "smartctl.json")
    assert (code, err.count("\n")) == (2, 1)
    assert any(line.startswith("Written 512 TB") for line in lines)
