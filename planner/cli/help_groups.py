"""Help of commands with many options: the usual ones, and the others by group."""

from collections.abc import Mapping
from typing import Any

import click

from planner.cli.printing import COLUMNS, first_sentence
from planner.cli.terminal import echo

# Every option by its name without dashes, in the order in which people look for it.
GROUPS: Mapping[str, tuple[str, str]] = {
    "need": ("What you need", """
        usable iops floor-iops array-depth read-p999 life sure life-log-sd max-loss max-power slots
        budget least-warranty credit-spare-area allow-unrated beyond-warranty no-redundancy
        parity-group years"""),
    "workload": ("Workload", """
        app in on writes writes-between growth step phase-in reads size sequential client
        skew working-set trim depth fill collection placement accuracy"""),
    "situation": ("Where the data lives, and power", "keep power sync commit-p99"),
    "layout": ("Layouts", "drives raid spare sets hot-spares record"),
    "cluster": ("Clusters", "nodes bays watts replicas ec survive fill-limit network"),
    "drives": ("Drives to consider", """
        drive like catalogue classes only-own segment interface form-factor plp encrypted launched
        lanes rules"""),
    "drive": ("Facts of one drive", """
        capacity kind raw pe-cycles tbw warranty stalled wa measured-wa measured-iops rating-wa
        worst-iops member-iops pages blocks reserve fact used written age as-of"""),
    "prices": ("Prices", "price today price-age price-kinds rate currency"),
    "owning": ("Owning and failures", """
        discount-rate electricity pue slot node-cost labour shelf residual qos-iops embodied grid
        afr uber rebuild life-spread replace-at bought-apart storage-temperature"""),
    "test": ("A test", """
        phase test-size fio trimmed host-cache flush crash-interval measured over device throughput
        latency"""),
    "heat": ("Energy and heat", "room cooling idle-gap battery"),
    "assumptions": ("Assumptions", "assumed known-only"),
    "output": ("Output", """
        all why section json maths csv xlsx tables rfq save scenario title buyer prepared-by notes
        exported top minimise front mixed time simulate list layers inputs help"""),
}  # fmt: skip
# The dozen that most questions need, by command.
USUAL: Mapping[str, str] = {
    "plan": "drive writes app years drives raid keep power written age why",
    "array": "drive writes app drives raid hot-spares years keep power afr rebuild all",
    "speed": "drive writes app reads size depth spare trimmed host-cache measured why all",
    "cost": "drive writes app drives raid years price currency electricity discount-rate json all",
    "compare": "drive writes app drives raid years reads skew spare price json all",
    "protocol": "drive phase spare test-size fio measured known-only list all json",
    "app": "app in on drive list layers inputs measured save drives json all",
    "choose": "usable writes app years iops max-loss budget raid drive plp segment xlsx",
}  # fmt: skip
EVERYTHING, SOME = "all", ""


class GroupedCommand(click.Command):
    """A command whose help shows the usual options, one group of options, or all of them."""

    def __init__(self, name: str | None, **options: Any) -> None:
        settings = {"terminal_width": COLUMNS, "max_content_width": COLUMNS}
        super().__init__(name, **{**options, "context_settings": settings})

    def get_help_option(self, ctx: click.Context) -> click.Option:
        """Return `--help`, which takes the name of a group."""
        del ctx
        return click.Option(
            ["-h", "--help"], is_flag=False, flag_value=SOME, default=None, is_eager=True,
            expose_value=False, metavar="[GROUP]", callback=_show,
            help=f"Usual options, those of a group, or --help {EVERYTHING}.",
        )  # fmt: skip

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usual options and the names of the groups, or those of one group."""
        asked = ctx.meta.get(_ASKED, SOME)
        rows = {_long(option): option.get_help_record(ctx) for option in self.get_params(ctx)}
        known = {name: row for name, row in rows.items() if row is not None}
        if asked == SOME:
            usual = {name: (row[0], first_sentence(row[1])) for name, row in known.items()}
            _write(formatter, "Usual options", USUAL[str(self.name)].split(), usual)
            listed = [(key, f"{title} ({_count(key, known)})")
                      for key, (title, _) in GROUPS.items() if _count(key, known)]  # fmt: skip
            with formatter.section("Groups of options, --help GROUP or --help all"):
                formatter.write_dl(listed)
            return
        for key, (title, _) in GROUPS.items():
            if asked in (key, EVERYTHING):
                _write(formatter, title, members(key), known)


_ASKED = "planner.cli.help_groups"


def members(group: str) -> list[str]:
    """List the options of a group.

    >>> members("cluster")[:3]
    ['nodes', 'bays', 'watts']
    """
    return GROUPS[group][1].split()


def group_of(option: str) -> str:
    """Return the group of an option; empty where it has none.

    >>> group_of("keep"), group_of("nothing")
    ('situation', '')
    """
    return next((group for group in GROUPS if option in members(group)), "")


def _show(ctx: click.Context, _: click.Parameter, asked: Any) -> None:
    if asked is None or ctx.resilient_parsing:
        return
    if asked not in (SOME, EVERYTHING, *GROUPS):
        names = ", ".join((*GROUPS, EVERYTHING))
        raise click.UsageError(f"--help must be alone, or one of {names}, got '{asked}'")
    ctx.meta[_ASKED] = asked
    echo(ctx.get_help())
    ctx.exit()


def _long(option: click.Parameter) -> str:
    """Return the longest name of an option, without dashes."""
    return max(option.opts, key=len).lstrip("-")


def _count(group: str, known: Mapping[str, object]) -> int:
    return len(known.keys() & {*members(group)})


def _write(
    formatter: click.HelpFormatter,
    title: str,
    names: list[str],
    known: Mapping[str, tuple[str, str]],
) -> None:
    rows = [known[name] for name in names if name in known]
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)
