"""Drives by what people type: words of a model, a size, a vendor, a part number.

A word matches whole or in part; a whole word of the model goes before a part of one, and a model
that ends with the last word before one that goes on: "P41" is Platinum P41, not P41 Plus. A name
that `other_models.csv` knows is not taken for one that goes on after it: SX8200 is not SX8200 Pro.
A size may be written 4TB, 4 TB, 4T, 4000 or 4; the next size within 4.5 % stands for a round or
binary one that the model does not have, so that 1 TB is 1,024 or 960 GB there, but 990 is no size.
A form factor or a class of endurance prefers the drives that have it, and rules out none: of many
drives these are not known. A word of letters that no name has is read as the one that is spelled
nearly so; a number never is.
"""

import functools
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from planner.catalogue.drive import UNLISTED, Drive
from planner.catalogue.features import derived_features
from planner.catalogue.stored import Catalogue
from planner.quantity.parse import quoted
from planner.quantity.untrusted import one_line

if TYPE_CHECKING:
    from planner.catalogue.part_numbers import PartNumber

_LISTED, _LONGEST_LIST = 5, 180  # names, and characters of them
_NEAR = 0.045
_NEAR_OF_PART = 0.025  # part numbers round to two digits
_MOST_TB = 300  # a number without a unit is of no more TB
_SPARED_GB = frozenset(120.0 * 2**power for power in range(12))
_ALIKE, _LEAST_LETTERS = 0.8, 5  # of two spellings of a word
_NEARLY = 0.75  # of two words of models
# What is said of any drive: that it is one, how it is sold, in whose server, how it is mounted.
_FILLERS = frozenset(
    (
        "ssd", "ssds", "drive", "disk", "solid", "state", "internal", "series", "kit", "oem",
        "retail", "new", "bulk", "for", "with", "w", "heatsink", "dell", "emc", "poweredge", "hpe",
        "proliant", "lenovo", "thinksystem", "thinkpad", "cisco", "ucs", "supermicro", "server",
        "express", "flash", "ent", "datacenter", "nas", "gaming", "laptop", "hot", "plug", "swap",
        "hs", "sff", "lff", "tray", "carrier", "force", "fips", "ise", "ec",
    )
)  # fmt: skip
# Words that name no model alone.
_COMMON = _FILLERS | {
    "sata", "sas", "nvme", "pcie", "nand", "ri", "mu", "wi", "slc", "mlc", "tlc", "qlc",
    *(f"pcie{generation}" for generation in range(1, 7)),
}  # fmt: skip
# Spellings that are read as one, before a text is cut into words.
_SPELLINGS = [
    (re.compile(pattern), now)
    for pattern, now in (
        (r"(\d),(?=\d{3}(?!\d))", r"\1"),  # 1,024
        (r"(\d),(?=\d)", r"\1."),  # 1,92
        (r"\b(6|12|24)\s*g(b?(it)?(/s|ps))?\b", r"\1gbps"),  # a link, no size
        (r"\b2\.5\s*(\"|''|in(ch)?\b|-inch\b)", " 2.5inch "),
        (r"\b(pci-?e|pci express)\s*(gen\s*)?([1-6])(\.0)?\b", r"pcie pcie\3"),
        (r"\bgen\s*([1-6])(\.0)?\b", r"pcie pcie\1"),
        (r"\b([mu])[. ]?([23])\b", r"\1.\2"),  # M2, U 2
        (r"\be([13])[. ]?([sl])\b", r"e\1\2"),  # E1.S
        (r"\bread[- ]intensive\b", "ri"),
        (r"\bmixed[- ]use\b", "mu"),
        (r"\bwrite[- ]intensive\b", "wi"),
        (r"(\w)\+", r"\1 plus "),  # EVO+
        (r"(\d)\s*tera(bytes?)?\b", r"\1tb"),
        (r"(\d)\s+([gt])b?\b", r"\1\2b"),
        (r"(?<![a-z0-9.])(\d+(?:\.\d+)?)([gt])\b", r"\1\2b"),  # 8T
        (r"(\d)\.0+(?=[gt]b\b|\s|$)", r"\1"),
        (r"([a-z])(\d{1,2}tb|\d{3}gb)\b", r"\1 \2"),  # 870evo1tb
    )
]
# Form factors, and "DC", which vendors put before models and take away again.
_PREFERRED = re.compile(
    r"m\.2|u\.[23]|e[13][sl]|2\.5(inch)?|2230|2242|2280|22110|aic|hhhl|msata|dc"
)
_CLASSES = {"ri": "read-intensive", "mu": "mixed-use", "wi": "write-intensive"}
# Other names of a vendor, and vendors that sell or sold the same models.
_SHORT = {"Western Digital": {"wd", "wdc"}, "SK hynix": {"skhynix"}, "TeamGroup": {"team"}}
_KIN = {
    "Western Digital": {"sandisk", "hgst"},
    "SanDisk": {"wd", "wdc", "western", "digital"},
    "HGST": {"wd", "wdc", "western", "digital"},
    "Intel": {"solidigm"},
    "Solidigm": {"intel", "hynix", "sk"},
    "Kioxia": {"toshiba"},
    "Toshiba": {"kioxia"},
    "OCZ": {"toshiba"},
    "Micron": {"crucial"},
    "Crucial": {"micron"},
}


