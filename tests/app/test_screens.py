"""Screens follow their widgets and show what the planner says."""

import re

import numpy as np
import pytest

from models.nomenclature import QUANTITIES
from models.units import DAY_S, GIB, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import own_drive, with_user_facts
from planner.graph.arithmetic import arithmetic
from planner.quantity.link import KEYS
from planner.quantity.show import text
from planner.scenario.array import Array, RaidLevel
from planner.scenario.workload import Workload
from planner.sections.plan import plan_drive
from planner.sections.replacements import replacement_dates
from planner.sections.request import plan_of
from planner.ui.endurance import WRITES_GB_PER_DAY
from planner.ui.sentence import DRAWER
from planner.ui.state import OWN
from tests.app.conftest import APP, linked, tables
from tests.app.conftest import EXAMPLE as LINKED

PAGES = sorted(
    path.relative_to(APP.parent)
    for path in APP.parent.glob("planner/ui/*.py")
    if "def render() ->" in path.read_text()
)


# What somebody may type, one text for each input that takes one.
TYPED = {
    "growth": "10%", "step": "x2 after 1 year", "phase_in": "6 months", "reads": "30.5 %",
    "size": "16 KiB", "sequential": "10%", "skew": "80/20", "working_set": "50%", "trim": "5%",
    "depth": "4", "fill": "80%", "spare": "7.5 %", "hot_spares": "1", "collection": "fifo",
    "accuracy": "95%", "raw": "520 GiB", "pe_cycles": "5000", "tbw": "1 PB", "warranty": "3 years",
    "price": "300", "worst_iops": "6000", "random_read_iops": "90000", "pages": "256",
    "dies": "32", "read_s": "70 us",
}  # fmt: skip


def app_example():
    return dict(LINKED)


EXAMPLE = {"writes": "10000 GiB/day", "drives": 12, "raid": 5}


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def sentences(app):
    """The sentences of the verdict but for the next change, by question."""
    said = (re.match(r":\w+-badge\[([A-Z ]+)\] (.*)", each.value) for each in app.markdown)
    return {one[1]: one[2] for one in said if one and one[1] != "NEXT"}


def test_the_example_is_on_screen_with_the_planners_numbers(app):
    answer = plan_of("845DC PRO 400", **EXAMPLE)
    assert not app.exception
    assert metrics(app) == {
        "Life by endurance": text("rated_life_s", answer.nodes["rated_life_s"].value, digits=3),
        "Write amplification": text("workload_wa", answer["workload_wa"].value, digits=3),
        "Spare area": text("op_ratio", answer["cleaning_op_ratio"].value, digits=3),
        "Drive writes a day": text("required_dwpd", answer["required_dwpd"].value, digits=3),
        "A drive may be written": text(
            "host_limit_bytes", answer["host_limit_bytes"].value, digits=3
        ),
    }


@pytest.mark.parametrize(
    ("widget", "value", "changed"),
    [
        (  # worn drives lose data
            "writes",
            "20000 GiB/day",
            {"Life by endurance", "Drive writes a day", "LASTS", "SAFE"},
        ),
        (
            "spare",
            "30%",
            {
                "Life by endurance",
                "Write amplification",
                "Spare area",
                "A drive may be written",
                "LASTS",
                "SAFE",
                "COST",
            },
        ),
        ("drives", "6", {"Life by endurance", "Drive writes a day", "LASTS", "SAFE", "COST"}),
        ("raid", "0", {"Life by endurance", "Drive writes a day", "LASTS", "SAFE", "COST"}),
        ("worst_iops", "3200", {"WORST SECOND"}),
        ("price", "480", {"COST"}),
        ("reads", "0%", set()),
    ],
)
def test_numbers_react_to_their_widget_and_to_no_other(open_app, widget, value, changed):
    topic = next((name for name, keys in DRAWER.items() if widget in keys), "Workload")
    app = open_app(**app_example(), advanced="true", topic=topic)
    before = metrics(app) | sentences(app)
    element = next(
        element for kind in (app.text_input, app.selectbox) for element in kind
        if element.key == widget
    )  # fmt: skip
    element.set_value(value).run()
    assert not app.exception
    after = metrics(app) | sentences(app)
    assert {label for label in after if after[label] != before[label]} == changed


def test_the_range_of_flash_wear_stands_under_the_curves(app):
    answer = plan_of("845DC PRO 400", **EXAMPLE)
    (statement,) = (caption.value for caption in app.caption if "uneven wear" in caption.value)
    for node in answer.lives.known_wear.values():
        assert text(node.key, node.value, digits=3) in statement


