"""Published protocols: `data/protocols.csv`, and their phases in `data/protocol_phases.csv`."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from models.errors import DomainError
from planner import catalogue
from planner.catalogue.rows import CatalogueRow, read
from planner.quantity.parse import quoted
from planner.simulation.protocol.phases import Phase, parse_phase

MOST_PHASES = 60
OWN = "own"
_COLUMNS = ("protocol", "title", "judged_by", "source_id", "locator", "note")
_PHASE_COLUMNS = ("protocol", "phase", "what", "is_measured")


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """A test: its phases, and those by whose mean rate it ranks drives."""

    name: str
    title: str
    judged_by: tuple[str, ...]
    phases: tuple[Phase, ...]
    source_id: str = ""
    locator: str = ""
    note: str = ""

    @property
    def judged_text(self) -> str:
        """The phases by which it ranks drives, in words.

        >>> protocol_named("sustained-random-read").judged_text
        'the mean of depth-1, depth-2 and depth-4'
        """
        *first, last = self.judged_by
        return f"the mean of {', '.join(first)} and {last}" if first else last

    @property
    def measured(self) -> tuple[Phase, ...]:
        """The phases whose results are reported."""
        return tuple(phase for phase in self.phases if phase.is_measured)


@functools.cache
def protocols() -> Mapping[str, Protocol]:
    """Return the published protocols by name.

    >>> [phase.name for phase in protocols()["consistency"].phases]
    ['erase', 'fill', 'first-1400-s', 'steady']
    """
    folder, problems = catalogue.data_folder(), list[str]()
    phases: dict[str, list[Phase]] = {}
    for name, phase in read(folder / "protocol_phases.csv", _PHASE_COLUMNS, _phase, problems):
        phases.setdefault(name, []).append(phase)
    make = functools.partial(_protocol, phases=phases)
    found = {each.name: each for each in read(folder / "protocols.csv", _COLUMNS, make, problems)}
    if problems:
        raise ValueError("; ".join(problems))
    return found


def protocol_named(name: str) -> Protocol:
    """Return a published protocol by name, or refuse it with the nearest names.

    >>> protocol_named("consistancy")
    Traceback (most recent call last):
    models.errors.DomainError: protocol: 'consistancy' is not known; nearest are consistency, \
consistency-25
    """
    known = protocols()
    if name.lower() in known:
        return known[name.lower()]
    near = get_close_matches(name.lower(), known, n=3) or known
    raise DomainError(f"protocol: {quoted(name)} is not known; nearest are {', '.join(near)}")


def own_protocol(phases: tuple[str, ...]) -> Protocol:
    """Return a protocol of phases as a person types them.

    >>> own_protocol(("erase", "write random 4KiB depth 32 for 60 s")).judged_by
    ('write random 4KiB depth 32 for 60 s',)
    """
    if len(phases) > MOST_PHASES:
        raise DomainError(f"phase: must be given at most {MOST_PHASES} times, got {len(phases)}")
    read_phases = tuple(parse_phase(f"phase {at}", text) for at, text in enumerate(phases, 1))
    measured = [phase for phase in read_phases if phase.is_measured]
    if not measured:
        raise DomainError('phase: none of them is measured: add "write", "read", "mix" or "replay"')
    names = {OWN: 0}
    return Protocol(
        name=OWN, title="Phases of your own", judged_by=(measured[-1].name,),
        phases=tuple(_told_apart(phase, names) for phase in read_phases),
    )  # fmt: skip


def _told_apart(phase: Phase, names: dict[str, int]) -> Phase:
    """Return a phase with a number after its name where it was given before."""
    names[phase.name] = names.get(phase.name, 0) + 1
    count = names[phase.name]
    return phase if count == 1 else replace(phase, name=f"{phase.name} ({count})")


def _phase(row: CatalogueRow) -> tuple[str, Phase]:
    phase = parse_phase("what", row.required("what"))
    is_measured = row.choice("is_measured", ("yes", "no")) == "yes"
    named = replace(phase, name=row.required("phase"), is_measured=is_measured)
    return row.required("protocol"), named


def _protocol(row: CatalogueRow, *, phases: Mapping[str, list[Phase]]) -> Protocol:
    name = row.required("protocol")
    return Protocol(
        name=name, title=row.required("title"), phases=tuple(phases.get(name, ())),
        judged_by=tuple(row.required("judged_by").split("; ")),
        source_id=row.required("source_id"), locator=row.required("locator"), note=row["note"],
    )  # fmt: skip
