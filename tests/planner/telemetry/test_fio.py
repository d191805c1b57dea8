"""Output of fio: numbers against what was put in, against Little's law and SNIA's test."""

import json
import random
import re

import numpy as np
import pytest

from planner.telemetry import as_record, read
from tests import synthetic_fio as made
from tests.telemetry_samples import files


def sample(name):
    return files()[f"fio/{name}"]


def jobs(data):
    reading = read("result.json", data)
    assert reading.refused is None
    assert reading.kind == "fio JSON"
    return reading.workload.jobs


def course(data, name="test_iops.1.log"):
    reading = read(name, data)
    assert reading.refused is None
    (one,) = reading.workload.courses
    return one


def test_units_and_fields():
    (got,) = jobs(made.encoded(made.run(made.reads(8, 40e3, quantiles={99.0: 500e-6}))))
    one = got.only
    assert (one.kind, one.iops, one.transfer_bytes, one.runtime_s) == ("read", 40e3, 4096, 10)
    assert one.bytes_per_s == 40e3 * 4096
    assert one.mean_latency_s == pytest.approx(200e-6)
    assert one.quantiles_s == {99.0: pytest.approx(500e-6)}
    assert one.fields["mean_latency_s"] == "jobs[0].read.lat_ns.mean"
    assert (got.queue_depth, got.pattern, got.read_fraction) == (8, "random", 1)
    assert got.little_error == pytest.approx(0, abs=1e-6)
    assert got.depths == {1.0: pytest.approx(0.001), 32.0: pytest.approx(0.999)}


@pytest.mark.parametrize(("lat", "unit"), [("lat_ns", 1), ("lat_us", 1e3), ("lat_ms", 1e6)])
def test_the_suffix_says_the_unit(lat, unit):
    told = made.direction(1e3, mean_s=4e-3, lat=lat)
    told[lat] = {key: value / unit for key, value in told[lat].items()}
    (got,) = jobs(made.encoded(made.run(made.job(rw="randread", iodepth=4, read=told))))
    assert got.only.mean_latency_s == pytest.approx(4e-3)
    assert got.only.latency_of == lat


def test_fio_2_had_microseconds_and_kibibytes():
    data = made.encoded(made.run_of_fio_2(8e3, 4e-3, iodepth="32", ioengine="libaio"))
    (got,) = jobs(data)
    assert got.only.bytes_per_s == pytest.approx(8e3 * 4096, rel=1e-3)
    assert got.only.mean_latency_s == pytest.approx(4e-3)
    assert got.only.quantiles_s == {99.0: pytest.approx(5e-3)}
    assert got.little_error == pytest.approx(0, abs=1e-6)


def test_latency_without_submission_is_said():
    one = made.reads(4, 1e4)
    del one["read"]["lat_ns"]
    reading = read("a.json", made.encoded(made.run(one)))
    assert reading.workload.jobs[0].only.latency_of == "clat_ns"
    assert any("completion latency" in note for note in reading.notes)


def test_a_discrepancy_of_littles_law_is_reported_with_its_size():
    one = made.job("slow", rw="randread", iodepth=32, read=made.direction(1e4, mean_s=1.6e-3))
    reading = read("a.json", made.encoded(made.run(one)))
    (got,) = reading.workload.jobs
    assert got.outstanding == pytest.approx(16)
    assert got.little_error == pytest.approx(-0.5)
    (note,) = reading.notes
    assert "16 operations" in note
    assert "-50.0 %" in note


def test_a_note_names_a_job_in_one_short_line():
    named = made.run(made.reads(8, 1e4, name="a\x1b[2J\n" + "n" * 500, rate_iops=10**4))
    (note, *_) = read("a.json", made.encoded(named)).notes
    assert len(note) < 200
    assert note.isprintable()


def test_a_rate_explains_why_the_depth_is_not_reached():
    one = made.job(
        "paced", rw="randread", iodepth=32, rate_iops=100, read=made.direction(1e2, mean_s=1e-3)
    )
    reading = read("a.json", made.encoded(made.run(one)))
    assert reading.workload.jobs[0].is_paced
    assert "because of a rate limit" in reading.notes[0]


def test_a_synchronous_engine_has_one_operation_at_a_time():
    one = made.reads(1, 1e4)
    one["job options"] |= {"iodepth": "64", "ioengine": "psync", "numjobs": "4"}
    one["read"] = made.direction(4e4, mean_s=100e-6)
    (got,) = jobs(made.encoded(made.run(one)))
    assert (got.queue_depth, got.clones) == (4, 4)
    assert got.little_error == pytest.approx(0, abs=1e-6)


