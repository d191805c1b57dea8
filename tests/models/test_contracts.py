"""What every formula promises: one file for all of them.

A new formula needs one valid call here; everything else is found by walking `models`.
"""

import contextlib
import importlib
import inspect
import math
import pkgutil
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import models
from models import application, calibration, failures, heat, model_error, write_amplification
from models.array_speed import FullStripes, HostOperations, MemberTimes
from models.errors import DomainError
from models.latency_tail import (
    FlashGeometry,
    FlashTimings,
    Operations,
    ReadLoad,
    Slicing,
    Suspension,
    WriteLoad,
    WritePath,
    WriteTimes,
)
from models.nomenclature import QUANTITIES
from models.pools import RecordOperations

LOSS = {
    "horizon_s": 1e8,
    "members": 8,
    "parities": 1,
    "failures_per_s": 3e-9,
    "rebuild_s": 1e5,
    "unreadable_probability": 0.25,
}
ACCESS = application.zipf(2e5, exponent=1.1, rows_per_page=30, is_scattered=1)
GROUP = failures.Group(4, 1, 3e-10, 1e5, 0.01)
LIFE = partial(failures.normal_failed_fraction, mean_s=1.3e8, sd_s=8e6)
FLEET = {"failed_fraction": LIFE, "ages_s": [0.0, 0.0, 5e7]}

WARM = {
    "air_k": 308.0,
    "start": heat.NodeTemperatures(320.0, 310.0),
    "thermal": heat.ThermalNodes(2.0, 12.0, 8.0, 12.0, 0.5),
}

# One valid call per formula. A formula without an entry fails the first test.
LOOP = {
    "queue_depth": 8,
    "read_fraction": 0.7,
    "dies": 32,
    "die_read_s": 6e-5,
    "read_rest_s": 1.1e-5,
    "write_accept_s": 4.4e-5,
    "read_cap_iops": 9.2e4,
    "write_cap_iops": 5e4,
    "link_iops": 1.2e5,
}

