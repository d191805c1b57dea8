"""Scripts and links of the documents are right, and no page names what is not there."""

import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from tests import doc_pages

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
LINK = (ROOT / "docs" / "howto" / "link.md").read_text()
PAGES = [*map(doc_pages.name, doc_pages.PAGES), "CONTRIBUTING.md", "data/README.md"]
PYTHON = [
    code
    for page in doc_pages.RUN
    for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
]


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_scripts_print_what_the_comment_says(code):
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (statement,) = re.findall(r"print\(.*\)  # (.*)", code)
    assert run.stdout.strip() == statement


def test_a_command_needs_nothing_but_the_packages(tmp_path):
    """In an interpreter of its own, with no environment but the path."""
    (command,) = re.findall(r"^python (-m planner .*)$", README, re.MULTILINE)
    run = subprocess.run(
        [sys.executable, *shlex.split(command)], cwd=tmp_path, capture_output=True,
        text=True, check=False, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")


def test_the_link_to_the_app_shows_what_the_page_says():
    link, wa, life = re.search(
        r"\]\((http://127\.0\.0\.1:8501/\?.*?)\)\n\nIt shows a write amplification of `(.*?)` "
        r"and a life by endurance of `(.*?)`",
        LINK,
    ).groups()
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.query_params.update(dict(parse_qsl(urlsplit(link).query)))
    app.run()
    shown = {metric.label: metric.value for metric in app.metric}
    assert (shown["Write amplification"], shown["Life by endurance"]) == (wa, life)


def test_make_targets_named_exist():
    makefile = (ROOT / "Makefile").read_text()
    pages = "".join((ROOT / page).read_text() for page in PAGES)
    named = set(re.findall(r"(?:`|^(?=make [\w-]+ +#))make\s+([\w-]+)", pages, re.MULTILINE))
    assert named >= {"run", "test", "typed-inputs"}
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", [*PAGES, "CHANGELOG.md"])
def test_files_that_a_page_links_to_exist(page):
    path = ROOT / page
    for link in re.findall(r"\]\(((?!http)[\w./-]+)\)", path.read_text()):
        assert (path.parent / link).exists(), link


NOT_THERE = {"models/MODULE.py", "tests/fuzz/faults"}  # any module; made by `make fuzz`
OURS = "planner|models|validation|benchmarks|tests|data|docs"


def missing(text):
    """Yield the files, folders and Python names of the project that a page names and are not."""
    for word in " ".join(re.findall(r"`([^`]+)`", text)).split():
        name = word.partition("(")[0]
        if re.fullmatch(rf"({OURS})/[\w./-]+|[\w./-]+/\w+\.py", name):
            if name not in NOT_THERE and not (ROOT / name).exists():
                yield name
        elif re.fullmatch(rf"({OURS})(\.\w+)+(?<!\.md)", name):
            try:
                pkgutil.resolve_name(name)
            except (ImportError, AttributeError):
                yield name


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page):
    assert [*missing((ROOT / page).read_text())] == []


@pytest.mark.parametrize(
    "word",
    ["planner/sections/lives.py", "sections/life.py", "models/nomenclature.txt", "docs/none/",
     "planner.sections.lives", "models.endurance.dwpds", "planner.cli.options.option(name)"],
)  # fmt: skip
def test_what_is_not_there_is_noticed(word):
    assert [*missing(f"See `planner/cli/` and `python -m {word}`.")] == [word.partition("(")[0]]


def test_the_readme_is_read_in_a_minute():
    assert len(README.splitlines()) <= 60


def test_the_changelog_has_at_most_40_lines_a_version():
    """Who upgrades reads it; what it leaves out is in the commits."""
    _, *versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert versions
    for version in versions:
        assert len(version.strip().splitlines()) <= 40, version.partition("\n")[0]
