"""Compare formulas with the simulators: `python -m validation`."""

import os

import click

from validation.command import command

if __name__ == "__main__":
    try:
        command(prog_name="python -m validation")
    except OSError as error:
        click.echo(f"Error: standard output cannot be written: {error.strerror}", err=True)
        os._exit(2)  # what standard output still holds would fail again
