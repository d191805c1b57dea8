"""What is imported when: a command imports what it needs, and the list of commands nothing."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from planner.cli import cli
from planner.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
# Modules that Python itself imports are among them: about 25.
MOST_MODULES = {
    ("-c", "import planner"): 60,
    ("-m", "planner", "--help"): 150,
    ("-m", "planner", "--version"): 150,
    ("-m", "planner", "app", "--list"): 162,
    ("-m", "planner", "drives", "845dc"): 253,
    ("-m", "planner", "plan", "--drive", "845DC PRO 400"): 483,
    ("-m", "planner", "app", "video", "--drive", "845DC PRO 400"): 590,  # nothing is simulated
}
HEAVY = {
    "altair", "duckdb", "numba", "openpyxl", "pandas", "pyarrow", "scipy", "streamlit",
    "xlsxwriter",
}  # fmt: skip


def imported(*arguments: str) -> set[str]:
    """Return the modules that a run of Python imports, by its own account."""
    run = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = [line for line in run.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines[1:]}


@pytest.mark.parametrize("arguments", MOST_MODULES, ids=" ".join)
def test_few_modules_are_imported(arguments):
    modules = imported(*arguments)
    assert "planner" in modules
    assert len(modules) <= MOST_MODULES[arguments]
    assert not modules & HEAVY


@pytest.mark.parametrize("arguments", [("--help",), ("app", "--list"), ("app", "--help")])
def test_help_and_lists_compute_nothing(arguments):
    modules = imported("-m", "planner", *arguments)
    assert not {"numpy", "models._check"} & modules


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name):
    command = cli.commands[name]
    assert command.name == name
    assert command.help.splitlines()[0] == COMMANDS[name].line


def test_every_command_is_listed_with_its_line():
    words = " ".join(cli.get_help(click.Context(cli)).split())
    for name, place in COMMANDS.items():
        assert f" {name} {place.line}" in words
