"""Fuzz the readers of fio: `python -m tests.fuzz.fio "fio log" --seconds 600`.

The machinery is that of `tests.fuzz.telemetry`; what must hold of a reading is checked by
`tests/planner/telemetry/test_fio_robustness.py`, which keeps what was found.
"""

from tests.fuzz import telemetry  # first: it has the readers watched
from tests.fuzz.telemetry import Reading
from tests.planner.telemetry import test_fio_robustness as kept

NAMES = {"fio JSON": "a.json", "fio log": "a_iops.1.log"}
STARTS = {
    "fio JSON": [data for name, data in kept.FILES.items() if name.endswith("json")],
    "fio log": [data for name, data in kept.FILES.items() if name.endswith("log")],
}
WORDS = [
    '"iops"', '"lat_ns"', '"clat"', '"bins"', '"percentile"', '"job options"', '"iodepth"', "\n{\n",
    "\n}\n", "[{", ", ", "1000, 5, 1, 0, 0\n", "-nan", "99999999999999", "fio-3.33\n", '"jobs"',
]  # fmt: skip


def sound(data: bytes, kind: str | None = None) -> Reading:
    """Read a file under a name of its kind, and under that of a latency log."""
    if kind == "fio log":
        kept.sound("a_lat.log", data, kind=kind)
    return kept.sound(NAMES[kind or "fio JSON"], data, kind=kind)


if __name__ == "__main__":
    telemetry.SEEDS |= STARTS
    telemetry.WORDS += WORDS
    telemetry.sound = sound
    telemetry.main()
