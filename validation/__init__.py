"""Formulas against the reference simulator: the grid and the comparison."""

from validation.comparison import Case, Outcome, compare, compared, quarter
from validation.grid import cases, size_checks

__all__ = ["Case", "Outcome", "cases", "compare", "compared", "quarter", "size_checks"]
