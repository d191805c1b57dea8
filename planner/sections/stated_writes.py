"""Order, size, scope and range that the sentence of the writes states beside the rate."""

from collections.abc import Mapping
from typing import Any

from models.units import DAY_S
from planner.quantity.input import EachDriveText, InputError, ValueText
from planner.quantity.inputs import INPUTS
from planner.quantity.parse import quoted
from planner.quantity.rates import RateUnit, unit_typed
from planner.quantity.show import writes_text
from planner.quantity.writes import SEQUENTIAL_SHARE, Writes, is_plain, statement

HINTED = ("sequential", "size")  # inputs that the writes may say
_ROW = INPUTS["writes"]


def writes_of(texts: Mapping[str, Any]) -> Writes:
    """Return the writes that texts state; those written from a value say nothing beside it.

    >>> writes_of({"writes": "40 GB a day per drive"}).scope
    'drive'
    """
    written = _text(texts)
    if isinstance(written, ValueText):
        return Writes(scope="drive") if isinstance(written, EachDriveText) else Writes()
    try:
        return statement(_ROW.name, written)
    except ValueError:  # refused, by name, where the rate is read
        return Writes()


def to_drives(texts: Mapping[str, Any], nodes: int | None, members: int) -> Mapping[str, Any]:
    """Return texts whose writes to each node are those to each of its drives, if nodes are known.

    >>> to_drives({"writes": "600 GB a day per node"}, 4, 12)["writes"]
    '2314814.81481 B/s per drive'
    """
    said = writes_of(texts)
    if said.scope != "node" or nodes is None:
        return texts
    each = f"{said.rate * nodes / members:.12g} B/s per drive"
    fills = f"{said.fills * DAY_S:.12g} DWPD per drive"  # a node is filled as its drives are
    return {**texts, _ROW.name: fills if said.fills else each}


def counted_bytes(texts: Mapping[str, Any], all_bytes: float, each_bytes: float | None) -> float:
    """Return the capacity that a DWPD of the writes fills; refuse writes of which it is not known.

    >>> counted_bytes({"writes": "0.5 DWPD per drive"}, 12e12, 1e12)
    1000000000000.0
    """
    said = writes_of(texts)
    if said.scope == "all drives":
        return all_bytes
    if said.scope == "drive" and each_bytes is not None:
        return each_bytes
    rate = writes_text(said.bytes_per_s(all_bytes))
    must = f"must be of all {said.scope}s together such as 8 x {rate}"
    raise InputError(_ROW, f"{must}, got {quoted(_text(texts))}: how many is not known here")


def hints(texts: Mapping[str, Any]) -> dict[str, float]:
    """Return the order and the size of operations as the writes say, where nothing else says them.

    >>> hints({"writes": "32 cameras x 6 Mbit/s"}), hints({"writes": "500 IOPS of 8 KiB"})
    ({'sequential_fraction': 0.9}, {'transfer_bytes': 8192.0})
    >>> hints({"writes": "32 cameras x 6 Mbit/s", "sequential": "50%"})
    {}
    """
    said, found = writes_of(texts), {}
    if texts.get("client") is not None:
        return {}
    if said.sequential and texts.get("sequential") is None:
        found["sequential_fraction"] = SEQUENTIAL_SHARE
    if said.block_bytes and texts.get("size") is None:
        found["transfer_bytes"] = said.block_bytes
    return found


def typed(texts: Mapping[str, Any]) -> str:
    """Return the writes as they were typed; empty where they are a value or not stated.

    >>> typed({"writes": " 30 GB a day"}), typed({})
    ('30 GB a day', '')
    """
    written = texts.get(_ROW.name)
    return "" if written is None or isinstance(written, ValueText) else str(written).strip()


def unit_of(texts: Mapping[str, Any], capacity_bytes: float) -> RateUnit | None:
    """Return the unit in which the writes were typed; None where they are no plain rate.

    >>> print(unit_of({"writes": "0.5 TiB a week"}, 1e12))
    TiB a week
    """
    written = typed(texts)
    return unit_typed(written, capacity_bytes) if written else None


def read_as(texts: Mapping[str, Any], capacity_bytes: float) -> str:
    """Return the reading of the writes; empty if their sentence is plain.

    >>> read_as({"writes": "32 cameras x 6 Mbit/s"}, 1e12)
    'read as 2.07 TB a day = 757 TB a year; sequential (90 % of the operations)'
    >>> read_as({"writes": "30 GB/day"}, 1e12)
    ''
    """
    written = _text(texts)
    if isinstance(written, ValueText) or is_plain(written):
        return ""
    said = writes_of(texts).echo(capacity_bytes)
    share = hints(texts).get("sequential_fraction")
    assumed = f"; sequential ({100 * (share or 0):g} % of the operations)"
    return said if share is None else said.replace("; sequential", assumed, 1)


def _text(texts: Mapping[str, Any]) -> str:
    """Return the text of the writes, with its value where it holds one, or the default."""
    written = texts.get(_ROW.name)
    if isinstance(written, ValueText):
        return written
    return str(_ROW.default if written is None else written).strip()