class LookupFailed(ValueError):  # noqa: N818 - reads as what happened
    """No drive, or more than one, matches the text; near names are looked up when printed."""

    def __init__(self, say: Callable[[], str]) -> None:
        super().__init__()
        self._say = functools.cache(say)

    def __str__(self) -> str:
        return self._say()


@functools.lru_cache(maxsize=1024)
def find(catalogue: Catalogue, text: str) -> Drive:
    """Return the one drive that matches `text`: an id, a name, words of it, or a part number.

    A part number of a model of the catalogue may state a size that the catalogue does not have.

    Raises:
        LookupFailed: If no drive matches, or several do equally; the message names some.

    Examples:
        >>> from planner.catalogue.reader import load
        >>> find(load(), "840 evo 250").name
        'Samsung 840 EVO 250 GB'
    """
    drives = catalogue.drives.values()
    name = text.strip().casefold()
    for drive in drives:
        if name in (drive.drive_id.casefold(), drive.name.casefold()):
            return drive
    if (other := _unlisted(catalogue, name)) is not None:
        return other
    matching, typed = _best(drives, text), _typed(text)
    if not matching or _is_of_another(text, matching, typed):
        raise LookupFailed(lambda: _unknown(text, drives, typed))
    is_named = _is_named(matching, typed)
    if len(matching) > 1 or not is_named:
        raise LookupFailed(lambda: _ambiguous(text, matching, is_named=is_named))
    return matching[0]


def alike(catalogue: Catalogue, text: str) -> list[Drive]:
    """Return the drives that a name means equally; none where it names no model of the catalogue.

    >>> from planner.catalogue.reader import load
    >>> [drive.name for drive in alike(load(), "5300 1.92")]
    ['Micron 5300 MAX 1.92 TB', 'Micron 5300 PRO 1.92 TB']
    """
    matching, typed = _best(catalogue.drives.values(), text), _typed(text)
    is_other = _is_of_another(text, matching, typed) or not _is_named(matching, typed)
    return [] if is_other else matching


@functools.lru_cache(maxsize=4096)
def named(catalogue: Catalogue, text: str) -> tuple[Drive, ...]:
    """Return the drives that a text names as it is spelled, by whole words or as a part number.

    None where it names another model, or none: a vendor, a size.

    >>> from planner.catalogue.reader import load
    >>> [drive.name for drive in named(load(), "870 evo 4tb")], named(load(), "samsung 4tb")
    (['Samsung 870 EVO 4 TB'], ())
    """
    typed = _typed(text)
    ranked = _ranked(catalogue.drives.values(), typed)
    least = min((rank for _, rank in ranked), default=None)
    if least is not None and not least.parts:
        matching = [drive for drive, rank in ranked if rank == least]
        is_other = least.is_unnamed or _is_of_another(text, matching, typed)
        return () if is_other else tuple(matching)
    return tuple(_numbered(list(catalogue.drives.values()), text))


@functools.lru_cache(maxsize=4)
def model_words(catalogue: Catalogue) -> frozenset[str]:
    """Return the words of the names of all models."""
    named = ((drive.model, drive.also_called) for drive in catalogue.drives.values())
    return frozenset(word for names in named for name in names for word in words_of(name))


