"""Form factors of a drive: those known of its capacity, and those of its model alone.

A model often comes in more forms than one of its capacities. A form that a source prints for the
capacity is checked; one that is only on the list of the model may not exist at this capacity.
"""

import re
from typing import NamedTuple

from planner.catalogue.drive import Drive

OF_MODEL = "of the model: "  # before the forms of a value that are not checked for the capacity


class Forms(NamedTuple):
    """Form factors that are known of a capacity, and those of the model that are not."""

    checked: tuple[str, ...]
    of_model: tuple[str, ...]


def forms_of(drive: Drive) -> Forms:
    """Return the form factors of a drive.

    A model that comes in one form alone comes in it at every capacity.

    >>> from planner.catalogue import find, load
    >>> for name in ("7450 PRO 960", "P5520 15.36"):
    ...     print(*forms_of(find(load(), name)))
    ('2.5" U.3 7/15mm', 'M.2 2280/22110') ('E1.S',)
    () ('2.5" U.2', 'E1.S', 'E1.L')
    """
    of_capacity, _, of_model = drive.form_factor.partition(OF_MODEL)
    checked, unchecked = _apart(of_capacity), _apart(of_model)
    feature = drive.features.get("form_factor")
    is_list = feature is not None and feature.value == drive.form_factor and len(checked) > 1
    if is_list and feature is not None and not feature.is_of_capacity:
        return Forms((), checked + unchecked)
    return Forms(checked, unchecked)


def fits(drive: Drive, text: str) -> bool:
    """Whether it comes in one of some form factors, as people write them: "U.2, E3.S, 2.5".

    >>> bay = Drive(drive_id="a", vendor="A", model="B", capacity_gb=1, form_factor='2.5" U.2 15mm')
    >>> [fits(bay, text) for text in ("u.2", "2.5", "M.2, E1.S", "U2")]
    [True, True, False, True]
    """
    checked, of_model = forms_of(drive)
    there = [_plain(form) for form in (*checked, *of_model)]
    asked = [_plain(part) for part in text.split(",") if part.strip()]
    return any(part in form for part in asked for form in there)


def is_on_board(drive: Drive) -> bool:
    """Whether every form factor of a drive is an M.2 module."""
    checked, of_model = forms_of(drive)
    forms = (*checked, *of_model)
    return bool(forms) and all(form.startswith("M.2") for form in forms)


def _apart(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";") if part.strip())


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9/]", "", text.lower())
