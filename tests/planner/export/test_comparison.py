"""Plans side by side: which is better in what, and how each is called."""

from models.nomenclature import QUANTITIES
from models.units import YEAR_S
from planner.export.comparison import PER_USD, best, compared, comparison, titles
from planner.scenario.risk import Risk
from planner.scenario.workload import Workload
from planner.sections.data_loss import data_loss
from planner.sections.plan import plan_drive
from planner.sections.request import plan_of
from planner.sections.speed import speed_of

SPREAD = QUANTITIES["second_sd_iops"].label
EVO = "870 EVO 1TB"


def test_the_better_plan_is_marked_where_there_is_one(pro_400):
    workload = Workload(host_bytes_per_s=1e7)
    alone, apart = (
        plan_drive(pro_400, workload),
        plan_drive(pro_400, workload, partition_fraction=0.8),
    )
    marks = best([alone, apart])
    assert marks["Workload write amplification"] == (1,)
    assert marks["Life by flash wear"] == (1,)
    assert marks["Usable capacity"] == (0,)
    assert marks["IOPS of one drive"] == (1,)
    assert QUANTITIES["naive_life_s"].label not in marks
    assert QUANTITIES["warranty_s"].label not in marks


def test_what_people_ask_first_is_compared_first():
    plans = [plan_of(EVO, writes="400 GB/day"),
             plan_of(EVO, writes="400 GB/day", drives=4, raid=10)]  # fmt: skip
    risk = Risk(horizon_s=5 * YEAR_S)
    rows = {row.label: row for row in compared(plans, risk)}
    assert [*rows][:3] == ["Lasts 5 years", "Safe", "Data loss within 5 years"]
    assert rows["Lasts 5 years"].values == ("No", "Yes")
    assert rows["Lasts 5 years"].best == (1,)
    lost = [data_loss(each, risk)["array_loss_probability"].value for each in plans]
    assert lost[1] < lost[0]
    assert rows["Data loss within 5 years"].best == (1,)
    assert rows["Life by endurance"].best == (1,)
    assert rows["Price of all drives"].best == ()  # the cheaper one fails
    assert not rows["Warranty"].differs
    assert " to " in rows["Workload write amplification"].values[0]


def test_drives_are_told_apart_by_where_they_fit_and_by_power_loss():
    plans = [plan_of(EVO, writes="30 GB/day"), plan_of("PM9A3 3.84", writes="30 GB/day")]
    rows = {row.label: row for row in compared(plans, Risk(horizon_s=5 * YEAR_S))}
    assert rows["Power-loss protection"].values == ("no", "yes")
    assert rows["Power-loss protection"].best == (1,)
    assert rows["Interface"].values == ("SATA 6Gb/s", "NVMe PCIe 4.0 x4")
    assert rows["Form factor"].values[0] == '2.5"'
    assert rows["Interface"].best == rows["Form factor"].best == ()


def test_a_verdict_is_a_verdict_where_plans_are_alike():
    plans = [plan_of(EVO, writes="30 GB/day"), plan_of(EVO, writes="40 GB/day")]
    rows = compared(plans, Risk(horizon_s=5 * YEAR_S))
    assert [row.label for row in rows if row.is_verdict] == ["Lasts 5 years", "Safe"]
    assert not any(row.differs for row in rows if row.is_verdict)


def test_no_answer_is_lost_to_another_of_the_same_name():
    plans = [plan_of(EVO), plan_of("PM9A3 3.84")]
    keys = {answer.key for each in plans for group in each.sections.values() for answer in group}
    labels = [row["Quantity"] for row in comparison(plans)]
    assert len(labels) == len(set(labels)) == len(keys) + 4 + len(PER_USD)
    # limit, life, price and spread are of no section, nor what one USD buys


def test_the_spread_of_a_second_is_that_of_the_speed_and_the_lower_share_is_better():
    plans = [plan_of("845DC PRO 400"), plan_of("845DC EVO 240")]
    [row] = [row for row in compared(plans, Risk()) if row.label == SPREAD]
    speeds = [speed_of(plan, with_readers=False) for plan in plans]
    shares = [each.second_sd_iops.value / each.steady_write_iops.value for each in speeds]
    for value, share, each in zip(row.values, shares, speeds, strict=True):
        assert value.startswith(f"{each.second_sd_iops.value:,.0f} IOPS (")
        assert value.endswith(f", {100 * share:.2g} % of the rate")
    assert row.best == (shares.index(min(shares)),)


def test_a_spread_that_is_not_known_names_what_is_missing():
    plans = [plan_of(name, known_only=True) for name in ("PM853T 240", "845DC PRO 400")]
    [row] = [row for row in compared(plans, Risk()) if row.label == SPREAD]
    assert "missing: " in row.values[0]
    assert row.best == ()


def test_plans_that_are_alike_are_told_apart():
    assert titles([plan_of(EVO), plan_of(EVO, writes="1 GB/day")])[1].endswith("1 TB (2)")
