"""Comparison of the formulas with the reference simulators, over grids of cases."""

from validation.comparison import Case, Outcome, compare, compare_case, quarter
from validation.grid import cases, size_checks

__all__ = ["Case", "Outcome", "cases", "compare", "compare_case", "quarter", "size_checks"]
