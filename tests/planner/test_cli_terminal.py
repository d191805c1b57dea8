"""What reaches a terminal: no control character of a file or an argument, and no endless line."""

import ast
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from planner import cli
from planner.cli import files, main
from tests import synthetic_drives as made
from tests.planner.telemetry.traces.samples import SAMPLES
from tests.planner.test_cli_refusals import REFUSED

EVIL = "a\x1b]0;title\x07\x1b[2J\rb\u202ec\x9b31m\ud800\u200bd"
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\ud800-\udfff]")
MODULES = sorted(Path(cli.__file__).parent.glob("*.py"))


def printed(capsys, *arguments):
    """Run a command; hold that nothing controls the terminal."""
    code = main(list(arguments))
    out, err = capsys.readouterr()
    assert CONTROL.search(re.sub("\x1b\\[[01]m", "", out + err)) is None
    return code, out, err


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_commands_print_through_one_function(path):
    printing = {"click.echo", "click.secho", "click.echo_via_pager", "print", "sys.stdout.write",
                "sys.stderr.write"}  # fmt: skip
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    used = {ast.unparse(call.func) for call in calls} & printing
    assert used == ({"click.echo"} if path.stem == "terminal" else set())


def test_what_a_file_says_is_printed_without_control_characters(capsys, tmp_path):
    attributes = [(251, EVIL, 100, 5), (241, f"Total_LBAs\n\n{EVIL}", 99, 5)]
    path = tmp_path / "smart.json"
    path.write_bytes(made.encoded(made.sata_json(EVIL, attributes=attributes)))
    code, out, _ = printed(capsys, "read", str(path))
    assert code == 0
    assert r"\u001b]0;title\u0007" in out
    code, out, _ = printed(capsys, "read", str(path), "--json")
    (record,) = json.loads(out)
    assert record["drive"]["model"] == EVIL
    broken = tmp_path / "broken.json"
    broken.write_bytes(b'{"smartctl":{"messages":[{"string":"\\u001b[2Ja\\nb"}]}}')
    code, _, err = printed(capsys, "read", str(broken))
    assert (code, err.count("\n")) == (2, 1)


@pytest.mark.parametrize("name", ["\x1b[2J", "\n\nforged: line", "\u202egpj.exe"])
def test_the_name_of_a_file_is_printed_on_one_line(capsys, tmp_path, name):
    path = tmp_path / f"a{name}.csv"
    path.write_bytes(SAMPLES["CSV with named columns"])
    for command in (("read",), ("wa", "--drive", "840 EVO 250", "--trace")):
        code, out, _ = printed(capsys, *command, str(path))
        assert code == 0
        assert name not in out
    path.write_bytes(b"hello")
    for command in (("read",), ("forecast",), ("wa", "--drive", "840 EVO 250", "--trace")):
        code, _, err = printed(capsys, *command, str(path))
        assert (code, err.count("\n")) == (2, 1)


@pytest.mark.parametrize("command", REFUSED)
def test_an_argument_is_refused_on_one_short_line(capsys, command):
    for argument in (EVIL, "x" * 100_000, "--" + "y" * 100_000, f"--writes={'z' * 100_000}"):
        code, out, err = printed(capsys, *command.split(), argument)
        is_searched = command == "drives" and not argument.startswith("-")
        assert code == (0 if is_searched else 2)
        assert len(err) < 700
        assert err.startswith("Error: ") or command == "read" or is_searched
        assert err.count("\n") <= 1
        assert len(out) < 1000


class Endless:
    """Standard input that goes on."""

    given = 0

    def read(self, size):
        self.given += size
        return b"0" * size


def test_standard_input_without_end_is_refused(capsys, monkeypatch):
    source = Endless()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=source))
    monkeypatch.setattr(files, "MOST_PIPED_BYTES", 5 << 20)
    code, _, err = printed(capsys, "read", "-")
    assert (code, source.given) == (2, 6 << 20)
    assert "standard input: byte 5242880: is longer than 5 MiB" in err
