"""The scenario on screen: widgets that every page shares, kept in the URL."""

import streamlit as st

from models.errors import DomainError
from models.units import DAY_S, GB, GIB, KIB, MB, MS, TB, US, YEAR_S
from planner.catalogue import Catalogue, find, load
from planner.catalogue.drive import Drive, own_drive, with_user_facts
from planner.catalogue.priors import assumptions, with_assumptions
from planner.quantity.show import complaint
from planner.scenario.array import Array, RaidLevel, parse_level
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.skew import PRESETS, classes_of
from planner.scenario.workload import Workload
from planner.sections.plan import Plan, plan

__all__ = [
    "MOST_DRIVES",
    "WRITES_GIB_PER_DAY",
    "catalogue",
    "chosen",
    "controls",
    "current",
    "plan_of",
    "take",
]

OWN_CAPACITY = 1000 * GB
WRITES = 10_000.0
EXAMPLE = "Samsung 845DC PRO 400 GB"
WRITES_GIB_PER_DAY = [
    mantissa * 10.0**power for power in range(6) for mantissa in (1, 1.5, 2, 3, 5, 7)
]  # fmt: skip
MOST_DRIVES = 60
SIZES_KIB = [4, 8, 16, 32, 64, 128, 256]
LAYOUTS = {
    "nothing, one log": Layout.ONE_LOG,
    "host writes and copies": Layout.HOST_GC,
    "hot and cold streams": Layout.STREAMS,
}
LEVELS = ["0", "1", "10", "5", "6", "ec:4+2", "ec:8+2", "ec:8+3", "ec:10+4"]
OWN = "Your own drive (describe it in the sidebar)"
KNOWN = {
    "capacity": ("User capacity [GB]", "user_bytes", GB),
    "raw": ("Raw flash [GiB]", "raw_bytes", GIB),
    "pe": ("Program/erase cycles", "pe_cycles", 1.0),
    "tbw": ("Rated TBW [TB]", "rated_bytes", TB),
    "warranty": ("Warranty [years]", "warranty_s", YEAR_S),
    "price": ("Price per drive [USD]", "price_usd", 1.0),
    "worst": ("Worst-case IOPS at queue depth 32", "worst_case_iops", 1.0),
    "pages": ("Pages per collection block", "pages_per_block", 1.0),
    "blocks": ("Collection blocks (superblocks)", "blocks", 1.0),
    "reserve": ("Collection blocks kept erased", "reserve", 1.0),
}
RATES = {
    "rr": ("Random reads, 4 KiB [IOPS]", "random_read_iops", 1.0),
    "fw": ("Random writes, fresh [IOPS]", "burst_write_iops", 1.0),
    "sw": ("Random writes, steady [IOPS]", "steady_write_iops", 1.0),
    "srd": ("Sequential reads [MB/s]", "sequential_read_bytes_per_s", MB),
    "swr": ("Sequential writes [MB/s]", "sequential_write_bytes_per_s", MB),
}
FLASH = {
    "dies": ("Dies", "dies", 1.0),
    "chan": ("Channels", "channels", 1.0),
    "page": ("Flash page [KiB]", "page_bytes", KIB),
    "block": ("Erase block [KiB]", "block_bytes", KIB),
    "tr": ("Page read [us]", "read_s", US),
    "tp": ("Page program [us]", "program_s", US),
    "te": ("Block erase [ms]", "erase_s", MS),
    "bus": ("Channel [MB/s]", "channel_bytes_per_s", MB),
}
FACTS = KNOWN | RATES | FLASH


@st.cache_resource
def catalogue() -> Catalogue:
    """Load the catalogue once."""
    return load()


