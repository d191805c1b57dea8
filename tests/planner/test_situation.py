"""Where the data lives and what a power failure loses: inputs of every face."""

import json
import re

import pytest

from models.errors import DomainError
from models.units import DAY_S, TB
from planner.__main__ import main
from planner.catalogue import load
from planner.quantity.keep import parse_keep
from planner.search.verdict import heading, verdict
from planner.sections.request import plan_of

PRO = "7450 PRO 3.84"  # with power-loss protection
EVO = "870 EVO 1TB"  # without


def safe(drive=PRO, **texts):
    return verdict(plan_of(drive, **{"writes": "100 GB/day"} | texts)).safe


@pytest.mark.parametrize(
    ("keep", "drives", "to_each"),
    [
        ("3 copies on 4 hosts", 12, 500),  # GB a day: 2 TB x 3 / 12
        ("2 replicas across 3 nodes", 3, 4000 / 3),
        ("3 copies on 3 servers", 12, 500),
    ],
)
def test_writes_of_clients_are_copied_once_and_shared_by_all_drives(keep, drives, to_each):
    plan = plan_of(PRO, writes="2 TB/day", keep=keep, drives=drives)
    assert plan["member_bytes_per_s"].value * DAY_S / 1e9 == pytest.approx(to_each)
    assert "RAID" not in heading(plan)


def test_a_host_holds_a_drive_where_none_are_stated():
    assert plan_of(PRO, keep="4+2 on 8 hosts").array.members == 8


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"keep": "mirror", "raid": "5", "drives": 4}, "must agree with raid"),
        ({"keep": "3 copies on 4 hosts", "raid": "6", "drives": 12}, "must agree with raid"),
        ({"keep": "3 copies on 4 hosts", "drives": 10}, "such as 8 or 12, got 10"),
        ({"keep": "3 copies on 2 hosts"}, "at least 3 hosts, such as '3 copies on 4 hosts'"),
        ({"keep": "3 copies"}, "with its hosts, such as '3 copies on 4 hosts'"),
        ({"keep": "1 copies on 4 hosts"}, "at least 2 copies"),
        ({"keep": "single", "drives": 4}, "'4 single drives'"),
        ({"keep": "300 single drives", "drives": 20}, "must agree with keep"),
        ({"keep": "somewhere"}, "single, scratch, mirror"),
        ({"keep": "3 copies on 4 hosts", "drives": 12, "sets": 2}, "must be left out"),
    ],
)
def test_a_contradiction_is_refused_with_both(texts, words):
    with pytest.raises(DomainError, match=re.escape(words)):
        plan_of(PRO, **texts)


def test_keep_as_an_array_is_the_level_of_it():
    assert plan_of(EVO, keep="mirror").array == plan_of(EVO, drives=2, raid=1).array
    assert plan_of(EVO, keep="RAID 6", drives=6).array == plan_of(EVO, drives=6, raid=6).array
    assert parse_keep("keep", "3x on 5 hosts").written == "3 copies on 5 hosts"


def test_as_many_hosts_as_copies_cannot_rebuild_and_one_more_can():
    statement = verdict(plan_of(PRO, writes="2 TB/day", keep="3 copies on 3 hosts", drives=12))
    assert statement.safe.word == "No"
    assert "no host is left to rebuild" in statement.safe.text
    assert statement.change.inputs == {"keep": "3 copies on 4 hosts", "drives": "16"}
    after = safe(writes="2 TB/day", **statement.change.inputs)
    assert after.word == "Yes"
    assert "one host may be lost and rebuilt" in after.text


def test_a_fleet_expects_failures_and_costs_all_its_drives():
    fleet = verdict(plan_of(EVO, writes="9 GB/day", keep="300 single drives"))
    one = verdict(plan_of(EVO, writes="9 GB/day"))
    lost = one.safe.numbers["array_loss_probability"].typical
    assert f"expect {300 * lost:.1f} of 300 to fail within 5 years" in fleet.safe.text
    assert fleet.cost.numbers["total_price_usd"].typical == pytest.approx(
        300 * one.cost.numbers["total_price_usd"].typical
    )
    assert "RAID" not in fleet.safe.text
    assert "irror" not in fleet.change.text


