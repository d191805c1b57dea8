"""Short counts of every engine that is installed, without a block device: for `make components`.

    python -m tests.quick_counts [NAME...]   # as JSON, a line each

The loads are rows of `tests/data/quick_loads.csv` (columns: `tests/data/SOURCES.md`). To compare a
load with a formula:

    counts = quick_counts.counted("pg-hot-4ms")      # raises AbsentError: what to install
    counts["log_bytes"], counts["images"], counts["pages"], counts["log_flushes"], counts["flush_s"]

All but `rate_per_s` and `flush_s` are per transaction; `engines.count` says what they are. Commits
per flush are 1 / `log_flushes`. A count takes 5 to 20 s and is made once; `all_counted` makes
several at once, those of SQLite aside, which take a second in all and belong to the ordinary suite.
Device bytes are not counted: they are sums of these, and of journals of the file system.
"""

import functools
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import engines
from tests.engines import sqlite

LOADS = engines.loads(engines.DATA / "quick_loads.csv")
AT_ONCE = 3
WARM_S = {"mariadb": 20.0}  # until its pages are as old as they get


@functools.cache
def counted(name):
    """Return what was counted of a load, by quantity."""
    load = LOADS[name]
    with tempfile.TemporaryDirectory() as folder:
        if load.engine == "sqlite":
            return {"file_bytes": sqlite.file_bytes_per_tx(load, Path(folder, "t.db"))}
        return engines.count(load, Path(folder), warm_s=_warm_s(load))


def all_counted(names):
    """Return the counts of loads by name, or the sentence that says what is absent."""
    for name in names:
        if LOADS[name].engine == "sqlite":  # within this process, so nothing else may write in it
            counted(name)
    longest_first = sorted(names, key=_seconds, reverse=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(longest_first, pool.map(_counted_or_absent, longest_first), strict=True))


def _seconds(name):
    load = LOADS[name]
    return _warm_s(load) + (load.count_s or 0.0)


def _warm_s(load):
    return WARM_S.get(load.engine, 2.0)


def _counted_or_absent(name):
    try:
        return counted(name)
    except engines.AbsentError as absent:
        return str(absent)


def main(names):
    for name, counts in all_counted(names or list(LOADS)).items():
        sys.stdout.write(f"{json.dumps({'name': name, 'counts': counts})}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
