"""`workloads`: the published client workloads."""

from dataclasses import asdict

import click

from planner.cli.parameters import AS_JSON, examples
from planner.cli.printing import print_json, print_table
from planner.scenario import client_workloads

IDENTITY = ("workload_id", "name", "kind", "description")


@click.command("workloads", epilog=examples("ssd-planner workloads --json"))
@AS_JSON
def command(as_json: bool) -> None:
    """List the published client workloads that --client accepts."""
    workloads = client_workloads.load().workloads.values()
    if as_json:
        print_json([_record(item) for item in workloads])
        return
    print_table(
        [
            {"Name": item.workload_id, "Kind": item.kind, "What": item.description}
            for item in workloads
        ]
    )


def _record(item: client_workloads.ClientWorkload) -> dict[str, object]:
    facts = [asdict(fact) for fact in item.facts.values()]
    return {name: getattr(item, name) for name in IDENTITY} | {"facts": facts}
