"""Fit facts one by one: printed rates first, then the times of the flash."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from planner.catalogue.drive import Drive, with_user_facts
from planner.graph.answer import Answer
from planner.sections.flash import flash_of
from planner.sections.read_error import ANCHORS, OWN, OWN_LOADS
from planner.sections.read_tail import UNLIKELY
from planner.sections.speed import Speed
from planner.simulation.fit.probes import Probe

_SATURATED_DEPTH = 32.0
_PROGRAM_S = (1e-6, 0.1)  # range of the search
_TOLERANCE = 0.005  # relative error below which a rate counts as met
OWN_FACTS = frozenset((*OWN.values(), OWN_LOADS))
_PRINTED = {
    "sequential read": "sequential_read_bytes_per_s",
    "fresh": "burst_write_iops",
    "steady": "steady_write_iops",
}

Predict = Callable[..., Speed]  # of a drive and a workload, `with_readers` or without


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A fitted fact of the drive; `before` is None if it was unknown."""

    quantity: str
    before: float | None
    after: float
    origin: str


class FitSearch:
    """The drive fitted so far, its fitted facts, and the points that were used for them."""

    def __init__(
        self, drive: Drive, measured: list[Probe], predict: Predict, notes: list[str]
    ) -> None:
        self.drive, self.measured, self.predict, self.notes = drive, measured, predict, notes
        self.predict_writes = partial(predict, with_readers=False)
        self.facts: list[Fitted] = []
        self.used: list[Probe] = []

    def printed_rates(self, is_whole: bool) -> None:
        """Replace printed rates by measured ones; the steady-state rate only if it was full."""
        for kind, quantity in _PRINTED.items():
            best = self._best(kind)
            if best is not None and (is_whole or kind != "steady"):
                self._set(quantity, best.measured, best)
        self._sequential_writes()
        self._most_reads()
        self._means_of_writes(is_whole)

    def read_time(self) -> None:
        """Fit the page read time to reads at queue depth 1."""
        single = next((p for p in self._of("read") if p.depth == 1), None)
        if single is None:
            return
        speed = self.predict(self.drive, single.workload)
        flash, modelled = flash_of(speed.reading), single.prediction(speed)
        if modelled is None or not (flash.read_s.is_known and flash.dies.is_known):
            self.notes.append("The read time is not fitted: the flash of the drive is unknown.")
            return
        read_s = flash.read_s.value + 1 / single.measured - 1 / modelled
        if read_s <= 0:
            self.notes.append(
                f"{single.origin}: a read takes less time than is assumed for the link and the "
                "channel alone; was it read from a cache?"
            )
            return
        self._set("read_s", read_s, single)

    def program_time(self) -> None:
        """Fit the program time to the steady-state rate of random writes.

        It is that of the dies alone, without a printed rate. If their rate is far higher, either
        they are slower or the firmware limits them; the percentiles of reads beside writes decide
        which.
        """
        steady = next((p for p in self.used if p.quantity == "steady_write_iops"), None)
        steady = steady or self._best("steady")
        if steady is None:
            return
        answer = self.predict(self.drive, steady.workload)
        if not flash_of(answer.reading).dies.is_known:
            return
        by_dies = _without_steady_rate(self.drive)
        if self._off(steady, by_dies) <= _TOLERANCE:
            self._full_rate(steady)
            return
        program_s = self._program_s(steady, by_dies)
        if program_s is None:
            self.notes.append(
                f"{steady.origin}: no program time gives this rate of random writes; "
                "something other than the dies limits it."
            )
        elif not answer.is_below_dies or self._tail_is_of(program_s):
            self._set("program_s", program_s, steady)
            self._full_rate(steady)

    def _full_rate(self, steady: Probe) -> None:
        """Replace the printed rate of the full drive, if the measured one of a part refutes it."""
        printed = self.drive.value("steady_write_iops")
        modelled = steady.prediction(self.predict(self.drive, steady.workload))
        if printed and modelled and self._off(steady, self.drive) > _TOLERANCE:
            self._set("steady_write_iops", printed * steady.measured / modelled, steady)

    def _program_s(self, steady: Probe, by_dies: Drive) -> float | None:
        from scipy.optimize import brentq  # noqa: PLC0415 - slow to import

        def predicted(trial: Drive) -> float | None:
            return steady.prediction(self.predict_writes(trial, steady.workload))

        def excess(log_s: float) -> float:
            trial = with_user_facts(by_dies, program_s=math.exp(log_s))
            return (predicted(trial) or 0.0) / steady.measured - 1

        low, high = (math.log(end) for end in _PROGRAM_S)
        if excess(low) <= 0 or excess(high) >= 0:
            return None
        return math.exp(brentq(excess, low, high, xtol=1e-4))

    def _tail_is_of(self, program_s: float) -> bool:
        """Whether slower programs explain the reads beside writes better than a firmware limit."""
        tail = [probe for probe in self.measured if probe.quantity == "read_s"]
        if not tail:
            self.notes.append(
                "Assumed: the steady rate is a firmware limit; percentiles of reads beside "
                "writes would distinguish it from slow flash."
            )
            return False
        slower = with_user_facts(self.drive, program_s=program_s)
        return sum(self._off(p, slower) for p in tail) < sum(self._off(p, self.drive) for p in tail)

    def worst_case(self) -> None:
        """Fit the worst case to the longest latency of a test that reached steady state."""
        for probe in self._of("worst"):
            settles = _known(self.predict(self.drive, probe.workload).settling_s)
            if settles is not None and probe.runtime_s >= settles:
                depth = probe.depth
                self.drive = with_user_facts(self.drive, saturated_queue_depth=depth)
                self._set("worst_case_iops", depth / probe.measured, probe)

    def own_reads(self) -> None:
        """Compare percentiles of reads beside writes with the computed ones.

        At a load that may saturate the drive the comparison does not test the model.
        """
        facts = {name: fact for name, fact in self.drive.facts.items() if name not in OWN_FACTS}
        bare = replace(self.drive, facts=facts)
        counts: list[int] = []
        for name, level in ANCHORS.items():
            probes = [probe for probe in self.measured if probe.percent == round(100 * level, 6)]
            errors = {probe: error for probe in probes
                      if (error := self._read_error(probe, bare)) is not None}  # fmt: skip
            if errors:
                first, counts = next(iter(errors)), [*counts, len(errors)]
                self._set(OWN[name], math.exp(sum(errors.values()) / len(errors)), first)
                self.used += list(errors)[1:]
        if counts:
            self.drive = with_user_facts(self.drive, **{OWN_LOADS: float(min(counts))})

    def _read_error(self, probe: Probe, bare: Drive) -> float | None:
        """Return the logarithm of measured over computed; None where nothing can be compared."""
        answer = self.predict(bare, probe.workload)
        modelled, chance = probe.prediction(answer), answer.saturation_probability
        if modelled is None or math.isinf(modelled) or not probe.measured > 0:
            return None
        if chance.is_known and chance.value >= UNLIKELY:
            self.notes.append(
                f"{probe.origin}: p{probe.percent:g} is not used, because the writes of this load "
                "may be more than the drive takes."
            )
            return None
        return math.log(probe.measured / modelled)

    def _sequential_writes(self) -> None:
        """Set the sequential write rate, or for a drive with an SLC cache the rate behind it."""
        best = self._best("sequential write")
        if best is None:
            return
        behind = "folded_write_bytes_per_s"
        has_cache = self.drive.value("slc_cache_bytes") is not None
        self._set(behind if has_cache else best.quantity, best.measured, best)
        if has_cache:
            self.notes.append(f"{best.origin}: taken as the rate behind the write cache.")

    def _most_reads(self) -> None:
        """Set the largest read rate, if the deepest queue is deep or a shallower one is as fast."""
        reads = sorted(self._of("read"), key=lambda probe: probe.depth)
        if not reads:
            return
        best = max(reads, key=lambda probe: probe.measured)
        deepest = reads[-1].depth
        if deepest >= _SATURATED_DEPTH or best is not reads[-1]:
            self._set("random_read_iops", best.measured, best)
        else:
            self.notes.append(
                f"The limit of random reads is not fitted: depth {deepest:g} may not reach it."
            )

    def _means_of_writes(self, is_whole: bool) -> None:
        """Use the mean of a test that was wholly in steady state, or wholly fresh."""
        before_s = 0.0
        has_course = any(probe.kind == "steady" for probe in self.measured)
        for probe in self._of("writes"):
            answer = self.predict(self.drive, probe.workload)
            settles, cliff = _known(answer.settling_s), _known(answer.cliff_s)
            if has_course:
                pass
            elif settles is not None and before_s >= settles and is_whole:
                self._set("steady_write_iops", probe.measured, probe)
            elif cliff is not None and before_s == 0 and probe.runtime_s < cliff:
                self._set("burst_write_iops", probe.measured, probe)
            else:
                self.notes.append(
                    f"{probe.origin}: not fitted, because a mean over the whole test mixes the "
                    "fresh and the steady rate; give its log (write_iops_log)."
                )
            before_s += probe.runtime_s

    def _off(self, probe: Probe, drive: Drive) -> float:
        """Return the absolute log residual of a drive at a point; 0 if it is not predicted."""
        modelled = probe.prediction(self.predict(drive, probe.workload))
        return abs(math.log(modelled / probe.measured)) if modelled else 0.0

    def _of(self, kind: str) -> list[Probe]:
        return [probe for probe in self.measured if probe.kind == kind]

    def _best(self, kind: str) -> Probe | None:
        return max(self._of(kind), key=lambda probe: probe.measured, default=None)

    def _set(self, quantity: str, value: float, probe: Probe) -> None:
        before = self.drive.value(quantity)
        self.drive = with_user_facts(self.drive, **{quantity: value})
        self.facts.append(
            Fitted(quantity=quantity, before=before, after=value, origin=probe.origin)
        )
        self.used.append(probe)


def _without_steady_rate(drive: Drive) -> Drive:
    facts = {name: fact for name, fact in drive.facts.items() if name != "steady_write_iops"}
    return replace(drive, facts=facts)


def _known(answer: Answer) -> float | None:
    return None if not answer.is_known else float(answer.value)
