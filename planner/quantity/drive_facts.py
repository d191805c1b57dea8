"""Facts of a drive that answers use; any other quantity is refused where a fact is stated."""

from collections.abc import Mapping

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from models.units import HOUR_S, MIB, TB, YEAR_S
from planner.quantity import bounds
from planner.quantity.bounds import Bounds, unit_after
from planner.quantity.parse import quoted
from planner.quantity.units import FACTORS

# The facts that answers use, and the range of each.
FACT_BOUNDS: Mapping[str, Bounds] = {
    # capacity, flash and rating
    "user_bytes": bounds.CAPACITY, "raw_bytes": bounds.RAW_FLASH, "pe_cycles": bounds.CYCLES,
    "rated_bytes": bounds.RATED, "rated_dwpd": bounds.DRIVE_WRITES,
    "rating_period_s": bounds.SERVICE, "warranty_s": bounds.SERVICE, "price_usd": bounds.PRICE,
    "pages_per_block": bounds.PAGES, "blocks": bounds.BLOCKS, "reserve": bounds.RESERVE,
    # what a host byte costs beside garbage collection
    "unit_bytes": bounds.PAGE, "alignment_bytes": bounds.PAGE,
    "rating_transfer_bytes": bounds.OPERATION, "stripe": Bounds(2.0, 4096.0),
    "entry_bytes": Bounds(1.0, 4096.0), "base_factor": Bounds(1.0, 10.0),
    "static_cache_bytes": bounds.CACHE_OF_DRIVE, "bits_per_cell": Bounds(1.0, 8.0),
    "stored_fraction": Bounds(0.001, 1.0), "relative_wear": Bounds(0.001, 10.0),
    "absorbed_fraction": bounds.FRACTION, "background_rewrites_per_s": Bounds(0.0, 365 / YEAR_S),
    # rates of the data sheet
    "random_read_iops": bounds.IOPS, "steady_write_iops": bounds.IOPS,
    "spec_write_iops": bounds.IOPS, "burst_write_iops": bounds.IOPS,
    "sequential_read_bytes_per_s": bounds.THROUGHPUT,
    "sequential_write_bytes_per_s": bounds.THROUGHPUT,
    "folded_write_bytes_per_s": bounds.THROUGHPUT, "slc_cache_bytes": bounds.CACHE_OF_DRIVE,
    "host_cache_bytes": bounds.CACHE, "worst_case_iops": bounds.IOPS,
    "saturated_queue_depth": bounds.DEPTH, "member_stall_fraction": bounds.FRACTION,
    "read_latency_s": bounds.FLASH_TIME, "write_latency_s": bounds.FLASH_TIME,
    "map_cache_bytes": bounds.CACHE_OF_DRIVE, "map_read_fraction": bounds.FRACTION,
    "rated_queue_depth": bounds.DEPTH, "read_overhead_s": Bounds(0.0, 1.0),
    # the flash, for the speed over time
    "dies": bounds.DIES, "die_bytes": Bounds(MIB, 100 * TB), "channels": bounds.DIES,
    "channel_bytes_per_s": bounds.THROUGHPUT, "page_bytes": bounds.PAGE,
    "block_bytes": bounds.BLOCK, "read_s": bounds.FLASH_TIME, "program_s": bounds.FLASH_TIME,
    "erase_s": bounds.FLASH_TIME,
    # its own reads beside writes
    "own_p50_read_ratio": bounds.RATIO, "own_p99_read_ratio": bounds.RATIO,
    "own_p99_9_read_ratio": bounds.RATIO, "own_read_loads": bounds.WHOLE,
    # what it has behind it
    "used_fraction": bounds.USED, "host_bytes": bounds.WRITTEN, "age_s": bounds.COURSE,
    # failures and power
    "mtbf_s": Bounds(1000 * HOUR_S, 1e6 * YEAR_S), "uber": bounds.FRACTION,
    "idle_power_w": bounds.DRIVE_POWER, "read_power_w": bounds.DRIVE_POWER,
    "write_power_w": bounds.DRIVE_POWER,
    # states of sleep, and heat
    "awake_power_w": bounds.DRIVE_POWER, "light_power_w": bounds.DRIVE_POWER,
    "deep_power_w": bounds.DRIVE_POWER, "light_transition_s": bounds.SLEEP,
    "deep_transition_s": bounds.SLEEP, "light_wake_s": bounds.SLEEP, "deep_wake_s": bounds.SLEEP,
    "limit_k": bounds.HOT, "hysteresis_k": Bounds(0.0, 100.0),
    "throttled_rate_ratio": bounds.SHARE, "still_k_per_w": bounds.RESISTANCE,
    "body_j_per_k": Bounds(0.01, 1e6), "link_k_per_w": bounds.RESISTANCE,
}  # fmt: skip
FACTS_USED = tuple(FACT_BOUNDS)
# What says the same, in a form that answers use.
_INSTEAD = {
    "fresh_write_iops": "burst_write_iops", "fresh_bytes_per_s": "burst_write_iops",
    "modelled_steady_write_iops": "steady_write_iops", "op_ratio": "raw_bytes",
    "spare_fraction": "raw_bytes", "op_nominal": "raw_bytes", "max_latency_s": "worst_case_iops",
    "wa": "--wa", "measured_wa": "--wa", "workload_wa": "--wa", "rating_wa": "--rating-wa",
    "read_at_s": "--as-of", "parity_factor": "stripe", "map_factor": "entry_bytes",
}  # fmt: skip

_IN_SECTORS = frozenset(("unit_bytes", "alignment_bytes"))
SECTOR = 512.0  # bytes


def refuse_impossible(field: str, name: str, value: float, written: str) -> None:
    """Refuse a fact that no drive can have.

    >>> refuse_impossible("fact", "dies", 32, "32")
    >>> refuse_impossible("fact", "dies", 0, "0")
    Traceback (most recent call last):
    models.errors.DomainError: fact dies must be a whole number from 1 to 1,000,000, got '0'
    >>> refuse_impossible("fact", "unit_bytes", 1000, "1000B")
    Traceback (most recent call last):
    models.errors.DomainError: fact unit_bytes must be a multiple of 512 bytes, got '1000B'
    """
    if name in _IN_SECTORS and value % SECTOR > 0:
        raise DomainError(f"{field} {name} must be a multiple of 512 bytes, got {quoted(written)}")
    unit = QUANTITIES[name].shown_in
    words = FACT_BOUNDS[name].words(FACTORS[unit])
    if not FACT_BOUNDS[name].holds(value):
        raise DomainError(
            f"{field} {name} must be {words}{unit_after(unit)}, got {quoted(written)}"
        )


def refuse_unused(field: str, name: str) -> None:
    """Refuse a quantity that changes no answer; name its kind and the input to state instead.

    >>> refuse_unused("fact", "dies")
    >>> refuse_unused("fact", "fresh_write_iops")
    Traceback (most recent call last):
    models.errors.DomainError: fact must be a fact that answers use, such as dies, read_s or \
unit_bytes; fresh_write_iops is computed or of no effect (Random 4 KiB writes per second before \
garbage collection starts): state burst_write_iops instead
    """
    if name in FACTS_USED or name not in QUANTITIES:
        return
    instead = f": state {_INSTEAD[name]} instead" if name in _INSTEAD else ""
    raise DomainError(
        f"{field} must be a fact that answers use, such as dies, read_s or unit_bytes; {name} is "
        f"computed or of no effect ({QUANTITIES[name].meaning.rstrip('.')}){instead}"
    )