def test_clones_become_one_job():
    fast, slow = {1000: 900, 5000: 100}, {9000: 100}
    clones = [
        made.reads(4, 9e3, name="many", numjobs=2, bins=fast),
        made.reads(4, 1e3, name="many", numjobs=2, bins=slow),
    ]
    (got,) = jobs(made.encoded(made.run(*clones)))
    assert (got.clones, got.queue_depth, got.only.iops) == (2, 8, 1e4)
    assert got.only.mean_latency_s == pytest.approx(8 / 1e4)
    assert got.little_error == pytest.approx(0, abs=1e-6)
    assert got.only.quantiles_s == {50: pytest.approx(1e-6), 90: pytest.approx(5e-6),
                                    99: pytest.approx(9e-6), 99.9: pytest.approx(9e-6)}  # fmt: skip


def test_bins_give_the_percentiles_of_what_was_counted():
    rng = np.random.default_rng(1)
    latencies = np.sort(rng.integers(1000, 90_000, 20_000))
    values, counts = np.unique(latencies, return_counts=True)
    bins = dict(zip(values.tolist(), counts.tolist(), strict=True))
    (got,) = jobs(made.encoded(made.run(made.reads(4, 1e4, bins=bins))))
    for percent in (50.0, 90.0, 99.0, 99.9, 99.99):
        wanted = np.percentile(latencies, percent, method="inverted_cdf") * 1e-9
        assert got.only.quantiles_s[percent] == pytest.approx(wanted)
    assert 99.999 not in got.only.quantiles_s


def test_several_jobs_become_a_curve_over_the_depth():
    rates = {1: 10e3, 4: 38e3, 32: 90e3}
    alone = [made.reads(depth, iops, group=depth) for depth, iops in rates.items()]
    other = made.reads(16, 30e3, group=99, bs="16k")
    other["read"] = made.direction(30e3, mean_s=16 / 30e3, bs=16384)
    data = made.encoded(made.run(alone[2], other, alone[0]), made.run(alone[1]))
    (curve,) = read("a.json", data).workload.curves
    assert dict(zip(curve.queue_depths, curve.iops, strict=True)) == rates
    assert curve.queue_depths == (1, 4, 32)
    assert (curve.kind, curve.pattern, curve.transfer_bytes) == ("read", "random", 4096)


def test_jobs_that_ran_together_or_at_a_rate_are_no_curve():
    together = [made.reads(1, 1e4), made.reads(4, 3e4)]
    paced = [made.reads(d, 1e3, group=d, name=f"p{d}", rate_iops=1000) for d in (1, 4)]
    got = read("a.json", made.encoded(made.run(*together, *paced))).workload
    assert got.curves == ()
    assert got.jobs[0].beside == ("reads-4",)


PROSE = """fio: this is a note {not JSON}
seq: (g=0): rw=read, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=1
fio-3.33
Starting 1 process
[{]
"""


@pytest.mark.parametrize("before", ["", PROSE, "\ufeff", "\r\n\r\n"], ids=range(4))
@pytest.mark.parametrize(
    "after", ["", PROSE, "}\n", "\nRun status group 0 (all jobs):\n"], ids=range(4)
)
@pytest.mark.parametrize("indent", [None, 2])
def test_text_around_the_documents_changes_nothing(before, after, indent):
    document = made.run(made.reads(8, 40e3))
    bare = json.dumps(document, indent=indent)
    (alone,) = jobs(bare.encode())
    first, second = jobs((before + bare + "\n" + after + bare + "\n" + after).encode())
    assert first.directions == second.directions == alone.directions
    (windows,) = jobs((before + bare + "\n" + after).replace("\n", "\r\n").encode())
    assert windows == alone


def test_a_complaint_names_the_line_of_the_whole_file():
    broken = json.dumps(made.run(made.reads(8, 40e3)), indent=2).replace(
        '"iops": 40000.0', '"iops": -1'
    )
    reading = read("a.json", (PROSE + broken).encode())
    assert reading.refused == "a.json: line 6: jobs[0].read.iops is negative"
    assert read("a.json", (PROSE + broken[:300]).encode()).refused.endswith("the file is cut off")


