"""What servers count of short loads, possible at all and met by the formulas: `make components`.

What is not installed is skipped, with the package that has it.
"""

import os
import time
from pathlib import Path

import pytest

from tests import quick_counts
from tests.quick_comparisons import BUSY_LIMIT, LIMITS, compared
from tests.quick_counts import LOADS

COMPONENTS = os.environ.get("COMPONENTS")  # all of them, or those of the build
if not COMPONENTS:
    pytest.skip("takes a minute or two: make components", allow_module_level=True)

NOT_IN_BUILD = {"pg-one-index", "pg-uuid"} if COMPONENTS == "build" else set()
SERVERS = [name for name, load in LOADS.items()
           if load.engine != "sqlite" and name not in NOT_IN_BUILD]  # fmt: skip
QUANTITIES = [(name, quantity) for name in SERVERS for quantity in LIMITS[name]]
QUIET = 0.3  # of the time, in which processors may be waited for
SLACK = 1.15  # of a rate: arrivals at random, on a machine that is shared


@pytest.fixture(scope="module")
def waited():
    """Share of the time of all counts in which processors were waited for: a list, filled late."""
    return []


@pytest.fixture(scope="module")
def counts(waited):
    begun, before = time.monotonic(), waited_s()
    found = quick_counts.all_counted(SERVERS)
    waited.append((waited_s() - before) / (time.monotonic() - begun))
    return found


def waited_s():
    """Return seconds in which some process waited for a processor; 0 where Linux does not count."""
    path = Path("/proc/pressure/cpu")
    return int(path.read_text().split()[4].removeprefix("total=")) / 1e6 if path.exists() else 0.0


def read(counts, name):
    found = counts.get(name, "not in the build: make components")
    if isinstance(found, str):
        pytest.skip(found)
    return found


@pytest.mark.parametrize("name", SERVERS)
def test_the_stated_rate_is_reached(counts, name):
    if LOADS[name].rate_per_s is None:
        pytest.skip("as fast as it is answered")
    reached = read(counts, name)["rate_per_s"]
    assert LOADS[name].rate_per_s / SLACK < reached < LOADS[name].rate_per_s * SLACK


@pytest.mark.parametrize(("name", "quantity"), QUANTITIES)
def test_a_formula_is_met(counts, waited, name, quantity):
    """Commits that wait for a processor besides share a flush: more of them, never fewer."""
    found = {each.quantity: each for each in compared(name, read(counts, name))}[quantity]
    low, high = found.ends
    if quantity == "commits per flush" and waited[0] > QUIET:
        low = -BUSY_LIMIT
    assert low <= found.error <= high, found


@pytest.mark.parametrize("name", SERVERS)
def test_files_receive_at_least_the_rows(counts, name):
    load = LOADS[name]
    assert read(counts, name)["file_bytes"] > load.rows_per_tx * load.row_bytes


@pytest.mark.parametrize("name", [name for name in SERVERS if LOADS[name].flush_delay_s])
def test_a_flush_takes_at_least_its_delay(counts, name):
    assert read(counts, name)["flush_s"] > LOADS[name].flush_delay_s


def test_slower_flushes_are_shared_by_more_commits(counts):
    fast, slow = (read(counts, f"pg-hot-{ms}ms")["log_flushes"] for ms in (1, 4))
    assert slow < 0.85 * fast <= 0.85 * 1.05


def test_clients_without_a_pause_share_a_flush_by_halves(counts):
    clients = LOADS["pg-closed-16"].clients
    assert 1 / read(counts, "pg-closed-16")["log_flushes"] == pytest.approx(clients / 2, rel=0.1)


def test_an_index_adds_images(counts):
    plain, indexed = (read(counts, f"pg-{name}")["images"] for name in ("hot-1ms", "one-index"))
    assert indexed > 1.1 * plain


def test_keys_in_order_are_written_once_and_logged_once(counts):
    load = LOADS["rocksdb-in-order"]
    written = read(counts, load.name)["file_bytes"] / load.row_bytes
    assert 1.9 < written < 2.4
