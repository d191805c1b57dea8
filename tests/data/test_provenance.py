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

BESIDE = Path(__file__).parents[3] / "shared"
TEXTS = BESIDE / "seeds"
TABLE = BESIDE / "data" / "drives_sourced.csv"
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
    "capacity_gb": (("user_bytes",), 1e9),
    "raw_nand_gib": (("raw_bytes",), 2**30),
    "spare_area_pct": (("spare_fraction", "op_nominal"), 0.01),
    "seq_read_mb_s": (("sequential_read_bytes_per_s",), 1e6),
    "seq_write_mb_s": (("sequential_write_bytes_per_s",), 1e6),
    "seq_write_after_cache_mb_s": (("folded_write_bytes_per_s",), 1e6),
    "rand_read_4k_iops": (("random_read_iops",), 1.0),
    "rand_write_4k_iops": (WRITES, 1.0),
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
    "price_usd": (("price_usd",), 1.0),
    "mtbf_hours": (("mtbf_s",), 3600.0),
    "uber": (("uber",), 1.0),
}


def stated(drive, quantities):
    return [
        fact.value
        for quantity in quantities
        if quantity in drive.facts
        for fact in (drive.facts[quantity], *drive.passed_over.get(quantity, ()))
    ]


def test_every_number_of_the_table_arrived():
    if not TABLE.is_file():
        pytest.skip("the table of sourced drives is not beside this checkout")
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == len(CATALOGUE.drives)
    for row in rows:
        words = f"{row['vendor']} {row['model']} {row['capacity_gb']}gb".lower()
        drive = CATALOGUE.drives[re.sub(r"[^a-z0-9]+", "-", words)]
        for column, (quantities, factor) in COLUMNS.items():
            if row[column]:
                value = float(row[column].split()[0]) * factor
                assert pytest.approx(value, rel=1e-12) in stated(drive, quantities), column
