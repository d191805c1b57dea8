"""Runs on small drives, read between: formulas where there are any, larger drives, laws."""

import numpy as np
import pytest

from models.errors import DomainError
from models.simulator import d_choices_wa, fifo_wa, greedy_wa, runs, small_drive
from models.write_amplification import d_choices, fifo, greedy, skewed
from tests.stored_runs import loads, places

UNIFORM = {"write_shares": [1.0], "page_shares": [1.0], "pages_per_block": 64.0}
HOT = {"write_shares": [0.9, 0.1], "page_shares": [0.1, 0.9], "pages_per_block": 64.0}


@pytest.mark.parametrize("op_ratio", [0.1, 0.33])
@pytest.mark.parametrize("placement", [1, 2])
def test_uniform_writes_cost_what_the_formulas_say(op_ratio, placement):
    for simulated, exact in (
        (greedy_wa, greedy(op_ratio, pages_per_block=64)),
        (fifo_wa, fifo(op_ratio)),
        (d_choices_wa, d_choices(op_ratio, choices=10, pages_per_block=64)),
    ):
        wa = simulated(op_ratio, **UNIFORM, placement=placement)
        assert wa == pytest.approx(exact, rel=0.01), simulated


def test_skewed_writes_collected_by_age_cost_the_same_on_any_placement():
    exact = skewed(0.2, write_shares=[0.9, 0.1], page_shares=[0.1, 0.9])
    for placement in (1, 2):
        assert fifo_wa(0.2, **HOT, placement=placement) == pytest.approx(exact, rel=0.01)


def test_blocks_of_several_sizes_at_once_are_as_each_alone():
    ratios, pages = [0.28, 0.28, 0.2], [64.0, 128.0, 64.0]
    kinds = {name: HOT[name] for name in ("write_shares", "page_shares")}
    at_once = d_choices_wa(np.array(ratios), **kinds, pages_per_block=np.array(pages), placement=2)
    alone = [
        d_choices_wa(ratio, **kinds, pages_per_block=size, placement=2)
        for ratio, size in zip(ratios, pages, strict=True)
    ]
    assert at_once.tolist() == alone
    assert len(set(alone)) == len(alone)
    with pytest.raises(DomainError, match="pages_per_block must be a whole number >= 2, got nan"):
        d_choices_wa(0.28, **kinds, pages_per_block=np.array([64.0, np.nan]), placement=2)


# Page simulator, 128 pages per block, 1,024 blocks (sequential: 512): greedy in one log, ten
# choices with copies apart; its spare area is 0.2 % of the flash less than these.
def test_mixes_and_placement_agree_with_a_larger_drive():
    of_128 = HOT | {"pages_per_block": 128}
    assert d_choices_wa(0.28, **of_128, placement=2) == pytest.approx(2.14, rel=0.015)
    assert greedy_wa(0.28, **of_128, placement=2) == pytest.approx(2.86, rel=0.015)
    half = UNIFORM | {"pages_per_block": 128, "sequential_fraction": 0.5}
    assert greedy_wa(0.28, **half, placement=1) == pytest.approx(2.08, rel=0.015)
    assert d_choices_wa(0.28, **half, placement=2) == pytest.approx(1.80, rel=0.015)


def test_points_are_read_between_runs():
    ratios = np.geomspace(0.15, 0.6, 40)
    curve = d_choices_wa(ratios, **HOT, placement=2)
    assert np.all(np.diff(curve) < 0)
    few = d_choices_wa(ratios[::13], **HOT, placement=2)
    np.testing.assert_allclose(curve[::13], few, rtol=0.02)
    assert d_choices_wa(ratios[13], **HOT, placement=2) == few[1]


def test_only_sequential_writes_cost_nothing_and_none_are_random_ones():
    assert greedy_wa(0.2, **UNIFORM, placement=1, sequential_fraction=1.0) == 1
    shares = greedy_wa(0.4, **UNIFORM, placement=1, sequential_fraction=[0.0, 1.0])
    assert shares.tolist() == [greedy_wa(0.4, **UNIFORM, placement=1), 1.0]