VALID = {
    "application.appended_blocks": {
        "append_bytes": 16480.0,
        "file_block_bytes": 4096.0,
        "granule_bytes": 8.0,
    },
    "application.appended_pages": {"rows": 10.0, "rows_per_page": 34.0},
    "application.bluestore_bytes": {
        "write_bytes": 16384.0,
        "data_members": 2,
        "parities": 1,
        "metadata_bytes": 1e4,
    },
    "application.btrfs_sync_blocks": {"data_blocks": 2.0, "nodes": 3.5, "copies": 2},
    "application.checkpoint_transactions": {"changed_pages": 2.5, "checkpoint_pages": 1000.0},
    "application.flushed_log_bytes": {
        "log_bytes": 9.7e6,
        "flushes": 2000.0,
        "file_block_bytes": 8192.0,
        "granule_bytes": 8.0,
    },
    "application.closed_commits_per_flush": {"clients": 16.0, "flush_s": 2.4e-3, "think_s": 1e-3},
    "application.commits_per_flush": {
        "commit_iops": 300.0,
        "flush_s": 4e-3,
        "clients": 8.0,
        "flush_scv": 0.5,
    },
    "application.growth_blocks": {"append_bytes": 700.0, "flush_blocks": 3.0, "data_blocks": 2.0},
    "application.indexed_pages": {"rows": 10.0, "rows_per_page": 227.0},
    "application.intent_log_bytes_per_s": {"writes_per_s": 37.5, "write_bytes": 4096.0},
    "application.journalled_bytes": {"data_bytes": 3e5, "flushes": 37.5, "metadata_blocks": 3.0},
    "application.leveled_wa": {
        "live_bytes": 5e11,
        "trigger_bytes": 2.7e8,
        "base_bytes": 2.5e8,
        "level_ratio": 10.0,
        "updated_fraction": 0.75,
        "log_factor": 1.03,
    },
    "application.loaded_wa": {
        "live_bytes": 8e7,
        "trigger_bytes": 4e6,
        "base_bytes": 4e6,
        "level_ratio": 10.0,
    },
    "application.put_bytes": {
        "value_bytes": 1024.0,
        "puts_per_s": 50.0,
        "flushes": 1.0,
        "metadata_blocks": 3.5,
    },
    "application.queued_flush_s": {"flush_s": 1.21e-3, "busy_fraction": 0.36},
    "application.sequential_flush_s": {"flush_s": 1.21e-3, "flushes": 2.0},
    "application.record_bytes_per_s": {
        "writes_per_s": 75.0,
        "record_bytes": 16384.0,
        "span_bytes": 7e10,
        "flush_s": 5.0,
    },
    "application.ring_pages": {"rows": 10.0, "rows_per_page": 34.0},
    "application.rollback_bytes": {
        "changed_pages": 10.0,
        "db_page_bytes": 4096,
        "metadata_blocks": 8.0,
    },
    "application.separated_wa": {"wa": 18.0, "value_fraction": 0.75, "rewritten_fraction": 0.25},
    "application.table_pages": {"rows": 1e5, "row_bytes": 107.0, "db_page_bytes": 4096},
    "application.universal_wa": {
        "live_bytes": 4.18e7,
        "flush_bytes": 1e6,
        "trigger_runs": 4,
        "log_factor": 1.03,
        "rows": 25_000.0,
    },
    "application.wal_bytes": {
        "changed_pages": 2.5,
        "db_page_bytes": 4096,
        "checkpoint_pages": 1000.0,
        "copied_pages": 850.0,
        "synced_fraction": 0.75,
    },
    "application.zfs_metadata_bytes_per_s": {
        "writes_per_s": 75.0,
        "record_bytes": 16384.0,
        "span_bytes": 7e10,
        "flush_s": 5.0,
        "stored_fraction": 0.25,
    },
    "array_freeze.completions_during_stall": {
        "stall_s": 5e-3,
        "queue_depth": 96,
        "members": 12,
        "operation_s": 2e-5,
    },
    "array_freeze.frozen_s": {
        "stall_s": 5e-3,
        "queue_depth": 96,
        "members": 12,
        "operation_s": 2e-5,
    },
    "array_stalls.independent_stalled_iops": {
        "iops": 5e5,
        "queue_depth": 96,
        "members": 12,
        "operation_s": 2e-5,
        "stall_s": 5e-3,
        "member_stall_fraction": 0.02,
    },
    "array_stalls.stall_free_iops": {"iops": 5e5, "member_stall_fraction": 0.02},
    "array_stalls.write_stall_fraction": {
        "member_stall_fraction": 0.02,
        "offered_iops": 1e4,
        "iops": 4e4,
    },
    "array_stalls.stall_interval_s": {
        "stall_s": 5e-3,
        "member_stall_fraction": 0.02,
        "members": 12,
    },
    "array_stalls.stalled_iops": {
        "queue_depth": 96,
        "members": 12,
        "operation_s": 2e-5,
        "stall_s": 5e-3,
        "stalls_per_operation": 1e-3,
    },
    "array_stalls.stalled_stripe_iops": {
        "members": 12,
        "operation_s": 2e-5,
        "stall_s": 5e-3,
        "stalls_per_operation": 1e-3,
    },
    "array_stalls.synchronised_iops": {"iops": 6e5, "stall_s": 5e-3, "stall_interval_s": 0.25},
    "array_speed.delay_s": {"latency_s": 5e-5, "operation_s": 1.1e-5},
    "array_windows.lowest_window_quantile": {"windows": 100, "probability": 0.5},
    "array_windows.window_iops": {
        "quantile": 0.125,
        "iops": 1e5,
        "stall_free_iops": 6e5,
        "stall_interval_s": 0.02,
        "interval_s": 1.0,
    },
    "array_tail.independent_members": {"members": 12, "correlation": 0.75},
    "array_tail.stripe_quantile": {"array_quantile": 0.99, "members": 12, "correlation": 0.75},
    "array_tail.aligned_stall_probability": {"member_stall_fraction": 0.05, "members": 12},
    "array_tail.member_quantile": {"array_quantile": 0.99, "members": 12},
    "array_tail.stall_probability": {"member_stall_fraction": 0.05, "members": 12},
    "array_tail.worst_case_iops": {"member_worst_iops": 5e3, "members": 12},
    "consistency.cliff_s": {
        "op_ratio": 0.28,
        "user_bytes": 4e11,
        "host_bytes_per_s": 3.7e8,
        "prefilled_fraction": 0.75,
    },
    "consistency.settled_fraction": {"test_s": 2e3, "settling_s": 400.0},
    "consistency.written_s": {
        "drive_fills": 0.4,
        "flash_fills": 2.5,
        "user_pages": 1e8,
        "burst_write_iops": 9e4,
        "steady_write_iops": 2e4,
        "steady_wa": 4.0,
    },
    "consistency.interval_sd_iops": {
        "queue_depth": 32.0,
        "iops": 5e4,
        "max_latency_s": 6.6e-3,
        "member_stall_fraction": 0.025,
        "interval_s": 1.0,
    },
    "consistency.second_sd_iops": {
        "queue_depth": 32.0,
        "iops": 5e4,
        "latency_cv": 0.2,
        "max_latency_s": 6.6e-3,
        "member_stall_fraction": 0.025,
    },
    "consistency.transient_iops": {
        "wa": 4.0,
        "burst_write_iops": 9e4,
        "steady_write_iops": 1e4,
        "steady_wa": 3.0,
    },
    "block_endurance.normal_cycles": {
        "worn_fraction": 0.25,
        "mean_cycles": 5e3,
        "endurance_cv": 0.15,
    },
    "block_endurance.normal_worn_fraction": {
        "cycles": 4e3,
        "mean_cycles": 5e3,
        "endurance_cv": 0.15,
    },
    "block_endurance.weibull_cycles": {
        "worn_fraction": 0.25,
        "scale_cycles": 5e3,
        "weibull_shape": 8.0,
    },
    "block_endurance.weibull_first_block_cycles": {
        "scale_cycles": 5e3,
        "weibull_shape": 8.0,
        "blocks": 4096.0,
    },
    "block_endurance.weibull_scale_cycles": {
        "cycles": 3000.0,
        "worn_fraction": 0.02,
        "weibull_shape": 8.0,
    },
    "block_endurance.weibull_worn_fraction": {
        "cycles": 4e3,
        "scale_cycles": 5e3,
        "weibull_shape": 8.0,
    },
    "bottleneck.bound_iops": {"queue_depth": 4.0, "unloaded_s": 6e-5, "demand_s": 4e-6},
    "bottleneck.knee_queue_depth": {"unloaded_s": 6e-5, "demand_s": 4e-6},
    "bottleneck.remaining_iops": {"iops": 97e3, "other_iops": 12e3, "taken_iops": 3e3},
    "bottleneck.utilisation": {"iops": 1.6e5, "servers": 16, "operation_s": 6e-5},
    "bottleneck.write_iops": {
        "media_iops": 2e4,
        "bus_iops": 6e4,
        "controller_iops": 1.4e4,
        "link_iops": 8.7e4,
        "queue_iops": 1e5,
    },
    "calibration.bus_bytes_per_s": {"iops": 5e4, "wa": 4.0, "transfer_bytes": 4096},
    "calibration.counted_wa": {
        "flash_written_bytes": 3e12,
        "host_bytes": 1e12,
        "span_bytes": 9e11,
        "flash_unit_bytes": 3e10,
        "host_unit_bytes": 3e10,
    },
    "calibration.fitted_wa": {"random_wa": 3.0, "base_factor": 2.0, "curve_ratio": 1.0},
    "calibration.fitted_write_iops": {
        "random_wa": 3.0,
        "base_factor": 2.0,
        "copy_cost": 0.2,
        "program_iops": 3e5,
        "rate_ratio": 1.0,
    },
    "calibration.followed_iops": {
        "rated_iops": 5e4,
        "modelled_iops": 7.6e4,
        "reference_iops": 5.16e4,
    },
    "calibration.followed_wa": {"measured_wa": 2.0, "modelled_wa": 2.5, "reference_wa": 3.0},
    "calibration.followed_write_iops": {
        "rated_iops": 1.8e5,
        "reference_wa": 4.0,
        "wa": 2.0,
        "burst_write_iops": 1e6,
    },
    "calibration.command_s": {"iops": 2e4, "transfer_bytes": 4096, "link_bytes_per_s": 5.6e8},
    "calibration.controller_iops": {
        "rated_iops": 1.4e4,
        "modelled_iops": 2e4,
        "tolerance_ratio": 0.125,
    },
    "calibration.effective_program_s": {
        "write_bytes_per_s": 4.6e8,
        "dies": 32,
        "pages_per_program": 4,
        "transfer_s": 1e-5,
        "transfer_bytes": 4096,
    },
    "calibration.residual_ratio": {"modelled_iops": 1.3e4, "rated_iops": 1.2e4},
    "confidence.holding_probability": {"margin_ratio": 1.2, "log_sd": 0.25},
    "confidence.margin_needed": {"probability": 0.25, "log_sd": 0.25},
    "cost.total_usd": {"price_usd": 960.0, "members": 12},
    "drive_price.drive_price": {
        "user_bytes": 1.92e12,
        "curve_price_per_user_byte": 3e-10,
        "rated_dwpd": 1.0,
        "class_factor": 1.1,
        "dwpd_power": 0.2,
        "fixed_usd": 20.0,
    },
    "drive_price.cell_price_factor": {
        "bits_per_cell": 4,
        "four_bit_step": 0.2,
        "two_bit_step": 0.3,
        "one_bit_step": 0.8,
    },
    "drive_price.price_spread": {
        "carried_s": 3e7,
        "drive_spread": 0.3,
        "index_spread": 0.1,
        "drift_spread": 0.3,
    },
    "drive_price.offer_weight": {"offer_spread": 0.3, "curve_spread": 0.4},
    "drive_price.waiting_factor": {"wait_s": 8e6, "quarter_factor": 1.2, "trend_persistence": 0.4},
    "cost.usd_per_byte": {"price_usd": 960.0, "size_bytes": 4e11},
    "cost.even_written_price_usd": {
        "price_per_written_byte": 1.5e-13,
        "size_bytes": 2e15,
        "members": 4,
    },
    "cost.iops_per_usd": {"iops": 5e4, "price_usd": 960.0},
    "cost.throughput_bytes_per_s_per_usd": {"throughput_bytes_per_s": 5e8, "price_usd": 960.0},
    "cost.written_bytes_per_usd": {"limit_bytes": 6e14, "price_usd": 240.0},
    "cost.usd_per_iops": {"price_usd": 960.0, "iops": 5e4},
    "cost.mid_year_s": {"year": 2, "horizon_s": 1.5e8},
    "cost.year_end_s": {"year": 2, "horizon_s": 1.5e8},
    "cost.year_length_s": {"year": 2, "horizon_s": 1.5e8},
    "cost.year_part": {"year": 2, "horizon_s": 1.5e8},
    "carbon.carbon_kg": {"embodied_kg": 640.0, "operational_kg": 480.0},
    "carbon.carbon_kg_per_byte_year": {
        "carbon_kg": 1120.0,
        "usable_bytes": 4e12,
        "horizon_s": 1.5e8,
    },
    "carbon.embodied_kg": {"size_bytes": 4e12, "drives": 2.5, "embodied_kg_per_byte": 1.6e-10},
    "carbon.operational_kg": {"energy_j": 3.6e9, "grid_kg_per_j": 1.3e-7},
    "cost.break_even_price_usd": {
        "price_usd": 960.0,
        "equivalent_usd_per_year": 1000.0,
        "priced_usd_per_year": 900.0,
        "other_usd_per_year": 850.0,
    },
    "cost.equivalent_usd_per_year": {"npv_usd": 1e4, "discount_rate": 0.08, "horizon_s": 1.5e8},
    "cost.discount_factor": {"discount_rate": 0.08, "time_s": 5e7},
    "cost.present_usd": {"cost_usd": 100.0, "discount_rate": 0.08, "time_s": 5e7},
    "energy.asleep_fraction": {"transition_s": 0.125, "mean_gap_s": 1.0},
    "energy.battery_s": {"battery_j": 180000.0, "power_w": 0.0625},
    "energy.bytes_per_j": {"throughput_bytes_per_s": 4.5e8, "active_power_w": 3.0},
    "energy.mean_idle_power_w": {
        "idle_power_w": 0.25,
        "light_power_w": 0.03125,
        "deep_power_w": 0.005,
        "light_fraction": 0.75,
        "deep_fraction": 0.25,
    },
    "energy.mean_wake_s": {
        "light_wake_s": 1e-3,
        "deep_wake_s": 2e-2,
        "light_fraction": 0.75,
        "deep_fraction": 0.25,
    },
    "energy.moved_j_per_byte": {"active_power_w": 3.0, "throughput_bytes_per_s": 4.5e8},
    "energy.task_j": {
        "idle_power_w": 1.0,
        "time_s": 60.0,
        "read_bytes": 1e10,
        "written_bytes": 5e9,
        "read_j_per_byte": 2e-9,
        "written_j_per_byte": 4e-9,
    },
    "energy.transition_s": {
        "entry_latency_s": 5e-4,
        "exit_latency_s": 5e-3,
        "patience_ratio": 50.0,
    },
    "heat.air_k_per_w": {"still_k_per_w": 5.0, "airflow_m_per_s": 2.0, "airflow_gain": 1.0},
    "heat.full_speed_fraction": {
        "sustained_power_w": 4.5,
        "full_power_w": 6.0,
        "throttled_power_w": 1.0,
    },
    "heat.sustained_power_w": {
        "full_power_w": 6.0,
        "throttled_power_w": 1.0,
        "mean_body_k": 352.0,
        "air_k": 308.0,
        "air_k_per_w": 10.0,
    },
    "energy.reading_power_w": {"write_power_w": 4.0, "read_power_ratio": 0.75},
    "heat.controller_rise_k": {"power_w": 6.0, "link_k_per_w": 7.0, "controller_fraction": 0.5},
    "heat.mean_body_k": {"limit_k": 353.0, "hysteresis_k": 5.0},
    "heat.sustained_bytes_per_s": {
        "throughput_bytes_per_s": 2e9,
        "full_speed_fraction": 0.75,
        "throttled_rate_ratio": 0.5,
    },
    "heat.throttled_power_w": {
        "full_power_w": 6.0,
        "idle_power_w": 1.0,
        "throttled_rate_ratio": 0.5,
    },
    "heat.warmer_k": {"air_k": 300.0, "rise_k": 10.0},
    "energy.array_power_w": {
        "power_w": 1.5,
        "working_members": 11,
        "idle_power_w": 1.0,
        "hot_spares": 1,
    },
    "energy.energy_j": {"power_w": 18.0, "time_s": 3e7, "pue": 2.0},
    "energy.energy_usd": {"energy_j": 3.6e8, "energy_usd_per_j": 4e-8},
    "energy.limited_power_w": {"power_w": 2.5, "read_power_w": 1.75, "write_power_w": 3.0},
    "energy.power_w": {
        "idle_power_w": 1.0,
        "read_j": 7.6e-6,
        "read_iops": 1e4,
        "write_j": 4.2e-5,
        "write_iops": 5e3,
        "sequential_power_w": 0.5,
    },
    "energy.sequential_power_w": {"transfer_j_per_byte": 4.5e-9, "throughput_bytes_per_s": 1e8},
    "energy.mean_iops": {"written_bytes": 4e9, "time_s": 1e3, "transfer_bytes": 4096.0},
    "energy.member_read_iops": {
        "write_iops": 1e3,
        "read_fraction": 0.5,
        "reads_per_write": 2.0,
        "writes_per_write": 2.0,
    },
    "energy.operation_j": {"active_power_w": 3.0, "idle_power_w": 1.0, "iops": 5e4},
    "energy.program_j": {"write_j": 4.2e-5, "wa": 2.0},
    "energy.transfer_j_per_byte": {
        "active_power_w": 3.0,
        "idle_power_w": 1.0,
        "throughput_bytes_per_s": 4.6e8,
    },
    "cost.capital_usd": {"price_usd": 960.0, "members": 12, "spare_drives": 1},
    "cost.operating_present_usd": {
        "energy_present_usd": 120.0,
        "slot_present_usd": 1200.0,
        "node_present_usd": 10000.0,
        "labour_present_usd": 30.0,
    },
    "cost.net_present_usd": {
        "capital_usd": 11520.0,
        "operating_present_usd": 1350.0,
        "drives_present_usd": 500.0,
        "residual_present_usd": 20.0,
    },
    "cost.priced_present_usd": {
        "capital_usd": 11520.0,
        "drives_present_usd": 500.0,
        "residual_present_usd": 20.0,
    },
    "cost.residual_usd": {"capital_usd": 11520.0, "residual_fraction": 0.25},
    "cost.places_usd": {"place_usd_per_year": 25.0, "places": 12, "year_part": 0.5},
    "cost.bought_drives": {"mean_replacements": 3.5, "spare_drives": 1},
    "cost.drives_usd": {"price_usd": 960.0, "drives": 2.5},
    "cost.fleet_replacements": {"slot_replacements": 0.25, "members": 12},
    "cost.labour_total_usd": {"labour_usd": 50.0, "mean_replacements": 3.5},
    "cost.made_drives": {"members": 12, "spare_drives": 1, "bought_drives": 2.5},
    "failures.closed_form_replacements": {
        "lives": 1.5,
        "expected_failures": 0.05,
        "life_cv": 0.03125,
    },
    "failures.early_life_cv": {"replaced_fraction": 0.9375, "life_cv": 0.03125},
    "failures.early_limit_bytes": {"limit_bytes": 1e14, "early_life_ratio": 0.9},
    "failures.early_mean_life": {"replaced_fraction": 0.9375, "life_cv": 0.03125},
    "failures.expected_failures": {"failures_per_s": 3e-10, "time_s": 1e8},
    "dram_cache.cached_iops": {
        "memory_iops": 1e6,
        "read_miss_ratio": 0.25,
        "destage_ratio": 0.5,
        "read_iops": 9.7e4,
        "write_iops": 6.6e4,
    },
    "dram_cache.read_miss_ratio": {"hit_ratio": 0.75, "read_fraction": 0.5},
    "dram_cache.exposed_bytes": {"dirty_bytes": 2e8, "write_bytes_per_s": 2e7, "flush_s": 30.0},
    "dram_cache.flushed_bytes": {"dirty_bytes": 1e9, "write_bytes_per_s": 2e7, "flush_s": 30.0},
    "dram_cache.flush_wait_s": {
        "flushed_bytes": 9e6,
        "drain_bytes_per_s": 3e8,
        "max_latency_s": 7.5e-4,
    },
    "dram_cache.loss_probability": {"horizon_s": 3e7, "crash_interval_s": 2e7},
    "dram_cache.lost_bytes_per_s": {"exposed_bytes": 3e8, "crash_interval_s": 2e7},
    "endurance.dwpd": {"limit_bytes": 7.3e15, "user_bytes": 4e11, "period_s": 1.5768e8},
    "endurance.effective_tbw_bytes": {"rated_bytes": 6e14, "rating_wa": 1.5, "workload_wa": 3.0},
    "endurance.first_limit_bytes": {"wear_limit_bytes": 1e16, "rated_limit_bytes": 7e15},
    "endurance.implied_wa": {"raw_bytes": 5e11, "pe_cycles": 4e4, "rated_bytes": 7e15},
    "endurance.left_bytes": {"limit_bytes": 1.5e14, "used_fraction": 0.25},
    "endurance.left_s": {"period_s": 1.5e8, "age_s": 5e7},
    "endurance.lifetime_s": {"limit_bytes": 1e15, "host_bytes_per_s": 1e8},
    "endurance.required_dwpd": {"host_bytes_per_s": 1e6, "user_bytes": 2.5e11},
    "endurance.tbw_bytes": {"dwpd": 10.0, "user_bytes": 4e11, "period_s": 1.5768e8},
    "endurance.used_fraction": {"host_bytes": 3e13, "limit_bytes": 1.5e14},
    "endurance.worn_limit_bytes": {"host_bytes": 5e13, "used_fraction": 0.5},
    "endurance.uncertain_limit_bytes": {"wear_limit_bytes": 1e15, "life_error_ratio": 0.5},
    "endurance.witnessed_limit_bytes": {
        "wear_limit_bytes": 1e15,
        "field_limit_bytes": 6e14,
        "flash_weight": 0.4,
        "witness_ratio": 2.9,
        "life_error_ratio": 1.0,
        "promised_limit_bytes": 7e14,
    },
    "endurance.write_limit_bytes": {"raw_bytes": 1e12, "pe_cycles": 3e3, "wa": 2.0},
    "failures.afr_fraction": {"failures_per_s": 3e-10},
    "failures.afr_from_mtbf": {"mtbf_s": 7.2e9},
    "failures.any_loss_probability": {"loss_probability": 0.125, "groups": 6},
    "failures.expected_lost_bytes": {
        "failed_loss_probability": 1e-5,
        "unreadable_loss_probability": 0.01,
        "usable_bytes": 2e13,
        "unreadable_bytes": 4096.0,
    },
    "failures.failed_or_worn_fraction": {
        "age_s": 1e8,
        "failures_per_s": 3e-10,
        "mean_s": 1.3e8,
        "life_cv": 0.03125,
        "replaced_fraction": 0.9375,
    },
    "failures.failures_per_s": {"afr_fraction": 0.01},
    "failures.failures_per_s_quantile": {"quantile": 0.8, "failures": 25.0, "drive_s": 8e10},
    "failures.latent_probability": {"exposed_s": 3e7, "unreadable_per_s": 1e-9, "members": 7},
    "failures.lognormal_failed_fraction": {"age_s": 1e8, "median_s": 1.5e8, "log_sd": 0.3},
    "failures.loss_probability": LOSS,
    "failures.loss_probability_parts": LOSS,
    "failures.mean_failures_per_s": {"failures": 25.0, "drive_s": 8e10},
    "failures.mttdl_s": {name: value for name, value in LOSS.items() if name != "horizon_s"},
    "failures.normal_failed_fraction": {"age_s": 1e8, "mean_s": 1.3e8, "sd_s": 8e6},
    "failures.predicted_failures_quantile": {
        "quantile": 0.8,
        "failures": 25.0,
        "drive_s": 8e10,
        "exposed_s": 3e10,
    },
    "failures.predicted_failures_sd": {"exposed_s": 3e10, "failures": 25.0, "drive_s": 8e10},
    "failures.scrubbed_latent_probability": {
        "scrub_s": 3e6,
        "unreadable_per_s": 1e-9,
        "members": 7,
    },
    "failures.surviving_fraction": {
        "age_s": 1e8,
        "weak_fraction": 0.01,
        "weak_scale_s": 5e6,
        "weak_shape": 0.5,
        "failures_per_s": 3e-10,
        "worn_out_fraction": 0.125,
    },
    "failures.total_loss_probability": {
        "failed_loss_probability": 1e-5,
        "unreadable_loss_probability": 0.01,
        "wear_out_loss_probability": 0.125,
    },
    "failures.unreadable_probability": {"read_bytes": 2.7e13, "uber": 1e-16},
    "failures.weibull_failed_fraction": {"age_s": 1e8, "scale_s": 1.3e8, "shape": 8.0},
    "flash_geometry.bit_density_per_m2": {"die_bytes": 8e9, "die_area_m2": 1.18e-4},
    "flash_geometry.block_bytes": {"page_bytes": 8192, "pages_per_block": 256},
    "flash_geometry.dies": {"raw_bytes": 5.5e11, "die_bytes": 1.7e10},
    "map_cache.map_read_fraction": {
        "map_cache_bytes": 6.4e7,
        "entry_bytes": 4.0,
        "unit_bytes": 4096.0,
        "span_bytes": 1e12,
    },
    "map_cache.mapped_read_iops": {"iops": 5e5, "map_read_fraction": 0.25},
    "map_cache.mapped_read_s": {"read_s": 8e-5, "map_read_fraction": 0.25},
    "flash_geometry.host_pages": {"flash_bytes": 65536, "unit_bytes": 4096},
    "flash_geometry.raw_bytes": {"die_bytes": 1.6e10, "dies_per_package": 4, "packages": 2},
    "latency_tail.buffered_write_latency_s": {
        "offered_iops": 25e3,
        "write_latency_s": 2e-5,
        "write_iops": 5e4,
        "queue_depth": 32.0,
    },
    "latency_tail.commit_flush_iops": {"commit_iops": 5e3, "flush_s": 8e-4},
    "latency_tail.commit_latency_s": {
        "quantile": 0.99,
        "commit_iops": 5e3,
        "flush_s": 8e-4,
        "held_s": 1e-3,
    },
    "latency_tail.flush_latency_s": {
        "write_latency_s": 1.5e-5,
        "program_s": 4e-4,
        "flush_programs": 2,
    },
    "latency_tail.erasing_share": {
        "erase_s": 3.5e-3,
        "program_s": 1.2e-3,
        "programs_per_block": 512,
    },
    "latency_tail.suspended_read_latency_s": {
        "quantile": 0.999,
        "unloaded_s": 6.5e-5,
        "slice_s": 7e-5,
        "waiting_share": 0.25,
        "erase_slice_s": 7e-4,
        "erasing_share": 0.004,
    },
    "latency_tail.write_load_fraction": {"offered_iops": 4e4, "steady_write_iops": 8e4},
    "latency_tail.unloaded_read_s": {"read_s": 4.5e-5, "printed_s": 8e-5},
    "latency_tail.longest_buffered_write_latency_s": {
        "offered_iops": 25e3,
        "write_latency_s": 2e-5,
        "write_iops": 5e4,
        "queue_depth": 32.0,
        "stall_s": 0.1,
        "buffer_pages": 1024.0,
    },
    "flash_reads.cache_read_iops": {
        "queue_depth": 32,
        "dies": 16,
        "channels": 4,
        "read_s": 5e-5,
        "transfer_s": 1e-5,
        "link_s": 2.7e-6,
    },
    "flash_reads.read_iops": {
        "queue_depth": 32,
        "dies": 16,
        "channels": 4,
        "read_s": 5e-5,
        "transfer_s": 1e-5,
        "link_s": 2.7e-6,
    },
    "growth.mean_life_s": {"horizon_s": 1.6e8, "limit_bytes": 2e15, "written_bytes": 8e15},
    "interface.link_iops": {
        "transfer_bytes": 4096,
        "link_bytes_per_s": 5.6e8,
        "command_s": 2.7e-6,
        "command_bytes": 92.0,
    },
    "interface.payload_bytes_per_s": {
        "link_bytes_per_s": 3.9e9,
        "payload_bytes": 256,
        "overhead_bytes": 24.0,
    },
    "interface.pcie_bytes_per_s": {"generation": 2, "lanes": 4},
    "interface.sata_bytes_per_s": {"generation": 1},
    "interface.uplink_iops": {
        "link_iops": 9.2e4,
        "members": 24,
        "uplink_bytes_per_s": 7.2e9,
        "transfer_bytes": 4096,
    },
    "mixing.blended_iops": {
        "sequential_iops": 1.3e5,
        "random_iops": 9.2e4,
        "sequential_fraction": 0.5,
    },
    "mixing.mixed_iops": {"read_iops": 87e3, "write_iops": 12e3, "read_fraction": 0.5},
    "calibration.unloaded_read_s": {
        "read_s": 5e-5,
        "overhead_s": 2e-5,
        "rated_iops": 9.2e4,
        "rated_queue_depth": 32,
        "printed_latency_s": 1e-4,
    },
    "calibration.die_read_s": {
        "read_s": 9e-5,
        "transfer_s": 1e-5,
        "unloaded_s": 1.1e-4,
        "dies": 8,
        "rated_iops": 4e4,
        "rated_queue_depth": 32,
    },
    "write_budget.flash_bytes_per_s": {
        "channels": 8,
        "channel_bytes_per_s": 4e8,
        "printed_bytes_per_s": 1.4e10,
    },
    "write_budget.steady_write_iops": {
        "wa": 4.2,
        "sequential_write_bytes_per_s": 1.5e9,
        "dies": 16,
        "read_s": 4.5e-5,
        "transfer_s": 3.4e-6,
        "slots_per_read": 16,
        "internal_bytes_per_s": 7e9,
    },
    "parallelism.drive_iops": LOOP,
    "parallelism.operating_point": LOOP,
    "parallelism.dies_iops": {
        "queue_depth": 32,
        "dies": 16,
        "operation_s": 6e-5,
        "operation_scv": 0.5,
    },
    "parallelism.exponential_dies_iops": {"queue_depth": 32, "dies": 16, "operation_s": 6e-5},
    "parallelism.many_dies_iops": {
        "queue_depth": 32.0,
        "dies": 16,
        "operation_s": 6e-5,
        "operation_scv": 0.5,
    },
    "queueing.iops": {"queue_depth": 32.0, "latency_s": 2e-5},
    "queueing.iops_at_throughput": {"throughput_bytes_per_s": 5e8, "transfer_bytes": 131072},
    "queueing.latency_s": {"queue_depth": 32.0, "iops": 5e3},
    "queueing.operation_bytes": {"throughput_bytes_per_s": 3.7e8, "iops": 9e4},
    "queueing.queue_depth": {"iops": 5e4, "latency_s": 6.4e-4},
    "queueing.resized_latency_s": {
        "latency_s": 7e-5,
        "rated_transfer_bytes": 4096,
        "transfer_bytes": 65536,
        "throughput_bytes_per_s": 5.3e8,
    },
    "queueing.resized_iops": {
        "iops": 1e5,
        "rated_transfer_bytes": 4096,
        "transfer_bytes": 8192,
        "throughput_bytes_per_s": 5.6e8,
    },
    "queueing.throughput_bytes_per_s": {"iops": 9e4, "transfer_bytes": 4096},
    "queueing.transfer_s": {"transfer_bytes": 4096.0, "throughput_bytes_per_s": 4e8},
    "queueing.worst_case_iops": {"queue_depth": 32.0, "max_latency_s": 6.4e-3},
    "read_disturb.added_wa": {"read_fraction": 0.5, "pages_per_block": 256, "read_limit": 1e5},
    "read_disturb.block_read_iops": {"read_iops": 9e4, "read_share": 0.5, "read_blocks": 100.0},
    "read_disturb.rewrite_interval_s": {"read_limit": 1e5, "block_iops": 450.0},
    "read_disturb.writes_per_read": {"pages_per_block": 256, "read_limit": 1e5},
    "redundancy.budget_iops": {
        "read_iops": 5e5,
        "write_iops": 1e5,
        "members": 8,
        "read_fraction": 0.7,
        "reads_per_write": 2.0,
        "writes_per_write": 2.0,
        "reads_per_read": 4.0,
    },
    "redundancy.host_iops": {
        "member_iops": 217e3,
        "members": 8,
        "read_fraction": 0.7,
        "reads_per_write": 2,
        "writes_per_write": 2,
        "reads_per_read": 4.0,
    },
    "redundancy.member_read_fraction": {
        "read_fraction": 0.7,
        "reads_per_write": 2,
        "writes_per_write": 2,
        "reads_per_read": 4.0,
    },
    "redundancy.array_limit_bytes": {
        "member_limit_bytes": 7.3e15,
        "members": 12,
        "writes_per_write": 2.0,
    },
    "redundancy.mean_reads_per_write": {"members": 12, "parities": 1, "full_stripe_fraction": 0.25},
    "redundancy.mean_writes_per_write": {
        "members": 12,
        "copies": 2,
        "parities": 1,
        "full_stripe_fraction": 0.25,
    },
    "redundancy.member_write_bytes_per_s": {
        "host_bytes_per_s": 1e8,
        "members": 12,
        "writes_per_write": 2.0,
    },
    "redundancy.reads_per_write": {"members": 12, "parities": 1, "chunks": 2},
    "pools.available_bytes": {
        "space_bytes": 1047 * 2.0**34,
        "vdevs": 2.0,
        "deflated_fraction": 341 / 512,
    },
    "pools.cluster_usable_bytes": {
        "node_bytes": 7.68e13,
        "cluster_nodes": 24,
        "data_members": 1,
        "parities": 2,
        "reserve_nodes": 1,
        "fill_limit": 0.85,
    },
    "pools.node_bytes": {"member_bytes": 4e12, "node_members": 12, "node_spares": 1},
    "pools.node_rebuild_network_bytes": {"rebuilt_bytes": 1e13, "data_members": 4},
    "pools.node_rebuild_s": {
        "rebuilt_bytes": 4.6e13,
        "cluster_nodes": 6,
        "data_members": 1,
        "node_link_bytes_per_s": 3.1e9,
        "node_read_bytes_per_s": 3e10,
        "node_write_bytes_per_s": 1e10,
    },
    "pools.column_bytes": {
        "record_bytes": 131072.0,
        "sector_bytes": 4096.0,
        "stripe_members": 12.0,
        "parities": 2.0,
    },
    "pools.deflated_fraction": {"reference_sectors": 48.0, "sector_bytes": 4096.0},
    "pools.draid_space_bytes": {
        "partition_bytes": 1e12,
        "members": 40.0,
        "spares": 1.0,
        "data_members": 8.0,
        "parities": 2.0,
        "sector_bytes": 4096.0,
    },
    "pools.partition_bytes": {"drive_bytes": 3.84e12},
    "pools.raidz_space_bytes": {"partition_bytes": 3.84e12, "members": 8.0},
    "pools.raidz_written_sectors": {"block_sectors": 4.0, "stripe_members": 12.0, "parities": 2.0},
    "pools.record_columns": {"block_sectors": 4.0, "stripe_members": 12.0, "parities": 2.0},
    "pools.record_operations": {"columns": 6.0, "records_per_operation": 0.8},
    "pools.record_sectors": {"record_bytes": 16384.0, "sector_bytes": 4096.0},
    "pools.recorded_bytes": {
        "available_bytes": 1e13,
        "record_bytes": 16384.0,
        "allocated_sectors": 24.0,
        "sector_bytes": 4096.0,
        "deflated_fraction": 341 / 512,
    },
    "pools.records_per_operation": {
        "transfer_bytes": 4096.0,
        "record_bytes": 16384.0,
        "sequential_fraction": 0.25,
    },
    "pools.warning_fraction": {"fill_limit": 0.95, "cluster_nodes": 5, "reserve_nodes": 1},
    "pools.whole_record_reads": {
        "columns": 4.0,
        "transfer_bytes": 4096.0,
        "record_bytes": 16384.0,
        "sequential_fraction": 0.25,
    },
    "pools.written_bytes_per_byte": {
        "written_sectors": 6.0,
        "sector_bytes": 4096.0,
        "transfer_bytes": 4096.0,
        "records_per_operation": 0.8,
    },
    "pools.written_columns": {"data_columns": 4.0, "parities": 2.0},
    "raidz.raidz_read_iops": {
        "member_read_iops": 1e5,
        "members": 8,
        "parities": 2,
        "block_sectors": 4,
    },
    "raidz.raidz_sectors": {"block_sectors": 5, "members": 8, "parities": 2},
    "raidz.raidz_usable_bytes": {
        "member_bytes": 4e12,
        "members": 8,
        "parities": 2,
        "record_bytes": 131072.0,
        "sector_bytes": 4096,
    },
    "raidz.raidz_usable_fraction": {
        "record_bytes": 131072.0,
        "sector_bytes": 4096,
        "members": 8,
        "parities": 2,
    },
    "rating.rating_between_bytes": {
        "wa": 2.0,
        "harder_rated_bytes": 7e13,
        "harder_wa": 5.0,
        "milder_rated_bytes": 4e14,
        "milder_wa": 1.0,
    },
    "declustered.declustered_iops": {
        "iops": 1e5,
        "members": 60,
        "spares": 2,
        "data_members": 8,
        "parities": 2,
    },
    "declustered.declustered_sectors": {"block_sectors": 5, "data_members": 8, "parities": 2},
    "declustered.declustered_usable_bytes": {
        "member_bytes": 4e12,
        "members": 60,
        "spares": 2,
        "data_members": 8,
        "parities": 2,
    },
    "declustered.member_fill_fraction": {
        "stored_bytes": 1e13,
        "member_bytes": 4e12,
        "members": 24,
        "writes_per_write": 1.25,
    },
    "rebuild.declustered_rebuild_s": {
        "rebuilt_bytes": 4e12,
        "members": 60,
        "data_members": 8,
        "member_read_bytes_per_s": 3e9,
        "member_write_bytes_per_s": 1e9,
        "rebuild_fraction": 0.5,
    },
    "rebuild.degraded_read_iops": {"member_read_iops": 1e5, "members": 60, "data_members": 8},
    "rebuild.degraded_reads_per_read": {"members": 60, "data_members": 8},
    "rebuild.rebuild_read_bytes": {"rebuilt_bytes": 4e12, "data_members": 8},
    "rebuild.rebuild_s": {
        "rebuilt_bytes": 4e12,
        "spare_write_bytes_per_s": 1e9,
        "member_read_bytes_per_s": 3e9,
        "uplink_bytes_per_s": 1.2e10,
        "data_members": 8,
        "rebuild_fraction": 0.5,
    },
    "rebuild.survivor_write_bytes": {"rebuilt_bytes": 4e12, "members": 24},
    "redundancy.set_members": {"members": 12, "groups": 2},
    "redundancy.usable_bytes": {
        "member_bytes": 4e11,
        "members": 14,
        "copies": 2,
        "parities": 1,
        "groups": 1,
        "spares": 2,
    },
    "redundancy.working_members": {"members": 14, "spares": 2},
    "redundancy.writes_per_write": {"copies": 2, "parities": 1, "chunks": 2},
    "retention.acceleration_factor": {
        "temperature_k": 320.0,
        "reference_k": 300.0,
        "activation_ev": 1.1,
    },
    "retention.refresh_bytes_per_s": {"valid_bytes": 4e11, "refresh_s": 2.6e6},
    "retention.retention_s": {
        "rated_retention_s": 8e6,
        "temperature_k": 320.0,
        "reference_k": 310.0,
        "wear_ratio": 0.5,
        "wear_exponent": 1.5,
        "activation_ev": 1.1,
    },
    "request_bursts.depth_quantile": {"level": 0.99, "alone_fraction": 0.59, "mean_depth": 4.625},
    "request_bursts.shared_burst_s": {
        "burst_s": 0.37,
        "other_burst_s": 0.08,
        "cycle_s": 2.0,
        "other_share": 0.5,
    },
    "rewriting.collected_bytes_per_s": {
        "clean_bytes_per_s": 180e6,
        "wa": 4.0,
        "copy_s": 12e-6,
        "page_bytes": 4096.0,
    },
    "rewriting.copy_s": {"burst_write_iops": 90e3, "steady_write_iops": 10e3, "steady_wa": 2.03},
    "rewriting.sequential_wa": {"steady_wa": 4.0, "rewritten_passes": 0.5, "shared_fraction": 0.5},
    "rewriting.span_op_ratio": {"op_ratio": 0.28, "span_fraction": 0.5, "filled_fraction": 0.5},
    "rewriting.filling_wa": {
        "op_ratio": 0.1,
        "written_fills": 2.0,
        "sequential_fraction": 0.5,
        "filled_fraction": 0.5,
        "drive_fills": 0.5,
        "pages_per_block": 8.0,
    },
    "service_time.busy_queue_depth": {"waited_s": 4351.5, "busy_s": 650.0},
    "service_time.data_rate_bytes_per_s": {"moved_bytes": 1.55e11, "busy_s": 675.0},
    "service_time.waited_s": {"trace_operations": 3.9e6, "service_s": 1.1e-3},
    "slc_cache.burst_s": {
        "burst_bytes": 8e9,
        "slc_cache_bytes": 3e9,
        "cached_write_bytes_per_s": 4.1e8,
        "folded_write_bytes_per_s": 6e7,
        "concurrent_fold_bytes_per_s": 5e7,
    },
    "slc_cache.cache_bytes": {
        "static_cache_bytes": 6e9,
        "free_bytes": 3e11,
        "bits_per_cell": 4,
        "dynamic_limit_bytes": 7.2e10,
    },
    "slc_cache.cache_cycles": {
        "host_bytes": 7.2e13,
        "slc_cache_bytes": 3e9,
        "cached_fraction": 0.75,
    },
    "slc_cache.cached_fraction": {
        "burst_bytes": 2.5e8,
        "cycle_s": 2.0,
        "slc_cache_bytes": 3e9,
        "cached_write_bytes_per_s": 4.1e8,
        "folded_write_bytes_per_s": 6e7,
        "fold_bytes_per_s": 5e7,
    },
    "slc_cache.counted_wa": {"fold_wa": 1.5, "absorbed_fraction": 0.25},
    "slc_cache.demand_s": {
        "burst_bytes": 4e7,
        "cached_write_bytes_per_s": 4.1e8,
        "fold_bytes_per_s": 1.3e8,
    },
    "slc_cache.drain_s": {"held_bytes": 3e9, "fold_bytes_per_s": 1.3e8},
    "slc_cache.first_slow_burst": {
        "burst_bytes": 2.5e8,
        "cycle_s": 2.0,
        "slc_cache_bytes": 3e9,
        "cached_write_bytes_per_s": 4.1e8,
        "fold_bytes_per_s": 1.3e8,
    },
    "slc_cache.fold_bytes_per_s": {
        "native_write_bytes_per_s": 2.7e8,
        "cache_read_bytes_per_s": 5.4e8,
        "fold_wa": 2.0,
    },
    "slc_cache.forced_fold_bytes_per_s": {
        "write_bytes_per_s": 4.1e8,
        "fold_bytes_per_s": 1.3e8,
        "folds_per_byte": 1.5,
    },
    "slc_cache.mixed_wa": {"cached_wa": 2.5, "direct_wa": 1.5, "cached_fraction": 0.25},
    "slc_cache.overflow_s": {
        "burst_bytes": 3e10,
        "static_cache_bytes": 6e9,
        "free_bytes": 6e11,
        "bits_per_cell": 4,
        "growth_bytes_per_s": 1e4,
    },
    "slc_cache.program_bytes_per_s": {
        "dies": 16,
        "program_bytes": 16384,
        "program_s": 4e-4,
        "link_bytes_per_s": 5.5e8,
    },
    "slc_cache.steady_burst_s": {
        "burst_bytes": 2.5e8,
        "cycle_s": 2.0,
        "slc_cache_bytes": 3e9,
        "cached_write_bytes_per_s": 4.1e8,
        "folded_write_bytes_per_s": 6e7,
        "fold_bytes_per_s": 5e7,
    },
    "slc_cache.usual_folded_bytes_per_s": {"user_bytes": 1e12, "bits_per_cell": 3},
    "slc_cache.written_bytes": {
        "elapsed_s": 60.0,
        "slc_cache_bytes": 3e9,
        "cached_write_bytes_per_s": 4.1e8,
        "folded_write_bytes_per_s": 6e7,
        "concurrent_fold_bytes_per_s": 5e7,
    },
    "spare_area.effective_op_ratio": {"op_ratio": 0.28, "fill_fraction": 0.8},
    "spare_area.op_nominal": {"raw_bytes": 4e12, "user_bytes": 1e12},
    "spare_area.op_nominal_from_op_ratio": {"op_ratio": 0.28},
    "spare_area.op_ratio": {"raw_bytes": 4e12, "user_bytes": 1e12},
    "spare_area.op_ratio_from_op_nominal": {"op_nominal": 0.28},
    "spare_area.op_ratio_from_spare_fraction": {"spare_fraction": 0.272},
    "spare_area.partition_bytes": {"user_bytes": 2.5e11, "partition_fraction": 0.75},
    "spare_area.spare_fraction": {"raw_bytes": 4e12, "user_bytes": 1e12},
    "spare_area.spare_fraction_from_op_ratio": {"op_ratio": 0.28},
    "stall_exposure.absorbing_pages": {"stall_s": 0.25, "iops": 8e3},
    "stall_exposure.exposed_stall_s": {"stall_s": 0.25, "iops": 8e3, "buffer_pages": 1024.0},
    "stall_exposure.latency_spread_s": {
        "stall_s": 6e-3,
        "stall_interval_s": 0.25,
        "queue_depth": 32.0,
        "iops": 5e4,
    },
    "stall_exposure.stall_probability": {"stall_interval_s": 0.25, "interval_s": 1.0},
    "stalls.aligned_latency_s": {
        "queue_depth": 32.0,
        "iops": 5e4,
        "erase_s": 5e-3,
        "program_s": 7e-4,
    },
    "stalls.blocking_latency_s": {
        "queue_depth": 32.0,
        "iops": 1.2e4,
        "clean_s": 0.1,
        "cleaned_blocks": 4,
        "buffer_pages": 128.0,
    },
    "stalls.clean_s": {
        "valid_fraction": 0.5,
        "pages_per_block": 1024,
        "program_page_s": 3e-4,
        "copy_page_s": 3e-5,
        "erase_s": 4e-3,
    },
    "stalls.implied_clean_s": {"max_latency_s": 0.1, "iops": 1.2e4, "buffer_pages": 128.0},
    "stalls.implied_pause_s": {"max_latency_s": 6.4e-3, "queue_depth": 32.0, "iops": 5e4},
    "stalls.incremental_latency_s": {"queue_depth": 32.0, "iops": 5e4, "latency_cv": 0.2},
    "transient.cliff_fills": {"op_ratio": 0.28, "prefilled_fraction": 0.75},
    "transient.fifo_flash_fills": {
        "op_ratio": 0.28,
        "drive_fills": 0.6,
        "prefilled_fraction": 0.75,
    },
    "transient.fifo_wa": {"op_ratio": 0.28, "drive_fills": 0.6, "prefilled_fraction": 0.75},
    "transient.greedy_flash_fills": {
        "op_ratio": 0.28,
        "drive_fills": 0.6,
        "pages_per_block": 16,
        "prefilled_fraction": 0.75,
    },
    "transient.greedy_peak_wa": {
        "op_ratio": 0.28,
        "pages_per_block": 16,
        "prefilled_fraction": 0.75,
    },
    "transient.greedy_settling_fills": {
        "op_ratio": 0.28,
        "tolerance": 0.05,
        "pages_per_block": 16,
        "prefilled_fraction": 0.75,
    },
    "transient.greedy_wa": {
        "op_ratio": 0.28,
        "drive_fills": 0.6,
        "pages_per_block": 16,
        "prefilled_fraction": 0.75,
    },
    "trim_recovery.recovery_index": {
        "recovered_bytes_per_s": 1.3e8,
        "dirty_bytes_per_s": 7e7,
        "clean_bytes_per_s": 5e8,
    },
    "trim_recovery.restore_s": {
        "moved_pages": 1e6,
        "program_page_s": 3e-4,
        "copy_page_s": 3e-5,
        "erased_blocks": 1e4,
        "erase_s": 4e-3,
        "dies": 16,
    },
    "wear_forecast.first_passage_probability": {
        "time_s": 5e7,
        "distance_bytes": 5e13,
        "host_bytes_per_s": 1e6,
        "dispersion_bytes": 1e12,
    },
    "wear_forecast.first_passage_s": {
        "quantile": 0.5,
        "distance_bytes": 5e13,
        "host_bytes_per_s": 1e6,
        "dispersion_bytes": 1e12,
    },
    "wear_forecast.long_run_dispersion_bytes": {
        "dispersion_bytes": 1e12,
        "short_dispersion_bytes": 4e11,
        "block_ratio": 4.0,
    },
    "wear_forecast.points_left_bytes": {
        "points_left": 40.0,
        "host_bytes": 2e13,
        "points_used": 10.0,
    },
    "wear_indicator.pe_cycles": {"host_bytes": 4.6e12, "raw_bytes": 1.3e11, "points_used": 3.0},
    "wear_indicator.pe_cycles_interval": {
        "host_bytes": 4.6e12,
        "raw_bytes": 1.3e11,
        "points_used": 3.0,
        "coverage": 0.9,
    },
    "wear_indicator.pe_cycles_rounded_down": {
        "host_bytes": 4.6e12,
        "raw_bytes": 1.3e11,
        "points_used": 3.0,
        "coverage": 0.9,
    },
    "wear_indicator.pe_cycles_rounded_up": {
        "host_bytes": 4.6e12,
        "raw_bytes": 1.3e11,
        "points_used": 3.0,
        "coverage": 0.9,
    },
    "wear_indicator.points_needed": {"error_ratio": 0.1, "coverage": 0.9},
    "wear_levelling.levelling_efficiency": {"mean_cycles": 131.0, "max_cycles": 150.0},
    "wear_levelling.uneven_limit_bytes": {
        "wear_limit_bytes": 8e15,
        "levelling_efficiency": 0.9,
        "placement_ratio": 0.75,
    },
    "write_amplification.compressed_op_ratio": {"op_ratio": 0.28, "stored_fraction": 0.75},
    "write_amplification.credited": {
        "random_wa": 2.5,
        "sequential_fraction": 0.5,
        "sequential_credit": 0.8,
    },
    "write_amplification.d_choices": {"op_ratio": 0.28, "choices": 10, "pages_per_block": 16},
    "write_amplification.effective_blocks": {
        "blocks": 330.0,
        "reserve": 4.0,
        "wa": 5.0,
        "frontiers": 1,
    },
    "write_amplification.fifo": {"op_ratio": 0.28},
    "write_amplification.fifo_op_ratio": {"wa": 4.0},
    "write_amplification.folded_wa": {
        "wa": 2.5,
        "absorbed_fraction": 0.25,
        "bits_per_cell": 3,
        "relative_wear": 0.125,
    },
    "write_amplification.greedy": {"op_ratio": 0.28, "pages_per_block": 64},
    "write_amplification.greedy_op_ratio": {"wa": 2.0, "pages_per_block": 64},
    "write_amplification.indirection_factor": {
        "transfer_bytes": 65536.0,
        "unit_bytes": 16384,
        "alignment_bytes": 4096,
    },
    "write_amplification.uncertain_wa": {"wa": 2.5, "wa_error_ratio": 1.4},
    "write_amplification.units_per_block": {"pages_per_block": 1024.0, "unit_bytes": 16384},
    "write_amplification.mixed_indirection_factor": {
        "unit_factor": 4.0,
        "sequential_fraction": 0.5,
    },
    "write_amplification.destaged_sequential_fraction": {
        "sequential_fraction": 0.5,
        "unit_factor": 4.0,
    },
    "write_amplification.data_flash_bytes": {
        "raw_bytes": 1e12,
        "parity_factor": 2.0,
        "static_cache_bytes": 1e9,
        "bits_per_cell": 3,
    },
    "write_amplification.touched_bytes": {"transfer_bytes": 4096.0, "unit_factor": 4.0},
    "write_amplification.background_wa": {
        "wa": 2.5,
        "background_rewrites_per_s": 1e-7,
        "user_bytes": 1e12,
        "host_bytes_per_s": 1e5,
    },
    "write_amplification.base_factor": {"parity_factor": 1.03, "map_factor": 1.002},
    "write_amplification.total_wa": {
        "collection_wa": 2.5,
        "unit_factor": 4.0,
        "base_factor": 1.03,
        "stored_fraction": 0.5,
    },
    "write_amplification.levelling_factor": {"moved_fraction": 0.75, "erases_per_move": 100.0},
    "write_amplification.map_factor": {"entry_bytes": 8.0, "unit_bytes": 4096},
    "write_amplification.rain_factor": {"stripe": 16},
    "write_amplification.random_victim": {"op_ratio": 0.28},
    "write_amplification.reserved_op_ratio": {
        "op_ratio": 0.28,
        "blocks": 330.0,
        "reserve": 4.0,
        "unfilled_blocks": 0.625,
    },
    "write_amplification.spread_factor": {"static_fraction": 0.5, "spread_cycles": 50.0},
    "write_amplification.static_op_ratio": {"op_ratio": 0.28, "dynamic_fraction": 0.5},
    "write_amplification.field_wa": {"random_wa": 4.0, "field_copy_ratio": 0.25},
    "write_amplification.trimmed_op_ratio": {"op_ratio": 0.28, "trim_share": 0.125},
    "write_amplification.two_temperature": {
        "op_ratio": 0.28,
        "hot_writes": 0.8,
        "hot_pages": 0.2,
        "pages_per_block": 16,
    },
    "write_amplification.unfilled_blocks": {"wa": 4.0, "frontiers": 1},
    "write_budget.bus_write_iops": {"bus_bytes_per_s": 8e8, "wa": 4.0, "transfer_bytes": 4096},
    "write_budget.copy_page_s": {
        "wa": 4.0,
        "read_s": 5e-5,
        "transfer_s": 1e-5,
        "pages_per_read": 4,
    },
    "write_budget.harvested_pages": {"wa": 4.0, "pages_per_read": 4},
    "write_budget.host_page_s": {
        "wa": 4.0,
        "program_page_s": 2.5e-4,
        "copy_page_s": 3e-5,
        "erase_s": 4e-3,
        "pages_per_block": 512,
    },
    "write_budget.victim_valid_fraction": {"wa": 4.0},
    "write_budget.media_write_iops": {"dies": 32, "host_page_s": 6e-4},
    "mixing.reads_beside_iops": {
        "host_bytes_per_s": 4e6,
        "transfer_bytes": 4096,
        "read_fraction": 0.25,
    },
    "stalls.latency_cv": {"queue_depth": 32.0, "pages_per_program": 4},
    "write_amplification.page_write_iops": {
        "host_bytes_per_s": 4e6,
        "transfer_bytes": 4096,
        "unit_factor": 1.5,
        "rated_unit_factor": 4.0,
    },
    "write_amplification.fill_bytes": {
        "user_bytes": 4e11,
        "fill_fraction": 0.5,
        "partition_fraction": 0.5,
        "rated_unit_factor": 4.0,
    },
    "write_budget.pages_under_way": {"dies": 32, "pages_per_program": 4},
    "write_budget.program_page_s": {
        "program_s": 1.1e-3,
        "transfer_s": 1e-5,
        "pages_per_program": 4,
    },
    "write_amplification.high_placement_wa": {"one_log_wa": 2.5, "host_gc_wa": 2.0},
    "write_amplification.low_placement_wa": {
        "one_log_wa": 2.5,
        "host_gc_wa": 2.0,
        "greedy_ratio": 0.75,
    },
    "write_amplification.typical_placement_wa": {
        "one_log_wa": 2.5,
        "host_gc_wa": 2.0,
        "one_log_weight": 0.6,
    },
    "write_amplification.least_victim_wa": {
        "greedy_wa": 7.24,
        "d_choices_wa": 5.52,
        "cost_benefit_wa": 4.7,
    },
    "write_amplification.most_victim_wa": {
        "greedy_wa": 7.24,
        "d_choices_wa": 5.52,
        "cost_benefit_wa": 4.7,
    },
    "write_amplification.unknown_victim_wa": {"greedy_wa": 7.24, "d_choices_wa": 5.52},
    "write_amplification.untrimmed_op_ratio": {
        "op_ratio": 0.25,
        "filled_op_ratio": 0.1,
        "effective_op_ratio": 0.25,
    },
    "write_amplification.wa_ratio": {"wa": 2.0, "reference_wa": 2.5},
}
CLASSES = {"write_shares": [0.8, 0.2], "page_shares": [0.2, 0.8]}
MIX = {"op_ratio": 0.28, "sequential_fraction": 0.5, **CLASSES, "pages_per_block": 64}
OPERATIONS = {"submitted_s": [0.0, 0.5, 4.0], "completed_s": [1.0, 1.5, 5.0]}
POPULARITY = {"request_shares": [0.9, 0.1], "class_pages": [100, 900]}
FLASH = FlashTimings(
    read_s=5e-5,
    program_s=7e-4,
    erase_s=4e-3,
    transfer_s=1e-5,
    pages_per_read=4,
    pages_per_program=4,
    pages_per_block=1024,
)
BACKGROUND = Operations([150.0, 0.5], [7e-4, 4e-3])
BESIDE = {"geometry": FlashGeometry(16, 8), "write_load": WriteLoad(5e3, 2.0)}
SLICING = Slicing(8e-5, resume_s=1e-5, max_suspensions=4)
SUSPENSION = Suspension(1.4, 6.5e-5, 0.4, 7e-4, 0.006)
TRANSFERS = Operations([9e3, 450.0], [1e-5, 4e-5])


