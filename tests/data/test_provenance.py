"""Facts against what they were read from, where that is at hand.

The texts and the table that the catalogue was compiled from are not part of the
project; where they lie beside the checkout the facts are compared with them.
"""

import csv
import hashlib
import re
from pathlib import Path

import pytest

from planner import catalogue
from planner.quantity.units import FACTORS

BESIDE = Path(__file__).parents[3] / "shared"
TEXTS = BESIDE / "seeds"
TABLES = {
    name: BESIDE / "data" / f"{name}.csv"
    for name in ("drives_sourced", "drives_client_2017_2026", "drives_enterprise_2017_2026")
}
CATALOGUE = catalogue.load()

WORDS = {"3": "three", "5": "five"}


def facts():
    for drive in CATALOGUE.drives.values():
        for quantity, fact in drive.facts.items():
            yield fact
            yield from drive.passed_over.get(quantity, ())


def spellings(text):
    """Return the ways in which a review may print a number: 7300, 7,300, 87K, 1TB, five."""
    number = float(text)
    found = {text, f"{number:,.10g}", WORDS.get(text, text)}
    if number % 1000 == 0:
        found |= {f"{number / 1000:g}k", f"{number / 1000:g}tb", f"{number / 1000:g} tb"}
    if number % 1024 == 0:
        found |= {f"{number / 1024:g} gb", f"{number / 1024:g}gb"}
    return found


def occurs(spelling, text):
    end = r"(?!\d|[.,]\d)" if spelling[-1].isdigit() else ""
    return re.search(rf"(?<![\d.,]){re.escape(spelling)}{end}", text) is not None


def read_texts():
    if not TEXTS.is_dir():
        return {}
    files = [path.read_bytes() for path in TEXTS.glob("*.txt")]
    return {hashlib.sha256(data).hexdigest(): data.decode("utf-8").lower() for data in files}


def test_every_fact_and_every_word_says_where_it_was_read():
    assert not CATALOGUE.problems
    features = (one for drive in CATALOGUE.drives.values() for one in drive.features.values())
    checked = 0
    for stated in (*facts(), *features):
        assert stated.source_id in CATALOGUE.sources
        assert stated.locator.strip()
        assert stated.kind in ("spec", "measured", "derived", "recalled", "estimate")
        checked += 1
    assert checked > 10_000


def test_printed_values_occur_in_the_text_they_were_read_from():
    texts = read_texts()
    if not texts:
        pytest.skip("the texts of the reviews are not beside this checkout")
    checked = 0
    for fact in facts():
        digest = CATALOGUE.sources[fact.source_id].sha256
        if digest and fact.kind != "derived":
            assert any(occurs(one, texts[digest]) for one in spellings(fact.text)), fact
            checked += 1
    assert checked > 250


def test_tables_and_sections_named_in_a_place_occur_in_the_text():
    texts = read_texts()
    if not texts:
        pytest.skip("the texts of the reviews are not beside this checkout")
    for fact in facts():
        if digest := CATALOGUE.sources[fact.source_id].sha256:
            for title in re.findall(r'"([^"]+)"', fact.locator):
                assert title.lower() in texts[digest], fact.locator


def test_texts_are_those_whose_digest_is_recorded():
    texts = read_texts()
    if not texts:
        pytest.skip("the texts of the reviews are not beside this checkout")
    recorded = {source.sha256 for source in CATALOGUE.sources.values() if source.sha256}
    assert recorded == set(texts)


WRITES = ("steady_write_iops", "burst_write_iops", "spec_write_iops")
COLUMNS = {
    "raw_nand_gib": (("raw_bytes",), 2**30),
    "spare_area_pct": (("spare_fraction", "op_nominal"), 0.01),
    "seq_read_mb_s": (("sequential_read_bytes_per_s",), 1e6),
    "seq_write_mb_s": (("sequential_write_bytes_per_s",), 1e6),
    "seq_write_after_cache_mb_s": (("folded_write_bytes_per_s",), 1e6),
    "rand_read_4k_iops": (("random_read_iops",), 1.0),
    "rand_read_latency_us": (("read_latency_s",), 1e-6),
    "rand_write_latency_us": (("write_latency_s",), 1e-6),
    "tbw_tb": (("rated_bytes",), 1e12),
    "dwpd": (("rated_dwpd",), 1.0),
    "warranty_years": (("warranty_s",), 365 * 86400),
    "dwpd_basis_years": (("rating_period_s",), 365 * 86400),
    "pe_cycles": (("pe_cycles",), 1.0),
    "slc_cache_gb": (("slc_cache_bytes",), 1e9),
    "dram_mb": (("dram_bytes",), 2**20),
    "active_power_w_read": (("read_power_w",), 1.0),
    "active_power_w_write": (("write_power_w",), 1.0),
    "idle_power_w": (("idle_power_w",), 1.0),
    "mtbf_hours": (("mtbf_s",), 3600.0),
    "uber": (("uber",), 1.0),
    "indirection_unit_kib": (("unit_bytes",), 1024.0),
}
SOURCED = COLUMNS | {"rand_write_4k_iops": (WRITES, 1.0), "price_usd": (("price_usd",), 1.0)}
# A joint row of two models is two drives now, and each has its own price.
JOINT = {
    "860 EVO / 870 EVO": ("860 EVO", "870 EVO"),
    "Black NVMe (2018) / SanDisk Extreme PRO": ("Black NVMe (2018)",),
    "PM1733 (U.2)": ("PM1733",),
    "PM1735 (U.2)": ("PM1735",),
    "7400 PRO (U.3)": ("7400 PRO",),
    "Nytro 5350 (5050 family, 1 DWPD)": ("Nytro 5350",),
    "Nytro 5550 (5050 family, 3 DWPD)": ("Nytro 5550",),
}


def of_row(row):
    """Return the drives of a row: of its model, and of its capacity or one within 2.5 %."""
    drives = CATALOGUE.drives.values()
    for model in JOINT.get(row["model"], (row["model"],)):
        alike = [d for d in drives if d.model == model and d.vendor in row["vendor"].split("/")]
        size = float(row["capacity_gb"])
        yield min(alike, key=lambda drive: abs(drive.capacity_gb / size - 1))


def stated(drive, quantities):
    """Return what the catalogue states, in force or passed over or in a note beside it."""
    for quantity in quantities:
        for fact in (
            *drive.passed_over.get(quantity, ()),
            *filter(None, [drive.facts.get(quantity)]),
        ):
            yield fact.value
            for number, unit in re.findall(r" has ([\d.]+) (\S+)", fact.note):
                yield float(number) * FACTORS[unit]


@pytest.mark.parametrize("name", TABLES)
def test_every_number_of_the_tables_arrived(name):
    if not TABLES[name].is_file():
        pytest.skip("the tables of drives are not beside this checkout")
    with TABLES[name].open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        for drive in of_row(row):
            assert abs(drive.capacity_gb / float(row["capacity_gb"]) - 1) <= 0.025, drive.name
            for column, (quantities, factor) in (SOURCED if "sourced" in name else COLUMNS).items():
                text = row.get(column, "")
                if not text or (column == "dram_mb" and float(text) == 0):
                    continue
                if column == "price_usd" and row["model"].startswith("860 EVO /"):
                    continue
                value = float(text.split()[0]) * factor
                near = (abs(other / value - 1) <= 0.005 for other in stated(drive, quantities))
                assert any(near), (drive.name, column)
