"""Applications of a scenario: presets, inputs and layers as texts, and what they write."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from models.errors import DomainError
from planner.application import Application, Preset, PresetInput, answer_of, names_of
from planner.application.presets import load
from planner.application.programs import Program, programs_of
from planner.quantity.parse import shortened

FIRST = "postgres-oltp"
ASKED_FIRST = 2  # inputs that stand in the sentence itself
ASKED_NEXT = 12  # inputs in the drawer; more are stated in a link
# Inputs of a plan that follow from its application.
OF_LOAD = ("writes", "writes_between", "client", "size", "sequential", "working_set")


def presets() -> Mapping[str, Preset]:
    """Return all applications by name."""
    return load()


def names(apps: str) -> dict[str, str]:
    """Return the preset of each application that a link names, by its name.

    >>> names("db1=postgres-oltp; etcd")
    {'db1': 'postgres-oltp', 'etcd': 'etcd'}
    """
    parts = listed(apps)
    presets_of = [part.rpartition("=")[2] for part in parts]
    return dict(zip(names_of(parts), presets_of, strict=True))


def listed(text: str) -> list[str]:
    """Read the applications or the layers of a link.

    >>> listed("db1=postgres-oltp; etcd")
    ['db1=postgres-oltp', 'etcd']
    """
    return [part.strip() for part in text.split(";") if part.strip()]


def key_of(apps: str, name: str, row: str) -> str:
    """Return the key of an input of one of the applications of a link.

    >>> key_of("etcd", "etcd", "puts_per_s"), key_of("etcd; video", "etcd", "puts_per_s")
    ('puts_per_s', 'etcd.puts_per_s')
    """
    return row if len(listed(apps)) == 1 else f"{name}.{row}"


def with_another(held: Mapping[str, str], preset: str) -> dict[str, str]:
    """Return the applications of a link with another one, their inputs and layers by their names.

    >>> with_another({"app": "etcd", "in": "puts_per_s=5"}, "video")
    {'app': 'etcd; video', 'in': 'etcd.puts_per_s=5', 'on': ''}
    """
    before = answer(held["app"], held.get("in", ""), held.get("on", ""))
    name = before.programs[0].name
    inputs, on = split(held.get("in", "")), listed(held.get("on", ""))
    if len(before.apps) == 1:
        inputs = {f"{name}.{key}": text for key, text in before.texts.items()}
        on = [f"{name}.{layer}" for layer in before.on]
    return {"app": "; ".join([*before.apps, preset]), "in": written(inputs), "on": "; ".join(on)}


def without(held: Mapping[str, str], name: str) -> dict[str, str]:
    """Return the applications of a link without one of several.

    >>> without({"app": "etcd; video", "in": "etcd.puts_per_s=5; video.cameras=2"}, "video")
    {'app': 'etcd', 'in': 'puts_per_s=5', 'on': ''}
    """
    left = {each: preset for each, preset in names(held["app"]).items() if each != name}
    apps = [preset if each == preset else f"{each}={preset}" for each, preset in left.items()]
    inputs = split(held.get("in", ""))
    kept = {key: text for key, text in inputs.items() if not key.startswith(f"{name}.")}
    on = [layer for layer in listed(held.get("on", "")) if not layer.startswith(f"{name}.")]
    if len(left) == 1:
        start = f"{next(iter(left))}."
        kept = {key.removeprefix(start): text for key, text in kept.items()}
        on = [layer.removeprefix(start) for layer in on]
    return {"app": "; ".join(apps), "in": written(kept), "on": "; ".join(on)}


def with_first(held: Mapping[str, str], name: str, preset: str) -> dict[str, str]:
    """Return the applications of a link with another preset in the place of the first, `name`.

    >>> with_first({"app": "etcd; video", "in": "video.cameras=2"}, "etcd", "video")
    {'app': 'video; video=video', 'in': 'video.cameras=2', 'on': ''}
    """
    others = {each: own for each, own in names(held["app"]).items() if each != name}
    apps = [preset, *(f"{each}={own}" for each, own in others.items())]
    kept = [text for text in listed(held.get("in", "")) if text.partition(".")[0] in others]
    on = [layer for layer in listed(held.get("on", "")) if layer.partition(".")[0] in others]
    return {"app": "; ".join(apps), "in": "; ".join(kept), "on": "; ".join(on)}


def layers_of(held: Mapping[str, str], name: str) -> list[str]:
    """Return the layers below one of the applications of a link.

    >>> layers_of({"app": "etcd; video", "on": "dm-crypt; etcd.zfs-vm"}, "etcd")
    ['zfs-vm', 'dm-crypt']
    """
    of = {each.name: [*each.layers] for each in _programs(held["app"], held.get("on", ""))}
    return of[name]


def with_layers(held: Mapping[str, str], name: str, layers: Iterable[str]) -> str:
    """Return the layers of a link with those below one of its applications otherwise.

    >>> with_layers({"app": "etcd; video", "on": "dm-crypt"}, "video", [])
    'etcd.dm-crypt'
    """
    of = {each.name: each.layers for each in _programs(held["app"], held.get("on", ""))}
    of[name] = tuple(layers)
    stated = [(each, layer) for each, own in of.items() for layer in own]
    return "; ".join(key_of(held["app"], each, layer) for each, layer in stated)


def _programs(apps: str, on: str) -> tuple[Program, ...]:
    return programs_of(listed(apps), listed(on))


def asked_next(name: str, *, is_first: bool = True) -> list[PresetInput]:
    """Return the inputs of an application that its drawer asks for."""
    return [*load()[name].inputs.values()][ASKED_FIRST if is_first else 0 :][:ASKED_NEXT]


def not_asked(name: str, *, is_first: bool = True) -> str:
    """Name the inputs of an application that only a link states, as a sentence.

    >>> not_asked("etcd"), not_asked("containers")
    ('', 'By a link alone, in=NAME=VALUE: clients, correction.')
    """
    names = [*load()[name].inputs][(ASKED_FIRST if is_first else 0) + ASKED_NEXT :]
    return f"By a link alone, in=NAME=VALUE: {', '.join(names)}." if names else ""


def use_of(name: str) -> str:
    """Describe an application in words."""
    return load()[name].use


def split(text: str) -> dict[str, str]:
    """Read the inputs of an application from a link.

    >>> split("transactions_per_s=100; rows = 5")
    {'transactions_per_s': '100', 'rows': '5'}
    """
    parted = (part.partition("=") for part in text.split(";") if part.strip())
    return {name.strip(): value.strip() for name, _, value in parted}


def written(inputs: Mapping[str, str]) -> str:
    """Write the inputs of an application as a link holds them."""
    return "; ".join(f"{name}={value}" for name, value in inputs.items() if value)


@lru_cache(maxsize=32)
def answer(apps: str, inputs: str, on: str = "", flush_s: float | None = None) -> Application:
    """Return the load of applications from the texts of a link, by the flush time of a drive."""
    return answer_of(listed(apps), split(inputs), flush_s, listed(on))


@lru_cache(maxsize=32)
def nearest(
    apps: str, inputs: str, on: str = "", flush_s: float | None = None
) -> tuple[Application | None, str]:
    """Return the load of applications, and what of it is refused.

    Where inputs cannot be together, the load is that without one of them, else without the flush
    time of the drive, else with the presets alone.

    >>> load, refused = nearest("zfs-vm", "span_bytes=2000000; record_bytes=4194304")
    >>> load.texts, refused.partition("; ")[2]
    ({'span_bytes': '2000000'}, 'the figures are those of record_bytes as usual')
    """
    try:
        return answer(apps, inputs, on, flush_s), ""
    except DomainError as error:
        refused = str(error)
    texts = split(inputs)
    less = {f"{key} as usual": _without(texts, key) for key in reversed(texts)}
    ways = [(those, written(kept), on, flush_s) for those, kept in less.items()]
    ways += [("an unknown flush time", inputs, on, None), ("the preset as usual", "", "", None)]
    for those, kept, layers, flush in ways:
        try:
            return answer(apps, kept, layers, flush), f"{refused}; the figures are those of {those}"
        except DomainError:
            continue
    return None, refused


def _without(texts: Mapping[str, str], gone: str) -> dict[str, str]:
    return {key: text for key, text in texts.items() if key != gone}


def checked(apps: str, inputs: str = "", on: str = "") -> tuple[dict[str, str], list[str]]:
    """Return the applications of a link, and what of them is refused.

    >>> checked("etcd", "puts_per_s=50; value_bytes=no")[0]
    {'app': 'etcd', 'in': 'puts_per_s=50'}
    >>> checked("fortran")[0]
    {}
    """
    kept: dict[str, str] = {}
    layers: list[str] = []
    refused = []
    try:
        answer(apps, "")
    except DomainError as error:
        return {}, [f"app={shortened(apps)}: {error}"]
    for layer in listed(on):
        try:
            answer(apps, "", layer)
            layers.append(layer)
        except DomainError as error:
            refused.append(str(error))
    below = "; ".join(layers)
    for key, value in split(inputs).items():
        try:
            answer(apps, written({key: value}), below)
            kept[key] = value
        except DomainError as error:
            refused.append(str(error))
    found = {"app": apps, "in": written(kept), "on": below}
    return {key: text for key, text in found.items() if text}, refused


def label(row: PresetInput) -> str:
    """Write the name of an input in words, with its unit.

    >>> rows = presets()[FIRST].inputs
    >>> label(rows["transactions_per_s"]), label(rows["row_bytes"])
    ('Transactions per second', 'Row [bytes]')
    """
    words = f"{row.name}econd" if row.name.endswith("_per_s") else row.name
    unit = "" if row.unit in ("1", "1/s") else f" [{row.unit}]"
    return f"{words.removesuffix(f'_{row.unit}').replace('_', ' ').capitalize()}{unit}"


def default_of(row: PresetInput) -> str:
    """Return the default of an input as text."""
    return f"{row.default:g}" if isinstance(row.default, float | int) else row.default or ""


def parts(of: Application) -> str:
    """List the shares of the layers in the writes of the drive, the largest first.

    >>> parts(answer("postgres-oltp", ""))
    'log 67 %, checkpoint 33 %'
    """
    sizes = {name: figure.typical for name, figure in of.by_layer.items() if figure.typical}
    whole = sum(sizes.values())
    most_first = sorted(sizes.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {100 * size / whole:.2g} %" for name, size in most_first)
