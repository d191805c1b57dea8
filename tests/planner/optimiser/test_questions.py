"""Questions as people write them against plans made one by one.

With rules of trades, quotes by quantity, prices carried to today as bands, and nodes. What rules
mean, what a quote costs and what a cluster holds is written down here once more.
"""

import itertools
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from models.units import TB, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.prices import basis_of
from planner.catalogue.quotes import merged, read_quotes
from planner.scenario.array import Array, RaidLevel
from planner.search.choose import Need, Objective, checks, choose
from planner.search.choose.configurations import configurations
from planner.search.choose.limits import margins
from planner.search.choose.request import choice_request
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.ownership import ownership
from planner.sections.plan import plan_drive

QUOTES = b"""vendor,model,capacity,price,price_10,currency,price_date,warranty_years
Samsung,PM893,3.84 TB,620,400,,2026-09-01,5
Samsung,PM9A3,3.84 TB,700,,EUR,2026-09-02,
"""
QUOTED = {("PM893", 1): 620.0, ("PM893", 10): 400.0, ("PM9A3", 1): 875.0, ("PM9A3", 10): 875.0}
NAMES = ("7450 MAX 1.6", "870 EVO 4TB", "Red SN700 4TB", "D5-P5336 15.36")
# By hand from the names: made for servers, protected, exchanged while the server runs.
OF_SERVERS = {"PM893", "PM9A3", "7450 MAX", "D5-P5336"}
OF_NAS = OF_SERVERS | {"Red SN700"}
RAID = (RaidLevel.RAID1, RaidLevel.RAID10, RaidLevel.RAID5, RaidLevel.RAID6)
TRADES = {
    None: (None, RAID, 1e-3, 16), "server": (OF_SERVERS, RAID, 1e-3, 16),
    "nas": (OF_NAS, RAID, 1e-3, 12), "database": (OF_SERVERS, RAID[:2], 1e-4, 16),
    "lab": (None, (RaidLevel.RAID0, *RAID), None, 16),
}  # fmt: skip
ASKED = {"drives": "2,4,10", "spare": "0%", "rate": "EUR=1.25", "today": "2026-10-01"}
NODES = {"drives": "2,5", "bays": "5", "spare": "0%"}
LANES = {"PM893": 0, "870 EVO": 0}
QUESTIONS = [
    {"usable": "12TB", "writes": "1TB/day"},
    {"usable": "12TB", "writes": "1TB/day", "minimise": "price", "budget": "6000"},
    {"usable": "20TB", "writes": "4TB/day", "rules": "server", "spare": "0%,14%"},
    {"usable": "20TB", "writes": "100GB/day", "rules": "nas", "iops": "20000"},
    {"usable": "3TB", "writes": "2TB/day", "rules": "database"},
    {"usable": "30TB", "writes": "1TB/day", "rules": "lab", "minimise": "price"},
    {"usable": "30TB", "writes": "2TB/day", "nodes": "3-5", **NODES},
    {"usable": "30TB", "writes": "2TB/day", "nodes": "3,4", "replicas": "2", "rules": "server",
     "minimise": "price", **NODES},
    {"usable": "40TB", "writes": "2TB/day", "nodes": "4-6", "ec": "3+1", "lanes": "16",
     "watts": "60", **NODES},
    {"usable": "40TB", "writes": "2TB/day", "nodes": "6", "ec": "4+2", "survive": "2",
     "fill_limit": "95%", "iops": "90000", **NODES},
]  # fmt: skip


@pytest.fixture(scope="module")
def drives():
    rates = {"EUR": 1.25}
    quotes = read_quotes([("own.csv", QUOTES)], load(), currency="USD", rates=rates)
    return merged([find(load(), name) for name in NAMES], quotes.drives)


def value_of(answer):
    return float(answer.value) if answer.is_known else np.nan


def arrays(asked):
    """Return each layout with the share of all capacity that it leaves for data, and its nodes."""
    return clusters(asked) if "nodes" in asked else single_arrays(TRADES[asked.get("rules")])


def single_arrays(trade):
    _, levels, _, widest = trade
    for level in levels:
        for members in (2, 4, 10):
            parity = {"5": 1, "6": 2}.get(level, 0)
            if members < {"10": 4, "5": 3, "6": 4}.get(level, 2) or (parity and members > widest):
                continue
            share = {"1": 1 / members, "10": 0.5}.get(level, (members - parity) / members)
            yield Array(members=members, level=level), share, None


def clusters(asked):
    copies = f"1+{int(asked.get('replicas', 3)) - 1}"
    data, parity = (int(part) for part in asked.get("ec", copies).split("+"))
    ends = asked["nodes"].replace("-", ",").split(",")
    limit, lost = float(asked.get("fill_limit", "85%")[:-1]) / 100, int(asked.get("survive", 1))
    counts = range(max(int(ends[0]), data + parity), int(ends[-1]) + 1)
    for nodes, each in itertools.product(counts, (2, 5)):
        free = nodes - data - parity
        array = Array.of_nodes(nodes, each, data_members=data, parity_members=parity,
                               lost_nodes=lost, fill_limit=limit)  # fmt: skip
        used = (nodes - min(lost, free)) / nodes if free else (each - 1) / each
        yield array, limit * used * data / (data + parity), nodes


