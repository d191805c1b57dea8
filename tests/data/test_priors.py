"""The ranges that are assumed hold: measured numbers, hidden and predicted, lie inside."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from planner.catalogue import data_folder, find, load
from planner.catalogue.priors import assumptions
from tests import priors_evidence as evidence


def rows(name):
    with (data_folder() / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_nine_of_ten_measured_numbers_lie_inside():
    inside = evidence.coverage(lambda row, drive: evidence.shipped(row["quantity"], drive))
    for quantity, got in inside.items():
        assert len(got) > 50
        assert np.mean(got) >= evidence.LEAST, quantity


def test_nine_of_ten_do_with_their_own_family_left_out():
    for quantity, got in evidence.coverage(evidence.left_out).items():
        assert np.mean(got) >= evidence.LEAST, quantity


def test_ranges_are_no_wider_than_promised_where_the_kind_is_known():
    for quantity, width in evidence.widths().items():
        assert 1 < width <= evidence.WIDEST[quantity], quantity


def test_copies_in_the_field_are_those_of_the_measured_drives():
    shares = [share for _, share in evidence.copying()]
    (row,) = (
        row for row in rows("assumptions.csv")
        if (row["quantity"], row["applies_to"]) == ("field_copy_ratio", "")
    )  # fmt: skip
    ends = [float(row[level]) for level in ("low", "typical", "high")]
    assert ends == pytest.approx(np.quantile(shares, evidence.COPYING), rel=0.15)


def test_drives_of_hosts_that_write_little_rewrite_themselves():
    """By a likelihood that has its maximum at what is assumed."""
    assert np.mean(evidence.light()["whole"]) >= evidence.LEAST
    none, *gains = (evidence.likelihood(often) for often in (0.0, 0.5, 3.0, 20.0))
    assert gains[1] == max(gains) > none + 4  # e^4 times as likely as none


@pytest.mark.parametrize(
    "name", ["flash_generations.csv", "flash_families.csv", "field_flash.csv", "field_rates.csv"]
)
def test_every_row_says_where_it_was_read(name):
    for row in rows(name):
        assert row["source_id"] in load().sources
        assert row["locator"]


def test_generations_are_ordered_ranges():
    families = {row["generation"] for row in rows("flash_families.csv")}
    generations = rows("flash_generations.csv")
    assert families <= {row["generation"] for row in generations}
    for row in generations:
        for name in ("read_us", "program_us", "erase_ms", "channel_mb_s", "pe_client"):
            ends = [float(row[f"{name}_{end}"] or 1) for end in ("low", "typical", "high")]
            assert ends == sorted(ends), (row["generation"], name)
        bits = {"SLC": 1, "MLC": 2, "TLC": 3, "QLC": 4}[row["cell"]]
        assert int(row["pages_at_once"]) in {1, bits}
        assert row["suspends"] in {"yes", "assumed", "some", "unknown"}


def test_no_assumed_rate_is_above_what_the_interface_carries():
    """Of drives of USB, SAS and NVMe whose peers are faster than their link."""
    for name, bytes_per_s in [("T7 1TB", 1.05e9), ("NV2 1TB", 3.5e9), ("PM7-R 1.92TB", 4.8e9)]:
        drive = find(load(), name)
        items = {item.quantity: item for item in assumptions(drive)}
        for quantity in {"random_read_iops", "steady_write_iops"} & items.keys():
            assert items[quantity].high * 4096 <= bytes_per_s * (1 + 1e-9)


def test_the_rating_of_one_bit_per_cell_is_not_that_of_three():
    known = find(load(), "FL6 800")
    unrated = replace(known, facts={name: fact for name, fact in known.facts.items()
                                    if name != "rated_dwpd"})  # fmt: skip
    rated = next(item for item in assumptions(unrated) if item.quantity == "rated_dwpd")
    assert rated.typical > 20
