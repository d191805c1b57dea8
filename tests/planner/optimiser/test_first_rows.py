"""The first row of sixty purchases, drawn at random, against arithmetic of its own."""

import csv
import random

import pytest

from models.units import DAY_S, TB, YEAR_S
from planner.catalogue import load
from planner.catalogue.price_curve import curve_range
from planner.catalogue.prices import basis_of
from planner.catalogue.priors import largest_unit_bytes, with_assumptions
from planner.catalogue.rows import data_folder
from planner.export.choice_record import choice_record
from planner.export.choice_tables import ranked_rows
from planner.scenario.array import RaidLevel
from planner.scenario.workload import Workload
from planner.search.choose import choose
from planner.search.choose.request import choice_request
from planner.search.verdict import dates, lasts
from planner.search.warranted import printed
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


FORMS = ("M.2", "U.2", "U.3", "2.5", "E1.S", "E3.S", "E1.L")
RNG = random.Random(7)  # noqa: S311 - no secret


@pytest.mark.parametrize(
    "asked",
    [
        {
            "form_factor": form,
            "usable": f"{RNG.choice((2, 8, 30, 90))}TB",
            "writes": f"{RNG.choice((0.05, 0.5, 3))} TB/day",
            "years": RNG.choice(("3", "5")),
        }
        for form in FORMS
        for _ in range(3)
    ],
    ids=lambda asked: " ".join(asked.values()),
)
def test_no_row_of_a_form_factor_has_a_capacity_whose_own_feature_contradicts_it(asked):
    with (data_folder() / "features.csv").open(encoding="utf-8", newline="") as lines:
        of_capacity = {
            (row["vendor"], row["model"], float(row["capacity_gb"])): row["value"]
            for row in csv.DictReader(lines)
            if row["feature"] == "form_factor" and row["capacity_gb"]
        }
    found = choose(**choice_request(DRIVES.values(), minimise="cost", is_named=False, **asked))
    specified = [drive for one in found.specifications for drive in one.models]
    for drive in (*(one.plan.drive for one in found.candidates), *specified):
        value = of_capacity.get(
            (drive.vendor, drive.model, drive.capacity_gb), asked["form_factor"]
        )
        assert asked["form_factor"] in value, drive.name


def test_a_warranty_of_the_class_counts_at_its_worse_end_and_is_marked():
    """SATA drives of servers have three years or five: without a printed five none is promised."""
    asked = {"usable": "8TB", "writes": "400GB/day", "interface": "SATA", "segment": "enterprise"}
    for years, is_short in (("3", False), ("5", True)):
        found = choose(
            **choice_request(
                DRIVES.values(), minimise="cost", is_named=False, years=years, **asked
            ),
            top=40,
        )
        printed = {drive.drive_id: drive.facts.get("warranty_s") for drive in DRIVES.values()}
        rows = choice_record(found)["plans"]
        of_class = [
            row for one, row in zip(found.candidates, rows, strict=True)
            if printed[one.plan.drive.drive_id] is None
        ]  # fmt: skip
        assert (not of_class) == is_short
        for one, row, shown in zip(found.candidates, rows, ranked_rows(found), strict=True):
            is_of_class = printed[one.plan.drive.drive_id] is None
            mark = "warranty (of its class, not of this drive)"
            assert (mark in row["unverified"]) == is_of_class
            assert (mark in shown["To confirm"]) == is_of_class
            if is_of_class:
                assert one.plan.drive.value("warranty_s") == 3 * YEAR_S


def test_facts_from_memory_are_marked_in_every_row():
    found = choose(**choice_request(
        DRIVES.values(), minimise="cost", is_named=False, usable="20TB", writes="1TB/day",
        plp="true",
    ))  # fmt: skip
    with (data_folder() / "facts.csv").open(encoding="utf-8", newline="") as lines:
        looked_up = {
            row["drive_id"] for row in csv.DictReader(lines)
            if row["quantity"] in ("rated_bytes", "rated_dwpd") and row["kind"] != "recalled"
        }  # fmt: skip
    with (data_folder() / "features.csv").open(encoding="utf-8", newline="") as lines:
        protected = {
            (row["vendor"], row["model"]) for row in csv.DictReader(lines)
            if row["feature"] == "power_loss_protection" and row["kind"] == "spec"
        }  # fmt: skip
    for one, row in zip(found.candidates, choice_record(found)["plans"], strict=True):
        drive, marks = one.plan.drive, " ".join(row["unverified"])
        assert drive.drive_id in looked_up or "rating (not looked up)" in marks
        is_known = (drive.vendor, drive.model) in protected
        assert is_known != ("power-loss protection (not looked up)" in marks)


def test_only_a_period_that_was_looked_up_is_the_warranty_of_a_drive():
    writes = Workload(host_bytes_per_s=1e6)
    drives = [one for one in DRIVES.values() if "warranty_s" not in one.facts]
    for drive in drives:
        period = drive.facts.get("rating_period_s")
        is_of_drive = period is not None and period.kind in ("spec", "derived")
        assert ("warranty_s" in printed(drive, writes).facts) == is_of_drive, drive.name
    assert len(drives) > 300


def test_a_warranty_of_the_class_is_of_whole_years():
    for drive in DRIVES.values():
        assumed = with_assumptions(drive, level="cautious").facts["warranty_s"]
        assert assumed.value / YEAR_S == pytest.approx(round(assumed.value / YEAR_S))
