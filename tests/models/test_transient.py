"""Write amplification over host writes: against the simulator, a naive model and its own laws."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import _fluid, registry, transient, write_amplification
from models.errors import DomainError
from models.simulator import Config, driver, layout
from models.units import GB, GIB
from tests import naive_transient

PHYSICAL_PAGES = 2_500_000
WINDOW = 0.01  # drive fills


def simulated(op_ratio, pages_per_block, *, filled, fills, windows, policy="greedy", blocks=None):
    """Mean write amplification by window, from the first random write of an empty or full drive."""
    config = Config(
        pages_per_block=pages_per_block,
        blocks=blocks or PHYSICAL_PAGES // pages_per_block,
        op_ratio=op_ratio,
        policy=policy,
        fill="sequential",
        warmup_overwrites=0,
        measured_overwrites=fills,
        windows=windows,
    )
    run = driver._Run(config, None, driver.CHUNK)
    if filled:
        layout.start_fill(config, run.drive)
        run._advance(config.pages)
    layout.start_workload(config, run.drive)
    return np.array(list(run._windows(run.measured, windows)))


def compare(flash_fills, op_ratio, pages_per_block, filled, policy):
    """Relative errors of the formula by window after the cliff."""
    fills = 1 + op_ratio - filled + (1.0 if filled else 3.0)
    windows = round(fills / WINDOW)
    truth = simulated(
        op_ratio, pages_per_block, filled=filled, fills=fills, windows=windows, policy=policy
    )
    edges = np.linspace(0, fills, windows + 1)
    means = np.diff(flash_fills(edges)) / np.diff(edges)
    after = edges[:-1] >= transient.cliff_fills(op_ratio, prefilled_fraction=filled)
    return (means / truth - 1)[after]


SIZES, OP_RATIOS = (64, 256), (0.07, 0.145, 0.28, 0.5, 1.0)


def test_the_simulated_drives_span_what_the_formulas_are_said_to_hold_for():
    ratios = {"op_ratio": (min(OP_RATIOS), max(OP_RATIOS))}
    assert registry.CHECKED["greedy_flash_fills"].ranges == {**ratios, "pages_per_block": SIZES}
    assert registry.CHECKED["fifo_flash_fills"].ranges == ratios


@pytest.mark.parametrize("filled", [1.0, 0.0], ids=["filled", "fresh"])
@pytest.mark.parametrize("pages_per_block", SIZES)
@pytest.mark.parametrize("op_ratio", OP_RATIOS)
def test_greedy_follows_the_simulator(op_ratio, pages_per_block, filled):
    def flash_fills(edges):
        return transient.greedy_flash_fills(
            op_ratio, drive_fills=edges, pages_per_block=pages_per_block, prefilled_fraction=filled
        )

    errors = compare(flash_fills, op_ratio, pages_per_block, filled, "greedy")
    assert np.mean(np.abs(errors)) < registry.CHECKED["greedy_flash_fills"].error
    assert np.max(np.abs(errors)) < 0.015  # a window of 17,000 writes has noise
    assert abs(np.mean(errors)) < 0.002


@pytest.mark.parametrize("filled", [1.0, 0.0], ids=["filled", "fresh"])
@pytest.mark.parametrize("op_ratio", [OP_RATIOS[0], 0.28, OP_RATIOS[-1]])
def test_fifo_follows_the_simulator(op_ratio, filled):
    def flash_fills(edges):
        return transient.fifo_flash_fills(op_ratio, drive_fills=edges, prefilled_fraction=filled)

    errors = compare(flash_fills, op_ratio, 128, filled, "fifo")
    assert np.mean(np.abs(errors)) < registry.CHECKED["fifo_flash_fills"].error
    assert abs(np.mean(errors)) < 0.002


@pytest.mark.parametrize("filled", [1.0, 0.0], ids=["filled", "fresh"])
@pytest.mark.parametrize("op_ratio", [0.07, 0.28, 1.0])
def test_cleaning_starts_at_the_cliff(op_ratio, filled):
    cliff = transient.cliff_fills(op_ratio, prefilled_fraction=filled)
    windows = 400
    truth = simulated(
        op_ratio, 64, filled=filled, fills=1.1 * cliff, windows=windows, blocks=PHYSICAL_PAGES // 64
    )
    first = (np.flatnonzero(truth > 1)[0] + 0.5) / windows * 1.1 * cliff
    assert first == pytest.approx(cliff, rel=0.01)


@pytest.mark.parametrize("op_ratio", [0.07, 0.145, 0.374])
def test_the_overshoot_is_that_of_the_simulator(op_ratio):
    """Peaks of about 9.9, 5.5 and 2.7 over steady 7.6, 4.1 and 2.0."""
    windows = round((op_ratio + 0.5) / WINDOW)
    truth = simulated(op_ratio, 256, filled=1.0, fills=op_ratio + 0.5, windows=windows)
    edges = np.linspace(0, op_ratio + 0.5, windows + 1)
    flash = transient.greedy_flash_fills(op_ratio, drive_fills=edges, pages_per_block=256)
    highest = np.max(np.diff(flash) / np.diff(edges))
    assert highest == pytest.approx(truth.max(), rel=0.005)
    peak = transient.greedy_peak_wa(op_ratio, pages_per_block=256)
    assert highest <= peak < 1.02 * highest
    steady = write_amplification.greedy(op_ratio, pages_per_block=256)
    assert 1.25 < peak / steady < 1.40


@pytest.mark.parametrize(
    ("op_ratio", "filled", "fills"),
    [
        (0.1, 1.0, 0.27),
        (0.145, 1.0, 0.39),
        (0.374, 1.0, 0.92),
        (0.466, 1.0, 1.08),
        (0.145, 0.0, 4.86),
        (0.28, 0.0, 4.21),
    ],
)
def test_settling_is_that_of_the_simulator(op_ratio, filled, fills):
    """Rounded figures of the model beside the last window outside 5 % in a simulated drive."""
    got = transient.greedy_settling_fills(op_ratio, pages_per_block=256, prefilled_fraction=filled)
    assert got == pytest.approx(fills, abs=0.01)
    width = 0.02
    windows = math.ceil((got + 0.6) / width)
    truth = simulated(op_ratio, 256, filled=filled, fills=windows * width, windows=windows)
    steady = write_amplification.greedy(op_ratio, pages_per_block=256)
    last = (np.flatnonzero(np.abs(truth / steady - 1) > 0.05)[-1] + 1) * width
    assert last == pytest.approx(got, rel=0.03, abs=1.5 * width)


@pytest.mark.parametrize("filled", [1.0, 0.4, 0.0])
@pytest.mark.parametrize(("op_ratio", "pages"), [(0.1, 8), (0.28, 16), (1.0, 4)])
def test_greedy_agrees_with_the_naive_model(op_ratio, pages, filled):
    end = 1 + op_ratio - filled + 1.5
    hosts, flash = naive_transient.flash_fills(op_ratio, pages, filled, end)
    edges = np.arange(0, end, 0.05)
    truth = np.diff(np.interp(edges, hosts, flash))
    got = np.diff(
        transient.greedy_flash_fills(
            op_ratio, drive_fills=edges, pages_per_block=pages, prefilled_fraction=filled
        )
    )
    errors = np.abs(got / truth - 1)
    assert np.mean(errors) < 0.001
    assert np.max(errors) < 0.01


@pytest.mark.parametrize(("op_ratio", "pages"), [(0.1, 8), (0.28, 16), (0.05, 32)])
def test_the_jump_at_the_cliff_agrees_with_the_naive_model(op_ratio, pages):
    """The few emptiest blocks go within a hundredth of a fill."""
    hosts, flash = naive_transient.flash_fills(op_ratio, pages, 1.0, op_ratio + 0.02, steps=3200)
    at = op_ratio + np.linspace(0, 0.02, 100)
    got = transient.greedy_flash_fills(op_ratio, drive_fills=at, pages_per_block=pages)
    np.testing.assert_allclose(got, np.interp(at, hosts, flash), atol=5e-5, rtol=0)


def test_one_page_per_block_is_never_copied():
    fills = np.linspace(0, 3, 50)
    np.testing.assert_allclose(
        transient.greedy_wa(0.28, drive_fills=fills, pages_per_block=1), 1.0, rtol=1e-9
    )


@pytest.mark.parametrize("op_ratio", [0.02, 0.28, 1.0])
def test_large_blocks_go_from_solved_to_fifo(op_ratio):
    fills = np.linspace(0, op_ratio + 1, 200)
    solved, next_to, most = (
        transient.greedy_wa(op_ratio, drive_fills=fills, pages_per_block=pages)
        for pages in (1024, 1025, 2**22)
    )
    np.testing.assert_allclose(next_to, solved, rtol=2e-3)
    np.testing.assert_allclose(most, transient.fifo_wa(op_ratio, drive_fills=fills), rtol=1e-2)


def test_a_superblock_follows_the_simulator():
    fills, windows = 1.28, 128
    truth = simulated(0.28, 4096, filled=1.0, fills=fills, windows=windows, blocks=4096)
    edges = np.linspace(0, fills, windows + 1)
    flash = transient.greedy_flash_fills(0.28, drive_fills=edges, pages_per_block=4096)
    errors = (np.diff(flash) / np.diff(edges) / truth - 1)[edges[:-1] >= 0.28]
    assert np.mean(np.abs(errors)) < 0.005


# First pass of cleaning the oldest block over a sequential fill, in closed form.


@given(st.floats(0.01, 3), st.floats(0, 1))
def test_the_first_pass_is_the_closed_form(op_ratio, share):
    end = math.log1p(math.e * math.expm1(op_ratio))
    w = op_ratio + share * (end - op_ratio)
    flash = op_ratio + math.log(math.expm1(w) / math.expm1(op_ratio))
    got = transient.fifo_flash_fills(op_ratio, drive_fills=w)
    assert got == pytest.approx(flash, rel=1e-9, abs=5e-7 * (1 + op_ratio) ** 2)
    wa = 1 / -math.expm1(-w)
    assert transient.fifo_wa(op_ratio, drive_fills=w) == pytest.approx(wa, rel=1e-4)


@pytest.mark.parametrize(("op_ratio", "printed"), [(0.07, 14.8), (0.2, 5.5)])
def test_the_oldest_block_at_the_cliff(op_ratio, printed):
    assert transient.fifo_wa(op_ratio, drive_fills=op_ratio) == pytest.approx(printed, abs=0.05)


def naive_fifo(op_ratio, filled, end, width=2e-4):
    """Host writes at every `width` of flash writes, first fill included: Heun on the delay."""
    alpha = 1 + op_ratio
    delay = round(alpha / width)
    width = alpha / delay
    hosts = [max(0.0, i * width - filled) for i in range(delay + 1)]
    while hosts[-1] < end:
        at = len(hosts)
        slope = -math.expm1(hosts[at - 1 - delay] - hosts[-1])
        guess = hosts[-1] + width * slope
        hosts.append(hosts[-1] + width * (slope - math.expm1(hosts[at - delay] - guess)) / 2)
    return np.array(hosts), np.arange(len(hosts)) * width - filled


@pytest.mark.parametrize("filled", [1.0, 0.4, 0.0])
@pytest.mark.parametrize("op_ratio", [0.07, 0.28, 2.0])
def test_fifo_solves_its_delay_equation(op_ratio, filled):
    end = 1 + op_ratio - filled + 2
    hosts, flash = naive_fifo(op_ratio, filled, end)
    at = np.linspace(0, end - 0.01, 300)
    got = transient.fifo_flash_fills(op_ratio, drive_fills=at, prefilled_fraction=filled)
    np.testing.assert_allclose(got, np.interp(at, hosts, flash), rtol=1e-4, atol=1e-4)


# Laws

ratios = st.floats(0.01, 2)
sizes = st.sampled_from([2, 8, 32, 128])
shares = st.sampled_from([0.0, 0.3, 1.0])


@settings(deadline=None, max_examples=30)
@given(ratios, sizes, shares)
def test_wa_is_one_before_the_cliff_and_steady_long_after(op_ratio, pages, filled):
    drive = {"pages_per_block": pages, "prefilled_fraction": filled}
    cliff = transient.cliff_fills(op_ratio, prefilled_fraction=filled)
    assert transient.greedy_wa(op_ratio, drive_fills=cliff * 0.999, **drive) == 1
    fills = np.linspace(0, cliff + 8, 500)
    assert np.all(transient.greedy_wa(op_ratio, drive_fills=fills, **drive) >= 1 - 1e-9)
    steady = write_amplification.greedy(op_ratio, pages_per_block=pages)
    end = transient.greedy_wa(op_ratio, drive_fills=cliff + 30, **drive)
    assert end == pytest.approx(steady, rel=1e-9)
    oldest = transient.fifo_wa(op_ratio, drive_fills=cliff + 30, prefilled_fraction=filled)
    assert oldest == pytest.approx(write_amplification.fifo(op_ratio), rel=1e-9)


@settings(deadline=None, max_examples=30)
@given(ratios, sizes, shares)
def test_flash_writes_are_the_integral_of_wa(op_ratio, pages, filled):
    drive = {"pages_per_block": pages, "prefilled_fraction": filled}
    cliff = transient.cliff_fills(op_ratio, prefilled_fraction=filled)
    edges = cliff + np.concatenate([[0.0], np.geomspace(1e-6, 12, 20_000)])
    middles = (edges[1:] + edges[:-1]) / 2
    wa = transient.greedy_wa(op_ratio, drive_fills=middles, **drive)
    flash = transient.greedy_flash_fills(op_ratio, drive_fills=edges, **drive)
    assert flash[0] == pytest.approx(cliff, rel=1e-12)
    step = min(0.01, 1 / pages, op_ratio / 8)
    jump = transient.greedy_peak_wa(op_ratio, **drive) - 1
    sums = cliff + np.cumsum(wa * np.diff(edges))
    np.testing.assert_allclose(sums, flash[1:], rtol=1e-4, atol=step * jump / 4)
    assert np.all(np.diff(flash) >= np.diff(edges) * (1 - 1e-6))


@settings(deadline=None, max_examples=30)
@given(ratios, sizes, shares, st.floats(0.01, 0.2))
def test_after_settling_wa_stays_within_the_tolerance(op_ratio, pages, filled, tolerance):
    drive = {"pages_per_block": pages, "prefilled_fraction": filled}
    settled = transient.greedy_settling_fills(op_ratio, tolerance=tolerance, **drive)
    steady = write_amplification.greedy(op_ratio, pages_per_block=pages)
    later = np.linspace(settled, settled + 5, 2000)
    wa = transient.greedy_wa(op_ratio, drive_fills=later, **drive)
    assert np.all(np.abs(wa / steady - 1) <= tolerance + 1e-9)
    if 1 - 1 / steady > tolerance:
        assert settled >= transient.cliff_fills(op_ratio, prefilled_fraction=filled)
    else:
        assert settled == 0 or settled > transient.cliff_fills(op_ratio, prefilled_fraction=filled)


@settings(deadline=None, max_examples=30)
@given(ratios, sizes, shares)
def test_a_tighter_tolerance_settles_later(op_ratio, pages, filled):
    got = transient.greedy_settling_fills(
        op_ratio,
        tolerance=[0.2, 0.05, 0.01, 1e-3, 1e-6],
        pages_per_block=pages,
        prefilled_fraction=filled,
    )
    assert np.all(np.diff(got) >= 0)


def test_the_last_part_of_the_way_is_exponential():
    """Out of the box the distance falls as the share of untouched addresses, exp(-w)."""
    tolerances = np.array([1e-3, 1e-4, 1e-5])
    got = transient.greedy_settling_fills(
        0.28, tolerance=tolerances, pages_per_block=64, prefilled_fraction=0
    )
    np.testing.assert_allclose(np.diff(got), math.log(10), rtol=1e-6)


@settings(deadline=None, max_examples=30)
@given(ratios, sizes, shares)
def test_the_peak_is_the_highest_value(op_ratio, pages, filled):
    drive = {"pages_per_block": pages, "prefilled_fraction": filled}
    peak = transient.greedy_peak_wa(op_ratio, **drive)
    fills = np.linspace(0, 12, 3000)
    wa = transient.greedy_wa(op_ratio, drive_fills=fills, **drive)
    assert np.max(wa) <= peak * (1 + 1e-9)
    assert peak >= write_amplification.greedy(op_ratio, pages_per_block=pages)


@given(st.floats(0.005, 40), st.floats(0.005, 40), st.floats(0, 1))
def test_the_cliff_is_linear_in_spare_area(one, other, filled):
    def cliff(op_ratio):
        return transient.cliff_fills(op_ratio, prefilled_fraction=filled)

    assert cliff(one) - cliff(other) == pytest.approx(one - other, abs=1e-12)


def test_huge_spare_area_costs_nothing():
    for op_ratio in (39.0, 1e6):
        assert transient.greedy_wa(op_ratio, drive_fills=100, pages_per_block=64) == 1
        assert transient.fifo_wa(op_ratio, drive_fills=100) == 1


def test_without_end_of_writes_it_is_steady():
    got = transient.greedy_wa(0.28, drive_fills=math.inf, pages_per_block=64)
    assert got == write_amplification.greedy(0.28, pages_per_block=64)
    assert transient.greedy_flash_fills(0.28, drive_fills=math.inf, pages_per_block=64) == math.inf


@pytest.mark.parametrize(
    ("changed", "statement"),
    [
        ({"op_ratio": 0.001}, r"^op_ratio must be >= 0\.005, got 0\.001"),
        ({"pages_per_block": 2.0**23}, r"^pages_per_block must be <= 4\.1943e\+06"),
        ({"pages_per_block": math.inf}, r"^pages_per_block must be"),
    ],
)
def test_refuses_what_it_cannot_solve(changed, statement):
    arguments = {"op_ratio": 0.28, "drive_fills": 1.0, "pages_per_block": 64} | changed
    first = arguments.pop("op_ratio")
    with pytest.raises(DomainError, match=statement):
        transient.greedy_wa(first, **arguments)


def test_the_845dc_evo_out_of_the_box_lasts_an_hour():
    """Tom's Hardware 3838: 960 GB, 80K IOPS for the first 50 minutes; 1 TiB without reserves."""
    cliff = transient.cliff_fills(1024 * GIB / (960 * GB) - 1, prefilled_fraction=0)
    minutes = cliff * 960 * GB / (80e3 * 4096) / 60
    assert 50 < minutes < 60


