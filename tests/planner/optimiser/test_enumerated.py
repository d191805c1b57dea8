"""Forty drawn purchases against plans made one by one, in order of the price of their drives.

Each grid has at least 2,000 configurations. Capacity, rating, warranty and price are arithmetic of
its own; life, loss and cost are those of single plans. A plan whose drives alone cost more than the
best so far cannot be less, so the rest need not be made.
"""

import random
from collections import defaultdict
from math import inf

import pytest

from models.units import DAY_S, TB, YEAR_S
from planner.catalogue import load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors import largest_unit_bytes
from planner.scenario.array import Array, RaidLevel
from planner.search.choose import choose
from planner.search.choose.request import choice_request
from planner.sections.data_loss import data_loss
from planner.sections.ownership import ownership
from planner.sections.plan import plan_drive

DRIVES = list(load().drives.values())
LEVELS = {"1": (2, 24, 1), "10": (4, 24, 2), "5": (3, 16, 1), "6": (4, 16, 1)}
SPARE = (0.0, 0.07, 0.14, 0.28)
SPARE_WORTH = 1.02  # what must be saved before capacity is left unpartitioned


def purchases(count=40, seed=2126):
    """Yield what is asked, and the drives among which it is asked."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(count):
        usable = rng.choice((0.7, 1.5, 3, 6, 11, 25, 45, 90))
        asked = {
            "usable": f"{usable}TB",
            "writes": f"{usable * 10 ** rng.uniform(-2.5, 0.8):.3g} TB/day",
            "years": rng.choice(("2", "3", "5")),
            "max_loss": rng.choice(("1 in 100", "1 in 1000", "1 in 10000")),
            "minimise": rng.choice(("cost", "cost", "price")),
        }
        yield asked, rng.sample(DRIVES, 14)


def configurations(drives):
    """Yield every drive, level, number of drives and share left unpartitioned."""
    for drive in drives:
        for level, (least, most, step) in LEVELS.items():
            for members in range(least, most + 1, step):
                for spare in SPARE:
                    yield drive, level, members, spare


def is_enough(asked, drive, level, members, spare):
    """Whether capacity, printed rating and warranty suffice, by arithmetic of its own."""
    data = {"1": 1, "10": members / 2, "5": members - 1, "6": members - 2}[level]
    printed, user = load().drives[drive.drive_id], drive.value("user_bytes")
    usable, years_s = user * (1 - spare) * data, float(asked["years"]) * YEAR_S
    rated = printed.value("rated_bytes")
    if rated is None:
        days = (drive.value("rating_period_s") or drive.value("warranty_s") or 0.0) / DAY_S
        rated = (printed.value("rated_dwpd") or 0.0) * user * days
    written = float(asked["writes"].split()[0]) * TB / DAY_S * years_s / members
    return (
        usable >= float(asked["usable"][:-2]) * TB * (1 - 1e-12)
        and (drive.value("warranty_s") or 0.0) >= years_s
        and rated >= written * (1 - 1e-12)
    )


def cost(asked, request, drive, level, members, spare):
    """The objective of one plan; None where it does not hold what is asked."""
    years_s = float(asked["years"]) * YEAR_S
    layout = {"array": Array(members=members, level=RaidLevel(level)),
              "partition_fraction": 1 - spare}  # fmt: skip
    plan = plan_drive(drive, request["workload"], **layout)
    by_unit = plan_drive(with_user_facts(drive, unit_bytes=largest_unit_bytes(drive)),
                         request["workload"], **layout)  # fmt: skip
    lives = (plan["endurance_life_s"], plan["printed_life_s"], by_unit["rated_life_s"])
    if any(life.value is None or life.value < years_s * (1 - 1e-12) for life in lives):
        return None
    lost = data_loss(plan, request["risk"])["array_loss_probability"].value
    if not lost <= 1 / float(asked["max_loss"].split()[-1]):
        return None
    if asked["minimise"] == "price":
        return drive.value("price_usd") * members
    return float(ownership(plan, request["terms"], request["risk"])["npv_usd"].value)


def enumerated(asked, request):
    """Return the least objective of all configurations, none with spare area that saves no 2 %."""
    every = list(configurations(request["grid"].drives))
    assert len(every) >= 2000
    able = [one for one in every if is_enough(asked, *one)]
    able.sort(key=lambda one: one[0].value("price_usd") * one[2])
    whole, least = defaultdict(lambda: inf), defaultdict(lambda: inf)
    for one in able:
        drive, level, members, spare = one
        if drive.value("price_usd") * members > SPARE_WORTH * min(least.values(), default=inf):
            break
        found = cost(asked, request, *one)
        if found is not None:
            assert found >= drive.value("price_usd") * members * (1 - 1e-12)
            kind = (drive.drive_id, level)
            least[kind] = min(least[kind], found)
            if spare == 0:
                whole[kind] = min(whole[kind], found)
    return min(
        (whole[kind] if whole[kind] <= SPARE_WORTH * found else found)
        for kind, found in [*least.items(), (None, inf)]
    )


@pytest.mark.parametrize("drawn", list(purchases()), ids=lambda drawn: " ".join(drawn[0].values()))
def test_the_first_row_is_the_least_of_all_that_hold(drawn):
    asked, among = drawn
    request = choice_request(among, is_named=True, **asked)
    best, expected = choose(**request).best, enumerated(asked, request)
    assert (best.objective if best else inf) == pytest.approx(expected, rel=1e-9)