def BLOCK_LAW(cycles):  # noqa: N802 - a constant that happens to be a function
    """Blocks that wear out at random, one in ten thousand per cycle."""
    return -np.expm1(-np.asarray(cycles) / 1e4)


# Takes or gives a sequence, so that not every argument broadcasts: see test_mixing, test_wa_*.
DRAWS = {
    "distance_bytes": np.array([4e13, 6e13]),
    "host_bytes_per_s": np.array([1e6, 2e6]),
    "dispersion_bytes": np.array([1e12, 2e12]),
}
MEASURED_FAMILIES = {"A": [0.18, 0.14], "B": [-0.05], "C": [0.02]}
COURSE = {
    "host_bytes_per_s": 1e7,
    "growth_per_year": 0.2,
    "step_times_s": [3e7, 6e7],
    "step_factors": [1.5, 0.5],
    "phase_in_s": 1e7,
}
REDUCES = {
    "energy.idle_shares": {"gaps_s": [1.0, 2.0, 7.0], "transitions_s": [1.5, 5.0]},
    "heat.crossing_s": {"limit_k": 353.0, "power_w": 6.0, **WARM},
    "heat.heat_course": {
        "phases": (heat.HeatPhase(600.0, 6.0, 2.0), heat.HeatPhase(60.0, 1.0, 1.0)),
        "air_k": 308.0,
        "limit_k": 353.0,
        "resume_k": 348.0,
        "start": WARM["start"],
        "thermal": WARM["thermal"],
    },
    "heat.node_temperatures": {"time_s": 60.0, "power_w": 6.0, **WARM},
    "heat.steady_temperatures": {"power_w": 6.0, "air_k": 308.0, "thermal": WARM["thermal"]},
    "heat.cooling_s": {"limit_k": 309.0, "power_w": 0.0, **WARM},
    "heat.throttling_s": {"limit_k": 353.0, "power_w": 6.0, **WARM},
    "heat.turn_s": {"power_w": 0.5, **WARM},
    "application.aged_pages": {"row_changes": 1e3, "access": ACCESS},
    "application.leaving_fraction": {"row_changes": 1e3, "access": ACCESS},
    "application.new_table_hot_fraction": {"row_changes": 1e3, "access": ACCESS},
    "application.page_store": {
        "changes_per_s": 301.0,
        "flushes_per_s": 284.0,
        "relations": (application.Relation(ACCESS, touches=1, image_bytes=7340),),
        "log": application.Log(340.0),
        "checkpoint": application.Checkpoint(timeout_s=60.0),
    },
    "application.points": {"entities": 300.0, "pages": 5e3, "exponent": 0.5},
    "application.skewed_wa": {
        "live_bytes": 4e7,
        "trigger_bytes": 4e6,
        "base_bytes": 4e6,
        "level_ratio": 10.0,
        "access": ACCESS,
        "stored_fraction": 0.75,
    },
    "application.uniform": {"pages": 5e3},
    "application.unique_pages": {"row_changes": 1e3, "access": ACCESS},
    "application.zipf": {"rows": 2e5, "exponent": 1.1, "rows_per_page": 30.0, "is_scattered": 1.0},
    "model_error.conformal_half": {"errors": MEASURED_FAMILIES, "coverage": 0.7},
    "model_error.joined": {
        "middles": [1.4, 1.8],
        "halves": [1.5, 0.75],
        "degrees": [7, 6],
        "witness_correlation": 0.5,
        "coverage": 0.9,
    },
    "model_error.known_family": {
        "family_error": model_error.FamilyError(0.05, 0.5, 0.2, 0.1, 5.0),
        "own_errors": [0.2, 0.25],
        "unit_sd": 0.12,
        "coverage": 0.9,
    },
    "model_error.new_family": {
        "errors": MEASURED_FAMILIES,
        "prior_sd": 0.25,
        "prior_families": 3.0,
        "coverage": 0.9,
    },
    "calibration.calibrated": {
        "points": (calibration.WaPoint(3.19, 9e11), calibration.IopsPoint(9e4, 9e11)),
        "nominal_raw_bytes": 2.0**40,
        "prior": calibration.Prior(),
        "wa_law": write_amplification.fifo,
    },
    "cost.all_years": {"yearly": [1.0, 2.0, 0.5]},
    "cost.by_year": {"cumulative": [1.0, 3.0, 3.5]},
    "cost.present_total_usd": {
        "yearly_usd": [100.0, 100.0, 40.0],
        "discount_factor": [0.962, 0.891, 0.844],
    },
    "pools.record_array_speed": {
        "queue_depth": 64.0,
        "members": 12.0,
        "read_fraction": 0.7,
        "times": MemberTimes(2e-6, 5e-6, 7e-5, 1e-5),
        "records": RecordOperations(6.0, 4.0, 6.0, 1.0, 0.25, 0.25, 1.0),
    },
    "array_speed.array_speed": {
        "queue_depth": 32,
        "members": 12,
        "read_fraction": 0.75,
        "times": MemberTimes(1e-4, 3e-5),
        "host_operations": HostOperations(12, 2, 2),
    },
    "array_speed.mixed_array_speed": {
        "queue_depth": 32,
        "members": 12,
        "read_fraction": 0.75,
        "times": MemberTimes(1e-4, 3e-5),
        "host_operations": HostOperations(12, 2, 2),
        "full_stripes": FullStripes(0.25, 12),
    },
    "growth.growing_lifetime_s": {"limit_bytes": 1e15, **COURSE},
    "growth.rate_bytes_per_s": {"time_s": 1e8, **COURSE},
    "growth.written_bytes": {"time_s": 1e8, **COURSE},
    "dram_cache.characteristic_requests": {"cache_pages": 50.0, **POPULARITY},
    "dram_cache.class_hit_ratios": {"cache_pages": 50.0, **POPULARITY},
    "dram_cache.combining_ratio": {"requests": 100.0, **POPULARITY},
    "dram_cache.destage_ratio": {"cache_pages": 50.0, "write_fraction": 0.25, **POPULARITY},
    "dram_cache.dirty_pages": {"cache_pages": 50.0, "write_fraction": 0.25, **POPULARITY},
    "dram_cache.flushed_dirty_pages": {
        "request_iops": 1e3,
        "write_fraction": 0.25,
        "flush_s": 1.0,
        **POPULARITY,
    },
    "dram_cache.flushed_iops": {
        "request_iops": 1e3,
        "write_fraction": 0.25,
        "flush_s": 1.0,
        **POPULARITY,
    },
    "dram_cache.hit_ratio": {"cache_pages": 50.0, **POPULARITY},
    "dram_cache.unique_pages": {"requests": 100.0, **POPULARITY},
    "end_of_life.cycles_at": {"worn_fraction": 0.25, "block_law": BLOCK_LAW},
    "end_of_life.end_of_life_cycles": {
        "quantile": 0.5,
        "spare_block_fraction": 0.02,
        "blocks": 4096,
        "block_law": BLOCK_LAW,
    },
    "end_of_life.end_of_life_sd_cycles": {
        "spare_block_fraction": 0.02,
        "blocks": 4096,
        "block_law": BLOCK_LAW,
    },
    "end_of_life.shrinking_drive_fills": {
        "op_ratio": 0.28,
        "block_law": BLOCK_LAW,
        "wa_law": lambda op_ratio: (1 + op_ratio) / (2 * op_ratio),
        "least_op_ratio": 0.02,
    },
    "end_of_life.uneven_worn_fraction": {"cycles": 3e3, "wear_cv": 0.2, "block_law": BLOCK_LAW},
    "consistency.elapsed_s": {"operations": [0.0, 9e4, 1e5], "iops": [9e4, 5e3]},
    "consistency.second_iops": {
        "times_s": [0.0, 1.5, 3.0],
        "operations": [0.0, 9e4, 1e5],
        "interval_s": 1.0,
    },
    "failures.generations_loss_probability": {
        "horizon_s": 2e8,
        "mean_s": 1.3e8,
        "life_cv": 0.0625,
        "replaced_fraction": 0.95,
        "stagger_s": 5e6,
        "group": GROUP,
    },
    "failures.mean_replacements": {"horizon_s": 2e8, **FLEET},
    "failures.replaced_failed_fraction": {
        "age_s": 1e8,
        "failed_fraction": LIFE,
        "replaced_s": 1.2e8,
    },
    "failures.replacement_age_s": {
        "target_probability": 1e-3,
        "failed_fraction": LIFE,
        "group": GROUP,
    },
    "failures.replacement_shares": {"horizon_s": 2e8, "failed_fraction": LIFE, "age_s": 0.0},
    "failures.replacements_over": {
        "horizon_s": 2e8,
        "members": 12,
        "quantile": 0.95,
        "life": failures.DriveLife(3e-10, 1.3e8, 0.0625, 0.95),
    },
    "failures.replacements_quantile": {"quantile": [0.5, 0.95], "horizon_s": 2e8, **FLEET},
    "failures.replacements_sd": {"horizon_s": 2e8, **FLEET},
    "failures.stagger_s": {"target_probability": 0.01, "failed_fraction": LIFE, "group": GROUP},
    "failures.bought_apart_loss_probability": {
        "failed_fraction": LIFE,
        "group": GROUP,
        "begins_s": [0.0, 5e6, 1e7, 1.5e7],
    },
    "failures.staggered_loss_probability": {
        "failed_fraction": LIFE,
        "group": GROUP,
        "ages_s": [0.0, 5e6, 1e7, 1.5e7],
    },
    "failures.wear_out_loss_probability": {"failed_fraction": LIFE, "group": GROUP},
    "latency_tail.background_operations": {
        "die_write_iops": 300.0,
        "wa": 2.0,
        "flash": FLASH,
        "channel_wait_s": 1e-6,
    },
    "latency_tail.busy_fraction": {
        "die_read_iops": 3e3,
        "die_read_s": 6e-5,
        "background": BACKGROUND,
        "transfers": TRANSFERS,
    },
    "latency_tail.channel_transfers": {
        "die_read_iops": 3e3,
        "die_write_iops": 300.0,
        "wa": 2.0,
        "flash": FLASH,
        "dies_per_channel": 4,
    },
    "latency_tail.closed_read_iops": {
        "queue_depth": 4,
        "dies": 16,
        "die_read_s": 6e-5,
        "background": BACKGROUND,
        "host_s": 1e-5,
    },
    "latency_tail.closed_read_latency_s": {
        "quantile": [0.5, 0.99],
        "queue_depth": 4,
        "dies": 16,
        "die_read_s": 6e-5,
        "background": BACKGROUND,
        "host_s": 1e-5,
    },
    "latency_tail.loaded_read_latency_s": {
        "quantile": [0.5, 0.99],
        "read_iops": 2e4,
        "flash": FLASH,
        **BESIDE,
    },
    "latency_tail.queued_read_iops": {"queue_depth": 4, "link_s": 8e-6, "flash": FLASH, **BESIDE},
    "latency_tail.queued_read_latency_s": {
        "quantile": [0.5, 0.99],
        "queue_depth": 4,
        "link_s": 8e-6,
        "flash": FLASH,
        **BESIDE,
    },
    "latency_tail.mean_channel_wait_s": {"transfers": TRANSFERS},
    "latency_tail.mean_read_latency_s": {
        "die_read_iops": 3e3,
        "die_read_s": 6e-5,
        "background": BACKGROUND,
        "transfers": TRANSFERS,
    },
    "latency_tail.read_latency_s": {
        "quantile": [0.5, 0.99],
        "die_read_iops": 3e3,
        "die_read_s": 6e-5,
        "background": BACKGROUND,
        "transfers": TRANSFERS,
    },
    "latency_tail.read_latency_beside_writes_s": {
        "quantile": [0.5, 0.99],
        "load_fraction": 0.5,
        "unloaded_s": 6.5e-5,
        "suspension": SUSPENSION,
        "read_load": ReadLoad(5e3, 16, 5e-5),
    },
    "latency_tail.bounded_write_quantile_s": {
        "quantile": [0.5, 0.99],
        "offered_iops": 8e3,
        "queue_depth": 32,
        "path": WritePath(2e-5, 1.7e4, 1024.0, 0.25, 16.0),
    },
    "latency_tail.buffered_write_quantile_s": {
        "quantile": [0.5, 0.99],
        "offered_iops": 8e3,
        "queue_depth": 32,
        "path": WritePath(2e-5, 1.7e4, 1024.0, 0.25, 16.0),
    },
    "latency_tail.fitted_suspension": {
        "load_fractions": [0.25, 0.5],
        "quantiles": [0.5, 0.99],
        "latencies_s": [[7e-5, 3e-4], [9e-5, 3.5e-4]],
        "unloaded_s": 6.5e-5,
        "prior": SUSPENSION,
    },
    "latency_tail.sliced_operations": {
        "operations": BACKGROUND,
        "slicing": SLICING,
        "die_read_iops": 3e3,
    },
    "latency_tail.sliced_read_latency_s": {
        "quantile": [0.5, 0.99],
        "die_read_iops": 3e3,
        "die_read_s": 6e-5,
        "operations": BACKGROUND,
        "slicing": SLICING,
    },
    "latency_tail.carried_write_iops": {
        "offered_iops": 6e4,
        "steady_write_iops": 5e4,
        "read_load": ReadLoad(5e3, 16, 5e-5),
    },
    "latency_tail.uncertain_read_latency_s": {"latency_s": 4e-4, "read_error_ratio": 1.4},
    "latency_tail.borne_write_iops": {
        "offered_iops": 2e4,
        "read_iops": 2e4,
        "flash": FLASH,
        "geometry": FlashGeometry(16, 8),
        "wa": 2.0,
    },
    "latency_tail.read_latency_through_limit_s": {
        "quantile": 0.99,
        "unsaturated_s": 4.7e-4,
        "saturation_probability": 0.25,
        "queue_depth": 448,
        "limit_iops": 7.5e4,
    },
    "latency_tail.saturated_read_latency_s": {
        "quantile": 0.99,
        "unsaturated_s": 4.7e-4,
        "queue_depth": 448,
        "limit_iops": 7.5e4,
    },
    "latency_tail.saturated_read_range_s": {
        "quantile": 0.99,
        "unsaturated_s": 4.7e-4,
        "read_band_ratio": 2.0,
        "queue_depth": 448,
        "limit_iops": 7.5e4,
        "limit_sd": 0.1,
    },
    "latency_tail.saturation_probability": {
        "offered_iops": 7e4,
        "limit_iops": 7.5e4,
        "limit_sd": 0.08,
    },
    "latency_tail.write_limit_iops": {
        "quantile": [0.05, 0.5],
        "steady_write_iops": 7e4,
        "limit_ratio": 1.07,
        "limit_sd": 0.08,
        "read_load": ReadLoad(5e3, 16, 5e-5),
    },
    "latency_tail.queued_typical_read_latency_s": {
        "quantile": [0.5, 0.99],
        "queue_depth": 4,
        "load_fraction": 0.5,
        "unloaded_s": 6.5e-5,
        "write_times": WriteTimes(1.2e-3, 3.5e-3, 512),
        "read_load": ReadLoad(0.0, 16, 5e-5),
    },
    "latency_tail.typical_read_latency_s": {
        "quantile": [0.5, 0.99],
        "load_fraction": 0.5,
        "unloaded_s": 6.5e-5,
        "write_times": WriteTimes(1.2e-3, 3.5e-3, 512),
        "read_load": ReadLoad(5e3, 16, 5e-5),
    },
    "latency_tail.typical_suspension": {
        "program_s": 1.2e-3,
        "erase_s": 3.5e-3,
        "programs_per_block": 512,
    },
    "latency_tail.whole_block_operations": {"die_write_iops": 300.0, "wa": 2.0, "flash": FLASH},
    "mixing.class_mix_iops": {"class_iops": [5e4, 4e3], "shares": [0.5, 0.5]},
    "steady_state.first_steady_round": {"round_values": [5e4, 5e4, 5e4, 5e4, 5e4]},
    "steady_state.is_steady": {"round_values": [5e4, 5e4, 5e4, 5e4, 5e4]},
    "steady_state.steady_range_ratio": {"round_values": [5e4, 5e4, 5e4, 5e4, 5e4]},
    "steady_state.steady_slope_ratio": {"round_values": [5e4, 5e4, 5e4, 5e4, 5e4]},
    "trim_recovery.greedy_block_shares": {"op_ratio": 0.28, "pages_per_block": 64},
    "trim_recovery.idle_collection": {
        "block_shares": [0.25, 0.25, 0.5],
        "blocks": 100.0,
        "freed_pages": 60.0,
    },
    "trim_recovery.idle_work": {
        "op_ratio": 0.28,
        "pages_per_block": 64,
        "user_pages": 1e6,
        "trimmed_fraction": 0.25,
    },
    "trim_recovery.trimmed_block_shares": {
        "block_shares": [0.25, 0.25, 0.5],
        "trimmed_fraction": 0.25,
    },
    "service_time.busy_s": OPERATIONS,
    "service_time.mean_service_s": OPERATIONS,
    "parallelism.operation_time_moments": {"class_operation_s": [6e-5, 7e-4], "shares": [0.9, 0.1]},
    "wear_forecast.dispersion_bytes": {
        "written_bytes": np.array([3e10, 5e10, 4e10]),
        "interval_s": 86400.0,
    },
    "wear_forecast.mixed_first_passage_probability": {"time_s": 5e7, **DRAWS},
    "wear_forecast.remaining_life": {
        "host_bytes": [1e13, 1.2e13, 1.5e13, 1.6e13],
        "times_s": [0.0, 6e5, 1.2e6, 1.8e6],
        "points_used": 6.0,
        "points_left": 40.0,
        "growth_per_year": 0.1,
        "growth_sd": 0.1,
        "changes": True,
        "draws": 100,
        "seed": 1,
    },
    "wear_forecast.distances_bytes": {
        "written_bytes": [4e12, 5e12],
        "points_used": [6.0, 7.0],
        "points_left": [40.0, 0.0],
    },
    "wear_forecast.remaining_lives": {
        "quantile": [0.05, 0.5],
        "written_bytes": [[1e12, 3e12, 2e12], [2e12, 2e12, 2e12]],
        "interval_s": 604800.0,
        "distance_bytes": [np.linspace(3e13, 4e13, 32).tolist(), [0.0] * 32],
        "changes": True,
    },
    "wear_forecast.mixed_first_passage_s": {"quantile": 0.5, **DRAWS},
    "write_amplification.apart_ratio": MIX,
    "write_amplification.coalesced": {"buffered_fraction": 0.05, **CLASSES},
    "write_amplification.buffered_indirection_factor": {
        "transfer_bytes": 4096.0,
        "unit_bytes": 16384,
        "alignment_bytes": 4096,
        "buffered_fraction": 0.05,
        **CLASSES,
    },
    "write_amplification.scattered_classes": {"unit_pages": 4, **CLASSES},
    "write_amplification.from_survival": {
        "op_ratio": 0.28,
        "survival": lambda age: np.exp(-age),
        "longest": 50.0,
    },
    "write_amplification.held_level": {"levels": [1.3, 1.4, 2.5], "random_fraction": 0.25},
    "write_amplification.lifetime_levels": {"op_ratio": 0.28, "lifetimes": [0.5, 1.5, 1.0]},
    "write_amplification.shared_fate": {"survived": [1, 1, 0, 0] * 16, "pages_per_block": 2},
    "write_amplification.with_shared_fate": {
        "wa": 2.5,
        "op_ratio": 0.28,
        "lifetimes": [0.5] * 640 + [1.5] * 640,
        "pages_per_block": 64,
        "written_pages": 32,
    },
    "write_amplification.host_gc": {"op_ratio": 0.28, **CLASSES, "pages_per_block": 64},
    "write_amplification.host_gc_ratio": MIX,
    "write_amplification.mixed_apart": MIX,
    "write_amplification.mixed_host_gc": MIX,
    "write_amplification.mixed_in_one_log": MIX,
    "write_amplification.orderly_sequential_credit": MIX,
    "write_amplification.required_accuracy": {
        "wa": 2.0,
        "op_ratio": 0.28,
        **CLASSES,
        "pages_per_block": 64,
    },
    "write_amplification.separated": {
        "op_ratio": 0.28,
        **CLASSES,
        "pages_per_block": 64,
        "spare_shares": [0.5, 0.5],
    },
    "write_amplification.separation_gain": CLASSES,
    "write_amplification.sequential_credit": MIX,
    "write_amplification.skewed": {"op_ratio": 0.28, **CLASSES, "pages_per_block": 64},
    "write_amplification.square_root_split": CLASSES,
    "write_amplification.streams": {
        "op_ratio": 0.28,
        **CLASSES,
        "routing": [[0.9, 0.1], [0.2, 0.8]],
        "spare_shares": [0.5, 0.5],
        "pages_per_block": 64,
    },
    "write_amplification.two_stream_routing": {"accuracy": 0.9, **CLASSES},
    "write_amplification.two_streams": {
        "op_ratio": 0.28,
        "accuracy": 0.9,
        **CLASSES,
        "pages_per_block": 64,
    },
    "write_amplification.trimmed_class_op_ratio": {
        "op_ratio": 0.28,
        **CLASSES,
        "trim_share": 0.125,
    },
    "write_amplification.trimmed_classes": {
        "op_ratio": 0.28,
        **CLASSES,
        "trim_share": 0.125,
        "trims": "mapped",
    },
    "write_amplification.zipf_classes": {"exponent": 0.99, "pages": 1e6, "classes": 40},
}

