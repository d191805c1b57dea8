"""What does it cost, per byte kept and per byte written?"""

from dataclasses import dataclass

from models import cost
from planner.graph.answer import Answer
from planner.graph.nodes import Call, Leaf, Node
from planner.graph.reading import Reading

WRITTEN = "Writes of the applications until the first of wear and rating."


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Prices per byte; dated, because prices are."""

    total_price_usd: Answer
    per_user_byte: Answer
    per_usable_byte: Answer
    per_written_byte: Answer


def cost_nodes(usable_bytes: Node, array_limit_bytes: Node) -> dict[str, Node]:
    """Return the answers about the price of the drives and what it comes to per byte."""
    price_usd = Leaf("price_usd")
    total = Call(
        "total_price_usd", cost.total_usd, {"price_usd": price_usd, "members": Leaf("members")}
    )

    def per_byte(key: str, price: Node, size: Node, note: str = "") -> Node:
        return Call(key, cost.usd_per_byte, {"price_usd": price, "size_bytes": size}, note)

    return {
        "total_price_usd": total,
        "price_per_user_byte": per_byte("price_per_user_byte", price_usd, Leaf("user_bytes")),
        "price_per_usable_byte": per_byte("price_per_usable_byte", total, usable_bytes),
        "price_per_written_byte": per_byte(
            "price_per_written_byte", total, array_limit_bytes, WRITTEN
        ),
    }


def price(reading: Reading) -> Cost:
    """Read the price of a drive, in total and per byte, from a reading."""
    return Cost(
        total_price_usd=reading["total_price_usd"],
        per_user_byte=reading["price_per_user_byte"],
        per_usable_byte=reading["price_per_usable_byte"],
        per_written_byte=reading["price_per_written_byte"],
    )
