"""The parts of a sentence that states writes, and the words for them."""

from dataclasses import dataclass, field
from typing import NamedTuple

from models.units import DAY_S, WEEK_S
from planner.quantity.writes.words import (
    ADVERBS,
    CARDINALS,
    FRACTIONS,
    MULTIPLES,
    SizeUnit,
    UnreadError,
    period_of,
    unit_of,
)


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _named(names: str) -> frozenset[str]:
    """Return names and their plurals."""
    return frozenset(f"{name}{end}" for name in names.split() for end in ("", "s"))


STREAMS = {"incrementals"} | _named(
    "backup cam camera channel checkpoint dashcam doorbell dump nvr recorder snapshot stream video"
)
NODES = _words("host hosts node nodes server servers")
DRIVES = _words("disk drive ssd osd")
_OTHERS = _named(
    "app application client computer container customer database desktop device employee "
    "gateway instance job jvm laptop log machine pc person phone pod sensor service site tenant "
    "thread user vm workstation"
) | {"people"}
RUNS = _named(  # what is written at once, and again
    "build clip dataset document download epoch experiment export file film image import movie "
    "photo picture recording run scan session simulation song upload"
)
ADJECTIVES = _words(
    "active analog analogue big concurrent different full hd home indoor ip large "
    "office other outdoor raw remote single small such surveillance test training virtual"
)
SOURCES = NODES | _OTHERS | _named("cam camera channel dashcam doorbell nvr recorder stream")
SOURCES -= {"logs", "databases"}
THINGS = STREAMS | NODES | _OTHERS | RUNS
PAYLOADS = _words(
    "commit commits event events insert inserts message messages put puts row rows tps transaction "
    "transactions update updates"
)
EVENTS = PAYLOADS | _words("io iops ios op operation operations ops request requests write writes")
PER_SECOND = _words("iops tps")
WRITE = _words("write writes writing written wrote")
PRODUCE = WRITE | _words(
    "create creates creating generate generates generating produce produces producing save saves "
    "saving store stores storing"
)
SUBJECTS_DO = WRITE | _words("generate generates ingest ingests produce produces")
FILLED = ("fill", "fills", "filled", "filling", "full", "overwrite", "overwrites", "overwriting",
          "overwritten", "rewrite", "rewrites", "rewriting", "rewritten")  # fmt: skip
FILLS = _words("fill fills write writes")
PLUS = _words("+ plus and &")
COPIES = _words("copies copy replica replicas replicated replication mirrored")
LEADS = _words("of in with x at for")
TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
RANGE_SIGNS = _words("to - .. and")
UPPER = ("up to", "at most", "not more than", "no more than", "less than", "max", "maximum",
         "peak", "under", "below", "or less", "just under", "slightly less than",
         "a bit less than", "a little less than")  # fmt: skip
LOWER = ("at least", "not less than", "no less than", "more than", "min", "minimum", "over",
         "above", "or more", "just over", "well over", "slightly more than", "bit more than",
         "a bit more than", "a little more than", "a bit over", "a little over")  # fmt: skip
EACH_OF = ("each one of them", "each of them", "each one", "each of")  # voice: it-tail (words)
EACH = ("to each", "on each", "for each", "per", "each", "a", "an", "/", "every")
ALWAYS = ("round the clock", "around the clock", "all the time", "all day long", "all day",
          "so far", "between", "of use", "in use", "or so", "day and night", "not much",
          "not a lot", "not very much", "nothing else", "nothing more", "give or take",
          "more or less", "time machine", "all drives", "all disks", "mixed use",
          "general purpose", "use up", "used up")  # fmt: skip
