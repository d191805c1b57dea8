"""Is the data safe: the layout, the loss of data within the years, and the loss of power."""

from typing import NamedTuple

from planner.quantity.keep import Place
from planner.quantity.show import odds, text
from planner.scenario.array import Array, RaidLevel
from planner.scenario.situation import Power, Situation, Sync
from planner.search.verdict.answer import Sentence
from planner.search.verdict.words import chance, two
from planner.sections.data_loss import DataLoss
from planner.sections.plan import PlanReading
from planner.sections.ranges import Range

MOST_LOSS = 1e-3  # of losing data within the years: what buyers of arrays accept
YES, PROBABLY, NO, SCRATCH = "Yes", "Probably", "No", "No copy, as asked"
_HOLDS = {YES: True, NO: False}
PROTECTED = "Power-loss protection: yes."
_POWER = {
    "yes": PROTECTED,
    "no": "No power-loss protection: a power cut can lose acknowledged writes not yet flushed.",
    "data at rest": "Power-loss protection of data at rest only: a power cut can lose writes in "
    "flight.",
    "": "Power-loss protection: not stated by the maker, assume none.",
}
_LOSSES = "array_failed_loss_probability", "array_wear_out_loss_probability"
_SECTOR = "array_unreadable_loss_probability"
_NAMED_SHARE = 0.1  # of the probability of all losses, from which a loss is named by itself


class _Layout(NamedTuple):
    """A word for a layout before the power supply counts, and the sentence on it."""

    word: str
    text: str


def is_protected(plan: PlanReading) -> bool:
    """Whether every drive completes acknowledged writes when power fails."""
    return plan.drive.power_loss_protection == "yes"


def is_power_harmless(plan: PlanReading) -> bool:
    """Whether a power failure cannot lose what an application counts on."""
    asked = plan.situation
    return is_protected(plan) or asked.power is Power.UPS or asked.sync is Sync.NEVER


def needs_protection(plan: PlanReading) -> bool:
    """Whether a power failure is expected to lose writes that an application counts on."""
    asked = plan.situation
    can_lose = asked.power is Power.CAN_FAIL and asked.sync is Sync.EACH_COMMIT
    return can_lose and not is_protected(plan)


def power_text(plan: PlanReading) -> str:
    """State the power-loss protection of the drives, or what replaces it.

    >>> from planner.sections.request import plan_of
    >>> power_text(plan_of("870 EVO 1TB", writes="30 GB/day", power="ups"))
    'No power-loss protection: a UPS is stated.'
    """
    statement = _POWER.get(plan.drive.power_loss_protection, _POWER[""])
    if is_protected(plan):
        return statement
    name = statement.partition(":")[0] if statement != _POWER[""] else statement.rstrip(".")
    if plan.situation.power is Power.UPS:
        return f"{name.partition(',')[0]}: a UPS is stated."
    if plan.situation.sync is Sync.NEVER:
        return f"{name.partition(',')[0]}: a power cut can lose the last, unsynced writes."
    return statement


def safe(plan: PlanReading, loss: DataLoss) -> Sentence:
    """Judge the layout, the probability of data loss, and a loss of power."""
    key = "array_loss_probability"
    layout = _layout(plan, loss)
    word = layout.word
    if word == YES and needs_protection(plan):
        word = NO
    elif word == YES and not is_power_harmless(plan):
        word = PROBABLY
    if is_overfull(plan):
        word = NO
    parts = [f"{word}. {layout.text}", *_overfull(plan), power_text(plan)]
    numbers = {}
    if loss[key].is_known:
        value = float(loss[key].value)
        numbers = {key: Range(value, value, value, "derived")}
    return Sentence(
        "Safe", " ".join(parts), _HOLDS.get(word), key, loss.notes, word=word, numbers=numbers
    )


def _layout(plan: PlanReading, loss: DataLoss) -> _Layout:
    """Judge the layout by what it survives, and by the data loss within the years."""
    array, asked = plan.array, plan.situation
    within = f"within {text('horizon_s', loss.risk.horizon_s, digits=3)}"
    if not loss["array_loss_probability"].is_known:
        return _Layout(NO, f"The drives wear out again and again {within}. Keep a backup.")
    probability = float(loss["array_loss_probability"].value)
    if asked.place is Place.FLEET and asked.drives > 1:
        return _Layout(NO, f"{_fleet_text(asked, loss, within)}. Keep backups.")
    if not array.tolerated_failures:
        bare = f"{_bare(array)}: data loss {_bare_loss(loss, within)}."
        is_scratch = asked.place is Place.SCRATCH
        return _Layout(SCRATCH, bare) if is_scratch else _Layout(NO, f"{bare} Keep a backup.")
    holds = probability <= MOST_LOSS and not _is_stuck(array)
    return _Layout(
        YES if holds else NO, f"{survives(array)}. {_losses(loss, within)}. Not a backup."
    )


