"""Readings of the files about drives, tests and traces that a command is given."""

import sys
from typing import BinaryIO

import click

from planner import telemetry
from planner.telemetry import FORMATS, FileReading
from planner.telemetry.limits import MOST_PIPED_BYTES

_BLOCK = 1 << 20
FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...")
KIND = click.option("--format", "kind", type=click.Choice([known.name for known in FORMATS]),
                    help="Format of the files; by default detected.")  # fmt: skip


def read_file(name: str, kind: str | None) -> FileReading:
    """Read a file, or standard input if its name is `-`; a file that cannot be read is refused."""
    try:
        if name == "-":
            return _piped("standard input", sys.stdin.buffer, kind)
        return telemetry.read_file(name, kind=kind)
    except (OSError, ValueError) as error:  # a reader that fails ends no batch
        reason = getattr(error, "strerror", None) or error
        return FileReading(file=name, refused=f"{name}: cannot be read: {reason}")


def _piped(name: str, source: BinaryIO, kind: str | None) -> FileReading:
    """Read a stream that may have no end."""
    data = bytearray()
    while block := source.read(_BLOCK):
        data += block
        if len(data) > MOST_PIPED_BYTES:
            more = f"is longer than {MOST_PIPED_BYTES >> 20} MiB; give the file by its name"
            return FileReading(file=name, refused=f"{name}: byte {MOST_PIPED_BYTES}: {more}")
    return telemetry.read_file(name, data, kind=kind)
