"""Writes as people state them: each sentence is read right, or refused with one that is read."""

import random
import re
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import DomainError
from models.units import DAY_S, GIB, MIB, YEAR_S
from planner.quantity.show import writes_text
from planner.quantity.writes import parse_writes, reading, statement, unambiguous
from planner.quantity.writes.words import CARDINALS, PERIODS, plain
from tests.planner.writes_sentences import DESIGNED, FURTHER, TYPED

DRIVE_BYTES = 1e12
MEAN_OF_270 = f"the mean of 270 days; {reading.ALREADY_WRITTEN}"
SENTENCES = [*DESIGNED, *TYPED, *FURTHER]
READ = [(said, right) for said, right in SENTENCES if not isinstance(right, str)]
REFUSED = [(said, word[1:]) for said, word in SENTENCES if isinstance(word, str)]
_SUCH_AS = re.compile(r"such as (.*), got ['\"]", re.DOTALL)
_FIRST_AMOUNT = re.compile(r"read as (.+? a day)")
WORDS = re.findall(
    r"\S+",
    "/ + x * - .. , ; % ~ @ & ( ) a an the per each every of at in on to for with and plus GB "
    "TB MB kB GiB Gb gb Mbit Mbps B b k m G DWPD dwpd bytes gigabytes TBW s h day days week "
    "month year night weekday weekdays weekend min daily nightly cameras VMs hosts drive "
    "drives node logs IOPS writes tps commits random sequential kept retention copies "
    "replicas since last so far up max least over half one ten none 0 1 2 8 24 30 1.5 1.500 "
    "1,500 1e3 1e400 1e-320 0,3 2026-01-01 24/7 foo ? \xe9 -5 000 ",
)


def offers_of(message):
    """Return the sentences that a refusal offers."""
    return re.split(", | or ", _SUCH_AS.search(message)[1])


def a_day(said):
    return statement("writes", said).bytes_per_s(DRIVE_BYTES) * DAY_S


def test_there_are_many_sentences():
    assert len(dict(SENTENCES)) == len(SENTENCES) >= 76 + 450


@pytest.mark.parametrize(("said", "right"), READ)
def test_a_sentence_is_read_right(said, right):
    assert a_day(said) == pytest.approx(right, rel=1e-12, abs=0)


@pytest.mark.parametrize(("said", "word"), REFUSED)
def test_a_sentence_is_refused_with_one_that_is_read(said, word):
    with pytest.raises(DomainError, match=r"^writes must be ") as refusal:
        statement("writes", said)
    assert word in str(refusal.value)
    for offer in offers_of(str(refusal.value)):
        statement("writes", offer)


@pytest.mark.parametrize(
    ("said", "offers"),
    [
        ("1.500 GB/day", ["1500 GB/day", "1.5 GB/day"]),
        ("12,345 GB/day", ["12345 GB/day", "12.3450 GB/day"]),
        ("1,000 writes/s of 8 KiB", ["1000 writes/s of 8 KiB", "1 writes/s of 8 KiB"]),
        ("40 Gb/day", ["40 GB/day", "40 Gbit/day"]), ("100 Mb/s", ["100 MB/s", "100 Mbit/s"]),
        ("10 kb/s", ["10 kB/s", "10 kbit/s"]), ("2 gb/s", ["2 GB/s", "2 Gbit/s"]),
        ("10 TB/m", ["10 TB/ min", "10 TB/ month"]), ("5 G/day", ["5 GB/day", "5 GiB/day"]),
        ("300 GB/day 8 h a day", ["300 GB/day"]), ("0 to 80 GB/day", ["up to 80 GB/day"]),
        ("40 GB/day with 3 copies", ["40 GB/day"]), ("-5 GB/day", ["5 GB/day"]),
        ("4TB", ["4TB/day", "4TB in 270 days", "4TB every 2 h"]),
        ("500 IOPS", ["500 IOPS of 8 KiB", "500 writes/s of 8 KiB"]),
        ("20 MB/s 90% sequential", ["20 MB/s", "20 MB/s 90% of the time"]),
        ("15 GB/day per VM", ["15 GB/day per VM x 8"]),
    ],
)  # fmt: skip
def test_what_may_mean_two_things_is_asked_back(said, offers):
    with pytest.raises(DomainError) as refusal:
        statement("writes", said)
    assert offers_of(str(refusal.value)) == offers


@pytest.mark.parametrize(
    ("said", "field", "value"),
    [
        ("30 to 120 GB/day", "low", (30e9 / DAY_S, 0.0)), ("0.5-2 DWPD", "high", (0.0, 2 / DAY_S)),
        ("20 to 80 GB/day + 0.1 DWPD", "high", (80e9 / DAY_S, 0.1 / DAY_S)),
        ("30 MB/s kept 7 days", "kept_s", 7 * DAY_S),
        ("35 TB in 270 days", "elapsed", (35e12, 270 * DAY_S)),
        ("40 GB a day per drive", "scope", "drive"), ("40 GB/day per node", "scope", "node"),
        ("40 GB/day", "scope", "all drives"),
        ("32 cameras x 6 Mbit/s", "sequential", True), ("20 MB/s random", "sequential", False),
        ("500 IOPS of 4k", "sequential", False), ("20 MB/s", "sequential", None),
        ("500 IOPS of 4k", "block_bytes", 4096.0), ("1 TB/day in 1m blocks", "block_bytes", MIB),
        ("20 MB/s", "block_bytes", None),
    ],
)  # fmt: skip
def test_what_a_sentence_says_beside_its_rate(said, field, value):
    got = getattr(statement("writes", said), field)
    assert got == (pytest.approx(value) if isinstance(value, tuple | float) else value)


