"""Reads behind slices: exact cases, and a die that is simulated slice by slice."""

import numpy as np
import pytest

from models import latency_tail
from models.errors import DomainError
from models.latency_tail import Operations, Slicing
from tests import naive_slices

US = 1e-6
LEVELS = np.array([0.9, 0.99, 0.999])
READ = {"die_read_iops": 300.0, "die_read_s": 60 * US}
PROGRAMS = Operations([300.0], [1.2e-3])

sliced = latency_tail.sliced_read_latency_s


def test_one_slice_is_an_operation_that_is_never_suspended():
    whole = latency_tail.read_latency_s(LEVELS, **READ, background=PROGRAMS)
    for slicing in (Slicing(np.inf), Slicing(2e-3), Slicing(1e-4, max_suspensions=0)):
        got = sliced(LEVELS, **READ, operations=PROGRAMS, slicing=slicing)
        np.testing.assert_allclose(got, whole, rtol=1e-9)


def test_slices_of_a_whole_part_are_operations_of_their_own():
    parts = Operations([300.0 * 12], [1e-4])
    apart = latency_tail.read_latency_s(LEVELS, **READ, background=parts)
    got = sliced(LEVELS, **READ, operations=PROGRAMS, slicing=Slicing(1e-4))
    np.testing.assert_allclose(got, apart, rtol=1e-6)


@pytest.mark.parametrize(
    "slicing",
    [
        Slicing(85 * US), Slicing(85 * US, varies=True), Slicing(5e-4),
        Slicing(85 * US, lead_s=30 * US, resume_s=40 * US),
        Slicing(85 * US, varies=True, lead_s=30 * US, resume_s=40 * US, max_suspensions=2),
        Slicing(85 * US, max_suspensions=1),
    ],
)  # fmt: skip
def test_the_time_of_the_die_is_that_of_the_operations(slicing):
    parts = latency_tail.sliced_operations(PROGRAMS, slicing=slicing, die_read_iops=300.0)
    busy = np.dot(parts.rates_per_s, parts.durations_s)
    lead, resume = float(slicing.lead_s), float(slicing.resume_s)
    assert 300 * (1.2e-3 + lead) * (1 - 1e-6) <= busy
    assert busy <= 300 * (1.2e-3 + lead + 1.2e-3 * 300 * resume) * (1 + 1e-9)


# Noise: about 1 % at p99, 2 % at p99.9 of 80,000 reads.
@pytest.mark.parametrize(("reads", "slicing"), [
    (300.0, Slicing(85 * US)),
    (300.0, Slicing(85 * US, varies=True)),
    (1500.0, Slicing(4e-4, lead_s=40 * US)),
    (1500.0, Slicing(85 * US, varies=True, lead_s=40 * US, resume_s=40 * US)),
    (3000.0, Slicing(85 * US, max_suspensions=4)),
    (3000.0, Slicing(85 * US, varies=True, max_suspensions=1)),
])  # fmt: skip
def test_a_die_slice_by_slice(reads, slicing):
    seen = naive_slices.read_latencies_s(
        80_000, reads_per_s=reads, read_s=60 * US, rate_per_s=300.0, duration_s=1.2e-3,
        slice_s=slicing.slice_s, varies=slicing.varies, lead_s=slicing.lead_s,
        resume_s=slicing.resume_s, most=slicing.max_suspensions,
    )  # fmt: skip
    got = sliced(LEVELS, die_read_iops=reads, die_read_s=60 * US, operations=PROGRAMS,
                 slicing=slicing)  # fmt: skip
    np.testing.assert_allclose(got, np.quantile(seen, LEVELS), rtol=0.05)


@pytest.mark.parametrize(
    ("statement", "bad"),
    [
        ("slice_s", Slicing(0.0)),
        ("lead_s", Slicing(1e-4, lead_s=-1.0)),
        ("resume_s", Slicing(1e-4, resume_s=np.inf)),
        ("max_suspensions", Slicing(1e-4, max_suspensions=-1)),
    ],
)
def test_names_what_is_wrong_with_the_slices(statement, bad):
    with pytest.raises(DomainError, match=rf"^{statement} must be"):
        sliced(0.9, **READ, operations=PROGRAMS, slicing=bad)
