"""The fit of an application to its counters by commands and by scripts."""

import json

import pytest

import planner as ssd
from models.errors import DomainError
from planner.cli import main

PROC = "wchar: {}\nwrite_bytes: {}\ncancelled_write_bytes: 0\n"
VIEWS = """\
now|wal_records|wal_fpi|wal_bytes|wal_sync|wal_sync_time
2026-11-28 04:5{minute}:00+00|{n}|{images}|{log}|{syncs}|{waited}

datid|datname|xact_commit
5|shop|{n}

buffers_checkpoint|buffers_clean|buffers_backend|checkpoints_timed|checkpoints_req
{pages}|0|0|{minute}|0

relid|relname|n_tup_ins|n_tup_upd|n_tup_del|n_tup_hot_upd|n_live_tup
7|orders|0|{n}|0|0|200000

"""
# The first load of the table of re-planning, by its counts per transaction.
PER_TX = {"images": 0.4066, "log": 3500.9, "pages": 0.4222, "syncs": 0.9183, "waited": 1.178}
STATED = ("rows=200000", "row_bytes=200", "fillfactor=0.9", "checkpoint_timeout_s=60",
          "max_wal_bytes=8e9")  # fmt: skip


@pytest.fixture
def readings(tmp_path):
    paths = []
    for minute, transactions in ((0, 1e6), (2, 1e6 + 36_096)):
        numbers = {name: round(each * transactions) for name, each in PER_TX.items()}
        path = tmp_path / f"{minute}.txt"
        path.write_text(VIEWS.format(minute=minute, n=round(transactions), **numbers))
        paths.append(str(path))
    return paths


def asked(capsys, *words):
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def options(readings):
    return [*(word for path in readings for word in ("--measured", path)),
            *(word for text in STATED for word in ("--in", text))]  # fmt: skip


def test_the_command_fits_and_saves_what_scenarios_open_with_equal_answers(
    readings, tmp_path, capsys
):
    path = str(tmp_path / "fitted.json")
    words = ("app", "postgres-oltp", *options(readings), "--save", path, "--drive", "870 EVO 1TB")
    code, answer = asked(capsys, *words)
    assert code == 0
    rows = {row["quantity"]: row for row in answer["measured"]}
    assert rows["images_per_s"]["counted"] == pytest.approx(300.8 * 0.4066, rel=1e-3)
    for row in rows.values():
        assert set(row) == {"quantity", "counted", "model", "ratio", "fitted", "fitted_ratio"}
        if row["counted"]:
            assert 0.9 <= row["fitted_ratio"] <= 1.1
    assert answer["fitted"]["indexes"]["typical"] == pytest.approx(1.09, abs=0.05)
    assert answer["fitted"]["kind"]["text"] == "update"
    device = answer["device_bytes_per_s"]
    assert device["typical"] == pytest.approx(14_555 * 300.8, rel=0.03)
    _, again = asked(capsys, "app", "--scenario", path)
    assert again["device_bytes_per_s"] == device
    assert again["verdict"] == answer["verdict"]
    _, plan = asked(capsys, "plan", "--scenario", path)
    assert plan["verdict"] == answer["verdict"]
    _, twice = asked(capsys, "app", "--scenario", path, "--in", "transactions_per_s=601.6")
    assert twice["inputs"]["indexes"] == again["inputs"]["indexes"]
    assert 1.2 < twice["device_bytes_per_s"]["typical"] / device["typical"] < 2


def test_the_command_prints_counts_beside_the_model_before_and_after(readings, capsys):
    assert main(["app", "postgres-oltp", *options(readings)]) == 0
    printed = capsys.readouterr().out
    head = next(line for line in printed.splitlines() if line.startswith("Counter"))
    assert head.split("  ")[0] == "Counter"
    for word in ("Counted", "Model before", "Model fitted"):
        assert word in head
    assert "Fitted: rows_per_transaction=1, transactions_per_s=" in printed


def test_a_script_fits_as_the_command(readings, capsys):
    stated = dict(text.split("=") for text in STATED)
    found = ssd.fit_app("postgres-oltp", *readings, **stated)
    _, answer = asked(capsys, "app", "postgres-oltp", *options(readings))
    assert found.app.writes.base == answer["device_bytes_per_s"]["typical"]
    assert list(found.fitted) == list(answer["fitted"])
    frame = found.to_frame()
    assert frame["counted"].tolist() == [row["counted"] for row in answer["measured"]]
    plan = ssd.plan("870 EVO 1TB", app="postgres-oltp", app_inputs=found.app_inputs)
    assert plan.application.figures == found.app.record.figures
    with pytest.raises(DomainError, match=r"nowhere\.txt cannot be read: No such file"):
        ssd.fit_app("postgres-oltp", "nowhere.txt")
    with pytest.raises(DomainError, match="over must be"):
        ssd.fit_app("postgres-oltp", *readings, over="5 apples")


def files(folder, *texts):
    paths = [folder / f"{number}.txt" for number, _ in enumerate(texts)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return [word for path in paths for word in ("--measured", str(path))]


def test_two_readings_of_a_process_correct_what_is_left(tmp_path, capsys):
    """SQLite as counted: 7,589 bytes passed and 7,608 at the drive a transaction, unsynced."""
    first, second = PROC.format(0, 0), PROC.format(75_890_000, 76_080_000)
    words = ("sqlite-wal", "--in", "transactions_per_s=100", "--in", "synchronous=normal", "--in",
             "row_bytes=107", *files(tmp_path, first, second), "--over", "100s")  # fmt: skip
    code, answer = asked(capsys, "app", *words)
    assert code == 0
    rows = {row["quantity"]: row for row in answer["measured"]}
    assert set(rows) == {"data_bytes / file_bytes", "file_bytes_per_s", "data_bytes_per_s"}
    assert rows["file_bytes_per_s"]["counted"] == pytest.approx(758_900)
    for row in rows.values():
        assert row["ratio"] == pytest.approx(1, abs=0.01)
    assert rows["data_bytes_per_s"]["fitted_ratio"] == pytest.approx(1, abs=1e-3)
    assert list(answer["fitted"]) == ["correction"]


@pytest.mark.parametrize(
    ("texts", "further", "sentence"),
    [
        (["nothing of the kind"], (), "--measured: 0.txt: must be one of pg_stat_wal"),
        ([PROC.format(5, 9)], (), "--measured: /proc/PID/io: must be two readings"),
        ([PROC.format(5, 9), PROC.format(6, 10)], (), "over must be the time between the two"),
        ([], ("--over", "5s"), "--over applies to the two readings of --measured"),
        ([], ("--device", "sda"), "--device applies to the two readings of --measured"),
    ],
)
def test_what_cannot_be_compared_is_refused(texts, further, sentence, tmp_path, capsys):
    code, answer = asked(capsys, "app", "postgres-oltp", *files(tmp_path, *texts), *further)
    assert code == 2
    assert sentence in answer["error"]["message"]