# A drive at a queue depth is nine numbers, its steady writes six: each may be an array of its own.
MOST_ARGUMENTS = {
    "redundancy.budget_iops": 6,
    "parallelism.drive_iops": 8,
    "parallelism.operating_point": 8,
    "write_budget.steady_write_iops": 6,
}

# Where 0 is a fine value; everywhere else it must be refused.
ZERO_IS_LEGAL = {
    "controller_fraction",
    "hysteresis_k",
    "rise_k",
    "heat.sustained_bytes_per_s throughput_bytes_per_s",
    "airflow_gain",
    "airflow_m_per_s",
    "deep_fraction",
    "deep_power_w",
    "deep_wake_s",
    "energy.asleep_fraction transition_s",
    "energy.battery_s power_w",
    "energy.bytes_per_j throughput_bytes_per_s",
    "entry_latency_s",
    "exit_latency_s",
    "full_power_w",
    "full_speed_fraction",
    "light_fraction",
    "light_power_w",
    "light_wake_s",
    "read_j_per_byte",
    "energy.task_j read_bytes",
    "energy.task_j written_bytes",
    "energy.task_j time_s",
    "written_j_per_byte",
    "sustained_power_w",
    "throttled_power_w",
    "throttled_rate_ratio",
    "energy.moved_j_per_byte active_power_w",
    "cost.iops_per_usd iops",
    "cost.throughput_bytes_per_s_per_usd throughput_bytes_per_s",
    "cost.written_bytes_per_usd limit_bytes",
    "dram_cache.flush_wait_s flushed_bytes",
    "dram_cache.flush_wait_s max_latency_s",
    "application.commits_per_flush flush_scv",
    "busy_fraction",
    "drive_price.drive_price rated_dwpd",
    "request_bursts.depth_quantile alone_fraction",
    "request_bursts.depth_quantile level",
    "rewriting.collected_bytes_per_s copy_s",
    "rewriting.sequential_wa rewritten_passes",
    "rewriting.sequential_wa shared_fraction",
    "rewriting.span_op_ratio filled_fraction",
    "rewriting.filling_wa filled_fraction",
    "rewriting.filling_wa sequential_fraction",
    "dwpd_power",
    "fixed_usd",
    "four_bit_step",
    "two_bit_step",
    "one_bit_step",
    "carried_s",
    "drive_spread",
    "index_spread",
    "drift_spread",
    "wait_s",
    "trend_persistence",
    "write_amplification.untrimmed_op_ratio op_ratio",
    "filled_op_ratio",
    "effective_op_ratio",
    "flash_weight",
    "endurance.witnessed_limit_bytes promised_limit_bytes",
    "node_spares",
    "application.bluestore_bytes parities",
    "application.growth_blocks append_bytes",
    "application.growth_blocks data_blocks",
    "flush_blocks",
    "think_s",
    "metadata_bytes",
    "application.flushed_log_bytes log_bytes",
    "application.intent_log_bytes_per_s writes_per_s",
    "application.journalled_bytes data_bytes",
    "flushes",
    "log_factor",
    "metadata_blocks",
    "rewritten_fraction",
    "synced_fraction",
    "updated_fraction",
    "value_fraction",
    "age_s",
    "endurance.first_limit_bytes wear_limit_bytes",
    "endurance.first_limit_bytes rated_limit_bytes",
    "endurance.left_bytes limit_bytes",
    "endurance.left_bytes used_fraction",
    "wear_levelling.uneven_limit_bytes wear_limit_bytes",
    "cost.usd_per_byte size_bytes",
    "endurance.lifetime_s host_bytes_per_s",
    "endurance.required_dwpd host_bytes_per_s",
    "growth.mean_life_s written_bytes",
    "map_cache_bytes",
    "map_read_fraction",
    "redundancy.member_write_bytes_per_s host_bytes_per_s",
    "capital_usd",
    "carbon_kg",
    "cost_usd",
    "discount_rate",
    "drives",
    "drives_present_usd",
    "embodied_kg",
    "embodied_kg_per_byte",
    "energy_j",
    "energy_present_usd",
    "energy_usd_per_j",
    "equivalent_usd_per_year",
    "expected_failures",
    "grid_kg_per_j",
    "hot_spares",
    "idle_power_w",
    "labour_present_usd",
    "labour_usd",
    "lives",
    "mean_replacements",
    "npv_usd",
    "operational_kg",
    "other_usd_per_year",
    "power_w",
    "read_j",
    "read_power_w",
    "residual_fraction",
    "residual_present_usd",
    "sequential_power_w",
    "node_present_usd",
    "operating_present_usd",
    "slot_present_usd",
    "slot_replacements",
    "place_usd_per_year",
    "spare_drives",
    "transfer_j_per_byte",
    "write_j",
    "write_power_w",
    "year_part",
    "cost.discount_factor time_s",
    "cost.present_usd time_s",
    "energy.energy_j time_s",
    "energy.power_w read_iops",
    "energy.power_w write_iops",
    "energy.sequential_power_w throughput_bytes_per_s",
    "failures.expected_failures failures_per_s",
    "failures.expected_failures time_s",
    "energy.mean_iops time_s",
    "energy.mean_iops written_bytes",
    "energy.member_read_iops read_fraction",
    "energy.member_read_iops write_iops",
    "cost.made_drives bought_drives",
    "absorbed_fraction",
    "buffer_pages",
    "cached_fraction",
    "command_bytes",
    "command_s",
    "cycles",
    "concurrent_fold_bytes_per_s",
    "correlation",
    "destage_ratio",
    "dirty_bytes",
    "drive_fills",
    "dynamic_limit_bytes",
    "entry_bytes",
    "erased_blocks",
    "exposed_bytes",
    "free_bytes",
    "full_stripe_fraction",
    "held_bytes",
    "latency_cv",
    "link_s",
    "commit_iops",
    "held_s",
    "latency_tail.write_load_fraction offered_iops",
    "array_stalls.write_stall_fraction offered_iops",
    "mixing.reads_beside_iops host_bytes_per_s",
    "write_amplification.page_write_iops host_bytes_per_s",
    "flush_programs",
    "member_stall_fraction",
    "moved_fraction",
    "moved_pages",
    "op_nominal",
    "operation_scv",
    "overhead_bytes",
    "parities",
    "points_left",
    "prefilled_fraction",
    "read_fraction",
    "read_rest_s",
    "hit_ratio",
    "read_miss_ratio",
    "reads_per_write",
    "relative_wear",
    "reserve",
    "reserve_nodes",
    "one_log_weight",
    "sequential_fraction",
    "settling_s",
    "spare_fraction",
    "spares",
    "stalls_per_operation",
    "static_cache_bytes",
    "static_fraction",
    "taken_iops",
    "tolerance_ratio",
    "trim_share",
    "unfilled_blocks",
    "valid_fraction",
    "waiting_share",
    "erasing_share",
    "worn_fraction",
    "endurance.used_fraction host_bytes",
    "slc_cache.burst_s slc_cache_bytes",
    "slc_cache.cache_cycles host_bytes",
    "slc_cache.cached_fraction slc_cache_bytes",
    "slc_cache.first_slow_burst slc_cache_bytes",
    "slc_cache.steady_burst_s slc_cache_bytes",
    "confidence.holding_probability log_sd",
    "confidence.margin_needed log_sd",
    "slc_cache.written_bytes slc_cache_bytes",
    "spare_area.effective_op_ratio op_ratio",
    "spare_area.op_nominal_from_op_ratio op_ratio",
    "spare_area.spare_fraction_from_op_ratio op_ratio",
    "wear_forecast.long_run_dispersion_bytes dispersion_bytes",
    "wear_forecast.long_run_dispersion_bytes short_dispersion_bytes",
    "write_amplification.compressed_op_ratio op_ratio",
    "write_amplification.static_op_ratio op_ratio",
    "write_amplification.background_wa background_rewrites_per_s",
    "write_amplification.background_wa host_bytes_per_s",
    "write_amplification.field_wa field_copy_ratio",
    "write_amplification.trimmed_op_ratio op_ratio",
    "write_budget.host_page_s erase_s",
    "afr_fraction",
    "failed_loss_probability",
    "failures",
    "loss_probability",
    "uber",
    "unreadable_loss_probability",
    "unreadable_per_s",
    "unreadable_probability",
    "weak_fraction",
    "wear_out_loss_probability",
    "worn_out_fraction",
    "failures.afr_fraction failures_per_s",
    "failures.failed_or_worn_fraction failures_per_s",
    "failures.latent_probability exposed_s",
    "failures.loss_probability failures_per_s",
    "failures.loss_probability_parts failures_per_s",
    "failures.scrubbed_latent_probability scrub_s",
    "failures.surviving_fraction failures_per_s",
    "failures.unreadable_probability read_bytes",
}
# Where 0 means that it never comes.
ENDLESS_AT_ZERO = {
    "energy.battery_s power_w",
    "energy.mean_iops time_s",
    "block_endurance.weibull_scale_cycles worn_fraction",
    "array_stalls.stall_interval_s member_stall_fraction",
    "cost.usd_per_byte size_bytes",
    "endurance.lifetime_s host_bytes_per_s",
    "growth.mean_life_s written_bytes",
    "map_cache_bytes",
    "map_read_fraction",
}
# Shares of a whole: nothing above 1.
AT_MOST_ONE = {
    "level",
    "alone_fraction",
    "other_share",
    "shared_fraction",
    "filled_fraction",
    "span_fraction",
    "controller_fraction",
    "deep_fraction",
    "full_speed_fraction",
    "light_fraction",
    "throttled_rate_ratio",
    "busy_fraction",
    "trend_persistence",
    "flash_weight",
    "deflated_fraction",
    "greedy_ratio",
    "one_log_weight",
    "rewritten_fraction",
    "synced_fraction",
    "updated_fraction",
    "value_fraction",
    "residual_fraction",
    "year_part",
    "absorbed_fraction",
    "array_quantile",
    "cached_fraction",
    "coverage",
    "destage_ratio",
    "dynamic_fraction",
    "fill_fraction",
    "fill_limit",
    "full_stripe_fraction",
    "hit_ratio",
    "hot_pages",
    "hot_writes",
    "levelling_efficiency",
    "member_stall_fraction",
    "moved_fraction",
    "partition_fraction",
    "prefilled_fraction",
    "read_fraction",
    "read_miss_ratio",
    "read_share",
    "sequential_fraction",
    "spare_fraction",
    "static_fraction",
    "stored_fraction",
    "valid_fraction",
    "waiting_share",
    "erasing_share",
    "worn_fraction",
    "afr_fraction",
    "failed_loss_probability",
    "loss_probability",
    "quantile",
    "uber",
    "unreadable_loss_probability",
    "unreadable_probability",
    "weak_fraction",
    "wear_out_loss_probability",
    "worn_out_fraction",
    "correlation",
    "probability",
    "rebuild_fraction",
    "stalls_per_operation",
}
# Only whole numbers.
COUNTS = {
    "drive_price.cell_price_factor bits_per_cell",
    "node_members",
    "node_spares",
    "allocated_sectors",
    "cluster_nodes",
    "data_columns",
    "reference_sectors",
    "reserve_nodes",
    "stripe_members",
    "vdevs",
    "db_page_bytes",
    "trigger_runs",
    "working_members",
    "year",
    "alignment_bytes",
    "bits_per_cell",
    "channels",
    "choices",
    "chunks",
    "cleaned_blocks",
    "copies",
    "dies",
    "dies_per_package",
    "frontiers",
    "generation",
    "lanes",
    "members",
    "packages",
    "pages_per_block",
    "pages_per_program",
    "pages_per_read",
    "servers",
    "stripe",
    "unit_bytes",
    "groups",
    "block_sectors",
    "data_members",
    "sector_bytes",
    "spares",
    "windows",
}