def controls() -> None:
    """Draw the shared widgets; each keeps its value in the URL."""
    with st.container(border=True):
        what, writes, spare = st.columns([2, 2, 2])
        with what:
            st.selectbox(
                "Drive", _names(), index=_names().index(EXAMPLE), key="drive",
                bind="query-params", on_change=_forget_drive,
                help="Type to search by vendor, model or capacity.",
            )  # fmt: skip
            drives, raid = st.columns(2)
            drives.slider("Drives", 1, MOST_DRIVES, 12, key="drives", bind="query-params")
            raid.selectbox(
                "RAID level", LEVELS, index=3, key="raid", bind="query-params",
                help="ec: an erasure code of so many data and parity members.",
            )  # fmt: skip
        with writes:
            slider = st.empty()
            exact = st.number_input(
                "Exactly, in GiB per day to the whole array", 0.001, 1e7, WRITES, key="writes",
                bind="query-params", format="%0.10g",
            )  # fmt: skip
            st.session_state["writes_slider"] = min(
                WRITES_GIB_PER_DAY, key=lambda value: abs(value - exact)
            )
            slider.select_slider(
                "Host writes [GiB/day]", WRITES_GIB_PER_DAY, key="writes_slider",
                format_func=lambda value: f"{value:,.0f}" if value >= 10 else f"{value:g}",
                on_change=_take_slider,
            )  # fmt: skip
        with spare:
            st.slider(
                "Extra spare area [% left unpartitioned]", 0, 75, 0,
                key="spare", bind="query-params",
                help="Space never written, or trimmed, works as spare area.",
            )  # fmt: skip
            st.toggle(
                "Use labelled assumptions",
                key="assume",
                bind="query-params",
                help="For facts that the catalogue lacks; each is listed with its range.",
            )
    with st.sidebar:
        _array_widgets()
        _workload_widgets()
        _firmware_widgets()
        _drive_widgets()


def chosen() -> Drive:
    """Return the drive on screen as the catalogue knows it."""
    name = st.session_state["drive"]
    return own_drive(OWN_CAPACITY) if name == OWN else find(catalogue(), name)


def take(drive: Drive, array: Array, partition_fraction: float) -> None:
    """Put a drive in an array on screen, as a callback does before the page is drawn."""
    _forget_drive()
    level = array.name.partition(",")[0] if array.level is RaidLevel.EC else str(array.level)
    st.session_state.update(
        drive=drive.name,
        drives=array.members,
        raid=f"ec:{level}" if array.level is RaidLevel.EC else level,
        sets=array.sets,
        hot=array.hot_spares,
        spare=round(100 * (1 - partition_fraction)),
    )


def current() -> Plan:
    """Return the plan of the scenario on screen; a bad input stops with its sentence."""
    return plan_of(chosen(), known=True)


def plan_of(drive: Drive, *, known: bool = False) -> Plan:
    """Return the plan of one drive; `known` adds what the user entered about it."""
    state = st.session_state
    told = {name: state[name] if known else None for name in ("wa", "stall", "rating")}
    write_shares, page_shares = classes_of(state["skew"], capacity_bytes=drive.capacity_bytes)
    try:
        drive = _described(drive) if known else drive
        return plan(
            with_assumptions(drive) if state["assume"] else drive,
            Workload(
                host_bytes_per_s=state["writes"] * GIB / DAY_S,
                growth_per_year=state["growth"] / 100,
                rate_steps=_steps(),
                phase_in_s=state["phasein"] * YEAR_S / 12,
                read_fraction=state["reads"] / 100,
                transfer_bytes=state["size"] * KIB,
                sequential_fraction=state["sequential"] / 100,
                queue_depth=state["depth"],
                fill_fraction=state["fill"] / 100,
                write_shares=write_shares,
                page_shares=page_shares,
                trim_share=state["trim"] / 100,
                working_set_fraction=state["working"] / 100,
                measured_wa=told["wa"],
            ),
            array=Array(
                members=state["drives"],
                **parse_level("raid", state["raid"]),
                sets=state["sets"],
                hot_spares=state["hot"],
                member_stall_fraction=None if told["stall"] is None else told["stall"] / 100,
            ),
            partition_fraction=1 - state["spare"] / 100,
            rating_wa=told["rating"],
            firmware=Firmware(
                policy=Policy(state["policy"]),
                layout=LAYOUTS[state["layout"]],
                accuracy=state["accuracy"] / 100,
            ),
        )
    except DomainError as error:
        st.error(f"{drive.name}: {complaint(error, {})}")
        st.stop()


def _array_widgets() -> None:
    st.header("Array")
    sets, spares = st.columns(2)
    sets.number_input(
        "Sets of drives", 1, 12, 1, key="sets", bind="query-params",
        help="Equal sets with parity of their own, striped: RAID 50 and 60.",
    )  # fmt: skip
    spares.number_input(
        "Hot spares", 0, 12, 0, key="hot", bind="query-params",
        help="Of the drives, how many stand by.",
    )  # fmt: skip


