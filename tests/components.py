"""Components that run here, counted by their own statistics, beside the formulas: worst first.

    python -m tests.components > docs/evidence/components.md

SQLite by the bytes that it passes to the file system; PostgreSQL, of Debian's package, by
pg_stat_wal, as an unprivileged user; RocksDB, of the package rocksdict, by its own statistics. What
is not installed is left out, and said; short loads of these and other servers, by their own. It
takes some seven minutes of two cores.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from models import application
from tests import quick_comparisons, quick_counts
from tests.counted_sqlite import (
    EIGHTY,
    INSERTS,
    UPDATES,
    appended,
    counted_inserts,
    counted_updates,
    distinct,
    updated,
)

HEAD = """# Components counted beside the formulas

`make counts` runs SQLite, PostgreSQL and RocksDB and writes this table, the worst within its limit
first. Deviation is formula over count, less 1; the limits are those that
`tests/models/test_application.py` holds for counts of larger runs. The trees of RocksDB are small,
the first leveled one a copy, a quarter in size, of one that set a constant; universal compaction
merges all runs so seldom that three counts of one tree over 20 overwrites were 3 % apart; these are
over 40.

The short loads are those that `make components` runs and the build without RocksDB, of which it
tests commits per flush as well. Rate, flush time and the age of pages of MariaDB are those counted.
What is beyond its limit is not tuned away; the causes: an index of PostgreSQL that fills at random
logs smaller images, of more pages, than one built in order; a ring of SQLite in 400 pages has one
page above all others, and changes fewer than larger ones; RocksDB logs 23 bytes with a batch of one
row, not 12. A miss that grows fails like a limit that is passed.
"""
ROOT_USER = 0
BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


class Count(NamedTuple):
    """A quantity that was counted, and what the formula gives for it."""

    component: str
    setting: str
    quantity: str
    counted: float
    formula: float
    limit: float

    @property
    def deviation(self):
        return self.formula / self.counted - 1

    @property
    def row(self):
        return (
            f"| {self.component} | {self.setting} | {self.quantity} | {self.counted:,.4g} "
            f"| {self.formula:,.4g} | {self.deviation:+.1%} | {self.limit:.0%} |"
        )


def sqlite():
    """Bytes passed to the file system per transaction."""
    for number, (setting, skew) in enumerate(UPDATES):
        with tempfile.TemporaryDirectory() as folder:
            counted = counted_updates(Path(folder, f"{number}.db"), setting, skew)
        rows, size, page, batch, checkpoint = setting
        name = f"{batch} of {rows:,} rows of {size} B, pages of {page}, checkpoint {checkpoint}"
        name += ", skewed" if skew else ""
        formula = updated(*setting, skew=skew).file_bytes
        yield Count("SQLite, updates", name, "B/transaction", counted, formula, 0.01)
    for size, batch, checkpoint in INSERTS:
        with tempfile.TemporaryDirectory() as folder:
            counted = counted_inserts(Path(folder, "t.db"), size, batch, checkpoint)
        name = f"{batch} rows of {size} B, checkpoint {checkpoint}"
        formula = appended(size, batch, checkpoint).file_bytes
        yield Count("SQLite, inserts", name, "B/transaction", counted, formula, 0.08)


# --- PostgreSQL: one cycle from checkpoint to checkpoint, 150,000 rows of 84 bytes

ROWS, HEAP, FULL_HEAP, INDEX = 150_000, 3261, 2308, 413
IMAGE, FULL_IMAGE, LEAF_IMAGE = 5764, 8100, 7300
SETTINGS = """
listen_addresses = ''
fsync = off
autovacuum = off
bgwriter_lru_maxpages = 0
checkpoint_timeout = 1h
max_wal_size = 8GB
shared_buffers = 256MB
track_wal_io_timing = off
unix_socket_directories = '{folder}'
"""
UNIFORM = rf"\set id random(1, {ROWS})"
SKEWED = (
    rf"\set hot random(1, 10)"
    "\n"
    rf"\set id case when :hot <= 8 then random(1, {ROWS // 5}) "
    rf"else random({ROWS // 5 + 1}, {ROWS}) end"
)
CHANGE = "update t set pad = (select repeat(md5(random()::text), 3))::char(84) where id = :id;"


class Cluster:
    """A PostgreSQL server of its own, run by an unprivileged user."""

    def __init__(self, folder):
        self.folder, self.data = folder, folder / "data"
        self.prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == ROOT_USER else []
        if self.prefix:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-D", self.data, "-U", "postgres", "--no-sync")
        config = self.data / "postgresql.conf"
        config.write_text(config.read_text() + SETTINGS.format(folder=folder))
        self._run("pg_ctl", "-D", self.data, "-l", folder / "log", "-w", "start")

    def stop(self):
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def ask(self, *statements):
        words = [word for statement in statements for word in ("-c", statement)]
        answer = self._run("psql", "-h", self.folder, "-U", "postgres", "-qAtX", *words)
        return [line.split("|") for line in answer.split("\n") if line]

    def bench(self, script, transactions):
        path = self.folder / "script.sql"
        path.write_text(script)
        path.chmod(0o644)
        words = ("-n", "-f", path, "-t", str(transactions), "--random-seed=7", "-M", "prepared")
        self._run("pgbench", "-h", self.folder, "-U", "postgres", *words, "postgres")

    def _run(self, program, *words):
        command = [*self.prefix, str(BINARIES[-1] / program), *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr[-500:]}")
        return done.stdout


def counted_cycle(cluster, script, transactions):
    """Bytes of log, images and pages at the checkpoint of one cycle."""
    cluster.ask("checkpoint")
    read = "select wal_bytes, wal_fpi from pg_stat_wal"
    pages = "select buffers_checkpoint from pg_stat_bgwriter"
    (before,), ((pages_before,),) = cluster.ask(read), cluster.ask(pages)
    cluster.bench(script, transactions)
    time.sleep(1)  # statistics of a session arrive once a second
    (after,) = cluster.ask(read)
    cluster.ask("checkpoint")
    time.sleep(1)
    ((pages_after,),) = cluster.ask(pages)
    log, images = (int(b) - int(a) for a, b in zip(before, after, strict=True))
    return log, images, int(pages_after) - int(pages_before)


def table(cluster, fill, *, indexed=False):
    columns = (
        "id int primary key, k int, l int, pad char(84)" if indexed else "id int, pad char(84)"
    )
    further = ["create index on t (k)", "create index on t (l)"] if indexed else []
    values = "i, random()*1e9, random()*1e9, md5(i::text)" if indexed else "i, md5(i::text)"
    cluster.ask(
        "drop table if exists t", f"create table t ({columns}) with (fillfactor={fill})",
        f"insert into t select {values} from generate_series(1, {ROWS}) i",  # noqa: S608 - ours
        *further, *([] if indexed else ["alter table t add primary key (id)"]),
        "vacuum (freeze) t",
    )  # fmt: skip


# Name, script, transactions, rows of each, bytes of log of a change.
CYCLES = [
    ("2,000 updates", f"{UNIFORM}\n{CHANGE}", 2_000, 1, None, 224),
    ("5,000 updates", f"{UNIFORM}\n{CHANGE}", 5_000, 1, None, 224),
    ("10,000 updates", f"{UNIFORM}\n{CHANGE}", 10_000, 1, None, 224),
    ("20,000 updates", f"{UNIFORM}\n{CHANGE}", 20_000, 1, None, 224),
    ("10,000 updates, 80/20", f"{SKEWED}\n{CHANGE}", 10_000, 1, EIGHTY, 224),
    ("5,000 updates, 80/20", f"{SKEWED}\n{CHANGE}", 5_000, 1, EIGHTY, 224),
    ("20,000 updates in tens", "begin;\n" + f"{UNIFORM}\n{CHANGE}\n" * 10 + "end;", 2_000, 10,
     None, 208),
    ("10,000 updates in tens", "begin;\n" + f"{UNIFORM}\n{CHANGE}\n" * 10 + "end;", 1_000, 10,
     None, 208),
]  # fmt: skip


def postgres():
    """Log, images and checkpoint of updates that find room on their page."""
    if not BINARIES:
        sys.stderr.write("PostgreSQL is not installed: left out\n")
        return
    folder = Path(tempfile.mkdtemp())
    cluster = Cluster(folder)
    try:
        for name, script, transactions, batch, skew, change_bytes in CYCLES:
            table(cluster, 70)
            log, images, pages = counted_cycle(cluster, script, transactions)
            changed = distinct(transactions * batch, HEAP, skew)
            formula = transactions * batch * change_bytes + changed * IMAGE
            yield Count("PostgreSQL", name, "B of log", log, formula, 0.03)
            yield Count("PostgreSQL", name, "images", images, changed, 0.03)
            yield Count("PostgreSQL", name, "pages of checkpoint", pages, changed, 0.07)
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


# --- RocksDB: rows of 400 bytes, updates of keys at random, compaction that keeps up

VALUE, STORED = 384, 418
# Rows, memtable, first level, ratio of levels.
LEVELED = [
    (25_000, 250e3, 2**20, 4), (25_000, 250e3, 2**20, 6), (40_000, 250e3, 2**20, 5),
    (40_000, 250e3, 2**20, 8), (40_000, 250e3, 2**20, 10), (40_000, 250e3, 2**21, 8),
    (50_000, 500e3, 2**21, 6), (25_000, 125e3, 2**19, 10),
]  # fmt: skip
UNIVERSAL = [(25_000, 250e3, 4), (25_000, 250e3, 8), (25_000, 500e3, 4), (40_000, 250e3, 6)]
# Overwrites of the whole tree, of which the first half settles; merges of all runs are seldom.
OVERWRITES, OF_UNIVERSAL = 4, 40


def rocksdb():
    """Bytes written per byte put, log included."""
    if find_spec("rocksdict") is None:
        sys.stderr.write("rocksdict is not installed: RocksDB left out\n")
        return
    for rows, memtable, base, ratio in LEVELED:
        counted = counted_tree(rows, memtable, leveled(base, ratio))
        formula = application.leveled_wa(
            STORED * rows, trigger_bytes=4 * memtable, base_bytes=base, level_ratio=ratio,
            updated_fraction=1, log_factor=1.03,
        )  # fmt: skip
        name = f"{rows:,} rows, memtable {memtable / 1e6:g} MB, first level {base >> 10} KiB, "
        yield Count("RocksDB, leveled", f"{name}ratio {ratio}", "B/B", counted, formula, 0.10)
    for rows, memtable, runs in UNIVERSAL:
        counted = counted_tree(rows, memtable, universal(runs), OF_UNIVERSAL)
        formula = application.universal_wa(
            STORED * rows, flush_bytes=memtable, trigger_runs=runs, log_factor=1.03, rows=rows
        )
        name = f"{rows:,} rows, memtable {memtable / 1e6:g} MB, {runs} runs"
        yield Count("RocksDB, universal", name, "B/B", counted, formula, 0.04)


def leveled(base, ratio):
    def set_on(options):
        options.set_max_bytes_for_level_base(base)
        options.set_max_bytes_for_level_multiplier(float(ratio))
        options.set_level_compaction_dynamic_level_bytes(True)
        options.set_level_zero_file_num_compaction_trigger(4)

    return set_on


def universal(runs):
    import rocksdict

    def set_on(options):
        options.set_compaction_style(rocksdict.DBCompactionStyle.universal())
        options.set_level_zero_file_num_compaction_trigger(runs)

    return set_on


def counted_tree(rows, memtable, set_on, overwrites=OVERWRITES):
    """Bytes of flushes, compactions and log over bytes put, waiting for compaction after each."""
    import rocksdict

    options = rocksdict.Options(raw_mode=True)
    options.set_write_buffer_size(64 << 20)  # flushed by hand, when it holds a memtable of rows
    options.set_target_file_size_base(int(memtable))
    options.set_compression_type(rocksdict.DBCompressionType.none())
    options.set_max_background_jobs(2)
    options.enable_statistics()
    set_on(options)
    chance, per_flush = random.Random(7), int(memtable / STORED)  # noqa: S311 - no secrets
    folder = tempfile.mkdtemp()
    try:
        base = rocksdict.Rdict(folder, options)
        order = list(range(rows))
        chance.shuffle(order)
        _put(base, order, per_flush, chance)
        half = overwrites * rows // 2
        _put(base, (chance.randrange(rows) for _ in range(half)), per_flush, chance)
        before = _written(options)
        _put(base, (chance.randrange(rows) for _ in range(half)), per_flush, chance)
        written = _written(options) - before
        base.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return written / (half * (VALUE + 16))


def _put(base, keys, per_flush, chance):
    """Put keys, and wait for compaction after each memtable."""
    for number, key in enumerate(keys, start=1):
        base[b"%016d" % key] = chance.randbytes(VALUE)
        if number % per_flush == 0:
            base.flush(wait=True)
            idle = 0
            while idle < IDLE:  # universal compaction stays pending where it finds nothing to merge
                is_busy = any(base.property_int_value(f"rocksdb.{name}") for name in BUSY)
                is_pending = base.property_int_value("rocksdb.compaction-pending")
                idle = 0 if is_busy else idle + (1 if is_pending else IDLE)
                time.sleep(0.001)


BUSY = ("num-running-compactions", "mem-table-flush-pending")
IDLE = 5  # times in a row that nothing runs
WRITTEN = ("rocksdb.flush.write.bytes", "rocksdb.compact.write.bytes", "rocksdb.wal.bytes")


def _written(options):
    lines = (line.split() for line in options.get_statistics().splitlines())
    return sum(int(words[-1]) for words in lines if words and words[0] in WRITTEN)


def short_loads():
    """The loads of `make components`, without what depends on how busy the machine is."""
    for name, counts in quick_counts.all_counted(list(quick_counts.LOADS)).items():
        if isinstance(counts, str):
            sys.stderr.write(f"{name}: {counts}\n")
            continue
        load = quick_counts.LOADS[name]
        for found in quick_comparisons.compared(name, counts):
            if found.quantity != "commits per flush":
                unit = f"{found.quantity}/transaction"
                yield Count(f"{load.engine}, short", name, unit, *found[2:])


PARTS = {"sqlite": sqlite, "postgres": postgres, "rocksdb": rocksdb, "short": short_loads}


def table_of(counts):
    """Write the table, the worst first within its limit."""
    rows = sorted(counts, key=lambda count: -abs(count.deviation) / count.limit)
    lines = ["| component | setting | quantity | counted | formula | deviation | limit |",
             "|---|---|---|---|---|---|---|"]  # fmt: skip
    return "\n".join([*lines, *(count.row for count in rows)])


def main(names):
    counts = [count for name in names or PARTS for count in PARTS[name]()]
    sys.stdout.write(f"{HEAD}\n{table_of(counts)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
