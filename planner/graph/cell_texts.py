"""Formulas of `models` as spreadsheet formulas.

They use only + - * / ^, EXP, LN, MIN, MAX, ABS, INT, IF and NA, which every spreadsheet program
since 1997 evaluates. `{name}` stands for the cell of an argument in base units. A formula without
a text here enters a sheet as its value at export.
"""

from collections.abc import Callable, Mapping
from typing import Any

from models import (
    array_speed,
    array_tail,
    bottleneck,
    calibration,
    cost,
    declustered,
    endurance,
    flash_geometry,
    growth,
    map_cache,
    mixing,
    parallelism,
    pools,
    queueing,
    raidz,
    redundancy,
    spare_area,
    wear_levelling,
    write_amplification,
)

# Formulas without a text whose value is stored relative to that of `fifo`, so that a factor typed
# in by hand is usable at any spare area.
OVER_FIFO = (
    write_amplification.greedy,
    write_amplification.d_choices,
    write_amplification.skewed,
    write_amplification.host_gc,
    write_amplification.two_streams,
)


def _uniform_wa() -> str:
    """Return 1 / y where 1 - y = exp(-(1 + p) y): a rational start, then two Newton steps."""
    p, y = "{op_ratio}", "2*{p}*(1+0.2536*{p})/(1+1.587*{p}+0.5595*{p}^2)"
    y = f"({y.format(p=p)})"
    for _ in range(2):
        y = f"({y}-(1-{y}-EXP(-(1+{p})*{y}))/((1+{p})*EXP(-(1+{p})*{y})-1))"
    return f"IF({p}>0,1/{y},NA())"


_SPENT = "LN(1+{growth_per_year})*{limit_bytes}/({host_bytes_per_s}*31536000)"
_STEADY = "{limit_bytes}/{host_bytes_per_s}"
_GROWING = (
    f"IF(ABS({_SPENT})<0.0001,{_STEADY}*(1-({_SPENT})/2+({_SPENT})^2/3),"
    f"LN(1+{_SPENT})/LN(1+{{growth_per_year}})*31536000)"
)
_ALONE = "({read_fraction}*({read_rest_s}+{die_read_s})+(1-{read_fraction})*{write_accept_s})"
_OTHERS = "(MAX({queue_depth}-1,0)*{read_fraction}*{die_read_s}/{dies})"
_CLOSED_LOOP = (
    f"MIN(2*{{queue_depth}}/({_ALONE}+{_OTHERS}"
    f"+(({_ALONE}-{_OTHERS})^2+2*{_OTHERS}*{{read_fraction}}*{{die_read_s}})^0.5),"
    "IF({read_fraction}>0,{dies}/({read_fraction}*{die_read_s}),{link_iops}),{link_iops},"
    "1/({read_fraction}/{read_cap_iops}+(1-{read_fraction})/{write_cap_iops}))"
)
_PER_DIE = "(({rated_queue_depth}-{rated_iops}*{unloaded_s})/{dies})"  # that wait at a die
_FEW_STALLS = (
    "{members}*{member_stall_fraction}*(1-({members}-1)/2*{member_stall_fraction}"
    "*(1-({members}-2)/3*{member_stall_fraction}))"
)

_REPORTED = "({space_bytes}*{vdevs}*{deflated_fraction})"
_VDEV = "((INT({partition_bytes}/262144)*262144-4718592)*{members})"
_SLABS = f"INT({_VDEV}/536870912)"
_SLAB = (  # of a vdev of up to 2 PiB
    f"MIN(17179869184,MAX(16777216,IF({_SLABS}>200,2^(INT(LN(INT({_VDEV}/200))/LN(2))+1),"
    f"IF({_SLABS}<16,2^(INT(LN(INT({_VDEV}/16))/LN(2))+1),536870912))))"
)
_STEP = "GCD({unit_bytes},{alignment_bytes})"  # by which writes may lie off the edge of a unit
# The condition under which the answer is infinite and the cell says "never".
NEVER: Mapping[Callable[..., Any], str] = {
    growth.growing_lifetime_s: (f"IF({{host_bytes_per_s}}>0,IF(1+{_SPENT}>0,1,0),0)=0")
}