@functools.lru_cache(maxsize=4)
def vendor_words(catalogue: Catalogue) -> frozenset[str]:
    """Return the words of the names of all vendors, and those for short."""
    vendors = {drive.vendor for drive in catalogue.drives.values()}
    short = (word for vendor in vendors for word in _SHORT.get(vendor, ()))
    return frozenset({*short, *(word for vendor in vendors for word in words_of(vendor))})


def _is_of_another(text: str, matching: list[Drive], typed: list[str]) -> bool:
    """Whether a name is that of a known model that is not here, and models here go on after it."""
    from planner.catalogue.described import other_model  # noqa: PLC0415 - few names need it

    return _all_go_on(matching, typed) and other_model(text) is not None


def _unlisted(catalogue: Catalogue, name: str) -> Drive | None:
    """Return the drive of an unlisted size with this id or name."""
    if not name.endswith("gb") and not name.endswith(UNLISTED):
        return None
    from planner.catalogue.unlisted import by_id  # noqa: PLC0415 - few names are of one

    return by_id(catalogue.drives, re.sub(r"[^a-z0-9]+", "-", _in_gb(name)))


def _in_gb(name: str) -> str:
    """Write the name of an unlisted size as its id does: in GB.

    >>> _in_gb("micron 5100 eco 1.92 tb (size not listed)")
    'micron 5100 eco 1920gb'
    """
    bare = name.removesuffix(UNLISTED)
    return re.sub(
        r" ([\d.]+) (tb|gb)$",
        lambda size: f" {float(size[1]) * (1000 if size[2] == 'tb' else 1):.0f}gb",
        bare,
    )


def search(
    catalogue: Catalogue,
    text: str = "",
    *,
    vendor: str | None = None,
    interface: str | None = None,
    nand_type: str | None = None,
    segment: str | None = None,
    min_bytes: float | None = None,
    max_bytes: float | None = None,
    features: Mapping[str, str] | None = None,
) -> tuple[Drive, ...]:
    """List the drives that match `text` best, in the order of the catalogue; none lists all.

    The other filters match whole words: "MLC" does not match "eMLC", "NVMe" matches
    "NVMe PCIe 4.0 x4". Sizes are user capacity. [bytes] `features` are words by name, stated ones
    and those that follow from others.

    >>> from planner.catalogue.reader import load
    >>> [drive.name for drive in search(load(), "845dc pro", max_bytes=500e9)]
    ['Samsung 845DC PRO 400 GB']
    """
    filters = {"vendor": vendor, "interface": interface, "nand_type": nand_type, "segment": segment}
    by_column = {column: set(words_of(words)) for column, words in filters.items() if words}
    low = -math.inf if min_bytes is None else min_bytes
    high = math.inf if max_bytes is None else max_bytes
    left = [
        drive
        for drive in catalogue.drives.values()
        if all(words <= {*words_of(getattr(drive, column))} for column, words in by_column.items())
        and low <= drive.capacity_bytes <= high
        and (not features or _has(drive, features))
    ]
    return tuple(_best(left, text) if text.strip() else left)


def _has(drive: Drive, features: Mapping[str, str]) -> bool:
    """Whether a drive is known to have each of some features."""
    known = {**drive.features, **derived_features(drive)}
    return all(
        name in known and set(words_of(words)) <= set(words_of(known[name].value))
        for name, words in features.items()
    )


def other_models(catalogue: Catalogue, text: str) -> tuple[str, ...]:
    """Name the models that have every word of `text` too, but are less what it says.

    >>> from planner.catalogue.reader import load
    >>> other_models(load(), "P41")
    ('Solidigm P41 Plus',)
    """
    ranked = _ranked(catalogue.drives.values(), _typed(text))
    best = {drive.drive_id for drive in _best(catalogue.drives.values(), text)}
    models = (
        f"{drive.vendor} {drive.model}"
        for drive, rank in ranked
        if rank.parts == 0 and drive.drive_id not in best
    )
    named = {f"{drive.vendor} {drive.model}" for drive in catalogue.drives.values()
             if drive.drive_id in best}  # fmt: skip
    return tuple(model for model in dict.fromkeys(models) if model not in named)


