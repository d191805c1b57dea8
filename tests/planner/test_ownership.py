"""What it costs to own: wiring, what is missing, and laws of the whole."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import cost
from models.errors import DomainError
from models.units import DAY_S, KWH, TB, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.catalogue.priors_failures import NO_WEAR
from planner.quantity.show import text
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.sections.data_loss import data_loss
from planner.sections.ownership import BUSY, GROWING, READ_AS_WRITE, Ownership, ownership
from planner.sections.owning import NO_ENERGY
from planner.sections.plan import plan_drive
from tests.families import one_per_family

CATALOGUE = load()
PRO = find(CATALOGUE, "845DC PRO 400")
RAID5 = Array(members=12, level=RaidLevel.RAID5)
TOLD = Terms(
    discount_rate=0.08,
    energy_usd_per_j=0.15 / KWH,
    pue=1.5,
    slot_usd_per_year=25.0,
    labour_usd=50.0,
    embodied_kg_per_byte=(3 / TB, 20 / TB, 160 / TB),
    grid_kg_per_j=(0.05 / KWH, 0.4 / KWH, 0.7 / KWH),
)


def scene(drive=PRO, *, writes=6e8, array=RAID5, **workload):
    return plan_drive(drive, Workload(host_bytes_per_s=writes, **workload), array=array)


def numbers(owned: Ownership) -> dict[str, float]:
    return {key: node.value for key, node in owned.nodes.items()}


def test_the_net_present_cost_by_hand():
    """Every step again with plain numbers, five whole years at a steady rate."""
    answer = scene(writes=6e8)
    owned = ownership(answer, TOLD, Risk(afr_fraction=0.02))
    got = numbers(owned)
    replaced = data_loss(answer, Risk(afr_fraction=0.02))["mean_replacements"].value
    assert got["horizon_replacements"] == pytest.approx(replaced, rel=1e-4)
    due = 1.08 ** -np.arange(0.5, 5)
    slots = 25 * 12 * due.sum()
    labour = 50 * (owned["yearly_replacements"].value * due).sum()
    drives = 960 * (owned["yearly_replacements"].value * due).sum()
    # 12 members get two writes for each of the host's, and read two for its parity.
    writes = 6e8 / 4096 * 2 / 12
    reads = 6e8 / 4096 * (0.7 / 0.3 + 2) / 12
    watts = 1.0 + 0.7 / 92e3 * reads + 2.1 / 50e3 * writes
    power = 12 * min(watts, 3.1)
    energy = power * YEAR_S * 1.5 / KWH * 0.15 * due.sum()
    assert got["energy_present_usd"] == pytest.approx(energy, rel=1e-9)
    npv = 960 * 12 + slots + labour + drives + energy
    assert got["npv_usd"] == pytest.approx(npv, rel=1e-9)
    annual = npv * 0.08 / (1 - 1.08**-5)
    assert got["equivalent_usd_per_year"] == pytest.approx(annual, rel=1e-9)
    assert got["cost_per_usable_byte"] * TB == pytest.approx(npv / 4.4, rel=1e-9)
    assert got["cost_per_usable_byte_year"] * TB == pytest.approx(annual / 4.4, rel=1e-9)
    written = 6e8 * 5 * YEAR_S
    assert got["cost_per_written_byte"] == pytest.approx(npv / written, rel=1e-9)
    assert got["cost_per_iops"] == pytest.approx(npv / answer["budget_iops"].value, rel=1e-9)
    made = 12 + owned["bought_drives"].value
    assert got["high_embodied_kg"] == pytest.approx(160 * 0.4 * made, rel=1e-9)
    assert got["low_operational_kg"] == pytest.approx(
        power * 5 * YEAR_S * 1.5 / KWH * 0.05, rel=1e-9
    )
    total = got["typical_embodied_kg"] + got["typical_operational_kg"]
    per_tb_year = got["typical_carbon_kg_per_byte_year"] * TB
    assert per_tb_year == pytest.approx(total / 4.4 / 5, rel=1e-9)


def test_the_course_adds_up_to_what_is_paid():
    owned = ownership(scene(), replace(TOLD, horizon_s=3.25 * YEAR_S, discount_rate=0.0))
    assert set(owned.course) == {"Energy", "Slots", "Labour", "Drives"}
    paid = sum(np.sum(node.value) for node in owned.course.values())
    assert owned["npv_usd"].value == pytest.approx(owned["capital_usd"].value + paid, rel=1e-12)
    assert all(np.shape(node.value) == (4,) for node in owned.course.values())
    slots = owned.course["Slots"].value
    np.testing.assert_allclose(slots, [300, 300, 300, 75])


@pytest.mark.parametrize("years", [0.5, 1.0, 2.75, 5.0, 7.01])
def test_a_part_of_a_year_costs_its_part(years):
    """Half of a year's slots: the cost grows with the horizon without a jump at whole years."""
    near = [
        ownership(scene(), replace(TOLD, horizon_s=(years + step) * YEAR_S))["npv_usd"].value
        for step in (-1e-6, 0.0, 1e-6)
    ]
    assert near[0] <= near[1] <= near[2]
    assert near[2] - near[0] < 1.0


