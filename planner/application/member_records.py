"""Records of figures in base units, and of each of several applications on one drive."""

from collections.abc import Mapping, Sequence
from typing import Any

from planner.application.figures import Figure, figure_of
from planner.application.load import DeviceLoad
from planner.application.programs import Program

SUMMED = ("application_bytes_per_s", "file_bytes_per_s", "device_bytes_per_s", "flushes_per_s")


def as_dicts(figures: Mapping[str, Figure]) -> dict[str, dict[str, Any]]:
    """Return figures as they are written in JSON.

    >>> as_dicts({"flushes_per_s": Figure(1.0, 2.0, 3.0)})
    {'flushes_per_s': {'low': 1.0, 'typical': 2.0, 'high': 3.0}}
    """
    return {name: figure._asdict() for name, figure in figures.items()}


def member_records(
    programs: Sequence[Program], loads: Mapping[str, DeviceLoad]
) -> list[dict[str, Any]]:
    """Return the figures of each of several applications; those of the drive are their sums.

    >>> member_records([], {})
    []
    """
    return [
        {
            "name": program.name,
            "preset": program.preset.name,
            "layers": [*program.layers],
            **as_dicts({key: figure_of(getattr(load, key)) for key in SUMMED}),
            "sizes": as_dicts({key: figure_of(size) for key, size in load.sizes.items()}),
        }
        for program, load in zip(programs, loads.values(), strict=True)
    ]
