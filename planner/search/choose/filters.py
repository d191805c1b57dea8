"""Drives that a question leaves out for what they are: form factor, protection, year, lanes."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from planner.catalogue.drive import Drive
from planner.catalogue.forms import fits
from planner.catalogue.priors_kind import year_of
from planner.quantity.inputs import INPUTS

USUAL_LANES = 4  # of an NVMe drive of which none are printed

UNKNOWN = "unknown"
_LANES = re.compile(r"x\s*(\d+)", re.IGNORECASE)
_PCIE = re.compile(r"(?:pcie|gen)\s*(\d)(?:\.0)?", re.IGNORECASE)


class Failed(NamedTuple):
    """Input that a drive does not meet, with the needed and the actual value."""

    input: str
    needed: str
    has: str


class Excluded(NamedTuple):
    """A drive that is left out, and everything that it fails."""

    drive: Drive
    fails: tuple[Failed, ...]


def _has_protection(drive: Drive, _: Any) -> bool:
    return drive.power_loss_protection == "yes"


def _is_encrypted(drive: Drive, _: Any) -> bool:
    return bool(drive.encryption)


def _is_launched(drive: Drive, since: int) -> bool:
    return (year_of(drive) or 0) >= since


def _has_lanes(drive: Drive, most: int) -> bool:
    """Whether it runs on so many lanes; drives without PCIe take none."""
    return lanes_of(drive) <= most


def lanes_of(drive: Drive) -> int:
    """Return the PCIe lanes that a drive takes: none on SATA and SAS.

    >>> def on(interface):
    ...     return Drive(drive_id="a", vendor="A", model="B", capacity_gb=1, interface=interface)
    >>> [lanes_of(on(text)) for text in ("NVMe PCIe 4.0 x4", "NVMe PCIe 5.0 x2", "NVMe", "SATA 6")]
    [4, 2, 4, 0]
    """
    printed = [int(lanes) for lanes in _LANES.findall(drive.interface)]
    is_on_pcie = any(word in drive.interface.lower() for word in ("nvme", "pcie"))
    return max(printed, default=USUAL_LANES if is_on_pcie else 0)


def _is_made_for(drive: Drive, text: str) -> bool:
    """Whether its segment holds one of some words: "NAS, enterprise"."""
    there = drive.segment.lower()
    return any(part.strip().lower() in there for part in text.split(",") if part.strip())


def _speaks(drive: Drive, text: str) -> bool:
    """Whether its interface is as people type it: "PCIe 5", "NVMe Gen4 x4", "SATA", "SAS 24".

    >>> def of(interface):
    ...     return Drive(drive_id="a", vendor="A", model="B", capacity_gb=1, interface=interface)
    >>> fast = of("NVMe PCIe 5.0 x4")
    >>> [_speaks(fast, text) for text in ("PCIe 5", "gen5", "NVMe PCIe 5.0 x4", "PCIe 4", "SAS")]
    [True, True, True, False, False]
    """
    there = drive.interface.lower()
    generations = _PCIE.findall(text)
    rest = _PCIE.sub(" ", text.lower())
    return all(f"{number}.0" in there and "pcie" in there for number in generations) and all(
        word in there for word in rest.split()
    )


# By the input that leaves drives out: whether a drive meets it, and what of it is shown.
FILTERS: Mapping[str, tuple[Callable[[Drive, Any], bool], Callable[[Drive], object]]] = {
    "segment": (_is_made_for, lambda drive: drive.segment),
    "interface": (_speaks, lambda drive: drive.interface),
    "form_factor": (fits, lambda drive: drive.form_factor),
    "plp": (_has_protection, lambda drive: drive.power_loss_protection),
    "encrypted": (_is_encrypted, lambda drive: drive.encryption or "none known"),
    "launched": (_is_launched, year_of),
    "lanes": (_has_lanes, lambda drive: drive.interface),
}


def filtered(
    drives: Iterable[Drive], texts: Mapping[str, Any], *, is_waived: Callable[[Drive, str], bool]
) -> tuple[tuple[Drive, ...], tuple[Excluded, ...]]:
    """Return the drives that meet every filter that is set, and the others with all they fail.

    A filter that `is_waived` for a drive does not leave it out.
    """
    values = {name: INPUTS[name].value(texts[name]) for name in FILTERS if name in texts}
    wanted = {name: value for name, value in values.items() if value not in (False, "")}
    kept, excluded = list[Drive](), list[Excluded]()
    for drive in drives:
        failed = _failed(drive, wanted, texts)
        fails = tuple(each for each in failed if not is_waived(drive, each.input))
        if fails:
            excluded.append(Excluded(drive, fails))
        else:
            kept.append(drive)
    return tuple(kept), tuple(excluded)


def why_none(excluded: Sequence[Excluded]) -> str:
    """Describe which inputs leave out every drive, those that leave out most first.

    >>> from planner.catalogue import find, load
    >>> drive = find(load(), "870 EVO 1TB")
    >>> why_none([Excluded(drive, (Failed("form_factor", "E1.L", "2.5 inch"),))])
    'drives must be at least one: form_factor E1.L leaves out every drive'
    """
    counted = Counter((each.input, each.needed) for row in excluded for each in row.fails)
    said = [
        f"{name}{'' if needed == 'yes' else f' {needed}'} leaves out "
        f"{'every drive' if count == len(excluded) else f'{count:,} of {len(excluded):,}'}"
        for (name, needed), count in counted.most_common()
    ]
    return f"drives must be at least one: {', '.join(said) or 'none is named'}"


def _failed(drive: Drive, wanted: Mapping[str, Any], texts: Mapping[str, Any]) -> Iterable[Failed]:
    for name, value in wanted.items():
        meets, shown = FILTERS[name]
        if not meets(drive, value):
            needed = "yes" if value is True else str(texts[name])
            yield Failed(name, needed, str(shown(drive) or UNKNOWN))
