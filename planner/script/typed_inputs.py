"""Inputs and answers of scripts for type checkers, from tables by `make typed-inputs`."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from planner.graph.number import Number

Count: TypeAlias = int | str
Level: TypeAlias = int | str
Scalar: TypeAlias = float | str
Share: TypeAlias = float | str
Measure: TypeAlias = str | tuple[float, str] | Number  # a text with its unit, a Number, or a pair


class PlanInputs(TypedDict, total=False):
    """Inputs of a plan."""

    writes: Measure
    writes_between: Measure
    growth: Share
    step: Measure | Sequence[str]
    phase_in: Measure
    reads: Share
    size: Measure
    sequential: Share
    client: str
    skew: str
    working_set: Share
    trim: Share
    depth: Scalar
    fill: Share
    collection: str
    placement: str
    accuracy: Share
    spare: Share
    hot_spares: Count
    sets: Count
    record: Measure
    known_only: bool
    capacity: Measure
    drives: Count
    raid: Level
    keep: str
    power: str
    sync: str
    commit_p99: Measure
    kind: str
    stalled: Share
    wa: Scalar
    measured_wa: Measure | Sequence[str]
    measured_iops: Measure | Sequence[str]
    rating_wa: Scalar
    raw: Measure
    pe_cycles: Scalar
    tbw: Measure
    warranty: Scalar | Measure
    price: Scalar
    used: Share
    written: Measure
    age: Scalar | Measure
    as_of: str
    worst_iops: Scalar
    pages: Scalar
    blocks: Scalar
    reserve: Scalar
    fact: Measure | Sequence[str]
    random_read_iops: Scalar
    burst_write_iops: Scalar
    steady_write_iops: Scalar
    sequential_read_bytes_per_s: Measure
    sequential_write_bytes_per_s: Measure
    dies: Scalar
    channels: Scalar
    page_bytes: Measure
    block_bytes: Measure
    read_s: Measure
    program_s: Measure
    erase_s: Measure
    channel_bytes_per_s: Measure
    member_iops: Scalar
    today: str
    price_age: Scalar | Measure
    price_kinds: str
    rate: Measure | Sequence[str]
    currency: str
    app: str | Sequence[str]
    app_inputs: Mapping[str, Any]
    on: str | Sequence[str]


class LossInputs(TypedDict, total=False):
    """Inputs of the loss of data."""

    years: Scalar | Measure
    afr: Share
    uber: Scalar
    rebuild: Measure
    life_spread: Share
    replace_at: Share
    bought_apart: Measure
    storage_temperature: Measure


class CostInputs(TypedDict, total=False):
    """Inputs of the cost of owning."""

    years: Scalar | Measure
    discount_rate: Share
    electricity: Scalar | Measure
    pue: Scalar
    slot: Scalar | Measure
    node_cost: Scalar | Measure
    labour: Scalar
    shelf: Count
    residual: Share
    qos_iops: Scalar
    embodied: Measure
    grid: Measure
    currency: str
    afr: Share
    life_spread: Share
    replace_at: Share


class HeatInputs(TypedDict, total=False):
    """Inputs of energy and heat."""

    room: Measure
    cooling: str
    idle_gap: Measure
    battery: Measure


class ProtocolInputs(TypedDict, total=False):
    """Inputs of a test of drives."""

    capacity: Measure
    kind: str
    stalled: Share
    wa: Scalar
    measured_wa: Measure | Sequence[str]
    rating_wa: Scalar
    raw: Measure
    pe_cycles: Scalar
    tbw: Measure
    warranty: Scalar | Measure
    worst_iops: Scalar
    pages: Scalar
    blocks: Scalar
    reserve: Scalar
    fact: Measure | Sequence[str]
    spare: Share
    collection: str
    placement: str
    known_only: bool
    random_read_iops: Scalar
    burst_write_iops: Scalar
    steady_write_iops: Scalar
    sequential_read_bytes_per_s: Measure
    sequential_write_bytes_per_s: Measure
    dies: Scalar
    channels: Scalar
    page_bytes: Measure
    block_bytes: Measure
    read_s: Measure
    program_s: Measure
    erase_s: Measure
    channel_bytes_per_s: Measure
    member_iops: Scalar


class PlanAnswers:
    """Answers that are attributes of a plan."""

    life: Number
    endurance: Number
    wa: Number
    wear: Number
    rating: Number
    warranty: Number
    uneven_low: Number
    uneven_typical: Number
    uneven_high: Number
    printed: Number
    host_limit: Number
    dwpd: Number
    rated_dwpd: Number
    drive_iops: Number
    throughput: Number
    latency: Number
    worst_latency: Number
    worst_iops: Number
    usable: Number
    iops: Number
    floor_iops: Number
    price: Number
    price_per_usable: Number
    price_per_written: Number
