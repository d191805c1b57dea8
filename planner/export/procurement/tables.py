"""The tables of a purchase as plain rows, for CSV and JSON; numbers in the units shown."""

import math
from collections.abc import Mapping

import numpy as np

from models.nomenclature import QUANTITIES
from planner.catalogue import Catalogue
from planner.catalogue.prices import priced_text
from planner.export.procurement.names import NEED_KEYS, called, needed_text
from planner.export.procurement.owning import TOTALS, YEARLY
from planner.export.procurement.sources import source_rows
from planner.export.procurement.summary import rejected_rows
from planner.export.procurement.tornado import swings
from planner.graph.answer import Answer
from planner.quantity.show import shown
from planner.search.choose import Candidate, Choice

Row = dict[str, object]
_PLANNED = (
    "usable_bytes", "price_per_usable_byte", "price_per_written_byte", "required_dwpd",
    "rated_dwpd", "workload_wa", "warranty_s", "rated_life_s", "wear_life_s", "low_wear_life_s",
    "typical_wear_life_s", "high_wear_life_s", "max_latency_s", "budget_iops",
    "worst_case_floor_iops",
)  # fmt: skip


def procurement_tables(choice: Choice, catalogue: Catalogue | None = None) -> dict[str, list[Row]]:
    """Return the tables of a choice by name; `to_csv` and `json` write them as they are.

    What is missing, or never comes, is None. With a catalogue sources have their titles.

    >>> from planner.catalogue import find, load
    >>> from planner.search.choose import Grid, Requirements, choose
    >>> from planner.scenario.workload import Workload
    >>> grid = Grid(drives=(find(load(), "845DC PRO 400"),), members=(12,), levels=("5",))
    >>> choice = choose(Workload(host_bytes_per_s=2e7), Requirements(usable_bytes=4e12), grid)
    >>> procurement_tables(choice)["comparison"][0]["Layout"]
    '12 x RAID 5'
    """
    currency = choice.candidates[0].ownership.terms.currency if choice.candidates else "USD"
    return {
        "comparison": [_compared(place, one) for place, one in _ranked(choice)],
        "checks": [row for place, one in _ranked(choice) for row in _checked(place, one, currency)],
        "owning": [_owned(place, one) for place, one in _ranked(choice)],
        "owning_by_year": [row for place, one in _ranked(choice) for row in _yearly(place, one)],
        "rejected": rejected_rows(choice, currency),
        "savings": _savings(choice, currency),
        "sensitivity": _swings(choice, currency),
        "sources": [dict(row) for row in source_rows(choice, catalogue)],
    }


def _ranked(choice: Choice) -> list[tuple[int, Candidate]]:
    return list(enumerate(choice.candidates, start=1))


def _compared(place: int, candidate: Candidate) -> Row:
    answer = candidate.plan
    answers = {part.key: part for parts in answer.sections.values() for part in parts}
    names: Mapping[str, object] = {
        "Place": place,
        "Candidate": called(candidate),
        "Drive": answer.drive.name,
        "Layout": answer.array.layout,
        "Drives": answer.array.members,
        _head("price_usd", candidate): answer.drive.value("price_usd"),
        "Priced": priced_text(answer.drive),
    }
    figures = {_head(key, candidate): _number(key, answers.get(key)) for key in _PLANNED}
    loss = _number("array_loss_probability", candidate.data_loss["array_loss_probability"])
    return {
        **names,
        **figures,
        _head("array_iops", candidate): _number("array_iops", candidate.queue.iops),
        _head("array_loss_probability", candidate): loss,
        "First limit": str(answer.lives.limit or "unknown"),
    }


def _head(key: str, candidate: Candidate) -> str:
    """Return label and unit of a quantity."""
    unit = QUANTITIES[key].shown_in.replace("USD", candidate.ownership.terms.currency)
    return QUANTITIES[key].label if unit == "1" else f"{QUANTITIES[key].label} [{unit}]"


def _number(key: str, answer: Answer | None) -> float | None:
    if answer is None or not answer.is_known:
        return None
    return _finite(shown(key, float(answer.value)))


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _checked(place: int, candidate: Candidate, currency: str) -> list[Row]:
    return [
        {
            "Place": place,
            "Candidate": called(candidate),
            "Need": str(met.need),
            "Unit": QUANTITIES[NEED_KEYS[met.need]].shown_in.replace("USD", currency),
            "Needed": _finite(shown(NEED_KEYS[met.need], met.needed)),
            "Available": None
            if met.available is None
            else _finite(shown(NEED_KEYS[met.need], met.available)),
            "Holds": met.margin >= 1,
        }
        for met in candidate.met
    ]


def _owned(place: int, candidate: Candidate) -> Row:
    nodes = candidate.ownership.nodes
    figures = {_head(key, candidate): _number(key, nodes.get(key)) for key in TOTALS}
    return {"Place": place, "Candidate": called(candidate), **figures}


def _yearly(place: int, candidate: Candidate) -> list[Row]:
    owned = candidate.ownership
    years = np.ravel(owned.terms.years)
    columns = {
        _head(key, candidate): _by_year(key, owned.nodes.get(key), len(years)) for key in YEARLY
    }
    return [
        {"Place": place, "Candidate": called(candidate), "Year": int(year)}
        | {head: values[number] for head, values in columns.items()}
        for number, year in enumerate(years)
    ]


def _by_year(key: str, node: Answer | None, years: int) -> list[float | None]:
    if node is None:
        return [None] * years
    values = np.broadcast_to(np.ravel(np.asarray(node.value, float)), years)
    return [shown(key, float(value)) for value in values]


def _savings(choice: Choice, currency: str) -> list[Row]:
    return [
        {
            "Need": str(row.need),
            "Asked": needed_text(row.need, row.needed, currency),
            "Relaxed to": needed_text(row.need, row.relaxed, currency),
            f"Saves [{currency}]": row.saving,
            "Plan then": called(row.best) if row.best else None,
        }
        for row in choice.savings
    ]


def _swings(choice: Choice, currency: str) -> list[Row]:
    if not choice.candidates:
        return []
    return [
        {
            "Input": swing.label,
            "Unit": QUANTITIES[swing.key].shown_in.replace("USD", currency),
            "Low": shown(swing.key, swing.low),
            "High": shown(swing.key, swing.high),
            "Life at low [years]": swing.life_years[0],
            "Life at high [years]": swing.life_years[1],
            f"Cost at low [{currency}]": swing.npv_usd[0],
            f"Cost at high [{currency}]": swing.npv_usd[1],
            "Range": swing.ground,
        }
        for swing in swings(choice.candidates[0])
    ]
