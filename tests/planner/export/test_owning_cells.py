"""The sheet of owning by year follows edits to the planner's numbers, however writes change.

The suite recalculates every sixth of 24 sheets, `make long` all of them.
"""

import os
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from models.units import YEAR_S
from planner.export.procurement import procurement_workbook
from planner.quantity.show import shown
from planner.scenario.array import Array, RaidLevel
from planner.scenario.risk import Risk
from planner.scenario.terms import Terms
from planner.scenario.workload import Workload
from planner.sections.ownership import ownership
from planner.sections.plan import plan_drive
from tests.planner.export.purchases import Case, chosen, differences, edited, typed
from tests.planner.export.test_procurement import drives_of, far

SHEETS = 24
STRIDE = 1 if os.environ.get("LONG") else 6
SAME = 1e-9
COURSES = (
    {"rate_steps": ((YEAR_S, 1.8), (2.5 * YEAR_S, 0.7)), "growth_per_year": 0.1},
    {},
    {"phase_in_s": 0.75 * YEAR_S, "growth_per_year": -0.2},
    {"growth_per_year": 0.3},
    {"phase_in_s": 2 * YEAR_S, "rate_steps": ((YEAR_S, 0.5), (1.5 * YEAR_S, 3.0))},
)
LIVES = (150.0, 2.5, 0.3, 99.0)  # of one slot within the horizon, before the edits
ARRAYS = (
    Array(members=6, level=RaidLevel.RAID5),
    Array(members=9, level=RaidLevel.RAID6, hot_spares=1),
    Array(members=4, level=RaidLevel.RAID10),
    Array(members=2, level=RaidLevel.RAID1),
    Array(members=12, level=RaidLevel.EC, data_members=8, parity_members=2),
    Array(members=8, level=RaidLevel.RAIDZ2),
)


class Purchase:
    """One drive that is bought, and what is typed into its workbook."""

    def __init__(self, number, catalogue):
        random = np.random.default_rng([20261126, number])
        drives = drives_of(catalogue)
        drives = [*drives[:5], drives[6]]  # those with a limit of writes
        price = float(np.round(random.uniform(90, 900), 2))
        power = (("idle_power_w", 1.25, 1.25), ("write_power_w", 6.5, 6.5))
        self.case = Case(
            drives[number % len(drives)], ARRAYS[number // 2 % len(ARRAYS)],
            fraction=(1.0, 0.8)[number % 2], facts=(("price_usd", price, price), *power),
        )  # fmt: skip
        self.terms = Terms(
            horizon_s=random.choice([3.5, 5.0, 7.25]) * YEAR_S, spare_drives=number % 3,
            residual_fraction=(0.0, 0.1)[number % 2], qos_iops=(None, 5e4)[number % 2],
        )  # fmt: skip
        self.risk = Risk(
            replaced_fraction=(None, 0.9)[number % 2], afr_fraction=(0.0, 0.004, 0.03)[number % 3]
        )
        workload = Workload(
            host_bytes_per_s=1e8, read_fraction=(0.0, 0.6, 1.0)[number % 3],
            sequential_fraction=(0.0, 0.4)[number % 2], **COURSES[number % len(COURSES)],
        )  # fmt: skip
        lives = self._owned(workload)["yearly_lives"].value
        scale = LIVES[number % len(LIVES)] / float(np.ravel(lives)[-1])
        self.workload = replace(workload, host_bytes_per_s=1e8 * scale)
        self.loaded, self.money, self.failing = self._edits(random)

    def _owned(self, workload):
        array, share = self.case.array, self.case.fraction
        plan = plan_drive(self.case.drive, workload, array=array, partition_fraction=share)
        return ownership(plan, self.terms, self.risk)

    def _edits(self, random):
        """Draw what is changed of the workload, of the terms and of the assumptions on failures."""
        loaded = {"host_bytes_per_s": self.workload.host_bytes_per_s * random.uniform(0.7, 1.5)}
        loaded["growth_per_year"] = float(random.choice([-0.3, 0.0, 0.15, 0.4]))
        if self.workload.phase_in_s:
            loaded["phase_in_s"] = self.workload.phase_in_s * random.uniform(0.5, 2)
        if self.workload.rate_steps:
            (at, _), *others = self.workload.rate_steps
            loaded["rate_steps"] = ((at * random.uniform(0.5, 1.4), 2.2), *others)
        money = {
            "horizon_s": random.choice([0.5, 2.75, 4.0, 9.6]) * YEAR_S,
            "discount_rate": random.choice([0.0, 1e-7, 0.045, 0.12]),
            "energy_usd_per_j": random.uniform(0.1, 0.5) / 3.6e6,
            "pue": random.uniform(1.1, 2), "labour_usd": random.uniform(0, 200),
            "slot_usd_per_year": random.uniform(0, 90), "spare_drives": random.integers(0, 4),
            "residual_fraction": random.uniform(0, 1),
        }  # fmt: skip
        failing = {
            "life_cv": random.choice([0.01, 0.05, 0.15]),
            "afr_fraction": random.choice([1e-6, 0.008, 0.2]),
            "replaced_fraction": random.choice([0.7, 1.05]),
        }
        return loaded, money, {name: float(value) for name, value in failing.items()}

    def typed(self):
        """Return what is typed into which cell."""
        steps = self.loaded.get("rate_steps", ())
        single = {name: value for name, value in self.loaded.items() if name != "rate_steps"}
        numbers = single | self.money | self.failing
        for number, (at, factor) in enumerate(steps, start=1):
            numbers |= {f"step_{number}_s": at, f"step_{number}_factor": factor}
        cells = {name: float(shown(name, value)) for name, value in numbers.items()}
        cells["writes"] = cells.pop("host_bytes_per_s")
        return typed(self.case, 1) | cells | {"writes_unit": "GiB/day"}

    def book(self, catalogue):
        """Return the workbook as exported."""
        choice = chosen([self.case], self.workload, terms=self.terms, risk=self.risk)
        return procurement_workbook(choice, catalogue, exported=date(2026, 5, 4))

    def planned(self):
        """Plan the same with the edits."""
        risk = replace(self.risk, **self.failing)
        return edited(self.case, self.workload, self.terms, risk, **self.loaded, **self.money)


@pytest.fixture(scope="module")
def purchases(catalogue):
    return [Purchase(number, catalogue) for number in range(0, SHEETS, STRIDE)]


def test_every_number_follows_edits(catalogue, purchases, recalculate_all, tmp_path):
    books = [(one.book(catalogue), one.typed()) for one in purchases]
    recalculated = recalculate_all(books, tmp_path)
    lives, compared, worst = [], 0, []
    for one, book in zip(purchases, recalculated, strict=True):
        plan, owned = one.planned()
        lives.append(float(np.max(owned["yearly_lives"].value)))
        every = [(far(told, wanted), name, told, wanted)
                 for name, told, wanted in differences(book, 1, plan, owned)]  # fmt: skip
        compared += len(every)
        worst += [each for each in every if each[0] >= SAME]
    assert not worst, sorted(worst, reverse=True)[:20]
    assert max(lives) > 100
    assert compared > 100 * len(purchases)
