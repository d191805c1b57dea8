"""Writes of an application, layer by layer, down to the load of a drive."""

from planner.application.answer import Application, Figure, answer_of, grouped, three_digits
from planner.application.load import DeviceLoad, Stream
from planner.application.measured import MeasuredComparison, beside
from planner.application.presets import Preset, PresetInput, load, preset_of

__all__ = [
    "Application", "DeviceLoad", "Figure", "MeasuredComparison", "Preset", "PresetInput",
    "Stream", "answer_of", "beside", "grouped", "load", "preset_of",
    "three_digits",
]  # fmt: skip
