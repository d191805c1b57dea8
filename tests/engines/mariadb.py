"""MariaDB under updates or inserts by its own command-line client: redo, pages, flushes, copies.

The rate is that at which statements are handed to the clients, each of which waits for its own.
Counted besides: `copies` of pages in the doublewrite buffer. The flushes are those of all files, of
which the log is by far the most; `file_bytes` are the logs in whole blocks, as /proc does not count
the asynchronous writes of pages.
"""

import contextlib
import random
import re
import subprocess
import time
from pathlib import Path

from tests.engines import Clients, Engine, FlushDelay, program, row_picker, stopped_after, wait_for

PACKAGE = "mariadb-server-core mariadb-client-core"
FIXED_BYTES = 12  # of a row: its number, bigint, and an integer
ROWS_OF_A_STATEMENT = 1000
INDEXES = ["key (k)", "key (k, b(8))"]
LOG_BLOCK = re.compile(r"block size=(\d+) bytes")  # in its own log, by the device and file system
COUNTERS = {
    "log_bytes": "Innodb_lsn_current",
    "pages": "Innodb_buffer_pool_pages_flushed",
    "copies": "Innodb_dblwr_pages_written",
}


@contextlib.contextmanager
def open_engine(load, folder):
    server, install = program("mariadbd", PACKAGE), program("mariadb-install-db", PACKAGE)
    engine = MariaDB(load, Path(folder), program("mariadb", PACKAGE))
    words = ("--no-defaults", "--user=root", f"--datadir={engine.data}")
    done = subprocess.run(
        [install, *words, "--auth-root-authentication-method=normal", "--skip-test-db"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"mariadb-install-db: {(done.stdout + done.stderr)[-500:]}")
    with (engine.folder / "log").open("w") as log:
        process = subprocess.Popen(
            [server, *words, *engine.options()], env=engine.delay.environment,
            stdout=log, stderr=log,
        )  # fmt: skip
    with stopped_after(process), engine.shells:
        engine.process = process.pid
        wait_for(lambda: engine.ask("select 1"), "mariadbd")
        engine.create_table()
        yield engine


class MariaDB(Engine):
    """A server that listens on a socket in its folder only."""

    def __init__(self, load, folder, client):
        self.load, self.folder, self.client = load, folder, client
        self.data, self.socket = folder / "data", folder / "socket"
        self.delay = FlushDelay(load.flush_delay_s, folder)
        self.process = None
        self.shells, self.clients = contextlib.ExitStack(), None

    def options(self):
        load = self.load
        yield "--skip-networking"
        yield f"--socket={self.socket}"
        yield f"--pid-file={self.folder / 'pid'}"
        yield f"--innodb-log-file-size={load.log_limit_bytes}"
        yield f"--innodb-buffer-pool-size={load.cache_bytes}"
        yield "--innodb-flush-log-at-trx-commit=1"
        if load.settings.get("binlog") == "on":
            yield f"--log-bin={self.data / 'binlog'}"
            yield from ("--sync-binlog=1", "--binlog-format=ROW", "--server-id=1")

    def create_table(self):
        load, chance = self.load, random.Random(5)  # noqa: S311 - no secrets
        keys = "".join(f", {key}" for key in INDEXES[: load.indexes])
        size = load.row_bytes - FIXED_BYTES
        self.ask(
            "create database load_test",
            "create table load_test.t (id bigint auto_increment primary key, k int, "
            f"b varchar({size}){keys}) engine=innodb charset=latin1",
            *(self._insert(chance, min(ROWS_OF_A_STATEMENT, load.rows - begun), begun)
              for begun in range(0, load.rows, ROWS_OF_A_STATEMENT)),
        )  # fmt: skip
        # Write what loading has changed, so that the age is that of the load itself.
        self.ask("set global innodb_max_dirty_pages_pct = 0")
        end = time.monotonic() + 20
        while self._status()["Innodb_buffer_pool_pages_dirty"] > 20 and time.monotonic() < end:
            time.sleep(0.2)
        self.ask("set global innodb_max_dirty_pages_pct = 90")
        self.clients = Clients(load, self._connect)

    def _insert(self, chance, rows, begun=None):
        table = "load_test.t"
        values = (
            f"({'null' if begun is None else begun + row + 1}, {chance.randrange(10**9)}, "
            f"'{self._payload(chance)}')"
            for row in range(rows)
        )
        return f"insert into {table} values {', '.join(values)}"  # noqa: S608 - ours

    def _payload(self, chance):
        size = self.load.row_bytes - FIXED_BYTES
        return chance.randbytes(size // 2 + 1).hex()[:size]

    def _update(self, chance, row):
        indexed = f"k = {chance.randrange(10**9)}, " if self.load.indexes else ""
        change = f"{indexed}b = '{self._payload(chance)}'"
        return f"update load_test.t set {change} where id = {row + 1}"  # noqa: S608 - ours

    def _connect(self, number):
        shell = subprocess.Popen(self._command("--unbuffered"), stdin=subprocess.PIPE, text=True)
        self.shells.enter_context(shell)  # closes its input, at which it ends
        chance = random.Random(100 + number)  # noqa: S311 - no secrets
        pick = row_picker(self.load, chance)

        def send():
            if self.load.operation == "insert":
                text = self._insert(chance, self.load.rows_per_tx)
            else:
                text = self._update(chance, pick())
            shell.stdin.write(f"{text};\n")
            shell.stdin.flush()

        return send

    def drive(self, seconds):
        self.clients.drive(seconds)

    def counters(self):
        status = self._status()
        return {
            "transactions": status["Com_update"] + status["Com_insert"],
            **{key: status[name] for key, name in COUNTERS.items()},
            **self.delay.read(),
        }

    def states(self):
        """Return the age of the oldest changed page, and the block in which the log is written."""
        (*_, block) = LOG_BLOCK.findall((self.folder / "log").read_text())
        age = self._status()["Innodb_checkpoint_age"]
        return {"age_bytes": age, "log_block_bytes": int(block)}

    def processes(self):
        return [self.process]

    def version(self):
        return self.ask("select version()").strip()

    def _status(self):
        lines = (line.split("\t") for line in self.ask("show global status").splitlines())
        return {name: int(value) for name, value in lines if value.lstrip("-").isdigit()}

    def ask(self, *statements):
        text = "".join(f"{statement};\n" for statement in statements)
        done = subprocess.run(
            self._command(), input=text, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"mariadb: {done.stderr[-500:]}")
        return done.stdout

    def _command(self, *words):
        return [
            self.client, "--no-defaults", "--batch", "--skip-column-names", "--user=root",
            f"--socket={self.socket}", *words,
        ]  # fmt: skip
