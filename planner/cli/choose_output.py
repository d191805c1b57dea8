"""A choice on a terminal: ranked plans, rejected ones, and mixes."""

from collections.abc import Mapping

from planner.cli.printing import print_list, print_table, print_wrapped
from planner.cli.terminal import echo
from planner.export.choice_tables import (
    OBJECTIVE_KEYS,
    excluded_lines,
    fleet_rows,
    front_rows,
    needs_line,
    nodes_lines,
    ranked_rows,
    reach_rows,
    rejected_rows,
    rules_line,
    saving_rows,
    undecided_line,
    unknown_lines,
)
from planner.export.owning_text import parts_text
from planner.export.quote_text import quote_lines, quotes_line
from planner.quantity.show import text
from planner.search.choose import Candidate, Choice, MixedFleet

MOST_REJECTED = 12
CLIENT = (
    "Plan 1 uses client drives, made and warranted for desktops, usually without power-loss "
    "protection: --plp or --segment enterprise leaves them out."
)
OTHER = "Prices are in {} where USD is printed."
PRICES = "--price NAME=AMOUNT states the price of today, --price-age how old others may be."


def print_choice(found: Choice, fleet: MixedFleet | None) -> None:
    """Print the plans, the shortfalls of cheaper ones, and the savings of relaxed requirements."""
    echo(needs_line(found))
    echo(rules_line(found))
    if not found.requirements.needs:
        echo("Nothing is required: say what must hold, such as --usable 20TB (--help lists it).")
    title = f"Lowest {found.objective}" if found.candidates else "No plan meets every requirement"
    echo(f"\n{title}", bold=True)
    print_table(ranked_rows(found))
    if found.best is not None:
        _print_best(found, found.best)
    rejected = rejected_rows(found, most=MOST_REJECTED)
    if rejected:
        title = (
            "Cheaper, but short of a requirement" if found.candidates else "Nearest of each drive"
        )
        echo(f"\n{title}, the {len(rejected)} closest")
        print_table(rejected)
    if found.reach:
        echo("\nThe best of each need that any plan reaches")
        print_table(reach_rows(found))
    if counted := quotes_line(found):
        echo(f"\n{counted}", bold=True)
        for line in quote_lines(found):
            print_wrapped(f"  - {line}", indent=4)
    print_list("Not to be chosen", [*unknown_lines(found), *excluded_lines(found)])
    if found.savings:
        echo("\nSavings if one requirement is relaxed by 10 %")
        print_table(saving_rows(found))
    print_asked(found, fleet)
    currency = found.candidates[0].ownership.terms.currency if found.candidates else "USD"
    other = (OTHER.format(currency),) if currency != "USD" else ()
    print_list("Notes", (PRICES, *other, *found.notes))


def _print_best(found: Choice, best: Candidate) -> None:
    """Print the certainty of the first place, and the assumptions behind it."""
    if undecided := undecided_line(found):
        echo(undecided)
    if best.plan.drive.segment.startswith("client"):
        echo(CLIENT)
    if parts := parts_text(best.ownership):
        currency = best.ownership.terms.currency
        print_list(f"Cost of owning plan 1, present value in {currency}", [parts])
    print_list("Nodes of plan 1", nodes_lines(best))
    print_list("Assumed of plan 1", [item.reason for item in best.assumed if item.is_range])


def print_asked(found: Choice, fleet: MixedFleet | None) -> None:
    """Print the front and the best mix, where they were asked for."""
    if found.front:
        echo("\nBest in something")
        print_table([{k: _cell(v) for k, v in row.items()} for row in front_rows(found)])
    _print_mix(found, fleet)


def _print_mix(found: Choice, fleet: MixedFleet | None) -> None:
    """Print the best mix of several kinds of arrays, if it was asked for."""
    if fleet is None:
        return
    if fleet.gap is None and fleet.objective is not None:
        echo(f"\nNo mix of {fleet.kinds:,} kinds of arrays in time; the best fleet of one kind")
    else:
        echo(f"\nThe best mix of {fleet.kinds:,} kinds of arrays")
    if fleet.objective is None:
        echo("  none meets every requirement")
        return
    print_table(fleet_rows(fleet, found.objective))
    key = OBJECTIVE_KEYS[found.objective]
    alone = f", {text(key, found.best.objective)} of one kind" if found.best else ""
    echo(f"  {text(key, fleet.objective)} together{alone}")
    print_list("Notes on the mix", fleet.notes)


def replayed(found: Choice) -> dict[str, object]:
    """Run the reference simulator on the best plan's drive; nothing where it cannot be run.

    Single writes of typical hosts are unknown: the stated pattern, else uniform writes, are
    simulated instead, with a single write frontier where placement is not stated.
    """
    from planner.simulation.plan import replay, simulated  # noqa: PLC0415 - numba

    best = found.best.plan if found.best else None
    config = replay(best) if best else None
    if best is None or config is None or not best["workload_wa"].is_known:
        return {"simulated": None}
    result = simulated(best, config)
    return {
        "simulated": {
            "wa": result.wa,
            "wa_low": result.wa_low,
            "wa_high": result.wa_high,
            "model_wa": best.run_wa.value,
        }
    }


def print_replay(simulated: Mapping[str, object]) -> None:
    """Print the simulated write amplification next to the planned one."""
    if "simulated" not in simulated:
        return
    result = simulated["simulated"]
    if not isinstance(result, Mapping):
        echo("\nNothing to simulate: the spare area is unknown, or there is no plan.")
        return
    echo(
        f"\nWrite amplification of the best plan: {result['model_wa']:.4f} by model, "
        f"{result['wa']:.4f} simulated ({result['wa_low']:.4f} to {result['wa_high']:.4f}), model "
        f"{100 * (result['model_wa'] / result['wa'] - 1):+.2f} %"
    )


def fleet_record(fleet: MixedFleet | None) -> dict[str, object]:
    """Return a mixed fleet as a nested record of base units, for JSON."""
    if fleet is None:
        return {}
    return {
        "mixed": {
            "objective": fleet.objective,
            "gap": fleet.gap,
            "pools": [
                {
                    "drive": pool.drive.name, "arrays": pool.arrays, "level": pool.array.name,
                    "members": pool.array.members, "partition_fraction": pool.partition_fraction,
                    "objective": pool.objective, "write_share": pool.write_share,
                }
                for pool in fleet.pools
            ],
            "available": {str(need): value for need, value in fleet.available.items()},
            "notes": list(fleet.notes),
        }
    }  # fmt: skip


def _cell(value: object) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else str(value)
