"""An application in the sentence: its writes are those of the plan, on every place."""

import re

import pytest

from planner.application import answer_of
from planner.cli import main
from planner.search.commits import on_drive
from planner.search.verdict import verdict
from planner.sections.request import plan_of
from planner.ui.application import ASKED_FIRST, presets
from planner.ui.sentence import EXAMPLES
from planner.ui.state import START, typed_of
from tests.app.conftest import linked

DRIVE = "Samsung PM9A3 3.84 TB"
CLIENT = "Samsung 970 EVO Plus 1 TB"


def shown(app):
    return " ".join(element.value.replace("\\", "") for element in (*app.markdown, *app.caption))


def lasts(name, **inputs):
    load = on_drive(answer_of(name, {key: str(value) for key, value in inputs.items()}), DRIVE)
    return load, verdict(plan_of(DRIVE, **load.plan_inputs)).lasts.text


def field(app, name):
    return next(each for each in app.text_input if each.key.endswith(f" {name}"))


def test_two_thousand_transactions_are_asked_for_as_such(start):
    name = next(each for each, (_, typed) in EXAMPLES.items() if "app" in typed)
    app = next(each for each in start.button if each.label == name).click().run()
    app.selectbox(key="drive").set_value(DRIVE).run()
    field(app, "transactions_per_s").set_value("3000").run()
    assert not app.exception
    load, expected = lasts("postgres-oltp", transactions_per_s=3000)
    assert expected in shown(app)
    assert load.sentence in shown(app)
    assert "log 6" in shown(app)  # which layer writes how much
    assert (linked(app, "app"), linked(app, "in")) == ("postgres-oltp", "transactions_per_s=3000")
    assert "writes" not in app.query_params
    field(app, "transactions_per_s").set_value("many").run()
    assert "transactions_per_s must be" in app.error[0].value
    assert "those of '3000'" in app.error[0].value
    assert expected in shown(app)
    field(app, "transactions_per_s").set_value("3000").run()
    app.button(key="undo").click().run()
    assert field(app, "transactions_per_s").value == ""
    assert lasts("postgres-oltp")[1] in shown(app)
    app.button(key="chip app").click().run()
    assert not app.exception
    assert app.text_input(key="writes").value == START["writes"]
    assert verdict(plan_of(DRIVE, writes=START["writes"])).lasts.text in shown(app)


