"""The command `choose`: its options arrive, its tables say why, its complaints name the option."""

import csv
import json
import re

import pytest

from models.units import TB, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.cli import main
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.search.choose import Grid, Objective, Requirements, choose
from planner.sections.request import plan_of

THREE = ["845DC PRO 400", "DC S3700 400", "845DC EVO 960"]
DRIVES = [part for name in THREE for part in ("--drive", name)]
ASKED = [
    "--usable", "4TB", "--writes", "1TB/day", "--reads", "50%", "--life", "5",
    "--sure", "90%", "--max-loss", "0.1%", "--slots", "24", "--drives", "4-8,12,16",
    "--raid", "10,5", "--spare", "0%,10%", "--sets", "1,2", "--discount-rate", "8%",
    "--beyond-warranty", "--price-age", "100 years", "--price-kinds", "new,used,list,quote",
]  # fmt: skip


def told(capsys, *arguments):
    assert main(["choose", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


KNOWN = "--known-only"


@pytest.mark.parametrize("objective", ["price", "cost"])
def test_every_option_arrives(capsys, objective):
    priced = ("--price", "845DC EVO 960=333")
    got = told(capsys, *DRIVES, *ASKED, KNOWN, "--minimise", objective, *priced)
    catalogue = load()
    drives = [find(catalogue, name) for name in THREE]
    drives[2] = with_user_facts(drives[2], price_usd=333.0)
    expected = choose(
        Workload(host_bytes_per_s=1e12 / 86400, read_fraction=0.5),
        Requirements(
            usable_bytes=4 * TB, life_s=5 * YEAR_S, life_confidence=0.9, loss_probability=1e-3,
            slots=24.0, rated_s=5 * YEAR_S,
        ),
        Grid(
            drives=tuple(drives), members=(4, 5, 6, 7, 8, 12, 16),
            partition_fractions=(1.0, 0.9), levels=("10", "5"), sets=(1, 2),
            parity_group=16,
        ),
        objective=Objective.PRICE if objective == "price" else Objective.COST,
        terms=Terms(discount_rate=0.08), risk=Risk(),
    )  # fmt: skip
    assert got["configurations"] == expected.configurations
    assert [(row["drive"], row["members"], row["level"]) for row in got["plans"]] == [
        (one.plan.drive.name, one.plan.array.members, one.plan.array.name)
        for one in expected.candidates
    ]
    assert got["plans"][0]["objective"] == pytest.approx(expected.best.objective)
    assert [row["saving"] for row in got["savings"]] == [row.saving for row in expected.savings]


def test_people_read_the_plans_and_why_not_the_others(capsys):
    asked = [*ASKED, "--front", "usable", "--mixed"]
    assert main(["choose", *DRIVES, *asked, "--all"]) == 0
    statement = capsys.readouterr().out
    for part in ("Lowest cost of owning", "Cheaper, but short of a requirement", "relaxed by 10 %",
                 "Best in something", "The best mix", "Prices that are new"):  # fmt: skip
        assert part in statement


def test_what_nothing_holds_is_said_with_what_comes_nearest(capsys):
    assert main(["choose", *DRIVES, "--usable", "900TB"]) == 0
    statement = capsys.readouterr().out
    assert "No plan meets every requirement" in statement
    assert "usable capacity" in statement


def test_every_need_out_of_reach_of_a_drive_is_listed_with_the_best_that_it_has(capsys):
    words = ["--drive", "845DC PRO 400", "--usable", "2TB", "--iops", "1e8", "--max-power", "1"]
    got = told(capsys, *words, "--drives", "4,24", "--raid", "5,10", "--parity-group", "100")
    (row,) = got["rejected"]
    fails = {each["need"]: each for each in row["fails"]}
    assert set(fails) == {"IOPS at the mix", "power"}  # of the capacity there is enough
    assert fails["IOPS at the mix"]["available"] < 24 * 92_000 * 1.001
    four = fails["power"]["available"]  # of the fewest drives
    more = told(capsys, *words, "--drives", "24", "--raid", "5", "--parity-group", "100")
    power = {each["need"]: each for each in more["rejected"][0]["fails"]}["power"]
    assert power["available"] == pytest.approx(6 * four)


def test_plans_go_to_a_file(capsys, tmp_path):
    path = tmp_path / "plans.csv"
    assert main(["choose", *DRIVES, *ASKED, "--csv", str(path)]) == 0
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert rows[0]["Drive"] in capsys.readouterr().out


def test_odds_are_typed_and_echoed(tmp_path, capsys):
    """A limit of the data loss reads as it is typed on every screen; JSON keeps the number."""
    asked = [*DRIVES, "--usable", "1TB", "--max-loss", "1 in 12,500"]
    assert told(capsys, *asked)["asked"]["loss of data"] == pytest.approx(1 / 12_500)
    assert main(["choose", *asked, "--save", str(tmp_path / "asked.json")]) == 0
    assert "data loss at most 1 in 12,500" in " ".join(capsys.readouterr().out.split())
    assert main(["choose", "--scenario", str(tmp_path / "asked.json"), "--all"]) == 0
    whole = capsys.readouterr().out
    assert re.search(r"^data loss +1 in 12,500 +1 in 11,360 ", whole, re.MULTILINE)
    assert "below 1 in 1,000,000" in whole


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--drives", "5-2"], "--drives must be a range from low to high"),
        (["--drives", "1.5"], "--drives must be a whole number"),
        (["--raid", "7"], "--raid must be one of raid0"),
        (["--front", "speed"], "--front must be one or two of"),
        (["--sure", "100%"], "--sure must be > 0 and < 100 %"),
        (["--usable", "0TB"], "--usable must be from 0.0001 to 10,000,000,000 TB"),
        (["--spare", "100%"], "--spare must be from 0 to less than 100 %"),
        (["--price", "450"], "--price must be NAME=AMOUNT"),
        (["--writes", "0.3 DWPD"], "--writes in DWPD is of --usable"),
        (["--like", "client"], "--drive names the drives"),
        (["--plp", "--segment", "NAS"], "drives must be at least one: segment NAS leaves out "),
        (["--drives", "1"], "raid=1,10,5,6 (default) is a rule; --raid states another"),
        (["--rules", "shop"], "--rules must be one of server, database"),
        (["--max-loss", "0%"], "--max-loss must be > 0 and < 100 %"),
        (["--budget", "-5"], "--budget must be from 0.01 to 1e+18 USD"),
        (["--pue", "0.5"], "--pue must be from 1 to 10"),
        (["--array-depth", "0"], "--array-depth must be a whole number from 1"),
        (["--discount-rate", "800"], "--discount-rate must be from 0 to 100 %"),
        (["--raid", "6", "--drives", "2-3"], "--drives must be >= 4 for RAID 6, got 3"),
        (["--raid", "6", "--drives", "20"], "--parity-group must be >= 20 for RAID 6, got 16"),
        (["--raid", "draid2:8d:24c:1s", "--drives", "23"], "--drives must be >= 24 for dRAID2"),
        (["--nodes", "0"], "--nodes must be"),
        (["--nodes", "2"], "--nodes must be at least 3, one for each copy or chunk, got 2"),
        (["--nodes", "5", "--ec", "4+2"], "--nodes must be at least 6, one for each copy or"),
        (["--nodes", "5", "--ec", "5"], "--ec must be data and parity chunks such as 4+2"),
        (["--nodes", "5", "--ec", "2+1", "--replicas", "2"], "--ec and --replicas exclude each"),
        (["--nodes", "5", "--survive", "3"], "--survive must be at most 2, so that data is left"),
        (["--nodes", "5", "--raid", "5"], "--raid is of one array, and --nodes are clusters"),
        (["--nodes", "5", "--sets", "2"], "--sets is of one array, and --nodes are clusters"),
        (["--nodes", "5", "--hot-spares", "1"], "--hot-spares is of one array, and --nodes"),
        (["--nodes", "5", "--bays", "8", "--drives", "9"], "--drives must be at most 8, the bays"),
        (["--nodes", "5", "--fill-limit", "120%"], "--fill-limit must be"),
        (["--nodes", "5", "--network", "0"], "--network must be a rate such as 25 Gb/s"),
        (["--nodes", "24", "--ec", "16+4"], "--parity-group must be >= 20 for 16+4 on 24 hosts"),
        (["--replicas", "3"], "--replicas applies to nodes: it needs --nodes"),
        (["--ec", "4+2"], "--ec applies to nodes: it needs --nodes"),
        (["--survive", "2"], "--survive applies to nodes: it needs --nodes"),
        (["--bays", "12"], "--bays applies to nodes: it needs --nodes"),
        (["--watts", "500"], "--watts applies to nodes: it needs --nodes"),
        (["--raid", "ec:0+3"], "must be a whole number >= 1, got 0"),
        (["--read-p999", "fast"], "--read-p999 must be"),
    ],
)
def test_a_complaint_names_the_option(capsys, arguments, complaint):
    assert main(["choose", *DRIVES, *arguments]) == 2
    assert complaint in capsys.readouterr().err


