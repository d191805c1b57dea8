"""Random walks of `make long`, recorded, and the page of evidence on them.

Run `python -m tests.walks_page > docs/evidence/walks.md` to write the page of the last run.
"""

import json
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from textwrap import fill

RUNS = Path(__file__).parent / "data" / "walks.jsonl"
WALKS = 80  # of a whole run
# Of each kind of control, what people do with it.
ACTS = {
    "text_input": "text typed", "selectbox": "choice in a box", "button": "button",
    "button_group": "part or topic", "radio": "radio button", "multiselect": "list of layers",
    "select_slider": "slider of writes", "slider": "slider of spare area", "toggle": "switch",
    "checkbox": "tick", "open": "drawer or explanation", "go": "another place",
    "link": "link opened", "file": "file given",
}  # fmt: skip
HEAD = """# Random walks

Each walk starts on the first screen of the app and uses a control of any kind at each step: texts
that can be read and texts that cannot, layouts, drawers, places, links, sentences, files. After
each step the page has no exception; its controls and the five sentences of the verdict are there;
a refused input greys the verdict; and each figure, by its key, is what any place showed of the same
scenario before (`tests/app/walker.py`). Figures are recorded where they are written for the screen,
not read from it (`tests/app/figures.py`). A walk that fails prints its seed and the fewest steps
found. `make long` walks 2,000 steps, the suite 60.
"""


def record(seed, walking, steps, faults):
    """Append what a walk was, and what it found."""
    line = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": _commit(), "seed": seed,
        "steps": Counter(step.act for step in steps), "scenarios": len(walking.seen),
        "keys": len({key for held in walking.seen.values() for key in held}),
        "figures": walking.compared, "faults": faults[:1],
    }  # fmt: skip
    with RUNS.open("a") as file:
        file.write(f"{json.dumps(line)}\n")


def page():
    """Return the page on the last whole run, and on the walks of it that were walked again."""
    lines = [json.loads(line) for line in RUNS.read_text().splitlines()]
    commits = Counter(line["commit"] for line in lines)
    whole = [commit for commit, count in commits.items() if count >= WALKS][-1]
    run = [line for line in lines if line["commit"] == whole]
    again = {line["seed"]: line for line in lines[lines.index(run[-1]) + 1 :]}
    steps = sum((Counter(line["steps"]) for line in run), Counter())
    seeds, faults = [line["seed"] for line in run], [line for line in run if line["faults"]]
    figures, scenarios = (sum(line[key] for line in run) for key in ("figures", "scenarios"))
    summary = (
        f"Last run: {run[-1]['date']}, commit {whole}, seeds {min(seeds)} to {max(seeds)}: "
        f"{steps.total():,} steps in {len(run):,} walks, {scenarios:,} scenarios, {figures:,} "
        f"figures of up to {max(line['keys'] for line in run):,} keys compared, "
        f"**{len(faults):,} faults**."
    )
    return "\n".join([
        HEAD,
        fill(summary, 100),
        "",
        "| step | times |",
        "|---|---:|",
        *(f"| {ACTS[act]} | {count:,} |" for act, count in steps.most_common()),
        *(f"\n{fill(_fault(line, again.get(line['seed'])), 100)}" for line in faults),
        "",
    ])  # fmt: skip


def _fault(line, again):
    """Describe the fault of a walk, and the same walk after it was mended."""
    found = f"Seed {line['seed']}, after {sum(line['steps'].values())} steps: {line['faults'][0]}."
    if again is None:
        return found
    if again["faults"]:
        return f"{found} Walked again at commit {again['commit']}: {again['faults'][0]}."
    return f"{found} Mended; walked again at commit {again['commit']}: no fault."


def _commit():
    command = ["git", "rev-parse", "--short=10", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.stdout.write(page())
