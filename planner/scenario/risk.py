"""Inputs on failures, wear-out and rebuilds."""

from dataclasses import dataclass

from models import _check
from models.units import YEAR_S
from planner.catalogue.priors_failures import SPREAD

MOST_SPREAD = 0.15
ROOM_K = 298.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk:
    """Inputs on failures; None means the value of the catalogue, or a labelled assumption.

    `afr_fraction` is the annual failure rate, `uber` the unreadable sectors per bit read, `life_cv`
    the coefficient of variation of the drives' life, `replaced_fraction` the share of the mean life
    at which drives are replaced as a precaution, `stagger_s` the time between putting one drive and
    the next into service, `temperature_k` that at which a drive lies without power.
    """

    horizon_s: float = 5 * YEAR_S
    afr_fraction: float | None = None
    uber: float | None = None
    rebuild_s: float | None = None
    life_cv: float = SPREAD
    replaced_fraction: float | None = None
    stagger_s: float = 0.0
    temperature_k: float = ROOM_K

    def __post_init__(self) -> None:
        """Refuse a field outside its range, by name."""
        _check.finite(horizon_s=self.horizon_s)
        _check.require(0 < self.life_cv <= MOST_SPREAD, "life_cv", f"in (0, {MOST_SPREAD}]",
                       self.life_cv)  # fmt: skip
        _check.non_negative(stagger_s=self.stagger_s)
        _check.finite(temperature_k=self.temperature_k)
        if self.afr_fraction is not None:
            _check.require(0 <= self.afr_fraction < 1, "afr_fraction", "in [0, 1)",
                           self.afr_fraction)  # fmt: skip
        if self.uber is not None:
            _check.fraction(uber=self.uber)
        if self.rebuild_s is not None:
            _check.finite(rebuild_s=self.rebuild_s)
        if self.replaced_fraction is not None:
            _check.finite(replaced_fraction=self.replaced_fraction)
