"""The page of drives that rank most often is what the catalogue says of them."""

import csv
from collections import Counter

from planner.catalogue import load
from planner.catalogue.rows import data_folder
from tests.ranked_drives import DRIVES, PAGE, PURCHASES, most_ranked, page, purchases

LINES = PAGE.read_text(encoding="utf-8").splitlines()
LISTED = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in LINES
    if line.count("|") == 10 and "---" not in line
][1:]


def test_the_page_is_what_the_command_writes_of_its_drives():
    counted = [(row[0], int(row[1])) for row in LISTED]
    assert len(counted) == DRIVES
    assert "\n".join(page(counted)).rstrip().splitlines() == LINES


def test_what_the_page_calls_looked_up_has_a_source_in_the_tables():
    with (data_folder() / "facts.csv").open(encoding="utf-8", newline="") as lines:
        looked_up = {
            (row["drive_id"], row["quantity"])
            for row in csv.DictReader(lines)
            if row["kind"] != "recalled" and row["source_id"] != "recalled"
        }
    with (data_folder() / "features.csv").open(encoding="utf-8", newline="") as lines:
        words = {
            (row["vendor"], row["model"], row["feature"])
            for row in csv.DictReader(lines)
            if row["kind"] == "spec"
        }
    columns = {3: ("warranty_s",), 4: ("rated_bytes", "rated_dwpd"), 6: ("uber",), 7: ("mtbf_s",)}
    for row in LISTED:
        drive = load().drives[row[0]]
        for place, quantities in columns.items():
            if row[place] == "source":
                assert any((row[0], name) in looked_up for name in quantities), row
        for place, feature in ((2, "form_factor"), (5, "power_loss_protection")):
            is_known = (drive.vendor, drive.model, feature) in words
            assert is_known or row[place] in ("memory", "none"), row


def test_drives_are_ranked_by_the_purchases_that_list_them():
    drawn = list(purchases(6))
    counted = most_ranked(drawn)
    times = [number for _, number in counted]
    assert times == sorted(times, reverse=True)
    assert max(times) <= len(drawn)
    assert len(counted) > 20
    assert {drive for drive, _ in counted} <= set(load().drives)


def test_purchases_vary():
    drawn = list(purchases())
    assert len(drawn) == PURCHASES
    kinds = Counter(name for asked in drawn for name in asked)
    assert {"segment", "interface", "form_factor", "raid", "nodes", "plp"} <= set(kinds)
    sizes = [float(asked["usable"][:-2]) for asked in drawn]
    assert min(sizes) < 1
    assert max(sizes) > 150
