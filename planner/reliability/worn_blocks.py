"""When do the blocks of a drive wear out, from the first to the last that it can spare?

A rating is a minimum that all blocks but the few that may go bad meet: a drive seldom ends at it.
"""

from models import block_endurance, end_of_life, flash_geometry, wear_indicator
from models.units import KIB, MIB
from models.write_amplification import GreedyLaw, levelling_factor, spread_factor
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, Record, figure, figures, first_known, given
from planner.sections.plan import Plan

BLOCK_BYTES = 16 * MIB
BLOCK_GROUND = "The erase block is unknown: 16 MiB is taken."
BAD_BLOCKS = 0.02
BAD_GROUND = (
    "At the rated cycles 2 % of the blocks are taken to be worn out, as many as flash data sheets "
    "let go bad (2,008 valid blocks of 2,048)."
)
SHAPE = 8.0
SHAPE_GROUND = (
    "Blocks are taken to differ in endurance by 15 % (Weibull's law, shape 8): an assumption."
)
WEAR_CV = 0.1
WEAR_GROUND = "Cycles of the blocks are taken to differ by 10 % of their mean: an assumption."
UNIFORM = (
    "For uniform writes of 4 KiB: as worn-out blocks leave the spare area, write amplification "
    "rises, until 2 % of spare area are left."
)
AS_PLANNED = "What was written so far is taken to have cost the write amplification of the plan."
SPREAD_CYCLES = 50.0
LEVELLED = "Firmware is taken to keep erase counts within 50 of each other: an assumption."
ERASES_PER_MOVE = 100.0
MOVED = "Firmware is taken to move a block at rest after every hundredth erase: an assumption."
EARLY = 0.05  # of the drives
PAGE_BYTES = 4.0 * KIB


def worn_blocks(answer: Plan) -> tuple[Answer, ...]:
    """Return when blocks wear out: the first of a drive, and those that use up its spare area.

    Cycles are over those rated; the end is that of the first drives of many.

    >>> from planner.catalogue import find, load
    >>> from planner.scenario.workload import Workload
    >>> from planner.sections.plan import plan
    >>> pro = plan(find(load(), "845DC PRO 400"), Workload(host_bytes_per_s=1e6))
    >>> [f"{row.key} {row.value:.2f}" for row in worn_blocks(pro)[:2]]
    ['first_worn_cycles 0.42', 'early_end_cycles 1.41']
    """
    blocks = {"blocks": _blocks(answer)}
    spare = {"spare_block_fraction": answer.reading["cleaning_spare_fraction"]}
    one = given("rated_cycles_ratio", 1.0, source="definition")
    relative = _law("relative_scale_cycles", one)

    return (
        figure(
            "first_worn_cycles", block_endurance.weibull_first_block_cycles, SHAPE_GROUND,
            **relative, **blocks,
        ),
        figure(
            "early_end_cycles", end_of_life.end_of_life_cycles, SHAPE_GROUND,
            quantile=given("early_level", EARLY, source="definition"),
            **spare, **blocks, block_law=_record(relative),
        ),
        figure(
            "end_of_life_sd_cycles", end_of_life.end_of_life_sd_cycles, SHAPE_GROUND,
            **spare, **blocks, block_law=_record(relative),
        ),
        figure(
            "spared_drive_fills", end_of_life.shrinking_drive_fills, UNIFORM,
            op_ratio=answer.reading["cleaning_op_ratio"],
            block_law=_record(_law("scale_cycles", stated(answer.drive, "pe_cycles"))),
            wa_law=Record(GreedyLaw, {"pages_per_block": _pages(answer)}),
        ),
        figure(
            "levelling_wa", spread_factor, LEVELLED,
            static_fraction=given(
                "static_fraction", 1 - answer.workload.working_set_fraction, source="workload"
            ),
            spread_cycles=given("spread_cycles", SPREAD_CYCLES, source="assumption",
                                note=LEVELLED),
        ),
        figure(
            "moved_blocks_wa", levelling_factor, MOVED,
            moved_fraction=given("moved_fraction", 1.0, source="definition"),
            erases_per_move=given("erases_per_move", ERASES_PER_MOVE, source="assumption",
                                  note=MOVED),
        ),
        *_of_indicator(answer),
    )  # fmt: skip


def _of_indicator(answer: Plan) -> tuple[Answer, ...]:
    """Return the rated cycles that the indicator of a used drive implies, as it may round."""
    used, written = (answer.drive.value(name) for name in ("used_fraction", "host_bytes"))
    if used is None or written is None or used <= 0 or not answer.lifetime.workload_wa.is_known:
        return ()
    points = given("points_used", max(1.0, round(100 * float(used))), source="catalogue")
    flash_bytes = float(written) * answer.lifetime.workload_wa.value
    flash = given("flash_written_bytes", flash_bytes, source="plan", note=AS_PLANNED)
    ways = {
        "nearest": wear_indicator.pe_cycles_interval,
        "down": wear_indicator.pe_cycles_rounded_down,
        "up": wear_indicator.pe_cycles_rounded_up,
    }
    rows: list[Answer] = []
    for name, formula in ways.items():
        keys = {end: f"{end}_{name}_pe_cycles" for end in ("low", "high")}
        rows += figures(
            keys, formula, AS_PLANNED, host_bytes=flash,
            raw_bytes=stated(answer.drive, "raw_bytes"), points_used=points,
        )  # fmt: skip
    return tuple(rows)


def horizon_worn(spent: Answer) -> Answer:
    """Return the blocks that are worn out after a share of the rated cycles is spent."""
    one = given("rated_cycles_ratio", 1.0, source="definition")
    return figure(
        "horizon_worn_fraction", end_of_life.uneven_worn_fraction, WEAR_GROUND,
        cycles=spent,
        wear_cv=given("wear_cv", WEAR_CV, source="assumption", note=WEAR_GROUND),
        block_law=_record(_law("relative_scale_cycles", one)),
    )  # fmt: skip


def _law(key: str, rated_cycles: Answer) -> dict[str, Answer]:
    """Return the numbers of the law of which 2 % of the blocks are worn out at the rating."""
    shape = given("weibull_shape", SHAPE, source="assumption", note=SHAPE_GROUND)
    bad = given("worn_fraction", BAD_BLOCKS, source="assumption", note=BAD_GROUND)
    scale = figure(
        key, block_endurance.weibull_scale_cycles, BAD_GROUND,
        cycles=rated_cycles, worn_fraction=bad, weibull_shape=shape,
    )  # fmt: skip
    return {"scale_cycles": scale, "weibull_shape": shape}


def _record(law: dict[str, Answer]) -> Record:
    return Record(block_endurance.WeibullLaw, law)


def erase_block_bytes(answer: Plan) -> Answer:
    """Return the size of an erase block of the drive, assumed where it is unknown."""
    return first_known(
        given("block_bytes", answer.drive.value("block_bytes"), source="catalogue"),
        given("block_bytes", BLOCK_BYTES, source="assumption", note=BLOCK_GROUND),
    )


def _blocks(answer: Plan) -> Answer:
    return figure(
        "erase_blocks", flash_geometry.host_pages,
        flash_bytes=stated(answer.drive, "raw_bytes"), unit_bytes=erase_block_bytes(answer),
    )  # fmt: skip


def _pages(answer: Plan) -> Answer:
    page = given("unit_bytes", PAGE_BYTES, source="definition")
    return figure("erase_block_pages", flash_geometry.host_pages,
                  flash_bytes=erase_block_bytes(answer), unit_bytes=page)  # fmt: skip