UNIT = r"\[([^\[\]]+)\]\s*\Z"
EACH_ARGUMENT = [(name, arg) for name, call in VALID.items() for arg in call]


IN_WORDS = {"wear_forecast.futures.warnings_of"}  # it returns sentences, no number


def formulas():
    """Every public function of every module, under the shortest path to it."""
    found = {}
    for info in pkgutil.walk_packages(models.__path__, "models."):
        if info.name.startswith(("models.simulator", "models.registry")):
            continue  # no formulas: the other way to the same numbers, and what was checked
        module = importlib.import_module(info.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_own = function.__module__ == info.name and not re.search(r"\b_", info.name)
            if name in getattr(module, "__all__", [name] * is_own) and not name.startswith("_"):
                found.setdefault(function, f"{info.name}.{name}".removeprefix("models."))
    return {path: function for function, path in found.items() if path not in IN_WORDS}


FORMULAS = formulas()


def call(name, **changed):
    """Call with its valid arguments, some changed: the first positional, the rest by name."""
    first, *rest = ({**VALID, **REDUCES}[name] | changed).items()
    return FORMULAS[name](first[1], **dict(rest))


def bad_values(name, arg):
    yield from (math.nan, -1.0)
    if arg not in ZERO_IS_LEGAL and f"{name} {arg}" not in ZERO_IS_LEGAL:
        yield 0.0
    if arg in AT_MOST_ONE:
        yield 1.5
    if arg in COUNTS:
        yield 2.5


def good_values(name, arg):
    """Three values inside the domain, around or beside the valid one."""
    value = VALID[name][arg]
    if arg == "frontiers":
        return np.array([1, 2, 1])
    if arg in COUNTS or arg == "parities":
        return value * np.array([1, 2, 3])
    factors = [0.5, 0.75, 1.0] if arg in AT_MOST_ONE else [0.5, 1.0, 3.0]
    return value * np.array(factors)


def test_every_formula_has_a_valid_call():
    assert set(FORMULAS) == {*VALID, *REDUCES}


# Draws of a distribution from a history: its four parts go together, and how to draw stands apart.
DRAWN = {"wear_forecast.remaining_life"}
SECTIONS = ["Args", "Returns", "Raises", "Notes", "Examples"]


@pytest.mark.parametrize("name", FORMULAS)
def test_the_signature_follows_the_rules(name):
    arguments = inspect.signature(FORMULAS[name]).parameters
    assert list(arguments) == list({**VALID, **REDUCES}[name]), "the valid call, in order"
    assert set(arguments) <= set(QUANTITIES), "the nomenclature"
    if name not in DRAWN:
        first, *rest = arguments.values()
        assert first.kind is first.POSITIONAL_OR_KEYWORD
        assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in rest)
        assert len(rest) <= MOST_ARGUMENTS.get(name, 5)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_page_of_a_formula_is_complete(name):
    """And the unit of an argument is the unit of its name in the nomenclature."""
    doc = inspect.getdoc(FORMULAS[name])
    head, *pages = re.split(r"^(\w+):\n", doc, flags=re.MULTILINE)
    page = dict(zip(pages[::2], pages[1::2], strict=True))
    assert list(page) == SECTIONS
    assert ".. math::" in head
    described = re.split(r"^    (\w+)(?: \(.*\))?: ", page["Args"], flags=re.MULTILINE)[1:]
    pairs = zip(described[::2], described[1::2], strict=True)
    units = {arg: re.findall(UNIT, text) for arg, text in pairs}
    arguments = list(inspect.signature(FORMULAS[name]).parameters)
    assert list(units) == arguments
    assert units == {arg: [QUANTITIES[arg].unit] for arg in arguments}
    assert re.search(UNIT, page["Returns"]), page["Returns"]
    assert "DomainError" in page["Raises"]
    assert "Valid" in page["Notes"]
    assert "Source:" in page["Notes"]
    assert ">>>" in page["Examples"]


