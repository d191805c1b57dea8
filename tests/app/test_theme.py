"""Colours that can be told from their ground (WCAG AA), on a light page and on a dark one."""

import re
import tomllib
from itertools import product

import pytest

from planner.ui import array_charts, charts, speed_charts, uncertain_charts
from planner.ui.measured_trace import COURSE, REWRITES, SIZES
from planner.ui.theme import GROUND, INK, themed
from tests.app.conftest import APP

CHARTS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": spec
    for module in (array_charts, charts, speed_charts, uncertain_charts)
    for name, spec in vars(module).items()
    if isinstance(spec, dict) and {"layer", "mark"} & {*spec}
} | {
    "life_bar": charts.LIFE_BAR, "front": charts.front_chart("USD", "TB"),
    "losses": array_charts.losses(1e-12), "rewrites": REWRITES, "course": COURSE, "sizes": SIZES,
    "percentiles": speed_charts.percentiles(speed_charts.READS),
    "consistency": speed_charts.consistency("log", (*speed_charts.SERIES, *speed_charts.SIMULATED)),
}  # fmt: skip
OF_TEXT = ("labelColor", "titleColor")
ON_ITS_OWN = {"#ffffff", "#000000"}  # labels of cells, each on the colour of its cell


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
              for part in parts]  # fmt: skip
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colours(part, *, is_text=False):
    """Every colour of a chart, and whether it is one of text; grounds of labels are left out."""
    if isinstance(part, list):
        for each in part:
            yield from colours(each, is_text=is_text)
    elif isinstance(part, dict):
        is_text = is_text or part.get("type") == "text"
        for name, each in part.items():
            if name == "stroke" and "strokeOpacity" in part:
                continue
            if isinstance(each, str) and re.fullmatch("#[0-9a-f]{6}", each):
                yield each, is_text or name in OF_TEXT
            yield from colours(each, is_text=is_text)
            if name == "range" and isinstance(each, list):
                yield from ((colour, False) for colour in each if isinstance(colour, str))


@pytest.mark.parametrize(("name", "kind"), [*product(CHARTS, GROUND)])
def test_marks_and_labels_stand_out_from_the_page(name, kind):
    for colour, is_text in colours(themed(CHARTS[name], kind)):
        if colour not in {GROUND[kind], *ON_ITS_OWN}:
            least = 4.5 if is_text else 3
            assert contrast(colour, GROUND[kind]) >= least, (colour, is_text)


@pytest.mark.parametrize("kind", GROUND)
def test_text_and_series_of_the_theme_stand_out(kind):
    config = tomllib.loads((APP.parent / ".streamlit" / "config.toml").read_text())["theme"]
    own = config | config[kind]
    assert contrast(INK[kind], GROUND[kind]) >= 4.5
    assert contrast(own["primaryColor"], GROUND[kind]) >= 4.5
    for colour in own["chartCategoricalColors"]:
        assert contrast(colour, GROUND[kind]) >= 3


def test_every_chart_is_drawn_in_the_theme():
    for path in APP.parent.glob("planner/ui/*.py"):
        drawn = path.read_text().count("vega_lite_chart(")
        assert drawn == (path.stem == "theme"), path


def hovered(part):
    """Every list of what a chart shows on hovering."""
    if isinstance(part, list):
        for each in part:
            yield from hovered(each)
    elif isinstance(part, dict):
        if "tooltip" in part:
            yield part["tooltip"]
        for each in part.values():
            yield from hovered(each)


@pytest.mark.parametrize("name", CHARTS)
def test_figures_under_the_pointer_are_named_and_rounded(name):
    lines = [line for tips in hovered(CHARTS[name]) for line in tips]
    assert any(line["type"] == "quantitative" for line in lines) or name == "losses"
    for line in lines:
        assert line["title"][0].isalpha()
        assert ("format" in line) == (line["type"] == "quantitative"), line
