"""Text from outside, of files, links and people, as a terminal or a page may show it."""

import json
import re

__all__ = ["one_line", "visible"]

# Characters that move the cursor, colour, hide or reorder what a terminal or a page shows: control
# characters but the line feed, marks of direction and of width zero, halves of surrogate pairs.
_UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(written: str) -> str:
    r"""Write control characters, but line feeds, as JSON writes them.

    >>> visible("a\x1b[2Jb\u202ec\ufeff")
    'a\\u001b[2Jb\\u202ec\\ufeff'
    """
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], written)


def one_line(written: str, *, most: int = 600) -> str:
    r"""Write a text from outside on one line, without control characters, cut in its middle.

    >>> one_line("a\tb\n c"), one_line("x" * 1000, most=9)
    ('a b c', 'xxxxxxx … xx')
    """
    ends = written if len(written) <= 4 * most else written[: 2 * most] + written[-2 * most :]
    line = visible(" ".join(ends.split()))
    if len(line) <= most:
        return line
    kept = max(1, most // 4)
    return f"{line[: most - kept]} … {line[-kept:]}"
