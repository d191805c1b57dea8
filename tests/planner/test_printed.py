"""What faces print by default is short, and `--all` prints all that was ever printed."""

import json
import re

import pytest

from models.nomenclature import QUANTITIES
from planner.script.plans import Item, Plan
from planner.sections.answers import ANSWERS, HEADLINE, OF_PLAN
from tests.printed import CASES, PRINTED, labels, printed

BEFORE = json.loads(PRINTED.read_text())
MOST_LINES = 30
GONE = {
    # The ranges say it, by percentile.
    "Measured read percentiles lie within a factor of",
    # Kinds of data apart are compared with the plan, and told by the rule for victims.
    "Write amplification, between two placements", "Write amplification, every temperature apart",
}  # fmt: skip


# The five sentences, and the heading, which names the writes and the years now.
REWORDED = re.compile(r"(Lasts|Worst second|Safe|Cost|Next)  |(\d+ x )?(Samsung|Own drive)\b[^:]*$")


@pytest.mark.parametrize("case", CASES)
def test_all_prints_every_line_that_was_printed(case):
    now = set(map(without_ends, labels(printed(case, "--all"))))
    before = (label for label in BEFORE[case] if not REWORDED.match(label))
    gone = [label for label in before if without_ends(label) not in now]
    assert set(gone) <= GONE


def without_ends(label):
    """Return a label without the ends of a range in it: those of corners became those of 90 %."""
    return re.sub(r"\b[\d,.]+( to [\d,.]+)?(?= (ms|s|years|USD|IOPS)\b|\b)", "n", label)


@pytest.mark.parametrize("case", [case for case in CASES if "--trimmed" not in case])
def test_a_face_prints_thirty_lines_unless_it_is_asked_for_all(case):
    assert len(printed(case).splitlines()) <= MOST_LINES


def test_an_answer_stands_once_in_a_section_with_a_known_key_and_a_name_of_its_own():
    assert len({(row.section, row.key) for row in ANSWERS}) == len(ANSWERS)
    assert {row.key for row in ANSWERS} <= QUANTITIES.keys()
    names = [row.name for row in ANSWERS if row.name]
    assert len(names) == len({*names})


def test_attributes_of_a_script_are_the_names_of_the_table():
    items = {name: item.key for name, item in vars(Plan).items() if isinstance(item, Item)}
    first_of = {"life", "endurance"}  # the first of several lives, which no node is
    named = {row.name: row.key for row in ANSWERS if row.name}
    assert {name: key for name, key in items.items() if name not in first_of} == named


def test_what_is_not_shown_is_behind_an_option():
    case = "plan 'PM9A3 1.92' --writes 1TB/day"
    listed, main = (len(labels(text)) for text in (printed(case, "--all"), printed(case)))
    assert main < listed
    assert sum(row.rank > HEADLINE for row in ANSWERS if row.section in OF_PLAN) > 10
    assert "More: --all" in printed(case)