@pytest.mark.parametrize("name", VALID)
def test_names_the_argument_outside_its_domain(name):
    for arg, good in VALID[name].items():
        for bad in bad_values(name, arg):
            assert_refused(name, arg, bad)
            assert_refused(name, arg, [good, bad])


def assert_refused(name, arg, value):
    """By name, with the number that is refused."""
    wrong = value[-1] if isinstance(value, list) else value
    with pytest.raises(DomainError, match=rf"^{arg} must be .*, got {wrong:g}$"):
        call(name, **{arg: value})


NUMBER = r"(-?\d[\d.e+]*)(?![\d.]| [KM]iB)"
ENDS = {  # how messages say a range: its ends, each with the brackets that hold it
    rf"()([<>]=?) {NUMBER}": lambda _, sign, end: [(end, "=" in sign)],
    rf"in ([\[(]){NUMBER}, {NUMBER}([\])])": (
        lambda left, low, high, right: [(low, left == "["), (high, right == "]")]
    ),
    rf"from {NUMBER} to (less than )?{NUMBER}": (
        lambda low, less, high: [(low, True), (high, not less)]
    ),
    r"^()([<>]=?) ([a-z_]+(?: [-+*/] [a-z_]+)*)$": lambda _, sign, end: [(end, "=" in sign)],
}
FAR = (1e15, -1e15, math.nan, 0.0, 0.5, 1.0, 1.5, 2.5)
NOT_AT_ENDS = {
    # Seconds to a minute, for the deepest queue or the largest blocks.
    "flash_reads.cache_read_iops queue_depth", "flash_reads.read_iops queue_depth",
    "parallelism.dies_iops queue_depth", "transient.greedy_flash_fills pages_per_block",
    "write_amplification.d_choices pages_per_block",
    "write_amplification.two_temperature pages_per_block",
    "redundancy.usable_bytes members",  # of each set, without spares
}  # fmt: skip


