"""Inputs that are refused, alone or together: every control stays, and the last answer, greyed."""

from urllib.parse import urlencode

import pytest

from planner.ui.plan import NAMES
from planner.ui.verdict import GREYED
from tests.app.conftest import linked

MIRRORS = {"drive": "Samsung PM9A3 3.84 TB", "drives": 12, "raid": "10", "writes": "1 TB/day"}


def errors(app):
    return " ".join(each.value.replace("\\", "") for each in app.error)


def shown(app):
    return " ".join(element.value.replace("\\", "") for element in app.markdown)


def is_greyed(app):
    return any(GREYED in each.proto.body for each in app.get("html"))


def is_alive(app):
    """Whether the page has its fields, its verdict, its parts and the way back."""
    fields = {"drives", "writes", "years"} <= {each.key for each in app.text_input}
    way_back = {"undo", "redo"} <= {each.key for each in app.button}
    parts = "LASTS" in shown(app) and app.get("button_group")
    return fields and way_back and parts and not app.exception


def test_an_impossible_pair_leaves_the_last_answer_and_every_control(open_app):
    app = open_app(**MIRRORS)
    before = shown(app)
    assert not is_greyed(app)
    app.text_input(key="drives").set_value("3").run()
    assert is_alive(app)
    assert is_greyed(app)
    assert "Drives must be" in errors(app)
    assert "the figures are those of Drives '12'" in errors(app)
    assert app.text_input(key="drives").value == "3"
    assert app.selectbox(key="raid").value == "10"
    assert "badge[LASTS]" in shown(app)
    assert shown(app).partition("badge[LASTS]")[2][:40] == before.partition("badge[LASTS]")[2][:40]
    assert ":green-badge" not in shown(app)


def test_a_pair_that_is_possible_again_has_its_own_answer(open_app):
    app = open_app(**MIRRORS)
    app.text_input(key="drives").set_value("3").run()
    app.selectbox(key="raid").set_value("5").run()
    assert is_alive(app)
    assert not app.error
    assert not is_greyed(app)
    assert "RAID 5" in " ".join(each.value for each in app.caption)


def test_several_drives_without_a_layout_are_asked_about(open_app):
    app = open_app(drive="Samsung PM9A3 3.84 TB", writes="1 TB/day")
    app.text_input(key="drives").set_value("2").run()
    assert is_alive(app)
    assert is_greyed(app)
    assert "How are the 2 drives used?" in errors(app)
    assert app.selectbox(key="raid").value is None
    assert "RAID 0" not in " ".join(each.value for each in app.caption)
    for level in ("1", "0"):
        app.selectbox(key="raid").set_value(level).run()
        assert not errors(app)
        assert not is_greyed(app)
        assert linked(app, "raid") == level
    assert "RAID 0" in " ".join(each.value for each in app.caption)


def test_a_link_to_several_drives_without_a_layout_is_asked_about(open_app):
    app = open_app(drive="Samsung PM9A3 3.84 TB", writes="1 TB/day", drives=4)
    assert is_alive(app)
    assert is_greyed(app)
    assert "How are the 4 drives used?" in errors(app)


def test_a_link_to_an_impossible_pair_opens_with_the_usual_of_one_input(open_app):
    app = open_app(**MIRRORS | {"drives": 3})
    assert is_alive(app)
    assert is_greyed(app)
    assert "Drives must be" in errors(app)
    assert "the figures are those of RAID level '0'" in errors(app)
    assert linked(app, "drives") == "3"
    app.text_input(key="drives").set_value("4").run()
    assert not app.error
    assert not is_greyed(app)


def test_a_link_to_a_value_out_of_range_names_it_above_the_usual_answer(open_app):
    app = open_app(drive="Samsung 870 EVO 1 TB", writes="1e20 TB/day")
    assert is_alive(app)
    assert is_greyed(app)
    assert "writes must be 0 or from" in errors(app)
    assert "got '1e20 TB/day'" in errors(app)
    app.text_input(key="writes").set_value("40 GB/day").run()
    assert not is_greyed(app)


@pytest.mark.parametrize("text", ["1e20 TB/day", "nan", "-1 GB/day", "1e308 GB/day", "4 apples"])
def test_a_refused_field_greys_the_verdict(start, text):
    start.text_input(key="writes").set_value(text).run()
    assert is_alive(start)
    assert is_greyed(start)
    assert "Host writes must be" in errors(start)
    assert ":green-badge" not in shown(start)
    start.text_input(key="writes").set_value("40 GB/day").run()
    assert not is_greyed(start)


def test_a_refused_field_of_a_closed_drawer_is_said_above_the_verdict(open_app):
    app = open_app(advanced="true", topic="What was measured")
    app.text_input(key="rating_wa").set_value("0").run()
    app.query_params.pop("advanced", None)
    assert is_greyed(app)
    assert "Rating write amplification must be from 0.01 to 1000" in app.error[0].value


@pytest.mark.parametrize("part", NAMES)
def test_every_part_is_drawn_below_an_impossible_pair(open_app, part):
    app = open_app(**MIRRORS | {"drives": 3, "part": part})
    assert is_alive(app)
    assert is_greyed(app)


