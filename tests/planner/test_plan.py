"""The whole answer: every section, what is missing, and the laws that any plan obeys."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.nomenclature import QUANTITIES
from models.units import DAY_S, GIB
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.scenario.array import Array, RaidLevel
from planner.scenario.workload import Workload
from planner.search.sweeps import life_curve, wa_curve
from planner.sections.life import LIFE_OF, Limit
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of
from tests.families import one_per_family

CATALOGUE = load()
PRO_400 = find(CATALOGUE, "845DC PRO 400")
ANY = Workload(host_bytes_per_s=1e7)
PLAIN_LEVELS = [RaidLevel(level) for level in ("0", "1", "10", "5", "6")]


def test_cost_per_byte_kept_and_written(pro_400, busy):
    array = Array(members=12, level=RaidLevel.RAID5)
    cost = plan_drive(pro_400, busy, array=array)
    assert cost["total_price_usd"].value == 12 * 960
    assert cost["price_per_user_byte"].value * 1e9 == pytest.approx(2.4)
    assert cost["price_per_usable_byte"].value * 1e12 == pytest.approx(12 * 960 / 4.4)
    # Small writes of RAID 5 reach two drives: 12 drives take 6 x 7,300 TB of host writes.
    assert cost["price_per_written_byte"].value * 1e12 == pytest.approx(12 * 960 / (6 * 7300))


def test_cost_per_byte_written_takes_the_one_limit_that_is_known(catalogue, pro_4tb, busy):
    rated_only = plan_drive(pro_4tb, busy)
    assert rated_only["price_per_written_byte"].value * 1e12 == pytest.approx(1899.99 / 4800)
    worn_only = plan_drive(find(catalogue, "840 EVO 250"), busy)
    limit = worn_only["host_limit_bytes"].value
    assert worn_only["price_per_written_byte"].value == pytest.approx(189.99 / limit)


def test_every_number_of_a_plan_has_a_name_in_the_nomenclature(pro_400, busy):
    answer = plan_drive(pro_400, busy, array=Array(members=4, level=RaidLevel.RAID6))
    assert answer.nodes.keys() <= QUANTITIES.keys()


def test_nodes_are_complete_and_in_order(pro_400, busy):
    nodes = plan_drive(pro_400, busy).nodes
    order = list(nodes)
    for key, node in nodes.items():
        for part in node.inputs.values() if node.is_computed else ():
            assert nodes[part.key] is part or nodes[part.key] == part
            assert order.index(part.key) < order.index(key)


@pytest.mark.parametrize(
    "drive", one_per_family(CATALOGUE.drives.values()), ids=lambda drive: drive.drive_id
)
def test_a_drive_of_each_family_can_be_planned(drive):
    answer = plan_drive(drive, ANY, array=Array(members=4, level=RaidLevel.RAID5))
    for missing in answer.missing:
        assert missing.lacking
        assert not set(missing.lacking) & drive.facts.keys()


def test_the_life_curve_goes_through_the_plan(pro_400):
    rates = np.array([1e6, 1e7, 1e8])
    curve = life_curve(plan_drive(pro_400, ANY), rates)
    for index, rate in enumerate(rates):
        single = plan_drive(pro_400, replace(ANY, host_bytes_per_s=float(rate)))
        for limit in Limit:
            got = curve.seconds_by_limit[limit][index]
            assert got == pytest.approx(single[LIFE_OF[limit]].value, rel=1e-13)


def test_the_write_amplification_curve_goes_through_the_plan(pro_400):
    answer = plan_drive(pro_400, ANY)
    ratio = answer.nodes["effective_op_ratio"].value
    got = wa_curve(answer, np.array([0.05, ratio / (1 + ratio), 0.5]))
    assert got[1] == pytest.approx(answer["workload_wa"].value, rel=1e-12)
    assert list(got) == sorted(got, reverse=True)


scenarios = st.builds(
    Workload,
    host_bytes_per_s=st.floats(1e3, 1e11),
    growth_per_year=st.floats(-0.9, 3.0),
    read_fraction=st.floats(0, 1),
    transfer_bytes=st.floats(512, 2**22),
    sequential_fraction=st.floats(0, 1),
    queue_depth=st.floats(1, 1024),
    fill_fraction=st.floats(0.01, 1),
)
drives = st.sampled_from(list(CATALOGUE.drives.values()))
arrays = st.builds(
    Array,
    members=st.integers(2, 24).map(lambda half: 2 * half),
    level=st.sampled_from(PLAIN_LEVELS),
)


@given(drives, scenarios, arrays, st.floats(0.1, 1))
def test_any_plan_is_finite_deterministic_and_positive(drive, workload, array, partition):
    once, again = (
        plan_drive(drive, workload, array=array, partition_fraction=partition) for _ in range(2)
    )
    assert once == again
    for key, node in once.nodes.items():
        assert node.value >= 0 or key == "growth_per_year", key
        assert not np.isnan(node.value), key


@given(scenarios, st.floats(1, 100))
def test_life_falls_as_writes_rise(workload, factor):
    more = replace(workload, host_bytes_per_s=workload.host_bytes_per_s * factor)
    light, heavy = plan_drive(PRO_400, workload), plan_drive(PRO_400, more)
    assert heavy.lives.years <= light.lives.years


@given(st.floats(1.001, 3.0), st.floats(1.0, 4.0))
def test_more_flash_wears_less(ratio, factor):
    def wear_life_s(raw_bytes):
        drive = with_user_facts(PRO_400, raw_bytes=raw_bytes)
        return plan_drive(drive, ANY)["wear_life_s"].value

    assert wear_life_s(400e9 * ratio * factor) >= wear_life_s(400e9 * ratio)


def test_reviews_example_in_one_line(catalogue):
    """840 EVO 250 GB, 50 GiB a day of flash writes: 15.83 years, printed truncated."""
    workload = Workload(host_bytes_per_s=50 * GIB / DAY_S, measured_wa=1.0)
    life = plan_drive(find(catalogue, "840 EVO 250"), workload)
    years = life["wear_life_s"].value / (365 * DAY_S)
    assert int(years * 100) / 100 == 15.83


@pytest.mark.parametrize(
    ("inputs", "is_said"),
    [
        # 180,000 printed IOPS of 4 KiB are 63.7 TB a day, 77.9 TB at the high end of such rates
        ({"writes": "70 TB/day"}, False),
        ({"writes": "80 TB/day"}, True),
        ({"writes": "80 TB/day", "drives": 2}, False),  # 40 TB each
        ({"writes": "80 TB/day", "drives": 2, "raid": "1"}, True),
        ({"writes": "70 TB/day", "size": "128KiB", "sequential": "100%"}, False),
        ({"writes": "900 TB/day", "size": "128KiB", "sequential": "100%"}, True),
    ],
)
def test_writes_that_a_drive_cannot_take_are_said_to_be_so(inputs, is_said):
    notes = plan_of("PM9A3 3.84", **inputs).notes
    assert any(note.startswith("The writes cannot be as many") for note in notes) == is_said