# Ten seconds of arithmetic in many digits, where a group fails at once.
NOT_AT_1E15 = {"failures.loss_probability", "failures.loss_probability_parts", "failures.mttdl_s"}


def refusal(name, **changed):
    """Return what a call is refused with, nothing where it is not."""
    try:
        call(name, **changed)
    except DomainError as error:
        return str(error)
    return ""


def said_ends(name, arg):
    """Collect the ends of what refusals of numbers far outside say is accepted."""
    for far in FAR[name in NOT_AT_1E15 :]:
        if said := re.match(rf"{arg} must be (.*), got (.*)$", refusal(name, **{arg: far})):
            assert said[2] == f"{far:g}", arg
            for pattern, ends in ENDS.items():
                for match in re.findall(pattern, said[1]):
                    yield from ((end, belongs, said[1]) for end, belongs in ends(*match))


@pytest.mark.parametrize("name", VALID)
def test_the_ends_of_a_range_belong_to_it_where_the_refusal_says_so(name):
    for arg in (arg for arg in VALID[name] if f"{name} {arg}" not in NOT_AT_ENDS):
        for end, belongs, said in set(said_ends(name, arg)):
            if set(re.findall(r"(?<![\d.])[a-z_]+", end)) <= VALID[name].keys():
                assert_end(name, arg, end, belongs, said)


