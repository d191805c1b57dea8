"""A drive of each family of the catalogue, for tests that show that every one is answered."""

from collections.abc import Iterable

from planner.catalogue.drive import Drive


def one_per_family(drives: Iterable[Drive]) -> list[Drive]:
    """Return of each vendor and model the capacity of which least is known."""
    least_last = sorted(drives, key=lambda drive: -len(drive.facts))
    return list({(drive.vendor, drive.model): drive for drive in least_last}.values())
