"""Files are written whole or not at all, whatever fails on the way."""

import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from planner.cli import main
from planner.export.files import write_files
from tests.faults import contents, faults

ROOT = Path(__file__).parents[3]
OLD = {"a.csv": b"old a\n" * 100, "b.csv": b"old b\n"}
NEW = {"a.csv": b"new a\n" * 200, "b.csv": b"new b\n", "c.csv": b"new c\n"}


def at(folder, files):
    return {folder / name: data for name, data in files.items()}


def filled(folder, files=OLD):
    for name in contents(folder):
        (folder / name).unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def written_with_faults(folder, files, *, for_good=False):
    """Yield what a folder holds after each call in turn has failed, until none does."""
    for fails_at in count(1):
        filled(folder)
        named = None
        with faults(folder, fails_at, for_good=for_good) as those:
            try:
                write_files(at(folder, files))
            except OSError as error:
                named = error.filename
        assert named in {str(folder / name) for name in files} or not those.happened
        yield those.happened, contents(folder)
        if not those.happened:
            assert fails_at > 5 * len(files)
            return


@pytest.mark.parametrize("files", [{"a.csv": NEW["a.csv"]}, {"c.csv": NEW["c.csv"]}, NEW])
def test_whichever_call_fails_all_files_are_old_or_all_are_new(tmp_path, files):
    *failed, (_, last) = written_with_faults(tmp_path, files)
    assert last == OLD | files
    assert [got for _, got in failed if got not in (OLD, OLD | files)] == []
    assert failed[0][1] == OLD


@pytest.mark.parametrize("files", [{"a.csv": NEW["a.csv"]}, NEW])
def test_where_every_further_call_fails_each_file_is_old_or_new(tmp_path, files):
    for _, got in written_with_faults(tmp_path, files, for_good=True):
        for name, data in got.items():
            assert data in (OLD.get(name), files.get(name))
        if got.get("c.csv") == NEW["c.csv"]:  # the last one points to the others
            assert got == OLD | files


def test_a_folder_made_for_files_goes_again_with_them(tmp_path):
    folder = tmp_path / "deep" / "er"
    for fails_at in count(1):
        with faults(tmp_path, fails_at) as those:
            try:
                write_files(at(folder, NEW), folder=folder)
            except OSError:
                assert not [*tmp_path.iterdir()]
        if not those.happened:
            break
    assert contents(folder) == NEW


def test_data_that_the_system_takes_in_small_parts_arrive_whole(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, bytes(data)[:7]))
    write_files(at(tmp_path, NEW))
    assert contents(tmp_path) == NEW


def test_a_disk_that_is_full_half_way_leaves_the_old_files(tmp_path):
    filled(tmp_path)
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, unlimited[1]))
    try:
        with pytest.raises(OSError, match=r"a\.csv"):
            write_files(at(tmp_path, NEW))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert contents(tmp_path) == OLD


def test_mode_owner_and_links_of_a_file_stay(tmp_path):
    kept, link = tmp_path / "kept.csv", tmp_path / "link.csv"
    kept.write_bytes(b"old")
    kept.chmod(0o640)
    if os.getuid() == 0:
        os.chown(kept, 12345, 23456)
    link.symlink_to("kept.csv")
    before = kept.stat()
    write_files({link: b"new"})
    after = kept.stat()
    assert (kept.read_bytes(), link.is_symlink()) == (b"new", True)
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode, before.st_uid, before.st_gid,
    )  # fmt: skip


def test_a_new_file_has_the_mode_that_the_user_gives_to_files(tmp_path):
    before = os.umask(0o027)
    try:
        write_files({tmp_path / "new.csv": b""})
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.csv").stat().st_mode) == 0o640


def test_a_link_to_nothing_yet_makes_its_file_and_one_to_itself_is_no_traceback(tmp_path):
    (tmp_path / "link").symlink_to("there.csv")
    (tmp_path / "loop").symlink_to("loop")
    write_files({tmp_path / "link": b"new"})
    assert (tmp_path / "there.csv").read_bytes() == b"new"
    write_files({tmp_path / "loop": b"new"})
    assert (tmp_path / "loop").read_bytes() == b"new"


@pytest.fixture
def not_root():
    """A folder of a user who is not root, as that user."""
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid():
            yield Path(folder)
            return
        os.chown(folder, 65534, -1)
        os.seteuid(65534)
        try:
            yield Path(folder)
        finally:
            os.seteuid(0)


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o555, 0o644), (0o755, 0o444)])
def test_what_may_not_be_written_is_refused_and_stays(not_root, folder_mode, file_mode):
    path = not_root / "plan.csv"
    path.write_bytes(b"old")
    path.chmod(file_mode)
    not_root.chmod(folder_mode)
    with pytest.raises(PermissionError) as refused:
        write_files({path: b"new"})
    not_root.chmod(0o755)
    assert refused.value.filename == str(path)
    assert contents(not_root) == {"plan.csv": b"old"}


def test_devices_and_pipes_are_written_as_they_are(tmp_path):
    with pytest.raises(OSError, match="/dev/full"):
        write_files({Path("/dev/full"): b"data"})
    write_files({Path("/dev/null"): b"data"})
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        write_files({pipe: b"data"})
        assert reader.communicate()[0] == b"data"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(IsADirectoryError):
        write_files({tmp_path: b"data"})


