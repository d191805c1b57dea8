"""Formulas of `models` as spreadsheet formulas.

They use only + - * / ^, EXP, LN, MIN, MAX, ABS, INT, IF and NA, and over years NORMSDIST, SUM,
SUMPRODUCT and ROW, which every spreadsheet program since 1997 evaluates. `{name}` stands for the
cell of an argument in base units. A formula without a text here enters a sheet as its value at
export.

Of a row of years `{name}` is the cell of this year, `{name:all}` the whole row, `{name:upto}` its
cells up to this year and `{name:before}` those before it. These hold the unit in which the row is
shown, so a text with them is linear in each row: the unit multiplies its result.
"""

from collections.abc import Callable, Mapping
from typing import Any

from models import (
    array_speed,
    array_tail,
    bottleneck,
    calibration,
    carbon,
    cost,
    declustered,
    endurance,
    energy,
    failures,
    flash_geometry,
    growth,
    map_cache,
    mixing,
    parallelism,
    pools,
    queueing,
    raidz,
    rating,
    redundancy,
    spare_area,
    wear_levelling,
    write_amplification,
)
from models.write_amplification.factors import LEAST_COPIES
from planner.graph import cell_growth

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

# Share of the milder of two rated workloads.
_MILD = "IF({harder_wa}>{milder_wa},MIN(1,MAX(0,({harder_wa}-{wa})/({harder_wa}-{milder_wa}))),0)"
_REPORTED = "({space_bytes}*{vdevs}*{deflated_fraction})"
_VDEV = "((INT({partition_bytes}/262144)*262144-4718592)*{members})"
_SLABS = f"INT({_VDEV}/536870912)"
_SLAB = (  # of a vdev of up to 2 PiB
    f"MIN(17179869184,MAX(16777216,IF({_SLABS}>200,2^(INT(LN(INT({_VDEV}/200))/LN(2))+1),"
    f"IF({_SLABS}<16,2^(INT(LN(INT({_VDEV}/16))/LN(2))+1),536870912))))"
)
_STEP = "GCD({unit_bytes},{alignment_bytes})"  # by which writes may lie off the edge of a unit

_YEARS = "({horizon_s}/31536000)"
_PART = f"MAX(0,MIN(1,{_YEARS}-({{year}}-1)))"
_ROOT = "2.50662827463100050"  # square root of 2 pi
# Generations of which some drives may have worn out by 100 lives: spread of at most 15 %, to 6.5
# standard deviations before the mean.
_GENERATIONS = "ROW($1:$111)"


def _annuity() -> str:
    """Return `equivalent_usd_per_year`, of small rates and short horizons by series."""
    rate, years = "{discount_rate}", _YEARS
    x = f"(LN(1+{rate})*{years})"
    small = f"(1+{rate}*({years}+1)/2+{rate}^2*({years}^2-1)/12)/{years}"
    short = f"{rate}/({x}*(1-{x}/2*(1-{x}/3*(1-{x}/4))))"
    of_rate = f"IF({x}<0.001,{short},{rate}/(1-EXP(-{x})))"
    return f"{{npv_usd}}*IF({rate}<0.000001,{small},{of_rate})"


def _replacements() -> str:
    """Return `closed_form_replacements`: generation by generation, after 100 by the asymptote."""
    lives, failed, cv, k = "{lives}", "{expected_failures}", "{life_cv}", _GENERATIONS
    rate = f"({failed}/{lives})"
    tilt = f"({rate}*{cv}^2*{k})"
    deviation = f"({cv}*{k}^0.5)"
    z = f"(({lives}-{k}+{tilt})/{deviation})"
    passed = f"{deviation}*({z}*NORMSDIST({z})+EXP(-({z}^2)/2)/{_ROOT})"
    worn = f"SUMPRODUCT(EXP({rate}*({tilt}/2-{k}))*(NORMSDIST({z})+{rate}*{passed}))"
    ended = f"IF({lives}>100,{_many_replacements(rate)},{failed}+{worn})"
    wears = f"IF({lives}>MAX(0,1-6.5*{cv}),{failed}*{cv}^2<=0.5*{lives},FALSE)"
    return f"IF({wears},{ended},{failed})"


