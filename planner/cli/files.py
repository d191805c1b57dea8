"""Files about drives and workloads that a command is given, opened and read."""

import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

import click

from planner.telemetry import FORMATS, Reading, read
from planner.telemetry.limits import MOST_PIPED_BYTES

__all__ = ["FILES", "KIND", "opened"]

_BLOCK = 1 << 20
FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...")
KIND = click.option("--format", "kind", type=click.Choice([known.name for known in FORMATS]),
                    help="What the files are; detected without.")  # fmt: skip


def opened(name: str, kind: str | None) -> Reading:
    """Return what a file, or standard input as `-`, holds; or why it cannot be read."""
    try:
        if name == "-":
            return _piped("standard input", sys.stdin.buffer, kind)
        with Path(name).open("rb") as stream:
            return read(name, stream, kind=kind)
    except OSError as error:
        return Reading(file=name, refused=f"{name}: cannot be read: {error.strerror or error}")


def _piped(name: str, source: BinaryIO, kind: str | None) -> Reading:
    """Read a stream that cannot be rewound, by way of a file that can."""
    with TemporaryFile() as kept:
        while block := source.read(_BLOCK):
            kept.write(block)
            if kept.tell() > MOST_PIPED_BYTES:
                more = f"goes on after {MOST_PIPED_BYTES >> 20} MiB; give the file by its name"
                return Reading(file=name, refused=f"{name}: byte {MOST_PIPED_BYTES}: {more}")
        kept.seek(0)
        return read(name, kept, kind=kind)
