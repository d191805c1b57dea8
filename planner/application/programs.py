"""Applications of one drive as they are stated: their names, presets, layers below, and inputs.

An application is stated as PRESET or NAME=PRESET. Where there are several, an input is
`NAME.INPUT`, that of a layer `NAME.LAYER.INPUT`; a layer is `NAME.LAYER`, or `LAYER` for all.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from models.errors import DomainError
from planner.application.layers import layer_of
from planner.application.presets import FLUSH, SHOWN, Preset, load, preset_of

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


class Program(NamedTuple):
    """An application by its name: its preset, with the inputs of the layers below it."""

    name: str
    preset: Preset
    layers: tuple[str, ...] = ()

    @property
    def stated(self) -> str:
        """The application as it is stated."""
        own = self.preset.name
        return own if self.name == own else f"{self.name}={own}"

    @property
    def said(self) -> str:
        """The application and its layers in words.

        >>> programs_of(["db1=etcd"], ["dm-crypt"])[0].said
        'db1 (etcd) on dm-crypt'
        """
        own = self.preset.name
        named = own if self.name == own else f"{self.name} ({own})"
        return " on ".join([named, *self.layers])

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the layers."""
        return tuple(f"{name}: {layer_of(name).note}" for name in dict.fromkeys(self.layers))


def names_of(apps: Sequence[str]) -> list[str]:
    """Return the names of applications; a preset that is stated again is numbered.

    >>> names_of(["db1=postgres-oltp", "etcd", "etcd"])
    ['db1', 'etcd', 'etcd-2']
    """
    stated = [_stated_name(app) for app in apps]
    for name in stated:
        if name and stated.count(name) > 1:
            raise DomainError(f"app must name each application otherwise, got {name} twice")
    names: list[str] = []
    for name, app in zip(stated, apps, strict=True):
        own, number = name or app.strip(), 1
        while not name and own in {*names, *stated}:
            number += 1
            own = f"{app.strip()}-{number}"
        names.append(own)
    return names


def _stated_name(app: str) -> str:
    """Return the name that an application is stated with, empty for a preset alone."""
    name, equals, preset = app.partition("=")
    if not equals:
        return ""
    if not preset.strip() or not NAME.fullmatch(name.strip()):
        raise DomainError(
            "app must be PRESET or NAME=PRESET, a NAME of up to 40 letters, digits, - and _ "
            f"such as db1=postgres-oltp, got {app[:SHOWN]!r}"
        )
    return name.strip()


def programs_of(apps: Sequence[str], on: Iterable[str] = ()) -> tuple[Program, ...]:
    """Return applications with their presets and the layers below them.

    Layers of all applications lie below those of one.

    >>> [each.layers for each in programs_of(["db1=etcd", "video"], ["dm-crypt", "db1.zfs-vm"])]
    [('zfs-vm', 'dm-crypt'), ('dm-crypt',)]
    """
    if not apps:
        raise DomainError("app must name an application, got none")
    names = names_of(apps)
    common: list[str] = []
    own: dict[str, list[str]] = {name: [] for name in names}
    for layer in on:
        name, dot, rest = layer.partition(".")
        if dot and name not in own:
            known = " or ".join(f"{each}.LAYER" for each in names)
            raise DomainError(f"on must be LAYER or {known}, got {layer[:SHOWN]!r}")
        (own[name] if dot else common).append(rest if dot else layer)
    found = []
    for name, app in zip(names, apps, strict=True):
        preset, layers = preset_of(app.rpartition("=")[2].strip()), (*own[name], *common)
        found.append(Program(name, _stacked(preset, layers), layers))
    return tuple(found)


def preset_of_all(programs: Sequence[Program]) -> Preset:
    """Return one preset of applications: that of the one, or of all by their names.

    The flush time is that of the drive, which they share.

    >>> [*preset_of_all(programs_of(["db1=etcd", "video"])).inputs][:3]
    ['flush_s', 'db1.puts_per_s', 'db1.value_bytes']
    """
    if len(programs) == 1:
        return programs[0].preset
    common = next(each.inputs[FLUSH] for each in load().values() if FLUSH in each.inputs)
    inputs = {
        f"{program.name}.{name}": replace(row, name=f"{program.name}.{name}")
        for program in programs
        for name, row in program.preset.inputs.items()
        if name != FLUSH
    }
    return Preset(
        name=" + ".join(program.stated for program in programs),
        use=", ".join(program.preset.use for program in programs),
        note=" ".join(f"{program.name}: {program.preset.note}" for program in programs),
        inputs={FLUSH: common, **inputs},
    )


def texts_of_all(programs: Sequence[Program], texts: Mapping[str, str]) -> dict[str, str]:
    """Return the inputs that are stated, by the names that the preset of all has.

    >>> one, two = programs_of(["db1=etcd"]), programs_of(["db1=etcd", "video"])
    >>> texts_of_all(one, {"db1.puts_per_s": "5"}), texts_of_all(two, {"db1.flush_s": "0.001"})
    ({'puts_per_s': '5'}, {'flush_s': '0.001'})
    """
    if len(programs) == 1:
        start = f"{programs[0].name}."
        return {name.removeprefix(start): text for name, text in texts.items()}
    found: dict[str, str] = {}
    for name, text in texts.items():
        of, dot, own = name.partition(".")
        if not dot and name != FLUSH:
            known = " or ".join(f"{program.name}.{name}" for program in programs)
            raise DomainError(f"{name[:SHOWN]} must name its application: {known}")
        if dot and of not in {program.name for program in programs}:
            known = ", ".join(program.name for program in programs)
            raise DomainError(f"{of[:SHOWN]} is no application here: {known}")
        key = FLUSH if own == FLUSH else name
        if found.get(key, text) != text:
            raise DomainError(
                f"{FLUSH} must be one for all applications of a drive, got {found[key]} and {text}"
            )
        found[key] = text
    return found


def _stacked(preset: Preset, layers: Sequence[str]) -> Preset:
    """Add the inputs of layers to those of a preset, by the names of both."""
    further = {
        f"{layer}.{name}": replace(row, name=f"{layer}.{name}")
        for layer in layers
        for name, row in layer_of(layer).inputs.items()
    }
    return replace(preset, inputs={**preset.inputs, **further}) if further else preset
