"""The first place: a sentence in, a verdict out, and what can be done with the whole scenario."""

from urllib.parse import parse_qs, urlsplit

import pytest

import planner
from models.units import YEAR_S
from planner.application import answer_of
from planner.export.scenario_file import to_json
from planner.search.commits import on_drive
from planner.search.verdict import dates, heading, verdict
from planner.sections.request import plan_of
from planner.ui import history
from planner.ui.sentence import EXAMPLES
from planner.ui.state import OWN, START_DRIVE
from tests import synthetic_fio as made
from tests.app.conftest import linked, tables

FIO = made.encoded(made.run(made.reads(1, 9_500)))


def shown(app):
    """Text that is drawn, without the marks that keep it text."""
    return " ".join(element.value.replace("\\", "") for element in app.markdown)


def typed(app, **texts):
    """Type into the sentence; an app under test knows no new option of a box."""
    if "drive" in texts:
        box, name = app.selectbox(key="drive"), texts.pop("drive")
        box.options.append(name)
        box.set_value(name)
    for key, text in texts.items():
        app.text_input(key=key).set_value(text)
    return app.run()


def test_more_drives_share_writes_that_were_stated_by_drive(open_app):
    """As DWPD they would grow with the drives, and the change would change nothing."""
    app = open_app(drive="5400 MAX 960GB", drives=4, raid="10", writes="6 DWPD")
    assert "No. The rated" in shown(app)
    app = app.button(key="next").click().run()
    assert app.text_input(key="writes").value == "11.52 TB/day"
    assert int(app.text_input(key="drives").value) > 4
    assert "Yes. 5 years of writes use" in shown(app)


def test_the_start_is_one_drive_at_a_modest_rate(start):
    assert not start.exception
    assert not start.error
    statement = verdict(plan_of("870 EVO 1TB", writes="30 GB/day"))
    for sentence in statement.sentences:
        assert sentence.text in shown(start)
    assert statement.change.text in shown(start)
    assert "missing" not in shown(start)


# As people ask, and what an answer must hold: computed by hand from what the vendor prints.
QUESTIONS = [
    (
        {"drive": "870 EVO 1TB", "writes": "30 GB"},
        "5 years of writes use 9.1 % of the rated 600 TB",
    ),
    ({"drive": "980 PRO 1TB", "writes": "800 GB"}, "The rated 600 TB are used up after 2.1 years"),
    (
        {"drive": "BX500 1TB", "writes": "100 GB/day"},
        "5 years of writes use 51 % of the rated 360 TB",
    ),
    ({"drive": "870 QVO 4TB", "writes": "700 GB/day", "years": "6 years"}, "1,440 TB"),
    (
        {"drive": "PM9A3 3.84", "writes": "1 DWPD"},
        "5 years of writes use 100 % of the rated 7,008 TB",
    ),
    ({"drive": "MX500 500GB", "writes": "20 GB a day"}, "180 TB"),
    ({"drive": "SN850X 2TB", "writes": "1.2 TB/week"}, "1,200 TB"),
]


@pytest.mark.parametrize(("inputs", "expected"), QUESTIONS, ids=lambda part: str(part)[:30])
def test_everyday_questions_are_answered_from_the_sentence(start, inputs, expected):
    app = typed(start, **inputs)
    assert not app.exception
    assert expected in shown(app)


def test_what_is_typed_is_searched_as_the_command_searches(start):
    app = typed(start, drive="pm9a3 3.84")
    assert app.selectbox(key="drive").value == "Samsung PM9A3 3.84 TB"
    app = typed(app, drive="870 evo")
    assert "the figures are those of Samsung PM9A3 3.84 TB" in app.error[0].value
    assert app.selectbox(key="drive").value == "Samsung PM9A3 3.84 TB"


def test_a_drive_that_is_not_found_can_be_described(start):
    app = typed(start, drive="no such drive")
    app.button(key="describe").click().run()
    app = typed(app, capacity="2 TB", kind="QLC client NVMe 2022")
    assert not app.exception
    assert "typical drives of its class" in shown(app)
    assert linked(app, "drive") == OWN


def test_an_amount_without_a_time_is_one_a_day_and_says_so(start):
    app = typed(start, writes="4TB")
    assert app.text_input(key="writes").value == "4TB/day"
    assert any("Read as 4 TB a day: 1.46 PB a year" in each.value for each in app.caption)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_one_click(start, name):
    button = next(each for each in start.button if each.label == name)
    app = button.click().run()
    drive, inputs = EXAMPLES[name]
    if "app" in inputs:
        inputs = on_drive(answer_of(inputs["app"], {}), drive).plan_inputs
    assert not app.exception
    assert verdict(plan_of(drive, **inputs)).lasts.text in shown(app)


