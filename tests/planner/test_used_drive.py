"""A drive that was in use: what is left of it, alike from its file, on every face, and in words."""

import json

import pytest
from click.testing import CliRunner

import planner as ssd
from models.units import DAY_S, TB, YEAR_S
from planner.cli import cli
from planner.export.measured_options import options_of
from planner.forecast import forecast
from planner.search.verdict import heading, verdict
from planner.search.verdict.lasts import dates
from planner.sections.request import plan_of
from planner.telemetry import read
from tests import synthetic_drives as made

EVO = "870 EVO 1TB"
WORN = {"used": "40%", "written": "200TB", "age": "3 years", "as_of": "2026-05-31"}
FILES = {
    "nvme": made.encoded(made.nvme_json(log=made.nvme_log(used=23, units=300_000_000))),
    "sata": made.sata_text(
        "SAMSUNG MZ7LM960HCHP-0E003",
        attributes=[
            (9, "Power_On_Hours", 91, 20_400), (177, "Wear_Leveling_Count", 52, 1_110),
            (241, "Total_LBAs_Written", 98, 10**12),
        ],
    ).encode(),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_plan_of_a_file_has_left_what_the_forecast_of_it_leaves(name):
    """Both start from the wear that the drive states, at its mean rate of writes."""
    reading = read(name, FILES[name])
    expected = forecast(reading.drives)
    by_kind = {one.kind: one.value_bytes for one in expected.left}
    options = options_of([reading])
    answer = plan_of(options.pop("drive"), **options)
    rate = expected.host_bytes_per_s
    wear = answer.nodes["wear_life_s"].value
    assert wear == pytest.approx(by_kind["wear indicator"] / rate, rel=1e-4)
    if "rated TBW" in by_kind:
        rated = answer.nodes["printed_life_s"].value
        assert rated == pytest.approx(by_kind["rated TBW"] / rate, rel=1e-4)
    low, high = dates(answer).wear.low, dates(answer).wear.high
    assert low < wear < high


def test_the_writes_of_a_series_are_those_between_its_readings():
    lines = ["date,host_bytes,percentage_used"]
    lines += [f"{1_700_000_000 + day * 86_400},{10**14 + day * 10**11},{9}" for day in (0, 70)]
    options = options_of([read("series", "\n".join(lines).encode())])
    assert options["writes"] == "100 GB/day"
    assert (options["used"], options["written"]) == ("9%", "107 TB")
    assert options["as_of"] == "2024-01-23"


def test_the_faces_agree_on_a_saved_file(tmp_path):
    (tmp_path / "smart.json").write_bytes(FILES["nvme"])
    run, scenario = CliRunner().invoke, str(tmp_path / "saved.json")
    assert run(cli, ["read", str(tmp_path / "smart.json"), "--save", scenario]).exit_code == 0
    result = run(cli, ["plan", "--scenario", scenario, "--json"])
    options = options_of([read("nvme", FILES["nvme"])])
    script = ssd.plan(options.pop("drive"), **options)
    shown = json.loads(result.output)["answers"]
    assert float(script.wear) == pytest.approx(shown["wear_life_s"] / YEAR_S, rel=1e-12)
    assert script.wear.base < plan_of("DC P3700 400").nodes["wear_life_s"].value


def test_what_is_used_shortens_each_date_by_its_own():
    new, used = plan_of(EVO, writes="30 GB/day"), plan_of(EVO, writes="30 GB/day", **WORN)
    per_s = 30e9 / DAY_S
    lost = dates(new).rating.typical - dates(used).rating.typical
    assert lost == pytest.approx(200 * TB / per_s)
    assert dates(used).warranty.typical == pytest.approx(2 * YEAR_S)
    assert dates(used).wear.typical == pytest.approx(300 * TB / per_s)
    assert used.nodes["total_price_usd"].value == new.nodes["total_price_usd"].value


def test_a_measured_write_amplification_is_followed_to_another_spare_area():
    """Half the write amplification wears the flash half as fast, whatever its cycles are."""
    texts = {"writes": "30 GB/day", "wa": "3", "raw": "1100GB", **WORN}
    here, spared = (plan_of(EVO, spare=spare, **texts) for spare in ("0%", "20%"))
    factor = here.nodes["workload_wa"].value / spared.nodes["workload_wa"].value
    assert factor > 1.2
    lives = [plan.nodes["wear_life_s"].value for plan in (here, spared)]
    assert lives[1] == pytest.approx(factor * lives[0])


def test_the_verdict_says_what_is_left_and_from_when():
    plan = plan_of(EVO, writes="30 GB/day", **WORN)
    statement = verdict(plan).lasts
    assert "counted from 2026-05-31" in heading(plan)
    assert "Yes, but out of warranty after 2 years." in statement.text
    assert (
        "5 years more of writes use 14 % of the 400 TB left of the rated 600 TB." in statement.text
    )
    assert "Flash wear-out by its wear indicator" in statement.text
    assert statement.holds


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"written": "700TB"}, "No: 700 TB written, 117 % of the rated 600 TB."),
        ({"used": "124%", "written": "90TB"}, "says that 124 % of its life is used"),
        ({"used": "163%"}, "says that 163 % of its life is used"),
    ],
)
def test_a_drive_past_its_rated_life_is_a_no(state, words):
    answer = plan_of(EVO, writes="30 GB/day", **state)
    statement = verdict(answer)
    assert statement.lasts.holds is False
    assert words in statement.lasts.text
    assert statement.change.text.startswith("Replace it now: its rated endurance is used up.")
    assert answer["endurance_life_s"].value == 0
    other = dict(statement.change.inputs)
    assert verdict(plan_of(other["drive"], writes="30 GB/day")).lasts.holds


def test_a_warranty_that_is_over_is_said():
    statement = verdict(plan_of(EVO, writes="30 GB/day", age="6 years")).lasts.text
    assert statement.startswith("Yes, but out of warranty. ")


@pytest.mark.parametrize(
    ("state", "refused"),
    [
        ({"used": "-1%"}, "used must be from 0 to 10,000 %"),
        ({"written": "3"}, "written must be a size"),
        ({"age": "old"}, "age must be a time"),
        ({"as_of": "yesterday"}, "as_of must be a date such as 2023-05-31"),
        ({"as_of": "1960-01-01"}, "as_of must be a date from 1970 to 2199"),
    ],
)
def test_a_state_that_cannot_be_is_refused_by_name(state, refused):
    with pytest.raises(ValueError, match=f"^{refused}"):
        plan_of(EVO, **state)
