"""Nomenclature: one row per quantity, names that carry their unit."""

import csv
import itertools
import re
from pathlib import Path

from models.nomenclature import QUANTITIES, Quantity

TABLE = Path(__file__).parents[2] / "models" / "nomenclature.csv"

# The end of a name says the base unit (and the other way round for these units).
UNIT_BY_SUFFIX = {
    "_bytes_per_s": "bytes/s",
    "_per_s": "1/s",
    "_bytes": "bytes",
    "_per_user_byte": "USD/byte",
    "_per_usable_byte": "USD/byte",
    "_per_written_byte": "USD/byte",
    "_iops": "1/s",
    "_m2": "m2",
    "_usd": "USD",
    "_usd_per_year": "USD/year",
    "_per_usable_byte_year": "USD/(byte year)",
    "_per_iops": "USD/IOPS",
    "_iops_per_usd": "IOPS/USD",
    "_bytes_per_s_per_usd": "bytes/s/USD",
    "_bytes_per_usd": "bytes/USD",
    "_usd_per_j": "USD/J",
    "_j": "J",
    "_j_per_byte": "J/byte",
    "_kg": "kg",
    "_kg_per_j": "kg/J",
    "_kg_per_byte": "kg/byte",
    "_kg_per_byte_year": "kg/(byte year)",
    "_w": "W",
    "_s": "s",
    "_dwpd": "1/day",
    "_ratio": "1",
    "_fraction": "1",
    "_cycles": "1",
    "_wa": "1",
    "_k": "K",
    "_j_per_k": "J/K",
    "_k_per_w": "K/W",
    "_m_per_s": "m/s",
    "_bytes_per_j": "bytes/J",
    "_ev": "eV",
    "_cv": "1",
    "_probability": "1",
    "_quantile": "1",
}
BASE_UNITS = {
    "1", "1/day", "1/s", "K", "USD", "USD/byte", "W", "bytes", "bytes/s", "eV", "m2", "s",
    "J", "J/byte", "USD/(byte year)", "USD/IOPS", "USD/J", "USD/year",
    "kg", "kg/(byte year)", "kg/J", "kg/byte", "J/K", "K/W", "m/s", "bytes/J",
    "IOPS/USD", "bytes/s/USD", "bytes/USD",
}  # fmt: skip


def suffix_unit(name: str) -> str | None:
    fitting = [suffix for suffix in UNIT_BY_SUFFIX if f"_{name}".endswith(suffix)]
    return UNIT_BY_SUFFIX[max(fitting, key=len)] if fitting else None


def test_every_name_has_one_row():
    header, *rows = csv.reader(TABLE.read_text(encoding="utf-8").splitlines())
    assert header == list(Quantity._fields)
    assert [row[0] for row in rows] == list(QUANTITIES)
    assert [tuple(row) for row in rows] == list(QUANTITIES.values())


def test_the_rows_of_a_topic_follow_each_other():
    topics = [topic for topic, _ in itertools.groupby(row.topic for row in QUANTITIES.values())]
    assert len(topics) == len(set(topics))


def test_every_row_is_filled_in():
    for row in QUANTITIES.values():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", row.name), row
        assert all(row), row
        assert row.meaning.endswith("."), row
        assert row.unit in BASE_UNITS, row


def test_the_suffix_of_a_name_is_its_base_unit():
    for row in QUANTITIES.values():
        assert suffix_unit(row.name) in (None, row.unit), row
        if row.unit not in {"1", "1/day", "1/s"}:
            assert suffix_unit(row.name) == row.unit, row
