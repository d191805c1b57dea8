"""Formulas of `models` as spreadsheet formulas.

Only + - * / ^, EXP, LN, MIN, MAX, ABS and IF: every spreadsheet program since 1997
evaluates them. `{name}` stands for the cell of an argument, in base units.
"""

__all__ = [
    "CELL_FORMULAS",
    "FED",
    "FIFO",
    "FIFO_STEPS",
    "FIFO_VALUE",
    "LEFT_OUT",
    "NEVER",
    "WITH_FACTOR",
]

_WA = "models.write_amplification"

FIFO = "models.write_amplification.fifo"
# Without a cell formula: `fifo` times a factor from the planner.
WITH_FACTOR = (
    f"{_WA}.greedy",
    f"{_WA}.d_choices",
    f"{_WA}.skewed",
    f"{_WA}.host_gc",
    f"{_WA}.two_streams",
)
FED = (  # a value from the planner
    f"{_WA}.sequential_credit",
    f"{_WA}.apart_ratio",
    f"{_WA}.host_gc_ratio",
)

# y = 1/WA solves 1 - y = exp(-(1 + p) y): a rational start, then two Newton steps.
_START = "2*{p}*(1+0.2536*{p})/(1+1.587*{p}+0.5595*{p}^2)"
_NEWTON = "{y}-(1-{y}-EXP(-(1+{p})*{y}))/((1+{p})*EXP(-(1+{p})*{y})-1)"
FIFO_STEPS = (_START, _NEWTON, _NEWTON)
FIFO_VALUE = "1/{y}"

_SPENT = "LN(1+{growth_per_year})*{limit_bytes}/({host_bytes_per_s}*31536000)"
_STEADY = "{limit_bytes}/{host_bytes_per_s}"
_GROWING = (
    f"IF(ABS({_SPENT})<0.0001,{_STEADY}*(1-({_SPENT})/2+({_SPENT})^2/3),"
    f"LN(1+{_SPENT})/LN(1+{{growth_per_year}})*31536000)"
)
_FEW_STALLS = (
    "{members}*{member_stall_fraction}*(1-({members}-1)/2*{member_stall_fraction}"
    "*(1-({members}-2)/3*{member_stall_fraction}))"
)

# Where the answer is infinite: the condition under which the cell says "never".
NEVER = {"models.growth.growing_lifetime_s": f"1+{_SPENT}<=0"}

# Arguments that a formula may do without: under which condition, and its value then.
LEFT_OUT = {
    f"{_WA}.credited": {
        "random_wa": ("{sequential_fraction}=1", "1"),
        "sequential_credit": ("{sequential_fraction}=1", "1"),
    },
    "models.mixing.blended_iops": {"random_iops": ("{sequential_fraction}=1", "{sequential_iops}")},
    "models.mixing.mixed_iops": {
        "read_iops": ("{read_fraction}=0", "{write_iops}"),
        "write_iops": ("{read_fraction}=1", "{read_iops}"),
    },
}

CELL_FORMULAS = {
    "models.queueing.iops_at_throughput": "{throughput_bytes_per_s}/{transfer_bytes}",
    "models.queueing.latency_s": "{queue_depth}/{iops}",
    "models.queueing.throughput_bytes_per_s": "{iops}*{transfer_bytes}",
    "models.queueing.resized_iops": (
        "{iops}/(1+{iops}*MAX({transfer_bytes}-{rated_transfer_bytes},0)/{throughput_bytes_per_s})"
    ),
    "models.mixing.mixed_iops": (
        "1/({read_fraction}/{read_iops}+(1-{read_fraction})/{write_iops})"
    ),
    "models.mixing.blended_iops": (
        "1/({sequential_fraction}/{sequential_iops}+(1-{sequential_fraction})/{random_iops})"
    ),
    "models.spare_area.op_ratio": "({raw_bytes}-{user_bytes})/{user_bytes}",
    "models.spare_area.effective_op_ratio": "({op_ratio}+(1-{fill_fraction}))/{fill_fraction}",
    "models.spare_area.partition_bytes": "{user_bytes}*{partition_fraction}",
    "models.write_amplification.trimmed_op_ratio": (
        "(1+{op_ratio})*(1-{trim_share})/(1-2*{trim_share})-1"
    ),
    f"{_WA}.credited": (
        "IF({sequential_fraction}<1,MAX(MIN({random_wa},1),{random_wa}*{sequential_credit}),1)"
    ),
    f"{_WA}.random_victim": "(1+{op_ratio})/{op_ratio}",
    f"{_WA}.unfilled_blocks": "0.5/{wa}+0.5*({frontiers}-1)",
    f"{_WA}.reserved_op_ratio": (
        "(1+{op_ratio})*({blocks}-{reserve}-{unfilled_blocks})/{blocks}-1"
    ),
    "models.endurance.write_limit_bytes": "{raw_bytes}*{pe_cycles}/{wa}",
    "models.endurance.effective_tbw_bytes": "{rated_bytes}*({rating_wa}/{workload_wa})",
    "models.growth.growing_lifetime_s": _GROWING,
    "models.wear_levelling.uneven_limit_bytes": (
        "{wear_limit_bytes}*{levelling_efficiency}/{placement_ratio}"
    ),
    "models.endurance.first_limit_bytes": "MIN({wear_limit_bytes},{rated_limit_bytes})",
    "models.endurance.dwpd": "{limit_bytes}/{user_bytes}/({period_s}/86400)",
    "models.endurance.required_dwpd": "{host_bytes_per_s}*86400/{user_bytes}",
    "models.endurance.tbw_bytes": "{dwpd}*{user_bytes}*({period_s}/86400)",
    "models.redundancy.usable_bytes": "{member_bytes}*({members}-{groups}*{parities})/{copies}",
    "models.redundancy.working_members": "{members}-{spares}",
    "models.redundancy.set_members": "{members}/{groups}",
    "models.declustered.declustered_usable_bytes": (
        "{member_bytes}*({members}-{spares})*{data_members}/({data_members}+{parities})"
    ),
    "models.redundancy.mean_reads_per_write": (
        "(1-{full_stripe_fraction})*IF({parities}>0,MIN(1+{parities},{members}-{parities}-1),0)"
    ),
    "models.redundancy.mean_writes_per_write": (
        "{copies}+{parities}*((1-{full_stripe_fraction})"
        "+{full_stripe_fraction}*{copies}/({members}-{parities}))"
    ),
    "models.redundancy.member_write_bytes_per_s": (
        "{host_bytes_per_s}*{writes_per_write}/{members}"
    ),
    "models.redundancy.array_limit_bytes": "{member_limit_bytes}*{members}/{writes_per_write}",
    "models.redundancy.budget_iops": (
        "{members}/({read_fraction}/{read_iops}+(1-{read_fraction})"
        "*({reads_per_write}/{read_iops}+{writes_per_write}/{write_iops}))"
    ),
    "models.array_tail.worst_case_iops": "{member_worst_iops}*{members}",
    "models.array_tail.stall_probability": (
        f"IF({{member_stall_fraction}}<0.00001,{_FEW_STALLS},"
        "1-(1-{member_stall_fraction})^{members})"
    ),
    "models.array_tail.aligned_stall_probability": "{member_stall_fraction}^{members}",
    "models.array_tail.member_quantile": "{array_quantile}^(1/{members})",
    "models.cost.total_usd": "{price_usd}*{members}",
    "models.cost.usd_per_byte": "{price_usd}/{size_bytes}",
}
