"""Whether a drive holds etcd: latency of commits on it, at the ends of what is assumed."""

import json

import pytest

import planner as ssd
from planner.application import answer_of
from planner.cli import main
from planner.search.commits import SLOW_FLUSH_S, application_commits, commit_answer, commit_latency
from planner.search.verdict import verdict
from planner.search.verdict.sentences import commit_sentence, worst
from planner.sections.request import plan_of

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


@pytest.mark.parametrize(("stated", "limit_s"), [({}, 0.010), ({"commit_p99": "1 ms"}, 0.001)])
def test_an_application_is_judged_by_the_stated_limit_or_its_own(stated, limit_s):
    application = answer_of("etcd", {"puts_per_s": "50"})
    plan = plan_of("970 EVO Plus 1TB", **application.plan_inputs, **stated)
    (found,) = application_commits(plan, application)
    flushes = application.figure(lambda load: load.commits.flushes)
    assert flushes == pytest.approx(ETCD["flushes"], rel=0.1)
    assert found == commit_latency(plan, **ETCD | {"limit_s": limit_s, "flushes": flushes})
    judged = verdict(plan, application=application)
    assert judged.worst == worst(plan, application) == commit_sentence(found)
    assert judged.worst != verdict(plan).worst  # each write a commit, or the longest write
    assert application_commits(plan, answer_of("kafka", {})) == []
    assert worst(plan, answer_of("kafka", {})) == worst(plan)


def test_a_drive_too_slow_for_the_commits_is_what_changes_next():
    """A flush without protection takes six times the limit."""
    application = answer_of("etcd", {"puts_per_s": "50"})
    plan = plan_of("970 EVO Plus 1TB", drives=2, raid=1, power="ups", commit_p99="0.1 ms",
                   **application.plan_inputs)  # fmt: skip
    judged = verdict(plan, application=application)
    assert judged.worst.word == "No"
    assert "power-loss protection" in judged.change.text


def test_scripts_and_the_command_line_judge_the_same_commits(capsys):
    plan = ssd.plan("970 EVO Plus 1TB", app="etcd")
    assert main(["plan", "970 EVO Plus 1TB", "--app", "etcd", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["verdict"]["worst"]
    assert told["text"] == plan.verdict().worst.text
    assert told["text"].startswith("Probably within 10 ms. 99 % of commits take at most ")
    for drive in (["--app", "etcd"], ["--commit-p99", "5 ms"]):
        assert main(["plan", "970 EVO Plus 1TB", *drive, "--why", "worst"]) == 0
        why = " ".join(capsys.readouterr().out.split())
        assert "Commit latency, p99" in why
        assert "No flush of this drive was timed" in why


@pytest.mark.parametrize("others_per_s", [0.0, 40.0])
def test_the_wait_of_a_commit_is_explained_by_its_times(protected, client, others_per_s):
    for plan in (protected, client):
        found = commit_latency(plan, **ETCD, others_per_s=others_per_s)
        answer = commit_answer(plan, found)
        assert answer.value == pytest.approx(found.quantiles_s[99.0].typical, rel=1e-9)
        flush, own = answer.inputs["flush_s"], []
        while flush.inputs.get("flush_s"):  # one after the other, then beside those of others
            own.append(flush.formula.rpartition(".")[2])
            flush = flush.inputs["flush_s"]
        queued = ["queued_flush_s"] if others_per_s else []
        assert own == ["sequential_flush_s", *queued]
        assert flush.formula.endswith("flush_latency_s")
