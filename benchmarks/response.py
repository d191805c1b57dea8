"""Response times of the app: `python -m benchmarks.response > docs/evidence/response.md`.

A field or a slider is moved in Chromium until the figure that follows from it has changed, and
until its run has ended. Then 1, 5 and 20 sessions without a browser change an input every 5 s each,
whether the answer before has come or not; half of the values are new, the others were asked before
by any session. Times count from the moment when a change was due. Each page in Chromium is compared
with a page that has a field, a slider and a line of text, in the same run. Layout shifts are summed
as browsers do (cumulative layout shift), also what moves right after a key.

Ends within ten minutes; with `--keep FILE` what was measured is kept there, and a run that was
stopped goes on. Needs Chromium.
"""

import argparse
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Barrier, Lock
from typing import Any, NamedTuple
from urllib.parse import urlencode

import psutil
from playwright.sync_api import Page, sync_playwright

from tests.server_load import held_bytes
from tests.visitors import Visitor, visitor

ROOT = Path(__file__).parents[1]
EMPTY = """
import streamlit as st
typed = st.text_input("writing", st.query_params.get("writes", "30 GB/day"), key="writes")
slid = st.slider("Host writes [GB/day]", 0, 100)
st.markdown(f"LASTS {typed} {slid}")
"""
DRIVE = "Samsung 870 EVO 1 TB"
CHANGES, FEWEST = 15, 3
IN_CHROMIUM_S = 100.0  # for all places together
# Seconds of a load by the number of its sessions; one alone is as quick if it changes more often.
SECONDS = {1: 12.0, 5: 20.0, 20: 25.0}
PERIOD_S, ALONE_S, MOST_LATE_S, MEETING_S = 5.0, 1.0, 20.0, 120.0
LATEST = 20  # values, among which those are that are asked again
WARMING, COUNTED = 100, 1000  # changes of the session whose memory is measured
EMPTY_PAGE = "empty page"
IS_IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
# Chromium tells when the text of the first such element differs, and when the run has ended.
WATCH = """([selector, words]) => {
  const shown = () => [...document.querySelectorAll(selector)]
    .map(part => part.innerText).find(text => text.includes(words));
  const before = shown();
  window.changed = new Promise((done, fail) => {
    setTimeout(() => fail(new Error(`${words}: nothing changed in 30 s`)), 30000);
    let start, changed, ran;
    document.addEventListener('keydown', key => {
      if (key.key !== 'Control') start = performance.now();
    }, {capture: true, once: true});
    const look = () => {
      if (start) {
        const now = shown(), taken = performance.now() - start;
        if (!changed && now && now !== before) changed = taken;
        const state = document.querySelector('[data-testid=stApp]').dataset.testScriptState;
        ran = ran || changed || state === 'running';
        if (changed && ran && state === 'notRunning') return done([changed, taken]);
      }
      requestAnimationFrame(look);
    };
    look();
  });
}"""
SHIFTS = """() => {
  window.shift = 0;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.shift += entry.value;
  }).observe({type: 'layout-shift', buffered: false});
}"""


class Case(NamedTuple):
    """A place, the change made there, and the element that follows from it."""

    name: str
    path: str
    field: str
    texts: tuple[str, ...]  # empty: the field is a slider
    shown: tuple[str, str]  # elements, and words that the one has


class Load(NamedTuple):
    """A place whose writes are changed by some numbers of sessions."""

    name: str
    page: str = ""
    query: str = ""
    sessions: tuple[int, ...] = tuple(SECONDS)


class Loaded(NamedTuple):
    """Milliseconds of each change, processor time of the server for one, and its memory."""

    taken_ms: list[float]
    processor_ms: float
    held_bytes: int


class Server(NamedTuple):
    """A server: its address, and its process."""

    port: int
    process: psutil.Process

    @property
    def processor_s(self) -> float:
        """Processor time that it has taken so far, with that of its processes."""
        every = [self.process, *self.process.children(recursive=True)]
        return sum(sum(each.cpu_times()[:2]) for each in every)


class Taken(NamedTuple):
    """Milliseconds to the changed figure and to the end of each run; what moved on the page."""

    changed: list[float]
    ended: list[float]
    shift: float


