"""SQLite with a write-ahead log, in a process of its own: file bytes, flushes with their time.

python -m tests.engines.sqlite FILE LOAD    # what the engine runs: LOAD as JSON
"""

import contextlib
import json
import random
import sqlite3
import sys
from itertools import pairwise
from pathlib import Path

from tests.engines import (
    Child,
    Clients,
    Engine,
    FlushDelay,
    Load,
    row_picker,
    stopped_after,
    written_bytes,
)

CYCLES = 6
LONGEST_COUNT = 10_000
INDEXES = ["k", "k, id"]
FIXED_BYTES = 12  # of a row: its number, and an integer of 8 bytes


@contextlib.contextmanager
def open_engine(load, folder):
    delay = FlushDelay(load.flush_delay_s, folder)
    command = (sys.executable, "-m", __name__, Path(folder, "t.db"), json.dumps(load._asdict()))
    child = Child(command, delay.environment)
    with stopped_after(child.process):
        child.ask("drive 0")  # the table is there
        yield SQLite(child, delay)


class SQLite(Engine):
    """A program with one connection."""

    def __init__(self, child, delay):
        self.child, self.delay = child, delay

    def drive(self, seconds):
        self.child.ask(f"drive {seconds}")

    def counters(self):
        return json.loads(self.child.ask("counters")) | self.delay.read()

    def processes(self):
        return [self.child.process.pid]

    def version(self):
        return sqlite3.sqlite_version


def file_bytes_per_tx(load, path):
    """Return the bytes that a transaction of a load passes to the files of a database."""
    table = Table(path, load)
    try:
        return counted_cycles(path, table.transaction)
    finally:
        table.base.close()


def counted_cycles(path, transaction):
    """Return bytes per transaction over whole cycles of checkpoints, the first not counted."""
    begun, cycle, transactions = [], b"", 0
    with path.with_name(f"{path.name}-wal").open("rb", buffering=0) as log:
        while len(begun) < CYCLES + 2 and transactions < LONGEST_COUNT:
            before = written_bytes("self")
            transaction()
            transactions += 1
            log.seek(12)  # the number of the cycle, which writes over the log of the one before
            if (now := log.read(4)) != cycle:
                begun.append((before, transactions))
                cycle = now
    spans = [(b - a, n - m) for (a, m), (b, n) in pairwise(begun[1:])]
    return sum(count for count, _ in spans) / sum(count for _, count in spans)


class Table:
    """A table in a file, and transactions on it."""

    def __init__(self, path, load):
        self.load, self.chance = load, random.Random(7)  # noqa: S311 - no secrets
        self.base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        settings = load.settings
        for pragma in (
            f"page_size = {settings['page_bytes']}", "journal_mode = wal",
            f"synchronous = {settings['synchronous']}",
            f"wal_autocheckpoint = {settings['checkpoint_pages']}", "cache_size = -200000",
        ):  # fmt: skip
            self.base.execute(f"pragma {pragma}")
        self.base.execute("create table t (id integer primary key, k integer, b blob)")
        for number in range(load.indexes):
            self.base.execute(f"create index i{number} on t ({INDEXES[number]})")
        self.next = 0
        self.base.execute("begin")
        for _ in range(load.rows):
            self._insert()
        self.base.execute("commit")
        self.base.execute("pragma wal_checkpoint(truncate)")
        self.pick = row_picker(load, self.chance)

    def transaction(self):
        self.base.execute("begin")
        for _ in range(self.load.rows_per_tx):
            self.change()
        self.base.execute("commit")

    def change(self):
        if self.load.operation == "update":
            row = (self._payload(), self.pick())
            if self.load.indexes:
                self.base.execute("update t set k = ?, b = ? where id = ?", (self._key(), *row))
            else:
                self.base.execute("update t set b = ? where id = ?", row)
            return
        self._insert()
        if self.load.operation == "ring":
            self.base.execute("delete from t where id = ?", (self.next - 1 - self.load.rows,))

    def _insert(self):
        row = (self.next, self._key(), self._payload())
        self.base.execute("insert into t values (?, ?, ?)", row)
        self.next += 1

    def _key(self):
        entities = self.load.settings.get("entities")
        return self.chance.randrange(int(entities)) if entities else self.chance.getrandbits(62)

    def _payload(self):
        return self.chance.randbytes(self.load.row_bytes - FIXED_BYTES)


def main(path, text):
    load = Load(**json.loads(text))
    table = Table(path, load)
    clients = Clients(load, lambda _: table.transaction)
    for line in sys.stdin:
        word, *seconds = line.split()
        if word == "drive":
            clients.drive(float(seconds[0]))
        answer = {"transactions": sum(clients.done)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
