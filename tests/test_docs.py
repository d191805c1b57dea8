"""The documents are one tree: every page is found, is short, runs, and writes nothing here."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import openpyxl
import pytest

from models import write_amplification
from models.errors import DomainError
from models.units import DAY_S, GB, TB
from planner.cli import cli
from planner.quantity.inputs import INPUTS
from tests import doc_pages, inputs_page
from tests.doc_pages import DOCS, EXPLANATIONS, FOLDER, HOWTOS, PAGES, ROOT, RUN, TODAY, name

LINK = re.compile(r"\]\(((?!http)[^)#\s]+)(?:#[^)]*)?\)")
README = (ROOT / "README.md").read_text()
COMMANDS = [line for page in RUN for block in doc_pages.blocks(page) for line in block.lines]
WRITING = re.compile(r"^\s*python -m planner .*(?: -o | --save | --out | --xlsx | --rfq | > "
                     r"| --prometheus )", re.MULTILINE)  # fmt: skip


def links(page):
    """Return the files of the project that a page links to."""
    return {Path(os.path.normpath(page.parent / link)) for link in LINK.findall(page.read_text())}


def test_every_page_is_two_clicks_from_the_readme():
    first = links(ROOT / "README.md")
    second = {each for page in first if page.suffix == ".md" for each in links(page)}
    assert [name(page) for page in PAGES[1:] if page not in first | second] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_and_their_headings_exist(page):
    for link, heading in re.findall(r"\]\(((?!http)[^)#\s]*)#?([^)\s]*)\)", page.read_text()):
        target = page.parent / link if link else page
        assert target.exists(), link
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
            slugs = [re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in titles]
            assert heading in slugs, heading


@pytest.mark.parametrize("page", [*HOWTOS, *EXPLANATIONS], ids=name)
def test_a_how_to_or_explanation_is_one_screen(page):
    assert len(page.read_text().splitlines()) <= 60


@pytest.mark.parametrize("page", RUN, ids=name)
def test_a_command_fits_a_line_of_100(page):
    fenced = re.findall(r"^ *```\w*\n(.*?)^ *```", page.read_text(), re.MULTILINE | re.DOTALL)
    lines = [line for block in fenced for line in block.splitlines()]
    assert [line for line in lines if len(line) > 100] == []


@pytest.mark.parametrize("page", RUN, ids=name)
def test_a_page_runs_and_leaves_the_checkout_clean(page, tmp_path, monkeypatch, capsys):
    checkout = doc_pages.folder_like_a_checkout(tmp_path / "checkout")
    (tmp_path / "folders").mkdir()
    monkeypatch.chdir(checkout)
    monkeypatch.setattr("validation.command.processors", lambda: 1)  # no new processes
    shell = doc_pages.Shell(monkeypatch, capsys, tmp_path / "folders")
    for block in doc_pages.blocks(page):
        *first, last = block.lines
        for line in first:
            shell.run(line)
        more = ["--today", TODAY] if block.text and " plan " in last else []
        printed = " ".join(shell.run(last, *more).split())
        for sentence in doc_pages.sentences(block.text):
            assert sentence in printed
    assert doc_pages.git(checkout, "status", "--porcelain") == ""
    for path in (tmp_path / "folders").glob("*/plan.xlsx"):
        book = openpyxl.load_workbook(path)
        assert {"host_bytes_per_s", "price_usd"} <= set(book.defined_names)
        assert book.sheetnames == [
            "Verdict",
            "Plan",
            "Ends",
            "Speed",
            "Array",
            "Assumptions",
            "Sources",
        ]


@pytest.mark.parametrize("page", RUN, ids=name)
def test_a_page_that_writes_does_so_in_a_folder_of_its_own(page):
    text = page.read_text()
    first = WRITING.search(text)
    if first or "$EXAMPLES" in text:
        assert FOLDER in text[: first.start() if first else None]


def test_the_tutorial_runs_in_a_shell_and_leaves_the_checkout_clean(tmp_path):
    checkout = doc_pages.folder_like_a_checkout(tmp_path / "checkout")
    lines = [line for block in doc_pages.blocks(DOCS / "start.md") for line in block.lines]
    script = "\n".join(line for line in lines if not line.startswith("make "))
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    run = subprocess.run(
        ["bash", "-euc", script], cwd=checkout, env=clean | {"TMPDIR": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("LASTS") == 4
    assert doc_pages.git(checkout, "status", "--porcelain") == ""


def test_every_command_is_shown():
    planner = [line for line in COMMANDS if line.startswith("python -m planner ")]
    assert {shlex.split(line)[3] for line in planner} == set(cli.commands)


def test_the_page_of_inputs_is_that_of_the_table():
    stored = (DOCS / "reference" / "inputs.md").read_text(encoding="utf-8")
    assert stored == inputs_page.document(), "run python -m tests.inputs_page"


def test_the_page_of_inputs_has_each_once():
    names = [row.name for _, rows in inputs_page.groups() for row in rows]
    assert sorted(names) == sorted(set(names)) == sorted(inputs_page.table.INPUTS)


WRITES = (DOCS / "reference" / "writes.md").read_text()
READ = re.findall(r"^\| `(.*?)` \| ([\d.,]+) GB a day \|$", WRITES, re.MULTILINE)
REFUSED = re.findall(r"^\| `(.*?)` \| \D+ \|$", WRITES, re.MULTILINE)


@pytest.mark.parametrize(("text", "rate"), READ)
def test_writes_are_read_as_the_page_says(text, rate):
    read = INPUTS["writes"].value(text, capacity_bytes=TB)
    assert f"{read * DAY_S / GB:.3g}" == f"{float(rate.replace(',', '')):.3g}"


@pytest.mark.parametrize("text", REFUSED)
def test_writes_are_refused_as_the_page_says(text):
    with pytest.raises(DomainError):
        INPUTS["writes"].value(text, capacity_bytes=TB)


def test_the_pages_have_forms_of_writes():
    assert (len(READ), len(REFUSED)) == (20, 6)
    statement = README.partition("State writes as you know them: ")[2].partition("(")[0]
    assert set(re.findall("`(.*?)`", statement)) <= {text for text, _ in READ}


@pytest.mark.parametrize(
    ("op_ratio", "wa"),
    re.findall(r"^\| ([\d.]+) % \| ([\d.]+) \|$",
               (DOCS / "explanation" / "over-provisioning.md").read_text(), re.MULTILINE),
)  # fmt: skip
def test_write_amplification_of_a_spare_area_is_as_printed(op_ratio, wa):
    assert f"{write_amplification.fifo(float(op_ratio) / 100):.1f}" == wa


INDEX = (DOCS / "evidence" / "README.md").read_text()
ROWS = re.findall(r"^\| \[.*?\]\((\S+)\) \| .*? \| (.*?) \|$", INDEX, re.MULTILINE)


def test_the_index_of_evidence_has_a_row_for_each_page():
    pages = {page.name for page in (DOCS / "evidence").glob("*.md")} - {"README.md"}
    assert sorted(page for page, _ in ROWS) == sorted(pages)


@pytest.mark.parametrize(("page", "figure"), ROWS, ids=[page for page, _ in ROWS])
def test_a_figure_of_the_index_is_on_its_page(page, figure):
    text = (DOCS / "evidence" / page).read_text()
    figures = re.findall(r"[-+]?\d[\d,.]*(?: ?%)?", figure)
    assert figures
    assert [each for each in figures if each.rstrip(",.") not in text] == []
