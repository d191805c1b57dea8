"""Whether values that no formula follows still hold: the inputs beside them as exported."""

from collections.abc import Iterable

UP_TO_DATE, OUT_OF_DATE = "as exported", "out of date"
EXPORT_AGAIN = "export again"
_MOST = 30  # arguments of a function in the oldest programs
_SAME = 1e-9  # a spreadsheet program computes what was exported to this, of one


def is_same(cell: str, value: float | None) -> str:
    """Return the condition that a cell holds what it held as exported; None is an empty one.

    >>> is_same("C5", 2.0)
    'IF(ISNUMBER(C5),ABS(C5-2.0)<=2e-09,FALSE)'
    """
    if value is None:
        return f'{cell}=""'
    return f"IF(ISNUMBER({cell}),ABS({cell}-{value!r})<={_SAME * abs(value)!r},FALSE)"


def all_of(conditions: Iterable[str]) -> str:
    """Return the condition that every one of some holds.

    >>> all_of(["A1=1", "A2=2", "A1=1"])
    'AND(AND(A1=1,A2=2))'
    """
    each = list(dict.fromkeys(conditions)) or ["TRUE"]
    groups = [",".join(each[start : start + _MOST]) for start in range(0, len(each), _MOST)]
    return "AND({})".format(",".join(f"AND({group})" for group in groups))
