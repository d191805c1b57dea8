"""Numbers with units, as people write them, in both directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import DAY_S, GIB, YEAR_S
from planner.quantity.inputs import INPUTS
from planner.quantity.parse import parse_bytes, parse_duration, parse_fraction, parse_number, quoted
from planner.quantity.show import shown, text
from planner.quantity.units import FACTORS
from planner.quantity.writes import parse_writes


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("4.8TB", 4.8e12), ("4.8 tb", 4.8e12), ("512 GiB", 512 * 2**30), ("512gib", 512 * 2**30),
        ("1,024 KiB", 2**20), ("1.024,5 KiB", 1024.5 * 2**10), ("400GB", 400e9), ("4096 B", 4096),
        (".5TB", 5e11), ("1e3 GB", 1e12),
        ("3,84 TB", 3.84e12), ("0,480TB", 480e9), ("1,92 tb", 1.92e12), ("1,5e3 GB", 1.5e12),
        ("12,800 GB", 12.8e12), ("1,234.5 GB", 1234.5e9),
    ],
)  # fmt: skip
def test_sizes(written, size):
    assert parse_bytes("raw", written) == pytest.approx(size, rel=1e-15)


@pytest.mark.parametrize(
    "written",
    [
        "4.8",
        "4.8 T",
        "TB",
        "",
        "4.8 TBW",
        "4..8 TB",
        "nan GB",
        "1,2,3 TB",
        "1,234,5 TB",
        "1.23,4 TB",
        "1,234.5,6 TB",
    ],
)
def test_a_size_without_a_clear_unit_is_refused_by_name(written):
    with pytest.raises(DomainError, match=r"^--raw must be a size such as 400 GB or 512 GiB"):
        parse_bytes("--raw", written)


@pytest.mark.parametrize(
    ("written", "rate"),
    [
        ("50 GiB/day", 50 * GIB / DAY_S), ("50GiB/d", 50 * GIB / DAY_S), ("20MB/s", 20e6),
        ("1 TB/week", 1e12 / (7 * DAY_S)), ("36.5 TB/years", 36.5e12 / YEAR_S),
        ("3.6GB/h", 1e6), ("3.6GB/hours", 1e6), ("8 Mbit/s", 1e6), ("30 GB a day", 30e9 / DAY_S),
        ("1 TB per week", 1e12 / (7 * DAY_S)),
    ],
)  # fmt: skip
def test_write_rates(written, rate):
    assert parse_writes("writes", written, capacity_bytes=1e12) == pytest.approx(rate, rel=1e-15)


def test_drive_writes_per_day_count_the_capacity():
    assert parse_writes("writes", "0.3 DWPD", capacity_bytes=400e9) * DAY_S == pytest.approx(120e9)


@pytest.mark.parametrize(
    ("written", "such_as"),
    [
        ("50", "50 GB/day, 50 MB/s or 50 DWPD"), ("50/day", "50 GB/day, 50 MB/s or 50 DWPD"),
        ("50 GiB", "50 GiB/day, 50 GiB in 270 days or 50 GiB every 2 h"),
        ("dwpd", "50 GiB/day, 20 MB/s or 0.3 DWPD"), ("5 G/day", "5 GB/day or 5 GiB/day"),
        ("5 GiB/parsec", "5 GiB/day"),
    ],
)  # fmt: skip
def test_a_rate_without_a_clear_unit_is_refused_by_name(written, such_as):
    with pytest.raises(DomainError, match=f"^--writes must be a rate such as {such_as}, got '"):
        parse_writes("--writes", written, capacity_bytes=1e12)


@pytest.mark.parametrize("written", ["100 Mb/s", "1Gb/s", "1 Gb/sec"])
def test_a_rate_that_may_be_bits_or_bytes_is_refused(written):
    both = written.replace("b", "B"), written.replace("b", "bit")
    with pytest.raises(DomainError, match=f"{both[0]} or {both[1]}".replace("1G", "1 G")):
        parse_writes("writes", written, capacity_bytes=1e12)


@pytest.mark.parametrize(
    ("name", "written", "value"),
    [
        ("size", "4k", 4096), ("size", "128K", 2**17), ("size", "1m", 2**20),
        ("size", "4KB", 4000), ("record", "128k", 2**17),
        ("reads", "70", 0.7), ("reads", "1", 1.0), ("spare", "7", 0.07), ("growth", "150%", 1.5),
        ("iops", "500k", 5e5), ("iops", "1.5M IOPS", 1.5e6), ("watts", "600 W", 600),
        ("pe_cycles", "3k", 3000), ("budget", "20k USD", 20_000), ("years", "5y", 5 * YEAR_S),
        ("network", "25 Gb/s", 25e9 / 8), ("network", "25gbe", 25e9 / 8),
        ("network", "10 Gbit/s", 10e9 / 8), ("network", "3.125 GB/s", 25e9 / 8),
        ("max_loss", "1 in 10,000", 1e-4), ("max_loss", "1 IN 3", 1 / 3),
        ("max_loss", "0.01%", 1e-4), ("max_loss", "5", 0.05),
    ],
)  # fmt: skip
def test_inputs_are_written_as_the_field_writes_them(name, written, value):
    assert INPUTS[name].value(written) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "written", "why"),
    [
        ("used", "12", "must be with its unit, 12% or 1200%"),
        ("network", "25", "a rate such as"),
        ("network", "25 gb/s", "a rate such as"),
        ("capacity", "4T", "a size such as"),
        ("trim", "0.7", "from 0 to less than 50 %"),
        ("max_loss", "3 in 2", "odds such as 1 in 10,000"),
        ("max_loss", "1 in 0", "odds such as 1 in 10,000"),
        ("max_loss", "1 in a million", "a number"),
        ("max_loss", "4TB", "odds such as 1 in 10,000, or a share"),
        ("iops", "500 MB", "a number in IOPS"),
    ],
)
def test_what_may_mean_two_things_is_refused(name, written, why):
    with pytest.raises(DomainError, match=why):
        INPUTS[name].value(written)


def test_shares_and_numbers():
    assert parse_fraction("fill", "80%") == pytest.approx(0.8)
    assert parse_fraction("fill", "0.8") == pytest.approx(0.8)
    assert parse_fraction("used", "255%") == 2.55  # the largest that NVMe drives report
    with pytest.raises(DomainError, match=r"with its unit, 1\.5% or 150%"):
        parse_fraction("used", "1.5")
    for ambiguous in ("1.5", "1.01", "1.0000001", "99.5"):
        with pytest.raises(DomainError, match=r"in \[0, 1\] or a share such as '70%'"):
            parse_fraction("reads", ambiguous, most=1.0)
    assert parse_number("pe", "40,000") == 40_000
    for wrong in (lambda: parse_fraction("fill", "80 pc"), lambda: parse_number("pe", "3 k")):
        with pytest.raises(DomainError, match="must be a"):
            wrong()


@given(st.floats(1e-6, 1e6), st.sampled_from(["KB", "MiB", "GB", "GiB", "TB", "PiB"]))
def test_what_is_written_is_read_back(number, unit):
    size = parse_bytes("size", f"{number!r} {unit}")
    assert size / FACTORS[unit] == pytest.approx(number, rel=1e-14)


@pytest.mark.parametrize("written", ["1e308 months", "-1e101 s", "9" * 150])
def test_a_number_beyond_every_quantity_is_refused(written):
    with pytest.raises(DomainError, match=r"^phase_in must be a number up to 1e\+100, got '"):
        parse_duration("phase_in", written, bare="s")


@pytest.mark.parametrize(
    ("written", "quote"),
    [
        ("4TB", "'4TB'"), ("it's", '"it\'s"'), ("a\nb\x1b[2J\u202e", r"'a\nb\x1b[2J\u202e'"),
        ("y" * 60, f"'{'y' * 60}'"), ("y" * 10_000, f"'{'y' * 59}...'"),
    ],
)  # fmt: skip
def test_a_message_quotes_a_text_on_one_short_line(written, quote):
    assert quoted(written) == quote


def test_every_quantity_has_a_unit_that_can_be_shown():
    assert {quantity.shown_in for quantity in QUANTITIES.values()} <= FACTORS.keys()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("raw_bytes", 512 * 2**30, "512 GiB"),
        ("user_bytes", 400e9, "400 GB"),
        ("wear_life_s", 5.678 * YEAR_S, "5.678 years"),
        ("wear_life_s", float("inf"), "unlimited"),
        ("read_fraction", 0.7, "70 %"),
        ("random_read_iops", 92_000, "92,000 IOPS"),
        ("worst_case_iops", 5_000, "5,000 IOPS"),
        ("aligned_stall_probability", 2.44e-16, "below 1 in 1,000,000"),
        ("array_loss_probability", 1.096e-4, "1 in 9,100"),
        ("latent_probability", 0.9865, "99 in 100"),
        ("target_probability", 1 / 12_500, "1 in 12,500"),  # stated, so to more digits
        ("reached_probability", 0.9123, "91.23 %"),  # a confidence, no risk
        ("afr_fraction", 0.01, "1 %"),
        ("members", 12, "12"),
        ("budget_iops", 1.5e6, "1,500,000 IOPS"),
        ("growth_per_year", 0, "0 %/year"),
        ("max_latency_s", 0.0064, "6.4 ms"),
    ],
)
def test_text_for_people(name, value, expected):
    assert text(name, value) == expected


@given(st.floats(1e-6, 0.3))
def test_odds_are_read_as_they_are_written(probability):
    """What a screen prints of a loss may be typed; two digits of it are left."""
    written = text("array_loss_probability", probability)
    assert INPUTS["max_loss"].value(written) == pytest.approx(probability, rel=0.051)


@given(st.floats(1e-12, 1e12), st.integers(1, 5))
def test_a_number_is_shown_by_as_many_digits_as_are_asked_for(value, digits):
    """From a thousandth to a million as a decimal; smaller and larger ones by three digits."""
    shown = text("queue_depth", value, digits=digits)
    if 1e-3 <= value < 1e6:
        assert "e" not in shown
        is_long = value >= 10 ** (digits - 1)  # digits before the point are all shown
        rounded = round(value) if is_long else float(f"{value:.{digits - 1}e}")
        assert float(shown.replace(",", "")) == pytest.approx(rounded, rel=1e-12)
    else:
        whole = value >= 1e6
        assert shown == (f"{value:,.0f}" if whole else f"{value:.3g}")


def test_shown_is_in_the_unit_of_the_nomenclature():
    assert shown("host_bytes_per_s", 50 * GIB / DAY_S) == pytest.approx(50, rel=1e-15)


def test_units_are_what_they_say_in_base_units():
    """By hand, from a day of 86,400 s, a year of 365 days and a kWh of 3.6 MJ."""
    by_hand = {
        "%": 1e-2, "1/year": 1 / 31_536_000, "GiB/day": 2**30 / 86_400, "MB/s": 1e6, "GB/s": 1e9,
        "MiB/year": 2**20 / 31_536_000, "s": 1, "ms": 1e-3, "us": 1e-6, "hours": 3600,
        "days": 86_400, "drive-days": 86_400, "months": 2_628_000, "years": 31_536_000,
        "USD/GB": 1e-9, "USD/TB": 1e-12, "mm2": 1e-6, "USD/(TB year)": 1e-12, "USD/kIOPS": 1e-3,
        "USD/kWh": 1 / 3.6e6, "kWh": 3.6e6, "uJ": 1e-6, "mJ/MB": 1e-9, "kg": 1, "kg/TB": 1e-12,
        "kg/(TB year)": 1e-12, "g/kWh": 1e-3 / 3.6e6, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
        "PB": 1e15, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "PiB": 2**50,
    }  # fmt: skip
    assert {unit: FACTORS[unit] for unit in by_hand} == pytest.approx(by_hand, rel=1e-14)
