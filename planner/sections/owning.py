"""The cost of owning an array, part by part and year by year, as nodes.

The leaf `year` is an array whose first axis is the years of the horizon; a `Call` of the axis
"year" sums or differences along it.
"""

from functools import cache

from models import carbon, cost, endurance, energy, failures, growth, queueing
from planner.catalogue.priors_failures import NO_WEAR
from planner.graph.nodes import Call, Const, FirstKnown, Graph, Leaf, Node
from planner.scenario.terms import LEVELS
from planner.sections.array import MEMBER_RATE
from planner.sections.life import growth_inputs
from planner.sections.plan import plan_graph
from planner.sections.redundancy import FAILURE_RATE, FAILURES_PER_S
from planner.sections.service import HOST_SIZE
from planner.sections.structure import Structure

NO_ENERGY = (
    "Energy is not counted: the catalogue has no idle and write power of this drive, or not the "
    "rates that belong to them."
)
_YEAR, _HORIZON, _RATE = Leaf("year"), Leaf("horizon_s"), Leaf("discount_rate")
_MEMBERS, _SHELF, _PRICE = Leaf("members"), Leaf("spare_drives"), Leaf("price_usd")
RUNNING = (
    "energy_present_usd", "slot_present_usd", "node_present_usd", "labour_present_usd",
)  # fmt: skip
_NODES = Leaf("cluster_nodes", overrides=True)  # known of clusters alone
_IDLE, _WRITING, _SPREAD = Leaf("idle_power_w"), Leaf("write_power_w"), Leaf("life_cv")
_REPLACED = Leaf("replaced_fraction", overrides=True)


@cache
def owning_graph(structure: Structure) -> Graph:
    """Return every answer of a plan and of owning it."""
    answers = plan_graph(structure).answers
    return Graph({**answers, **owning_nodes(answers, structure)})


def owning_nodes(of: dict[str, Node], structure: Structure) -> dict[str, Node]:
    """Return the answers about owning, from the answers of a plan."""
    part, length, end = (
        Call(key, formula, {"year": _YEAR, "horizon_s": _HORIZON})
        for key, formula in (
            ("year_part", cost.year_part),
            ("year_length_s", cost.year_length_s),
            ("year_end_s", cost.year_end_s),
        )
    )

    def written_by(key: str, time_s: Node) -> Node:
        course = {"host_bytes_per_s": MEMBER_RATE, **growth_inputs(structure)}
        return Call(key, growth.written_bytes, {"time_s": time_s, **course})

    written = written_by("yearly_written_bytes", end)
    drives = _drives(of["host_limit_bytes"], of["working_members"], written, end)
    power = _power(of, _by_year("year_bytes", written), length)
    capital = Call(
        "capital_usd",
        cost.capital_usd,
        {"price_usd": _PRICE, "members": _MEMBERS, "spare_drives": _SHELF},
    )
    yearly = {
        "energy": Call(
            "yearly_energy_usd",
            energy.energy_usd,
            {"energy_j": power["yearly_energy_j"], "energy_usd_per_j": Leaf("energy_usd_per_j")},
        ),
        "slot": _places("slot", _MEMBERS, part),
        "node": _places("node", _NODES, part),
        "labour": Call(
            "yearly_labour_usd",
            cost.labour_total_usd,
            {"labour_usd": Leaf("labour_usd"), "mean_replacements": drives["yearly_replacements"]},
        ),
        "drives": Call(
            "yearly_drives_usd",
            cost.drives_usd,
            {"price_usd": _PRICE, "drives": drives["yearly_bought_drives"]},
        ),
    }
    due = Call("mid_year_s", cost.mid_year_s, {"year": _YEAR, "horizon_s": _HORIZON})
    factor = Call("discount_factor", cost.discount_factor, {"discount_rate": _RATE, "time_s": due})
    present: dict[str, Node] = {
        f"{key}_present_usd": Call(
            f"{key}_present_usd",
            cost.present_total_usd,
            {"yearly_usd": node, "discount_factor": factor},
            axis="year",
            folds=True,
        )
        for key, node in yearly.items()
    }
    present["energy_present_usd"] = FirstKnown(
        "energy_present_usd:any",
        (
            present["energy_present_usd"],
            Const("energy_present_usd:none", 0.0, "assumption", NO_ENERGY),
        ),
    )
    present["node_present_usd"] = FirstKnown(
        "node_present_usd:any",
        (present["node_present_usd"], Const("node_present_usd:none", 0.0, "definition", "")),
    )
    residual = Call(
        "residual_usd",
        cost.residual_usd,
        {"capital_usd": capital, "residual_fraction": Leaf("residual_fraction")},
    )
    present["residual_present_usd"] = Call(
        "residual_present_usd",
        cost.present_usd,
        {"cost_usd": residual, "discount_rate": _RATE, "time_s": _HORIZON},
    )
    running = {name: present[name] for name in RUNNING}
    operating = Call("operating_present_usd", cost.operating_present_usd, running)
    kept = {name: present[name] for name in ("drives_present_usd", "residual_present_usd")}
    npv = Call("npv_usd", cost.net_present_usd, {
        "capital_usd": capital, "operating_present_usd": operating, **kept,
    })  # fmt: skip
    annual = _annual("equivalent_usd_per_year", npv)
    priced = Call("priced_present_usd", cost.priced_present_usd, {"capital_usd": capital, **kept})
    made = Call(
        "made_drives",
        cost.made_drives,
        {"members": _MEMBERS, "spare_drives": _SHELF, "bought_drives": drives["bought_drives"]},
    )
    return {
        "npv_usd": npv,
        "equivalent_usd_per_year": annual,
        **_prices(of, npv, annual, structure),
        "capital_usd": capital,
        **present,
        "operating_present_usd": operating,
        "residual_usd": residual,
        "priced_usd_per_year": _annual("priced_usd_per_year", priced),
        **drives,
        "made_drives": made,
        "yearly_written_bytes": written,
        "horizon_bytes": written_by("horizon_bytes", _HORIZON),
        **power,
        **{f"yearly_{key}_usd": node for key, node in yearly.items()},
        **_carbon(of["usable_bytes"], made, power["yearly_energy_j"]),
    }


