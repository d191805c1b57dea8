"""Files written whole or not at all: nothing else writes a file that somebody asked for.

New content goes to a temporary file beside the old one, reaches the disk, and then takes its name.
A full disk, an I/O error, the keyboard, SIGTERM or SIGHUP leave the old file as it was and no
temporary file; after SIGKILL or a power cut a file named `.ssd-planner-*.tmp` may remain.
"""

import os
import signal
import stat
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path


def write_files(files: Mapping[Path, bytes], *, folder: Path | None = None) -> None:
    """Write files: all of them, or on an error none; make the folder first where one is named.

    The last one changes last: a file that points to others belongs there. Links are followed, and
    the owner and mode of a file that is replaced are kept. What is no regular file (a device, a
    pipe), or is where standard output goes, is written as it is, without a temporary file.

    Raises:
        OSError: With the path, as it was given, of the file that could not be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plan.csv"
    ...     write_files({path: b"old"})
    ...     write_files({path: b"new"})
    ...     path.read_bytes(), os.listdir(folder)
    (b'new', ['plan.csv'])
    """
    are_several = len(files) > 1
    staged: dict[Path, tuple[Path, Path | None]] = {}
    with _signals_as_exceptions(), ExitStack() as temporary, ExitStack() as undo:
        if folder is not None:
            with _naming(folder):
                _make(folder, temporary)
        for path, data in files.items():
            with _naming(path):
                if not _is_stream(path):
                    old = _copy_beside(path, temporary) if are_several else None
                    staged[path] = _beside(path, data, temporary), old
        for path in [path for path in files if path not in staged]:
            with _naming(path):
                _write_stream(path, files[path])
        for path, (new, old) in staged.items():
            with _naming(path):
                if are_several:
                    undo.callback(_restore, path, old)
                new.replace(os.path.realpath(path))
        undo.pop_all()


def _beside(path: Path, data: bytes, temporary: ExitStack) -> Path:
    """Write a temporary file beside a file, with its owner and mode, and return it."""
    target = Path(os.path.realpath(path))
    new = target.with_name(f".ssd-planner-{os.urandom(8).hex()}.tmp")
    temporary.callback(_unlink, new)
    old = target.stat() if target.exists() else None
    if old is not None:
        os.close(os.open(target, os.O_WRONLY))  # a file that is not to be written is not replaced
    mode = 0o666 if old is None else stat.S_IMODE(old.st_mode)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        if old is not None:
            with suppress(OSError):  # another's file becomes one's own, as with any editor
                os.fchown(descriptor, old.st_uid, old.st_gid)
            os.fchmod(descriptor, mode)
        _write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return new


def _copy_beside(path: Path, temporary: ExitStack) -> Path | None:
    """Copy the file that is to be replaced, if there is one."""
    return _beside(path, path.read_bytes(), temporary) if path.exists() else None


def _restore(path: Path, old: Path | None) -> None:
    """Put back what stood under a name."""
    with suppress(OSError):  # the first error is the one to report
        if old is None:
            Path(os.path.realpath(path)).unlink()
        else:
            old.replace(os.path.realpath(path))


def _unlink(path: Path) -> None:
    with suppress(OSError):  # it may have its name already, or never have been there
        path.unlink()


def _make(folder: Path, temporary: ExitStack) -> None:
    """Make a folder and those above it; they go again if they stay empty."""
    for each in reversed([folder, *folder.parents]):
        if not each.exists():
            temporary.callback(_remove_empty, each)
            each.mkdir()


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _is_stream(path: Path) -> bool:
    """Whether a path is a device, a pipe, a folder, or the file that standard output goes to."""
    if not path.exists():
        return False
    return not path.is_file() or _is_standard_output(path)


def _is_standard_output(path: Path) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(1))
    except OSError:  # standard output is closed
        return False


def _write_stream(path: Path, data: bytes) -> None:
    """Write to a file that cannot be replaced, such as a pipe."""
    descriptor = os.dup(1) if _is_standard_output(path) else os.open(path, os.O_WRONLY)
    try:
        _write(descriptor, data)
    finally:
        os.close(descriptor)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let errors name the path that was given, whichever call failed."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


@contextmanager
def _signals_as_exceptions() -> Iterator[None]:
    """Let signals that would end the process on the spot end it by `SystemExit` meanwhile."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    is_main = threading.current_thread() is threading.main_thread()
    deadly = [each for each in (signal.SIGTERM, signal.SIGHUP) if is_main]
    replaced = [each for each in deadly if signal.getsignal(each) is signal.SIG_DFL]
    for each in replaced:
        signal.signal(each, end)
    try:
        yield
    finally:
        for each in replaced:
            signal.signal(each, signal.SIG_DFL)
