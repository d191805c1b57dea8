"""Dies, pages and times inside a drive: read, given by the user, or assumed by kind of flash."""

from dataclasses import dataclass

from models import calibration, flash_geometry, queueing, write_budget
from models.units import KIB
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.catalogue.priors import flash_assumptions
from planner.graph.answer import Answer, figure, first_known, given

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

    def copy_page_s(self, key: str, wa: Answer) -> Answer:
        """Return die time to read one valid page of a block that is collected."""
        return figure(
            key,
            write_budget.copy_page_s,
            wa=wa,
            read_s=self.read_s,
            transfer_s=self.transfer_s,
            pages_per_read=self.pages_per_program,
        )


def flash_of(drive: Drive) -> Flash:
    """Return what is known of a drive's flash, or assumed because no data sheet prints it.

    The program time is the one that makes the dies give the printed sequential write rate.
    """
    assumed = {item.quantity: item for item in flash_assumptions(drive)}

    def known(quantity: str) -> Answer:
        if quantity not in assumed:
            return stated(drive, quantity)
        item = assumed[quantity]
        return given(quantity, item.typical, source="assumption", note=str(item))

    dies = _dies(drive, known("die_bytes"))
    pages_per_program = _pages("flash_page_pages", known("page_bytes"))
    transfer_s = figure(
        "transfer_s",
        queueing.transfer_s,
        transfer_bytes=_unit_bytes(),
        throughput_bytes_per_s=known("channel_bytes_per_s"),
    )
    return Flash(
        dies=dies,
        channels=known("channels"),
        pages_per_program=pages_per_program,
        pages_per_block=_pages("erase_block_pages", known("block_bytes")),
        read_s=known("read_s"),
        transfer_s=transfer_s,
        program_s=_program_s(drive, dies, pages_per_program, transfer_s),
        erase_s=known("erase_s"),
        assumed=tuple(f"Assumed for speed: {item}" for item in assumed.values()),
    )


def _unit_bytes() -> Answer:
    return given("unit_bytes", float(PAGE_BYTES), source="definition")


def _dies(drive: Drive, die_bytes: Answer) -> Answer:
    counted = figure(
        "dies", flash_geometry.dies, raw_bytes=stated(drive, "raw_bytes"), die_bytes=die_bytes
    )
    return first_known(stated(drive, "dies"), counted)


def _pages(key: str, flash_bytes: Answer) -> Answer:
    return figure(key, flash_geometry.host_pages, flash_bytes=flash_bytes, unit_bytes=_unit_bytes())


def _program_s(drive: Drive, dies: Answer, pages_per_program: Answer, transfer_s: Answer) -> Answer:
    if (stated_s := stated(drive, "program_s")).is_known:
        return stated_s
    return figure(
        "program_s",
        calibration.effective_program_s,
        write_bytes_per_s=first_known(
            stated(drive, "folded_write_bytes_per_s"), stated(drive, "sequential_write_bytes_per_s")
        ),
        dies=dies,
        pages_per_program=pages_per_program,
        transfer_s=transfer_s,
        transfer_bytes=_unit_bytes(),
    )
