"""Unpacking of files that gzip, xz or zstd packed."""

import gzip
import io
import lzma
import zlib
from typing import Any, BinaryIO

from planner.quantity.door.reader import DoorError

_GZIP, _XZ, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
_PROBE = 1 << 12  # bytes that hold the header of an xz file
_MOST_MEMORY = 100 << 20  # of unpacking xz: level 9 takes 65 MiB
_BLOCK = 1 << 20
MOST_HELD_BYTES = 16 << 20  # that zstd packed and is held in memory
_LAYERS = 3  # a packed file may be packed again

# What reading of a stream raises where packed bytes are broken or cut off.
BROKEN = (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError)


def unpacked(stream: BinaryIO, most_bytes: float = MOST_HELD_BYTES) -> BinaryIO:
    """Return the unpacked stream of a file, at its beginning.

    What zstd packed is held in memory, and refused if it is longer than `most_bytes`.

    >>> unpacked(io.BytesIO(gzip.compress(b"text"))).read()
    b'text'
    """
    for _ in range(_LAYERS):
        start = _start(stream)
        if start.startswith(_GZIP):
            stream = gzip.GzipFile(fileobj=stream, mode="rb")  # type: ignore[assignment]  # read alike
        elif start.startswith(_XZ):
            stream = _of_xz(start, stream)
        elif start.startswith(_ZSTD):
            stream = _of_zstd(stream, most_bytes)
        else:
            break
    return stream


def unpacked_forward(stream: BinaryIO) -> io.BufferedReader:
    """Return the unpacked stream of a file of any length, which is read once, and may be peeked at.

    >>> unpacked_forward(io.BytesIO(gzip.compress(b"text"))).peek(4)
    b'text'
    """
    whole: Any = stream if hasattr(stream, "peek") else io.BufferedReader(_HeldOpen(stream))
    for _ in range(_LAYERS):
        start = _next_bytes(whole)
        if start.startswith(_GZIP):
            whole = gzip.GzipFile(fileobj=whole, mode="rb")  # a GzipFile has another mode
        elif start.startswith(_XZ):
            whole = _of_xz(start, whole)
        elif start.startswith(_ZSTD):
            whole = io.BufferedReader(_ZstdStream(whole))
        else:
            break
    return whole  # type: ignore[no-any-return]  # read and peeked at alike


def _next_bytes(stream: Any) -> bytes:
    """Return the bytes that come next; none if they are broken, which their reader will say."""
    try:
        return bytes(stream.peek(_PROBE))
    except (*BROKEN, OSError):
        return b""


def _start(stream: BinaryIO) -> bytes:
    """Return the first bytes of a stream; none if it is broken, which its reader will say."""
    try:
        return stream.read(_PROBE)
    except (*BROKEN, OSError):
        return b""
    finally:
        stream.seek(0)


def _of_xz(start: bytes, stream: BinaryIO) -> BinaryIO:
    try:
        lzma.LZMADecompressor(memlimit=_MOST_MEMORY).decompress(start, max_length=1)
    except lzma.LZMAError as error:
        raise DoorError(f"packed bytes: {error}".splitlines()[0]) from None
    return lzma.LZMAFile(stream)  # type: ignore[return-value]  # read alike


def _of_zstd(stream: BinaryIO, most_bytes: float) -> BinaryIO:
    source, data = _ZstdStream(stream), bytearray()
    try:
        while len(data) <= most_bytes and (block := source.read(_BLOCK) or b""):
            data += block
    except OSError as error:
        raise DoorError(f"packed bytes: {error}".splitlines()[0]) from None
    if len(data) > most_bytes:
        most = int(most_bytes)
        raise DoorError(
            f"byte {most}: the file is longer than {most >> 20} MiB unpacked; unpack it by zstd -d"
        )
    return io.BytesIO(data)


class _HeldOpen(io.RawIOBase):
    """A stream whose owner alone closes it, whoever reads it here."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)


class _ZstdStream(_HeldOpen):
    """The bytes of a stream as zstd unpacks them."""

    def __init__(self, stream: BinaryIO) -> None:
        import pyarrow as pa  # noqa: PLC0415 - slow to import

        held = pa.PythonFile(_HeldOpen(stream), mode="r")
        super().__init__(pa.CompressedInputStream(held, "zstd"))
        self._error = pa.ArrowException

    def readinto(self, buffer: Any) -> int:
        try:
            return super().readinto(buffer)
        except self._error as error:
            raise OSError(str(error)) from None
