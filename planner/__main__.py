"""Run the command line: `python -m planner`."""

import sys

from planner.cli import main

if __name__ == "__main__":
    sys.exit(main())