def test_replacements_agree_with_those_of_data_loss():
    for writes, risk in (
        (1e7, Risk()),
        (3e8, Risk(afr_fraction=0.05, life_cv=0.1)),
        (2e9, Risk(horizon_s=4 * YEAR_S)),
    ):
        answer = scene(writes=writes)
        owned = ownership(answer, Terms(horizon_s=risk.horizon_s), risk)
        wanted = data_loss(answer, risk)["mean_replacements"].value
        assert owned["horizon_replacements"].value == pytest.approx(wanted, rel=1e-4)


def test_the_horizon_is_that_of_the_terms():
    owned = ownership(scene(), Terms(horizon_s=2 * YEAR_S), Risk(horizon_s=9 * YEAR_S))
    assert owned.risk.horizon_s == 2 * YEAR_S
    assert owned.terms.years.tolist() == [1, 2]


def test_drives_replaced_in_time_are_bought_more_often():
    """Away from the time itself the lattice of `data_loss` counts the same."""
    answer, risk = scene(writes=9e8), Risk(replaced_fraction=0.9, afr_fraction=0.01)
    owned = ownership(answer, TOLD, risk)
    assert owned["horizon_replacements"].value == pytest.approx(
        data_loss(answer, risk)["mean_replacements"].value, rel=0.02
    )
    left = ownership(answer, TOLD, Risk(afr_fraction=0.01))
    assert owned["npv_usd"].value > left["npv_usd"].value


def test_spares_on_the_shelf_are_used_before_others_are_bought():
    plain, spared = (
        ownership(scene(writes=1e7), replace(TOLD, spare_drives=count)) for count in (0, 2)
    )
    assert plain["horizon_replacements"].value < 2
    assert spared["bought_drives"].value == 0
    assert spared["capital_usd"].value - plain["capital_usd"].value == 2 * 960
    assert spared["drives_present_usd"].value == 0
    assert any("Cold spares" in note for note in spared.notes)


def test_hot_spares_are_paid_for_and_idle():
    array = Array(members=13, level=RaidLevel.RAID5, hot_spares=1)
    one, other = ownership(scene(), TOLD), ownership(scene(array=array), TOLD)
    assert other["capital_usd"].value - one["capital_usd"].value == pytest.approx(960)
    extra = other["array_power_w"].value - one["array_power_w"].value
    np.testing.assert_allclose(extra, 1.0)


def test_without_power_the_cost_is_told_without_energy_and_says_so():
    facts = {name: fact for name, fact in PRO.facts.items() if not name.endswith("power_w")}
    owned = ownership(scene(replace(PRO, facts=facts)), TOLD)
    whole = ownership(scene(), TOLD)
    assert not owned["yearly_energy_j"].is_known
    assert "Energy" not in owned.course
    assert NO_ENERGY in owned.notes
    assert owned["energy_present_usd"].note == NO_ENERGY
    assert "idle_power_w" in owned.lacking
    energy = whole["energy_present_usd"].value
    assert owned["npv_usd"].value == pytest.approx(whole["npv_usd"].value - energy, rel=1e-12)
    assert owned["low_carbon_kg"].value == owned["low_embodied_kg"].value


def test_power_when_reading_is_taken_for_that_when_writing_and_says_so():
    facts = {name: fact for name, fact in PRO.facts.items() if name != "read_power_w"}
    owned = ownership(scene(replace(PRO, facts=facts), writes=1e7), TOLD)
    known = ownership(scene(writes=1e7), TOLD)
    assert READ_AS_WRITE in owned.notes
    assert READ_AS_WRITE not in known.notes
    assert np.all(owned["array_power_w"].value > known["array_power_w"].value)


def test_a_load_beyond_the_drives_draws_the_power_of_busy_drives():
    for workload in ({"writes": 5e9}, {"writes": 1e6, "read_fraction": 1.0}):
        owned = ownership(scene(**workload), TOLD)
        np.testing.assert_allclose(owned["yearly_power_w"].value, 3.1)
        assert BUSY in owned.notes
    assert BUSY not in ownership(scene(writes=1e7), TOLD).notes


