"""Write amplification follows every input: a percent of one never moves it by much more."""

from itertools import pairwise

import pytest

from planner.sections.request import plan_of

DRIVES = ("PM9A3 1.92", "990 PRO 1TB", "870 EVO 1TB", "845DC PRO 400")
MOST = 1.03  # that a percent of the writes, of the data or of the requests changes
STEPS = 1.06  # beside more sequential writes, where copies fall steeply
USUAL = {"sequential": "0%", "working_set": "100%", "accuracy": "100%"}
MOVED = {"sequential": "1%", "working_set": "99%", "accuracy": "99%"}


def wa(drive, **inputs):
    return plan_of(drive, writes="300 GB/day", **inputs)["workload_wa"].value


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("name", MOVED)
@pytest.mark.parametrize("skew", ["field", "uniform", "80/20"])
def test_a_percent_of_an_input_moves_write_amplification_by_little(drive, name, skew):
    before, after = (wa(drive, skew=skew, **{name: of[name]}) for of in (USUAL, MOVED))
    assert 1 / MOST < after / before < MOST


def test_unstated_writes_are_those_of_the_field_beside_any_share_of_sequential_ones():
    shares = [wa("PM9A3 1.92", sequential=f"{percent}%") for percent in range(0, 101, 5)]
    assert shares[0] == pytest.approx(wa("PM9A3 1.92"))
    assert shares[-1] == 1.0
    assert all(1 / STEPS**5 < after / before < STEPS for before, after in pairwise(shares))
    assert all(wa("PM9A3 1.92", skew="uniform", sequential=f"{percent}%") > shares[percent // 5]
               for percent in (0, 20, 50))  # fmt: skip
