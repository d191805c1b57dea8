"""Random edits of the workbook of a choice among quotes, and what the planner says of the same."""

import csv
import io
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from models.units import DAY_S, GIB
from planner.catalogue.quotes import COLUMNS, for_count
from planner.quantity.show import shown
from planner.quantity.writes import unambiguous
from planner.scenario.array import RaidLevel
from planner.search.choose import Choice, choose
from planner.search.choose.request import choice_request, quotes_of
from tests.planner.export.purchases import Case, candidate, differences, numbered, read

QUOTES = (
    {"vendor": "Samsung", "model": "PM893", "capacity": "3.84 TB", "price": "620",
     "price_10": "560", "currency": "USD", "price_date": "2026-09-01", "supplier": "A",
     "warranty_years": "5", "lead_time": "3 weeks"},
    {"part_number": "MZQL23T8HCLS-00A07", "price": "640", "currency": "EUR",
     "price_date": "2026-09-02", "supplier": "B"},
    {"vendor": "Micron", "model": "5300 PRO", "capacity": "3.84 TB", "price": "655",
     "price_6": "612", "currency": "USD", "price_date": "2026-09-03", "supplier": "C",
     "warranty_years": "5"},
    {"vendor": "Intel", "model": "D3-S4510", "capacity": "1.92 TB", "price": "290",
     "price_10": "252", "currency": "EUR", "price_date": "2026-09-04", "supplier": "D",
     "warranty_years": "5"},
)  # fmt: skip
ASKED = {"usable": "14TB", "writes": "600GB/day", "today": "2026-10-01", "raid": "5,6",
         "drives": "4-14", "spare": "0%", "iops": "20000", "budget": "9000"}  # fmt: skip
OF_NODES = {"usable": "8TB", "nodes": "4-6", "bays": "5", "spare": "0%", "budget": "12000",
            "writes": "600GB/day", "today": "2026-10-01"}  # fmt: skip
CLUSTERS = "USD, nodes"  # prices, rates, writes and quotes are edited, drives are those of nodes
RATE = 1.1
_PRICES = ("price", "price_6", "price_10")
PLANS = 6  # candidates in the workbook


@dataclass(frozen=True)
class Edit:
    """What is typed in: factors of writes and rate, and prices, counts and quotes by candidate."""

    writes: float = 1.0
    rate: float = RATE
    prices: tuple[tuple[str, float], ...] = ()  # factor by drive
    members: tuple[tuple[int, int], ...] = ()
    offer: tuple[str, float, str, float] | None = None  # drive, price, currency, VAT in percent


def table(rows, factors=()):
    """Return a table of quotes, with prices times the factor of their drive."""
    lines = io.StringIO()
    writer = csv.DictWriter(lines, (*COLUMNS, "price_6"))
    writer.writeheader()
    by_place = dict(factors)
    for place, row in enumerate(rows):
        factor = by_place.get(place, 1.0)
        prices = {name: repr(float(row[name]) * factor) for name in _PRICES if name in row}
        writer.writerow(row | prices)
    return lines.getvalue().encode()


def texts(currency, rate=RATE, writes=1.0):
    asked = OF_NODES if currency == CLUSTERS else ASKED
    rates = {"currency": currency[:3], "rate": f"EUR={rate!r}"}
    return asked | {"writes": unambiguous(f"{600 * writes!r}GB/day")} | rates


def request(currency, edit=None):
    """Return what the planner asks of itself with an edit, from a table with the edited prices."""
    edit = edit or Edit()
    asked, places = texts(currency, edit.rate, edit.writes), places_of(currency)
    content = table(QUOTES, [(places[name], factor) for name, factor in edit.prices])
    drives = quotes_of(
        [("quotes.csv", content)], {name: asked[name] for name in ("currency", "rate")}
    ).drives
    return choice_request(drives, minimise="cost", **asked)


@cache
def places_of(currency):
    """Return the line of each drive in the table."""
    rates = {"currency": currency[:3], "rate": f"EUR={RATE!r}"}
    drives = quotes_of([("quotes.csv", table(QUOTES))], rates).drives
    return {drive.drive_id: place for place, drive in enumerate(drives)}


@cache
def choice(currency) -> Choice:
    """Return the plans that are exported."""
    return choose(**request(currency), top=PLANS)


def edits(currency, count, seed):
    """Draw edits: some of the prices, counts, rate and writes at a time, and at times a quote."""
    random = np.random.default_rng(seed)
    exported = choice(currency)
    drives = list(dict.fromkeys(one.plan.drive.drive_id for one in exported.candidates))
    for number in range(count):
        changed = random.random(4) < 0.55
        changed[number % 4] = True
        prices = random.choice(drives, size=2, replace=False).tolist() if changed[0] else []
        offer = None
        if number % 3 == 2:
            price, vat = float(np.round(random.uniform(230, 480), 2)), float(random.choice([0, 19]))
            offer = str(random.choice(drives)), price, str(random.choice(["USD", "EUR"])), vat
        yield Edit(
            prices=tuple((name, float(random.uniform(0.6, 1.7))) for name in prices),
            members=tuple(_counts(exported, random)) if changed[1] and currency != CLUSTERS else (),
            rate=float(np.round(random.uniform(0.8, 1.45), 4)) if changed[2] else RATE,
            writes=float(10 ** random.uniform(-0.5, 1.3)) if changed[3] else 1.0,
            offer=offer,
        )


