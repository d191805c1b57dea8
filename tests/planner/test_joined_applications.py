"""Several applications on one drive, and layers below: sums, the shared flush time, the faces."""

import io
import json
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import planner as ssd
from models.errors import DomainError
from planner.application import answer_of
from planner.application.join import BUSIEST, joined, shared_loads
from planner.application.layers import LAYERS, layers
from planner.application.load import CommitLoad, DeviceLoad, Stream
from planner.application.presets import load
from planner.cli import main
from planner.search.commits import application_commits, on_drive, worst_commits
from planner.search.verdict import verdict
from planner.sections.request import plan_of

FAST, SLOW = "7450 PRO 3840", "970 EVO Plus 1TB"
# A PostgreSQL and a Redis as they were counted, one alone and both on one ext4 with 1 ms of delay.
POSTGRES = {
    "transactions_per_s": "300", "rows": "200000", "row_bytes": "200", "fillfactor": "0.9",
    "indexes": "0", "skew": "none", "correction": "1", "checkpoint_timeout_s": "60",
    "clients": "8", "checkpoint_fixed_bytes": "3e5", "max_wal_bytes": "16e9",
}  # fmt: skip
REDIS = {"sets_per_s": "300", "value_bytes": "100", "fsync": "always", "clients": "4",
         "correction": "1", "rewrite_percent": "1e6"}  # fmt: skip
PAIR = ["db1=postgres-oltp", "redis-aof"]
FLUSH_S = 1.21e-3


def pair_texts(**further):
    own = {f"db1.{name}": text for name, text in POSTGRES.items()}
    return own | {f"redis-aof.{name}": text for name, text in REDIS.items()} | further


def at_drive(answer):
    return answer.figures["device_bytes_per_s"]


# The load of both


def test_a_counted_pair_is_within_what_its_parts_are():
    """30,137 bytes per pair were counted, 13,419 and 16,600 apart; Redis shared hardly a flush."""
    both = answer_of(PAIR, pair_texts(flush_s=f"{FLUSH_S}"))
    assert at_drive(both).typical / 300 == pytest.approx(30_137, rel=0.08)
    alone = [answer_of("postgres-oltp", POSTGRES | {"flush_s": f"{FLUSH_S}"}),
             answer_of("redis-aof", REDIS | {"clients": "1"})]  # fmt: skip
    shared = answer_of(PAIR, pair_texts(flush_s=f"{FLUSH_S}", **{"redis-aof.clients": "1"}))
    per_pair = at_drive(shared).typical / 300
    assert per_pair / 30_137 - 1 == pytest.approx(-0.017, abs=0.005)
    assert per_pair < sum(at_drive(each).typical for each in alone) / 300
    # 1.19 commits of PostgreSQL were counted per flush, in a flush time of 1.81 ms
    commits = shared.draws.followed["db1.commits_per_flush"]
    assert commits == pytest.approx(1.19, rel=0.06)


def flushing(rate, clients, series=1.0):
    """A load of commits that share flushes, without anything else."""

    def at(times, flush_s):
        waiting = rate * flush_s * series * times
        shared = np.minimum(waiting + np.exp(-waiting), max(clients / 2, 1.0))
        flushes = series * rate / shared
        log = Stream(name="log", bytes_per_s=4096 * flushes, flushes_per_s=flushes)
        return DeviceLoad(application_bytes_per_s=rate, file_bytes_per_s=rate, streams=(log,),
                          commits=CommitLoad(rate, series))  # fmt: skip

    return at


def noted(load_at, flush_s, met, name):
    """The load of an application that notes how many times as long a flush takes."""

    def at(times):
        met[name] = float(times)
        return load_at(times, flush_s)

    return at