def test_the_sliders_set_the_texts_and_follow_them(app):
    app.select_slider(key="writes_slider").set_value(500.0).run()
    assert app.text_input(key="writes").value == "500 GB/day"
    app.text_input(key="writes").set_value("69 GB/day").run()
    assert app.select_slider(key="writes_slider").value == 69.0
    app.slider(key="spare_slider").set_value(20).run()
    assert linked(app, "spare") == "20%"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_screen_runs(app, page):
    app.switch_page(str(page)).run()
    assert not app.exception


@pytest.mark.parametrize("topic", DRAWER)
def test_what_is_typed_stands_in_the_link_whether_it_is_in_sight_or_not(open_app, topic):
    """A dozen controls at most are in sight of the drawer at once."""
    app = open_app(**LINKED, advanced="true", topic=topic, placement="streams")
    drawn = {element.key for kind in (app.text_input, app.selectbox, app.toggle)
             for element in kind} & {*DRAWER[topic]}  # fmt: skip
    assert drawn == {*DRAWER[topic]}
    assert len(drawn) <= 12
    texts = {key: TYPED[key] for key in drawn & TYPED.keys()}
    for key, typed in texts.items():
        kind = "selectbox" if KEYS[key].choices else "text_input"
        getattr(app, kind)(key=key).set_value(typed)
    app.run()
    assert not app.error
    other = next(name for name in DRAWER if name != topic)
    app.segmented_control(key="topic").set_value(other).run()
    assert {key: linked(app, key) for key in texts} == texts


def test_a_link_restores_the_scenario(open_app):
    app = open_app(drive="Samsung 840 EVO 250 GB", drives=1, raid=0, writes=50, reads=20,
                   known_only="true")  # fmt: skip
    assert app.selectbox(key="drive").value == "Samsung 840 EVO 250 GB"
    assert (linked(app, "reads"), app.text_input(key="writes").value) == ("20%", "50 GiB/day")
    assert metrics(app)["Write amplification"].startswith("5.")


def test_missing_facts_are_named_where_known_facts_are_asked_for(open_app):
    app = open_app(
        drive="Samsung 860 PRO 4.096 TB", drives=1, raid=0, writes=100, known_only="true"
    )
    assert metrics(app)["Write amplification"] == "missing"
    (statement,) = app.info
    assert "Raw flash: the data sheet" in statement.value
    app = open_app(drive="Samsung 860 PRO 4.096 TB", drives=1, raid=0, writes=100)
    assert not app.info
    assert metrics(app)["Write amplification"] != "missing"


def test_an_impossible_scenario_is_a_sentence(app):
    app.text_input(key="drives").set_value("2").run()
    assert not app.exception
    assert "Drives must be >= 3 for RAID 5, got 2" in app.error[0].value


def test_a_further_drive_forgets_what_was_entered_about_the_first(open_app):
    app = open_app(**app_example(), raw="480 GiB")
    assert linked(app, "raw") == "480 GiB"
    app.selectbox(key="drive").set_value("Samsung 860 PRO 1.024 TB").run()
    assert "raw" not in app.query_params
    assert not app.error


def test_the_maths_of_a_number_can_be_opened(open_app):
    app = open_app(**app_example(), part="Every number")
    choice = app.selectbox(key="maths")
    choice.set_value("Life by flash wear").run()
    wear = plan_of("845DC PRO 400", **EXAMPLE).nodes["wear_life_s"]
    rows = [each.label for each in app.expander if " = " in each.label]
    computed = [part for part in wear.inputs.values() if part.is_computed]
    assert len(computed) == 2
    for row, part in zip(rows, computed, strict=False):  # one that opens for each input
        assert row.startswith(f"{QUANTITIES[part.key].label} = {text(part.key, part.value)}")
    assert any(f"**{arithmetic(wear).text}**" == element.value for element in app.markdown)
    statement = f"**Life by flash wear = {text(wear.key, wear.value)}**"
    assert any(statement in element.value for element in app.markdown)


def test_a_drive_without_any_limit_is_still_planned(open_app):
    app = open_app(drive="Samsung 840 EVO mSATA 1 TB", known_only="true")
    assert not app.exception
    assert metrics(app)["Life by endurance"] == "missing"


