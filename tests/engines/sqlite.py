"""SQLite with a write-ahead log, in a process of its own: file bytes, flushes with their time.

python -m tests.engines.sqlite FILE LOAD    # what the engine runs: LOAD as JSON
"""

import contextlib
import json
import random
import sqlite3
import sys
from pathlib import Path

from tests.engines import Child, Clients, Engine, FlushDelay, Load, row_picker, stopped_after

FIXED_BYTES = 12  # of a row: its number, and an integer of 8 bytes


@contextlib.contextmanager
def open_engine(load, folder):
    delay = FlushDelay(load.flush_delay_s)
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
            self.base.execute(f"create index i{number} on t (k{', b' * number})")
        self.next = 0
        self.base.execute("begin")
        for _ in range(load.rows):
            self._insert()
        self.base.execute("commit")
        self.base.execute("pragma wal_checkpoint(truncate)")
        self.pick = row_picker(load, self.chance)
        self.pages = self.base.execute("pragma page_count").fetchone()[0]

    def transaction(self):
        self.base.execute("begin")
        for _ in range(self.load.rows_per_tx):
            self.change()
        self.base.execute("commit")

    def change(self):
        if self.load.operation == "update":
            indexed = "k = random(), " if self.load.indexes else ""
            change = f"update t set {indexed}b = ? where id = ?"  # noqa: S608 - ours
            self.base.execute(change, (self._payload(), self.pick()))
            return
        self._insert()
        if self.load.operation == "ring":
            self.base.execute("delete from t where id = ?", (self.next - 1 - self.load.rows,))

    def _insert(self):
        row = (self.next, self.chance.getrandbits(62), self._payload())
        self.base.execute("insert into t values (?, ?, ?)", row)
        self.next += 1

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
