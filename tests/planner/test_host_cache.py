"""A cache in the host's memory: a review's case, wiring, and laws."""

from dataclasses import replace

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import DomainError
from planner.catalogue import find
from planner.catalogue.drive import own_drive, with_user_facts
from planner.cli import cli
from planner.scenario.workload import Workload
from planner.sections.host_cache import HostCache, host_cache
from planner.sections.request import plan_of
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


def test_rapid_at_depth_1(evo):
    """The same review: 22,769 to 73,466 IOPS, 43.5 to 13.5 us, at most 0.75 to 31.4 ms, no flush.

    The longest write that was seen lies between the drive's own and all dirty data before it.
    """
    load = replace(EIGHT_GIB, queue_depth=1.0)
    got = host_cache(speed(evo, load), load, HostCache(cache_bytes=2**30))
    mb = 4096 / 1e6
    for key, printed in (("uncached_fresh", 22_769.31), ("cached_fresh", 73_466.28)):
        assert got[f"{key}_iops"].value == pytest.approx(printed, rel=0.05)
        assert got[f"{key}_bytes_per_s"].value == pytest.approx(printed * mb * 1e6, rel=0.05)
    assert got["uncached_fresh_latency_s"].value == pytest.approx(43.5e-6, rel=0.05)
    assert got["cached_fresh_latency_s"].value == pytest.approx(13.5e-6, rel=0.05)
    assert 3.8e9 <= got["memory_bytes_per_s"].value <= 5e9  # seen from ATTO, "4 - 5GB/s" at most
    waits = [got[key].value for key in ("least_flush_wait_s", "flush_wait_s", "most_flush_wait_s")]
    assert waits == sorted(waits)
    assert waits[0] < 31.4259e-3 < waits[2]


def test_little_holds_and_a_flush_waits_for_what_was_written_in_between(evo):
    load = replace(EIGHT_GIB, host_bytes_per_s=1e6, queue_depth=4.0)
    answer = speed(evo, load)
    once, twice = (
        host_cache(answer, load, HostCache(cache_bytes=2**30, flush_s=seconds))
        for seconds in (5.0, 10.0)
    )
    for key in ("uncached_fresh", "cached_fresh", "uncached", "cached"):
        assert once[f"{key}_latency_s"].value * once[f"{key}_iops"].value == pytest.approx(4)
    own = once["least_flush_wait_s"].value
    behind = [got["flush_wait_s"].value - own for got in (once, twice)]
    assert behind[1] == pytest.approx(2 * behind[0])  # 10 s of writes, not 5
    drained = 5e6 / (answer.deep_steady_write_iops.value * 4096)
    assert behind[0] == pytest.approx(drained)


def test_the_first_screen_has_one_line_of_a_cache_that_nobody_asked_for():
    lines = CliRunner().invoke(cli, ["speed", "840 EVO 250"]).output.splitlines()
    assert len([line for line in lines if "Host cache" in line]) == 1
    assert not any("Hits in memory" in line for line in lines)
    asked = CliRunner().invoke(cli, ["speed", "840 EVO 250", "--host-cache", "1GiB"]).output
    assert "Hits in memory" in asked
    assert "Host cache " not in asked


def test_the_first_screen_has_the_workload_beside_the_write_test():
    given = ["840 EVO 120", "--sequential", "100%", "--size", "128KiB"]
    text = " ".join(CliRunner().invoke(cli, ["speed", *given]).output.split())
    plan = plan_of("840 EVO 120", sequential="100%", size="128 KiB")
    alone = plan["write_iops"].value * 128 * 1024 / 1e6
    assert f"writes alone {alone:.3g} MB/s" in text
    assert "This workload 128 KiB, 100 % sequential" in text
    assert "This workload" not in CliRunner().invoke(cli, ["speed", "840 EVO 120"]).output


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
