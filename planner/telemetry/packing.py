"""Unpacking of files that gzip, xz or zstd packed."""

import gzip
import io
import lzma
import zlib
from typing import BinaryIO

from planner.telemetry.limits import MOST_BYTES
from planner.telemetry.record import Refused

_GZIP, _XZ, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
_PROBE = 1 << 12  # bytes that hold the header of an xz file
_MOST_MEMORY = 100 << 20  # of unpacking xz: level 9 takes 65 MiB
_LAYERS = 3  # a packed file may be packed again


def unpacked(stream: BinaryIO, most_bytes: int = MOST_BYTES) -> BinaryIO:
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


def _start(stream: BinaryIO) -> bytes:
    """Return the first bytes of a stream; none if it is broken, which its reader will say."""
    try:
        return stream.read(_PROBE)
    except (EOFError, OSError, zlib.error, lzma.LZMAError):
        return b""
    finally:
        stream.seek(0)


def _of_xz(start: bytes, stream: BinaryIO) -> BinaryIO:
    try:
        lzma.LZMADecompressor(memlimit=_MOST_MEMORY).decompress(start, max_length=1)
    except lzma.LZMAError as error:
        raise Refused("packed bytes", f"{error}".splitlines()[0]) from None
    return lzma.LZMAFile(stream)  # type: ignore[return-value]  # read alike


def _of_zstd(stream: BinaryIO, most_bytes: int) -> BinaryIO:
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    try:
        with pa.CompressedInputStream(pa.PythonFile(HeldOpen(stream), mode="r"), "zstd") as packed:
            data = packed.read(most_bytes + 1)
    except OSError as error:
        raise Refused("packed bytes", str(error).splitlines()[0]) from None
    if len(data) > most_bytes:
        raise Refused(
            f"byte {most_bytes}",
            f"the file is longer than {most_bytes >> 20} MiB unpacked; unpack it by zstd -d",
        )
    return io.BytesIO(data)


class HeldOpen:
    """A wrapper that keeps a stream open when pyarrow closes it."""

    closed = False

    def __init__(self, stream: BinaryIO) -> None:
        self.read = stream.read

    def close(self) -> None:
        """Do nothing: the owner closes the stream."""