def test_without_a_price_what_needs_none_is_told():
    drive = find(CATALOGUE, "DC P3600 400")
    owned = ownership(scene(drive), TOLD)
    assert not owned["npv_usd"].is_known
    assert owned.lacking == ("price_usd",)
    assert set(owned.course) == {"Energy", "Slots", "Labour"}
    assert owned["high_carbon_kg"].value > 0
    priced = ownership(scene(with_user_facts(drive, price_usd=500.0)), TOLD)
    assert priced["npv_usd"].value > 12 * 500


def test_without_an_endurance_only_failures_count():
    drive = with_user_facts(find(CATALOGUE, "Optane 900P 280"), price_usd=300.0)
    facts = {
        name: fact for name, fact in drive.facts.items()
        if name not in {"rated_bytes", "rated_dwpd", "pe_cycles", "raw_bytes"}
    }  # fmt: skip
    owned = ownership(scene(replace(drive, facts=facts)), TOLD, Risk(afr_fraction=0.01))
    assert NO_WEAR in owned.notes
    rate = -math.log1p(-0.01) * 5
    assert owned["horizon_replacements"].value == pytest.approx(12 * rate, rel=1e-9)


def test_growing_writes_wear_out_sooner_and_the_note_says_what_is_taken():
    steady, growing = (
        ownership(scene(writes=2e8, growth_per_year=growth), TOLD) for growth in (0.0, 0.5)
    )
    assert growing["horizon_replacements"].value > steady["horizon_replacements"].value
    assert GROWING in growing.notes
    assert GROWING not in steady.notes
    lives = growing["yearly_lives"].value
    limit = scene(writes=2e8)["host_limit_bytes"].value
    written = 2e8 * 2 / 12 * YEAR_S * (1.5**5 - 1) / math.log(1.5)
    assert lives[-1] == pytest.approx(written / limit, rel=1e-9)
    assert np.all(np.diff(growing["array_power_w"].value) >= 0)


def test_iops_within_a_limit_of_latency_replace_the_budget():
    owned = ownership(scene(), replace(TOLD, qos_iops=1e4))
    assert owned["cost_per_iops"].value == pytest.approx(owned["npv_usd"].value / 1e4)


def test_a_cluster_pays_for_its_nodes_by_the_year():
    """Four nodes at 1,500 USD a year, discounted from the middle of each year; no array does."""
    terms = replace(TOLD, node_usd_per_year=1500.0)
    cluster = Array.of_nodes(4, 3, data_members=1, parity_members=2)
    owned, alone = ownership(scene(array=cluster), terms), ownership(scene(), terms)
    due = 1.08 ** -(np.arange(5) + 0.5)
    assert owned["node_present_usd"].value == pytest.approx(1500 * 4 * due.sum())
    assert alone["node_present_usd"].value == 0
    free = ownership(scene(array=cluster), replace(terms, node_usd_per_year=0.0))
    more = owned["npv_usd"].value - free["npv_usd"].value
    assert more == pytest.approx(owned["node_present_usd"].value)
    assert not any("Price of a node" in note for note in ownership(scene()).notes)
    assert any("Price of a node" in note for note in ownership(scene(array=cluster)).notes)


def test_every_term_told_or_assumed_is_a_leaf_with_its_label():
    nodes = ownership(scene()).nodes
    for name in ("discount_rate", "energy_usd_per_j", "pue", "slot_usd_per_year", "labour_usd"):
        assert nodes[name].source == "assumption"
        assert nodes[name].note
    told = ownership(scene(), TOLD)
    assert told.nodes["discount_rate"].source == "user"
    assert not told.assumed
    assert not any(note.startswith("Assumed:") for note in told.notes)
    assert all(text(node.key, node.value) for node in told.nodes.values())


