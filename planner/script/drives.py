"""`drive` and `drives` for scripts: look up drives of the catalogue."""

from planner.catalogue import find, load, search
from planner.catalogue.drive import Drive
from planner.quantity.parse import parse_bytes


def drive(name: str) -> Drive:
    """Return the drive that matches words of a name, or an id; several matches are refused.

    >>> drive("840 evo 250").name
    'Samsung 840 EVO 250 GB'
    """
    return find(load(), name)


def drives(
    words: str = "",
    *,
    vendor: str | None = None,
    interface: str | None = None,
    nand: str | None = None,
    segment: str | None = None,
    min_capacity: str | None = None,
    max_capacity: str | None = None,
) -> tuple[Drive, ...]:
    """Return the drives whose names contain every word, with the filters of the command `drives`.

    >>> [one.name for one in drives("845dc pro", max_capacity="500 GB")]
    ['Samsung 845DC PRO 400 GB']
    """
    return search(
        load(), words, vendor=vendor, interface=interface, nand_type=nand, segment=segment,
        min_bytes=None if min_capacity is None else parse_bytes("min_capacity", min_capacity),
        max_bytes=None if max_capacity is None else parse_bytes("max_capacity", max_capacity),
    )  # fmt: skip