def _best(drives: Iterable[Drive], text: str) -> list[Drive]:
    """Return the drives that match best: by whole words, else as a part number, else by parts."""
    drives = list(drives)
    ranked = _ranked(drives, _typed(text)) or _ranked(drives, _spelled(drives, _typed(text)))
    least = min((rank for _, rank in ranked), default=None)
    if least is None or least.parts:
        numbers = _numbered(drives, text)
        if numbers:
            return numbers
    return [drive for drive, rank in ranked if rank == least]


# How well a drive matches -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class _Rank:
    """Rank of a drive among matches: the lower goes first."""

    parts: int = 0  # words that are but a part of a word of the drive
    is_unnamed: bool = False  # no word is of the model: a vendor, a size, an interface alone
    goes_on: bool = False  # the model has words after the last one that matches
    loose: int = 0  # a near size, a related vendor, a word of the interface; twice what is not so


def _ranked(drives: Iterable[Drive], typed: list[str]) -> list[tuple[Drive, _Rank]]:
    naming = [word for word in typed if _names_something(word)]
    among = (drive for drive in drives if all(word in _searched(drive) for word in naming))
    ranks = ((drive, _rank(drive, typed)) for drive in among) if typed else ()
    return [(drive, rank) for drive, rank in ranks if rank is not None]


def _names_something(word: str) -> bool:
    """Whether a word can only match by what a drive is called or described by."""
    is_optional = word in _COMMON or word in _CLASSES or _PREFERRED.fullmatch(word)
    return not is_optional and math.isnan(_number(word)[0])


def _searched(drive: Drive) -> str:
    """Return all words of a drive in one text: one that is no part of it rules the drive out."""
    described = drive.interface, drive.form_factor, drive.nand_type, drive.segment, drive.memory
    return _joined(drive.vendor, drive.model, drive.also_called, described)


@functools.cache
def _joined(vendor: str, model: str, also_called: str, described: tuple[str, ...]) -> str:
    names = _names(vendor, model, also_called)
    words = [word for name in names for word in (*name.vendor, *name.kin, *name.runs)]
    return "\n".join([*words, *(word for text in described for word in words_of(text))])


def _rank(drive: Drive, typed: list[str]) -> _Rank | None:
    names = _names(drive.vendor, drive.model, drive.also_called)
    return min((rank for name in names if (rank := _rank_of(drive, name, typed))), default=None)


def _rank_of(drive: Drive, name: "_Name", typed: list[str]) -> _Rank | None:
    typed = name.joined(typed)
    last, loose, parts = -1, 0, 0
    for word in typed:
        if word in name.runs:
            last = max(last, -1 if word in _COMMON else name.runs[word])
            loose += (
                word in _COMMON
            )  # as where it only describes a drive: of WD Black many are NVMe
        elif word in name.vendor or _is_size(word, drive.capacity_gb, 0.0):
            continue
        elif (unlike := _unlike(word, drive, name)) is not None:
            loose += unlike
        elif len(word) > 1 and any(word in whole for whole in (*name.words, *name.vendor)):
            parts += 1
        else:
            return None
    return _Rank(parts, last < 0, -1 < last < len(name.words) - 1, loose)


def _unlike(word: str, drive: Drive, name: "_Name") -> int | None:
    """Rank of a word for a drive: 1 where it matches, 2 where it is optional, None where not."""
    if word in name.kin or _is_size(word, drive.capacity_gb, _NEAR):
        return 1
    described = drive.interface, drive.form_factor, drive.nand_type, drive.segment, drive.memory
    if not word.isdigit() and any(word in words_of(text) for text in described):
        return 1
    if word in _CLASSES:
        known = derived_features(drive).get("endurance_class")
        return 1 if known is not None and known.value == _CLASSES[word] else 2
    return 2 if word in _FILLERS or _PREFERRED.fullmatch(word) else None


def _is_size(word: str, capacity_gb: float, near: float) -> bool:
    """Whether a word names a capacity: 4tb, 4000gb, or the number alone in either unit.

    No word names that of a drive whose capacity is unknown.

    >>> _is_size("3.84", 3840, 0), _is_size("1tb", 1024, 0), _is_size("1tb", 1024, 0.025)
    (True, False, True)
    >>> _is_size("1tb", 0, 0.025)
    False
    """
    return any(
        abs(size - capacity_gb) <= ((near if is_rounded else 0.0) + 1e-9) * capacity_gb
        for size, is_rounded in _sizes(word)
    )


