"""The table of inputs: every row reads its default, keeps its range, and keeps its former names."""

import json
import math
import re
import shlex
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import planner as ssd
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue import find, load
from planner.cli import cli, main
from planner.quantity.bounds import Bounds
from planner.quantity.input import InputError, number, whole
from planner.quantity.inputs import FACTS, FLASH, INPUTS, PLAN, RATES, renamed, stated
from planner.quantity.units import FACTORS
from planner.scenario.array import RaidLevel
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.skew import FIELD, PRESETS
from planner.scenario.workload import Workload
from planner.search.points.row import GridPoint, row_of
from planner.sections.request import plan_of, request

ROWS = list(INPUTS.values())
BOUNDED = [row for row in ROWS if row.bounds != Bounds()]
PRO = "845DC PRO 400"

# A text of each input of a plan that is not its default.
TEXTS = {
    "writes": "1 TB/day", "writes_between": "40 GB/day..1 TB/day", "growth": "20%",
    "step": ("x1.5 after 2 years",), "phase_in": "6 months",
    "reads": "30%", "size": "16 KiB", "sequential": "25%", "client": "anandtech-heavy-2011",
    "skew": "80/20", "working_set": "50%", "trim": "10%", "depth": "4", "fill": "80%",
    "collection": "fifo", "placement": "streams", "accuracy": "90%", "spare": "25%",
    "hot_spares": "1", "sets": "2", "record": "128KiB", "known_only": "true", "capacity": "390GB",
    "kind": "QLC client", "drives": "8",
    "keep": "scratch", "power": "ups", "sync": "never", "commit_p99": "10 ms",
    "raid": "5", "stalled": "5%", "wa": "1.4",
    "measured_wa": ("2.0@372GiB",), "measured_iops": "50000@372GiB; 70000@300GiB",
    "rating_wa": "2", "raw": "640GiB",
    "pe_cycles": "3000", "tbw": "500TB", "warranty": "4", "price": "450", "worst_iops": "4000",
    "used": "12%", "written": "40TB", "age": "2 years", "as_of": "2026-05-31",
    "pages": "256", "blocks": "2000", "reserve": "4", "fact": ("mtbf_s=2e6 hours",),
    "member_iops": "40000", "random_read_iops": "50000", "burst_write_iops": "60000",
    "steady_write_iops": "30000", "sequential_read_bytes_per_s": "400 MB/s",
    "sequential_write_bytes_per_s": "300 MB/s", "dies": "32", "channels": "8",
    "page_bytes": "16 KiB", "block_bytes": "8192", "read_s": "60", "program_s": "900 us",
    "erase_s": "5 ms", "channel_bytes_per_s": "300",
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_reads_its_own_default_and_is_described(row):
    if row.default is not None:
        row.value(row.default)
    assert row.help.endswith(".")
    assert row.label
    assert row.shown_in in FACTORS
    assert row.option == f"--{row.name.replace('_', '-')}"


def test_names_are_one_word_for_one_thing():
    links = [old.name for row in ROWS for old in row.links]
    options = [old.name for name in PLAN for old in INPUTS[name].formerly]
    assert len(set(links)) == len(links)
    assert len(set(options)) == len(options)
    assert not {*links, *options} & INPUTS.keys()


def test_defaults_are_those_of_the_records():
    texts = request(PRO)
    given = texts["workload"]
    steady = Workload(host_bytes_per_s=given.host_bytes_per_s)
    assert given == replace(steady, field_copy_ratio=given.field_copy_ratio)
    assert request(PRO, known_only=True)["workload"] == steady
    assert texts["firmware"] == Firmware()
    assert texts["partition_fraction"] == 1
    assert (texts["array"].members, texts["array"].level) == (1, RaidLevel.RAID0)


def test_choices_are_those_of_the_records():
    assert INPUTS["collection"].choices == tuple(policy.value for policy in Policy)
    assert INPUTS["placement"].choices == tuple(layout.value for layout in Layout)
    assert INPUTS["skew"].choices == (FIELD, *PRESETS)


@pytest.mark.parametrize("name", [*PLAN, *FACTS])
def test_every_input_reaches_the_plan(name):
    """What an input says is in what the planner is asked; nothing is dropped."""
    together = {"sets": {"drives": 8, "raid": 5}, "raid": {"drives": 8}, "accuracy": {}}
    beside = together.get(name, {"drives": 2} if name == "hot_spares" else {})
    assert request(PRO, **beside, **{name: TEXTS[name]}) != request(PRO, **beside)


# Texts of inputs that hold more than their number.
COMPOSED = {
    "writes_between": "0 GB/day..{}", "step": "x{} after 2 years", "measured_wa": "{}@894GiB",
    "measured_iops": "{}@894GiB", "rate": "EUR={}",
    "embodied": "{0}:{0}:{0}", "grid": "{0}:{0}:{0}",
}  # fmt: skip


@pytest.mark.parametrize("row", BOUNDED, ids=lambda row: row.name)
@pytest.mark.parametrize("side", ["least", "most"])
def test_what_lies_outside_is_refused_with_field_value_and_range(row, side):
    end = getattr(row.bounds, side) / FACTORS[row.shown_in]
    beyond = end - abs(end) / 2 - 1e-12 if side == "least" else round(end * 1.5, 6)
    text = f"{math.floor(beyond) if row.bounds.whole else beyond!r}"
    unit = "" if row.read in (number, whole) or row.shown_in == "1" else row.shown_in
    text += {"%/year": "%"}.get(unit, f" {unit}")
    text = COMPOSED.get(row.name, "{}").format(text)
    with pytest.raises(InputError) as refused:
        row.value(text)
    words = row.bounds.words(FACTORS[row.shown_in])
    assert str(refused.value).startswith(f"{row.name} must be {words}")
    assert str(refused.value).endswith(f"got '{text.strip()}'")


# Ranges as they are published, in the unit shown. A narrower one refuses links, files and workbooks
# written before; a wider one lets in what formulas refuse or no device has.
PUBLISHED = {
    "0 or from 0.000000001 to 10,000,000,000": "writes writes_between",  # GiB/day
    "> -100 and <= 1000": "growth",
    "from 0 to 12,000": "phase_in",  # months
    "from 0 to 365,000": "bought_apart",  # days
    "from 0 to 1000": "age price_age",  # years
    "from 0.001 to 1000": "step years warranty life least_warranty",
    "from 0.001 to 3,600,000": "commit_p99 read_p999",  # ms: a microsecond, an hour
    "from 0.001 to 100,000": "rebuild",  # hours
    "from 0.001 to 1,000,000": "flush idle_gap sequential_read_bytes_per_s "
    "sequential_write_bytes_per_s channel_bytes_per_s",  # s, MB/s
    "from 0.01 to 1,000,000": "crash_interval battery",  # days, Wh
    "from 0 to 100": "reads sequential stalled discount_rate residual trimmed",  # shares of a whole
    "> 0 and <= 100": "working_set fill fill_limit",
    "from 0 to less than 100": "spare afr",  # no partition is left of all of it
    "> 0 and < 100": "sure max_loss",  # nothing is certain
    "from 0 to less than 50": "trim",  # every page that is trimmed was written before
    "from 50 to 100": "accuracy",  # below, the streams would change names
    "from 0 to 50": "fill_off sequential_off",
    "from 0 to 1": "uber",
    "> 0 and <= 15": "life_spread",  # to where the law of replacements was checked
    "from 0 to 10,000": "used",  # %
    "from 1 to 1000": "measured_wa replace_at",
    "from 0.01 to 1000": "wa rating_wa",
    "from 1 to 10": "pue",
    "from 0.5 to 1,048,576": "size",  # KiB: a sector, 1 GiB
    "from 0.5 to 16,384": "record page_bytes",  # KiB: a sector, 16 MiB
    "from 0.5 to 16,777,216": "block_bytes",  # KiB: a sector, 16 GiB
    "from 0.1 to 100,000,000": "raw",  # GiB
    "from 0.000001 to 1,000,000": "host_cache",  # GiB
    "from 0.001 to 1,000,000,000": "tbw max_power watts",  # TB, W
    "from 0 to 1,000,000,000": "written",  # TB
    "from 0.0001 to 10,000,000,000": "usable",  # TB
    "> 0 and <= 65,536": "depth",  # entries of an NVMe queue
    "a whole number from 1 to 65,536": "array_depth",
    "a whole number from 1 to 1,000,000": "drives sets dies channels",
    "a whole number from 0 to 1,000,000": "hot_spares shelf",
    "a whole number from 1 to 10,000": "nodes",
    "a whole number from 0 to 10,000": "survive",
    "a whole number from 2 to 1024": "parity_group",
    "a whole number from 1990 to 2100": "launched",
    "a whole number from 1 to 1024": "lanes bays",
    "a whole number from 2 to 16": "replicas",
    "a whole number from 8 to 4,194,304": "pages",
    "from 1 to 1,000,000,000,000": "blocks",
    "from 0 to 1,000,000,000,000": "reserve slot node_cost labour",
    "from 1 to 10,000,000": "pe_cycles",
    "from 1 to 1,000,000,000": "measured_iops worst_iops member_iops random_read_iops "
    "burst_write_iops steady_write_iops",
    "from 1 to 1e+15": "qos_iops iops floor_iops window_iops",
    "from 1 to 1,000,000": "slots",
    "from 0.1 to 10,000,000": "capacity read_s program_s",  # GB, us
    "from 0.0001 to 10,000": "erase_s",  # ms
    "from 0.01 to 1,000,000,000,000": "price",
    "from 0.01 to 1e+18": "budget",
    "from 0 to 1,000,000": "electricity embodied",  # USD/kWh, kg/TB
    "from 0 to 100,000": "grid",  # g/kWh
    "from 0.000001 to 1000": "dwpd",
    "from 0 to 5": "life_log_sd",
    "from 0.000125 to 1250": "network",  # GB/s: 1 Mbit/s to 10 Tbit/s
    "from 0.000000001 to 1,000,000,000": "rate",
    "from 1.01 to 20": "target",
    "from 1 to 20": "writes_off",
    "from 1 to 5": "pe_cycles_off",
}
RANGES = {name: words for words, names in PUBLISHED.items() for name in names.split()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_an_input_takes_what_it_was_published_to_take(row):
    if row.name in RANGES:
        assert row.bounds.words(FACTORS[row.shown_in]) == RANGES[row.name]
    else:
        assert row.bounds == Bounds()


def test_inputs_that_can_be_uncertain_are_the_numbers_of_load_drive_and_data_sheet():
    numbers = """writes growth phase_in reads size sequential trim depth fill spare wa rating_wa raw
        pe_cycles tbw warranty price worst_iops blocks reserve"""
    assert {row.name for row in ROWS if row.may_vary} == {*numbers.split(), *RATES, *FLASH}


def test_what_may_be_given_several_times_is_a_list_in_the_plan():
    repeated = {name for name, text in TEXTS.items() if isinstance(text, tuple)}
    assert {row.name for row in ROWS if row.is_repeatable} == {*repeated, "measured_iops", "rate"}


@given(
    least=st.floats(-1e6, 1e6), width=st.floats(1e-3, 1e6), value=st.floats(-1e7, 1e7),
    ends=st.tuples(st.booleans(), st.booleans()),
)  # fmt: skip
def test_bounds_hold_what_lies_between_them(least, width, value, ends):
    bounds = Bounds(least, least + width, *ends)
    assert bounds.holds(value) == (
        least < value < least + width
        or (value == least and ends[0])
        or (value == least + width and ends[1])
    )
    assert bounds.holds(math.nan)  # not known yet: a DWPD before the capacity


@given(share=st.floats(0, 1))
def test_a_share_reads_as_a_number_as_a_percentage_and_as_text(share):
    row = INPUTS["reads"]
    assert row.value(share) == row.value(repr(share)) == share
    assert row.value(f"{100 * share!r}%") == pytest.approx(share, abs=1e-15)


@given(
    first=st.integers(1, 50), more=st.integers(0, 20), last=st.lists(st.integers(1, 99), max_size=4)
)
def test_ranges_and_lists_are_the_values_they_name(first, more, last):
    text = ",".join([f"{first}-{first + more}", *map(str, last)])
    expected = dict.fromkeys([*range(first, first + more + 1), *last])
    assert INPUTS["drives"].values(text) == tuple(expected)


@given(low=st.integers(0, 40), more=st.integers(0, 50))
def test_a_range_of_shares_keeps_its_ends(low, more):
    values = INPUTS["spare"].values(f"{low}-{low + more}%")
    assert (values[0], values[-1]) == (low / 100, (low + more) / 100)
    assert all(0 < b - a < 0.07 + 1e-9 for a, b in pairwise(values))


def test_a_range_that_falls_is_refused():
    with pytest.raises(InputError, match=r"^drives must be a range from low to high, got '9-4'"):
        INPUTS["drives"].values("9-4")


FORMER = [
    (row.name, old.name, {"partition": "75%", "layout": "hot and cold streams"}.get(old.name))
    for row in (INPUTS[name] for name in PLAN)
    for old in row.formerly
    if old.name != "assume"
]


def test_assuming_is_the_default_now_and_the_former_switch_says_so():
    assert request("860 PRO 4TB", assume=True) == request("860 PRO 4TB")
    base = ["plan", "--drive", "860 PRO 4TB", "--json"]
    former, today = (CliRunner().invoke(cli, line) for line in ([*base, "--assume"], base))
    assert former.exit_code == today.exit_code == 0
    assert former.stdout == today.stdout
    assert former.stderr == "--assume is now --known-only false\n"


@pytest.mark.parametrize(("name", "old", "text"), FORMER)
def test_a_former_name_gives_the_same_plan_and_says_the_new_one(name, old, text):
    beside = {"drives": "8"} if name == "raid" else {}
    now = request(PRO, **beside, **{name: TEXTS[name]})
    assert request(PRO, **beside, **{old: text or TEXTS[name]}) == now
    _, (statement,) = renamed({old: text or TEXTS[name]}, PLAN)
    assert statement.endswith(f"is now {name}={TEXTS[name]}")


@pytest.mark.parametrize(("name", "old", "text"), FORMER)
def test_a_former_option_gives_the_same_json_and_says_the_new_one(name, old, text):
    beside = ["--drives", "8"] if name == "raid" else []
    base = ["plan", "--drive", PRO, *beside, "--json"]
    old_option = f"--{old.replace('_', '-')}"
    former = CliRunner().invoke(cli, [*base, old_option, text or TEXTS[name]])
    today = CliRunner().invoke(cli, [*base, INPUTS[name].option, TEXTS[name]])
    assert former.exit_code == today.exit_code == 0
    assert json.loads(former.stdout) == json.loads(today.stdout)
    assert f"is now {INPUTS[name].option} {TEXTS[name]}" in former.stderr
    assert today.stderr == ""


def test_what_is_given_under_both_names_is_that_of_today():
    base = ["plan", "--drive", PRO, "--reads", "30%", "--json"]
    both = CliRunner().invoke(cli, [*base, "--read-share", "10%"])
    assert json.loads(both.stdout) == json.loads(CliRunner().invoke(cli, base).stdout)


def test_scenario_files_of_former_versions_still_load(tmp_path):
    path = tmp_path / "old.json"
    options = {"drive": PRO, "partition": "75%", "warranty_years": "3", "queue_depth": "4"}
    path.write_text(json.dumps({"ssd_planner_scenario": 1, "options": options}))
    old = CliRunner().invoke(cli, ["plan", "--scenario", str(path), "--json"])
    new = ["--spare", "25%", "--warranty", "3", "--depth", "4"]
    today = CliRunner().invoke(cli, ["plan", "--drive", PRO, *new, "--json"])
    assert json.loads(old.stdout) == json.loads(today.stdout)
    assert "--partition 75% is now --spare 25%" in old.stderr


def test_a_script_writes_numbers_or_texts():
    text = plan_of(PRO, writes="4 TB/day", drives="12", raid="5", growth="20%", spare="7%")
    number = plan_of(
        find(load(), PRO), writes="4 TB/day", drives=12, raid=5, growth=0.2, spare=0.07
    )
    assert number == text


def test_an_unknown_input_is_named():
    with pytest.raises(DomainError, match="colour is not an input of a plan"):
        request(PRO, colour="red")


def test_a_dwpd_counts_what_the_array_leaves_for_data():
    asked = request(PRO, writes="1 DWPD", drives=5, raid=5, spare=0.1)
    usable = 400e9 * 4 * 0.9
    assert asked["workload"].host_bytes_per_s == pytest.approx(usable / 86400)


def test_what_is_not_stated_is_left_out():
    assert stated({"wa": None}, ["wa", "rating_wa"]) == {}


def test_fields_of_quantities_take_their_words_from_the_nomenclature():
    row = INPUTS["raw"]
    assert (row.label, row.shown_in) == (QUANTITIES["raw_bytes"].label, "GiB")


ALIKE = [
    (('array --drive "845DC PRO 400" --members 6 --level raid10 --horizon-years 3 '
     "--rebuild-hours 6 --bought-apart-days 30"),
     ('array --drive "845DC PRO 400" --drives 6 --raid 10 --years 3 --rebuild 6hours '
     "--bought-apart 30days")),
    (('choose --like "845DC" --usable 2TB --counts 2-6 --levels 5,6 --spare 0%,7%,14% '
     "--life-years 5 --warranty-years 3"),
     ('choose --like "845DC" --usable 2TB --drives 2-6 --raid 5,6 --spare 0-14% '
     '--life "60 months" --least-warranty 3years')),
    ('size spare --drive "845DC PRO 400" --writes 5TB/day --life-years 5',
     'size spare --drive "845DC PRO 400" --writes 5TB/day --life 5years'),
    (("simulate --pages-per-block 16 --blocks 128 --policy fifo --fill sequential --warmup 2 "
     "--measure 2"),
     ("simulate --pages 16 --blocks 128 --collection fifo --first-fill sequential --warmup 2 "
     "--measure 2")),
]  # fmt: skip


@pytest.mark.parametrize(("former", "now"), ALIKE, ids=lambda line: line.split()[0])
def test_former_options_of_every_command_give_the_same_json(former, now):
    old, new = (CliRunner().invoke(cli, [*shlex.split(line), "--json"]) for line in (former, now))
    assert old.exit_code == new.exit_code == 0, old.output + new.output
    assert json.loads(old.stdout) == json.loads(new.stdout)
    assert " is now --" in old.stderr
    assert " is now --" not in new.stderr


@pytest.mark.parametrize("read", ["value", "values", "every"])
def test_a_text_that_nobody_would_write_is_refused_before_it_is_read(read):
    text = "1" + " " * 100_000 + "x"
    with pytest.raises(
        InputError, match=r"^step must be at most (200|1000) characters, got 100,002"
    ):
        getattr(INPUTS["step"], read)(text)


@pytest.mark.parametrize("name", ["drives", "sets", "hot_spares", "shelf"])
def test_a_count_that_no_machine_holds_is_refused(name):
    with pytest.raises(InputError, match=rf"^{name} must be a whole number from .*, got '1e20'"):
        INPUTS[name].value("1e20")


@pytest.mark.parametrize("code", ["ec:99999+2", "ec:8+99999", "ec:\uff11+2"])
def test_a_code_of_no_array_is_refused(code):
    with pytest.raises(InputError, match=r"^raid must be one of raid0"):
        INPUTS["raid"].value(code)


@pytest.mark.parametrize(
    ("written", "level"),
    [
        ("raid 1+0", "10"), ("RAID1+0", "10"), ("raid-10", "10"), ("striped mirror", "10"),
        ("mirror", "1"), ("RAID-1", "1"), ("stripe", "0"), ("z2", "raidz2"), ("RAID-Z2", "raidz2"),
        ("raid_z", "raidz1"), ("ec 8+3", "ec:8+3"), ("EC8+3", "ec:8+3"), ("10+4", "ec:10+4"),
    ],
)  # fmt: skip
def test_a_level_has_the_names_that_people_write(written, level):
    assert INPUTS["raid"].value(written) == level


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("raid50", "raid5 with sets of 2 or more"), ("RAID 6+0", "raid6 with sets of 2 or more"),
        ("jbod", "raid0 for several drives"), ("no raid", "raid0 for several drives"),
        ("5+1", "one of raid0"), ("0+1", "one of raid0"), ("3-way mirror", "one of raid0"),
    ],
)  # fmt: skip
def test_a_level_that_may_mean_two_things_is_refused(written, why):
    with pytest.raises(InputError, match=rf"^raid must be {why}"):
        INPUTS["raid"].value(written)


