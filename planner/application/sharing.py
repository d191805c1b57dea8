"""Commits that share a flush: as is stated, else by flush time, rate and clients."""

from typing import Any

from models.application import commits_per_flush
from planner.application.presets import Values, number


def commits_sharing(values: Values, rate: Any, in_series: Any = 1.0) -> Any:
    """Return commits per flush as is stated, else by flush time, rate and clients.

    >>> commits_sharing({"commits_per_flush": None, "flush_s": 0.001, "clients": 8.0}, 300.0)
    1.0408182206817178
    """
    shared = values.get("commits_per_flush")
    if shared is None:
        flush_s = in_series * number(values, "flush_s")
        shared = commits_per_flush(rate, flush_s=flush_s, clients=number(values, "clients"),
                                   flush_scv=values.get("flush_scv", 0.0))  # fmt: skip
    return shared
