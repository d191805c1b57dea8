"""Response times of the app: `python -m benchmarks.response > docs/evidence/response.md`.

A field or a slider is moved in Chromium until the figure that follows from it has changed, and
until its run has ended; 20 sessions change theirs at once. Each is compared with a page that has a
field, a slider and a line of text, in the same run, under the same load of the machine. Layout
shifts meanwhile are summed as browsers do (cumulative layout shift), also what moves right after a
key. Ends within five minutes: a place that is slow is changed less often, and a session that takes
longer than its share counts with the time after which it was left. Needs Chromium.
"""

import os
import platform
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

ROOT = Path(__file__).parents[1]
EMPTY = """
import streamlit as st
typed = st.text_input("writing", st.query_params.get("writes", "30 GB/day"), key="writes")
slid = st.slider("Host writes [GB/day]", 0, 100)
st.markdown(f"LASTS {typed} {slid}")
"""
DRIVE = "Samsung 870 EVO 1 TB"
SESSIONS, CHANGES, FEWEST = 20, 15, 3
IN_CHROMIUM_S, IN_SESSIONS_S = 150.0, 120.0  # for all places together
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
    Case("Choose", "choose", "Usable capacity", SIZES, ("[data-testid=stAlert]", "the least")),
    Case("Compare", "compare", "writing", WRITES, (CAPTION, "Read as")),
    Case("Drives", "drives", "Search", WORDS, (CAPTION, " drives; ")),
)  # fmt: skip


@contextmanager
def serving(script: str, folder: Path) -> Iterator[str]:
    """Start an app, and give its address once it answers."""
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
            yield f"127.0.0.1:{port}"
        finally:
            server.terminate()


def in_chromium(page: Page, address: str, case: Case, most_s: float) -> Taken:
    """Change a page for some time; the first change, which loads code, is left out."""
    ends = time.monotonic() + most_s
    page.goto(f"http://{address}/{case.path}")
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


def session_ms(address: str, path: str, number: int, ends: float) -> float:
    """Open a session and change its writes; return how long the run took until it had ended.

    Of a session that is left before its end, the time until then.
    """
    place, _, rest = path.partition("?")
    start = time.perf_counter()
    with connect(
        f"ws://{address}/_stcore/stream",
        subprotocols=["streamlit"],
        max_size=None,  # type: ignore[list-item]  # a NewType of str
    ) as stream, suppress(TimeoutError):  # fmt: skip
        for change in range(2):
            statement = urlencode({"drive": DRIVE, "writes": f"{40 + number + 30 * change} GB/day"})
            query = "&".join(filter(None, [rest, statement]))
            state = ClientState(query_string=query, page_name=place)
            start = time.perf_counter()
            stream.send(BackMsg(rerun_script=state).SerializeToString())
            kind = ""
            while kind != "script_finished":
                received = stream.recv(timeout=max(0.0, ends - time.perf_counter()))
                kind = str(ForwardMsg.FromString(bytes(received)).WhichOneof("type"))  # type: ignore[arg-type]  # sent as bytes
    return 1000 * (time.perf_counter() - start)


def in_sessions(address: str, path: str, most_s: float) -> list[float]:
    """Return the times of a change in 20 sessions at once."""
    ends = time.perf_counter() + most_s
    with ThreadPoolExecutor(SESSIONS) as pool:
        return list(
            pool.map(lambda number: session_ms(address, path, number, ends), range(SESSIONS))
        )


def shares_s(whole_s: float, parts: int) -> Iterator[float]:
    """Yield the time of each part in turn: of what is left, the same for each to come."""
    ends = time.monotonic() + whole_s
    for left in range(parts, 0, -1):
        yield max(0.0, ends - time.monotonic()) / left


def _late(times: list[float]) -> float:
    """Return the 95th percentile."""
    return quantiles(times, n=20, method="inclusive")[-1]


def chromium_rows(addresses: dict[bool, str], program: str, cases: list[Case]) -> list[str]:
    """Return the table of changes in Chromium."""
    heads = ("change of", "changes", "figure, median [ms]", "ratio", "p95 [ms]", "ratio",
             "run ended, median [ms]", "p95 [ms]", "layout shift")  # fmt: skip
    lines, bases = [_line(heads), _line(["---", *["---:"] * 8])], {}
    with sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        shares = shares_s(IN_CHROMIUM_S, len(cases))
        for case, most_s in zip(cases, shares, strict=True):
            is_empty = case.name.startswith(EMPTY_PAGE)
            taken = in_chromium(page, addresses[is_empty], case, most_s)
            middle, late = median(taken.changed), _late(taken.changed)
            if is_empty:
                bases[bool(case.texts)] = (middle, late)
            base = bases[bool(case.texts)]
            lines.append(_line([
                case.name, f"{len(taken.changed)}", f"{middle:.0f}", f"{middle / base[0]:.1f}",
                f"{late:.0f}", f"{late / base[1]:.1f}", f"{median(taken.ended):.0f}",
                f"{_late(taken.ended):.0f}", f"{taken.shift:.3f}",
            ]))  # fmt: skip
        browser.close()
    return lines


def session_rows(addresses: dict[bool, str], cases: list[Case]) -> list[str]:
    """Return the table of 20 sessions, one row for each page."""
    lines = [_line(("place", "median [ms]", "ratio", "p95 [ms]", "ratio")),
             _line(["---", *["---:"] * 4])]  # fmt: skip
    first: tuple[float, float] | None = None
    cases = [case for case in cases if case.texts]
    for case, most_s in zip(cases, shares_s(IN_SESSIONS_S, len(cases)), strict=True):
        times = in_sessions(addresses[case.name == EMPTY_PAGE], case.path, most_s)
        middle, late = median(times), _late(times)
        first = first or (middle, late)
        lines.append(_line([
            case.name, f"{middle:.0f}", f"{middle / first[0]:.1f}", f"{late:.0f}",
            f"{late / first[1]:.1f}",
        ]))  # fmt: skip
    return lines


def _line(cells: "list[str] | tuple[str, ...]") -> str:
    return f"| {' | '.join(cells)} |"


def main(names: list[str]) -> None:
    """Measure, and print the tables with the machine; of some places only, if they are named."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        sys.exit("Chromium is not installed (Debian package chromium)")
    cases = [case for case in CASES if not names or case.name.startswith((EMPTY_PAGE, *names))]
    with TemporaryDirectory() as folder:
        (Path(folder) / "empty.py").write_text(EMPTY)
        with serving("empty.py", Path(folder)) as empty, serving("app.py", ROOT) as app:
            addresses = {True: empty, False: app}
            changes = chromium_rows(addresses, program, cases)
            sessions = session_rows(addresses, cases)
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[1]:.1f}"
    print("# Response of the app\n")
    print(
        "Generated by `python -m benchmarks.response > docs/evidence/response.md`; do not edit.\n"
        "Ratios are"
    )
    print("to a page with a field, a slider and a line of text, in the same run. A layout shift is")
    print(
        "the sum over all changes; browsers call 0.1 good. Asked: 150 ms median and 400 ms p95 on"
    )
    print("Plan, 600 ms p95 on Choose; with 20 sessions p95 under 1 s on Plan and 2 s elsewhere.\n")
    print(f"Machine: {machine}, {platform.system()}, Python {platform.python_version()}.")
    print("\n## One person, in Chromium\n")
    print(*changes, sep="\n")
    print(f"\n## {SESSIONS} sessions at once, each a change until its run has ended\n")
    print(*sessions, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
