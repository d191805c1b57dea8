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
    assert "recalled from memory, not looked up: some facts of 3 drives" in lines[-2]
    assert (
        lines[-1]
        == "Further models that match: Samsung 840 EVO, Samsung 840 EVO mSATA, Samsung 840 PRO"
    )


def test_without_recalled_facts_nothing_is_said_of_them(listed):
    assert "recalled" not in listed("PM853T")


def test_drives_are_listed_by_what_they_are_known_to_have(listed):
    asked = ("--feature", "power_loss_protection=yes", "--feature", "pcie_generation=4.0")
    drives = json.loads(listed("samsung", *asked, "--json"))
    assert drives
    for drive in drives:
        words = {name: one["value"] for name, one in drive["features"].items()}
        assert (words["power_loss_protection"], words["pcie_generation"]) == ("yes", "4.0")


@pytest.mark.parametrize(
    ("written", "feature", "words"),
    [
        ("form-factor=E3.S", "form_factor", "E3.S"),
        ("memory=HMB", "memory", "HMB"),
        ("slc cache=dynamic", "slc_cache", "dynamic"),
        ("pcie_lanes=4", "pcie_lanes", "4"),
        ("indirection_unit=16 KiB", "indirection_unit", "16 KiB"),
        ("encryption=TCG", "encryption", "TCG"),
    ],
)
def test_every_feature_is_a_filter_and_says_where_it_was_read(listed, written, feature, words):
    catalogue = load()
    drives = json.loads(listed("--feature", written, "--json"))
    assert 0 < len(drives) < len(catalogue.drives)
    for drive in drives:
        word = drive["features"][feature]
        assert words in word["value"]
        assert word["kind"] in ("spec", "derived", "recalled")
        assert word["source_id"] in catalogue.sources
        assert word["locator"]


@pytest.mark.parametrize("written", ["plp=yes", "encryption", "encryption="])
def test_a_feature_that_is_none_is_refused(capsys, written):
    assert main(["drives", "--feature", written]) == 2
    assert "--feature must be NAME=WORDS such as" in capsys.readouterr().err
