"""Rates of writes on screens: in the unit that was typed, never less than a tenth of one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.units import DAY_S
from planner.application import answer_of
from planner.cli import main
from planner.quantity.rates import a_day_unit, unit_typed
from planner.quantity.show import decimal_text, text, writes_text
from planner.quantity.writes import statement
from planner.search.verdict import heading, verdict
from planner.search.verdict.heading import host_text
from planner.sections.request import plan_of

EVO = "870 EVO 1TB"


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("0.5 TiB a week", "0.5 TiB a week"), ("0,5 TB/week", "0.5 TB a week"),
        ("30GB/day", "30 GB a day"), ("30 gb per day", "30 GB a day"), ("50 GiB/d", "50 GiB a day"),
        ("100 TB a year", "100 TB a year"), ("1 TB per quarter", "1 TB a quarter"),
        ("12.3456 TB/month", "12.3456 TB a month"),
        # with bytes a day beside what is no amount of a day or longer
        ("0.3 DWPD", "0.3 DWPD = 300 GB a day"), ("5 MB/s", "5 MB/s = 432 GB a day"),
        ("8 Mbit/s", "8 Mbit/s = 86.4 GB a day"), ("1 GiB/h", "1 GiB an hour = 24 GiB a day"),
        # from a tenth to ten thousand of a unit, else with another prefix
        ("0.1 GB/day", "0.1 GB a day"), ("0.0648 GB/day", "64.8 MB a day"),
        ("20000 GB/day", "20 TB a day"), ("0.05 TiB/year", "51.2 GiB a year"),
        ("500 kB/day", "500 kB a day"), ("0.001 DWPD", "1 GB a day"),
        # a sentence has no unit of its own
        ("20 MB/s for 8 hours a day", "576 GB a day"), ("20 to 80 GB a day", "40 GB a day"),
        ("7 kB a day and 3 kB a day", "10 kB a day"), ("0", "0 GB a day"),
    ],
)  # fmt: skip
def test_the_heading_has_the_unit_that_was_typed(typed, written):
    assert f": {written} for 5 years" in heading(plan_of(EVO, writes=typed))


def test_writes_that_nobody_typed_have_bytes_a_day():
    assert ": 50 GiB a day for" in heading(plan_of(EVO))
    used = plan_of(EVO, written="24TB", age="300 days")
    assert ": 80 GB a day (the mean of 300 days) for" in heading(used)
    assert host_text(plan_of(EVO, writes="24 GB/day", drives=3, raid=5).workload) == "24 GB a day"


def test_copies_divide_the_typed_unit():
    cluster = {"drives": 12, "keep": "3 copies on 4 hosts"}
    shared = heading(plan_of("7450 PRO 3.84", writes="2 TiB/day", **cluster))
    assert "2 TiB a day by clients = 512 GiB a day to each drive" in shared
    each = heading(plan_of("7450 PRO 3.84", writes="40 GB a day per drive", **cluster))
    assert ": 40 GB a day to each drive for" in each


@pytest.mark.parametrize(
    ("typed", "unit"),
    [
        ("40 TiB a month", "TiB a month"), ("2 TB/day", "TB a day"), ("3 DWPD", "DWPD"),
        ("900 GB a day", "GB a day"), ("20 MB/s", "MB/s"), ("1 PB a year", "PB a year"),
        ("20 MB/s for 20 hours a day", "GB a day"),
    ],
)  # fmt: skip
def test_the_advised_rate_has_it_too_and_suffices(typed, unit):
    plan = plan_of("980 PRO 2TB", writes=typed)
    change = verdict(plan).change
    advised = re.search(rf"rite at most ([0-9.]+ {re.escape(unit)}) \(", change.text)
    assert advised, change.text
    assert verdict(plan_of("980 PRO 2TB", writes=advised[1])).lasts.word == "Yes"


@given(
    st.floats(0.1, 9999).map(lambda value: float(f"{value:.6g}")),
    st.sampled_from(["kB", "MB", "GB", "TB", "MiB", "GiB", "TiB", "Mbit", "kbit"]),
    st.sampled_from(["s", "minute", "hour", "day", "week", "month", "quarter", "year"]),
)
def test_a_typed_rate_comes_back(number, name, period):
    unit = unit_typed(f"{number:.10g} {name}/{period}", 1e12)
    rate = statement("writes", f"1000 {name}/{period}").rate / 1000 * number
    assert unit.fitting(rate) is unit
    assert unit.written(rate) == f"{number:.10g} {unit}"


@given(st.floats(1e-3, 1e12))
def test_a_rate_a_day_has_at_least_one_of_its_unit(bytes_per_day):
    """Down to a byte, and with three digits of it."""
    rate = bytes_per_day / DAY_S
    for written in (decimal_text(rate), a_day_unit(rate).written(rate), writes_text(rate),
                    text("host_bytes_per_s", rate)):  # fmt: skip
        number = float(written.split()[0].replace(",", ""))
        assert number >= 1 or " B" in written, written
    again = statement("writes", writes_text(rate, digits=3)).rate
    assert again == pytest.approx(rate, rel=0.006)


def test_small_amounts_of_an_application_are_readable():
    assert answer_of("home-assistant", {}).sentence.startswith(
        "home-assistant writes 64.8 MB/day; its drive receives 7.75 GB/day (4.85 to 11.1)"
    )
    assert answer_of("etcd", {"puts_per_s": "0.01"}).plan_inputs["writes"].endswith(" MB/day")


@pytest.mark.parametrize("command", ["plan", "array", "speed", "cost", "compare", "choose"])
def test_every_command_says_the_typed_writes(command, capsys):
    drives = (
        ["--drive", EVO, "--drive", "845DC PRO 400"] if command in ("compare", "choose") else []
    )
    need = ["--usable", "1TB"] if command == "choose" else []
    one = [] if drives else [EVO]
    assert main([command, *one, *drives, *need, "--writes", "0.5 TiB a week"]) == 0
    assert "0.5 TiB a week" in " ".join(capsys.readouterr().out.split())
