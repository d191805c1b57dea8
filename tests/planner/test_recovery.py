"""Recovery after a TRIM: the ends that need no model, and the law between them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import DomainError
from planner.catalogue import find
from planner.catalogue.drive import own_drive
from planner.scenario.workload import Workload
from planner.sections.recovery import recovery
from planner.sections.speed import speed

GENTLE = Workload(host_bytes_per_s=1e6)


def test_a_format_costs_one_erase_per_block(pro_400):
    answer = speed(pro_400, GENTLE)
    got = recovery(answer, trimmed_fraction=1)
    value = {name: node.value for name, node in got.restore_s.inputs.items()}
    blocks = answer.nodes["user_pages"].value * (1 + answer.op_ratio.value) / 512
    assert got.moved_pages.value == 0
    assert got.erased_blocks.value == pytest.approx(blocks)
    assert got.restore_s.value == pytest.approx(blocks * value["erase_s"] / value["dies"])


def test_without_a_trim_the_idle_drive_packs_what_it_holds(pro_400):
    answer = speed(pro_400, GENTLE)
    got = recovery(answer, trimmed_fraction=0)
    valid = answer.nodes["user_pages"].value
    assert got.moved_pages.value == pytest.approx(valid, rel=0.02)


@given(st.floats(0, 1))
@settings(max_examples=20, deadline=None)
def test_no_more_is_moved_than_there_is_and_a_format_is_the_soonest(pro_400, trimmed):
    answer = speed(pro_400, GENTLE)
    got, format_ = (recovery(answer, trimmed_fraction=share) for share in (trimmed, 1))
    left = answer.nodes["user_pages"].value * (1 - trimmed)
    assert 0 <= got.moved_pages.value <= left * (1 + 1e-9)
    assert got.restore_s.value >= format_.restore_s.value * (1 - 1e-9)


def test_an_unknown_drive_says_what_is_lacking(catalogue):
    got = recovery(speed(own_drive(1e12), GENTLE), trimmed_fraction=0.5)
    assert not got.restore_s.is_known
    assert "raw_bytes" in got.restore_s.lacking


def test_more_than_all_cannot_be_trimmed(catalogue):
    answer = speed(find(catalogue, "840 EVO 250"), GENTLE)
    with pytest.raises(DomainError, match=r"^trimmed_fraction must be"):
        recovery(answer, trimmed_fraction=1.2)