def test_the_even_price_of_a_drive_makes_two_plans_cost_the_same():
    other = ownership(scene(), TOLD)
    cheap = with_user_facts(find(CATALOGUE, "845DC EVO 480"), price_usd=490.0)
    array = Array(members=10, level=RaidLevel.RAID5)
    own = ownership(scene(cheap, array=array), TOLD)
    even = cost.break_even_price_usd(
        490.0,
        equivalent_usd_per_year=own["equivalent_usd_per_year"].value,
        priced_usd_per_year=own["priced_usd_per_year"].value,
        other_usd_per_year=other["equivalent_usd_per_year"].value,
    )
    mended = ownership(scene(with_user_facts(cheap, price_usd=even), array=array), TOLD)
    assert mended["equivalent_usd_per_year"].value == pytest.approx(
        other["equivalent_usd_per_year"].value, rel=1e-9
    )
    low = ownership(scene(with_user_facts(PRO, price_usd=100.0)), TOLD)
    even = cost.break_even_price_usd(
        100.0,
        equivalent_usd_per_year=low["equivalent_usd_per_year"].value,
        priced_usd_per_year=low["priced_usd_per_year"].value,
        other_usd_per_year=other["equivalent_usd_per_year"].value,
    )
    assert even == pytest.approx(960, rel=1e-9)


def test_a_plan_of_arrays_costs_what_its_plans_cost():
    writes = np.array([1e6, 3e8, 2e9])
    skew = {"write_shares": (0.8, 0.2), "page_shares": (0.2, 0.8)}
    together = ownership(scene(writes=writes), TOLD)
    apart = [ownership(scene(writes=float(rate)), TOLD)["npv_usd"].value for rate in writes]
    np.testing.assert_allclose(together["npv_usd"].value, apart, rtol=1e-9)
    assert np.ndim(ownership(scene(**skew), TOLD)["npv_usd"].value) == 0


@settings(max_examples=15, deadline=None)
@given(
    st.floats(1e6, 2e9), st.floats(0, 0.2), st.floats(0.1, 8), st.floats(0, 0.3), st.floats(0, 1)
)
def test_dearer_terms_never_cost_less(writes, rate, years, growth, more):
    answer = scene(writes=writes, growth_per_year=growth)
    terms = replace(TOLD, discount_rate=rate, horizon_s=years * YEAR_S)
    base = ownership(answer, terms)["npv_usd"].value
    dearer = (
        replace(terms, slot_usd_per_year=25 * (1 + more)),
        replace(terms, energy_usd_per_j=0.15 / KWH * (1 + more)),
        replace(terms, labour_usd=50 * (1 + more)),
        replace(terms, discount_rate=rate * (1 - more / 2)),
    )
    for changed in dearer:
        assert ownership(answer, changed)["npv_usd"].value >= base * (1 - 1e-12)
    # Beyond whole years: what a part of a year costs is due at its end, later if it is longer.
    whole = replace(terms, horizon_s=math.ceil(years) * YEAR_S)
    longer = replace(whole, horizon_s=whole.horizon_s * (1 + more))
    cost_of_whole = ownership(answer, whole)["npv_usd"].value
    assert ownership(answer, longer)["npv_usd"].value >= cost_of_whole * (1 - 1e-12)
    sold = ownership(answer, replace(terms, residual_fraction=more))["npv_usd"].value
    assert sold <= base


def test_drives_of_the_catalogue_can_be_asked_whatever_of_their_power_is_known():
    drives = one_per_family(CATALOGUE.drives.values())
    powered = [drive for drive in drives if {"idle_power_w", "write_power_w"} & set(drive.facts)]
    for drive in (*powered[::2], *drives[::15]):
        owned = ownership(scene(drive, writes=1e7), TOLD)
        missing = not owned["npv_usd"].is_known
        assert missing == ("price_usd" not in drive.facts)
        known = not owned["yearly_energy_j"].is_known
        assert known == (NO_ENERGY in owned.notes)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("horizon_s", 0.0), ("horizon_s", math.inf), ("horizon_s", 101 * YEAR_S),
        ("discount_rate", -0.1), ("energy_usd_per_j", math.nan), ("pue", 0.9),
        ("slot_usd_per_year", -1.0), ("labour_usd", math.inf), ("spare_drives", 1.5),
        ("residual_fraction", 1.1), ("grid_kg_per_j", (3.0, 2.0, 1.0)),
        ("embodied_kg_per_byte", (-1.0, 2.0, 3.0)), ("qos_iops", 0.0), ("currency", " "),
    ],
)  # fmt: skip
def test_terms_outside_their_range_are_refused_by_name(field, value):
    with pytest.raises(DomainError, match=rf"^{field} must be"):
        Terms(**{field: value})


def test_hot_spares_do_not_wear_while_they_stand_by():
    busy = Workload(host_bytes_per_s=60 * TB / DAY_S)
    replaced = [
        ownership(
            plan_drive(PRO, busy, array=Array(members=8 + spares, level="6", hot_spares=spares))
        )["horizon_replacements"].value
        for spares in (0, 2)
    ]
    assert replaced[0] > 8  # every drive wears out within the five years
    assert replaced[1] == replaced[0]
