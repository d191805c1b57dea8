"""Every file of every command is written whole or not at all, and so is what it prints."""

import os
import subprocess
import sys
import zipfile
from contextlib import redirect_stdout
from itertools import count
from pathlib import Path

import click
import pytest

import planner as ssd
import planner.cli.choose as choosing
import planner.cli.export as exporting
import planner.cli.fio_job as jobs
import validation.command as simulation
import validation.pictures as validation_pictures
from planner.cli import cli, main
from planner.export.workbook import book
from tests import synthetic_drives, synthetic_fio
from tests.faults import contents, faults
from tests.validation.test_report import QUICK, outcomes

ROOT = Path(__file__).parents[2]
EVO = ("--drive", "840 EVO 250")
EXPORT = ("export", *EVO, "--writes", "30GB/day")
CHOOSE = (
    "choose", "--drive", "845DC PRO 400", "--usable", "1TB", "--writes", "100GB/day",
    "--drives", "4,8", "--raid", "5",
)  # fmt: skip
# Calls that write into the folder "out", all options for files among them.
CALLS = {
    "export xlsx": (*EXPORT, "--output", "out/plan.xlsx"),
    "export csv": (*EXPORT, "--output", "out/plan.csv"),
    "export json": (*EXPORT, "--output", "out/plan.json"),
    "catalogue": ("catalogue", "template", "--output", "out/quotes.csv"),
    "fio-job": ("fio-job", *EVO, "--output", "out/job.fio"),
    "app": ("app", "etcd", "--in", "puts_per_s=50", "--save", "out/saved.json"),
    "plan": ("plan", *EVO, "--writes", "30GB/day", "--save", "out/saved.json"),
    "read": ("read", "nvme.json", "--save", "out/saved.json"),
    "speed": ("speed", *EVO, "--measured", "fio.json", "--save", "out/saved.json"),
    "choose": (*CHOOSE, "--xlsx", "out/plan.xlsx", "--tables", "out/tables", "--save",
               "out/saved.json", "--csv", "out/plans.csv", "--rfq", "out/rfq.csv"),
    "protocol": ("protocol", "four-corners", *EVO, "--csv", "out/course.csv", "--fio",
                 "out/job.fio"),
    "validate": ("validate", "--quick", "--output", "out/report.md"),
    "fleet": ("fleet", "nvme.json", "--output", "out/fleet.csv", "--prometheus", "out/fleet.prom",
              "--mqtt", "out/mqtt"),
}  # fmt: skip
READ = {"--scenario", "--trace", "--catalogue", "--grid", "--measured", "path"}
# A sweep that ends early leaves its finished shards beside the table, which test_sweep.py tries.
LEAVES = {("sweep", "--out")}


def once(patch, place, name):
    """Let a function be computed at the first call only: what follows is about writing."""
    real, results = getattr(place, name), []

    def known(*given, **named):
        if not results:
            results.append(real(*given, **named))
        return results[0]

    patch.setattr(place, name, known)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of files to read, with costly answers computed once."""
    folder = tmp_path_factory.mktemp("writes")
    (folder / "nvme.json").write_bytes(synthetic_drives.encoded(synthetic_drives.nvme_json()))
    run = synthetic_fio.run(synthetic_fio.reads(1, 10e3))
    (folder / "fio.json").write_bytes(synthetic_fio.encoded(run))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(simulation, "cases", lambda quick: QUICK)
        patch.setattr(simulation, "compare", lambda grid, **_: outcomes()[: len(grid)])
        once(patch, validation_pictures, "pictures")
        once(patch, exporting, "workbook")
        once(patch, book, "workbook")
        once(patch, jobs, "job_of")
        for name in ("question", "choose", "ranked_rows", "_tables", "_workbook"):
            once(patch, choosing, name)
        yield folder


def emptied(folder, files):
    """Let a folder hold some files and nothing else."""
    for name in contents(folder):
        (folder / name).unlink()
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir()
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)


def options(group, prefix=""):
    """Yield the options of every command that take a path to write to."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from options(command, f"{prefix}{name} ")
            continue
        for option in command.params:
            if isinstance(option.type, click.Path) and not READ & set(option.opts):
                yield f"{prefix}{name}", max(option.opts, key=len)


