"""Behind each figure: arithmetic down to sources, its range, how far off it was, a simulation."""

import re
from urllib.parse import urlencode

import pytest

from models.nomenclature import QUANTITIES
from planner.application import answer_of
from planner.catalogue import load
from planner.graph.arithmetic import arithmetic
from planner.graph.explain import formulas, public_name
from planner.quantity.show import span, text, unit_text
from planner.scenario.risk import Risk
from planner.search.commits import on_drive
from planner.search.verdict.sentences import worst
from planner.sections.data_loss import data_loss
from planner.sections.origins import KINDS, origin
from planner.sections.pinned import statement_of
from planner.sections.ranges import ranges_among
from planner.sections.request import plan_of
from planner.ui import explained as behind
from planner.ui import verdict
from planner.ui.plain import plain
from planner.ui.reports import COMPARED, errors, errors_of
from tests.app.conftest import linked, tables

PLANNED = {"drive": "PM9A3 3.84", "writes": "2 TB/day", "drives": 4, "raid": 5}
VERDICT = {"explain Lasts", "explain Worst second", "explain Safe", "explain Cost"}
# Of each part, how many figures beside those of the verdict can be explained.
PLANS = {
    "single": {"drive": "870 EVO 1TB"},
    "array": PLANNED,
    "application": {"drive": "7450 PRO 3.84", "app": "postgres-oltp"},
    "used": {"drive": "980 PRO 2TB", "written": "24TB", "age": "300 days"},
}
PARTS = {"Endurance": 5, "Speed": 7, "Array": 13, "Cost": 3}


def explained(app):
    """Keys of the buttons on screen that show what is behind a figure."""
    held = app.session_state._state._state.filtered_state
    return {key for key in held if str(key).startswith("explain ")}


@pytest.mark.parametrize("part", PARTS)
def test_each_figure_can_be_explained(open_app, part):
    app = open_app(**PLANNED, part=part)
    keys = explained(app)
    assert keys >= VERDICT
    assert len(keys - VERDICT) >= PARTS[part]
    for key in keys:
        app.session_state[key] = True
    app.run()
    assert not app.exception
    heads = [statement.value for statement in app.markdown if " = " in statement.value]
    assert len(heads) >= len(keys)
    calls = [code.value for code in app.code]
    assert all(re.match(r"models\.[\w.]+\(", call) for call in calls)
    assert len(calls) >= len(keys) - 2  # a printed fact has a source in the place of a formula
    measured = [table for table in tables(app) if "Mean error" in table.columns]
    assert any("Arrays and data loss" in set(table["Report"]) for table in measured)


def test_the_simulator_stands_beside_what_rests_on_write_amplification(open_app):
    app = open_app(drive="845DC PRO 400", writes="1 TB/day", skew="90/10")
    app.session_state["explain endurance Write amplification"] = True
    app.run()
    app.button(key="simulate endurance Write amplification").click().run()
    assert not app.exception
    simulated = float(app.success[0].value.split()[1])
    (formula,) = (c.value for c in app.caption if "by the formulas" in c.value)
    assert float(formula.split(": ")[1].split()[0]) == pytest.approx(simulated, rel=0.02)


@pytest.mark.parametrize("name", COMPARED)
def test_what_is_said_of_a_formula_stands_in_its_report(name):
    simulators = name.startswith("models.simulator.")
    assert simulators or name in {public_name(formula) for formula in formulas()}
    groups = [errors(topic)[group] for topic, group in COMPARED[name]]
    assert [*errors_of([name]).values()] == [groups]
    assert all(float(error.mean.rstrip("%")) >= 0 for error in groups)


def written(app):
    """Everything that is written on screen, without the marks that keep it text."""
    parts = [*app.markdown, *app.caption]
    return [part.value.replace("\\", "").replace("\u2060", "") for part in parts]


@pytest.fixture
def opened(monkeypatch):
    """Every explanation that is open, by its key: its plan, and what it explains."""
    found, draw = {}, behind.behind

    def recorded(plan, explanation, *, key):
        found[key] = plan, explanation
        draw(plan, explanation, key=key)

    monkeypatch.setattr(behind, "behind", recorded)
    return found


def open_words(app):
    for key in explained(app) & VERDICT:
        app.session_state[key] = True
    app.run()
    assert not app.exception


def rows_below(number, path):
    """Every number behind one, with the key of its row; those of inputs are one level down."""
    yield path, number
    for name, part in number.inputs.items():
        if part.is_known:
            yield from rows_below(part, f"{path}/{name}")


def rows_of(explanation, path):
    yield from rows_below(explanation.number, path)
    for other in explanation.others:
        yield from rows_below(other, f"{path} {other.key}")
    for kind in explanation.kinds:
        for place, cause in enumerate(kind.causes):
            yield from rows_below(cause.answer, f"{path} {kind.name} {place}")


