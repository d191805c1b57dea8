"""Labelled assumptions for facts that the catalogue lacks: a range each, with its ground.

They come from `data/assumptions.csv` by kind of drive, from the generation of the flash, and from
what drives of the same kind have. A fact that is stated is never replaced.
"""

import csv
import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.map_cache import map_read_fraction
from models.nomenclature import QUANTITIES
from models.slc_cache import usual_folded_bytes_per_s
from models.units import GIB, KIB
from planner.catalogue.drive import ASSUMPTION, Drive, Fact
from planner.catalogue.facts import cell_bits, gives_way
from planner.catalogue.model_error import model_error
from planner.catalogue.price_curve import curve_range
from planner.catalogue.priors_flash import Generation, Span, generation_of
from planner.catalogue.priors_kind import cell_of, is_written_in_place, kind_text, words_of, year_of
from planner.catalogue.priors_link import most_rate
from planner.catalogue.priors_peers import peers
from planner.catalogue.priors_steady import dies_write_iops, erasing_wait_s
from planner.catalogue.rated import rated_bytes_of, rating_periods_s
from planner.catalogue.rows import data_folder
from planner.quantity.show import span, text
from planner.quantity.units import FACTORS

# What a model of speed needs to know of the flash.
FLASH = (
    "die_bytes", "page_bytes", "block_bytes", "read_s", "erase_s", "channels",
    "channel_bytes_per_s",
)  # fmt: skip
# What operations take beside the flash, alone.
BESIDE_FLASH = ("read_overhead_s", "write_latency_s")
# What drives of its kind say, where the vendor of a drive does not.
OF_PEERS = (
    "warranty_s", "random_read_iops", "sequential_read_bytes_per_s",
    "sequential_write_bytes_per_s",
)  # fmt: skip

Level = Literal["low", "typical", "high", "cautious", "generous"]
# Of these a drive is the worse the more there is of them; of everything else, the less.
WORSE_BY_MORE = frozenset({
    "die_bytes", "block_bytes", "read_s", "program_s", "erase_s", "member_stall_fraction",
    "read_overhead_s", "write_latency_s", "unit_bytes", "map_read_fraction",
    "price_usd", "field_copy_ratio", "curve_ratio", "used_fraction", "base_factor",
    "idle_power_w", "write_power_w",
    "host_bytes_per_s", "background_rewrites_per_s",
})  # fmt: skip
# Unknown of the drives in the field too, on which the error of a life was found.
OF_LIFE = frozenset({
    "raw_bytes", "pe_cycles", "base_factor", "unit_bytes", "background_rewrites_per_s",
})  # fmt: skip
_LEVELS = ("low", "typical", "high")
_NO_MEMORY = ("HMB", "none")
USUAL_ENTRY, USUAL_UNIT = 4.0, 4.0 * KIB  # bytes of the map, and what they map
_RANDOM_WRITES = {"steady_write_iops", "worst_case_iops"}
_PARTS_OF_BASE = {"stripe", "entry_bytes"}
LEAST_OP_RATIO = 1.05  # raw over user capacity: no drive in the field has less
FEWEST_DIES = 2
PLANAR_OF_REVIEWS = 2014  # last year of drives for which the flash of the reviews of 2013 stands in
REDUCED = 0.85  # of a power of two: a size below it is reduced, for endurance or for price
EIGHTHS = 8  # of the power of two, in which the flash of odd sizes is fitted
MOST_PER_RATED_WRITE = 7.0  # cycles of enterprise flash per rated write of the whole drive
# Printed steady rates are 0.6 to 1.1 times (quartiles) what the dies have time for, at 95 % 2.1
# times: where none is printed, low, typical and high are at most these multiples of it. Of client
# drives of the reviews, whose caches take part of the writes of a bench, typical is twice that.
BESIDE_DIES = (0.5, 1.0, 2.1)
# Rates printed for whole units of the map, over those of 4 KiB: what reading the rest costs is not
# published. Assumed: at worst as much as the write.
REST_OF_UNIT = 0.5
BESIDE_DIES_OF_REVIEWS = (0.5, 2.0, 3.0)
LEAST_CACHE = 0.03  # of a dynamic write cache, on the full drive: static parts printed are more
RATED_ABOVE = 1.5  # high end over what a rating needs, where a prior of cycles is refuted by it

BEHIND_ERASES = (
    "Waiting time of a full queue, one erase and one program with its copies, by the dies."
)

