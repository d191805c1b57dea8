"""Pages of the documents: their blocks of commands, and a checkout to run these in."""

import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
HOWTOS = sorted((DOCS / "howto").glob("*.md"))
EXPLANATIONS = sorted((DOCS / "explanation").glob("*.md"))
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
COMMAND_LINE = DOCS / "reference" / "command-line.md"
# Pages whose commands are run; those of docs/reference/applications.md have a test of their own.
RUN = [ROOT / "README.md", DOCS / "start.md", *HOWTOS, *EXPLANATIONS, COMMAND_LINE]
TODAY = "2026-11-27"  # of the prices on the pages
BLOCK = re.compile(r"^( *)```sh\n(.*?)^\1```\n(?:\n\1```text\n(.*?)^\1```\n)?", re.M | re.S)
FOLDER = 'cd "$(mktemp -d)"'
# Lines that a reader types once: the checkout of the tests is set up already.
SET_UP = ("make setup", "make run", ". .venv/bin/activate")


class Block(NamedTuple):
    """Commands of a page, one a line, and the text that the last of them prints."""

    lines: list[str]
    text: str


def name(page):
    """Return the path of a page within the project."""
    return str(page.relative_to(ROOT))


def blocks(page):
    """Return the blocks of commands of a page, with continued lines joined."""
    found = []
    for indent, body, text in BLOCK.findall(page.read_text()):
        joined = re.sub(r"\s*\\\n\s*", " ", body)
        lines = [line.removeprefix(indent) for line in joined.splitlines()]
        found.append(Block([line for line in lines if line], text))
    return found


def sentences(text):
    """Return the lines of an output, each with those that continue it."""
    return [" ".join(each.split()) for each in re.split(r"\n(?=\S)", text) if each.strip()]


def folder_like_a_checkout(path):
    """Make a repository whose content is that of the checkout, by links; return its folder."""
    path.mkdir()
    for each in ("planner", "models", "validation", "data", "docs", "app.py", "README.md"):
        (path / each).symlink_to(ROOT / each)
    (path / ".venv").symlink_to(sys.prefix)
    (path / ".gitignore").write_text(".venv\n")
    git(path, "init", "--quiet")
    git(path, "add", ".")
    git(path, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "All")
    return path


def git(path, *arguments):
    """Run git in a folder; return its output."""
    command = ["git", "-C", str(path), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Shell:
    """Shell of a reader: runs the lines of a page in this process."""

    def __init__(self, monkeypatch, capsys, temporary):
        self.monkeypatch, self.capsys, self.temporary = monkeypatch, capsys, temporary

    def run(self, line, *more):
        """Run one line; return its output."""
        if line in SET_UP or line.startswith(". .venv"):
            return ""
        if line == FOLDER:
            folder = self.temporary / f"folder-{len([*self.temporary.iterdir()])}"
            folder.mkdir()
            self.monkeypatch.chdir(folder)
            return ""
        if line.startswith("export "):
            for each in shlex.split(line)[1:]:
                key, _, value = each.partition("=")
                if key != "PATH":
                    value = value.replace("$PWD", str(Path.cwd()))
                    self.monkeypatch.setenv(key, value)
            return ""
        line, _, file = line.partition(" > ")
        python, option, module, *arguments = shlex.split(os.path.expandvars(line))
        assert (python, option, module) == ("python", "-m", "planner"), line
        output = self._planner(line, [*arguments, *more])
        if file:
            Path(file).write_text(output)
        return output

    def _planner(self, line, arguments):
        self.monkeypatch.setattr(sys, "argv", ["planner", *arguments])
        self.monkeypatch.delitem(sys.modules, "planner.__main__", raising=False)  # another test's
        with pytest.raises(SystemExit) as end:
            runpy.run_module("planner", run_name="__main__", alter_sys=True)
        output = self.capsys.readouterr()
        assert (end.value.code, output.err) == (0, ""), line
        return output.out
