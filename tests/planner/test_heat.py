"""Heat, idle states and energy of drives: measured cases, wiring, ranges and refusals."""

import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

import planner as ssd
from models import energy, heat
from models.errors import DomainError
from models.units import ZERO_CELSIUS_K
from planner.catalogue import find
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors import with_assumptions
from planner.catalogue.priors_heat import FORMS, DrivePlace, form_of, thermal_assumptions
from planner.cli import cli
from planner.quantity.cooling import PLACES, Cooling, parse_cooling
from planner.sections.heat import Surroundings, course, draws, heat_of
from tests import power_page

CLIENT = frozenset({"client", "NVMe"})


@pytest.fixture(scope="module")
def found(catalogue):
    """Energy and heat of a drive by name."""

    def of(name, **surroundings):
        return heat_of(with_assumptions(find(catalogue, name)), Surroundings(**surroundings))

    return of


def test_every_form_place_and_kind_has_each_range():
    kinds = [frozenset(kind.split()) for kind in ("client SATA", "enterprise NVMe", "")]
    for form in (*FORMS, "any form"):
        for place in PLACES:
            for kind in kinds:
                names = {
                    item.quantity for item in thermal_assumptions(kind, DrivePlace(form, place))
                }
                assert len(names) == 11


def test_forms_of_the_catalogue(catalogue):
    forms = [form_of(drive) for drive in catalogue.drives.values()]
    assert set(forms) <= {*FORMS, "any form"}
    assert forms.count("any form") < 0.25 * len(forms)


@pytest.mark.parametrize(
    ("name", "quantity", "least", "most"),
    [
        # AnandTech 12348: wake-up just above 1 ms; DevSleep from 2.5 to 7 mW.
        ("860 PRO 512", "light_wake_s", 1e-3, 1.5e-3),
        ("860 PRO 512", "deep_power_w", 2.5e-3, 7e-3),
        # Tom's Hardware 3567: active idle of the 840 EVO below a third of a watt.
        ("840 EVO 250", "awake_power_w", 0.2, 1 / 3),
    ],
)
def test_reviews_lie_in_the_ranges(found, name, quantity, least, most):
    each = found(name).ranges[quantity]
    assert each.low < most
    assert each.high > least
    assert each.low <= each.typical <= each.high


def test_modules_throttle_within_the_range_but_for_the_hottest():
    """TechPowerUp: seconds of writes until a module throttles without a fan."""
    each = heat_of(power_page.module()).ranges["throttling_s"]
    measured = {name: seconds for name, (seconds, _) in power_page.THROTTLED.items()}
    inside = {name for name, seconds in measured.items() if each.low <= seconds <= each.high}
    assert inside == measured.keys() - {"Team Group A440 Lite"}


def test_a_heat_sink_and_a_fan_help_and_a_warm_room_does_not(found):
    bare, sink, fan = (
        found("980 1TB", cooling=cooling)
        for cooling in ("desktop", "desktop heatsink", "desktop 2.5 m/s")
    )
    for better in (sink, fan):
        assert better["steady_body_k"].value < bare["steady_body_k"].value
        assert better["throttling_s"].value > bare["throttling_s"].value
    warm = found("980 1TB", room_k=40 + ZERO_CELSIUS_K)
    assert warm["air_k"].value == pytest.approx(bare["air_k"].value + 15)
    assert warm["sustained_power_w"].value < bare["sustained_power_w"].value
    assert fan.place.speed_m_per_s == 2.5
    assert "airflow_m_per_s" not in {item.quantity for item in fan.assumed}


def test_the_numbers_of_a_drive_are_those_of_its_formulas(found):
    got = found("845DC PRO 400")
    assert got["writing_j_per_byte"].value == pytest.approx(3.1 / 460e6)  # as printed
    assert got["reading_j_per_byte"].value == pytest.approx(1.7 / 530e6)
    air = 25 + ZERO_CELSIUS_K + 2
    resistance = 6 / (1 + 2.3**0.8)
    assert got["steady_body_k"].value == pytest.approx(air + 3.1 * resistance)
    assert got["throttling_s"].value == math.inf
    assert got["sustained_write_bytes_per_s"].value == 460e6


def test_a_server_drive_does_not_sleep_unless_it_is_said(catalogue):
    drive = with_assumptions(find(catalogue, "PM9A3 1.92"))
    awake = heat_of(drive)
    assert not awake.sleeps
    assert "mean_idle_power_w" not in {answer.key for answer in awake.answers}
    asleep = heat_of(with_user_facts(drive, light_transition_s=0.5, deep_transition_s=5.0))
    assert asleep["light_fraction"].value == pytest.approx(math.exp(-0.5))
    assert asleep["mean_idle_power_w"].value < awake["awake_power_w"].value


