"""`--app`, `--in` and `--on`: applications whose writes are those of a plan."""

import re
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
STATED = ("app", "in", "on")  # options of applications, each of which belongs to the last --app
_KEY = "planner.cli.application"  # of the answer, in the context of a command
_ORDER = "planner.cli.application order"  # of these options on the command line


class _OrderedOption(click.Option):
    """An option beside others whose order on the command line is kept."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Keep the order in which the parser meets the options."""
        super().add_to_parser(parser, ctx)
        parse = parser.parse_args

        def parsed(args: list[str]) -> Any:
            values, left, order = parse(args)
            ctx.meta[_ORDER] = [each.name for each in order if each.name in STATED]
            return values, left, order

        parser.parse_args = parsed


def stated_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--app`, `--in` and `--on`, which state applications."""
    options = (
        click.option("--app", multiple=True, cls=_OrderedOption, metavar="[NAME=]PRESET",
                     help="An application that writes, instead of --writes (`app --list`). "
                     "Again for others on the drive."),
        click.option("--in", "in", multiple=True, metavar="NAME=VALUE",
                     help="An input of the last --app, unit or not; again for each."),
        click.option("--on", multiple=True, metavar="LAYER",
                     help="A layer below the last --app, or below all if before them "
                     "(`app --layers`). Again for each, from above."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def APPLICATION(command: Callable[..., Any]) -> Callable[..., Any]:  # noqa: N802 - a decorator as its neighbours are
    """Add options of applications: their writes take the place of `--writes`."""

    @wraps(command)
    def run(*arguments: Any, **texts: Any) -> Any:
        for name in STATED:
            del texts[name]
        context = click.get_current_context()
        for name in ("in", "on"):
            if context.params[name] and not context.params["app"]:
                raise click.UsageError(f"--{name} applies to an application: --app names it")
        if context.params["app"]:
            answer, load = workload(context)
            context.meta[_KEY] = answer
            texts |= load
            if not texts.get("as_json"):
                echo(answer.sentence, err=context.command.name in FILES)
        return command(*arguments, **texts)

    return stated_options(run)


def workload(
    context: click.Context, first: str | None = None, fitted: "Application | None" = None
) -> tuple["Application", dict[str, str]]:
    """Return the load of applications, and its texts of a plan for the options not given.

    `first` is the preset that an argument names, before those of options; `fitted` is the
    application where its counters were read.
    """
    given = {name for name in (*FROM_THE_LOAD, *BESIDE) if _is_given(context, name)}
    answer = fitted or _stated_answer(context, first, given)
    own = [f"{name}={text}" for name, text in answer.texts.items()]
    one = answer.apps[0] if len(answer.apps) == 1 else tuple(answer.apps)
    context.params |= {"app": one, "in": tuple(own), "on": tuple(answer.on)}  # as they are saved
    try:
        answer.refuse_copies(context.params, "--{}")
    except DomainError as error:
        raise click.UsageError(str(error)) from None
    answer = _on_drive(context, answer)
    cluster = _cluster(context, answer)
    if cluster:
        answer = answer.over_hosts()
        cluster = answer.cluster_inputs
    texts = {**answer.plan_inputs, **cluster}
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


def _stated_answer(
    context: click.Context, first: str | None, given: Collection[str]
) -> "Application":
    """Return the load of the applications that are stated; refuse options that contradict it."""
    from planner.application import answer_of  # noqa: PLC0415 - few commands need it
    from planner.application.presets import load  # noqa: PLC0415 - likewise

    apps = [*([] if first is None else [first])]
    if first is None or _is_given(context, "app"):
        apps += context.params["app"]
    if not apps:
        raise click.UsageError(f"PRESET must be one of {', '.join(load())}")
    for name in FROM_THE_LOAD:
        if name in given:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} follows from the application here: leave it out")
    try:
        texts, on = _of_names(context, apps, is_first=first is not None)
        return answer_of(apps, {**_of_scenario(context, apps), **texts}, on=on)
    except DomainError as error:
        told = str(error).replace("app must be one", "PRESET must be one", 1)
        raise click.UsageError(re.sub("^(app|on) must", r"--\1 must", told)) from None


def _of_scenario(context: click.Context, apps: Sequence[str]) -> dict[str, str]:
    """Return the inputs of a scenario file of these applications; options override them."""
    file = context.default_map or {}
    return _stated(file.get("in", ())) if list(file.get("app", ())) == list(apps) else {}


def _of_names(
    context: click.Context, apps: Sequence[str], *, is_first: bool
) -> tuple[dict[str, str], list[str]]:
    """Return inputs and layers by the names of the applications, each of the last one before it.

    Those before all applications, or of a scenario file, are left as they are written.
    """
    from planner.application import names_of  # noqa: PLC0415 - few commands need it

    names, place = names_of(apps), 0 if is_first else -1
    values = {key: iter(context.params[key]) for key in ("in", "on")}
    found: dict[str, list[str]] = {"in": [], "on": []}
    for key in context.meta.get(_ORDER, ()):
        if key == "app":
            place += 1
            continue
        text = next(values[key])
        is_named = len(names) == 1 or place < 0 or text.partition(".")[0] in names
        found[key].append(text if is_named else f"{names[place]}.{text}")
    for key, left in values.items():
        found[key] += left
    return _stated(found["in"]), found["on"]


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
