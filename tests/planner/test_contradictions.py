"""What a fio test says that a drive cannot have done, for every kind of link."""

import io

import pytest

from models.errors import DomainError
from models.interface import pcie_bytes_per_s, sata_bytes_per_s
from planner.catalogue import find, load
from planner.catalogue.drive import Drive
from planner.cli import main
from planner.scenario.workload import Workload
from planner.simulation.fit import contradictions, drive_of_test, fit
from planner.telemetry import read
from tests import synthetic_fio as made

# A drive of each kind of link, and what it carries.
LINKS = [
    ("870 EVO 1TB", sata_bytes_per_s(3)), ("PM1643 960", 2 * 1.2e9),
    ("970 EVO Plus 1TB", pcie_bytes_per_s(3, lanes=4)),
    ("990 PRO 1TB", pcie_bytes_per_s(4, lanes=4)),
]  # fmt: skip
SIZE = 128 * 1024


def of_rates(read_bytes_per_s=0.0, write_bytes_per_s=0.0, *, mean_s=1e-3, **more):
    sides = {
        kind: made.direction(rate / SIZE, mean_s=mean_s, bs=SIZE)
        for kind, rate in (("read", read_bytes_per_s), ("write", write_bytes_per_s))
    }
    run = made.run(made.job("seq", rw="rw", iodepth=8, bs="128k", **sides))
    return [read("fio.json", io.BytesIO(made.encoded(run | more))).workload]


@pytest.mark.parametrize(("name", "carried"), LINKS)
def test_a_rate_is_held_against_the_link(name, carried):
    drive = find(load(), name)
    assert not contradictions(drive, of_rates(0.99 * carried))
    (reason,) = contradictions(drive, of_rates(1.01 * carried))
    assert f"{drive.interface} carries at most {carried / 1e6:,.0f} MB/s" in reason


def test_sata_carries_reads_or_writes_and_pcie_both():
    both = of_rates(400e6, 400e6)
    assert "800 MB/s of reads and writes" in contradictions(find(load(), "870 EVO 1TB"), both)[0]
    half = 0.8 * pcie_bytes_per_s(3, lanes=4)
    assert not contradictions(find(load(), "970 EVO Plus 1TB"), of_rates(half, half))


def test_no_operation_is_faster_than_its_transfer():
    """131,072 bytes take 218 us at 600 MB/s, whatever the rate of the test is."""
    drive = find(load(), "870 EVO 1TB")
    assert not contradictions(drive, of_rates(1e6, mean_s=230e-6))
    assert "carries 128 KiB in 218 us" in contradictions(drive, of_rates(1e6, mean_s=50e-6))[0]


@pytest.mark.parametrize(
    ("name", "disks", "reason"),
    [
        ("870 EVO 1TB", ["nvme0n1"], "an NVMe device"),
        ("970 EVO Plus 1TB", ["sda"], "SATA, SAS or USB"),
        ("870 EVO 1TB", ["md0", "sda", "sdb"], "several disks"),
        ("870 EVO 1TB", ["sda"], ""),
        ("970 EVO Plus 1TB", ["dm-0", "nvme1n1"], ""),
        ("970 EVO Plus 1TB", ["vda"], ""),
    ],
)
def test_devices_of_another_bus_or_several_are_not_the_drive(name, disks, reason):
    tests = of_rates(1e8, disk_util=[{"name": each} for each in disks])
    found = " ".join(contradictions(find(load(), name), tests))
    assert (reason in found) if reason else not found


@pytest.mark.parametrize(("interface", "mb_per_s"), [("SATA", 600), ("NVMe PCIe 5.0", 15_754)])
def test_a_link_that_is_known_in_part_carries_the_most_of_its_kind(interface, mb_per_s):
    own = Drive(drive_id="a", vendor="A", model="B", capacity_gb=1000, interface=interface)
    assert f"at most {mb_per_s:,} MB/s" in contradictions(own, of_rates(1e12))[0]


def test_nothing_is_fitted_to_what_a_drive_cannot_have_done(tmp_path, capsys):
    drive = find(load(), "870 EVO 1TB")
    with pytest.raises(DomainError, match=r"not of Samsung 870 EVO 1 TB\. seq: 1,156 MB/s"):
        fit(drive, of_rates(1156e6), Workload(host_bytes_per_s=1e6))
    run = made.run(made.job("seq", rw="read", iodepth=8, bs="128k",
                            read=made.direction(9_000, mean_s=1e-3, bs=SIZE)),
                   filename="/dev/disk/by-id/ata-Samsung_SSD_870_EVO_1TB_S6P")  # fmt: skip
    path = tmp_path / "fio.json"
    path.write_bytes(made.encoded(run))
    assert main(["speed", "870 EVO 1TB", "--measured", str(path)]) == 2
    assert "SATA 6Gb/s carries at most" in " ".join(capsys.readouterr().err.split())
    assert main(["read", str(path)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "Drive: Samsung 870 EVO 1 TB by the path of its device. seq: 1,180 MB/s" in printed
    assert "S6P" not in printed


def test_a_result_of_our_own_job_names_its_drive(tmp_path, capsys):
    """Its description is what fio copies into its result."""
    path = tmp_path / "test.fio"
    assert main(["fio-job", "--drive", "870 EVO 1TB", "-o", str(path)]) == 0
    (said,) = (line for line in path.read_text().splitlines() if line.startswith("description="))
    run = made.run(made.reads(32, 90_000), description=said.partition("=")[2])
    test = read("fio.json", io.BytesIO(made.encoded(run))).workload
    assert drive_of_test([test], "fio.json").drive == find(load(), "870 EVO 1TB")
    found = fit(find(load(), "MX500 1TB"), [test], Workload(host_bytes_per_s=1e6))
    assert "Samsung 870 EVO by its description, not Crucial MX500 1 TB." in found.notes
