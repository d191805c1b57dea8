"""Everyday purchases: what an expert would refuse, whatever it costs."""

import pytest

from models.units import YEAR_S
from planner.catalogue import find, load, search
from planner.export.choice_record import choice_record
from planner.search.choose import choose
from planner.search.choose.request import choice_request

CATALOGUE = load()
SOME = [
    find(CATALOGUE, name)
    for name in ("980 PRO 1TB", "870 EVO 4TB", "870 QVO 4TB", "Red SN700 4TB", "PM9A3 3.84",
                 "PM893 3.84", "P4610 1.6", "5300 MAX 1.92", "845DC PRO 400", "840 250")
]  # fmt: skip
QUESTIONS = {
    "readme": {"usable": "10TB", "writes": "4TB/day", "life": "5", "max_loss": "0.1%"},
    "nas": {"usable": "12TB", "writes": "100GB/day", "rules": "nas"},
    "database": {"usable": "3TB", "writes": "1TB/day", "rules": "database"},
    "osd": {"usable": "30TB", "writes": "5TB/day", "rules": "osd"},
    "cameras": {"usable": "20TB", "writes": "4TB/day", "sequential": "100%", "rules": "video"},
    "scratch": {"usable": "8TB", "writes": "3TB/day", "no_redundancy": "true"},
    "infeasible": {"usable": "900TB", "writes": "1TB/day"},
}


@pytest.fixture(scope="module", params=QUESTIONS)
def record(request):
    grid = {"spare": "0%,28%", "drives": "2,4,8,12", "today": "2026-10-01"}
    asked = choice_request(SOME, minimise="price", **grid, **QUESTIONS[request.param])
    return QUESTIONS[request.param], choice_record(choose(**asked, top=2))


def test_no_plan_writes_more_than_its_drives_are_rated_for(record):
    asked, found = record
    for row in found["plans"]:
        written = row["written_bytes_per_drive_over_horizon"]
        assert written <= row["rated_bytes_per_drive"] * (1 + 1e-9), row["drive"]
        assert row["warranted_until_s"] >= 5 * YEAR_S * (1 - 1e-9), row["drive"]
        if asked.get("rules") != "osd" and "no_redundancy" not in asked:
            assert row["level"] != "RAID 0", row
            assert row["loss_probability"] <= 1e-3


def test_what_a_trade_refuses_is_left_out_with_its_rule(record):
    asked, found = record
    excluded = {row["drive"]: {each["rule"] for each in row["fails"]} for row in found["excluded"]}
    ranked = {row["drive"] for row in found["plans"]}
    assert not ranked & excluded.keys()
    if asked.get("rules") in ("database", "osd"):
        assert f"plp=true ({asked['rules']})" in excluded["Samsung 980 PRO 1 TB"]


def test_spare_area_is_no_promise_unless_it_is_credited_and_never_of_a_client_drive():
    """The 600 TB of a 980 PRO are used up in 2.2 years by what 16 of them would be written."""
    asked = {"usable": "10TB", "writes": "4TB/day", "drives": "16", "spare": "28%", "raid": "6"}
    drives = search(CATALOGUE, "980 PRO 1TB")
    for more in ({}, {"credit_spare_area": "true"}):
        found = choose(**choice_request(drives, minimise="price", **asked, **more))
        assert found.best is None
        assert str(found.rejected[0].lacks.need) == "rated writes"
