"""Formulas of speed against simulators: a small part of the grid; `validate` runs all of it."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from planner.cli import main
from validation import command as validation
from validation import pictures as validation_pictures
from validation import speed_pictures as speed_validation_pictures
from validation.speed import MEANS, TOPICS, Finding, Row, compare_speed, half_width, speed_tasks
from validation.speed_report import rows_by_group, speed_report

DOCS = Path(__file__).parents[2] / "docs" / "evidence"
STORED = (DOCS / "validation-speed.md").read_text()
QUICK = speed_tasks(quick=True)
PICTURE = re.compile(r"^!\[(.+)\]\((.+)\)$", re.MULTILINE)
# What each figure may be off by, in the mean over the whole grid: engineering limits.
TARGETS = {
    "reads over 4 dies": 0.05,
    "reads over dies": 0.02,
    "reads over channels and link": 0.02,
    "reads that free their die after the sense": 0.02,
    "write amplification over time": 0.005,
    "write IOPS over time": 0.04,
    "cliff": 0.01,
    "open reads, p90 to p99.99": 0.05,
    "open reads, median": 0.1,
    "time of a burst": 0.01,
    "cache hits": 0.015,
    "pages destaged per request": 0.015,
    "dirty pages": 0.015,
    "write amplification, part in use": 0.005,
    "pages moved to make room": 0.01,
    "blocks erased to make room": 0.01,
}


@cache
def found(name):
    (task,) = (task for task in QUICK if task.name == name)
    return task.measure()


@pytest.mark.parametrize("name", [task.name for task in QUICK])
def test_formulas_keep_their_bounds(name):
    outside = [row for row in found(name).rows if not row.inside]
    assert not outside


def test_means_of_groups_keep_theirs():
    for group, rows in rows_by_group(found(task.name) for task in QUICK).items():
        mean = sum(abs(row.error) for row in rows) / len(rows)
        assert mean <= MEANS.get(group, 1.0) or all(row.limit for row in rows), group


def test_tasks_have_names_of_their_own():
    names = [task.name for task in speed_tasks()]
    assert len(set(names)) == len(names)
    assert {task.name for task in speed_tasks(["trim"])} < set(names)


def test_tasks_come_with_their_places_and_shares_of_the_work():
    few = [task for task in QUICK if task.topic.startswith("write cache")]
    together = list(compare_speed(few))
    assert sum(share for share, _, _ in together) == pytest.approx(1)
    for _, finding, place in together:
        assert finding == found(few[place].name)


# The stored page


def summary():
    lines = re.findall(
        r"^\| ([\w ,.%-]+) \| (\d+) \| ([\d.]+)%[^|]*\|[^|]*\| ([\d.]+)% \|", STORED, re.MULTILINE
    )
    return {group.strip(): (int(count), float(mean) / 100) for group, count, mean, _ in lines}


@pytest.mark.parametrize("group", TARGETS)
def test_the_stored_page_shows_the_mean_within_its_target(group):
    _, mean = summary()[group]
    assert mean <= TARGETS[group]


def test_the_stored_page_has_every_group_and_as_many_cases_as_it_says():
    got = summary()
    for group, (count, _) in got.items():
        section = STORED.split(f"\n## {group}\n")[1].split("\n## ")[0]
        assert sum("% |" in line for line in section.splitlines()) == count
    quick = rows_by_group(found(task.name) for task in QUICK)
    assert quick.keys() <= got.keys()


def test_every_case_outside_its_bound_is_named_with_its_cause():
    marked = STORED.count("**outside**")
    listed = STORED.split("\n## Outside their bounds\n")[1].split("\n## ")[0].splitlines()
    entries = [line for line in listed if line.startswith("- ")]
    assert len(entries) == marked
    assert all(re.search(r"% is allowed: \w", line) for line in entries)


def test_the_pictures_of_the_stored_page_are_there():
    shown = [path for _, path in PICTURE.findall(STORED)]
    assert {path.name for path in (DOCS / "validation-speed").iterdir()} == {
        Path(path).name for path in shown
    }
    for path in shown:
        picture = (DOCS / path).read_text()
        assert picture.startswith("<svg")
        assert len(picture) < 400_000


# The page as it is written


def a_row(**changes):
    row = Row(group="cliff", case="a drive", modelled=1.1, simulated=1.0, noise=0.01, bound=0.2)
    return replace(row, **changes)


def page(*rows):
    return speed_report([Finding(rows=rows)])


def test_a_row_outside_is_marked_and_listed_with_its_cause():
    text = page(a_row(bound=0.05, note="a cause"))
    assert "- cliff, a drive: +10.00% where 5.00% is allowed: a cause.\n" in text
    assert "| 5.00% **outside** | a cause |" in text
    assert "Outside" not in page(a_row())


def test_an_upper_limit_is_outside_only_if_the_simulation_is_above():
    assert a_row(modelled=3.0, limit=True).inside
    assert not a_row(modelled=0.7, limit=True).inside


def test_rows_are_listed_worst_first_with_their_mean():
    text = page(a_row(case="one", modelled=1.02), a_row(case="two", modelled=0.9))
    assert text.index("| two |") < text.index("| one |")
    assert "| cliff | 2 | 6.00% |  | 10.00% | 20.0% | 1.00% | 0 |" in text


def test_a_group_whose_mean_is_above_what_is_allowed_is_marked():
    text = page(a_row(group="reads over dies", modelled=1.03, bound=0.05))
    assert "| reads over dies | 1 | 3.00% **above** | 2.0% |" in text


def test_the_half_width_is_that_of_student():
    # Mean 2, standard error 1 / sqrt(3), 4.303 of them.
    assert half_width([1.0, 2.0, 3.0]) == pytest.approx(4.303 / 3**0.5 / 2)


def test_the_same_findings_give_the_same_pictures():
    pytest.importorskip("vl_convert", reason="pictures need the extra [report]")
    findings = [found("16 dies")]
    drawn = speed_validation_pictures.speed_pictures(findings)
    assert list(drawn) == ["Random reads", speed_validation_pictures.OVERVIEW]
    assert drawn == speed_validation_pictures.speed_pictures(findings)


# The command


@pytest.fixture
def few(monkeypatch):
    """Make the grid two tasks, and run them here."""
    monkeypatch.setattr(validation, "processors", lambda: 1)
    monkeypatch.setattr(validation_pictures, "can_draw", lambda: False)


def test_the_command_writes_the_topics_asked_for(few, tmp_path, capsys):
    path = tmp_path / "out.md"
    assert main(["validate", "--what", "speed", "--topic", "slc", "--quick", "-o", str(path)]) == 0
    text = path.read_text()
    assert "\n## time of a burst\n" in text
    assert "cliff" not in text
    assert capsys.readouterr().out.endswith(": 6 cases, 0 outside their bounds\n")


def test_a_stopped_comparison_writes_nothing(few, monkeypatch, tmp_path, capsys):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(validation, "compare_speed", stopped)
    assert main(["validate", "--what", "speed", "--quick", "-o", str(tmp_path / "out.md")]) == 130
    assert capsys.readouterr().err == "Stopped.\n"
    assert not [*tmp_path.iterdir()]


def test_topics_are_of_speed(capsys):
    assert main(["validate", "--topic", "trim"]) == 2
    assert "--topic must come with --what speed" in capsys.readouterr().err
    assert main(["validate", "--what", "speed", "--topic", "none"]) == 2
    statement = capsys.readouterr().err
    assert all(topic in statement for topic in TOPICS)
