"""The verdict: a yes or a no that the numbers support, and a change that makes it a yes."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.units import YEAR_S
from planner import plan as script_plan
from planner.__main__ import main
from planner.catalogue import load
from planner.quantity.writes import unambiguous
from planner.search.verdict import lasts, verdict
from planner.search.verdict.lasts import RATING, used_share
from planner.search.verdict.words import chance
from planner.sections.data_loss import data_loss
from planner.sections.request import plan_of


def lasting(**inputs):
    return lasts(plan_of(**inputs), 5 * YEAR_S)


# Rated 600 TB and guaranteed for 5 years; 600 TB over 5 years are 328.8 GB a day.
@pytest.mark.parametrize(
    ("writes", "holds", "begins"),
    [
        ("328 GB/day", True, "Yes. 5 years of writes use over 99 % of the rated 600 TB."),
        ("330 GB/day", False, "No. The rated 600 TB are used up after 5 years."),
    ],
)
def test_the_printed_rating_and_the_low_end_of_the_wear_decide(writes, holds, begins):
    statement = lasting(drive="870 EVO 1TB", writes=writes)
    assert statement.holds is holds
    assert statement.text.startswith(begins)


def test_assumed_facts_are_named():
    statement = lasting(capacity="2TB", kind="TLC client NVMe 2022", writes="30 GB/day")
    assert statement.word == "Probably"
    assert "No rating of this model is known, typical drives of its class have" in statement.text
    assert any("state the cycles" in reason for reason in statement.reasons)


UNRATED = [drive for drive in load().drives.values() if not RATING & drive.facts.keys()]


def test_no_rating_that_is_assumed_says_no():
    """Only flash may say it: all these drives write 20 times their size a day."""
    sentences = {drive.drive_id: lasting(drive=drive.name, writes="20 DWPD") for drive in UNRATED}
    assert len(sentences) > 100
    for sentence in sentences.values():
        if sentence.holds is False:
            assert sentence.numbers["wear_life_s"].high < 5 * YEAR_S, sentence.text
            assert sentence.key == "wear_life_s"
        else:
            assert sentence.word in ("Probably", "Probably not")
    assert {sentence.holds for sentence in sentences.values()} == {False, None}


@pytest.mark.parametrize(
    "asked",
    [
        {"drive": "900P 280GB", "writes": "2000 DWPD"},  # its wear is told by its rating too
        {"capacity": "1TB", "kind": "XPoint enterprise NVMe 2019", "writes": "2000 DWPD"},
    ],
)
def test_what_is_written_in_place_is_never_refused_by_an_assumed_rating(asked):
    sentence = lasting(**asked)
    assert sentence.holds is None
    assert sentence.text.startswith("Probably not. No rating of this model is known")
    assert lasting(**asked, fact="rated_dwpd=30").holds is False


def test_a_short_warranty_is_no_failure():
    statement = lasting(drive="BX500 1TB", writes="30 GB/day")  # 3 years, 360 TB
    assert statement.holds
    assert statement.text.startswith("Yes, but out of warranty after 3 years.")


def test_worn_flash_counts_where_no_rating_is_known():
    statement = lasting(drive="840 EVO 250", writes="300 GB/day", known_only=True)
    assert statement.holds is False
    assert "No rating of this model is known" in statement.text


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        (
            {"drive": "5400 MAX 960GB", "writes": "17 TB/day", "drives": 4, "raid": 10},
            range(6, 60, 2),
        )
    ],
)
def test_no_fewer_drives_than_advised_would_last(question, counts):
    advised = int(re.search(r"[Tt]ake (\d+) drives", verdict(plan_of(**question)).change.text)[1])
    fewest = next(n for n in counts if lasting(**{"raid": 0} | question | {"drives": n}).holds)
    assert advised == fewest


ADVISED = [
    {"drive": "980 PRO 2TB", "writes": "800 GB/day"},
    {"drive": "990 EVO Plus 2TB", "writes": "700 GB/day", "drives": 2, "raid": 1},
    {"drive": "7450 PRO 3.84", "writes": "20 TB/day", "drives": 8, "keep": "3 copies on 4 hosts"},
]


@pytest.mark.parametrize("question", ADVISED)
def test_an_advised_drive_lasts_with_a_margin(question):
    before = plan_of(**question)
    statement = verdict(before)
    after = plan_of(**question | statement.change.inputs)
    changed = verdict(after)
    assert statement.lasts.holds is not True
    assert changed.lasts.word == "Yes"
    assert used_share(after, 5 * YEAR_S) <= 0.8
    assert after.drive.interface == before.drive.interface
    assert before.drive.capacity_gb <= after.drive.capacity_gb <= 1.25 * before.drive.capacity_gb
    rank = ("No", "Probably", "Yes").index
    assert rank(changed.safe.word) >= rank(statement.safe.word)


@pytest.mark.parametrize(
    "question",
    [
        {"drive": "CD8P-R 7.68TB", "writes": "15 TB/day", "drives": 4, "raid": 10},
        {"drive": "PM893 3.84TB", "writes": "8 TB/day", "drives": 4, "raid": 0},
        {"drive": "870 EVO 1TB", "writes": "300 GB/day"},
    ],
)
def test_a_safer_layout_still_lasts(question):
    """Parity of small writes wears three drives: four in RAID 6 would last for 3.4 years."""
    before = verdict(plan_of(**question))
    assert (before.lasts.holds, before.safe.holds) == (True, False)
    after = verdict(plan_of(**question | before.change.inputs))
    assert after.lasts.holds
    assert after.safe.word == ("Probably" if "EVO" in question["drive"] else "Yes")


def test_wear_out_is_apart_from_failures():
    safe = verdict(plan_of("PM9A3 3840", writes="6 TB/day")).safe
    assert "about 1 in 46, not counting wear-out." in safe.text  # 0.437 % a year
    unworn = verdict(plan_of("PM9A3 3840", writes="1 TB/day")).safe
    assert "wear-out" not in unworn.text


@pytest.mark.parametrize(
    ("drives", "raid", "holds"), [(1, "0", False), (4, "0", False), (8, "6", True)]
)
def test_an_array_is_safe_where_it_loses_less_than_1_in_1000(drives, raid, holds):
    answer = plan_of("PM893 3.84TB", writes="1 TB/day", drives=drives, raid=raid)
    assert verdict(answer).safe.holds is holds
    assert (data_loss(answer)["array_loss_probability"].value <= 1e-3) is holds


CHANGED = [
    {"drive": "980 PRO 1TB", "writes": "800 GB/day"},
    {"drive": "870 EVO 1TB", "writes": "1 TB/day", "growth": "20%"},
    {"drive": "870 QVO 1TB", "writes": "2 TB/day", "drives": 4, "raid": 5},
    {"drive": "MX500 500GB", "writes": "200 GB/day", "step": "x3 after 1 year"},
    {"drive": "PM9A3 3.84", "writes": "3 DWPD", "drives": 2, "raid": 1},
]


def test_losing_the_array_and_losing_a_sector_are_two_sentences():
    plan = plan_of("870 EVO 4TB", drives=8, raid=5, writes="1 TB/day")
    loss, text = data_loss(plan), verdict(plan).safe.text
    sector = float(loss["array_unreadable_loss_probability"].value)
    whole = float(loss["array_loss_probability"].value) - sector
    assert f"Loss of the whole array within 5 years: {chance(whole)}. Loss" in text
    assert f"Loss of a sector in a rebuild within 5 years: {chance(sector)}, together above" in text


@pytest.mark.parametrize("inputs", CHANGED, ids=lambda inputs: inputs.get("drive", "own"))
def test_the_next_change_makes_it_last(inputs):
    answer = verdict(plan_of(**inputs))
    assert answer.lasts.holds is not True
    assert answer.change.inputs
    changed = verdict(plan_of(**inputs | answer.change.inputs))
    assert changed.lasts.holds


@pytest.mark.parametrize(
    ("drives", "raid"), [(1, "0"), (6, "0"), (12, "5"), (4, "10"), (10, "ec:8+2")]
)
def test_the_next_change_loses_less(drives, raid):
    inputs = {"drive": "845DC PRO 400", "writes": "1 TB/day", "drives": drives, "raid": raid}
    answer = plan_of(**inputs)
    statement = verdict(answer)
    if statement.safe.holds:
        assert statement.change.text == "Nothing to change."
        return
    changed = plan_of(**inputs | statement.change.inputs)
    assert (
        data_loss(changed)["array_loss_probability"].value
        < data_loss(answer)["array_loss_probability"].value / 10
    )
    bytes_before = answer["usable_bytes"].value
    assert changed["usable_bytes"].value >= bytes_before * (1 - 1e-9)


@settings(max_examples=15)
@given(
    writes=st.floats(1.0, 3000.0), factor=st.floats(1.1, 10.0),
    drive=st.sampled_from(["870 EVO 1TB", "PM893 3.84TB", "SN850X 2TB", "840 EVO 250"]),
)  # fmt: skip
def test_more_writes_never_turn_a_no_into_a_yes(writes, factor, drive):
    order = {False: 0, None: 1, True: 2}
    less, more = (
        lasting(drive=drive, writes=unambiguous(f"{rate} GB/day"))
        for rate in (writes, factor * writes)
    )
    assert order[more.holds] <= order[less.holds]


@pytest.mark.parametrize("writes", ["100 GB/day", "300 GB/day", "700 GB/day"])
def test_the_verdict_says_whether_it_lasts(writes):
    question = {"drive": "870 EVO 1TB", "writes": writes}
    assert verdict(plan_of(**question)).lasts == lasting(**question)


def test_command_and_script_say_the_same(capsys):
    scenario = ["--drive", "870 EVO 1TB", "--writes", "300 GB/day", "--years", "6"]
    assert main(["plan", *scenario, "--json"]) == 0
    statement = json.loads(capsys.readouterr().out)["verdict"]
    assert main(["plan", *scenario]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    script = script_plan("870 EVO 1TB", writes="300 GB/day").verdict(years=6)
    record = plan_of("870 EVO 1TB", writes="300 GB/day")
    assert script == verdict(record, 6 * YEAR_S)
    assert statement["lasts"]["holds"] is False
    for name, sentence in (("lasts", script.lasts), ("safe", script.safe), ("cost", script.cost)):
        assert statement[name]["text"] == sentence.text
        assert sentence.text in shown
    assert statement["next"] == {"text": script.change.text, "inputs": dict(script.change.inputs)}


@pytest.mark.parametrize(("size", "holds"), [("4 KiB", False), ("16 KiB", True)])
def test_a_rating_of_larger_writes_is_used_up_faster_by_small_ones(size, holds):
    """The rating of this drive is printed at 16 KiB, the unit of its map."""
    sentence = lasting(drive="D5-P5336 61.44", writes="20 TB/day", size=size)
    assert sentence.holds is holds
    assert ("4 times as fast" in sentence.text) is not holds
