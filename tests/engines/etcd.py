"""A member of etcd alone under puts by its JSON gateway: flushes of the log and file bytes.

It is written in Go, which does not call the C library: its flushes cannot be delayed.
`backend_commits` are those of its tree, bbolt.
"""

import base64
import contextlib
import http.client
import json
import random
import subprocess
from pathlib import Path

from tests.engines import Clients, Engine, free_port, program, row_picker, stopped_after, wait_for

COUNTERS = {
    "log_flushes": "etcd_disk_wal_fsync_duration_seconds_count",
    "flush_s": "etcd_disk_wal_fsync_duration_seconds_sum",
    "backend_commits": "etcd_disk_backend_commit_duration_seconds_count",
}


@contextlib.contextmanager
def open_engine(load, folder):
    server = program("etcd", "etcd-server")
    clients, peers = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
    words = {
        "data-dir": f"{folder}/data", "listen-client-urls": clients,
        "advertise-client-urls": clients, "listen-peer-urls": peers,
        "initial-advertise-peer-urls": peers, "initial-cluster": f"default={peers}",
    }  # fmt: skip
    options = [part for name, value in words.items() for part in (f"--{name}", value)]
    with (
        Path(folder, "log").open("w") as log,
        stopped_after(subprocess.Popen([server, *options], stdout=log, stderr=log)) as process,
        contextlib.ExitStack() as opened,
    ):
        engine = Etcd(load, clients.removeprefix("http://"), process.pid)
        wait_for(engine.version, "etcd")
        engine.connect(opened)
        yield engine


class Etcd(Engine):
    """A member, and clients that wait for each answer; keys come to be as they are put."""

    def __init__(self, load, address, process):
        self.load, self.address, self.process = load, address, process
        self.clients = None

    def connection(self):
        return contextlib.closing(http.client.HTTPConnection(self.address))

    def get(self, path):
        with self.connection() as connection:
            connection.request("GET", path)
            return connection.getresponse().read().decode()

    def put(self, connection, row, chance):
        key = b"%0*d" % (int(self.load.settings["key_bytes"]), row)
        pair = {"key": key, "value": chance.randbytes(self.load.row_bytes)}
        body = json.dumps({name: base64.b64encode(text).decode() for name, text in pair.items()})
        connection.request("POST", "/v3/kv/put", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != http.HTTPStatus.OK:
            raise RuntimeError(f"etcd answers {answer.status}")

    def connect(self, opened):
        self.clients = Clients(
            self.load, lambda number: self._client(opened.enter_context(self.connection()), number)
        )

    def _client(self, connection, number):
        chance = random.Random(number)  # noqa: S311 - no secrets
        pick = row_picker(self.load, chance)
        return lambda: self.put(connection, pick(), chance)

    def drive(self, seconds):
        self.clients.drive(seconds)

    def counters(self):
        lines = self.get("/metrics").splitlines()
        metrics = dict(line.rsplit(" ", 1) for line in lines if line and line[0] != "#")
        read = {key: float(metrics[name]) for key, name in COUNTERS.items()}
        return {"transactions": sum(self.clients.done), **read}

    def processes(self):
        return [self.process]

    def version(self):
        return json.loads(self.get("/version"))["etcdserver"]
