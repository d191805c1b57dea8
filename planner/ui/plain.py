"""Escaping of text from outside, so that markdown on the screens shows it unchanged.

Streamlit draws labels, messages, captions, figures and hints as markdown, with pictures that a
browser fetches, links, formulas and icons. Whatever did not come from the program's own source
passes through `plain` on its way there; `tests/app/test_plain_text.py` holds every screen to it.
"""

import re
from collections.abc import Iterable

from planner.graph.answer import Answer
from planner.quantity.show import text
from planner.quantity.untrusted import one_line

MOST_CHARACTERS = 2000
BEST = "✓ "  # begins the better figure of a row
_JOINER = "\u2060"  # invisible, and no line breaks at it
# What is replaced after escapes were read, so that an escape would not help: links, icons, emoji,
# arrows. A joiner within takes their form away.
_SPLIT = re.compile(
    r"""(?ix) (?<=:)(?=[^\W\d]|[/:+-]|\d[\w+-]*:) | (?<=\bwww)(?=\.) | (?<=@)(?=[-\w])
    | (?<=(?<!\S)-)(?=[->](?!\S)) | (?<=(?<!\S)<)(?=->?(?!\S)) | (?<=(?<!\S)~)(?==(?!\S))"""
)
_MARK = re.compile(r"[\\`*\[\]<&$~|]|(?<![^\W_])_|_(?![^\W_])")
_FIRST = re.compile(r"#(?=\#*(?:\s|$))|>|[+-](?=\s|$)|[-=](?=[-=\s]*$)|(?<=\d)[.)](?=\s|$)")
_HELD = re.compile(r"(?<=\d) (?=(?:[%A-Z]|(?:x|m?s|us)\b))|(?<=RAID) (?=\d)")
_NUMBER = re.compile(r"\d{0,9}")


def plain(value: object) -> str:
    r"""Return markdown that is drawn as this text: on one line, without any mark-up.

    >>> plain("![](http://a/x) costs 5 $"), plain("# 1"), plain("snake_case, 4 TB/day: 2 x")
    ('!\\[\\](http:\u2060//a/x) costs 5 \\$', '\\# 1', 'snake_case, 4 TB/day: 2 x')
    """
    split = _SPLIT.sub(_JOINER, one_line(str(value), most=MOST_CHARACTERS))
    marked = _MARK.sub(r"\\\g<0>", split)
    begins = _NUMBER.match(marked)
    first = _FIRST.match(marked, begins.end() if begins else 0)
    return marked if first is None else f"{marked[: first.start()]}\\{marked[first.start() :]}"


def cell(value: object) -> str:
    r"""Return markdown for a cell of a table, where a number and its unit stay on one line.

    One that begins with the mark of the best is bold.

    >>> cell("✓ 2 x"), cell("a*b"), cell("4 to 12 TB in RAID 6")
    ('**✓ 2\xa0x**', 'a\\*b', '4 to 12\xa0TB in RAID\xa06')
    """
    text = _HELD.sub("\N{NO-BREAK SPACE}", plain(value))
    return f"**{text}**" if text.startswith(BEST) else text


def shown(answer: Answer, *, digits: int = 4) -> str:
    """Write an answer with its unit, or that it is unknown."""
    return text(answer.key, answer.value, digits=digits) if answer.is_known else "missing"


def bullets(lines: Iterable[object], *, head: str = "") -> str:
    r"""Return texts as a list in markdown, under a heading that is markdown itself.

    >>> bullets(["a", "*b*"], head="**Two**")
    '**Two**\n- a\n- \\*b\\*'
    """
    return "\n".join([*([head] if head else []), *(f"- {plain(line)}" for line in lines)])
