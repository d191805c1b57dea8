"""Find private dialect in strings, docstrings and documents: `python -m tests.dialect`.

Without options it exits with 1 if a pattern occurs more often in a file than
`tests/data/dialect.json` allows. A line that ends with `# voice: NAME` allows pattern NAME there;
a comment says why.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ALLOWED = ROOT / "tests" / "data" / "dialect.json"
ROOMS = ("planner", "models", "validation", "benchmarks", "docs")
OTHER = "other"
SKIPPED = {".git", ".venv", "build", "node_modules", "tests"}


class Pattern(NamedTuple):
    """Phrase that a reader of the field would stumble over, and its replacement."""

    texts: str  # D: first line of a docstring, d: the rest of it, s: string, m: Markdown, c: title
    occurs_in: Callable[[str], object]
    instead: str

    def occurs(self, kind: str, text: str) -> bool:
        """Return whether the pattern occurs in a text of a kind."""
        read = {"D": "Dd"}.get(kind, kind)
        return any(letter in self.texts for letter in read) and bool(self.occurs_in(text))


def _pattern(texts: str, instead: str, *parts: str, flags: int = re.IGNORECASE) -> Pattern:
    return Pattern(texts, re.compile("".join(parts), flags).search, instead)


def _is_long(text: str) -> bool:
    """Return whether a sentence has more than 30 words."""
    sentences = re.split(r"(?<=[.;:?!])\s+|\n", text)
    return any(len(re.findall(r"[A-Za-z{}]+[\w'-]*", each)) > 30 for each in sentences)


PATTERNS = {
    "taken-to": _pattern(
        "sdm",
        "assumed",
        r"\b(?:is|are|was|were) taken (?:to|as|from|at|for|that)\b",
        r"|\b(?:is|are) taken(?=[.:;,]|$)",
    ),
    "opens-what": _pattern(
        "D",
        "verb + noun: 'Return the margin of a requirement.'",
        r"^(?:Return|Say|Give|Print|Tell|Write|Name|Keep|Show|Find|List|Take|Put) ",
        r"(?:what|how|whether|which|where|when|why|from when|of which|of what)\b",
        flags=0,
    ),
    "noun-free": _pattern(
        "D",
        "begin with the noun: 'Margin of a requirement.'",
        r"^(?:What|How|Where|When|Why|Which|Between what|Those|That|It|They|As|Such)\b",
        r"(?! (?:to|do|does|is it)\b)[^?]*$",
        flags=0,
    ),
    "is-of": _pattern(
        "sdm",
        "belongs to, counts, applies to",
        r"\b(?:is|are|was|were) of (?!the (?:same|form|order)\b|(?:one|two|each|length|shape|class",
        r"|size|no|little|much|order|type|kind|course|equal|use|interest|\d)\b)\w+",
        r"|\b(?:is|are) it of\b|\bit is of[.,;]?$",
    ),
    "of-which": _pattern(
        "sdm",
        "whose, or two sentences",
        r"\b(?<!all )(?<!each )(?<!none )(?<!both )of which (?:its|their|the|is said)\b",
        r"|\b(?:drives?|plans?|those) of which\b",
    ),
    "one-log": _pattern(
        "sdm",
        "single write frontier (no separation); separate frontiers for host and GC writes",
        r"\bone log\b|\bin one log\b|\bhost writes and copies apart\b",
        r"|\b(?:host and )?cop(?:y|ies) frontiers?\b|\bcopies apart\b",
    ),
    "copies": _pattern(
        "sdm",
        "GC writes; WA of field workloads; background writes",
        r"\bcopies in the field\b|\bcopies of garbage collection\b|\bit copies? (?:far )?less\b",
        r"|\bcopy far less\b|\brewrites by itself\b",
    ),
    "members": _pattern(
        "s",
        "drive I/Os; a drive",
        r"\bmember operations\b|\boperations (?:of|on) (?:single )?members\b|\bA member\b",
        r"|\bthe members'",
    ),
    "the-same": _pattern(
        "s", "repeat the quantity's name", r"^(?:The same|Or buy|As it is|\.\.\. )\b", flags=0
    ),
    "least-most": _pattern(
        "sdm",
        "lowest, minimum, margin",
        r"\b(?:made|makes?) least\b|\bLeast (?:cost|IOPS|drive|price|regret)\b|\bat its least\b",
        r"|\b(?:the (?:least|most) (?:of|that) (?:what|it)|what is least)\b",
        r"|\bthe least (?!squares|upper|significant|recently)\w+ (?:first|that|of)\b|\bto spare\b",
    ),
    "said": _pattern(
        "sdm",
        "stated; not stated",
        r"\b(?:is|are|was|being) said\b|\bnothing is said\b|\bnobody says?\b",
        r"|\bsays (?:nothing|no)\b",
    ),
    "stands": _pattern(
        "sdm",
        "represents, replaces, is shown next to",
        r"\b(?:what|that|which) stands?\b",
        r"|\bstands? (?:in place|in its place|for it|for any|behind|beside)\b",
        r"|\btakes the place of\b|\bin its place\b",
    ),
    "to-be-had": _pattern(
        "sdm",
        "plain verb: available, active, usually, alone",
        r"\bto be had\b|\bat hand\b|\bin force\b|\bas a rule\b|\beach by itself\b|\bleft aside\b",
        r"|\bgives? way\b|\bgoes on (?:for|there|after)\b",
    ),
    "none-nothing": _pattern(
        "sdm",
        "is not a ...",
        r"\bno plan of\b|\bis no (?:grid|scenario|column|unit|UTF-8|specification|fit|number|input",
        r"|date|model)\b|\bare no (?:numbers|files|drives)\b|\bis neither\b.*\bnor\b",
        r"|\bnone (?:of them )?beats\b|\bthat none\b",
    ),
    "it-tail": _pattern(
        "s",
        "name the noun",
        r"\b(?:of|by|for|from|behind|over|beside|with) (?:it|them|those|that|which|what)[.]?$",
    ),
    "what-what": _pattern(
        "sdm", "one noun for each 'what'", r"\b[Ww]hat\b(?:(?![.;:?!]).)*\bwhat\b"
    ),
    "archaic": _pattern(
        "sdm",
        "plain connective",
        r"\b(?:wherever|whereby|thereby|therefrom|thereof|lest|albeit|hitherto|insofar|nowise)\b",
    ),
    "wear-talk": _pattern(
        "sdm",
        "P/E wear-out; a typical drive of its class",
        r"\bflash (?:is )?worn\b|\bFlash worn\b|\bworn[- ]out block|\bmost worn blocks?\b",
        r"|\bbear(?:s)? the writes\b|\bas drives of (?:its|their|the) kind\b|\bof its kind\b",
        r"|\bdrives of (?:the|its|their) kind\b",
    ),
    "ask-given": _pattern(
        "sdm",
        "confidence; -10 %; cheaper but short of; default",
        r"\bhow sure\b|\bas sure as\b|\bsure the\b|\bwhat a tenth less\b|\ba tenth less\b",
        r"|\bfor less, but not enough\b|\bout of reach\b|\btaken as usual\b|\bhardly rise\b",
        r"|\bstands still\b",
    ),
    "long": Pattern("sm", _is_long, "at most 30 words a sentence"),
    "semicolons": _pattern("s", "one statement a sentence", r";.*;"),
    "range-chain": _pattern(
        "s", "at most three numbers a sentence", r"\{[^}]*\}(?:[^.{]*\{[^}]*\}){3}"
    ),
    "title-long": _pattern("c", "at most 72 characters", r"^.{73,}"),
    "title-say": _pattern(
        "c",
        "Add, Fix, Rename, Remove, Speed up + the thing",
        r"^(?:Say|Let|Have|Ask|Leave|Hold|Count|Name|Keep|Take|Give|Offer) ",
        r"(?:in|the|that|what|how|whether|from|by|no|each|which|a|an|it|them|reads?|its|of|where",
        r"|when)\b",
    ),
}
_PROSE = re.compile(r"[A-Za-z]{2,}(?:'s)?(?: [A-Za-z(`'0-9-]+[,;:]?){2,}")
_CODE = re.compile(
    r"\\[dwsSWDb]|\(\?[:P!=i]|\bSELECT\b|\bCASE WHEN\b|^https?://|%[a-zA-Z] %[a-zA-Z]"
    r"|[<>]=?\s*\{|IF\("
)


class Hit(NamedTuple):
    """Occurrence of a pattern."""

    pattern: str
    file: str
    line: int
    text: str


def _python(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield the kind, line and text of docstrings (first line, rest) and of strings of prose."""
    tree = ast.parse(text)
    apart = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = node.body[0] if node.body else None
            if (
                isinstance(docstring, ast.Expr)
                and isinstance(docstring.value, ast.Constant)
                and isinstance(docstring.value.value, str)
            ):
                apart.add(docstring.value)
                first, _, rest = docstring.value.value.strip().partition("\n\n")
                yield "D", docstring.lineno, " ".join(first.split())
                rest = re.sub(r"^\s*(?:>>>|\.\.\.).*$", "", rest, flags=re.MULTILINE)
                if rest.strip():
                    yield "d", docstring.lineno + 2, " ".join(rest.split())
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [part for part in node.values if isinstance(part, ast.Constant)]
            apart.update(parts)
            yield (
                "s",
                node.lineno,
                "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "{}"
                    for part in node.values
                ),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in apart:
            yield "s", node.lineno, node.value