def _counts(exported, random):
    for index in random.choice(len(exported.candidates), size=2, replace=False).tolist():
        array = exported.candidates[index].plan.array
        least = 5 if array.level is RaidLevel.RAID6 else 4
        yield index, int(random.integers(least, 15))


def typed(currency, edit):
    """Return what an edit types into which cell."""
    exported = choice(currency)
    changes = {
        "writes": _writes(currency, edit) * DAY_S / GIB,
        "writes_unit": "GiB/day",
        "rate_2": edit.rate,
    }
    of_drive = dict(edit.prices)
    names = [one.plan.drive.drive_id for one in exported.candidates]
    for column, one in enumerate(exported.candidates, start=1):
        row = QUOTES[places_of(currency)[one.plan.drive.drive_id]]
        factor = of_drive.get(one.plan.drive.drive_id)
        if factor is not None:
            name = numbered("price_usd", column)
            prices = [float(row[each]) * factor for each in _PRICES if each in row]
            changes[name] = prices[0]
            for number, price in enumerate(prices[1:], start=1):
                changes[f"{name}_then_{number}"] = price
    changes |= {numbered("members", index + 1): count for index, count in edit.members}
    if edit.offer is not None:
        drive, price, code, vat = edit.offer
        line = 3 * list(dict.fromkeys(names)).index(drive) + 1
        words = {"price": price, "currency": code, "vat": vat, "supplier": "typed"}
        changes |= {f"quote_{line}_{name}": word for name, word in words.items()}
    return changes


def _writes(currency, edit):
    return request(currency, edit)["workload"].host_bytes_per_s


def planned(currency, edit):
    """Return the exported plans with an edit, made afresh from what the planner is asked then."""
    asked, exported = request(currency, edit), choice(currency)
    drives = {drive.drive_id: drive for drive in asked["grid"].drives}
    counts = dict(edit.members)
    for index, one in enumerate(exported.candidates):
        members = counts.get(index, one.plan.array.members)
        case = Case(
            _priced(drives[one.plan.drive.drive_id], members, currency, edit),
            replace(one.plan.array, members=members),
            fraction=one.plan.partition_fraction,
        )
        yield candidate(
            case, asked["workload"], terms=asked["terms"], risk=asked["risk"],
            requirements=asked["requirements"],
        )  # fmt: skip


def _priced(drive, members, currency, edit):
    """Return a drive at the least of its price for so many and of the quote that was typed in."""
    price = for_count(drive, members)
    if edit.offer is not None and edit.offer[0] == drive.drive_id:
        _, amount, code, vat = edit.offer
        row = {"vendor": "X", "model": "Y", "capacity": "1 TB", "currency": code,
               "price": repr(amount / (1 + vat / 100))}  # fmt: skip
        rates = {"currency": currency[:3], "rate": f"EUR={edit.rate!r}"}
        (offered,) = quotes_of([("offer.csv", table([row]))], rates).drives
        price = min(price, offered.value("price_usd"))
    fact = replace(drive.facts["price_usd"], value=price)
    return replace(drive, facts={**drive.facts, "price_usd": fact})


def fails(one):
    """Whether a plan does not meet some need."""
    return any(met.margin < 1 - 1e-9 for met in one.met)


def winner(plans):
    """Return the number of the plan that is the least of those that meet every need, 0 for none."""
    orders = [
        (one.ownership["npv_usd"].value, one.plan.array.members,
         -one.plan["usable_bytes"].value, place)
        for place, one in enumerate(plans, start=1)
        if not fails(one)
    ]  # fmt: skip
    return min(orders)[-1] if orders else 0


def far(cell, expected):
    """Return how far a number of the workbook is from the planner's, relatively."""
    if expected == float("inf"):
        return 0.0 if cell == "never" else float("inf")
    if not isinstance(cell, float | int):
        return float("inf")
    return abs(cell) if expected == 0 else abs(cell - expected) / abs(expected)


def compared(book, plans):
    """Return how many numbers were compared, the worst distance, and where it is."""
    every = [
        (far(cell, expected), name, cell, expected)
        for column, one in enumerate(plans, start=1)
        for name, cell, expected in (
            *differences(book, column, one.plan, one.ownership),
            (numbered("taken_price", column), read(book, "taken_price", column),
             shown("price_usd", one.plan.drive.value("price_usd"))),
        )
    ]  # fmt: skip
    return len(every), max(every, key=lambda row: row[0])
