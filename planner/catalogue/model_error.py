"""Errors of computed quantities on drives that no constant was fitted to: `model_error.csv`."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from models.errors import DomainError
from models.model_error import FamilyError, known_family
from planner.catalogue.rows import data_folder

PRIOR_FAMILIES = 3  # that the expected spread between families is worth


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelError:
    """Error of a computed quantity, as logarithms of a factor on what is computed.

    Attributes:
        middle: Logarithm of measured over computed in the middle.
        half: Half width of the range of 90 % around it.
        between: Standard deviation between families.
        within: Standard deviation within a family.
        families: Number of families behind it.
        cases: Number of measured numbers behind it.
        facts_inside: Facts whose spread it holds already, since the measured drives lacked them.
        source: Files that it was computed from.
    """

    middle: float
    half: float
    between: float
    within: float
    families: int
    cases: int
    facts_inside: frozenset[str]
    source: str


def model_error(quantity: str, regime: str = "", kind: str = "") -> ModelError:
    """Return the error of a quantity on a drive of a family that was not measured.

    Of write amplification it is on the scale ln(WA - 1 + 0.03); in the regime "skew" the half width
    is a factor on the logarithm of high over low of the placements, at least 0.05.

    >>> rating = model_error("rated_limit_bytes", kind="enterprise")
    >>> rating.families, "field_copy_ratio" in rating.facts_inside
    (4, True)
    """
    try:
        return _rows()[quantity, kind, regime]
    except KeyError:
        name = ", ".join(part for part in (quantity, kind, regime) if part)
        raise DomainError(f"quantity must be one whose error was measured, got {name}") from None


def of_family(error: ModelError, own_errors: Sequence[float], *, unit_sd: float) -> ModelError:
    """Return the error where the family in hand, or the drive itself, was measured.

    >>> unknown = model_error("folded_write_bytes_per_s")
    >>> own = of_family(unknown, [0.5], unit_sd=0.12)
    >>> unknown.middle < own.middle < 0.5, own.half < unknown.half
    (True, True)
    """
    known = known_family(
        FamilyError(
            error.middle, error.half, error.between, error.within,
            float(PRIOR_FAMILIES + error.families - 1),
        ),
        own_errors=own_errors, unit_sd=unit_sd,
    )  # fmt: skip
    return replace(error, middle=known.middle, half=known.half, between=known.between)


@cache
def _rows() -> dict[tuple[str, str, str], ModelError]:
    with (data_folder() / "model_error.csv").open(encoding="utf-8", newline="") as lines:
        return {
            (row["quantity"], row["class"], row["regime"]): ModelError(
                middle=float(row["middle"]), half=float(row["half"]),
                between=float(row["between"]), within=float(row["within"]),
                families=int(row["families"]), cases=int(row["cases"]),
                facts_inside=frozenset(row["facts_inside"].split()), source=row["source"],
            )
            for row in csv.DictReader(lines)
        }  # fmt: skip