CELLS: Mapping[Callable[..., Any], str] = {
    write_amplification.fifo: _uniform_wa(),
    flash_geometry.dies: "INT({raw_bytes}/{die_bytes}+0.000000001)",
    calibration.unloaded_read_s: (
        "MIN({read_s}+{overhead_s},{printed_latency_s},0.9*{rated_queue_depth}/{rated_iops})"
    ),
    calibration.die_read_s: (
        "MIN({read_s}+{transfer_s},{unloaded_s},"
        f"2*{_PER_DIE}/(({_PER_DIE}^2+2*{_PER_DIE})^0.5+{_PER_DIE})*{{dies}}/{{rated_iops}})"
    ),
    array_speed.delay_s: "MAX(0,{latency_s}-{operation_s})",
    bottleneck.write_iops: (
        "MIN({media_iops},{bus_iops},{controller_iops},{link_iops},{queue_iops})"
    ),
    parallelism.drive_iops: _CLOSED_LOOP,
    queueing.iops: "{queue_depth}/{latency_s}",
    queueing.worst_case_iops: "{queue_depth}/{max_latency_s}",
    queueing.transfer_s: "{transfer_bytes}/{throughput_bytes_per_s}",
    queueing.resized_latency_s: (
        "{latency_s}+MAX({transfer_bytes}-{rated_transfer_bytes},0)/{throughput_bytes_per_s}"
    ),
    queueing.iops_at_throughput: "{throughput_bytes_per_s}/{transfer_bytes}",
    queueing.latency_s: "{queue_depth}/{iops}",
    queueing.throughput_bytes_per_s: "{iops}*{transfer_bytes}",
    queueing.resized_iops: (
        "{iops}/(1+{iops}*MAX({transfer_bytes}-{rated_transfer_bytes},0)/{throughput_bytes_per_s})"
    ),
    mixing.mixed_iops: ("1/({read_fraction}/{read_iops}+(1-{read_fraction})/{write_iops})"),
    mixing.blended_iops: (
        "1/({sequential_fraction}/{sequential_iops}+(1-{sequential_fraction})/{random_iops})"
    ),
    spare_area.op_ratio: "({raw_bytes}-{user_bytes})/{user_bytes}",
    spare_area.effective_op_ratio: "({op_ratio}+(1-{fill_fraction}))/{fill_fraction}",
    spare_area.spare_fraction_from_op_ratio: "{op_ratio}/(1+{op_ratio})",
    spare_area.op_nominal_from_op_ratio: "(1+{op_ratio})*1000000000/1073741824-1",
    spare_area.partition_bytes: "{user_bytes}*{partition_fraction}",
    write_amplification.trimmed_op_ratio: ("(1+{op_ratio})*(1-{trim_share})/(1-2*{trim_share})-1"),
    write_amplification.field_wa: "1+{field_copy_ratio}*({random_wa}-1)",
    write_amplification.credited: (
        "IF({sequential_fraction}<1,MAX(MIN({random_wa},1),{random_wa}*{sequential_credit}),1)"
    ),
    map_cache.map_read_fraction: (
        "MAX(0,1-{map_cache_bytes}/({entry_bytes}*({span_bytes}/{unit_bytes})))"
    ),
    map_cache.mapped_read_iops: "{iops}/(1+{map_read_fraction})",
    map_cache.mapped_read_s: "{read_s}*(1+{map_read_fraction})",
    write_amplification.touched_bytes: "{transfer_bytes}*{unit_factor}",
    write_amplification.total_wa: ("{collection_wa}*{unit_factor}*{base_factor}*{stored_fraction}"),
    write_amplification.mixed_indirection_factor: (
        "(1-{sequential_fraction})*{unit_factor}+{sequential_fraction}"
    ),
    write_amplification.destaged_sequential_fraction: (
        "{sequential_fraction}/({sequential_fraction}+(1-{sequential_fraction})*{unit_factor})"
    ),
    write_amplification.indirection_factor: (
        f"({{unit_bytes}}+{_STEP}*(ROUNDUP({{transfer_bytes}}/{_STEP},0)-1))/{{transfer_bytes}}"
    ),
    write_amplification.units_per_block: ("MAX(1,INT({pages_per_block}*4096/{unit_bytes}))"),
    write_amplification.background_wa: (
        "{wa}+IF({host_bytes_per_s}>0,"
        "{background_rewrites_per_s}*{user_bytes}/{host_bytes_per_s},0)"
    ),
    write_amplification.base_factor: "{parity_factor}*{map_factor}",
    write_amplification.rain_factor: "{stripe}/({stripe}-1)",
    write_amplification.map_factor: "1+{entry_bytes}/{unit_bytes}",
    write_amplification.data_flash_bytes: (
        "MAX({raw_bytes}/{parity_factor}-{bits_per_cell}*{static_cache_bytes},0)"
    ),
    write_amplification.compressed_op_ratio: "({op_ratio}+(1-{stored_fraction}))/{stored_fraction}",
    write_amplification.folded_wa: ("(1-{absorbed_fraction})*{wa}+{bits_per_cell}*{relative_wear}"),
    write_amplification.low_placement_wa: "MIN({one_log_wa},{greedy_ratio}*{host_gc_wa})",
    write_amplification.high_placement_wa: "MAX({one_log_wa},{host_gc_wa})",
    write_amplification.typical_placement_wa: (
        "EXP({one_log_weight}*LN({one_log_wa})+(1-{one_log_weight})*LN({host_gc_wa}))"
    ),
    write_amplification.wa_ratio: "{wa}/{reference_wa}",
    write_amplification.random_victim: "(1+{op_ratio})/{op_ratio}",
    write_amplification.unfilled_blocks: "0.5/{wa}+0.5*({frontiers}-1)",
    write_amplification.reserved_op_ratio: (
        "(1+{op_ratio})*({blocks}-{reserve}-{unfilled_blocks})/{blocks}-1"
    ),
    calibration.fitted_wa: "{random_wa}*{base_factor}*{curve_ratio}",
    calibration.fitted_write_iops: (
        "{rate_ratio}*{program_iops}/({base_factor}*{random_wa}+{copy_cost}*({random_wa}-1))"
    ),
    calibration.followed_write_iops: (
        "MIN({rated_iops}*({reference_wa}/{wa}),MAX({rated_iops},{burst_write_iops}))"
    ),
    calibration.followed_wa: (
        "IF(MIN({modelled_wa},{reference_wa})<1,{measured_wa}*({modelled_wa}/{reference_wa}),"
        "IF({measured_wa}>1,1+({measured_wa}-1)*IF({reference_wa}>1,"
        "({modelled_wa}-1)/({reference_wa}-1),1),{measured_wa}))"
    ),
    endurance.write_limit_bytes: "{raw_bytes}*{pe_cycles}/{wa}",
    endurance.effective_tbw_bytes: "{rated_bytes}*({rating_wa}/{workload_wa})",
    growth.growing_lifetime_s: _GROWING,
    wear_levelling.uneven_limit_bytes: (
        "{wear_limit_bytes}*{levelling_efficiency}/{placement_ratio}"
    ),
    endurance.first_limit_bytes: "MIN({wear_limit_bytes},{rated_limit_bytes})",
    endurance.worn_limit_bytes: "{host_bytes}/{used_fraction}",
    endurance.used_fraction: "{host_bytes}/{limit_bytes}",
    endurance.left_bytes: "{limit_bytes}*MAX(1-{used_fraction},0)",
    endurance.left_s: "MAX({period_s}-{age_s},0)",
    endurance.dwpd: "{limit_bytes}/{user_bytes}/({period_s}/86400)",
    endurance.required_dwpd: "{host_bytes_per_s}*86400/{user_bytes}",
    endurance.tbw_bytes: "{dwpd}*{user_bytes}*({period_s}/86400)",
    redundancy.usable_bytes: "{member_bytes}*({members}-{groups}*{parities})/{copies}",
    redundancy.working_members: "{members}-{spares}",
    redundancy.set_members: "{members}/{groups}",
    declustered.declustered_usable_bytes: (
        "{member_bytes}*({members}-{spares})*{data_members}/({data_members}+{parities})"
    ),
    pools.node_bytes: "{member_bytes}*({node_members}-{node_spares})",
    pools.cluster_usable_bytes: (
        "{fill_limit}*({cluster_nodes}-{reserve_nodes})*{node_bytes}*{data_members}"
        "/({data_members}+{parities})"
    ),
    redundancy.mean_reads_per_write: (
        "(1-{full_stripe_fraction})*IF({parities}>0,MIN(1+{parities},{members}-{parities}-1),0)"
    ),
    redundancy.mean_writes_per_write: (
        "{copies}+{parities}*((1-{full_stripe_fraction})"
        "+{full_stripe_fraction}*{copies}/({members}-{parities}))"
    ),
    redundancy.member_write_bytes_per_s: ("{host_bytes_per_s}*{writes_per_write}/{members}"),
    redundancy.array_limit_bytes: "{member_limit_bytes}*{members}/{writes_per_write}",
    redundancy.budget_iops: (
        "{members}/({read_fraction}*{reads_per_read}/{read_iops}+(1-{read_fraction})"
        "*({reads_per_write}/{read_iops}+{writes_per_write}/{write_iops}))"
    ),
    redundancy.member_read_fraction: (
        "({read_fraction}*{reads_per_read}+(1-{read_fraction})*{reads_per_write})"
        "/({read_fraction}*{reads_per_read}"
        "+(1-{read_fraction})*({reads_per_write}+{writes_per_write}))"
    ),
    redundancy.host_iops: (
        "{members}*{member_iops}"
        "/({read_fraction}*{reads_per_read}"
        "+(1-{read_fraction})*({reads_per_write}+{writes_per_write}))"
    ),
    pools.record_sectors: "ROUNDUP({record_bytes}/{sector_bytes},0)",
    pools.record_columns: "MIN({block_sectors},{stripe_members}-{parities})",
    pools.raidz_written_sectors: (
        "{block_sectors}+{parities}*ROUNDUP({block_sectors}/({stripe_members}-{parities}),0)"
    ),
    pools.written_columns: "{data_columns}+{parities}",
    pools.records_per_operation: (
        "(1-{sequential_fraction})*ROUNDUP({transfer_bytes}/{record_bytes},0)"
        "+{sequential_fraction}*{transfer_bytes}/{record_bytes}"
    ),
    pools.record_operations: "{columns}*{records_per_operation}",
    pools.whole_record_reads: (
        "IF({transfer_bytes}<{record_bytes},(1-{sequential_fraction})*{columns},0)"
    ),
    pools.written_bytes_per_byte: (
        "{records_per_operation}*{written_sectors}*{sector_bytes}/{transfer_bytes}"
    ),
    pools.deflated_fraction: "INT(131072/({reference_sectors}*{sector_bytes}/512))/512",
    pools.available_bytes: (
        f"{_REPORTED}-MIN(137438953472,MAX(INT({_REPORTED}/32),MIN(134217728,{_REPORTED}/2)))"
    ),
    pools.recorded_bytes: (
        "{available_bytes}*{record_bytes}/({allocated_sectors}*{sector_bytes}*{deflated_fraction})"
    ),
    pools.partition_bytes: "INT(({drive_bytes}-16896)/1048576)*1048576-9437184",
    pools.raidz_space_bytes: f"INT({_VDEV}/{_SLAB})*{_SLAB}",
    raidz.raidz_sectors: (
        "ROUNDUP(({block_sectors}+{parities}*ROUNDUP({block_sectors}/({members}-{parities}),0))"
        "/({parities}+1),0)*({parities}+1)"
    ),
    declustered.declustered_sectors: (
        "ROUNDUP({block_sectors}/{data_members},0)*({data_members}+{parities})"
    ),
    array_tail.worst_case_iops: "{member_worst_iops}*{members}",
    array_tail.stall_probability: (
        f"IF({{member_stall_fraction}}<0.00001,{_FEW_STALLS},"
        "1-(1-{member_stall_fraction})^{members})"
    ),
    array_tail.aligned_stall_probability: "{member_stall_fraction}^{members}",
    array_tail.member_quantile: "{array_quantile}^(1/{members})",
    cost.total_usd: "{price_usd}*{members}",
    cost.usd_per_byte: "{price_usd}/{size_bytes}",
}
