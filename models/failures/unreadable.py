"""Unreadable sectors: the probability of an unrecoverable read error.

Base units: bytes, seconds, errors per drive and second; probabilities. Data sheets give errors per
bit read (UBER); field studies find errors that do not depend on how much is read, and count drives
with errors per year: both are here. At the UBER of SSDs the complement of a probability rounds to
1, so that logarithms of values near 1 are used.

References:
    .. [1] JEDEC JESD218B, "Solid-State Drive (SSD) Requirements and Endurance Test Method", 2016:
       uncorrectable bit error rate, data errors per bit read; 1e-15 for client drives, 1e-16 for
       enterprise drives.
    .. [2] B. Schroeder, R. Lagisetty, A. Merchant, "Flash Reliability in Production: The Expected
       and the Unexpected", FAST 2016: uncorrectable errors do not follow the number of reads.
"""

import numpy as np

from models import _check

_BITS = 8.0
_FEW = 1e-3  # below which a mean over the interval is a series


def unreadable_probability(read_bytes: float, *, uber: float) -> float:
    r"""Probability that a read of a number of bytes meets an unreadable sector.

    .. math:: h = 1 - (1 - \mathrm{UBER})^{8 B}

    Args:
        read_bytes: Bytes read: for a rebuild, all of the members left that it reads, B. [bytes]
        uber: Data errors per bit read, as specified, in [0, 1]. [1]

    Returns:
        Probability, accurate for the smallest UBER too. [1]

    Raises:
        DomainError: Unless read_bytes >= 0 and uber is in [0, 1].

    Notes:
        Valid for errors that fall on bits independently: an upper bound where they come in bunches.
        The specified UBER is a limit, not a mean. Source: [1]_.

    Examples:
        Rebuilds of RAID 5 of eight drives of 3.84 TB, by class of UBER:

        >>> h = unreadable_probability(7 * 3.84e12, uber=[1e-15, 1e-16, 1e-17])
        >>> print(" ".join(f"{100 * p:.2g} %" for p in h))
        19 % 2.1 % 0.21 %
    """
    (read_bytes,) = _check.non_negative(read_bytes=read_bytes)
    (uber,) = _check.fraction(uber=uber)
    with np.errstate(divide="ignore", invalid="ignore"):
        met = -_BITS * np.asarray(read_bytes) * np.log1p(-np.asarray(uber))
    return _check.plain(-np.expm1(-np.where(np.equal(read_bytes, 0), 0.0, met)))


def latent_probability(exposed_s: float, *, unreadable_per_s: float, members: float) -> float:
    r"""Probability that drives hold an undetected unreadable sector.

    .. math:: h = 1 - e^{-n \epsilon t}

    Args:
        exposed_s: Time since every sector was last read and repaired, t. [s]
        unreadable_per_s: Unreadable sectors that appear per drive and second, epsilon. [1/s]
        members: Drives that have to be read, n. [1]

    Returns:
        Probability, accurate for the smallest rates too. [1]

    Raises:
        DomainError: Unless exposed_s and unreadable_per_s are >= 0 and members is a whole number >=
            1.

    Notes:
        Valid for errors that appear with time, whatever is read [2]_. Source: Poisson arrivals.

    Examples:
        Every tenth drive has an error in four years; seven drives, never read in full for a year:

        >>> rate = 0.105 / (4 * 31_536_000)
        >>> print(f"{latent_probability(31_536_000, unreadable_per_s=rate, members=7):.2f}")
        0.17
    """
    exposed_s, unreadable_per_s = _check.non_negative(
        exposed_s=exposed_s, unreadable_per_s=unreadable_per_s
    )
    (members,) = _check.count(members=members)
    return _check.plain(-np.expm1(-np.multiply(members, unreadable_per_s) * exposed_s))


def scrubbed_latent_probability(
    scrub_s: float, *, unreadable_per_s: float, members: float
) -> float:
    r"""Probability of an undetected unreadable sector, with regular scrubbing.

    .. math:: h = 1 - \frac{1 - e^{-x}}{x}, \quad x = n \epsilon T

    Args:
        scrub_s: Time from one reading of every sector (scrub) to the next, T. [s]
        unreadable_per_s: Unreadable sectors that appear per drive and second, epsilon. [1/s]
        members: Drives that have to be read, n. [1]

    Returns:
        Probability at a random moment between two scrubs, accurate for the smallest rates too. [1]

    Raises:
        DomainError: Unless scrub_s and unreadable_per_s are >= 0 and members is a whole number >=
            1.

    Notes:
        Valid for drives that are read in step. Source: mean of `latent_probability` over the
        interval.

    Examples:
        The drives of `latent_probability`, read in full every month:

        >>> rate = 0.105 / (4 * 31_536_000)
        >>> h = scrubbed_latent_probability(30 * 86_400, unreadable_per_s=rate, members=7)
        >>> print(f"{h:.4f}")
        0.0075
    """
    scrub_s, unreadable_per_s = _check.non_negative(
        scrub_s=scrub_s, unreadable_per_s=unreadable_per_s
    )
    (members,) = _check.count(members=members)
    met = np.multiply(members, unreadable_per_s) * scrub_s
    few = met < _FEW
    some = np.where(few, 1.0, met)
    series = met / 2 * (1 - met / 3 * (1 - met / 4 * (1 - met / 5)))
    return _check.plain(np.where(few, series, 1 + np.expm1(-some) / some))
