"""PostgreSQL read twice under pgbench, fitted, and planned for twice the rate: `make components`.

Within what its own counters say: bytes at a device need one of its own, and `tests.count_loads`.
"""

import contextlib
import os
import re
import tempfile
import time

import pytest

from planner.application import answer_of
from planner.application.measured import counter_of
from planner.search.counters import measured
from tests import engines
from tests.engines import postgresql

if os.environ.get("COMPONENTS") != "all":
    pytest.skip("takes a minute: make components", allow_module_level=True)

VIEWS = ("pg_stat_wal", "pg_stat_bgwriter", "pg_stat_database", "pg_stat_user_tables")
SECONDS = 20
BLOCK_BYTES, GRANULE_BYTES = 8192, 8
LOAD = engines.Load(
    name="fitted", engine="postgresql", operation="update", rows=100_000, row_bytes=150,
    rows_per_tx=1, rate_per_s=200, clients=6, indexes=0, zipf_exponent=None, hot_rows="",
    flush_delay_s=0.001, checkpoint_s=SECONDS, log_limit_bytes=8 << 30, cache_bytes=256 << 20,
    settings={"fillfactor": "85"}, count_s=SECONDS,
)  # fmt: skip
KNOWN = {"row_bytes": "150", "fillfactor": "0.85", "max_wal_bytes": "64e9"}


def views(engine):
    time.sleep(1.2)  # statistics of a session arrive once a second
    words = [word for view in VIEWS for word in ("-c", f"select now(), * from {view}")]  # noqa: S608 - ours
    return engine._run("psql", "-h", engine.folder, "-U", "postgres", "-X", *words).encode()


def reading(engine, load):
    """Return the views before and after a load, from checkpoint to checkpoint, and its seconds."""
    engine.load = load
    engine.checkpoint()
    first, begun = views(engine), time.monotonic()
    engine.drive(SECONDS)
    engine.checkpoint()
    return first, views(engine), time.monotonic() - begun


@pytest.fixture(scope="module")
def readings():
    with contextlib.ExitStack() as opened:
        folder = opened.enter_context(tempfile.TemporaryDirectory())
        try:
            engine = opened.enter_context(postgresql.open_engine(LOAD, folder))
        except engines.AbsentError as absent:
            pytest.skip(str(absent))
        engine.drive(5)
        return [reading(engine, LOAD._replace(rate_per_s=rate)) for rate in (200, 400)]


def rows_of(one):
    *files, seconds = one
    known = KNOWN | {"checkpoint_timeout_s": f"{seconds:.2f}"}
    found = measured(answer_of("postgres-oltp", known), files)
    return found.fit.application, {row.quantity: row for row in found.rows}


def test_views_as_psql_prints_them_have_every_counter(readings):
    first, _, seconds = readings[0]
    assert re.search(rb"^ *now +\| wal_records", first, re.MULTILINE)
    application, rows = rows_of(readings[0])
    assert rows.keys() >= {"images_per_s", "pages_per_s", "flush_s", "hot_share", "log_bytes_per_s"}
    assert application.input_figure("rows")[1] == pytest.approx(LOAD.rows, rel=0.1)
    assert rows["flush_s"].counted > LOAD.flush_delay_s
    assert rows["hot_share"].counted > 0.99  # pages have room, and no index changes
    assert 0.9 * 200 < rows["transactions_per_s"].counted * seconds / SECONDS < 1.1 * 200


def test_every_ratio_is_near_one_after_the_fit(readings):
    for each in readings:
        for row in rows_of(each)[1].values():
            if row.counted:
                assert 0.9 <= row.fitted_ratio <= 1.1, row


def device_bytes(per_s):
    """Return the bytes at a device that follow from the engine's counters, journals aside."""
    again = BLOCK_BYTES - GRANULE_BYTES  # of a block that the flush before has begun
    return per_s["log_bytes"] + again * per_s["flushes"] + BLOCK_BYTES * per_s["pages"]


def test_twice_the_rate_is_planned_from_one_reading(readings):
    """With the flush time of its own, which a busy machine changes."""
    application, _ = rows_of(readings[0])
    _, later = rows_of(readings[1])
    changed = {"transactions_per_s": str(later["transactions_per_s"].counted),
               "flush_s": str(later["flush_s"].counted)}  # fmt: skip
    planned = answer_of("postgres-oltp", dict(application.texts) | changed)
    names = ("log_bytes", "images", "pages", "flushes")
    counted = {name: later[f"{name}_per_s"].counted for name in names}
    model = {
        name: planned.figure(lambda load, name=name: counter_of(load, name)).typical
        for name in names
    }
    assert device_bytes(model) == pytest.approx(device_bytes(counted), rel=0.05)
    assert model["images"] == pytest.approx(counted["images"], rel=0.05)
