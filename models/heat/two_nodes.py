r"""Temperatures of a drive over time: two nodes, its controller and its body, in closed form.

Base units: watts, kelvin, seconds. The body is board, flash and case, whose temperature a drive
reports and by which it throttles; the controller is hotter. A share f of the power P heats the
controller, the rest the body, and all of it leaves through the body to air of temperature T_a:

.. math::
    C_c \dot T_c &= f P - (T_c - T_b)/R_l \\
    C_b \dot T_b &= (1 - f) P + (T_c - T_b)/R_l - (T_b - T_a)/R_a

References:
    .. [1] T. L. Bergman et al., "Fundamentals of Heat and Mass Transfer", 7th edition 2011,
       section 5.1 (lumped capacitance) and table 1.1 (coefficients of convection); section 7.2.3
       for the exponent 4/5 of turbulent flow along a plate.
    .. [2] Intel, "Solid-State Drive DC P3700 Series Product Specification", 330566-010US, 2018,
       first page: temperature, airflow, power and weight.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from models import _check
from models.errors import DomainError

Floats = NDArray[np.float64]
FLOW_EXPONENT = 0.8  # of turbulent flow along a plate [1]
_HALVINGS = 80  # of an interval, to the last digit
_ZERO_AFTER = 800.0  # time constants, after which an exponential is 0


class ThermalNodes(NamedTuple):
    """Heat capacities and thermal resistances of a drive.

    Attributes:
        controller_j_per_k: Heat capacity of the controller and what is close to it, C_c. [J/K]
        body_j_per_k: Heat capacity of board, flash, case and heat sink, C_b. [J/K]
        link_k_per_w: Thermal resistance between the two, R_l. [K/W]
        air_k_per_w: Thermal resistance from the body to the air, R_a. [K/W]
        controller_fraction: Share of the power that heats the controller, f in [0, 1]. [1]
    """

    controller_j_per_k: float
    body_j_per_k: float
    link_k_per_w: float
    air_k_per_w: float
    controller_fraction: float


class NodeTemperatures(NamedTuple):
    """Temperatures of the controller and of the body, in kelvin."""

    controller_k: float
    body_k: float


class _Modes(NamedTuple):
    """Rates at which differences of temperature decay, and the matrix A + s I."""

    slow: Floats
    fast: Floats
    to_controller: Floats
    to_body: Floats
    apart: Floats

    def of_controller(self, controller: Floats, body: Floats) -> Floats:
        """Return the row of the controller, of both nodes above their end."""
        return self.apart * controller + self.to_controller * body

    def of_body(self, controller: Floats, body: Floats) -> Floats:
        """Return the row of the body."""
        return self.to_body * controller - self.apart * body


def air_k_per_w(still_k_per_w: float, *, airflow_m_per_s: float, airflow_gain: float) -> float:
    r"""Thermal resistance of a drive to air that moves.

    .. math:: R_a = \frac{R_0}{1 + g\,v^{4/5}}

    Args:
        still_k_per_w: Thermal resistance to still air, R_0. [K/W]
        airflow_m_per_s: Speed of the air along the drive, v. [m/s]
        airflow_gain: Conductance that air at 1 m/s adds, over that in still air, g. [1]

    Returns:
        Thermal resistance to the air. [K/W]

    Raises:
        DomainError: Unless still_k_per_w is > 0 and finite, and the others are >= 0 and finite.

    Notes:
        Valid where still and moving air cool side by side and the air is not warmed by other
        parts; the exponent is that of turbulent flow along a plate. Source: [1]_.

    Examples:
        A 25 W drive that is to stay at 70 C with 450 feet a minute of air at 25 C and with 600 of
        air at 35 C [2]_ needs 1.8 and 1.4 K/W:

        >>> speeds = [450 * 0.3048 / 60, 600 * 0.3048 / 60]
        >>> air_k_per_w(5.0, airflow_m_per_s=speeds, airflow_gain=1.0).round(2)
        array([1.7 , 1.45])
    """
    (still,) = _check.finite(still_k_per_w=still_k_per_w)
    speed, gain = _check.from_zero(airflow_m_per_s=airflow_m_per_s, airflow_gain=airflow_gain)
    return _check.plain(still / (1.0 + gain * np.power(speed, FLOW_EXPONENT)))


def steady_temperatures(power_w: float, *, air_k: float, thermal: ThermalNodes) -> NodeTemperatures:
    r"""Temperatures that a drive reaches after long at one power.

    .. math:: T_b = T_a + P R_a, \quad T_c = T_b + f P R_l

    Args:
        power_w: Power of the drive, P. [W]
        air_k: Temperature of the air around the drive, T_a. [K]
        thermal (ThermalNodes): Heat capacities and thermal resistances of the drive. [1]

    Returns:
        Temperatures of controller and body. [K]

    Raises:
        DomainError: Unless power_w is >= 0 and finite, air_k is > 0 and finite, and the parts of
            thermal are > 0 and finite, its share in [0, 1].

    Notes:
        Valid for constant resistances. Source: steady state of the balance of both nodes, [1]_.

    Examples:
        6 W through 12 K/W, half of it through 8 K/W before:

        >>> thermal = ThermalNodes(2.0, 12.0, 8.0, 12.0, 0.5)
        >>> steady_temperatures(6.0, air_k=300.0, thermal=thermal)
        NodeTemperatures(controller_k=396.0, body_k=372.0)
    """
    (power,) = _check.from_zero(power_w=power_w)
    (air,) = _check.finite(air_k=air_k)
    body = np.asarray(air) + np.multiply(power, _checked(thermal).air_k_per_w)
    above = np.multiply(power, thermal.controller_fraction) * thermal.link_k_per_w
    return _temperatures(body + above, body)


def node_temperatures(
    time_s: float, *, power_w: float, air_k: float, start: NodeTemperatures, thermal: ThermalNodes
) -> NodeTemperatures:
    r"""Temperatures of a drive some time after it changed to one power.

    .. math::
        x(t) = x_\infty + e^{-s t}\left[\cosh(d t)\, I + \tfrac{\sinh(d t)}{d}(A + s I)\right]
        (x_0 - x_\infty), \quad s = -\tfrac{\operatorname{tr} A}{2}, \quad
        d = \sqrt{s^2 - \det A}

    Args:
        time_s: Time at this power, t. [s]
        power_w: Power of the drive, P. [W]
        air_k: Temperature of the air around the drive, T_a. [K]
        start (NodeTemperatures): Temperatures at the start, x_0. [1]
        thermal (ThermalNodes): Heat capacities and thermal resistances of the drive. [1]

    Returns:
        Temperatures of controller and body. [K]

    Raises:
        DomainError: As `steady_temperatures`, and unless time_s is >= 0, and the temperatures of
            start are > 0 and finite.

    Notes:
        Valid for constant power, air and resistances; exact for two nodes. Source: matrix
        exponential of the 2 x 2 system, with real eigenvalues since heat flows one way.

    Examples:
        Half a minute and an hour after 6 W began, from air at 300 K:

        >>> thermal = ThermalNodes(2.0, 12.0, 8.0, 12.0, 0.5)
        >>> cold = NodeTemperatures(300.0, 300.0)
        >>> for seconds in (30.0, 3600.0):
        ...     got = node_temperatures(
        ...         seconds, power_w=6.0, air_k=300.0, start=cold, thermal=thermal)
        ...     print(f"{got.controller_k:.1f} {got.body_k:.1f}")
        325.5 309.8
        396.0 372.0
    """
    (time,) = _check.non_negative(time_s=time_s)
    end = steady_temperatures(power_w, air_k=air_k, thermal=thermal)
    rates, (controller, body) = _modes(thermal), _above(end, start)
    slow, fast = np.exp(-rates.slow * time), np.exp(-rates.fast * time)
    even, odd = (slow + fast) / 2, (slow - fast) / (rates.fast - rates.slow)
    return _temperatures(
        end.controller_k + even * controller + odd * rates.of_controller(controller, body),
        end.body_k + even * body + odd * rates.of_body(controller, body),
    )


def crossing_s(
    limit_k: float, *, power_w: float, air_k: float, start: NodeTemperatures, thermal: ThermalNodes
) -> float:
    r"""Time until the body of a drive at one power first has a temperature, from either side.

    .. math:: t = \min\{\tau \ge 0: T_b(\tau) = T_l\}

    Args:
        limit_k: Temperature of the body, T_l. [K]
        power_w: Power of the drive, P. [W]
        air_k: Temperature of the air around the drive, T_a. [K]
        start (NodeTemperatures): Temperatures at the start. [1]
        thermal (ThermalNodes): Heat capacities and thermal resistances of the drive. [1]

    Returns:
        Time until throttling where the body warms, until it is cool where it cools; inf where it
        never gets there. [s]

    Raises:
        DomainError: As `node_temperatures`, and unless limit_k is > 0 and finite.

    Notes:
        Valid for constant power, air and resistances. Source: the temperature of the body is a sum
        of two exponentials, so it turns once at most; each side of the turn is halved.

    Examples:
        The body reaches 353 K (80 C) from 308 K (35 C), and falls to 318 K at a tenth of the power:

        >>> thermal = ThermalNodes(2.0, 12.0, 8.0, 12.0, 0.5)
        >>> warm, hot = NodeTemperatures(308.0, 308.0), NodeTemperatures(377.0, 353.0)
        >>> round(crossing_s(353.0, power_w=6.0, air_k=308.0, start=warm, thermal=thermal))
        173
        >>> round(crossing_s(318.0, power_w=0.6, air_k=308.0, start=hot, thermal=thermal))
        456
    """
    (limit,) = _check.finite(limit_k=limit_k)
    end = steady_temperatures(power_w, air_k=air_k, thermal=thermal)
    level = np.subtract(limit, end.body_k)
    found = _first_root(*np.broadcast_arrays(level, *_body_parts(end, start, thermal)))
    return _check.plain(np.where(np.equal(limit, start.body_k), 0.0, found))


def turn_s(
    power_w: float, *, air_k: float, start: NodeTemperatures, thermal: ThermalNodes
) -> float:
    r"""Time at which the body of a drive at one power is hottest or coldest, between its ends.

    .. math:: \dot T_b(t) = 0

    Args:
        power_w: Power of the drive. [W]
        air_k: Temperature of the air around the drive, T_a. [K]
        start (NodeTemperatures): Temperatures at the start. [1]
        thermal (ThermalNodes): Heat capacities and thermal resistances of the drive. [1]

    Returns:
        Time; 0 where the body only warms, or only cools. [s]

    Raises:
        DomainError: As `node_temperatures`.

    Notes:
        Valid for constant power, air and resistances. Source: slope of two exponentials.

    Examples:
        A hot controller warms its body for a while after the power has ended:

        >>> thermal = ThermalNodes(2.0, 12.0, 8.0, 12.0, 0.5)
        >>> hot = NodeTemperatures(400.0, 353.0)
        >>> round(turn_s(0.0, air_k=308.0, start=hot, thermal=thermal), 1)
        6.8
    """
    end = steady_temperatures(power_w, air_k=air_k, thermal=thermal)
    return _check.plain(_turn_s(*np.broadcast_arrays(*_body_parts(end, start, thermal))))


def _body_parts(
    end: NodeTemperatures, start: NodeTemperatures, thermal: ThermalNodes
) -> tuple[Floats, ...]:
    """Return a, b, slow and fast of the body above its end, a exp(-slow t) + b exp(-fast t)."""
    rates, (controller, body) = _modes(thermal), _above(end, start)
    odd = rates.of_body(controller, body) / (rates.fast - rates.slow)
    return body / 2 + odd, body / 2 - odd, rates.slow, rates.fast


def _turn_s(a: Floats, b: Floats, slow: Floats, fast: Floats) -> Floats:
    """Return the time > 0 at which a exp(-slow t) + b exp(-fast t) turns; 0 if it never does."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = -b * fast / (a * slow)
        return np.where(ratio > 1, np.log(ratio) / (fast - slow), 0.0)