def _workload_widgets() -> None:
    st.header("Workload")
    st.slider("Reads [% of operations]", 0, 100, 70, key="reads", bind="query-params")
    st.select_slider("Transfer size [KiB]", SIZES_KIB, 4, key="size", bind="query-params")
    st.slider("Sequential [% of operations]", 0, 100, 0, key="sequential", bind="query-params")
    st.slider("Queue depth per drive", 1, 256, 32, key="depth", bind="query-params")
    st.slider(
        "Fill [% of partition holding valid data]", 1, 100, 100, key="fill", bind="query-params"
    )
    st.selectbox("Skew of writes", PRESETS, key="skew", bind="query-params",
                 help="80/20: 80 % of the writes go to 20 % of the pages.")  # fmt: skip
    st.slider(
        "Working set [% of data ever rewritten]", 1, 100, 100, key="working", bind="query-params"
    )
    st.slider("TRIM [% of requests]", 0, 45, 0, key="trim", bind="query-params")
    st.slider("Growth of writes [%/year]", -50, 200, 0, key="growth", bind="query-params")
    factor, time = st.columns(2)
    factor.number_input(
        "Step of writes: factor", 0.01, 100.0, 1.0, key="stepx", bind="query-params",
        help="A merger or a migration multiplies the writes by this; 1 is no step.",
    )  # fmt: skip
    time.number_input("... after [years]", 0.0, 30.0, 2.0, 0.5, key="stepat", bind="query-params")
    st.slider(
        "Phase-in of writes [months]", 0, 60, 0, key="phasein", bind="query-params",
        help="The writes rise from none to their whole rate over this time.",
    )  # fmt: skip


def _steps() -> tuple[tuple[float, float], ...]:
    """Return the step of the writes; a factor of 1 is none."""
    factor, years = st.session_state["stepx"], st.session_state["stepat"]
    return () if factor == 1 else ((years * YEAR_S, factor),)


def _firmware_widgets() -> None:
    st.header("Firmware")
    st.caption("Seldom published; the write amplification screen shows the range.")
    st.selectbox(
        "Victim of garbage collection", [policy.value for policy in Policy], key="policy",
        bind="query-params",
    )  # fmt: skip
    st.selectbox(
        "Kept apart when written", list(LAYOUTS), key="layout", bind="query-params",
        help="Streams: as the host names them, by multi-stream or flexible data placement (FDP).",
    )  # fmt: skip
    st.slider(
        "Writes sent to the right stream [%]", 50, 100, 100, key="accuracy", bind="query-params",
        disabled=LAYOUTS[st.session_state["layout"]] is not Layout.STREAMS,
        help="How well hot and cold writes are told apart; counts with two streams.",
    )  # fmt: skip


def _drive_widgets() -> None:
    st.header("What you know of the drive")
    st.caption("Empty means: as the catalogue says.")
    _fact_widgets(KNOWN)
    _optional("Measured write amplification", "wa", 0.01, 1000.0, "by model")
    _optional("Write amplification of the rating workload", "rating", 0.01, 1000.0, "assumed")
    _optional("Time stalled by garbage collection [%]", "stall", 0.0, 100.0)
    with st.expander("Rates of the data sheet"):
        _fact_widgets(RATES)
    with st.expander("Flash, for the screen of speed"):
        _fact_widgets(FLASH)
    if st.session_state["drive"] == OWN and not st.session_state["capacity"]:
        st.warning("Your own drive has 1000 GB until you enter its user capacity above.")


def _fact_widgets(facts: dict[str, tuple[str, str, float]]) -> None:
    drive = chosen()
    for key, (label, quantity, unit) in facts.items():
        value = drive.value(quantity)
        known = "not in the catalogue" if value is None else f"{value / unit:.10g}"
        _optional(label, key, 0.001, 1e12, known)


def _optional(
    label: str, key: str, lowest: float, highest: float, placeholder: str = "unknown"
) -> None:
    st.number_input(
        label,
        lowest,
        highest,
        None,
        key=key,
        bind="query-params",
        placeholder=placeholder,
        format="%0.10g",
    )


def _described(drive: Drive) -> Drive:
    entered = {
        quantity: st.session_state[key] * unit
        for key, (_, quantity, unit) in FACTS.items()
        if st.session_state[key]
    }
    if "worst_case_iops" in entered:
        entered["saturated_queue_depth"] = 32.0
    return with_user_facts(drive, **entered)


def _names() -> list[str]:
    return [*(drive.name for drive in catalogue().drives.values()), OWN]


def _take_slider() -> None:
    st.session_state["writes"] = float(st.session_state["writes_slider"])


def _forget_drive() -> None:
    """Forget what was entered about the drive that was on screen before."""
    for key in (*FACTS, "rating", "wa", "stall"):
        st.session_state[key] = None


def offered(drive: Drive) -> list[str]:
    """List the assumptions on offer for what the catalogue lacks."""
    return [str(item) for item in assumptions(drive)]