def test_the_next_change_can_be_made(start):
    app = start.button(key="next").click().run()
    assert (app.text_input(key="drives").value, app.selectbox(key="raid").value) == ("2", "1")
    assert "A mirror survives 1 failed drive" in shown(app)


def test_what_differs_from_the_usual_can_be_taken_back(open_app):
    app = open_app(drive="870 EVO 1TB", skew="80/20", spare="7%")
    labels = [each.label for each in app.button if (each.key or "").startswith("chip")]
    assert labels == ["Skew of writes: 80/20", "Extra spare area, left unpartitioned: 7%"]
    app.button(key="chip skew").click().run()
    assert not app.exception
    assert (linked(app, "skew"), linked(app, "spare")) == ("", "7%")


def test_undo_redo_and_reset(start):
    app = typed(start, writes="100 GB/day")
    app = typed(app, drives="2")
    assert app.button(key="redo").disabled
    app.button(key="undo").click().run()
    app.button(key="undo").click().run()
    assert (linked(app, "writes"), linked(app, "drives")) == ("", "")
    assert app.button(key="undo").disabled
    app.button(key="redo").click().run()
    assert app.text_input(key="writes").value == "100 GB/day"
    next(each for each in app.button if each.label == "Reset").click().run()
    assert app.text_input(key="writes").value == "30 GB/day"
    app.button(key="undo").click().run()
    assert app.text_input(key="writes").value == "100 GB/day"


def test_a_link_with_a_drive_says_all_that_is_not_usual(open_app):
    app = open_app(drive="pm893 3.84", writes=50)
    assert app.text_input(key="drives").value == "1"
    assert app.text_input(key="writes").value == "50 GiB/day"


@pytest.mark.parametrize("part", ["Endurance", "Speed", "Array", "Cost", "Every number"])
def test_every_part_is_drawn_of_a_single_drive(open_app, part):
    app = open_app(drive="870 EVO 1TB", writes="30 GB/day", part=part)
    assert not app.exception
    assert not app.error


def test_the_script_that_is_shared_gives_the_same(open_app):
    app = open_app(
        drive="PM9A3 3.84", drives=4, raid=10, writes="2 TB/day", skew="80/20", years="7 years"
    )
    app.session_state["share"] = True
    _link, code = app.run().code
    shared = eval(code.value.partition("\n\n")[2], {"ssd": planner})  # our own line  # noqa: S307
    expected = plan_of("PM9A3 3.84", writes="2 TB/day", drives=4, raid=10, skew="80/20")
    assert shared.verdict() == verdict(expected, 7 * YEAR_S) != verdict(expected)


PLACES = ("plan", "choose", "compare", "measure", "drives", "how_right")
DRAWERS = {"advanced": True, "needed": True, "how_sure": True, "placements": True, "terms": True}


def test_every_place_follows_every_other_with_all_drawers_open(open_app):
    app = open_app(drive="845DC PRO 400", drives=4, raid=5, writes="1 TB/day", like="845DC")
    for key, is_open in DRAWERS.items():
        app.session_state[key] = is_open
    walk = [place for one in PLACES for other in PLACES if one != other for place in (one, other)]
    for place in walk:
        app.switch_page(f"planner/ui/{place}.py").run()
        assert not app.exception, place
        assert linked(app, "drives") == "4"


def test_a_test_by_fio_is_set_beside_what_the_planner_says(open_app):
    app = open_app(drive="845DC PRO 400").switch_page("planner/ui/measure.py").run()
    app.file_uploader(key="files").set_value([("fio.json", FIO, "application/json")]).run()
    app.button(key="plan's fio.json").click().run()
    assert not app.exception
    columns = {name for frame in tables(app) for name in frame.columns}
    assert {"Measured", "Fitted", "Predicted of Samsung 845DC PRO 400 GB"} <= columns
    app.button(key="fit fio.json").click().run()
    assert "=" in linked(app, "fact")
    assert app.metric, "the plan is on screen"


def test_the_last_twenty_changes_can_be_undone(start):
    start.session_state["scenarios before"] = [history.Scenario(START_DRIVE, ())] * history.MOST
    app = typed(start, writes="50 GB/day")
    kept = app.session_state["scenarios before"]
    assert len(kept) == history.MOST == 20
    assert app.session_state["scenarios undone"] == []


