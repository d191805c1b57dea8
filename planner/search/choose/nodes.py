"""Clusters: nodes of equal drives that keep copies or coded chunks of data on each other."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from models import pools
from models.errors import DomainError
from planner.quantity.input import InputError
from planner.quantity.inputs import CLUSTER, INPUTS
from planner.quantity.keep import Keep, Place
from planner.scenario.array import Array, parse_level
from planner.sections.data_loss import DataLoss
from planner.sections.kept import keep_of
from planner.sections.plan import PlanReading

NOTES = (
    (
        "Copies and chunks are each on a node of its own. What lost nodes held is made again on "
        "the others, which stay below the fill limit, as long as there is one for each chunk; "
        "further chunks wait until a node is back."
    ),
    (
        "Loss of data is a lower bound: drives fail on whatever nodes and are made again as fast "
        "as drives allow, though a slower network takes longer, and nodes that fail come back "
        "with their drives. Metadata of the store is not counted."
    ),
)
OF_NODES = tuple(name for name in CLUSTER if name != "nodes")
OF_ARRAYS = ("raid", "sets", "hot_spares", "no_redundancy")  # of which clusters have none
COPIES = "3"


def kept_texts(texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return texts whose `keep` is read as nodes and copies, a code, or a level of an array.

    >>> kept_texts({"keep": "3 copies on 5 hosts"})
    {'nodes': '5', 'replicas': '3'}
    >>> kept_texts({"keep": "mirror"}), kept_texts({"keep": "single"})
    ({'raid': '1'}, {'drives': '1', 'no_redundancy': 'true'})
    """
    left, keep = dict(texts), keep_of(texts)
    if left.pop("keep", None) in (None, "") or keep is None:
        return left
    read = _reading_of(keep)
    for name in read:
        if str(left.get(name) or "").lower() not in ("", "false", INPUTS[name].default, "1-24"):
            why = f"must agree with keep, got {name} '{left[name]}' and keep '{keep.written}'"
            raise InputError(INPUTS[name], why)
    return left | read


def _reading_of(keep: Keep) -> dict[str, str]:
    """Return the inputs of a choice that `keep` sets."""
    if keep.place is Place.HOSTS:
        chunks = keep.data_members + keep.parity_members
        code = {"ec": f"{keep.data_members}+{keep.parity_members}"}
        return {"nodes": f"{keep.hosts}"} | (
            {"replicas": f"{chunks}"} if keep.data_members == 1 else code
        )
    if keep.place is Place.SCRATCH:
        return {"no_redundancy": "true"}
    if keep.level == "0":
        return {"drives": "1", "no_redundancy": "true"}
    return {"raid": keep.level}


class Nodes(NamedTuple):
    """Numbers of nodes and codes to try, and the number of lost nodes that must be rebuilt."""

    counts: tuple[int, ...]
    codes: tuple[str, ...]
    lost: int
    fill_limit: float
    link_bytes_per_s: float

    def arrays(self, members: tuple[int, ...]) -> Iterator[Array]:
        """Return the clusters that are possible, by code, nodes and drives of a node."""
        for code in self.codes:
            data, parities = _chunks(code)
            for nodes in self.counts:
                if nodes < data + parities:
                    continue  # each chunk is on a node of its own
                for each in members:
                    yield Array.of_nodes(
                        nodes, each, data_members=data, parity_members=parities,
                        lost_nodes=self.lost, fill_limit=self.fill_limit,
                    )  # fmt: skip


def nodes_of(texts: Mapping[str, Any]) -> Nodes | None:
    """Read what is asked of nodes; None where a choice is one of single arrays.

    >>> nodes_of({"nodes": "6-8", "ec": "4+2"})[:4]
    ((6, 7, 8), ('ec:4+2',), 1, 0.85)
    """
    if texts.get("nodes") is None:
        stray = next((name for name in OF_NODES if texts.get(name) not in _unsaid(name)), None)
        if stray is not None:
            raise InputError(INPUTS[stray], f"applies to nodes: it needs {INPUTS['nodes'].option}")
        return None
    if texts.get("replicas") is not None and texts.get("ec") is not None:
        raise InputError(INPUTS["ec"], f"and {INPUTS['replicas'].option} exclude each other")
    lost, limit = (_value(texts, name) for name in ("survive", "fill_limit"))
    codes = _codes(texts)
    most = max(_chunks(code)[1] for code in codes)
    if lost > most:
        raise InputError(INPUTS["survive"], f"must be at most {most}, so that data is left, "
                         f"got {lost}")  # fmt: skip
    kept = [code for code in codes if _chunks(code)[1] >= lost]
    counts = INPUTS["nodes"].values(texts["nodes"])
    fewest = min(sum(_chunks(code)) for code in kept)
    if max(counts) < fewest:
        raise InputError(INPUTS["nodes"], f"must be at least {fewest}, one for each copy or chunk, "
                         f"got {max(counts)}")  # fmt: skip
    return Nodes(
        counts=counts,
        codes=tuple(kept),
        lost=lost,
        fill_limit=limit,
        link_bytes_per_s=_value(texts, "network"),
    )


