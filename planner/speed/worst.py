"""The worst moment of the write test: tested or of the kind, or by how a drive collects."""

import math

from models import queueing, stalls, write_budget
from planner.graph.answer import Answer, figure, given, unknown
from planner.graph.reading import Reading
from planner.sections.flash import Flash

ALIGNED = (
    "Where no worst case is known, all dies are taken to erase together, as the drives of the "
    "reviews seem to; whole blocks collected at once would be far worse."
)
APART = "Dies erase at different times; writes wait for many small steps."
TOGETHER = "Dies erase together; a write waits for an erase and a program with its copies."
WHOLE = "A die is blocked while a whole block is collected; in a saturated test no buffer helps."
SPREAD = (
    "Relative spread of latency between 0.1 and 0.3 in simulated drives, less in deep queues; "
    "0.2 is taken, at most the root of pages per program over queue depth."
)


def by_collection(
    flash: Flash, depth: Answer, steady: Answer, media: Answer, wa: Answer
) -> tuple[Answer, ...]:
    """Return the longest write latency of each way of collecting, the mildest first."""
    test = {"queue_depth": depth, "iops": steady}
    valid = figure("collected_valid_fraction", write_budget.victim_valid_fraction, wa=wa)
    clean = figure(
        "clean_s",
        stalls.clean_s,
        valid_fraction=valid,
        pages_per_block=flash.pages_per_block,
        program_page_s=flash.program_page_s,
        copy_page_s=flash.copy_page_s("modelled_write_iops_copy_s", wa),
        erase_s=flash.erase_s,
    )
    return (
        figure(
            "incremental_latency_s",
            stalls.incremental_latency_s,
            APART,
            latency_cv=latency_cv(flash, depth),
            **test,
        ),
        figure(
            "aligned_latency_s",
            stalls.aligned_latency_s,
            TOGETHER,
            erase_s=flash.erase_s,
            program_s=_program_with_copies_s(flash, media),
            **test,
        ),
        figure(
            "blocking_latency_s",
            stalls.blocking_latency_s,
            WHOLE,
            clean_s=clean,
            cleaned_blocks=given("cleaned_blocks", 1.0, source="definition"),
            buffer_pages=given("buffer_pages", 0.0, source="definition"),
            **test,
        ),
    )


def without_collection() -> tuple[Answer, ...]:
    """Return the same of memory that is written in place: nothing is collected."""
    keys = "incremental_latency_s", "aligned_latency_s", "blocking_latency_s"
    return tuple(unknown(key) for key in keys)


def _program_with_copies_s(flash: Flash, media: Answer) -> Answer:
    """Return the die time per program of host pages: programs under way over the dies' rate."""
    pages, dies = flash.pages_per_program, flash.dies
    if not pages.is_known or not dies.is_known:
        return pages if not pages.is_known else dies
    under_way = given("pages_under_way", pages.value * dies.value, source="definition")
    return figure("program_with_copies_s", queueing.latency_s, queue_depth=under_way, iops=media)


def latency_cv(flash: Flash, depth: Answer) -> Answer:
    """Return the relative spread of write latency where collection runs in small steps."""
    pages = flash.pages_per_program
    if not pages.is_known or not depth.is_known:
        return pages if not pages.is_known else depth
    spread = min(0.2, math.sqrt(pages.value / depth.value))
    return given("latency_cv", spread, source="assumption", note=SPREAD)


def worst_case(reading: Reading, aligned: Answer, depth: Answer) -> tuple[Answer, Answer]:
    """Return longest latency and worst IOPS: those of the plan, else with aligned erases."""
    tested = reading.answer(reading.graph.nodes["worst_case_iops"])
    if tested.is_known:
        return reading["max_latency_s"], reading["worst_case_iops"]
    return aligned, figure(
        "modelled_worst_case_iops",
        queueing.worst_case_iops,
        queue_depth=depth,
        max_latency_s=aligned,
    )
