"""Reads that interrupt writes: closed forms, orders, draws of the law, queues of reads."""

import numpy as np
import pytest

from models import latency_tail
from models.errors import DomainError
from models.latency_tail import Operations, ReadLoad, Suspension
from models.latency_tail._slices import exponential_slices, fixed_slices

US = 1e-6
LEVELS = np.array([0.5, 0.9, 0.99, 0.999, 0.9999])
V6 = latency_tail.typical_suspension(1170 * US, erase_s=3.5e-3, programs_per_block=512)

latency = latency_tail.suspended_read_latency_s
loaded = latency_tail.read_latency_beside_writes_s


@pytest.mark.parametrize("waiting_share", [0.0005, 0.02, 0.3, 0.98])
def test_without_erases_the_wait_is_a_logarithm(waiting_share):
    got = latency(LEVELS, unloaded_s=65 * US, slice_s=70 * US, waiting_share=waiting_share)
    wait = 70 * US * np.maximum(0.0, np.log(waiting_share / (1 - LEVELS)))
    np.testing.assert_allclose(got, 65 * US + wait, rtol=1e-9)


def test_without_programs_the_wait_is_uniform():
    got = latency(LEVELS, unloaded_s=65 * US, slice_s=1.0, waiting_share=0.0,
                  erase_slice_s=700 * US, erasing_share=0.004)  # fmt: skip
    wait = 700 * US * np.maximum(0.0, 1 - (1 - LEVELS) / 0.004)
    np.testing.assert_allclose(got, 65 * US + wait, rtol=1e-9)


def test_reads_that_wait_for_either_are_a_mixture():
    random = np.random.default_rng(3)
    reads, kind = 4_000_000, random.random(4_000_000)
    programs = np.where(kind < 0.3, random.exponential(70 * US, reads), 0.0)
    erases = np.where(kind > 0.98, random.uniform(0, 700 * US, reads), 0.0)
    got = latency(LEVELS[1:4], unloaded_s=65 * US, slice_s=70 * US, waiting_share=0.3,
                  erase_slice_s=700 * US, erasing_share=0.02)  # fmt: skip
    drawn = np.quantile(65 * US + programs + erases, LEVELS[1:4])
    np.testing.assert_allclose(got, drawn, rtol=0.01)


def test_without_load_every_read_is_unloaded():
    got = loaded(LEVELS, load_fraction=0.0, unloaded_s=65 * US, suspension=V6)
    np.testing.assert_allclose(got, 65 * US, rtol=1e-12)


@pytest.mark.parametrize("load", [0.1, 0.5, 0.95])
def test_with_few_reads_it_is_the_law_at_the_load(load):
    share = min(0.98 * (1 - load * V6.erasing_share), 1.5 * load)
    got = loaded(LEVELS, load_fraction=load, unloaded_s=65 * US, suspension=V6)
    law = latency(
        LEVELS, unloaded_s=65 * US, slice_s=V6.slice_s * (1 + 0.40 * load), waiting_share=share,
        erase_slice_s=V6.erase_slice_s, erasing_share=load * V6.erasing_share,
    )  # fmt: skip
    np.testing.assert_allclose(got, law, rtol=2e-3)


def test_reads_wait_for_each_other_as_in_a_queue_of_reads():
    alone = latency_tail.read_latency_s(
        LEVELS, die_read_iops=6e3, die_read_s=50 * US, background=Operations([], [])
    )
    got = loaded(LEVELS, load_fraction=0.0, unloaded_s=65 * US, suspension=V6,
                 read_load=ReadLoad(12e3, 2, 50 * US))  # fmt: skip
    np.testing.assert_allclose(got, 15 * US + alone, rtol=1e-9)


def test_it_rises_with_quantile_load_reads_and_the_times_of_the_flash():
    def at(load=0.4, program_s=1.2e-3, erase_s=5e-3, reads=300.0):
        flash = latency_tail.typical_suspension(program_s, erase_s=erase_s, programs_per_block=512)
        return loaded(LEVELS, load_fraction=load, unloaded_s=70 * US, suspension=flash,
                      read_load=ReadLoad(reads, 1, 50 * US))  # fmt: skip

    assert np.all(np.diff(at()) > 0)
    for change in ({"load": 0.6}, {"program_s": 1.5e-3}, {"erase_s": 1e-2}, {"reads": 3e3}):
        # From p99.9 on reads wait for erases: the longer programs take, the fewer there are.
        most = 3 if "program_s" in change else LEVELS.size
        assert np.all((at(**change) >= at())[:most]), change
        assert np.all((at(**change) > at() * 1.001)[2 : min(4, most)]), change


def test_reads_that_take_all_of_the_time_never_end():
    assert np.all(
        loaded(LEVELS, load_fraction=0.1, unloaded_s=65 * US, suspension=V6,
               read_load=ReadLoad(2.1e4, 1, 50 * US)) == np.inf
    )  # fmt: skip


