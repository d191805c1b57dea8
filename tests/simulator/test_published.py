"""Write amplification against published means, within the interval and the finite-size shift.

The references are mean fields of infinitely many blocks, or simulations of some thousand by
another program. A finite drive loses its open frontier: with N blocks, write amplification W and
spare area p, W rises by about the loss of spare area, (1 + p) / (2 W N), times the slope,
1 / (2 p^2). Under skew fewer hot blocks are cleaned a little better: hence the wider bounds there.
"""

import pytest

from models.simulator import Classes, Config, Mixed, Sequential, Static, Uniform, run

HOT_COLD = Classes(write_shares=(0.95, 0.05), page_shares=(0.05, 0.95))
TWO = Classes(write_shares=(0.9, 0.1), page_shares=(0.1, 0.9))
ROUTING = {0: ((1.0, 0.0), (0.0, 1.0)), 0.05: ((0.95, 0.05), (0.05, 0.95))}


def simulate(op_ratio, pages_per_block, policy="greedy", workload=None, **changed):
    given = {
        "blocks": 2000,
        "warmup_overwrites": 10,
        "measured_overwrites": 20,
        "windows": 10,
        "seed": 4,
    }
    return run(
        Config(
            op_ratio=op_ratio,
            pages_per_block=pages_per_block,
            policy=policy,
            workload=workload or Uniform(),
            **given | changed,
        )
    )


def finite(op_ratio, wa, blocks):
    return (1 + op_ratio) / (4 * op_ratio**2 * wa * blocks)


def assert_near(result, reference, *, other=0.0):
    """Within two half-widths of the mean (over four standard errors), and what else is stated."""
    half_width = (result.wa_high - result.wa_low) / 2
    assert half_width < 0.01 * reference
    assert result.wa == pytest.approx(reference, abs=2 * half_width + 1e-4 + other)


@pytest.mark.parametrize(
    ("policy", "op_ratio", "pages_per_block", "reference"),
    [
        ("greedy", 0.28, 64, 2.4028),
        ("greedy", 0.28, 128, 2.4413),
        ("greedy", 0.07, 128, 7.3912),
        ("greedy", 1.0, 16, 1.1964),
        ("fifo", 0.28, 64, 2.4812),
        ("fifo", 1.0, 64, 1.2550),
        ("random", 0.28, 64, 1.28 / 0.28),
        ("d-choices", 0.28, 64, 2.4708),
        ("d-choices", 0.07, 16, 5.9218),
        ("windowed-greedy", 0.28, 64, 2.44),  # between greedy and fifo
    ],
)
@pytest.mark.parametrize("frontiers", ["one", "host-gc"])
def test_uniform_writes(policy, op_ratio, pages_per_block, reference, frontiers):
    more = {} if frontiers == "one" else {"frontiers": frontiers, "reserve": 2}
    result = simulate(op_ratio, pages_per_block, policy, window=400, **more)
    shift = finite(op_ratio, reference, 2000) * (1 if frontiers == "one" else 1 + reference)
    within = 0.038 if policy == "windowed-greedy" else 0.0
    assert_near(result, reference, other=shift + within)


def test_the_reserve_does_not_count():
    for reserve in (1, 16):
        result = simulate(0.07, 128, blocks=1000, reserve=reserve)
        assert_near(result, 7.397)


def test_separate_frontiers_lose_half_a_block_more():
    result = simulate(
        0.07, 128, blocks=200, frontiers="host-gc", reserve=2, measured_overwrites=200
    )
    assert_near(result, 7.683, other=0.002 * 7.683)  # a run of the reference has its own noise
    assert result.wa > simulate(0.07, 128, blocks=200, measured_overwrites=200).wa + 0.15


@pytest.mark.parametrize(
    ("interleaved", "reference"), [(False, 2.406), (True, 7.57)], ids=["in order", "mixed"]
)
def test_static_pages(interleaved, reference):
    workload = Static(dynamic_pages=0.25, interleaved=interleaved)
    assert_near(simulate(0.07, 64, workload=workload), reference, other=0.002 * reference)


@pytest.mark.parametrize(
    ("share", "op_ratio", "reference"), [(0.1, 0.28, 1.8259), (0.25, 0.07, 1.5373)]
)
def test_trims(share, op_ratio, reference):
    result = simulate(op_ratio, 128, trim_share=share)
    assert result.in_use_fraction == pytest.approx((1 - 2 * share) / (1 - share), abs=1e-3)
    assert_near(result, reference, other=0.001 * reference)


def test_trims_of_classes_leave_every_class_as_full():
    result = simulate(0.28, 128, workload=TWO, trim_share=0.1, warmup_overwrites=40, blocks=1000)
    assert result.in_use_fraction == pytest.approx(0.8 / 0.9, abs=2e-3)
    assert_near(result, 2.53, other=0.01)


@pytest.mark.parametrize(
    ("frontiers", "policy", "choices", "reference"),
    [
        ("host-gc", "greedy", 1, 8.373),
        ("host-gc", "d-choices", 10, 3.977),
        ("host-gc", "cost-benefit", 64, 3.271),
        ("one", "cost-benefit", 64, 9.757),
    ],
)
def test_skew(frontiers, policy, choices, reference):
    """The references have four times as many blocks: 8.371, 3.970, 3.270 and 9.758 in as many."""
    result = simulate(
        0.07, 256, policy, HOT_COLD, frontiers=frontiers, choices=choices, reserve=2,
        warmup_overwrites=60, blocks=1000,
    )  # fmt: skip
    assert result.wa == pytest.approx(reference, rel=0.03)


@pytest.mark.parametrize(
    ("error", "cleaning", "reference"),
    [(0, "quota", 3.1125), (0.05, "quota", 4.2392), (0, "global", 7.098), (0.05, "global", 7.987)],
)
def test_streams(error, cleaning, reference):
    """The references have four times as many blocks: 3.118, 4.248, 7.099 and 7.990 in as many."""
    hot = 0.5 if error else 0.525
    result = simulate(
        0.07, 128, workload=TWO, frontiers="streams", cleaning=cleaning, reserve=2,
        routing=ROUTING[error], spare_shares=(hot, 1 - hot), warmup_overwrites=30,
    )  # fmt: skip
    assert result.wa == pytest.approx(reference, rel=0.005 if cleaning == "quota" else 0.015)


@pytest.mark.parametrize(
    ("writes", "pages", "op_ratio", "policy", "reference"),
    [(0.5, 0.5, 0.28, "greedy", 2.088), (0.2, 0.8, 0.07, "fifo", 3.570)],
)
def test_random_beside_sequential(writes, pages, op_ratio, policy, reference):
    workload = Mixed(random_writes=writes, random_pages=pages)
    result = simulate(op_ratio, 256, policy, workload, fill="sequential", blocks=1000)
    assert result.wa == pytest.approx(reference, rel=0.004)


@pytest.mark.parametrize("policy", ["greedy", "fifo", "windowed-greedy"])
def test_sequential_writes_are_never_copied(policy):
    result = simulate(0.07, 64, policy, Sequential(), fill="sequential", blocks=200)
    assert result.wa == result.wa_low == result.wa_high == 1
    assert result.copies == 0
