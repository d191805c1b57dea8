"""Scenario files: options read from one, and written to one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from planner.export.scenario_file import Options, to_json

OF_EVERY_PLAN = {"years"}  # and left aside by commands whose answers do not depend on it


def _defaults(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Use the options of a scenario file as defaults."""
    if path is None:
        return
    from planner.export.scenario_reader import read_scenario  # noqa: PLC0415 - few plans are from a file

    try:
        options: dict[str, Any] = dict(read_scenario(path))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.UsageError(f"--scenario '{path}' {reason}") from None
    if "drive" in options:
        drive = options.pop("drive")
        options["names"] = drive if isinstance(drive, list) else [drive]
    if isinstance(options.get("app"), str):
        options["app"] = [options["app"]]  # one, as it is saved
    known = {parameter.name for parameter in context.command.params}
    for name in options:
        if name not in known | OF_EVERY_PLAN:
            raise click.UsageError(
                f"--scenario '{path}' contains '{name}', which is not an option of this command"
            )
    with_defaults(context, options)


def with_defaults(context: click.Context, options: Mapping[str, Any]) -> None:
    """Set defaults of options; defaults that were set before take precedence."""
    context.default_map = {**options, **(context.default_map or {})}


SCENARIO_FILE = click.option(
    "--scenario", type=click.Path(dir_okay=False, path_type=Path), is_eager=True,
    expose_value=False, callback=_defaults,
    help="Scenario file, as written by --save; options on the command line override it.",
)  # fmt: skip


def given(context: click.Context, names: set[str]) -> Options:
    """Return the options given on the command line or by a scenario file, as texts."""
    found: Options = {}
    for name in sorted(names & set(context.params)):
        value = context.params[name]
        if context.get_parameter_source(name) is ParameterSource.DEFAULT or value is None:
            continue
        if isinstance(value, bool):
            found[name] = str(value).lower()
        else:
            found[name] = list(value) if isinstance(value, tuple) else str(value)
    if "names" in found:
        found["drive"] = found.pop("names")
    return found


def scenario_bytes(
    options: Mapping[str, str | list[str]], fitted: Mapping[str, Any] | None = None
) -> bytes:
    """Return the content of a scenario file, with the fit to measured points if there is one."""
    return f"{to_json(options, fitted)}\n".encode()