def test_the_file_that_standard_output_goes_to_is_not_replaced(tmp_path):
    out = tmp_path / "out"
    code = (
        "from pathlib import Path; from planner.export.files import write_files;"
        "write_files({Path('/dev/stdout'): b'data '}); print('and more')"
    )
    with out.open("wb") as stream:
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=stream, check=True)
    assert contents(tmp_path) == {"out": b"data and more\n"}


@pytest.fixture(params=[signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def number(request):
    """A signal that ends the process, also where a shell has the tests ignore SIGINT."""
    is_interrupt = request.param == signal.SIGINT
    default = signal.default_int_handler if is_interrupt else signal.SIG_DFL
    inherited = signal.signal(request.param, default)
    yield request.param
    signal.signal(request.param, inherited)


def test_a_signal_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch, number):
    filled(tmp_path)
    before = signal.getsignal(number)
    monkeypatch.setattr(os, "fsync", lambda _: os.kill(os.getpid(), number))
    with pytest.raises((SystemExit, KeyboardInterrupt)) as ended:
        write_files(at(tmp_path, NEW))
    if number != signal.SIGINT:
        assert ended.value.code == 128 + number
    assert contents(tmp_path) == OLD
    assert signal.getsignal(number) is before


def test_other_threads_write_too(tmp_path):
    thread = threading.Thread(target=write_files, args=[at(tmp_path, NEW)])
    thread.start()
    thread.join()
    assert contents(tmp_path) == NEW


# Two contents by turns, until somebody ends it.
TURNS = """
import itertools, sys
from pathlib import Path
from planner.export.files import write_files
folder = Path(sys.argv[1])
for letter in itertools.cycle("xy"):
    write_files({folder / name: (name + letter).encode() * 100_000 for name in "abc"})
    print(flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_at_any_moment_every_file_is_whole(tmp_path, number):
    for moment_s in np.random.default_rng(5).uniform(0, 0.01, 6):
        with subprocess.Popen(
            [sys.executable, "-S", "-c", TURNS, tmp_path], cwd=ROOT, stdout=subprocess.PIPE
        ) as writer:
            for _ in range(2):
                writer.stdout.readline()
            time.sleep(moment_s)
            writer.send_signal(number)
        got = contents(tmp_path)
        for name in "abc":
            assert got.pop(name) in ((name + letter).encode() * 100_000 for letter in "xy")
        assert all(name.startswith(".ssd-planner-") for name in got)
        if number == signal.SIGTERM:
            assert not got
        for name in got:
            (tmp_path / name).unlink()


EXPORTED = ("--exported", "2026-01-31")
WORKBOOKS = {
    # A price is stated, since a carried one follows the day, which time zones do not share.
    "plan.xlsx": ("export", "--drive", "840 EVO 250", "--price", "150", *EXPORTED, "--output"),
    "purchase.xlsx": ("choose", "--drive", "845DC PRO 400", "--usable", "1TB", "--writes",
                      "100GB/day", "--drives", "4,8", "--raid", "5", "--today", "2026-01-31",
                      *EXPORTED, "--xlsx"),
}  # fmt: skip
WRITE_WORKBOOKS = f"""
from planner.cli import main
for name, call in {WORKBOOKS}.items():
    main([*call, name])
"""


def test_workbooks_are_the_same_bytes_on_every_run(tmp_path, capsys, monkeypatch):
    """At another second, in another time zone, with another order of sets."""
    monkeypatch.chdir(tmp_path)
    environment = os.environ | {
        "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    subprocess.run(
        [sys.executable, "-c", WRITE_WORKBOOKS], env=environment, check=True, capture_output=True
    )
    before = contents(tmp_path)
    for name, call in WORKBOOKS.items():
        assert main([*call, name]) == 0
    assert contents(tmp_path) == before
    for name in WORKBOOKS:
        core = zipfile.ZipFile(name).read("docProps/core.xml").decode()
        assert core.count("2026-01-31T00:00:00Z") == 2  # created, modified


CALLED_BY_TURNS = (
    ("export", "--capacity", "1TB", "--output", "plan.csv"),
    ("fio-job", "--drive", "840 EVO 250", "--output", "job.fio"),
    ("export", "--capacity", "1TB", "--output", "plan.json"),
)
RATES = ("30GB/day", "40GB/day")
# A process that writes files with two contents by turns, killed some seconds after it began.
KILLED = f"""
import itertools, os, signal, sys, time
from planner.cli import main
def turn(rate):
    for call in {CALLED_BY_TURNS}:
        main([*call, "--writes", rate])
sys.stdout = open(os.devnull, "w")
turn({RATES[0]!r})
for moment_s in map(float, sys.argv[1:]):
    writer = os.fork()
    if not writer:
        for rate in itertools.cycle({RATES}):
            turn(rate)
    time.sleep(moment_s)
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)
    print("killed", file=sys.__stdout__, flush=True)
    sys.stdin.readline()
"""


def test_commands_killed_at_any_moment_leave_whole_files(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    allowed = []
    for rate in RATES:
        assert [main([*call, "--writes", rate]) for call in CALLED_BY_TURNS] == [0, 0, 0]
        allowed.append(contents(tmp_path))
    moments = np.random.default_rng(7).uniform(0.05, 0.2, 8)
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, *map(str, moments)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as run:  # fmt: skip
        for _ in moments:
            assert run.stdout.readline() == b"killed\n"
            got = contents(tmp_path)
            for name in allowed[0]:
                assert got[name] in (allowed[0][name], allowed[1][name])
            assert all(name.startswith(".ssd-planner-") for name in set(got) - set(allowed[0]))
            run.stdin.write(b"\n")
            run.stdin.flush()
    assert run.returncode == 0
