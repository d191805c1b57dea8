"""Thirty purchases and their first rows, each with the facts that it rests on: a page of evidence.

Run `python -m tests.first_rows > docs/evidence/first-rows.md` to write the page.
"""

import sys
from pathlib import Path

from planner.catalogue import load
from planner.catalogue.prices import dated_text
from planner.export.decision_text import decision_lines
from planner.quantity.show import text
from planner.search.choose import choose
from planner.search.choose.request import choice_request

ROOT_PAGE = Path(__file__).parents[1] / "docs/evidence/first-rows.md"
TODAY = "2026-11-01"
HEAD = f"""# First rows of purchases

Thirty purchases as buyers state them, and what `choose` decides on {TODAY}. Under each stand the
facts of the drive that the decision rests on: printed ones with their source, assumed ones as
such. "Not looked up" is from memory. Written by `python -m tests.first_rows >
docs/evidence/first-rows.md`.
"""
QUESTIONS = [
    {"usable": "2TB", "writes": "20GB/day", "raid": "1"},
    {"usable": "4TB", "writes": "50GB/day", "raid": "1", "drives": "2"},
    {"usable": "8TB", "writes": "100GB/day", "rules": "nas"},
    {"usable": "16TB", "writes": "200GB/day", "rules": "nas"},
    {"usable": "20TB", "writes": "1TB/day"},
    {"usable": "20TB", "writes": "2TB/day"},
    {"usable": "10TB", "writes": "1TB/day", "plp": "true"},
    {"usable": "10TB", "writes": "10TB/day", "plp": "true"},
    {"usable": "4TB", "writes": "8TB/day", "rules": "database"},
    {"usable": "8TB", "writes": "4TB/day", "rules": "database"},
    {"usable": "15TB", "writes": "3TB/day", "rules": "server"},
    {"usable": "30TB", "writes": "6TB/day", "rules": "server"},
    {"usable": "100TB", "writes": "5TB/day", "rules": "server"},
    {"usable": "100TB", "writes": "20TB/day", "rules": "server", "iops": "500k"},
    {"usable": "250TB", "writes": "5TB/day", "plp": "true"},
    {"usable": "500TB", "writes": "10TB/day", "plp": "true"},
    {"usable": "30TB", "writes": "24 cameras x 8 Mbit/s", "rules": "video"},
    {"usable": "90TB", "writes": "100 cameras x 6 Mbit/s", "rules": "video"},
    {"usable": "400GB", "writes": "10GB/day", "rules": "boot"},
    {"usable": "1TB", "writes": "40GB/day", "no_redundancy": "true", "drives": "1"},
    {"usable": "4TB", "writes": "700GB/day", "no_redundancy": "true", "rules": "lab"},
    {"usable": "30TB", "writes": "2TB/day", "nodes": "4-6", "rules": "server"},
    {"usable": "60TB", "writes": "3TB/day", "nodes": "6-8", "ec": "4+2", "rules": "server"},
    {"usable": "12TB", "writes": "1TB/day", "form_factor": "M.2"},
    {"usable": "12TB", "writes": "1TB/day", "interface": "SATA", "plp": "true"},
    {"usable": "12TB", "writes": "1TB/day", "form_factor": "E1.S"},
    {"usable": "12TB", "writes": "1TB/day", "budget": "6000"},
    {"usable": "12TB", "writes": "1TB/day", "years": "7"},
    {"usable": "12TB", "writes": "1TB/day", "max_loss": "0.001%"},
    {"usable": "6TB", "writes": "20TB/day", "segment": "enterprise"},
]


def page(questions=QUESTIONS):
    """Yield the lines of the page."""
    yield HEAD
    for number, asked in enumerate(questions, start=1):
        stated = ", ".join(f"{name} {value}".replace(" true", "") for name, value in asked.items())
        yield f"## {number}. {stated}\n"
        texts = {"minimise": "cost", "today": TODAY, **asked}
        found = choose(**choice_request(load().drives.values(), is_named=False, **texts))
        if found.best is None:
            needs = ", ".join(str(each.need) for each in found.reach if each.margin < 1)
            yield f"No plan meets every requirement; beyond any plan: {needs or 'all at once'}.\n"
            continue
        yield " ".join(decision_lines(found)) + "\n"
        yield from facts(found.best)


def facts(one):
    """Yield a line for each fact of the drive on which the decision rests."""
    drive, sources = one.plan.drive, load().sources
    yield f"- price: {dated_text(drive)}"
    for name in ("rated_bytes", "rated_dwpd", "warranty_s"):
        fact = drive.facts.get(name)
        if fact is None:
            continue
        source = sources.get(fact.source_id)
        ground = f"{source.title}; {fact.locator}" if source else fact.note
        said = "assumed" if fact.kind == "assumption" else ground
        yield f"- {text(name, fact.value)}: {said}"
    life = one.plan.ranges.get("wear_life_s") or one.plan["wear_life_s"]
    low = getattr(life, "low", None) or life.value
    yield f"- low end of flash wear-out: {text('wear_life_s', low, digits=2)}"
    yield f"- power-loss protection: {drive.power_loss_protection or 'not stated'}"
    yield f"- form factor: {drive.form_factor}\n"


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()).rstrip() + "\n")
