"""Facts of a drive that answers use; any other quantity is refused where a fact is stated."""

from models.errors import DomainError
from models.nomenclature import QUANTITIES
from planner.quantity.parse import quoted

FACTS_USED = (
    # capacity, flash and rating
    "user_bytes", "raw_bytes", "pe_cycles", "rated_bytes", "rated_dwpd", "rating_period_s",
    "warranty_s", "price_usd", "pages_per_block", "blocks", "reserve",
    # what a host byte costs beside garbage collection
    "unit_bytes", "alignment_bytes", "rating_transfer_bytes", "stripe", "entry_bytes",
    "base_factor", "static_cache_bytes", "bits_per_cell", "stored_fraction", "relative_wear",
    "absorbed_fraction", "background_rewrites_per_s",
    # rates of the data sheet
    "random_read_iops", "steady_write_iops", "spec_write_iops", "burst_write_iops",
    "sequential_read_bytes_per_s", "sequential_write_bytes_per_s", "folded_write_bytes_per_s",
    "slc_cache_bytes", "host_cache_bytes", "worst_case_iops", "saturated_queue_depth",
    "member_stall_fraction",
    "read_latency_s", "write_latency_s", "map_cache_bytes", "map_read_fraction",
    "rated_queue_depth", "read_overhead_s",
    # the flash, for the speed over time
    "dies", "die_bytes", "channels", "channel_bytes_per_s", "page_bytes", "block_bytes", "read_s",
    "program_s", "erase_s",
    # its own reads beside writes
    "own_p50_read_ratio", "own_p99_read_ratio", "own_p99_9_read_ratio", "own_read_loads",
    # what it has behind it
    "used_fraction", "host_bytes", "age_s",
    # failures and power
    "mtbf_s", "uber", "idle_power_w", "read_power_w", "write_power_w",
    # states of sleep, and heat
    "awake_power_w", "light_power_w", "deep_power_w", "light_transition_s", "deep_transition_s",
    "light_wake_s", "deep_wake_s", "limit_k", "hysteresis_k", "throttled_rate_ratio",
    "still_k_per_w", "body_j_per_k", "link_k_per_w",
)  # fmt: skip
# What says the same, in a form that answers use.
_INSTEAD = {
    "fresh_write_iops": "burst_write_iops", "fresh_bytes_per_s": "burst_write_iops",
    "modelled_steady_write_iops": "steady_write_iops", "op_ratio": "raw_bytes",
    "spare_fraction": "raw_bytes", "op_nominal": "raw_bytes", "max_latency_s": "worst_case_iops",
    "wa": "--wa", "measured_wa": "--wa", "workload_wa": "--wa", "rating_wa": "--rating-wa",
    "read_at_s": "--as-of", "parity_factor": "stripe", "map_factor": "entry_bytes",
}  # fmt: skip

# Of these a drive may have none; of anything else that is stated it has some.
MAY_BE_0 = frozenset((
    "reserve", "absorbed_fraction", "background_rewrites_per_s",
    "static_cache_bytes", "slc_cache_bytes", "map_cache_bytes",
    "map_read_fraction", "member_stall_fraction", "read_overhead_s", "used_fraction", "host_bytes",
    "age_s", "uber", "idle_power_w", "read_power_w", "write_power_w", "awake_power_w",
    "light_power_w", "deep_power_w", "light_transition_s", "deep_transition_s", "light_wake_s",
    "deep_wake_s", "hysteresis_k",
))  # fmt: skip
SHARES = frozenset((
    "map_read_fraction", "member_stall_fraction", "stored_fraction", "absorbed_fraction",
    "throttled_rate_ratio",
))  # fmt: skip
_COUNTS = frozenset(("dies", "channels", "own_read_loads"))
_IN_SECTORS = frozenset(("unit_bytes", "alignment_bytes"))
SECTOR = 512.0  # bytes


def refuse_impossible(field: str, name: str, value: float, written: str) -> None:
    """Refuse a fact that no drive can have.

    >>> refuse_impossible("fact", "dies", 32, "32")
    >>> refuse_impossible("fact", "dies", 0, "0")
    Traceback (most recent call last):
    models.errors.DomainError: fact dies must be a whole number >= 1, got '0'
    >>> refuse_impossible("fact", "unit_bytes", 1000, "1000B")
    Traceback (most recent call last):
    models.errors.DomainError: fact unit_bytes must be a multiple of 512 bytes, got '1000B'
    """
    accepted = (
        (name in _COUNTS and (value < 1 or value % 1 > 0), "a whole number >= 1"),
        (name in _IN_SECTORS and value % SECTOR > 0, "a multiple of 512 bytes"),
        (name in SHARES and not 0 <= value <= 1, "from 0 to 100 %"),
        (name in MAY_BE_0 and value < 0, ">= 0"),
        (name not in MAY_BE_0 and value <= 0, "> 0"),
    )
    for is_refused, words in accepted:
        if is_refused:
            raise DomainError(f"{field} {name} must be {words}, got {quoted(written)}")


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
