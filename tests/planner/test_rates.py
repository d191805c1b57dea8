"""Converter of IOPS, throughput, latency and queue depth, on every face."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import planner as ssd
from models.errors import DomainError
from planner.cli import cli
from planner.sections.rates import rates
from tests.published import Printed

# Two rows of the RAPID table of the 840 EVO review: 4 KiB writes at queue depth 1.
RAPID = [("22769.31", "93.26", "43.5"), ("73466.28", "300.92", "13.5")]


def speed(*arguments):
    return CliRunner().invoke(cli, ["speed", *arguments])


@pytest.mark.parametrize(("iops", "mb_per_s", "mean_us"), RAPID)
def test_a_row_of_a_review_follows_from_one_of_its_figures(iops, mb_per_s, mean_us):
    found = ssd.rates(iops=float(iops), depth=1)
    assert Printed(mb_per_s).admits(found.throughput.base / 1e6)
    assert found.latency.base == pytest.approx(1 / float(iops))
    together = ssd.rates(iops=float(iops), depth=1, latency=f"{mean_us} us", size="4 KiB",
                         throughput=f"{mb_per_s} MB/s")  # fmt: skip
    assert together.latency.base == pytest.approx(float(mean_us) * 1e-6)


def test_the_longest_latency_is_worst_case_iops():
    done = speed("--depth", "32", "--latency", "6.4ms")
    assert done.exit_code == 0
    assert "5,000 IOPS are the worst case at queue depth 32" in " ".join(done.output.split())


AMOUNTS = st.floats(1e-3, 1e6)


@given(iops=AMOUNTS, latency_s=AMOUNTS, size=st.floats(512, 2**20))
def test_any_figures_that_suffice_give_the_others(iops, latency_s, size):
    depth = iops * latency_s
    whole = {"iops": iops, "latency_s": latency_s, "queue_depth": depth, "transfer_bytes": size,
             "throughput_bytes_per_s": iops * size}  # fmt: skip
    for names in (
        ("iops", "latency_s"), ("iops", "queue_depth"), ("latency_s", "queue_depth"),
        ("throughput_bytes_per_s", "queue_depth"), ("throughput_bytes_per_s", "latency_s"),
    ):  # fmt: skip
        stated = {name: whole[name] for name in (*names, "transfer_bytes")}
        found = {answer.key: answer.value for answer in rates(stated).answers}
        assert found == pytest.approx(whole, rel=1e-9)
    both = rates({name: whole[name] for name in ("iops", "throughput_bytes_per_s")})
    assert {answer.key: answer.value for answer in both.answers}["transfer_bytes"] == pytest.approx(
        size
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--iops", "22769", "--depth", "32", "--latency", "43.5us"],
         "--depth must agree with the others within 2 %: 22,769 IOPS of 43.5 us give 0.9905"),
        (["--iops", "100", "--size", "4KiB", "--throughput", "500MB/s"],
         "give 0.4096 MB/s, 99.9 % off 500 MB/s"),
        (["--iops", "1000", "--size", "4KiB", "--throughput", "1MB/s"], "4.1 times 1 MB/s"),
        (["--latency", "5ms"], "--iops must be stated, or throughput, or both latency and depth"),
        (["--iops", "-3"], "--iops must be from 1 to 1e+15 IOPS, got '-3'"),
        (["840 EVO 250", "--iops", "3"], "name no drive with these options"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_or_is_too_little_is_refused(arguments, sentence):
    done = speed(*arguments)
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.split())


def test_scripts_refuse_by_their_own_names():
    with pytest.raises(DomainError, match=r"^depth must agree with the others within 2 %"):
        ssd.rates(iops=1000, latency="1 ms", depth=4)
    with pytest.raises(DomainError, match="queue"):
        ssd.rates(queue=4)


def test_json_has_base_units():
    done = speed("--iops", "22769", "--size", "4KiB", "--depth", "1", "--json")
    assert json.loads(done.output) == pytest.approx(
        {"iops": 22769, "throughput_bytes_per_s": 22769 * 4096, "latency_s": 1 / 22769,
         "queue_depth": 1, "transfer_bytes": 4096}
    )  # fmt: skip