WRITES = tuple(f"{31 + 7 * n} GB/day" for n in range(CHANGES + 1))
SIZES = tuple(f"{5 + n} TB" for n in range(CHANGES + 1))
WORDS = tuple(
    ("samsung", "micron", "intel", "kioxia", "crucial")[n % 5] for n in range(CHANGES + 1)
)
SENTENCE = ("[data-testid=stMarkdownContainer]", "LASTS")
CAPTION = "[data-testid=stCaptionContainer]"
CASES = (
    Case(EMPTY_PAGE, "", "writing", WRITES, SENTENCE),
    Case(f"{EMPTY_PAGE}, slider", "", "Host writes [GB/day]", (), SENTENCE),
    Case("Plan", "", "writing", WRITES, SENTENCE),
    Case("Plan, slider", "", "Host writes [GB/day]", (), SENTENCE),
    Case("Plan, Speed", "?part=Speed&drive=870+EVO+1TB", "writing", WRITES, SENTENCE),
    Case("Plan, Array", "?part=Array&drive=870+EVO+1TB&drives=4&raid=5", "writing", WRITES,
         SENTENCE),
    Case("Plan, Cost", "?part=Cost&drive=870+EVO+1TB", "writing", WRITES, SENTENCE),
    Case("Choose", "choose", "Usable capacity", SIZES, ("[data-testid=stAlert]", "Buy ")),
    Case("Compare", "compare", "writing", WRITES, (CAPTION, "Read as")),
    Case("Drives", "drives", "Search", WORDS, (CAPTION, " drives; ")),
)  # fmt: skip


ARRAY = "part=Array&drives=4&raid=5"
LOADS = (
    Load(EMPTY_PAGE, sessions=(20,)),
    Load("Plan"),
    Load("Plan, Speed", query="part=Speed"),
    Load("Plan, Array", query=ARRAY),
    Load("Compare", "compare"),
    Load("Choose", "choose"),
)


