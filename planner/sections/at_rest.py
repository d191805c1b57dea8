"""Data without power, wear by reading, and blocks that wear out one after the other: as nodes.

A rating is a minimum that all blocks but the few that may go bad meet: a drive seldom ends at it.
"""

from dataclasses import dataclass
from functools import cache

from models import (
    block_endurance,
    end_of_life,
    endurance,
    energy,
    flash_geometry,
    growth,
    read_disturb,
    retention,
    spare_area,
    wear_indicator,
)
from models.rating_class import CLIENT, ENTERPRISE
from models.units import DAY_S, KIB, MIB
from models.write_amplification import GreedyLaw, levelling_factor, spread_factor
from planner.catalogue.priors_kind import is_written_in_place
from planner.graph.answer import Answer, given
from planner.graph.nodes import Call, Const, Fields, FirstKnown, Graph, Leaf, Node, Part, When, none
from planner.scenario.risk import Risk
from planner.sections.array_service import MEMBER_WRITES
from planner.sections.life import growth_inputs
from planner.sections.plan import PlanReading, plan_graph
from planner.sections.service import READS
from planner.sections.structure import Structure

BY_CLASS = (
    "JESD218 asks this of the class when the rated writes are spent: client drives a year at 30 C, "
    "enterprise drives three months at 40 C. A fresh drive keeps its data longer."
)
BY_WEAR = (
    "Assumed: the inverse of the wear, of a tenth of the rating at least. JESD47 asks this of "
    "flash (ten years after a tenth of the cycles, one after all; recalled). Drives may do "
    "otherwise."
)
LEAST_WEAR = 0.1
READ_LIMIT = 1e5
READ_LIMIT_GROUND = (
    "Assumed: firmware rewrites a block after 100,000 reads, the fewest that are published. Most "
    "blocks bear more, worn ones fewer. Reads are spread evenly over the data."
)
REFRESH_S = 90 * DAY_S
REFRESH_GROUND = "Assumed: firmware rewrites data that nobody writes every 90 days."
BLOCK_BYTES = 16 * MIB
BLOCK_GROUND = "The erase block is unknown. Assumed: 16 MiB."
BAD_BLOCKS = 0.02
BAD_GROUND = (
    "Assumed: at the rated P/E cycles 2 % of the blocks are retired, as many bad blocks as flash "
    "data sheets allow (2,008 valid blocks of 2,048)."
)
SHAPE = 8.0
SHAPE_GROUND = "Assumed: the endurance of blocks differs by 15 % (Weibull, shape 8)."
WEAR_CV = 0.1
WEAR_GROUND = "Assumed: P/E cycles of the blocks differ by 10 % of their mean."
UNIFORM = (
    "For uniform writes of 4 KiB: retired blocks reduce the spare area and raise write "
    "amplification, until 2 % of spare area are left."
)
AS_PLANNED = "Assumed: earlier writes had the write amplification of the plan."
SPREAD_CYCLES = 50.0
LEVELLED = "Assumed: firmware keeps erase counts within 50 of each other."
ERASES_PER_MOVE = 100.0
MOVED = "Assumed: firmware moves a block at rest after every hundredth erase."
EARLY = 0.05  # of the drives
PAGE_BYTES = 4.0 * KIB

_HORIZON, _ONE = Leaf("horizon_s"), Const("one", 1.0)
_WAYS = {
    "nearest": wear_indicator.pe_cycles_interval, "down": wear_indicator.pe_cycles_rounded_down,
    "up": wear_indicator.pe_cycles_rounded_up,
}  # fmt: skip
BLOCK = FirstKnown(
    "block_bytes:any",
    (Leaf("block_bytes"), Const("block_bytes:assumed", BLOCK_BYTES, "assumption", BLOCK_GROUND)),
)
_VALID = Call(
    "valid_bytes",
    spare_area.partition_bytes,
    {"user_bytes": Leaf("user_bytes"), "partition_fraction": Leaf("held_fraction:drive")},
)


@dataclass(frozen=True, slots=True)
class RestCase:
    """Properties that pick the formulas: blocks (none if written in place), an indicator."""

    is_in_place: bool
    has_reads_and_writes: bool
    has_indicator: bool


def rest_case(plan: PlanReading) -> RestCase:
    """Return the case of a plan, which selects its formulas."""
    used, written = (plan.drive.value(name) for name in ("used_fraction", "host_bytes"))
    is_read_out = used is not None and written is not None and used > 0
    return RestCase(
        is_written_in_place(plan.drive),
        plan.workload.read_fraction not in (0, 1),
        is_read_out and plan.reading["workload_wa"].is_known,
    )