def test_a_scenario_file_gives_the_same_workbook_byte_for_byte(tmp_path, capsys):
    first, second, saved = (tmp_path / name for name in ("a.xlsx", "b.xlsx", "saved.json"))
    asked = [*DRIVES, *ASKED, "--price", "845DC EVO 960=333", "--title", "=1+1"]
    assert main(["choose", *asked, "--exported", "2026-01-31", "--xlsx", str(first),
                 "--save", str(saved)]) == 0  # fmt: skip
    assert main(["choose", "--scenario", str(saved), "--xlsx", str(second)]) == 0
    assert first.read_bytes() == second.read_bytes()
    capsys.readouterr()


def test_the_simulator_stands_beside_the_best_plan(capsys):
    got = told(capsys, *DRIVES, *ASKED, "--simulate")["simulated"]
    assert got["wa_low"] <= got["wa"] <= got["wa_high"]
    assert got["model_wa"] == pytest.approx(got["wa"], rel=0.02)


def test_a_workbook_needs_a_plan_and_a_date(tmp_path, capsys):
    path = str(tmp_path / "none.xlsx")
    assert main(["choose", *DRIVES, "--usable", "900TB", "--xlsx", path]) == 2
    assert "--xlsx needs a plan" in capsys.readouterr().err
    assert main(["choose", *DRIVES, *ASKED, "--exported", "today"]) == 2
    assert "--exported must be a date" in capsys.readouterr().err


