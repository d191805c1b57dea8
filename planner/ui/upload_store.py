"""Files given to the app: on the disk of the server, not in its memory, until their tab is gone.

Streamlit keeps uploads in memory, all of them as long as their session lasts. Here each goes to a
file while it arrives; Streamlit checks the request as usual and keeps an empty file instead.
"""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, BinaryIO, NamedTuple

from starlette.datastructures import Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime

from planner.quantity.door import UPLOADED

MOST_STORED_BYTES = 8 << 30  # of all sessions
SWEEP_S = 20.0  # from one look for files of sessions that are gone to the next
_ROUTE = "/_stcore/upload_file/"
_MARGIN_BYTES = 1 << 20  # of a form around its file
_CHUNK_BYTES = 1 << 20
_BOUNDARY = "file"

Key = tuple[str, str]  # of a session, of a file


class StoredFile(NamedTuple):
    """The content of a file that was given: its place, its size, and its digest."""

    path: Path
    size_bytes: int
    digest: str


class UploadStore:
    """Files that were given, in a folder that ends with this process.

    >>> import io
    >>> store = UploadStore()
    >>> file = store.add(("session", "file"), io.BytesIO(b"text"))
    >>> file.path.read_bytes(), file.size_bytes, store.find(("session", "file")) == file
    (b'text', 4, True)
    >>> for _ in range(2):
    ...     store.sweep(lambda session, file: False)
    >>> file.path.exists(), store.find(("session", "file"))
    (False, None)
    >>> store.close()
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._files: dict[Key, StoredFile] = {}
        self._doubtful: set[Key] = set()  # not kept at the last sweep
        self._folder: TemporaryDirectory[str] | None = None

    def add(self, key: Key, source: BinaryIO) -> StoredFile:
        """Copy a file into the folder, instead of an earlier one of that key."""
        digest, size_bytes = hashlib.sha256(), 0
        path = self._new_path()
        with path.open("xb") as target:
            while chunk := source.read(_CHUNK_BYTES):
                digest.update(chunk)
                size_bytes += target.write(chunk)
        file = StoredFile(path, size_bytes, digest.hexdigest())
        with self._lock:
            before = self._files.pop(key, None)
            self._files[key] = file
        _unlink(before)
        return file

    def find(self, key: Key) -> StoredFile | None:
        """Return a file; None if it was not given, or is gone."""
        with self._lock:
            return self._files.get(key)

    @property
    def size_bytes(self) -> int:
        """Bytes of all files."""
        with self._lock:
            return sum(file.size_bytes for file in self._files.values())

    def sweep(self, is_kept: Callable[[str, str], bool]) -> None:
        """Delete the files that are not kept, by session and file, at two sweeps in a row.

        A file that has just arrived is not kept yet.
        """
        with self._lock:
            unkept = {key for key in self._files if not is_kept(*key)}
            files = [self._files.pop(key) for key in unkept & self._doubtful]
            self._doubtful = unkept
        for file in files:
            _unlink(file)

    def close(self) -> None:
        """Delete all files."""
        with self._lock:
            folder, self._folder = self._folder, None
            self._files.clear()
        if folder is not None:
            folder.cleanup()

    def _new_path(self) -> Path:
        with self._lock:
            if self._folder is None:
                self._folder = TemporaryDirectory(prefix="ssd-planner-")
            return Path(self._folder.name) / os.urandom(16).hex()


def _unlink(file: StoredFile | None) -> None:
    if file is not None:
        file.path.unlink(missing_ok=True)


STORE = UploadStore()


class UploadsToDisk:
    """Middleware that puts the file of an upload into the store, and passes an empty one on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        is_upload = scope["type"] == "http" and scope["method"] == "PUT"
        _, found, place = scope.get("path", "").partition(_ROUTE)
        if not (is_upload and found):
            await self.app(scope, receive, send)
            return
        session, _, file = place.partition("/")
        is_stored = False

        async def stored() -> Message:
            # Called once Streamlit has checked the request.
            nonlocal is_stored
            if is_stored:
                return await receive()
            is_stored = True
            return await _stored(Request(scope, receive), (session, file))

        await self.app(_with_boundary(scope), stored, send)


def _with_boundary(scope: Scope) -> Scope:
    """Return a request whose form has the boundary of the form that is passed on."""
    name, form = b"content-type", f"multipart/form-data; boundary={_BOUNDARY}".encode()
    headers = [(key, form if key == name else value) for key, value in scope["headers"]]
    return {**scope, "headers": headers}


async def _stored(request: Request, key: Key) -> Message:
    """Put the file of a form into the store; return a form with an empty file of that name."""
    if STORE.size_bytes > MOST_STORED_BYTES:
        raise HTTPException(507, "too many files are open in the app; close tabs or try later")
    try:
        form = await MultiPartParser(request.headers, _limited(request), max_files=1).parse()
    except (MultiPartException, KeyError):
        raise HTTPException(400, "must be a form with one file") from None
    files = [value for value in form.values() if isinstance(value, UploadFile)]
    if len(files) != 1:
        raise HTTPException(400, "must be a form with one file")
    (file,) = files
    try:
        await asyncio.to_thread(STORE.add, key, file.file)
    finally:
        await form.close()
    return {"type": "http.request", "body": _empty_form(file.headers), "more_body": False}


async def _limited(request: Request) -> Any:
    """Yield the bytes of a request; refuse it beyond those of the largest file."""
    received = 0
    async for chunk in request.stream():
        received += len(chunk)
        if received > UPLOADED.most_bytes + _MARGIN_BYTES:
            raise HTTPException(413, "File too large")
        yield chunk


def _empty_form(headers: Headers) -> bytes:
    head = b"".join(b"%b: %b\r\n" % pair for pair in headers.raw)
    mark = _BOUNDARY.encode()
    return b"--%b\r\n%b\r\n\r\n--%b--\r\n" % (mark, head, mark)


@asynccontextmanager
async def swept(_app: object) -> AsyncIterator[None]:
    """Delete, as long as a server runs, the files of sessions that are gone."""
    sweeping = asyncio.create_task(_sweep())
    try:
        yield
    finally:
        sweeping.cancel()
        STORE.close()


async def _sweep() -> None:
    while True:
        await asyncio.sleep(SWEEP_S)
        await asyncio.to_thread(STORE.sweep, _is_kept)


def _is_kept(session: str, file: str) -> bool:
    """Whether Streamlit keeps a file: its tab is open, or was until a moment ago."""
    return bool(runtime.get_instance().uploaded_file_mgr.get_files(session, [file]))
