"""Latency of an application's commits on a drive, and their margin to a limit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from models.application import queued_flush_s, sequential_flush_s
from models.latency_tail import commit_flush_iops, commit_latency_s, flush_latency_s
from models.units import MS
from planner.application import Application, figure_of
from planner.application.join import BUSIEST
from planner.catalogue.drive import Drive
from planner.catalogue.priors_kind import is_written_in_place
from planner.graph.answer import Answer, given
from planner.graph.explain import public_name
from planner.graph.interval import interval
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range
from planner.sections.request import plan_of
from planner.sections.speed import commit_path, speed_reading
from planner.sections.speed_case import QUANTILES
from planner.sections.speed_ranges import uncertain_speed

P99 = 0.99
_PATH = ("write_latency_s", "program_s", "held_s")
# Of a drive without power-loss protection: one of 2022 was seen at 0.9 ms, older ones on SATA are
# said to take 1 to 5 ms, which no data sheet prints.
SLOW_FLUSH_S = 5e-3
UNPROTECTED_PROGRAMS = 2.0
NO_FLUSH_TIMED = (
    "No flush of this drive was timed: its time follows from buffer and flash, and without "
    "power-loss protection may be up to 5 ms. Commits share flushes; other work on the drive, "
    "reads included, is not in it."
)


class CommitLatency(NamedTuple):
    """Latency of commits by percentile, and the 99th with and without power-loss protection."""

    quantiles_s: Mapping[float, Range]
    protected_s: Range
    unprotected_s: Range
    is_protected: bool
    flushes_per_s: float
    limit_s: float | None
    application: str = ""  # that waits, of several
    commits_per_s: float = 0.0
    flushes: float = 1.0  # that a commit waits for, typically
    others_per_s: float = 0.0  # flushes of other applications

    @property
    def holds(self) -> str:
        """Whether 99 % stay below the limit: yes, probably, probably not, no; "" without one."""
        if self.limit_s is None:
            return ""
        p99 = self.quantiles_s[100 * P99]
        if p99.typical < self.limit_s:
            return "yes" if p99.high < self.limit_s else "probably"
        return "no" if p99.low >= self.limit_s else "probably not"

    @property
    def sentence(self) -> str:
        """The 99th percentile, whether it is below the limit, and what protection changes."""
        p99 = self.quantiles_s[100 * P99]
        other = self.unprotected_s if self.is_protected else self.protected_s
        without = "without" if self.is_protected else "with"
        if self.limit_s is None:
            answer = f"p99 of a commit {_ms(p99)}"
        else:
            limit = f"p99 of a commit below {self.limit_s / MS:.3g} ms"
            answer = f"{limit}: {self.holds}, {_ms(p99)}"
        of = f"{self.application}: " if self.application else ""
        return f"{of}{answer}; {without} power-loss protection {_ms(other)}."

    @property
    def record(self) -> dict[str, Any]:
        """The answer in base units, as it is written in JSON."""
        return {
            **({"application": self.application} if self.application else {}),
            "limit_s": self.limit_s,
            "holds": self.holds or None,
            "latency_s": {f"p{each:g}": _ends(of) for each, of in self.quantiles_s.items()},
            "p99_protected_s": _ends(self.protected_s),
            "p99_unprotected_s": _ends(self.unprotected_s),
            "power_loss_protection": self.is_protected,
            "flushes_per_s": self.flushes_per_s,
            "sentence": self.sentence,
        }


def commit_latency(
    plan: PlanReading, commits_per_s: float, flushes: Sequence[float],
    limit_s: float | None = None, *, others_per_s: float = 0.0,
) -> CommitLatency | None:  # fmt: skip
    """Return the latency of commits on one drive of a plan; None where it is not known.

    A commit waits for the least, the typical and the most of some flushes, one after the other, and
    they for `others_per_s` flushes of other applications.
    """
    speed = speed_reading(plan)
    if not speed.reading["commit_quantiles_s"].is_known:
        return None
    least, typical, most = flushes
    path, uncertain = commit_path(speed.reading), uncertain_speed(plan, speed)
    is_protected = not path.programs.value
    nodes = [uncertain.reading.graph.answers[name] for name in _PATH]
    counted = uncertain.counted(*nodes)
    moved = [uncertain.at_ends(node, counted) for node in nodes]

    def quantiles(programs: float, count: float, times: Sequence[Any] | None = None) -> Any:
        write_s, program_s, held_s = times or [getattr(path, name).value for name in _PATH]
        flush_s = flush_latency_s(write_s, program_s=program_s, flush_programs=programs)
        return commit_latency_s(
            QUANTILES, commit_iops=commits_per_s, flush_s=count * _queued(flush_s), held_s=held_s
        )

    def _queued(flush_s: Any) -> Any:
        of_others = commit_flush_iops(others_per_s, flush_s=flush_s)  # share more on a slow one
        busy: Any = np.minimum(of_others * np.asarray(flush_s), BUSIEST)
        return queued_flush_s(flush_s, busy_fraction=busy)

    def ranges(programs: float) -> dict[float, Range]:
        middle = quantiles(programs, typical)
        ends = [
            quantiles(programs, typical, [part[..., place] for part in moved])
            for place in range(2 * len(counted))
        ]
        slow = commit_latency_s(
            QUANTILES, commit_iops=commits_per_s, flush_s=typical * _queued(SLOW_FLUSH_S)
        )
        is_slow = programs and not is_written_in_place(plan.drive)
        low = [*ends[: len(counted)], quantiles(programs, least), middle]
        high = [*ends[len(counted) :], quantiles(programs, most), slow if is_slow else middle]
        found = interval(middle, at_low=np.stack(low, -1), at_high=np.stack(high, -1))
        percents = (round(100 * each, 6) for each in QUANTILES)
        every = zip(percents, *map(np.atleast_1d, (found.low, middle, found.high)), strict=True)
        return {
            percent: Range(float(first), float(mid), float(last), "prior")
            for percent, first, mid, last in every
        }

    protected, unprotected = ranges(0.0), ranges(UNPROTECTED_PROGRAMS)
    return CommitLatency(
        quantiles_s=protected if is_protected else unprotected,
        protected_s=protected[100 * P99],
        unprotected_s=unprotected[100 * P99],
        is_protected=is_protected,
        flushes_per_s=typical
        * commit_flush_iops(commits_per_s, flush_s=typical * _queued(float(path.flush_s.value))),
        limit_s=limit_s,
        commits_per_s=commits_per_s,
        flushes=typical,
        others_per_s=others_per_s,
    )


def commit_answer(plan: PlanReading, found: CommitLatency) -> Answer:
    """Return the typical 99th percentile of commits with the times from which it is computed."""
    path = commit_path(speed_reading(plan).reading)
    own = _computed("flush_latency_s", flush_latency_s, {
        "write_latency_s": path.write_latency_s, "program_s": path.program_s,
        "flush_programs": path.programs,
    })  # fmt: skip
    if found.others_per_s:
        of_others = commit_flush_iops(found.others_per_s, flush_s=own.value)
        busy = min(of_others * own.value, BUSIEST)
        note = "Flushes of the other applications on the drive."
        kept = given("busy_fraction", busy, source="workload", note=note)
        inputs = {"flush_s": own, "busy_fraction": kept}
        own = _computed("flush_latency_s", queued_flush_s, inputs)
    all_flushes = _computed("flush_latency_s", sequential_flush_s, {
        "flush_s": own, "flushes": given("flushes", found.flushes, source="workload"),
    })  # fmt: skip
    held = float(np.broadcast_to(path.held_s.value, np.shape(QUANTILES))[QUANTILES.index(P99)])
    return _computed("commit_latency_s", commit_latency_s, {
        "quantile": given("quantile", P99, source="definition"),
        "commit_iops": given("commit_iops", found.commits_per_s, source="workload"),
        "flush_s": all_flushes, "held_s": replace(path.held_s, value=held),
    })  # fmt: skip


def _computed(key: str, formula: Callable[..., float], inputs: Mapping[str, Answer]) -> Answer:
    """Return the result of a formula on answers, as an answer."""
    arguments = {name: part.value for name, part in inputs.items()}
    return Answer(
        key=key, value=float(formula(**arguments)), formula=public_name(formula), inputs=inputs,
        arguments=arguments,
    )  # fmt: skip


def flush_s_of(drive: Drive | str | None, **texts: Any) -> float | None:
    """Return the time of a write and its flush on a drive, the one of its plans; None if unknown.

    >>> flush_s_of("870 EVO 1TB") > 10 * flush_s_of("7450 PRO 3840")
    True
    """
    path = commit_path(speed_reading(plan_of(drive, **texts)).reading).flush_s
    return float(path.value) if path.is_known else None


def on_drive(application: Application, drive: Drive | str | None, **texts: Any) -> Application:
    """Return the load with the flush time of a drive, by which commits share flushes.

    The plan of the drive has the same one. `texts` are facts of the drive that are stated.

    >>> from planner.application import answer_of
    >>> fast = on_drive(answer_of("postgres-oltp", {}), "7450 PRO 3840")
    >>> fast.flush_s, round(fast.typical_inputs["commits_per_flush"], 2)
    (2.9999999999999997e-05, 1.0)
    """
    if not application.asks_flush_s:
        return application
    return application.at(flush_s_of(drive, **texts))


def application_commits(plan: PlanReading, application: Application) -> list[CommitLatency]:
    """Return the latency of the commits of each application on one drive of its plan.

    The limit is that of the plan, else that of the application. One that waits for no flush is not
    among them; nor is any where the time of a flush is not known.
    """
    asked, is_one = plan.situation.commit_p99_s, len(application.members) == 1
    flushes = {name: load.typical.flushes_per_s for name, load in application.members.items()}
    found = []
    for name, load in application.members.items():
        typical = load.typical.commits
        if load.commits is None or typical is None:
            continue
        latency = commit_latency(
            plan,
            typical.per_s,
            figure_of(load.commits.flushes),
            typical.limit_s if asked is None else asked,
            others_per_s=sum(flushes.values()) - flushes[name],
        )
        if latency is not None:
            found.append(latency if is_one else latency._replace(application=name))
    return found


def worst_commits(plan: PlanReading, application: Application) -> CommitLatency | None:
    """Return the longest wait of a commit among applications, those beyond their limit first."""
    order = ("yes", "", "probably", "probably not", "no")
    return max(
        application_commits(plan, application),
        key=lambda each: (order.index(each.holds), each.quantiles_s[100 * P99].typical),
        default=None,
    )


def _ends(of: Range) -> dict[str, float]:
    return {"low": of.low, "typical": of.typical, "high": of.high}


def _ms(of: Range) -> str:
    """Write a latency in ms with its ends."""
    low, typical, high = (f"{end / MS:.3g}" for end in of[:3])
    return f"{typical} ms" if low == high else f"{typical} ms ({low} to {high})"