@contextmanager
def serving(script: str, folder: Path) -> Iterator[Server]:
    """Start an app, and give it once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port),
               "--server.address", "127.0.0.1", "--server.headless", "true"]  # fmt: skip
    with subprocess.Popen(  # noqa: S603 - this program
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as server:  # fmt: skip
        try:
            for _ in range(300):
                with suppress(OSError):
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
                    break
                time.sleep(0.1)
            yield Server(port, psutil.Process(server.pid))
        finally:
            server.terminate()


def in_chromium(page: Page, port: int, case: Case, most_s: float) -> Taken:
    """Change a page for some time; the first change, which loads code, is left out."""
    ends = time.monotonic() + most_s
    page.goto(f"http://127.0.0.1:{port}/{case.path}")
    element, words = case.shown
    page.locator(element).filter(has_text=words).first.wait_for(timeout=30_000)
    page.locator(IS_IDLE).wait_for(timeout=30_000)
    page.wait_for_timeout(1000)
    page.evaluate(SHIFTS)
    taken = []
    for turn in range(CHANGES + 1):
        if turn > FEWEST and time.monotonic() > ends:
            break
        taken.append(_change(page, case, turn))
    return Taken(*map(list, zip(*taken[1:], strict=True)), page.evaluate("() => window.shift"))


def _change(page: Page, case: Case, turn: int) -> list[float]:
    """Make one change, and return how long the figure and the whole run took."""
    if case.texts:
        field = page.get_by_label(case.field, exact=True).first
        field.fill(case.texts[turn])
    else:
        field = page.get_by_role("slider", name=case.field).first
        field.focus()
    page.evaluate(WATCH, case.shown)
    field.press("Enter" if case.texts else "ArrowRight")
    taken: list[float] = page.evaluate("() => window.changed")
    page.wait_for_timeout(300)
    return taken


NEW = (f"{31 + n / 100:.2f} GB/day" for n in count())


class Texts:
    """Writes in turn: some that were never asked, then some that were, by any session."""

    def __init__(self) -> None:
        self._asked, self._lock = [next(NEW)], Lock()
        self._turn = 0

    def next(self) -> str:
        """Return the next one."""
        with self._lock:
            self._turn += 1
            if self._turn % 2:
                self._asked.append(next(NEW))
                return self._asked[-1]
            return self._asked[-1 - self._turn * 7 % min(len(self._asked), LATEST)]


class Waiting:
    """Changes of a session that have no answer yet, and the times of those that have one."""

    def __init__(self, tab: Visitor) -> None:
        self._tab, self._runs = tab, tab.runs
        self.since_s: list[float] = []
        self.taken_s: list[float] = []

    def change(self, text: str, due_s: float) -> None:
        """Change the writes, which were to be changed at some time."""
        self._runs = self._tab.runs
        self._tab.put("writes", text)
        self.since_s.append(due_s)

    def receive(self, until_s: float) -> None:
        """Take messages until a time; a change that the next one overtook is answered with it."""
        while (left_s := until_s - time.perf_counter()) > 0:
            if self._tab.receive(left_s) and self._tab.runs > self._runs:
                self.give_up()

    def give_up(self) -> None:
        """Count all that wait as answered now."""
        self.taken_s += [time.perf_counter() - since_s for since_s in self.since_s]
        self.since_s.clear()


def session_s(
    port: int, load: Load, texts: Texts, meeting: Barrier, due_s: float, period_s: float,
    seconds: float,
) -> list[float]:  # fmt: skip
    """Change the field of a session again and again; return how long each answer took.

    It meets the others once all of them have changed theirs twice, and in the end.
    """
    with visitor(port) as tab:
        tab.open(load.page, "&".join(filter(None, [load.query, urlencode({"drive": DRIVE})])))
        for _ in range(2):
            tab.put("writes", texts.next())
            tab.wait()
        meeting.wait()
        waiting, began_s = Waiting(tab), time.perf_counter()
        while due_s < seconds:
            waiting.receive(began_s + due_s)
            waiting.change(texts.next(), began_s + due_s)
            due_s += period_s
        while waiting.since_s and time.perf_counter() < began_s + seconds + MOST_LATE_S:
            waiting.receive(time.perf_counter() + 0.1)
        waiting.give_up()
        meeting.wait()
    return waiting.taken_s


def in_sessions(server: Server, load: Load, sessions: int) -> Loaded:
    """Measure a place under so many sessions, whose changes are evenly apart."""
    meeting = Barrier(sessions + 1, timeout=MEETING_S)
    period_s, texts = PERIOD_S if sessions > 1 else ALONE_S, Texts()
    with ThreadPoolExecutor(sessions) as pool:
        found = [
            pool.submit(session_s, server.port, load, texts, meeting,
                        period_s * number / sessions, period_s, SECONDS[sessions])
            for number in range(sessions)
        ]  # fmt: skip
        meeting.wait()
        before_s = server.processor_s
        time.sleep(SECONDS[sessions])
        held = held_bytes(server.process)
        meeting.wait()
        spent_s = server.processor_s - before_s
    taken = [1000 * time_s for each in found for time_s in each.result()]
    return Loaded(taken, 1000 * spent_s / len(taken), held)


def memory_bytes(server: Server) -> tuple[int, int]:
    """Return the memory of a server before and after a session made a thousand changes."""
    texts, held = Texts(), list[int]()
    with visitor(server.port) as tab:
        tab.open()
        for changes in (WARMING, COUNTED):
            for _ in range(changes):
                tab.put("writes", texts.next())
                tab.wait()
            held.append(held_bytes(server.process))
    return held[0], held[1]


def shares_s(whole_s: float, parts: int) -> Iterator[float]:
    """Yield the time of each part in turn: of what is left, the same for each to come."""
    ends = time.monotonic() + whole_s
    for left in range(parts, 0, -1):
        yield max(0.0, ends - time.monotonic()) / left


def _late(times: list[float]) -> float:
    """Return the 95th percentile."""
    return quantiles(times, n=20, method="inclusive")[-1]


def chromium_rows(
    kept: "Kept", ports: dict[bool, int], program: str, cases: list[Case]
) -> Iterator[str]:
    """Yield the table of changes in Chromium."""
    yield from _head("change of", "changes", "figure, median [ms]", "ratio", "p95 [ms]", "ratio",
                     "run ended, median [ms]", "p95 [ms]", "layout shift")  # fmt: skip
    bases: dict[bool, tuple[float, float]] = {}
    with sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        shares = shares_s(IN_CHROMIUM_S, len(cases))
        for case, most_s in zip(cases, shares, strict=True):
            is_empty = case.name.startswith(EMPTY_PAGE)
            measured = kept.of(
                f"Chromium, {case.name}",
                lambda: in_chromium(page, ports[is_empty], case, most_s),  # noqa: B023 - at once
            )
            taken = Taken(*measured)
            middle, late = median(taken.changed), _late(taken.changed)
            if is_empty:
                bases[bool(case.texts)] = (middle, late)
            base = bases[bool(case.texts)]
            yield _line(
                case.name, f"{len(taken.changed)}", f"{middle:.0f}", f"{middle / base[0]:.1f}",
                f"{late:.0f}", f"{late / base[1]:.1f}", f"{median(taken.ended):.0f}",
                f"{_late(taken.ended):.0f}", f"{taken.shift:.3f}",
            )  # fmt: skip
        browser.close()


def session_rows(kept: "Kept", servers: dict[bool, Server], loads: list[Load]) -> Iterator[str]:
    """Yield the table of sessions, a row for each place and number of them."""
    yield from _head("place", "sessions", "changes", "median [ms]", "p95 [ms]", "longest [ms]",
                     "processor time of a change [ms]", "memory [MB]")  # fmt: skip
    for load in loads:
        server = servers[load.name == EMPTY_PAGE]
        for sessions in load.sessions:
            measured = kept.of(
                f"{sessions} sessions, {load.name}",
                lambda: in_sessions(server, load, sessions),  # noqa: B023 - at once
            )
            found = Loaded(*measured)
            yield _line(
                load.name, f"{sessions}", f"{len(found.taken_ms)}",
                f"{median(found.taken_ms):.0f}", f"{_late(found.taken_ms):.0f}",
                f"{max(found.taken_ms):.0f}", f"{found.processor_ms:.0f}",
                f"{found.held_bytes / 1e6:.0f}",
            )  # fmt: skip


class Kept:
    """Results of the parts that were measured, in a file if one is named."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        has_any = path is not None and path.exists()
        self._parts: dict[str, Any] = json.loads(path.read_text()) if path and has_any else {}

    def of(self, part: str, measure: Callable[[], Any]) -> Any:
        """Return the result of a part, measured unless it was kept."""
        if part not in self._parts:
            self._parts[part] = measure()
            if self._path is not None:
                self._path.write_text(json.dumps(self._parts))
        return self._parts[part]


