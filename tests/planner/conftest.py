"""Drives and workloads that many tests share."""

import pytest

from models.units import DAY_S, GIB
from planner.catalogue import find, load
from planner.scenario.workload import Workload


@pytest.fixture(scope="session")
def catalogue():
    return load()


@pytest.fixture(scope="session")
def pro_400(catalogue):
    """A drive of which everything is known."""
    return find(catalogue, "845DC PRO 400")


@pytest.fixture(scope="session")
def pro_4tb(catalogue):
    """A drive with a rating but without raw flash, cycles or a worst case."""
    return find(catalogue, "860 PRO 4TB")


@pytest.fixture
def busy():
    return Workload(host_bytes_per_s=5_000 * GIB / DAY_S)
