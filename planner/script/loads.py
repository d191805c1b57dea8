"""`app`, `apps` and `workloads` for scripts: what applications write, and published workloads."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from models.nomenclature import QUANTITIES
from planner.application import Application, Figure
from planner.application.presets import load
from planner.graph.number import Number
from planner.scenario import client_workloads
from planner.script.inputs import applications
from planner.script.questions import Answers

if TYPE_CHECKING:
    import pandas as pd

# Short names of what an application does to its drive: its figure, and the quantity.
FIGURES = {
    "application": ("application_bytes_per_s", "application_bytes_per_s"),
    "file_system": ("file_bytes_per_s", "file_bytes_per_s"),
    "writes": ("device_bytes_per_s", "device_bytes_per_s"),
    "amplification": ("amplification", "layer_ratio"),
    "flushes": ("flushes_per_s", "flushes_per_s"),
}


def app(
    preset: str | Sequence[str], *, on: str | Sequence[str] = (), **inputs: Any
) -> Answers:  # fmt: skip
    """Return the writes of an application, or of several, to their drive, with the ranges.

    `inputs` are those of the preset in base units; `apps()` lists them. Of several presets, of
    which NAME=PRESET names one, each NAME has a dict of its inputs. `on` are layers below, next to
    the application first: LAYER, or NAME.LAYER for one of several. To plan a drive under this load:
    `ssd.plan(DRIVE, app=PRESET, app_inputs={...})`.

    >>> etcd = app("etcd", puts_per_s=50)
    >>> etcd.writes, etcd.amplification
    (61.09 GiB/day (50.1 to 77.49), 14.83 x (12.16 to 18.81))
    >>> app("etcd", put_per_s=50)
    Traceback (most recent call last):
    models.errors.DomainError: put_per_s is not an input of etcd: puts_per_s, value_bytes, \
store_bytes, flushes_per_put, metadata_blocks, commit_flushes, commit_limit_s, flush_s, clients, \
flush_scv, correction
    >>> app(["db1=etcd", "video"], db1={"puts_per_s": 50}, on="dm-crypt").flushes
    50 1/s (47.36 to 50)
    """
    return answers_of(applications(preset, inputs, on))


def answers_of(answer: Application) -> Answers:
    """Return the writes of an application as numbers."""
    numbers = {key: _number(answer.figures[name], key) for name, key in FIGURES.values()}
    numbers |= {key: _number(ends, key) for key, ends in answer.sizes.items() if key in QUANTITIES}
    names = {name: key for name, (_, key) in FIGURES.items()} | {key: key for key in answer.sizes}
    return Answers(answer.sentence, names, numbers, answer.notes, answer)


def apps() -> "pd.DataFrame":
    """Return the inputs of all applications, one per row; `preset` is the name for `app`.

    >>> apps().query("preset == 'etcd'")["input"].tolist()[:2]
    ['puts_per_s', 'value_bytes']
    """
    import pandas as pd  # noqa: PLC0415 - a plan needs none of it

    rows = [
        {
            "preset": preset.name, "use": preset.use, "input": row.name,
            "default": row.default, "low": row.low, "high": row.high, "unit": row.unit,
            "accepted": row.range, "source": row.source,
        }
        for preset in load().values()
        for row in preset.inputs.values()
    ]  # fmt: skip
    return pd.DataFrame(rows)


def workloads() -> "pd.DataFrame":
    """Return the published client workloads that `client` names, one per row, with their facts.

    >>> frame = workloads()
    >>> int(frame.loc["anandtech-consistency", "transfer_bytes"]), frame.attrs["units"]["test_s"]
    (4096, 's')
    """
    import pandas as pd  # noqa: PLC0415 - a plan needs none of it

    known = client_workloads.load().workloads
    rows = [
        {"name": one.name, "kind": one.kind, "description": one.description}
        | {name: fact.value for (name, at), fact in one.facts.items() if not at}
        for one in known.values()
    ]
    frame = pd.DataFrame(rows, index=pd.Index(known, name="client"))
    frame.attrs["units"] = {
        str(name): QUANTITIES[name].unit for name in frame.columns if name in QUANTITIES
    }
    return frame


def _number(figure: Figure, key: str) -> Number:
    return Number(figure.typical, key, between=(figure.low, figure.high))
