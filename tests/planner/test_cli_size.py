"""`size` on the command line: answers, rejections and complaints."""

import json

import click
import pytest

from models.units import DAY_S, TB, YEAR_S
from planner.cli import cli, main
from planner.graph.answer import given
from planner.quantity.writes import unambiguous
from planner.search.size import Sizing
from planner.search.size.wording import headline

PRO = ("--drive", "845DC PRO 400")


def run(capsys, *arguments):
    code = main(("size", *arguments))
    out, err = capsys.readouterr()
    return code, out, err


def ok(capsys, *arguments):
    code, out, err = run(capsys, *arguments)
    assert (code, err) == (0, "")
    return out


def record(capsys, *arguments):
    return json.loads(ok(capsys, *arguments, "--json"), parse_constant=pytest.fail)


def test_spare_area_for_people(capsys):
    out = ok(capsys, "spare", *PRO, "--writes", "5TB/day", "--life", "5")
    assert out.startswith("Samsung 845DC PRO 400 GB\nPartitioned share: 88.77 %, by rated TBW\n")
    assert "rated TBW: 5 years needed, 5 years available (+0.0%)" in out
    assert "flash wear                                                 100 %" in out


def test_what_is_not_possible_says_what_there_is(capsys):
    out = ok(capsys, "spare", *PRO, "--writes", "5TB/day", "--life", "9")
    assert "rated TBW: 9 years needed, 8.16 years available (-9.3%)" in out
    told = record(capsys, "spare", *PRO, "--writes", "5TB/day", "--life", "9")
    assert (told["fits"], told["value"]) == (False, None)
    assert told["rejected"][0]["needed"] == 9 * YEAR_S


def test_spare_area_for_machines(capsys):
    told = record(capsys, "spare", *PRO, "--dwpd", "12.5", "--years", "5")
    assert (told["drive"], told["quantity"]) == ("samsung-845dc-pro-400gb", "partition_fraction")
    writes = unambiguous(f"{12.5 * 0.4 * told['value']} TB/day")  # of what is partitioned
    by_life = record(capsys, "spare", *PRO, "--writes", writes, "--life", "5")
    assert told["value"] == pytest.approx(by_life["value"], rel=1e-6)
    assert told["value"] < 1
    assert [margin["quantity"] for margin in told["margins"]] == ["dwpd", "dwpd"]
    rate = record(capsys, "spare", *PRO, "--iops", "45000")
    assert (rate["value"], rate["limit"]) == (1.0, "steady write rate")


def test_most_writes(capsys):
    told = record(capsys, "writes", *PRO, "--years", "5", "--reads", "0%")
    assert told["value"] * DAY_S == pytest.approx(4 * TB)
    assert told["by_limit"].keys() == {"flash wear", "rated TBW", "speed at the mix"}
    assert told["by_limit"]["speed at the mix"] == pytest.approx(50_000 * 4096)
    never = ok(capsys, "writes", "--drive", "DC S3700 400", "--known-only")
    assert "Host writes: missing" in never
    assert "Rating period" in never.split("Missing facts would come from")[1]


def test_endurance_class(capsys):
    asked = ("class", "--capacity", "1.92TB", "--raw", "2TiB", "--writes", "1TB/day")
    told = record(capsys, *asked, "--assumed")
    assert told["value"] == 1.0
    assert told["unrounded"] == pytest.approx(1 / 1.92)
    cautious = record(capsys, *asked)  # a rating may run over three years alone
    assert cautious["unrounded"] == pytest.approx(5 / 3 / 1.92)
    assert told["by_limit"]["0.3 DWPD"] == pytest.approx(0.3 * 1.92 * 5 * YEAR_S)
    out = ok(capsys, *asked, "--assumed")
    assert "Rated drive writes per day: 1 DWPD" in out
    assert "0.5208 DWPD needed, 1 DWPD available (+92.0%)" in out


def test_drives_for_several_targets(capsys):
    asked = ("drives", *PRO, "--raid", "5", "--usable", "4TB", "--floor-iops", "58000")
    told = record(capsys, *asked, "--iops", "100000", "--life", "4", "--writes", "5TB/day")
    assert (told["value"], told["unrounded"]) == (12, pytest.approx(11.6))
    assert set(told["by_limit"].values()) == {11, 12, 3}
    assert told["missing"] == []
    assert "Drive quantile behind the p99 of a stripe" in ok(capsys, *asked)
    assert "Stalled share of time" in ok(capsys, "drives", *PRO, "--window-iops", "9e4")
    wide = ("drives", *PRO, "--raid", "ec:8+3", "--usable", "1TB", "--hot-spares", "1")
    assert record(capsys, *wide)["value"] == 12


def test_break_even_price(capsys):
    as_printed = ("--price-age", "100 years")
    pair = ("price", *PRO, "--drive", "845DC EVO 480", "--writes", "50GB/day", *as_printed)
    told = record(capsys, *pair)
    assert told["value"] == pytest.approx(960 * 300 / 7300)
    assert told["drive"] == "samsung-845dc-evo-480gb"
    assert "490 USD needed, 39.45 USD available" in ok(capsys, *pair)
    told = record(capsys, *pair, "--by", "usable", "--years", "4")
    assert told["value"] == pytest.approx(960 * 480 / 400)
    owned = record(capsys, *pair, "--by", "owned", "--slot", "0", "--discount-rate", "5%")
    assert owned["limit"] == "equivalent annual cost"
    assert 900 < owned["value"] < 960


