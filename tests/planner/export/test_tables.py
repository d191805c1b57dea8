"""Tables of plans: which of several is better."""

from models.nomenclature import QUANTITIES
from planner.export.tables import best
from planner.scenario.workload import Workload
from planner.sections.plan import plan


def test_the_better_plan_is_marked_where_there_is_one(pro_400):
    workload = Workload(host_bytes_per_s=1e7)
    alone, apart = plan(pro_400, workload), plan(pro_400, workload, partition_fraction=0.8)
    marks = best([alone, apart])
    assert marks["Workload write amplification"] == [1]
    assert marks["Life by flash wear"] == [1]
    assert "IOPS of one drive" not in marks
    assert QUANTITIES["naive_life_s"].label not in marks
