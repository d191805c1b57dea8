"""Redis with an append-only file under SET: bytes of the file and flushes.

`log_bytes` are what commands append: what the server itself wrote, less its answers; `file_bytes`
those and what the processes wrote that it started to rewrite the file; `rewrites` their number.
"""

import contextlib
import random
import socket
import subprocess
from pathlib import Path

from tests.engines import (
    Clients,
    Engine,
    FlushDelay,
    free_port,
    program,
    row_picker,
    stopped_after,
    thread_bytes,
    wait_for,
    written_bytes,
)

BUFFER_BYTES = 1 << 16


@contextlib.contextmanager
def open_engine(load, folder):
    server, port = program("redis-server", "redis-server"), free_port()
    delay = FlushDelay(load.flush_delay_s, folder)
    settings = load.settings
    words = {
        "port": port, "bind": "127.0.0.1", "dir": folder, "save": "", "appendonly": "yes",
        "appendfsync": settings["appendfsync"],
        "auto-aof-rewrite-percentage": settings.get("rewrite_percent", 0),
        "auto-aof-rewrite-min-size": settings.get("rewrite_min_bytes", 1 << 26),
        "logfile": f"{folder}/log",
    }  # fmt: skip
    options = [part for name, value in words.items() for part in (f"--{name}", str(value))]
    with (
        stopped_after(subprocess.Popen([server, *options], env=delay.environment)) as process,
        contextlib.ExitStack() as opened,
    ):
        engine = Redis(load, port, process.pid, delay)
        wait_for(lambda: engine.ask("PING"), "redis-server")
        engine.load_keys(opened)
        yield engine


class Redis(Engine):
    """A server, and clients that wait for each answer."""

    def __init__(self, load, port, process, delay):
        self.load, self.port, self.process, self.delay = load, port, process, delay
        self.clients = None

    def load_keys(self, opened):
        chance = random.Random(5)  # noqa: S311 - no secrets
        with self._connection() as connection:
            for row in range(self.load.rows):
                self._send(connection, self._set(row, chance))
        wait_for(lambda: self.ask("BGREWRITEAOF"), "BGREWRITEAOF")
        wait_for(self._settled, "the first rewrite", 60)
        self.clients = Clients(
            self.load, lambda number: self._client(opened.enter_context(self._connection()), number)
        )

    def _settled(self):
        state = self._info("persistence")
        if state["aof_rewrite_in_progress"] != "0" or state["aof_rewrite_scheduled"] != "0":
            raise RuntimeError

    def _connection(self):
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def _set(self, row, chance):
        width = int(self.load.settings["key_bytes"])
        return b"SET", b"%0*d" % (width, row), chance.randbytes(self.load.row_bytes)

    def _client(self, connection, number):
        chance = random.Random(number)  # noqa: S311 - no secrets
        pick = row_picker(self.load, chance)
        return lambda: self._send(connection, self._set(pick(), chance))

    @staticmethod
    def _send(connection, words):
        """Send a command, and return its answer, of one line or of a bulk string."""
        text = b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)
        connection.sendall(b"*%d\r\n%s" % (len(words), text))
        answer = connection.recv(BUFFER_BYTES)
        if answer.startswith(b"$"):
            head, _, _ = answer.partition(b"\r\n")
            while len(answer) < len(head) + int(head[1:]) + 4:
                answer += connection.recv(BUFFER_BYTES)
        if answer.startswith(b"-"):
            raise RuntimeError(answer.decode())
        return answer.decode()

    def ask(self, *words):
        with self._connection() as connection:
            return self._send(connection, [word.encode() for word in words])

    def _info(self, section):
        lines = self.ask("INFO", section).splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def drive(self, seconds):
        self.clients.drive(seconds)

    def counters(self):
        stats = self._info("stats")
        answers = int(stats["total_net_output_bytes"])
        own = sum(map(thread_bytes, Path(f"/proc/{self.process}/task").iterdir()))
        return {
            "transactions": sum(self.clients.done), "log_bytes": own - answers,
            "file_bytes": written_bytes(self.process) - answers,
            "rewrites": int(stats["total_forks"]), **self.delay.read(),
        }  # fmt: skip

    def version(self):
        return self._info("server")["redis_version"]
