"""Every command of the command line has an answer in scripts, and it is the same one."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import planner as ssd
from models.errors import DomainError
from models.units import YEAR_S
from planner.cli import cli
from planner.cli.commands import COMMANDS
from planner.script.questions import Answers
from tests.synthetic_fio import encoded, reads, run

DRIVE, PAIR = "845DC PRO 400", ["845DC PRO 400", "870 EVO 1TB"]
TRACE, SMART = "docs/examples/synthetic-trace.csv.gz", "docs/examples/smartctl.json"
HISTORY = "docs/examples/wear-history.csv"
# The functions and methods that answer each command.
ANSWERED_BY = {
    "app": ["app", "apps", "fit_app"], "array": ["Plan.array", "Plan.loss"],
    "catalogue": ["quotes", "quotes_table"], "choose": ["choose"], "compare": ["compare"],
    "cost": ["Plan.cost_of"], "drives": ["drive", "drives"],
    "export": ["Plan.to_excel", "Plan.to_frame", "Plan.to_json"], "fio-job": ["Plan.fio_job"],
    "fleet": ["fleet"], "forecast": ["remaining_life"], "plan": ["plan", "Plan.verdict"],
    "protocol": ["protocol"],
    "read": ["read"], "simulate": ["simulate"], "size": ["size"],
    "speed": ["Plan.speed", "Plan.heat", "fit", "rates"], "sweep": ["sweep"],
    "uncertainty": ["uncertainty", "least_regret"], "wa": ["wa"], "workloads": ["workloads"],
}  # fmt: skip
NOT_OF_THE_PLANNER = {"validate"}  # of the package `validation`, which the planner never imports


def named(name):
    owner, _, method = name.rpartition(".")
    return getattr(getattr(ssd, owner) if owner else ssd, method)


def asked(*arguments):
    done = CliRunner().invoke(cli, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_every_command_is_answered_in_scripts():
    assert ANSWERED_BY.keys() | NOT_OF_THE_PLANNER == COMMANDS.keys()
    assert all(COMMANDS[name].module.startswith("validation.") for name in NOT_OF_THE_PLANNER)
    answering = [name for names in ANSWERED_BY.values() for name in names]
    assert all(callable(named(name)) for name in answering)
    further = {"Number", "Plan", "RemainingLife"}
    assert {name for name in answering if "." not in name} | further == set(ssd.__all__)


@pytest.mark.parametrize("name", sorted({n for names in ANSWERED_BY.values() for n in names}))
def test_help_says_what_it_returns(name):
    first, *_ = (named(name).__doc__ or "").strip().splitlines()
    assert first.endswith((".", ":")) or len(first) > 60
    assert first.split()[0] in {
        "Answer", "Compare", "Fit", "Forecast", "Plan", "Read", "Return", "Simulate", "Write",
    }  # fmt: skip


def test_an_application_is_that_of_the_command():
    answer = ssd.app("etcd", puts_per_s=np.float64(50))
    expected = asked("app", "etcd", "--in", "puts_per_s=50")
    for name, key in (("writes", "device_bytes_per_s"), ("amplification", "amplification")):
        number, ends = answer[answer.names[name]], expected[key]
        assert (number.base, number.between) == (ends["typical"], (ends["low"], ends["high"]))
    assert answer.record.sentence == expected["sentence"]
    listed = [(row["name"], each["name"]) for row in asked("app", "--list")
              for each in row["inputs"]]  # fmt: skip
    assert listed == list(zip(ssd.apps()["preset"], ssd.apps()["input"], strict=True))
    with pytest.raises(DomainError, match=r"^app must be one of sqlite-wal"):
        ssd.app("nonesuch")


def test_a_trace_is_that_of_the_command():
    expected = asked("wa", DRIVE, "--trace", TRACE, "--simulate", "--spare", "20%")
    answer = ssd.wa(TRACE, DRIVE, simulate=True, spare=0.2)
    wa = expected["write_amplification"]
    assert answer.lasting.base == wa["lasting_wa"]
    assert answer.repeated.base == wa["predicted"]["wa"]
    played = wa["replayed"]
    assert answer.replayed.base == played["wa"]
    assert answer.replayed.between == (played["wa_low"], played["wa_high"])
    assert list(answer.notes) == wa["notes"]
    larger = ssd.wa(TRACE, DRIVE, mapping_unit="16 KiB")
    assert larger.partial > answer.partial
    assert "replayed" not in larger
    with pytest.raises(DomainError, match=r"^mapping_unit must be a multiple of 512 bytes"):
        ssd.wa(TRACE, DRIVE, mapping_unit="100 B")
    with pytest.raises(DomainError, match=r"^collection must be greedy or fifo for a trace"):
        ssd.wa(TRACE, DRIVE, collection="random")
    with pytest.raises(DomainError, match=r"^raw must be stated"):
        ssd.wa(TRACE, "860 PRO 4TB", known_only=True)
    with pytest.raises(DomainError, match=r"README.md: line 1"):
        ssd.wa("README.md", DRIVE, layout="msr")


def test_an_uncertain_plan_is_that_of_the_command():
    expected = asked("uncertainty", DRIVE, "--writes", "4 TB/day", "--years", "3", "--uncertain",
                     "writes=2..4..9 TB/day", "--uncertain", "fill=0.6..0.8..0.95", "--correlate",
                     "writes,fill=0.5")  # fmt: skip
    known = ssd.uncertainty(
        DRIVE, {"writes": "2..4..9 TB/day", "fill": "0.6..0.8..0.95"}, writes="4 TB/day",
        correlate={("writes", "fill"): 0.5},
    )  # fmt: skip
    quantiles = expected["quantiles"]["wear_out_life_s"]
    assert known.life.base == quantiles["p50"]["value"]
    assert known.life.between == (quantiles["p10"]["value"], quantiles["p90"]["value"])
    frame = known.quantiles("life", "wa")
    assert frame.loc["wear_out_life_s", "0.5"] == float(known.life)
    assert frame.loc["workload_wa", "unit"] == "x"
    chance = known.chance("life", at_least="3 years")
    assert chance.base == expected["life_at_least"]["probability"]
    assert known.chance("life", at_least=(3, "years")) == chance
    assert known.limits == expected["first_limit"]
    assert known.inputs().index[0] == expected["tornado"][0]["input"]
    assert known.samples("wear").shape == (4 * 1024,)
    typical = ssd.uncertainty(DRIVE, {"writes": "2..4..9 TB/day"}, assumed=True)
    assert list(typical.record.inputs) == ["host_bytes_per_s"]


@pytest.mark.parametrize(
    ("ranges", "sentence"),
    [
        ({"write": "1..2..4 TB/day"}, "^write is not an input of uncertainty; did you mean writes"),
        ({"writes": "1..2 TB/day"}, r"^writes must be LOW\.\.MID\.\.HIGH"),
        ({"writes": [1, 2, 4]}, r"^writes must be a text such as"),
        ({"reads": "0.5..0.7..1.5"}, r"^reads must be"),
        ({}, "^uncertain must name an input"),
    ],
)
def test_an_uncertain_input_is_refused_by_its_name(ranges, sentence):
    with pytest.raises(DomainError, match=sentence):
        ssd.uncertainty(DRIVE, ranges, known_only=True)


def test_the_least_regret_is_that_of_the_command():
    ranges = "writes=200..400..900 GB/day"
    expected = asked("uncertainty", *(part for name in PAIR for part in ("--drive", name)),
                     "--uncertain", ranges)["least_regret"]  # fmt: skip
    frame = ssd.least_regret(PAIR, {"writes": "200..400..900 GB/day"})
    assert frame.index.tolist() == [row["drive"] for row in expected["plans"]]
    assert frame["regret"].tolist() == [row["expected_regret"] for row in expected["plans"]]
    assert frame.attrs["units"]["regret"] == "USD/year"
    without = [one for one in ssd.drives() if one.value("price_usd") is None
               and one.value("rated_bytes") is not None]  # fmt: skip
    unpriced = ssd.least_regret(without[:2], {"writes": "2..4..9 TB/day"}, known_only=True)
    assert unpriced.attrs["units"]["regret"] == "years"
    assert unpriced["regret"].min() < 100  # in years, not in seconds


def test_a_drive_file_is_that_of_the_command():
    (expected,) = asked("read", SMART)
    found = ssd.read(SMART)
    (drive,) = found.drives
    host = expected["drive"]["host_bytes"]
    assert drive.host_writes.base == host["value"]
    assert drive.host_writes.between == (host["low"], host["high"])
    assert drive.flash_writes.base == expected["drive"]["flash_bytes"]["value"]
    frame = found.to_frame()
    assert frame.loc[0, "power_on"] * 3600 == expected["drive"]["power_on_s"]["value"]
    assert frame.attrs["units"]["power_on"] == "hours"
    assert frame.loc[0, "read"].timestamp() == expected["drive"]["read_at_s"]
    with pytest.raises(DomainError, match=r"README.md: byte 0: unknown format"):
        ssd.read(SMART, "README.md")
    with pytest.raises(DomainError, match=r"^files must name at least one file"):
        ssd.read()


def test_a_fleet_is_that_of_the_command(tmp_path):
    (tmp_path / "notes.md").write_text("no drive")
    paths = [SMART, HISTORY, str(tmp_path)]
    expected, fleet = asked("fleet", *paths), ssd.fleet(*paths, lead=(8, "days"))
    assert len(fleet) == expected["drives"]
    frame = fleet.to_frame()
    assert frame.index.tolist() == [row["drive"] for row in expected["by_drive"]]
    days = [row["early"] for row in expected["by_drive"]]
    assert frame["early"].dt.date.map(str).tolist() == days
    assert (fleet.wa.base if fleet.wa.is_known else None) == expected["wa"]["value"]
    assert frame["wa"].dropna().tolist() == [
        row["wa"] for row in expected["by_drive"] if row["wa"] is not None
    ]
    assert fleet.refused["file"].tolist() == [row["file"] for row in expected["refused"]]
    assert fleet.months["expected"].sum() == pytest.approx(
        sum(row["expected"] for row in expected["orders_by_month"])
    )
    assert fleet.models["drives"].sum() == len(fleet)
    assert fleet.record.lead_s == 8 * 86400
    with pytest.raises(DomainError, match=r"^paths must name files of drives|no drive could be"):
        ssd.fleet(str(tmp_path / "*.json"))
    with pytest.raises(DomainError, match=r"^lead must be a time"):
        ssd.fleet(SMART, lead="8")


def test_a_simulation_is_that_of_the_command():
    expected = asked("simulate", "--op", "0.2", "--pages", "16", "--blocks", "128",
                     "--warmup", "2", "--measure", "2")  # fmt: skip
    found = ssd.simulate(op=0.2, pages=16, blocks=128, warmup=2, measure=2)
    assert found.wa.base == expected["wa"]
    assert found.wa.between == (expected["wa_low"], expected["wa_high"])
    assert found.copies == expected["copies"]
    with pytest.raises(DomainError, match="page is not an input of a simulation; did you mean"):
        ssd.simulate(page=16)


def test_a_fit_is_that_of_the_command(tmp_path):
    path = tmp_path / "test.json"
    path.write_bytes(encoded(run(reads(1, 9000.0), reads(32, 85_000.0, group=1))))
    expected = asked("speed", DRIVE, "--measured", str(path))["fit"]
    fitted = ssd.fit(DRIVE, path)
    frame = fitted.to_frame()
    assert frame.index.tolist() == [point["name"] for point in expected["points"]]
    assert frame["error_after"].tolist() == [p["residual_after"] for p in expected["points"]]
    assert fitted.facts.index.tolist() == [fact["quantity"] for fact in expected["facts"]]
    assert fitted.plan["random_read_iops"] == 85_000
    jobs = ssd.read(path).to_frame()
    assert jobs["iops"].tolist() == [9000, 85_000]
    with pytest.raises(DomainError, match=r"^files must be fio tests, got docs"):
        ssd.fit(DRIVE, SMART)


def test_a_fio_job_is_that_of_the_command():
    line = ["fio-job", DRIVE, "--writes", "50 MB/s", "--drives", "4"]
    plan = ssd.plan(DRIVE, writes="50 MB/s", drives=4)
    assert plan.fio_job() == CliRunner().invoke(cli, line).stdout.removesuffix("\n")
    with pytest.raises(DomainError, match=r"^device must be"):
        plan.fio_job(device="a;b")


def test_workloads_quotes_and_features_are_those_of_the_commands(tmp_path):
    assert ssd.workloads().index.tolist() == [row["workload_id"] for row in asked("workloads")]
    line = ["catalogue", "template"]
    assert ssd.quotes_table().to_csv(index=False) == CliRunner().invoke(cli, line).stdout
    table = tmp_path / "quotes.csv"
    table.write_text("model,capacity,price,price_date\nPM893,3.84 TB,900,2026-09-01\n")
    (drive,) = ssd.quotes(table)
    assert ssd.plan(drive).record.drive.name == "Samsung PM893 3.84 TB"
    assert drive.value("price_usd") == 900
    protected = ssd.drives("845dc", features={"power_loss_protection": "yes"})
    line = ["drives", "845dc", "--feature", "power_loss_protection=yes"]
    assert [each.drive_id for each in protected] == [row["drive_id"] for row in asked(*line)]
    with pytest.raises(DomainError, match="did you mean power_loss_protection"):
        ssd.drives(features={"power_los": "yes"})


def test_a_plan_from_a_file_is_that_of_a_scenario_from_it(tmp_path):
    path = tmp_path / "scenario.json"
    asked("read", SMART, "--save", str(path))
    expected = asked("plan", "--scenario", str(path))
    plan = ssd.plan(**ssd.read(SMART).inputs)
    assert plan.life.base == pytest.approx(expected["life"]["years"] * YEAR_S, rel=1e-5)
    assert (plan.limit, repr(plan).splitlines()[0].rpartition("by ")[2]) == (
        "warranty period", "warranty period",
    )  # fmt: skip
    assert json.loads(plan.to_json())["drive"] == expected["drive"]


def test_answers_have_units():
    answers = [ssd.app("kafka"), ssd.wa(TRACE, DRIVE), *ssd.read(SMART).drives,
               ssd.read(TRACE).trace]  # fmt: skip
    for one in answers:
        assert isinstance(one, Answers)
        assert one.to_frame()["unit"].all()
        assert len(one.to_frame()) == len(one)


def test_a_protocol_is_that_of_the_command():
    drives = ["845DC PRO 400", "840 EVO 250"]
    found = ssd.protocol("consistency", drives, spare=0.25)
    expected = asked("protocol", "consistency", *drives, "--spare", "25%")
    for test, record in zip(found, expected["drives"], strict=True):
        assert (test.drive, list(test)) == (record["drive"], list(record["phases"]))
        for phase, numbers in record["phases"].items():
            for key, ends in numbers.items():
                number = test[phase][key]
                assert (number.base, *number.between) == (
                    ends["typical"], ends["low"], ends["high"])  # fmt: skip
    order = [(each["place"], each["drive"], each["above_next"]) for each in expected["ranking"]]
    assert found.order == order
    course = found.course().query("drive == 'Samsung 840 EVO 250 GB' and phase == 'steady'")
    drawn = expected["drives"][1]["courses"]["steady"]
    assert course["bytes_per_s"].tolist() == drawn["bytes_per_s"]
    assert course["to_bytes"].tolist() == drawn["moved_bytes"][1:]
    frame = found.to_frame()
    assert frame.attrs["units"]["rate"] == "MB/s"
    assert frame["iops"].tolist() == [test[phase].iops for test in found for phase in test]
    for wrong, word in (
        (lambda: ssd.protocol("consistancy", drives), "nearest are consistency"),
        (lambda: ssd.protocol(None, drives), "name must be a test"),
        (lambda: ssd.protocol("burst", []), "drives must be at least one"),
        (lambda: ssd.protocol("burst", drives, phases=["fill"]), "name must be None"),
        (lambda: ssd.protocol("burst", drives, writes="1 TB/day"), "writes is not an input of"),
        (lambda: ssd.protocol("burst", drives, test_size=5), "test_size must be with its unit"),
    ):
        with pytest.raises(DomainError, match=word):
            wrong()