def test_slices_hold_the_die_for_their_share_of_the_time_that_reads_leave():
    """Reads that take 30 % of the time find it idle for 70 % as long as the first read does."""
    levels = (np.arange(100) + 0.5) / 100

    def idle(read_iops):
        got = loaded(levels, load_fraction=0.4, unloaded_s=65 * US, suspension=V6,
                     read_load=ReadLoad(read_iops, 1, 50 * US))  # fmt: skip
        return np.mean(got <= 65 * US * (1 + 1e-6))

    assert idle(6e3) == pytest.approx(0.7 * idle(1e-3), abs=0.015)


def test_many_loads_of_many_drives_give_what_each_gives():
    flash = latency_tail.typical_suspension(
        np.array([[1170 * US], [1450 * US]]), erase_s=5e-3, programs_per_block=512
    )
    loads = np.array([0.1, 0.5, 0.9])
    got = loaded(0.99, load_fraction=loads, unloaded_s=65 * US, suspension=flash)
    assert got.shape == (2, 3)
    one = Suspension(*(np.broadcast_to(field, (2, 1))[1, 0] for field in flash))
    assert got[1, 2] == loaded(0.99, load_fraction=0.9, unloaded_s=65 * US, suspension=one)


@pytest.mark.parametrize(
    "field", ["waiting_ratio", "slice_s", "slice_growth", "erase_slice_s", "erasing_share"]
)
def test_names_the_part_of_the_suspension_outside_its_domain(field):
    with pytest.raises(DomainError, match=rf"^{field} must be"):
        loaded(0.9, load_fraction=0.5, unloaded_s=1e-4, suspension=V6._replace(**{field: -1.0}))


def test_a_die_does_not_hold_a_read_for_longer_than_it_takes():
    whole, more = (
        loaded(0.9, load_fraction=0.5, unloaded_s=1e-4, suspension=V6,
               read_load=ReadLoad(2e3, 1, held)) for held in (1e-4, 2e-4)
    )  # fmt: skip
    assert whole == more


@pytest.mark.parametrize("load", [1.01, 1.12, 5.0])
def test_nothing_grows_beyond_the_steady_rate(load):
    got, most = (loaded(LEVELS, load_fraction=x, unloaded_s=65 * US, suspension=V6)
                 for x in (load, 1.0))  # fmt: skip
    np.testing.assert_array_equal(got, most)


def test_fixed_slices_leave_what_exponential_ones_leave():
    lengths, weights = exponential_slices()
    times = np.geomspace(1e-3, 12, 50)
    tail = np.maximum(0, 1 - times[:, None] / lengths) @ weights
    np.testing.assert_allclose(tail, np.exp(-times), rtol=2e-3)
    assert weights.sum() == pytest.approx(1, abs=1e-8)
    assert np.all(weights >= 0)


def test_fixed_slices_stand_for_themselves():
    lengths = np.array([1.0, 4.0, 9.0])
    tail = np.maximum(0, 1 - np.append(0.0, lengths)[:, None] / lengths) @ [0.5, 0.25, 0.25]
    np.testing.assert_allclose(fixed_slices(lengths, tail), [0.5, 0.25, 0.25], atol=1e-15)


# Share of time that erasing takes, by hand: 1,536 pages of a block are 512 word lines.
def test_an_erase_is_rare():
    assert V6.erasing_share == pytest.approx(3.5 / (3.5 + 512 * 1.17), rel=1e-12)


V6_TIMES = latency_tail.WriteTimes(1170 * US, 3.5e-3, 512)


def queued(depth, load, levels=LEVELS):
    return latency_tail.queued_typical_read_latency_s(
        levels, queue_depth=depth, load_fraction=load, unloaded_s=65 * US, write_times=V6_TIMES,
        read_load=ReadLoad(0.0, 16, 45 * US),
    )  # fmt: skip


def test_a_single_reader_waits_for_slices_alone():
    alone = latency_tail.typical_read_latency_s(
        LEVELS, load_fraction=0.4, unloaded_s=65 * US, write_times=V6_TIMES
    )
    np.testing.assert_allclose(queued(1, 0.4), alone, rtol=1e-9)


@pytest.mark.parametrize(("depth", "high"), [(2, 0.05), (4, 0.07), (8, 0.12), (16, 0.22)])
def test_readers_of_an_idle_drive_are_on_the_safe_side_of_the_closed_loop(depth, high):
    levels = np.array([0.9, 0.99, 0.999])
    closed = latency_tail.closed_read_latency_s(
        levels, queue_depth=depth, dies=16, die_read_s=45 * US, host_s=20 * US,
        background=Operations([1e-9], [1e-4]),
    )  # fmt: skip
    ratio = queued(depth, 0.0, levels) / closed
    assert np.all(ratio > 0.99)
    assert np.all(ratio < 1 + high)


def test_readers_wait_no_longer_beyond_the_steady_rate():
    np.testing.assert_array_equal(queued(4, 1.2), queued(4, 1.0))
