"""Energy of a phase: that of an idle drive, and that of the bytes and operations beside it."""

import numpy as np

from models import energy
from planner.simulation.protocol.rates import Columns, DriveRates
from planner.simulation.protocol.state import PhaseCourse

_POWERS = ("idle_power_w", "write_power_w")


def phase_j(rates: DriveRates, done: PhaseCourse) -> Columns:
    """Return the energy of a phase; NaN where the power of the drive is unknown.

    Flash writes take the energy of sequential ones, so that copies count. Reads take that of bytes
    in sequence, or of random reads.

    >>> from planner.catalogue import find, load
    >>> from planner.catalogue.priors import with_assumptions
    >>> from planner.simulation.protocol.course import course
    >>> from planner.simulation.protocol.presets import own_protocol
    >>> from planner.simulation.protocol.rates import drive_rates
    >>> drive = drive_rates(with_assumptions(find(load(), "845DC PRO 400")))
    >>> [fill] = course(drive, own_protocol(("fill", "read 4KiB for 1 s")).phases[:1])
    >>> bool(2.9 < (phase_j(drive, fill) / fill.lasts_s)[0] < 3.4)  # W, of the data sheet
    True
    """
    idle_w, write_w = (_power_w(rates, name) for name in _POWERS)
    read_w = _power_w(rates, "read_power_w")
    if "read_power_ratio" in rates.moved:
        read_w = write_w * rates.own("read_power_ratio")
    if np.isnan([idle_w[0], write_w[0], read_w[0]]).any():
        return np.full(rates.count, np.nan)
    read_w, write_w = np.maximum(read_w, idle_w), np.maximum(write_w, idle_w)
    piece, phase = done.piece, done.phase
    read_bytes = piece.moved_bytes[-1] - piece.written_bytes[-1]
    write_j = energy.transfer_j_per_byte(
        write_w, idle_power_w=idle_w, throughput_bytes_per_s=rates.cached_bytes_per_s
    )
    by_bytes = energy.transfer_j_per_byte(
        read_w, idle_power_w=idle_w, throughput_bytes_per_s=rates.read_bytes_per_s
    )
    each_j = energy.operation_j(read_w, idle_power_w=idle_w, iops=rates.random_reads)
    at_random = np.maximum(by_bytes, each_j / phase.transfer_bytes)
    read_j = by_bytes if phase.is_sequential else at_random
    moving_j = write_j * piece.flash_bytes[-1] + read_j * read_bytes
    most_j = (np.maximum(read_w, write_w) - idle_w) * done.busy_s
    return idle_w * done.lasts_s + np.minimum(moving_j, most_j)


def _power_w(rates: DriveRates, name: str) -> Columns:
    stated = rates.drive.value(name)
    return rates.moved.get(name, np.nan if stated is None else stated) * np.ones(rates.count)
