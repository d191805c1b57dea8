"""The option that takes a scenario from a file."""

from pathlib import Path
from typing import Any

import click

from planner.export.scenario_file import from_json

__all__ = ["SCENARIO_FILE"]


def _defaults(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Take the options of a scenario file wherever the command line is silent."""
    if path is None:
        return
    try:
        options: dict[str, Any] = dict(from_json(path.read_text(encoding="utf-8-sig")))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.UsageError(f"--scenario '{path}' {reason}") from None
    if "drive" in options:
        drive = options.pop("drive")
        options["names"] = drive if isinstance(drive, list) else [drive]
    known = {parameter.name for parameter in context.command.params}
    for name in options:
        if name not in known:
            raise click.UsageError(f"--scenario '{path}' holds '{name}', which is no option here")
    context.default_map = options


SCENARIO_FILE = click.option(
    "--scenario", type=click.Path(dir_okay=False, path_type=Path), is_eager=True,
    expose_value=False, callback=_defaults,
    help="File with options, as `read --save` writes it; options given here go before it.",
)  # fmt: skip