def rest_leaves(plan: PlanReading, risk: Risk, case: RestCase) -> dict[str, Answer]:
    """Return the leaves of these answers beside those of the plan."""
    kind = CLIENT if plan.drive.segment == "client" else ENTERPRISE
    drive, workload = plan.drive, plan.workload
    block = plan.reading.answer(BLOCK)
    share = plan.partition_fraction * workload.fill_fraction
    leaves = {
        "horizon_s": given("horizon_s", risk.horizon_s, source="user"),
        "temperature_k": given("temperature_k", risk.temperature_k, source="user"),
        "rated_retention_s": given(
            "rated_retention_s", kind.retention_s, source="assumption", note=BY_CLASS
        ),
        "reference_k": given("reference_k", kind.storage_k, source="assumption", note=BY_CLASS),
        "pages_per_block:operation": given(
            "pages_per_block", max(1.0, float(block.value // workload.transfer_bytes)),
            source="definition", note=block.note,
        ),
        "held_fraction:drive": given("held_fraction", share, source="workload"),
        "static_fraction": given(
            "static_fraction", 1 - workload.working_set_fraction, source="workload"
        ),
    }  # fmt: skip
    if case.has_indicator:
        used, written = (float(drive.value(name) or 0) for name in ("used_fraction", "host_bytes"))
        flash_bytes = written * plan.reading["workload_wa"].value
        leaves["points_used"] = given(
            "points_used", max(1.0, round(100 * used)), source="catalogue"
        )
        leaves["flash_written_bytes"] = given(
            "flash_written_bytes", flash_bytes, source="plan", note=AS_PLANNED
        )
    return leaves


@cache
def rest_graph(structure: Structure, case: RestCase) -> Graph:
    """Build every answer of a plan, how long data lasts, and when the blocks wear out."""
    of = plan_graph(structure).answers
    if case.is_in_place:  # these are models of flash cells, which leak and are disturbed by reads
        return Graph(of)
    written = Call(
        "horizon_bytes",
        growth.written_bytes,
        {
            "time_s": _HORIZON, "host_bytes_per_s": of["member_bytes_per_s"],
            **growth_inputs(structure),
        },
    )  # fmt: skip
    nodes = {
        **_retention(written, of["new_limit_bytes"]), **_reads(case), "refresh_bytes_per_s": Call(
            "refresh_bytes_per_s", retention.refresh_bytes_per_s,
            {"valid_bytes": _VALID,
             "refresh_s": Const("refresh_s", REFRESH_S, "assumption", REFRESH_GROUND)},
            REFRESH_GROUND,
        ),
        **_worn_blocks(of), **(_of_indicator() if case.has_indicator else {}),
        "horizon_worn_fraction": _horizon_worn(written, of["wear_limit_bytes"]),
    }  # fmt: skip
    return Graph({**of, **nodes})


def _retention(written: Node, limit: Node) -> dict[str, Node]:
    """Build the time without power once the rating is spent, and after the horizon."""
    stored: dict[str, Node] = {
        name: Leaf(name) for name in ("rated_retention_s", "temperature_k", "reference_k")
    }
    spent = Call(
        "wear_ratio", endurance.used_fraction, {"host_bytes": written, "limit_bytes": limit}
    )
    least = Const("wear_ratio:least", LEAST_WEAR, "assumption", BY_WEAR)
    wear = FirstKnown("wear_ratio:any", (When(spent, spent, least=least), When(spent, least)))
    return {
        "rated_wear_retention_s": Call(
            "rated_wear_retention_s", retention.retention_s, stored, BY_CLASS
        ),
        "retention_s": Call(
            "retention_s", retention.retention_s, {**stored, "wear_ratio": wear}, BY_WEAR
        ),
    }


def _reads(case: RestCase) -> dict[str, Node]:
    """Build flash writes per host write for reads alone, and when each block is rewritten."""
    limit = Const("read_limit", READ_LIMIT, "assumption", READ_LIMIT_GROUND)
    reads: Node = none("member_page_reads")
    if case.has_reads_and_writes:
        reads = Call(
            "member_page_reads",
            energy.member_read_iops,
            {
                "write_iops": MEMBER_WRITES, "read_fraction": READS,
                "reads_per_write": Const("no_parity_reads", 0.0), "writes_per_write": _ONE,
            },
        )  # fmt: skip
    blocks = Call(
        "read_blocks", flash_geometry.host_pages, {"flash_bytes": _VALID, "unit_bytes": BLOCK}
    )
    each = Call(
        "block_iops",
        read_disturb.block_read_iops,
        {"read_iops": reads, "read_share": Const("read_share", 1.0), "read_blocks": blocks},
    )
    return {
        "read_disturb_wa": Call(
            "read_disturb_wa", read_disturb.added_wa,
            {"read_fraction": READS, "pages_per_block": Leaf("pages_per_block:operation"),
             "read_limit": limit},
            READ_LIMIT_GROUND,
        ),
        "read_rewrite_s": Call(
            "read_rewrite_s", read_disturb.rewrite_interval_s,
            {"read_limit": limit, "block_iops": each}, READ_LIMIT_GROUND,
        ),
    }  # fmt: skip


def _worn_blocks(of: dict[str, Node]) -> dict[str, Node]:
    """Build when blocks wear out: the first of a drive, and those that use up its spare area.

    Cycles are over those rated; the end is that of the first drives of many.
    """
    blocks = Call(
        "erase_blocks", flash_geometry.host_pages,
        {"flash_bytes": Leaf("raw_bytes"), "unit_bytes": BLOCK},
    )  # fmt: skip
    spare: dict[str, Node] = {
        "spare_block_fraction": of["cleaning_spare_fraction"], "blocks": blocks,
    }  # fmt: skip
    pages = Call(
        "erase_block_pages", flash_geometry.host_pages,
        {"flash_bytes": BLOCK, "unit_bytes": Const("unit_bytes:page", PAGE_BYTES)},
    )  # fmt: skip
    own = _law("scale_cycles", Leaf("pe_cycles"))
    calls = (
        Call(
            "first_worn_cycles", block_endurance.weibull_first_block_cycles,
            {**_RELATIVE, "blocks": blocks}, SHAPE_GROUND,
        ),
        Call(
            "early_end_cycles", end_of_life.end_of_life_cycles,
            {"quantile": Const("early_level", EARLY), **spare, "block_law": _RELATIVE_LAW},
            SHAPE_GROUND,
        ),
        Call(
            "end_of_life_sd_cycles", end_of_life.end_of_life_sd_cycles,
            {**spare, "block_law": _RELATIVE_LAW}, SHAPE_GROUND,
        ),
        Call(
            "spared_drive_fills", end_of_life.shrinking_drive_fills,
            {"op_ratio": of["cleaning_op_ratio"],
             "block_law": Fields(block_endurance.WeibullLaw, own),
             "wa_law": Fields(GreedyLaw, {"pages_per_block": pages})},
            UNIFORM, each=True,
        ),
        Call(
            "levelling_wa", spread_factor,
            {"static_fraction": Leaf("static_fraction"),
             "spread_cycles": Const("spread_cycles", SPREAD_CYCLES, "assumption", LEVELLED)},
            LEVELLED,
        ),
        Call(
            "moved_blocks_wa", levelling_factor,
            {"moved_fraction": Const("moved_fraction", 1.0),
             "erases_per_move": Const("erases_per_move", ERASES_PER_MOVE, "assumption", MOVED)},
            MOVED,
        ),
    )  # fmt: skip
    return {call.key: call for call in calls}


def _of_indicator() -> dict[str, Node]:
    """Build the rated cycles that the indicator of a used drive implies, as it may round."""
    inputs = {
        "host_bytes": Leaf("flash_written_bytes"), "raw_bytes": Leaf("raw_bytes"),
        "points_used": Leaf("points_used"),
    }  # fmt: skip
    found: dict[str, Node] = {}
    for way, formula in _WAYS.items():
        whole = Call(f"low_{way}_pe_cycles:both", formula, inputs, AS_PLANNED)
        for end in ("low", "high"):
            key = f"{end}_{way}_pe_cycles"
            found[key] = Part(key, whole, end)
    return found


def _horizon_worn(written: Node, limit: Node) -> Node:
    """Build the blocks that are worn out once a share of the rated cycles is spent."""
    spent = Call(
        "rated_cycles_spent", endurance.used_fraction,
        {"host_bytes": written, "limit_bytes": limit},
    )  # fmt: skip
    return Call(
        "horizon_worn_fraction",
        end_of_life.uneven_worn_fraction,
        {
            "cycles": spent, "wear_cv": Const("wear_cv", WEAR_CV, "assumption", WEAR_GROUND),
            "block_law": _RELATIVE_LAW,
        },
        WEAR_GROUND,
    )  # fmt: skip


def _law(key: str, rated_cycles: Node) -> dict[str, Node]:
    """Build the numbers of the law of which 2 % of the blocks are worn out at the rating."""
    shape = Const("weibull_shape", SHAPE, "assumption", SHAPE_GROUND)
    bad = Const("worn_fraction", BAD_BLOCKS, "assumption", BAD_GROUND)
    scale = Call(
        key, block_endurance.weibull_scale_cycles,
        {"cycles": rated_cycles, "worn_fraction": bad, "weibull_shape": shape}, BAD_GROUND,
    )  # fmt: skip
    return {"scale_cycles": scale, "weibull_shape": shape}


_RELATIVE = _law("relative_scale_cycles", Const("rated_cycles_ratio", 1.0))
_RELATIVE_LAW = Fields(block_endurance.WeibullLaw, _RELATIVE)
