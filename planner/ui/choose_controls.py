"""Widgets of requirements and candidates: each keeps its value in the URL."""

from dataclasses import dataclass
from datetime import date

import streamlit as st

from models.errors import DomainError
from planner.catalogue.prices import PriceTerms
from planner.catalogue.priors import Level
from planner.ownership import Terms
from planner.ownership.terms import assumed_texts
from planner.quantity.inputs import GRID, INPUTS, NEEDS, stated
from planner.quantity.show import complaint
from planner.reliability.failure_assumptions import Risk
from planner.search.choose import Axis, Objective, Requirements
from planner.search.choose.request import price_terms_of, requirements_of
from planner.sections.request import level_of
from planner.ui.plain import plain
from planner.ui.state import texts, texts_of

__all__ = ["Asked", "controls"]

REQUIRED = tuple(name for name in NEEDS if name not in ("sure", "life_log_sd"))
RATES = ("discount_rate", "electricity", "pue", "slot", "labour", "currency")
DEFAULTS = {
    "usable": "4 TB", "life": "5 years", "max_loss": "0.1%", "sure": "90%",
    "choose_drives": "2-24", "choose_raid": "10,5,6", "choose_spare": "0%,7%,28%",
    "choose_sets": "1,2",
}  # fmt: skip
MOST_MB = 16
PRICED = ("today", "price_age", "price_kinds", "rate")
SEGMENTS = ["client", "enterprise"]
FRONTS = [axis.value for axis in Axis if axis is not Axis.LEAST]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Requirements, candidates and objective of the page."""

    requirements: Requirements
    terms: Terms
    risk: Risk
    objective: Objective
    axis: Axis
    levels: tuple[str, ...]
    counts: tuple[int, ...]
    spares: tuple[float, ...]
    sets: tuple[int, ...]
    words: str
    segments: tuple[str, ...]
    assumed: Level | None
    prices: PriceTerms
    tables: tuple[tuple[str, bytes], ...] = ()
    only_own: bool = False
    texts: tuple[tuple[str, str], ...] = ()


def controls() -> Asked:
    """Draw the widgets; a bad input stops with its sentence."""
    st.markdown("#### Requirements")
    needs = texts(*REQUIRED, known=dict.fromkeys(REQUIRED, "not required"), defaults=DEFAULTS)
    needs |= texts("sure", defaults=DEFAULTS)
    st.markdown("#### Candidates")
    words = st.text_input(
        "Drives whose name contains", key="like", bind="query-params", placeholder="all of them"
    )
    segments = st.multiselect("Made for", SEGMENTS, key="segments", bind="query-params",
                              placeholder="anything")  # fmt: skip
    said = texts(*(f"choose_{name}" for name in GRID), defaults=DEFAULTS)
    grid = {name: INPUTS[name].values(said[f"choose_{name}"]) for name in GRID}
    assumed = texts("assumed")
    with st.expander("Quotes and drives of your own"):
        st.caption("A CSV or XLSX table; `ssd-planner catalogue template` names its columns.")
        files = st.file_uploader("Tables", ["csv", "xlsx"], accept_multiple_files=True,
                                 key="quotes", max_upload_size=MOST_MB)  # fmt: skip
        only_own = st.checkbox("Only these drives", key="only_own")
    with st.expander("Prices that compete"):
        dated = texts(*PRICED, known={"today": f"{date.today()}"})
    st.markdown("#### Objective")
    objective = st.radio("Minimise", [each.value for each in Objective], key="least",
                         bind="query-params") or Objective.PRICE  # fmt: skip
    axis = st.selectbox("Against", FRONTS, key="against", bind="query-params")
    with st.expander("Terms of ownership"):
        rates = texts(*RATES, known=assumed_texts(RATES))
    try:
        owned = Terms(**stated(rates | texts_of(["years"]), ("years", *RATES)))
        prices = price_terms_of(dated | {"currency": rates["currency"]})
        owned = owned.converted(prices.usd_each)
        return Asked(
            requirements=requirements_of(needs | texts_of(["years"])),
            terms=owned, risk=Risk(horizon_s=owned.horizon_s), objective=Objective(objective),
            axis=Axis(axis), levels=grid["raid"], counts=grid["drives"], spares=grid["spare"],
            sets=grid["sets"], words=words, segments=tuple(segments),
            assumed=_level(assumed, texts_of(["known_only"])), prices=prices,
            tables=tuple((file.name, file.getvalue()) for file in files), only_own=only_own,
            texts=(("currency", rates["currency"]), ("rate", dated["rate"])),
        )  # fmt: skip
    except DomainError as error:
        st.error(plain(complaint(error, {})))
        st.stop()


def _level(assumed: dict[str, str], shared: dict[str, str]) -> Level | None:
    """Return where what is assumed is taken; "known facts only" holds on every screen."""
    return level_of(shared if shared["known_only"] == "true" else assumed)
