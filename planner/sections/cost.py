"""What does it cost, per byte kept and per byte written?"""

from dataclasses import dataclass

from models import cost
from planner.catalogue.drive import Drive
from planner.catalogue.facts import stated
from planner.graph.answer import Answer, figure

__all__ = ["Cost", "price"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Prices per byte; dated, because prices are."""

    total_price_usd: Answer
    per_user_byte: Answer
    per_usable_byte: Answer
    per_written_byte: Answer

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Every answer, in the order in which people read them."""
        return (
            self.total_price_usd,
            self.per_user_byte,
            self.per_usable_byte,
            self.per_written_byte,
        )


def price(
    drive: Drive, *, members: Answer, usable_bytes: Answer, array_limit_bytes: Answer
) -> Cost:
    """Return what a drive's price comes to per byte."""
    price_usd = stated(drive, "price_usd")
    total = figure("total_price_usd", cost.total_usd, price_usd=price_usd, members=members)
    return Cost(
        total_price_usd=total,
        per_user_byte=figure(
            "price_per_user_byte",
            cost.usd_per_byte,
            price_usd=price_usd,
            size_bytes=stated(drive, "user_bytes"),
        ),
        per_usable_byte=figure(
            "price_per_usable_byte", cost.usd_per_byte, price_usd=total, size_bytes=usable_bytes
        ),
        per_written_byte=figure(
            "price_per_written_byte",
            cost.usd_per_byte,
            "Writes of the applications until the first of wear and rating.",
            price_usd=total,
            size_bytes=array_limit_bytes,
        ),
    )