def _chunks(code: str) -> tuple[int, int]:
    """Return the data and parity chunks of a code."""
    layout = parse_level("code", code)
    return layout["data_members"], layout["parity_members"]


def _unsaid(name: str) -> tuple[str | None, ...]:
    return (None, "", INPUTS[name].default)


def _value(texts: Mapping[str, Any], name: str) -> Any:
    return INPUTS[name].value(texts.get(name) or INPUTS[name].default)


def _codes(texts: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the codes that are tried; copies are codes of one data chunk."""
    if texts.get("ec") is not None:
        return tuple(_code(part) for part in INPUTS["ec"].values(texts["ec"]))
    copies = INPUTS["replicas"].values(texts.get("replicas") or COPIES)
    return tuple(f"ec:1+{count - 1}" for count in copies)


def _code(written: str) -> str:
    try:
        parse_level("ec", f"ec:{written.removeprefix('ec:')}")
    except DomainError:
        why = f"must be data and parity chunks such as 4+2, got '{written}'"
        raise InputError(INPUTS["ec"], why) from None
    return f"ec:{written.removeprefix('ec:')}"


class NodesAnswer(NamedTuple):
    """Nodes of a plan, the space that they reserve, and what it takes to make one of them again.

    `drive_rebuild_s` is that of one drive, by drives and network, which loss of data leaves out.
    A lost node is not made again where no other is left for its chunks; times are None then, and
    where the drive's rates are unknown. The bytes on the network are those that all nodes receive.
    """

    nodes: int
    drives_per_node: int
    code: str
    reserve_nodes: int
    fill_limit: float
    raw_bytes: float
    reserved_bytes: float
    near_full_fraction: float
    held_bytes_per_node: float
    rebuild_network_bytes: float
    rebuild_bytes_per_drive: float
    node_rebuild_s: float | None
    drive_rebuild_s: float | None


def nodes_answer(plan: PlanReading, lost: DataLoss, nodes: Nodes) -> NodesAnswer:
    """Return the answers on the nodes of a cluster, with half of drives and network busy."""
    array = plan.array
    count, data = array.nodes or 1, array.data_members or 1
    drives = array.members // count
    member = float(plan.reading["member_bytes"].value)
    usable = float(plan["usable_bytes"].value)
    reserve = array.reserve_nodes
    held = usable * array.stripe_members / data / count
    return NodesAnswer(
        nodes=count,
        drives_per_node=drives,
        code=array.name.split(" on ")[0],
        reserve_nodes=reserve,
        fill_limit=array.fill_limit,
        raw_bytes=member * array.members,
        reserved_bytes=member * (reserve * drives + count * array.node_spares),
        near_full_fraction=pools.warning_fraction(
            array.fill_limit, cluster_nodes=count, reserve_nodes=reserve
        )
        * (drives - array.node_spares)
        / drives,
        held_bytes_per_node=held,
        rebuild_network_bytes=pools.node_rebuild_network_bytes(held, data_members=data),
        rebuild_bytes_per_drive=held / max(1, (count - 1) * drives),
        node_rebuild_s=_node_rebuild_s(lost, nodes, array, held) if reserve else None,
        drive_rebuild_s=_node_rebuild_s(lost, nodes, array, held / drives) if reserve else None,
    )


def _node_rebuild_s(lost: DataLoss, nodes: Nodes, array: Array, held_bytes: float) -> float | None:
    """Return the time until the other nodes have made again what a lost one held."""
    if not lost["rebuild_s"].is_computed or array.nodes is None:
        return None
    of_drive = {name: float(value) for name, value in lost["rebuild_s"].arguments.items()}
    busy = of_drive["rebuild_fraction"] * array.members / array.nodes
    return pools.node_rebuild_s(
        held_bytes,
        cluster_nodes=array.nodes,
        data_members=of_drive["data_members"],
        node_link_bytes_per_s=of_drive["rebuild_fraction"] * nodes.link_bytes_per_s,
        node_read_bytes_per_s=busy * of_drive["member_read_bytes_per_s"],
        node_write_bytes_per_s=busy * of_drive["member_write_bytes_per_s"],
    )
