"""Spare area in the three definitions in use, side by side."""

from models import spare_area


def spare_text(op_ratio: float) -> str:
    """Write spare area over user capacity, over raw flash, and nominal (GiB sold as GB).

    >>> spare_text(0.3744)
    'spare area 37.4 % of the data (spare / user), 27.2 % of the flash (spare / raw), 28 % nominal'
    """
    ratio, fraction, nominal = (
        f"{100 * share:.3g} %"
        for share in (
            op_ratio, spare_area.spare_fraction_from_op_ratio(op_ratio),
            spare_area.op_nominal_from_op_ratio(op_ratio),
        )
    )  # fmt: skip
    return (
        f"spare area {ratio} of the data (spare / user), {fraction} of the flash (spare / raw), "
        f"{nominal} nominal"
    )