def test_scratch_is_no_copy_as_asked():
    statement = verdict(plan_of(EVO, writes="30 GB/day", drives=2, keep="scratch"))
    assert statement.safe.word == "No copy, as asked"
    assert "irror" not in statement.change.text


@pytest.mark.parametrize(
    ("drive", "asked", "word"),
    [
        (PRO, {}, "Yes"),
        (EVO, {}, "Probably"),
        (EVO, {"power": "ups"}, "Yes"),
        (EVO, {"sync": "never"}, "Yes"),
        (EVO, {"power": "can fail"}, "Probably"),
        (EVO, {"power": "can fail", "sync": "each commit"}, "No"),
        (PRO, {"power": "can fail", "sync": "each commit"}, "Yes"),
    ],
)
def test_a_mirror_is_as_safe_as_a_loss_of_power_lets_it_be(drive, asked, word):
    assert safe(drive, drives=2, raid=1, **asked).word == word


def test_the_advised_drive_is_protected_where_power_can_fail():
    asked = {"writes": "300 GB/day", "drives": 2, "raid": 1, "power": "can fail"}
    change = verdict(plan_of("5400 PRO 1.92", **asked)).change
    assert change.text == "Nothing to change."
    change = verdict(plan_of("IronWolf 125 2TB", **asked)).change
    assert "power-loss protection" in change.text


STATEMENTS = {"yes": "protection: yes", "no": "No power-loss", "data at rest": "at rest only",
              "": "not stated by the maker"}  # fmt: skip


@pytest.mark.parametrize("protection", STATEMENTS)
def test_power_loss_protection_is_stated_of_every_drive(protection):
    drives = [d for d in load().drives.values() if d.power_loss_protection == protection]
    for drive in drives[::12]:
        assert STATEMENTS[protection] in safe(drive.name).text


