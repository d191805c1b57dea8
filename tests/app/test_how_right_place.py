"""How right: reports by topic with their pictures, a run of now, and the formulas."""

import pytest

PAGE = "planner/ui/how_right.py"


@pytest.fixture
def place(open_app):
    return open_app().switch_page(PAGE).run()


def test_a_report_is_drawn_with_its_misses(place):
    assert not place.exception
    statement = "".join(element.value for element in place.markdown)
    assert "## Outside their bounds" in statement
    place.segmented_control(key="report").set_value("Placement of data").run()
    assert any("TRIM under skew" in element.value for element in place.markdown)


def test_formulas_are_searched_and_shown_with_example_and_source(place):
    place.session_state["how_right"] = "Formulas"
    place.run()
    place.text_input(key="formula_words").set_value("greedy uniform").run()
    assert not place.exception
    options = place.selectbox(key="formula").options
    assert "write_amplification.greedy" in options
    assert "cost.total_usd" not in options
    place.selectbox(key="formula").set_value("write_amplification.greedy").run()
    code, sources = place.code
    assert "from models import write_amplification" in code.value
    assert ">>> " in code.value
    assert "Desnoyers" in sources.value
    place.text_input(key="formula_words").set_value("no such words").run()
    assert place.caption[0].value.startswith("0 of ")


def test_a_comparison_is_run_now(place):
    place.segmented_control(key="report").set_value("Indirection units").run()
    place.button(key="run units").click().run()
    assert not place.exception
    assert [part.label for part in place.expander] == ["The run of now"]
    report = "".join(element.value for element in place.expander[0].markdown)
    assert "4 KiB on units of 16 KiB" in report