def assert_end(name, arg, end, belongs, said):
    """Another argument may still refuse the end, or this one for another reason."""
    value = float(eval(end, {"__builtins__": {}}, VALID[name]))  # noqa: S307 - of our messages
    refused = refusal(name, **{arg: value})
    if belongs:
        assert not refused.startswith(f"{arg} must be {said}, got"), (arg, end)
    else:
        assert refused.startswith(f"{arg} must be"), (arg, end, said)


@pytest.mark.parametrize("name", VALID)
def test_numbers_of_every_kind_give_the_same(name):
    """Single numbers give plain floats, whole numbers what floats give, arrays their elements."""
    got = call(name)
    for value in got if isinstance(got, tuple) else (got,):
        assert type(value) is float
        assert math.isfinite(value)
    for arg, value in VALID[name].items():
        assert_zero_has_a_meaning(name, arg)
        assert_whole_as_float(name, arg, value)
        values = good_values(name, arg)
        apart = [call(name, **{arg: value}) for value in values.tolist()]
        for kind in (np.asarray, list, lambda values: np.reshape(values, (3, 1))):
            assert_elementwise(name, arg, kind(values), apart)
    if len(VALID[name]) > 1:
        assert_two_arguments_broadcast(name)


def assert_zero_has_a_meaning(name, arg):
    if ZERO_IS_LEGAL & {arg, f"{name} {arg}"}:
        got = call(name, **{arg: 0.0})
        endless = f"{name} {arg}" in ENDLESS_AT_ZERO
        assert np.all(np.isposinf(got) if endless else np.isfinite(got)), arg


def assert_whole_as_float(name, arg, value):
    if value % 1 == 0:
        exact = call(name, **{arg: float(value)})
        assert call(name, **{arg: int(value)}) == exact, arg
        got = call(name, **{arg: np.array([int(value)], np.int64)})
        np.testing.assert_allclose(np.ravel(got), np.ravel(exact), rtol=1e-13, err_msg=arg)


def assert_elementwise(name, arg, values, apart):
    together = call(name, **{arg: values})
    if not isinstance(together, tuple):
        together, apart = (together,), [(value,) for value in apart]
    for whole, parts in zip(together, zip(*apart, strict=True), strict=True):
        assert isinstance(whole, np.ndarray)
        assert whole.dtype == np.float64
        assert whole.shape == np.shape(values)
        np.testing.assert_allclose(np.ravel(whole), parts, rtol=1e-13, err_msg=arg)


def assert_two_arguments_broadcast(name):
    first, *_, last = VALID[name]
    rows, columns = good_values(name, first), good_values(name, last)
    try:
        apart = [[call(name, **{first: r, last: c}) for c in columns] for r in rows]
    except DomainError:  # the two limit each other, as raw and user bytes do
        rows, columns = np.full(2, VALID[name][first]), np.full(3, VALID[name][last])
        apart = [[call(name, **{first: r, last: c}) for c in columns] for r in rows]
    got = call(name, **{first: rows[:, None], last: columns})
    whole = np.moveaxis(got, 0, -1) if isinstance(got, tuple) else got
    np.testing.assert_allclose(whole, apart, rtol=1e-13)


ANY_NUMBER = {  # a number of any sign, and the start of random numbers
    "cost.all_years yearly", "cost.by_year cumulative", "model_error.joined middles",
    "model_error.known_family own_errors", "wear_forecast.remaining_life seed",
}  # fmt: skip


def numbers_and_lists():
    """Yield arguments of formulas that take lists and records, with their valid values."""
    for name, arguments in REDUCES.items():
        for arg, value in arguments.items():
            is_list = isinstance(value, list) and isinstance(value[0], int | float)
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if (is_list or is_number) and f"{name} {arg}" not in ANY_NUMBER:
                yield name, arg, value


@pytest.mark.parametrize("bad", [math.nan, -1.0])
def test_numbers_in_lists_outside_any_domain_are_refused(bad):
    for name, arg, value in numbers_and_lists():
        ends = ([bad, *value[1:]], [*value[:-1], bad]) if isinstance(value, list) else (bad,)
        for wrong in ends:
            with pytest.raises(DomainError, match="must be"):
                call(name, **{arg: wrong})


def test_lists_of_another_length_are_refused_or_mean_something():
    for name, arg, value in numbers_and_lists():
        if isinstance(value, list):
            for other in ([], value[:-1], [*value, value[-1]], [value, value]):
                with contextlib.suppress(DomainError):
                    call(name, **{arg: other})


def test_no_exception_outlives_its_argument():
    arguments = {arg for _, arg in EACH_ARGUMENT} | {f"{name} {arg}" for name, arg in EACH_ARGUMENT}
    assert arguments >= ZERO_IS_LEGAL | ENDLESS_AT_ZERO | AT_MOST_ONE | COUNTS


@pytest.mark.parametrize("name", FORMULAS)
def test_the_arguments_are_left_as_they_were(name):
    given = {
        arg: np.array(value, float, ndmin=1)
        for arg, value in {**VALID, **REDUCES}[name].items()
        if name in VALID or isinstance(value, list)
    }
    before = {arg: value.copy() for arg, value in given.items()}
    call(name, **given)
    for arg, value in given.items():
        np.testing.assert_array_equal(value, before[arg])


def test_the_formulas_load_neither_pandas_nor_streamlit():
    names = [info.name for info in pkgutil.walk_packages(models.__path__, "models.")]
    script = f"import sys, models, {', '.join(names)}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(models.__path__[0]).parent,
    ).stdout.split()
    assert "models.endurance" in loaded
    assert not {"pandas", "streamlit", "planner"} & set(loaded)
