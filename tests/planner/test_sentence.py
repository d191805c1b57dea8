"""Whole sentences: each is read right or asked back, and a command takes it as its options."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import planner as ssd
from models.errors import DomainError
from models.units import DAY_S, YEAR_S
from planner.catalogue import find, load
from planner.cli import main
from planner.quantity.inputs import INPUTS
from planner.quantity.writes.reading import statement
from planner.scenario.sentence import read_sentence

PUBLIC = Path(__file__).parents[1] / "data" / "public_sentences.jsonl"
EVO = "Samsung 870 EVO 4 TB"
READ = {
    "two Samsung 870 EVO 4 TB in a mirror, 40 GB a day, five years": {
        "drives": "2", "drive": EVO, "raid": "1", "writes": "40 GB a day", "years": "5 years"},
    "4x pm9a3 3.84tb raid10": {
        "drives": "4", "drive": "Samsung PM9A3 3.84 TB", "raid": "10"},
    "990 pro 1tb 35 TB in 270 days": {
        "drive": "Samsung 990 PRO 1 TB", "writes": "35 TB in 270 days"},
    "Six 1.92TB Kioxia CD6-R in RAID-Z2, around 300 GB/day, for 7 years": {
        "drives": "6", "drive": "Kioxia CD6-R 1.92 TB", "raid": "raidz2",
        "writes": "300 GB/day", "years": "7 years"},
    "Two 960 GB SM883 mirrored, 1.2 DWPD": {
        "drives": "2", "drive": "Samsung SM883 960 GB", "raid": "1", "writes": "1.2 DWPD"},
    "RAID10 of eight PM893 3.84TB at 2TB/day with UPS for 5 yrs": {
        "raid": "10", "drives": "8", "drive": "Samsung PM893 3.84 TB", "writes": "2TB/day",
        "power": "ups", "years": "5 years"},
    "I have a samsung 980 pro (2TB) in my NAS, 12TB written after 2 years, will it last another "
    "5 years?": {
        "drive": "Samsung 980 PRO 2 TB", "written": "12 TB", "age": "2 years", "years": "5 years"},
    "980 pro 1TB, 70% health left, 210 TB written": {
        "drive": "Samsung 980 PRO 1 TB", "used": "30%", "written": "210 TB"},
    "Kingston KC3000 2TB, 65 TBW so far in 18 months; 5 more years?": {
        "drive": "Kingston KC3000 2.048 TB", "written": "65 TB", "age": "18 months",
        "years": "5 years"},
    "my 2 year old 970 EVO 500GB has written 40TB": {
        "age": "2 years", "drive": "Samsung 970 EVO 500 GB", "written": "40 TB"},
    "12x Micron 7450 PRO 3.84TB ceph 3 copies on 4 hosts, 2 TB per day": {
        "drives": "12", "drive": "Micron 7450 PRO 3.84 TB", "keep": "3 copies on 4 hosts",
        "writes": "2 TB per day"},
    "4 x 870 EVO 2TB RAID 5 70% reads 20% spare 30 GB a day": {
        "drives": "4", "drive": "Samsung 870 EVO 2 TB", "raid": "5", "reads": "70%",
        "spare": "20%", "writes": "30 GB a day"},
    "1TB TLC client SATA, 30 GB a day": {
        "capacity": "1 TB", "kind": "TLC client SATA", "writes": "30 GB a day"},
    "mirror of MX500 500GB, 24/7 5 GB an hour": {
        "raid": "1", "drives": "2", "drive": "Crucial MX500 500 GB", "writes": "5 GB an hour"},
    "4x7450 pro 3.84 raid10 2.5TB/day 5y": {
        "drives": "4", "drive": "Micron 7450 PRO 3.84 TB", "raid": "10", "writes": "2.5TB/day",
        "years": "5 years"},
    "870 EVO 1TB writes 20 GB a day": {
        "drive": "Samsung 870 EVO 1 TB", "writes": "20 GB a day"},
    "a PC SN740 512GB, 20 GB a day": {  # a model that is known by its name alone
        "capacity": "512 GB", "kind": "TLC client NVMe 2022 Western Digital",
        "writes": "20 GB a day"},
    "24/7 recording of 16 cameras, 4 Mbps each, on a mirror of 870 EVO 4TBs": {
        "writes": "16 cameras, 4 Mbps", "raid": "1", "drives": "2", "drive": EVO},
    "6 x 870 EVO 1TB in RAID 10 with a hot spare, mixed use, 5 TB/day": {
        "drives": "6", "drive": "Samsung 870 EVO 1 TB", "raid": "10", "hot_spares": "1",
        "writes": "5 TB/day"},
    "990 PRO 2TB; 20 GB/h, 8 hours a day": {
        "drive": "Samsung 990 PRO 2 TB", "writes": "20 GB/h, 8 hours a day"},
    "870 evo 1tb 40 GB/day not in raid": {
        "drive": "Samsung 870 EVO 1 TB", "writes": "40 GB/day", "keep": "single"},
    "Crucial T500 2TB: 120GB/day, laptop, no mirror": {
        "drive": "Crucial T500 2 TB", "writes": "120GB/day", "keep": "single"},
    "two 870 EVO 1TB, unmirrored, 40 GB a day": {
        "drives": "2", "drive": "Samsung 870 EVO 1 TB", "keep": "2 single drives",
        "writes": "40 GB a day"},
    "Intel D3-S4510 480GB 0.5 dwpd for 3 years": {  # 0.5 is no size
        "drive": "Intel D3-S4510 480 GB", "writes": "0.5 dwpd", "years": "3 years"},
    "SN640 3.84TB, 0.8 DWPD": {
        "drive": "Western Digital Ultrastar DC SN640 (0.8 DWPD) 3.84 TB", "writes": "0.8 DWPD"},
    "samsung 870evo 4tb x2 mirror 40gb/day": {
        "drive": EVO, "drives": "2", "raid": "1", "writes": "40gb/day"},
    "3* 980pro 1tb / raidz1 / 0.4TB/d": {
        "drives": "3", "drive": "Samsung 980 PRO 1 TB", "raid": "raidz1", "writes": "0.4TB/d"},
    "2*870 EVO 4TB / RAID 1 / 40GB/d / 5y": {
        "drives": "2", "drive": EVO, "raid": "1", "writes": "40GB/d", "years": "5 years"},
    "870 EVO 4TB, two of them, mirrored, forty gigabytes a day, ten yrs": {
        "drive": EVO, "drives": "2", "raid": "1", "writes": "forty gigabytes a day",
        "years": "10 years"},
    "two 980 Pro 1TB in raid1, writes about 60 GB per day, will they last 5 years?": {
        "drives": "2", "drive": "Samsung 980 PRO 1 TB", "raid": "1", "writes": "60 GB per day",
        "years": "5 years"},
    "100 Samsung PM893 3.84TB drives, single, 1 TB/day per drive": {
        "drives": "100", "drive": "Samsung PM893 3.84 TB", "keep": "100 single drives",
        "writes": "1 TB/day per drive"},
    "drive: 870 EVO 1TB; writes: 30 GB/day; years: 5; raid: 1; drives: 2": {
        "drive": "Samsung 870 EVO 1 TB", "writes": "30 GB/day", "years": "5 years", "raid": "1",
        "drives": "2"},
    "980 PRO 1TB, 41 TB written, 2 years old, 5 years": {
        "drive": "Samsung 980 PRO 1 TB", "written": "41 TB", "age": "2 years", "years": "5 years"},
    "a Samsung 870 QVO 4TB, no backup, 15GB/day": {
        "drive": "Samsung 870 QVO 4 TB", "writes": "15GB/day"},
    "Need 5 years out of a 1TB SSD at 100GB/day": {
        "years": "5 years", "capacity": "1 TB", "writes": "100GB/day"},
}  # fmt: skip
ASKED = {
    "PostgreSQL, 2.5 TB a day on 2x 7450 PRO 1.92": "How are the 2 drives used?",
    "870 EVO 500 GB a day": "may be 5 drives",
    "870 EVO 1TB, 1.500 GB a day": "a decimal or have thousands",
    "870 evo 1tb, 40 Gb a day": "bytes or bits",
    "870 EVO 1TB 40 GB": "by when?",
    "980 pro 1tb with 3% wear and 12 TBW": "the rating or what was written",
    "980 pro 1tb, 15% used": "of its life or of its space",
    "870 evo 2tb 30 GB a day per user": "'per user'",
    "crucial mx500 1tb vs samsung 870 evo 1tb": "which holds?",
    "PM9A3 1.92TB 500 GB a day until 2030": "'2030'",
    "4 870 EVO 1TB in a mirror": "striped mirrors",
    "870 EVO 1TB in raid 6": "of how many drives?",
    "3.84TB PM9A3 x 12 raid 60": "sets of RAID 5 and 6",
    "6 PM9A3 3.84TB with 3x replication": "3 copies on 4 hosts",
    "40 GB a day, five years": "Which drive",
    "we have 40 PM9A3 1.92TB in RAID 10, each writes 200GB/day": "'each",
    "Nonesuch Z9 1TB, 20 GB a day": "No drive is known as",
    "870 EVO 1TB, 20 GB a day and ten more on Sundays": "ten",
    "two 870 EVO 1TB, no RAID 5, 40 GB a day": "'no'",
    "870 EVO 1TB, 40 GB a day, doubling every year": "'doubling'",
    "870 EVO 1TB, no longer in a mirror, 40 GB a day": "'no longer'",
    "870 EVO 1TB, 1 GB per minute during work hours": "'during'",
    "KC3000 2TB RAID 1 x2, 75 GB per day": "'x2'",
    "870 EVO 1TB, 40 GB a day, bought in 2022": "'2022' is no length of time",
    "12 bay NAS full of 870 QVO 8TB, raid6, 400 GB/day": "of how many drives?",
    "980 PRO 1TB, 41 TB written, 2 years": "may be the age, or how long it must last",
    "870 EVO 1TB, smart says 41 TB written, 18,000 hours": "may be the age",
    "870 EVO 1TB full drive write every week": "'drive write'",
    "30 GB per day and drive, two 870 EVO 1TB mirror": "'and drive'",
    "24x 3.84TB PM1643a SAS, RAID 6, 10TB/day": "No drive is known as '3.84TB PM1643a'",
}
# Read otherwise than by those who labelled them, and why that is no mistake.
NO_MISTAKE = {
    9: "20 TB in 12 months as written so far with its age, not as a rate",
    35: "five years under the current load are a wish as good as a forecast",
    36: "a RAID 1 without a number has two drives",
    58: "30-40 GB as the range that it is, not as its upper end",
    109: "58.9 MB/s as a rate that goes on",
    147: "30-165 MB/s as the range that it is, not as its upper end",
    222: "ten years that somebody will use a drive",
    239: "3 MB/s as a rate that goes on",
}


@pytest.mark.parametrize("sentence", READ)
def test_a_sentence_is_read(sentence):
    said = read_sentence(sentence)
    assert (said.inputs, said.questions) == (READ[sentence], ())
    for name, value in said.inputs.items():
        at_hand = {"capacity_bytes": 1e12} if name == "writes" else {}
        assert name == "drive" or INPUTS[name].value(value, **at_hand)


@pytest.mark.parametrize("sentence", ASKED)
def test_what_may_mean_two_things_is_asked_back(sentence):
    questions = read_sentence(sentence).questions
    assert any(ASKED[sentence] in question.why for question in questions), questions


@pytest.mark.parametrize("sentence", ASKED)
def test_a_reading_that_is_offered_answers_its_question(sentence):
    for question in read_sentence(sentence).questions:
        for reading in question.readings:
            assert question.why not in [each.why for each in read_sentence(reading).questions]


DRIVES = st.sampled_from(["870 EVO 4TB", "Samsung PM9A3 3.84 TB", "7450 PRO 1.92", "MX500 1tb"])
NUMBERS = st.sampled_from([("2", "two"), ("4", "4x"), ("8", "eight"), ("12", "12 x")])
LAYOUTS = st.sampled_from(
    [("5", "in RAID 5"), ("6", "raid6"), ("10", "striped mirrors"), ("raidz2", "as RAID-Z2")]
)
RATES = st.sampled_from(["40 GB a day", "0.3 DWPD", "2.5 TB/day", "35 TB in 270 days", "20 MB/s"])
TIMES = st.sampled_from([("5 years", "for five years"), ("7 years", "7 years")])


@settings(max_examples=60)
@given(DRIVES, NUMBERS, LAYOUTS, RATES, TIMES, st.permutations(range(4)))
def test_clauses_stand_in_any_order(drive, number, layout, rate, years, order):
    clauses = [f"{number[1]} {drive}", layout[1], rate, years[1]]
    said = read_sentence(", ".join(clauses[place] for place in order))
    assert said.questions == ()
    assert said.inputs == {
        "drive": find(load(), drive).name, "drives": number[0], "raid": layout[0], "writes": rate,
        "years": years[0],
    }  # fmt: skip


_SOME = """
870 EVO 4TB 1 TB two 2x x 4 mirror RAID 5 10 raidz2 in a of and , . ? ( ) 40 GB a day per /day
MB/s for five years 3 years old written so far 12 TBW 3% used wear health left 70% reads DWPD
Samsung PM9A3 3.84 7450 PRO not or vs each 3 copies on 5 hosts UPS $230 4k random 1.500 Gb it
"""
WORDS = _SOME.split()


@pytest.mark.parametrize("seed", range(40))
def test_any_words_are_read_or_asked_back(seed):
    rng = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(20):
        text = " ".join(rng.choices(WORDS, k=rng.randint(1, 25)))
        said = read_sentence(text)
        taken = sorted((part.start, part.end) for part in (*said.parts, *said.questions))
        for start, end in taken:
            assert 0 <= start <= end <= len(text)
        assert all(text[start:end] for start, end in said.unread)


def test_a_long_text_is_refused():
    with pytest.raises(DomainError, match="at most 400 characters, this has 401"):
        read_sentence("x" * 401)


# Sentences of others ------------------------------------------------------------------------------


def rows():
    return [json.loads(line) for line in PUBLIC.read_text(encoding="utf-8").splitlines()]


def misread(row):
    """Name the inputs of a sentence that are not those that its reader expects."""
    said, right = read_sentence(row["text"]).inputs, row["expected"]
    drive = find(load(), said["drive"]).capacity_bytes if "drive" in said else None
    found = {
        "drives": (lambda: int(said["drives"]), right.get("drives", 1)),
        "writes": (
            lambda: (
                statement("writes", said["writes"]).bytes_per_s(drive or capacity(said)) * DAY_S
            ),
            right.get("writes_bytes_per_day"),
        ),
        "written": (lambda: INPUTS["written"].value(said["written"]), right.get("written_bytes")),
        "age": (lambda: INPUTS["age"].value(said["age"]) / DAY_S, right.get("age_days")),
        "years": (lambda: INPUTS["years"].value(said["years"]) / YEAR_S, right.get("years")),
        "used": (lambda: 100 * INPUTS["used"].value(said["used"]), right.get("used_percent")),
    }
    return [
        name
        for name, (value, expected) in found.items()
        if name in said and (expected is None or value() != pytest.approx(expected, rel=0.08))
    ]


def capacity(said):
    return INPUTS["capacity"].value(said["capacity"]) if "capacity" in said else float("nan")


@pytest.mark.parametrize("row", rows(), ids=lambda row: str(row["id"]))
def test_a_sentence_of_others_is_read_right_or_asked_back(row):
    questions = [each.why for each in read_sentence(row["text"]).questions]
    asked = [why for why in questions if not why.startswith("Which drive")]
    assert asked or not misread(row) or row["id"] in NO_MISTAKE


# Commands -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "options"),
    [
        ("two 870 EVO 4 TB in a mirror, 40 GB a day",
         ["--drive", EVO, "--drives", "2", "--raid", "1", "--writes", "40 GB a day"]),
        ("1TB TLC client SATA, 30 GB a day for 3 years",
         ["--capacity", "1TB", "--kind", "TLC client SATA", "--writes", "30 GB a day", "--years",
          "3 years"]),
        ("980 pro 1TB, 70% health left, 210 TB written, 3 years old",
         ["--drive", "980 PRO 1TB", "--used", "30%", "--written", "210TB", "--age", "3 years"]),
    ],
)  # fmt: skip
def test_a_command_takes_a_sentence_as_its_options(capsys, sentence, options):
    answers = []
    for arguments in ([sentence], options):
        assert main(["plan", *arguments, "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]


def test_a_script_takes_a_sentence_as_its_inputs():
    said = ssd.plan("two 870 EVO 4 TB in a mirror, 40 GB a day, seven years")
    stated = ssd.plan("870 EVO 4TB", drives=2, raid=1, writes="40 GB a day", years="7 years")
    assert said.to_json() == stated.to_json()
    assert (
        ssd.plan("870 EVO 1TB, 40 GB a day", years=3).years
        == ssd.plan("870 EVO 1TB", years=3).years
    )
    with pytest.raises(DomainError, match=r'bytes or bits\. Say "870 EVO 1TB, 40 GB a day"; or'):
        ssd.plan("870 EVO 1TB, 40 Gb a day")


@pytest.mark.parametrize("drives", [2, 3, 4, 12])
def test_every_layout_that_is_offered_is_planned(capsys, drives):
    [question] = read_sentence(f"{drives} x 870 EVO 1TB, 40 GB a day").questions
    assert len(question.readings) >= 3
    for reading in question.readings:
        assert main(["plan", reading]) == 0, reading
        assert f"{drives} x Samsung 870 EVO 1 TB" in capsys.readouterr().out


def test_an_option_goes_before_the_sentence(capsys):
    assert main(["plan", "870 EVO 1TB, 40 GB a day", "--writes", "50 GB a day"]) == 0
    assert "50 GB a day" in capsys.readouterr().out


def test_a_command_asks_back_and_names_what_it_does_not_use(capsys):
    assert main(["plan", "870 EVO 1TB, 40 Gb a day"]) == 2
    assert '"870 EVO 1TB, 40 GB a day"; or "870 EVO 1TB, 40 Gbit a day"' in capsys.readouterr().err
    assert main(["plan", "PostgreSQL, 40 GB a day on a 870 EVO 1TB"]) == 0
    assert capsys.readouterr().err == "Not used: PostgreSQL\n"


def test_a_name_that_nothing_is_made_of_is_no_drive(capsys):
    assert main(["plan", "no such model"]) == 2
    assert "no drive matches" in capsys.readouterr().err
