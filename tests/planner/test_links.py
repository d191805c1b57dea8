"""A link without its screen: units of bare numbers, lists, former names, and what is refused."""

import pytest

from planner.quantity.inputs import INPUTS
from planner.quantity.link import LISTS, from_query

NOTHING_REFUSED = []
BARE = {  # a number alone, and the unit that the screen shows
    "writes": ("50", "50 GiB/day"), "raw": ("480", "480 GiB"), "size": ("16", "16 KiB"),
    "years": ("3", "3 years"), "rebuild": ("6", "6 hours"), "reads": ("30", "30%"),
    "working_set": ("50", "50%"), "network": ("3", "3 GB/s"), "read_s": ("60", "60 us"),
    "writes_off": ("2", "2"), "dies": ("32", "32"), "depth": ("4", "4"), "price": ("450", "450"),
    "slot": ("25", "25 USD/year"), "growth": ("-1.5e1", "-1.5e1%"), "labour": ("50", "50"),
}  # fmt: skip


@pytest.mark.parametrize("name", BARE)
def test_a_bare_number_is_in_the_unit_shown(name):
    written, with_unit = BARE[name]
    link = from_query({name: [written]})
    assert link.values == {name: with_unit}
    assert link.refused == NOTHING_REFUSED
    assert link.renamed == ([f"{name}={written} is now {name}={with_unit}"]
                            if written != with_unit else [])  # fmt: skip


@pytest.mark.parametrize(
    ("name", "written", "values"),
    [
        ("choose_spare", "0,7,28%", "0%,7%,28%"),
        ("choose_drives", "4-24", "4-24"),
        ("choose_raid", "5,6", "5,6"),
        ("nodes", "4,8-12", "4,8-12"),
        ("replicas", "2,3", "2,3"),
    ],
)
def test_several_values_of_a_search_are_each_checked(name, written, values):
    assert name in LISTS
    assert from_query({name: [written]}).values == {name: values}
    for wrong in ("much", f"{written},much"):
        (refused,) = from_query({name: [wrong]}).refused
        assert refused.startswith(f"{name} must be ")
        assert refused.endswith("got 'much'")


def test_what_may_be_repeated_is_checked_part_by_part():
    steps = "x1.5 after 2 years;x2 after 3 years"
    assert from_query({"step": [steps]}).values == {"step": steps}
    (refused,) = from_query({"step": ["x1.5 after 2 years;soon"]}).refused
    assert refused.endswith("got 'soon'")


@pytest.mark.parametrize("name", sorted(INPUTS.keys() - LISTS - {"reads"}))
def test_what_no_input_takes_is_refused_by_its_name_and_leaves_the_rest(name):
    link = from_query({name: ["x" * 201], "reads": ["30%"]})
    assert link.values == {"reads": "30%"}
    assert link.refused == [f"{name} must be at most 200 characters, got 201"]


def test_two_parameters_of_former_links_are_one_step():
    link = from_query({"stepx": ["1.5"], "stepat": ["3"]})
    assert link.values == {"step": "x1.5 after 3 years"}
    assert link.renamed == ["step=x1.5 after 3 years is now step=x1.5 after 3 years"]
    for same in ("1", "1.0"):
        assert from_query({"stepx": [same], "stepat": ["3"]}).values == {}


def test_a_former_name_beside_the_new_one_must_agree():
    agreed = from_query({"hot": ["1"], "hot_spares": ["1"]})
    assert agreed.values == {"hot_spares": "1"}
    assert agreed.refused == NOTHING_REFUSED
    (refused,) = from_query({"hot": ["1"], "hot_spares": ["2"]}).refused
    assert refused == "hot_spares=2 contradicts hot_spares=1"


def test_keys_of_the_screen_itself_are_kept_as_they_are():
    link = from_query({"topic": ["a", "b"], "colour": ["red"]}, others=["topic"])
    assert link.values == {"topic": ["a", "b"]}
    assert link.refused == ["colour is not an input of this version"]
