"""Unpacking of files that gzip, xz or zstd packed."""

import gzip
import io
import lzma
import zlib
from typing import BinaryIO

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


def unpacked_forward(stream: BinaryIO) -> BinaryIO:
    """Return the unpacked stream of a file of any length, which may not be rewound.

    >>> unpacked_forward(io.BytesIO(gzip.compress(b"text"))).read(9)
    b'text'
    """
    if _start(stream).startswith(_ZSTD):
        return _ZstdStream(stream)  # type: ignore[return-value]  # read alike
    return unpacked(stream)  # pyarrow's gzip leaks 64 KiB with every broken file


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
        while len(data) <= most_bytes and (block := source.read(_BLOCK)):
            data += block
    except OSError as error:
        raise DoorError(f"packed bytes: {error}".splitlines()[0]) from None
    if len(data) > most_bytes:
        most = int(most_bytes)
        raise DoorError(
            f"byte {most}: the file is longer than {most >> 20} MiB unpacked; unpack it by zstd -d"
        )
    return io.BytesIO(data)


class _ZstdStream:
    """The unpacked bytes of a stream, which stays open."""

    def __init__(self, stream: BinaryIO) -> None:
        import pyarrow as pa  # noqa: PLC0415 - slow to import

        self._error = pa.ArrowException
        self._unpacked = pa.CompressedInputStream(
            pa.PythonFile(_HeldOpen(stream), mode="r"), "zstd"
        )

    def read(self, size: int) -> bytes:
        try:
            return bytes(self._unpacked.read(size))
        except self._error as error:
            raise OSError(str(error)) from None


class _HeldOpen:
    """A wrapper that keeps a stream open when pyarrow closes it."""

    closed = False

    def __init__(self, stream: BinaryIO) -> None:
        self.read = stream.read

    def close(self) -> None:
        """Do nothing: the owner closes the stream."""
