"""Which drive, how many, which layout and how much spare area hold everything for the least?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from models.units import YEAR_S
from planner.catalogue.prices import PriceTerms
from planner.quantity.show import text
from planner.scenario.firmware import Firmware
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.search.choose.answer import Candidate, Choice, Saving
from planner.search.choose.decision import MOST_FOUND, specified
from planner.search.choose.front import Axis, front
from planner.search.choose.kept import Kept, kept_of
from planner.search.choose.limits import AT_MOST
from planner.search.choose.misses import life_s, met, reach, rejected
from planner.search.choose.nodes import NOTES as NODES
from planner.search.choose.nodes import nodes_answer
from planner.search.choose.question import Grid, Need, Objective, Requirements
from planner.search.choose.quoted import quote_outcomes
from planner.search.choose.search import Search, Slow, search
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.ownership import ownership
from planner.sections.plan import plan_drive

RELAXED = 0.1
LOGNORMAL = (
    "Assumed: the logarithm of life is normal, with a standard deviation of {:g}; {:.3g} % reach "
    "the plan's figure. `uncertainty` computes the distribution from the ranges of the inputs."
)
OWN_DEPTH = "IOPS are those at the workload's queue depth on every drive."
BUSIEST = "Power is that of drives that write all the time, or read if that is known to draw more."
OPEN_READS = (
    "Read latency is that of one drive under its share of the writes, with reads in proportion; it "
    "needs the times and dies of its flash."
)
RATED_ONLY = (
    "Flash wear is unknown of {}: their life is that of the rating, assumed to hold for random "
    "single-page writes over the full drive. With a lower write amplification it is longer."
)
ASSUMED = {
    "cautious": "Assumed facts, named beside each plan, have the value at the unfavourable end "
    "of their range.",
    "typical": "Assumed facts, named beside each plan, have typical values: a plan may miss a "
    "requirement.",
}
RATED = (
    "A plan ranks only if neither the printed rated writes nor the warranty of its drives ends "
    "within the years; what spare area adds to a printed rating is {}."
)
DATED = (
    "Prices that are {kinds}, and on {today} at most {months} months old, are compared "
    "unchanged. Other prices are adjusted to today by the price of their class; a drive without "
    "a price costs as much as its class. Both are ranges, ranked by their typical value. A "
    "budget must cover their upper end."
)
CONVERTED = "Prices and assumed costs in USD are converted: one unit of the currency is {:g} USD."
MONTH_S = YEAR_S / 12
FLOOR = "IOPS in the worst second count drive I/Os, with every drive in its worst case."

Progress = Callable[[str, int, int], None]


def choose(
    workload: Workload,
    requirements: Requirements,
    grid: Grid,
    *,
    objective: Objective = Objective.PRICE,
    risk: Risk | None = None,
    terms: Terms | None = None,
    firmware: Firmware | None = None,
    top: int = 10,
    axes: Sequence[Axis] = (),
    progress: Progress | None = None,
) -> Choice:
    """Return the plans of the grid that meet every requirement, the least of the objective first.

    `axes` are two or three on which the front is to be shown, none for no front.

    Exact over the grid: no configuration that holds everything has less of the objective, among
    equals fewer drives come first, then more usable capacity, then the place in the grid.
    """
    risk, terms = risk or Risk(), terms or Terms()
    kept = kept_of(workload, grid, firmware or Firmware())
    table = kept.table
    slow = Slow(
        table=table, requirements=requirements, risk=risk,
        known=kept.slow.setdefault((risk, requirements.queue_depth), {}),
    )  # fmt: skip
    least, left_out = kept.aim(objective, terms, risk)
    results = search(
        slow, requirements, least, top=max(top, MOST_FOUND), progress=_named(progress, "plans")
    )
    planned = partial(_candidate, slow, requirements, results, terms, kept)
    candidates = tuple(planned(place) for place in results.found[:top])
    best = candidates[0] if candidates else None
    cheaper = results.objective.ravel() < (best.objective if best else np.inf)
    cheaper &= results.margin < 1  # not what only leaves capacity unpartitioned for little
    misses = rejected(slow, requirements, results, cheaper)
    return Choice(
        objective=objective,
        requirements=requirements,
        candidates=candidates,
        rejected=misses,
        reach=() if best else reach(slow, requirements, results, misses),
        rejected_by=_counts(results, cheaper),
        axes=tuple(axes),
        front=front(slow, results, axes) if axes else (),
        savings=tuple(_savings(slow, requirements, results, terms, kept, progress)),
        configurations=len(grid),
        possible=int(np.prod(table.shape)),
        holding=results.holding,
        notes=(
            *_prices(grid.prices),
            *_level(grid),
            *(() if grid.nodes is None else NODES),
            *left_out,
            *table.refusals,
            *_notes(requirements, risk),
            *_unknown_wear(candidates),
        ),
        specifications=specified(table, results.objective, results.found, planned),
        rules=grid.rules,
        excluded=grid.excluded,
        prices=grid.prices,
        quotes=None
        if grid.quotes is None
        else quote_outcomes(grid.quotes, grid, candidates, misses),
    )


def _level(grid: Grid) -> tuple[str, ...]:
    """Return the note on the level at which assumed facts of drives are read."""
    return () if grid.assumed is None else (ASSUMED[grid.assumed],)


def _prices(terms: PriceTerms | None) -> tuple[str, ...]:
    """List the prices that are compared unchanged, and the conversion of the others."""
    if terms is None:
        return ()
    kinds, age = " or ".join(terms.kinds), terms.age_s / MONTH_S
    statement = (DATED.format(kinds=kinds, months=f"{age:.3g}", today=terms.today),)
    return statement if terms.usd_each == 1 else (*statement, CONVERTED.format(terms.usd_each))


def _notes(requirements: Requirements, risk: Risk) -> tuple[str, ...]:
    """List the assumptions behind each requirement."""
    horizon = text("horizon_s", risk.horizon_s)
    statement = {
        Need.LIFE: LOGNORMAL.format(requirements.life_log_sd, 100 * requirements.figure_confidence)
        if Need.LIFE in requirements.needs and requirements.life_spread != 1
        else "",
        Need.LOSS: f"Loss of data is that within {horizon}, of drives that are bought at once.",
        Need.IOPS: "" if requirements.queue_depth else OWN_DEPTH,
        Need.POWER: BUSIEST,
        Need.READS: OPEN_READS,
        Need.WORST: FLOOR,
        Need.RATED: RATED.format(
            "credited as modelled" if requirements.credits_spare_area else "not credited"
        ),
    }
    return tuple(statement[need] for need in requirements.needs if statement.get(need))


def _unknown_wear(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Return the note on plans without a known flash wear, which only the rating limits."""
    rated = [one.plan.drive.name for one in candidates if not one.plan["wear_life_s"].is_known]
    names = ", ".join(dict.fromkeys(rated))
    return (RATED_ONLY.format(names),) if names else ()


