"""Results of the samples in sentences."""

from planner.quantity.show import text
from planner.search.uncertainty.answer import LIFE, Chance, Uncertain


def sentences(known: Uncertain, horizon_s: float, target: float | None = None) -> list[str]:
    """Describe the probabilities of life and speed, and the limit that comes first."""
    life = known.chance(LIFE, at_least=horizon_s)
    lines = [
        "Life by endurance: missing"
        if not life.is_known
        else f"Life by endurance is at least {text(LIFE, horizon_s)} with a probability of "
        f"{_percent(life)}."
    ]
    if target is not None:
        iops = known.chance("budget_iops", at_least=target)
        lines.append(
            "Array IOPS budget: missing"
            if not iops.is_known
            else f"The IOPS budget is at least {target:,.0f} with a probability of "
            f"{_percent(iops)}."
        )
    first = ", ".join(f"{limit} {100 * share:.1f} %" for limit, share in known.binding.items())
    return [*lines, f"What ends it first: {first}."] if first else lines


def _percent(chance: Chance) -> str:
    return f"{100 * chance.value:.1f} % (standard error {100 * chance.error:.2f} %)"
