"""Dies, pages and times inside a drive: read, given by the user, or assumed by kind of flash."""

from dataclasses import dataclass

from models import calibration, flash_geometry, queueing, write_budget
from models.units import KIB
from planner.assumptions import flash_assumptions
from planner.drive import Drive
from planner.facts import stated
from planner.figures import Answer, figure, first_known, given

__all__ = ["PAGE_BYTES", "Flash", "flash_of"]

PAGE_BYTES = 4 * KIB  # of a host write and of the drive's map


@dataclass(frozen=True, slots=True, kw_only=True)
class Flash:
    """The flash behind a drive's speed; each number may be missing."""

    dies: Answer
    channels: Answer
    pages_per_program: Answer
    pages_per_block: Answer
    read_s: Answer
    transfer_s: Answer
    program_s: Answer
    erase_s: Answer
    assumed: tuple[str, ...]

    @property
    def program_page_s(self) -> Answer:
        """Die time to program one page of the host."""
        return figure(
            "program_page_s",
            write_budget.program_page_s,
            program_s=self.program_s,
            transfer_s=self.transfer_s,
            pages_per_program=self.pages_per_program,
        )


def flash_of(drive: Drive) -> Flash:
    """Return what is known of a drive's flash, or assumed because no data sheet prints it.

    The program time is the one that makes the dies give the printed sequential write rate.
    """
    assumed = {item.quantity: item for item in flash_assumptions(drive)}

    def known(quantity: str) -> Answer:
        fact = stated(drive, quantity)
        if quantity not in assumed:
            return fact
        item = assumed[quantity]
        return given(quantity, item.typical, source="assumption", note=str(item))

    unit = given("unit_bytes", float(PAGE_BYTES), source="definition")
    dies = first_known(
        stated(drive, "dies"),
        figure(
            "dies",
            flash_geometry.dies,
            raw_bytes=stated(drive, "raw_bytes"),
            die_bytes=known("die_bytes"),
        ),
    )
    transfer_s = figure(
        "transfer_s",
        queueing.transfer_s,
        transfer_bytes=unit,
        throughput_bytes_per_s=known("channel_bytes_per_s"),
    )
    pages_per_program = figure(
        "flash_page_pages",
        flash_geometry.host_pages,
        flash_bytes=known("page_bytes"),
        unit_bytes=unit,
    )
    return Flash(
        dies=dies,
        channels=known("channels"),
        pages_per_program=pages_per_program,
        pages_per_block=figure(
            "erase_block_pages",
            flash_geometry.host_pages,
            flash_bytes=known("block_bytes"),
            unit_bytes=unit,
        ),
        read_s=known("read_s"),
        transfer_s=transfer_s,
        program_s=first_known(
            stated(drive, "program_s"),
            figure(
                "program_s",
                calibration.effective_program_s,
                write_bytes_per_s=first_known(
                    stated(drive, "folded_write_bytes_per_s"),
                    stated(drive, "sequential_write_bytes_per_s"),
                ),
                dies=dies,
                pages_per_program=pages_per_program,
                transfer_s=transfer_s,
                transfer_bytes=unit,
            ),
        ),
        erase_s=known("erase_s"),
        assumed=tuple(f"Assumed for speed: {item}" for item in assumed.values()),
    )
