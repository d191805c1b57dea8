"""Sweeps: grids crossed, points that are refused, tables that a stop or a kill do not change."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import dask
import pyarrow.parquet as pq
import pytest

from planner.cli import main
from planner.export.sweep_table import Parts
from planner.forecast.fleet.cluster import cluster
from planner.search.points import from_json, row_of, shards
from tests import loopback_cluster

DRIVE = {"blocks": "40", "pages": "16", "warmup": "1", "measure": "1"}
RUNS = {"op": ["0.1", "0.2", "0.3"], "collection": ["greedy", "fifo"], "trim": "0%,10%,20%"}
MANY = {"from": 1, "to": 9, "points": 10**4}
KILLED = """
import os, signal, sys
from planner.cli import main
from planner.export import sweep_table
add = sweep_table.Parts.add
def add_and_die(self, shard, rows):
    add(self, shard, rows)
    if len(self.done()) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
sweep_table.Parts.add = add_and_die
main(sys.argv[1:])
"""


def text(command="simulate", seed=1, **options):
    return json.dumps(
        {"ssd_planner_sweep": 1, "command": command, "seed": seed, "options": options}
    )


@pytest.fixture
def sweep(tmp_path):
    """Write a grid and run it; return the arguments too."""

    def prepared(written, name="table.parquet"):
        grid = tmp_path / "grid.json"
        grid.write_text(written)
        return ["sweep", "--grid", str(grid), "--out", str(tmp_path / name), "--workers", "1"]

    return prepared


def table_of(arguments):
    return pq.read_table(arguments[4])


def test_lists_and_ranges_are_crossed_and_answers_are_those_of_the_command(sweep, capsys):
    writes = {"from": "1 TB/day", "to": "4 TB/day", "points": 3, "log": True}
    grid = text("plan", drive="845DC PRO 400", writes=writes, drives="2-4", spare=["0%", "28%"])
    call = sweep(grid)
    assert main([*call, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"points": 18, "failed": 0, "out": call[4]}
    rows = table_of(call).to_pylist()
    assert [row["point"] for row in rows] == list(range(18))
    assert [row["writes"] for row in rows[::6]] == ["1 TB/day", "2 TB/day", "4 TB/day"]
    assert [(row["drives"], row["spare"]) for row in rows[:3]] == [
        ("2", "0%"), ("2", "28%"), ("3", "0%"),
    ]  # fmt: skip
    main(
        [
            "plan",
            "845DC PRO 400",
            "--writes",
            "2TB/day",
            "--drives",
            "4",
            "--spare",
            "28%",
            "--json",
        ]
    )
    answers = json.loads(capsys.readouterr().out)["answers"]
    assert {key: rows[11][key] for key in ("workload_wa", "wear_life_s", "budget_iops")} == {
        key: answers[key] for key in ("workload_wa", "wear_life_s", "budget_iops")
    }


@pytest.mark.parametrize(
    ("command", "key"), [("array", "array_loss_probability"), ("speed", "steady_write_iops")]
)
def test_arrays_and_speeds_are_those_of_their_commands(command, key, capsys):
    grid = from_json(text(command, drive="845DC PRO 400", drives="4", raid="5", writes="1 TB/day"))
    row = row_of(grid.point(0))
    main(
        [command, "845DC PRO 400", "--drives", "4", "--raid", "5", "--writes", "1TB/day", "--json"]
    )
    printed = capsys.readouterr().out
    assert row["error"] is None
    assert row[key] is not None
    assert json.dumps(row[key]) in printed


def test_a_bad_point_is_a_row_that_says_why(sweep, capsys):
    call = sweep(text(**DRIVE, op=["0.2", "-1", "words"], collection=["greedy", "best"]))
    assert main([*call[:-1], "2"]) == 0
    assert capsys.readouterr().out == f"6 points, 5 of them refused (column error): {call[4]}\n"
    rows = table_of(call).to_pylist()
    assert [row["error"] is None for row in rows] == [True, *[False] * 5]
    assert rows[1]["error"].startswith("collection must be one of greedy")
    assert rows[4]["error"] == "op must be a share such as 70% or 0.7, got 'words'"
    assert rows[0]["wa"] > 1
    assert rows[1]["wa"] is None


def test_every_point_has_a_seed_of_its_own_that_follows_from_that_of_the_grid():
    one, other, again = (
        [row_of(from_json(text(seed=seed, **DRIVE, op=["0.2", "0.20"])).point(k)) for k in (0, 1)]
        for seed in (1, 2, 1)
    )
    seeds = [row["seed"] for row in one + other]
    assert len(set(seeds)) == 4
    assert one == again
    assert (one[0]["copies"], one[0]["wa_low"]) != (one[1]["copies"], one[1]["wa_low"])
    stated = {"ssd_planner_sweep": 1, "command": "simulate", "options": DRIVE | {"seed": 7}}
    assert row_of(from_json(json.dumps(stated)).point(0))["seed"] == "7"


def test_a_sweep_that_was_killed_or_stopped_ends_in_the_same_bytes(sweep, capsys, monkeypatch):
    grid = text(**DRIVE, **RUNS)
    whole, killed, stopped = (sweep(grid, f"{name}.parquet") for name in ("a", "b", "c"))
    assert main(whole) == 0
    expected = Path(whole[4]).read_bytes()

    child = subprocess.run([sys.executable, "-c", KILLED, *killed], check=False)
    assert child.returncode == -signal.SIGKILL
    assert main(killed) == 0
    assert Path(killed[4]).read_bytes() == expected

    add = Parts.add

    def stopping(self, shard, rows):
        add(self, shard, rows)
        if shard == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Parts, "add", stopping)
    capsys.readouterr()
    assert main(stopped) == 130
    assert capsys.readouterr().err == (
        f"Stopped. 12 of 18 points are kept in '{stopped[4]}.parts'; the same command goes on from "
        "there.\n"
    )
    other = sweep(text(**DRIVE, op="0.5"), "c.parquet")
    assert main(other) == 2
    assert "holds a sweep of another grid" in capsys.readouterr().err
    monkeypatch.undo()
    assert main(sweep(grid, "c.parquet")) == 0
    assert Path(stopped[4]).read_bytes() == expected
    assert not Parts(Path(stopped[4]), from_json(grid)).folder.exists()


def test_an_executor_gives_the_same_rows_in_any_order():
    grid = from_json(text(**DRIVE, **RUNS))
    alone = dict(shards(grid, done={1}, executor=None, workers=1))
    with ThreadPoolExecutor(2) as pool:
        assert dict(shards(grid, done={1}, executor=pool, workers=2)) == alone
    assert sorted(alone) == [0, 2, 3, 4]


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        ("[", "is no JSON"),
        ("{}", 'is not a grid: "ssd_planner_sweep": 1 is missing'),
        (text("choose", a="1"), '"command" must be one of plan, array, speed, simulate'),
        (text("plan"), 'holds no "options"'),
        (text("plan", colour="red"), "option 'colour' is not an input of plan"),
        (text("simulate", drive="x"), "option 'drive' is not an input of simulate"),
        (text("plan", writes=[]), "option 'writes' must be a text, a list of texts or a range"),
        (text("plan", writes={"from": "1"}), "option 'writes' must be a range such as"),
        (text("plan", writes={"from": "1 TB/day", "to": "2 GB/day", "points": 2}), "one unit"),
        (text("plan", seed=-1, writes="1"), '"seed" must be a whole number from 0'),
        (text("plan", size=MANY, depth=MANY), "has 100,000,000 points; at most 10,000,000"),
    ],
)  # fmt: skip
def test_a_grid_that_cannot_be_read_is_one_sentence(sweep, capsys, grid, why):
    assert main(sweep(grid)) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert why in out.err
    assert out.err.count("\n") == 1


@pytest.mark.parametrize(("settings", "lost"), [({}, 0), (loopback_cluster.GIVES_UP, 1)])
def test_a_cluster_whose_worker_is_killed_ends_in_the_same_bytes(
    sweep, tmp_path, monkeypatch, settings, lost
):
    grid = text(**DRIVE, **RUNS)
    alone, across = sweep(grid, "a.parquet"), sweep(grid, "b.parquet")
    assert main(alone) == 0
    kills = []

    @contextmanager
    def killing(address):
        with cluster(address) as found:
            kills.append(loopback_cluster.Killing(found.executor, tmp_path))
            yield found._replace(executor=kills[0])

    monkeypatch.setattr("planner.forecast.fleet.cluster.cluster", killing)
    with loopback_cluster.running(tmp_path, settings) as address:
        assert main([*across, "--scheduler", address]) == 0
        assert kills[0].killed
        assert len(kills[0].futures) > 3
        assert (kills[0].lost > 0) == lost
    assert Path(across[4]).read_bytes() == Path(alone[4]).read_bytes()


def test_a_cluster_behind_tls_gives_the_same_bytes(sweep, tmp_path):
    grid = text(**DRIVE, op=["0", "0.1"])
    alone, across = sweep(grid, "a.parquet"), sweep(grid, "b.parquet")
    assert main(alone) == 0
    settings = loopback_cluster.tls_settings(tmp_path)
    with (
        dask.config.set(loopback_cluster.tls_client(tmp_path)),
        loopback_cluster.running(tmp_path, settings, protocol="tls") as address,
    ):
        assert main([*across, "--scheduler", address]) == 0
        plain = address.replace("tls", "tcp")
        assert main([*sweep(grid, "c.parquet"), "--scheduler", plain]) == 2
    assert Path(across[4]).read_bytes() == Path(alone[4]).read_bytes()


def test_a_process_that_is_killed_loses_nothing():
    grid = from_json(text(**DRIVE, **RUNS))
    alone = dict(shards(grid, done=(), executor=None, workers=1))
    with ProcessPoolExecutor(1) as pool:
        pool.submit(os.getpid).result()
        (worker,) = pool._processes
        os.kill(worker, signal.SIGKILL)
        assert dict(shards(grid, done=(), executor=pool, workers=1)) == alone


def test_a_cluster_needs_an_address_workers_and_its_library(sweep, tmp_path, capsys, monkeypatch):
    def refusal(address):
        assert main([*sweep(text(**DRIVE)), "--scheduler", address]) == 2
        return capsys.readouterr().err

    assert "--scheduler 'nowhere' does not answer" in refusal("nowhere")
    with loopback_cluster.running(tmp_path, workers=0) as address:
        assert f"--scheduler '{address}' has no workers" in refusal(address)
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "--scheduler needs dask.distributed: pip install" in refusal("tcp://127.0.0.1:1")
