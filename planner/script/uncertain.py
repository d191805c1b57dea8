"""`uncertainty` and `least_regret` for scripts: plans whose inputs are not known exactly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue.drive import Drive
from planner.catalogue.priors import supply
from planner.graph.number import Number
from planner.quantity.drive_facts import FACTS_USED
from planner.quantity.inputs import FACTS, INPUTS, PLAN, stated
from planner.script.inputs import (
    application_of,
    base_of,
    check_names,
    drives_of,
    planned,
    texts_of,
    written,
)
from planner.script.plans import FIRST_OF, key_of
from planner.script.typed_inputs import PlanInputs
from planner.search.uncertainty import (
    LIFE,
    Distribution,
    Uncertain,
    least_regret_by,
    parse_correlation,
    parse_inputs,
    sobol_shares,
    tornado,
)
from planner.search.uncertainty import uncertainty as _uncertainty
from planner.search.uncertainty.inputs import assumed_inputs, is_fact, with_stated
from planner.sections.plan import PlanReading
from planner.sections.prices import PRICED
from planner.sections.request import level_of

if TYPE_CHECKING:
    import pandas as pd

Ranges = Mapping[str, str]
Correlations = Mapping[tuple[str, str], float]
SHOWN = (
    LIFE, "wear_life_s", "rated_life_s", "workload_wa", "budget_iops", "usable_bytes",
    "price_per_written_byte",
)  # fmt: skip
MAY_VARY = (*(name for name, row in INPUTS.items() if row.may_vary), *FACTS_USED)


@dataclass(frozen=True, eq=False, repr=False)
class Uncertainty:
    """A plan whose inputs are not known exactly: quantiles, probabilities, and what matters.

    `record` are the samples as used inside the planner, `question` the arguments that they answer.
    """

    record: Uncertain
    question: Mapping[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the question: the same draws answer it."""
        return partial(uncertainty, **self.question), ()

    def __getitem__(self, key: str) -> Number:
        """Return a number of the plan: its median, between the 10 % and the 90 % point."""
        spread = self.record.spread(_key(key))
        lacking = {name: supply(name) for name in spread.lacking}
        low, middle, high = (spread.quantiles[chance] for chance in (0.1, 0.5, 0.9))
        return Number(middle, spread.key, between=(low, high), lacking=lacking)

    @property
    def life(self) -> Number:
        """Life by endurance: its median, between the 10 % and the 90 % point."""
        return self[LIFE]

    def chance(self, key: str, *, at_least: Any) -> Number:
        """Return the probability that a number of the plan is at least so large."""
        key = _key(key)
        found = self.record.chance(key, at_least=base_of("at_least", key, at_least))
        lacking = {name: supply(name) for name in found.lacking}
        return Number(found.value, "reached_probability", lacking=lacking)

    def samples(self, key: str = "life") -> "np.ndarray[Any, Any]":
        """Return a number of the plan in every sample, in base units."""
        return self.record.values(_key(key))

    def quantiles(self, *keys: str) -> "pd.DataFrame":
        """Return the quantiles of numbers of the plan, a row each, in the units that they print."""
        import pandas as pd  # noqa: PLC0415 - few questions need it

        spreads = [self.record.spread(_key(key)) for key in keys or SHOWN]
        rows = []
        for spread in spreads:
            points = {
                f"{chance:g}": Number(v, spread.key) for chance, v in spread.quantiles.items()
            }
            unit = Number(0.0, spread.key)
            rows.append(
                {"label": unit.label, "unit": unit.unit}
                | {chance: float(number) for chance, number in points.items()}
            )
        return pd.DataFrame(rows, index=pd.Index([each.key for each in spreads], name="key"))

    def inputs(self) -> "pd.DataFrame":
        """Return the uncertain inputs, the strongest first, with the effect of each on the life.

        `life_from` and `life_to` come of the 10 % and the 90 % point of an input, the others at
        their medians; `variance` is its share of the variance of life.
        """
        import pandas as pd  # noqa: PLC0415 - few questions need it

        shares = {share.name: share.first for share in sobol_shares(self.record)}
        swings = tornado(self.record)
        rows = [
            {
                "from": float(Number(swing.low, swing.name)),
                "to": float(Number(swing.high, swing.name)),
                "unit": Number(0.0, swing.name).unit,
                "life_from": float(Number(swing.at_low, LIFE)),
                "life_to": float(Number(swing.at_high, LIFE)),
                "variance": shares.get(swing.name),
            }
            for swing in swings
        ]
        return pd.DataFrame(rows, index=pd.Index([each.name for each in swings], name="input"))

    @property
    def limits(self) -> dict[str, float]:
        """Share of the samples in which each limit of life is reached first."""
        return {str(limit): share for limit, share in self.record.binding.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on uncertainty that the samples leave out."""
        return self.record.notes

    def __repr__(self) -> str:
        return f"{self.record.base.drive.name}: life by endurance {self.life!r}"


def uncertainty(
    drive: Drive | str | None = None,
    uncertain: Ranges | None = None,
    *,
    correlate: Correlations | None = None,
    samples: int = 1024,
    seed: int = 0,
    assumed: bool = False,
    **inputs: Unpack[PlanInputs],
) -> Uncertainty:
    """Plan a drive whose inputs are not known exactly: `uncertain` has the range of each.

    A range is LOW..MID..HIGH (10 %, 50 % and 90 % points), lognormal(MEDIAN, SIGMA), normal(MEAN,
    SD), uniform(LOW, HIGH), triangular or pert(LOW, MODE, HIGH). What is assumed of the drive is
    drawn from its range, unless `known_only=True` leaves it out or `assumed=True` takes it at its
    typical figure. `correlate` says how two inputs go together: {("writes", "fill"): 0.5}. All
    other inputs are those of a plan.

    >>> known = uncertainty("840 EVO 250", {"writes": "30..50..90 GiB/day"})
    >>> known.life
    3.142 years (1.603 to 5.674)
    >>> known.chance("life", at_least="3 years").label
    'Probability that it is reached'
    """
    samples, seed = _whole("samples", samples), _whole("seed", seed)
    plan, level = _plan(drive, {"assumed": assumed, **inputs})
    shared = _ranges(uncertain, plan)
    plan = with_stated(plan, shared)
    own = assumed_inputs(plan) if level == "cautious" else {}
    if not shared and not own:
        raise DomainError('uncertain must name an input: {"writes": "30..50..90 GiB/day"}')
    question = {
        "drive": drive, "uncertain": uncertain, "correlate": correlate, "samples": samples,
        "seed": seed, "assumed": assumed, **inputs,
    }  # fmt: skip
    correlations = _correlations(correlate)
    return Uncertainty(
        _uncertainty(plan, own | shared, samples=samples, seed=seed, correlations=correlations),
        question,
    )


def least_regret(
    drives: Iterable[Drive | str],
    /,
    uncertain: Ranges | None = None,
    *,
    years: float | str = "5 years",
    correlate: Correlations | None = None,
    samples: int = 1024,
    seed: int = 0,
    assumed: bool = False,
    **inputs: Unpack[PlanInputs],
) -> "pd.DataFrame":
    """Compare drives whose inputs are uncertain, in order of regret.

    Regret is what a choice costs beyond the best in hindsight: USD per year of service where every
    price is known, else years that life by endurance lacks to `years`; `attrs["units"]` says which.

    >>> frame = least_regret(["870 EVO 1TB", "840 EVO 250"], {"writes": "20..40..80 GB/day"})
    >>> frame.index[0], frame.attrs["units"]["regret"]
    ('Samsung 840 EVO 250 GB', 'USD/year')
    """
    import pandas as pd  # noqa: PLC0415 - few questions need it

    samples, seed = _whole("samples", samples), _whole("seed", seed)
    planned = [_plan(each, {"assumed": assumed, **inputs}) for each in drives_of(drives)]
    if not planned:
        raise DomainError("drives must name at least one drive")
    shared = _ranges(uncertain, planned[0][0])
    for name in filter(is_fact, shared):
        raise DomainError(f"uncertain {name} is of one drive: leave it out where drives compare")
    plans = [with_stated(plan, shared) for plan, _ in planned]
    own = [assumed_inputs(plan) if planned[0][1] == "cautious" else {} for plan in plans]
    (horizon_s,) = stated({"years": written("years", years)}, ["years"]).values()
    objective, found = least_regret_by(
        plans, shared, horizon_s, own=own, samples=samples, seed=seed,
        correlations=_correlations(correlate),
    )  # fmt: skip
    if not objective:
        raise DomainError(f"drives cannot be compared without {', '.join(found[0].lacking)}")
    key = "equivalent_usd_per_year" if objective == "usd_per_service_year" else LIFE
    rows = [
        {"mean": float(Number(one.mean, key)), "regret": float(Number(one.expected, key)),
         "worst_regret": float(Number(one.worst, key)), "best": one.best}
        for one in found
    ]  # fmt: skip
    frame = pd.DataFrame(rows, index=pd.Index([one.plan.drive.name for one in found], name="drive"))
    frame.attrs["units"] = dict.fromkeys(("mean", "regret", "worst_regret"), Number(0, key).unit)
    return frame


def _plan(drive: Drive | str | None, inputs: Mapping[str, Any]) -> tuple[PlanReading, Any]:
    """Return the plan and the level (end or typical) at which its assumed facts are read."""
    _, stated_inputs = application_of(inputs, drive)
    texts = texts_of(stated_inputs, (*PLAN, *FACTS, *PRICED, "assumed"), "uncertainty")
    level = level_of(texts)
    of_plan = {name: each for name, each in texts.items() if name != "assumed"}
    return planned(drive, of_plan), level


def _whole(name: str, value: float) -> int:
    if not isinstance(value, int | float | np.integer) or value % 1 or value < 0:
        raise DomainError(f"{name} must be a whole number from 0, got {value!r}")
    return int(value)


def _ranges(uncertain: Ranges | None, plan: PlanReading) -> dict[str, Distribution]:
    """Read the ranges of uncertain inputs; a complaint names the input as it was given."""
    stated_ranges = uncertain or {}
    if not isinstance(stated_ranges, Mapping):
        raise DomainError(
            'uncertain must be ranges by input: {"writes": "30..50..90 GiB/day"}, '
            f"got {uncertain!r}"
        )
    check_names(stated_ranges, MAY_VARY, "uncertainty")
    for name, text in stated_ranges.items():
        if not isinstance(text, str):
            raise DomainError(f"{name} must be a text such as '30..50..90 GiB/day', got {text!r}")
        try:
            parse_inputs([f"{name}={text}"], plan)
        except DomainError as error:
            field = INPUTS[name].field if name in INPUTS else name
            why = str(error).removeprefix(f"{field} ").removeprefix(f"{name} ")
            raise DomainError(f"{name} {why}") from None
    return parse_inputs([f"{name}={text}" for name, text in stated_ranges.items()], plan)


def _correlations(pairs: Correlations | None) -> dict[tuple[str, str], float]:
    stated_pairs = pairs or {}
    if not isinstance(stated_pairs, Mapping) or any(isinstance(pair, str) for pair in stated_pairs):
        raise DomainError(
            f'correlate must be numbers by pairs: {{("writes", "fill"): 0.5}}, got {pairs!r}'
        )
    texts = (f"{','.join(pair)}={number!r}" for pair, number in stated_pairs.items())
    return dict(map(parse_correlation, texts))


def _key(name: str) -> str:
    """Return the key of a number by its name on a plan; life is that by endurance."""
    key = key_of(name)
    if key not in QUANTITIES:
        near = get_close_matches(name, [*QUANTITIES], n=3)
        raise KeyError(f"a plan has no {name!r}{f'; {near} are near' if near else ''}")
    return LIFE if key in FIRST_OF else key