OVER_TIME = ("averaged over", "average over", "avg over", "mean over")
BUSY = ("of the time", "of time", "duty cycle", "duty", "busy", "active", "of the day")
NO_MORE = ("and nothing else", "and nothing more", "and that is all", "and so on")
SKIPPED = _words(
    ", about actually almost another anything anywhere approx "  # voice: long (a list of words)
    "approximately are around at average averaged averages avg bandwidth basically be been "
    "being big bitrate block blocks but ca cache circa continuous continuously copied creates "
    "data db differential do does doing download dvr email emails environ estimate estimated "
    "etl etwa exactly expect expected footage for from full games generate generates "
    "generating get gets getting go goes going guess has have having heavy home host i in "
    "incremental incrementals ingest ingested ingests is it its just large life lifetime load "
    "mail mails maybe mean music my nas nearly new normal normally of on only onto or our "
    "overwrite overwrites overwritten perhaps period plan planned precisely probably produce "
    "produced produces producing rate really record recorded recording records redo rewrite "
    "rewrites rewritten roughly save saved saves saving segment segments service small so "
    "some somewhere sql store stored stores sustained tempdb that the there these they think "
    "this those throughput to traffic typical typically ungef\u00e4hr upload usage use usual "
    "usually volume wal want warranty we which will with work workload write writes writing "
    "written wrote x you ~"
)
IO = _words("io ios")  # reads and writes
PARTLY = _words("burst bursts motion")  # whose share of the time must be stated
TOGETHER = ("total", "altogether", "combined", "together", "overall")
WEEKLY = _words("weekend monday tuesday wednesday thursday friday saturday sunday")
DAYS_OF = {"weekday": 5.0, "workday": 5.0, "weekend": 2.0}  # days of a week
ALL_DAYS = 7.0
NOT_NAMES = _words(
    "all amplification and any anybody before below both "  # voice: long (a list of words)
    "capacity compression copy cost couple decrease dedup deduplication dozens except excluding "
    "fewer flash free from growth hardly how hundreds if increase instead less limit loss lots "
    "many minus more most multiple nand never no nobody none not nothing off old or otherwise "
    "parity per price quota raid ram read reads reduction reserve reserved several size space "
    "spare storage than then thousands unless until various wear what when while who why "
    "without yet"
)
_PHRASES = (*UPPER, *LOWER, *EACH, *ALWAYS)
_KNOWN = (
    NOT_NAMES | THINGS | EVENTS | DRIVES | COPIES | PLUS | SKIPPED | PARTLY | RANGE_SIGNS | WEEKLY
    | {*FILLED, *TIMES, *DAYS_OF, *TOGETHER, *ADVERBS, *CARDINALS, *FRACTIONS, *MULTIPLES}
    | {word for phrase in _PHRASES for word in phrase.split()}
)  # fmt: skip


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
    is_all_or_each: bool = False  # "30 users write"
    is_partly: bool = False  # "motion only", a part of the time
    is_io: bool = False  # reads and writes, of which no share is stated
    count: float | None = None
    of_each: str = ""
    is_of_each: bool = False
    is_of_all: bool = False
    is_sum: bool = False  # "total 128 Mbit/s", of the counted ones together
    is_counted_after: bool = False  # the count follows the amount, without "x"
    times: float | None = None
    period_s: float | None = None
    total_s: float | None = None
    duties: list[Duty] = field(default_factory=list)
    kept_s: float | None = None
    scope: str = "all drives"
    sequential: bool | None = None
    warnings: list[str] = field(default_factory=list)


def is_name(word: str) -> bool:
    """Check that a word may name a source of writes or their data.

    >>> is_name("postgres"), is_name("without"), is_name("growing"), is_name("tb")
    (True, False, False, False)
    """
    if word in _KNOWN or len(word) < 2 or word.endswith(("ed", "ing", "ly")) or period_of(word):
        return False
    try:
        return word.isalpha() and unit_of(word) is None
    except UnreadError:
        return False


def one_period(name: str, after: str = "") -> Period | None:
    """Return the period of a name and the word after it: day, weekday, weekend, weekend day.

    >>> one_period("weekday"), one_period("weekend", "day"), one_period("parsec")
    (Period(seconds=86400.0, days=5.0), Period(seconds=86400.0, days=2.0), None)
    """
    if name == "weekend" and after == "day":
        return Period(DAY_S, DAYS_OF[name])
    if name == "quarter" and after == "of":  # "a quarter of a TB"
        return None
    if name in WEEKLY:
        return Period(WEEK_S)
    if name in DAYS_OF:
        return Period(DAY_S, DAYS_OF[name])
    seconds = period_of(name)
    return None if seconds is None else Period(seconds)
