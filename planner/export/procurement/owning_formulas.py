"""The cost of owning as spreadsheet formulas: one column per year of a candidate's block.

Only functions that every spreadsheet program has known since 1997. `{name}` stands for a cell;
prices and powers are in the units of their cells, times in years.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.export.procurement.page import guarded

MOST_LIVES = 100
_ROOT = "2.50662827463100050"  # square root of 2 pi
_MANY = '"missing: more than 100 lives within the planning horizon"'

Cells = Mapping[str, str]


def replacements(lives: str, failures: str, spread: str, generations: str) -> str:
    """Return the closed form of replacements of one slot; `generations` is a column 1, 2 ..."""
    rate = f"({failures}/{lives})"
    tilt = f"({rate}*{spread}^2*{generations})"
    deviation = f"({spread}*{generations}^0.5)"
    z = f"(({lives}-{generations}+{tilt})/{deviation})"
    passed = f"{deviation}*({z}*NORMSDIST({z})+EXP(-({z}^2)/2)/{_ROOT})"
    worn = f"SUMPRODUCT(EXP({rate}*({tilt}/2-{generations}))*(NORMSDIST({z})+{rate}*{passed}))"
    some = f"AND({lives}>MAX(0,1-6.5*{spread}),{failures}*{spread}^2<=0.5*{lives})"
    return f"IF({lives}>{MOST_LIVES},{_MANY},IF({some},{failures}+{worn},{failures}))"


def early_life(replaced: str, spread: str) -> str:
    """Return mean life over that of drives left to wear out, if they are replaced in time."""
    z = f"(({replaced}-1)/{spread})"
    cut = f"({z}*NORMSDIST({z})+EXP(-({z}^2)/2)/{_ROOT})"
    return f"IF({z}<8,{replaced}-{spread}*{cut},1)"


def early_spread(replaced: str, spread: str) -> str:
    """Return the relative spread of these lives."""
    z = f"MIN(8,({replaced}-1)/{spread})"
    phi = f"EXP(-(({z})^2)/2)/{_ROOT}"
    cut = f"(({z})*NORMSDIST({z})+{phi})"
    square = f"((1+({z})^2)*NORMSDIST({z})+({z})*{phi}-{cut}^2)"
    return f"MAX(0.0001,{spread}*MAX(0,{square})^0.5/({early_life(replaced, spread)}))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Yearly:
    """A row of a candidate's block: its quantity, and the formula of one year.

    `formula` takes the cells of the year, `before` those of the year before (None in the first).
    """

    key: str
    formula: Callable[[Cells, Cells | None], str]


def _written(now: Cells, _: Cells | None) -> str:
    return f"{now['member_bytes_per_s']}*{now['clock']}*31536000/1000000000000"


def _lives(now: Cells, _: Cells | None) -> str:
    limit = now["host_limit_bytes"]
    used = f"{now['yearly_written_bytes']}/({limit}*{now['early_life']})"
    return f"IF(ISNUMBER({limit}),{used},0)"


def _failures(now: Cells, _: Cells | None) -> str:
    return f"-LN(1-{now['afr_fraction']}/100)*{now['end']}"


def _slot(now: Cells, _: Cells | None) -> str:
    parts = (now["yearly_lives"], now["yearly_failures"], now["spread"], now["generations"])
    return replacements(*parts)


def _fleet(now: Cells, _: Cells | None) -> str:
    slot = now["slot_replacements"]
    return guarded(f"{slot}*{now['working_members']}", slot)


def _bought(now: Cells, _: Cells | None) -> str:
    fleet = now["cumulative_replacements"]
    return guarded(f"MAX(0,{fleet}-{now['spare_drives']})", fleet)


def _rise(key: str) -> Callable[[Cells, Cells | None], str]:
    """Return the formula for the rise of a number in a year, never negative by rounding."""

    def added(now: Cells, before: Cells | None) -> str:
        cell, first = now[key], now[f"first {key}"]
        if before is None:
            return guarded(f"MAX(0,{cell})", cell)
        return guarded(f"MAX({first}:{cell},0)-MAX({first}:{before[key]},0)", cell)

    return added


def _write_iops(now: Cells, before: Cells | None) -> str:
    written = _rise("yearly_written_bytes")(now, before)
    moved = f"({written})*1000000000000/({now['part']}*31536000)/({now['transfer_bytes']}*1024)"
    return f"IF({now['part']}>0,{moved},0)"


def _power(now: Cells, _: Cells | None) -> str:
    idle, writing = now["idle_power_w"], now["write_power_w"]
    reading = f'IF({now["read_power_w"]}="",{writing},{now["read_power_w"]})'
    writes, reads = now["yearly_write_iops"], f"({now['read_fraction']}/100)"
    per_write = f"({reads}/(1-{reads})+{now['reads_per_write']})"
    host_reads = f"{writes}/{now['writes_per_write']}*{per_write}"
    by_reads = (
        f"IF({reading}={idle},0,IF({reads}=1,1E+300,"
        f"({reading}-{idle})/{now['read_iops']}*{host_reads}))"
    )
    by_writes = f"({writing}-{idle})/{now['write_iops']}*{writes}"
    most = f"MAX({reading},{writing})"
    is_unknown = f'OR({idle}="",{writing}="",NOT(ISNUMBER({now["budget_iops"]})))'
    lacking = '"missing: power when idle and writing, or rates"'
    used = f"MIN({idle}+{by_reads}+{by_writes},{most})"
    return f"IF({is_unknown},{lacking},IF({now['part']}>0,{used},0))"


def _array_power(now: Cells, _: Cells | None) -> str:
    power, working = now["yearly_power_w"], now["working_members"]
    spares = f"({now['members']}-{working})*{now['idle_power_w']}"
    return guarded(f"IF({now['part']}>0,{working}*{power}+{spares},0)", power)


def _energy(now: Cells, _: Cells | None) -> str:
    power = now["array_power_w"]
    return guarded(f"{power}*{now['part']}*8.76*{now['pue']}", power)


def _energy_usd(now: Cells, _: Cells | None) -> str:
    energy = now["yearly_energy_j"]
    return guarded(f"{energy}*{now['energy_usd_per_j']}", energy)


def _slot_usd(now: Cells, _: Cells | None) -> str:
    return f"{now['slot_usd_per_year']}*{now['members']}*{now['part']}"


def _labour_usd(now: Cells, _: Cells | None) -> str:
    replaced = now["yearly_replacements"]
    return guarded(f"{now['labour_usd']}*{replaced}", replaced)


def _drives_usd(now: Cells, _: Cells | None) -> str:
    bought, price = now["yearly_bought_drives"], now["price_usd"]
    return f'IF({price}="","missing: Price per drive",{guarded(f"{price}*{bought}", bought)})'


YEARLY = (
    Yearly(key="yearly_written_bytes", formula=_written),
    Yearly(key="yearly_lives", formula=_lives),
    Yearly(key="yearly_failures", formula=_failures),
    Yearly(key="slot_replacements", formula=_slot),
    Yearly(key="cumulative_replacements", formula=_fleet),
    Yearly(key="yearly_replacements", formula=_rise("cumulative_replacements")),
    Yearly(key="cumulative_bought_drives", formula=_bought),
    Yearly(key="yearly_bought_drives", formula=_rise("cumulative_bought_drives")),
    Yearly(key="yearly_write_iops", formula=_write_iops),
    Yearly(key="yearly_power_w", formula=_power),
    Yearly(key="array_power_w", formula=_array_power),
    Yearly(key="yearly_energy_j", formula=_energy),
    Yearly(key="yearly_energy_usd", formula=_energy_usd),
    Yearly(key="yearly_slot_usd", formula=_slot_usd),
    Yearly(key="yearly_labour_usd", formula=_labour_usd),
    Yearly(key="yearly_drives_usd", formula=_drives_usd),
)
