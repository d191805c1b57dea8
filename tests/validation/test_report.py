"""The report of the comparison: tables, order, pictures; what is stored and what is written."""

import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from planner.cli import main
from validation import cases, compare_case, quarter
from validation import command as simulation
from validation import pictures as validation_pictures
from validation.report import by_group, report, slug

DOCS = Path(__file__).parents[2] / "docs" / "evidence"
STORED = (DOCS / "validation.md").read_text()
QUICK = cases(quick=True)[:2]
PICTURE = re.compile(r"^!\[(.+)\]\((.+)\)$", re.MULTILINE)


@cache
def outcomes():
    return [compare_case(case) for case in QUICK]


def with_error(outcome, error, **changes):
    """Give an outcome a formula that is off by so much."""
    case = replace(outcome.case, **changes)
    return replace(outcome, case=case, formula_wa=outcome.result.wa * (1 + error))


def rows(text, group):
    section = text.split(f"\n## {group}\n")[1].split("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in section.splitlines() if "% |" in line]


def test_every_case_is_listed_worst_first():
    given = [with_error(outcomes()[0], error) for error in (0.001, -0.003, 0.002)]
    text = report(given)
    assert [row[3] for row in rows(text, "greedy, uniform")] == ["-0.300%", "+0.200%", "+0.100%"]
    assert "| greedy, uniform | 3 | 0.300% | 0.50% | 0.200% |" in text


def test_a_case_outside_is_named_with_its_cause():
    missed = with_error(outcomes()[0], 0.01, note="a known limit")
    text = report([missed, outcomes()[1]])
    statement = (
        f"- greedy, uniform, {missed.case.label}: +1.000% where 0.50% is allowed: a known limit."
    )
    assert statement in text.split("## Outside their bounds")[1]
    assert rows(text, "greedy, uniform")[0][5].endswith("**outside**")
    assert "Outside their bounds" not in report(outcomes())


def test_noise_above_a_fifth_of_the_bound_is_marked():
    quiet = with_error(outcomes()[0], 0.0, bound=5.1 * outcomes()[0].noise)
    noisy = with_error(outcomes()[0], 0.0, bound=4.9 * outcomes()[0].noise)
    marked = [row[4] for row in rows(report([quiet, noisy]), "greedy, uniform")]
    assert [text.endswith("*above a fifth*") for text in marked] == [False, True]
    assert report([quiet, noisy]).count(" | 0 | 1 |\n") == 1


def test_smaller_drives_stand_beside_the_large_ones():
    large = with_error(outcomes()[0], 0.001)
    small = replace(with_error(large, 0.003), case=quarter(large.case))
    (row,) = rows(report([large], [small]), "Size of the drives")
    assert row[1:5] == [str(large.case.config.blocks), "+0.100%", "+0.300%", "+0.200%"]


def test_the_stored_report_has_every_case_of_the_full_grid():
    for group, members in by_group_of(cases()).items():
        labels = [row[0] for row in rows(STORED, group)]
        assert sorted(labels) == sorted(case.label for case in members)


def by_group_of(grid):
    groups = {}
    for case in grid:
        groups.setdefault(case.group, []).append(case)
    return groups


def test_the_stored_report_shows_every_group_and_its_pictures_are_there():
    shown = [path for _, path in PICTURE.findall(STORED)]
    expected = ["overview", *by_group_of(cases())]
    assert shown == [f"validation/{slug(name)}.svg" for name in expected]
    for path in shown:
        picture = (DOCS / path).read_text()
        assert picture.startswith("<svg")
        assert len(picture) < 100_000
    assert {path.name for path in (DOCS / "validation").iterdir()} == {
        Path(path).name for path in shown
    }


def test_pictures_say_in_words_what_they_show():
    given = [with_error(outcomes()[0], -0.003)]
    text = report(given, pictures={"greedy, uniform": "p.svg", "overview": "o.svg"})
    (overview, _), (alt, path) = PICTURE.findall(text)
    assert overview == "Write amplification against spare area"
    assert "greedy, uniform" in alt
    assert "worst -0.300%" in alt
    assert path == "p.svg"
    assert not PICTURE.findall(report(given))


def test_the_same_outcomes_give_the_same_pictures():
    pytest.importorskip("vl_convert", reason="pictures need the extra [report]")
    drawn = validation_pictures.pictures(outcomes())
    assert list(drawn) == ["overview", *by_group(outcomes())]
    assert drawn == validation_pictures.pictures(outcomes())
    assert "b = 16" in drawn["greedy, uniform"]
    for picture in drawn.values():
        assert picture.startswith("<svg")


@pytest.fixture
def few(monkeypatch):
    """Make the grid two cases."""
    monkeypatch.setattr(simulation, "cases", lambda quick: QUICK)
    monkeypatch.setattr(simulation, "compare", lambda grid, **_: outcomes()[: len(grid)])


def test_without_the_program_for_pictures_the_tables_are_written(
    few, monkeypatch, tmp_path, capsys
):
    monkeypatch.setattr(validation_pictures, "can_draw", lambda: False)
    assert main(["validate", "--quick", "-o", str(tmp_path / "out.md")]) == 0
    statement, _ = capsys.readouterr()
    assert statement.splitlines()[0] == (
        "No pictures without vl-convert: pip install 'ssd-planner[report]'"
    )
    assert len(rows((tmp_path / "out.md").read_text(), "greedy, uniform")) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["out.md"]


def test_pictures_are_written_beside_the_report(few, tmp_path):
    pytest.importorskip("vl_convert", reason="pictures need the extra [report]")
    assert main(["validate", "--quick", "-o", str(tmp_path / "out.md")]) == 0
    shown = [path for _, path in PICTURE.findall((tmp_path / "out.md").read_text())]
    assert shown == ["out/overview.svg", "out/greedy-uniform.svg"]
    assert all((tmp_path / path).exists() for path in shown)


def test_a_stopped_comparison_writes_nothing(few, monkeypatch, tmp_path, capsys):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(simulation, "compare", stopped)
    assert main(["validate", "--quick", "-o", str(tmp_path / "out.md")]) == 130
    assert capsys.readouterr().err == "Stopped.\n"
    assert not [*tmp_path.iterdir()]


def test_the_folder_of_the_pictures_must_be_free(capsys, tmp_path):
    (tmp_path / "out").touch()
    for output in (tmp_path / "out.md", tmp_path / "other"):
        assert main(["validate", "--quick", "-o", str(output)]) == 2
        assert "to the folder of its pictures" in capsys.readouterr().err


def test_a_picture_that_cannot_be_written_is_refused(few, capsys, tmp_path):
    pytest.importorskip("vl_convert", reason="pictures need the extra [report]")
    (tmp_path / "out" / "overview.svg").mkdir(parents=True)
    assert main(["validate", "--quick", "-o", str(tmp_path / "out.md")]) == 2
    assert "overview.svg' cannot be written: Is a directory" in capsys.readouterr().err


def test_validation_runs_without_the_planner():
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "validation", "--topic", "slc"],
        cwd=DOCS.parents[1], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert "--topic must come with --what speed" in run.stderr
    assert re.search(r"\| +validation\.command$", run.stderr, re.MULTILINE)
    assert "planner" not in run.stderr
