"""Configurations of the array simulator: what is refused, by which name and with which range."""

import math

import pytest

from models.errors import DomainError
from models.simulator import driver
from models.simulator.arrays import Config, layout, run

PLAIN = {
    "members": 8, "read_s": 1e-4, "write_s": 3e-5, "queue_depth": 8, "measured_s": 1.0,
}  # fmt: skip
MIRRORS = PLAIN | {"copies": 2}
PARITY = PLAIN | {"parity": 2}
STALLS = PLAIN | {"stall_s": 5e-3, "stall_rate": 4.0}

BAD = [
    ("members must be a whole number in [1, 1024], got 0", PLAIN, {"members": 0}),
    ("members must be a whole number in [1, 1024], got 1025", PLAIN, {"members": 1025}),
    ("members must be a whole number in [1, 1024], got 8.0", PLAIN, {"members": 8.0}),
    ("members must be a multiple of groups times copies, 3, got 8", MIRRORS, {"copies": 3}),
    ("members must be a multiple of groups times copies, 6, got 8", MIRRORS, {"groups": 3}),
    ("groups must be a whole number in [1, 8], got 9", PLAIN, {"groups": 9}),
    ("copies must be a whole number in [1, 8], got 0", MIRRORS, {"copies": 0}),
    ("parity must be a whole number in [0, 7], got 8", PARITY, {"parity": 8}),
    ("parity must be a whole number in [0, 1], got 2", PARITY, {"groups": 4}),
    ("parity must be a whole number in [0, 0], got 1", MIRRORS, {"parity": 1}),
    ("parity must be a whole number in [0, 0], got 1", PLAIN, {"parity": 1, "members": 1}),
    ("data must be a whole number in [1, 6], got 7", PARITY, {"data": 7}),
    ("data must be a whole number in [1, 2], got 3", PARITY, {"groups": 2, "data": 3}),
    ("data must be a whole number in [1, 4], got 0", MIRRORS, {"data": 0}),
    ("update must be one of read-modify-write, rec", PARITY, {"update": "log"}),
    ("read_chunks must be a whole number in [1, 6], got 7", PARITY, {"read_chunks": 7}),
    ("write_chunks must be a whole number in [1, 4], got 0", MIRRORS, {"write_chunks": 0}),
    ("read_s must be in [1e-09, 1000], got 0.0", PLAIN, {"read_s": 0.0}),
    ("write_s must be in [1e-09, 1000], got nan", PLAIN, {"write_s": math.nan}),
    ("read_delay_s must be in [0, 1000], got -1e-06", PLAIN, {"read_delay_s": -1e-6}),
    ("write_delay_s must be in [0, 1000], got inf", PLAIN, {"write_delay_s": math.inf}),
    ("read_fraction must be in [0, 1], got 1.1", PLAIN, {"read_fraction": 1.1}),
    ("queue_depth must be a whole number in [0, 10", PLAIN, {"queue_depth": -1}),
    ("queue_depth must be > 0 if nothing arrives, got 0", PLAIN, {"queue_depth": 0}),
    ("arrival_iops must be in [0, 1e+09], got inf", PLAIN, {"arrival_iops": math.inf}),
    ("failed must be a tuple of members, got [1]", PARITY, {"failed": [1]}),
    ("failed must be a whole number in [0, 7], got 8", PARITY, {"failed": (8,)}),
    ("failed must name every member once, got (1, 1)", PARITY, {"failed": (1, 1)}),
    ("failed must be at most 2 members in a group", PARITY, {"failed": (1, 2, 3)}),
    ("failed must be at most 0 members in a group", PLAIN, {"failed": (1,)}),
    ("failed must be at most 1 members in a mirror", MIRRORS, {"failed": (2, 3)}),
    ("stall_s must be in [0, 1000], got -1", STALLS, {"stall_s": -1}),
    ("stall_rate must be in [0, 200), got 200", STALLS, {"stall_rate": 200}),
    ("stall_rate must be in [0, 0], got 4.0", STALLS, {"stall_s": 0.0}),
    ("stall_probability must be in [0, 1], got 2", STALLS, {"stall_probability": 2}),
    ("stall_probability must be in [0, 0], got 0.1", PLAIN, {"stall_probability": 0.1}),
    ("stall_intervals must be one of poisson, fixed", STALLS, {"stall_intervals": "even"}),
    ("stall_together must be True or False, got 1", STALLS, {"stall_together": 1}),
    ("window_s must be in [1e-06, 100000], got 0.0", PLAIN, {"window_s": 0.0}),
    ("parts must be a whole number in [1, 10000], got 0", PLAIN, {"parts": 0}),
    ("warmup_s must be in [0, 1e+06], got -1.0", PLAIN, {"warmup_s": -1.0}),
    ("measured_s must be in [1, 1e+06], got 0.5", PLAIN, {"measured_s": 0.5}),
    ("measured_s must be <= 6.711e+05 with", PLAIN, {"measured_s": 9e5}),
    ("measured_s must be <= 1.373e+04 with", PLAIN, {"measured_s": 2e4, "arrival_iops": 1.0}),
    ("seed must be a whole number in [0, 18446744073709551615], got -1", PLAIN, {"seed": -1}),
]  # fmt: skip


@pytest.mark.parametrize(("message", "good", "changed"), BAD)
def test_a_bad_configuration_is_refused_by_name_and_range(message, good, changed):
    Config(**good)
    with pytest.raises(DomainError) as refused:
        Config(**good | changed)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("given", "data", "width"),
    [
        ({"members": 8}, 8, 8),
        ({"members": 8, "copies": 2}, 4, 8),
        ({"members": 9, "copies": 3, "data": 2}, 2, 6),
        ({"members": 14, "parity": 4}, 10, 14),
        ({"members": 14, "parity": 2, "data": 4}, 4, 6),
        ({"members": 24, "groups": 3, "parity": 2}, 6, 8),
    ],
)
def test_a_stripe_takes_all_members_unless_told_otherwise(given, data, width):
    config = Config(**PLAIN | given)
    assert (config.data_chunks, config.width) == (data, width)


def test_one_of_each_mirror_or_group_may_be_lost():
    grouped = PLAIN | {"groups": 2, "parity": 1}
    assert Config(**grouped, failed=(0, 4)).width == 4
    with pytest.raises(DomainError, match="failed must be at most 1 members in a group"):
        Config(**grouped, failed=(4, 7))
    assert Config(**MIRRORS, failed=(0, 3, 5, 6)).failed == (0, 3, 5, 6)


def test_a_run_beyond_the_memory_is_refused_with_the_bytes_it_needs(monkeypatch):
    config = Config(**PLAIN | {"measured_s": 1000.0}, parts=1000)
    monkeypatch.setattr(driver, "_available_bytes", lambda: 2.0**20)
    message = rf"^parts must be fewer: the run needs {layout.bytes_needed(config)} bytes"
    with pytest.raises(DomainError, match=message):
        run(config)
    assert layout.bytes_needed(config) == sum(array.nbytes for array in layout.build(config))
