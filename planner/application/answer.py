"""The load of a drive from an application: each figure low, typical and high."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from models.errors import DomainError
from models.units import DAY_S, GB, KIB
from planner.application.groups import load_function
from planner.application.host_cluster import CLUSTERS, COUNTED, HostCluster
from planner.application.load import BLOCK_BYTES, DeviceLoad
from planner.application.presets import FLUSH, Preset, Values, preset_of
from planner.application.priors import ENDS
from planner.quantity.input import EachDriveText, ValueText
from planner.quantity.show import day_unit
from planner.quantity.writes import unambiguous

MOST_BYTES = 2.0**30  # of an operation, as a plan takes them

# Stores that keep copies or parity on other nodes, and count them.
OF_POOL = frozenset({"ceph-rbd", "elasticsearch", "kafka", "minio"})
ONE_OF_POOL = (
    "These are the writes of one drive or node, copies and parity included; a plan has them for "
    "each drive of the cluster."
)


class Figure(NamedTuple):
    """A figure with its range."""

    low: float
    typical: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """Load of an application on a drive, and its inputs."""

    preset: Preset
    values: Values
    draws: DeviceLoad
    typical: DeviceLoad
    texts: Mapping[str, str] = field(default_factory=dict)
    flush_s: float | None = None

    def figure(self, of: Callable[[DeviceLoad], Any]) -> Figure:
        """Return the 5, 50 and 95 % quantiles of a figure of the load over what is not stated."""
        return _figure(of(self.draws))

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
        return (None, None, None) if value is None else _figure(value)

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
            ends = _figure(load_function(self.preset.name)(alone).device_bytes_per_s)
            factors[name] = ends.high / ends.low if ends.low else 1.0
        return max(factors.items(), key=lambda item: item[1], default=None)

    @property
    def asks_flush_s(self) -> bool:
        """Whether a flush time that is not stated decides how many commits share a flush."""
        return FLUSH in self.preset.inputs and FLUSH not in self.texts

    @property
    def is_of_pool(self) -> bool:
        """Whether its figures are of one drive, with copies or parity on other nodes."""
        return self.preset.name in OF_POOL

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the figures."""
        return (self.preset.note, *([ONE_OF_POOL] if self.is_of_pool else []))

    def refuse_copies(self, texts: Mapping[str, Any], option: str = "{}") -> None:
        """Refuse copies and codes over nodes for a store that counts its own.

        >>> answer_of("etcd", {}).refuse_copies({"raid": "ec:4+2"})
        """
        stated = [name for name in ("nodes", "replicas", "ec") if texts.get(name)]
        stated += ["raid"] * bool(re.search(r"\d\+[1-9]", str(texts.get("raid"))))
        if self.is_of_pool and stated:
            raise DomainError(
                f"{option.format(stated[0])} would copy what {self.preset.name} has copied: its "
                "writes are those of one drive, with all copies and parity. State these by its "
                "inputs, and plan one drive"
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
            low, _, high = self.figure(partial(_bytes_of, name))
            typical = _bytes_of(name, self.typical)
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
        load, (low, typical, high) = self.typical, self.figures["device_bytes_per_s"]
        ends = f"{_rate_text(low)}..{_rate_text(high)}"
        blocks = max(round(load.transfer_bytes / BLOCK_BYTES), 1)  # file systems write whole ones
        size = min(blocks * BLOCK_BYTES, MOST_BYTES)
        order, span = load.sequential_fraction, load.span_bytes
        return {
            "writes": ValueText(_rate_text(typical), typical),
            **({"writes_between": ValueText(ends, (low, high))} if low != high else {}),
            "size": ValueText(f"{size / KIB:g} KiB", size),
            **(
                {"sequential": ValueText(f"{order:.12g}", order)}
                if span is None
                else {"working_set": ValueText(f"{span / GB:.6g} GB", span)}
            ),
        }

    @property
    def stated(self) -> frozenset[str]:
        """The inputs that are stated."""
        return frozenset(self.texts)

    @property
    def cluster(self) -> HostCluster | None:
        """The hosts of a store that copies or codes its data over them; None for others."""
        build = CLUSTERS.get(self.preset.name)
        return None if build is None else build(self.typical_inputs, self.stated)

    def over_hosts(self) -> "Application":
        """Return the load with as many brokers or nodes as the cluster has hosts.

        >>> answer_of("kafka", {}).over_hosts().texts
        {'brokers': '4'}
        """
        name = COUNTED.get(self.preset.name)
        if name is None or name in self.stated or self.cluster is None:
            return self
        texts = {**self.texts, name: f"{self.cluster.hosts}"}
        return answer_of(self.preset.name, texts, self.flush_s)

    @property
    def cluster_inputs(self) -> dict[str, str]:
        """The cluster as inputs of a plan: its hosts and drives, and the writes to each drive.

        >>> answer_of("ceph-rbd", {}).cluster_inputs["keep"]
        '3 copies on 4 hosts'
        """
        cluster, rate = self.cluster, self.figures["device_bytes_per_s"].typical
        if cluster is None:
            return {}
        each = EachDriveText(f"{_rate_text(rate)} per drive", rate)
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
        own, device = self.typical.application_bytes_per_s, self.figures["device_bytes_per_s"]
        unit, size = _unit_of(device.typical)
        low, typical, high = (three_digits(rate / size) for rate in device)
        ends = f" ({low} to {high})" if low != high else ""
        own_unit, own_size = _unit_of(own)
        written = f"{three_digits(own / own_size)} {own_unit}/day"
        times, flushes = (self.figures[key].typical for key in ("amplification", "flushes_per_s"))
        flushed = f", with {three_digits(flushes)} flushes a second" if flushes else ""
        if self.is_of_pool:
            wrote = f"{self.preset.name} writes {written} for each drive; each drive receives"
        else:
            wrote = f"{self.preset.name} writes {written}; its drive receives"
        return f"{wrote} {typical} {unit}/day{ends}, {three_digits(times)} times as much{flushed}."

    @property
    def record(self) -> dict[str, Any]:
        """The answer in base units, as it is written in JSON."""
        used = {
            name: dict(zip(Figure._fields, self.input_figure(name), strict=True))
            for name in self.preset.inputs
        }
        return {
            "preset": self.preset.name,
            "inputs": used,
            **{name: figure._asdict() for name, figure in self.figures.items()},
            "by_layer": {name: figure._asdict() for name, figure in self.by_layer.items()},
            "sizes": {name: figure._asdict() for name, figure in self.sizes.items()},
            "request_bytes": self.typical.transfer_bytes,
            "sequential_fraction": self.typical.sequential_fraction,
            "span_bytes": self.typical.span_bytes,
            "widest_input": dict(zip(("name", "factor"), self.widest or (None, None), strict=True)),
            "sentence": self.sentence,
        }


def _rate_text(bytes_per_s: float) -> str:
    """Write bytes per second as the writes of a plan."""
    unit, size = _unit_of(bytes_per_s)
    return unambiguous(f"{bytes_per_s / size:.8g} {unit}/day")


def _unit_of(bytes_per_s: float) -> tuple[str, float]:
    """Return GB a day, or a smaller unit of which there is at least one, with its size."""
    is_small = 0 < bytes_per_s < GB / DAY_S
    return day_unit(bytes_per_s) if is_small else ("GB", GB / DAY_S)


def three_digits(value: float) -> str:
    """Write a number with three digits, and all of those before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _figure(drawn: Any) -> Figure:
    """Return the quantiles of what is drawn; one number is all of them."""
    if not np.ndim(drawn):
        return Figure(float(drawn), float(drawn), float(drawn))
    return Figure(*map(float, np.quantile(drawn, ENDS)))


def _bytes_of(name: str, load: DeviceLoad) -> Any:
    """Return the bytes per second of a part of a load."""
    return sum(part.bytes_per_s for part in load.streams if part.name == name)


def _size_of(name: str, load: DeviceLoad) -> Any:
    return load.sizes[name]


def answer_of(name: str, texts: Mapping[str, str], flush_s: float | None = None) -> Application:
    """Return the load of a preset with some inputs stated, as texts in base units.

    `flush_s` is the flush time of the drive, where that is known.

    >>> answer = answer_of("sqlite-wal", {"transactions_per_s": "100"})
    >>> round(answer.typical.device_bytes_per_s / 100)
    11632
    """
    preset = preset_of(name)
    values = preset.draws(preset.stated(texts), flush_s)
    draws = load_function(name)(values)
    if not np.all(draws.device_bytes_per_s):
        raise DomainError(f"the inputs of {name} must leave something to write, got none")
    return Application(
        preset=preset, values=values, draws=draws, typical=draws.typical, texts=dict(texts),
        flush_s=flush_s,
    )  # fmt: skip