def test_a_used_drive_goes_on_as_it_was_written(capsys):
    used = ["plan", "980 PRO 2TB", "--drives", "2", "--raid", "1", "--written", "24TB"]
    assert main([*used, "--age", "300days"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.endswith("80 GB a day (the mean of 300 days) for 5 years")
    assert main([*used, "--age", "300days", "--writes", "50 GiB/day"]) == 0
    assert "50 GiB a day for 5 years" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize(("raid", "drives"), [("0", 4), ("5", 4), ("10", 4), ("raidz2", 6)])
def test_each_drive_of_an_array_goes_on_as_it_was_written(raid, drives):
    plan = plan_of(EVO, written="24 TB", age="300 days", raid=raid, drives=drives)
    assert plan["member_bytes_per_s"].value == pytest.approx(24 * TB / (300 * DAY_S))


def test_a_commit_is_held_to_its_limit_with_and_without_protection(capsys):
    asked = ["plan", PRO, "--writes", "10 GB/day", "--commit-p99", "1ms"]
    assert main([*asked, "--json"]) == 0
    worst = json.loads(capsys.readouterr().out)["verdict"]["worst"]
    assert worst["word"] == "Yes"
    assert "without power-loss protection" in worst["text"]
    slow = verdict(plan_of(EVO, writes="10 GB/day", commit_p99="0.05 ms")).worst
    assert slow.word in ("No", "Probably not")


@pytest.mark.parametrize("preset", ["ceph-rbd", "elasticsearch", "etcd", "kafka", "minio"])
def test_a_store_of_a_cluster_is_planned_on_one_host_more_than_copies(preset, capsys):
    """Its writes are divided once: each drive receives what the preset says of one."""
    assert main(["app", preset, "--drive", PRO, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    each = answer["figures"]["member_bytes_per_s"]["value"]
    assert each == pytest.approx(answer["device_bytes_per_s"]["typical"])
    assert main(["app", preset, "--drive", PRO]) == 0
    text = capsys.readouterr().out
    assert re.search(r"(\d copies|\d+\+\d+) on \d+ hosts: .* to each", text)
    assert "RAID" not in text
    assert "irror" not in text.split("NEXT")[1]
    assert "one host may be lost and rebuilt" in " ".join(text.split())


def test_drives_that_contradict_a_cluster_are_refused_with_both(capsys):
    assert main(["plan", PRO, "--app", "ceph-rbd", "--drives", "24"]) == 2
    error = capsys.readouterr().err
    assert "--drives 24 contradicts ceph-rbd, 3 copies on 4 hosts with 12 drives" in error


def test_a_choice_reads_keep_as_nodes(capsys):
    asked = ["choose", "--like", "7450 PRO", "--usable", "20TB", "--json"]
    assert main([*asked, "--keep", "3 copies on 5 hosts"]) == 0
    kept = json.loads(capsys.readouterr().out)
    assert main([*asked, "--nodes", "5", "--replicas", "3"]) == 0
    assert json.loads(capsys.readouterr().out)["plans"] == kept["plans"]
    assert main([*asked, "--keep", "3 copies on 5 hosts", "--nodes", "4"]) == 2
    assert "must agree with keep" in capsys.readouterr().err


def test_kept_data_is_held_against_the_capacity():
    cameras = "24 cameras x 8 Mbit/s kept for 21 days"
    small = verdict(plan_of(PRO, writes=cameras, drives=6, raid=6))
    assert small.safe.word == "No"
    assert "Does not fit: 43.5 TB kept, 15.4 TB usable." in small.safe.text
    assert "43.5 TB" in small.change.text
    large = verdict(plan_of("7450 PRO 15.36", writes=cameras, drives=6, raid=6))
    assert "43.5 TB kept of 61.4 TB usable." in large.safe.text


def test_writes_to_each_node_are_shared_by_its_drives():
    plan = plan_of(PRO, keep="3 copies on 4 hosts", drives=12, writes="600 GB a day per node")
    assert plan["member_bytes_per_s"].value * DAY_S == pytest.approx(200e9)


@pytest.mark.parametrize(
    ("used", "state"),
    [
        ({"written": "40 TB"}, "the writes or the age"),
        ({"used": "12%"}, "the writes"),
        ({"written": "0 TB", "age": "3 years"}, "the writes"),
    ],
)
def test_a_default_rate_beside_a_used_drive_says_so(used, state):
    assert f"(assumed, state {state})" in heading(plan_of("P5 Plus 1TB", **used))
    assert "assumed" not in heading(plan_of("P5 Plus 1TB", written="40 TB", writes="20 GB/day"))


@pytest.mark.parametrize(
    ("used", "word"), [({"written": "20 TB"}, "Yes"), ({"used": "30%"}, "Yes"),
                       ({"written": "0 TB"}, "Yes"), ({"written": "700 TB"}, "No")]
)  # fmt: skip
def test_a_used_drive_that_is_written_no_more_keeps_what_is_left(used, word):
    plan = plan_of(EVO, **used, writes="0")
    assert verdict(plan).lasts.word == word
    left = plan.nodes["printed_left_bytes"].value
    assert left == plan_of(EVO, **used, writes="1 GB/day").nodes["printed_left_bytes"].value


def test_numbers_of_one_drive_of_a_fleet_say_so(capsys):
    fleet = ["--keep", "200 single drives", "--writes", "9 GB/day"]
    assert main(["cost", EVO, *fleet]) == 0
    heading, _, total = capsys.readouterr().out.partition("\nAll 200: about ")
    assert heading.startswith("Each of 200 x ")
    assert heading.count("\n") <= 1
    assert total
    assert main(["array", EVO, *fleet]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Each of 200 x ")
    assert "whole array" not in text
