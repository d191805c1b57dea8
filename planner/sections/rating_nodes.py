"""Rating of a plan's own workload as nodes of its graph, and what that workload may write by it."""

from models import endurance, rating
from planner.graph.nodes import Argument, Call, Leaf, Named, Node, When
from planner.sections.structure import Structure
from planner.sections.write_amplification import factory_wa, milder_wa
from planner.sections.write_factors import MILDER_UNIT_FACTOR, RATING_UNIT_FACTOR, UNIT, UNIT_FACTOR

BETWEEN = (
    "Between the two printed ratings by write amplification: each share of the writes uses up its "
    "own rating."
)
HARDER = Leaf("harder_rated_bytes", overrides=True)
FIRST = Leaf("first_rated_bytes", overrides=True)
_MILDER = Leaf("milder_rated_bytes", overrides=True)
_MILDER_SEQUENTIAL = Leaf("milder_sequential_fraction", overrides=True)


def own_rating(wa: Node, structure: Structure) -> tuple[Node, ...]:
    """Return the ways to the rating of a workload, known of drives with several ratings alone."""

    def between(way: str, here: Node, harder: Node, milder: Node) -> Node:
        inputs: dict[str, Argument] = {
            "wa": here, "harder_rated_bytes": HARDER, "harder_wa": harder,
            "milder_rated_bytes": _MILDER, "milder_wa": milder,
        }  # fmt: skip
        return Call(f"rated_bytes:{way}", rating.rating_between_bytes, inputs, BETWEEN)

    by_wa = between("between", wa, factory_wa(structure), milder_wa(structure))
    by_size = between("by size of writes", UNIT_FACTOR, RATING_UNIT_FACTOR, MILDER_UNIT_FACTOR)
    both_random = When(_MILDER_SEQUENTIAL, When(UNIT, by_size), (0.0,))
    ways = (When(_MILDER, by_wa), both_random, Named("rated_bytes:printed", HARDER))
    return tuple(When(HARDER, way) for way in ways)


def own_limit(own: Node, wa: Node, structure: Structure, credit: Node) -> tuple[Node, ...]:
    """Return the ways from the own rating to a limit: less for writes harder than any rating.

    The model counts where the flash is known, else the units of the map that writes touch.
    """

    def harder(way: str, here: Node, rated: Node) -> Node:
        inputs: dict[str, Argument] = {
            "rated_bytes": own, "rating_wa": rated, "workload_wa": here,
        }  # fmt: skip
        by = Call(f"rated_limit_bytes:{way}", endurance.effective_tbw_bytes, inputs)
        return When(here, by, least=rated)

    by_model = harder("harder writes", wa, factory_wa(structure))
    by_size = harder("smaller writes", UNIT_FACTOR, RATING_UNIT_FACTOR)
    ways = (When(credit, by_model), When(UNIT, by_size), own)
    return tuple(When(HARDER, way) for way in ways)