def test_longer_pauses_save_power_and_wake_from_deeper_sleep(found):
    short, long = (found("860 PRO 512", mean_gap_s=gap) for gap in (0.05, 60.0))
    assert long["mean_idle_power_w"].value < 0.2 * short["mean_idle_power_w"].value
    assert long["mean_wake_s"].value > short["mean_wake_s"].value
    assert long["battery_s"].value == pytest.approx(
        energy.battery_s(180_000.0, power_w=long["mean_idle_power_w"].value)
    )


def test_a_printed_power_below_that_of_one_awake_is_that_of_sleep(found):
    """45 mW of the 980 are those of a state of sleep."""
    got = found("980 1TB")
    assert got["light_power_w"].value == 0.045
    assert got["awake_power_w"].value > 0.25


def test_a_stated_fact_replaces_its_range(catalogue):
    drive = with_user_facts(with_assumptions(find(catalogue, "980 1TB")), limit_k=350.0)
    each = heat_of(drive).ranges["limit_k"]
    assert (each.low, each.typical, each.high) == (350.0, 350.0, 350.0)


def test_ends_of_ranges_are_those_of_the_draws():
    items = thermal_assumptions(CLIENT, DrivePlace("M.2", "still"))
    drawn = draws(items)
    for item in items:
        ends = np.quantile(drawn[item.quantity], [0.05, 0.5, 0.95])
        expected = (item.low, item.typical, item.high)
        np.testing.assert_allclose(ends, expected, rtol=0.08, atol=0.02, err_msg=item.quantity)


def test_a_course_of_phases_has_a_cool_a_typical_and_a_hot_drive():
    phases = [heat.HeatPhase(600.0, 6.0, 2.0), heat.HeatPhase(1200.0, 0.8, 0.8)]
    got = course(phases, room_k=298.15, kind=CLIENT, place=DrivePlace("M.2", "desktop"))
    shares = [got[level].throttled_fraction[0] for level in ("low", "typical", "high")]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[2] > 0.5
    sink = course(phases, room_k=298.15, kind=CLIENT, place=DrivePlace("M.2", "desktop", True))
    assert sink["typical"].body_k[0] < got["typical"].body_k[0]
    fan = course(phases, room_k=298.15, kind=CLIENT, place=DrivePlace("M.2", "desktop", False, 3.0))
    assert fan["high"].throttled_fraction[0] < shares[2]
    with pytest.raises(DomainError, match="form must be one of M"):
        course(phases, room_k=298.15, kind=CLIENT, place=DrivePlace("3.5-inch", "desktop"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("server", Cooling("server")),
        ("2 m/s", Cooling("", 2.0)),
        ("300 ft/min heat-sink", Cooling("", 1.524, True)),
        ("Desktop, heatsink", Cooling("desktop", None, True)),
        ("server 3m/s", Cooling("server", 3.0)),
    ],
)
def test_cooling_is_read_as_people_write_it(text, expected):
    assert parse_cooling("cooling", text) == expected


@pytest.mark.parametrize("text", ["", "water", "desktop server", "2", "1 m/s 2 m/s", "90 m/s"])
def test_cooling_that_is_none_is_refused(text):
    with pytest.raises(DomainError, match=r"^cooling must be "):
        parse_cooling("cooling", text)


def test_a_script_has_the_numbers_of_the_section(found):
    got = ssd.plan("980 1TB").heat(room="35 C", cooling="desktop heatsink", battery=(99, "Wh"))
    expected = found("980 1TB", room_k=308.15, cooling="desktop heatsink", battery_j=99 * 3600)
    for name in ("per_written", "throttles", "sustained", "battery", "wake"):
        key = got.names[name]
        assert got[name].base == expected[key].value
        assert got[name].between[0] == expected.ranges[key].low
    with pytest.raises(DomainError, match=r"^room must be from -40 to 70 C"):
        ssd.plan("980 1TB").heat(room="90 C")
    with pytest.raises(DomainError, match=r"^cooling must have no heatsink"):
        ssd.plan("860 PRO 4TB").heat(cooling="heatsink")


def test_the_command_prints_what_the_section_says(found):
    line = ["speed", "--drive", "980 1TB", "--room", "35C", "--cooling", "2 m/s", "--depth", "4"]
    done = CliRunner().invoke(cli, [*line, "--json"])
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)["energy_and_heat"]
    expected = found("980 1TB", room_k=308.15, cooling="2 m/s")
    for answer in expected.answers:
        value = float(answer.value)
        assert record[answer.key] == (value if math.isfinite(value) else None)
        each = record["ranges"][answer.key]
        assert each["low"] == expected.ranges[answer.key].low
    printed = CliRunner().invoke(cli, line).output
    assert "Energy and heat: M.2, desktop, air at 2 m/s, room of 35 C" in printed
    plain = CliRunner().invoke(cli, ["speed", "--drive", "980 1TB", "--depth", "4"]).output
    assert "Energy and heat:" not in plain
