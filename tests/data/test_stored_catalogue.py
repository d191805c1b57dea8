"""The catalogue kept between runs: as it is read from the tables, whatever became of the file."""

import copy
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from planner.catalogue import user_cache
from planner.catalogue.reader import _read, load
from planner.catalogue.rows import data_folder
from planner.catalogue.stored import TABLES, dumped, kept_catalogue, loaded

ROOT = Path(__file__).parents[2]
PLAIN = _read(data_folder())
STARTED = "from planner.catalogue import load; print(len(load().drives))"


def contents(catalogue):
    """Return all of a catalogue; drives and sources in their order."""
    drives, sources = catalogue.drives, catalogue.sources
    return [*drives], [*drives.values()], [*sources.items()], catalogue.problems


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Return the folder of kept results, empty and of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "ssd-planner"


@pytest.fixture
def data(tmp_path):
    """Return a copy of the tables."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in TABLES:
        shutil.copy(data_folder() / name, folder)
    return folder


def refused(folder):
    raise AssertionError(f"{folder} is read")


def kept_file(cache):
    (path,) = cache.iterdir()
    return path


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_what_is_kept_is_what_was_read():
    again = loaded(dumped(PLAIN))
    assert contents(again) == contents(PLAIN)
    for kept, read in zip(again.drives.values(), PLAIN.drives.values(), strict=True):
        for name in ("features", "facts", "passed_over"):  # to the type of numbers, and in order
            assert repr([*getattr(kept, name).items()]) == repr([*getattr(read, name).items()])
        assert repr(kept) == repr(read)


def test_the_catalogue_of_the_package_is_that_of_its_tables():
    assert contents(load()) == contents(PLAIN)


def test_the_tables_are_read_once(cache, data):
    first = kept_catalogue(data, _read)
    assert contents(kept_catalogue(data, refused)) == contents(first) == contents(PLAIN)


def test_facts_are_parsed_of_the_drives_that_are_asked_for(cache, data, monkeypatch):
    kept_catalogue(data, _read)
    parsed = []
    monkeypatch.setattr(
        "planner.catalogue.stored.Fact", lambda **row: parsed.append(row["drive_id"])
    )
    drives = kept_catalogue(data, refused).drives
    assert len(drives) == len(PLAIN.drives)
    assert not parsed
    pm9a3 = drives["samsung-pm9a3-3840gb"]
    name = next(iter(PLAIN.drives[pm9a3.drive_id].facts))
    assert pm9a3.value(name) == PLAIN.drives[pm9a3.drive_id].value(name)
    assert not parsed  # numbers are listed with the drive
    assert name in pm9a3.facts
    assert pm9a3.facts.get("no such quantity") is None
    assert not parsed
    assert name in {**pm9a3.facts}
    assert set(parsed) == {"samsung-pm9a3-3840gb"}


def test_drives_travel_whole(cache, data):
    kept_catalogue(data, _read)
    for drive in list(kept_catalogue(data, refused).drives.values())[::100]:
        again = copy.deepcopy(drive)
        assert type(again.facts) is dict
        assert again == drive == PLAIN.drives[drive.drive_id]


@pytest.mark.parametrize("name", TABLES)
def test_an_edited_table_is_read_anew(cache, data, name):
    kept_catalogue(data, _read)
    stated = (data / name).stat()
    old, new = ("Samsung", "Samsunk") if name != "facts.csv" else ("p. ", "q. ")
    edit(data / name, old, new)
    os.utime(data / name, ns=(stated.st_atime_ns, stated.st_mtime_ns))  # neither size nor time tell
    assert contents(kept_catalogue(data, _read)) == contents(_read(data)) != contents(PLAIN)
    kept_catalogue(data, refused)


def test_other_code_reads_anew(cache, data, tmp_path, monkeypatch):
    kept_catalogue(data, _read)
    code = tmp_path / "reader.py"
    code.write_text("1")
    monkeypatch.setattr("planner.catalogue.stored._CODE", (code,))
    with pytest.raises(AssertionError):
        kept_catalogue(data, refused)
    kept_catalogue(data, _read)
    code.write_text("2")
    with pytest.raises(AssertionError):
        kept_catalogue(data, refused)
    code.unlink()  # an installation without it keeps nothing
    assert contents(kept_catalogue(data, _read)) == contents(PLAIN)


def truncated(path):
    path.write_bytes(path.read_bytes()[:-9])


def flipped(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def emptied(path):
    path.write_bytes(b"")


def strange(path):
    path.write_bytes(b"\x80\x04\x95" * 99)  # as a pickle begins


def writable(path):
    path.chmod(0o666)


def a_folder(path):
    path.unlink()
    path.mkdir()


BROKEN = (truncated, flipped, emptied, strange, writable, a_folder)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_a_damaged_file_or_one_that_others_write_is_read_anew(cache, data, broken):
    kept_catalogue(data, _read)
    broken(kept_file(cache))
    with pytest.raises(AssertionError):
        kept_catalogue(data, refused)
    assert contents(kept_catalogue(data, _read)) == contents(PLAIN)
    if broken is not a_folder:  # which stays in the way of a file
        kept_catalogue(data, refused)
    assert len([*cache.iterdir()]) == 1  # no temporary file


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root gives files away")
def test_a_file_of_another_user_is_not_read(cache, data):
    kept_catalogue(data, _read)
    os.chown(kept_file(cache), 4242, -1)
    with pytest.raises(AssertionError):
        kept_catalogue(data, refused)


@pytest.mark.parametrize("place", ["/proc/no", "/dev/null", "no/absolute/path", ""])
def test_nothing_is_kept_where_nothing_can_be_written(data, monkeypatch, place):
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    monkeypatch.setenv("HOME", "/proc/no")
    for _ in range(2):
        assert contents(kept_catalogue(data, _read)) == contents(PLAIN)
    assert not Path("no").exists()


def test_without_a_home_nothing_is_kept(monkeypatch):
    def homeless():
        raise RuntimeError

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert user_cache.folder() is None
    user_cache.keep("name", "key", b"data")
    assert user_cache.kept("name", "key") is None


def test_of_two_folders_both_are_kept(cache, data, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(data, other)
    edit(other / "drives.csv", "Samsung", "Samsunk")
    for folder in (data, other):
        kept_catalogue(folder, _read)
    assert contents(kept_catalogue(data, refused)) == contents(PLAIN)
    assert contents(kept_catalogue(other, refused)) == contents(_read(other))


def test_processes_at_once_read_a_whole_catalogue(cache):
    environment = os.environ | {"XDG_CACHE_HOME": str(cache.parent)}
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", STARTED], cwd=ROOT, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(4)
    ]  # fmt: skip
    for run in runs:
        assert run.communicate() == (f"{len(PLAIN.drives)}\n", "")
    content = kept_file(cache).read_bytes()
    assert contents(loaded(content.partition(b"\n")[2])) == contents(PLAIN)
