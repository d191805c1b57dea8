"""Prices of the spares of a fleet: today, and after the lead time."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

import numpy as np

from planner.catalogue import find, load
from planner.catalogue.drive import Drive
from planner.catalogue.price_curve import PriceChange, price_kind, waiting
from planner.catalogue.prices import PriceTerms, dated_text, priced
from planner.forecast.fleet import Fleet
from planner.telemetry.matching import match


class SparePrice(NamedTuple):
    """Price of one spare today in words, and the factor on it after the lead time."""

    text: str
    later: PriceChange


def spare_prices(fleet: Fleet) -> Mapping[str, SparePrice]:
    """Return the prices of the models of which spares are held, where the catalogue has them."""
    sizes = {one.model: one.user_bytes for one in fleet.histories.drives}
    asked = [one.model for one in fleet.spares if one.spares]
    found = {model: _drive(model, sizes[model]) for model in asked if model in sizes}
    return {
        model: _price(drive, fleet.lead_s) for model, drive in found.items() if drive is not None
    }


def _drive(model: str, user_bytes: float) -> Drive | None:
    drive_id = match(model, None if np.isnan(user_bytes) else user_bytes)
    return None if drive_id is None else find(load(), drive_id)


def _price(drive: Drive, lead_s: float) -> SparePrice:
    today = priced(drive, PriceTerms(today=date.today()))
    return SparePrice(dated_text(today), waiting(price_kind(drive).segment, lead_s))
