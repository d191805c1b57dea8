"""The generation of a drive's flash: by its family, else by who makes it, cell type and year."""

import csv
import re
from dataclasses import dataclass
from functools import cache

from models.units import GIB, KIB, MB, MIB, MS, US
from planner.catalogue.drive import Drive
from planner.catalogue.priors_kind import cell_of, year_of
from planner.catalogue.rows import data_folder

Span = tuple[float, float, float]
LARGE_GB = 1000.0  # from which the larger of two dies of a generation is typical

# Who makes the flash in the drives of a brand; brands that are not here buy it.
_MAKERS = {
    "samsung": ("Samsung",),
    "western digital": ("Kioxia/WD",),
    "sandisk": ("Kioxia/WD",),
    "kioxia": ("Kioxia/WD",),
    "toshiba": ("Kioxia/WD",),
    "crucial": ("Micron", "Micron/Intel"),
    "micron": ("Micron", "Micron/Intel"),
    "intel": ("Intel/Solidigm", "Micron/Intel"),
    "intel/solidigm": ("Intel/Solidigm", "Solidigm", "Micron/Intel"),
    "solidigm": ("Solidigm", "Intel/Solidigm", "SK hynix"),
    "sk hynix": ("SK hynix",),
}


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """Flash as one drive has it: by quantity low, typical and high in base units.

    `one_shot_s` is the time of the program operation that writes a word line, of which
    `program_s` in `spans` is the share of one page; `suspends` says whether reads interrupt
    programs and erases.
    """

    name: str
    ground: str
    spans: dict[str, Span]
    one_shot_s: Span
    suspends: bool

    @property
    def programs_per_block(self) -> float:
        """Program operations that typically fill a block."""
        block, page, program = (
            self.spans[name][1] for name in ("block_bytes", "page_bytes", "program_s")
        )
        return block / page * program / self.one_shot_s[1]


def generation_of(drive: Drive) -> Generation:
    """Return the flash that a drive has, or may have.

    Of several rows that may apply, such as those of a cell type alone, the widest range holds.
    3D XPoint, of which no such times are read, stands in as single-level flash: far faster than
    any other, and still slower.

    >>> from planner.catalogue import find, load
    >>> flash = generation_of(find(load(), "980 PRO 1TB"))
    >>> flash.name, [round(1e6 * seconds) for seconds in flash.spans["read_s"]]
    ('V-NAND V6 128L TLC', [40, 45, 50])
    >>> [round(1e6 * seconds) for seconds in flash.one_shot_s], flash.suspends
    ([1140, 1170, 1200], True)
    >>> round(flash.programs_per_block)
    512
    """
    return _generation(drive.vendor, drive.model, cell_of(drive), year_of(drive), drive.capacity_gb)


@cache
def _generation(
    vendor: str, model: str, cell: str, year: int | None, capacity_gb: float
) -> Generation:
    rows, ground = _rows_for(vendor, model, cell, year)
    middle = rows[len(rows) // 2]
    name = middle["name"] if len(rows) == 1 else f"{cell or 'flash'} of any generation"
    return Generation(
        name=name,
        ground=f"{name}, {ground}; {middle['source_id']}, {middle['locator']}",
        spans=_spans(rows, middle, capacity_gb),
        one_shot_s=_one_shot_s(rows, middle),
        suspends=all(row["suspends"] in ("yes", "assumed") for row in rows),
    )


@cache
def _rows_for(
    vendor: str, model: str, cell: str, year: int | None
) -> tuple[list[dict[str, str]], str]:
    """Return the rows that apply and why, the most certain way first."""
    cells = {"XPoint": ("SLC",), "": ("MLC", "TLC", "QLC")}.get(cell, (cell,))
    of_cell = [row for row in _table("flash_generations.csv") if row["cell"] in cells]
    by_family = _family(vendor, model, {row["generation"]: row for row in of_cell})
    if by_family is not None:
        return [by_family], "by family"
    sold = [
        row
        for row in of_cell
        if year is not None and _first_year(row) <= year <= int(row["last_year"])
    ]
    own = [row for row in sold if row["maker"] in _MAKERS.get(vendor.lower(), ())]
    if own:
        return [max(own, key=_first_year)], "by maker, cell type and year"
    for those, why in ((sold, "by cell type and year"), (of_cell, "by cell type")):
        anyone = sorted((row for row in those if not row["maker"]), key=_first_year)
        if anyone and len(cells) == 1 and those is sold:
            return anyone[-1:], why
        if anyone:
            return anyone, why
    return of_cell, "by cell type"


def _family(
    vendor: str, model: str, generations: dict[str, dict[str, str]]
) -> dict[str, str] | None:
    """Return the flash of the family whose name is the longest within the model's."""
    name, best, longest = f" {_plain(model)} ", None, 0
    for row in _table("flash_families.csv"):
        maker = row["vendor"].lower()
        if row["generation"] not in generations or not (
            vendor.lower() in maker or maker in vendor.lower()
        ):
            continue
        for part in row["family"].split("/"):
            key = _plain(part)
            if len(key) > longest and f" {key} " in name:
                best, longest = generations[row["generation"]], len(key)
    return best


def _spans(
    rows: list[dict[str, str]], middle: dict[str, str], capacity_gb: float
) -> dict[str, Span]:
    """Return the widest ranges over rows; blocks of all planes are programmed and erased as one."""

    def over(name: str, unit: float, levels: tuple[str, str, str]) -> Span:
        low, typical, high = (
            [float(row[f"{name}_{level}"]) * unit for row in rows] for level in levels
        )
        return min(low), typical[rows.index(middle)], max(high)

    size = "high" if capacity_gb >= LARGE_GB else "low"
    times = ("low", "typical", "high")
    planes = over("planes", 1.0, ("low", "high", "high"))
    page = [float(row["page_kib"]) * KIB for row in rows]
    block = over("block_mib", MIB, ("low", "high", "high"))
    typical_page = float(middle["page_kib"]) * KIB
    return {
        "die_bytes": over("die_gbit", GIB / 8, ("low", size, "high")),
        "page_bytes": (min(page) * planes[0], typical_page * planes[1], max(page) * planes[2]),
        "block_bytes": (block[0] * planes[0], block[1] * planes[1], block[2] * planes[2]),
        "read_s": over("read_us", US, times),
        "program_s": over("program_us", US, times),
        "erase_s": over("erase_ms", MS, times),
        "channel_bytes_per_s": over("channel_mb_s", MB, times),
    }


def _one_shot_s(rows: list[dict[str, str]], middle: dict[str, str]) -> Span:
    """Return the widest range of the time in which a word line is programmed."""
    low, typical, high = (
        [float(row[f"program_us_{level}"]) * US * float(row["pages_at_once"]) for row in rows]
        for level in ("low", "typical", "high")
    )
    return min(low), typical[rows.index(middle)], max(high)


def _first_year(row: dict[str, str]) -> int:
    return int(row["first_year"])


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


@cache
def _table(name: str) -> list[dict[str, str]]:
    with (data_folder() / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