def _head(*names: str) -> tuple[str, str]:
    return _line(*names), _line("---", *["---:"] * (len(names) - 1))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


METHOD = """# Response of the app

Generated by `python -m benchmarks.response > docs/evidence/response.md`; do not edit. Asked: 150 ms
median and 400 ms p95 on Plan, 600 ms p95 on Choose; with 20 sessions p95 under 1 s on Plan and 2 s
on Choose.
"""
OF_CHROMIUM = """
## One person, in Chromium

A field or a slider is changed. Ratios are to a page with a field, a slider and a line of text, in
the same run. A layout shift is the sum over all changes; browsers call 0.1 good.
"""
OF_SESSIONS = f"""
## Sessions at once

Each session changes the writes every {PERIOD_S:g} s, a single one every {ALONE_S:g} s, whether the
change before was answered or not. Half of the values are new, the others were asked before by any
session. A time is that from when the change was due to the end of its run; a change that the next
one overtakes ends with that. Processor time and memory are those of the server with its search
processes; visitors take the same processors.
"""


def main(names: list[str], kept: Kept) -> None:
    """Measure, and print the tables with the machine; of some places only, if they are named."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        sys.exit("Chromium is not installed (Debian package chromium)")
    cases = [case for case in CASES if not names or case.name.startswith((EMPTY_PAGE, *names))]
    loads = [load for load in LOADS if not names or load.name.startswith((EMPTY_PAGE, *names))]
    with TemporaryDirectory() as folder:
        (Path(folder) / "empty.py").write_text(EMPTY)
        with serving("empty.py", Path(folder)) as empty, serving("app.py", ROOT) as app:
            servers = {True: empty, False: app}
            ports = {is_empty: server.port for is_empty, server in servers.items()}
            changes = [*chromium_rows(kept, ports, program, cases)]
            sessions = [*session_rows(kept, servers, loads)]
            before, after = kept.of("memory", lambda: memory_bytes(app))
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[1]:.1f}"
    print(METHOD)
    print(f"Machine: {machine}, {platform.system()}, Python {platform.python_version()}.")
    print(OF_CHROMIUM, *changes, OF_SESSIONS, *sessions, sep="\n")
    print(
        f"\nOne session changes Plan {COUNTED:,} times, half of them to what is new: the server "
        f"has {before / 1e6:.0f} MB before and {after / 1e6:.0f} MB after."
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="places; all if none is named")
    parser.add_argument("--keep", type=Path, help="file of what was measured")
    stated = parser.parse_args()
    main(stated.names, Kept(stated.keep))
