"""Cost of owning: its terms are typed beside it, its failures are those of the array."""

from planner.sections.ownership import ownership, risk_of, terms_of
from planner.sections.request import plan_of
from planner.ui.plain import shown

MIRRORS = {"drive": "Samsung PM9A3 3.84 TB", "drives": 8, "raid": 10, "writes": "4 TB/day"}
FAILING = {"afr": "20%", "life_spread": "10%", "replace_at": "80%"}


def test_failures_that_are_typed_on_the_array_are_those_of_the_cost(open_app):
    app = open_app(**MIRRORS, part="Array")
    for key, text in FAILING.items():
        app.text_input(key=key).set_value(text)
    app.run()
    app.segmented_control(key="part").set_value("Cost").run()
    metrics = {metric.label: metric.value for metric in app.metric}
    assert metrics["Net present cost"] == _cost(FAILING)
    assert metrics["Net present cost"] != _cost({})


def _cost(failing):
    plan = plan_of(**MIRRORS)
    owned = ownership(plan, terms_of(failing), risk_of(failing))
    return shown(owned["npv_usd"], digits=3)
