"""The screen of choosing shows what the planner chooses, and what its widgets change."""

import json

import pytest

from planner.catalogue import load, search
from planner.export.choice_tables import ranked_rows
from planner.search.choose import choose
from planner.search.choose.request import choice_request
from planner.ui.choose_controls import DRAWN
from tests.app.conftest import linked, tables

PAGE = "planner/ui/choose.py"
STATED = {"writes": "1000 GiB/day", "usable": "2 TB", "life": "5 years", "raid": "10,5,6",
          "drives": "2-24", "price_age": "100 years",
          "price_kinds": "new,used,list,quote"}  # fmt: skip
FEW = {"like": "845DC", "writes": 1000, "c_usable": 2, "choose_raid": "10,5,6",
       "choose_drives": "2-24", "price_age": "100 years",
       "price_kinds": "new,used,list,quote"}  # fmt: skip


@pytest.fixture
def screen(open_app):
    def at(**query):
        return open_app(**(FEW | query)).switch_page(PAGE).run()

    return at


def chosen(minimise="cost", **texts):
    wanted = {**STATED, **texts}
    return choose(**choice_request(search(load(), "845DC"), minimise=minimise, **wanted))


def test_the_planners_choice_is_on_screen(screen):
    app, expected = screen(), chosen()
    assert not app.exception
    rows = ranked_rows(expected)
    table = tables(app)[0]
    assert table["Plan"].tolist() == [row["Plan"] for row in rows]
    assert table["Price"].tolist() == [row["Price"] for row in rows]
    assert expected.best.plan.drive.name in app.success[0].value


def test_what_is_asked_is_in_the_address(screen):
    app = screen(least="price of the drives", c_slots=10)
    expected = chosen("price", slots="10")
    assert not app.exception
    assert tables(app)[0]["Cost of owning"].tolist() == [
        row["Cost of owning"] for row in ranked_rows(expected)
    ]
    assert linked(app, "slots") == "10"


def test_the_front_is_drawn_while_it_is_open(screen):
    assert not screen().get("vega_lite_chart")
    app = screen(front_open="true")
    (chart,) = app.get("vega_lite_chart")
    titles = json.dumps(json.loads(chart.proto.spec))
    assert "Usable capacity [TB]" in titles
    assert "Cost of owning [USD]" in titles


def test_what_cannot_be_had_is_said(screen):
    app = screen(c_usable=5000)
    assert not app.exception
    assert "No plan meets every requirement" in app.error[0].value
    assert "usable capacity" in tables(app)[0]["Lacks"].tolist()


@pytest.mark.parametrize(("key", "value"), [("like", "no such drive"), ("c_loss", 100.0)])
def test_what_makes_no_sense_is_said_in_a_sentence(screen, key, value):
    app = screen(**{key: value})
    assert not app.exception
    assert app.warning or app.error


def test_a_plan_is_taken_to_the_other_screens(screen):
    app, best = screen(), chosen().best.plan
    app.button(key="take").click().run()
    assert not app.exception
    assert app.selectbox(key="drive").value == best.drive.name
    assert app.text_input(key="drives").value == str(best.array.members)
    assert app.selectbox(key="raid").value == str(best.array.level)
    assert (linked(app, "spare") or "0%") == f"{100 * (1 - best.partition_fraction):.4g}%"
    assert len(app.metric) == 5
    assert "missing" not in {metric.value for metric in app.metric}


def test_a_client_drive_is_not_proposed_without_a_word(screen):
    assert not screen().warning  # enterprise drives
    app = screen(like="860 PRO", writes=100)
    assert "client drive" in app.warning[0].value


def test_the_rules_of_a_trade_and_filters_hold_on_screen(open_app):
    app = open_app(drive="870 EVO 1TB", writes="100 GB/day", like="7450", trade="server",
                   form_factor="M.2").switch_page(PAGE).run()  # fmt: skip
    assert not app.exception
    statement = " ".join(caption.value.replace("\\", "") for caption in app.caption)
    assert "Power-loss protection: true (server)" in statement
    assert "form factor M.2: " in statement
    assert app.text_input(key="max_loss").proto.placeholder == "1 in 1,000, default"


@pytest.mark.parametrize(
    ("key", "value", "taken"),
    [("rules", "osd", "osd"), ("trade", "osd", "osd"), ("rules", "/etc/own.csv", None)],
)
def test_the_rules_of_a_link_hold_and_no_file_is_read(key, value, taken, open_app):
    app = open_app(drive="870 EVO 1TB", writes="100 GB/day", **{key: value}).switch_page(PAGE).run()
    assert not app.exception
    assert app.selectbox(key="trade").value == taken


def test_servers_are_chosen_and_have_no_plan_of_one_server(open_app):
    servers = {"nodes": "3,5", "bays": "12", "watts": "200"}
    app = open_app(like="PM9A3", writes="1000", c_usable="10", **servers).switch_page(PAGE).run()
    assert not app.exception
    named = search(load(), "PM9A3")
    stated = {"writes": "1000 GiB/day", "usable": "10 TB", "life": "5 years", **servers}
    expected = choose(**choice_request(named, minimise="cost", **stated))
    rows = ranked_rows(expected)
    assert tables(app)[0]["Plan"].tolist() == [row["Plan"] for row in rows]
    assert "hosts" in rows[0]["Plan"]
    assert app.button(key="take").disabled


def test_a_choice_asks_for_what_it_needs_alone(screen):
    app = screen(years="7 years", life="")
    assert not {"drives", "drive", "raid"} & {one.key for one in (*app.text_input, *app.selectbox)}
    assert app.text_input(key="life").proto.placeholder == "7 years, as above"
    saved = next(each for each in tables(app) if "Relaxed by 10 %" in each)
    assert saved.set_index("Need")["Asked"]["life"] == "7 years"


def test_few_controls_are_in_sight(screen):
    app = screen()
    drawn = (*app.text_input, *app.toggle, *app.selectbox, *app.radio)
    own = [one.key for one in drawn if one.key in (*DRAWN, "like", "trade", "least")]
    assert len(own) <= 12


def test_a_table_of_quotes_wins_as_it_does_on_the_command(screen):
    table = b"vendor,model,capacity,tbw,warranty_years,price,price_4,price_date\n"
    own = b"<b>No</b>,=1+1,1.92 TB,35000,5,500,200,2026-09-30\n"
    app = screen(today="2026-10-01", c_slots=4)
    app.segmented_control(key="ranked_columns").set_value("Prices").run()
    app.file_uploader(key="quotes").set_value([("quotes.csv", table + own, "text/csv")]).run()
    assert not app.exception
    row = tables(app)[0].iloc[0]
    assert (row["Drive"], row["Price"]) == ("<b>No</b> =1+1 1.92 TB", "800 USD")
    assert row["Priced"] == "quote, 2026-09-30"
    bad = [("quotes.csv", table + b"A,B,lots,,,,,\n", "text/csv")]
    app.file_uploader(key="quotes").set_value(bad).run()
    assert "2: capacity: must be a size" in app.error[0].value
    both = [("quotes.csv", table + own + b"A,B,lots,,,,,\n,Total,,,,200,,\n", "text/csv")]
    app.file_uploader(key="quotes").set_value(both).run()
    (said,) = (one.value for one in app.warning if one.value.startswith("Quotes: "))
    assert "Quotes: 3 rows read, 1 used, 2 set aside." in said
    assert "quotes.csv:3 set aside: capacity: must be a size" in said
    assert "quotes.csv:4 set aside: is a total or a charge" in said
    assert tables(app)[0].iloc[0]["Quote"].startswith("quotes.csv:2: read as a drive of")