@pytest.mark.parametrize(
    ("data", "statement"),
    [
        (b"fio-3.33\na: (groupid=0, jobs=1): err= 0: pid=1\n  read: IOPS=20\n",
         "line 2: is fio's normal output"),
        (b"3;fio-3.33;seqread;0;0;1234;5678;1419\n", "line 1: is fio's terse output"),
        (b'{"fio version": "fio-3.33", "jobs": []}', "line 1: contains no job of fio"),
    ],
)  # fmt: skip
def test_output_without_jobs_in_json_is_refused_with_the_way_out(data, statement):
    told = f"a.txt: {statement}: run fio with --output-format=json"
    assert read("a.txt", data).refused == told


@pytest.mark.parametrize(("word", "refused"), [("-nan", False), ("nan", False), ("inf", False)])
def test_a_deviation_that_is_no_number_is_passed_over(word, refused):
    data = made.encoded(made.run(made.reads(8, 40e3))).replace(
        b'"iops_stddev": 0.0', b'"iops_stddev" : ' + word.encode()
    )
    (got,) = jobs(data)
    assert got.only.iops_sd is None


@pytest.mark.parametrize(
    ("field", "number", "statement"),
    [
        ("runtime", "1e-320", "too small"), ("runtime", "1e19", "too large"),
        ("iops", "-1", "negative"), ("bw_bytes", "NaN", "not a number"),
    ],
)  # fmt: skip
def test_a_number_that_cannot_be_is_refused_by_its_field(field, number, statement):
    data = re.sub(
        rf'"{field}": [1-9][0-9.]*'.encode(), f'"{field}": {number}'.encode(),
        made.encoded(made.run(made.reads(8, 40e3))), count=1,
    )  # fmt: skip
    assert read("a.json", data).refused == f"a.json: line 1: jobs[0].read.{field} is {statement}"


# --- logs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tail", [", 4096", ", 0, 0", ", 4096, 8192", ", 0, 0, 0x0", ", 0, 0, 0, 77"]
)
def test_columns_of_every_version(tail):
    got = course(made.log([100, 200, 300], tail=tail))
    assert (got.kind, got.values, got.seconds) == ("write", (100, 200, 300), (1, 2, 3))


def test_mean_and_largest_value_of_a_window():
    assert course(b"1000, 100, 900, 1, 0, 0\n2000, 200, 901, 1, 0, 0\n").values == (100, 200)


@pytest.mark.parametrize(
    ("name", "quantity", "value"),
    [("a_iops.1.log", "iops", 100), ("x/a_bw.log", "bytes_per_s", 102_400),
     ("lat.log", "lat_s", 1e-7), ("C:\\a_slat.1.log", "slat_s", 1e-7),
     ("a_b_clat.12.log", "clat_s", 1e-7)],
)  # fmt: skip
def test_the_name_says_what_the_values_are(name, quantity, value):
    got = course(made.log([100, 100]), name)
    assert (got.quantity, got.values[0]) == (quantity, pytest.approx(value))


def test_a_name_that_does_not_say_it_is_refused():
    assert "only the name" in read("fio.log", made.log([100, 200])).refused


def test_half_seconds_become_seconds_and_directions_stay_apart():
    rows = ("500, 10, 0", "500, 1, 1", "1000, 30, 0", "1000, 3, 1", "1501, 5, 0")
    lines = "".join(f"{row}, 0, 0\n" for row in rows).encode()
    reads, writes = read("a_iops.log", lines).workload.courses
    assert (reads.kind, reads.values, reads.seconds) == ("read", (20, 5), (1, 2))
    assert (writes.kind, writes.values) == ("write", (2,))


def test_seconds_without_a_line_are_zero_for_a_rate_only():
    lines = b"1000, 10, 1, 0, 0\n2000, 10, 1, 0, 0\n3000, 10, 1, 0, 0\n5000, 30, 1, 0, 0\n"
    reading = read("a_iops.log", lines)
    (rate,) = reading.workload.courses
    assert rate.values == (10, 10, 10, 0, 30)
    assert rate.consistency.minimum == 0
    assert "1 periods without a line" in reading.notes[0]
    assert course(lines, "a_lat.log").values == pytest.approx((1e-8, 1e-8, 1e-8, 3e-8))


def test_coarser_logs_have_longer_periods():
    got = course(made.log([7] * 10, period_ms=10_000, start_ms=10_000))
    assert (got.period_s, got.consistency.round_s) == (10, 20)