@functools.cache
def _sizes(word: str) -> tuple[tuple[float, bool], ...]:
    """Return the sizes in GB that a word may mean, and whether each may stand for the next size.

    So they write 1 TB, 500, 512 or 122, but not 990; and who writes 480 means it, as all sizes of
    15 times a power of two.
    """
    number, unit = _number(word)
    as_gb = number, number not in _SPARED_GB and (bool(unit) or _is_round(number))
    as_tb = number * 1000, number * 1000 not in _SPARED_GB and (bool(unit) or number < _MOST_TB)
    return {"gb": (as_gb,), "tb": (as_tb,), "": (as_gb, as_tb)}[unit]


def _is_round(number: float) -> bool:
    return number % 125 == 0 or number % 128 == 0


@functools.cache
def _number(word: str) -> tuple[float, str]:
    size = re.fullmatch(r"(\d+(?:\.\d+)?)([gt]b)?", word)
    return (float(size[1]), size[2] or "") if size else (math.nan, "")


# Names as words ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Name:
    """Words of a vendor and a model; `runs` gives for words written together the last place."""

    vendor: frozenset[str]
    kin: frozenset[str]
    words: tuple[str, ...]
    runs: dict[str, int]

    def joined(self, typed: list[str]) -> list[str]:
        """Write words together that are one word of the model: "MX 500" is MX500."""
        words = list(typed)
        for place in range(len(words) - 1, 0, -1):
            if (both := words[place - 1] + words[place]) in self.words:
                words[place - 1 : place + 1] = [both]
        return words


@functools.cache
def _names(vendor: str, model: str, also_called: str) -> tuple[_Name, ...]:
    others = (name.strip() for name in also_called.split(";"))
    return tuple(_name(vendor, name) for name in (model, *others) if name)


def _name(vendor: str, model: str) -> _Name:
    words = words_of(model)
    runs = {
        "".join(words[first : last + 1]): last
        for last in range(len(words))
        for first in range(last + 1)
    }
    return _Name(
        vendor=frozenset({*words_of(vendor), *_SHORT.get(vendor, ())}),
        kin=frozenset(_KIN.get(vendor, ())),
        words=words,
        runs=runs,
    )


@functools.cache
def words_of(text: str) -> tuple[str, ...]:
    """Words of a text without case; "4 TB" is one word, and "1,024" one number."""
    folded = text.casefold()
    for spelling, now in _SPELLINGS:
        folded = spelling.sub(now, folded)
    return tuple(re.findall(r"\d+\.\d+[a-z]*|[a-z]\.\d+|[a-z0-9]+", folded))


def _typed(text: str) -> list[str]:
    return list(dict.fromkeys(words_of(text)))


def _spelled(drives: Iterable[Drive], typed: list[str]) -> list[str]:
    """Return words with those of letters that no name has as the ones that are spelled so."""
    names = (f"{drive.vendor} {drive.model} {drive.also_called}" for drive in drives)
    known = {word for name in dict.fromkeys(names) for word in words_of(name)}
    known |= {word for words in _SHORT.values() for word in words}
    return [word if word in known else _nearly(word, known) for word in typed]


def _nearly(word: str, known: Iterable[str]) -> str:
    if not word.isalpha() or len(word) < _LEAST_LETTERS:
        return word
    letters = sorted(one for one in known if one.isalpha() and len(one) >= _LEAST_LETTERS)
    from difflib import get_close_matches  # noqa: PLC0415 - most words are spelled right

    return next(iter(get_close_matches(word, letters, n=1, cutoff=_ALIKE)), word)


# Part numbers and refusals ----------------------------------------------------------------------


def _numbered(drives: list[Drive], text: str) -> list[Drive]:
    """Return the drives that a text names by a part number."""
    from planner.catalogue.part_numbers import numbered  # noqa: PLC0415 - few names are one

    return [drive for part in numbered(text) for drive in _of_part(drives, part)]


def _of_part(drives: Iterable[Drive], part: "PartNumber") -> list[Drive]:
    """Return the drives of a part number's model: of its first size that there is.

    Else that of the size that the number states, else all.
    """
    alike = [d for d in drives if (d.vendor, d.model) == (part.vendor, part.model)]
    for size_gb in part.sizes_gb:
        sized = [drive for drive in alike if abs(size_gb / drive.capacity_gb - 1) <= _NEAR_OF_PART]
        if sized:
            return sized
    from planner.catalogue.unlisted import unlisted  # noqa: PLC0415 - few numbers need it

    drive = unlisted(alike, part.sold_gb) if part.sold_gb else None
    return alike if drive is None else [drive]


