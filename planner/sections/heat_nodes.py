"""Energy per byte, idle states and temperatures of one drive, as nodes."""

from functools import cache

from models import energy, heat
from planner.graph.nodes import Argument, Call, Const, Fields, FirstKnown, Graph, Leaf, Node, Part

COOL_K = 5.0  # above the temperature at idle, at which a drive counts as cool
ENERGY = (
    "writing_j_per_byte", "reading_j_per_byte", "written_bytes_per_j", "read_bytes_per_j",
)  # fmt: skip
IDLE = (
    "awake_power_w", "light_power_w", "deep_power_w", "light_fraction", "deep_fraction",
    "mean_idle_power_w", "light_wake_s", "deep_wake_s", "mean_wake_s", "battery_s",
)  # fmt: skip
ASLEEP = frozenset(IDLE) - {"awake_power_w"}  # of drives that sleep
HEAT = (
    "air_k", "air_k_per_w", "idle_body_k", "steady_body_k", "steady_controller_k", "limit_k",
    "throttling_s", "sustained_power_w", "full_speed_fraction", "sustained_write_bytes_per_s",
    "cooling_s",
)  # fmt: skip
_WRITING, _AWAKE, _LIMIT = Leaf("write_power_w"), Leaf("awake_power_w"), Leaf("limit_k")
_LINK, _SHARE = Leaf("link_k_per_w"), Leaf("controller_fraction")
_SLOWER = Leaf("throttled_rate_ratio")
_WRITES, _READS = Leaf("sequential_write_bytes_per_s"), Leaf("sequential_read_bytes_per_s")


@cache
def heat_graph() -> Graph:
    """Return every answer on energy, idle states and heat."""
    every = {**_energy(), **_idle(), **_heat()}
    return Graph({name: every[name] for name in (*ENERGY, *IDLE, *HEAT)})


def _energy() -> dict[str, Node]:
    """Return energy per byte moved in sequence, and bytes per joule."""
    reading = FirstKnown(
        "read_power_w:any",
        (Leaf("read_power_w", overrides=True),
         Call("read_power_w:share", energy.reading_power_w,
              {"write_power_w": _WRITING, "read_power_ratio": Leaf("read_power_ratio")})),
    )  # fmt: skip
    sides = (("writing", "written", _WRITING, _WRITES), ("reading", "read", reading, _READS))
    nodes: dict[str, Node] = {}
    for doing, done, power, rate in sides:
        inputs: dict[str, Argument] = {"active_power_w": power, "throughput_bytes_per_s": rate}
        for key, formula in (
            (f"{doing}_j_per_byte", energy.moved_j_per_byte),
            (f"{done}_bytes_per_j", energy.bytes_per_j),
        ):
            nodes[key] = Call(key, formula, inputs)
    return nodes


def _idle() -> dict[str, Node]:
    """Return the residency of the states of sleep, mean power, wake-up and hours on battery."""
    shares = {
        f"{state}_fraction": Call(
            f"{state}_fraction", energy.asleep_fraction,
            {"transition_s": Leaf(f"{state}_transition_s"), "mean_gap_s": Leaf("mean_gap_s")},
        )
        for state in ("light", "deep")
    }  # fmt: skip
    own = {name: Leaf(name) for name in IDLE if name.endswith(("power_w", "light_wake_s"))}
    wakes = {name: Leaf(name) for name in ("light_wake_s", "deep_wake_s")}
    mean = Call(
        "mean_idle_power_w", energy.mean_idle_power_w,
        {"idle_power_w": _AWAKE, "light_power_w": own["light_power_w"],
         "deep_power_w": own["deep_power_w"], **shares},
    )  # fmt: skip
    return {
        **{name: own[name] for name in ("light_power_w", "deep_power_w")},
        "awake_power_w": _AWAKE,
        **wakes,
        **shares,
        "mean_idle_power_w": mean,
        "mean_wake_s": Call("mean_wake_s", energy.mean_wake_s, {**wakes, **shares}),
        "battery_s": Call("battery_s", energy.battery_s,
                          {"battery_j": Leaf("battery_j"), "power_w": mean}),
    }  # fmt: skip


