"""Width of facts: how far one may be from the drive, by the kind of its source."""

import math
from collections.abc import Mapping

from planner.catalogue.drive import RECALLED, Drive, Fact
from planner.catalogue.model_error import ModelError, model_error
from planner.catalogue.priors import Assumption
from planner.catalogue.priors_kind import words_of, year_of

Widths = Mapping[str, tuple[float, float]]

ROUGH = (0.8, 1.25)  # of an estimate, from memory or from a peer: assumed
ANOTHER_UNIT = (1 / 1.22, 1.22)  # measured on one drive, of another: 1.645 spreads of 0.12, assumed
# Of a rate that was measured on the drive itself: 3 % by the reading; of steady writes 5 % more by
# the law that carries them to other writes. Half widths of the logarithm: assumed.
OWN_READING = math.log(1.03)
OWN_RATE = math.hypot(OWN_READING, math.log(1.05))
# Ends over the figure, by kind. Wear indicators lie 3 to 15 % above estimated cycles; of those that
# are facts the points that were counted are not known.
_OF_CYCLES: Widths = {"spec": (0.97, 1.03), "measured": ROUGH, "derived": ROUGH}
_OF_FOLDING: Widths = dict.fromkeys(("spec", "measured", "derived"), (1 / 1.15, 1.15))
_OF_THE_REST: Widths = {RECALLED: ROUGH, "estimate": ROUGH}
_BY_QUANTITY: Mapping[str, Widths] = {
    "raw_bytes": dict.fromkeys((RECALLED, "estimate"), (0.98, 1.05)),  # as raw flash is built
    "pe_cycles": {**_OF_THE_REST, **_OF_CYCLES},
    "folded_write_bytes_per_s": {**_OF_THE_REST, **_OF_FOLDING},
}
# Printed rates but steady writes, measured over printed: assumed.
_PRINTED_RATES = {
    "random_read_iops": 1.2, "burst_write_iops": 1.2, "spec_write_iops": 1.2,
    "worst_case_iops": 1.2,
    "sequential_read_bytes_per_s": 1.1, "sequential_write_bytes_per_s": 1.1,
}  # fmt: skip
# Own ones; the longest wait of a test is one of its readings, as uncertain as a printed one.
_OWN_RATES = {
    **dict.fromkeys((*_PRINTED_RATES, "folded_write_bytes_per_s"), OWN_READING),
    "worst_case_iops": math.log(_PRINTED_RATES["worst_case_iops"]), "steady_write_iops": OWN_RATE,
}  # fmt: skip
_MODERN = 2018  # year from which printed rates of NVMe drives are steady as a test has it
# Counted, or promised: what they say is what they are, and a wrong one is another drive. Of 197
# figures from memory that were read later, 191 were right; units of the map are powers of two.
COUNTED = frozenset({
    "user_bytes", "warranty_s", "rating_period_s", "bits_per_cell", "spare_fraction", "op_nominal",
    "rated_queue_depth", "saturated_queue_depth", "price_usd", "rated_bytes", "rated_dwpd",
    "rating_transfer_bytes", "unit_bytes", "alignment_bytes", "dies", "channels",
})  # fmt: skip

_RATINGS = ("rated_dwpd", "rated_bytes")


def uncertain_facts(drive: Drive) -> tuple[Assumption, ...]:
    """Return the facts of a drive that are no more than about right, each with its range of 90 %.

    What the user states is not among them, but for rates, which a test has; nor is what is assumed.

    >>> from planner.catalogue import find, load
    >>> [(item.quantity, item.low, item.high)
    ...  for item in uncertain_facts(find(load(), "850 PRO 256")) if item.quantity == "pe_cycles"]
    [('pe_cycles', 5820.0, 6180.0)]
    """
    found = ((fact, width_of(fact, drive)) for fact in drive.facts.values())
    return tuple(_range(fact, *ends) for fact, ends in found if ends is not None)


def width_of(fact: Fact, drive: Drive) -> tuple[float, float] | None:
    """Return the ends of a fact over its figure; None where it is what it says."""
    if fact.kind == "user" and fact.quantity in _OWN_RATES:
        half = _OWN_RATES[fact.quantity]
        return math.exp(-half), math.exp(half)
    is_rough = fact.kind == "estimate" and fact.quantity in _RATINGS  # of another size
    if (fact.quantity in COUNTED and not is_rough) or fact.kind not in _SAID:
        return None
    if fact.quantity == "steady_write_iops" or fact.quantity in _PRINTED_RATES:
        return _of_rate(fact, drive)
    return _BY_QUANTITY.get(fact.quantity, _OF_THE_REST).get(fact.kind)


def _of_rate(fact: Fact, drive: Drive) -> tuple[float, float]:
    """Return the bounds of a rate over the printed one or one measured on another drive."""
    if fact.kind == "measured":
        return ANOTHER_UNIT
    if fact.quantity in _PRINTED_RATES:
        ratio = _PRINTED_RATES[fact.quantity]
        return 1 / ratio, ratio
    error = printed_rate_error(drive)
    return math.exp(error.middle - error.half), math.exp(error.middle + error.half)


def printed_rate_error(drive: Drive) -> ModelError:
    """Return the error of a printed steady rate: writes alone, measured over printed."""
    is_modern = "NVMe" in words_of(drive) and (year_of(drive) or 0) >= _MODERN
    return model_error("steady_write_iops", "NVMe from 2018" if is_modern else "other")


def _range(fact: Fact, low: float, high: float) -> Assumption:
    return Assumption(
        quantity=fact.quantity, low=low * fact.value, typical=fact.value, high=high * fact.value,
        ground=f"{fact.source_id}, {fact.locator}",
        basis=f"a figure that is {_SAID.get(fact.kind, 'your own')}",
        is_measured=True,
    )  # fmt: skip


_SAID = {
    "spec": "printed", "measured": "measured", "derived": "derived", RECALLED: "from memory",
    "estimate": "an estimate",
}  # fmt: skip
