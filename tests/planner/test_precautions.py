"""Worn blocks, scrubbing, replacement in time, spares, whole records: by hand and by draws."""

import numpy as np
import pytest

import models
from models import failures
from models.units import DAY_S, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.graph.explain import call_text
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.sections.array_queue import array_queue
from planner.sections.data_loss import data_loss
from planner.sections.plan import plan_drive
from planner.sections.speed import speed
from planner.sections.speed_by_hand import by_hand


@pytest.fixture(scope="module")
def eight():
    """Eight drives that wear out within some three years."""
    drive = find(load(), "845DC PRO 400")
    array = Array(members=8, level=RaidLevel.RAID5)
    return data_loss(
        plan_drive(drive, Workload(host_bytes_per_s=2e8), array=array), Risk(life_cv=0.06)
    )


@pytest.fixture(scope="module")
def rows(eight):
    return {row.key: row for row in eight.further}


def test_two_blocks_of_a_hundred_are_worn_out_at_the_rating(rows):
    law = rows["first_worn_cycles"].arguments
    chance = np.random.default_rng(7)
    blocks = law["scale_cycles"] * chance.weibull(8, size=(2000, int(law["blocks"]) // 8))
    assert np.mean(blocks < 1) == pytest.approx(0.02, rel=0.02)
    first = blocks.min(axis=1).mean() / 8 ** (1 / 8)  # eight times as many blocks
    assert rows["first_worn_cycles"].value == pytest.approx(first, rel=0.01)
    spare = rows["early_end_cycles"].arguments["spare_block_fraction"]
    ends = np.quantile(blocks, spare)
    assert rows["early_end_cycles"].value == pytest.approx(ends, rel=0.01)


def test_scrubbing_leaves_half_of_the_interval_on_average(rows):
    """Of eight drives; 35 % have met an unreadable sector in four years."""
    per_drive = -np.log(0.65) * 30 / (2 * 4 * 365)
    assert rows["scrubbed_latent_probability"].value == pytest.approx(8 * per_drive, rel=0.04)
    assert rows["latent_probability"].value == pytest.approx(1 - 0.65 ** (8 * 5 / 4), rel=1e-9)


def test_drives_replaced_in_time_lose_as_little_as_is_accepted(rows):
    age = rows["safe_replacement_age_s"]
    law, group = age.arguments["failed_fraction"], age.arguments["group"]

    def replaced(age_s):
        return law(np.minimum(age_s, age.value))

    assert failures.wear_out_loss_probability(replaced, group=group) == pytest.approx(1e-3, 1e-3)
    assert 0.5 * law.mean_s < age.value < law.mean_s


def test_spares_on_the_shelf_last_until_others_arrive(rows):
    """Drawn: drives of 90 % of their mean life, the next 30 days."""
    law = rows["stocked_spares"].arguments["failed_fraction"]
    chance, age = np.random.default_rng(8), 0.9 * law.mean_s
    worn = chance.normal(law.mean_s, law.life_cv * law.mean_s, size=400_000)
    worn = worn[worn > age][:160_000]
    failed = age + chance.exponential(1 / law.failures_per_s, size=worn.size)
    gone = (np.minimum(worn, failed) < age + 30 * DAY_S).reshape(-1, 8).sum(axis=1)
    assert rows["lead_replacements"].value == pytest.approx(gone.mean(), rel=0.02)
    assert rows["lead_replacements_sd"].value == pytest.approx(gone.std(), rel=0.02)
    assert rows["stocked_spares"].value == np.quantile(gone, 0.95)


def test_first_drives_survive_neither_failures_nor_wear(rows, eight):
    afr, worn = (
        eight["afr_fraction"].value,
        rows["surviving_fraction"].arguments["worn_out_fraction"],
    )
    assert rows["surviving_fraction"].value == pytest.approx((1 - afr) ** 5 * (1 - worn), rel=1e-9)


@pytest.mark.parametrize(
    ("key", "drawn"),
    [
        ("weibull_worn_fraction", lambda chance, n: chance.weibull(0.06**-1.086, n)),
        (
            "lognormal_worn_fraction",
            lambda chance, n: chance.lognormal(0, np.log(1.0036) ** 0.5, n),
        ),
    ],
)
def test_other_laws_of_life_have_the_same_mean_and_spread(rows, key, drawn):
    law = rows[key].arguments["failed_fraction"]
    lives = drawn(np.random.default_rng(9), 400_000)
    lives *= law.mean_s / lives.mean()
    assert lives.std() / law.mean_s == pytest.approx(0.06, rel=0.03)
    for age in (0.95, 1.0, 1.05):
        assert law(age * law.mean_s) == pytest.approx(np.mean(lives < age * law.mean_s), abs=0.003)


def test_a_count_of_failures_leaves_a_rate_open(rows):
    """25 failures in 934,441 drive-days: Poisson at rates drawn from what they leave possible."""
    chance = np.random.default_rng(10)
    rates = chance.gamma(25.5, 1 / 934_441, size=400_000)
    failed = chance.poisson(rates * 8 * 5 * 365)
    assert rows["fleet_failures"].value == pytest.approx(failed.mean(), rel=0.02)
    assert rows["fleet_failures_sd"].value == pytest.approx(failed.std(), rel=0.02)
    assert rows["fleet_failures_quantile"].value == np.quantile(failed, 0.95)
    upper = 1 - np.exp(-365 * np.quantile(rates, 0.95))
    assert rows["upper_afr_fraction"].value == pytest.approx(upper, rel=0.01)


def test_an_indicator_of_whole_points_leaves_cycles_open():
    """Ten points: from nine to eleven of them, or less than one either way on a drive once new."""
    drive = with_user_facts(find(load(), "845DC PRO 400"), used_fraction=0.1, host_bytes=2e15)
    answer = plan_drive(drive, Workload(host_bytes_per_s=1e7))
    rows = {row.key: row.value for row in data_loss(answer).further}
    ten = 10 * 2e15 * answer["workload_wa"].value / answer.nodes["raw_bytes"].value
    ends = {"nearest": (10 / 11, 10 / 9), "down": (10 / 11, 1), "up": (1, 10 / 9)}
    for name, (low, high) in ends.items():
        assert rows[f"low_{name}_pe_cycles"] == pytest.approx(low * ten)
        assert rows[f"high_{name}_pe_cycles"] == pytest.approx(high * ten)


def test_memory_written_in_place_has_no_blocks_to_wear_out():
    answer = plan_drive(find(load(), "P4800X 750"), Workload(host_bytes_per_s=1e7))
    assert not data_loss(answer).by_question["When do its blocks wear out?"]


def test_what_is_shown_can_be_called(rows):
    for row in rows.values():
        if row.is_computed:
            shown = call_text(row.formula, row.arguments, row.part)
            assert np.isclose(eval(shown, {"models": models}), row.value, rtol=1e-12)  # noqa: S307


@pytest.mark.parametrize(
    ("level", "code", "expected"),
    [
        # 16 KiB: four sectors and two of parity, in steps of three.
        (
            RaidLevel.RAIDZ2,
            {},
            {"vdev_usable_fraction": 4 / 6, "vdev_usable_bytes": 3.2e12 * 2 / 3},
        ),
        # Seven drives' worth besides the spare, of which ZFS keeps 1/32 as slop.
        (
            RaidLevel.DRAID,
            {"data_members": 4, "parity_members": 2, "spread_spares": 1},
            {"member_fill_fraction": 7 / 8 * 31 / 32},
        ),
    ],
)
def test_whole_records_by_hand(level, code, expected):
    drive = find(load(), "845DC PRO 400")
    array = Array(members=8, level=level, **code)
    queue = array_queue(plan_drive(drive, Workload(host_bytes_per_s=1e7), array=array))
    rows = {row.key: row.value for row in queue.further}
    for key, value in expected.items():
        assert rows[key] == pytest.approx(value, rel=0.01), key
    assert rows["vdev_read_iops"] > 0


def test_stripes_stop_while_any_drive_stalls():
    drive = find(load(), "845DC PRO 400")
    array = Array(members=8, level=RaidLevel.RAID6, member_stall_fraction=0.02)
    queue = array_queue(plan_drive(drive, Workload(host_bytes_per_s=1e7), array=array))
    rows = {row.key: row for row in queue.further}
    each = rows["stalled_stripe_iops"].arguments["operation_s"]
    stalled_share = 1 - rows["stalled_stripe_iops"].value * each
    # Each second of work meets eight drives' stalls: 0.02 / 0.98 of it for each, about.
    assert stalled_share / (1 - stalled_share) == pytest.approx(8 * 0.02, rel=0.05)


def test_parts_of_a_drive_by_hand():
    drive, workload = find(load(), "990 PRO 2TB"), Workload(host_bytes_per_s=1e6)
    answer = speed(drive, workload, with_readers=False)
    rows = {row.key: row for row in by_hand(answer, workload)}
    burst = rows["minute_bytes"].arguments
    cached_s = burst["slc_cache_bytes"] / burst["cached_write_bytes_per_s"]
    later = (60 - cached_s) * burst["folded_write_bytes_per_s"]
    assert rows["minute_bytes"].value == pytest.approx(burst["slc_cache_bytes"] + later, rel=1e-9)
    cycles = 1e6 * YEAR_S / burst["slc_cache_bytes"]
    assert rows["yearly_cache_cycles"].value == pytest.approx(cycles)


def test_dies_without_a_buffer_by_hand():
    """Fixed times keep dies busier than random ones; at depth 1 both take one write at a time."""
    drive, workload = find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6, queue_depth=1)
    answer = speed(drive, workload, with_readers=False)
    rows = {row.key: row for row in by_hand(answer, workload)}
    alone = 1 / rows["dies_steady_write_iops"].arguments["operation_s"]
    assert rows["dies_steady_write_iops"].value == pytest.approx(alone)
    assert rows["random_dies_write_iops"].value == pytest.approx(alone)
    deep = speed(drive, Workload(host_bytes_per_s=1e6, queue_depth=32), with_readers=False)
    settled, *_ = by_hand(deep, workload)
    assert settled.value == pytest.approx(1 - deep.settling_s.value / 2000, rel=1e-9)
