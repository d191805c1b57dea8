"""Help in groups: every option has one, and a screen shows the usual dozen."""

import pytest

from planner.__main__ import main
from planner.cli import cli
from planner.cli.help_groups import GROUPS, USUAL, group_of, members

MOST_LINES = 40


def options(command):
    return {
        max(each.opts, key=len).lstrip("-")
        for each in cli.commands[command].params
        if each.param_type_name == "option" and not each.hidden
    }


@pytest.mark.parametrize("command", USUAL)
def test_every_option_has_a_group_and_the_usual_ones_exist(command):
    known = options(command)
    assert {name for name in known if not group_of(name)} == set()
    assert set(USUAL[command].split()) <= known
    assert len(USUAL[command].split()) <= 12


def test_an_option_is_in_one_group():
    every = [name for group in GROUPS for name in members(group)]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("command", USUAL)
def test_help_is_one_screen_and_opens_groups(command, capsys):
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) <= MOST_LINES
    assert "--help GROUP" in text
    assert main([command, "--help", "workload"]) == 0
    assert ("--placement" if command == "protocol" else "--skew") in capsys.readouterr().out
    assert main([command, "-h", "all"]) == 0
    shown = capsys.readouterr().out
    assert all(f"--{name}" in shown for name in options(command))


def test_an_unknown_group_is_refused_with_all_groups(capsys):
    assert main(["plan", "--help", "nonsense"]) == 2
    assert "situation" in capsys.readouterr().err
