"""Readings of the files about drives, tests and traces that a command is given."""

import sys
from tempfile import TemporaryFile
from typing import BinaryIO

import click

from planner.quantity import door
from planner.telemetry import FORMATS, FileReading, read
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
        with door.opened(name) as stream:
            return read(name, stream, kind=kind)
    except OSError as error:
        return FileReading(file=name, refused=f"{name}: cannot be read: {error.strerror or error}")
    except door.DoorError as error:
        return FileReading(file=name, refused=f"{name}: {error}")


def _piped(name: str, source: BinaryIO, kind: str | None) -> FileReading:
    """Read a stream that cannot be rewound, through a temporary file."""
    with TemporaryFile() as copy:
        while block := source.read(_BLOCK):
            copy.write(block)
            if copy.tell() > MOST_PIPED_BYTES:
                more = f"is longer than {MOST_PIPED_BYTES >> 20} MiB; give the file by its name"
                return FileReading(file=name, refused=f"{name}: byte {MOST_PIPED_BYTES}: {more}")
        copy.seek(0)
        return read(name, copy, kind=kind)