def test_raw_capacity_of_sisters(capsys):
    told = record(capsys, "raw", "--sister", "3.84TB:1", "--sister", "3.2TB:3")
    assert told["value"] / TB == pytest.approx(4.226, abs=0.0005)
    named = ("raw", "--drive", "PM1733 960", "--drive", "PM1735 800")
    uniform, skewed = record(capsys, *named), record(capsys, *named, "--skew", "jesd219")
    assert uniform["value"] > skewed["value"]
    assert skewed["details"]["rating_wa"] > uniform["details"]["rating_wa"]
    assert "Not possible" in ok(capsys, "raw", "--sister", "3.84TB:3", "--sister", "3.2TB:3")


COMPLAINTS = [
    (["spare", *PRO], "one of --life, --dwpd and --iops must be given"),
    (["spare", *PRO, "--dwpd", "1", "--iops", "5"], "one of --life"),
    (["spare", *PRO, "--life", "-3"], "--life must be from 0.001 to 1000 years, got '-3'"),
    (["spare", *PRO, "--dwpd", "0"], "--dwpd must be from 0.000001 to 1000 DWPD, got '0'"),
    (["spare", *PRO, "--iops", "many"], "--iops must be a number"),
    (["spare", "--iops", "5"], "--drive or --capacity must name a drive"),
    (["writes", *PRO, "--years", "0"], "--years must be from 0.001 to 1000 years, got '0'"),
    (["writes", *PRO, "--capacity", "1TB"], "--drive must be one drive here"),
    (["class", *PRO, "--years", "soon"], "--years must be a time such as"),
    (["drives", *PRO], "one of --usable, --iops, --floor-iops, --window-iops, --life"),
    (["drives", *PRO, "--usable", "lots"], "--usable must be a size"),
    (["drives", *PRO, "--usable", "1TB", "--drives", "3"], "--drives is the answer here"),
    (["drives", *PRO, "--usable", "1TB", "--writes", "1DWPD"], "--writes must be a rate"),
    (["drives", *PRO, "--usable", "1TB", "--raid", "7"], "--raid must be one of"),
    (
        PRO,
        "size must be followed by one of class, drives, price, raw, spare, writes, got '--drive'",
    ),
    (["drives", *PRO, "--usable", "1TB", "--hot-spares", "900"], "--raid must be a layout"),
    (["price", *PRO], "--drive must name two drives"),
    (
        ["price", *PRO, "--drive", "845DC EVO 480", "--years", "-1"],
        "--years must be from 0.001 to 1000 years",
    ),
    (["raw", "--sister", "3.84TB:1"], "must name two models together"),
    (["raw", "--sister", "3.84TB", "--sister", "3.2TB:3"], "--sister must be CAPACITY:DWPD"),
    (["raw", "--sister", "3.84TB:0", "--sister", "3.2TB:3"], "--sister must be rated > 0 DWPD"),
    (["raw", "--sister", "big:1", "--sister", "3.2TB:3"], "--sister must be a size"),
]


@pytest.mark.parametrize(("arguments", "complaint"), COMPLAINTS, ids=lambda value: str(value)[:60])
def test_a_complaint_is_one_sentence_and_exit_code_2(capsys, arguments, complaint):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert complaint in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", sorted(cli.commands["size"].commands))
def test_every_question_has_help_with_an_example_and_describes_its_options(capsys, name):
    told = ok(capsys, name, "--help")
    assert f"\n    ssd-planner size {name} " in told
    for option in cli.commands["size"].commands[name].params:
        if isinstance(option, click.Option):
            assert option.help, f"{name} {option.name}"


def test_drives_of_sets_are_counted_in_whole_sets(capsys):
    command = ["size", "drives", "--drive", "845DC PRO 400", "--raid", "6", "--sets", "2"]
    assert main([*command, "--usable", "4TB", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 14


OF_A_KIND = ("--drive", "PM893 960", "--writes", "1TB/day")
UNRATED = ("--capacity", "960GB", "--kind", "TLC enterprise SATA 2022", "--writes", "1TB/day")


@pytest.mark.parametrize(
    ("question", "is_worse"),
    [
        (("writes",), lambda low, high: low < high),
        (("drives", "--usable", "4TB", "--life", "20"), lambda low, high: low > high),
        (("price", "--drive", "845DC EVO 960"), lambda low, high: low < high),
    ],
    ids=lambda part: part[0] if isinstance(part, tuple) else "",
)
def test_what_is_assumed_is_taken_at_its_cautious_end(capsys, question, is_worse):
    drive = OF_A_KIND if question[0] == "price" else UNRATED  # what is rated has one answer
    cautious, typical = (
        record(capsys, *question, *drive, *level) for level in ((), ("--assumed",))
    )
    assert cautious["range"] == typical["range"]
    assert cautious["range"]["basis"] == "prior"
    assert cautious["value"] in (cautious["range"]["low"], cautious["range"]["high"])
    assert typical["value"] == typical["range"]["typical"]
    assert is_worse(cautious["value"], typical["value"])
    statement = ok(capsys, *question, *drive)
    assert "typically" in statement.splitlines()[1]
    assert "Assumed, and taken at its cautious end" in statement


def test_by_known_facts_an_answer_is_one_number(capsys):
    known = record(capsys, "writes", *OF_A_KIND, "--known-only")
    assert known["range"] is None
    assert not known["assumed"]


def test_what_is_possible_at_typical_figures_alone_is_said():
    nine = given("members", 9, source="sizing")
    sized = Sizing(answer=None, level="cautious", by_level={"cautious": None, "typical": nine})
    assert headline(sized).endswith("At typical values of the assumed facts: 9")
    assert sized.range is None