def test_a_scenario_is_shared_as_a_link_and_opened_from_a_file(open_app):
    app = open_app(drive="PM9A3 3.84", drives=4, raid=10, writes="2 TB/day")
    app.session_state["share"] = True
    app.run()
    query = parse_qs(urlsplit(app.code[0].value).query)
    assert query == {"drive": ["Samsung PM9A3 3.84 TB"], "drives": ["4"], "raid": ["10"],
                     "writes": ["2 TB/day"]}  # fmt: skip
    app.text_input(key="scenario_name").set_value("my hosts").run()
    held = to_json({"drive": "870 EVO 1TB", "writes": "1 TB/day", "fill": "80%", "colour": "red"})
    app.file_uploader(key="scenario_given").upload("a.json", held.encode()).run()
    app.button(key="scenario_open").click().run()
    assert not app.exception
    assert app.selectbox(key="drive").value == "Samsung 870 EVO 1 TB"
    assert (linked(app, "writes"), linked(app, "fill")) == ("1 TB/day", "80%")
    assert "colour is not an input" in app.warning[0].value
    app.button(key="undo").click().run()
    assert linked(app, "drives") == "4"


def test_a_drive_that_is_described_is_among_the_drives(open_app):
    app = open_app(drive=OWN, capacity="2 TB", raw="2048 GiB")
    app.switch_page("planner/ui/drives.py").run()
    assert not app.exception
    facts = next(table for table in tables(app) if "Printed" in table.columns)
    assert facts.set_index("Quantity").loc["Raw flash", "Printed"] == "2,048 GiB"


@pytest.mark.parametrize(
    "asked",
    [
        {"drive": "870 QVO 8TB", "drives": 8, "raid": 6,
         "writes": "24 cameras x 8 Mbit/s kept for 21 days"},
        {"drive": "980 PRO 2TB", "drives": 2, "raid": 1, "written": "24TB", "age": "300days"},
        {"drive": "7450 PRO 3.84", "drives": 12, "keep": "3 copies on 4 hosts",
         "writes": "2 TB/day", "power": "can fail"},
        {"drive": "870 EVO 250", "keep": "300 single drives", "writes": "9 GB/day"},
        {"drive": "990 PRO 4TB", "drives": 2, "keep": "scratch", "writes": "500 IOPS of 8 KiB"},
    ],
)  # fmt: skip
def test_the_screen_says_what_the_command_says(open_app, asked):
    """Also where the writes state an order, a size or a mean, and where data is kept elsewhere."""
    plan = plan_of(**asked)
    app = open_app(**asked)
    text = shown(app)
    assert any(heading(plan) in caption.value.replace("\\", "") for caption in app.caption)
    for sentence in verdict(plan).sentences:
        assert sentence.text in text


def test_a_drive_of_ones_own_is_described_in_the_sentence_alone(open_app):
    """Its drawer has the other facts: a field twice on a page is refused by the app's engine."""
    app = open_app(drive=OWN, advanced="true", topic="The drive")
    assert not app.exception
    drawn = [each.key for kind in (app.text_input, app.selectbox) for each in kind]
    assert {"capacity", "kind", "tbw", "raw"} <= {*drawn}
    assert len(drawn) == len({*drawn})


def test_a_field_has_its_value_as_the_default_too(start):
    """A browser lacks what a run has set if another one follows before it was sent."""
    start.run()
    drawn = {key: start.text_input(key=key).proto for key in ("drives", "years")}
    assert {key: field.default for key, field in drawn.items()} == {
        "drives": "1", "years": "5 years",
    }  # fmt: skip
    assert not any(field.set_value for field in drawn.values())  # nothing typed is replaced
    start.text_input(key="years").set_value("7 years").run()
    assert start.text_input(key="years").proto.default == "7 years"
    assert start.select_slider(key="writes_slider").proto.default[0] > 0


@pytest.mark.parametrize(("writes", "goes_on"), [("30 GB/day", True), ("900 GB/day", False)])
def test_a_bar_of_life_that_goes_on_beyond_its_axis_ends_in_an_arrow(open_app, writes, goes_on):
    app = open_app(drive="870 EVO 1TB", writes=writes)
    bar = app.get("vega_lite_chart")[0].proto
    assert "triangle-right" in bar.spec if goes_on else "triangle-right" not in bar.spec
    ends = dates(plan_of("870 EVO 1TB", writes=writes))
    assert (ends.wear.high / YEAR_S > 100) == goes_on
