"""Arrays of a simulated array and its trials: what each word means. Times are in seconds."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]
Reals = NDArray[np.float64]
Bits = NDArray[np.uint64]
Number = Any  # numba infers the machine type

# Words of Trials.sys: what the array is, and what state the trial is in
(
    CODE, MEMBERS, PARITIES, WEAR_LAW, ANY_WEAK, EXPONENTIAL, LANES, SPARES, TRIAL, DOWN, FAILURES,
    PLANNED, WAITED, LOST, STUCK, SYS,
) = range(16)  # fmt: skip
ALWAYS = -1  # spares: one is always at hand

# Kinds of WEAR_LAW
NO_WEAR, NORMAL, WEIBULL, LOGNORMAL = range(4)

# Words of Trials.real
(
    HORIZON, FAILURE_GAP, WEAR_FIRST, WEAR_SECOND, WEAK_FRACTION, WEAK_SCALE, WEAK_SHAPE, REPLACED,
    REBUILD, UNREADABLE, LEAD, LOST_AT, WAIT, REALS,
) = range(14)  # fmt: skip

# Columns of Trials.member: age at the beginning; when it fails or is replaced in time, infinite
# while it is down; then begin and end of its rebuild and the next sector that cannot be read
AGE, FAILS, REPLACES, BEGINS, ENDS, MEETS, MEMBER = range(7)

# How a trial lost data
NOT, FAILED, UNREADABLE_SECTOR = range(3)


class Trials(NamedTuple):
    """All state of a run."""

    sys: Words
    real: Reals
    bits: Bits
    member: Reals
    lane: Reals  # when each of the rebuilds side by side is free again
    order: Reals  # ring of the last failures, as many as spares
    cause: NDArray[np.int8]  # by trial: how data were lost first
    loss_s: Reals  # by trial: when, or infinite
    failures: NDArray[np.int32]  # by trial
    planned: NDArray[np.int32]  # by trial: members replaced in time
    waited: NDArray[np.int32]  # by trial: failures that found no spare
    wait_s: Reals  # by trial: time that they waited for one
