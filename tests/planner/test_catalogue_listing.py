"""`drives`: what is listed, and where each fact and word of a drive was read."""

import json

import pytest

from planner.catalogue import load
from planner.cli import main


@pytest.fixture
def listed(capsys):
    """Return what `drives` prints."""

    def run(*arguments):
        assert main(["drives", *arguments]) == 0
        return capsys.readouterr().out

    return run


def test_each_fact_and_each_word_carries_kind_and_source(listed):
    sources = load().sources
    drives = json.loads(listed("kioxia", "--json"))
    assert len(drives) > 50
    for drive in drives:
        assert drive["recalled"] is any(f["kind"] == "recalled" for f in drive["facts"].values())
        passed_over = (one for facts in drive["passed_over"].values() for one in facts)
        for stated in (*drive["facts"].values(), *drive["features"].values(), *passed_over):
            assert stated["kind"] in ("spec", "measured", "derived", "recalled", "estimate")
            assert stated["source_id"] in sources
            assert stated["locator"]


def test_what_follows_from_other_facts_is_derived(listed):
    (drive,) = json.loads(listed("PM9A3", "3.84", "--json"))
    assert drive["capacity_bytes"] == 3.84e12
    words = {name: one["value"] for name, one in drive["features"].items()}
    assert words["family"] == "Samsung PM9A3"
    assert (words["pcie_generation"], words["pcie_lanes"]) == ("4.0", "4")
    assert (words["endurance_class"], words["power_loss_protection"]) == ("read-intensive", "yes")


def test_recalled_facts_are_marked_and_counted(listed):
    lines = listed("840").splitlines()
    assert "128 GiB *" in lines[2]
    assert "98.44 USD *" not in lines[2]
    assert "recalled, not read: of 3 drives some facts are from memory" in lines[-2]
    assert (
        lines[-1]
        == "Also with these words: Samsung 840 EVO, Samsung 840 EVO mSATA, Samsung 840 PRO"
    )


def test_without_recalled_facts_nothing_is_said_of_them(listed):
    assert "recalled" not in listed("PM853T")
