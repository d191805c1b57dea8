"""Calibration: internal parameters of a drive from its data sheet, or from measured points."""

from models.calibration.points import (
    IopsPoint,
    WaPoint,
    counted_wa,
    fitted_wa,
    fitted_write_iops,
    followed_wa,
)
from models.calibration.posterior import NO_CURVE, Point, Posterior, Prior, Spread, calibrated
from models.calibration.printed import (
    bus_bytes_per_s,
    command_s,
    controller_iops,
    die_read_s,
    effective_program_s,
    followed_iops,
    followed_write_iops,
    residual_ratio,
    unloaded_read_s,
)

__all__ = [
    "NO_CURVE", "IopsPoint", "Point", "Posterior", "Prior", "Spread", "WaPoint", "bus_bytes_per_s",
    "calibrated", "command_s", "controller_iops", "counted_wa", "die_read_s", "effective_program_s",
    "fitted_wa", "fitted_write_iops", "followed_iops", "followed_wa", "followed_write_iops",
    "residual_ratio", "unloaded_read_s",
]  # fmt: skip