@given(
    rates=st.lists(st.floats(1, 2_000), min_size=2, max_size=4),
    flush_s=st.floats(1e-5, 2e-3),
    clients=st.integers(1, 64),
)
def test_the_shared_flush_time_is_the_one_that_follows_from_itself(rates, flush_s, clients):
    met = {}
    loads = {
        f"a{place}": noted(flushing(rate, clients), flush_s, met, f"a{place}")
        for place, rate in enumerate(rates)
    }
    try:
        found = shared_loads(loads, flush_s)
    except DomainError:
        assert max(rates) * len(rates) * flush_s > BUSIEST
        return
    busy = {name: load.flushes_per_s * flush_s for name, load in found.items()}
    if sum(busy.values()) > 0.9:
        return  # near saturation many splits of the time are nearly alike
    expected = {name: 1 / (1 - sum(busy.values()) + own) for name, own in busy.items()}
    assert met == pytest.approx(expected, rel=2e-4)


@given(st.lists(st.sampled_from(sorted(load())), min_size=2, max_size=3))
def test_streams_flushes_and_spans_of_applications_sum(presets):
    apps = [f"a{place}={name}" for place, name in enumerate(presets)]
    both = answer_of(apps, {"flush_s": "2e-5"})
    own = both.members.values()
    assert both.draws.device_bytes_per_s == pytest.approx(
        sum(each.device_bytes_per_s for each in own)
    )
    assert both.draws.flushes_per_s == pytest.approx(sum(each.flushes_per_s for each in own))
    spans = [each.span_bytes for each in own]
    if any(span is None for span in spans):
        assert both.draws.span_bytes is None
    else:
        assert both.draws.span_bytes == pytest.approx(sum(spans))
    parts = sum(figure.typical for figure in both.by_layer.values())
    assert parts == pytest.approx(at_drive(both).typical)
    names = {name for each in both.record["applications"] for name in [each["name"]]}
    assert {name.partition(": ")[0] for name in both.by_layer} <= names


@pytest.mark.parametrize("name", ["etcd", "video", "rocksdb-universal"])
def test_beside_one_that_flushes_nothing_an_application_writes_what_it_writes_alone(name):
    stated = {row.name: f"{row.default}" for row in load()[name].inputs.values()
              if row.default is not None and row.name != "flush_s"}  # fmt: skip
    alone = answer_of(name, stated | {"flush_s": "0.001"} if name == "etcd" else stated)
    texts = {f"a.{key}": text for key, text in stated.items()}
    both = answer_of([f"a={name}", "kv-cache"], texts | {"flush_s": "0.001"})
    assert both.members["a"].device_bytes_per_s == pytest.approx(alone.draws.device_bytes_per_s)


def test_the_order_of_applications_changes_nothing():
    for apps in (["etcd", "kv=redis-aof", "zfs-log"], ["db1=postgres-oltp", "box=innodb"]):
        first, *others = (answer_of(order, {}) for order in permutations(apps))
        for other in others:
            for name, figure in first.figures.items():
                assert figure == pytest.approx(other.figures[name], rel=1e-9), name
            assert set(other.preset.inputs) == set(first.preset.inputs)


def test_an_input_is_drawn_for_each_application_and_the_flush_time_for_all():
    values = answer_of(["a=etcd", "b=etcd"], {}).values
    assert sorted(values["a.clients"]) == pytest.approx(sorted(values["b.clients"]))
    together = np.corrcoef(np.log(values["a.clients"]), np.log(values["b.clients"]))[0, 1]
    assert abs(together) < 0.2
    assert [name for name in values if name.endswith("flush_s")] == ["flush_s"]


def test_a_slower_drive_is_asked_for_fewer_bytes_by_both():
    fast, slow = (on_drive(answer_of(PAIR, pair_texts()), drive) for drive in (FAST, SLOW))
    assert fast.flush_s < slow.flush_s
    for name in fast.members:
        fewer, more = (each.members[name].device_bytes_per_s for each in (slow, fast))
        assert np.median(fewer) < np.median(more)


