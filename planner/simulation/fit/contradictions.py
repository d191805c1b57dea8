"""Contradictions between a fio test and a drive: its device, and what its link carries."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.units import KIB, MB, US
from planner.catalogue import load
from planner.catalogue.drive import Drive
from planner.catalogue.priors_link import most_rate
from planner.telemetry.fio import FioJob, FioTest

_RATES = {"read": "sequential_read_bytes_per_s", "write": "sequential_write_bytes_per_s"}
_JOINED = ("md", "dm-")  # devices of the system that stand for others
_ONE_WAY = "SATA"  # a link that carries reads or writes at a time
_ON_PCIE = ("NVMe", "PCIe")
_TOLERANCE = 1e-3  # of rates that fio rounds


def contradictions(drive: Drive, tests: Sequence[FioTest]) -> tuple[str, ...]:
    """List the signs that tests did not run on a drive, or not on its flash.

    >>> from planner.catalogue import find
    >>> from planner.telemetry.fio import Measured
    >>> fast = Measured(kind="read", iops=9000.0, bytes_per_s=1156e6, transfer_bytes=128e3,
    ...                 runtime_s=60.0, operations=540e3)
    >>> test = FioTest(jobs=(FioJob(name="seq", group="0", directions=(fast,)),))
    >>> print(contradictions(find(load(), "870 EVO 1TB"), [test])[0])
    seq: 1,156 MB/s of reads, but SATA 6Gb/s carries at most 600 MB/s. Drives with this link print \
up to 560 MB/s. The test ran on another drive, on several, or from a cache of the host.
    >>> contradictions(find(load(), "970 EVO Plus 1TB"), [test])
    ()
    """
    found = [*_of_devices(drive, tests)]
    for job in (job for test in tests for job in test.jobs):
        found += _of_job(drive, job)
    for course in (course for test in tests for course in test.courses):
        if course.quantity == "bytes_per_s" and course.kind in _RATES and course.values:
            mean = sum(course.values) / len(course.values)
            found += _of_rate(drive, course.prefix, f"{course.kind}s", mean, is_direct=None)
    return tuple(found)


def _of_devices(drive: Drive, tests: Sequence[FioTest]) -> Iterator[str]:
    """Yield why the devices of a test are not a drive: there are several, or of another bus."""
    names = dict.fromkeys(name for test in tests for name in test.disks)
    disks = [name for name in names if not name.startswith(_JOINED)]
    listed = ", ".join(names)
    if len(disks) > 1 or any(name.startswith("md") for name in names):
        yield f"The test ran on several disks ({listed}): its rates are their sum."
    if not drive.interface:
        return
    is_on_pcie = drive.interface.startswith(_ON_PCIE)
    if not is_on_pcie and any(name.startswith("nvme") for name in disks):
        yield f"The test ran on {listed}, an NVMe device: {drive.name} is on {drive.interface}."
    elif is_on_pcie and disks and all(name.startswith("sd") for name in disks):
        yield (
            f"The test ran on {listed}, a device of SATA, SAS or USB: {drive.name} is on "
            f"{drive.interface}, and in a case for USB the case limits its rates."
        )


def _of_job(drive: Drive, job: FioJob) -> Iterator[str]:
    moving = [one for one in job.directions if one.kind in _RATES]
    if len(moving) > 1 and drive.interface.startswith(_ONE_WAY):
        whole = sum(one.bytes_per_s for one in moving)
        yield from _of_rate(drive, job.name, "reads and writes", whole, is_direct=job.is_direct)
        return
    for one in moving:
        kind, rate = f"{one.kind}s", one.bytes_per_s
        wrong = [*_of_rate(drive, job.name, kind, rate, is_direct=job.is_direct)]
        yield from wrong
        least_s = one.transfer_bytes / _link_bytes_per_s(drive)
        if not wrong and one.mean_latency_s is not None and one.mean_latency_s < least_s:
            found = f"{job.name}: {kind} take {one.mean_latency_s / US:,.3g} us"
            size = f"{one.transfer_bytes / KIB:,.4g} KiB"
            needed = f"{drive.interface} carries {size} in {least_s / US:,.3g} us"
            yield f"{found}, but {needed}. {_instead(job.is_direct)}"


def _of_rate(
    drive: Drive, name: str, what: str, bytes_per_s: float, *, is_direct: bool | None
) -> Iterator[str]:
    link = _link_bytes_per_s(drive)
    if bytes_per_s > link * (1 + _TOLERANCE):
        found = f"{name}: {_rate(bytes_per_s)} of {what}"
        carried = f"{drive.interface} carries at most {_rate(link)}"
        printed = max(one.value(key) or 0.0 for one in _alike(drive) for key in _RATES.values())
        best = f" Drives with this link print up to {_rate(printed)}." if printed else ""
        yield f"{found}, but {carried}.{best} {_instead(is_direct)}"


def _instead(is_direct: bool | None) -> str:
    cached = " (direct=1 is not set)" if is_direct is False else ""
    return f"The test ran on another drive, on several, or from a cache of the host{cached}."


def _rate(bytes_per_s: float) -> str:
    return f"{bytes_per_s / MB:,.0f} MB/s"


def _alike(drive: Drive) -> list[Drive]:
    """Return the drives of the catalogue with the interface of a drive, or a kind of it.

    A drive that is described may have no more of it than its bus.
    """
    return [one for one in load().drives.values() if one.interface.startswith(drive.interface)]


def _link_bytes_per_s(drive: Drive) -> float:
    """Return the rate of the link of a drive, the largest where only a part of it is known."""
    links = {one.interface for one in _alike(drive)} | {drive.interface}
    carried = (most_rate(replace(drive, interface=link), _RATES["read"]) for link in links)
    own = most_rate(drive, _RATES["read"])
    finite = [rate for rate in carried if rate < float("inf")]
    return own if own < float("inf") else max(finite, default=own)
