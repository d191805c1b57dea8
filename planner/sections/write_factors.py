"""Write factors beside garbage collection, and the spare area that they leave.

Each number is a fact of the drive, or of the workload where that says so. One that is unknown is
left out: it counts as 1, or takes nothing from the spare area.
"""

from models import calibration, spare_area, write_amplification
from models.units import KIB
from planner.graph.nodes import Argument, Call, Const, FirstKnown, Leaf, Named, Node, When
from planner.sections.structure import Structure

UNKNOWN_UNIT = "Indirection unit unknown. Assumed: writes fill whole units."
RATED_IN_UNITS = "No write size is printed with the rating. Assumed: its writes fill whole units."
NOT_STATED = "Not stated: left out."
USUAL_CELL = "Cell type unknown: taken as three bits."
USUAL_UNIT = "Indirection unit unknown: taken as 4 KiB."
FIT = "Fitted to points measured on the drive."
IN_FIELD = "Part of what was measured in the field."

SEQUENTIAL_FRACTION = Leaf("sequential_fraction")
_PAGES = Leaf("pages_per_block", overrides=True)
UNIT = Leaf("unit_bytes", overrides=True)
_STRIPE = Leaf("stripe", overrides=True)
_ENTRY = Leaf("entry_bytes", overrides=True)
_CACHE = Leaf("static_cache_bytes", overrides=True)
_STORED = Leaf("stored_fraction", overrides=True)
BASE_FACTOR = Leaf("base_factor", overrides=True)
_ABSORBED = Leaf("absorbed_fraction", overrides=True)
_RELATIVE_WEAR = Leaf("relative_wear", overrides=True)
_BESIDE = (UNIT, _STRIPE, _ENTRY, BASE_FACTOR)  # garbage collection
_FACTS = (*_BESIDE, _STORED)


def _or(leaf: Leaf, value: float, note: str = NOT_STATED) -> Node:
    """Return a fact, or its neutral value where it is unknown."""
    taken = Const(f"{leaf.key}:taken", value, "assumption", note)
    return FirstKnown(f"{leaf.key}:any", (leaf, taken))


_BITS = _or(Leaf("bits_per_cell", overrides=True), 3.0, USUAL_CELL)


# Units of the map: writes of less than a unit rewrite all of it, sequential ones fill theirs.
_ALIGNMENT = FirstKnown("alignment_bytes:any", (Leaf("alignment_bytes", overrides=True), UNIT))
_RANDOM_UNIT_FACTOR = Call(
    "random_unit_factor",
    write_amplification.indirection_factor,
    {
        "transfer_bytes": Leaf("transfer_bytes"), "unit_bytes": UNIT,
        "alignment_bytes": _ALIGNMENT,
    },
)  # fmt: skip
UNIT_FACTOR = FirstKnown(
    "unit_factor",
    (
        Call(
            "unit_factor:mixed",
            write_amplification.mixed_indirection_factor,
            {"unit_factor": _RANDOM_UNIT_FACTOR, "sequential_fraction": SEQUENTIAL_FRACTION},
        ),
        Const("unit_factor:unknown", 1.0, "assumption", UNKNOWN_UNIT),
    ),
)


def _rated_units(key: str, size: Leaf) -> Node:
    """Return the indirection factor of a rating; 1 where no size is printed with it."""
    inputs: dict[str, Argument] = {
        "transfer_bytes": size, "unit_bytes": UNIT, "alignment_bytes": UNIT,
    }  # fmt: skip
    printed = Call(f"{key}:printed", write_amplification.indirection_factor, inputs)
    return FirstKnown(key, (printed, Const(f"{key}:unknown", 1.0, "assumption", RATED_IN_UNITS)))


