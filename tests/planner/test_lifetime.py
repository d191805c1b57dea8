"""Which limit ends a drive, and what becomes of a number that is missing."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import endurance, write_amplification
from models.units import DAY_S, GIB, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import own_drive, with_user_facts
from planner.graph.answer import unknown
from planner.scenario.array import Array
from planner.scenario.workload import Workload
from planner.sections.life import LIFE_OF, RATED_ALIKE, RATED_UNIFORM, Limit
from planner.sections.plan import plan_drive
from planner.sections.write_amplification import UNIFORM

GENTLE = Workload(host_bytes_per_s=50 * GIB / DAY_S)
PRO_400 = find(load(), "845DC PRO 400")


def lifetime(drive, workload, **options):
    return plan_drive(drive, workload, **options)


def limit_of(life, limit):
    node = life[LIFE_OF[limit]]
    assert node.is_known
    return node


def test_the_smallest_limit_binds_and_the_next_is_named(pro_400):
    harsh = Workload(host_bytes_per_s=8e12 / DAY_S)
    life = lifetime(pro_400, harsh)
    assert (life.lives.limit, life.lives.runner_up) == (Limit.RATED_TBW, Limit.FLASH_WEAR)
    assert life.lives.years == pytest.approx(2.5)
    gentle = lifetime(pro_400, GENTLE)
    assert (gentle.lives.limit, gentle.lives.years) == (Limit.WARRANTY, 5)
    assert gentle.lives.endurance_limit is Limit.RATED_TBW


def test_wear_takes_the_write_amplification_of_what_spare_area_is_left(pro_400):
    full = lifetime(pro_400, GENTLE)
    half = lifetime(pro_400, replace(GENTLE, fill_fraction=0.5))
    halved = lifetime(pro_400, GENTLE, partition_fraction=0.5)
    assert half["workload_wa"].value == pytest.approx(halved["workload_wa"].value, rel=1e-14)
    spare = (512 * GIB - 200e9) / 200e9
    assert half["workload_wa"].value == pytest.approx(write_amplification.fifo(spare), rel=1e-12)
    wear = [limit_of(life, Limit.FLASH_WEAR).value for life in (full, half)]
    assert wear[1] / wear[0] == pytest.approx(full["workload_wa"].value / half["workload_wa"].value)


def test_a_rating_is_corrected_for_the_workload_not_divided_by_it(pro_400):
    """At the workload at which it was rated, rated TBW is what it says."""
    life = lifetime(pro_400, GENTLE)
    rated = limit_of(life, Limit.RATED_TBW)
    assert rated.value == pytest.approx(7300e12 / GENTLE.host_bytes_per_s)
    assert RATED_UNIFORM in life.life_notes
    assert life["naive_life_s"].is_computed
    assert life["naive_life_s"].value == pytest.approx(rated.value / life["workload_wa"].value)


def test_a_known_rating_workload_replaces_the_assumption(pro_400):
    life = lifetime(pro_400, replace(GENTLE, measured_wa=1.5), rating_wa=3.0)
    assert limit_of(life, Limit.RATED_TBW).value == pytest.approx(
        endurance.effective_tbw_bytes(7300e12, rating_wa=3.0, workload_wa=1.5)
        / GENTLE.host_bytes_per_s
    )
    assert RATED_UNIFORM not in life.life_notes
    assert UNIFORM not in life.life_notes


def test_without_spare_area_the_rating_is_taken_as_it_is(pro_4tb):
    life = lifetime(pro_4tb, GENTLE)
    assert life["workload_wa"] == unknown(key="workload_wa", lacking=("raw_bytes",))
    assert life["wear_life_s"] == unknown(key="wear_life_s", lacking=("pe_cycles", "raw_bytes"))
    assert limit_of(life, Limit.RATED_TBW).value == pytest.approx(4800e12 / GENTLE.host_bytes_per_s)
    assert RATED_ALIKE in life.life_notes
    assert not life["naive_life_s"].is_known


def test_a_drive_rated_in_drive_writes_per_day_only(catalogue):
    drive = find(catalogue, "DC P3700 800")
    assert "rated_bytes" not in drive.facts
    life = lifetime(drive, GENTLE)
    assert limit_of(life, Limit.RATED_TBW).value == pytest.approx(
        10 * 800e9 * 5 * 365 / GENTLE.host_bytes_per_s
    )


def test_nothing_known_gives_no_limit_and_no_crash():
    life = lifetime(own_drive(1e12), GENTLE)
    assert (
        life.lives.limit,
        life.lives.runner_up,
        life.lives.endurance_limit,
        life.lives.years,
    ) == (None,) * 4


def test_greedy_where_the_pages_of_a_collection_block_are_known(pro_400):
    life = lifetime(with_user_facts(pro_400, pages_per_block=64), GENTLE)
    spare = (512 * GIB - 400e9) / 400e9
    expected = write_amplification.greedy(spare, pages_per_block=64)
    assert life["workload_wa"].value == pytest.approx(expected, rel=1e-12)


def test_purely_sequential_writes_copy_nothing(pro_400):
    assert lifetime(pro_400, replace(GENTLE, sequential_fraction=1))["workload_wa"].value == 1
    mixed = lifetime(pro_400, replace(GENTLE, sequential_fraction=0.5))
    assert 1 < mixed["workload_wa"].value < lifetime(pro_400, GENTLE)["workload_wa"].value
    assert any("simulated on a small drive" in note for note in mixed.life_notes)


def test_a_member_of_an_array_gets_its_own_share_of_writes(pro_400):
    share = replace(GENTLE, host_bytes_per_s=4e6, sequential_fraction=0.0)
    life = lifetime(pro_400, share, array=Array(members=4))
    assert limit_of(life, Limit.RATED_TBW).value == pytest.approx(7300e12 / 1e6)


def test_growth_shortens_life(pro_400):
    growing = lifetime(pro_400, replace(GENTLE, growth_per_year=0.3))
    steady = lifetime(pro_400, GENTLE)
    for limit in (Limit.FLASH_WEAR, Limit.RATED_TBW):
        assert limit_of(growing, limit).value < limit_of(steady, limit).value
    assert limit_of(growing, Limit.WARRANTY).value == 5 * YEAR_S


def test_what_a_model_leaves_out_is_said(pro_400):
    odd = replace(GENTLE, working_set_fraction=0.2, write_shares=(0.8, 0.2), page_shares=(0.2, 0.8))
    statement = " ".join(lifetime(pro_400, odd).life_notes)
    assert "working set" in statement
    assert "Skewed writes" in statement
    assert "working set" not in " ".join(lifetime(pro_400, GENTLE).life_notes)


@given(st.floats(1e4, 1e10), st.floats(1.0, 100.0), st.floats(0.05, 1.0), st.floats(0.05, 1.0))
def test_more_writes_or_less_spare_area_never_lengthen_life(rate, factor, fill, more_fill):
    low, high = sorted((fill, more_fill))
    light = lifetime(PRO_400, Workload(host_bytes_per_s=rate, fill_fraction=low))
    heavy = lifetime(PRO_400, Workload(host_bytes_per_s=rate * factor, fill_fraction=high))
    assert heavy.lives.years <= light.lives.years * (1 + 1e-12)
    for limit in Limit:
        assert limit_of(heavy, limit).value <= limit_of(light, limit).value * (1 + 1e-12)


def test_ratings_that_disagree_by_more_than_5_percent_are_flagged(catalogue, pro_400):
    """Intel's P3520 2 TB prints 2,490 TB and 3 drive writes per day; 2,490 TB is 0.68."""
    flagged = lifetime(find(catalogue, "DC P3520 2TB"), GENTLE).life_notes
    assert any("is 0.682 drive writes per day" in note for note in flagged)
    assert not any("disagree" in note for note in lifetime(pro_400, GENTLE).life_notes)