def holds(one, share, nodes, asked, risk, dearest):
    """Whether a plan has all that is required, from its own numbers."""
    array, drive = one.array, one.drive
    usable = drive.value("user_bytes") * one.partition_fraction * array.members * share
    assert value_of(one["usable_bytes"]) == pytest.approx(usable, rel=1e-12)
    is_dear = array.members * dearest > float(asked.get("budget", "inf"))
    if is_dear or usable < float(asked["usable"][:-2]) * TB * (1 - 1e-12):
        return False
    is_lab = asked.get("rules") == "lab"
    printed = value_of(one["printed_life_s"])
    sure = np.exp(0.25 * 1.6448536269514722) if is_lab else 1.0  # half of them instead of 95 %
    lasts = value_of(one["endurance_life_s"]) * sure >= 5 * YEAR_S * (1 - 1e-12)
    if not (lasts and (printed >= 5 * YEAR_S or (is_lab and np.isnan(printed)))):
        return False
    if not is_lab and not drive.value("warranty_s") >= 5 * YEAR_S * (1 - 1e-12):
        return False
    if nodes is not None and "lanes" in asked:
        lanes = array.members / nodes * LANES.get(drive.model, 4)
        power = max(drive.value("write_power_w") or 0, drive.value("read_power_w") or 0)
        if lanes > float(asked["lanes"]) or not 0 < power * array.members / nodes <= 60:
            return False
    if "iops" in asked and not value_of(array_queue(one).iops) >= float(asked["iops"]):
        return False
    limit = TRADES[asked.get("rules")][2]
    return limit is None or value_of(data_loss(one, risk)["array_loss_probability"]) <= limit


def one_by_one(request, asked):
    """The best of each drive and level, the least of the objective first: the slow twin."""
    grid, risk = request["grid"], request["risk"]
    made_for = TRADES[asked.get("rules")][0]
    best, rows = defaultdict(lambda: (np.inf,)), {}
    for number, drive in enumerate(grid.drives):
        assert made_for is None or drive.model in made_for
        for spare, fraction in enumerate(grid.partition_fractions):
            for place, (array, share, nodes) in enumerate(arrays(asked)):
                price = QUOTED.get((drive.model, 10 if array.members >= 10 else 1))
                if price is None:
                    assert basis_of(drive) in ("curve", "carried")
                    price, dearest = drive.price_range.typical, drive.price_range.high
                else:
                    dearest = price
                fact = replace(drive.facts["price_usd"], value=price)
                one = plan_drive(
                    replace(drive, facts={**drive.facts, "price_usd": fact}),
                    request["workload"], array=array, partition_fraction=fraction,
                )  # fmt: skip
                if not holds(one, share, nodes, asked, risk, dearest):
                    continue
                least = price * array.members
                if request["objective"] is Objective.COST:
                    least = value_of(ownership(one, request["terms"], risk)["npv_usd"])
                row = (least, array.members, -value_of(one["usable_bytes"]), number,
                       spare, place, array.name)  # fmt: skip
                kind = (number, array.level)
                best[kind] = min(best[kind], row)
                rows[number, spare, place] = row
    whole = [rows.get((row[3], 0, row[5]), (np.inf,)) for row in best.values()]
    return sorted(full if full[0] <= 1.02 * row[0] else row
                  for row, full in zip(best.values(), whole, strict=True))  # fmt: skip


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: " ".join(asked.values()))
def test_the_ranked_plans_are_those_of_plans_made_one_by_one(asked, drives):
    texts = {"minimise": "cost", **ASKED, **asked}
    request = choice_request(drives, is_named=True, **texts)
    got = choose(**request, top=50)
    expected = one_by_one(request, asked)
    assert expected, "a question that has an answer"
    rows = [
        (
            one.objective, one.plan.array.members, -value_of(one.plan["usable_bytes"]),
            one.plan.drive.drive_id, one.plan.partition_fraction, one.plan.array.name,
        )
        for one in got.candidates
    ]  # fmt: skip
    grid = request["grid"]
    assert rows == [
        (pytest.approx(least, rel=1e-12), members, pytest.approx(less, rel=1e-12),
         grid.drives[number].drive_id, grid.partition_fractions[spare], name)
        for least, members, less, number, spare, _, name in expected
    ]  # fmt: skip


def test_reads_are_held_to_their_limit_as_if_every_configuration_were_computed():
    drives = [find(load(), name) for name in ("PM893 3.84", "980 PRO 1TB", "7450 MAX 1.6")]
    asked = {"minimise": "price", "writes": "6TB/day", "drives": "4-10", "raid": "10,5",
             "spare": "0%,28%", "rules": "lab", "today": "2026-10-01"}  # fmt: skip
    request = choice_request(drives, **asked)
    table = configurations(request["workload"], request["grid"])
    every = np.arange(np.prod(table.shape))
    latency_s = checks.read_p999_s(table, table.places(every))
    for share in (0.1, 0.5, 0.9):
        limit = float(np.quantile(latency_s, share))
        required = replace(request["requirements"], read_p999_s=limit)
        got = choose(**{**request, "requirements": required}, top=50)
        price = np.broadcast_to(table["total_price_usd"], table.shape).ravel()
        holds = margins(table, request["requirements"], request["risk"])
        fits = np.all([np.broadcast_to(each, table.shape).ravel() >= 1 for each in holds.values()],
                      axis=0)  # fmt: skip
        fast = price[fits & (latency_s <= limit)]
        assert got.best.objective == pytest.approx(fast.min())
        met = [each for one in got.candidates for each in one.met if each.need is Need.READS]
        assert met
        assert all(each.available <= limit for each in met)
