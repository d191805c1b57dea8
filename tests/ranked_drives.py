"""The drives that rank most often over random purchases, and which of their facts are looked up.

Run `python -m tests.ranked_drives > docs/evidence/ranked-drives.md` to write the page (2 minutes).
"""

import random
import sys
from collections import Counter
from pathlib import Path

from models.errors import DomainError
from planner.catalogue import load
from planner.catalogue.drive import RECALLED
from planner.catalogue.forms import forms_of
from planner.search.choose import choose
from planner.search.choose.request import choice_request

PAGE = Path(__file__).parents[1] / "docs/evidence/ranked-drives.md"
TODAY = "2026-11-01"
PURCHASES, DRIVES = 200, 150
SOURCE, MODEL, CLASS, MEMORY, NONE = "source", "model", "class", "memory", "none"
STATES = (SOURCE, MODEL, CLASS, MEMORY, NONE)
WRITES = ("steady_write_iops", "spec_write_iops", "burst_write_iops")
HEAD = """# Drives that rank most often

{purchases} purchases drawn at random: 0.5 to 200 TB usable, 1 GB to 100 TB a day, with segments,
buses, forms and layouts. Listed are the {drives} drives that are most often among the ten first
rows of `choose` on {today}. Where a fact comes from:

- `source`: looked up, with a locator in the catalogue
- `model`: a form factor on the list of the model, not checked for this capacity
- `class`: assumed, at the worse end of drives of its class
- `memory`: from memory, no source was found on public pages that could be reached
- `none`: not stated

Drives of clients were searched for less than those of servers. Written by
`python -m tests.ranked_drives > docs/evidence/ranked-drives.md`.
"""


def purchases(count=PURCHASES, seed=32):
    """Yield what buyers ask, drawn at random."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(count):
        asked = {
            "usable": f"{0.5 * 400 ** rng.random():.3g}TB",
            "writes": f"{0.001 * 1e5 ** rng.random():.3g} TB/day",
            "years": rng.choice(("3", "5", "5")),
        }
        asked |= rng.choice((
            {}, {"segment": "client"}, {"segment": "enterprise"}, {"segment": "NAS"},
            {"plp": "true"}, {"segment": "enterprise", "plp": "true"},
        ))  # fmt: skip
        asked |= rng.choice((
            {}, {}, {"interface": "SATA"}, {"interface": "NVMe"}, {"interface": "SAS"},
            {"form_factor": "M.2"}, {"form_factor": "U.2,U.3"}, {"form_factor": "E1.S,E3.S"},
        ))  # fmt: skip
        yield asked | rng.choice((
            {}, {}, {"raid": "1"}, {"raid": "10"}, {"raid": "5"}, {"raid": "6"},
            {"nodes": "4-8", "ec": "4+2"}, {"no_redundancy": "true", "drives": "1-4"},
        ))  # fmt: skip


def ranked(asked):
    """Return the drives of the first rows of one purchase; none where its filters leave none."""
    texts = {"minimise": "cost", "today": TODAY, **asked}
    try:
        found = choose(**choice_request(load().drives.values(), is_named=False, **texts))
    except DomainError:  # such as SAS for clients
        return set()
    return {one.plan.drive.drive_id for one in found.candidates}


def states(drive):
    """Return of each fact of a drive where it comes from."""
    rating = drive.facts.get("rated_bytes") or drive.facts.get("rated_dwpd")
    writes = [drive.facts[name] for name in WRITES if name in drive.facts]
    writes.sort(key=lambda fact: fact.kind == RECALLED)
    return {
        "form factor": _form(drive),
        "warranty": _state(drive.facts.get("warranty_s"), CLASS),
        "rating": _state(rating),
        "power-loss protection": _state(drive.features.get("power_loss_protection")),
        "UBER": _state(drive.facts.get("uber")),
        "MTBF": _state(drive.facts.get("mtbf_s")),
        "random writes": _state(next(iter(writes), None)),
    }


def _state(stated, missing=NONE):
    if stated is None:
        return missing
    return MEMORY if stated.kind == RECALLED else SOURCE


def _form(drive):
    state = _state(drive.features.get("form_factor"))
    is_of_model = state == SOURCE and not forms_of(drive).checked
    return MODEL if is_of_model else state


def page(counted):
    """Yield the lines of the page for drives and how often they rank."""
    known = {drive_id: states(load().drives[drive_id]) for drive_id, _ in counted}
    yield HEAD.format(purchases=PURCHASES, drives=len(counted), today=TODAY)
    yield f"| fact | {' | '.join(STATES)} |"
    yield f"|---|{'---:|' * len(STATES)}"
    for fact in next(iter(known.values())):
        total = Counter(each[fact] for each in known.values())
        yield f"| {fact} | {' | '.join(str(total[state]) for state in STATES)} |"
    facts = list(next(iter(known.values())))
    yield f"\n| drive | purchases | {' | '.join(facts)} |"
    yield f"|---|---:|{'---|' * len(facts)}"
    for drive_id, times in counted:
        yield f"| {drive_id} | {times} | {' | '.join(known[drive_id].values())} |"


def most_ranked(asked=None, drives=DRIVES):
    """Return the drives that are most often among the first rows, with how often."""
    counted = Counter(one for each in asked or purchases() for one in ranked(each))
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:drives]


if __name__ == "__main__":
    sys.stdout.write("\n".join(page(most_ranked())).rstrip() + "\n")
