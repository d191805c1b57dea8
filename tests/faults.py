"""Calls of the operating system that fail on purpose, as SQLite tests its writes."""

import errno
import os
from contextlib import contextmanager
from pathlib import Path

import pytest

PATHS = ("open", "mkdir", "replace", "rename")  # calls that are given a path
FILES = ("write", "fsync", "fchmod", "close")  # calls that are given an open file


class Faults:
    """Count the calls that change a folder, and let the n-th fail, or all from the n-th on."""

    def __init__(self, folder: Path, fails_at: int = 0, *, for_good: bool = False) -> None:
        self.folder, self.fails_at, self.for_good = os.path.realpath(folder), fails_at, for_good
        self.calls = 0
        self.files: set[int] = set()

    @property
    def happened(self) -> bool:
        return self.calls >= self.fails_at > 0

    def fail(self, name: str) -> None:
        self.calls += 1
        if self.calls == self.fails_at or (self.for_good and self.happened):
            number = errno.EIO if name in ("fsync", "close") else errno.ENOSPC
            raise OSError(number, os.strerror(number))

    def given_path(self, name: str, path: object, *rest: object, **options: object) -> object:
        is_ours = os.path.realpath(os.fspath(path)).startswith(self.folder)
        if is_ours:
            self.fail(name)
        result = REAL[name](path, *rest, **options)
        if is_ours and name == "open":
            self.files.add(result)
        return result

    def given_file(self, name: str, file: int, *rest: object) -> object:
        is_ours = file in self.files
        if is_ours and name == "close":
            self.files.remove(file)
            REAL["close"](file)  # a file is closed even where closing reports an error
        if is_ours:
            self.fail(name)
        return None if is_ours and name in ("close", "fsync") else REAL[name](file, *rest)


REAL = {name: getattr(os, name) for name in (*PATHS, *FILES)}


@contextmanager
def faults(folder: Path, fails_at: int = 0, *, for_good: bool = False):
    """Let the n-th call that changes something in a folder fail."""
    those = Faults(folder, fails_at, for_good=for_good)
    with pytest.MonkeyPatch.context() as patch:
        for kind, call in ((PATHS, those.given_path), (FILES, those.given_file)):
            for name in kind:
                patch.setattr(os, name, lambda *a, _n=name, _c=call, **k: _c(_n, *a, **k))
        yield those
    assert not those.files, "a file was left open"


def contents(folder: Path) -> dict[str, bytes]:
    """Return everything in a folder, temporary files too."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
