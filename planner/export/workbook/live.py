"""A plan as rows of a sheet: its answers by question, and the facts that stand open."""

from collections.abc import Mapping

from planner.graph.rows import Rows
from planner.sections.plan import Plan

# Names of the answers of a plan by question, in reading order.
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Life": (
        "cleaning_op_ratio", "cleaning_spare_fraction", "cleaning_op_nominal",
        "workload_wa", "wear_life_s", "rated_life_s", "warranty_s",
        "low_wear_life_s", "typical_wear_life_s", "high_wear_life_s", "printed_life_s",
        "host_limit_bytes", "required_dwpd", "rated_dwpd", "naive_life_s",
    ),
    "Speed of one drive": (
        "drive_iops", "drive_throughput_bytes_per_s", "latency_s", "read_iops", "write_iops",
        "max_latency_s", "worst_case_iops",
    ),
    "Array": (
        "usable_bytes", "budget_iops", "worst_case_floor_iops", "stall_probability",
        "aligned_stall_probability", "member_quantile",
    ),
    "Cost": (
        "total_price_usd", "price_per_user_byte", "price_per_usable_byte",
        "price_per_written_byte",
    ),
}  # fmt: skip
# Facts that a plan does not need, but uses where they are filled in.
_OPTIONAL = ("rating_period_s", "sequential_read_bytes_per_s", "sequential_write_bytes_per_s")
# Facts without a blank cell, since a more usual fact serves as well.
_NEVER_BLANK = ("folded_write_bytes_per_s", "rated_dwpd")


class LivePlan(Rows):
    """The rows of a plan."""

    def __init__(self, plan: Plan) -> None:
        names = tuple(name for section in SECTIONS.values() for name in section)
        super().__init__(plan.reading, names, optional=_OPTIONAL, never_blank=_NEVER_BLANK)
        self.plan = plan

    @property
    def sections(self) -> dict[str, list[str]]:
        """The rows of the answers by question."""
        return {title: [self.row_of[name] for name in names] for title, names in SECTIONS.items()}
