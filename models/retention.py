"""Retention: how long a drive without power keeps its data, and the flash writes of refresh.

Temperatures in kelvin, activation energy in electronvolt, times in seconds. Charge leaks
faster from warm cells, by Arrhenius' law, and from worn ones. `models.rating_class` holds the
requirements of the standard at the end of the rated endurance.

References:
    .. [1] S. Arrhenius, 1889; acceleration factor and its use for flash as in JEDEC JESD22-A117,
       "EEPROM Program/Erase Endurance and Data Retention Stress Test".
    .. [2] Curtiss-Wright, "The Effects of Extended Temperatures on Flash Endurance and Data
       Retention": one year at 30 C, 500 hours at 52 C and 96 hours at 66 C for the client class of
       JESD218.
    .. [3] A. Cox, JEDEC presentation on JESD218, as reported by gearmedia.net 2015: 105 weeks at 25
       C and 52 weeks at 30 C of storage.
    .. [4] CODATA: k = 8.617333e-5 eV/K.
"""

import numpy as np

from models import _check

_BOLTZMANN_EV_PER_K = 8.617333262e-5


def acceleration_factor(
    temperature_k: float, *, reference_k: float, activation_ev: float = 1.1
) -> float:
    r"""Factor by which charge leaks faster at one temperature than at another.

    .. math:: a = \exp\left(\frac{E_a}{k} \left(\frac{1}{T_r} - \frac{1}{T}\right)\right)

    Args:
        temperature_k: Temperature at which retention is computed, T. [K]
        reference_k: Temperature to compare with, T_r. [K]
        activation_ev: Activation energy of the loss of charge, E_a; 1.1 reproduces [2]_ and [3]_.
            [eV]

    Returns:
        Factor; above 1 where the temperature is higher than the reference. [1]

    Raises:
        DomainError: Unless every argument is > 0 and finite.

    Notes:
        Valid for one mechanism of loss over the temperatures of storage, 0 to 70 C; within 5 % of
        the published times. Source: [1]_, with k of [4]_.

    Examples:
        From 30 to 52 C; one year over 500 hours [2]_ is 17.5:

        >>> print(f"{acceleration_factor(325.15, reference_k=303.15):.1f}")
        17.3
    """
    temperature_k, reference_k, activation_ev = _check.finite(
        temperature_k=temperature_k, reference_k=reference_k, activation_ev=activation_ev
    )
    colder = 1 / np.asarray(reference_k) - 1 / np.asarray(temperature_k)
    with np.errstate(over="ignore"):
        return _check.plain(np.exp(activation_ev / _BOLTZMANN_EV_PER_K * colder))


def retention_s(
    rated_retention_s: float,
    *,
    temperature_k: float,
    reference_k: float,
    wear_ratio: float = 1.0,
    wear_exponent: float = 1.0,
    activation_ev: float = 1.1,
) -> float:
    r"""Time for which a drive without power keeps its data.

    .. math:: t = \frac{t_r}{a(T, T_r)} \, w^{-g}

    Args:
        rated_retention_s: Retention at the reference temperature after the rated cycles, t_r. [s]
        temperature_k: Temperature of storage, T. [K]
        reference_k: Temperature of the rating, T_r. [K]
        wear_ratio: Cycles spent over rated cycles, w; may exceed 1. [1]
        wear_exponent: Power by which wear shortens retention, g; 1 to 2 by hearsay, no published
            value. [1]
        activation_ev: Activation energy of the loss of charge. [eV]

    Returns:
        Time until errors exceed what the rating allows. [s]

    Raises:
        DomainError: Unless every argument is > 0 and finite.

    Notes:
        Valid at w = 1 within 5 % of the published times; elsewhere an estimate that hangs on the
        exponent. Source: [1]_ for temperature; the power law of wear is an assumption.

    Examples:
        Three months at 40 C after the rated cycles, stored at 66 C, in hours; published: 96 [2]_:

        >>> kept_s = retention_s(91.25 * 86400, temperature_k=339.15, reference_k=313.15)
        >>> print(f"{kept_s / 3600:.1f}")
        96.2
    """
    faster = acceleration_factor(
        temperature_k, reference_k=reference_k, activation_ev=activation_ev
    )
    rated_retention_s, wear_ratio, wear_exponent = _check.finite(
        rated_retention_s=rated_retention_s, wear_ratio=wear_ratio, wear_exponent=wear_exponent
    )
    with np.errstate(divide="ignore", over="ignore"):  # near absolute zero data stay for ever
        rated_s = np.divide(rated_retention_s, faster)
        return _check.plain(rated_s / np.asarray(wear_ratio) ** wear_exponent)


def refresh_bytes_per_s(valid_bytes: float, *, refresh_s: float) -> float:
    r"""Flash writes of a drive that rewrites all its data from time to time.

    .. math:: \lambda_f = V / t_f

    Args:
        valid_bytes: Data on the drive, V. [bytes]
        refresh_s: Time from one rewriting of a page to the next, t_f; below the retention time. [s]

    Returns:
        Flash bytes per second, beside those of the host. [bytes/s]

    Raises:
        DomainError: Unless both are > 0.

    Notes:
        Valid for data that the host never rewrites, and an upper bound for the rest: rewriting them
        starts their time anew. Source: definition.

    Examples:
        400 GB once a month are 13 GB a day:

        >>> print(f"{refresh_bytes_per_s(400e9, refresh_s=30 * 86400) * 86400 / 1e9:.1f}")
        13.3
    """
    valid_bytes, refresh_s = _check.positive(valid_bytes=valid_bytes, refresh_s=refresh_s)
    return valid_bytes / refresh_s
