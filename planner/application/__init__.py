"""Writes of an application, layer by layer, down to the load of a drive.

Submodules are imported on first use.
"""

from typing import TYPE_CHECKING

from planner.quantity.lazy import lazily

if TYPE_CHECKING:
    from planner.application.answer import Application, answer_of
    from planner.application.figures import Figure, figure_of, three_digits
    from planner.application.groups import grouped, uses
    from planner.application.load import DeviceLoad, Stream
    from planner.application.measured import MeasuredComparison, beside
    from planner.application.presets import Preset, PresetInput, preset_of
    from planner.application.programs import names_of

__all__ = [
    "Application", "DeviceLoad", "Figure", "MeasuredComparison", "Preset", "PresetInput",
    "Stream", "answer_of", "beside", "figure_of", "grouped", "names_of", "preset_of",
    "three_digits", "uses",
]  # fmt: skip

_MODULES = {
    "Application": "answer", "DeviceLoad": "load", "Figure": "figures",
    "MeasuredComparison": "measured", "Preset": "presets", "PresetInput": "presets",
    "Stream": "load", "answer_of": "answer", "beside": "measured", "figure_of": "figures",
    "grouped": "groups", "names_of": "programs", "preset_of": "presets",
    "three_digits": "figures", "uses": "groups",
}  # fmt: skip

if not TYPE_CHECKING:  # a type checker knows the names, and refuses others
    __getattr__ = lazily(__name__, _MODULES)