_SUPPLY = {
    "raw_bytes": "the data sheet or a teardown",
    "pe_cycles": "the data sheet, or the drive's own wear indicator",
    "price_usd": "a quotation",
    "rated_dwpd": "the endurance rating of the data sheet, as TBW or DWPD",
    "rated_bytes": "the endurance rating of the data sheet, as TBW or DWPD",
    "member_stall_fraction": "a consistency test: share of time spent in garbage collection",
    "rebuild_s": "a measured rebuild time, or the capacity of a drive",
    "worst_case_iops": "a saturated test: queue depth over the longest latency",
    "field_copy_ratio": "a SMART log, or a skew of the writes (uniform is one)",
}


_BY_DATA_SHEET = "state it from the data sheet"
_NARROWED = {
    "raw_bytes": "state the raw flash, or read a SMART log",
    "pe_cycles": "state the cycles, or read a SMART log",
    "field_copy_ratio": "state a skew (uniform is one), or read a SMART log",
    "steady_write_iops": "state it from the data sheet, or measure it (fio)",
    "map_read_fraction": "state the memory for the map (map_cache_bytes)",
    "background_rewrites_per_s": "read the flash writes of an idle drive twice (SMART)",
    "base_factor": "measure write amplification, or state the dies in a stripe of parity",
    "unit_bytes": "state it from the specification, or the size of the writes",
    "price_usd": "state the price",
    "idle_power_w": "state the power of the data sheet",
    "write_power_w": "state the power of the data sheet",
    "host_bytes_per_s": "count the bytes that the drive receives (iostat, SMART)",
    "used_fraction": "read the drive again after more wear",
    "curve_ratio": "measure at a further span",
    "rate_ratio": "measure at a further span",
    "free_bytes": "state the share that holds data (--fill)",
    "worst_case_iops": "state the longest latency of a saturated test",
    "member_stall_fraction": "state the stalled share of a consistency test",
} | dict.fromkeys((*FLASH, "program_s"), "state the flash, or fit a measured test") | {
    "limit_k": "state the warning threshold that the drive reports (smartctl)",
    "airflow_m_per_s": "state the speed of the air (--cooling)",
    "air_rise_k": "state the temperature of the air at the drive as that of the room",
    **dict.fromkeys(
        ("light_power_w", "deep_power_w", "light_wake_s", "deep_wake_s"),
        "state the power states that the drive reports (nvme id-ctrl)",
    ),
    **dict.fromkeys(
        ("light_transition_s", "deep_transition_s"),
        "state the idle times that the host sets (nvme get-feature -f 12)",
    ),
    **dict.fromkeys(
        ("still_k_per_w", "body_j_per_k", "link_k_per_w", "controller_j_per_k",
         "controller_fraction", "airflow_gain", "hysteresis_k", "throttled_rate_ratio"),
        "measure its temperature under long writes",
    ),
    "awake_power_w": "measure it with the link awake",
    "read_power_ratio": "state the power while reading",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """A default for one unknown fact, in base units, with its range and its source.

    `basis` is its origin in a few words; `ground` names source and place. One that `is_measured` is
    the range that measured points leave, or a stated one. Of a model it is the error, as found on
    drives of `families` to which nothing was fitted, of the numbers that it `acts_on`; the
    quantities `inside` were unknown there too, so that their uncertainty is part of it. A model
    that `is_measured` was compared with the drive itself: `half_before` is the half width, in
    logarithms, that its error had before.
    """

    quantity: str
    low: float
    typical: float
    high: float
    ground: str
    basis: str = ""
    is_measured: bool = False
    is_model: bool = False
    families: int = 0
    inside: frozenset[str] = frozenset()
    acts_on: frozenset[str] = frozenset()
    half_before: float = 0.0

    def __str__(self) -> str:
        """Describe the assumption in words."""
        ends = (self.low, self.typical, self.high)
        is_uncertain = any(isinstance(end, np.ndarray) for end in ends)
        said = _range_text.__wrapped__ if is_uncertain else _range_text
        return f"{said(self.quantity, *ends)}. {self.ground}"

    @property
    def reason(self) -> str:
        """Describe the range, its basis, and the facts that would narrow it.

        >>> Assumption(quantity="pe_cycles", low=1e3, typical=2e3, high=3e3, ground="",
        ...            basis="64-layer TLC, client").reason
        'Program/erase cycles 1,000 to 3,000 assumed from 64-layer TLC, client: state the cycles, \
or read a SMART log'
        """
        quantity = QUANTITIES[self.quantity]
        unit = "" if quantity.shown_in in ("1", "cycles") else f" {quantity.shown_in}"
        shown = span(self.quantity, self.low, self.high) if self.is_range else ""
        ends = f"{shown}{unit}" if shown else text(self.quantity, self.typical)
        return f"{quantity.label} {ends} assumed from {self.basis}: {narrowed_by(self.quantity)}"

    @property
    def cautious(self) -> float:
        """The end at which a drive is worse: fewer cycles, a higher price, slower flash."""
        return self.high if self.quantity in WORSE_BY_MORE else self.low

    @property
    def generous(self) -> float:
        """The end at which a drive is better."""
        return self.low if self.quantity in WORSE_BY_MORE else self.high

    @property
    def is_range(self) -> bool:
        """Whether its ends differ."""
        return bool(np.any(np.less(self.low, self.high)))


@cache
def _range_text(quantity: str, *ends: float) -> str:
    low, typical, high = (text(quantity, value) for value in ends)
    return f"{QUANTITIES[quantity].label}: {typical} (range {low} to {high})"


def narrowed_by(quantity: str) -> str:
    """Name the statement or reading that would narrow the range of an assumed fact.

    >>> narrowed_by("pe_cycles")
    'state the cycles, or read a SMART log'
    """
    return _NARROWED.get(quantity, _BY_DATA_SHEET)


def supply(quantity: str) -> str:
    """Name the source that would supply an unknown quantity.

    >>> supply("price_usd")
    'Price per drive: a quotation'
    """
    label = QUANTITIES[quantity].label
    return f"{label}: {_SUPPLY.get(quantity, 'the data sheet')}"


def assumptions(drive: Drive) -> tuple[Assumption, ...]:
    """Return a default for each fact that is needed and unknown, as far as there is one.

    >>> from planner.catalogue import find, load
    >>> [item.quantity for item in assumptions(find(load(), "860 PRO 4TB"))][:2]
    ['raw_bytes', 'pe_cycles']
    """
    if not drive.capacity_gb:
        return ()
    offered = (item for item in _offered(drive) if item is not None)
    return tuple(item for item in offered if item.quantity not in drive.facts)


def _offered(drive: Drive) -> Iterator[Assumption | None]:
    raw_bytes = _raw_bytes(drive)
    yield raw_bytes
    yield _pe_cycles(drive, raw_bytes)
    yield None if "rated_bytes" in drive.facts else _rated_dwpd(drive)
    yield _rating_period_s(drive)
    yield from (_of_peers(drive, quantity) for quantity in OF_PEERS)
    yield from _random_writes(drive, raw_bytes)
    yield _of_kind(drive, "member_stall_fraction")
    yield assumed_price(drive)
    yield from _flash(drive, raw_bytes.low)
    yield from (_of_kind(drive, quantity) for quantity in BESIDE_FLASH)
    yield _folded_write(drive)
    yield _free_flash(drive)
    yield _of_kind(drive, "unit_bytes")
    yield _base_factor(drive)
    yield _of_kind(drive, "background_rewrites_per_s")
    yield _map_reads(drive)
    yield _idle_power_w(drive)
    yield _write_power_w(drive)


def with_assumptions(
    drive: Drive, *, level: Level = "typical", typical: Collection[str] = ()
) -> Drive:
    """Return the drive with its assumptions accepted at one end or the middle of their range.

    "Cautious" and "generous" are the ends at which a drive is worse and better. What of its life is
    uncertain is in one error of all of that together: those facts are typical at every level, and
    so are those that are named as `typical`.

    >>> from planner.catalogue import find, load
    >>> drive = find(load(), "860 PRO 4TB")
    >>> worst, best = (with_assumptions(drive, level=end) for end in ("cautious", "generous"))
    >>> [round(1e6 * end.value("read_s")) for end in (worst, best)]
    [50, 30]
    """
    assumed = {
        item.quantity: _fact(drive, item, "typical" if item.quantity in typical else level)
        for item in assumptions(drive)
    }
    return replace(drive, facts={**drive.facts, **assumed})


def with_assumed(drive: Drive, item: Assumption, level: Level) -> Drive:
    """Return a drive with one more number that is assumed of it."""
    return replace(drive, facts={**drive.facts, item.quantity: _fact(drive, item, level)})


def _fact(drive: Drive, item: Assumption, level: Level) -> Fact:
    value: float = item.typical if item.quantity in OF_LIFE else getattr(item, level)
    return Fact(
        drive_id=drive.drive_id, quantity=item.quantity, text=f"{value}", value=value,
        unit=QUANTITIES[item.quantity].unit, rounding="exact", condition="", kind="assumption",
        source_id=ASSUMPTION.source_id, locator="given by the user", confidence="user",
        note=f"assumed: {item}",
    )  # fmt: skip


def without_assumptions(drive: Drive) -> Drive:
    """Return the drive as it was before assumptions were accepted."""
    facts = {name: fact for name, fact in drive.facts.items() if fact.kind != "assumption"}
    return replace(drive, facts=facts)


def accepted_assumptions(drive: Drive) -> tuple[Assumption, ...]:
    """Return the assumptions that `with_assumptions` put among a drive's facts."""
    plain = without_assumptions(drive)
    return tuple(item for item in assumptions(plain) if item.quantity in drive.facts)


def one_at_a_time(ranges: Sequence[Assumption]) -> dict[str, NDArray[np.float64]]:
    """Move one range at a time, each in turn to its low end, then each to its high one.

    By quantity, along the last axis: the others are at their typical values.

    >>> by_name = [Assumption(quantity=name, low=1, typical=2, high=3, ground="")
    ...            for name in ("raw_bytes", "pe_cycles")]
    >>> {name: ends.tolist() for name, ends in one_at_a_time(by_name).items()}
    {'raw_bytes': [1.0, 2.0, 3.0, 2.0], 'pe_cycles': [2.0, 1.0, 2.0, 3.0]}
    """
    count, moved = len(ranges), {}
    for place, item in enumerate(ranges):
        typical = np.asarray(item.typical, float)[..., None]
        values = np.repeat(typical, 2 * count, axis=-1)
        values[..., place], values[..., count + place] = item.low, item.high
        moved[item.quantity] = values
    return moved


def _raw_bytes(drive: Drive) -> Assumption:
    """Assume flash near a power of two GiB, as drives of the class turned out to have."""
    low, typical, high = _raw_span(drive)
    power = text("raw_bytes", _power_of_two(drive.capacity_bytes))
    ground = f"Flash over a power of two GiB; {_source(_row('raw_size_ratio', drive))}"
    of_size = f"{power} and the size"
    if is_written_in_place(drive):
        ground = f"Memory over the size; {_source(_row('raw_size_ratio', drive))}"
        of_size = "its size"
    if _is_reduced(drive) and "client" in words_of(drive):
        ground = f"A size between powers of two: typically the next eighth of one. {ground}"
    return Assumption(
        quantity="raw_bytes", low=low, typical=typical, high=high, ground=ground,
        basis=f"{of_size}, {kind_text(drive)}",
    )  # fmt: skip


def _raw_span(drive: Drive) -> Span:
    """Return the ends and the middle of the raw flash, in bytes."""
    row, user_bytes = _row("raw_size_ratio", drive), drive.capacity_bytes
    power = _power_of_two(user_bytes)
    low, typical, high = (float(row[level]) * power for level in _LEVELS)
    if is_written_in_place(drive):
        low, typical, high = (value * user_bytes / power for value in (low, typical, high))
    elif _is_reduced(drive):
        low = 0.0  # as much flash as the whole size, or less
        if "client" in words_of(drive):
            eighth = power / EIGHTHS
            typical = eighth * math.ceil(LEAST_OP_RATIO * user_bytes / eighth)
    least = LEAST_OP_RATIO * user_bytes
    return max(low, least), max(typical, least), max(high, least)


def _power_of_two(size: float) -> float:
    """Return the smallest power of two GiB that holds a size."""
    return GIB * 2.0 ** math.ceil(math.log2(size / GIB))


def _is_reduced(drive: Drive) -> bool:
    """Whether its size is below a power of two: for endurance, which its class says, or price."""
    user_bytes = drive.capacity_bytes
    is_below = user_bytes < REDUCED * _power_of_two(user_bytes)
    is_for_writes = bool(words_of(drive) & {"mixed-use", "write-intensive"})
    return is_below and not is_for_writes and not is_written_in_place(drive)


def _pe_cycles(drive: Drive, assumed_raw: Assumption) -> Assumption:
    """Assume the range of the drive's flash and grade, narrowed by its rating."""
    row = _row("pe_cycles", drive)
    low, typical, high = (float(row[level]) for level in ("low", "typical", "high"))
    raw_bytes = drive.value("raw_bytes") or assumed_raw.typical
    rated = rated_bytes_of(drive)
    written = rated.value if rated else 0.0
    needed = written / raw_bytes  # a rating needs as much without any write amplification
    if written and "enterprise" in words_of(drive):
        most = MOST_PER_RATED_WRITE * written / drive.capacity_bytes
        low, high = (low, min(high, most)) if most > low else (needed, most)
    low, high = max(low, needed), max(high, RATED_ABOVE * needed)
    return Assumption(
        quantity="pe_cycles",
        low=low,
        typical=min(max(typical, low), high),
        high=high,
        ground=f"{row['applies_to'] or 'any'} flash, within what the rating needs; {_source(row)}",
        basis=kind_text(drive, generation_of(drive).name),
    )


def _rated_dwpd(drive: Drive) -> Assumption | None:
    """Assume the rating of drives of its class; for memory written in place, the span of these."""
    in_place = is_written_in_place(drive)
    return _of_kind(drive, "rated_dwpd") if in_place else _of_peers(drive, "rated_dwpd")


def _rating_period_s(drive: Drive) -> Assumption | None:
    """Assume five years for a rating in drive writes per day without a period."""
    if "warranty_s" in drive.facts:
        return None
    least_s, usual_s = rating_periods_s(drive)
    return Assumption(
        quantity="rating_period_s",
        low=least_s,
        typical=usual_s,
        high=usual_s,
        ground="Most ratings of the catalogue run over five years, the others over three.",
        basis="the ratings of the catalogue",
    )


def _random_writes(drive: Drive, assumed_raw: Assumption) -> Iterator[Assumption | None]:
    """Assume the steady rate, and the worst case of a saturated test."""
    if drive.facts.keys() >= _RANDOM_WRITES:
        return
    value = _of_dies(drive, assumed_raw)
    media_iops = None if is_written_in_place(drive) else dies_write_iops(value)
    steady = _steady_write_iops(drive, media_iops or math.inf)
    yield steady
    if "worst_case_iops" in drive.facts:
        return
    depth = _of_kind(drive, "saturated_queue_depth")
    steady_iops = drive.value("steady_write_iops") or (steady.typical if steady else None)
    wait_s = None
    if media_iops is not None and steady_iops is not None:
        wait_s = erasing_wait_s(
            value, queue_depth=depth.typical, steady_iops=steady_iops, media_iops=media_iops
        )
    yield _worst_case(drive, depth.typical, wait_s)
    yield depth


def _steady_write_iops(drive: Drive, by_dies: float) -> Assumption | None:
    """Assume the steady rate of drives of its class, at most the drive's burst rate.

    Far more than the limit of its dies, `by_dies`, is not assumed; memory written in place keeps
    its rate. A printed rate that may or may not be steady, by its source, is the highest, and
    typical if the dies allow it.
    """
    printed = drive.value("spec_write_iops")
    if is_written_in_place(drive):
        is_stated = printed is not None or "steady_write_iops" in drive.facts
        return None if is_stated else _in_place_iops(drive)
    of_peers = _of_peers(drive, "steady_write_iops")
    if of_peers is None:
        return None
    if printed is not None:
        most = min(drive.value("burst_write_iops") or math.inf, printed)
        typical = min(most, by_dies)
        bound = f", and the dies have time for {by_dies:,.0f}" * (typical < most)
        ground = f"No source says whether its printed {printed:,.0f} are steady{bound}"
        low, size = min(of_peers.low, typical), drive.facts["spec_write_iops"].condition
        if re.search(r"\d KiB", size) and not re.search(r"\b4 KiB", size):
            low = min(low, REST_OF_UNIT * typical)
            ground += f"; they are of {size}: a smaller write reads the rest of its unit"
        return replace(
            of_peers, low=low, typical=typical, high=most,
            ground=f"{ground}; from {of_peers.ground}",
        )  # fmt: skip
    most = drive.value("burst_write_iops") or math.inf
    is_of_reviews = (year_of(drive) or math.inf) <= PLANAR_OF_REVIEWS
    factors = BESIDE_DIES_OF_REVIEWS if is_of_reviews else BESIDE_DIES
    low, typical, high = (
        min(rate, most, by_dies * factor)
        for rate, factor in zip(
            (of_peers.low, of_peers.typical, of_peers.high), factors, strict=True
        )
    )
    bound = ", within what its dies have time for" * (typical < min(of_peers.typical, most))
    return replace(
        of_peers, low=low, typical=typical, high=high,
        ground=of_peers.ground.removesuffix(".") + bound + ".", basis=of_peers.basis + bound,
    )  # fmt: skip


def _in_place_iops(drive: Drive) -> Assumption:
    """Assume the share of its random reads per second that a drive written in place writes."""
    ratio = _of_kind(drive, "in_place_write_ratio")
    of_peers = _of_peers(drive, "random_read_iops")
    reads = drive.value("random_read_iops") or (of_peers.typical if of_peers else math.nan)
    return replace(
        ratio, quantity="steady_write_iops",
        low=ratio.low * reads, typical=ratio.typical * reads, high=ratio.high * reads,
    )  # fmt: skip


def _of_dies(drive: Drive, assumed_raw: Assumption) -> Callable[[str], float | None]:
    """Return a function that gives facts by name, or else their typical values."""
    offered = (
        assumed_raw, *_flash(drive, assumed_raw.low), _folded_write(drive),
        _of_peers(drive, "sequential_write_bytes_per_s"), _base_factor(drive),
        _of_kind(drive, "unit_bytes"),
    )  # fmt: skip
    assumed = {item.quantity: item.typical for item in offered if item is not None}
    return lambda name: drive.value(name) or assumed.get(name)


def _worst_case(drive: Drive, depth: float, wait_s: float | None) -> Assumption:
    """Assume the worst case by the longest wait for its dies, else as in the reviews' tests."""
    usual = _of_kind(drive, "worst_case_iops")
    if wait_s is None:
        return usual
    ratio = _of_kind(drive, "worst_wait_ratio")
    low, typical, high = (
        depth / (wait_s * factor) for factor in (ratio.high, ratio.typical, ratio.low)
    )
    return replace(
        usual, low=low, typical=typical, high=high,
        ground=f"{BEHIND_ERASES} {ratio.ground}", basis=f"its dies, {ratio.basis}",
    )  # fmt: skip


def _of_peers(drive: Drive, quantity: str) -> Assumption | None:
    """Assume what drives of the same kind have, from 5 to 95 % of them."""
    if quantity in drive.facts:
        return None
    alike = peers(drive, quantity)
    if alike is None:
        return None
    most = most_rate(drive, quantity)
    low, typical, high = (min(rate, most) for rate in alike[:3])
    bound = ", within what its interface carries" * (high < alike.high)
    return Assumption(
        quantity=quantity, low=low, typical=typical, high=high,
        ground=f"5, 50 and 95 % of the {alike.kind} in the catalogue{bound}.", basis=alike.kind,
    )  # fmt: skip


def _base_factor(drive: Drive) -> Assumption | None:
    """Assume what parity and map write, unless a part of it is stated."""
    return None if drive.facts.keys() & _PARTS_OF_BASE else _of_kind(drive, "base_factor")


def _map_reads(drive: Drive) -> Assumption | None:
    """Assume how many reads of a drive without memory of its own read the map first.

    None of them, as in tests over a few GiB, to those of reads over the whole drive.
    """
    if drive.memory not in _NO_MEMORY or "map_cache_bytes" in drive.facts:
        return None
    row = _from_row(_row("map_cache_bytes", drive))
    most = map_read_fraction(
        row.low if drive.memory == "HMB" else 0.0,
        entry_bytes=USUAL_ENTRY, unit_bytes=drive.value("unit_bytes") or USUAL_UNIT,
        span_bytes=drive.capacity_bytes,
    )  # fmt: skip
    return Assumption(
        quantity="map_read_fraction", low=0.0, typical=0.0, high=most,
        ground=f"Reads over the whole drive, of which memory holds part of the map; {row.ground}",
        basis="a drive without memory of its own",
    )  # fmt: skip


def _idle_power_w(drive: Drive) -> Assumption:
    """Assume the idle power of the class, at most what a drive draws when it works."""
    active = [drive.value(f"{side}_power_w") for side in ("read", "write")]
    most = min((power for power in active if power is not None), default=math.inf)
    return _within(_of_kind(drive, "idle_power_w"), high=most)


def _write_power_w(drive: Drive) -> Assumption:
    """Assume the power while writing of the class, at least what a drive draws idle."""
    idle = drive.value("idle_power_w") or _of_kind(drive, "idle_power_w").high
    return _within(_of_kind(drive, "write_power_w"), low=idle)


def _within(item: Assumption, *, low: float = 0.0, high: float = math.inf) -> Assumption:
    """Return an assumption between bounds that facts set."""
    ends = {level: min(max(getattr(item, level), low), high) for level in _LEVELS}
    return replace(item, **ends)


def assumed_price(drive: Drive) -> Assumption:
    """Return the price by the curve of its class, or its own older price adjusted to today.

    >>> from planner.catalogue.drive import own_drive
    >>> unknown = assumed_price(own_drive(1e12))
    >>> unknown.low < 150 < unknown.typical < 700 < unknown.high
    True
    """
    own = drive.price_range or curve_range(drive)
    return Assumption(
        quantity="price_usd", low=own.low, typical=own.typical, high=own.high, ground=own.ground,
        basis=own.basis,
    )  # fmt: skip


def _flash(drive: Drive, least_raw_bytes: float) -> Iterator[Assumption]:
    """Yield the flash facts that no data sheet prints, by generation; no drive has a single die."""
    most = (drive.value("raw_bytes") or least_raw_bytes) / FEWEST_DIES
    yield _of_kind(drive, "channels")
    for item in _of_generation(generation_of(drive)):
        if item.quantity == "die_bytes" and item.high > most:
            yield _within(item, high=most)
        elif item.quantity != "program_s" or _hides_its_program_time(drive):
            yield item


@cache
def _of_generation(generation: Generation) -> tuple[Assumption, ...]:
    return tuple(
        Assumption(
            quantity=quantity, low=low, typical=typical, high=high, ground=generation.ground,
            basis=generation.name,
        )
        for quantity, (low, typical, high) in generation.spans.items()
    )  # fmt: skip


def _folded_write(drive: Drive) -> Assumption | None:
    if "slc_cache_bytes" not in drive.facts or "folded_write_bytes_per_s" in drive.facts:
        return None
    return folded_write(drive)


def folded_write(drive: Drive) -> Assumption:
    """Assume the usual rate after a write cache, by size and cells; at most what is printed."""
    error, most = (
        model_error("folded_write_bytes_per_s"),
        (drive.value("sequential_write_bytes_per_s") or math.inf),
    )
    usual = usual_folded_bytes_per_s(drive.capacity_bytes, bits_per_cell=cell_bits(drive) or 3)
    low, typical, high = (
        min(usual * math.exp(error.middle + side * error.half), most) for side in (-1, 0, 1)
    )
    return Assumption(
        quantity="folded_write_bytes_per_s", low=low, typical=typical, high=high,
        ground=f"By size and cells, as {error.cases} drives of {error.families} families do; at "
        f"most the printed rate. {error.source}.",
        basis=f"{error.families} families with a write cache",
    )  # fmt: skip


def _free_flash(drive: Drive) -> Assumption | None:
    """Assume that a drive may be empty, as its dynamic write cache is printed, or full.

    Of a full one the static part is left: where it is printed, it is 4 to 13 % of the whole.
    """
    printed, bits = drive.value("slc_cache_bytes"), cell_bits(drive)
    if not gives_way(drive) or printed is None or bits is None:
        return None
    least = 0.0 if "static_cache_bytes" in drive.facts else LEAST_CACHE * printed * bits
    return Assumption(
        quantity="free_bytes", low=least, typical=drive.capacity_bytes, high=drive.capacity_bytes,
        ground="The write cache is printed for the empty drive, and shrinks as it fills.",
        basis="a full and an empty drive",
    )  # fmt: skip


def _hides_its_program_time(drive: Drive) -> bool:
    """Whether sequential writes are those of a single-level cache, or unknown.

    A rate assumed after a cache gives no further information: folding shares the dies.
    """
    if "folded_write_bytes_per_s" in drive.facts:
        return False
    if "slc_cache_bytes" in drive.facts:
        return True
    cached = cell_of(drive) in ("TLC", "QLC", "") and "enterprise" not in words_of(drive)
    return cached or "sequential_write_bytes_per_s" not in drive.facts


def flash_assumptions(drive: Drive) -> tuple[Assumption, ...]:
    """Return defaults where the cell type is known: dies, pages and times of the flash.

    They stand in where nothing else is assumed of a drive, since no data sheet prints them; none is
    needed to plan endurance. Of drives launched since the flash of 2013 it is their generation's.
    """
    cell = cell_of(drive)
    if not cell or all(quantity in drive.facts for quantity in FLASH):
        return ()
    is_later = (year_of(drive) or 0) > PLANAR_OF_REVIEWS
    offered = _flash(drive, _raw_span(drive)[0]) if is_later else _of_reviews(cell)
    return tuple(
        item for item in offered if item.quantity in FLASH and item.quantity not in drive.facts
    )


@cache
def _of_reviews(cell: str) -> tuple[Assumption, ...]:
    """Return the flash of the reviews of 2013, by its cell type alone."""
    return tuple(_from_row(row) for row in _ranges() if row["applies_to"] == cell)


def service_assumptions(drive: Drive) -> tuple[Assumption, ...]:
    """Return defaults for what a drive's rate at a queue depth needs, and no data sheet prints.

    They stand in where nothing else is assumed of a drive, as `flash_assumptions` do, and like
    these only where its kind of flash is known.
    """
    beside = BESIDE_FLASH if cell_of(drive) else ()
    unknown = (_of_kind(drive, name) for name in beside if name not in drive.facts)
    return (*flash_assumptions(drive), *unknown)


def rated_queue_depth(drive: Drive) -> Assumption:
    """Return the queue depth at which the rates of drives with its interface are printed.

    >>> from planner.catalogue import find, load
    >>> [rated_queue_depth(find(load(), name)).typical for name in ("840 EVO 250", "990 PRO 1TB")]
    [32.0, 256.0]
    """
    return _of_kind(drive, "rated_queue_depth")


def field_copying(drive: Drive) -> Assumption:
    """Return the GC writes of typical hosts relative to uniform random writes."""
    return _of_kind(drive, "field_copy_ratio")


def levelling_efficiency() -> Assumption:
    """Return the assumed efficiency of wear levelling; used for a range only."""
    return next(_from_row(row) for row in _ranges() if row["quantity"] == "levelling_efficiency")


def largest_unit_bytes(drive: Drive) -> float | None:
    """Return the unit of a drive's map, at the large end of its range where it is assumed.

    >>> from planner.catalogue import find, load
    >>> [largest_unit_bytes(with_assumptions(find(load(), name)))
    ...  for name in ("870 EVO 1TB", "BM1743 15.36")]
    [4096.0, 65536.0]
    """
    fact = drive.facts.get("unit_bytes")
    if fact is None or fact.kind != ASSUMPTION.source_id:
        return None if fact is None else fact.value
    return _of_kind(drive, "unit_bytes").high


def _of_kind(drive: Drive, quantity: str) -> Assumption:
    """Return the range of the closest kind of drive; there is one for every kind."""
    return of_words(quantity, words_of(drive), kind_text(drive))


@cache
def of_words(quantity: str, words: frozenset[str], basis: str) -> Assumption:
    """Return the range of the row of which a kind has every word, and the most of them.

    >>> of_words("airflow_m_per_s", frozenset({"desktop"}), "desktop").typical
    0.5
    """
    return replace(_from_row(_closest(quantity, words)), basis=basis)


def _from_row(row: dict[str, str]) -> Assumption:
    low, typical, high = (
        float(row[level]) * FACTORS[row["unit"]] for level in ("low", "typical", "high")
    )
    return Assumption(
        quantity=row["quantity"],
        low=low,
        typical=typical,
        high=high,
        ground=f"{row['applies_to'] or 'any'} flash; {_source(row)}",
        basis=f"{row['applies_to'] or 'any'} flash",
    )


def _source(row: dict[str, str]) -> str:
    return f"{row['source_id']}, {row['locator']}. {row['note']}"


def _row(quantity: str, drive: Drive) -> dict[str, str]:
    return _closest(quantity, words_of(drive))


@cache
def _closest(quantity: str, words: frozenset[str]) -> dict[str, str]:
    """Return the most specific row for a kind of drive; one without words applies to all."""
    rows = (row for row in _ranges() if row["quantity"] == quantity)
    return next(row for row in rows if set(row["applies_to"].split()) <= words)


@cache
def _ranges() -> tuple[dict[str, str], ...]:
    """Read the default ranges, the most specific kind of drive first."""
    with (data_folder() / "assumptions.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return tuple(sorted(rows, key=lambda row: -len(row["applies_to"].split())))