RATING_UNIT_FACTOR = _rated_units(
    "rating_unit_factor", Leaf("rating_transfer_bytes", overrides=True)
)
MILDER_UNIT_FACTOR = _rated_units(
    "milder_unit_factor", Leaf("milder_transfer_bytes", overrides=True)
)
DESTAGED_SEQUENTIAL_FRACTION = FirstKnown(
    "destaged_sequential_fraction:any",
    (
        Call(
            "destaged_sequential_fraction",
            write_amplification.destaged_sequential_fraction,
            {"sequential_fraction": SEQUENTIAL_FRACTION, "unit_factor": _RANDOM_UNIT_FACTOR},
        ),
        SEQUENTIAL_FRACTION,
    ),
)
UNITS = FirstKnown(
    "units_per_block:any",
    (
        Call(
            "units_per_block",
            write_amplification.units_per_block,
            {"pages_per_block": _PAGES, "unit_bytes": UNIT},
        ),
        _PAGES,
    ),
)
_SHARE = _or(_STORED, 1.0)
# Parity and map: they are written beside the data; parity takes its flash as well.
_PARITY = FirstKnown(
    "parity_factor:any",
    (
        Call("parity_factor", write_amplification.rain_factor, {"stripe": _STRIPE}),
        Const("parity_factor:none", 1.0, "assumption", NOT_STATED),
    ),
)
_MAP = FirstKnown(
    "map_factor:any",
    (
        Call(
            "map_factor",
            write_amplification.map_factor,
            {"entry_bytes": _ENTRY, "unit_bytes": _or(UNIT, 4.0 * KIB, USUAL_UNIT)},
        ),
        Const("map_factor:none", 1.0, "assumption", NOT_STATED),
    ),
)
BASE = FirstKnown(
    "base_factor:any",
    (
        BASE_FACTOR,
        Call(
            "base_factor:parts",
            write_amplification.base_factor,
            {"parity_factor": _PARITY, "map_factor": _MAP},
        ),
    ),
)
_APART = Const("no_factor:apart", 1.0, "definition", "Applied by itself.")
_MEASURED = Const("no_factor:measured", 1.0, "definition", IN_FIELD)
_WHOLE = Const("no_factor:whole", 1.0, "definition", "Ratings hold for data that do not compress.")
_LESS: dict[str, Argument] = {
    "raw_bytes": Leaf("raw_bytes"), "parity_factor": _PARITY,
    "static_cache_bytes": _or(_CACHE, 0.0), "bits_per_cell": _BITS,
}  # fmt: skip
_LEFT = Call("data_flash_bytes", write_amplification.data_flash_bytes, _LESS)
# Flash that garbage collection has, where it was fitted; else what parity and cache leave of it.
DATA_FLASH = FirstKnown(
    "data_flash_bytes:any",
    (
        Leaf("effective_raw_bytes", overrides=True),
        When(_STRIPE, _LEFT),
        When(_CACHE, _LEFT),
        Leaf("raw_bytes"),
    ),
)
FACTORY_OP_RATIO = Call(
    "op_ratio", spare_area.op_ratio, {"raw_bytes": DATA_FLASH, "user_bytes": Leaf("user_bytes")}
)


def stored_op_ratio(key: str, op_ratio: Node) -> Node:
    """Return the spare area over what is stored, where the drive compresses."""
    stored = Call(
        f"{key}:stored",
        write_amplification.compressed_op_ratio,
        {"op_ratio": op_ratio, "stored_fraction": _STORED},
    )
    return FirstKnown(f"{key}:any", (When(_STORED, stored), op_ratio))


_RATED_SIZE = Const("rated_transfer_bytes", 4 * KIB)
_RATED_UNIT_FACTOR = Call(
    "rated_unit_factor",
    write_amplification.indirection_factor,
    {"transfer_bytes": _RATED_SIZE, "unit_bytes": UNIT, "alignment_bytes": _ALIGNMENT},
)
# Bytes of units that a random write of 4 KiB rewrites, per byte.
PAGE_UNIT_FACTOR = FirstKnown(
    "rated_unit_factor:any", (_RATED_UNIT_FACTOR, Const("rated_unit_factor:pages", 1.0))
)


