"""Writing of files that are named by options."""

from collections.abc import Mapping
from pathlib import Path

import click

from planner.export.files import write_files
from planner.quantity.parse import quoted


def save(files: Mapping[str, Mapping[Path, bytes]], *, folder: Path | None = None) -> None:
    """Write all files of some options, or none; an error names the option."""
    option_of: dict[Path, str] = {}
    for option, group in files.items():
        for path in group:
            if path in option_of:
                raise click.UsageError(
                    f"{option} {quoted(str(path))} is also the file of {option_of[path]}"
                )
            option_of[path] = option
    data = {path: content for group in files.values() for path, content in group.items()}
    try:
        write_files(data, folder=folder)
    except OSError as error:
        owners = {path.parent: option for path, option in option_of.items()} | option_of
        option = owners[Path(error.filename)]
        raise click.UsageError(
            f"{option} {quoted(error.filename)} cannot be written: {error.strerror}"
        ) from None