def test_a_range_without_end_is_refused():
    with pytest.raises(InputError, match="drives must be a range of at most 10000"):
        INPUTS["drives"].values("1-1000000")


ROOM = Path(__file__).parents[2] / "planner"
OPTION = re.compile(r'click\.option\(\s*"--([a-z0-9-]+)"')
HOMONYMS = {"sweep.py": {"grid"}}  # that of a sweep is a file of inputs, no carbon intensity
# Widgets of inputs, of two sliders beside a chart, and of the values within a range.
WITH_WIDGETS = [ROOM / "ui" / name for name in ("state.py", "endurance.py", "explained.py")]
WIDGET = re.compile(r"\.(number_input|slider|select_slider)\(")


def test_an_input_is_described_in_its_row_and_nowhere_else():
    names = {row.option.removeprefix("--") for row in ROWS}
    for path in ROOM.rglob("*.py"):
        text = path.read_text()
        if path.name != "options.py":
            own = set(OPTION.findall(text)) - HOMONYMS.get(path.name, set())
            assert not names & own, path
        if path not in WITH_WIDGETS:
            assert not WIDGET.findall(text), path


def test_a_mean_queue_depth_may_be_less_than_one_but_not_none():
    assert [INPUTS["depth"].bounds.holds(depth) for depth in (0.0, 0.5, 1.0)] == [False, True, True]


@pytest.mark.parametrize(
    "inputs",
    [
        {"drives": 2, "raid": 5}, {"drives": 4, "raid": "draid2:8d:24c:1s"},
        {"drives": 4, "hot_spares": 4}, {"drives": 4, "raid": "ec:8+3"},
        {"drives": 7, "raid": 10}, {"stalled": 1.0, "drives": 0},
    ],
)  # fmt: skip
def test_drives_of_an_array_are_one_word_in_refusals(inputs, capsys):
    """Users say drives; formulas have members."""
    with pytest.raises(DomainError, match=r"^drives must be") as refused:
        ssd.plan("845DC PRO 400", **inputs)
    assert "member" not in str(refused.value)
    texts = {name: str(value) for name, value in inputs.items()}
    row = row_of(GridPoint("plan", 0, 0, {"drive": "845DC PRO 400", **texts}))
    assert row["error"] == str(refused.value)
    options = [part for name, text in texts.items()
               for part in (f"--{name.replace('_', '-')}", text)]  # fmt: skip
    assert main(["plan", "845DC PRO 400", *options]) == 2
    assert capsys.readouterr().err == f"Error: --{refused.value}\n"