def _places(kind: str, places: Node, part: Node) -> Call:
    """Return the price of slots or nodes by year."""
    price = Leaf(f"{kind}_usd_per_year")
    inputs = {"place_usd_per_year": price, "places": places, "year_part": part}
    return Call(f"yearly_{kind}_usd", cost.places_usd, inputs)


def _by_year(key: str, cumulative: Node) -> Call:
    return Call(key, cost.by_year, {"cumulative": cumulative}, axis="year")


def _all_years(key: str, yearly: Node) -> Call:
    return Call(key, cost.all_years, {"yearly": yearly}, axis="year", folds=True)


def _annual(key: str, amount: Node) -> Call:
    return Call(
        key,
        cost.equivalent_usd_per_year,
        {"npv_usd": amount, "discount_rate": _RATE, "horizon_s": _HORIZON},
    )


def _drives(limit: Node, working: Node, written: Node, end: Node) -> dict[str, Node]:
    """Return the drives to replace because of failures and wear, and those to buy."""
    early = {"replaced_fraction": _REPLACED, "life_cv": _SPREAD}
    limit = FirstKnown(
        "early_limit_bytes:any",
        (
            Call(
                "early_limit_bytes",
                failures.early_limit_bytes,
                {
                    "limit_bytes": limit,
                    "early_life_ratio": Call("early_life_ratio", failures.early_mean_life, early),
                },
            ),
            limit,
        ),
    )
    spread = FirstKnown(
        "early_life_cv:any", (Call("early_life_cv", failures.early_life_cv, early), _SPREAD)
    )
    lives = FirstKnown(
        "yearly_lives:any",
        (
            Call(
                "yearly_lives",
                endurance.used_fraction,
                {"host_bytes": written, "limit_bytes": limit},
            ),
            Const("yearly_lives:none", 0.0, "assumption", NO_WEAR),
        ),
    )
    failed = Call(
        "yearly_failures",
        failures.expected_failures,
        {"failures_per_s": FAILURES_PER_S, "time_s": end},
    )
    slot = Call(
        "slot_replacements",
        failures.closed_form_replacements,
        {"lives": lives, "expected_failures": failed, "life_cv": spread},
    )
    fleet = Call(
        "cumulative_replacements",
        cost.fleet_replacements,
        {"slot_replacements": slot, "members": working},
    )
    more = Call(
        "cumulative_bought_drives",
        cost.bought_drives,
        {"mean_replacements": fleet, "spare_drives": _SHELF},
    )
    yearly, bought = _by_year("yearly_replacements", fleet), _by_year("yearly_bought_drives", more)
    return {
        "afr_fraction": FAILURE_RATE,
        "yearly_lives": lives,
        "life_cv": spread,
        "horizon_replacements": _all_years("horizon_replacements", yearly),
        "bought_drives": _all_years("bought_drives", bought),
        "cumulative_replacements": fleet,
        "yearly_replacements": yearly,
        "yearly_bought_drives": bought,
    }


