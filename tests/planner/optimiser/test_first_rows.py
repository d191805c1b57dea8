"""The first row of sixty purchases, drawn at random, against arithmetic of its own."""

import random

import pytest

from models.units import DAY_S, TB, YEAR_S
from planner.catalogue import load
from planner.catalogue.price_curve import curve_range
from planner.catalogue.prices import basis_of
from planner.catalogue.priors import largest_unit_bytes, with_assumptions
from planner.scenario.array import RaidLevel
from planner.search.choose import choose
from planner.search.choose.request import choice_request
from planner.search.verdict import dates, lasts
from planner.sections.ownership import ownership
from planner.sections.request import plan_of

DRIVES = load().drives
COPIES = {RaidLevel.RAID1, RaidLevel.RAID10}


def questions(count, seed=32):
    """Yield what buyers ask: a size, a rate, and mostly a class, a form or a protection."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(count):
        usable = rng.choice((1, 2, 4, 8, 15, 30, 60, 120))
        asked = {
            "usable": f"{usable}TB",
            "writes": f"{usable * rng.choice((0.01, 0.05, 0.2, 0.5, 1.0)):.3g} TB/day",
            "years": str(rng.choice((3, 5))),
        }
        asked |= rng.choice(({}, {"plp": "true"}, {"segment": "enterprise"}, {"plp": "true"}))
        asked |= rng.choice((
            {}, {}, {"raid": "1,10"}, {"raid": "6"}, {"form_factor": "M.2"},
            {"form_factor": "U.2", "plp": "true"}, {"interface": "SATA"},
        ))  # fmt: skip
        yield asked


@pytest.mark.parametrize("asked", list(questions(60)), ids=lambda asked: " ".join(asked.values()))
def test_the_first_row_holds_by_own_arithmetic(asked):
    request = choice_request(DRIVES.values(), minimise="cost", is_named=False, **asked)
    found = choose(**request)
    if found.best is None:
        assert found.reach or found.rejected  # says how far the nearest is
        return
    one, years_s = found.best.plan, float(asked["years"]) * YEAR_S
    drive, array = DRIVES[one.drive.drive_id], one.array
    whole = drive.value("user_bytes") * array.members * one.partition_fraction
    if array.level in COPIES:
        kept, most = whole / (array.members if array.level is RaidLevel.RAID1 else 2), 2.0
        most = float(array.members) if array.level is RaidLevel.RAID1 else 2.0
    else:
        parity = {RaidLevel.RAID5: 1, RaidLevel.RAID6: 2}[array.level]
        kept, most = whole * (array.members - parity) / array.members, 1.0 + parity
    assert kept >= float(asked["usable"][:-2]) * TB * (1 - 1e-12)
    rate = float(asked["writes"].split()[0]) * TB / DAY_S
    each = one.reading["member_bytes_per_s"].value * array.members
    assert rate <= each <= rate * most * (1 + 1e-12)
    assert rated_bytes(drive) >= each / array.members * years_s * (1 - 1e-9)
    assert one.drive.value("warranty_s") >= years_s
    if asked.get("plp"):
        assert drive.power_loss_protection == "yes"
    assert asked.get("form_factor", "") in drive.form_factor
    assert asked.get("interface", "") in drive.interface
    assert asked.get("segment", "") in drive.segment
    lasting(one, asked, years_s)
    for candidate in found.candidates:
        fairly_priced(candidate.plan.drive)
        costs_what_is_ranked(candidate, request)


def rated_bytes(drive):
    """Rated writes as printed: TBW, or drive writes per day over the rating's years."""
    tbw, dwpd = drive.value("rated_bytes"), drive.value("rated_dwpd")
    if tbw is not None:
        return tbw
    period = drive.value("rating_period_s") or drive.value("warranty_s") or 5 * YEAR_S
    return dwpd * drive.value("user_bytes") * period / DAY_S


def lasting(one, asked, years_s):
    """Its own plan says Yes: rating and low end of life reach the years."""
    array = one.array
    plan = plan_of(
        one.drive.drive_id, writes=asked["writes"], drives=array.members, raid=str(array.level),
        spare=f"{100 * (1 - one.partition_fraction):.12g}%",
    )  # fmt: skip
    assert lasts(plan, years_s).word in ("Yes", "Yes, but"), dates(plan)


def costs_what_is_ranked(candidate, request):
    """The objective is the net present cost of the very plan that is shown."""
    owned = ownership(candidate.plan, request["terms"], request["risk"])
    assert candidate.objective == pytest.approx(owned["npv_usd"].value, rel=1e-12)


@pytest.mark.parametrize("asked", list(questions(12, seed=7)), ids=lambda a: " ".join(a.values()))
def test_drives_of_large_map_units_cost_what_is_ranked(asked):
    """Their ratings are used up faster by small writes: once, in the search and in the plan."""
    assumed = {name: largest_unit_bytes(with_assumptions(drive)) for name, drive in DRIVES.items()}
    large = [DRIVES[name] for name, unit_bytes in assumed.items() if (unit_bytes or 0) > 4096]
    assert max(drive.value("user_bytes") for drive in large) > 200 * TB
    asked = {**asked, "beyond_warranty": "true"}
    asked = {name: asked[name] for name in asked.keys() - {"interface", "segment", "form_factor"}}
    request = choice_request(large, minimise="cost", **asked)
    found = choose(**request).candidates
    assert found
    for candidate in found:
        costs_what_is_ranked(candidate, request)


def fairly_priced(drive):
    """Without a price of its own a drive costs what the curve of its priced peers says."""
    if basis_of(drive) == "curve":
        plain = DRIVES[drive.drive_id]
        assert drive.value("price_usd") == pytest.approx(curve_range(plain).typical, rel=0.02)


@pytest.mark.parametrize("fill", ["50%", "85%"])
def test_what_must_fit_fits_into_the_share_that_is_filled(fill):
    request = choice_request(
        DRIVES.values(), minimise="price", usable="20 TB", writes="1 TB/day", raid="10", fill=fill
    )
    one = choose(**request).best.plan
    kept = DRIVES[one.drive.drive_id].value("user_bytes") * one.array.members / 2
    assert kept * one.partition_fraction * float(fill[:-1]) / 100 >= 20 * TB * (1 - 1e-12)
