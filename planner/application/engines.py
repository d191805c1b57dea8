"""Engines of databases as settings, from `data/engines.csv`, and the pages of their tables."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from models.application import Access, Growth, Log, Relation, uniform, zipf
from planner.catalogue import data_folder
from planner.catalogue.rows import CatalogueRow, read

COLUMNS = ("engine", "setting", "value", "evidence", "source", "locator")
EVIDENCE = ("counted", "read", "recalled", "assumed")
# Pages of undo logs and the like are so many that no two changes meet.
SCATTERED_PAGES = 1e15


class Engine(NamedTuple):
    """Settings of an engine: pages, records of its log, and how often pages are written.

    A record is `..._bytes` and `..._row_share` of the row, and `index_record_bytes` for each index
    that it changes, up to a multiple of `record_granule_bytes`. `other_pages` are undo and system
    pages per change. Checkpoints come by `age_share` of the log, or by time and log where it is 0.
    """

    page_bytes: float
    page_header_bytes: float
    row_header_bytes: float
    whole_rows: float
    clustered: float
    fill: float
    random_fill: float
    update_bytes: float
    update_row_share: float
    insert_bytes: float
    insert_row_share: float
    delete_bytes: float
    delete_row_share: float
    random_key_bytes: float
    index_record_bytes: float
    record_granule_bytes: float
    full_image_bytes: float
    index_image_bytes: float
    index_page_bytes: float
    index_entry_bytes: float
    index_touches: float
    index_fill: float
    index_random_fill: float
    other_pages: float
    insert_other_pages: float
    log_block_bytes: float
    log_granule_bytes: float
    log_flush_blocks: float
    log_data_blocks: float
    copies: float
    new_copies: float
    freed_pages: float
    stored_fraction: float
    checkpoint_fixed_bytes: float
    age_share: float


@functools.cache
def engines(folder: Path | None = None) -> Mapping[str, Engine]:
    """Read the engines, by default those of the package.

    >>> engines()["mariadb"].log_block_bytes, engines()["mysql"].log_block_bytes
    (512.0, 4096.0)
    """
    problems: list[str] = []
    path = (folder or data_folder()) / "engines.csv"
    rows = [*read(path, COLUMNS, _setting, problems)]
    names = dict.fromkeys(name for name, _, _ in rows)
    if problems:
        raise ValueError(problems[0])
    return {
        name: Engine(**{setting: value for of, setting, value in rows if of == name})
        for name in names
    }


def _setting(row: CatalogueRow) -> tuple[str, str, float]:
    row.choice("evidence", EVIDENCE)
    for column in ("source", "locator"):
        row.required(column)
    return row.required("engine"), row.choice("setting", Engine._fields), row.number("value")


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseTable:
    """A table under one kind of change: update, insert or ring; numbers, or draws in arrays.

    A ring inserts the newest row and deletes the oldest one. `changed_indexes` are those whose
    columns a change sets to a random value, `unchanged_indexes` others beside the key. Keys come in
    order, or at random where `random_key` is 1. Updates are heap-only for `hot_fraction` of them
    where the engine keeps its table apart from indexes and none of them is changed. Images in the
    log take `image_fraction` of their size: less where they are compressed, 0 where there are none.
    `few_pages_fraction` of the changes lie on so few pages that these are not counted; each change
    touches `other_pages` beside those of the table, and fills `new_pages` without images.
    `hot_share` follows from the others unless it is stated; records of the log are `record_ratio`
    times as long as by the engine's settings.
    """

    rows: Any
    row_bytes: Any
    kind: str = "update"
    changed_indexes: Any = 0.0
    unchanged_indexes: Any = 0.0
    fill: Any = None
    hot_fraction: Any = 1.0
    random_key: float = 0.0
    key_bytes: float = 8.0
    exponent: Any = 0.0
    is_scattered: Any = 1.0
    buffers_bytes: Any = np.inf
    image_fraction: Any = 1.0
    few_pages_fraction: Any = 0.0
    other_pages: Any = 0.0
    new_pages: Any = 0.0
    hot_share: Any = None
    record_ratio: Any = 1.0


def log_of(engine: Engine, table: DatabaseTable) -> Log:
    """Return the log of an engine under the changes of a table.

    >>> float(log_of(engines()["mongodb"], DatabaseTable(rows=1e6, row_bytes=200)).record_bytes)
    256.0
    """
    return Log(
        record_bytes=_record_bytes(engine, table),
        block_bytes=engine.log_block_bytes,
        granule_bytes=engine.log_granule_bytes,
        growth=Growth(engine.log_flush_blocks, engine.log_data_blocks),
    )


def relations_of(engine: Engine, table: DatabaseTable) -> tuple[Relation, ...]:
    """Return the table and its indexes, with the pages that a change of a row touches.

    >>> table, *_ = relations_of(engines()["postgresql"], DatabaseTable(rows=200e3, row_bytes=200))
    >>> float(table.access.class_pages[0].round())
    5882.0
    """
    indexes = _indexes(engine, table)
    rows = _rows_of(engine, table, indexes)
    spread: Any = 1 - np.asarray(table.few_pages_fraction)
    own = (each._replace(touches=each.touches * spread) for each in (*rows, *indexes))
    of_engine = engine.other_pages if table.kind == "update" else engine.insert_other_pages
    page = Relation(uniform(SCATTERED_PAGES), page_bytes=engine.page_bytes, copies=engine.copies)
    others = [
        page._replace(touches=of_engine),
        page._replace(touches=table.other_pages,
                      image_bytes=table.image_fraction * engine.full_image_bytes),
        page._replace(touches=table.new_pages),
    ]  # fmt: skip
    return (*own, *(each for each in others if np.any(each.touches)))


def rows_per_page(engine: Engine, table: DatabaseTable) -> Any:
    """Return the rows of a full page."""
    room = (engine.page_bytes - engine.page_header_bytes) * _fill(engine, table)
    held = room / (np.asarray(table.row_bytes) + engine.row_header_bytes)
    return np.asarray(np.maximum(np.floor(held) if engine.whole_rows else held, 1.0))


def hot_share(engine: Engine, table: DatabaseTable) -> Any:
    """Return the share of the updates that touch no index: heap-only ones, of PostgreSQL."""
    if table.hot_share is not None:
        return np.asarray(table.hot_share)
    if engine.clustered:
        return np.asarray(1.0)
    has_room = np.asarray(_fill(engine, table)) < ROOMY_FILL
    with_room = np.where(has_room, 1.0, table.hot_fraction)
    return np.where(np.asarray(table.changed_indexes) > 0, 0.0, with_room)


ROOMY_FILL = 0.97  # a page filled less than this has room for another row


def _fill(engine: Engine, table: DatabaseTable) -> Any:
    own = engine.random_fill if table.random_key else engine.fill
    return own if table.fill is None else table.fill


def _record_bytes(engine: Engine, table: DatabaseTable) -> Any:
    row = np.asarray(table.row_bytes, float)
    if table.kind == "update":
        moved = 1 - hot_share(engine, table)
        keys = moved * (1 + np.asarray(table.unchanged_indexes)) if not engine.clustered else 0.0
        changed = moved if not engine.clustered else 1.0
        of_indexes = keys + changed * np.asarray(table.changed_indexes)
        written = engine.update_bytes + engine.update_row_share * row
    else:
        own = 0.0 if engine.clustered else 1.0
        of_indexes = own + np.asarray(table.changed_indexes) + table.unchanged_indexes
        written = engine.insert_bytes + engine.insert_row_share * row
        written = written + engine.random_key_bytes * table.random_key
    if table.kind == "ring":
        written = written + engine.delete_bytes + engine.delete_row_share * row
    written = written + of_indexes * engine.index_record_bytes
    granule = engine.record_granule_bytes
    whole = np.ceil(written / granule) * granule if granule > 1 else written
    return np.asarray(table.record_ratio * whole)


def _rows_of(
    engine: Engine, table: DatabaseTable, indexes: tuple[Relation, ...]
) -> tuple[Relation, ...]:
    """Return the table itself: its pages at random, or those filled and emptied in order."""
    held = rows_per_page(engine, table)
    stored = np.asarray(table.row_bytes) + engine.row_header_bytes
    used = np.minimum(held * stored + engine.page_header_bytes, engine.full_image_bytes)
    page = Relation(
        image_bytes=table.image_fraction * used if engine.full_image_bytes else 0.0,
        page_bytes=engine.page_bytes * engine.stored_fraction,
        copies=engine.copies,
    )
    if table.kind == "update" or (engine.clustered and table.random_key):
        pages = np.maximum(np.asarray(table.rows) / held, 1.0)
        memory = np.asarray(table.buffers_bytes) - sum(
            each.alike * each.access.class_pages.sum(-1) * each.page_bytes for each in indexes
        )
        hits = np.clip(memory / (pages * engine.page_bytes), 0.0, 1.0)
        access = _access(table, held)
        return (page._replace(access=access, touches=1.0, hit_ratio=hits),)
    grown = page._replace(ordered_pages=1 / held, image_bytes=0.0, new_copies=engine.new_copies)
    freed = page._replace(touches=1.0 - engine.freed_pages, ordered_pages=engine.freed_pages / held)
    return (grown, freed) if table.kind == "ring" else (grown,)


def _indexes(engine: Engine, table: DatabaseTable) -> tuple[Relation, ...]:
    """Return the indexes that changes touch; that of the key is one where tables lie apart."""
    is_update = table.kind == "update"
    moved = 1 - hot_share(engine, table) if is_update else 1.0
    of_value = moved if not engine.clustered else 1.0
    changed, unchanged = table.changed_indexes, table.unchanged_indexes
    at_random = _index(engine, table, engine.index_random_fill)._replace(
        touches=of_value * engine.index_touches if is_update else 1.0
    )
    like_key = _index(engine, table, engine.index_fill)._replace(
        access=_access(table, _entries(engine, table, engine.index_fill)), touches=moved
    )
    found = [at_random._replace(alike=changed)]
    if not is_update:
        found.append(at_random._replace(alike=unchanged))
    elif not engine.clustered:
        found.append(like_key._replace(alike=unchanged))
    if not engine.clustered and is_update:
        found.append(like_key)
    elif not engine.clustered:
        ordered = _index(engine, table, engine.index_fill)._replace(
            ordered_pages=1 / _entries(engine, table, engine.index_fill), image_bytes=0.0,
            new_copies=engine.new_copies,
        )  # fmt: skip
        found.append(at_random if table.random_key else ordered)
    return tuple(each for each in found if np.any(np.asarray(each.alike) > 0))


def _index(engine: Engine, table: DatabaseTable, fill: float) -> Relation:
    """Return an index of random values, without changes."""
    pages: Any = np.maximum(np.asarray(table.rows) / _entries(engine, table, fill), 1.0)
    return Relation(
        uniform(pages),
        image_bytes=table.image_fraction * engine.index_image_bytes,
        page_bytes=engine.index_page_bytes,
        copies=engine.copies,
    )


def _entries(engine: Engine, table: DatabaseTable, fill: float) -> float:
    """Return the entries of a page of an index."""
    return engine.index_page_bytes * fill / (table.key_bytes + engine.index_entry_bytes)


def _access(table: DatabaseTable, held: Any) -> Access:
    """Return the pages at random, with the skew of the rows on them."""
    if not np.any(table.exponent):
        pages: Any = np.maximum(np.asarray(table.rows) / held, 1.0)
        return uniform(pages)
    return zipf(
        table.rows, exponent=table.exponent, rows_per_page=held, is_scattered=table.is_scattered
    )