def test_the_tables_of_the_workbook_go_to_a_folder(tmp_path, capsys):
    folder = tmp_path / "tables"
    assert main(["choose", *DRIVES, *ASKED, "--tables", str(folder)]) == 0
    tables = json.loads((folder / "tables.json").read_text(encoding="utf-8"))
    assert {path.stem for path in folder.glob("*.csv")} == set(tables)
    rows = list(csv.DictReader((folder / "comparison.csv").read_text("utf-8").splitlines()))
    assert [row["Drive"] for row in rows] == [row["Drive"] for row in tables["comparison"]]
    assert rows[0]["Drive"] in capsys.readouterr().out


def test_a_latency_is_told_in_milliseconds(capsys):
    asked = ["--read-p999", "1s", "--assume", "--usable", "1TB", "--drives", "4", "--raid", "5"]
    got = told(capsys, "--drive", "845DC PRO 400", *asked)
    assert got["asked"]["99.9 % read latency"] == 1.0
    got = told(capsys, "--drive", "845DC PRO 400", *asked, "--read-p999", "2 ms")
    assert got["asked"]["99.9 % read latency"] == pytest.approx(2e-3)


@pytest.mark.parametrize("option", ["--xlsx", "--csv", "--tables"])
def test_a_place_that_cannot_be_written_is_named(option, tmp_path, capsys):
    taken = tmp_path / "file"
    taken.write_text("")
    assert main(["choose", *DRIVES, *ASKED, option, str(taken / "x")]) == 2
    assert option in capsys.readouterr().err


ASSUMED = [
    "--like", "PM883", "--usable", "20TB", "--writes", "8TB/day", "--life", "5",
    "--drives", "4-12", "--raid", "5,10", "--spare", "0%,28%", "--beyond-warranty",
]  # fmt: skip


