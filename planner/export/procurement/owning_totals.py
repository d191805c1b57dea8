"""What owning a candidate comes to, as spreadsheet formulas: one cell per quantity."""

from collections.abc import Callable, Mapping

from planner.export.procurement.page import guarded, total
from planner.scenario.terms import LEVELS

Cells = Mapping[str, str]
Totals = Callable[[Cells], str]


def _capital(at: Cells) -> str:
    price = at["price_usd"]
    drives = f"({at['members']}+{at['spare_drives']})"
    return f'IF({price}="","missing: Price per drive",{price}*{drives})'


def _present(key: str) -> Totals:
    """Return the present value of a row of yearly costs, or what it is missing."""

    def present(at: Cells) -> str:
        first, last = at[f"first {key}"], at[f"last {key}"]
        return guarded(f"SUMPRODUCT({first}:{last},{at['factors']})", first)

    return present


def _energy_present(at: Cells) -> str:
    """Return the present value of the energy, none where it is not known."""
    first, last = at["first yearly_energy_usd"], at["last yearly_energy_usd"]
    return f"IF(ISTEXT({first}),0,SUMPRODUCT({first}:{last},{at['factors']}))"


def _over_years(key: str) -> Totals:
    return lambda at: total(at[f"first {key}"], at[f"last {key}"])


def _residual(at: Cells) -> str:
    capital = at["capital_usd"]
    return guarded(f"{capital}*{at['residual_fraction']}/100", capital)


def _residual_present(at: Cells) -> str:
    residual = at["residual_usd"]
    return guarded(f"{residual}*(1+{at['discount_rate']}/100)^(-{at['horizon_s']})", residual)


_PARTS = ("energy_present_usd", "slot_present_usd", "labour_present_usd", "drives_present_usd")


def _npv(at: Cells) -> str:
    parts = "+".join(at[part] for part in _PARTS)
    body = f"{at['capital_usd']}+{parts}-{at['residual_present_usd']}"
    return guarded(body, at["capital_usd"], at["labour_present_usd"], at["drives_present_usd"])


def _annual(amount: str, at: Cells) -> str:
    rate, years = f"({at['discount_rate']}/100)", at["horizon_s"]
    annuity = f"IF({rate}<0.000000001,1/{years},{rate}/(1-(1+{rate})^(-{years})))"
    return f"({amount})*{annuity}"


def _equivalent(at: Cells) -> str:
    return guarded(_annual(at["npv_usd"], at), at["npv_usd"])


def _priced(at: Cells) -> str:
    priced = f"{at['capital_usd']}+{at['drives_present_usd']}-{at['residual_present_usd']}"
    return guarded(_annual(priced, at), at["capital_usd"], at["drives_present_usd"])


def _per(amount: str, size: str, factor: str = "") -> Totals:
    return lambda at: guarded(f"{at[amount]}/{at[size]}{factor}", at[amount], at[size])


def _per_written(at: Cells) -> str:
    written = f"({at['host_bytes_per_s']}*{at['last clock']}*31536000/1000000000000)"
    return guarded(f"{at['npv_usd']}/{written}", at["npv_usd"])


def _per_iops(at: Cells) -> str:
    iops = f'IF({at["qos_iops"]}="",{at["budget_iops"]},{at["qos_iops"]})'
    known = f'AND({at["qos_iops"]}="",ISTEXT({at["budget_iops"]}))'
    body = f"IF({known},{at['budget_iops']},{at['npv_usd']}/({iops})*1000)"
    return guarded(body, at["npv_usd"])


def _made(at: Cells) -> str:
    bought = at["bought_drives"]
    return guarded(f"{at['members']}+{at['spare_drives']}+{bought}", bought)


def _embodied(level: str) -> Totals:
    def embodied(at: Cells) -> str:
        made, size = at["made_drives"], at["user_bytes"]
        body = f"{size}/1000*{made}*{at[f'{level}_embodied_kg_per_byte']}"
        return f'IF({size}="","missing: User capacity",{guarded(body, made)})'

    return embodied


def _operational(level: str) -> Totals:
    def operational(at: Cells) -> str:
        energy = at["energy_j"]
        return f"IF(ISTEXT({energy}),0,{energy}*{at[f'{level}_grid_kg_per_j']}/1000)"

    return operational


def _carbon(level: str) -> Totals:
    def carbon(at: Cells) -> str:
        embodied = at[f"{level}_embodied_kg"]
        return guarded(f"{embodied}+{at[f'{level}_operational_kg']}", embodied)

    return carbon


def _carbon_per_byte_year(level: str) -> Totals:
    def per(at: Cells) -> str:
        carbon, usable = at[f"{level}_carbon_kg"], at["usable_bytes"]
        return guarded(f"{carbon}/{usable}/{at['horizon_s']}", carbon, usable)

    return per


TOTALS: dict[str, Totals] = {
    "capital_usd": _capital,
    "energy_present_usd": _energy_present,
    "slot_present_usd": _present("yearly_slot_usd"),
    "labour_present_usd": _present("yearly_labour_usd"),
    "drives_present_usd": _present("yearly_drives_usd"),
    "residual_usd": _residual,
    "residual_present_usd": _residual_present,
    "npv_usd": _npv,
    "equivalent_usd_per_year": _equivalent,
    "priced_usd_per_year": _priced,
    "cost_per_usable_byte": _per("npv_usd", "usable_bytes"),
    "cost_per_usable_byte_year": _per("equivalent_usd_per_year", "usable_bytes"),
    "cost_per_written_byte": _per_written,
    "cost_per_iops": _per_iops,
    "horizon_replacements": _over_years("yearly_replacements"),
    "bought_drives": _over_years("yearly_bought_drives"),
    "made_drives": _made,
    "energy_j": _over_years("yearly_energy_j"),
    **{f"{level}_embodied_kg": _embodied(level) for level in LEVELS},
    **{f"{level}_operational_kg": _operational(level) for level in LEVELS},
    **{f"{level}_carbon_kg": _carbon(level) for level in LEVELS},
    **{f"{level}_carbon_kg_per_byte_year": _carbon_per_byte_year(level) for level in LEVELS},
}
