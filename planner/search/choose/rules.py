"""Use-case presets: inputs that hold where the question does not state them."""

import csv
from collections.abc import Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from planner.catalogue import data_folder
from planner.quantity.door import DoorError, parsed
from planner.quantity.door.texts import csv_rows, text_of
from planner.quantity.input import InputError
from planner.quantity.inputs import CHOSEN_BY, INPUTS, TERMS
from planner.quantity.parse import quoted
from planner.scenario.array import RaidLevel, parse_level
from planner.search.choose.nodes import OF_ARRAYS

DEFAULT = "default"
COLUMNS = ("input", "value", "why")
BARE = "no_redundancy"
MOST_BYTES = 1 << 20  # of a file of rules
RULED = (*CHOSEN_BY, *TERMS)  # inputs that a rule may set


class Rule(NamedTuple):
    """An input that is set by a trade, and why."""

    rules: str
    input: str
    value: str
    why: str

    def __str__(self) -> str:
        """Describe the input, its value, and the rules that set it.

        >>> str(Rule("server", "max_loss", "1 in 1,000", ""))
        'max_loss=1 in 1,000 (server)'
        """
        return f"{self.input}={self.value} ({self.rules})"


@cache
def trades() -> Mapping[str, tuple[Rule, ...]]:
    """Return the rules of each trade; those of every question are called "default".

    >>> list(trades())
    ['default', 'server', 'database', 'osd', 'boot', 'nas', 'video', 'lab']
    """
    path = data_folder() / "rules.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [Rule(**row) for row in csv.DictReader(lines)]
    names = dict.fromkeys(row.rules for row in rows)
    return {name: tuple(row for row in rows if row.rules == name) for name in names}


def rules_in_force(written: str | None, stated: Mapping[str, Any]) -> tuple[Rule, ...]:
    """Return the rules of a trade, or of a file, and of every question, that are not overruled.

    What is stated overrules a rule; so does the refusal of redundancy those that keep data, and
    redundancy over nodes those of layouts.

    >>> [str(rule) for rule in rules_in_force("osd", {"sure": "50%"})][:2]
    ['raid=0 (osd)', 'segment=enterprise (osd)']
    >>> rules_in_force("shop", {})
    Traceback (most recent call last):
    planner.quantity.input.InputError: rules must be one of server, database, osd, boot, nas, \
video, lab, or a CSV file with the columns input, value and why, got 'shop'
    """
    own = () if not written else _of(written)
    texts = {rule.input: rule for rule in (*trades()[DEFAULT], *own)}
    if stated.get("nodes") is not None:
        texts = {name: rule for name, rule in texts.items() if name not in (*OF_ARRAYS, "drives")}
        return _not_stated(texts, stated)
    bare = {**{name: rule.value for name, rule in texts.items()}, **stated}
    if _is_bare(bare):
        texts.pop("max_loss", None)
        if BARE in stated and "raid" in texts and texts["raid"].rules == DEFAULT:
            texts["raid"] = Rule(DEFAULT, "raid", "0,1,10,5,6", "Redundancy is refused.")
    return _not_stated(texts, stated)


def _not_stated(texts: Mapping[str, Rule], stated: Mapping[str, Any]) -> tuple[Rule, ...]:
    """Return the rules of inputs that are not stated, those of the trade first."""
    mine = [rule for rule in texts.values() if rule.rules != DEFAULT]
    both = (*mine, *(rule for rule in texts.values() if rule.rules == DEFAULT))
    return tuple(rule for rule in both if rule.input not in stated)


def _is_bare(texts: Mapping[str, Any]) -> bool:
    """Whether redundancy is refused: in words, or by naming RAID 0 alone."""
    if str(texts.get(BARE, "false")).lower() == "true":
        return True
    levels = INPUTS["raid"].values(texts["raid"])
    return all(parse_level("raid", level)["level"] is RaidLevel.RAID0 for level in levels)


def _of(written: str) -> tuple[Rule, ...]:
    known = [name for name in trades() if name != DEFAULT]
    if written in known:
        return trades()[written]
    path = Path(written)
    if path.suffix.lower() != ".csv" or not path.is_file():
        raise _refused(
            f"must be one of {', '.join(known)}, or a CSV file with the columns input, value and "
            f"why, got {quoted(written)}"
        )
    return _read(path)


def _refused(why: str) -> InputError:
    return InputError(INPUTS["rules"], why)


def _read(path: Path) -> tuple[Rule, ...]:
    """Read rules of one's own; a bad row is named with its line."""
    try:
        rows = parsed(_rows_of, path)
    except (OSError, DoorError) as error:
        raise _refused(f"{path.name} cannot be read: {error}") from None
    return tuple(_rule(path, line, row) for line, row in rows)


def _rows_of(stream: BinaryIO) -> list[tuple[int, dict[str, str]]]:
    """Return the cells of each row by column, and its line."""
    text = text_of(stream, MOST_BYTES)
    rows = csv_rows(StringIO(text, newline=""))
    _, names = next(rows, (1, list[str]()))
    return [(line, dict(zip(names, cells, strict=False))) for line, cells in rows if cells]


def _rule(path: Path, line: int, row: Mapping[str, str]) -> Rule:
    name, value, why = ((row.get(column) or "").strip() for column in COLUMNS)
    where = f"{path.name}:{line}"
    if name not in RULED:
        raise _refused(f"{where}: input: must be one of {', '.join(RULED)}, got {quoted(name)}")
    if not value:
        raise _refused(f"{where}: value: is empty")
    return Rule(path.stem, name, value, why)