def test_a_plan_holds_at_the_worse_end_of_ranges_and_ranks_by_its_typical_price(capsys):
    """What holds with all that is assumed at its worst is no better than `plan` says at its low."""
    for row in told(capsys, *ASSUMED)["plans"]:
        alone = plan_of(
            row["drive"], writes="8 TB/day", drives=row["members"],
            raid=row["level"].removeprefix("RAID "), spare=1 - row["partition_fraction"],
        )  # fmt: skip
        price, iops = (alone.ranges[key] for key in ("total_price_usd", "budget_iops"))
        assert row["price_usd"] == pytest.approx(price.typical)
        assert row["objective"] == row["npv_usd"]
        npv = row["ranges"]["npv_usd"]
        assert npv["typical"] < row["objective"] < npv["high"]  # the rest of the cost is cautious
        assert row["life_s"] == pytest.approx(alone.range_of("endurance_life_s").low)
        assert row["life_s"] >= 5 * YEAR_S
        assert row["ranges"]["budget_iops"]["low"] == pytest.approx(iops.low)
        for each in row["ranges"].values():
            assert each["low"] <= each["typical"] <= each["high"]


def test_typical_figures_promise_more_than_the_cautious_end_and_known_facts_take_fewer(capsys):
    cautious, typical, known = (
        told(capsys, *ASSUMED, *option) for option in ((), ("--assumed",), (KNOWN,))
    )
    assert typical["plans"][0]["objective"] <= cautious["plans"][0]["objective"]
    assert typical["holding"] >= cautious["holding"] > known["holding"]
    assert any("at the unfavourable end of their range" in n for n in cautious["notes"])
    assert any("may miss a requirement" in note for note in typical["notes"])
    assert not any(row["assumed"] for row in known["plans"])


def test_a_row_names_what_is_assumed_of_its_drive(capsys):
    assert main(["choose", *ASSUMED, "--all"]) == 0
    statement = capsys.readouterr().out
    assert "Assumed of plan 1" in statement
    assert re.search("Price per drive [0-9.,]+ to [0-9.,]+ USD assumed from", statement)
    (heads,) = (
        line for line in statement.splitlines() if line.startswith("   ") and "Priced" in line
    )
    assert heads.rstrip().endswith("Assumed")


def test_what_is_assumed_and_known_only_contradict_each_other(capsys):
    assert main(["choose", *ASSUMED, "--assumed", KNOWN]) == 2
    assert (
        "--assumed takes typical figures where --known-only takes none" in capsys.readouterr().err
    )


def test_drives_of_which_nothing_is_left_to_mix_are_answered(capsys):
    asked = ("--usable", "2TB", "--writes", "1TB/day", "--life", "3", "--mixed", KNOWN)
    got = told(capsys, "--like", "845DC", *asked)
    assert got["plans"] == []
    assert got["rejected"]


def test_a_row_with_facts_to_confirm_is_marked(capsys):
    question = ["--usable", "4TB", "--writes", "50GB/day", "--years", "3", "--raid", "1,10"]
    named = ["--drive", "870 EVO 4TB", "--drive", "PM893 3.84"]
    assert main(["choose", *question, *named]) == 0
    lines = capsys.readouterr().out.splitlines()
    marks = {name: line for line in lines[:5] for name in ("870 EVO", "PM893") if name in line[:30]}
    assert "870 EVO 4 TB " in marks["870 EVO"]
    assert "PM893 3.84 TB*" in marks["PM893"]
    assert any("* facts to confirm: --all" in line for line in lines)
    assert main(["choose", *question, *named, "--all"]) == 0
    text = capsys.readouterr().out
    assert "To confirm" in text
    assert "warranty (of its class, not of this drive)" in " ".join(text.split())


def test_the_time_of_the_search_of_mixes_is_an_option(capsys):
    asked = ("choose", "--like", "870 EVO", "--usable", "2TB", "--mixed", "--json")
    assert main([*asked, "--time", "5s"]) == 0
    assert json.loads(capsys.readouterr().out)["mixed"]["gap"] == 0
    assert main([*asked, "--time", "0s"]) == 2
    assert "--time must be > 0 s, got '0s'" in capsys.readouterr().err
