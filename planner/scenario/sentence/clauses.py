"""Clauses of a sentence beside its drive and its writes: layout, times, wear, shares, power."""

import re
from collections.abc import Callable
from typing import NamedTuple

from models.errors import DomainError
from planner.quantity.keep import parse_keep
from planner.quantity.parse import parse_level_name
from planner.scenario.sentence.marks import COUNT, IGNORED, TIME, WORDS, count_of, time_text

_HOSTS = r"(?:hosts?|nodes?|servers?|machines?)"
_OVER = rf"(?: (?:on|over|across|in) (?P<hosts>{COUNT}) {_HOSTS})"
_PERCENT = r"(?P<v>[0-9]+(?:[.,][0-9]+)?) ?(?:%|percent)"
_ABOUT = r"(?:about |around |roughly |approx(?:imately|\.)? |at least |another |the next |~ ?)*"
_CODE = r"[0-9]{1,2} ?\+ ?[0-9]{1,2}"
OPEN = "?"  # the name of what means two things


class ClauseRule(NamedTuple):
    """A pattern of a clause, the input that it states, and its text by the match.

    A clause without a text means two things; `why` says which. Braces in it stand for the words of
    the group `v`.
    """

    name: str
    pattern: re.Pattern[str]
    value: Callable[[re.Match[str]], str]
    why: str = ""


def _rule(
    name: str, pattern: str, value: Callable[[re.Match[str]], str], why: str = ""
) -> ClauseRule:
    return ClauseRule(name, re.compile(rf"(?<![a-z0-9])(?:{pattern})(?![a-z0-9])"), value, why)


def _text(value: str) -> Callable[[re.Match[str]], str]:
    return lambda _: value


def _time(match: re.Match[str]) -> str:
    return time_text(match["v"])


def _share(match: re.Match[str]) -> str:
    return f"{match['v'].replace(',', '.')}%"


def _rest(match: re.Match[str]) -> str:
    return f"{100 - float(match['v'].replace(',', '.')):.12g}%"


def _as_said(match: re.Match[str]) -> str:
    return match["v"]


def _counted(match: re.Match[str]) -> str:
    return str(count_of(match["v"]))


def _hours(match: re.Match[str]) -> str:
    return f"{re.sub('[^0-9]', '', match['v'])} hours"


def _level(match: re.Match[str]) -> str:
    return parse_level_name("raid", re.sub("[:=]", " ", match["v"]))


def _hosted(match: re.Match[str]) -> str:
    on = match.groupdict().get("hosts")
    hosts = f" on {count_of(on)} hosts" if on else ""
    text = f"{match['v'].replace(' ', '')}{hosts}"
    name = text if "+" in text else f"{count_of(match['v'])} copies{hosts}"
    try:
        return parse_keep("keep", name).written
    except DomainError:
        return ""


