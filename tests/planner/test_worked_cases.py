"""The worked cases of docs/reference/applications.md: each command prints the lines below it."""

import re
import shlex
from pathlib import Path

import pytest

from models.units import DAY_S, GB
from planner.application import answer_of
from planner.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "applications.md").read_text()
CASES = re.findall(r"```sh\npython -m planner (.*?)\n```\n\n```text\n(.*?)\n```", PAGE, re.DOTALL)

QUESTIONS = re.findall(r"^\| .*? \| `(\S+)(.*?)` \| ([\d.,]+)(?: \(([\d.,]+) to ([\d.,]+)\))? \|",
                       PAGE, re.MULTILINE)  # fmt: skip


def test_every_command_of_the_page_is_a_case():
    assert len(CASES) == PAGE.count("```sh")
    assert PAGE.count("\n## ") == 7


@pytest.mark.parametrize(("command", "lines"), CASES, ids=[command for command, _ in CASES])
def test_a_case_prints_what_the_page_says(command, lines, capsys):
    assert main(shlex.split(command.replace("\\\n", " "))) == 0
    printed = " ".join(capsys.readouterr().out.split())
    for sentence in re.split(r"\n(?=\S)", lines):  # what begins with blanks continues a sentence
        assert " ".join(sentence.split()) in printed


@pytest.mark.parametrize(("preset", "inputs", "typical", "low", "high"), QUESTIONS)
def test_a_further_question_has_the_answer_of_the_page(preset, inputs, typical, low, high):
    texts = dict(word.split("=") for word in shlex.split(inputs) if "=" in word)
    figure = answer_of(preset, texts).figures["device_bytes_per_s"]
    shown = [float(text.replace(",", "")) for text in (low or typical, typical, high or typical)]
    assert [rate * DAY_S / GB for rate in figure] == pytest.approx(shown, rel=5e-3)


def test_the_page_answers_twelve_further_questions():
    assert len(QUESTIONS) == 12
