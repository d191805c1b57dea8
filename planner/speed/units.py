"""Writes on the units of a drive's map: what one of 4 KiB costs, and the workload's beside it."""

from collections.abc import Mapping
from dataclasses import replace

from models import write_amplification
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure, first_known, given
from planner.scenario.workload import Workload
from planner.sections.flash import PAGE_BYTES


def unit_factor(drive: Drive) -> Answer:
    """Return bytes of units that a random write of 4 KiB rewrites, per byte."""
    by_size = figure(
        "rated_unit_factor",
        write_amplification.indirection_factor,
        transfer_bytes=given("rated_transfer_bytes", float(PAGE_BYTES), source="definition"),
        **_unit(drive),
    )
    return first_known(by_size, given("rated_unit_factor", 1.0, source="definition"))


def in_units(drive: Drive, pages_per_block: Answer) -> Answer:
    """Return what a unit of collection holds: units of the map where these are known."""
    unit = stated(drive, "unit_bytes")
    held = figure(
        "units_per_block",
        write_amplification.units_per_block,
        pages_per_block=pages_per_block,
        unit_bytes=unit,
    )
    return replace(first_known(held, pages_per_block), key="pages_per_block")


def offered_pages_per_s(drive: Drive, workload: Workload) -> float:
    """Return random writes of 4 KiB per second that cost the dies what the workload's do."""
    if workload.read_fraction >= 1:
        return 0.0
    pages = workload.host_bytes_per_s / PAGE_BYTES
    if not stated(drive, "unit_bytes").is_known:
        return pages
    sizes = {name: answer.value for name, answer in _unit(drive).items()}
    at_size = write_amplification.indirection_factor(workload.transfer_bytes, **sizes)
    mixed = write_amplification.mixed_indirection_factor(
        at_size, sequential_fraction=workload.sequential_fraction
    )
    return float(pages * mixed / unit_factor(drive).value)


def _unit(drive: Drive) -> Mapping[str, Answer]:
    unit = stated(drive, "unit_bytes")
    return {
        "unit_bytes": unit, "alignment_bytes": first_known(stated(drive, "alignment_bytes"), unit),
    }  # fmt: skip