def _many_replacements(rate: str) -> str:
    """Return the straight line that the renewal function nears."""
    lives, cv = "{lives}", "{life_cv}"
    u = f"({rate}*(1-{rate}*{cv}^2/2))"
    series = f"{u}*(1-{u}/2*(1-{u}/3*(1-{u}/4*(1-{u}/5*(1-{u}/6)))))"
    lost = f"IF({u}<0.01,{series},1-EXP(-{u}))"
    square = f"({lost}-{rate}*(1-{rate}*{cv}^2)*(1-{lost}))/({lost})^2"
    few = f"{lives}/(1-{rate}*(1+{cv}^2)/2)+(1+{cv}^2)/2-1"
    return f"IF({rate}<0.00001,{few},{lives}*{rate}/({lost})+{square}-1)"


_EARLY_Z = "(({replaced_fraction}-1)/{life_cv})"
_EARLY_CUT = f"({_EARLY_Z}*NORMSDIST({_EARLY_Z})+EXP(-({_EARLY_Z}^2)/2)/{_ROOT})"
_EARLY_LIFE = f"IF({_EARLY_Z}<8,{{replaced_fraction}}-{{life_cv}}*{_EARLY_CUT},1)"


def _early_spread() -> str:
    """Return the relative spread of lives whose longest are cut off."""
    z = f"MIN(8,{_EARLY_Z})"
    density = f"EXP(-(({z})^2)/2)/{_ROOT}"
    cut = f"({z}*NORMSDIST({z})+{density})"
    square = f"((1+({z})^2)*NORMSDIST({z})+{z}*{density}-{cut}*{cut})"
    return f"MAX(0.0001,{{life_cv}}*MAX(0,{square})^0.5/({_EARLY_LIFE}))"


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
    write_amplification.low_placement_wa: ("MIN({one_log_wa},MAX({greedy_ratio}*{host_gc_wa},1))"),
    write_amplification.high_placement_wa: "MAX({one_log_wa},{host_gc_wa})",
    write_amplification.typical_placement_wa: (
        "EXP({one_log_weight}*LN({one_log_wa})+(1-{one_log_weight})*LN({host_gc_wa}))"
    ),
    write_amplification.untrimmed_op_ratio: (
        "MAX((1+{op_ratio})*(1+{filled_op_ratio})/(1+{effective_op_ratio})-1,0.000001)"
    ),
    write_amplification.least_victim_wa: "MIN({greedy_wa},{d_choices_wa},{cost_benefit_wa})",
    write_amplification.most_victim_wa: "MAX({greedy_wa},{d_choices_wa},{cost_benefit_wa})",
    write_amplification.unknown_victim_wa: "({greedy_wa}*{d_choices_wa})^0.5",
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
    rating.rating_between_bytes: (
        f"1/((1-{_MILD})/{{harder_rated_bytes}}+{_MILD}/{{milder_rated_bytes}})"
    ),
    endurance.effective_tbw_bytes: "{rated_bytes}*({rating_wa}/{workload_wa})",
    growth.growing_lifetime_s: _GROWING,
    wear_levelling.uneven_limit_bytes: (
        "{wear_limit_bytes}*{levelling_efficiency}/{placement_ratio}"
    ),
    endurance.uncertain_limit_bytes: "{wear_limit_bytes}*{life_error_ratio}",
    endurance.witnessed_limit_bytes: (
        "MAX({life_error_ratio}*{wear_limit_bytes}^{flash_weight}"
        "*({witness_ratio}*{field_limit_bytes})^(1-{flash_weight}),"
        "{promised_limit_bytes}*MAX({life_error_ratio},1))"
    ),
    write_amplification.uncertain_wa: (
        f"{{wa}}+({{wa_error_ratio}}-1)*MAX({{wa}}-1+{LEAST_COPIES},0)"
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
    cost.usd_per_iops: "{price_usd}/{iops}",
    cost.iops_per_usd: "{iops}/{price_usd}",
    cost.throughput_bytes_per_s_per_usd: "{throughput_bytes_per_s}/{price_usd}",
    cost.written_bytes_per_usd: "{limit_bytes}/{price_usd}",
    cost.year_part: _PART,
    cost.year_length_s: f"31536000*{_PART}",
    cost.year_end_s: "MIN({year}*31536000,{horizon_s})",
    cost.mid_year_s: f"31536000*({{year}}-1+{_PART}/2)",
    cost.by_year: "MAX({cumulative:upto},0)-MAX({cumulative:before},0)",
    cost.all_years: "SUM({yearly:all})",
    cost.discount_factor: "(1+{discount_rate})^(-{time_s}/31536000)",
    cost.present_usd: "{cost_usd}*(1+{discount_rate})^(-{time_s}/31536000)",
    cost.present_total_usd: "SUMPRODUCT({yearly_usd:all},{discount_factor:all})",
    cost.equivalent_usd_per_year: _annuity(),
    cost.capital_usd: "{price_usd}*({members}+{spare_drives})",
    cost.residual_usd: "{capital_usd}*{residual_fraction}",
    cost.operating_present_usd: (
        "{energy_present_usd}+{slot_present_usd}+{node_present_usd}+{labour_present_usd}"
    ),
    cost.net_present_usd: (
        "{capital_usd}+{operating_present_usd}+{drives_present_usd}-{residual_present_usd}"
    ),
    cost.priced_present_usd: "{capital_usd}+{drives_present_usd}-{residual_present_usd}",
    cost.fleet_replacements: "{slot_replacements}*{members}",
    cost.bought_drives: "MAX(0,{mean_replacements}-{spare_drives})",
    cost.made_drives: "{members}+{spare_drives}+{bought_drives}",
    cost.drives_usd: "{price_usd}*{drives}",
    cost.labour_total_usd: "{labour_usd}*{mean_replacements}",
    cost.places_usd: "{place_usd_per_year}*{places}*{year_part}",
    growth.written_bytes: (
        "{host_bytes_per_s}*"
        + cell_growth.clock({"growth_per_year": "{growth_per_year}"}, "{time_s}")
    ),
    failures.failures_per_s: (
        "IF({afr_fraction}<0.0001,{afr_fraction}*(1+{afr_fraction}/2+{afr_fraction}^2/3),"
        "-LN(1-{afr_fraction}))/31536000"
    ),
    failures.expected_failures: "{failures_per_s}*{time_s}",
    failures.closed_form_replacements: _replacements(),
    failures.early_mean_life: _EARLY_LIFE,
    failures.early_life_cv: _early_spread(),
    failures.early_limit_bytes: "{limit_bytes}*{early_life_ratio}",
    energy.operation_j: "({active_power_w}-{idle_power_w})/{iops}",
    energy.mean_iops: "IF({written_bytes}>0,{written_bytes}/{time_s}/{transfer_bytes},0)",
    energy.member_read_iops: (
        "IF({read_fraction}<1,{write_iops}/{writes_per_write}"
        "*({read_fraction}/(1-{read_fraction})+{reads_per_write}),1E+300)"
    ),
    energy.power_w: (
        "{idle_power_w}+{read_j}*{read_iops}+{write_j}*{write_iops}+{sequential_power_w}"
    ),
    energy.limited_power_w: "MIN({power_w},MAX({read_power_w},{write_power_w}))",
    energy.array_power_w: "{working_members}*{power_w}+{hot_spares}*{idle_power_w}",
    energy.energy_j: "{power_w}*{time_s}*{pue}",
    energy.energy_usd: "{energy_j}*{energy_usd_per_j}",
    carbon.embodied_kg: "{size_bytes}*{drives}*{embodied_kg_per_byte}",
    carbon.operational_kg: "{energy_j}*{grid_kg_per_j}",
    carbon.carbon_kg: "{embodied_kg}+{operational_kg}",
    carbon.carbon_kg_per_byte_year: f"{{carbon_kg}}/{{usable_bytes}}/{_YEARS}",
}
