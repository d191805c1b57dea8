"""Public formulas that no face shows, and what they serve; at most 40."""

_SERVED = {
    "Endurance of blocks: laws from which the end of life of a drive is built.": (
        "block_endurance.normal_cycles",
        "block_endurance.normal_worn_fraction",
        "end_of_life.cycles_at",
    ),
    "Dies and channels: the exact and the simple case of the law that speed uses.": (
        "parallelism.many_dies_iops",
        "parallelism.operation_time_moments",
        "write_budget.steady_write_iops",
        "latency_tail.open_reads.busy_fraction",
        "latency_tail.operations.whole_block_operations",
        "latency_tail.loaded_reads.queued_read_iops",
        "mixing.class_mix_iops",
    ),
    "Reads that interrupt writes: laws of one die, the plain case, fits to a drive.": (
        "latency_tail.fitted_reads.fitted_suspension",
        "latency_tail.sliced_reads.sliced_operations",
        "latency_tail.sliced_reads.sliced_read_latency_s",
        "latency_tail.suspended_reads.suspended_read_latency_s",
    ),
    "Counters of a drive as a measured point with its rounding, for scripts.": (
        "calibration.points.counted_wa",
    ),
    "The course of a write test, as reviews plot it.": (
        "consistency.elapsed_s",
        "consistency.second_iops",
        "trim_recovery.recovery_index",
    ),
    "Stalls as tests show them; the planner reads their share and their length directly.": (
        "array_stalls.stalled_iops",
    ),
    "Prices at which two plans are equal; sizing finds them over whole plans.": (
        "cost.discounting.break_even_price_usd",
        "cost.prices.even_written_price_usd",
    ),
    "Geometry of flash: checks of facts in the catalogue.": (
        "flash_geometry.bit_density_per_m2",
        "flash_geometry.block_bytes",
    ),
    "A limit of the firmware, where the flash could do more than is printed, for scripts.": (
        "calibration.printed.controller_iops",
    ),
    "Conversions of links, rates and definitions of over-provisioning, for scripts.": (
        "service_time.data_rate_bytes_per_s",
        "service_time.mean_service_s",
    ),
    "Parts of an SLC cache that speed composes, and its wear, which a plan does not count yet.": (
        "slc_cache.duty_cycle.overflow_s",
    ),
    "What else a controller writes: factors for those who know their firmware.": (
        "write_amplification.reserve.effective_blocks",
    ),
    "Indirection units with a write buffer, and hot pages scattered over units: for validation.": (
        "write_amplification.indirection.scattered_classes",
    ),
    "Inverse and exact forms of write amplification, against which the plan's own are tested.": (
        "write_amplification.placement.apart_ratio",
        "write_amplification.placement.host_gc_ratio",
        "write_amplification.skewed.two_temperature",
        "write_amplification.traffic.from_survival",
    ),
    "Writes that vary independently around a rate that stays: the law that forecasts had before.": (
        "wear_forecast.passage.dispersion_bytes",
        "wear_forecast.passage.first_passage_probability",
        "wear_forecast.passage.first_passage_s",
        "wear_forecast.passage.long_run_dispersion_bytes",
        "wear_forecast.passage.mixed_first_passage_probability",
        "wear_forecast.passage.mixed_first_passage_s",
    ),
    "Remaining life by draws, against which the one law of the forecasts is tested.": (
        "wear_forecast.futures.remaining_life",
    ),
}
BUILDING_BLOCKS = {name: line for line, names in _SERVED.items() for name in names}