def test_two_states_are_both_seen_and_the_higher_is_given():
    mix = {**UNIFORM, "placement": 1, "sequential_fraction": 0.85, "pages_per_block": 128}
    random, ordered = runs(greedy_wa, op_ratio=0.19, **mix)[:2]
    assert (random.fill, ordered.fill) == ("random", "sequential")
    assert random.wa > 1.7
    assert ordered.wa < 1.1
    assert greedy_wa(0.19, **mix) == pytest.approx(random.wa, rel=0.03)
    assert random.low_wa <= random.wa <= random.high_wa


def test_classes_of_a_mix_are_those_of_its_random_pages():
    classes = {**HOT, "placement": 1, "sequential_fraction": 0.3}
    alike = {**UNIFORM, "placement": 1, "sequential_fraction": 0.3}
    assert greedy_wa(0.4, **classes) > 1.1 * greedy_wa(0.4, **alike)


def test_small_classes_are_merged():
    many = np.full(400, 1e-9)
    writes = np.append(many, 1 - many.sum())
    pages = np.append(many / 10, 1 - many.sum() / 10)
    wa = d_choices_wa(0.4, write_shares=writes, page_shares=pages, pages_per_block=64, placement=2)
    assert wa == pytest.approx(d_choices(0.4, choices=10, pages_per_block=64), rel=0.01)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("op_ratio", 0.0), ("op_ratio", float("nan")), ("sequential_fraction", 1.1),
        ("write_shares", [-0.1, 1.1]), ("page_shares", [0.0, 1.0]), ("page_shares", [1.0]),
        ("pages_per_block", 1.0), ("pages_per_block", 2.5), ("placement", 0.0), ("placement", 6.0),
        ("placement", 2.5), ("trim_share", 0.5), ("trim_share", -0.1), ("trims_as_written", 0.5),
    ],
)  # fmt: skip
def test_names_the_argument_outside_its_domain(name, bad):
    valid = {"op_ratio": 0.3, **HOT, "placement": 1.0, "sequential_fraction": 0.0}
    with pytest.raises(DomainError, match=rf"^{name} must be"):
        greedy_wa(**valid | {name: bad})


def test_stored_runs_are_those_of_the_named_skews_and_equal_fresh_ones():
    table = small_drive.stored()
    named = [(small_drive.key_of(load, fill), load, fill, ends) for load, fill, ends in loads()]
    stored = [each for each in named if each[0] in table]
    assert len(stored) > 0.8 * len(named)  # a drive of another capacity may have been added
    for nth, (key, load, fill, ends) in enumerate(stored):
        at = list(table[key])
        assert at == places(load, fill, ends)
        if nth % 8 == 0:
            place = at[7 * nth % len(at)]
            assert small_drive._run(load, place, fill) == small_drive.fresh_run(load, place, fill)


def test_named_skews_beside_a_tenth_of_sequential_writes_run_nothing(monkeypatch):
    monkeypatch.setattr(small_drive, "fresh_run", None)
    small_drive._run.cache_clear()
    mix = {"write_shares": [0.8, 0.2], "page_shares": [0.2, 0.8], "pages_per_block": 512.0}
    shares = np.linspace(0, 1, 400)
    ratios = np.geomspace(0.08, 4, 400)
    one_log = greedy_wa(ratios, **mix, placement=1, sequential_fraction=shares)
    apart = d_choices_wa(ratios, **mix, placement=2, sequential_fraction=shares)
    assert np.all((one_log >= 1) & (apart >= 1))
    assert one_log[-1] == apart[-1] == 1
    assert runs(greedy_wa, op_ratio=0.28, **mix, placement=1, sequential_fraction=0.7)


def test_many_shares_are_read_along_the_lines_on_which_jumps_lie():
    mix = {**UNIFORM, "placement": 1, "pages_per_block": 256}
    shares = np.append(np.linspace(0.25, 0.35, 20), 0.3)
    read = greedy_wa(0.49, **mix, sequential_fraction=shares)
    assert read[-1] == pytest.approx(greedy_wa(0.49, **mix, sequential_fraction=0.3), rel=1e-12)
    assert read[0] == pytest.approx(greedy_wa(0.49, **mix, sequential_fraction=0.25), rel=0.01)