def _touched(key: str, size: Leaf | Const, unit_factor: Node) -> Node:
    """Return the bytes of units that a random write touches; its size where units are unknown."""
    inputs: dict[str, Argument] = {"transfer_bytes": size, "unit_factor": unit_factor}
    touched = Call(key, write_amplification.touched_bytes, inputs)
    return FirstKnown(f"{key}:any", (touched, size))


TOUCHED = _touched("touched_bytes", Leaf("transfer_bytes"), _RANDOM_UNIT_FACTOR)
RATED_TOUCHED = _touched("rated_touched_bytes", _RATED_SIZE, _RATED_UNIT_FACTOR)


def in_small_units(collection_wa: Node) -> Node:
    """Return the law of garbage collection for writes of 4 KiB: as steady rates are measured."""
    units = _total("uniform_wa:units", collection_wa, unit_factor=_RATED_UNIT_FACTOR)
    return FirstKnown("uniform_wa:all", (When(UNIT, units), collection_wa))


def of_page_writes(key: str, collection_wa: Node, base_factor: Node = _APART) -> Node:
    """Return flash bytes per host byte of random writes of 4 KiB."""
    total = _total(key, collection_wa, unit_factor=PAGE_UNIT_FACTOR, base_factor=base_factor)
    alone = Named(f"{key}:alone", collection_wa)
    return FirstKnown(f"{key}:any", (*(When(fact, total) for fact in _BESIDE), alone))


def with_factors(
    key: str, alone: Node, collection_wa: Node, structure: Structure, *,
    rating_unit_factor: Node | None = None,
) -> Node:  # fmt: skip
    """Return flash bytes per host byte: what garbage collection makes, and all that is beside it.

    `alone` is the same as `collection_wa`, where no fact says that anything is beside it. Data of
    a rating, given by its indirection factor, does not compress. Of hosts in the field parity and
    map are part of what was measured, and of a drive that was fitted the base factor is the one
    that was fitted.
    """
    beside = {
        "unit_factor": rating_unit_factor or UNIT_FACTOR,
        "stored_fraction": _SHARE if rating_unit_factor is None else _WHOLE,
    }
    total = _total(
        f"{key}:total",
        collection_wa,
        base_factor=_MEASURED if structure.is_in_field else BASE,
        **beside,
    )
    plain = FirstKnown(f"{key}:all", (*(When(fact, total) for fact in _FACTS), alone))
    if not structure.is_fitted:
        return plain
    law = _total(f"{key}:law", collection_wa, **beside)
    fitted = Call(
        f"{key}:fitted",
        calibration.fitted_wa,
        {
            "random_wa": FirstKnown(
                f"{key}:before", (When(UNIT, law), When(_STORED, law), collection_wa)
            ),
            "base_factor": BASE_FACTOR,
            "curve_ratio": Leaf("curve_ratio"),
        },
        FIT,
    )
    return FirstKnown(f"{key}:fit", (fitted, plain))


def _total(
    key: str,
    collection_wa: Node,
    *,
    unit_factor: Node,
    base_factor: Node = _APART,
    stored_fraction: Node = _WHOLE,
) -> Node:
    inputs = {
        "collection_wa": collection_wa,
        "unit_factor": unit_factor,
        "base_factor": base_factor,
        "stored_fraction": stored_fraction,
    }
    return Call(key, write_amplification.total_wa, inputs)


def wear_wa(wa: Node) -> Node:
    """Return flash writes of equal wear per host byte, where a write cache shares the blocks."""
    through_cache = Call(
        "wear_wa:cache",
        write_amplification.folded_wa,
        {
            "wa": wa,
            "absorbed_fraction": _or(_ABSORBED, 0.0),
            "bits_per_cell": _BITS,
            "relative_wear": _or(_RELATIVE_WEAR, 0.0),
        },
    )
    ways = (When(_ABSORBED, through_cache), When(_RELATIVE_WEAR, through_cache), wa)
    return FirstKnown("wear_wa", ways)
