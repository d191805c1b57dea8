"""The worked cases of docs/applications.md: each command prints the lines below it."""

import re
import shlex
from pathlib import Path

import pytest

from planner.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "applications.md").read_text()
CASES = re.findall(r"```sh\npython -m planner (.*?)\n```\n\n```text\n(.*?)\n```", PAGE, re.DOTALL)


def test_every_command_of_the_page_is_a_case():
    assert len(CASES) == PAGE.count("```sh")
    assert PAGE.count("\n## ") == 5


@pytest.mark.parametrize(("command", "lines"), CASES, ids=[command for command, _ in CASES])
def test_a_case_prints_what_the_page_says(command, lines, capsys):
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    for line in lines.splitlines():
        assert line in printed
