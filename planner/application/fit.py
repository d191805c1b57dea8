"""Inputs of an application from its counters: what each counter decides becomes a stated input.

In this order, as each step needs those before it: rates, kind and tables, flush time and sharing,
heap-only updates, age, bytes of a change and pages touched, memory, and last one correction for
what is left. What has no counter keeps its prior.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from scipy.optimize import brentq

from models.application import commits_per_flush
from models.errors import DomainError
from planner.application.answer import Application, answer_of
from planner.application.fit_state import NORMAL_90, POINT, FitState
from planner.application.measured import Counts, large_tables
from planner.application.presets import FLUSH

# Inputs that are the rate of a counter.
RATES = {
    "transactions_per_s": "transactions", "puts_per_s": "transactions",
    "sets_per_s": "transactions", "bytes_per_s": "application_bytes",
}  # fmt: skip
SHARING = ("commits_per_flush", "flushes_per_put")
FEW_CHANGES = 0.02  # of all, below which small tables do not matter
MOST_HEAP_ONLY = 0.9  # beyond which no index explains further pages
SHARED_ALIKE = 0.05  # of commits per flush, within which the flush time explains them
PACKED = 0.25  # of the expected bytes of a change, below which images must be compressed
MORE_PAGES = 0.1  # beyond those touched, above which memory is small
INTERVAL_FLUSHES = 20.0  # per second, more than a journal flushed by time alone
MOST_PASSES = 20
MOST_CLIENTS, MOST_SCV = 1e9, 1e3
MOST_LIKELY = 10.0  # of a count over the model, or of the model over a count


class AppFit(NamedTuple):
    """The application as it was counted, the inputs that were fitted, and remarks."""

    application: Application
    inputs: tuple[str, ...]
    notes: tuple[str, ...]


def fitted(answer: Application, counts: Counts) -> AppFit:
    """Return an application with those inputs stated that its counters decide.

    >>> etcd = answer_of("etcd", {})
    >>> found = fitted(etcd, Counts({"transactions": 6e5, "flushes": 5e5}, 6e3))
    >>> found.inputs, found.application.texts["puts_per_s"]
    (('puts_per_s', 'flush_s', 'clients'), '99.7879..100.213')
    """
    state = FitState(answer, counts)
    _rate(state)
    if state.knows_rate:
        for step in (_rows, _sharing, _heap_only, _age, _changes, _memory, _blocks, _copies):
            step(state)
        _correction(state)
    _remark(state)
    found = answer_of(answer.apps, {**answer.texts, **state.texts}, answer.flush_s, answer.on)
    return AppFit(found, tuple(state.texts), tuple(state.notes))


def _rate(state: FitState) -> None:
    """State transactions or bytes per second, and the rows that a transaction changes."""
    name = next((name for name in RATES if state.input(name)), None)
    if name is None:
        return
    counter = RATES[name]
    rate, changes = state.counted(counter), state.counted("row_changes")
    by_rows = state.input("rows_per_transaction") is not None and changes is not None
    if rate is None and not by_rows:
        state.knows_rate = name in state.answer.texts
        return
    if by_rows and changes is not None:
        each = (
            state.values["rows_per_transaction"] if rate is None else changes / rate if rate else 0
        )
        if each < 1:  # others only read
            each, counter = 1.0, "row_changes"
        rate = changes / each
        if abs(each - round(each)) < POINT * each:
            each = float(round(each))
        state.put("rows_per_transaction", each)
    if not rate:
        raise DomainError(f"{counter}: nothing was counted between the two readings")
    state.put(name, rate, state.events(counter) ** -0.5)


def _rows(state: FitState) -> None:
    """State the kind of change, and of several tables the rows and the share of small ones."""
    tables = [each for each in state.counts.tables if each.changes]
    kinds = {name: state.counted(name) for name in ("updates", "inserts", "deletes")}
    if state.is_free("kind") and any(kinds.values()):
        updates, inserts, deletes = (each or 0.0 for each in kinds.values())
        is_ring = deletes > inserts / 2
        state.put("kind", "update" if updates >= inserts else "ring" if is_ring else "insert")
    if not tables or state.values.get("kind") != "update":
        return
    large = large_tables(tables)
    if state.is_free("rows"):
        state.put("rows", sum(each.rows or 0.0 for each in large))
    share = 1 - sum(each.updates for each in large) / sum(each.changes for each in tables)
    if state.is_free("few_pages_fraction") and share > FEW_CHANGES:
        state.put("few_pages_fraction", share)


def _sharing(state: FitState) -> None:
    """State the time of a flush, and why more or fewer commits share one than follow from it.

    More share where flush times vary, fewer where there are few clients.
    """
    flushes, waited = state.counted("flushes"), state.counted("flush_time_s")
    if not flushes or state.input(FLUSH) is None:
        return
    if state.is_free("journal") and flushes > INTERVAL_FLUSHES:
        state.put("journal", "commit")
    if state.values.get("journal") == "interval":
        return
    if waited:
        state.put(FLUSH, waited / flushes, state.events("flushes") ** -0.5)
    commits = state.values[next(each for each in RATES if state.input(each))]
    shared, spread = max(commits / flushes, 1.0), state.events("flushes") ** -0.5
    stated = next((each for each in SHARING if each in state.answer.texts), None)
    if stated is None:
        _gathering(state, commits, shared, is_timed=bool(waited))
    else:
        state.put(stated, 1 / shared if stated == "flushes_per_put" else shared, spread)


def _gathering(state: FitState, commits: float, shared: float, *, is_timed: bool) -> None:
    """State how flush times vary, that clients are too few, or commits per flush themselves."""
    spread = shared * state.events("flushes") ** -0.5
    in_series = 1.0 + (state.values.get("binlog") == "yes")
    if not is_timed:
        arriving = _root(lambda each: _commits_per_flush(each, 0.0) - shared, shared)
        noise = spread / max(-math.expm1(-arriving), spread) / max(arriving, spread)
        state.put(FLUSH, arriving / commits / in_series, min(noise, 1.0))
        _enough_clients(state, shared)
        return
    arriving = commits * in_series * state.values[FLUSH]
    by_time, most = _commits_per_flush(arriving, 0.0), _commits_per_flush(arriving, MOST_SCV)
    if shared < by_time * (1 - SHARED_ALIKE):
        state.put("clients", 2 * shared)
    elif shared > most + 2 * spread:  # they do not wait for a flush
        state.put("commits_per_flush", shared, spread / shared)
        state.put("flushes_per_put", 1 / shared, spread / shared)
    else:
        if shared > by_time + 2 * spread:
            scv = _root(lambda each: _commits_per_flush(arriving, each) - shared, MOST_SCV)
            state.put("flush_scv", scv)
        _enough_clients(state, max(shared, by_time))


def _commits_per_flush(arriving: float, scv: float) -> float:
    """Return the commits that share a flush in which a mean number arrives, with many clients."""
    return float(commits_per_flush(arriving, flush_s=1.0, clients=MOST_CLIENTS, flush_scv=scv))


def _root(missing: Callable[[float], float], high: float) -> float:
    """Return the argument from 0 up at which a rising function is 0; an end if there is none."""
    if missing(0.0) >= 0 or missing(high) <= 0:
        return 0.0 if missing(0.0) >= 0 else high
    return float(brentq(missing, 0.0, high))


def _enough_clients(state: FitState, shared: float) -> None:
    """State that there are more clients than share a flush, as far as the prior allows fewer."""
    row = state.input("clients")
    if row is not None and state.is_free("clients") and 2 * shared > row.prior.low:
        most = max(row.prior.high, 4 * shared)
        middle = math.sqrt(2 * shared * most)
        state.put("clients", middle, math.log(middle / (2 * shared)) / NORMAL_90)


def _heap_only(state: FitState) -> None:
    """State the share of heap-only updates."""
    hot, updates = state.counts.heap_only
    if updates and state.values.get("kind") == "update":
        share = hot / updates
        state.put("hot_share", share, math.sqrt((1 - share) / max(hot, 1.0)))


def _age(state: FitState) -> None:
    """State the age of pages at which they are written, as a share of the log."""
    age = state.counted("age_bytes")
    row = state.input("age_fraction")
    if not age or row is None:
        return
    share = age / state.values["redo_bytes"]
    state.put("age_fraction", share)
    if share < row.prior.low:
        state.notes.append(
            f"Pages are written at an age of {share:.2g} of the log, before its size asks for it: "
            "InnoDB flushes as innodb_io_capacity allows, and at other rates at another age."
        )


def _changes(state: FitState) -> None:
    """State bytes of a change and pages touched, in turn, as each moves the checkpoint."""
    if state.input("record_ratio") is None:
        return
    before: dict[str, str] = {}
    for _ in range(MOST_PASSES):
        _cycle(state)
        _record(state)
        _touched(state)
        if state.texts == before:
            break
        before = dict(state.texts)
    if "record_ratio" in state.texts:
        _doubt(state, "The log of a change", float(state.values["record_ratio"]))


def _cycle(state: FitState) -> None:
    """State the time or the size of the log at which checkpoints begin, if several were counted."""
    cycle_s = state.counted("cycle_s")
    if cycle_s is None:
        return
    names = ("timed_checkpoints", "requested_checkpoints")
    timed, requested = (state.counts.values.get(name, 0.0) for name in names)
    if requested > timed and state.is_free("max_wal_bytes"):
        state.put_solved("max_wal_bytes", "cycle_s", 1e8, 1e14)
    elif timed >= requested and state.is_free("checkpoint_timeout_s"):
        state.put("checkpoint_timeout_s", cycle_s)


def _record(state: FitState) -> None:
    """State the bytes of the log of a change; where these are too few, images are compressed."""
    state.take_back("image_fraction")
    log, images = state.counted("log_bytes"), state.counted("images")
    by_model = state.model("images")
    if not log or (images is None and not math.isnan(by_model)):
        return
    record = state.model("record_bytes", record_ratio=1.0)
    imaged = 0.0
    if images and by_model:
        imaged = images * (state.model("log_bytes") - state.model("record_bytes")) / by_model
    ratio = (log - imaged) / record
    if imaged and ratio < PACKED and state.is_free("image_fraction"):
        state.take_back("record_ratio")
        share = max(log - record, 0.0) / imaged
        state.put("image_fraction", min(share * state.values["image_fraction"], 1.0))
        return
    state.put("record_ratio", ratio, state.events("transactions") ** -0.5)


def _touched(state: FitState) -> None:
    """State indexes or other pages where more pages are touched than rows explain, else skew."""
    counter = "images" if state.counted("images") else "pages"
    target = state.counted(counter)
    if not target:
        return
    if state.counted("images") == 0 and state.is_free("image_fraction"):
        state.put("image_fraction", 0.0)  # full_page_writes=off
    state.take_back("indexes", "skew", "exponent", "other_pages")
    if state.is_free("skew"):
        state.put("skew", "none")
    if state.is_free("indexes"):
        state.put("indexes", 0.0)
    ratio, noise = state.model(counter) / target, 2 * state.events(counter) ** -0.5
    if ratio < 1 - noise:
        _more_pages(state, counter, target)
    elif ratio > 1 + noise:
        _fewer_pages(state, counter)


def _more_pages(state: FitState, counter: str, target: float) -> None:
    is_heap = state.input("hot_share") is not None and state.values.get("kind") == "update"
    is_counted = bool(state.counts.heap_only[1])
    if state.is_free("indexes") and is_heap and not is_counted:
        if state.put_solved("hot_share", counter, 0.0, 1.0):
            return
        state.put("hot_share", 0.0)
    heap_only = state.followed("hot_share") if is_heap else 0.0
    row = state.input("indexes")
    if row is not None and state.is_free("indexes") and heap_only < MOST_HEAP_ONLY:
        state.put_solved("indexes", counter, 0.0, float(row.most or 0.0))
    if state.is_free("other_pages") and state.model(counter) < target * (1 - POINT):
        state.put_solved("other_pages", counter, 0.0, 100.0)


def _fewer_pages(state: FitState, counter: str) -> None:
    if not state.is_free("exponent"):
        return
    stated = state.answer.texts.get("skew")
    for skew in ("scattered", "together") if stated is None else (stated,):
        state.values["skew"] = skew
        exponent = state.solve("exponent", counter, 1e-3, 3.0)
        if exponent is not None:
            if stated is None:
                state.put("skew", skew)
            state.put("exponent", exponent)
            return
    state.values["skew"] = stated or "none"


def _memory(state: FitState) -> None:
    """State buffers or new pages where more pages are written than images were logged.

    Buffers are too small where pages leave them before the checkpoint finds them.
    """
    pages, images = state.counted("pages"), state.counted("images")
    if not pages or not images:
        return
    found = state.counted("checkpoint_pages")
    is_small = found is None or found < (1 - MORE_PAGES) * images
    if is_small and pages > (1 + MORE_PAGES) * state.model("pages"):
        row = state.input("buffers_bytes")
        if row is not None and state.is_free("buffers_bytes"):
            state.put_solved("buffers_bytes", "pages", row.least or 1.0, row.most or 1e15)
    noise = 2 * state.events("pages") ** -0.5
    if pages > (1 + noise) * state.model("pages") and state.is_free("new_pages"):
        state.put_solved("new_pages", "pages", 0.0, 100.0)


def _blocks(state: FitState) -> None:
    """State the compression of pages, of stores that count the bytes of their pages."""
    written = state.counted("page_bytes")
    if not written or not state.is_free("stored_fraction"):
        return
    state.put("page_bytes", state.values["page_bytes"])
    if not state.put_solved("stored_fraction", "page_bytes", 0.01, 1.0):
        state.put("stored_fraction", 1.0)
        state.put_solved("page_bytes", "page_bytes", 4096.0, 2.0**20)


def _copies(state: FitState) -> None:
    """State doublewrite, on or off."""
    copies, pages = state.counted("copies"), state.counted("pages")
    if copies is not None and pages and state.is_free("doublewrite"):
        state.put("doublewrite", "yes" if copies else "no")


def _correction(state: FitState) -> None:
    """State one correction for what is left, by the counter nearest to the drive."""
    names = ("device_bytes", "data_bytes", *([] if _has_counters(state) else ["file_bytes"]))
    counter = next((name for name in names if state.counted(name)), None)
    if counter is None or state.input("correction") is None:
        return
    state.put("correction", 1.0)
    ratio = (state.counted(counter) or 0.0) / state.model(counter)
    state.put("correction", ratio, (state.events(counter) / 4096) ** -0.5)
    _doubt(state, counter, ratio)


def _doubt(state: FitState, counted: str, ratio: float) -> None:
    """Note a count that is far from the model of any such application."""
    if not 1 / MOST_LIKELY <= ratio <= MOST_LIKELY:
        state.notes.append(f"{counted} is {ratio:.3g} times the model: is it this application?")


def _has_counters(state: FitState) -> bool:
    return bool(state.answer.draws.counters)


def _remark(state: FitState) -> None:
    """Note the limits of a reading."""
    cycle_s = state.model("cycle_s")
    if cycle_s > state.counts.over_s and state.counted("pages") is not None:
        share = state.counts.over_s / cycle_s
        state.notes.append(
            f"The readings span {share:.2g} of the {cycle_s:.3g} s between checkpoints, within "
            "which images and pages come unevenly: read again after a whole number of "
            "checkpoints, or state checkpoint_timeout_s."
        )
    if not state.knows_rate:
        name = next(name for name in RATES if state.input(name))
        state.notes.append(
            f"Nothing is fitted without a rate: state {name}, or add a counter of transactions."
        )
