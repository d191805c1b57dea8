"""Facts of a drive that a purchase rests on and nobody looked up for this drive and capacity."""

from collections.abc import Iterator
from typing import NamedTuple

from planner.catalogue.drive import ASSUMPTION, RECALLED, Drive
from planner.catalogue.forms import forms_of

_WHY = {ASSUMPTION.source_id: "of its class, not of this drive", RECALLED: "not looked up"}
OF_MODEL = "{} of the model, not checked for this capacity"


class Unverified(NamedTuple):
    """A fact that is to be confirmed before ordering, and why."""

    fact: str
    why: str

    def __str__(self) -> str:
        """Name the fact, with the reason in brackets."""
        return f"{self.fact} ({self.why})"


def unverified(drive: Drive) -> tuple[Unverified, ...]:
    """Return warranty, rating, power-loss protection and form factor that are not looked up.

    A warranty may be that of the class, any of these from memory, and a form factor that of the
    model, in which this capacity may not exist.

    >>> from planner.catalogue import find, load
    >>> for one in unverified(find(load(), "7450 PRO 960")):
    ...     print(one)
    rating (not looked up)
    form factor (E1.S of the model, not checked for this capacity)
    """
    return tuple(_unverified(drive))


def _unverified(drive: Drive) -> Iterator[Unverified]:
    facts = {
        "warranty": drive.facts.get("warranty_s"),
        "rating": drive.facts.get("rated_bytes") or drive.facts.get("rated_dwpd"),
    }
    for name, fact in facts.items():
        if fact is not None and fact.kind in _WHY:
            yield Unverified(name, _WHY[fact.kind])
    protection = drive.features.get("power_loss_protection")
    if protection is not None and protection.value == "yes" and protection.kind in _WHY:
        yield Unverified("power-loss protection", _WHY[protection.kind])
    form, of_model = drive.features.get("form_factor"), forms_of(drive).of_model
    if form is not None and form.value == drive.form_factor:
        reasons = [_WHY[form.kind]] if form.kind in _WHY else []
        reasons += [OF_MODEL.format(", ".join(of_model))] if of_model else []
        if reasons:
            yield Unverified("form factor", "; ".join(reasons))
