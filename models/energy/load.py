"""Load of one drive of an array.

Base units: bytes, seconds, operations per second.
"""

import numpy as np

from models import _check


def mean_iops(written_bytes: float, *, time_s: float, transfer_bytes: float) -> float:
    r"""Mean operations per second that move a given number of bytes.

    .. math:: X = \frac{W}{t s}

    Args:
        written_bytes: Bytes moved in the time, W. [bytes]
        time_s: Time, t. [s]
        transfer_bytes: Size of one operation, s. [bytes]

    Returns:
        Operations per second; 0 if nothing is moved, inf if anything is in no time. [1/s]

    Raises:
        DomainError: Unless written_bytes and time_s are >= 0 and transfer_bytes is > 0.

    Notes:
        Valid for operations of one size; exact. Source: definition.

    Examples:
        >>> mean_iops(4096e6, time_s=1000, transfer_bytes=4096)
        1000.0
    """
    written, time = _check.non_negative(written_bytes=written_bytes, time_s=time_s)
    (size,) = _check.positive(transfer_bytes=transfer_bytes)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.divide(written, time) / size
    return _check.plain(np.where(np.greater(written, 0), rate, 0.0))


def member_read_iops(
    write_iops: float, *, read_fraction: float, reads_per_write: float, writes_per_write: float
) -> float:
    r"""Rate of reads of one drive, those of the host and those for parity.

    .. math:: X_r = \frac{X_w}{w} \left(\frac{f}{1 - f} + r\right)

    Args:
        write_iops: Writes per second of one drive, parity and copies included, X_w. [1/s]
        read_fraction: Share of host operations that are reads, f in [0, 1]. [1]
        reads_per_write: Reads of drives per host write, for parity, r. [1]
        writes_per_write: Writes to drives per host write, w. [1]

    Returns:
        Reads per second; inf where the host only reads. [1/s]

    Raises:
        DomainError: Unless write_iops and reads_per_write are >= 0, read_fraction is in [0, 1] and
            writes_per_write > 0.

    Notes:
        Valid for a load that is spread evenly over the drives. Source: host operations by their
        shares.

    Examples:
        Half of the operations are reads, RAID 5 reads and writes two for each write:

        >>> member_read_iops(1000, read_fraction=0.5, reads_per_write=2, writes_per_write=2)
        1500.0
    """
    writes, parity = _check.non_negative(write_iops=write_iops, reads_per_write=reads_per_write)
    (reads,) = _check.fraction(read_fraction=read_fraction)
    (each,) = _check.positive(writes_per_write=writes_per_write)
    of_writes = np.subtract(1.0, reads)
    per_write = np.divide(reads, np.where(of_writes > 0, of_writes, 1.0))
    found = np.where(of_writes > 0, writes / each * (per_write + parity), np.inf)
    return _check.plain(found)
