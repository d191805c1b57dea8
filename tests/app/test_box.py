"""One sentence in the box of the app: read, asked back, or left as it is."""

import pytest

from tests.app.conftest import linked
from tests.app.test_never_dead import errors, is_alive, is_greyed, shown

MIRROR = "two 870 EVO 4 TB in a mirror, 40 GB a day, seven years"


def typed(app, sentence):
    return app.text_input(key="box").set_value(sentence).run()


def test_a_sentence_is_the_plan_and_its_link(start):
    app = typed(start, MIRROR)
    assert is_alive(app)
    assert not errors(app)
    assert {key: linked(app, key) for key in ("drive", "drives", "raid", "writes", "years")} == {
        "drive": "Samsung 870 EVO 4 TB", "drives": "2", "raid": "1", "writes": "40 GB a day",
        "years": "7 years",
    }  # fmt: skip
    assert "gray-badge[2 x] :gray-badge[Samsung 870 EVO 4 TB] :gray-badge[RAID 1]" in shown(app)
    assert app.text_input(key="years").value == "7 years"


def test_a_field_corrects_the_sentence_and_its_chips_go(start):
    app = typed(start, MIRROR)
    app.text_input(key="years").set_value("3 years").run()
    assert linked(app, "years") == "3 years"
    assert "gray-badge[2 x]" not in shown(app)
    assert app.text_input(key="box").value == MIRROR


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("870 EVO 1TB, 40 Gb a day", "bytes or bits"),
        ("two 870 EVO 1TB, 40 GB a day", "How are the 2 drives used?"),
        ("870 EVO, 40 GB a day", "may be 5 drives"),
    ],
)
def test_a_question_greys_the_last_answer_and_its_reading_answers(start, sentence, why):
    before = dict(start.query_params)
    app = typed(start, sentence)
    assert is_alive(app)
    assert why in errors(app)
    assert is_greyed(app)
    assert dict(app.query_params) == before
    app.button(key="reading 0").click().run()
    assert not errors(app)
    assert not is_greyed(app)
    assert linked(app, "writes") == "40 GB a day"
    assert "badge[LASTS]" in shown(app)


def test_words_without_a_meaning_are_underlined(start):
    app = typed(start, "PostgreSQL on a 870 EVO 1TB, 40 GB a day")
    marked = [each.value for each in app.caption if "*" in each.value]
    assert marked == ["*PostgreSQL* on a 870 EVO 1TB, 40 GB a day"]
    assert not is_greyed(app)


def test_a_long_sentence_is_refused_and_nothing_is_lost(start):
    app = typed(start, "x" * 401)
    assert "at most 400 characters" in errors(app)
    assert is_alive(app)


def test_an_empty_box_asks_nothing(start):
    app = typed(typed(start, "870 EVO 1TB, 40 Gb a day"), "")
    assert not errors(app)
    assert not is_greyed(app)


def test_an_example_takes_the_place_of_the_sentence(start):
    app = typed(start, "870 EVO 1TB, 40 Gb a day")
    next(each for each in app.button if each.label == "VM host").click().run()
    assert not errors(app)
    assert app.text_input(key="box").value == ""


def test_a_link_may_be_a_sentence(open_app):
    app = open_app(q=MIRROR)
    assert linked(app, "drive") == "Samsung 870 EVO 4 TB"
    assert linked(app, "raid") == "1"
    assert "q" not in app.query_params
    assert app.text_input(key="box").value == MIRROR


def test_a_sentence_of_a_link_is_asked_back(open_app):
    app = open_app(q="870 EVO 1TB, 40 Gb a day")
    assert "bytes or bits" in errors(app)
    assert is_alive(app)
    assert is_greyed(app)


def test_a_drive_that_is_described_is_planned(start):
    app = typed(start, "a 2 TB TLC client NVMe SSD, 60 GB a day")
    assert linked(app, "drive") == "A drive that you describe"
    assert linked(app, "capacity") == "2 TB"
    assert not errors(app)