def _heat() -> dict[str, Node]:
    """Return temperatures under writes without end, throttling, and cooling down."""
    air = Call("air_k", heat.warmer_k, {"air_k": Leaf("room_k"), "rise_k": Leaf("air_rise_k")})
    to_air = Call(
        "air_k_per_w", heat.air_k_per_w,
        {name: Leaf(name) for name in ("still_k_per_w", "airflow_m_per_s", "airflow_gain")},
    )  # fmt: skip
    thermal = Fields(
        heat.ThermalNodes,
        {"controller_j_per_k": Leaf("controller_j_per_k"), "body_j_per_k": Leaf("body_j_per_k"),
         "link_k_per_w": _LINK, "air_k_per_w": to_air, "controller_fraction": _SHARE},
    )  # fmt: skip
    around: dict[str, Argument] = {"air_k": air, "thermal": thermal}
    idle, full = (
        Call(f"start:{name}", heat.steady_temperatures, {"power_w": power, **around})
        for name, power in (("idle", _AWAKE), ("writing", _WRITING))
    )
    body = Part("idle_body_k", idle, "body_k")
    rise: dict[str, Argument] = {"link_k_per_w": _LINK, "controller_fraction": _SHARE}
    hot = Call(
        "controller_k:hot", heat.warmer_k,
        {"air_k": _LIMIT,
         "rise_k": Call("rise_k:controller", heat.controller_rise_k,
                        {"power_w": _WRITING, **rise})},
    )  # fmt: skip
    cold_start, hot_start = (
        Fields(heat.NodeTemperatures, {"controller_k": controller, "body_k": at})
        for controller, at in (
            (Part("controller_k:idle", idle, "controller_k"), body), (hot, _LIMIT)
        )
    )  # fmt: skip
    slow = Call(
        "throttled_power_w", heat.throttled_power_w,
        {"full_power_w": _WRITING, "idle_power_w": _AWAKE, "throttled_rate_ratio": _SLOWER},
    )  # fmt: skip
    mean = Call("mean_body_k", heat.mean_body_k,
                {"limit_k": _LIMIT, "hysteresis_k": Leaf("hysteresis_k")})  # fmt: skip
    powers: dict[str, Argument] = {"full_power_w": _WRITING, "throttled_power_w": slow}
    sustained = Call(
        "sustained_power_w", heat.sustained_power_w,
        {**powers, "mean_body_k": mean, "air_k": air, "air_k_per_w": to_air},
    )  # fmt: skip
    share = Call("full_speed_fraction", heat.full_speed_fraction,
                 {"sustained_power_w": sustained, **powers})  # fmt: skip
    cool = Call("cool_k", heat.warmer_k, {"air_k": body, "rise_k": Const("rise_k:cool", COOL_K)})
    return {
        "air_k": air,
        "air_k_per_w": to_air,
        "idle_body_k": body,
        "steady_body_k": Part("steady_body_k", full, "body_k"),
        "steady_controller_k": Part("steady_controller_k", full, "controller_k"),
        "limit_k": _LIMIT,
        "throttling_s": Call("throttling_s", heat.throttling_s,
                             {"limit_k": _LIMIT, "power_w": _WRITING, "start": cold_start,
                              **around}),
        "sustained_power_w": sustained,
        "full_speed_fraction": share,
        "sustained_write_bytes_per_s": Call(
            "sustained_write_bytes_per_s", heat.sustained_bytes_per_s,
            {"throughput_bytes_per_s": _WRITES, "full_speed_fraction": share,
             "throttled_rate_ratio": _SLOWER},
        ),
        "cooling_s": Call("cooling_s", heat.cooling_s,
                          {"limit_k": cool, "power_w": _AWAKE, "start": hot_start, **around}),
    }  # fmt: skip