def _bare(array: Array) -> str:
    if array.members == 1:
        return "A single drive has no copy"
    return f"RAID 0, one failed drive of {array.members} loses everything"


def _fleet_text(asked: Situation, loss: DataLoss, within: str) -> str:
    """Write the failures expected of single drives, each of which loses its own data only."""
    expected = asked.drives * float(loss["array_failed_loss_probability"].value)
    count = two(expected) if expected >= 1 else f"fewer than 1 ({chance(expected)})"
    return f"Single drives without a copy: expect {count} of {asked.drives:,} to fail {within}"


def _is_stuck(array: Array) -> bool:
    """Whether a cluster has no host left on which to make a lost one again."""
    return array.nodes is not None and not array.reserve_nodes


def survives(array: Array) -> str:
    """Describe the failures that a layout survives."""
    failures = array.tolerated_failures
    if array.nodes is None:
        of = "" if array.groups == 1 else " of each group"
        name = "A mirror" if array.level is RaidLevel.RAID1 else array.name
        return f"{name} survives {failures} failed drive{'s' if failures > 1 else ''}{of}"
    if _is_stuck(array):
        return f"{array.name}: no host is left to rebuild a lost one on"
    spare = "one host" if array.reserve_nodes == 1 else f"{array.reserve_nodes} hosts"
    return f"{array.name}: {spare} may be lost and rebuilt on the others"


def _losses(loss: DataLoss, within: str) -> str:
    """Write a sentence on each kind of loss; the limit is that of all losses together."""
    kinds = _kinds(loss)
    parts = [f"Loss of {name} {within}: {likely}" for name, likely in kinds.items()]
    is_above = float(loss["array_loss_probability"].value) > MOST_LOSS
    limit = f"{', together' if len(kinds) > 1 else ','} above the limit of {odds(MOST_LOSS)}"
    return ". ".join(parts) + (limit if is_above else "")


def loss_text(loss: DataLoss) -> str:
    """Write the loss of the whole array and that of a sector, each with its own probability."""
    if not loss.plan.array.tolerated_failures:
        return chance(float(loss["array_loss_probability"].value))
    return ", ".join(f"of {name} {likely}" for name, likely in _kinds(loss).items())


def _kinds(loss: DataLoss) -> dict[str, str]:
    """Return the odds of losing the array, and those of losing a sector where they count."""
    whole, sector = (sum(float(loss[key].value) for key in keys) for keys in (_LOSSES, (_SECTOR,)))
    found = {"the whole array": chance(whole)}
    if sector >= _NAMED_SHARE * (whole + sector) and chance(sector) != chance(0.0):
        found["a sector in a rebuild"] = chance(sector)
    return found


def _bare_loss(loss: DataLoss, within: str) -> str:
    """Name the loss by failures, and the wear-out where it comes first.

    A drive past its rating need not fail, and no source states a probability.
    """
    failed, worn_out = (float(loss[key].value) for key in _LOSSES)
    if not worn_out > failed:
        return f"{within} {chance(float(loss['array_loss_probability'].value))}"
    return f"{within} {chance(failed)}, not counting wear-out"


def kept_bytes(plan: PlanReading) -> float:
    """Return the bytes that are kept for the stated time; 0 where none is stated."""
    return float(plan.workload.host_bytes_per_s) * (plan.situation.kept_s or 0.0)


def is_overfull(plan: PlanReading) -> bool:
    """Whether the data that is kept for the stated time does not fit."""
    usable = plan.reading["usable_bytes"]
    return usable.is_known and kept_bytes(plan) > float(usable.value)


def _overfull(plan: PlanReading) -> tuple[str, ...]:
    """Compare data that is kept for a time with the usable capacity."""
    usable = plan.reading["usable_bytes"]
    if plan.situation.kept_s is None or not usable.is_known:
        return ()
    amount, room = (
        text("host_bytes", value, digits=3) for value in (kept_bytes(plan), float(usable.value))
    )
    if is_overfull(plan):
        return (f"Does not fit: {amount} kept, {room} usable.",)
    return (f"{amount} kept of {room} usable.",)
