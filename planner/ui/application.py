"""The application of a scenario: its preset and inputs as texts, and what it writes."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from models.errors import DomainError
from planner.application import Application, Preset, PresetInput, answer_of
from planner.application.presets import load
from planner.quantity.parse import shortened

FIRST = "postgres-oltp"
ASKED_FIRST = 2  # inputs that stand in the sentence itself
ASKED_NEXT = 12  # inputs in the drawer; more are stated in a link
# Inputs of a plan that follow from its application.
OF_LOAD = ("writes", "writes_between", "client", "size", "sequential", "working_set")


def presets() -> Mapping[str, Preset]:
    """Return all applications by name."""
    return load()


def asked_next(name: str) -> list[PresetInput]:
    """Return the inputs of an application that its drawer asks for."""
    return [*load()[name].inputs.values()][ASKED_FIRST:][:ASKED_NEXT]


def not_asked(name: str) -> str:
    """Name the inputs of an application that only a link states, as a sentence.

    >>> not_asked("etcd"), not_asked("containers")
    ('', 'By a link alone, in=NAME=VALUE: clients, correction.')
    """
    names = [*load()[name].inputs][ASKED_FIRST + ASKED_NEXT :]
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
def answer(name: str, inputs: str, flush_s: float | None = None) -> Application:
    """Return the load of an application from the texts of a link, by the flush time of a drive."""
    return answer_of(name, split(inputs), flush_s)


def checked(name: str, inputs: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Return the application of a link, and what of it is refused.

    >>> checked("etcd", ["puts_per_s=50", "value_bytes=no"])[0]
    {'app': 'etcd', 'in': 'puts_per_s=50'}
    >>> checked("fortran", [])[0]
    {}
    """
    kept: dict[str, str] = {}
    refused = []
    try:
        answer_of(name, {})
    except DomainError as error:
        return {}, [f"app={shortened(name)}: {error}"]
    for key, value in split(";".join(inputs)).items():
        try:
            answer_of(name, {key: value})
            kept[key] = value
        except DomainError as error:
            refused.append(str(error))
    return {"app": name, **({"in": written(kept)} if kept else {})}, refused


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
