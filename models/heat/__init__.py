"""Heat: temperatures of a drive under its power, throttling at a limit, and cooling down.

A drive is two nodes, its controller and its body, in air of one temperature. Base units: watts,
kelvin, seconds, joules per kelvin.
"""

from models.heat.course import HeatCourse, HeatPhase, heat_course
from models.heat.throttling import full_speed_fraction, sustained_power_w, sustained_ratio
from models.heat.two_nodes import (
    NodeTemperatures,
    ThermalNodes,
    air_k_per_w,
    crossing_s,
    node_temperatures,
    steady_temperatures,
    turn_s,
)

__all__ = [
    "HeatCourse", "HeatPhase", "NodeTemperatures", "ThermalNodes", "air_k_per_w", "crossing_s",
    "full_speed_fraction", "heat_course", "node_temperatures", "steady_temperatures",
    "sustained_power_w", "sustained_ratio", "turn_s",
]  # fmt: skip