def test_a_flush_waits_for_those_of_the_other_application():
    """By hand: 300 flushes of 1 ms a second leave 0.7 of the time, and 1.43 ms for each."""
    met = {}
    loads = {
        name: noted(flushing(rate, 1), 1e-3, met, name) for name, rate in (("a", 1.0), ("b", 300.0))
    }
    joined(loads, 1e-3)
    assert met == pytest.approx({"a": 1 / 0.7, "b": 1 / 0.999}, rel=1e-3)


# What is refused


@pytest.mark.parametrize(
    ("apps", "texts", "on", "sentence"),
    [
        (["etcd", "video"], {"rows": "1"}, [], "rows must name its application: etcd.rows or"),
        (["etcd", "video"], {"db.rows": "1"}, [], "db is no application here: etcd, video"),
        (["a=etcd", "a=video"], {}, [], "app must name each application otherwise, got a twice"),
        (["a b=etcd"], {}, [], "app must be PRESET or NAME=PRESET"),
        (["=etcd"], {}, [], "app must be PRESET or NAME=PRESET"),
        (["a=fortran", "etcd"], {}, [], "app must be one of"),
        (["etcd"], {}, ["rot13"], "on must be one of dm-crypt, dm-integrity, drbd"),
        (["etcd"], {}, ["b.dm-crypt"], "on must be LAYER or etcd.LAYER, got 'b.dm-crypt'"),
        (["a=etcd", "b=etcd"], {"a.flush_s": "1ms", "b.flush_s": "2ms"}, [], "must be one for all"),
        (["a=etcd", "b=etcd"], {"a.puts_per_s": "no"}, [], "a.puts_per_s must be a number from"),
        (["etcd"], {"dm-crypt.flushes": "1"}, [], "dm-crypt.flushes is not an input of etcd"),
        (["etcd"], {"dm-crypt.flushes": "0"}, ["dm-crypt"], "dm-crypt.flushes must be a number"),
        (
            ["a=appended-file", "etcd"],
            {"a.appends_per_s": "1000", "flush_s": "1 ms"},
            [],
            "flush_s must leave etcd time to flush: of a flushes take 100 %, and below 90 % is",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(apps, texts, on, sentence):
    with pytest.raises(DomainError) as refusal:
        answer_of(apps, texts, on=on)
    assert sentence in str(refusal.value)


# Layers


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("name", ["postgres-oltp", "rocksdb-leveled", "video", "home-assistant"])
def test_a_layer_has_an_answer_for_every_load(layer, name):
    answer = answer_of(name, {}, on=[layer])
    low, typical, high = at_drive(answer)
    assert 0 < low <= typical <= high < float("inf")
    assert answer.on == answer.record["layers"] == [layer]
    assert layers()[layer].note in " ".join(answer.notes)
    assert f"{name} on {layer} writes" in answer.sentence


# Bytes at the drive over those above a layer, by hand: 10 writes/s of 4 KiB at random to 8 GiB.
@pytest.mark.parametrize(
    ("layer", "inputs", "ratio"),
    [
        ("dm-crypt", {}, 1.0),
        ("dm-integrity", {"journal_ratio": "2", "sector_bytes": "512"}, 2 + 4 / 512),
        ("dm-integrity", {"mode": "bitmap", "bitmap_ratio": "1", "sector_bytes": "4096"},
         1 + 4 / 4096),
        # 50 writes in 5 s touch 41.4 of the 128 regions, with a block each
        ("md-bitmap", {"cleared_s": "5", "bitmap_blocks": "1"}, 1 + 0.828),
        # 864,000 writes a day touch all but 0.14 % of 131,072 chunks: 15 of 16 parts are copied
        ("lvm-thin", {"snapshot_s": "86400", "map_blocks": "0"}, 1 + 15 * 0.9986 * 131_072 / 864e3),
        # 2,048 extents, of which 1,024 are active: each second write begins one
        ("drbd", {"active_extents": "1024", "log_blocks": "1"}, 1.5),
        ("longhorn", {"journal_blocks": "3"}, 1.0),  # nothing is flushed
        ("virtual-disk", {}, 1.0),
    ],
)  # fmt: skip
def test_layers_by_hand(layer, inputs, ratio):
    own = {f"{layer}.{name}": text for name, text in inputs.items()}
    random = {"writes_per_s": "10", "write_bytes": "4096", "span_bytes": f"{2**33}"}
    random |= {"synced_fraction": "0"}
    bare = answer_of("virtual-disk", random)
    # the preset has no span of its own below it: the layers take theirs
    spanned = {f"{layer}.span_bytes": f"{2**33}"} if "span_bytes" in layers()[layer].inputs else {}
    below = answer_of("virtual-disk", random | own | spanned, on=[layer])
    got = below.typical.device_bytes_per_s / bare.typical.device_bytes_per_s
    assert got == pytest.approx(ratio, rel=0.002)


def test_layers_stand_in_order_and_a_guest_on_zfs_writes_records():
    assert answer_of("etcd", {}, on=["virtual-disk", "zfs-vm"]).on == ["virtual-disk", "zfs-vm"]
    guest = answer_of("etcd", {"puts_per_s": "50"}, on=["virtual-disk", "zfs-vm"])
    assert set(guest.by_layer) == {"records", "intent log", "metadata", "idle"}
    first = answer_of("etcd", {"puts_per_s": "50"}, on=["dm-integrity", "zfs-vm"])
    last = answer_of("etcd", {"puts_per_s": "50"}, on=["zfs-vm", "dm-integrity"])
    assert "journal of dm-integrity" in last.by_layer
    assert "journal of dm-integrity" not in first.by_layer
    assert at_drive(last).typical > at_drive(guest).typical


def test_a_layer_that_flushes_twice_makes_commits_wait_twice_and_share():
    stated = {"transactions_per_s": "2000", "flush_s": "1e-3", "clients": "16"}
    once, twice = (
        answer_of("postgres-oltp", stated | {"lvm-thin.flushes": count}, on=["lvm-thin"])
        for count in ("1", "2")
    )
    shared = [each.draws.followed["commits_per_flush"] for each in (once, twice)]
    assert shared == pytest.approx([2 + np.exp(-2), 4 + np.exp(-4)])
    assert twice.draws.commits.flushes == 2 * once.draws.commits.flushes
    assert twice.draws.flushes_per_s == pytest.approx(2 * 2000 / shared[1])


# The command line


def answered(capsys, *words):
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_an_input_and_a_layer_belong_to_the_last_application_before_them(capsys):
    words = ["app", "--on", "dm-crypt", "--app", "db1=postgres-oltp", "--in", "rows=5e6",
             "--in", "transactions_per_s=50", "--on", "lvm-thin", "--app", "redis-aof",
             "--in", "sets_per_s=77", "--in", "db1.row_bytes=120"]  # fmt: skip
    got = answered(capsys, *words)
    texts = {"db1.rows": "5e6", "db1.transactions_per_s": "50", "redis-aof.sets_per_s": "77",
             "db1.row_bytes": "120"}  # fmt: skip
    expected = answer_of(PAIR, texts, on=["dm-crypt", "db1.lvm-thin"]).record
    assert {name: got[name] for name in expected} == expected
    assert got["layers"] == ["db1.lvm-thin", "db1.dm-crypt", "redis-aof.dm-crypt"]
    assert got["inputs"]["db1.rows"]["typical"] == 5e6


def test_inputs_of_the_one_application_stand_where_they_like(capsys):
    one = answer_of("etcd", {"puts_per_s": "50"}).record
    for words in (["--in", "puts_per_s=50", "--app", "etcd"], ["etcd", "--in", "puts_per_s=50"]):
        got = answered(capsys, "app", *words)
        assert {name: got[name] for name in one} == one


def test_the_command_app_takes_further_applications_and_plans_them(capsys):
    further = ["--in", "rows=5e6", "--app", "etcd", "--in", "puts_per_s=77"]
    got = answered(capsys, "app", "postgres-oltp", *further, "--drive", SLOW)
    planned = answered(capsys, "plan", SLOW, "--app", "postgres-oltp", *further)
    assert {name: got[name] for name in planned["application"]} == planned["application"]
    assert got["verdict"] == planned["verdict"]
    assert [each["application"] for each in got["commits"]] == ["postgres-oltp", "etcd"]
    texts = {"postgres-oltp.rows": "5e6", "etcd.puts_per_s": "77"}
    expected = on_drive(answer_of(["postgres-oltp", "etcd"], texts), SLOW)
    assert planned["application"] == expected.record


def test_one_application_has_the_record_of_one(capsys):
    got = answered(capsys, "app", "etcd", "--in", "puts_per_s=50")
    assert {"applications", "layers"}.isdisjoint(got)
    assert got["preset"] == "etcd"
    named = answer_of(["db1=etcd"], {"db1.puts_per_s": "50"}).record
    assert named["inputs"] == got["inputs"]
    assert named["device_bytes_per_s"] == got["device_bytes_per_s"]


def test_a_scenario_file_keeps_applications_and_their_layers(tmp_path, capsys):
    path = tmp_path / "two.json"
    words = ["--app", "db1=etcd", "--in", "puts_per_s=50", "--on", "dm-crypt", "--app", "etcd",
             "--in", "puts_per_s=77"]  # fmt: skip
    first = answered(capsys, "plan", SLOW, *words, "--save", str(path))
    assert answered(capsys, "plan", "--scenario", str(path)) == first
    again = answered(capsys, "plan", "--scenario", str(path), "--in", "db1.puts_per_s=60")
    assert again["application"]["inputs"]["db1.puts_per_s"]["typical"] == 60
    assert main(["plan", "--scenario", str(path), "--in", "puts_per_s=6", "--json"]) == 2
    assert "puts_per_s must name its application" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--app", "etcd", "--on", "rot13"), "--on must be one of dm-crypt"),
        (("--on", "dm-crypt"), "--on applies to an application: --app names it"),
        (("--app", "a=etcd", "--app", "a=video"), "--app must name each application otherwise"),
        (("--app", "etcd", "--app", "nothing"), "PRESET must be one of"),
        (("--app", "ceph-rbd", "--app", "etcd", "--drives", "4"), "--drives must be 1 here"),
        (("--app", "etcd", "--app", "ceph-rbd", "--raid", "ec:4+2"), "what ceph-rbd has copied"),
    ],
)
def test_the_command_refuses_what_cannot_be(words, sentence, capsys):
    assert main(["plan", SLOW, *words, "--json"]) == 2
    assert sentence in json.loads(capsys.readouterr().out)["error"]["message"]


def test_counters_are_compared_with_one_application(tmp_path, capsys):
    path = tmp_path / "io"
    path.write_text("wchar: 5\nwrite_bytes: 4096\ncancelled_write_bytes: 0\n")
    assert main(["app", "etcd", "--app", "video", "--measured", str(path), "--json"]) == 2
    assert "--measured must be of one application, got 2" in capsys.readouterr().out


def test_layers_are_listed_with_their_sources(capsys):
    listed = answered(capsys, "app", "--layers")
    assert [each["name"] for each in listed] == [*layers()]
    assert all(row["source"] for each in listed for row in each["inputs"])


# Commits of several


def test_the_longest_wait_is_told_with_its_application():
    both = answer_of(["db1=postgres-oltp", "kv=etcd"], {"db1.transactions_per_s": "300"})
    both = on_drive(both, SLOW)
    plan = plan_of(SLOW, **both.plan_inputs)
    each = {found.application: found for found in application_commits(plan, both)}
    assert set(each) == {"db1", "kv"}
    alone = application_commits(plan, on_drive(answer_of("etcd", {}), SLOW))[0]
    assert each["kv"].quantiles_s[99.0].typical > 1.1 * alone.quantiles_s[99.0].typical
    longest = max(each.values(), key=lambda one: one.quantiles_s[99.0].typical)
    text = verdict(plan, application=both).worst.text
    assert worst_commits(plan, both).application == "kv"  # it alone has a limit, and may miss it
    assert text.startswith("Probably within 10 ms. 99 % of commits of kv take at most ")
    asked = plan_of(SLOW, commit_p99="1 s", **both.plan_inputs)
    assert worst_commits(asked, both).application == longest.application


def test_scripts_take_several_applications():
    apps = ["db1=postgres-oltp", "etcd"]
    inputs = {"db1": {"transactions_per_s": 300}, "etcd": {"puts_per_s": 77}}
    texts = {"db1.transactions_per_s": "300", "etcd.puts_per_s": "77"}
    expected = answer_of(apps, texts, on=["dm-crypt"])
    assert ssd.app(apps, **inputs, on=["dm-crypt"]).record.record == expected.record
    plan = ssd.plan(SLOW, app=apps, app_inputs=inputs, on="dm-crypt")
    assert plan.application.record == on_drive(expected, SLOW).record
    assert ssd.plan(SLOW, app=apps, app_inputs=texts, on=["dm-crypt"]).wear == plan.wear
    with pytest.raises(DomainError, match="on applies to an application: app names it"):
        ssd.plan(SLOW, on="dm-crypt")
    for wrong in (5, [], [5]):
        with pytest.raises(DomainError, match="app must be one of "):
            ssd.app(wrong)


# Workbooks


def sheet_of(data):
    """The sheet Application of a workbook: its rows by their heads, as values and as formulas."""
    openpyxl = pytest.importorskip("openpyxl")
    books = [openpyxl.load_workbook(io.BytesIO(data), data_only=read) for read in (True, False)]
    return [{row[0].value: [cell.value for cell in row[1:5]] for row in book["Application"].rows}
            for book in books]  # fmt: skip


def assert_same(data, application):
    values, formulas = sheet_of(data)
    got = values["The drive receives"][:3]
    assert got == pytest.approx([rate * 86_400 / 1e9 for rate in at_drive(application)])
    for name, figure in application.by_layer.items():
        assert values[name][:3] == pytest.approx([rate * 86_400 / 1e9 for rate in figure])
    assert formulas["The drive receives"][1].startswith("=SUM(C6:C")
    for name in application.preset.inputs:
        known = [None if end == "" else end for end in application.input_figure(name)]
        assert values[name][:3] == pytest.approx(known) if known[0] is not None else True
    assert [*values][:2] == [f"Application: {application.preset.name}", application.sentence]


def test_workbooks_of_a_plan_and_of_a_purchase_have_the_applications(tmp_path):
    words = ["--app", "db1=etcd", "--in", "puts_per_s=50", "--app", "kv=etcd", "--on", "dm-crypt"]
    plan = ssd.plan(SLOW, app=["db1=etcd", "kv=etcd"], app_inputs={"db1.puts_per_s": 50},
                    on="kv.dm-crypt")  # fmt: skip
    plan.to_excel(tmp_path / "plan.xlsx")
    assert_same((tmp_path / "plan.xlsx").read_bytes(), plan.application)
    paths = {name: str(tmp_path / f"{name}.xlsx") for name in ("export", "choose")}
    assert main(["export", "--drive", SLOW, *words, "-o", paths["export"]]) == 0
    assert_same((tmp_path / "export.xlsx").read_bytes(), plan.application)
    grid = ["--drive", SLOW, "--usable", "900GB", "--drives", "2", "--raid", "1"]
    assert main(["choose", *grid, *words, "--xlsx", paths["choose"]]) == 0
    chosen = answer_of(["db1=etcd", "kv=etcd"], {"db1.puts_per_s": "50"}, on=["kv.dm-crypt"])
    assert_same((tmp_path / "choose.xlsx").read_bytes(), chosen)