def _named(progress: Progress | None, what: str) -> Callable[[int, int], None] | None:
    if progress is None:
        return None
    return lambda done, of: progress(what, done, of)


def _candidate(
    slow: Slow, requirements: Requirements, results: Search, terms: Terms, kept: Kept, place: int
) -> Candidate:
    """Return one configuration in full, with what it has of each need."""
    key = (place, slow.risk, terms, requirements.queue_depth)
    if key not in kept.candidates:
        kept.candidates[key] = _planned(slow, requirements, terms, place)
    return replace(
        kept.candidates[key],
        objective=float(results.objective.ravel()[place]),
        life_probability=None
        if requirements.life_s is None
        else requirements.life_probability(life_s(slow.table, place)),
        met=tuple(met(slow, requirements, results, need, place) for need in requirements.needs),
    )


def _planned(slow: Slow, requirements: Requirements, terms: Terms, place: int) -> Candidate:
    """Plan one configuration, whatever is required of it."""
    table = slow.table
    drive, spare, array = np.unravel_index(place, table.shape)
    answer = plan_drive(
        table.drive_for(int(drive), int(array)),
        table.workload,
        array=table.arrays[array],
        partition_fraction=table.grid.partition_fractions[spare],
        firmware=table.firmware,
    )
    lost, nodes = data_loss(answer, slow.risk), table.grid.nodes
    return Candidate(
        plan=answer,
        nodes=None if nodes is None else nodes_answer(answer, lost, nodes),
        queue=array_queue(answer, queue_depth=requirements.queue_depth),
        data_loss=lost,
        ownership=ownership(answer, terms, slow.risk),
        objective=np.nan,
        life_probability=None,
        met=(),
    )


def _counts(results: Search, cheaper: NDArray[np.bool_]) -> dict[Need, int]:
    """Count the configurations that fall short, by the need that they are furthest from."""
    short = results.need[cheaper & (results.margin < 1)]
    counted = {need: int(np.sum(short == place)) for place, need in enumerate(results.needs)}
    return {need: number for need, number in counted.items() if number}


def _savings(
    slow: Slow, requirements: Requirements, results: Search, terms: Terms, kept: Kept,
    progress: Progress | None,
) -> Iterator[Saving]:  # fmt: skip
    """Relax each requirement by 10 % in turn."""
    best = results.objective.ravel()[results.found[0]] if results.found else None
    for done, (need, needed) in enumerate(requirements.needs.items()):
        if progress is not None:
            progress("relaxed needs", done, len(requirements.needs))
        if need in (Need.RATED, Need.WARRANTY):
            continue  # to be without either is no saving
        relaxed = needed * (1 + RELAXED if need in AT_MOST else 1 - RELAXED)
        if need is Need.LOSS and relaxed >= 1:
            continue
        easier = requirements.relaxed(need, relaxed)
        again = search(slow, easier, results.objective, top=1)
        found = None
        if again.found:
            found = _candidate(slow, easier, again, terms, kept, again.found[0])
        yield Saving(
            need=need,
            needed=needed,
            relaxed=relaxed,
            best=found,
            saving=float(best - found.objective) if best is not None and found else None,
        )