def test_every_option_that_writes_is_tried():
    names = [(name, call) for call in CALLS.values() for name in (call[0], " ".join(call[:2]))]
    tried = {(name, word) for name, call in names for word in call}
    assert set(options(cli)) - LEAVES <= tried
    assert len(set(options(cli))) == 19


@pytest.mark.parametrize("name", CALLS)
def test_whichever_call_of_the_system_fails_the_files_are_old_or_new(folder, capsys, name):
    out = folder / "out"
    emptied(out, {})
    assert main(CALLS[name]) == 0
    new = contents(out)
    old = {name: b"old " + data[:50] for name, data in new.items()}
    capsys.readouterr()
    for fails_at in count(1):
        emptied(out, old)
        with faults(out, fails_at) as those:
            code = main(CALLS[name])
        if not those.happened:
            break
        statement = capsys.readouterr().err.splitlines()
        assert (code, contents(out)) in ((2, old), (0, new))
        if code:
            assert len(statement) == 1
            assert "cannot be written: " in statement[0]
            assert statement[0].split()[1] in CALLS[name]  # the option is named
    assert (code, contents(out)) == (0, new)
    assert fails_at > 6 * len(new)


def test_two_options_do_not_write_one_file(folder, capsys):
    emptied(folder / "out", {})
    assert main([*CHOOSE, "--save", "out/a", "--csv", "out/a"]) == 2
    assert capsys.readouterr().err == "Error: --csv 'out/a' is also the file of --save\n"
    assert not contents(folder / "out")


def test_a_script_writes_its_workbook_whole(folder):
    out = folder / "out"
    plan = ssd.plan("840 EVO 250")
    emptied(out, {"plan.xlsx": b"old"})
    for fails_at in count(1):
        with faults(out, fails_at) as those:
            try:
                plan.to_excel(out / "plan.xlsx")
            except OSError:
                assert contents(out) == {"plan.xlsx": b"old"}
        if not those.happened:
            break
    assert fails_at > 6
    assert zipfile.is_zipfile(out / "plan.xlsx")


PRINTING = {
    "--help": 0, "--version": 0, "plan --help": 0, "workloads": 0, "drives 845dc --json": 0,
    "plan --capacity 1TB --json": 0, "plan --json": 2,
}  # fmt: skip


@pytest.mark.parametrize("call", PRINTING)
def test_a_full_disk_behind_stdout_is_one_sentence(capsys, call):
    with Path("/dev/full").open("w") as full, redirect_stdout(full):
        assert main(call.split()) == 2
    statement = capsys.readouterr().err.splitlines()
    assert statement[-1] == "Error: standard output cannot be written: No space left on device"
    assert len(statement) == (1 if PRINTING[call] == 0 else 2)  # a refusal is there, too


@pytest.mark.parametrize("call", PRINTING)
def test_a_reader_who_has_seen_enough_ends_a_command_quietly(capsys, call):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as closed, redirect_stdout(closed):  # noqa: PTH123 - an open file
        assert main(call.split()) == 141
    assert capsys.readouterr().err.count("\n") == (0 if PRINTING[call] == 0 else 1)


def test_validation_by_itself_says_so_too():
    line = f"{sys.executable} -m validation --help >/dev/full"
    run = subprocess.run(
        ["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False
    )
    statement = "Error: standard output cannot be written: No space left on device\n"
    assert (run.returncode, run.stderr) == (2, statement)


@pytest.mark.parametrize(
    ("where", "code", "statement"),
    [
        (">/dev/full", 2, "Error: standard output cannot be written: No space left on device\n"),
        ("| true", 141, ""),
        ("2>/dev/full >/dev/full", 2, ""),
    ],
)
def test_python_has_nothing_to_add_when_it_ends(where, code, statement):
    line = f"set -o pipefail; {sys.executable} -m planner workloads {where}"
    run = subprocess.run(
        ["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (code, statement)