def test_a_rating_beyond_the_rated_cycles_is_flagged(pro_400):
    """100 cycles of 4 TB allow 400 TB at most; a rating of 800 TB implies 200 cycles."""
    drive = with_user_facts(
        pro_400, user_bytes=3.9e12, raw_bytes=4e12, pe_cycles=100, rated_bytes=800e12,
        rated_dwpd=800 / 3.9 / 1825,
    )  # fmt: skip
    assert any("needs 2 times the rated" in note for note in lifetime(drive, GENTLE).life_notes)


def test_a_rating_in_drive_writes_per_day_without_a_period_stays_visible(catalogue):
    """Ten drive writes per day over an unknown period are no number of bytes."""
    life = lifetime(find(catalogue, "DC S3700 400"), GENTLE)
    assert life["rated_dwpd"].value == 10
    rated = life["rated_life_s"]
    assert rated == unknown(key="rated_life_s", lacking=("rating_period_s",))


def test_sequential_writes_only_need_no_spare_area(pro_4tb):
    life = lifetime(pro_4tb, replace(GENTLE, sequential_fraction=1.0))
    assert life["workload_wa"].value == 1


def test_the_rating_as_printed_is_shown_beside_the_corrected_one(pro_400):
    life = lifetime(pro_400, GENTLE, partition_fraction=0.5)
    assert life["printed_life_s"].value == pytest.approx(7300e12 / GENTLE.host_bytes_per_s)
    assert limit_of(life, Limit.RATED_TBW).value > life["printed_life_s"].value


def test_writes_that_die_out_meet_no_limit(pro_400):
    facts = {name: fact for name, fact in pro_400.facts.items() if name != "warranty_s"}
    life = lifetime(replace(pro_400, facts=facts), replace(GENTLE, growth_per_year=-0.9))
    assert (life.lives.limit, life.lives.endurance_limit, life.lives.years) == (None, None, None)
    assert set(life.lives.known) == {Limit.FLASH_WEAR, Limit.RATED_TBW}
