"""Causes of a loss of data with their probabilities: of the whole array, of a sector."""

from collections.abc import Iterator
from typing import NamedTuple

from models import failures
from planner.graph.answer import Answer, given
from planner.graph.arithmetic import arithmetic
from planner.quantity.show import RARE_ODDS, odds, text
from planner.scenario.array import Array
from planner.sections.data_loss import DataLoss

FAILED, WORN_OUT, UNREADABLE = (
    f"array_{cause}_loss_probability" for cause in ("failed", "wear_out", "unreadable")
)
UNREAD = "A sector cannot be read when no redundancy is left to replace it"


class LossCause(NamedTuple):
    """One event with its probability, and its share of all losses; 0 where no data is lost."""

    event: str
    answer: Answer
    share: float = 0.0

    @property
    def line(self) -> str:
        """Arithmetic of the probability of one group; empty where there is none."""
        of_group = next(iter(self.answer.inputs.values()), self.answer)
        return arithmetic(of_group).text

    def __str__(self) -> str:
        """Describe the event with its odds, and its share where it is a loss that is not rare."""
        chance = text(self.answer.key, float(self.answer.value))
        of_all = f", {_percent(self.share)} of all losses" if self.share else ""
        return f"{self.event}: {chance}{of_all}"


class LossKind(NamedTuple):
    """A loss of one kind within the horizon, its probability, and the events on the way to it."""

    name: str
    probability: float
    causes: tuple[LossCause, ...]

    def __str__(self) -> str:
        """Name the loss with its odds."""
        return f"{self.name}: {odds(self.probability)}"


def loss_kinds(loss: DataLoss) -> tuple[LossKind, ...]:
    """Split the probability of data loss by what is lost and by its causes.

    Nothing is listed where the drives wear out too often for a probability.

    >>> from planner.sections.data_loss import data_loss
    >>> from planner.sections.request import plan_of
    >>> mirror = plan_of("870 EVO 1TB", writes="30 GB/day", drives=2, raid=1)
    >>> for kind in loss_kinds(data_loss(mirror)):
    ...     print(kind)
    Loss of the whole array within 5 years: below 1 in 1,000,000
    Loss of a sector in a rebuild within 5 years: 1 in 2,100
    """
    if not loss["array_loss_probability"].is_known:
        return ()
    values = {key: float(loss[key].value) for key in (FAILED, WORN_OUT, UNREADABLE)}
    total = sum(values.values())
    within = f"within {text('horizon_s', loss.risk.horizon_s, digits=3)}"
    array = loss.plan.array
    most, whole = array.tolerated_failures, values[FAILED] + values[WORN_OUT]

    def cause(event: str, key: str) -> LossCause:
        return LossCause(event, loss[key], values[key] / total if total >= RARE_ODDS else 0.0)

    event = f"{_of_group(array, most + 1)}, the data is lost" if most else "A drive failed"
    worn = "Drives worn out together" if array.working > 1 else "The drive worn out"
    causes = (*_survived(loss), cause(event, FAILED), cause(worn, WORN_OUT))
    name = "the whole array" if array.working > 1 else "the drive"
    kinds = [LossKind(f"Loss of {name} {within}", min(whole, 1.0), causes)]
    if most:
        sector = (cause(UNREAD, UNREADABLE),)
        kinds.append(
            LossKind(f"Loss of a sector in a rebuild {within}", values[UNREADABLE], sector)
        )
    return tuple(kinds)


def _of_group(array: Array, failed: int) -> str:
    of_group = " of a group" if array.groups > 1 else ""
    at_once = " at once" if failed > 1 else ""
    return f"{failed} of {array.group_members} drives{of_group} failed{at_once}"


def _survived(loss: DataLoss) -> Iterator[LossCause]:
    """Yield the numbers of drives failed at once that the layout survives, with their odds."""
    of_group, of_any = (
        loss.reading[key] for key in ("failed_loss_probability", "array_failed_loss_probability")
    )
    array = loss.plan.array
    for failed in range(1, array.tolerated_failures + 1):
        changes = {"parities": failed - 1.0, "unreadable_probability": 0.0}
        arguments = {**of_group.arguments, **changes}
        value = failures.loss_probability_parts(**arguments).failed
        inputs = {name: given(of_group.inputs[name].key, change, source="definition")
                  for name, change in changes.items()}  # fmt: skip
        one = Answer(
            key=of_group.key, value=value, formula=of_group.formula, part=of_group.part,
            inputs={**of_group.inputs, **inputs}, arguments=arguments,
        )  # fmt: skip
        within = {**of_any.arguments, "loss_probability": value}
        answer = Answer(
            key=of_any.key, value=failures.any_loss_probability(**within), formula=of_any.formula,
            inputs={**of_any.inputs, "loss_probability": one}, arguments=within,
        )  # fmt: skip
        yield LossCause(f"{_of_group(array, failed)}, survived", answer)


def _percent(share: float) -> str:
    if share < 0.01:
        return "below 1 %"
    return "over 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"