def test_a_consistency_test_shows_cliff_steady_state_minimum_and_deviation():
    rng = random.Random(3)  # noqa: S311 - repeatable, not secret
    steady = [30_000 + rng.choice([-600, 600]) for _ in range(1200)]
    trough = [20_000 + 50 * second for second in range(200)]
    steady[700] = 11_000
    got = course(made.log([90_000] * 400 + trough + steady)).consistency
    assert got.cliff_s == pytest.approx(400, abs=2)
    assert got.before_cliff == pytest.approx(90_000, rel=0.01)
    assert got.is_steady
    assert 540 <= got.steady_from_s <= 660
    assert got.steady_mean == pytest.approx(30_000, rel=0.01)
    assert got.minimum == 11_000
    assert got.deviation == pytest.approx(800, rel=0.15)
    assert got.range_ratio < 0.02


def test_even_before_the_cliff_is_not_the_steady_state():
    got = course(made.log([90_000] * 600 + [30_000] * 200)).consistency
    assert got.cliff_s == 600
    assert got.steady_from_s is None
    assert not got.is_steady


def test_a_rate_that_keeps_falling_is_never_steady():
    got = course(made.log(np.geomspace(90_000, 9_000, 1200))).consistency
    assert got.is_steady is False
    assert got.steady_from_s is None


def test_rounds_of_snia_by_hand():
    """SCSI Toolbox, preconditioning log of 2012-10-11: range 0.050, slope 0.040 of the mean."""
    minutes = [22_890, 24_021, 24_060, 24_071, 24_071]
    got = course(made.log([rate for rate in minutes for _ in range(60)])).consistency
    mean = sum(minutes) / 5
    assert got.range_ratio == pytest.approx((24_071 - 22_890) / mean)
    slope = (-2 * minutes[0] - minutes[1] + minutes[3] + 2 * minutes[4]) / 10
    assert got.slope_ratio == pytest.approx(4 * slope / mean)
    assert got.is_steady
    assert got.cliff_s is None


@pytest.mark.parametrize(
    ("line", "statement"),
    [("-1, 5, 1, 0, 0", "contains a negative number"), ("1, nan, 1, 0", "is not a line of a log"),
     ("9999999999999999, 5, 1, 0", "contains a number that is too large"),
     ("1, 2", "is not a line"),
     ("2000, 5, 7, 0, 0", "is not a line of a log")],
)  # fmt: skip
def test_a_broken_line_is_refused_by_its_number_and_not_read_as_a_block_trace(line, statement):
    lines = ["1000, 5, 1, 0, 0", line, *["3000, 5, 1, 0, 0"] * 8]
    refused = read("a_iops.log", "\n".join(lines).encode()).refused
    assert refused.startswith(f"a_iops.log: line 2: {statement}")


def test_times_that_are_too_far_apart_are_refused():
    lines = b"1000, 5, 1, 0\n2000, 5, 1, 0\n3000, 5, 1, 0\n99999999999999, 5, 1, 0\n"
    assert "too far apart" in read("a_iops.log", lines).refused


def test_a_log_of_writes_is_no_block_trace():
    assert read("a_bw.log", b"500, 124800, 1, 0, 0\n1000, 113416, 1, 0, 0\n").kind == "fio log"
    trace = b"1538323199,105352008,584,1,1576\n1538323200,12022890,8,1,1576\n"
    assert read("t.csv", trace).kind == "block trace"


# --- real runs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["randwrite_qd32.json", "mixed7030_jsonplus.json"])
def test_littles_law_on_real_runs(name):
    found = jobs(sample(name))
    assert [job.queue_depth for job in found] == ([32] if "qd32" in name else [32, 4])
    for job in found:
        assert abs(job.little_error) < 0.001


def test_bins_agree_with_the_percentiles_that_fio_prints():
    document = json.loads(sample("mixed7030_jsonplus.json"))
    found = jobs(json.dumps(document).encode())
    for job in document["jobs"]:
        for kind in ("read", "write"):
            job[kind]["clat_ns"].pop("percentile", None)
    again = jobs(json.dumps(document).encode())
    for printed, counted in zip(found, again, strict=True):
        for one, other in zip(printed.directions, counted.directions, strict=True):
            common = set(one.quantiles_s) & set(other.quantiles_s)
            assert {50.0, 99.0, 99.9} <= common
            for percent in common:
                assert other.quantiles_s[percent] == pytest.approx(one.quantiles_s[percent])


@pytest.mark.parametrize("tag", ["bw", "iops", "lat", "clat", "slat"])
def test_real_logs_agree_with_the_run_that_wrote_them(tag):
    name = f"rw_{tag}.1.log"
    got = course(sample(name), name)
    assert got.consistency is not None
    json.dumps(as_record(read(name, sample(name))), allow_nan=False)
    assert len(got.values) == 4
