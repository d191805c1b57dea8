"""Assumptions are offered with their range and ground, and applied only when accepted."""

import pytest

from models.units import GIB
from planner.catalogue import find
from planner.catalogue.priors import assumptions, supply, with_assumptions
from planner.scenario.workload import Workload
from planner.search.sweeps import life_range_s
from planner.sections.plan import plan


def offers(drive):
    return {item.quantity: (item.low, item.typical, item.high) for item in assumptions(drive)}


def test_a_complete_drive_is_offered_nothing(pro_400):
    assert offers(pro_400) == {}
    assert with_assumptions(pro_400) == pro_400


def test_missing_flash_and_cycles_are_offered_with_a_range(pro_4tb, catalogue):
    got = offers(pro_4tb)
    assert got["raw_bytes"] == (4096 * GIB, 4096 * GIB, 4096 * GIB)
    assert got["pe_cycles"] == (6_000, 6_000, 40_000)
    assert offers(find(catalogue, "Crucial M500 240"))["pe_cycles"] == (3_000, 3_000, 3_000)


def test_flash_without_a_printed_range_is_offered_no_cycles(catalogue):
    assert "pe_cycles" not in offers(find(catalogue, "870 QVO 1TB"))


@pytest.mark.parametrize(
    ("name", "gib"), [("840 EVO 120", 128), ("840 EVO 250", 256), ("840 EVO 500", 512),
                      ("840 EVO 1TB", 1024), ("845DC PRO 400", 512), ("845DC PRO 800", 1024)],
)  # fmt: skip
def test_the_offered_flash_is_what_such_drives_turned_out_to_have(catalogue, name, gib):
    drive = find(catalogue, name)
    facts = {key: fact for key, fact in drive.facts.items() if key != "raw_bytes"}
    unknown = type(drive)(
        drive_id="x", vendor="x", model="x", capacity_gb=drive.capacity_gb, facts=facts
    )
    assert offers(unknown)["raw_bytes"][1] == gib * GIB == drive.value("raw_bytes")


def test_accepted_assumptions_are_labelled_in_the_plan(pro_4tb):
    workload = Workload(host_bytes_per_s=1e7)
    accepted = with_assumptions(pro_4tb)
    answer = plan(accepted, workload)
    node = answer.nodes["raw_bytes"]
    assert (node.source, node.value) == ("assumption", 4096 * GIB)
    assert "assumed" in node.note
    assert plan(pro_4tb, workload).nodes.get("raw_bytes") is None


def test_the_range_brackets_the_typical_life(pro_4tb):
    workload = Workload(host_bytes_per_s=1e9)
    lives = [
        plan(with_assumptions(pro_4tb, level=level), workload).nodes["wear_life_s"].value
        for level in ("low", "typical", "high")
    ]
    assert lives == sorted(lives)


def test_every_missing_quantity_says_what_would_supply_it():
    assert supply("pe_cycles") == (
        "Program/erase cycles: the data sheet, or the drive's own wear indicator"
    )
    assert supply("warranty_s") == "Warranty: the data sheet"


def test_cycles_that_the_rating_refutes_are_not_offered(catalogue):
    """36.5 PB on 2 TiB of flash need at least 16,600 cycles; MLC in general has 3,000."""
    assert "pe_cycles" not in offers(find(catalogue, "DC P3700 2TB"))


def test_a_rating_without_a_period_is_offered_one(catalogue):
    drive = find(catalogue, "DC S3700 400")
    assert offers(drive)["rating_period_s"][1] == 5 * 365 * 86400
    workload = Workload(host_bytes_per_s=1e7)
    answer = plan(with_assumptions(drive), workload)
    assert answer.nodes["rated_bytes"].value == pytest.approx(10 * 400e9 * 1825)


def test_the_range_of_life_takes_every_corner(catalogue):
    """More assumed flash wears less and lowers the rating's own write amplification."""
    drive = with_assumptions(find(catalogue, "Ultrastar SN150"))
    answer = plan(drive, Workload(host_bytes_per_s=1e7), partition_fraction=0.5)
    low, high = life_range_s(answer)
    typical = answer.lifetime.known[answer.lifetime.endurance_limit].value
    assert low <= typical <= high
