"""The worked cases of docs/reference/applications.md: each command prints the lines below it."""

import re
import shlex
from pathlib import Path

import pytest

import planner as ssd
from models.units import DAY_S, GB
from planner.application import answer_of
from planner.cli import main
from tests import doc_pages

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "applications.md").read_text()
FITTED = "fitted.json"  # of two blocks that belong together
CASES = [
    case
    for case in re.findall(
        r"```sh\npython -m planner (.*?)\n```\n\n```text\n(.*?)\n```", PAGE, re.S
    )
    if FITTED not in case[0]
]

QUESTIONS = re.findall(r"^\| .*? \| `(\S+)(.*?)` \| ([\d.,]+)(?: \(([\d.,]+) to ([\d.,]+)\))? \|",
                       PAGE, re.MULTILINE)  # fmt: skip


def test_every_command_of_the_page_is_a_case():
    assert len(CASES) + len(fitted_blocks()) == PAGE.count("```sh")
    assert PAGE.count("\n## ") == 8


def fitted_blocks():
    blocks = doc_pages.blocks(ROOT / "docs" / "reference" / "applications.md")
    return [block for block in blocks if FITTED in block.lines[-1]]


def test_counters_teach_the_model_what_the_page_says(tmp_path, monkeypatch, capsys):
    checkout = doc_pages.folder_like_a_checkout(tmp_path / "checkout")
    (tmp_path / "folders").mkdir()
    monkeypatch.chdir(checkout)
    shell = doc_pages.Shell(monkeypatch, capsys, tmp_path / "folders")
    for block in fitted_blocks():
        *first, last = block.lines
        for line in first:
            shell.run(line)
        printed = " ".join(shell.run(last).split())
        for sentence in doc_pages.sentences(block.text):
            assert sentence in printed


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


def test_the_page_answers_eighteen_further_questions():
    assert len(QUESTIONS) == 18


@pytest.mark.parametrize("case", PAGE.split("\n## ")[1:6], ids=lambda case: case.split("\n")[0])
def test_a_case_is_on_two_drives_and_names_what_would_narrow_its_range(case):
    drives = set(re.findall(r'--drive "(.*?)"', case))
    protected = {ssd.plan(drive).record.drive.power_loss_protection for drive in drives}
    assert len(drives) >= 2
    assert len(protected) == 2
    assert re.search(r"^Most of the range: (?:\w+), x[\d.]+\.$", case, re.MULTILINE)


RANGE = re.compile(r"([\d.,]+) GB/day(?: at the drive)? \(([\d.,]+) to ([\d.,]+)\)")
README = (ROOT / "README.md").read_text()


def test_every_range_that_is_printed_holds_its_typical_figure():
    found = RANGE.findall(PAGE + README)
    assert len(found) >= len(CASES) - 1
    for figures in found:
        typical, low, high = (float(text.replace(",", "")) for text in figures)
        assert low < typical < high


def test_the_readme_has_the_range_of_an_example():
    (shown,) = RANGE.findall(README)
    low, typical, high = answer_of("etcd", {}).figures["device_bytes_per_s"]
    expected = [rate * DAY_S / GB for rate in (typical, low, high)]
    assert [float(text) for text in shown] == pytest.approx(expected, rel=1e-3)
