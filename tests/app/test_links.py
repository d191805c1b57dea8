"""Links and typed inputs: what is not known is named, what was written before still counts."""

import pytest

from planner.quantity.inputs import INPUTS, PLAN
from planner.quantity.link import KEYS, from_query
from planner.ui import state
from planner.ui.sentence import DRAWER
from tests.app.conftest import EXAMPLE, linked
from tests.app.test_screens import PAGES, metrics


def statement(elements):
    return " ".join(element.value for element in elements)


def test_what_cannot_be_read_is_refused_by_name_and_the_figures_stay(app):
    before = metrics(app)
    app.text_input(key="writes").set_value("4 apples").run()
    assert not app.exception
    assert app.error[0].value == (
        "Host writes must be a rate such as 4 GB/day, got '4 apples': 'apples' is not a unit; "
        "the figures are those of '10000 GiB/day'"
    )
    assert metrics(app) == before
    app.text_input(key="writes").set_value("4 TB/day").run()
    assert not app.error
    assert metrics(app) != before


def test_what_lies_outside_its_range_is_refused_by_name(open_app):
    app = open_app(advanced="true", topic="What was measured")
    app.text_input(key="rating_wa").set_value("0").run()
    assert app.error[0].value.startswith(
        "Rating write amplification must be from 0.01 to 1000, got '0'"
    )


def test_unknown_keys_and_values_of_a_link_are_named(open_app):
    app = open_app(colour="red", writes="4 apples", drive="No such drive", raid="7", reads="30.5%")
    assert not app.exception
    assert len(app.metric) == 5
    warning = statement(app.error)
    for part in (
        "colour is not an input of this version", "writes must be a rate such as",
        "drive=No such drive: no drive matches", "raid must be one of raid0",
    ):  # fmt: skip
        assert part in warning


def test_only_what_differs_from_the_usual_is_in_the_link(open_app):
    app = open_app(drive="870 evo 1tb", writes="30 GB/day", reads="70%", fill=80, colour="red")
    assert app.query_params == {"drive": "Samsung 870 EVO 1 TB", "fill": "80%"}


FORMER = {
    "writes": ("50", "50 GiB/day"), "pe": ("3000", "pe_cycles=3000"), "raw": ("480", "480 GiB"),
    "hot": ("1", "hot_spares=1"), "working": ("50", "working_set=50%"), "size": ("16", "16 KiB"),
    "stall": ("5", "stalled=5%"), "tbw": ("500", "500 TB"), "phasein": ("6", "phase_in=6 months"),
    "policy": ("random", "collection=random"), "te": ("4", "erase_s=4 ms"),
    "layout": ("hot and cold streams", "placement=streams"),
    "stepx": ("1.5", "step=x1.5 after 2 years"), "spare": ("7", "spare=7%"),
    "reads": ("30", "reads=30%"),
}  # fmt: skip


WITHOUT_EFFECT = ("hot", "te", "size", "layout", "stall", "reads")  # on the five metrics


@pytest.mark.parametrize("key", FORMER)
def test_a_link_of_before_gives_the_same_figures_as_one_of_today(open_app, key):
    former, now = FORMER[key]
    name, _, text = now.rpartition("=") if "=" in now else (key, "", now)
    old, new = open_app(**EXAMPLE | {key: former}), open_app(**EXAMPLE | {name: text})
    assert not old.exception
    assert metrics(old) == metrics(new)
    assert metrics(old) != metrics(open_app(**EXAMPLE)) or key in WITHOUT_EFFECT
    assert "uses former names" in statement(old.caption)
    assert "uses former names" not in statement(new.caption)


@pytest.mark.parametrize("partial", [{"growth": "20%"}, {"reads": "30%"}, {"years": "3 years"}])
def test_a_partial_link_starts_from_the_first_screen(open_app, start, partial):
    app = open_app(**partial)
    assert app.selectbox(key="drive").value == start.selectbox(key="drive").value
    for key in ("drives", "writes"):
        assert app.text_input(key=key).value == start.text_input(key=key).value


def test_writes_of_a_link_are_read_as_the_field_reads_them(open_app, start):
    app = open_app(writes="4TB")
    start.text_input(key="writes").set_value("4TB").run()
    assert not app.error
    assert linked(app, "writes") == linked(start, "writes") == "4TB/day"


def test_the_link_of_the_readme_still_opens(open_app):
    app = open_app(drive="Samsung 840 EVO 250 GB", drives=1, raid=0, writes=50)
    assert not app.exception
    assert metrics(app)["Write amplification"].startswith("2.3")


def test_a_hostile_link_is_named_in_short_lines():
    query = {"a\x1b[2J\n": ["1"], "k" * 5000: ["1"], "pe": ["9" * 199], "phasein": ["1 " * 90]}
    link = from_query(query)
    assert link.values == {}
    assert len(link.refused) == 4
    assert all(len(line) < 300 and line.isprintable() for line in link.refused)


def test_two_values_of_one_input_are_named():
    link = from_query({"horizon": ["3"], "sureyears": ["2"]})
    assert link.values == {"years": "3 years"}
    assert link.refused == ["sureyears=2 contradicts years=3 years"]


def test_lists_of_the_former_choice_are_lists_of_today():
    query = {
        "counts": ["2", "12"],
        "levels": ["5", "ec:8+3"],
        "spares": ["0", "28"],
        "c_sets": ["2"],
    }
    link = from_query(query)
    assert link.values == {
        "choose_drives": "2-12", "choose_raid": "5,ec:8+3", "choose_spare": "0%,28%",
        "choose_sets": "2",
    }  # fmt: skip
    assert link.refused == []


@pytest.mark.parametrize("name", INPUTS)
def test_a_link_of_today_is_read_as_it_is_written(name):
    row = INPUTS[name]
    text = row.default or {"step": "x2 after 1 year", "client": "any", "fact": "dies=8"}.get(
        name, row.example or "20%" if row.shown_in == "%" else row.example or "1"
    )
    first = from_query({name: [text]})
    assert first.refused == []
    again = from_query({key: [value] for key, value in first.values.items()})
    assert again.values == first.values
    assert again.renamed == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_bound_widget_is_known_to_the_link(app, page):
    app.switch_page(str(page)).run()
    widgets = [
        *app.slider, *app.select_slider, *app.text_input, *app.toggle, *app.selectbox, *app.radio,
        *app.multiselect,
    ]  # fmt: skip
    bound = {widget.proto.query_param_key for widget in widgets} - {""}
    assert bound <= {*KEYS, *state.OTHER_KEYS}


def test_every_input_of_a_plan_has_its_place():
    sentence = {"drives", "raid", "writes", "years"}
    assert {*PLAN} <= sentence | {key for keys in DRAWER.values() for key in keys}


def test_a_client_workload_and_a_fact_of_a_link_count(app, open_app):
    client = open_app(client="anandtech-heavy-2011")
    assert metrics(client)["Write amplification"] != metrics(app)["Write amplification"]
    fact = open_app(fact="worst_case_iops=6400", part="Speed")
    assert metrics(fact)["Longest write latency"] == "5 ms"
