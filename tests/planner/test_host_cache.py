"""A cache in the host's memory: a review's case, wiring, and laws."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import DomainError
from planner.catalogue import find
from planner.catalogue.drive import own_drive, with_user_facts
from planner.scenario.workload import Workload
from planner.sections.host_cache import HostCache, host_cache
from planner.sections.speed import speed

EIGHT_GIB = Workload(host_bytes_per_s=300e6, read_fraction=0, fill_fraction=8 * 2**30 / 250e9)


@pytest.fixture(scope="module")
def evo(catalogue):
    return find(catalogue, "840 EVO 250")


def test_rapid_gains_what_uniform_writes_hit(evo):
    """AnandTech 7173, "RAPID": 1 GB of cache, 4 KiB writes to 8 GB; one write in eight hits."""
    answer = speed(evo, EIGHT_GIB)
    got = host_cache(answer, EIGHT_GIB, HostCache(cache_bytes=2**30))
    assert got["hit_ratio"].value == pytest.approx(1 / 8)
    assert got["destage_ratio"].value == pytest.approx(7 / 8)
    assert got["cached_iops"].value == pytest.approx(answer.steady_write_iops.value * 8 / 7)
    assert got["dirty_bytes"].value == pytest.approx(2**30)


def test_a_flush_bounds_what_a_crash_loses(evo):
    answer = speed(evo, EIGHT_GIB)
    often, never = (
        host_cache(answer, EIGHT_GIB, HostCache(cache_bytes=2**30, flush_s=seconds))
        for seconds in (1.0, 1e6)
    )
    assert often["exposed_bytes"].value == pytest.approx(150e6)
    assert never["exposed_bytes"].value == pytest.approx(2**30)


@given(st.floats(1e8, 1e11), st.floats(1e8, 1e11), st.floats(0, 1))
@settings(max_examples=20, deadline=None)
def test_a_larger_cache_never_slows(pro_400, one, other, reads):
    load = Workload(host_bytes_per_s=1e6, read_fraction=reads)
    small, large = sorted((one, other))
    answer = speed(pro_400, load)
    slow, fast = (host_cache(answer, load, HostCache(cache_bytes=size)) for size in (small, large))
    assert slow["cached_iops"].value <= fast["cached_iops"].value * (1 + 1e-9)
    assert fast["cached_iops"].value <= 1e6


def test_a_side_that_is_not_asked_for_may_be_unknown(evo):
    bare = with_user_facts(own_drive(1e12), random_read_iops=90e3)
    load = Workload(host_bytes_per_s=1e6, read_fraction=1)
    got = host_cache(speed(bare, load), load, HostCache(cache_bytes=1e9))
    assert got["cached_iops"].value > 90e3
    both = Workload(host_bytes_per_s=1e6)
    assert not host_cache(speed(bare, both), both, HostCache(cache_bytes=1e9))[
        "cached_iops"
    ].is_known


def test_an_impossible_cache_is_refused_by_name():
    with pytest.raises(DomainError, match=r"^flush_s must be"):
        HostCache(cache_bytes=1e9, flush_s=0)
