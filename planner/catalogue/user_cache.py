"""Results kept between runs in the user's cache folder; every one of them may be lost at any time.

A file is a key, a checksum and plain data. It counts as absent if it is damaged, was written under
another key, belongs to another user, or others may write to it. Where no file can be written,
nothing is kept and nobody is told: the results are computed anew.
"""

import os
import stat
import zlib
from contextlib import suppress
from pathlib import Path

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def folder() -> Path | None:
    """Return the folder of kept results: `ssd-planner` in `XDG_CACHE_HOME`, else in `~/.cache`."""
    stated = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if stated.is_absolute():  # as the standard has it, others are ignored
        return stated / "ssd-planner"
    with suppress(RuntimeError):  # there is no home
        return Path.home() / ".cache" / "ssd-planner"
    return None


def digest_of(*paths: Path) -> str | None:
    """Return a digest of what files contain; None where one cannot be read."""
    from hashlib import sha256  # noqa: PLC0415 - slow to import

    digest = sha256()
    try:
        for path in paths:
            content = path.read_bytes()
            digest.update(b"%d " % len(content) + content)
    except OSError:
        return None
    return digest.hexdigest()


def short_name(place: Path) -> str:
    """Return a short name of a folder, another for each."""
    from hashlib import sha256  # noqa: PLC0415 - slow to import

    return sha256(bytes(place.resolve())).hexdigest()[:16]


def kept(name: str, key: str) -> bytes | None:
    """Return the data kept under a name, if it was kept under this key."""
    place = folder()
    if place is None:
        return None
    try:
        with (place / name).open("rb") as file:
            if not _is_own(os.fstat(file.fileno())):
                return None
            content = file.read()
    except OSError:
        return None
    head, _, data = content.partition(b"\n")
    return data if head == _head(key, data) else None


def keep(name: str, key: str, data: bytes) -> None:
    """Keep data under a name, in place of what was kept under it; readers see the one or the other.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as cache:
    ...     os.environ["XDG_CACHE_HOME"], before = cache, os.environ.get("XDG_CACHE_HOME", "")
    ...     keep("answer.txt", "of 2026", b"42")
    ...     kept("answer.txt", "of 2026"), kept("answer.txt", "of 2027")
    ...     os.environ["XDG_CACHE_HOME"] = before
    (b'42', None)
    """
    place = folder()
    if place is None:
        return
    new = place / f".{name}.{os.urandom(8).hex()}.tmp"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(_head(key, data) + b"\n" + data)
        new.replace(place / name)
    except OSError:
        with suppress(OSError):
            new.unlink()


def _head(key: str, data: bytes) -> bytes:
    return f"{key} {len(data)} {zlib.crc32(data):08x}".encode()


def _is_own(state: os.stat_result) -> bool:
    """Whether a file is a plain one of this user, which nobody else may write to."""
    if not stat.S_ISREG(state.st_mode):
        return False
    if os.name != "posix":  # modes and owners say nothing there
        return True
    return state.st_uid == os.geteuid() and not state.st_mode & _OTHERS_WRITE
