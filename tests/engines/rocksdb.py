"""RocksDB with leveled compaction by the package rocksdict, in a process of its own: file bytes.

Overwrites of the whole tree, or as many further keys in order, as fast as compaction keeps up,
whatever time they take; the log is not synced. A transaction is one put.
"""

import contextlib
import json
import random
import sys
import time
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from tests.engines import AbsentError, Child, Engine, Load, row_picker, stopped_after

BUSY = ("num-running-compactions", "mem-table-flush-pending", "compaction-pending")


@contextlib.contextmanager
def open_engine(load, folder):
    if find_spec("rocksdict") is None:
        raise AbsentError("RocksDB is not installed: pip install rocksdict")
    command = (sys.executable, "-m", __name__, Path(folder, "tree"), json.dumps(load._asdict()))
    child = Child(command, {})
    with stopped_after(child.process):
        child.ask("0")  # the tree is loaded
        yield RocksDB(child, load)


class RocksDB(Engine):
    """A program that puts as many times the rows as it is asked for."""

    def __init__(self, child, load):
        self.child, self.overwrites, self.puts = child, float(load.settings["overwrites"]), 0
        self.warm = False

    def drive(self, seconds):
        """Put its rows once at first, which settles the tree, and then as often as stated."""
        self.puts += int(self.child.ask(str(self.overwrites if self.warm else 1)))
        self.warm = True

    def counters(self):
        return {"transactions": self.puts}

    def processes(self):
        return [self.child.process.pid]

    def version(self):
        return f"rocksdict {version('rocksdict')}"


class Tree:
    """A tree of keys, loaded in random order."""

    def __init__(self, path, load):
        import rocksdict

        self.load, self.chance = load, random.Random(3)  # noqa: S311 - no secrets
        settings = {name: int(value) for name, value in load.settings.items()}
        options = rocksdict.Options(raw_mode=True)
        options.set_write_buffer_size(settings["memtable_bytes"])
        options.set_target_file_size_base(settings["memtable_bytes"])
        options.set_max_bytes_for_level_base(settings["base_bytes"])
        options.set_max_bytes_for_level_multiplier(float(settings["level_ratio"]))
        options.set_compression_type(rocksdict.DBCompressionType.none())
        options.set_max_background_jobs(2)
        self.base = rocksdict.Rdict(str(path), options)
        self.key_bytes = settings["key_bytes"]
        self.held_puts = settings["memtable_bytes"] // load.row_bytes
        order = list(range(load.rows))
        if load.operation == "update":
            self.chance.shuffle(order)
        self.next = load.rows
        self._put_all(order)
        self.pick = row_picker(load, self.chance)

    def put(self, number):
        """Put a number of rows: those that there are, by their skew, or further ones in order."""
        if self.load.operation == "update":
            self._put_all(self.pick() for _ in range(number))
            return
        self._put_all(range(self.next, self.next + number))
        self.next += number

    def _put_all(self, rows):
        """Put rows by their numbers, and wait for compaction after as many as a memtable holds."""
        size = self.load.row_bytes - self.key_bytes
        for number, row in enumerate(rows, start=1):
            self.base[b"%0*d" % (self.key_bytes, row)] = self.chance.randbytes(size)
            if number % self.held_puts == 0:
                end = time.monotonic() + 10
                while time.monotonic() < end and any(map(self._is, BUSY)):
                    time.sleep(0.002)

    def _is(self, name):
        return self.base.property_int_value(f"rocksdb.{name}")


def main(path, text):
    load = Load(**json.loads(text))
    tree = Tree(path, load)
    for line in sys.stdin:
        puts = round(float(line) * load.rows)
        tree.put(puts)
        sys.stdout.write(f"{puts}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
