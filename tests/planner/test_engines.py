"""Engines as settings: what is in the table, and what more indexes and deletes cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.application import Checkpoint, page_store
from planner.application.engines import DatabaseTable, Engine, engines, log_of, relations_of


def device_bytes(name, **table):
    engine = engines()[name]
    parts = {"rows": 1e6, "row_bytes": 200.0} | table
    checkpoint = (
        Checkpoint(age_bytes=engine.age_share * 1e9)
        if engine.age_share
        else Checkpoint(timeout_s=300, log_bytes=1e9)
    )
    return page_store(
        500, flushes_per_s=500, relations=relations_of(engine, DatabaseTable(**parts)),
        log=log_of(engine, DatabaseTable(**parts)), checkpoint=checkpoint,
    ).device_bytes_per_s  # fmt: skip


def test_each_engine_has_every_setting():
    of_databases = {"postgresql", "mariadb", "mysql", "mongodb", "sql-server", "oracle"}
    assert set(engines()) == of_databases
    assert all(len(engine) == len(Engine._fields) for engine in engines().values())


@pytest.mark.parametrize("name", engines())
@pytest.mark.parametrize("kind", ["update", "insert", "ring"])
@given(indexes=st.integers(0, 5), rows=st.floats(1e3, 1e9))
def test_more_indexes_write_more(name, kind, indexes, rows):
    fewer, more = (
        device_bytes(name, kind=kind, rows=rows, changed_indexes=count)
        for count in (indexes, indexes + 1)
    )
    assert fewer < more


@pytest.mark.parametrize("name", engines())
@given(rows=st.floats(1e3, 1e9), row_bytes=st.floats(20, 2000))
def test_a_ring_writes_no_less_than_its_inserts(name, rows, row_bytes):
    ring, inserts = (
        device_bytes(name, kind=kind, rows=rows, row_bytes=row_bytes) for kind in ("ring", "insert")
    )
    assert ring >= inserts


@pytest.mark.parametrize("name", engines())
def test_keys_at_random_write_no_less_than_keys_in_order(name):
    random, ordered = (
        device_bytes(name, kind="insert", rows=1e7, random_key=key) for key in (1, 0)
    )
    assert random >= ordered