@pytest.mark.parametrize(
    ("preset", "stated", "expected"),
    [
        ("etcd", {}, "Probably within 10 ms. 99 % of commits take at most "),
        ("etcd", {"commit_p99": "0.5 ms"}, "No, not within 0.5 ms. 99 % of commits take"),
        ("postgres-oltp", {}, "99 % of commits take at most "),
        ("postgres-oltp", {"commit_p99": "20 ms"}, "Yes, within 20 ms. 99 % of commits take"),
        ("kafka", {}, "a write may wait "),  # nothing waits for a flush
    ],
)
def test_commits_are_judged_as_on_the_command_line(open_app, capsys, preset, stated, expected):
    """Whether 99 % of the commits of the application hold the limit that is stated, or its own."""
    app = open_app(drive=CLIENT, app=preset, **stated)
    assert not app.exception
    options = [text for name, value in stated.items()
               for text in (f"--{name.replace('_', '-')}", value)]  # fmt: skip
    assert main(["app", preset, "--drive", CLIENT, "--keep", "single", *options]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    sentence = re.search(r"WORST SECOND (.*?) SAFE ", printed)[1]
    assert expected in sentence
    assert sentence in shown(app)
    assert main(["plan", CLIENT, "--app", preset, "--keep", "single", *options]) == 0
    assert sentence in " ".join(capsys.readouterr().out.split())


def test_another_application_forgets_the_inputs_of_the_one_before(open_app):
    app = open_app(drive=DRIVE, app="postgres-oltp", **{"in": "rows=5"})
    app.selectbox(key="application").set_value("etcd").run()
    assert not app.exception
    assert lasts("etcd")[1] in shown(app)
    assert (linked(app, "app"), linked(app, "in")) == ("etcd", "")
    app.select_slider(key="writes_slider").set_value(500.0).run()
    assert (linked(app, "app"), linked(app, "writes")) == ("", "500 GB/day")


def test_what_a_link_says_of_an_application_is_taken_or_named(open_app):
    app = open_app(drive=DRIVE, app="etcd", size="8 KiB", **{"in": "puts_per_s=70; value_bytes=no"})
    assert not app.exception
    assert "value_bytes must be" in app.error[0].value
    assert "size follows from the application" in app.error[0].value
    assert lasts("etcd", puts_per_s=70)[0].sentence in shown(app)
    assert "must be one of" in open_app(app="fortran").error[0].value
    assert "app names it" in open_app(**{"in": "rows=5"}).error[0].value


@pytest.mark.parametrize("name", ["innodb", "kafka"])
def test_no_application_asks_for_more_than_a_dozen_at_once_and_none_is_hidden(name, open_app):
    app = open_app(drive=DRIVE, app=name, advanced="true", topic="The application")
    asked = [each.key.split()[-1] for each in app.text_input if each.key.startswith("application")]
    assert len(asked) <= ASKED_FIRST + 12
    left = [each for each in presets()[name].inputs if each not in asked]
    assert all(each in shown(app) for each in left)


def test_the_inputs_of_an_application_stand_in_the_drawer(open_app):
    app = open_app(drive=DRIVE, app="kafka", advanced="true", topic="The application")
    field(app, "brokers").set_value("5").run()
    assert not app.exception
    assert lasts("kafka", brokers=5)[1] in shown(app)
    app = open_app(drive=DRIVE, app="kafka", advanced="true", topic="Workload")
    assert "size" not in {each.key for each in app.text_input}


# Several applications, and layers below


TWO = {"app": "db1=postgres-oltp; etcd", "in": "db1.transactions_per_s=300; etcd.puts_per_s=70",
       "on": "dm-crypt"}  # fmt: skip
ON_LINE = ("--on", "dm-crypt", "--app", "db1=postgres-oltp", "--in", "transactions_per_s=300",
           "--app", "etcd", "--in", "puts_per_s=70")  # fmt: skip


def joined():
    inputs = {"db1.transactions_per_s": "300", "etcd.puts_per_s": "70"}
    return on_drive(answer_of(["db1=postgres-oltp", "etcd"], inputs, on=["dm-crypt"]), DRIVE)


def test_a_link_of_two_applications_is_answered_as_on_the_command_line(open_app, capsys):
    app = open_app(drive=DRIVE, **TWO)
    assert not app.exception
    assert not app.warning
    assert joined().sentence in shown(app)
    assert main(["plan", DRIVE, *ON_LINE]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    sentence = re.search(r"WORST SECOND (.*?) SAFE ", printed)[1]
    assert sentence in shown(app)
    assert {key: linked(app, key) for key in TWO} == TWO  # the link that it gives on
    repeated = {key: text.split("; ") for key, text in TWO.items()}  # as the command line has them
    assert typed_of(repeated) == (TWO, [])


def test_an_application_is_added_and_taken_away_in_the_drawer(open_app):
    app = open_app(drive=DRIVE, app="postgres-oltp", advanced="true", topic="The application",
                   **{"in": "transactions_per_s=300"})  # fmt: skip
    app.selectbox(key="another application").set_value("etcd").run()
    assert not app.exception
    assert linked(app, "app") == "postgres-oltp; etcd"
    assert linked(app, "in") == "postgres-oltp.transactions_per_s=300"
    app.text_input(key="application etcd puts_per_s").set_value("70").run()
    app.multiselect(key="layers etcd").set_value(["lvm-thin", "dm-crypt"]).run()
    assert linked(app, "on") == "etcd.lvm-thin; etcd.dm-crypt"
    both = answer_of(
        ["postgres-oltp", "etcd"],
        {"postgres-oltp.transactions_per_s": "300", "etcd.puts_per_s": "70"},
        on=["etcd.lvm-thin", "etcd.dm-crypt"],
    )
    assert on_drive(both, DRIVE).sentence in shown(app)
    app.button(key="away postgres-oltp").click().run()
    assert not app.exception
    assert (linked(app, "app"), linked(app, "in")) == ("etcd", "puts_per_s=70")
    assert linked(app, "on") == "lvm-thin; dm-crypt"
    one = answer_of("etcd", {"puts_per_s": "70"}, on=["lvm-thin", "dm-crypt"])
    assert on_drive(one, DRIVE).sentence in shown(app)


def test_flushes_that_leave_no_time_are_refused_and_the_fields_stay(open_app):
    inputs = "a.appends_per_s=1500; flush_s=0.001"  # each alone leaves enough
    app = open_app(drive=DRIVE, app="a=appended-file; etcd", **{"in": inputs})
    assert not app.exception
    assert any("flush_s must leave etcd time to flush" in each.value for each in app.error)
    app.button(key="chip app").click().run()
    assert not app.error


@pytest.mark.parametrize("apps", [";", " ; ;", "="])
def test_a_link_that_names_no_application_is_told_so(open_app, apps):
    app = open_app(drive=DRIVE, app=apps)
    assert not app.exception
    assert any("app must " in each.value.replace("\u2060", "") for each in app.error)