@pytest.mark.parametrize("name", PLANS)
def test_each_word_can_be_walked_down_to_sources_and_assumptions(open_app, opened, name):
    app = open_app(**PLANS[name])
    open_words(app)
    assert {f"explain {key}" for key in opened} == VERDICT
    rows = [row for key, (_, each) in opened.items() for row in rows_of(each, f"tree {key}")]
    for path, number in rows:
        if number.is_computed:
            app.session_state[path] = True
    app.run()
    assert not app.exception
    screen, labels = "\n".join(written(app)), {each.label for each in app.expander}
    ends = [number for _, number in rows if not number.is_computed]
    assert len(ends) > 50
    for number in ends:
        assert number.source in {*KINDS, *load().sources}
        assert f"{QUANTITIES[number.key].label} = {text(number.key, number.value)}" in screen
        assert origin(number, load().sources).partition(": ")[0] in screen
    first = {f"tree {key}" for key in opened}
    for path, number in rows:
        if number.is_computed:
            label = plain(QUANTITIES[number.key].label)
            assert path in first or any(each.startswith(label) or "tree Safe" in path
                                        for each in labels)  # fmt: skip
            assert arithmetic(number).text in screen


# A quantity that is assumed in a plan, and the word whose range it makes wide.
ASSUMED = [
    ("single", "Lasts", "pe_cycles"), ("single", "Lasts", "field_copy_ratio"),
    ("used", "Lasts", "background_rewrites_per_s"), ("array", "Worst second", "worst_case_iops"),
    ("array", "Cost", "price_usd"), ("array", "Safe", "mtbf_s"),
    ("open", "Lasts", "host_bytes_per_s"), ("application", "Worst second", "write_latency_s"),
]  # fmt: skip
OPEN = {"drive": "870 EVO 1TB", "tbw": "", "writes": "30 to 120 GB/day"}


def scripted(name, inputs):
    """The plan that a script makes of inputs on screen, and its application."""
    stated = {key: text for key, text in inputs.items() if text and key != "app"}
    if name != "application":
        usual = {} if name == "used" else {"writes": "30 GB/day"}
        return plan_of(**usual | stated), None
    load = on_drive(answer_of(inputs["app"], {}), inputs["drive"])
    return plan_of(**stated | load.plan_inputs), load


def ends_of(plan, word, load):
    """The range of the first number of a word, from a plan made in a script."""
    if load is not None:
        return "commit_latency_s", worst(plan, load).numbers["commit_latency_s"]
    key = {"Lasts": "wear_life_s", "Worst second": "max_latency_s", "Cost": "total_price_usd",
           "Safe": "array_loss_probability"}[word]  # fmt: skip
    if word != "Safe":
        return key, plan.range_of(key)
    loss = data_loss(plan, Risk())
    return key, ranges_among([loss.reading], [loss[key]], plan.uncertain.every)[key]


@pytest.mark.parametrize(("name", "word", "quantity"), ASSUMED)
def test_a_slider_shows_the_range_of_the_plan_with_that_fact_stated(
    open_app, opened, name, word, quantity
):
    inputs = OPEN if name == "open" else PLANS[name]
    app = open_app(**inputs)
    place = f"tree {word} range {quantity}"
    app.session_state[f"explain {word}"] = app.session_state[place] = True
    app.run()
    plan, explanation = opened[word]
    (item,) = (each for each in plan.uncertain.every if each.quantity == quantity)
    statement = statement_of(plan, item)
    for value in (statement.values[3], statement.values[-2], statement.middle):
        app.select_slider(key=f"{place} slider").set_value(value).run()
        assert not app.exception
        other, load = scripted(name, {**inputs, **statement.texts(value)})
        key, ends = ends_of(other, word, load)
        shown = f"{span(key, ends.low, ends.high, digits=3)}{unit_text(key)} (typically"
        label = f"{QUANTITIES[statement.quantity].label} {text(statement.quantity, value)}: "
        assert any(f"{label}{shown}" in line for line in written(app))
    before = explanation.range_in(plan)
    assert ends.high / ends.low <= before.high / before.low * (1 + 1e-9)
    assert quantity not in before.shares or ends.high / ends.low < before.high / before.low
    app.button(key=f"{place} slider state").click().run()
    assert not app.exception
    assert (
        statement.texts(value).items()
        >= {key: linked(app, key) for key in statement.texts(value) if linked(app, key)}.items()
    )
    assert any(linked(app, key) for key in statement.texts(value))


def test_nothing_is_worked_out_until_an_explanation_is_opened(open_app, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("worked out")

    for module, name in ((behind, "behind"), (verdict, "loss_kinds"), (verdict, "ranges_among")):
        monkeypatch.setattr(module, name, refuse)
    assert not open_app(**PLANNED).exception


def test_a_phone_walks_an_explanation_by_its_keys(browser, server):
    page = browser.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/?{urlencode(PLANNED)}")
    word = page.locator(".st-key-verdict .stHorizontalBlock").filter(has_text="COST")
    word.get_by_text("Explain").click()  # refused if a sentence covers it
    body = page.get_by_test_id("stPopoverBody")
    row = body.locator("summary").filter(has_text="Price per usable TB")
    row.focus()
    page.keyboard.press("Enter")
    below = body.locator("summary").filter(has_text="Usable capacity")
    below.wait_for()
    assert row.evaluate("each => each.parentElement.open")
    assert body.evaluate("each => each.scrollWidth <= each.clientWidth")
    page.close()
