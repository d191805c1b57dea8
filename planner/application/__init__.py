"""Writes of an application, layer by layer, down to the load of a drive."""

from planner.application.answer import Application, answer_of, grouped
from planner.application.figures import Figure, figure_of, three_digits
from planner.application.layers import layers
from planner.application.load import DeviceLoad, Stream
from planner.application.measured import MeasuredComparison, beside
from planner.application.presets import Preset, PresetInput, load, preset_of
from planner.application.programs import names_of

__all__ = [
    "Application", "DeviceLoad", "Figure", "MeasuredComparison", "Preset", "PresetInput",
    "Stream", "answer_of", "beside", "figure_of", "grouped", "layers", "load", "names_of",
    "preset_of", "three_digits",
]  # fmt: skip