def test_a_drive_of_ones_own_is_described(open_app):
    app = open_app(drive=OWN, capacity=1920, raw=2048, pe=3000, drives=1, raid=0, writes=1000,
                   known_only="true")  # fmt: skip
    assert not app.exception
    answer = plan_drive(
        with_user_facts(own_drive(1920e9), raw_bytes=2048 * GIB, pe_cycles=3000),
        Workload(host_bytes_per_s=1000 * GIB / DAY_S),
    )
    shown = answer["workload_wa"].value, answer.nodes["wear_life_s"].value
    assert metrics(app)["Write amplification"] == text("workload_wa", shown[0], digits=3)
    assert metrics(app)["Life by endurance"] == text("wear_life_s", shown[1], digits=3)


def test_what_is_assumed_shows_ranges_and_their_reasons(open_app):
    app = open_app(drive="Samsung 860 PRO 4.096 TB", drives=1, raid=0, writes=3000)
    assert any("Raw flash 4,0" in element.value for element in app.markdown)
    deltas = {metric.label: metric.delta for metric in app.metric}
    assert " to " in deltas["Write amplification"]
    app = open_app(drive="Samsung 840 EVO 250 GB", drives=1, raid=0, writes=100)  # not rated
    deltas = {metric.label: metric.delta for metric in app.metric}
    assert re.fullmatch(r"[\d.]+ to [\d.]+ years", deltas["Life by endurance"])


@pytest.mark.parametrize("value", ["abc", "-5", "1e9", "", "<script>"])
@pytest.mark.parametrize("key", ["writes", "drives", "raid", "spare", "pe", "drive", "wa"])
def test_a_broken_link_falls_back_to_what_works(open_app, key, value):
    app = open_app(**{key: value})
    assert not app.exception
    assert len(app.metric) == 5 or app.error


def test_what_was_entered_about_one_drive_stays_off_the_others(open_app):
    app = open_app(**app_example(), wa="1.5")
    app.query_params["with"] = ["Samsung 845DC EVO 480 GB"]
    app.switch_page("planner/ui/compare.py").run()
    table = next(each for each in tables(app) if "Quantity" in each)
    row = table.set_index("Quantity").loc["Workload write amplification"]
    assert "1.5 x (1.43 to 1.58)" in row.iloc[0]
    assert " 1.5 x" not in f" {row.iloc[1]}"


def test_the_simulator_can_be_asked_from_the_screen(open_app):
    app = open_app(skew="90/10", placements="true")
    app.button(key="simulate").click().run()
    assert not app.exception
    shown = {metric.label: metric.value for metric in app.metric}
    (message,) = app.success
    simulated = float(message.value.removeprefix("Simulated ").split(" ")[0])
    # The placement of data is not stated.
    assert ", with a single write frontier:" in message.value
    assert simulated == pytest.approx(float(shown["Single write frontier"].split(" ")[0]), rel=0.02)


def test_the_firmware_of_the_sidebar_is_what_is_planned_and_simulated(open_app):
    app = open_app(
        skew="90/10", layout="hot and cold streams", accuracy="95", placements="true"
    )  # fmt: skip
    app.button(key="simulate").click().run()
    assert not app.exception
    shown = {metric.label: metric.value for metric in app.metric}
    assert float(shown["Streams separated (FDP)"].split()[0]) < float(shown["This plan"].split()[0])
    (told,) = app.success
    simulated = float(told.value.split()[1])
    assert simulated == pytest.approx(float(shown["This plan"].split()[0]), rel=0.03)


def headings(app):
    return [text.value.strip("# ") for text in app.markdown if text.value.startswith("#")]


def test_growth_steps_and_phase_in_follow_from_the_url(app, open_app):
    assert "Writes to each drive over the years" not in headings(app)
    app = open_app(**LINKED, growth=20, stepx=1.5, stepat=2, phasein=6)
    answer = plan_drive(
        find(load(), "845DC PRO 400"),
        Workload(
            host_bytes_per_s=10_000 * GIB / DAY_S, growth_per_year=0.2,
            rate_steps=((2 * YEAR_S, 1.5),), phase_in_s=YEAR_S / 2,
        ),
        array=Array(members=12, level=RaidLevel.RAID5),
    )  # fmt: skip
    assert not app.exception
    life = text("rated_life_s", answer.nodes["rated_life_s"].value, digits=3)
    assert metrics(app)["Life by endurance"] == life
    assert "Writes to each drive over the years" in headings(app)
    dates = replacement_dates(answer)
    told = [caption.value for caption in app.caption if "worn out after" in caption.value]
    assert text(dates.key, dates.value) in told[0]


def test_the_stops_of_writes_rise_by_at_most_two_thirds():
    stops = np.array(WRITES_GB_PER_DAY)
    ratios = stops[1:] / stops[:-1]
    assert 1 < ratios.min() <= ratios.max() < 1.7
