"""Files about drives and workloads that a command is given, opened and read."""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryFile

import click

from planner.telemetry import FORMATS, Reading, read

__all__ = ["FILES", "KIND", "opened"]

FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...")
KIND = click.option("--format", "kind", type=click.Choice([known.name for known in FORMATS]),
                    help="What the files are; detected without.")  # fmt: skip


def opened(name: str, kind: str | None) -> Reading:
    """Return what a file, or standard input as `-`, holds; or why it cannot be read."""
    try:
        if name == "-":
            with TemporaryFile() as kept:
                shutil.copyfileobj(sys.stdin.buffer, kept)
                kept.seek(0)
                return read("standard input", kept, kind=kind)
        with Path(name).open("rb") as stream:
            return read(name, stream, kind=kind)
    except OSError as error:
        return Reading(file=name, refused=f"{name}: cannot be read: {error.strerror or error}")
