"""Heat: temperatures of a drive under its power, throttling at a limit, and cooling down.

A drive is two nodes, its controller and its body, in air of one temperature. Base units: watts,
kelvin, seconds, joules per kelvin.
"""

from models.heat.course import HeatCourse, HeatPhase, heat_course
from models.heat.throttling import (
    controller_rise_k,
    cooling_s,
    full_speed_fraction,
    mean_body_k,
    sustained_bytes_per_s,
    sustained_power_w,
    throttled_power_w,
    throttling_s,
    warmer_k,
)
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
    "HeatCourse", "HeatPhase", "NodeTemperatures", "ThermalNodes", "air_k_per_w",
    "controller_rise_k", "cooling_s", "crossing_s", "full_speed_fraction", "heat_course",
    "mean_body_k", "node_temperatures", "steady_temperatures", "sustained_bytes_per_s",
    "sustained_power_w", "throttled_power_w", "throttling_s", "turn_s", "warmer_k",
]  # fmt: skip
