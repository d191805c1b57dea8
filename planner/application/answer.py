"""The load of a drive from an application: each figure low, typical and high."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from models.errors import DomainError
from planner.application.figures import (
    Figure,
    bytes_of,
    figure_of,
    plan_texts,
    rate_text,
    received,
    size_text,
)
from planner.application.groups import load_function
from planner.application.host_cluster import CLUSTERS, COUNTED, HostCluster
from planner.application.join import joined
from planner.application.layers import below, flushes_of, values_of
from planner.application.load import DeviceLoad
from planner.application.member_records import as_dicts, member_records
from planner.application.presets import FLUSH, Preset, Values
from planner.application.programs import Program, preset_of_all, programs_of, texts_of_all
from planner.quantity.input import EachDriveText, ValueText

# Stores that keep copies or parity on other nodes, and count them.
OF_POOL = frozenset({"ceph-rbd", "elasticsearch", "kafka", "minio"})
ONE_OF_POOL = (
    "These are the writes of one drive or node, copies and parity included; a plan has them for "
    "each drive of the cluster."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Load of an application on a drive, and its inputs."""

    preset: Preset
    values: Values
    draws: DeviceLoad
    typical: DeviceLoad
    texts: Mapping[str, str] = field(default_factory=dict)
    flush_s: float | None = None
    programs: tuple[Program, ...] = ()

    def figure(self, of: Callable[[DeviceLoad], Any]) -> Figure:
        """Return the 5, 50 and 95 % quantiles of a figure of the load over what is not stated."""
        return figure_of(of(self.draws))

    @property
    def typical_inputs(self) -> Values:
        """The inputs at their medians, and words at their defaults."""
        return {name: self.input_figure(name)[1] for name in self.preset.inputs}

    def input_figure(self, name: str) -> tuple[Any, Any, Any]:
        """Return an input at its ends, as it follows from others where it has none of its own."""
        value, row = self.values[name], self.preset.inputs[name]
        value = self.draws.followed.get(name) if value is None else value
        if isinstance(row.default, str):
            word = value if isinstance(value, str) else row.default
            return word, word, word
        return (None, None, None) if value is None else figure_of(value)

    @property
    def widest(self) -> tuple[str, float] | None:
        """The input that makes most of the range, drawn alone, and its 95 % over its 5 %."""
        uncertain = [name for name, value in self.values.items() if np.ndim(value)]
        middle = self.typical_inputs
        factors = {}
        for name in uncertain:
            alone = {
                each: value if each == name or not np.ndim(value) else middle[each]
                for each, value in self.values.items()
            }
            ends = figure_of(load_of(self.programs, alone).device_bytes_per_s)
            factors[name] = ends.high / ends.low if ends.low else 1.0
        return max(factors.items(), key=lambda item: item[1], default=None)

    @property
    def asks_flush_s(self) -> bool:
        """Whether a flush time that is not stated decides how many commits share a flush."""
        return FLUSH in self.preset.inputs and FLUSH not in self.texts

    @property
    def is_of_pool(self) -> bool:
        """Whether its figures are of one drive, with copies or parity on other nodes."""
        return any(program.preset.name in OF_POOL for program in self.programs)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the figures."""
        layers = dict.fromkeys(note for program in self.programs for note in program.notes)
        return (self.preset.note, *layers, *([ONE_OF_POOL] if self.is_of_pool else []))

    @property
    def presets(self) -> list[str]:
        """Names of the presets, one for each application."""
        return [program.preset.name for program in self.programs]

    @property
    def apps(self) -> list[str]:
        """The applications as they are stated, PRESET or NAME=PRESET."""
        return [program.stated for program in self.programs]

    @property
    def on(self) -> list[str]:
        """The layers below them as they are stated, LAYER or NAME.LAYER.

        >>> answer_of(["db1=etcd", "video"], {}, on=["dm-crypt"]).on
        ['db1.dm-crypt', 'video.dm-crypt']
        """
        is_one = len(self.programs) == 1
        return [
            layer if is_one else f"{program.name}.{layer}"
            for program in self.programs
            for layer in program.layers
        ]

    @property
    def members(self) -> Mapping[str, DeviceLoad]:
        """The load of each application, by its name."""
        return self.draws.members or {self.programs[0].name: self.draws}

    def at(self, flush_s: float | None, **texts: str) -> "Application":
        """Return the load by the flush time of a drive, with some inputs stated otherwise.

        >>> answer_of("etcd", {}).at(1e-3).flush_s
        0.001
        """
        return answer_of(self.apps, {**self.texts, **texts}, flush_s, self.on)

    def refuse_copies(self, texts: Mapping[str, Any], option: str = "{}") -> None:
        """Refuse copies and codes over nodes for a store that counts its own.

        >>> answer_of("etcd", {}).refuse_copies({"raid": "ec:4+2"})
        """
        stated = [name for name in ("nodes", "replicas", "ec") if texts.get(name)]
        stated += ["raid"] * bool(re.search(r"\d\+[1-9]", str(texts.get("raid"))))
        if self.is_of_pool and stated:
            of_pool = " and ".join(name for name in self.presets if name in OF_POOL)
            raise DomainError(
                f"{option.format(stated[0])} would copy what {of_pool} has copied: its "
                "writes are those of one drive, with all copies and parity. State these by its "
                "inputs, and plan one drive"
            )
        if self.is_of_pool and len(self.programs) > 1 and str(texts.get("drives") or 1) != "1":
            raise DomainError(
                f"{option.format('drives')} must be 1 here: the writes of {self.preset.name} are "
                f"those of one drive, got {texts['drives']}"
            )

    @property
    def figures(self) -> dict[str, Figure]:
        """Bytes and flushes per second, and amplification, for which bytes at the drive stand."""
        return {
            "application_bytes_per_s": self.figure(lambda load: load.application_bytes_per_s),
            "file_bytes_per_s": self.figure(lambda load: load.file_bytes_per_s),
            "device_bytes_per_s": self.figure(lambda load: load.device_bytes_per_s),
            "amplification": self.figure(
                lambda load: load.device_bytes_per_s / load.application_bytes_per_s
            ),
            "flushes_per_s": self.figure(lambda load: load.flushes_per_s),
        }

    @property
    def by_layer(self) -> dict[str, Figure]:
        """Bytes per second at the drive by the part that writes them; only typical ones add up."""
        found = {}
        for name in dict.fromkeys(part.name for part in self.draws.streams):
            low, _, high = self.figure(partial(bytes_of, name))
            typical = bytes_of(name, self.typical)
            found[name] = Figure(min(low, typical), typical, max(high, typical))
        return found

    @property
    def plan_inputs(self) -> dict[str, ValueText]:
        """The load as inputs of a plan: writes and their ends, size, and where they go.

        What is written to one space again and again, the log too, is a working set, and its order
        does not matter to the drive; what runs through new places has a sequential share.

        >>> load = answer_of("etcd", {"puts_per_s": "50"}).plan_inputs
        >>> load["writes"], load["writes_between"], load["working_set"]
        ('65.59425 GB/day', '53.798306 GB/day..83.205588 GB/day', '2.128 GB')
        """
        return plan_texts(self.typical, self.figures["device_bytes_per_s"])

    @property
    def stated(self) -> frozenset[str]:
        """The inputs that are stated."""
        return frozenset(self.texts)

    @property
    def cluster(self) -> HostCluster | None:
        """The hosts of a store that copies or codes its data over them; None for others."""
        build = CLUSTERS.get(self.preset.name)  # of one application alone
        return None if build is None else build(self.typical_inputs, self.stated)

    def over_hosts(self) -> "Application":
        """Return the load with as many brokers or nodes as the cluster has hosts.

        >>> answer_of("kafka", {}).over_hosts().texts
        {'brokers': '4'}
        """
        name = COUNTED.get(self.preset.name)
        if name is None or name in self.stated or self.cluster is None:
            return self
        return self.at(self.flush_s, **{name: f"{self.cluster.hosts}"})

    @property
    def cluster_inputs(self) -> dict[str, str]:
        """The cluster as inputs of a plan: its hosts and drives, and the writes to each drive.

        >>> answer_of("ceph-rbd", {}).cluster_inputs["keep"]
        '3 copies on 4 hosts'
        """
        cluster, rate = self.cluster, self.figures["device_bytes_per_s"].typical
        if cluster is None:
            return {}
        each = EachDriveText(f"{rate_text(rate)} per drive", rate)
        return {"keep": cluster.keep, "drives": f"{cluster.drives}", "writes": each}

    @property
    def sizes(self) -> dict[str, Figure]:
        """Capacities of a pool, available and needed, of the pool or a device, by quantity."""
        return {name: self.figure(partial(_size_of, name)) for name in self.draws.sizes}

    @property
    def sentence(self) -> str:
        """Sentence on the writes of the application and those of its drive.

        >>> answer_of("etcd", {"puts_per_s": "50"}).sentence
        'etcd writes 4.42 GB/day; its drive receives 65.6 GB/day (53.8 to 83.2), 14.8 times as \
much, with 50 flushes a second.'
        """
        said, their = [program.said for program in self.programs], "its"
        if len(said) > 1:
            said, their = [f"{', '.join(said[:-1])} and {said[-1]}"], "their"
        wrote = f"{said[0]} {'write' if their == 'their' else 'writes'} "
        own = size_text(self.typical.application_bytes_per_s)
        if self.is_of_pool and their == "its":
            return wrote + f"{own} for each drive; each drive receives " + received(self.figures)
        return wrote + f"{own}; {their} drive receives " + received(self.figures)

    @property
    def record(self) -> dict[str, Any]:
        """The answer in base units, as it is written in JSON."""
        ends = {name: Figure(*self.input_figure(name)) for name in self.preset.inputs}
        members, widest = self.draws.members, self.widest or (None, None)
        return {
            "preset": self.preset.name,
            "inputs": as_dicts(ends),
            **as_dicts(self.figures),
            "by_layer": as_dicts(self.by_layer),
            "sizes": as_dicts(self.sizes),
            "request_bytes": self.typical.transfer_bytes,
            "sequential_fraction": self.typical.sequential_fraction,
            "span_bytes": self.typical.span_bytes,
            "widest_input": dict(zip(("name", "factor"), widest, strict=True)),
            "sentence": self.sentence,
            **({"layers": self.on} if self.on else {}),
            **({"applications": member_records(self.programs, members)} if members else {}),
        }


def _size_of(name: str, load: DeviceLoad) -> Any:
    return load.sizes[name]


def answer_of(
    apps: str | Sequence[str],
    texts: Mapping[str, str],
    flush_s: float | None = None,
    on: Sequence[str] = (),
) -> Application:
    """Return the load of one or several applications with some inputs stated, as texts.

    An application is PRESET or NAME=PRESET, on layers below it. Texts are in base units, or with
    units. `flush_s` is the flush time of the drive, where that is known.

    >>> answer = answer_of("sqlite-wal", {"transactions_per_s": "100"})
    >>> round(answer.typical.device_bytes_per_s / 100)
    11632
    >>> both = answer_of(["db1=sqlite-wal", "video"], {"db1.transactions_per_s": "100"})
    >>> [program.name for program in both.programs]
    ['db1', 'video']
    """
    programs = programs_of([apps] if isinstance(apps, str) else apps, on)
    preset, own = preset_of_all(programs), texts_of_all(programs, texts)
    values = preset.draws(preset.stated(own), flush_s)
    draws = load_of(programs, values)
    if not np.all(draws.device_bytes_per_s):
        raise DomainError(f"the inputs of {preset.name} must leave something to write, got none")
    return Application(
        preset=preset, values=values, draws=draws, typical=draws.typical, texts=own,
        flush_s=flush_s, programs=programs,
    )  # fmt: skip


def load_of(programs: Sequence[Program], values: Values) -> DeviceLoad:
    """Return the load of applications from the values of their inputs."""
    if len(programs) == 1:
        return _alone(programs[0], values)
    own = {
        program.name: partial(
            _alone, program, {FLUSH: values[FLUSH], **values_of(program.name, values)}
        )
        for program in programs
    }
    return joined(own, values[FLUSH])


def _alone(program: Program, values: Values, flush_times: Any = 1.0) -> DeviceLoad:
    """Return the load of an application on its layers, where a flush takes some times as long."""
    times = flushes_of(program.layers, values) * flush_times
    seen = {**values, FLUSH: values[FLUSH] * times} if FLUSH in values else values
    return below(load_function(program.preset.name)(seen), program.layers, values)
