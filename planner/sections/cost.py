"""What does it cost, per byte kept and per byte written?"""

from models import cost
from planner.graph.nodes import Call, Leaf, Node

TOTAL = Call(
    "total_price_usd", cost.total_usd, {"price_usd": Leaf("price_usd"), "members": Leaf("members")}
)
WRITTEN = "Writes of the applications until the first of wear and rating."


def cost_nodes(usable_bytes: Node, array_limit_bytes: Node) -> dict[str, Node]:
    """Return the answers about the price of the drives and what it comes to per byte."""
    price_usd = Leaf("price_usd")

    def per_byte(key: str, price: Node, size: Node, note: str = "") -> Node:
        return Call(key, cost.usd_per_byte, {"price_usd": price, "size_bytes": size}, note)

    return {
        "total_price_usd": TOTAL,
        "price_per_user_byte": per_byte("price_per_user_byte", price_usd, Leaf("user_bytes")),
        "price_per_usable_byte": per_byte("price_per_usable_byte", TOTAL, usable_bytes),
        "price_per_written_byte": per_byte(
            "price_per_written_byte", TOTAL, array_limit_bytes, WRITTEN
        ),
    }


def per_usd_nodes(iops: Node, throughput: Node, rating: Node) -> dict[str, Node]:
    """Return rates per USD, as people compare drives: IOPS of all, bytes of one drive."""
    price = Leaf("price_usd")
    return {
        "iops_per_usd": Call(
            "iops_per_usd", cost.iops_per_usd, {"iops": iops, "price_usd": TOTAL}
        ),
        "throughput_bytes_per_s_per_usd": Call(
            "throughput_bytes_per_s_per_usd", cost.throughput_bytes_per_s_per_usd,
            {"throughput_bytes_per_s": throughput, "price_usd": price},
        ),
        "written_bytes_per_usd": Call(
            "written_bytes_per_usd", cost.written_bytes_per_usd,
            {"limit_bytes": rating, "price_usd": price},
        ),
    }  # fmt: skip
