"""`fio-job`: the fio job that measures a plan."""

from pathlib import Path
from typing import Any

import click

from models.errors import DomainError
from planner.cli.options import one_drive, scenario
from planner.cli.parameters import ONE_DRIVE, examples
from planner.cli.saving import save
from planner.cli.terminal import echo
from planner.export.fio_job import DEVICE, job_of


@click.command(
    "fio-job",
    epilog=examples(
        'ssd-planner fio-job --drive "845DC PRO 400" --writes 50MB/s --reads 70%',
        'ssd-planner fio-job --drive "840 EVO 250" --spare 25% -o measure.fio',
    ),
)
@ONE_DRIVE
@scenario()
@click.option("--device", default=DEVICE, show_default=True,
              help="Device to test; ALL ITS DATA IS LOST. By default fio takes it "
              "from the environment.")  # fmt: skip
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path),
              help="File to write; by default the job is printed.")  # fmt: skip
def command(names: tuple[str, ...], device: str, output: Path | None, **texts: Any) -> None:
    """Print a fio job that measures the predicted speed of one drive."""
    plan = one_drive(names, texts)
    try:
        job = job_of(plan, device=device)
    except DomainError as error:
        raise click.UsageError(str(error).replace("device", "--device", 1)) from None
    if output is None:
        echo(job)
        return
    save({"--output": {output: f"{job}\n".encode()}})
    echo(f"{output}")