def _markdown(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield the kind, line and text of paragraphs, without code, tables and addresses."""
    fenced, kept = False, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and line.strip() and not line.startswith(("|", "    ", "<")):
            plain = re.sub(r"`[^`]*`", "X", re.sub(r"\]\([^)]*\)", "]", line))
            kept.append((number, plain))
            continue
        if kept:
            yield "m", kept[0][0], " ".join(line for _, line in kept)
        kept = []


def _is_evidence(path: Path) -> bool:
    """Return whether a page is generated from validation or telemetry."""
    generated = path.name.startswith(("validation", "telemetry-"))
    return generated or (path.suffix == ".md" and "validation" in path.parts)


def hits_in(path: Path, text: str) -> Iterator[Hit]:
    """Yield the occurrences in one file."""
    lines = text.splitlines()
    items = _markdown(text) if path.suffix == ".md" else _python(text)
    for kind, number, prose in items:
        if kind == "s" and (not _PROSE.search(prose) or _CODE.search(prose)):
            continue
        source = lines[min(number, len(lines)) - 1]
        for name, pattern in PATTERNS.items():
            if pattern.occurs(kind, prose) and f"voice: {name}" not in source:
                yield Hit(name, str(path), number, prose)


def hits_below(root: Path) -> list[Hit]:
    """Return the occurrences in all modules and documents below a folder."""
    hits: list[Hit] = []
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.md")]):
        part = path.relative_to(root)
        if part.parts[0] not in SKIPPED and not _is_evidence(part):
            hits += hits_in(part, path.read_text(encoding="utf-8"))
    return hits


def hits_in_titles(root: Path, commits: str) -> Iterator[Hit]:
    """Yield the occurrences in titles of a range of commits."""
    log = subprocess.run(
        ["git", "-C", str(root), "log", "--format=%h %s", commits],
        capture_output=True,
        text=True,
        check=True,
    )
    for row in log.stdout.splitlines():
        commit, _, title = row.partition(" ")
        for name, pattern in PATTERNS.items():
            if pattern.occurs("c", title):
                yield Hit(name, f"commit {commit}", 0, title)


def counts_of(hits: list[Hit]) -> dict[str, int]:
    """Return the number of occurrences by pattern and file."""
    return dict(sorted(Counter(f"{hit.pattern} {hit.file}" for hit in hits).items()))


def excesses(counts: Mapping[str, int], allowed: Mapping[str, int]) -> list[str]:
    """Return a message for each pattern that occurs more often in a file than is allowed."""
    messages = []
    for key, count in counts.items():
        most = allowed.get(key, 0)
        if count > most:
            name, _, file = key.partition(" ")
            messages.append(
                f"{file}: {name} occurs {count} times, {most} allowed; "
                f"write: {PATTERNS[name].instead}"
            )
    return messages


def write(counts: Mapping[str, int], file: Path) -> list[str]:
    """Write the allowed counts unless one would rise; return the messages of those."""
    more = excesses(counts, json.loads(file.read_text())) if file.exists() else []
    if not more:
        file.write_text(json.dumps(counts, indent=0) + "\n")
    return more


def table(hits: list[Hit]) -> str:
    """Format counts by pattern and folder."""

    def room(hit: Hit) -> str:
        first = Path(hit.file).parts[0]
        return first if first in ROOMS else OTHER

    counts = Counter((hit.pattern, room(hit)) for hit in hits)
    columns = (*ROOMS, OTHER)
    lines = ["pattern       " + "".join(f"{name:>11}" for name in (*columns, "all"))]
    for pattern in PATTERNS:
        row = [counts[pattern, name] for name in columns]
        lines.append(f"{pattern:14}" + "".join(f"{count:11}" for count in (*row, sum(row))))
    sums = [sum(counts[pattern, name] for pattern in PATTERNS) for name in columns]
    lines.append(f"{'all':14}" + "".join(f"{count:11}" for count in (*sums, sum(sums))))
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Compare today's counts with those allowed, or list, count or write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path, nargs="?", default=ROOT)
    parser.add_argument("--baseline", type=Path, default=ALLOWED, help="allowed counts")
    parser.add_argument("--write", action="store_true", help="lower the allowed counts to today's")
    parser.add_argument("--list", metavar="PATTERN", choices=PATTERNS, help="list its places")
    parser.add_argument("--table", action="store_true", help="count by pattern and folder")
    parser.add_argument("--commits", metavar="RANGE", help="list titles of commits")
    asked = parser.parse_args(arguments)
    root = asked.root.resolve()
    if asked.commits:
        titles = [f"{hit.file}: {hit.pattern}: {hit.text}"
                  for hit in hits_in_titles(root, asked.commits)]  # fmt: skip
        print(*titles, sep="\n")
        return bool(titles)
    hits = hits_below(root)
    if asked.list:
        chosen = [f"{hit.file}:{hit.line}: {hit.text}" for hit in hits if hit.pattern == asked.list]
        print(*chosen, sep="\n")
        return 0
    if asked.table:
        print(table(hits))
        return 0
    counts = counts_of(hits)
    more = (
        write(counts, asked.baseline)
        if asked.write
        else excesses(counts, json.loads(asked.baseline.read_text()))
    )
    print(*more, sep="\n", end="\n" if more else "")
    return bool(more)


if __name__ == "__main__":
    sys.exit(main())
