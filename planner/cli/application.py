"""`--app` and `--in`: an application whose writes are those of a plan."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from models.errors import DomainError
from planner.cli.terminal import echo
from planner.quantity.inputs import DRIVE

if TYPE_CHECKING:
    from planner.application import Application
    from planner.catalogue.drive import Drive

FROM_THE_LOAD = ("writes", "writes_between", "client")
BESIDE = ("size", "sequential", "working_set")  # of the load, unless stated
OF_CLUSTER = ("keep", "drives", "raid")
CLUSTERED = ("app", "array", "compare", "cost", "plan", "speed")  # of all drives of a cluster
AMONG_DRIVES = ("choose",)  # commands whose drives have no one flush time
FILES = ("fio-job", "export")  # commands that print a file, or where one is
IN = click.option("--in", "in", multiple=True, metavar="NAME=VALUE",
                  help="An input of the application, unit or not; again for each.")  # fmt: skip
_KEY = "planner.cli.application"  # of the answer, in the context of a command


def APPLICATION(command: Callable[..., Any]) -> Callable[..., Any]:  # noqa: N802 - a decorator as its neighbours are
    """Add `--app` and `--in`: the writes of an application take the place of `--writes`."""

    @wraps(command)
    def run(*arguments: Any, **texts: Any) -> Any:
        preset, inputs = texts.pop("app"), texts.pop("in")
        if preset is None and inputs:
            raise click.UsageError("--in applies to an application: --app names it")
        if preset is not None:
            context = click.get_current_context()
            answer, load = workload(context, preset, inputs)
            context.meta[_KEY] = answer
            texts |= load
            if not texts.get("as_json"):
                echo(answer.sentence, err=context.command.name in FILES)
        return command(*arguments, **texts)

    option = click.option("--app", metavar="PRESET",
                          help="An application that writes, instead of --writes; `app --list` "
                          "lists them.")  # fmt: skip
    return option(IN(run))


def workload(
    context: click.Context, preset: str | None, inputs: Sequence[str]
) -> tuple["Application", dict[str, str]]:
    """Return the load of an application, and its texts of a plan for the options not given."""
    given = {name for name in (*FROM_THE_LOAD, *BESIDE) if _is_given(context, name)}
    answer = answer_to(preset, inputs, given)
    try:
        answer.refuse_copies(context.params, "--{}")
    except DomainError as error:
        raise click.UsageError(str(error)) from None
    answer = _on_drive(context, answer)
    own = _cluster(context, answer)
    if own:
        answer = answer.over_hosts()
        own = answer.cluster_inputs
    texts = {**answer.plan_inputs, **own}
    return answer, {name: text for name, text in texts.items() if name not in given}


def _on_drive(context: click.Context, answer: "Application") -> "Application":
    """Return the load with the flush time of the drive, if the command has exactly one."""
    from planner.search.commits import on_drive  # noqa: PLC0415 - few commands need it

    names, capacity = context.params.get("names") or (), context.params.get("capacity")
    is_one = len(names) + bool(capacity) == 1 and context.command.name not in AMONG_DRIVES
    if not (is_one and answer.asks_flush_s):
        return answer
    facts = {name: context.params.get(name) for name in (*DRIVE, "capacity")}
    stated = {name: value for name, value in facts.items() if value not in (None, ())}
    return on_drive(answer, names[0] if names else None, **stated)


def texts_on(drive: "Drive", texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts of a plan of one drive of several: its load by its own flush time."""
    context = click.get_current_context(silent=True)
    common = None if context is None else application_in(context)
    if context is None or common is None or not common.asks_flush_s:
        return dict(texts)
    from planner.search.commits import on_drive  # noqa: PLC0415 - few commands need it

    own = on_drive(common, drive)
    is_cluster = texts.get("keep") == common.cluster_inputs.get("keep", "")
    before, after = (
        {**each.plan_inputs, **(each.cluster_inputs if is_cluster else {})}
        for each in (common, own)
    )
    changed = {name: after[name] for name in after if texts.get(name) == before.get(name)}
    return {**texts, **changed}


def _cluster(context: click.Context, answer: "Application") -> dict[str, str]:
    """Return the hosts and drives of a cluster for a plan of all of it, unless they are stated."""
    own = answer.cluster
    stated = [name for name in OF_CLUSTER if _is_given(context, name)]
    if own is None or context.command.name not in CLUSTERED or "keep" in stated:
        return {}
    if stated and not answer.is_of_pool:
        return {}  # the drives of one machine, each of which holds all data
    if "raid" in stated or ("drives" in stated and context.params["drives"] != f"{own.drives}"):
        option = "--raid" if "raid" in stated else f"--drives {context.params['drives']}"
        why = f"contradicts {answer.preset.name}, {own.keep} with {own.drives} drives"
        such = f"--keep '{own.keep}' --drives {own.drives}, or --keep single"
        raise click.UsageError(f"{option} {why}: state {such}")
    return answer.cluster_inputs


def answer_to(
    preset: str | None, inputs: Sequence[str], given: Collection[str] = ()
) -> "Application":
    """Return the load of an application; refuse options that contradict it."""
    from planner.application import answer_of  # noqa: PLC0415 - few commands need it
    from planner.application.presets import load  # noqa: PLC0415 - likewise

    if preset is None:
        raise click.UsageError(f"PRESET must be one of {', '.join(load())}")
    for name in FROM_THE_LOAD:
        if name in given:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} follows from the application here: leave it out")
    try:
        return answer_of(preset, _stated(inputs))
    except DomainError as error:
        raise click.UsageError(str(error).replace("app must", "PRESET must", 1)) from None


def application_in(context: click.Context) -> "Application | None":
    """Return the load of a command's application, where one is named."""
    answer: Application | None = context.meta.get(_KEY)
    return answer


def application_record(context: click.Context) -> dict[str, Any]:
    """Return the load of a command's application as a record."""
    answer = application_in(context)
    return {} if answer is None else {"application": answer.record}


def _is_given(context: click.Context, name: str) -> bool:
    """Whether an option is on the command line, or one beside the writes in a scenario file."""
    source = context.get_parameter_source(name)
    if name in BESIDE:
        return source in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
    return source is ParameterSource.COMMANDLINE


def _stated(inputs: Sequence[str]) -> dict[str, str]:
    """Return the texts of inputs by name; the last of a name holds."""
    texts = {}
    for written in inputs:
        name, equals, value = written.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"--in must be NAME=VALUE, got {written[:60]!r}")
        texts[name.strip()] = value.strip()
    return texts
