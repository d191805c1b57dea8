"""The longest wait and the price of a plan, one sentence each."""

from typing import TYPE_CHECKING

from models.units import MS
from planner.catalogue.price_curve import curve_words, said_day
from planner.catalogue.prices import basis_of, price_of
from planner.quantity.show import shown, text
from planner.search.verdict.answer import Sentence
from planner.search.verdict.words import capital, ends, two
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range

if TYPE_CHECKING:
    from planner.application import Application
    from planner.search.commits import CommitLatency

WIDE = 10.0  # factor from which a range is no figure
VAGUE = 3.0  # factor of a price from which only a quote helps
NOT_MEASURED = "Not measured on this model"
MOST_COMMITS_PER_S = 1e4
COMMIT = "commit_latency_s"
_WITHIN = {
    "Yes": "Yes, within", "Probably": "Probably within", "Probably not": "Probably not within",
    "No": "No, not within",
}  # fmt: skip
_WORDS = {"yes": "Yes", "probably": "Probably", "probably not": "Probably not", "no": "No"}
_HOLDS = {"Yes": True, "No": False}


def worst(plan: PlanReading, application: "Application | None" = None) -> Sentence:
    """Describe the longest wait of an operation, or of a commit against its limit.

    The commits of an application are those that it waits for; of several, those that wait longest.
    """
    found = commits_of(plan, application)
    if found is not None:
        return commit_sentence(found)
    if plan.situation.commit_p99_s is None:
        return longest(plan)
    statement = "Unknown: the flush time of this drive is not known."
    return Sentence("Worst second", statement, key=COMMIT, word="Unknown")


def commits_of(
    plan: PlanReading, application: "Application | None" = None
) -> "CommitLatency | None":
    """Return the commits that wait longest, of an application or against a stated limit.

    None where nothing commits, or no time of a flush is known.
    """
    if application is not None:
        from planner.search.commits import worst_commits  # noqa: PLC0415 - few plans have one

        own = worst_commits(plan, application)
        if own is not None:
            return own
    return None if plan.situation.commit_p99_s is None else _commits(plan)


def longest(plan: PlanReading) -> Sentence:
    """Describe the longest wait of a write under full load, and how far it is known."""
    key = "max_latency_s"
    part = plan.ranges.get(key)
    if part is None:
        statement = "Unknown: no steady-state test of this drive is known."
        return Sentence("Worst second", statement, key=key, word="Unknown")
    ends = f"{_milliseconds(part.low)} to {_milliseconds(part.high)}"
    if part.basis != "prior":
        iops = plan["worst_case_iops"]
        left = f" {two(float(iops.value))} IOPS are left." if iops.is_known else ""
        wait = _milliseconds(part.typical)
        statement = f"A write may wait {wait} ms under full load (measured).{left}"
        word = f"{wait} ms"
    elif part.high > WIDE * part.low:
        statement = f"{NOT_MEASURED}: a write may wait {ends} ms under full load."
        word = NOT_MEASURED
    else:
        wait = _milliseconds(part.typical)
        statement = f"A write may wait about {wait} ms under full load (estimated, {ends})."
        word = f"about {wait} ms"
    numbers = {key: part}
    return Sentence("Worst second", statement, None, key, _reasons(plan, key), word, numbers)


def _milliseconds(value: float) -> str:
    return two(value / MS)


def _commits(plan: PlanReading) -> "CommitLatency | None":
    """Return the latency of a commit for each write; None where it is unknown."""
    from planner.search.commits import commit_latency  # noqa: PLC0415 - few plans state a limit

    asked = plan.workload
    per_s = float(asked.host_bytes_per_s) / float(asked.transfer_bytes)
    rate = min(max(per_s, 1.0), MOST_COMMITS_PER_S)
    return commit_latency(plan, rate, (1.0, 1.0, 1.0), plan.situation.commit_p99_s)


def commit_sentence(found: "CommitLatency") -> Sentence:
    """Describe the latency of a commit against its limit, with and without protection."""
    from planner.search.commits import NO_FLUSH_TIMED  # noqa: PLC0415 - few plans state a limit

    word = _WORDS.get(found.holds, "")
    own, other = found.protected_s, found.unprotected_s
    if not found.is_protected:
        own, other = other, own
    limit = "" if found.limit_s is None else f"{_WITHIN[word]} {found.limit_s / MS:.3g} ms"
    without = "without" if found.is_protected else "with"
    start = f"{limit}. " if word else ""
    other_way = f"{without} power-loss protection {_ms(other)}"
    commits = f"commits of {found.application}" if found.application else "commits"
    waits = f"{commits} take at most {_ms(own)}"
    statement = f"{start}99 % of {waits}, {other_way}."
    return Sentence(
        "Worst second", statement, _HOLDS.get(word), COMMIT, (NO_FLUSH_TIMED,), word,
        {COMMIT: own},
    )  # fmt: skip


def _ms(of: Range) -> str:
    return f"{two(of.typical / MS)} ms{ends(of, size=MS)}"


def cost(plan: PlanReading) -> Sentence:
    """Describe the price of the drives, in total and per usable TB, with its kind and date.

    >>> from planner.sections.request import plan_of
    >>> print(cost(plan_of("870 EVO 1TB", writes="30 GB/day", price=100)).text)
    About 100 USD, 100 USD a usable TB. Price as stated.
    """
    key = "total_price_usd"
    part, each = plan.ranges.get(key), plan.ranges.get("price_per_usable_byte")
    if part is None or each is None:
        statement = "Unknown: enter a price."
        return Sentence("Cost", statement, None, key, word="Unknown")
    count = plan.situation.drives
    low, typical, high = (end * count for end in part[:3])
    total = part._replace(low=low, typical=typical, high=high)
    whole, unit = text(key, typical, digits=2), text(key, typical).rpartition(" ")[2]
    a_tb = two(shown("price_per_usable_byte", each.typical))
    vague = " Get a quote." if high > VAGUE * low else ""
    amount = f"About {two(typical)} {unit}{ends(total)}, {a_tb} {unit} a usable TB"
    statement = f"{amount}. {priced_at(plan)}.{vague}"
    numbers = {key: total, "price_per_usable_byte": each}
    return Sentence("Cost", statement, None, key, _reasons(plan, key), whole, numbers)


def priced_at(plan: PlanReading) -> str:
    """Describe the kind and the date of the price of a drive.

    >>> from planner.sections.request import plan_of
    >>> priced_at(plan_of("870 EVO 4TB", today="2026-10-01"))
    'Price of July 2025, adjusted to today'
    """
    drive = plan.drive
    price, basis = price_of(drive), basis_of(drive)
    if basis == "curve" or price is None:
        return curve_words(drive)
    kind = {"used": "Used price", "list": "List price", "quote": "Price"}.get(price.kind, "Price")
    day = f" of {said_day(price.day)}" if price.day else " as stated"
    return capital(f"{kind}{day}{', adjusted to today' if basis == 'carried' else ''}")


def _reasons(plan: PlanReading, key: str) -> tuple[str, ...]:
    items = plan.behind(plan.reading[key])
    return tuple(item.reason for item in items if item.is_range)