def test_in_a_browser_the_refused_pair_is_red_and_the_answer_below_it_grey(browser, server):
    playwright = pytest.importorskip("playwright.sync_api")
    page = browser.new_page()
    page.goto(f"{server}/?{urlencode(MIRRORS | {'drives': 3})}")
    alert = page.get_by_role("alert").filter(has_text="Drives must be")
    alert.wait_for(timeout=60_000)
    verdict = page.locator(".st-key-verdict")
    playwright.expect(verdict).to_contain_text("LASTS")
    playwright.expect(page.get_by_label("as RAID", exact=True)).to_be_visible()
    playwright.expect(page.get_by_text("Every number", exact=True)).to_be_visible()
    grey = verdict.locator("> *").last.evaluate("each => getComputedStyle(each).filter")
    assert grey == "grayscale(1)"
    assert alert.bounding_box()["y"] < verdict.bounding_box()["y"]
    drives = page.get_by_label("I have", exact=True)
    drives.fill("4")
    drives.press("Enter")
    alert.wait_for(state="detached", timeout=60_000)
    playwright.expect(verdict.locator("> *").last).to_have_css("filter", "none")
    page.close()


APART = {"app": "zfs-vm", "in": "span_bytes=2000000; record_bytes=4194304"}


@pytest.mark.parametrize("place", ["plan", "choose", "compare"])
def test_inputs_of_an_application_that_cannot_be_together_stop_no_place(open_app, place):
    """Each is valid alone: the volume is smaller than one of its records."""
    app = open_app(drive=MIRRORS["drive"], **APART)
    if place != "plan":
        app.switch_page(f"planner/ui/{place}.py").run()
    assert not app.exception
    assert "span_bytes must be at least record_bytes" in errors(app)
    assert "the figures are those of record_bytes as usual" in errors(app)
    assert linked(app, "in") == APART["in"]
    if place == "plan":
        assert "badge[LASTS]" in shown(app)
        assert is_greyed(app)
    fields = {each.key: each for each in app.text_input}
    assert "application zfs-vm writes_per_s" in fields


BUSY = {"app": "etcd; a=sqlite-wal", "in": "etcd.puts_per_s=600; a.transactions_per_s=600"}
SLOW = "SanDisk Ultra Plus 256 GB"  # 3 ms a flush


def test_an_application_that_a_drive_has_no_time_for_stops_no_place(open_app):
    app = open_app(drive=MIRRORS["drive"], **BUSY)
    assert not app.error
    app.selectbox(key="drive").set_value(SLOW).run()
    assert not app.exception
    assert "must leave etcd time to flush" in errors(app)
    assert "badge[LASTS]" in shown(app)
    assert is_greyed(app)
    app.selectbox(key="drive").set_value(MIRRORS["drive"]).run()
    assert not app.error
    assert not is_greyed(app)


def test_a_drive_without_time_for_an_application_leaves_the_others_of_a_comparison(open_app):
    app = open_app(drive=MIRRORS["drive"], **BUSY | {"with": f"drive={SLOW}"})
    app.switch_page("planner/ui/compare.py").run()
    assert not app.exception
    assert "must leave etcd time to flush" in errors(app)
    assert app.selectbox(key="with_0_drive").value == SLOW


def test_a_drive_that_is_not_known_greys_the_verdict(start):
    box = start.selectbox(key="drive")
    box.options.append("no such drive")
    box.set_value("no such drive").run()
    assert is_alive(start)
    assert is_greyed(start)
    assert "no drive matches" in errors(start)
    start.text_input(key="writes").set_value("40 GB/day").run()
    assert not is_greyed(start)


def test_a_refused_input_of_an_application_greys_the_verdict(open_app):
    app = open_app(drive="Micron 7450 PRO 3.84 TB", app="postgres-oltp")
    field = "application postgres-oltp transactions_per_s"
    app.text_input(key=field).set_value("many").run()
    assert "the figures are those of" in errors(app)
    assert is_greyed(app)
    assert ":green-badge" not in shown(app)
    app.text_input(key=field).set_value("500").run()
    assert not errors(app)
    assert not is_greyed(app)


MANY = "1000000"  # as many drives as the field takes


def test_more_copies_than_a_loss_is_counted_of_leave_the_last_answer(open_app):
    app = open_app(drive="Samsung 870 EVO 1 TB", drives=2, raid=1)
    app.text_input(key="drives").set_value(MANY).run()
    assert is_alive(app)
    assert is_greyed(app)
    assert "the figures are those of Drives '2'" in errors(app)


def test_more_operations_than_a_queue_is_computed_of_leave_the_page(open_app):
    app = open_app(**MIRRORS, part="Array")
    app.text_input(key="drives").set_value(MANY).run()
    assert is_alive(app)
    assert "Queue depth must be" in errors(app)
    assert app.text_input(key="afr")


def test_more_copies_in_a_compared_plan_are_refused_beside_it(open_app):
    app = open_app(drive="Samsung 870 EVO 1 TB")
    app.query_params["with"] = [f"drives={MANY}; raid=1"]
    app.switch_page("planner/ui/compare.py").run()
    assert not app.exception
    assert "Parity drives must be" in errors(app)
