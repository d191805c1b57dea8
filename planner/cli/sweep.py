"""`sweep`: a grid of plans, arrays, speeds or simulations as one table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from planner.cli.parameters import AS_JSON, examples
from planner.cli.printing import print_json, progress
from planner.cli.terminal import echo
from planner.export.sweep_table import Parts
from planner.quantity.parse import quoted
from planner.search.points import Executor, cores, in_processes, points_of, read_grid, shards

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(
    "sweep",
    epilog=examples(
        "ssd-planner sweep --grid grid.json --out table.parquet",
        "ssd-planner sweep --grid grid.json --out table.parquet --workers 8 --json",
        "ssd-planner sweep --grid grid.json --out table.parquet --scheduler tcp://host:8786",
    ),
)
@click.option("--grid", "grid_file", type=FILE, required=True,
              help="JSON file with a command (plan, array, speed, simulate) and its options, each "
                   "a text, a list or a range.")  # fmt: skip
@click.option("--out", "table", type=FILE, required=True, help="Parquet file to write.")
@click.option("--workers", type=click.IntRange(1, 1024), default=None,
              help="Processes; by default one for each core.")  # fmt: skip
@click.option(
    "--scheduler",
    metavar="tcp://HOST:PORT",
    help="A dask cluster to run on instead: tcp:// in a trusted network, else tls://.",
)
@AS_JSON
def command(
    grid_file: Path, table: Path, workers: int | None, scheduler: str | None, as_json: bool
) -> int:
    """Evaluate a grid of inputs in parallel into one Parquet table; resumable."""
    try:
        grid = read_grid(grid_file)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise click.UsageError(f"--grid {quoted(grid_file.name)} {reason}") from None
    parts = Parts(table, grid)
    try:
        rows, failed = _table(parts, scheduler, workers or cores())
    except KeyboardInterrupt:
        echo(f"Stopped. {_kept(parts)}", err=True)
        return 130
    except OSError as error:
        reason = f"{quoted(str(error.filename))} cannot be written: {error.strerror}"
        raise click.UsageError(f"--out {reason}") from None
    if as_json:
        print_json({"points": rows, "failed": failed, "out": str(table)})
    else:
        refused = f", {failed} of them refused (column error)" if failed else ""
        echo(f"{rows:,} points{refused}: {table}")
    return 0


def _table(parts: Parts, scheduler: str | None, workers: int) -> tuple[int, int]:
    """Work off what is not done, part by part, then write the table."""
    grid, done = parts.grid, parts.start()
    with (
        _executor(scheduler, workers) as (executor, at_once),
        progress(length=len(grid), label="Sweeping", show_pos=True) as bar,
    ):
        bar.update(sum(points_of(grid, shard) for shard in done))
        for shard, rows in shards(grid, done=done, executor=executor, workers=at_once):
            parts.add(shard, rows)
            bar.update(len(rows))
    return parts.finish()


def _kept(parts: Parts) -> str:
    """Describe the finished points, and the command that continues."""
    done = sum(points_of(parts.grid, shard) for shard in parts.done())
    return (
        f"{done:,} of {len(parts.grid):,} points are kept in '{parts.folder}'; the same command "
        "goes on from there."
    )


@contextmanager
def _executor(scheduler: str | None, workers: int) -> Iterator[tuple[Executor | None, int]]:
    """Return processes of this machine, or a cluster, and how many tasks it runs at once."""
    if scheduler is None:
        with in_processes(workers) as executor:
            yield executor, workers
    else:
        from planner.forecast.fleet.cluster import cluster  # noqa: PLC0415 - slow to import

        with cluster(scheduler) as found:
            yield found
