"""PostgreSQL under a load of pgbench: log and images, pages, flushes with their time.

Segments of the log exist before, as after hours of work, but with the setting `log=new`: then
`file_bytes` contains the zeros that they are filled with. Counted besides: `records`, `images` of
pages in the log, `hot_updates`, which touched no index, and `checkpoints`.
"""

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

from tests.engines import SCATTER, AbsentError, Engine, FlushDelay, stopped_after

ROOT_USER = 0
SETTINGS = """
listen_addresses = ''
checkpoint_timeout = 1h
min_wal_size = 512MB
max_wal_size = {max_wal_mb}MB
shared_buffers = {buffers_kb}kB
track_wal_io_timing = on
unix_socket_directories = '{folder}'
"""
FIXED_BYTES = 12  # of a row: its number, bigint, and an integer
FILLER = (  # 400 MB of log, whose segments are used again
    "create table filler as select repeat('x', 1000) from generate_series(1, 400000)",
    "drop table filler",
    "checkpoint",
)
KEYS = {"serial": "bigserial primary key", "uuid": "uuid primary key default gen_random_uuid()"}
# Commits wait for the write of a flush as for its sync.
LOG = """select wal_bytes, wal_records, wal_fpi, wal_sync, (wal_write_time + wal_sync_time) / 1000
from pg_stat_wal"""
PAGES = "select buffers_checkpoint + buffers_clean + buffers_backend from pg_stat_bgwriter"
CHECKPOINTS = "select checkpoints_req + checkpoints_timed from pg_stat_bgwriter"
ROWS = "select n_tup_ins + n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = 't'"
INDEXES = ["create index on t (k)", "create index on t (k, id)"]


@contextlib.contextmanager
def open_engine(load, folder):
    engine = PostgreSQL(load, folder)
    try:
        engine.start()
        yield engine
    finally:
        engine.stop()


class PostgreSQL(Engine):
    """A server of its own, run by an unprivileged user."""

    def __init__(self, load, folder):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        if not found:
            raise AbsentError("PostgreSQL is not installed: apt-get install postgresql")
        self.binaries, self.load, self.folder = found[-1], load, Path(folder)
        self.data = self.folder / "data"
        self.delay = FlushDelay(load.flush_delay_s, self.folder)
        self.prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == ROOT_USER else []

    def start(self):
        if self.prefix:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-D", self.data, "-U", "postgres", "--no-sync")
        settings = SETTINGS.format(
            folder=self.folder,
            max_wal_mb=(self.load.log_limit_bytes or 2**30) >> 20,
            buffers_kb=(self.load.cache_bytes or 2**28) >> 10,
        )
        if (self.load.log_limit_bytes or 2**30) < 2**29:
            settings = settings.replace("512MB", "80MB")
        with (self.data / "postgresql.conf").open("a") as config:
            config.write(settings)
        words = ("-D", self.data, "-l", self.folder / "log", "-w", "start")
        self._run("pg_ctl", *words, environment=self.delay.environment)
        if self.load.settings.get("log") != "new":
            self.ask(*FILLER)
        self._create_table()

    def stop(self):
        if (self.data / "postmaster.pid").exists():
            self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def _create_table(self):
        load = self.load
        key = KEYS[load.settings.get("key", "serial")]
        fill = load.settings.get("fillfactor", "100")
        payload = _payload("i::text", load.row_bytes)
        self.ask(
            f"create table t (id {key}, k int, b text) with (fillfactor = {fill})",
            "alter table t alter column b set storage plain",
            f"insert into t (k, b) select random() * 1e9, {payload} "  # noqa: S608 - ours
            f"from generate_series(1, {load.rows}) i",
            *INDEXES[: load.indexes], "vacuum analyze", "checkpoint",
        )  # fmt: skip
        script = self.folder / "script.sql"
        script.write_text(_script(load))
        script.chmod(0o644)

    def drive(self, seconds):
        """Run pgbench; where the size of the log decides, on until a checkpoint has begun."""
        load = self.load
        rate = ["-R", load.rate_per_s] if load.rate_per_s else []
        words = (
            "-h", self.folder, "-U", "postgres", "-n", "-M", "prepared", "-c", load.clients,
            "-j", 1, "-f", self.folder / "script.sql", *rate,
        )  # fmt: skip
        if load.checkpoint_s:
            self._run("pgbench", *words, "-T", round(seconds), "postgres")
            return
        command = self._command("pgbench", *words, "-T", 3600, "postgres")
        with stopped_after(subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL)):
            time.sleep(seconds)
            begun = self.ask(CHECKPOINTS)
            while self.ask(CHECKPOINTS) == begun:
                time.sleep(0.5)

    def checkpoint(self):
        if self.load.checkpoint_s:
            self.ask("checkpoint")

    def counters(self):
        time.sleep(1)  # statistics of a session arrive once a second
        ((log, records, images, flushes, flush_s),) = self.ask(LOG)
        ((pages,),), ((checkpoints,),) = self.ask(PAGES), self.ask(CHECKPOINTS)
        ((rows, hot),) = self.ask(ROWS)
        return {
            "transactions": int(rows) / self.load.rows_per_tx, "log_bytes": int(log),
            "records": int(records), "images": int(images), "log_flushes": int(flushes),
            "flush_s": float(flush_s), "pages": int(pages), "checkpoints": int(checkpoints),
            "hot_updates": int(hot),
        }  # fmt: skip

    def processes(self):
        """Return the server and its processes; it takes over the accounts of those that end."""
        server = (self.data / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        return [server, *children]

    def version(self):
        return self._run("postgres", "--version").split()[2]

    def ask(self, *statements):
        words = [word for statement in statements for word in ("-c", statement)]
        answer = self._run("psql", "-h", self.folder, "-U", "postgres", "-qAtX", *words)
        return [line.split("|") for line in answer.split("\n") if line]

    def _command(self, name, *words):
        return [*self.prefix, *map(str, (self.binaries / name, *words))]

    def _run(self, name, *words, environment=None):
        command = self._command(name, *words)
        # pg_ctl leaves its output open in the server, so that nothing may wait for its end
        with (self.folder / "output").open("w+") as output:
            done = subprocess.run(
                command, stdout=output, stderr=subprocess.PIPE if name != "pg_ctl" else output,
                text=True, cwd=self.folder, check=False, env=os.environ | (environment or {}),
            )  # fmt: skip
            output.seek(0)
            answer = output.read()
        if done.returncode:
            raise RuntimeError(f"{name}: {(done.stderr or answer)[-500:]}")
        return answer


def _payload(seed, row_bytes):
    size = row_bytes - FIXED_BYTES
    return f"left(repeat(md5({seed}), {size // 32 + 1}), {size})"


def _script(load):
    payload = _payload("random()::text", load.row_bytes)
    if load.operation == "insert":
        change = f"insert into t (k, b) values (random() * 1e9, {payload});"  # noqa: S608
    else:
        indexed = "k = random() * 1e9, " if load.indexes else ""
        change = f"update t set {indexed}b = {payload} where id = :id;"  # noqa: S608
        change = f"{_pick(load)}\n{change}"
    changes = "\n".join([change] * load.rows_per_tx)
    return changes if load.rows_per_tx == 1 else f"begin;\n{changes}\nend;"


def _pick(load):
    if not load.zipf_exponent:
        return rf"\set id random(1, {load.rows})"
    drawn = rf"\set rank random_zipfian(1, {load.rows}, {load.zipf_exponent})"
    step = SCATTER if load.hot_rows == "scattered" else 1
    return f"{drawn}\n\\set id 1 + mod(:rank * {step}, {load.rows})"
