"""Workloads of reviews: their numbers agree with each other, and their questions are answered."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from models.errors import DomainError
from models.units import GB, KIB, MB, US
from planner import catalogue
from planner.scenario import client_workloads
from planner.scenario.client_workloads import as_workload, bursts, load, service
from tests.published import Printed

WORKLOADS = load().workloads
TRACES = [key for key, client in WORKLOADS.items() if client.kind == "trace"]
# Reviews by the SHA-256 of their text: every number in it, and the headings that facts name.
REVIEWS = json.loads((Path(__file__).parents[1] / "data" / "review_numbers.json").read_text())


def test_every_row_is_used():
    assert load().problems == ()
    assert len(WORKLOADS) == 9
    assert all(client.facts for client in WORKLOADS.values())
    assert {client.kind for client in WORKLOADS.values()} == {"trace", "burst", "sustained"}


def facts():
    for client in WORKLOADS.values():
        yield from client.facts.values()
        yield from client.passed_over


def occurs(number, text):
    """Whether a number stands in a text: 2168893, 2,168,893, 38.83 million, eight."""
    value = float(number)
    written = {number, f"{value:,.10g}", f"{value / 1e6:.2f} million", {"8": "eight"}.get(number)}
    pattern = "|".join(re.escape(one) for one in written if one)
    return re.search(rf"(?<![\d.,])({pattern})(?!\d|[.,]\d)", text) is not None


def test_printed_values_and_named_sections_occur_in_the_text():
    """Digits only: that a sentence means "one at a time" or "randomly" is left to the reader."""
    checked = 0
    for fact in facts():
        digest = catalogue.load().sources[fact.source_id].sha256
        if not digest:
            continue
        for title in re.findall(r'"([^"]+)"', fact.locator):
            assert title.lower() in REVIEWS[digest]["titles"], fact.locator
        if fact.kind == "stated" and fact.value > 1:
            assert occurs(fact.text, REVIEWS[digest]["numbers"]), fact
            checked += 1
    assert checked > 30


@pytest.mark.parametrize("key", TRACES)
@pytest.mark.parametrize("quantity", ["size_share", "depth_share"])
def test_shares_are_shares_of_a_whole(key, quantity):
    """Printed to a tenth of a percent each."""
    shares = WORKLOADS[key].shares(quantity)
    assert all(0 < share < 1 for share in shares.values())
    assert sum(shares.values()) <= 1 + 0.0005 * len(shares)


# AnandTech 7173, specifications of The Destroyer: 40.77 KB per read and 79.75 per write follow.
def test_mean_sizes_of_the_destroyer():
    client = WORKLOADS["anandtech-destroyer-2013"]
    read = client.value("read_bytes") / client.value("reads")
    written = client.value("written_bytes") / client.value("writes")
    assert Printed("40.77").admits(read / 1e3)
    assert Printed("79.75").admits(written / 1e3)
    assert Printed("49.8").admits((client.value("reads") + client.value("writes")) / 1e6)


@pytest.mark.parametrize("key", ["anandtech-heavy-2011", "anandtech-light-2011"])
def test_bytes_of_a_trace_agree_with_its_transfer_sizes(key):
    """What the printed sizes leave must be of some size from 512 bytes to 128 KiB."""
    client = WORKLOADS[key]
    shares = client.shares("size_share")
    small = shares.pop("< 4 KiB")
    known = sum(share * float(size.split()[0]) * KIB for size, share in shares.items())
    mean = as_workload(client, host_bytes_per_s=1e6).transfer_bytes
    left = 1 - sum(shares.values()) - small
    assert 0.5 * KIB < (mean - known - small * 2 * KIB) / left < 128 * KIB


def test_the_mean_depth_of_the_light_trace_follows_from_its_shares():
    client = WORKLOADS["anandtech-light-2011"]
    middle = {"1": 1, "2": 2, "3": 3, "4-5": 4.5, "6-10": 8, "11-20": 15.5, "21-32": 26.5}
    shares = client.shares("depth_share")
    mean = sum(share * middle.get(depth, 33) for depth, share in shares.items())
    fact = client.facts["queue_depth", ""]
    assert Printed(fact.text).admits(mean)
    printed = [fact.value for fact in client.passed_over if fact.quantity == "queue_depth"]
    assert printed == [4.6]


def test_the_newer_table_of_sizes_confirms_the_older():
    """Printed to whole percent in 2013, to tenths in 2015 with more classes."""
    for key in ("anandtech-heavy-2011", "anandtech-light-2011"):
        client = WORKLOADS[key]
        older = {
            fact.at: fact.value for fact in client.passed_over if fact.quantity == "size_share"
        }
        assert len(older) == 4
        for size, share in older.items():
            assert client.value("size_share", size) == pytest.approx(share, abs=0.013)


@pytest.mark.parametrize("key", WORKLOADS)
def test_a_plan_can_be_asked_for(key):
    client = WORKLOADS[key]
    workload = as_workload(client, host_bytes_per_s=1e6)
    assert workload.host_bytes_per_s == 1e6
    assert workload.queue_depth == client.value("queue_depth")
    assert workload.fill_fraction == 1


def test_a_plan_for_the_consistency_test():
    workload = as_workload(WORKLOADS["anandtech-consistency"], host_bytes_per_s=1e6)
    assert (workload.read_fraction, workload.transfer_bytes) == (0, 4 * KIB)
    assert (workload.queue_depth, workload.sequential_fraction) == (32, 0)


def test_the_read_share_counts_operations():
    workload = as_workload(WORKLOADS["anandtech-light-2011"], host_bytes_per_s=1e6)
    assert workload.read_fraction == pytest.approx(372_630 / 832_339, rel=1e-12)


def test_what_no_review_states_is_missing():
    mixed = WORKLOADS["pcper-mixed-burst"]
    stated = {key: fact for key, fact in mixed.facts.items() if fact.kind == "stated"}
    got = as_workload(replace(mixed, facts=stated), host_bytes_per_s=1e6)
    assert not got.is_known
    assert got.lacking == ("read_fraction", "sequential_fraction", "transfer_bytes")
    assert not service(mixed, data_rate_bytes_per_s=1e8, service_s=1e-3).is_known
    assert not bursts(WORKLOADS["anandtech-consistency"], **EVO).is_known


def test_the_mixed_burst_reads_and_writes_what_its_bursts_do():
    """In 60 s: 200 MB ten times, and 40 MB every 2 s."""
    mixed = WORKLOADS["pcper-mixed-burst"]
    written, read = (mixed.value("burst_bytes", side) for side in ("writes", "reads"))
    written *= mixed.value("test_s") / mixed.value("cycle_s", "writes")
    read *= mixed.value("bursts", "reads")
    assert mixed.value("read_fraction") == pytest.approx(read / (read + written))


def test_a_replayed_trace_taken_apart():
    """AnandTech 7173, "RAPID", Heavy 2011 without the cache: 229.6 MB/s, 1101.0 us."""
    heavy = WORKLOADS["anandtech-heavy-2011"]
    got = service(heavy, data_rate_bytes_per_s=229.6 * MB, service_s=1101.0 * US)
    assert got.busy_s == pytest.approx(154.95 * GB / (229.6 * MB))
    assert got.waited_s / got.busy_s == pytest.approx(got.busy_queue_depth)
    with pytest.raises(DomainError, match=r"^data_rate_bytes_per_s must be > 0"):
        service(heavy, data_rate_bytes_per_s=0.0, service_s=1e-3)


# 840 EVO 120 GB: The SSD Review, 2013; 3 GB of cache, 410, 140 and 130 MB/s.
EVO = {
    "slc_cache_bytes": 3 * GB,
    "cached_write_bytes_per_s": 410 * MB,
    "folded_write_bytes_per_s": 140 * MB,
    "fold_bytes_per_s": 130 * MB,
}


def test_the_mixed_burst_stays_in_the_cache():
    got = bursts(WORKLOADS["pcper-mixed-burst"], **EVO)
    assert got.sustainable
    assert got.cached_fraction == 1
    assert Printed("0.405").admits(got.demand_s)
    assert got.cycle_s == 2
    assert got.steady_burst_s == pytest.approx(40 / 410)


def test_a_drive_that_hardly_folds_does_not_keep_up():
    got = bursts(WORKLOADS["pcper-mixed-burst"], **EVO | {"fold_bytes_per_s": 10 * MB})
    assert not got.sustainable
    assert got.demand_s > got.cycle_s
    assert got.steady_burst_s > 40 / 410


@pytest.mark.parametrize(
    ("cells", "complaint"),
    [
        ("x,queue_depth,,4,1,exact,,stated,a,b,R,", r"workload_id: 'x' is not known"),
        ("w,depth,,4,1,exact,,stated,a,b,R,", r"quantity: 'depth' is not known"),
        ("w,queue_depth,,4,GB,exact,,stated,a,b,R,", r"unit: 'GB' is not a unit of queue_depth"),
        ("w,queue_depth,,4,1,exact,,stated,nobody,b,R,", r"source_id: 'nobody' is not known"),
        ("w,queue_depth,,4,1,exact,,stated,anandtech-7173,,R,", r"locator: is empty"),
    ],
)
def test_a_row_that_cannot_be_used_is_named(tmp_path, cells, complaint):
    for name in ("sources.csv", "drives.csv", "features.csv", "facts.csv"):
        shutil.copy(catalogue.data_folder() / name, tmp_path)
    (tmp_path / "client_workloads.csv").write_text(
        "workload_id,name,kind,description\nw,W,trace,d\nw,W,trace,d\n"
    )
    header = (catalogue.data_folder() / "client_facts.csv").read_text().splitlines()[0]
    (tmp_path / "client_facts.csv").write_text(f"{header}\n{cells}\n")
    twice, problem = client_workloads.load(tmp_path).problems
    assert re.fullmatch(r"client_workloads.csv:3: workload_id: 'w' is listed twice", twice)
    assert re.match(rf"client_facts.csv:2: {complaint}", problem)
