"""Every input, one row each: name, field, how text is read, range, default and help.

Options, links, widgets, cells, scenario files, arguments of scripts and uncertain inputs are made
from these rows, so that one name means one thing on every face. Where `field` is a quantity of
the nomenclature, label, unit and meaning come from there.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from models.nomenclature import QUANTITIES
from planner.quantity.input import (
    ABOVE_0,
    ANY,
    FRACTION,
    FROM_0,
    SHARE,
    WHOLE,
    WHOLE_FROM_0,
    Bounds,
    Former,
    Input,
    choice,
    fact,
    flag,
    level,
    number,
    quantity,
    rate,
    share,
    size,
    step,
    time,
    whole,
    words,
)
from planner.quantity.parse import parse_fraction

__all__ = ["ARRAY", "DRIVE", "FACTS", "FLASH", "INPUTS", "LOAD", "PLAN", "RATES", "USE",
           "renamed", "stated"]  # fmt: skip


def _rest(text: str) -> str:
    """Return what a share leaves: partition=75% is spare=25%."""
    return f"{100 * (1 - parse_fraction('partition', text)):.12g}%"


_PLACEMENTS = {
    "nothing, one log": "one-log",
    "host writes and copies": "host-gc",
    "hot and cold streams": "streams",
}


def _placement(text: str) -> str:
    return _PLACEMENTS.get(text, text)


def _was(*names: str) -> tuple[Former, ...]:
    return tuple(Former(name) for name in names)


_ROWS = (
    # The workload
    Input("writes", "host_bytes_per_s", rate, "50 GiB/day", ABOVE_0,
          "Host writes to the whole array: 50GiB/day, 20MB/s, or 0.3DWPD of its usable capacity.",
          may_vary=True),
    Input("growth", "growth_per_year", share, "0%", Bounds(-1.0, holds_least=False),
          "Growth of writes per year.", may_vary=True),
    Input("step", "rate_steps", step, None, ANY,
          'A step of the writes, "x1.5 after 2 years"; may be given up to 6 times.',
          title="Steps of the writes", is_repeatable=True,
          also=tuple(f"step_{n}_{what}" for n in range(1, 7) for what in ("s", "factor"))),
    Input("phase_in", "phase_in_s", time, None, FROM_0,
          "Time over which the writes rise from none.", "6 months", may_vary=True,
          links=_was("phasein")),
    Input("reads", "read_fraction", share, "70%", FRACTION, "Share of operations that are reads.",
          may_vary=True, formerly=_was("read_share")),
    Input("size", "transfer_bytes", size, "4 KiB", ABOVE_0, "Size of one operation: 4KiB.",
          may_vary=True, formerly=_was("block_size")),
    Input("sequential", "sequential_fraction", share, "0%", FRACTION,
          "Share of operations that are sequential.", may_vary=True),
    Input("client", "client", words, None, ANY,
          "A client workload (`workloads` lists them) instead of reads, size, sequential and "
          "depth."),
    Input("skew", "skew", words, "uniform", ANY,
          "Of writes: uniform, 80/20, zipf:0.99 or jesd219.", title="Skew of writes",
          choices=("uniform", "80/20", "90/10", "95/5", "zipf:0.99", "jesd219")),
    Input("working_set", "working_set_fraction", share, "100%", SHARE,
          "Share of the data that is ever rewritten.", unit="%", title="Working set",
          links=_was("working")),
    Input("trim", "trim_share", share, "0%", Bounds(0.0, 0.5, holds_most=False),
          "Share of requests that trim data in use.", may_vary=True),
    Input("depth", "queue_depth", number, "32", ABOVE_0, "Operations outstanding on each drive.",
          title="Queue depth per drive", may_vary=True, formerly=_was("queue_depth")),
    Input("fill", "fill_fraction", share, "100%", SHARE,
          "Valid data over partitioned capacity.", may_vary=True),
    # The firmware
    Input("collection", "policy", choice, "greedy", ANY,
          "How garbage collection chooses the block that it cleans.",
          title="Victim of garbage collection",
          choices=("greedy", "fifo", "random", "d-choices"), formerly=_was("policy")),
    Input("placement", "layout", choice, "one-log", ANY,
          "What the drive keeps apart as it writes: nothing, host writes from copies, or hot from "
          "cold data.", title="Placement of writes", choices=("one-log", "host-gc", "streams"),
          formerly=(Former("layout", _placement),)),
    Input("accuracy", "accuracy", share, "100%", Bounds(0.5, 1.0),
          "Share of writes that go to the right stream, with placement streams."),
    # How drives are used
    Input("spare", "partition_fraction", share, "0%", Bounds(0.0, 1.0, holds_most=False),
          "Share of the user capacity left unpartitioned: more spare area.",
          title="Left unpartitioned", may_vary=True, also=("partition_fractions",),
          formerly=(Former("partition", _rest),)),
    Input("drives", "members", whole, "1", WHOLE,
          "Drives in the array.", formerly=_was("members")),
    Input("raid", "level", level, "0", ANY,
          "0, 1, 10, 5, 6, or ec:8+3: stripes of 8 data and 3 parity members.", title="RAID level",
          choices=("0", "1", "10", "5", "6", "ec:4+2", "ec:8+2", "ec:8+3", "ec:10+4"),
          formerly=_was("level")),
    Input("hot_spares", "hot_spares", whole, "0", WHOLE_FROM_0,
          "Of the drives, how many stand by.", links=_was("hot")),
    Input("sets", "sets", whole, "1", WHOLE,
          "Equal sets with parity of their own, striped: RAID 50 and 60."),
    # What the user knows of a drive
    Input("assume", "assume", flag, "false", ANY, "Accept labelled assumptions for missing facts.",
          title="Use labelled assumptions"),
    Input("capacity", "user_bytes", size, None, ABOVE_0,
          "User capacity of a drive that the catalogue lacks.", "1.92TB"),
    Input("stalled", "member_stall_fraction", share, None, FRACTION,
          "Share of time one drive spends in garbage collection.", "5%", links=_was("stall")),
    Input("wa", "measured_wa", number, None, ABOVE_0,
          "Measured write amplification; replaces the model.", unit="x",
          title="Measured write amplification", may_vary=True),
    Input("rating_wa", "rating_wa", number, None, ABOVE_0,
          "Write amplification of the rating workload.", may_vary=True, links=_was("rating")),
    Input("raw", "raw_bytes", size, None, ABOVE_0, "Raw flash of a drive.", "512GiB", may_vary=True,
          also=("op_ratio",)),
    Input("pe_cycles", "pe_cycles", number, None, ABOVE_0, "Rated program/erase cycles.", "3000",
          may_vary=True, links=_was("pe")),
    Input("tbw", "rated_bytes", size, None, ABOVE_0, "Rated TBW.", "7300TB", may_vary=True,
          also=("rated_dwpd",)),
    Input("warranty", "warranty_s", time, None, ABOVE_0, "Warranty of a drive.", "5years",
          may_vary=True, also=("rating_period_s",), formerly=_was("warranty_years")),
    Input("price", "price_usd", number, None, ABOVE_0, "Price of a drive in USD.", "960",
          may_vary=True),
    Input("worst_iops", "worst_case_iops", number, None, ABOVE_0,
          "Worst-case IOPS of a drive at queue depth 32.", "5000", may_vary=True,
          also=("iops", "member_worst_iops"), formerly=_was("member_worst_iops"),
          links=_was("worst")),
    Input("pages", "pages_per_block", number, None, ABOVE_0,
          "Pages in one unit of garbage collection.", formerly=_was("pages_per_block")),
    Input("blocks", "blocks", number, None, ABOVE_0,
          "Units of garbage collection (superblocks).", may_vary=True,
          formerly=_was("collection_blocks")),
    Input("reserve", "reserve", number, None, FROM_0,
          "Units of garbage collection kept erased.", may_vary=True,
          formerly=_was("reserve_blocks")),
    Input("member_iops", "member_iops", number, None, ABOVE_0,
          "IOPS of one drive, reads as writes.", "50000", unit="IOPS", title="IOPS of one drive"),
    Input("fact", "fact", fact, None, ANY,
          "Any other fact of a drive: dies=32, read_s=60us, erase_s=4ms, steady_write_iops=14000, "
          "sequential_write_bytes_per_s=500MB/s.", is_repeatable=True),
    *(
        Input(name, name, quantity, None, ABOVE_0, QUANTITIES[name].meaning, may_vary=True,
              links=_was(*former))
        for name, *former in (
            ("random_read_iops", "rr"), ("burst_write_iops", "fw"), ("steady_write_iops", "sw"),
            ("sequential_read_bytes_per_s", "srd"), ("sequential_write_bytes_per_s", "swr"),
            ("dies",), ("channels", "chan"), ("page_bytes", "page"), ("block_bytes", "block"),
            ("read_s", "tr"), ("program_s", "tp"), ("erase_s", "te"),
            ("channel_bytes_per_s", "bus"),
        )
    ),
)  # fmt: skip

INPUTS: Mapping[str, Input] = {row.name: row for row in _ROWS}

LOAD = (
    "writes", "growth", "step", "phase_in", "reads", "size", "sequential", "client", "skew",
    "working_set", "trim", "depth", "fill", "collection", "placement", "accuracy",
)  # fmt: skip
USE = ("spare", "hot_spares", "sets", "assume", "capacity")
ARRAY = ("drives", "raid")
# What the user knows of one drive; refused where several are planned.
DRIVE = (
    "stalled", "wa", "rating_wa", "raw", "pe_cycles", "tbw", "warranty", "price", "worst_iops",
    "pages", "blocks", "reserve", "fact",
)  # fmt: skip
PLAN = (*LOAD, *USE, *ARRAY, *DRIVE)
# Further facts by their own names: rates of the data sheet, and flash for the speed over time.
RATES = (
    "random_read_iops", "burst_write_iops", "steady_write_iops", "sequential_read_bytes_per_s",
    "sequential_write_bytes_per_s",
)  # fmt: skip
FLASH = (
    "dies", "channels", "page_bytes", "block_bytes", "read_s", "program_s", "erase_s",
    "channel_bytes_per_s",
)  # fmt: skip
FACTS = (*RATES, *FLASH, "member_iops")


def stated(texts: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return by field what texts say of some inputs; what they do not state is left out.

    >>> stated({"reads": "30%", "wa": None}, ["reads", "wa", "growth"])
    {'read_fraction': 0.3, 'growth_per_year': 0.0}
    """
    written = {INPUTS[name]: texts.get(name, INPUTS[name].default) for name in names}
    return {
        row.field: row.every(text) if row.is_repeatable else row.value(text)
        for row, text in written.items()
        if text not in (None, "", ())
    }


def renamed(texts: Mapping[str, Any], names: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """Put former names of some inputs under the names of today; say what was renamed.

    >>> renamed({"partition": "75%", "writes": "1 TB/day"}, PLAN)
    ({'writes': '1 TB/day', 'spare': '25%'}, ['partition=75% is now spare=25%'])
    """
    former = {old.name: (name, old) for name in names for old in INPUTS[name].formerly}
    result = {name: text for name, text in texts.items() if name not in former}
    said = []
    for name in texts.keys() & former.keys():
        new, old = former[name]
        text = old.rewrite(str(texts[name]))
        result.setdefault(new, text)
        said.append(f"{name}={texts[name]} is now {new}={text}")
    return result, said
