"""Runs of small drives kept between commands: the numbers of the runs themselves."""

import pytest

from models.simulator import small_drive
from planner.cli import kept_runs
from planner.cli.kept_runs import KeptRuns, keeping_runs

LOAD = small_drive.load_of("greedy", 0.0, (0.9, 0.1), (0.21, 0.79), 16, 1)  # is not stored
PLACES = -140, -120


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Return the file of kept runs, of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "ssd-planner" / kept_runs.NAME


def runs():
    """Return the runs of the load as a command reads them that starts now."""
    small_drive._run.cache_clear()
    with keeping_runs():
        return [small_drive._run(LOAD, place, "random") for place in PLACES]


def refused(*_):
    raise AssertionError("it runs again")


def test_a_run_is_kept_to_the_last_digit(cache, monkeypatch):
    fresh = [small_drive.fresh_run(LOAD, place, "random") for place in PLACES]
    assert runs() == fresh
    monkeypatch.setattr(small_drive, "fresh_run", refused)
    kept = runs()
    assert kept == fresh
    assert [list(map(type, run)) for run in kept] == [list(map(type, run)) for run in fresh]


def test_without_a_keeper_nothing_is_written(cache):
    small_drive._run.cache_clear()
    small_drive._run(LOAD, PLACES[0], "random")
    assert not cache.exists()


@pytest.mark.parametrize("content", [b"", b"{}", b"\x80\x04\x95" * 99, None])
def test_a_damaged_file_is_as_none(cache, monkeypatch, content):
    fresh = runs()
    whole = cache.read_bytes()
    cache.write_bytes(whole.replace(b"1.", b"2.", 1) if content is None else content)
    assert runs() == fresh
    monkeypatch.setattr(small_drive, "fresh_run", refused)
    assert runs() == fresh  # written anew


def test_other_code_runs_again(cache, monkeypatch):
    runs()
    monkeypatch.setattr(KeptRuns, "_key", "of other code")
    monkeypatch.setattr(small_drive, "fresh_run", refused)
    with pytest.raises(AssertionError):
        runs()


def test_the_key_is_that_of_the_simulator(tmp_path, monkeypatch):
    before = KeptRuns()._key
    folder = tmp_path / "simulator"
    folder.mkdir()
    (folder / "kernel.py").write_text("")
    monkeypatch.setattr(kept_runs.models, "__file__", str(tmp_path / "__init__.py"))
    empty = KeptRuns()._key
    (folder / "kernel.py").write_text("1")
    assert len({before, empty, KeptRuns()._key}) == 3


def test_commands_at_once_lose_no_run_of_each_other(cache):
    one, other = KeptRuns(), KeptRuns()
    assert one.kept("first") is None
    assert other.kept("second") is None
    one.keep("first", [1.0])
    other.keep("second", [2.0])
    one.flush()
    other.flush()
    assert [KeptRuns().kept(name) for name in ("first", "second", "third")] == [[1.0], [2.0], None]


def test_the_latest_runs_are_kept(cache, monkeypatch):
    monkeypatch.setattr(kept_runs, "MOST", 3)
    for place in range(5):
        keeper = KeptRuns()
        keeper.keep(f"{place}", [float(place)])
        keeper.flush()
    assert [KeptRuns().kept(f"{place}") for place in range(5)] == [None, None, [2.0], [3.0], [4.0]]


def test_what_was_found_before_a_failure_is_kept(cache, monkeypatch):
    fresh = small_drive.fresh_run
    small_drive._run.cache_clear()

    def fails():
        with keeping_runs():
            small_drive._run(LOAD, PLACES[0], "random")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    monkeypatch.setattr(
        small_drive, "fresh_run", lambda *of: refused() if of[1] == PLACES[0] else fresh(*of)
    )
    assert len(runs()) == 2
