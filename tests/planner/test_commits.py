"""Whether a drive holds etcd: latency of commits on it, at the ends of what is assumed."""

import pytest

import planner as ssd
from planner.search.commits import SLOW_FLUSH_S, commit_latency

ETCD = {"commits_per_s": 50, "flushes": (1, 1, 2), "limit_s": 0.010}


@pytest.fixture(scope="module")
def protected():
    return ssd.plan("PM9A3 960", app="etcd").record


@pytest.fixture(scope="module")
def client():
    return ssd.plan("970 EVO Plus 1TB", app="etcd").record


def test_a_protected_drive_holds_etcd_and_a_client_drive_may(protected, client):
    sure, unsure = commit_latency(protected, **ETCD), commit_latency(client, **ETCD)
    assert (sure.holds, unsure.holds) == ("yes", "probably")
    assert sure.quantiles_s[99.0] == sure.protected_s
    assert unsure.quantiles_s[99.0] == unsure.unprotected_s
    assert sure.protected_s.high < 0.001 < unsure.unprotected_s.high
    assert unsure.protected_s.high < unsure.unprotected_s.typical


def test_the_latest_commit_waits_for_two_flushes_at_most(client):
    """Two flushes of 5 ms, and the one under way before them: 20 ms less what is seldom."""
    slow = commit_latency(client, **ETCD).unprotected_s.high
    assert 2 * SLOW_FLUSH_S < slow < 4 * SLOW_FLUSH_S
    crowd = commit_latency(client, 5_000, (1, 1, 2), 0.010)
    assert crowd.unprotected_s.high <= 4 * SLOW_FLUSH_S
    assert crowd.flushes_per_s < 5_000 / 2  # commits that wait share a flush
    assert commit_latency(client, 50, (1, 1, 2)).holds == ""


def test_limits_at_either_side_of_the_range_are_a_plain_answer(client):
    of = commit_latency(client, **ETCD).quantiles_s[99.0]
    for limit_s, holds in (
        (0.9 * of.low, "no"), ((of.low + of.typical) / 2, "probably not"), (1.1 * of.high, "yes"),
    ):  # fmt: skip
        assert commit_latency(client, **ETCD | {"limit_s": limit_s}).holds == holds
