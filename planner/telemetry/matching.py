"""Match a model string to drives of the catalogue, by its number or by the model that it names."""

import functools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from models.units import GB
from planner.catalogue import load
from planner.catalogue.described import OtherModel, other_model
from planner.catalogue.drive import Drive
from planner.catalogue.names import alike
from planner.catalogue.part_numbers import PartNumber, numbered
from planner.catalogue.unlisted import unlisted

_NEAR = 0.03  # "1 TB" may mean 1,000 or 1,024 GB, and 15T 15.36 TB
_WORD = re.compile(r"[a-z0-9]{3,}")  # shorter ones are put before and after models: DC, D7, R
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) ?([TG])B?\b", re.IGNORECASE)
_LAST = re.compile(r"[a-z][a-z0-9]+$", re.IGNORECASE)  # a word that may go on
_CUT_AT = (16, 40)  # characters at which SCSI and NVMe end a model
_NUMBER_BEGINS = "MTF"  # after the name of a model, which "Micron_5300_MTFD" has whole


class Found(NamedTuple):
    """Drives that a reported model may be of; one alone is certain if nothing was cut off."""

    drives: tuple[Drive, ...]
    is_whole: bool = True

    @property
    def drive(self) -> Drive | None:
        """The drive, where it is certain."""
        return self.drives[0] if len(self.drives) == 1 and self.is_whole else None


def match(model: str, user_bytes: float | None) -> str | None:
    """Return the id of the drive with this model and capacity, or None where it is not certain.

    >>> match("INTEL SSDPEDMD400G4", 400088457216.0)
    'intel-dc-p3700-400gb'
    >>> match("Dell Express Flash NVMe P4610 1.6TB SFF", 1600321314816.0)
    'intel-dc-p4610-1600gb'
    >>> match("5100_MTFDDAK1T9TBY", 1920383410176.0)
    'micron-5100-eco-1920gb'
    """
    drive = found(model, user_bytes).drive
    return None if drive is None else drive.drive_id


@functools.lru_cache(maxsize=4096)
def found(model: str, user_bytes: float | None) -> Found:
    """Return the drives that a model of this capacity may be of.

    A number that `data/model_numbers.csv` and `data/oem_numbers.csv` do not have may be followed or
    preceded by the name of a model, as servers report it; all of that name must be there, but for
    what SCSI cut off. A size that the catalogue does not have must be stated.

    >>> [drive.name for drive in found("Micron_5300_MTFD", 960197124096.0).drives]
    ['Micron 5300 MAX 960 GB', 'Micron 5300 PRO 960 GB']
    """
    if not model or not user_bytes:
        return Found(())
    if parts := numbered(model):
        own = () if len(parts) == 1 else (user_bytes / GB,)  # of several, none is chosen
        each = (_of_size([_of_model(one)], (*one.sizes_gb, *own), user_bytes) for one in parts)
        return Found(tuple(drive for drives in each for drive in drives))
    stated_gb = [
        float(number) * (1e3 if unit in "Tt" else 1) for number, unit in _SIZE.findall(model)
    ]
    if stated_gb and not _is_stated(user_bytes, stated_gb):
        return Found(())
    named = _named(model)
    if not named and len(model.strip()) in _CUT_AT:
        return Found(_of_size(_by_model(_cut_off(model.strip())), (), user_bytes), is_whole=False)
    return Found(_of_size(_by_model(named), stated_gb, user_bytes))


def outside(model: str, user_bytes: float | None) -> OtherModel | None:
    """Return the model, with its kind, of a drive that the catalogue does not have, by its name.

    >>> outside("SAMSUNG MZ7KM480HAHP-00005", 480103981056.0).kind
    'MLC enterprise SATA mixed-use Samsung'
    """
    if not user_bytes or found(model, user_bytes).drives:
        return None
    other = other_model(model)
    return other[0] if other else None


def _of_size(
    models: Sequence[list[Drive]], sizes_gb: Iterable[float], user_bytes: float
) -> tuple[Drive, ...]:
    """Return the drive of this capacity of each model; if none has one, that of the stated size."""
    nearest = [min(drives, key=lambda one: _off(one, user_bytes)) for drives in models]
    listed = tuple(one for one in nearest if _off(one, user_bytes) <= _NEAR)
    if listed or not _is_stated(user_bytes, sizes_gb):
        return listed
    others = (unlisted(drives, user_bytes / GB) for drives in models)
    return tuple(one for one in others if one is not None)


def _is_stated(user_bytes: float, sizes_gb: Iterable[float]) -> bool:
    return any(abs(size * GB / user_bytes - 1) <= _NEAR for size in sizes_gb)


def _by_model(drives: Iterable[Drive]) -> list[list[Drive]]:
    models: dict[tuple[str, str], list[Drive]] = {}
    for drive in drives:
        models.setdefault((drive.vendor, drive.model), []).append(drive)
    return list(models.values())


def _of_model(part: PartNumber) -> list[Drive]:
    drives = load().drives.values()
    return [one for one in drives if (one.vendor, one.model) == (part.vendor, part.model)]


def _named(model: str) -> list[Drive]:
    """Return the drives of the models of which a text has all words."""
    bare = _SIZE.sub(" ", model)
    if len(model.split()) < 2:  # a number that is not known
        return []
    said = set(_WORD.findall(bare.casefold()))
    return [one for one in alike(load(), bare) if set(_WORD.findall(one.model.casefold())) <= said]


def _cut_off(model: str) -> list[Drive]:
    """Return the drives of models that a text begins to name: "Dell Ent NVMe CM" may be CM6."""
    last = _LAST.search(model)
    if last is None:
        return []
    before, begun = model[: last.start()], last[0].casefold()
    if begun.upper().startswith(_NUMBER_BEGINS):
        return alike(load(), before.replace("_", " "))
    words = {word for one in load().drives.values() for word in one.model.casefold().split()}
    ends = sorted(word for word in words if word.startswith(begun))
    return [one for word in ends for one in alike(load(), f"{before} {word}")]


def _off(drive: Drive, user_bytes: float) -> float:
    return abs(drive.capacity_bytes / user_bytes - 1)
