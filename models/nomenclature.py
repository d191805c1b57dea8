"""Nomenclature: one row per quantity, one name and one unit across the tree.

Labels and tooltips of every face come from here. `unit` is the base unit that
formulas use; `shown_in` is the unit in which people see the quantity.
"""

from typing import NamedTuple

__all__ = ["QUANTITIES", "Quantity"]


class Quantity(NamedTuple):
    """What a name stands for."""

    name: str
    label: str
    symbol: str
    unit: str
    shown_in: str
    meaning: str


_ROWS = [
    # Capacity and spare area
    ("raw_bytes", "Raw flash", "T", "bytes", "GiB", "Flash on the board, user area and spare together; counted in binary GiB."),
    ("user_bytes", "User capacity", "U", "bytes", "GB", "Capacity that the host sees; counted in decimal GB."),
    ("die_bytes", "Die capacity", "s_die", "bytes", "GiB", "Capacity of one flash die."),
    ("die_area_m2", "Die area", "a", "m2", "mm2", "Silicon area of one flash die."),
    ("dies_per_package", "Dies per package", "n_d", "1", "1", "Flash dies in one package."),
    ("packages", "Packages", "n_p", "1", "1", "Flash packages on the board."),
    ("page_bytes", "Page size", "s", "bytes", "KiB", "Smallest unit of programming."),
    ("pages_per_block", "Pages per collection block", "b", "1", "1", "Pages in one unit of garbage collection: an erase block or a superblock."),
    ("op_ratio", "Over-provisioning (spare / user)", "p", "1", "%", "Raw over user capacity, less 1."),
    ("spare_fraction", "Spare area (spare / raw)", "S_f", "1", "%", "One less user over raw capacity; the spare area of reviews."),
    ("op_nominal", "Over-provisioning (nominal)", "p_n", "1", "%", "GiB of flash read as GB, over GB of user capacity, less 1; data sheets."),
    ("fill_fraction", "Fill", "f", "1", "%", "Share of the partitioned capacity that holds valid data; the rest is trimmed or never written."),
    ("partition_fraction", "Partitioned share", "f_p", "1", "%", "Share of the user capacity that is partitioned; the rest stays empty and serves as spare area."),
    ("partitioned_op_ratio", "Over-provisioning after partitioning", "p_p", "1", "%", "Spare bytes per partitioned byte."),
    ("effective_op_ratio", "Effective over-provisioning", "p_e", "1", "%", "Spare bytes per byte of valid data."),
    # Write amplification and endurance
    ("wa", "Write amplification", "A", "1", "x", "Flash bytes programmed per host byte, under the workload asked about."),
    ("random_wa", "Write amplification of random writes", "A_r", "1", "x", "Write amplification if every write were uniform random."),
    ("equal_wa", "Write amplification, rating = workload", "A", "1", "x", "Stands for the unknown write amplification where rating and workload are taken to be alike; it cancels."),
    ("workload_wa", "Workload write amplification", "A_w", "1", "x", "Write amplification under the workload asked about."),
    ("rating_wa", "Rating write amplification", "A_r", "1", "x", "Write amplification under the workload at which the vendor rated the drive."),
    ("naive_wa", "Write amplification of the rating, if ignored", "A_0", "1", "x", "What a calculator assumes that divides rated TBW by write amplification."),
    ("pe_cycles", "Program/erase cycles", "N_PE", "1", "cycles", "Cycles that a block is rated for."),
    ("points_used", "Wear points used", "n", "1", "points", "Points of 100 by which a wear indicator fell."),
    ("coverage", "Coverage", "c", "1", "%", "Probability that an interval holds the true value."),
    ("limit_bytes", "Write limit", "L", "bytes", "TB", "Host bytes that may be written before a limit is met."),
    ("wear_limit_bytes", "Write limit by flash wear", "L_w", "bytes", "TB", "Host bytes of this workload that wear the flash to its rated cycles."),
    ("rated_bytes", "Rated TBW", "L_r", "bytes", "TB", "Rated endurance in host bytes, at the vendor's rating workload."),
    ("rated_limit_bytes", "Write limit by rating", "L_e", "bytes", "TB", "Rated TBW converted from the rating workload to this one."),
    ("naive_limit_bytes", "Rated TBW divided by WA", "L_n", "bytes", "TB", "What a calculator gives that divides the rating by write amplification, which is already inside it."),
    ("host_limit_bytes", "Host writes until the first limit", "L", "bytes", "TB", "Smaller of the limits by flash wear and by rating."),
    ("dwpd", "Drive writes per day", "D", "1/day", "1/day", "User capacity written per day over the rating period."),
    ("required_dwpd", "Drive writes per day of this workload", "D_w", "1/day", "1/day", "Host writes to one drive per day over its user capacity."),
    ("rated_dwpd", "Rated drive writes per day", "D_r", "1/day", "1/day", "Rated endurance in drive writes per day, at the vendor's rating workload."),
    ("period_s", "Rating period", "t_r", "s", "years", "Period over which drive writes per day are rated."),
    ("rating_period_s", "Rating period", "t_r", "s", "years", "Period over which drive writes per day are rated."),
    ("warranty_s", "Warranty", "t_w", "s", "years", "Warranty period."),
    ("host_bytes", "Host writes so far", "W", "bytes", "TB", "Bytes that the host has written."),
    ("wear_life_s", "Life by flash wear", "t_wear", "s", "years", "Time until mean wear reaches the rated cycles."),
    ("rated_life_s", "Life by rated endurance", "t_rated", "s", "years", "Time until the rated endurance, converted to this workload, is used up."),
    ("naive_life_s", "Life by rated TBW divided by WA", "t_naive", "s", "years", "Counts write amplification twice; shown for comparison only."),
    # Workload
    ("host_bytes_per_s", "Host writes", "l", "bytes/s", "GiB/day", "Bytes that the applications write to the drive or array."),
    ("member_bytes_per_s", "Host writes to each drive", "l_m", "bytes/s", "GiB/day", "Host bytes that one drive receives, parity and copies included."),
    ("growth_per_year", "Growth of writes", "g", "1", "%/year", "Compound growth of host writes per 365-day year."),
    ("read_fraction", "Read share", "f", "1", "%", "Share of operations that are reads."),
    ("sequential_fraction", "Sequential share", "s", "1", "%", "Share of operations that are sequential."),
    ("full_stripe_fraction", "Full-stripe share", "s", "1", "%", "Share of bytes written as full stripes of the array."),
    ("transfer_bytes", "Transfer size", "s", "bytes", "KiB", "Size of one operation."),
    ("rated_transfer_bytes", "Rated transfer size", "r", "bytes", "KiB", "Transfer size at which IOPS were rated."),
    ("queue_depth", "Queue depth", "Q", "1", "1", "Operations outstanding on average."),
    ("saturated_queue_depth", "Queue depth of the worst-case test", "Q", "1", "1", "Queue depth of the saturated test that gave the worst-case IOPS."),
    ("shares", "Shares", "f_k", "1", "%", "Shares of operations by class."),
    # Speed
    ("iops", "IOPS", "X", "1/s", "IOPS", "Completed operations per second."),
    ("class_iops", "IOPS by class", "X_k", "1/s", "IOPS", "Rate when every operation is of one class."),
    ("read_iops", "Read IOPS", "X_r", "1/s", "IOPS", "Rate when every operation is a read."),
    ("write_iops", "Write IOPS", "X_w", "1/s", "IOPS", "Rate when every operation is a write."),
    ("random_read_iops", "Random read IOPS, 4 KiB", "X_r", "1/s", "IOPS", "Random 4 KiB reads per second, as specified."),
    ("steady_write_iops", "Random write IOPS, 4 KiB, steady", "X_w", "1/s", "IOPS", "Random 4 KiB writes per second in steady state."),
    ("burst_write_iops", "Random write IOPS, 4 KiB, burst", "X_b", "1/s", "IOPS", "Random 4 KiB writes per second of a fresh or cached drive."),
    ("spec_write_iops", "Random write IOPS, 4 KiB, state unknown", "X_u", "1/s", "IOPS", "Random 4 KiB writes per second; the source does not say in which state."),
    ("random_read_at_size_iops", "Random read IOPS at this size", "X_r", "1/s", "IOPS", "Random reads per second at the workload's transfer size."),
    ("random_write_at_size_iops", "Random write IOPS at this size", "X_w", "1/s", "IOPS", "Random writes per second at the workload's transfer size."),
    ("sequential_read_at_size_iops", "Sequential read IOPS at this size", "X_sr", "1/s", "IOPS", "Sequential reads per second at the workload's transfer size."),
    ("sequential_write_at_size_iops", "Sequential write IOPS at this size", "X_sw", "1/s", "IOPS", "Sequential writes per second at the workload's transfer size."),
    ("random_write_bytes_per_s", "Random write throughput", "B_w", "bytes/s", "MB/s", "Throughput of random 4 KiB writes; larger random writes are taken to move no faster."),
    ("sequential_read_bytes_per_s", "Sequential read", "B_r", "bytes/s", "MB/s", "Sequential read throughput, as specified."),
    ("sequential_write_bytes_per_s", "Sequential write", "B_w", "bytes/s", "MB/s", "Sequential write throughput, as specified."),
    ("folded_write_bytes_per_s", "Sequential write after the cache", "B_f", "bytes/s", "MB/s", "Sequential write throughput once the write cache is full."),
    ("throughput_bytes_per_s", "Throughput", "B", "bytes/s", "MB/s", "Bytes moved per second."),
    ("drive_iops", "IOPS of one drive", "X", "1/s", "IOPS", "Operations per second of one drive for this mix, as specified."),
    ("drive_throughput_bytes_per_s", "Throughput of one drive", "B", "bytes/s", "MB/s", "Bytes per second of one drive for this mix, as specified."),
    ("latency_s", "Mean latency", "R", "s", "us", "Mean time from submission to completion."),
    ("max_latency_s", "Longest latency", "R_max", "s", "ms", "Longest single latency of a saturated test."),
    ("read_latency_s", "Read latency", "R_r", "s", "us", "Random read latency, as specified."),
    ("write_latency_s", "Write latency", "R_w", "s", "us", "Random write latency, as specified."),
    ("worst_case_iops", "Worst-case IOPS of one drive", "X_worst", "1/s", "IOPS", "Queue depth over longest latency in a saturated test."),
    # Array
    ("members", "Drives", "n", "1", "1", "Drives in the array."),
    ("copies", "Copies", "c", "1", "1", "Copies of each byte."),
    ("parities", "Parity drives", "m", "1", "1", "Members' worth of parity."),
    ("chunks", "Chunks per write", "w", "1", "1", "Data members that one write covers."),
    ("member_bytes", "Partitioned capacity of each drive", "C", "bytes", "GB", "User capacity of one member that is put to use."),
    ("usable_bytes", "Usable capacity", "U", "bytes", "TB", "Capacity that is left for data."),
    ("reads_per_write", "Member reads per small write", "r", "1", "1", "Member reads that one host write costs."),
    ("writes_per_write", "Member writes per small write", "n_w", "1", "1", "Member writes that one host write costs."),
    ("budget_iops", "IOPS budget of the array", "X", "1/s", "IOPS", "Host operations per second with every member busy."),
    ("member_worst_iops", "Worst-case IOPS of one drive", "X_worst", "1/s", "IOPS", "Queue depth over longest latency in a saturated test."),
    ("worst_case_floor_iops", "Worst-case floor of the array", "X_floor", "1/s", "IOPS", "All members in their worst moment at once."),
    ("member_stall_fraction", "Stalled share of time", "s", "1", "%", "Share of time that one drive spends stalled by garbage collection."),
    ("stall_probability", "Probability of any drive stalled", "P", "1", "1", "Probability that at least one drive is stalled at a given moment."),
    ("aligned_stall_probability", "Probability of the floor", "P_all", "1", "1", "Probability that every drive is stalled at a given moment."),
    ("array_quantile", "Quantile of a stripe", "p", "1", "%", "Latency quantile asked of an operation that waits for every drive."),
    ("member_quantile", "Drive quantile behind the p99 of a stripe", "q", "1", "%", "Latency quantile of one drive that decides the p99 of an operation on all of them."),
    # Cost, power, reliability, memory
    ("price_usd", "Price per drive", "P", "USD", "USD", "Price of one drive."),
    ("total_price_usd", "Price of all drives", "P_t", "USD", "USD", "Price of every drive bought."),
    ("size_bytes", "Size", "C", "bytes", "GB", "What a price buys."),
    ("price_per_user_byte", "Price per GB", "c_u", "USD/byte", "USD/GB", "Price per decimal GB of user capacity."),
    ("price_per_usable_byte", "Price per usable TB", "c_a", "USD/byte", "USD/TB", "Price per TB that is left for data."),
    ("price_per_written_byte", "Price per TB written", "c_w", "USD/byte", "USD/TB", "Price per TB of host writes until the first limit."),
    ("read_power_w", "Power, reading", "P_r", "W", "W", "Active power while reading."),
    ("write_power_w", "Power, writing", "P_w", "W", "W", "Active power while writing."),
    ("idle_power_w", "Power, idle", "P_i", "W", "W", "Idle power."),
    ("mtbf_s", "MTBF", "MTBF", "s", "hours", "Mean time between failures, as specified."),
    ("uber", "Unrecoverable bit errors", "UBER", "1", "per bit", "Unrecoverable read errors per bit or sector read, as specified."),
    ("slc_cache_bytes", "Write cache (SLC)", "C_slc", "bytes", "GB", "Flash used as single-level write cache."),
    ("dram_bytes", "DRAM", "C_dram", "bytes", "MiB", "Memory of the controller."),
]  # fmt: skip

QUANTITIES = {row[0]: Quantity(*row) for row in _ROWS}
