"""The command line.

`python -m planner --help`, or `ssd-planner --help` where the package is installed.
"""

from planner.cli.commands import cli, main

__all__ = ["cli", "main"]