_HOURS = r"(?P<v>[0-9][0-9,.' ]*[0-9]|[0-9])"
_IS = r"(?:[ :=]+|is|at|of|reads?|shows?|now|only|already|currently|about|around)*"
_NODES = "Copies are kept on hosts: how many are there, such as '3 copies on 4 hosts'?"
_WORN_OR_FULL = "A share that is used may be of its life or of its space: say 12% worn or 12% full"
_SETS = "RAID 50 and 60 are sets of RAID 5 and 6: say the level here, and the sets as an input"
_YEAR = "{} is no length of time: say for how many years it must last, or how old it is"
_EACH = r"(?: ?(?:each|a piece|apiece|per drive|usd))?"
_PRICE = r"(?:(?:for|at|costs?|costing) )?"
_ARRAY = r"(?: (?:pair|pool|vdev|setup|array|configuration|config|volume))?"
RULES = (
    # Times that are past
    _rule("age", rf"(?:power[- ]?on hours?|poh){_IS}{_HOURS}(?: ?h(?:ours)?)?", _hours),
    _rule("age", rf"{_HOURS} (?:power[- ]?on hours?|poh|hours? power(?:ed)?[- ]?on)", _hours),
    _rule(
        "age",
        rf"{_ABOUT}(?P<v>{TIME})(?: |-)?(?:old|of (?:use|service|operation|uptime)"
        r"|in (?:use|service|operation|production)|ago|so far|runtime|uptime|now)",
        _time,
    ),
    _rule(
        "age",
        r"(?:after|in use for|in service for|(?:been )?running (?:\S+ )?for|used (?:it )?for"
        r"|(?:have |has )?had (?:it|them|this|these) for|owned (?:it )?for"
        rf"|(?:for|in|over|during) the (?:last|past)) {_ABOUT}(?P<v>{TIME})",
        _time,
    ),
    # Wear
    _rule(
        "used",
        rf"{_PERCENT} (?:of (?:its |the )?)?(?:wear(?: ?out| level\w*)?|worn(?: out)?"
        r"|life(?:time|span)? used|endurance used|percentage used|used up|of life)",
        _share,
    ),
    _rule(
        "used",
        r"(?:wear(?: ?out| level\w*)?|percentage used|worn|life(?:time)? used)"
        rf"{_IS}{_PERCENT}(?: used)?",
        _share,
    ),
    _rule(
        "used",
        rf"(?:consumed|lost|used(?: up)?)(?: about| over| some)? {_PERCENT}"
        r"(?: (?:of )?(?:its |the )?(?:drive's |ssd's )?(?:life|endurance)(?:time|span)?)?",
        _share,
    ),
    _rule(
        "used",
        rf"{_PERCENT} (?:of )?(?:its |the )?(?:drive |ssd )?(?:health"
        r"|(?:life|endurance)(?:time|span)?(?: is)?(?: left| remaining))(?: left| remaining)?",
        _rest,
    ),
    _rule("used", rf"{_PERCENT} (?:left|remaining)", _rest),
    _rule(
        "used",
        rf"(?:health|life(?:time)? (?:left|remaining)){_IS}{_PERCENT}(?: left| remaining)?",
        _rest,
    ),
    _rule(OPEN, rf"{_PERCENT} used", _text(""), _WORN_OR_FULL),
    # Shares
    _rule(
        "fill",
        rf"{_PERCENT} (?:full|filled|(?:of )?(?:space|capacity|storage)(?: (?:used|full))?)",
        _share,
    ),
    _rule("fill", rf"filled (?:to|up to|at) (?:about )?{_PERCENT}", _share),
    _rule("fill", rf"{_PERCENT} (?:free|empty)(?: space)?", _rest),
    _rule(
        "spare",
        rf"{_PERCENT} (?:extra )?(?:over-? ?provision\w*|op|unpartitioned|unallocated"
        r"|left (?:unpartitioned|unallocated)|spare(?: area)?)",
        _share,
    ),
    _rule("spare", rf"(?:over-? ?provision\w*|op|unpartitioned){_IS}{_PERCENT}", _share),
    _rule("reads", rf"{_PERCENT} reads?(?:ing)?", _share),
    _rule("reads", r"(?P<v>[0-9]{1,3}) ?/ ?[0-9]{1,3} (?:reads?|r) ?/ ?(?:writes?|w)", _share),
    _rule("reads", rf"{_PERCENT} writes?(?: ratio| share| mix)?", _rest),
    _rule("sequential", rf"{_PERCENT} sequential", _share),
    _rule("sequential", r"(?:purely|all|fully|only) sequential(?: writes?)?", _text("100%")),
    _rule("sequential", r"(?:mostly|mainly|largely) sequential(?: writes?)?", _text("90%")),
    _rule(
        "size",
        r"(?P<v>[0-9]{1,5} ?(?:k|ki|kib|kb|mib))[ -](?:random|blocks?|pages?|records?"
        r"|recordsize|volblocksize|io|ios|operations?)(?: (?:writes?|io|size))?",
        _as_said,
    ),
    _rule("hot_spares", rf"(?P<v>{COUNT}) hot[- ]?spares?", _counted),
    _rule("hot_spares", r"an? hot[- ]?spare", _text("1")),
    # Ratings and prices
    _rule("warranty", rf"(?P<v>{TIME})(?: |-)?(?:limited )?(?:warranty|guarantee)", _time),
    _rule("warranty", rf"(?:warranty|guarantee)(?: (?:of|is|for))* (?P<v>{TIME})", _time),
    _rule("price", rf"{_PRICE}(?:us)?\$ ?(?P<v>[0-9]+(?:\.[0-9]{{1,2}})?){_EACH}", _as_said),
    _rule(
        "price",
        rf"{_PRICE}(?P<v>[0-9]+(?:\.[0-9]{{1,2}})?) ?(?:usd|dollars|bucks|\$){_EACH}",
        _as_said,
    ),
    # Power
    _rule("power", r"(?:no|without|w/o)(?: an?| any)? ups", _text("can fail")),
    _rule(
        "power", r"power (?:cuts?|outages?|failures?|losses|(?:can|may) fail)", _text("can fail")
    ),
    _rule("power", r"(?:(?:on|with|behind|has|have) )?(?:an? )?ups(?: backed)?", _text("ups")),
    # Copies on hosts
    _rule("keep", rf"(?P<v>{COUNT}) ?(?:x|copies|-?way)?(?: ?replica\w*)?{_OVER}", _hosted),
    _rule(
        "keep",
        rf"(?:replica|size|replication(?: factor)?)(?: of|=| )*(?P<v>{COUNT}){_OVER}?",
        _hosted, _NODES,
    ),
    _rule(
        "keep", rf"(?P<v>{COUNT}) ?(?:copies|replicas|x replication|-?way replica\w*)",
        _hosted, _NODES,
    ),
    _rule("keep", rf"(?:ec ?:? ?)?(?P<v>{_CODE})(?: erasure cod\w+| ec)?{_OVER}", _hosted),
    _rule("keep", rf"(?:ec ?:? ?|erasure cod\w+ )(?P<v>{_CODE})", _hosted, _NODES),
    _rule(IGNORED, r"(?:no|without(?: an?| any)?) backups?", _text("no backup")),
    # Arrays
    _rule("drives", rf"(?:drives?|ssds?|disks?) ?[:=] ?(?P<v>{COUNT})", _counted),
    _rule(
        "keep",
        r"(?:no|without|w/o|not|un|non)(?: (?:in|as|using))?(?: an?| any)?[ -]?"
        r"(?:mirror(?:ed|ing|s)?|raid|redundancy|redundant|array)(?! ?[0-9z])",
        _text("single"),
    ),
    _rule("raid", r"(?P<v>raid[ -]?z[ -]?[123]?)", _level),
    _rule("raid", r"(?P<v>draid[1-3]?(?::[0-9]{1,3}[dcs])*)", _level),
    _rule(
        "raid",
        r"(?:zfs |hw |hardware |software |md ?)?(?P<v>raid(?: ?[:=] ?|[ -]?)(?:10|1\+0|[0156]))"
        r"(?: mirror)?",
        _level,
    ),
    _rule(
        OPEN,
        r"(?:until|till|through|by|since|from|in) (?:early |mid |late )?(?P<v>20[0-9]{2})",
        _text(""), _YEAR,
    ),
    _rule(OPEN, r"raid[ -]?(?:50|60|5\+0|6\+0)", _text(""), _SETS),
    _rule("raid", r"(?:of )?(?:striped mirrors?|mirrored (?:mirrors?|pairs|vdevs?))", _text("10")),
    _rule("raid", r"stripes? of mirrors", _text("10")),
    _rule(
        "raid",
        rf"(?:zfs[ -]|btrfs |md ?|(?:two|2)[ -]way )?mirror(?:ed|ing|s)?{_ARRAY}",
        _text("1"),
    ),
    _rule("raid", rf"striped?{_ARRAY}", _text("0")),
    _rule(
        "keep",
        r"(?:as |a )?(?:single (?:drives?|disks?|ssds?)|jbod|standalone"
        r"|single(?=[ ]*(?:[,.;]|$)))",
        _text("single"),
    ),
    _rule("keep", r"(?:as )?(?:scratch|cache drives?)(?: space| disk)?", _text("scratch")),
)  # fmt: skip
# Times that are to come; looked for once the writes are known.
YEARS = (
    _rule(
        "years",
        r"(?:(?:must|should|to|need(?:s|ed)?(?: it)? to) (?:last|survive|hold|run|live)(?: for)?"
        r"|(?:last|survive|hold(?: up)?|be good)(?: me)? for|(?:keep|use|run)(?: it| them)? for"
        r"|will (?:it|they|this|that) (?:last|survive|hold)(?: for)?|for|over|needs? (?:it )?for"
        r"|planned for|planning for|expect(?:ing|ed)?|want(?:ing|ed)?|horizon(?: of)?) "
        rf"(?:a period of |the next )?{_ABOUT}"
        rf"(?P<v>{TIME})(?: or (?:more|so|longer))?",
        _time,
    ),
    _rule(
        "years", rf"(?:need|want|get|expect|squeeze) {_ABOUT}(?P<v>{TIME}) (?:out of|from)", _time
    ),
    _rule("years", rf"(?:the )?next (?P<v>{TIME})", _time),
    _rule(
        "years", rf"(?:for )?(?P<v>{COUNT}) more years?", lambda match: f"{_counted(match)} years"
    ),
    _rule("years", rf"(?P<v>{TIME}) (?:life(?:time|span)?|of (?:life|service)|horizon)", _time),
    _rule(
        "years", r"years? ?[:=] ?(?P<v>[0-9]+(?:\.[0-9]+)?)", lambda match: f"{match['v']} years"
    ),
)
# A time alone: the years of a plan, unless the drive is a used one.
BARE_TIME = re.compile(rf"(?<![a-z0-9])(?<![^,;./\0] )(?P<v>{TIME})(?=\s*(?:$|[,;.?!\0]))")
_SORTS = (
    "identical|of (?:these|those|them|the)|new|brand new|used|old|same|these|nvme|sata|sas|cheap"
    "|enterprise|consumer|good old|m\\.2|u\\.2"
)
_TIMES = r"(?: ?[x\u00d7*]| ?pcs| pieces)? ?-? ?"
COUNTED = re.compile(
    rf"(?<![a-z0-9.,/])(?P<v>{COUNT}){_TIMES}(?:(?:{_SORTS}) )*"
    r"(?:ssds?|drives?|disks?|sticks|osds?|pieces|pcs|units|of (?:them|these|those))(?:'s)?"
    r"(?![a-z0-9])"
)
BEFORE = re.compile(rf"(?<![a-z0-9.,])(?P<v>{COUNT}){_TIMES}(?:of )?(?:(?:{_SORTS}|ssds?:?) )*$")
AFTER = re.compile(rf" ?(?:ssds?|drives?|nvmes?|disks?)? ?[x\u00d7*] ?(?P<v>{COUNT})(?![a-z0-9])")
# Numbers that no clause has taken.
LEFT = re.compile(
    rf"(?<![a-z0-9])(?:[x\u00d7] ?[0-9]+(?![a-z0-9])|[0-9](?:[0-9.,]*[0-9])?(?: ?[a-z%]+)?"
    rf"|(?!both\b|one\b){WORDS}(?![a-z]))"
)
