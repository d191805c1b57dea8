"""The fit of an application to its counters: its own output, and counted loads."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import DomainError
from planner.application import answer_of, beside
from planner.application.fit import fitted
from planner.application.groups import load_function
from planner.application.measured import Counts, TableChanges, counter_of
from planner.search.counters import measured

LONG_S = 1e6  # so long that counts have no noise
COUNTED = Path(__file__).parents[1] / "data" / "counted.csv"


def numbers(low, high):
    """Numbers whose logarithm is anywhere between two ends."""
    return st.floats(np.log(low), np.log(high)).map(lambda x: f"{np.exp(x):.9g}")


def own_counts(name, texts, leave=()):
    """Return what the counters of an application with these inputs would show, by its model."""
    answer = answer_of(name, texts)
    values = {
        each: value if isinstance(value, str) or np.ndim(value) == 0 else None
        for each, value in answer.values.items()
    }
    values = {each: answer.typical_inputs[each] if value is None and answer.values[each] is not None
              else value for each, value in values.items()}  # fmt: skip
    load = load_function(name)(values)
    counted = {each: LONG_S * float(value) for each, value in load.counters.items()}
    counted["device_bytes"] = LONG_S * float(load.device_bytes_per_s)
    if "row_changes" in counted:
        is_update = values["kind"] == "update"
        counted["inserts"] = 0.0 if is_update else counted["row_changes"]
        counted["deletes"] = counted["row_changes"] if values["kind"] == "ring" else 0.0
    levels = {each: counted.pop(each) / LONG_S for each in ("age_bytes",) if each in counted}
    return Counts(
        {each: value for each, value in counted.items() if each not in leave}, LONG_S, levels
    )


def is_returned(name, known, hidden, leave=()):
    """Check that a fit finds what was hidden from it, and then answers like the model it is of."""
    counts = own_counts(name, known | hidden, leave)
    found = fitted(answer_of(name, known), counts)
    for each, text in hidden.items():
        value = found.application.input_figure(each)[1]
        if isinstance(value, str):
            assert value == text, each
        elif each != "clients":  # of which enough are alike
            assert value == pytest.approx(float(text), rel=0.01), each
    for row in beside(counts, answer_of(name, known), found.application):
        if row.counted:
            assert row.fitted_ratio == pytest.approx(1, abs=0.01), row.quantity


POSTGRES = {"rows": "3e6", "row_bytes": "170", "fillfactor": "0.9", "checkpoint_timeout_s": "120",
            "max_wal_bytes": "64e9"}  # fmt: skip
MANY = {"clients": "1000"}
EXACT = {"checkpoint_fixed_bytes": "3e5"}


@given(
    rate=numbers(20, 3000), each=st.sampled_from(["1", "3", "2.5"]), flush_s=numbers(2e-4, 8e-3),
    indexes=numbers(0.5, 5), hot=st.floats(0.05, 0.8), ratio=numbers(0.5, 3),
    correction=numbers(0.8, 1.3),
)  # fmt: skip
def test_a_fit_of_its_own_output_finds_the_indexes_of_postgres(
    rate, each, flush_s, indexes, hot, ratio, correction
):
    is_returned("postgres-oltp", POSTGRES | EXACT, MANY | {
        "transactions_per_s": rate, "rows_per_transaction": each, "flush_s": flush_s,
        "kind": "update", "indexes": indexes, "skew": "none", "hot_share": f"{hot:.6g}",
        "record_ratio": ratio, "correction": correction,
    })  # fmt: skip


@given(rate=numbers(100, 3000), exponent=st.floats(0.8, 1.15), ratio=numbers(0.5, 3))
def test_a_fit_of_its_own_output_finds_the_skew(rate, exponent, ratio):
    is_returned("postgres-oltp", POSTGRES | EXACT, MANY | {
        "transactions_per_s": rate, "indexes": "0", "skew": "scattered", "hot_share": "1",
        "exponent": f"{exponent:.6g}", "record_ratio": ratio, "correction": "1",
        "flush_s": "1e-3",
    })  # fmt: skip


@given(
    rate=numbers(20, 2000), flush_s=numbers(1e-3, 5e-3), indexes=numbers(0.5, 4),
    age=st.floats(0.3, 0.8), ratio=numbers(0.5, 2), correction=numbers(0.8, 1.3),
)  # fmt: skip
def test_a_fit_of_its_own_output_finds_the_age_of_innodb(
    rate, flush_s, indexes, age, ratio, correction
):
    known = {"rows": "3e6", "row_bytes": "170", "redo_bytes": "5e7", "binlog": "no",
             "server": "mariadb", "change_bytes": "250", "event_bytes": "200"}  # fmt: skip
    is_returned("innodb", known, MANY | {
        "transactions_per_s": rate, "flush_s": flush_s, "indexes": indexes, "skew": "none",
        "age_fraction": f"{age:.6g}", "record_ratio": ratio, "correction": correction,
    })  # fmt: skip


@given(rate=numbers(50, 2000), stored=st.floats(0.2, 0.9), ratio=numbers(0.5, 2))
def test_a_fit_of_its_own_output_finds_the_compression_of_mongodb(rate, stored, ratio):
    known = {"rows": "3e6", "row_bytes": "170", "page_bytes": "98000", "journal": "commit",
             "indexes": "0", "skew": "none"}  # fmt: skip
    is_returned("mongodb", known, MANY | {
        "transactions_per_s": rate, "flush_s": "1e-3", "stored_fraction": f"{stored:.6g}",
        "record_ratio": ratio, "correction": "1.05",
    })  # fmt: skip


@given(rate=numbers(10, 500), flush_s=numbers(5e-4, 2e-2), correction=numbers(0.8, 1.2))
def test_a_fit_of_its_own_output_finds_the_flushes_of_etcd(rate, flush_s, correction):
    known = {"value_bytes": "700", "commit_flushes": "1"}
    is_returned("etcd", known, MANY | {
        "puts_per_s": rate, "flush_s": flush_s, "correction": correction,
    })  # fmt: skip


def test_what_makes_commits_share_is_found_from_its_trace():
    """Few clients, a flush time that varies, and one that nobody timed, by the flushes alone."""
    base = {"transactions_per_s": "800", "flush_s": "4e-3", "indexes": "0", "skew": "none"}
    few = own_counts("postgres-oltp", POSTGRES | base | {"clients": "5"})
    found = fitted(answer_of("postgres-oltp", POSTGRES), few).application
    assert found.input_figure("clients")[1] == pytest.approx(5, rel=0.01)
    varying = own_counts("postgres-oltp", POSTGRES | base | MANY | {"flush_scv": "1.6"})
    found = fitted(answer_of("postgres-oltp", POSTGRES), varying).application
    assert found.input_figure("flush_scv")[1] == pytest.approx(1.6, rel=0.01)
    unseen = own_counts("postgres-oltp", POSTGRES | base | MANY, leave=("flush_time_s",))
    found = fitted(answer_of("postgres-oltp", POSTGRES), unseen).application
    assert found.input_figure("flush_s")[1] == pytest.approx(4e-3, rel=0.01)


def test_images_that_are_too_small_are_compressed_and_none_are_off():
    base = {"transactions_per_s": "300", "indexes": "0", "skew": "none", "hot_share": "1"}
    for share in ("0.22", "0"):
        counts = own_counts("postgres-oltp", POSTGRES | base | {"image_fraction": share})
        if share == "0":
            counts = counts._replace(values=counts.values | {"images": 0.0})
        found = fitted(answer_of("postgres-oltp", POSTGRES), counts).application
        assert found.input_figure("image_fraction")[1] == pytest.approx(float(share), rel=0.05)


def test_buffers_are_small_where_checkpoints_find_less_than_was_imaged():
    base = {"transactions_per_s": "2000", "indexes": "0", "skew": "none", "hot_share": "1"}
    small = own_counts("postgres-oltp", POSTGRES | base | {"buffers_bytes": "2e8"})
    images = small.values["images"]
    evicted = small._replace(values=small.values | {"checkpoint_pages": 0.4 * images})
    found = fitted(answer_of("postgres-oltp", POSTGRES), evicted)
    assert found.application.input_figure("buffers_bytes")[1] == pytest.approx(2e8, rel=0.01)
    split = small._replace(values=small.values | {"checkpoint_pages": images})
    found = fitted(answer_of("postgres-oltp", POSTGRES), split)
    assert "new_pages" in found.inputs
    assert "buffers_bytes" not in found.inputs


def test_small_tables_are_told_from_large_ones():
    """TPC-B: of four changes one goes to a large table, three to few pages."""
    n = 1e5
    tables = [TableChanges(n, 0, 0, 0.2 * n, 1e6), TableChanges(n, 0, 0, n, 100),
              TableChanges(n, 0, 0, n, 10), TableChanges(0, n, 0, 0, n)]  # fmt: skip
    values = {"transactions": n, "row_changes": 4 * n, "updates": 3 * n, "inserts": n,
              "deletes": 0.0, "hot_updates": 2.2 * n}  # fmt: skip
    found = fitted(answer_of("postgres-oltp", {}), Counts(values, 600.0, {}, tables)).application
    expected = {
        "rows_per_transaction": 4,
        "rows": 1e6,
        "few_pages_fraction": 0.75,
        "hot_share": 0.2,
    }
    assert {name: found.input_figure(name)[1] for name in expected} == pytest.approx(
        expected, rel=0.01
    )
    assert found.texts["kind"] == "update"


# Loads of PostgreSQL that were counted on a device: fitted on one, planned for another.


def counted_rows():
    with COUNTED.open(encoding="utf-8") as lines:
        return {
            row["load"]: row for row in csv.DictReader(lines) if row["engine"] == "PostgreSQL 15"
        }


ROWS = counted_rows()


def counts_of(row, hot, seconds=60.0):
    per_tx = {name: float(row[name]) for name in ("log_bytes", "images", "pages")}
    transactions = seconds * float(row["transactions_per_s"])
    flushes = transactions / float(row["commits_per_flush"])
    values = {name: transactions * value for name, value in per_tx.items()} | {
        "transactions": transactions, "row_changes": transactions, "updates": transactions,
        "inserts": 0.0, "deletes": 0.0, "hot_updates": hot * transactions, "flushes": flushes,
        "flush_time_s": flushes * float(row["flush_s"]),
        "checkpoint_pages": transactions * per_tx["pages"],
    }  # fmt: skip
    return Counts(values, seconds)


def known_of(row):
    settings = dict(word.split("=") for word in row["settings"].split())
    return {"rows": settings["rows"], "row_bytes": settings["row_bytes"],
            "fillfactor": settings["fill"], "checkpoint_timeout_s": settings["cycle_s"],
            "max_wal_bytes": "64e9"}  # fmt: skip


def error(answer, row):
    """Return bytes at the device over those counted, less 1, and whether these are in the range."""
    rate, counted = float(row["transactions_per_s"]), float(row["device_bytes"])
    low, typical, high = (each / rate for each in answer.figures["device_bytes_per_s"])
    return typical / counted - 1, low <= counted <= high


@pytest.mark.parametrize(
    ("of", "hot", "to", "limit"),
    [
        ("1 index on the changed column", 0, "1 index, cycle 30 s", 0.02),
        ("S 1.2 ms", 1, "S 4.2 ms", 0.02),
        ("2 such indexes", 0, "3 (one of 1,000 values, one of text)", 0.06),
    ],
)
def test_a_counted_load_is_planned_for_other_settings(of, hot, to, limit):
    row, other = ROWS[of], ROWS[to]
    answer = answer_of("postgres-oltp", known_of(row))
    found = fitted(answer, counts_of(row, hot)).application
    before, after = (each.figures["device_bytes_per_s"] for each in (answer, found))
    assert after.high / after.low < before.high / before.low / 2
    changed = known_of(other) | {name: other[name] for name in ("transactions_per_s", "flush_s")}
    if to.startswith("3 "):  # one index more
        changed["indexes"] = str(found.input_figure("indexes")[1] + 1)
    planned = answer_of("postgres-oltp", dict(found.texts) | changed)
    off, is_inside = error(planned, other)
    assert abs(off) <= limit
    assert is_inside


@given(off=st.lists(st.floats(0.97, 1.03), min_size=8, max_size=8))
def test_no_ratio_leaves_a_tenth_where_the_model_is_right_to_3_per_cent(off):
    base = {"transactions_per_s": "400", "flush_s": "1e-3", "indexes": "1", "skew": "none",
            "correction": "1"}  # fmt: skip
    counts = own_counts("postgres-oltp", POSTGRES | EXACT | base | MANY)
    names = ("transactions", "log_bytes", "images", "pages", "flushes", "flush_time_s",
             "device_bytes", "row_changes")  # fmt: skip
    values = dict(counts.values)
    for name, factor in zip(names, off, strict=True):
        values[name] *= factor
    counts = counts._replace(values=values)
    answer = answer_of("postgres-oltp", POSTGRES | EXACT | base | MANY | {"record_ratio": "1"})
    rows = beside(counts, answer, fitted(answer, counts).application)
    assert len(rows) > 8
    for row in rows:
        if row.counted:
            assert 0.9 <= row.ratio <= 1.1, row
            assert 0.9 <= row.fitted_ratio <= 1.1, row


def test_a_short_reading_leaves_a_range_a_long_one_none():
    widths = []
    for seconds in (1.0, 60.0, LONG_S):
        counts = Counts({"transactions": 300 * seconds}, seconds)
        low, typical, high = fitted(
            answer_of("postgres-oltp", {}), counts
        ).application.input_figure("transactions_per_s")
        assert typical == pytest.approx(300, rel=0.01)
        widths.append(high / low - 1)
    # 5 and 95 % of 300 and of 18,000 events at random are 1.645 standard deviations off
    assert widths[0] == pytest.approx(2 * 1.645 / 300**0.5, rel=0.1)
    assert widths[1] == pytest.approx(2 * 1.645 / 18_000**0.5, rel=0.1)
    assert widths[2] == 0


def test_nothing_is_guessed_without_a_rate_or_within_a_checkpoint():
    counts = Counts({"log_bytes": 1e6, "flushes": 50.0}, 10.0)
    found = fitted(answer_of("postgres-oltp", {}), counts)
    assert found.inputs == ()
    assert "state transactions_per_s, or add a counter" in found.notes[0]
    counts = Counts({"transactions": 5e4, "pages": 500.0}, 25.0)
    known = {"checkpoint_timeout_s": "100", "max_wal_bytes": "1e12"}
    (note,) = fitted(answer_of("postgres-oltp", known), counts).notes
    assert note.startswith("The readings span 0.25 of the 100 s between checkpoints")
    with pytest.raises(DomainError, match="transactions: nothing was counted"):
        fitted(answer_of("postgres-oltp", {}), Counts({"transactions": 0.0}, 10.0))
    video = answer_of("video", {})
    with pytest.raises(DomainError, match="video has no counterpart of what was counted: images"):
        beside(Counts({"images": 5.0}, 1.0), video, video)


@pytest.mark.parametrize("name", ["postgres-oltp", "innodb", "mongodb", "etcd", "rocksdb-leveled"])
def test_log_bytes_are_those_before_blocks_are_written_again(name):
    """The stream of a log that is flushed has whole blocks, its counter has not."""
    answer = answer_of(name, {"correction": "1"})
    load = answer.typical
    values = {each: np.median(value) for each, value in answer.draws.counters.items()}
    if "log_bytes" in values and load.flushes_per_s:
        (stream,) = (part for part in load.streams if part.name in ("log", "redo log", "journal"))
        assert values["log_bytes"] < stream.bytes_per_s
    assert counter_of(load, "device_bytes") == load.device_bytes_per_s


STATUS = "Innodb_os_log_written\t{0}\nInnodb_pages_written\t{0}\nCom_update\t{0}\nUptime\t{0}\n"


def status(*counts):
    return [STATUS.format(count).encode() for count in counts]


def test_counters_of_another_engine_are_refused():
    files = status(100, 700)
    assert measured(answer_of("mariadb", {}), files).fit.inputs
    with pytest.raises(DomainError, match="counts another engine than postgres-oltp: state one of "
                       "innodb, mariadb, mysql-8, page-store"):  # fmt: skip
        measured(answer_of("postgres-oltp", {}), files)


def test_a_count_far_from_any_such_application_is_doubted():
    notes = measured(answer_of("mariadb", {}), status(100, 700)).fit.notes  # a byte a change
    assert any(note.startswith("The log of a change is ") for note in notes)


@pytest.mark.parametrize("unset", ["1970-01-01 00:00:05+00", "1999-12-31 23:59:59+00"])
def test_a_clock_that_was_not_set_is_no_time(unset):
    rows = ((unset, 1000, 1), ("2026-11-28 00:00:05+00", 9000, 9))
    files = [f"now,wal_bytes,wal_sync\n{row[0]},{row[1]},{row[2]}\n".encode() for row in rows]
    known = answer_of("postgres-oltp", {"transactions_per_s": "2"})
    with pytest.raises(DomainError, match="over must be the time between the two readings"):
        measured(known, files)
    assert measured(known, files, over_s=8.0).rows
