"""Compare: up to four plans, what differs first, the better figure marked."""

import pytest

from planner.export.comparison import compared, titles
from planner.scenario.risk import Risk
from planner.sections.request import plan_of
from planner.ui.compare import from_link, to_link
from tests.app.conftest import tables
from tests.app.test_plan_place import typed as _typed

PAGE = "planner/ui/compare.py"
LINK = ["raid=6; spare=7%", "Samsung 870 EVO 1 TB; drives=8", "drives=12"]


@pytest.fixture
def compare(open_app):
    def at(*others, **query):
        app = open_app(**query)
        if others:
            app.query_params["with"] = list(others)
        return app.switch_page(PAGE).run()

    return at


def differences(app):
    return tables(app)[0].set_index("Quantity")


def test_four_plans_of_layouts_counts_and_spare_area_stand_side_by_side(compare):
    shared = {"drive": "PM9A3 3.84", "drives": 6, "raid": 5, "writes": "4 TB/day"}
    app = compare(*LINK, **shared)
    assert not app.exception
    here = {"drives": 6, "raid": 5, "writes": "4 TB/day"}
    plans = [
        plan_of("PM9A3 3.84", **here), plan_of("PM9A3 3.84", **here | {"raid": 6, "spare": "7%"}),
        plan_of("870 EVO 1TB", **here | {"drives": 8}),
        plan_of("PM9A3 3.84", **here | {"drives": 12}),
    ]  # fmt: skip
    table = differences(app)
    assert list(table.columns) == titles(plans)
    for row in compared(plans, Risk()):
        if not (row.differs or row.is_verdict):
            assert row.label not in table.index
            continue
        cells = [cell.removeprefix("✓ ") for cell in table.loc[row.label]]
        assert cells == list(row.values)
        marked = [place for place, cell in enumerate(table.loc[row.label]) if cell.startswith("✓")]
        assert tuple(marked) == row.best
    assert "✓" in "".join(table.loc["Life by endurance"])


def test_the_first_comparison_is_what_the_verdict_proposes(compare):
    app = compare()
    assert titles([plan_of("870 EVO 1TB", drives=2, raid=1)])[0] in differences(app).columns


def test_the_verdicts_stay_above_though_all_plans_are_alike(compare):
    app = compare("spare=1%", drive="870 EVO 1TB", writes="1 GB/day")
    table = differences(app)
    assert list(table.index)[:2] == ["Lasts 5 years", "Safe"]
    assert len(set(table.loc["Lasts 5 years"])) == len(set(table.loc["Safe"])) == 1
    assert "Form factor" in tables(app)[1]["Quantity"].tolist()


def test_a_former_link_names_drives_alone(compare):
    app = compare("Samsung 845DC EVO 480 GB", drive="870 EVO 1TB")
    assert list(differences(app).columns)[1] == "Samsung 845DC EVO 480 GB"


def test_what_cannot_be_is_named_beside_its_plan_and_the_others_stay(compare):
    app = compare("drives=2; raid=5", "no such drive", "drives=3; raid=5", drive="870 EVO 1TB")
    assert not app.exception
    assert "Drives must be >= 3 for RAID 5, got 2" in app.error[0].value
    assert "no such drive" in app.error[1].value
    assert len(differences(app).columns) == 2


def test_five_plans_stand_side_by_side_and_what_a_link_has_beyond_is_named(compare):
    texts = [f"spare={share}%" for share in (7, 14, 21, 28, 35)]
    app = compare(*texts, drive="870 EVO 1TB")
    assert len(differences(app).columns) == 5
    assert "at most 4 plans beside this" in app.error[0].value
    assert "spare=35%" in app.error[0].value
    assert not [each for each in app.button if each.key == "with_add"]
    app.button(key="with_0_away").click().run()
    assert not app.error


def test_an_unknown_key_of_a_compared_plan_is_named(compare):
    app = compare("drives=2; raid=1; colour=red", drive="870 EVO 1TB")
    assert "colour is not an input of another plan" in app.error[0].value
    assert app.text_input(key="with_0_drives").value == "2"


def test_plans_are_added_changed_and_taken_away(compare):
    app = compare("drives=2; raid=1", drive="870 EVO 1TB")
    app.button(key="with_add").click().run()
    app.text_input(key="with_1_drives").set_value("4").run()
    app.text_input(key="with_1_raid").set_value("10").run()
    assert app.query_params["with"] == ["drives=2; raid=1", "drives=4; raid=10"]
    app.button(key="with_0_away").click().run()
    assert app.query_params["with"] in ("drives=4; raid=10", ["drives=4; raid=10"])
    assert app.text_input(key="with_0_drives").value == "4"
    app = _typed(app, writes="1 TB/day")
    assert "4 x Samsung 870 EVO 1 TB, RAID 10" in differences(app).columns


def test_the_comparison_stays_while_one_looks_elsewhere(compare):
    app = compare("drives=4; raid=10", drive="870 EVO 1TB")
    app.switch_page("planner/ui/plan.py").run()
    app.switch_page(PAGE).run()
    assert list(differences(app).columns)[1] == "4 x Samsung 870 EVO 1 TB, RAID 10"


@pytest.mark.parametrize("text", LINK)
def test_a_plan_in_a_link_reads_as_it_was_written(text):
    assert to_link(from_link(text)) == text
