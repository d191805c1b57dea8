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
    most, shown = (1000, "1,001") if name == "skew" else (200, "201")  # of a trace it has classes
    link = from_query({name: ["x" * (most + 1)], "reads": ["30%"]})
    assert link.values == {"reads": "30%"}
    assert link.refused == [f"{name} must be at most {most} characters, got {shown}"]


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


# As the app of commit b83cf5b wrote them, and the inputs of today.
FORMER = [
    ({"drives": "25", "raid": "6", "sets": "2", "hot": "1", "writes": "4000"},
     {"drives": "25", "raid": "6", "sets": "2", "hot_spares": "1", "writes": "4000 GiB/day"}),
    ({"raid": "ec:8+3", "drives": "13", "writes": "1234.5", "stepx": "1.5", "stepat": "3.0"},
     {"raid": "ec:8+3", "drives": "13", "writes": "1234.5 GiB/day",
      "step": "x1.5 after 3.0 years"}),
    ({"reads": "30", "size": "16", "sequential": "25", "depth": "4", "fill": "80"},
     {"reads": "30%", "size": "16 KiB", "sequential": "25%", "depth": "4", "fill": "80%"}),
    ({"skew": "80/20", "working": "50", "trim": "10", "policy": "fifo",
      "layout": "hot and cold streams", "accuracy": "90"},
     {"skew": "80/20", "working_set": "50%", "trim": "10%", "collection": "fifo",
      "placement": "streams", "accuracy": "90%"}),
    ({"policy": "d-choices", "layout": "host writes and copies", "pages": "256", "blocks": "1200",
      "reserve": "4"},
     {"collection": "d-choices", "placement": "host-gc", "pages": "256", "blocks": "1200",
      "reserve": "4"}),
    ({"growth": "-20", "phasein": "6", "spare": "28", "assume": "true"},
     {"growth": "-20%", "phase_in": "6 months", "spare": "28%", "known_only": "false"}),
    ({"capacity": "1920", "raw": "2048", "pe": "3000", "tbw": "3500", "warranty": "5",
      "price": "450", "worst": "4000"},
     {"capacity": "1920 GB", "raw": "2048 GiB", "pe_cycles": "3000", "tbw": "3500 TB",
      "warranty": "5 years", "price": "450", "worst_iops": "4000"}),
    ({"wa": "1.4", "rating": "2", "stall": "5", "rr": "90000", "fw": "36000", "srd": "530"},
     {"wa": "1.4", "rating_wa": "2", "stalled": "5%", "random_read_iops": "90000 IOPS",
      "burst_write_iops": "36000 IOPS", "sequential_read_bytes_per_s": "530 MB/s"}),
    ({"dies": "64", "chan": "8", "page": "16", "block": "4096", "tr": "60", "te": "4"},
     {"dies": "64", "channels": "8", "page_bytes": "16 KiB", "block_bytes": "4096 KiB",
      "read_s": "60 us", "erase_s": "4 ms"}),
    ({"counts": "4,12", "levels": "5,6", "spares": "0,28", "c_usable": "20", "c_loss": "0.1"},
     {"choose_drives": "4-12", "choose_raid": "5,6", "choose_spare": "0%,28%", "usable": "20 TB",
      "max_loss": "0.1%"}),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(FORMER)))
def test_a_link_written_before_holds_the_same_inputs(place):
    before, today = FORMER[place]
    link = from_query({name: [text] for name, text in before.items()})
    assert link.values == today
    assert link.refused == NOTHING_REFUSED
    for name in today.keys() - before.keys():
        assert any(f" is now {name}=" in line for line in link.renamed), name