def _all_go_on(matching: list[Drive], typed: list[str]) -> bool:
    """Whether words are the beginning of the names of models that go on after them."""
    ranks = [_rank(drive, typed) for drive in matching]
    return all(rank is not None and rank.goes_on for rank in ranks)


def _is_named(matching: list[Drive], typed: list[str]) -> bool:
    """Whether words name a model, and not only what many have: a vendor, a size, an interface.

    Part numbers and spellings are tried where no word matches as typed.
    """
    ranks = [_rank(drive, typed) for drive in matching]
    return any(rank is None or not rank.is_unnamed for rank in ranks)


def _ambiguous(text: str, matching: list[Drive], *, is_named: bool) -> str:
    """Name drives that match alike; where no model is named, say how to describe one instead."""
    names = _listed([drive.name for drive in matching])
    if is_named:
        return f"drive {quoted(text)} is ambiguous: name one of {names}"
    from planner.catalogue.described import described  # noqa: PLC0415 - of unknown names alone

    other = described(text)
    instead = f"; or {other}" if other else ""
    return f"drive {quoted(text)} names no model: name one of {names}{instead}"


def _listed(names: list[str]) -> str:
    shown = [one_line(name) for name in names[:_LISTED]]
    while len(shown) > 1 and len(", ".join(shown)) > _LONGEST_LIST:
        shown.pop()
    more = f", ... ({len(names)} in all)" if len(names) > len(shown) else ""
    return f"{', '.join(shown)}{more}"


def _unknown(text: str, drives: Iterable[Drive], typed: list[str]) -> str:
    """Explain an unknown name: the description that it implies, and models spelled alike."""
    from planner.catalogue.described import described, other_model  # noqa: PLC0415 - as above

    drives = list(drives)
    parts = [f"no drive matches {quoted(text)}", described(text)]
    if not other_model(text) and (sizes := _other_sizes(drives, typed)):
        parts.append(sizes)
    elif near := _spelled_alike(drives, typed):
        parts.append(f"nearest: {', '.join(map(one_line, near))}")
    return "; ".join(part for part in parts if part)


def _other_sizes(drives: list[Drive], typed: list[str]) -> str:
    """List the sizes of the model that all words but the size name; empty if there is none."""
    sold = {drive.capacity_gb for drive in drives}
    numbers = [word for word in typed if any(_is_size(word, size_gb, _NEAR) for size_gb in sold)]
    for size in reversed(numbers):
        ranked = _ranked(drives, [word for word in typed if word != size])
        best = min((rank for _, rank in ranked), default=_Rank(is_unnamed=True))
        if best.parts or best.is_unnamed or best.goes_on:
            continue
        near = [drive for drive, rank in ranked if rank == best]
        if len({(drive.vendor, drive.model) for drive in near}) == 1:
            return f"of that model there are {_listed([drive.name for drive in near])}"
    return ""


def _likeness(typed: str, word: str) -> float:
    """Return the likeness of two spellings, from 0 to 1; 0 where they are not nearly alike."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - most names are known

    match = SequenceMatcher(None, typed, word)
    bounds = (match.real_quick_ratio, match.quick_ratio, match.ratio)
    return match.ratio() if all(bound() >= _NEARLY for bound in bounds) else 0.0


def _spelled_alike(drives: Iterable[Drive], typed: list[str]) -> list[str]:
    """Return the models of which a word with a number is spelled most like one that is typed."""
    with_numbers = [
        word for word in typed if re.search(r"\d", word) and not re.search(r"[gt]b$", word)
    ]
    models = dict.fromkeys((drive.vendor, drive.model) for drive in drives)
    own = {word for _, model in models for word in words_of(model) if len(word) > 2}
    likeness = {word: max((_likeness(each, word) for each in with_numbers), default=0.0)
                for word in own}  # fmt: skip
    alike = {
        f"{vendor} {model}": max((likeness.get(word, 0.0) for word in words_of(model)), default=0.0)
        for vendor, model in models
    }
    best = sorted((name for name in alike if alike[name] >= _NEARLY), key=lambda name: -alike[name])
    return best[:3]
