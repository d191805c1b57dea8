"""Every input, one row each: name, field, how text is read, range, default and help.

Options, links, widgets, cells, scenario files, script arguments and uncertain inputs are made from
these rows, so that a name means the same on every face. Where `field` is a quantity of the
nomenclature, label, unit and meaning come from there.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from models.nomenclature import QUANTITIES
from planner.quantity import bounds
from planner.quantity.bounds import ANY, CHANCE, FRACTION, SHARE, Bounds
from planner.quantity.drive_facts import FACT_BOUNDS
from planner.quantity.input import (
    Former,
    Input,
    block,
    choice,
    day,
    exchange_rate,
    fact,
    flag,
    interval,
    keep,
    level,
    link_rate,
    number,
    part,
    probability,
    quantity,
    rate,
    rate_range,
    reading,
    share,
    size,
    skew,
    step,
    temperature,
    time,
    whole,
    words,
)
from planner.quantity.parse import parse_fraction


def _rest(text: str) -> str:
    """Return the complement of a share: partition=75% is spare=25%."""
    return f"{100 * (1 - parse_fraction('partition', text)):.12g}%"


_PLACEMENTS = {
    "nothing, one log": "one-log",
    "host writes and copies": "host-gc",
    "hot and cold streams": "streams",
}


def _by_default(_: str) -> str:
    """Return the value of `known_only` that the former `assume` stands for, now the default."""
    return "false"


def _was(*names: str) -> tuple[Former, ...]:
    return tuple(Former(name) for name in names)


_ROWS = (
    # The workload
    Input("writes", "host_bytes_per_s", rate, "50 GiB/day", bounds.WRITES,
          'Host writes to the whole array: 50GiB/day, 0.3DWPD, "32 cameras x 6 Mbit/s", "35 TB '
          'in 270 days"; 0 for none.',
          may_vary=True),
    Input("writes_between", "host_bytes_ends", rate_range, None, bounds.WRITES,
          "Least and most host writes, if they are known as a range; --writes is the typical rate.",
          "20GB/day..80GB/day", unit="GiB/day", title="Host writes, least and most"),
    Input("growth", "growth_per_year", share, "0%", bounds.GROWTH,
          "Growth of writes per year.", may_vary=True),
    Input("step", "rate_steps", step, None, bounds.STEP,
          'A step change of the writes, "x1.5 after 2 years"; may be given up to 6 times.',
          title="Steps of the writes", is_repeatable=True,
          also=tuple(f"step_{n}_{what}" for n in range(1, 7) for what in ("s", "factor"))),
    Input("phase_in", "phase_in_s", time, None, bounds.COURSE,
          "Time over which the writes rise linearly from zero.", "6 months", may_vary=True,
          links=_was("phasein")),
    Input("reads", "read_fraction", share, "70%", FRACTION, "Share of operations that are reads.",
          may_vary=True, formerly=_was("read_share")),
    Input("size", "transfer_bytes", block, "4 KiB", bounds.OPERATION,
          "Size of one operation: 4KiB.",
          may_vary=True, formerly=_was("block_size")),
    Input("sequential", "sequential_fraction", share, "0%", FRACTION,
          "Share of operations that are sequential.", may_vary=True),
    Input("client", "client", words, None, bounds.ANY,
          "A published client workload (see `workloads`) instead of reads, size, sequential and "
          "depth.", title="Client workload"),
    Input("skew", "skew", skew, "field", ANY,
          "Skew of the writes: uniform, 80/20, zipf:0.99, jesd219, tenants by their shares of "
          "writes and of data, 70/10+20/30+10/60, or field: unknown, taken as measured on hosts in "
          "the field.", title="Skew of writes",
          choices=("field", "uniform", "80/20", "90/10", "95/5", "zipf:0.99", "jesd219")),
    Input("working_set", "working_set_fraction", part, "100%", SHARE,
          "What of the data is overwritten at all: a share, or a size such as 20GB.", unit="%",
          title="Working set", links=_was("working")),
    Input("trim", "trim_share", share, "0%", Bounds(0.0, 0.5, holds_most=False),
          "Share of requests that trim valid data.", may_vary=True),
    Input("depth", "queue_depth", number, None, bounds.DEPTH,
          "Queue depth: outstanding operations on each drive. Default: the depth at which its "
          "rates are printed, 32 for SATA, 256 for NVMe.", "1", title="Queue depth per drive",
          may_vary=True,
          formerly=_was("queue_depth")),
    Input("fill", "fill_fraction", share, "100%", SHARE,
          "Share of the partitioned capacity that holds valid data.",
          may_vary=True),
    # The firmware
    Input("collection", "policy", choice, "unknown", ANY,
          "How garbage collection selects its victim block; vendors seldom publish it.",
          title="Victim of garbage collection",
          choices=("unknown", "greedy", "fifo", "random", "d-choices", "cost-benefit"),
          formerly=_was("policy")),
    Input("placement", "layout", choice, "unknown", ANY,
          "What is written to separate blocks: nothing (one-log), host writes and copies of "
          "garbage collection (host-gc), hot and cold data (streams), or each class of data that "
          "the host names: copies return to it (class: FDP persistently isolated), share blocks "
          "(class-copies-together: FDP initially isolated), or have their own (class-and-copies: "
          "zones). Unknown: between one-log and host-gc.",
          title="Placement of writes",
          choices=("unknown", "one-log", "host-gc", "streams", "class", "class-copies-together",
                   "class-and-copies"),
          formerly=(Former("layout", lambda text: _PLACEMENTS.get(text, text)),)),
    Input("accuracy", "accuracy", share, "100%", Bounds(0.5, 1.0),
          "With --placement streams: share of writes that go to the right stream."),
    # Use of the drives
    Input("spare", "partition_fraction", share, "0%", Bounds(0.0, 1.0, holds_most=False),
          "Share of the user capacity left unpartitioned, as additional spare area.",
          title="Extra spare area, left unpartitioned", may_vary=True,
          also=("partition_fractions",), formerly=(Former("partition", _rest),)),
    Input("drives", "members", whole, "1", bounds.DRIVES,
          "Drives in the array.", formerly=_was("members", "counts")),
    Input("raid", "level", level, "0", ANY,
          "0, 1, 10, 5, 6; ec:8+3: stripes of 8 data and 3 parity members; of ZFS raidz1, raidz2, "
          "raidz3 or draid2:8d:24c:1s.", title="RAID level",
          choices=("0", "1", "10", "5", "6", "ec:4+2", "ec:8+2", "ec:8+3", "ec:10+4", "raidz1",
                   "raidz2", "raidz3", "draid2:8d"),
          also=("level", "data_members", "parity_members", "vdev_members"),
          formerly=_was("level", "levels")),
    Input("record", "record_bytes", block, "16 KiB", bounds.RECORD,
          "Record of a ZFS pool, as stored: volblocksize of a volume, recordsize of files; a power "
          "of two.", "128KiB"),
    Input("hot_spares", "hot_spares", whole, "0", bounds.DRIVES_FROM_0,
          "How many of the drives are hot spares.", links=_was("hot")),
    Input("sets", "sets", whole, "1", bounds.DRIVES,
          "Number of equal sets that are striped: RAID 50 and 60, vdevs of a ZFS pool."),
    # Where the data lives, and what happens if the power fails
    Input("keep", "keep", keep, None, ANY,
          "Place of the data: single, scratch, copies or 4+2 on hosts, or 500 single drives.",
          "3 copies on 5 hosts", title="Data kept as"),
    Input("power", "power", choice, "unknown", ANY,
          "Power supply of the drives: it can fail, or a UPS takes over.", title="Power supply",
          choices=("unknown", "can fail", "ups")),
    Input("sync", "sync", choice, "unknown", ANY,
          "Writes that must survive a power failure: none (never), or those of each commit.",
          title="Synced writes", choices=("unknown", "never", "each commit")),
    Input("commit_p99", "commit_p99_s", time, None, bounds.LATENCY,
          "Longest 99th percentile of the latency of a commit.", "10ms", unit="ms",
          title="Commit latency, p99 at most"),
    # What the user knows of a drive
    Input("known_only", "known_only", flag, "false", ANY,
          "Assume no facts: answers that need an unknown fact are reported as missing.",
          title="Known facts only", formerly=(Former("assume", _by_default),)),
    Input("assumed", "assumed", flag, "false", ANY,
          "Take assumed facts at their typical values, not at the cautious end of their ranges.",
          title="Typical figures of what is assumed", formerly=_was("assume")),
    Input("capacity", "user_bytes", size, None, bounds.CAPACITY,
          "User capacity of a drive that is not in the catalogue.", "1.92TB"),
    Input("kind", "kind", words, None, bounds.ANY,
          "Kind of drive, in any order: cell type, class, interface, year, vendor.",
          "TLC enterprise NVMe 2022", title="Kind of drive"),
    Input("stalled", "member_stall_fraction", share, None, FRACTION,
          "Share of time that one drive is stalled by garbage collection.", "5%",
          links=_was("stall")),
    Input("wa", "measured_wa", number, None, bounds.WA,
          "Write amplification measured under this workload with the whole capacity partitioned; "
          "the model scales it to other spare areas.", may_vary=True),
    Input("measured_wa", "wa_points", reading, None, bounds.MEASURED_WA,
          "Write amplification measured under uniform random writes over a span; repeatable.",
          "3.19@894GiB", title="Measured write amplification at a span", is_repeatable=True),
    Input("measured_iops", "iops_points", reading, None, bounds.IOPS,
          "Steady-state random 4 KiB write IOPS measured over a span; repeatable.",
          "94204@894GiB", title="Measured steady writes at a span", is_repeatable=True),
    Input("rating_wa", "rating_wa", number, None, bounds.WA,
          "Write amplification under the workload of the rating, such as JESD219.", may_vary=True,
          links=_was("rating")),
    Input("raw", "raw_bytes", size, None, bounds.RAW_FLASH,
          "Raw flash of a drive.", "512GiB", may_vary=True,
          also=("op_ratio",)),
    Input("pe_cycles", "pe_cycles", number, None, bounds.CYCLES,
          "Rated program/erase cycles.", "3000",
          may_vary=True, links=_was("pe")),
    Input("tbw", "rated_bytes", size, None, bounds.RATED, "Rated TBW.", "7300TB", may_vary=True,
          also=("rated_dwpd",)),
    Input("warranty", "warranty_s", time, None, bounds.SERVICE, "Warranty of a drive.", "5years",
          may_vary=True, also=("rating_period_s",), formerly=_was("warranty_years")),
    Input("price", "price_usd", number, None, bounds.PRICE,
          "Price of a drive, in the currency of the question unless it names another.", "960",
          may_vary=True),
    Input("worst_iops", "worst_case_iops", number, None, bounds.IOPS,
          "Worst-case IOPS of a drive at queue depth 32.", "5000", may_vary=True,
          also=("iops", "member_worst_iops"), formerly=_was("member_worst_iops"),
          links=_was("worst")),
    Input("used", "used_fraction", share, None, bounds.USED,
          "Share of its rated life that a used drive says is used up; what it has left is planned.",
          "12%"),
    Input("written", "host_bytes", size, None, bounds.WRITTEN,
          "Host writes to each drive so far, used up of its rating.",
          "40TB"),
    Input("age", "age_s", time, None, bounds.COURSE,
          "Time since each drive was put to use, used up of its warranty.", "2 years"),
    Input("as_of", "read_at_s", day, None, ANY,
          "When used, written and age were read: times left count from then.", "2026-05-31",
          title="Read on"),
    Input("pages", "pages_per_block", number, None, bounds.PAGES,
          "Pages in one unit of garbage collection (superblock).", "4096",
          formerly=_was("pages_per_block")),
    Input("blocks", "blocks", number, None, bounds.BLOCKS,
          "Number of units of garbage collection (superblocks).", may_vary=True,
          formerly=_was("collection_blocks")),
    Input("reserve", "reserve", number, None, bounds.RESERVE,
          "Number of superblocks kept erased.", may_vary=True,
          formerly=_was("reserve_blocks")),
    Input("member_iops", "member_iops", number, None, bounds.IOPS,
          "IOPS of one drive, the same for reads and writes.", "50000", unit="IOPS",
          title="IOPS of one drive"),
    Input("fact", "fact", fact, None, ANY,
          "Any other fact of a drive: dies=32, read_s=60us, erase_s=4ms, steady_write_iops=14000, "
          "sequential_write_bytes_per_s=500MB/s.", title="Further facts", is_repeatable=True),
    # How long the answer must hold, and what is assumed of failures
    Input("years", "horizon_s", time, "5 years", bounds.SERVICE,
          "Time for which the answer must hold.",
          "5 years", title="Time the answer must hold", also=("period_s",),
          formerly=_was("horizon_years"),
          links=_was("horizon", "sureyears", "neededyears", "c_owned")),
    Input("afr", "afr_fraction", share, None, Bounds(0.0, 1.0, holds_most=False),
          "Annual failure rate of the drives.", "1%"),
    Input("uber", "uber", number, None, FRACTION,
          "Uncorrectable bit error rate: unreadable sectors per bit read.", "1e-16"),
    Input("rebuild", "rebuild_s", time, None, bounds.REBUILD,
          "Time until a failed drive is rebuilt.",
          "6 hours", formerly=_was("rebuild_hours")),
    Input("life_spread", "life_cv", share, "5%", Bounds(0.0, 0.15, holds_least=False),
          "Coefficient of variation of the drives' time to wear-out.", links=_was("spread")),
    Input("replace_at", "replaced_fraction", share, None, bounds.REPLACED,
          "Share of the mean life at which drives are replaced as a precaution.", "90%",
          links=_was("replaced")),
    Input("bought_apart", "stagger_s", time, "0 days", bounds.COURSE,
          "Time between putting one drive and the next into service.", unit="days",
          title="Bought apart", formerly=_was("bought_apart_days"), links=_was("apart")),
    Input("storage_temperature", "temperature_k", temperature, "25 C", bounds.ANY,
          "Temperature at which a drive lies without power.", "30 C", title="Stored at"),
    # Terms of owning
    Input("discount_rate", "discount_rate", share, None, FRACTION,
          "Real discount rate per year.", "8%", links=_was("c_rate")),
    Input("electricity", "energy_usd_per_j", quantity, None, bounds.ENERGY,
          "Price per kWh.", "0.15",
          links=_was("c_kwh")),
    Input("pue", "pue", number, None, bounds.OVERHEAD,
          "Power usage effectiveness: power of the whole site over power of its IT equipment.",
          "1.4",
          links=_was("c_pue")),
    Input("slot", "slot_usd_per_year", quantity, None, bounds.YEARLY,
          "Cost of one drive slot per year.", "25", links=_was("c_slot")),
    Input("node_cost", "node_usd_per_year", quantity, None, bounds.YEARLY,
          "Cost per year of a node of a cluster, without its drives: server, network port, power.",
          "2000"),
    Input("labour", "labour_usd", quantity, None, bounds.YEARLY,
          "Labour cost of one replacement.", "50",
          links=_was("c_labour")),
    Input("shelf", "spare_drives", whole, "0", bounds.DRIVES_FROM_0,
          "Cold spares: drives bought at the start and kept on the shelf."),
    Input("residual", "residual_fraction", share, "0%", FRACTION,
          "Residual value of the drives at the end, as a share of their price."),
    Input("qos_iops", "qos_iops", number, None, bounds.ARRAY_IOPS,
          "IOPS of the array within its latency limit, for the cost per IOPS; by default its IOPS "
          "budget."),
    Input("embodied", "embodied_kg_per_byte", interval, None, bounds.EMBODIED,
          "Embodied carbon of the flash in kg/TB, low:typical:high.", "3:20:160"),
    Input("grid", "grid_kg_per_j", interval, None, bounds.GRID,
          "Carbon intensity of electricity in g/kWh, low:typical:high.", "56:480:713"),
    Input("currency", "currency", words, "USD", ANY,
          "Currency of all amounts; `choose` needs the --rate of one other than USD.",
          links=_was("c_currency")),
    # What must hold
    Input("usable", "usable_bytes", size, None, bounds.USABLE,
          "Least usable capacity; with --fill the data that must fit.", "20TB",
          links=_was("c_usable", "neededtb")),
    Input("iops", "iops", number, None, bounds.ARRAY_IOPS,
          "Least IOPS of the array at the read/write mix.",
          unit="IOPS", title="IOPS at the mix", also=("budget_iops",), formerly=_was("target_iops"),
          links=_was("c_iops")),
    Input("array_depth", "queue_depth", whole, None, Bounds(1.0, bounds.MOST_DEPTH, whole=True),
          "Queue depth of the array; by default, that of each drive times the number of drives.",
          title="Operations outstanding at the array",
          links=_was("c_depthq")),
    Input("floor_iops", "worst_case_iops", number, None, bounds.ARRAY_IOPS,
          "Least IOPS of the array while every drive is in its worst second.",
          title="IOPS of the drives in the worst second",
          also=("worst_case_floor_iops",), links=_was("c_floor")),
    Input("window_iops", "array_window_iops", number, None, bounds.ARRAY_IOPS,
          "Least IOPS in the slowest 1 % of 10 ms windows; needs --stalled."),
    Input("read_p999", "read_p999_s", time, None, bounds.LATENCY,
          "Largest 99.9 % read latency of a drive.", "2ms", unit="ms",
          title="99.9 % read latency of a drive", links=_was("c_p999")),
    Input("life", "life_s", time, None, bounds.SERVICE, "Least life by endurance.", "5 years",
          unit="years", title="Life by endurance", also=("wear_out_life_s",),
          formerly=_was("life_years"), links=_was("c_years")),
    Input("dwpd", "dwpd", number, None, bounds.DRIVE_WRITES,
          "Least drive writes per day over the years.",
          title="Drive writes per day", unit="DWPD"),
    Input("sure", "life_confidence", share, "50%", CHANCE,
          "Confidence that the life must be reached with.", "90%",
          unit="%", title="How sure the life must be"),
    Input("life_log_sd", "life_log_sd", number, "0.25", bounds.LOG_SD,
          "Standard deviation of ln(life) about the plan's figure."),
    Input("max_loss", "loss_probability", probability, None, CHANCE,
          "Largest probability of data loss within the years, as odds or a share.",
          "1 in 10,000", title="Data loss",
          links=_was("c_loss")),
    Input("max_power", "power_w", number, None, bounds.POWER,
          "Largest power of all drives at full activity, in watts.", title="Power of all drives",
          links=_was("c_watts")),
    Input("slots", "slots", number, None, Bounds(1.0, bounds.MOST_DRIVES),
          "Largest number of drives.", title="Slots",
          links=_was("c_slots")),
    Input("budget", "budget_usd", number, None, bounds.BUDGET,
          "Highest price of all drives together.",
          unit="USD", title="Price of all drives", links=_was("c_budget")),
    Input("least_warranty", "warranty_s", time, None, bounds.SERVICE, "Least warranty.", "5 years",
          formerly=_was("warranty_years"), links=_was("c_warranty_min")),
    Input("credit_spare_area", "credits_spare_area", flag, "false", ANY,
          "Credit enterprise drives with what spare area and lighter writes add to their printed "
          "rating, as modelled."),
    Input("allow_unrated", "allows_unrated", flag, "false", ANY,
          "Rank drives without a printed rating too.", title="Drives without a printed rating"),
    Input("beyond_warranty", "beyond_warranty", flag, "false", ANY,
          "Rank drives of which the warranty ends before the years; rated writes must suffice.",
          title="Warranty may end before the years"),
    # What a trade takes for granted, and which drives are left out
    Input("rules", "rules", words, None, bounds.ANY,
          "What a trade takes for granted: server, database, osd, boot, nas, video, lab, or a CSV "
          "file with the columns input, value and why.", "database"),
    Input("no_redundancy", "no_redundancy", flag, "false", ANY,
          "Accept arrays that lose data with any drive: RAID 0 and single drives.",
          title="RAID 0 and single drives"),
    Input("parity_group", "parity_group", whole, None, Bounds(2.0, 1024.0, whole=True),
          "Drives in one group with parity, at most.", "16", title="Drives in a parity group"),
    Input("plp", "power_loss_protection", flag, "false", ANY,
          "Only drives with power-loss protection.", title="Power-loss protection"),
    Input("encrypted", "encryption", flag, "false", ANY, "Only drives that encrypt.",
          title="Encryption"),
    Input("segment", "segment", words, None, bounds.ANY, "What drives are made for.",
          "enterprise, NAS", title="Made for", links=_was("segments")),
    Input("interface", "interface", words, None, bounds.ANY, "As people type it.", "PCIe 5",
          title="Interface"),
    Input("form_factor", "form_factor", words, None, bounds.ANY, "One of these.", "U.2, U.3, E3.S",
          title="Form factor"),
    Input("launched", "launched", whole, None, Bounds(1990.0, 2100.0, whole=True),
          "Year of launch, or later.", "2021", title="Launched since"),
    Input("lanes", "lanes", whole, None, Bounds(1.0, 1024.0, whole=True),
          "PCIe lanes that a drive may take, with --nodes all drives of a node.", "4",
          title="PCIe lanes"),
    # Clusters: nodes that keep data for each other
    Input("nodes", "cluster_nodes", whole, None, bounds.NODES,
          "Numbers of nodes to try, equal servers of a cluster such as Ceph or MinIO: each copy or "
          "chunk of the data is on another.", "3-8"),
    Input("bays", "node_members", whole, None, Bounds(1.0, 1024.0, whole=True),
          "Drives of one node, at most; 24 where neither these nor --drives are stated.", "24",
          title="Bays of a node"),
    Input("watts", "node_power_w", number, None, bounds.POWER,
          "Power of the drives of one node, at most, all at full activity.", "600", unit="W"),
    Input("replicas", "copies", whole, None, Bounds(2.0, 16.0, whole=True),
          "Copies of the data on different nodes; 3 where neither these nor --ec are stated.",
          "3", title="Copies on different nodes"),
    Input("ec", "code", words, None, bounds.ANY,
          "Erasure code over nodes instead of copies: data and parity chunks.", "4+2",
          title="Erasure code over nodes"),
    Input("survive", "lost_nodes", whole, "1", bounds.NODES_FROM_0,
          "Nodes that may be lost with everything made again on the others, below the fill limit.",
          title="Nodes that may be lost"),
    Input("fill_limit", "fill_limit", share, "85%", SHARE,
          "Share of its capacity up to which a drive of a cluster is filled, also after a loss."),
    Input("network", "node_link_bytes_per_s", link_rate, "25Gb/s", bounds.NETWORK,
          "Network of a node in each direction, which limits how fast a lost one is made again: "
          "25Gb/s, 25GbE or 3.125GB/s."),
    # Which prices compete as they are
    Input("today", "today_s", day, None, ANY,
          "The day from which the age of prices is counted back; by default that of the run.",
          "2026-10-01", title="Today"),
    Input("price_age", "price_age_s", time, "12 months", bounds.COURSE,
          "Oldest price that competes as it is; an older one is carried to today, as a range.",
          "12 months", unit="years", title="Age of a price, at most"),
    Input("price_kinds", "price_kinds", words, "new,list,quote", ANY,
          "Kinds of price that compete as they are: new, used, list, quote. Others are carried to "
          "today as older ones are.", "new,quote", title="Prices that compete"),
    Input("rate", "rates", exchange_rate, None, bounds.EXCHANGE,
          "What one unit of another currency is in USD.", "EUR=1.08", title="Exchange rate",
          is_repeatable=True),
    Input("target", "wa", number, "2", Bounds(1.01, 20.0), "Write amplification to reach.",
          title="Target write amplification"),
    # How far off the inputs of a plan may be, one time in ten to either side
    Input("writes_off", "writes_off", number, "2", Bounds(1.0, 20.0),
          "Uncertainty factor of the writes: with 2, they are below half in one case of ten and "
          "above twice in one case of ten.", title="Writes: off by a factor",
          links=_was("surewrites")),
    Input("pe_cycles_off", "pe_cycles_off", number, "1.3", Bounds(1.0, 5.0),
          "Uncertainty factor of the P/E cycles.", title="P/E cycles: off by a factor",
          links=_was("surecycles")),
    Input("fill_off", "fill_off", share, "10%", Bounds(0.0, 0.5),
          "Uncertainty of the fill in percentage points.",
          unit="%", title="Fill: off by points", links=_was("surefill")),
    Input("sequential_off", "sequential_off", share, "10%", Bounds(0.0, 0.5),
          "Uncertainty of the sequential share in percentage points.", unit="%",
          title="Sequential: off by points",
          links=_was("suresequential")),
    # Beside a write test
    Input("trimmed", "trimmed_fraction", share, None, FRACTION,
          "Share of the data to trim: prints how long the drive takes to recover its speed."),
    Input("host_cache", "cache_bytes", size, None, bounds.CACHE,
          "Write-back cache in the memory of the host.", "1GiB", unit="GiB",
          title="Cache of the host", links=_was("cache_gib")),
    Input("flush", "flush_s", time, "5s", bounds.FLUSH, "Interval between flushes of that cache."),
    Input("crash_interval", "crash_interval_s", time, "90days", bounds.CRASHES,
          "Mean time between crashes and power failures.", links=_was("crashes")),
    # Energy and heat
    Input("room", "room_k", temperature, "25 C", bounds.ANY,
          "Temperature of the room, from which the air at the drive comes.", "35 C",
          title="Room"),
    Input("cooling", "cooling", words, None, bounds.ANY,
          "Place of the drive (still, desktop, server), speed of the air (2 m/s, 400 LFM) and "
          "heatsink of an M.2 module; by default where its kind usually is.", "desktop heatsink",
          title="Cooling"),
    Input("idle_gap", "mean_gap_s", time, "1 s", bounds.IDLE_GAP,
          "Mean length of an idle gap.", "30 s"),
    Input("battery", "battery_j", quantity, "50 Wh", bounds.BATTERY,
          "Battery that feeds the drive alone while it is idle.", "50 Wh"),
    *(
        Input(name, name, quantity, None, FACT_BOUNDS[name],
              QUANTITIES[name].meaning, may_vary=True,
              links=_was(*former))
        for name, *former in (
            ("random_read_iops", "rr"), ("burst_write_iops", "fw"), ("steady_write_iops", "sw"),
            ("sequential_read_bytes_per_s", "srd"), ("sequential_write_bytes_per_s", "swr"),
            ("dies",), ("channels", "chan"), ("page_bytes", "page"), ("block_bytes", "block"),
            ("read_s", "tr"), ("program_s", "tp"), ("erase_s", "te"),
            ("channel_bytes_per_s", "bus"),
        )
    ),
)  # fmt: skip

INPUTS: Mapping[str, Input] = {row.name: row for row in _ROWS}

LOAD = (
    "writes", "writes_between", "growth", "step", "phase_in", "reads", "size", "sequential",
    "client", "skew", "working_set", "trim", "depth", "fill", "collection", "placement", "accuracy",
)  # fmt: skip
USE = ("spare", "hot_spares", "sets", "record", "known_only", "capacity")
ARRAY = ("drives", "raid")
# Facts of one drive; refused where several drives are planned.
DRIVE = (
    "kind", "stalled", "wa", "measured_wa", "measured_iops", "rating_wa", "raw", "pe_cycles",
    "tbw", "warranty", "price", "used", "written", "age", "as_of", "worst_iops", "pages",
    "blocks", "reserve", "fact",
)  # fmt: skip
# Inputs of a test of one new drive: its facts, and how it works.
TESTED = (
    "capacity", *(name for name in DRIVE if name not in
                  {"measured_iops", "price", "used", "written", "age", "as_of"}),
    "spare", "collection", "placement", "known_only",
)  # fmt: skip
# Where the data lives, and what happens if the power fails.
SITUATION = ("keep", "power", "sync", "commit_p99")
# Where a drive is cooled, and how long it is idle.
SURROUNDINGS = ("room", "cooling", "idle_gap", "battery")
PLAN = (*LOAD, *USE, *ARRAY, *SITUATION, *DRIVE)
# Further facts by their own names: rates of the data sheet, and flash for the speed over time.
RATES = (
    "random_read_iops", "burst_write_iops", "steady_write_iops", "sequential_read_bytes_per_s",
    "sequential_write_bytes_per_s",
)  # fmt: skip
FLASH = (
    "dies", "channels", "page_bytes", "block_bytes", "read_s", "program_s", "erase_s",
    "channel_bytes_per_s",
)  # fmt: skip
# In `choose` these take lists and ranges: 4-24, or 0%,7%,28%.
GRID = ("drives", "raid", "spare", "sets")
FACTS = (*RATES, *FLASH, "member_iops")
FAILURES = ("afr", "uber", "rebuild", "life_spread", "replace_at", "bought_apart",
            "storage_temperature")  # fmt: skip
TERMS = (
    "discount_rate", "electricity", "pue", "slot", "node_cost", "labour", "shelf", "residual",
    "qos_iops", "embodied", "grid", "currency",
)  # fmt: skip
# Inputs of the cost of ownership besides those of a plan.
OWNING = ("years", *TERMS, "afr", "life_spread", "replace_at")
NEEDS = (
    "usable", "iops", "array_depth", "floor_iops", "read_p999", "life", "sure", "life_log_sd",
    "max_loss", "max_power", "slots", "budget", "least_warranty", "credit_spare_area",
    "allow_unrated",
)  # fmt: skip
# Which drives are left out of a choice, and what else a trade takes for granted.
FILTERED_BY = ("segment", "interface", "form_factor", "plp", "encrypted", "launched", "lanes")
PRICED_BY = ("today", "price_age", "price_kinds", "rate")  # which prices compete
# Clusters in a choice: how many nodes, of what, and what they keep for each other.
CLUSTER = ("nodes", "bays", "watts", "replicas", "ec", "survive", "fill_limit", "network")
CHOSEN_BY = (
    *NEEDS, *GRID, *CLUSTER, "keep", "beyond_warranty", "no_redundancy", "parity_group",
    *FILTERED_BY, *PRICED_BY,
)  # fmt: skip


def stated(texts: Mapping[str, Any], inputs: Iterable[str | Input]) -> dict[str, Any]:
    """Parse the texts of some inputs; return the values that are stated, by field.

    `inputs` are names of the table or rows of the caller's own.

    >>> stated({"reads": "30%", "wa": None}, ["reads", "wa", "growth"])
    {'read_fraction': 0.3, 'growth_per_year': 0.0}
    """
    rows = [row if isinstance(row, Input) else INPUTS[row] for row in inputs]
    written = {row: texts.get(row.name, row.default) for row in rows}
    return {
        row.field: row.every(text) if row.is_repeatable else row.value(text)
        for row, text in written.items()
        if text not in (None, ()) and (text != "" or row.default is not None)
    }


def renamed(texts: Mapping[str, Any], names: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """Replace former names of some inputs by the current ones; list what was renamed.

    >>> renamed({"partition": "75%", "writes": "1 TB/day"}, PLAN)
    ({'writes': '1 TB/day', 'spare': '25%'}, ['partition=75% is now spare=25%'])
    """
    former = {old.name: (name, old) for name in names for old in INPUTS[name].formerly}
    result = {name: text for name, text in texts.items() if name not in former}
    statement = []
    for name in texts.keys() & former.keys():
        new, old = former[name]
        text = old.rewrite(str(texts[name]))
        result.setdefault(new, text)
        statement.append(f"{name}={texts[name]} is now {new}={text}")
    return result, statement
