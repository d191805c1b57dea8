"""Untrusted text, from files, links and users, made safe for a terminal or a page."""

import json
import re

# Characters that move the cursor, or colour, hide or reorder text: control characters except the
# line feed, marks of direction or of zero width, lone surrogates.
_CONTROL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def escaped(written: str) -> str:
    r"""Return a text whose control characters, except line feeds, are escaped as in JSON.

    >>> escaped("a\x1b[2Jb\u202ec\ufeff")
    'a\\u001b[2Jb\\u202ec\\ufeff'
    """
    return _CONTROL.sub(lambda match: json.dumps(match[0])[1:-1], written)


def one_line(written: str, *, most: int = 600) -> str:
    r"""Return untrusted text on one line: control characters escaped, cut in the middle if long.

    >>> one_line("a\tb\n c"), one_line("x" * 1000, most=9)
    ('a b c', 'xxxxxxx … xx')
    """
    ends = written if len(written) <= 4 * most else written[: 2 * most] + written[-2 * most :]
    line = escaped(" ".join(ends.split()))
    if len(line) <= most:
        return line
    kept = max(1, most // 4)
    return f"{line[: most - kept]} … {line[-kept:]}"
