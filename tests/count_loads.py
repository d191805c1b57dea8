"""Count the loads of `tests/data/own_loads.csv` on a block device, and add them to its counts.

    python -m tests.count_loads [NAME...]     # as root; those not counted yet, or those named

Each load runs on an ext4 file system of its own, on a loop device in memory, so that a flush takes
0.1 to 0.3 ms before the stated delay. Bytes and flushes are those of the device, from checkpoint to
checkpoint; the rest is the engine's own (`tests.engines`). Each load is added when it is counted,
so that a run may be resumed; what failed is added too, with the reason and no counts. A count that
is repeated replaces the first, whose figures its note keeps.
"""

import contextlib
import csv
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from tests import engines

LOADS = engines.DATA / "own_loads.csv"
COUNTS = engines.DATA / "own_counts.csv"
IMAGE_BYTES = 4 << 30  # sparse
MEMORY = "/dev/shm"  # noqa: S108 - the image is to be in memory
SECTOR_BYTES = 512
SECTORS_WRITTEN, FLUSHES = 6, 15  # fields of the device's stat
COLUMNS = {
    "device_bytes_per_tx": "device_bytes", "log_bytes_per_tx": "log_bytes",
    "pages_per_tx": "pages", "flushes_per_tx": "log_flushes",
    "device_flushes_per_tx": "device_flushes", "file_bytes_per_tx": "file_bytes",
}  # fmt: skip
WHOLE = {"flush_s", "rate_per_s"}
SMALLEST_RATE = 0.95  # of the one stated; less and the machine was too busy


class LoopDevice:
    """A loop device with an ext4 file system."""

    def __init__(self, image, folder):
        self.image, self.folder = image, folder
        with image.open("wb") as file:
            file.truncate(IMAGE_BYTES)
        options = "lazy_itable_init=0,lazy_journal_init=0"
        _run(engines.program("mkfs.ext4", "e2fsprogs"), "-q", "-F", "-E", options, image)
        self.device = _run("losetup", "--find", "--show", image).strip()
        try:
            _run("mount", "-o", "noatime", self.device, folder)
        except RuntimeError:
            _run("losetup", "--detach", self.device)
            raise

    def close(self):
        _run("umount", self.folder)
        _run("losetup", "--detach", self.device)

    def read(self):
        """Return the bytes written and the flushes since the device is there."""
        stat = Path("/sys/block", Path(self.device).name, "stat").read_text().split()
        return {
            "device_bytes": int(stat[SECTORS_WRITTEN]) * SECTOR_BYTES,
            "device_flushes": int(stat[FLUSHES]),
        }


@contextlib.contextmanager
def loop_device():
    with tempfile.TemporaryDirectory(dir=MEMORY) as images, tempfile.TemporaryDirectory() as mount:
        device = LoopDevice(Path(images, "image"), Path(mount))
        try:
            yield device
        finally:
            device.close()


def _run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{words[0]}: {done.stderr[-300:]}")
    return done.stdout


def counted(load):
    """Return the row of a load: what was counted, or why it was not."""
    row = {"name": load.name, "counted_on": f"{datetime.now(UTC):%Y-%m-%d}"}
    try:
        with loop_device() as device:
            folder = device.folder / "engine"
            folder.mkdir()
            device.folder.chmod(0o755)
            counts = engines.count(load, folder, device=device, warm_s=_warm_s(load))
    except (engines.AbsentError, RuntimeError, OSError, ValueError, KeyError) as error:
        return row | {"note": f"failed: {error}"}
    row |= {column: _digits(counts.get(key)) for column, key in COLUMNS.items()}
    row |= {key: _digits(counts.get(key)) for key in WHOLE}
    others = counts.keys() - WHOLE - set(COLUMNS.values()) - {"version"}
    note = [f"{key} {_digits(counts[key])}" for key in sorted(others)]
    if load.rate_per_s and counts["rate_per_s"] < SMALLEST_RATE * load.rate_per_s:
        note.append("slower than stated: the machine was busy")
    return row | {"version": f"{load.engine} {counts['version']}", "note": "; ".join(note)}


def _warm_s(load):
    """Seconds before the count: for InnoDB until its pages are as old as they get."""
    return {"mariadb": 60, "wiredtiger": 30}.get(load.engine, 6)


def _digits(value):
    return "" if value is None else f"{value:.5g}" if value < 1e5 else f"{value:.0f}"


def main(names):
    with COUNTS.open(newline="") as file:
        reader = csv.DictReader(file)
        columns, rows = reader.fieldnames, {row["name"]: row for row in reader}
    loads = engines.loads(LOADS)
    for name in names or [name for name in loads if name not in rows]:
        begun = time.monotonic()
        row = counted(loads[name])
        if former := rows.get(name):
            first = former["device_bytes_per_tx"] or former["note"]
            row["note"] += f"; repeated, first {first} with flushes of {former['flush_s']} s"
        rows[name] = row
        with COUNTS.open("w", newline="") as file:
            table = csv.DictWriter(file, columns, lineterminator="\n")
            table.writeheader()
            table.writerows(rows[name] for name in loads if name in rows)
        taken = f"{time.monotonic() - begun:.0f} s, load average {os.getloadavg()[0]:.1f}"
        sys.stderr.write(f"{name}, {taken}: {row}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