def _first_root(level: Floats, a: Floats, b: Floats, slow: Floats, fast: Floats) -> Floats:
    """Return the first time at which a exp(-slow t) + b exp(-fast t) is `level`; inf if never."""

    def above(time: Floats) -> Floats:
        return np.asarray(a * np.exp(-slow * time) + b * np.exp(-fast * time) - level)

    turn = _turn_s(a, b, slow, fast)
    far = turn + _ZERO_AFTER / slow
    found = np.full_like(a, np.inf)
    for start, stop in ((np.zeros_like(a), turn), (turn, far)):
        sign = np.sign(above(start))
        crosses = np.isinf(found) & (sign * np.sign(above(stop)) < 0)
        low, high = start, stop
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            is_before = np.sign(above(middle)) == sign
            low, high = np.where(is_before, middle, low), np.where(is_before, high, middle)
        found = np.where(crosses, high, found)
    return found


def _modes(thermal: ThermalNodes) -> _Modes:
    """Return the rates of decay; the slow one by the product of both, so that no digits cancel."""
    controller, body, link, air, _ = (np.asarray(part, float) for part in thermal)
    a, b, c = 1 / (controller * link), 1 / (body * link), 1 / (body * air)
    middle, half = (a + b + c) / 2, np.sqrt(((a - b - c) / 2) ** 2 + a * b)
    return _Modes(a * c / (middle + half), middle + half, a, b, (b + c - a) / 2)


def _above(end: NodeTemperatures, start: NodeTemperatures) -> tuple[Floats, Floats]:
    """Return the differences of both nodes at the start from where they end."""
    if not isinstance(start, NodeTemperatures):
        raise DomainError("start must be NodeTemperatures")
    _check.finite(**start._asdict())
    controller, body = (np.subtract(one, other) for one, other in zip(start, end, strict=True))
    return controller, body


def _checked(thermal: ThermalNodes) -> ThermalNodes:
    """Return the nodes if they are in their domain."""
    *parts, share = thermal._fields
    _check.finite(**{name: getattr(thermal, name) for name in parts})
    _check.fraction(**{share: thermal.controller_fraction})
    return thermal


def _temperatures(controller: object, body: object) -> NodeTemperatures:
    both = np.broadcast_arrays(np.asarray(controller, float), np.asarray(body, float))
    return NodeTemperatures(*(_check.plain(each) for each in both))
