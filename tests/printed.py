"""The words that `plan`, `array` and `speed` print in front of their numbers, of several cases.

`tests/data/printed.json` has them as they were before answers had ranks; `--all` prints each of
them still. `python -m tests.printed` writes such a file of the code as it is.
"""

import json
import re
import shlex
import sys
from pathlib import Path

from click.testing import CliRunner

from planner.cli import cli

PRINTED = Path(__file__).parent / "data" / "printed.json"
CASES = (
    "plan --drive 'PM9A3 1.92' --writes 1TB/day --drives 8 --raid 6",
    "plan '845DC PRO 400' --writes 100GB/day --growth 20% --skew 80/20 --spare 20%",
    "plan '870 EVO 1TB' --known-only --writes 30GB/day",
    "plan 'PM9A3 1.92' --drives 12 --raid raidz2 --writes 1TB/day --sequential 50%",
    "array '845DC PRO 400' --writes 1TB/day --drives 8 --raid 6",
    "array 'PM9A3 1.92' --drives 24 --raid ec:4+2 --writes 1TB/day",
    "array --drives 12 --member-iops 50000 --worst-iops 5000",
    "speed '845DC PRO 400' --trimmed 50% --host-cache 1GB",
    "speed '870 EVO 1TB' --writes 30GB/day",
    "speed 'PM9A3 1.92' --known-only",
)


def labels(output: str) -> list[str]:
    """List what stands in front of the numbers, and the headings."""
    found = []
    for line in output.splitlines():
        row = re.match(r"  (\S.*?)  +\S", line)
        if row or (line and not line.startswith((" ", "-")) and ":" not in line):
            found.append(row[1] if row else line)
    return found


def printed(case: str, *more: str) -> str:
    """Return what a command prints."""
    result = CliRunner().invoke(cli, [*shlex.split(case), *more], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


if __name__ == "__main__":
    json.dump({case: labels(printed(case)) for case in CASES}, sys.stdout, indent=1,
              ensure_ascii=False)  # fmt: skip
