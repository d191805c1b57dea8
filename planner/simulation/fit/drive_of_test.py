"""The drive that a fio test names: by the path of its device, its jobs, its host or its file."""

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from planner.catalogue.drive import Drive
from planner.scenario.sentence.drive_words import drives_in
from planner.scenario.sentence.marks import Marked
from planner.telemetry.fio import FioTest

_FIELDS = {
    "filename": "the path of its device", "description": "its description",
    "jobname": "the name of a job", "hostname": "the name of its host", "desc": "its description",
}  # fmt: skip
_OWN = "the name of the file"
# Between the words of a path, of the name of a file, and of one that joins them: 870evo-1tb.
_BETWEEN = (
    re.compile(r"[_/\\:]+"), re.compile(r"[_/\\:.-]+"),
    re.compile(r"[_/\\:.-]+|(?<=\d{3})(?=[a-zA-Z]{3})"),
)  # fmt: skip


class DriveOfTest(NamedTuple):
    """Drives of one model that a test may have run on, and what names them."""

    drives: tuple[Drive, ...]
    where: str

    @property
    def drive(self) -> Drive | None:
        """The drive, where the size is stated too."""
        return self.drives[0] if len(self.drives) == 1 else None


def drive_of_test(tests: Sequence[FioTest], file: str) -> DriveOfTest | None:
    """Return the drives that the first text of a test with a name of one means.

    A name that several models have in common names none.

    >>> test = FioTest(names=(("filename", "/dev/disk/by-id/nvme-Samsung_SSD_980_PRO_1TB_S5GX"),))
    >>> drive_of_test([test], "").drive.name, drive_of_test([test], "").where
    ('Samsung 980 PRO 1 TB', 'the path of its device')
    >>> [drive.capacity_gb for drive in drive_of_test([], "run of a 980-pro.json").drives]
    [250.0, 500.0, 1000.0, 2000.0]
    >>> drive_of_test([], "randread-evo.json")
    """
    named = [(field, text) for test in tests for field, text in test.names]
    order = {field: place for place, field in enumerate(_FIELDS)}
    for field, text in sorted(named, key=lambda one: order[one[0]]):
        if drives := _drives(text):
            return DriveOfTest(drives, _FIELDS[field])
    drives = _drives(PurePath(file).stem)
    return DriveOfTest(drives, _OWN) if drives else None


def _drives(text: str) -> tuple[Drive, ...]:
    """Return the drives of the one model that a text names."""
    for between in _BETWEEN:
        found = drives_in(Marked(between.sub(" ", text)))
        drives = {drive.drive_id: drive for named in found for drive in named.drives}
        if len({(drive.vendor, drive.model) for drive in drives.values()}) == 1:
            return tuple(drives.values())
    return ()
