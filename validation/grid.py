"""The grid of cases, and the cases that are repeated on smaller drives."""

from collections.abc import Sequence

from validation.comparison import Case
from validation.layouts import layout_cases
from validation.policies import policy_cases
from validation.skews import skew_cases

# The smallest spare area of each group, where a block more or less weighs most.
SIZE_CHECKS = {
    "greedy, uniform": ("b = 64, p = 0.05", "b = 256, p = 0.05"),
    "fifo, uniform": ("b = 256, p = 0.05",),
    "random, uniform": ("b = 16, p = 0.05",),
    "d-choices, uniform": ("d = 10, b = 256, p = 0.05",),
    "two temperatures, exact chain": (
        "90/10, b = 256, p = 0.28", "95/5, b = 256, p = 0.07",
    ),
    "skew, linear noise": ("three classes, b = 256, p = 0.07",),
    "Zipf, linear noise": ("s = 0.99, b = 256, p = 0.07", "s = 1.2, b = 256, p = 0.07"),
    "streams with mistakes": ("90/10, 5 % wrong, b = 128, p = 0.07",),
    "TRIM": ("uniform, q = 0.05, b = 128, p = 0.07",),
    "static data laid in sequence": ("50 % rewritten, b = 64, p = 0.07",),
}  # fmt: skip


def cases(*, quick: bool = False) -> list[Case]:
    """Return the grid; `quick` is a part of it on smaller drives with wider bounds."""
    groups = (policy_cases, skew_cases, layout_cases)
    return [case for group in groups for case in group(quick)]


def size_checks(grid: Sequence[Case]) -> list[Case]:
    """Return the cases for the effect of the drive's size: those of the smallest spare areas."""
    return [case for case in grid if case.label in SIZE_CHECKS.get(case.group, ())]
