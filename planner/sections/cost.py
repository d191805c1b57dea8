"""What does it cost, per byte kept and per byte written?"""

from models import cost
from planner.graph.nodes import Call, Leaf, Node

WRITTEN = "Writes of the applications until the first of wear and rating."


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
