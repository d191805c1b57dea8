"""Files of counters that are broken anywhere are read or refused, never a further error."""

import contextlib
import random

from planner.telemetry.application_counters import read_counters
from planner.telemetry.record import Refused
from tests.planner.test_application_counters import (
    AFTER,
    BEFORE,
    DISKS,
    FIRST,
    FORMS,
    IO,
    LAST,
    PROC,
    READINGS,
    REPORTS,
    ROCKSDB,
    SERVER,
    TICKERS,
    ZPOOL,
    batch,
    framed,
    no_names,
    server_json,
    vertical,
)

SEEDS = [FORMS[form](row) for form in FORMS for row in (FIRST, LAST)] + [
    framed(BEFORE), vertical(AFTER), batch(AFTER), no_names(BEFORE), *map(server_json, READINGS),
    *(SERVER.format(**each) for each in READINGS), DISKS.format("100.25 7.00", 1, 2, 3, 4),
    PROC.format(1, 2), IO.format(1, 2, 3, 4, 5), ROCKSDB, ZPOOL, TICKERS, REPORTS,
]  # fmt: skip
TOKENS = [*"{}[]\"'|,:\n\t-+(0123456789e.\\x\r\0", "NaN", "inf", "$numberLong", "1e999"]


def test_a_file_that_is_broken_anywhere_is_read_or_refused():
    chance = random.Random(3)  # noqa: S311 - no secrets
    for _ in range(3000):
        text = list(chance.choice(SEEDS) + chance.choice(SEEDS))
        for _ in range(chance.randrange(1, 12)):
            place = chance.randrange(len(text))
            text[place : place + chance.randrange(8)] = chance.choice(TOKENS)
        with contextlib.suppress(Refused):
            read_counters(["".join(text).encode()], over_s=chance.choice([None, 5.0]))
