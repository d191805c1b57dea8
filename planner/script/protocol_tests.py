"""`protocol` for scripts: a published test of drives, or one of phases of one's own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.catalogue.drive import Drive
from planner.export.protocol_job import protocol_job
from planner.export.protocol_table import course_rows, notes, order_sentence
from planner.graph.number import Number
from planner.quantity.inputs import FACTS, TESTED
from planner.script.inputs import base_of, drives_of, planned, texts_of
from planner.script.questions import Answers
from planner.script.typed_inputs import ProtocolInputs
from planner.simulation.protocol.answer import PhaseAnswer, ProtocolAnswer, protocol_answer
from planner.simulation.protocol.presets import Protocol, own_protocol, protocol_named
from planner.simulation.protocol.rank import ranking

if TYPE_CHECKING:
    import pandas as pd

# Attributes of a phase by the keys of its numbers.
PHASE = {
    "rate": "phase_bytes_per_s", "iops": "phase_iops", "lowest": "phase_lowest_bytes_per_s",
    "latency": "phase_latency_s", "p99": "phase_p99_latency_s", "time": "phase_s",
    "written": "phase_written_bytes", "wa": "phase_wa", "energy": "phase_j",
}  # fmt: skip


class OrderedDrive(NamedTuple):
    """A drive in the order of a test; drives between which nothing is decided share a place.

    `above_next` is the probability that it beats the next one.
    """

    place: int
    drive: str
    above_next: float


@dataclass(frozen=True, eq=False, repr=False)
class DriveTest(Mapping[str, Answers]):
    """A test on one drive: the numbers of its phases, by their names."""

    drive: str
    phases: Mapping[str, Answers]
    record: ProtocolAnswer = field(repr=False)

    def __getitem__(self, phase: str) -> Answers:
        """Return a phase by name."""
        if phase not in self.phases:
            raise KeyError(f"the test has no phase {phase!r}; it has {', '.join(self.phases)}")
        return self.phases[phase]

    def __iter__(self) -> Iterator[str]:
        return iter(self.phases)

    def __len__(self) -> int:
        return len(self.phases)

    def __repr__(self) -> str:
        return "\n".join([self.drive, *map(repr, self.phases.values())])

    def fio_job(self, *, device: str = "${DEVICE}") -> str:
        """Return the job for fio that runs the test; ALL DATA ON THE DEVICE IS LOST."""
        return protocol_job(self.record, device=device)


@dataclass(frozen=True, eq=False, repr=False)
class DriveTests(Sequence[DriveTest]):
    """A test on several drives, as they were given; `order` is the one that it finds.

    Attributes:
        title: The test.
        judged_by: The phase by whose rate drives are ordered, or several by their mean.
        notes: Inputs that widen the ranges, and limits of validity.
    """

    title: str
    judged_by: str
    tests: tuple[DriveTest, ...]

    def __getitem__(self, place: Any) -> Any:
        """Return the test of a drive by its place, or by its name as it is in the catalogue."""
        if not isinstance(place, str):
            return self.tests[place]
        named = [test for test in self.tests if test.drive == place]
        if not named:
            names = ", ".join(test.drive for test in self.tests)
            raise KeyError(f"the test has no drive {place!r}; it has {names}")
        return named[0]

    def __len__(self) -> int:
        return len(self.tests)

    @property
    def order(self) -> list[OrderedDrive]:
        """The drives from the fastest on, with the probability that each beats the next."""
        return [
            OrderedDrive(each.place, each.answer.drive.name, each.above_next)
            for each in ranking(self._records)
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Inputs that widen the ranges, and limits of validity."""
        return tuple(notes(self._records))

    @property
    def _records(self) -> list[ProtocolAnswer]:
        return [test.record for test in self.tests]

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each phase of each drive; `attrs["units"]` has the units of numbers.

        Each number has its ends `_low` and `_high`.
        """
        import pandas as pd  # noqa: PLC0415 - a test needs none of it

        rows = [
            {"drive": test.drive, "phase": phase, **_columns(answers)}
            for test in self.tests
            for phase, answers in test.items()
        ]
        frame = pd.DataFrame(rows)
        frame.attrs["units"] = {name: QUANTITIES[key].shown_in for name, key in PHASE.items()}
        return frame

    def course(self) -> "pd.DataFrame":
        """Return a row for each interval of each phase: seconds, bytes and rates, in base units."""
        import pandas as pd  # noqa: PLC0415 - likewise

        return pd.DataFrame(course_rows(self._records))

    def __repr__(self) -> str:
        order = [f"Order in {self.judged_by}: {order_sentence(self._records)}"]
        return "\n".join([self.title, *map(repr, self.tests), *order[: len(self.tests) - 1]])


def protocol(
    name: str | None,
    drives: Iterable[Drive | str] | Drive | str,
    *,
    phases: Iterable[str] = (),
    test_size: str | tuple[float, str] | Number | None = None,
    **inputs: Unpack[ProtocolInputs],
) -> DriveTests:
    """Return the numbers of drives in a test: a published one, or `phases` of one's own.

    The names are those of `ssd-planner protocol --list`, phases are written as its `--phase`.
    `test_size` tests a part of each drive, such as a file. Inputs are facts of the drives, and what
    is left free of them, as those of a plan.

    >>> found = protocol("consistency", ["845DC EVO 240", "845DC PRO 400"])
    >>> [drive.drive for drive in found.order], found.order[0].above_next > 0.9
    (['Samsung 845DC PRO 400 GB', 'Samsung 845DC EVO 240 GB'], True)
    >>> found["Samsung 845DC PRO 400 GB"]["steady"].iops.key
    'phase_iops'
    >>> own = protocol(None, "840 EVO 250", phases=["fill", "write random 4KiB depth 32 for 60 s"])
    >>> own[0]["write random 4KiB depth 32 for 60 s"].time
    60 s
    """
    test = _test(name, [phases] if isinstance(phases, str) else phases)
    texts = texts_of(inputs, (*TESTED, *FACTS), "a test")
    size = None if test_size is None else base_of("test_size", "usable_bytes", test_size)
    answers = [
        protocol_answer(planned(drive, texts), test, test_bytes=size) for drive in drives_of(drives)
    ]
    if not answers:
        raise DomainError("drives must be at least one")
    return DriveTests(test.title, test.judged_text, tuple(map(_drive_test, answers)))


def _test(name: str | None, phases: Iterable[str]) -> Protocol:
    listed = tuple(phases)
    if listed and name is not None:
        raise DomainError("name must be None beside phases: they are a test of their own")
    if listed:
        return own_protocol(listed)
    if name is None:
        raise DomainError("name must be a test, or phases be given")
    return protocol_named(name)


def _drive_test(answer: ProtocolAnswer) -> DriveTest:
    phases = {each.phase.name: _phase(each) for each in answer.phases}
    return DriveTest(answer.drive.name, phases, answer)


def _phase(each: PhaseAnswer) -> Answers:
    numbers = {
        key: Number(found.typical, key, between=(found.low, found.high))
        for key, found in each.ranges.items()
    }
    names = {name: key for name, key in PHASE.items() if key in numbers}
    return Answers(each.phase.name, names, numbers, record=each)


def _columns(answers: Answers) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, key in answers.names.items():
        number = answers[key]
        found |= {name: float(number), f"{name}_low": number.low, f"{name}_high": number.high}
    return found