def test_drives_computed_together_are_those_computed_alone():
    """Drives of several block sizes that settle after different times, more than fit together."""
    rng = np.random.default_rng(3)
    count = _fluid._TOGETHER + 8
    spare, filled = rng.uniform(0.05, 1.0, count), rng.choice([0.0, 0.4, 1.0], count)
    fills, pages = rng.uniform(0.0, 4.0, count), rng.choice([2.0, 8.0, 16.0], count)
    columns = zip(spare, fills, pages, filled, strict=True)
    _fluid._kept.cache_clear()
    alone = [
        transient.greedy_wa(p, drive_fills=w, pages_per_block=b, prefilled_fraction=f)
        for p, w, b, f in columns
    ]
    _fluid._kept.cache_clear()
    together = transient.greedy_wa(
        spare, drive_fills=fills, pages_per_block=pages, prefilled_fraction=filled
    )
    assert together.tolist() == alone


tests_of_drives = st.tuples(
    st.floats(0.005, 50),
    st.floats(0, 8),
    st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1)),
)


def fifo_alone(drives):
    """Ask for one drive at a time, with no curve kept."""
    _fluid._kept.cache_clear()
    alone = [transient.fifo_wa(p, drive_fills=w, prefilled_fraction=f) for p, w, f in drives]
    _fluid._kept.cache_clear()
    return alone


@settings(deadline=None, max_examples=20)
@given(st.lists(tests_of_drives, min_size=2, max_size=6))
def test_different_fifo_drives_together_are_those_alone(drives):
    alone = fifo_alone(drives)
    spare, fills, filled = np.array(drives).T
    got = transient.fifo_wa(spare, drive_fills=fills, prefilled_fraction=filled)
    np.testing.assert_allclose(got, alone, rtol=1e-12)


def test_two_hundred_fifo_drives_are_those_alone():
    rng = np.random.default_rng(5)
    spare, fills, filled = rng.uniform(0.02, 0.6, 200), rng.uniform(0, 6, 200), rng.random(200)
    alone = fifo_alone(zip(spare, fills, filled, strict=True))
    got = transient.fifo_wa(spare, drive_fills=fills, prefilled_fraction=filled)
    np.testing.assert_allclose(got, alone, rtol=1e-12)
