"""Heat: two nodes against a matrix exponential and an integrator, and throttling against both."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from models import heat
from models.errors import DomainError
from models.heat import HeatPhase, NodeTemperatures, ThermalNodes
from models.units import ZERO_CELSIUS_K

AIR = 308.15
COLD = NodeTemperatures(AIR, AIR)
M2 = ThermalNodes(2.0, 12.0, 8.0, 12.0, 0.5)
DRIVES = st.builds(
    ThermalNodes, st.floats(0.2, 20), st.floats(2, 500), st.floats(0.1, 20), st.floats(0.2, 40),
    st.floats(0, 1),
)  # fmt: skip
STARTS = st.builds(NodeTemperatures, st.floats(280, 400), st.floats(280, 380))


def system(drive, power_w):
    """The matrix and the heating of the two balances, written down once more."""
    cc, cb, link, air, share = drive
    matrix = np.array(
        [[-1 / (cc * link), 1 / (cc * link)],
         [1 / (cb * link), -1 / (cb * link) - 1 / (cb * air)]]
    )  # fmt: skip
    heating = np.array([share * power_w / cc, (1 - share) * power_w / cb + AIR / (cb * air)])
    return matrix, heating


@given(DRIVES, STARTS, st.floats(0, 40), st.floats(0, 1e4))
def test_temperatures_are_those_of_the_matrix_exponential(drive, start, power_w, time_s):
    matrix, heating = system(drive, power_w)
    end = -np.linalg.solve(matrix, heating)
    expected = end + expm(matrix * time_s) @ (np.array(start) - end)
    got = heat.node_temperatures(
        time_s, power_w=power_w, air_k=AIR, start=start, thermal=drive
    )  # fmt: skip
    np.testing.assert_allclose(got, expected, rtol=1e-9)
    steady = heat.steady_temperatures(power_w, air_k=AIR, thermal=drive)
    np.testing.assert_allclose(steady, end, rtol=1e-9)


def test_one_node_is_the_textbook_exponential():
    """A controller without mass that is part of its body."""
    drive = ThermalNodes(1e-9, 10.0, 1e-9, 6.0, 0.5)
    for time_s in (1.0, 30.0, 60.0, 600.0):
        got = heat.node_temperatures(time_s, power_w=5.0, air_k=AIR, start=COLD, thermal=drive)
        assert got.body_k == pytest.approx(AIR + 30.0 * (1 - math.exp(-time_s / 60.0)), rel=1e-9)


def test_all_heat_that_goes_in_is_stored_or_leaves():
    time_s = np.linspace(0, 500, 200_001)
    got = heat.node_temperatures(time_s, power_w=6.0, air_k=AIR, start=COLD, thermal=M2)
    out_j = np.trapezoid(np.asarray(got.body_k) - AIR, time_s) / M2.air_k_per_w
    controller, body = (each[-1] - AIR for each in got)
    stored_j = M2.controller_j_per_k * controller + M2.body_j_per_k * body
    assert out_j + stored_j == pytest.approx(6.0 * 500, rel=1e-6)


@given(DRIVES, STARTS, st.floats(0, 40), st.floats(285, 395))
def test_a_crossing_is_the_first_one(drive, start, power_w, limit_k):
    same = {"power_w": power_w, "air_k": AIR, "start": start, "thermal": drive}
    got = heat.crossing_s(limit_k, **same)
    grid = np.append(np.geomspace(1e-3, 1e5, 4000), 1e7)
    course = np.asarray(heat.node_temperatures(grid, **same).body_k) - limit_k
    changes = np.flatnonzero(np.sign(course) != np.sign(start.body_k - limit_k))
    near = np.abs(course) < 1e-6
    if math.isfinite(got):
        reached = heat.node_temperatures(got, **same).body_k
        assert reached == pytest.approx(limit_k, abs=1e-6)
        assert not changes.size or got <= grid[changes[0]] * (1 + 1e-9)
    else:
        assert not changes.size or near[changes[0]]


def test_a_limit_that_is_never_reached_takes_for_ever():
    end = heat.steady_temperatures(6.0, air_k=AIR, thermal=M2).body_k
    same = {"power_w": 6.0, "air_k": AIR, "start": COLD, "thermal": M2}
    assert heat.crossing_s(end + 1, **same) == math.inf
    assert heat.crossing_s(AIR, **same) == 0
    assert heat.crossing_s(end - 1e-3, **same) < 1e4


def test_a_hot_controller_warms_its_body_past_a_limit_before_both_cool():
    hot = NodeTemperatures(400.0, 352.0)
    same = {"power_w": 0.0, "air_k": AIR, "start": hot, "thermal": M2}
    turn = heat.turn_s(0.0, air_k=AIR, start=hot, thermal=M2)
    peak = heat.node_temperatures(turn, **same).body_k
    warming, never = (heat.crossing_s(peak + above, **same) for above in (-0.1, 0.1))
    assert 0 < warming < turn
    assert never == math.inf
    around = [turn * factor for factor in (0.99, 1.0, 1.01)]
    first, top, last = (heat.node_temperatures(time, **same).body_k for time in around)
    assert top > max(first, last)


def integrated(phases, limit_k, resume_k, drive):
    """Temperatures and throttled share of each phase, by an integrator with events."""
    state, throttled, rows = np.array(COLD), False, []
    for length, full, slow in phases:
        time, slow_s = 0.0, 0.0
        while time < length:
            power = slow if throttled else full
            matrix, heating = system(drive, power)
            goal = resume_k if throttled else limit_k

            def reached(_, x, goal=goal):
                return x[1] - goal

            reached.terminal, reached.direction = True, -1 if throttled else 1
            got = solve_ivp(
                lambda _, x, m=matrix, h=heating: m @ x + h, (time, length), state,
                events=reached, rtol=1e-9, atol=1e-9,
            )  # fmt: skip
            slow_s += (got.t[-1] - time) * throttled
            time, state = got.t[-1], got.y[:, -1]
            throttled ^= got.status == 1
        rows.append((*state, slow_s / length))
    return np.array(rows).T


@pytest.mark.parametrize("drive", [M2, ThermalNodes(3.0, 110.0, 2.0, 1.8, 0.6)])
def test_a_course_is_that_of_an_integrator_with_events(drive):
    hot = 45.0 / drive.air_k_per_w  # the power that keeps the body 45 K above the air
    phases = [(300, 1.6 * hot, hot / 3), (120, 0.0, 0.0), (900, 2 * hot, hot / 2), (60, hot, hot)]
    limits = {"limit_k": AIR + 45, "resume_k": AIR + 41}
    got = heat.heat_course(
        [HeatPhase(*phase) for phase in phases], air_k=AIR, start=COLD, thermal=drive, **limits
    )
    controller, body, share = integrated(phases, **limits, drive=drive)
    np.testing.assert_allclose(got.body_k, body, atol=0.02)
    np.testing.assert_allclose(got.controller_k, controller, atol=0.05)
    np.testing.assert_allclose(got.throttled_fraction, share, atol=2e-3)
    assert np.all(got.hottest_k >= np.asarray(got.body_k) - 1e-9)


def test_a_long_phase_is_its_cycles():
    """A year, of which a cycle is counted and not computed, has the share of a day."""
    limits = {"limit_k": 353.0, "resume_k": 348.0}
    day, year = (
        heat.heat_course([HeatPhase(86400.0 * days, 6.0, 2.0)], air_k=AIR, start=COLD,
                         thermal=M2, **limits).throttled_fraction[0]
        for days in (1, 365)
    )  # fmt: skip
    assert year == pytest.approx(day, abs=2e-3)
    sustained = [
        heat.sustained_power_w(6.0, throttled_power_w=2.0, mean_body_k=each, air_k=AIR,
                               air_k_per_w=12.0)
        for each in limits.values()
    ]  # fmt: skip
    least, most = sorted(
        1 - heat.full_speed_fraction(each, full_power_w=6.0, throttled_power_w=2.0)
        for each in sustained
    )
    assert least < year < most


def test_throttling_that_cools_too_little_never_ends():
    phases = [HeatPhase(3600.0, 8.0, 5.0)]
    got = heat.heat_course(phases, air_k=AIR, limit_k=353.0, resume_k=348.0, start=COLD, thermal=M2)
    assert got.throttled_fraction[0] > 0.95
    assert got.hottest_k[0] > 360.0


def test_a_drive_that_starts_too_hot_throttles_at_once():
    got = heat.heat_course(
        [HeatPhase(10.0, 6.0, 1.0)], air_k=AIR, limit_k=350.0, resume_k=330.0,
        start=NodeTemperatures(380.0, 360.0), thermal=M2,
    )  # fmt: skip
    assert got.throttled_fraction[0] == 1


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"resume_k": 353.0}, "resume_k must be below limit_k, got 353"),
        ({"start": (300.0, 300.0)}, "start must be NodeTemperatures"),
        ({"thermal": M2._replace(controller_fraction=1.5)}, "controller_fraction must be in"),
        ({"thermal": M2._replace(body_j_per_k=0.0)}, "body_j_per_k must be > 0"),
        ({"phases": [HeatPhase(-1.0, 6.0, 2.0)]}, "time_s must be >= 0"),
        ({"phases": [HeatPhase(1.0, math.nan, 2.0)]}, "power_w must be >= 0"),
    ],
)
def test_a_course_refuses_what_no_drive_has(changed, words):
    call = {"phases": [HeatPhase(1.0, 6.0, 2.0)], "air_k": AIR, "limit_k": 353.0,
            "resume_k": 348.0, "start": COLD, "thermal": M2} | changed  # fmt: skip
    with pytest.raises(DomainError, match=words):
        heat.heat_course(call.pop("phases"), **call)


def test_airflow_keeps_a_printed_drive_at_its_printed_temperature():
    """P3700: 25 W at 70 C with 450 feet a minute at 25 C, and with 600 at 35 C."""
    for feet, air_c in ((450, 25), (600, 35)):
        resistance = heat.air_k_per_w(5.0, airflow_m_per_s=feet * 0.3048 / 60, airflow_gain=1.0)
        body_c = air_c + 25 * resistance
        assert body_c == pytest.approx(70, abs=3)


def test_the_970_pro_throttles_to_three_quarters_about_where_it_was_measured():
    """6.2 W of PS0, 80 C after 150 s without a fan, then 1.5 of 2 GB/s; air of a case, 35 C."""
    wait = heat.crossing_s(80 + ZERO_CELSIUS_K, power_w=6.2, air_k=AIR, start=COLD, thermal=M2)
    assert 75 < wait < 300
