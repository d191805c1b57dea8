"""How sure is this: the planner's probability on screen, and nothing while it is closed."""

import json
import re

import numpy as np
import pytest

from models.units import DAY_S, GIB, YEAR_S
from planner.search.uncertainty import LIFE, low_mid_high, tornado, uncertainty
from planner.search.uncertainty.inputs import assumed_inputs, with_stated
from planner.search.uncertainty.wording import sentences
from planner.sections.request import plan_of
from planner.ui import uncertain
from tests.app.conftest import linked

CHARTS = {"Of the samples [%]", "Input at its"}
EVO = {"drive": "Samsung 840 EVO 250 GB", "drives": 1, "raid": 0, "writes": 50}


def charts(app):
    """Return the titles that only these charts have."""
    specs = "".join(chart.proto.spec for chart in app.get("vega_lite_chart"))
    return {title for title in CHARTS if json.dumps(title) in specs}


def known(factor=2.0, drive="840 EVO 250", **texts):
    """Return what the command draws, with the ranges that the app suggests."""
    rate, answer = 50 * GIB / DAY_S, plan_of(drive, writes="50 GiB/day", **texts)
    inputs = {
        "host_bytes_per_s": low_mid_high(rate / factor, rate, rate * factor),
        "fill_fraction": low_mid_high(0.9, 1.0, 1.0),
    }
    if not answer.workload.is_in_field:
        inputs["sequential_fraction"] = low_mid_high(0.0, 0.0, 0.1, least=-1.0)
    if "pe_cycles" in answer.drive.facts and "pe_cycles" not in assumed_inputs(answer):
        inputs["pe_cycles"] = low_mid_high(1129 / 1.3, 1129, 1129 * 1.3)
    answer = with_stated(answer, inputs)
    return uncertainty(answer, assumed_inputs(answer) | inputs)


def test_nothing_is_drawn_while_it_is_closed(app):
    assert not app.exception
    assert not charts(app)
    assert "writes_off" not in {widget.key for widget in app.text_input}


def said(text):
    """Return the years and the probability of a sentence."""
    found = re.search(r"at least (\d+) years with a probability of ([\d.]+) %", text)
    return found and [float(part) for part in found.groups()]


def test_the_planners_probability_is_on_screen_and_follows_its_widgets(open_app):
    app = open_app(sure="true", **EVO)
    assert not app.exception
    for years, off, factor in ((5, None, 2.0), (2, "4", 4.0)):
        if off:
            app.text_input(key="writes_off").set_value(off)
            app.text_input(key="years").set_value(f"{years} years").run()
        (shown,) = filter(None, (said(element.value) for element in app.markdown))
        assert shown == pytest.approx(said(sentences(known(factor), years * YEAR_S)[0]), abs=0.3)
    assert linked(app, "writes_off") == "4"


def test_charts_hold_every_sample_and_every_input_that_matters(open_app):
    app = open_app(sure="true", **EVO)
    assert charts(app) == CHARTS
    samples = known()
    lives = uncertain._lives(samples.values(LIFE) / YEAR_S, 5.0)
    assert lives["share"].sum() == pytest.approx(100)
    enough = lives.loc[lives["side"] == "long enough", "share"].sum() / 100
    assert enough == pytest.approx(samples.chance(LIFE, at_least=5 * YEAR_S).value)
    bars = uncertain._bars(tornado(samples))
    assert [bar["input"] for bar in bars][:2] == ["Host writes", "Host writes"]
    middles = [bar["middle"] for bar in bars]
    assert middles == pytest.approx([samples.base["endurance_life_s"].value / YEAR_S] * len(bars))


def test_what_is_known_exactly_and_what_is_unknown(open_app):
    exact = open_app(sure="true", surewrites=1, surecycles=1, surefill=0, suresequential=0, **EVO)
    assert not exact.exception
    assert any("0.0 %" in element.value for element in exact.markdown)
    unknown = open_app(sure="true", drive="Intel DC S3700 400 GB", known_only="true")
    assert not unknown.exception
    assert any("No limit of this drive's life" in element.value for element in unknown.info)


def test_what_is_assumed_of_a_drive_is_drawn_as_the_command_draws_it(open_app):
    app = open_app(sure="true", drive="Samsung 870 EVO 1 TB", writes=50)
    drawn = known(drive="870 EVO 1TB")
    assert "pe_cycles" in drawn.inputs  # from the range that is assumed, not a factor about a guess
    statement = {element.value for element in app.markdown}
    assert f"**{sentences(drawn, 5 * YEAR_S)[0]}**" in statement


def test_unlimited_lives_are_shown_at_the_end():
    shown = uncertain._lives(np.array([1.0, 10.0, np.inf, np.inf]), 5.0)
    assert shown["share"].sum() == pytest.approx(100)
    assert shown["end"].max() < 2 * uncertain.LONGEST_YEARS