@pytest.mark.parametrize(
    ("said", "echo"),
    [
        ("32 cameras x 6 Mbit/s kept for 21 days",
         "read as 2.07 TB a day = 757 TB a year; keeps 43.5 TB (21 days); sequential"),
        ("35 TB in 270 days", f"read as 130 GB a day = 47.3 TB a year; {MEAN_OF_270}"),
        ("30 to 120 GB/day", "read as 60 GB a day (30 GB to 120 GB) = 21.9 TB a year"),
        ("40 GB a day per drive", "read as 40 GB a day to each drive = 14.6 TB a year"),
        ("0.5 DWPD", "read as 0.5 DWPD"),
        ("500 IOPS of 4k", "read as 177 GB a day = 64.6 TB a year; random; 4 KiB each"),
        ("up to 40 GB/day",
         "read as 40 GB a day = 14.6 TB a year; The most that is written, taken as the rate"),
    ],
)  # fmt: skip
def test_the_echo_says_what_was_read(said, echo):
    assert statement("writes", said).echo() == echo


@pytest.mark.parametrize("said", [said for said, right in READ if right])
def test_the_first_amount_of_the_echo_is_the_rate(said):
    read = statement("writes", said)
    amount = _FIRST_AMOUNT.match(read.echo(DRIVE_BYTES))[1]
    rate = statement("writes", amount.partition(" to each")[0]).rate
    assert rate == pytest.approx(read.bytes_per_s(DRIVE_BYTES), rel=5.01e-3)


def test_since_counts_the_days_up_to_today(monkeypatch):
    monkeypatch.setattr(reading, "today", lambda: date(2026, 11, 23))
    assert a_day("35 TB since 2026-02-26") == pytest.approx(35e12 / 270)
    with pytest.raises(DomainError, match="longer than 0"):
        statement("writes", "35 TB since 2027-01-01")


def test_the_field_is_named():
    with pytest.raises(DomainError, match=r"^--writes must be a rate such as 50 GiB/day, 20 MB/s"):
        statement("--writes", "fast")


@given(st.floats(1e-3, 1e24), st.integers(1, 6))
def test_what_the_planner_writes_is_read_back(bytes_a_day, digits):
    text = writes_text(bytes_a_day / DAY_S, digits=digits)
    got = parse_writes("writes", text, capacity_bytes=DRIVE_BYTES) * DAY_S
    assert got == pytest.approx(bytes_a_day, rel=0.51 * 10 ** (1 - min(digits, 3)))


@given(st.floats(0, 1e15), st.sampled_from(["g", ",.10g", ".6g", ".3f", ",.3f", ".8g", ""]))
def test_a_text_of_the_planner_is_made_unambiguous(number, form):
    text = format(number, form)
    got = parse_writes("writes", unambiguous(f"{text} GB/day"), capacity_bytes=1.0)
    assert got * DAY_S / 1e9 == pytest.approx(float(text.replace(",", "")), rel=1e-12)


@given(st.floats(1e-6, 1e6), st.sampled_from(["kB", "MiB", "GB", "GiB", "TB", "PB"]),
       st.sampled_from(["/day", " a week", "/s", " per month", "/years"]))  # fmt: skip
def test_plain_rates_of_former_versions_are_read_as_then(number, unit, period):
    """By the rule of the former parser: number x size / period."""
    number = float(f"{number:.6g}")
    size = {"kB": 1e3, "MiB": MIB, "GB": 1e9, "GiB": GIB, "TB": 1e12, "PB": 1e15}[unit]
    span = {"/day": DAY_S, " a week": 7 * DAY_S, "/s": 1.0, " per month": YEAR_S / 12,
            "/years": YEAR_S}[period]  # fmt: skip
    got = parse_writes("writes", f"{plain(number)} {unit}{period}", capacity_bytes=1.0)
    assert got == pytest.approx(number * size / span, rel=1e-12)


def check(text):
    """Read a text, or require a refusal whose offers are read."""
    try:
        rate = statement("writes", text).bytes_per_s(DRIVE_BYTES)
    except DomainError as refusal:
        for offer in offers_of(str(refusal)):
            assert statement("writes", offer).bytes_per_s(DRIVE_BYTES) >= 0
    else:
        assert 0 <= rate < float("inf")


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    check(text)


@given(st.lists(st.sampled_from([*WORDS, *CARDINALS, *PERIODS]), max_size=20), st.booleans())
def test_any_words_are_read_or_refused(words, is_spaced):
    check((" " if is_spaced else "").join(words))


def test_a_reading_is_quick():
    dice, texts = random.Random(7), []  # noqa: S311 - no secret
    for _ in range(10_000):
        words = dice.choices([*WORDS, *(said for said, _ in SENTENCES)], k=dice.randint(1, 6))
        texts.append(" ".join(words)[:300])
    start = time.process_time()
    for text in texts:
        check(text)
    assert (time.process_time() - start) / len(texts) < 1e-3
