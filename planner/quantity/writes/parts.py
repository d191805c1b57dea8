"""The parts of a sentence that states writes, and the words for them."""

from dataclasses import dataclass, field
from typing import NamedTuple

from models.units import DAY_S, WEEK_S
from planner.quantity.writes.words import SizeUnit, period_of


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


STREAMS = _words(
    "cam camera cameras cams channel channels checkpoint checkpoints backup backups dump dumps "
    "recorder recorders snapshot snapshots stream streams video videos"
)
NODES = _words("host hosts node nodes server servers")
DRIVES = _words("disk drive ssd")
_OTHERS = _words(
    "client clients container containers database databases gateway gateways job jobs jvm jvms log "
    "logs pod pods sensor sensors user users vm vms"
)
THINGS = STREAMS | NODES | _OTHERS
PAYLOADS = _words(
    "commit commits event events insert inserts message messages put puts row rows tps transaction "
    "transactions update updates"
)
EVENTS = PAYLOADS | {"iops", "write", "writes"}
PER_SECOND = _words("iops tps")
FILLS = _words("fill fills write writes")
PLUS = _words("+ plus and &")
COPIES = _words("copies copy replica replicas replicated replication mirrored")
LEADS = _words("of in with x at for")
TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
RANGE_SIGNS = _words("to - .. and")
UPPER = ("up to", "at most", "not more than", "no more than", "less than", "max", "maximum",
         "peak", "under", "below", "or less")  # fmt: skip
LOWER = ("at least", "not less than", "no less than", "more than", "min", "minimum", "over",
         "above", "or more")  # fmt: skip
EACH = ("to each", "on each", "for each", "per", "each", "a", "an", "/", "every")
ALWAYS = ("round the clock", "around the clock", "all the time", "all day", "so far", "between",
          "of use", "in use", "or so")  # fmt: skip
BUSY = ("of the time", "of time", "duty cycle", "duty", "busy", "active")
SKIPPED = _words(
    ", about around approx approximately at average averaged "  # voice: long (a list of words)
    "avg block blocks ca circa continuous "
    "continuously data differential downloads footage for from full host i in incremental is it "
    "maybe mean my nas of on or our perhaps photos probably record recording roughly so some "
    "sustained the to traffic we with write writes writing written wrote x ~"
)
TOGETHER = ("total", "altogether", "combined", "together", "overall")
WEEKLY = _words("weekend monday tuesday wednesday thursday friday saturday sunday")
DAYS_OF = {"weekday": 5.0, "workday": 5.0, "weekend": 2.0}  # days of a week
ALL_DAYS = 7.0


@dataclass
class Amount:
    """A size, or fills of the drive, between two ends."""

    low: float
    high: float
    is_fills: bool = False
    lead: str = ""
    unit: SizeUnit | None = None

    @property
    def is_range(self) -> bool:
        """Whether its ends differ."""
        return self.low != self.high


class Period(NamedTuple):
    """A period of writes, and the days of a week on which they are."""

    seconds: float
    days: float = ALL_DAYS


@dataclass
class Duty:
    """A part of the time with writes: its length in seconds, if it has one, and its share."""

    part_s: float
    share: float
    is_days: bool = False


@dataclass
class WritesTerm:
    """The parts of a term as they are read."""

    amounts: list[Amount] = field(default_factory=list)
    events: float | None = None  # a period
    is_payload: bool = False  # of events that make a database write more
    noun: str = ""
    count: float | None = None
    of_each: str = ""
    is_of_each: bool = False
    is_of_all: bool = False
    is_counted_after: bool = False  # the count follows the amount, without "x"
    times: float | None = None
    period_s: float | None = None
    total_s: float | None = None
    duties: list[Duty] = field(default_factory=list)
    kept_s: float | None = None
    scope: str = "all drives"
    sequential: bool | None = None
    warnings: list[str] = field(default_factory=list)


def one_period(name: str) -> Period | None:
    """Return the period of a name: day, weekday, weekend.

    >>> one_period("weekday"), one_period("parsec")
    (Period(seconds=86400.0, days=5.0), None)
    """
    if name in WEEKLY:
        return Period(WEEK_S)
    if name in DAYS_OF:
        return Period(DAY_S, DAYS_OF[name])
    seconds = period_of(name)
    return None if seconds is None else Period(seconds)
