"""What is it worth to write each kind of data to blocks of its own: by FDP, streams or zones?"""

import math
from collections.abc import Callable, Mapping

from models import calibration, wear_levelling, write_amplification
from planner.graph.nodes import Call, Const, FirstKnown, Leaf, Node, When
from planner.sections.structure import Structure
from planner.sections.write_amplification import measured, separated_wa, wa_band
from planner.sections.write_factors import UNITS

SPLIT = (
    "Sequential writes and data of every temperature in blocks of their own, at most eight kinds: "
    "the host names them (FDP, streams). Victims are selected among all blocks; what that is worth "
    "depends on the rule, which no data sheet prints: typically the geometric mean of greedy "
    "collection and of the best of ten blocks, at best and at worst of these and cost-benefit."
)
WORTH = "What uniform random writes would need for the same, collected greedily."
# Write amplification of the plan and with kinds of data apart, and the life then.
PLACED = (
    "placement_wa", "separated_wa", "separated_ratio", "least_separated_ratio",
    "most_separated_ratio", "separated_wear_life_s",
)  # fmt: skip
_ABOVE_ONE = Const("wa:above one", math.nextafter(1.0, 2.0))
_EVEN = Const("even_efficiency", 1.0, "definition", "Assumed: all blocks wear alike.")


def placement_nodes(
    wear_left: Node, wa: Node, life: Callable[[str, Node], Node], structure: Structure
) -> dict[str, Node]:
    """Return write amplification and life with each kind of data apart.

    `wear_left` are the host writes that the flash still bears at write amplification `wa`. Where
    that was measured, it changes by what the model says of placement.
    """
    now, counted = FirstKnown("placement_wa", (wa,)), measured(structure)
    modelled = wa_band(structure)["typical_wa"]

    def separated(key: str, modelled_wa: Node) -> Node:
        by_model = {"modelled_wa": modelled_wa, "reference_wa": modelled}
        followed = Call(
            f"{key}:followed", calibration.followed_wa, {"measured_wa": counted, **by_model}, SPLIT
        )
        return FirstKnown(key, (When(counted, followed), modelled_wa))

    low, typical, high = (
        separated(key, node) for key, node in separated_wa(structure).items()
    )  # fmt: skip

    def over(key: str, of: Node, reference: Node) -> Call:
        return Call(key, write_amplification.wa_ratio, {"wa": of, "reference_wa": reference}, SPLIT)

    limit = Call(
        "separated_wear_limit_bytes",
        wear_levelling.uneven_limit_bytes,
        {"wear_limit_bytes": wear_left, "levelling_efficiency": _EVEN,
         "placement_ratio": over("separated_wear_ratio", typical, wa)},
    )  # fmt: skip
    return {
        "placement_wa": now,
        "separated_wa": typical,
        "separated_ratio": over("separated_ratio", typical, now),
        "least_separated_ratio": over("least_separated_ratio", low, now),
        "most_separated_ratio": over("most_separated_ratio", high, now),
        "separated_wear_life_s": life("separated_wear_life_s", limit),
    }


def worth_nodes(of: Mapping[str, Node]) -> dict[str, Node]:
    """Build the spare area that uniform writes would need for as much, and that over what is hot.

    `of` are the answers of a plan.
    """
    if "separated_wa" not in of:
        return {}
    separated = of["separated_wa"]
    by_age = Call("worth_op_ratio:fifo", write_amplification.fifo_op_ratio,
                  {"wa": separated}, WORTH)  # fmt: skip
    greedy = Call("worth_op_ratio:greedy", write_amplification.greedy_op_ratio,
                  {"wa": separated, "pages_per_block": UNITS}, WORTH)  # fmt: skip
    ways = (When(separated, by_age, least=UNITS), greedy, by_age)
    return {
        "worth_op_ratio": When(
            separated, FirstKnown("worth_op_ratio:any", ways), least=_ABOVE_ONE
        ),
        "rewritten_op_ratio": Call(
            "rewritten_op_ratio", write_amplification.static_op_ratio,
            {"op_ratio": of["cleaning_op_ratio"],
             "dynamic_fraction": Leaf("dynamic_fraction")},
        ),
    }  # fmt: skip