def _power(of: dict[str, Node], year_bytes: Node, length: Node) -> dict[str, Node]:
    """Return the energy of operations, and power and energy of the array by year."""
    reading = FirstKnown("read_power_w:any", (Leaf("read_power_w", overrides=True), _WRITING))
    read_iops, write_iops = of["rated_read_iops"], of["rated_write_iops"]
    each: dict[str, Node] = {
        key: Call(
            key, energy.operation_j, {"active_power_w": power, "idle_power_w": _IDLE, "iops": iops}
        )
        for key, power, iops in (("read_j", reading, read_iops), ("write_j", _WRITING, write_iops))
    }
    writes = Call(
        "yearly_write_iops",
        energy.mean_iops,
        {"written_bytes": year_bytes, "time_s": length, "transfer_bytes": HOST_SIZE},
    )
    reads = Call(
        "yearly_read_iops",
        energy.member_read_iops,
        {
            "write_iops": writes,
            "read_fraction": Leaf("read_fraction"),
            "reads_per_write": of["reads_per_write"],
            "writes_per_write": of["writes_per_write"],
        },
    )
    asked = Call(
        "asked_power_w",
        energy.power_w,
        {"idle_power_w": _IDLE, **each, "read_iops": reads, "write_iops": writes},
    )
    power = Call(
        "yearly_power_w",
        energy.limited_power_w,
        {"power_w": asked, "read_power_w": reading, "write_power_w": _WRITING},
    )
    together = Call(
        "array_power_w",
        energy.array_power_w,
        {
            "power_w": power,
            "working_members": of["working_members"],
            "idle_power_w": _IDLE,
            "hot_spares": Leaf("hot_spares"),
        },
    )
    written = Call(
        "drive_throughput_bytes_per_s:rated writes",
        queueing.throughput_bytes_per_s,
        {"iops": write_iops, "transfer_bytes": HOST_SIZE},
    )
    return {
        "idle_power_w": _IDLE,
        "read_power_w": reading,
        **each,
        "write_j_per_byte": Call(
            "write_j_per_byte",
            energy.transfer_j_per_byte,
            {"active_power_w": _WRITING, "idle_power_w": _IDLE, "throughput_bytes_per_s": written},
        ),
        "yearly_write_iops": writes,
        "asked_power_w": asked,
        "yearly_power_w": power,
        "array_power_w": together,
        "yearly_energy_j": Call(
            "yearly_energy_j",
            energy.energy_j,
            {"power_w": together, "time_s": length, "pue": Leaf("pue")},
        ),
    }


def _prices(of: dict[str, Node], npv: Node, annual: Node, structure: Structure) -> dict[str, Node]:
    """Return the cost per byte usable, per byte written and per IOPS."""
    written = Call(
        "horizon_written_bytes",
        growth.written_bytes,
        {
            "time_s": _HORIZON,
            "host_bytes_per_s": Leaf("host_bytes_per_s"),
            **growth_inputs(structure),
        },
    )
    prices: dict[str, Node] = {
        key: Call(key, cost.usd_per_byte, {"price_usd": price, "size_bytes": size})
        for key, price, size in (
            ("cost_per_usable_byte", npv, of["usable_bytes"]),
            ("cost_per_usable_byte_year", annual, of["usable_bytes"]),
            ("cost_per_written_byte", npv, written),
        )
    }
    iops = FirstKnown("qos_iops:any", (Leaf("qos_iops", overrides=True), of["budget_iops"]))
    return prices | {
        "cost_per_iops": Call("cost_per_iops", cost.usd_per_iops, {"price_usd": npv, "iops": iops})
    }


def _carbon(usable: Node, made: Node, yearly_j: Node) -> dict[str, Node]:
    """Return the carbon of making the drives and of the energy of the site."""
    drawn, nodes = _all_years("energy_j", yearly_j), dict[str, Node]()
    for level in LEVELS:
        embodied = Call(
            f"{level}_embodied_kg",
            carbon.embodied_kg,
            {
                "size_bytes": Leaf("user_bytes"),
                "drives": made,
                "embodied_kg_per_byte": Leaf(f"{level}_embodied_kg_per_byte"),
            },
        )
        run = FirstKnown(
            f"{level}_operational_kg:any",
            (
                Call(
                    f"{level}_operational_kg",
                    carbon.operational_kg,
                    {"energy_j": drawn, "grid_kg_per_j": Leaf(f"{level}_grid_kg_per_j")},
                ),
                Const(f"{level}_operational_kg:none", 0.0, "assumption", NO_ENERGY),
            ),
        )
        total = Call(
            f"{level}_carbon_kg", carbon.carbon_kg, {"embodied_kg": embodied, "operational_kg": run}
        )
        per = Call(
            f"{level}_carbon_kg_per_byte_year",
            carbon.carbon_kg_per_byte_year,
            {"carbon_kg": total, "usable_bytes": usable, "horizon_s": _HORIZON},
        )
        nodes |= {
            f"{level}_embodied_kg": embodied,
            f"{level}_operational_kg": run,
            f"{level}_carbon_kg": total,
            f"{level}_carbon_kg_per_byte_year": per,
        }
    return nodes
