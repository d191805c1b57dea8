"""Records of the catalogue: a drive, its facts, and the sources they come from.

Values are in base units; `Fact.text` and `Fact.unit` keep what the source printed.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from models import _check
from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import GB
from planner.catalogue.offers import PriceRange, Quote

if TYPE_CHECKING:
    from models.calibration import Posterior  # with it come the formulas, slow to import

T = TypeVar("T")

UNLISTED = " (size not listed)"  # after the name of a drive whose size the catalogue lacks
RECALLED = "recalled"  # the kind of a fact that is from memory: nobody looked it up


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Source of numbers. `date` is ISO, as far as it is known."""

    source_id: str
    title: str
    author: str = ""
    publisher: str = ""
    date: str = ""
    link: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One number about one drive: `text` as printed in `unit`, `value` in base units."""

    drive_id: str
    quantity: str
    text: str
    value: float
    unit: str
    rounding: str
    condition: str
    kind: str
    source_id: str
    locator: str
    confidence: str
    note: str


@dataclass(frozen=True, slots=True)
class Feature:
    """A fact of a drive in words: its interface, its flash, its protection.

    `is_of_capacity` tells a row of this capacity alone from one of the whole model.
    """

    feature: str
    value: str
    kind: str
    source_id: str
    locator: str
    note: str
    is_of_capacity: bool = False


class StoredMapping(Mapping[str, T]):
    """A mapping that is made when it is first looked into; elsewhere it travels as a dict."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], dict[str, T]]) -> None:
        self._make = make

    def __getitem__(self, key: str) -> T:
        return self._make()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._make())

    def __len__(self) -> int:
        return len(self._make())

    def __reduce__(self) -> tuple[type, tuple[dict[str, T]]]:
        return dict, (self._make(),)


class StoredFacts(StoredMapping[Fact]):
    """Facts that are made when one is looked at; their numbers alone are there before."""

    __slots__ = ("numbers",)

    def __init__(self, make: Callable[[], dict[str, Fact]], numbers: dict[str, float]) -> None:
        super().__init__(make)
        self.numbers = numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, key: object) -> bool:
        return key in self.numbers

    def get(self, key: str, default: Any = None) -> Any:
        """Return a fact; nothing is made where there is none."""
        return self[key] if key in self.numbers else default


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """A drive: its features in words and, by quantity, the facts used and those passed over.

    `features` holds the source of each word; the fields of the same names hold the words alone.
    `is_listed` is false of a size of the model that the catalogue does not have. `fit` is the fit
    to points measured on the drive, `price_range` its price today where no price is compared
    unchanged, `quote` the terms of purchase from a table of the user.
    """

    drive_id: str
    vendor: str
    model: str
    capacity_gb: float
    segment: str = ""
    form_factor: str = ""
    interface: str = ""
    nand_type: str = ""
    nand_process: str = ""
    nand_generation: str = field(default="", repr=False)
    memory: str = field(default="", repr=False)
    slc_cache: str = field(default="", repr=False)
    power_loss_protection: str = field(default="", repr=False)
    encryption: str = field(default="", repr=False)
    also_called: str = field(default="", repr=False)
    launch_year: int | None = None
    launch_year_recalled: int | None = None
    is_listed: bool = True
    features: Mapping[str, Feature] = field(default_factory=dict, repr=False)
    facts: Mapping[str, Fact] = field(default_factory=dict, repr=False)
    passed_over: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict, repr=False)
    fit: "Posterior | None" = field(default=None, repr=False, compare=False)
    price_range: PriceRange | None = field(default=None, repr=False)
    quote: Quote | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Vendor, model and capacity as people write them, and whether the size is not listed."""
        if not self.capacity_gb:
            return f"{self.vendor} {self.model}"
        is_large = self.capacity_gb >= 1000
        size = f"{self.capacity_gb / 1000:.10g} TB" if is_large else f"{self.capacity_gb:.10g} GB"
        return f"{self.vendor} {self.model} {size}{'' if self.is_listed else UNLISTED}"

    @property
    def capacity_bytes(self) -> float:
        """User capacity; the user's own figure where one was given."""
        return self.value("user_bytes") or self.capacity_gb * GB

    @property
    def is_recalled(self) -> bool:
        """Whether any fact that is used is from memory."""
        return any(fact.kind == RECALLED for fact in self.facts.values())

    def value(self, quantity: str) -> float | None:
        """Value used, in base units; None where the catalogue has no fact."""
        if isinstance(self.facts, StoredFacts):
            return self.facts.numbers.get(quantity)
        fact = self.facts.get(quantity)
        return None if fact is None else fact.value


USER = Source(source_id="user", title="Given by the user")
FITTED = Source(source_id="fit", title="Fitted to points measured on the drive")
ASSUMPTION = Source(source_id="assumption", title="Assumed from drives of its class")


def own_drive(capacity_bytes: float | None) -> Drive:
    """Return a drive with no known fact but its user capacity, or not even that.

    >>> own_drive(1.92e12).name
    'Own drive 1.92 TB'
    """
    if capacity_bytes is None:
        return Drive(drive_id="own-drive", vendor="Own", model="drive", capacity_gb=0.0)
    if not 0 < capacity_bytes < math.inf:
        raise DomainError(f"user_bytes must be > 0 and finite, got {capacity_bytes:g}")
    nameless = Drive(
        drive_id="own-drive", vendor="Own", model="drive", capacity_gb=capacity_bytes / GB
    )
    return with_user_facts(nameless, user_bytes=capacity_bytes)


def with_user_facts(drive: Drive, **values: float) -> Drive:
    """Copy a drive with quantities replaced by the user's, in base units; arrays broadcast.

    A fact that is replaced moves to `passed_over`.

    >>> drive = Drive(drive_id="mine", vendor="Any", model="X", capacity_gb=1920)
    >>> with_user_facts(drive, price_usd=500).value("price_usd")
    500.0
    """
    own = {name: _user_fact(drive, name, value) for name, value in values.items()}
    passed = dict(drive.passed_over)
    for name in own:
        before = drive.facts.get(name)
        if before is not None and before.kind != "user":
            passed[name] = (before, *passed.get(name, ()))
    return replace(drive, facts={**drive.facts, **own}, passed_over=passed)


def _user_fact(drive: Drive, quantity: str, value: float) -> Fact:
    if quantity not in QUANTITIES:
        raise DomainError(f"{quantity} must be a quantity of the nomenclature")
    values = np.asarray(value, float)
    _check.require((values >= 0) & (values < math.inf), quantity, ">= 0 and finite", values)
    return Fact(
        drive_id=drive.drive_id,
        quantity=quantity,
        text=f"{values.size} values" if values.ndim else f"{value}",
        value=_check.plain(values),
        unit=QUANTITIES[quantity].unit,
        rounding="exact",
        condition="",
        kind="user",
        source_id=USER.source_id,
        locator="given by the user",
        confidence="user",
        note="",
    )
