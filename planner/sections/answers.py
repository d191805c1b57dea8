"""Every answer once: the heading it is listed under, how far up it belongs, its name in scripts.

Faces, workbooks and tables take sections and order from here. Label, unit and meaning are those of
the nomenclature. A new answer is a node of the graph and a row of this table.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from planner.graph.answer import Answer, walk
from planner.graph.reading import Reading
from planner.sections.pool import RECORD

LIFE, SPEED, ARRAY, COST = "Life", "Speed of one drive", "Array", "Cost"
QUEUE, LOSS, WRITE_TEST = "Array at a queue depth", "Data loss", "Write test"
HEADLINE, LISTED = 1, 2


class AnswerRow(NamedTuple):
    """An answer: a headline of its section, or listed with it.

    `name` is its attribute in scripts. Where a reading does not fulfil `when`, it is not listed.
    """

    key: str
    section: str
    rank: int = LISTED
    name: str = ""
    when: Callable[[Reading], bool] | None = None


def _counts_background(reading: Reading) -> bool:
    """Whether flash wear counts the drive's background writes."""
    return "background_wa" in walk((reading["wear_limit_bytes"],))


def _is_pool(reading: Reading) -> bool:
    return RECORD.key in reading.leaves


def _rows(section: str, rank: int, *keys: str) -> Iterator[AnswerRow]:
    return (AnswerRow(key, section, rank) for key in keys)


ANSWERS: tuple[AnswerRow, ...] = (
    AnswerRow("cleaning_op_ratio", LIFE),
    AnswerRow("cleaning_spare_fraction", LIFE),
    AnswerRow("cleaning_op_nominal", LIFE),
    AnswerRow("workload_wa", LIFE, HEADLINE, "wa"),
    AnswerRow("background_wa", LIFE, when=_counts_background),
    AnswerRow("wear_life_s", LIFE, HEADLINE, "wear"),
    AnswerRow("rated_life_s", LIFE, HEADLINE, "rating"),
    AnswerRow("warranty_s", LIFE, HEADLINE, "warranty"),
    AnswerRow("low_wear_life_s", LIFE, name="uneven_low"),
    AnswerRow("typical_wear_life_s", LIFE, name="uneven_typical"),
    AnswerRow("high_wear_life_s", LIFE, name="uneven_high"),
    AnswerRow("printed_life_s", LIFE, name="printed"),
    AnswerRow("host_limit_bytes", LIFE, LISTED, "host_limit"),
    AnswerRow("required_dwpd", LIFE, LISTED, "dwpd"),
    AnswerRow("rated_dwpd", LIFE, name="rated_dwpd"),
    AnswerRow("naive_life_s", LIFE),
    AnswerRow("drive_iops", SPEED, HEADLINE, "drive_iops"),
    AnswerRow("drive_throughput_bytes_per_s", SPEED, name="throughput"),
    AnswerRow("latency_s", SPEED, name="latency"),
    AnswerRow("read_iops", SPEED),
    AnswerRow("write_iops", SPEED),
    AnswerRow("max_latency_s", SPEED, name="worst_latency"),
    AnswerRow("worst_case_iops", SPEED, LISTED, "worst_iops"),
    AnswerRow("worst_case_at_depth_iops", SPEED),
    AnswerRow("usable_bytes", ARRAY, HEADLINE, "usable"),
    AnswerRow("budget_iops", ARRAY, HEADLINE, "iops"),
    AnswerRow("worst_case_floor_iops", ARRAY, LISTED, "floor_iops"),
    AnswerRow("stall_probability", ARRAY),
    AnswerRow("aligned_stall_probability", ARRAY),
    AnswerRow("member_quantile", ARRAY),
    *(AnswerRow(key, ARRAY, when=_is_pool)
      for key in ("pool_available_bytes", "writes_per_write", "reads_per_write")),
    AnswerRow("total_price_usd", COST, HEADLINE, "price"),
    AnswerRow("price_per_user_byte", COST),
    AnswerRow("price_per_usable_byte", COST, LISTED, "price_per_usable"),
    AnswerRow("price_per_written_byte", COST, name="price_per_written"),
    *_rows(QUEUE, HEADLINE, "array_iops"),
    *_rows(QUEUE, LISTED, "array_read_latency_s", "array_write_latency_s", "array_stalled_iops",
           "array_synchronised_iops"),
    *_rows(LOSS, HEADLINE, "array_loss_probability"),
    *_rows(LOSS, LISTED, "array_failed_loss_probability", "array_unreadable_loss_probability",
           "array_wear_out_loss_probability", "afr_fraction", "rebuild_s", "mean_replacements"),
    *_rows(WRITE_TEST, HEADLINE, "fresh_write_iops", "steady_write_iops"),
    *_rows(WRITE_TEST, LISTED, "cliff_s", "lowest_write_iops", "settling_s", "max_latency_s",
           "worst_case_iops", "random_read_iops", "drive_iops"),
)  # fmt: skip
OF_PLAN = (LIFE, SPEED, ARRAY, COST)


def rows_of(section: str) -> tuple[AnswerRow, ...]:
    """List the answers of a section in reading order.

    >>> [row.key for row in rows_of("Cost")][:2]
    ['total_price_usd', 'price_per_user_byte']
    """
    return tuple(row for row in ANSWERS if row.section == section)


def key_named(name: str) -> str:
    """Return the key of an answer by its name in scripts; a key is its own name.

    >>> key_named("wear"), key_named("workload_wa")
    ('wear_life_s', 'workload_wa')
    """
    return next((row.key for row in ANSWERS if row.name == name), name)


def listed(reading: Reading, section: str) -> tuple[Answer, ...]:
    """List the answers of a section as a reading has them.

    One that is unknown and would be a fact if it were stated has the key of that fact.
    """
    rows = (row for row in rows_of(section) if row.when is None or row.when(reading))
    found = ((row.key, reading[row.key]) for row in rows)
    return tuple(replace(each, key=key) if key in each.lacking else each for key, each in found)
