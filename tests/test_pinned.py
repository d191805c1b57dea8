"""Plans and commands give the numbers that they gave before the house was rebuilt."""

import json
import re
import shlex
from dataclasses import replace

import pytest
from click.testing import CliRunner

from models.units import TB
from planner.catalogue import load
from planner.catalogue.drive import RECALLED, with_user_facts
from planner.catalogue.priors import rated_queue_depth
from planner.cli import cli, main
from planner.scenario.array import Array, RaidLevel
from planner.scenario.firmware import Firmware, Layout, Policy
from planner.scenario.skew import classes_of
from planner.scenario.workload import Workload
from planner.sections.answers import ARRAY, COST, SPEED
from planner.sections.array import array_limit
from planner.sections.datasheet_speed import speed_limit
from planner.sections.life import LEVELS, LIFE_OF
from planner.sections.plan import plan_drive
from tests import pinned

SCENARIOS, PARTS = 1000, 20
MEASURED = "/workload/lines_per_s"  # of the machine, not of the trace
# What is meant to differ. Prose: how much is said is no promise. What an answer lacks: the fewest
# facts that would supply it, where it was every fact that any way to it takes.
FEWER = re.compile(r"/notes/|/missing/[^/]+/[1-9]")
# Numbers that had no formula: drives less the hot spares, capacity in use, what loads a drive.
NOW_COMPUTED = re.compile(
    "/figures/(working_members|used_bytes|latency_cv|pages_under_way|offered_(read|write)_iops)/source"
)
# Rated drive writes per day that are printed beside a TBW without its period were lost.
NEWLY_KNOWN = "rated dwpd"
# The catalogue grew: recalled facts and words came later than the plans, and so did what was read
# since of these drives. Without them the plans are those of then.
READ_SINCE = {
    "crucial-mx500-1000gb": "random_read_iops burst_write_iops",  # reviews, no longer unknown
    "crucial-t500-2000gb": "folded_write_bytes_per_s slc_cache_bytes",  # writes beyond the cache
    "intel-dc-p4610-1600gb": "rated_dwpd raw_bytes",
    "intel-optane-dc-p4800x-750gb": "rated_bytes",  # TBW goes before 30 drive writes per day
    "kingston-nv2-1000gb": "folded_write_bytes_per_s slc_cache_bytes",
    "kioxia-cm6-v-12800gb": "random_read_iops",
    "kioxia-lc9-245760gb": "rated_dwpd random_read_iops spec_write_iops unit_bytes dies die_bytes",
    "micron-5300-max-960gb": "random_read_iops spec_write_iops",
    "micron-9300-pro-3840gb": "rated_dwpd raw_bytes",
    "micron-9400-pro-15360gb": "rated_dwpd",
    "micron-9400-pro-7680gb": "rated_dwpd",
    "samsung-850-evo-2000gb": "price_usd",  # of a reader's comment
    "samsung-870-qvo-1000gb": "random_read_iops burst_write_iops folded_write_bytes_per_s",
    "samsung-870-qvo-4000gb": "folded_write_bytes_per_s slc_cache_bytes",
    "samsung-pm983-960gb": "random_read_iops steady_write_iops read_latency_s",
    "sandisk-extreme-ii-120gb": "rated_bytes",
    "sandisk-extreme-ii-240gb": "rated_bytes random_read_iops spec_write_iops",
    "sandisk-extreme-ii-480gb": "rated_bytes",
    "solidigm-d5-p5316-15360gb": "rated_dwpd",
    "solidigm-d5-p5316-30720gb": "rated_dwpd rated_bytes",
    "solidigm-d5-p5336-122880gb": "rated_dwpd rated_bytes spec_write_iops uber",
    "solidigm-d5-p5430-30720gb": "rated_dwpd",
    "western-digital-black-sn850x-2000gb": "rated_bytes",
    **{
        f"western-digital-blue-3d-nand-sata-{gb}gb": "price_usd"
        for gb in (250, 500, 1000, 2000, 4000)
    },
    **{f"western-digital-red-sa500-{gb}gb": "price_usd" for gb in (500, 1000, 2000, 4000)},
    **{f"western-digital-green-ssd-{gb}gb": "price_usd" for gb in (120, 240)},
    **{f"kioxia-fl6-{gb}gb": "rated_dwpd" for gb in (800, 1600, 3200)},
    **{
        f"samsung-pm1643-{gb}gb": "sequential_read_bytes_per_s random_read_iops"
        for gb in (960, 1920, 3840, 7680, 15360)
    },
    "samsung-pm1643-30720gb": "sequential_read_bytes_per_s random_read_iops "
    "sequential_write_bytes_per_s spec_write_iops",
}
FLASH_READ_SINCE = ("Extreme II",)
# Plans took no notice then of the unit of the drive's map, which writes of less than it rewrite.
WITHOUT_EFFECT_THEN = ("unit_bytes",)
# The first of several printed ratings held for every workload; now one holds for its own.
RATINGS = ("rated_bytes", "rated_dwpd")
# One vendor under two names, rows of two models, form factors in brackets.
RENAMED = {
    "intel-solidigm-d5-p5316-": "solidigm-d5-p5316-",
    "samsung-860-evo-870-evo-": "samsung-870-evo-",
    "western-digital-black-nvme-2018-sandisk-extreme-pro-": "western-digital-black-nvme-2018-",
    "samsung-pm1733-u-2-": "samsung-pm1733-",
    "samsung-pm1735-u-2-": "samsung-pm1735-",
    "micron-7400-pro-u-3-": "micron-7400-pro-",
}
# The review prices the 860 PRO by 1,024 GB for 1 TB; the plans are of 1,000.
RESIZED = {f"samsung-860-pro-{tb}000gb": (f"samsung-860-pro-{tb * 1024}gb", tb) for tb in (1, 2, 4)}
# The printed rates hold from the queue depth on at which they are printed; below, a drive gives
# what single operations and its dies allow, on every face alike. No queue depth was 32 then.
DEPTH_OF_THEN = 32.0
BY_DEPTH = {
    "speed 0": "IOPS", "speed 1": "throughput", "speed 2": "latency", "speed 3": "read IOPS",
    "speed 4": "write IOPS", "array 1": "IOPS by the members' time",
    "array 2": "worst-case floor",
}  # fmt: skip
WORDS_BY_DEPTH = {"speed", "array"}  # whether reads or writes take most of the time
# A steady rate is printed of the full drive. With more spare area a drive writes faster since then,
# by its write amplification.
BY_SPARE_AREA = {"speed 0", "speed 1", "speed 2", "speed 4", "array 1"}
# By beginnings of commands, what follows from that: members take as long as the drive alone at
# depth 1 (reads of an 845DC PRO 69 us, not 50), and random reads are no formula of their own.
ONE_ENGINE = {
    "plan": r"/figures/(drive|budget)_iops/inputs/",
    'plan --drive "840 EVO 250" --read-share 30% --block-size 16KiB --queue-depth 4': (
        r"/(answers|figures)/(read_iops|budget_iops|drive_iops)\b"
    ),
    "speed": (
        r"/figures/modelled_read_iops/"
        # no limit of the firmware is inferred from dies that would have time for more
        r"|/figures/(tolerance_ratio|controller_iops)/"
        # the printed steady rate is reached on the full drive: 50,000, where the dies had 49,719
        r"|/(figures/(modelled_)?)?(steady|lowest)_write_iops|/settle_s|/figures/settling_s/"
        r"|/(max_latency_s_by_collection|figures)/(incremental|aligned)_latency_s"
        r"|/(figures/)?(closed_)?read_(latency|quantiles)_s"
    ),
    'size spare --drive "845DC PRO 400" --iops 60000': r"/(value|by_limit|margins)\b",
    'speed --drive "840 EVO 250" --trimmed 50% --host-cache 1GB --queue-depth 4': (
        r"/random_read_iops|/host_cache/(un)?cached_iops"
    ),
    'array --drive "845DC PRO 400"': r"/iops_|/(read|write)_latency_s",
    'choose --drive "845DC PRO 400" --drive "DC S3700 400"': r"/plans/\d+/iops",
}
# Of drives that are worn out within the horizon and not replaced in time, the k-th of a slot wears
# out at a time of its own since then, not with all others when k mean lives are over.
BY_GENERATION = {
    'array --drive "845DC PRO 400" --members 8 --level raid6 --writes 60TB/day': (
        r"/loss_probability/(total|wear_out)|/expected_lost_bytes"
        r"|/remedies/(As it is|Bought \d+ days apart)"
    )
}
# Worst-case IOPS are those of a saturated test of 32 operations since then, of any queue depth.
SATURATED = {
    'speed --drive "840 EVO 250" --trimmed 50% --host-cache 1GB --queue-depth 4': (
        r"/worst_case_iops|/figures/modelled_worst_case_iops/"
    )
}
# What is chosen among the drives of the catalogue, which are more now; the resized 860 PRO; and the
# M500, whose rating and warranty are recalled since.
CHOOSE = "choose --usable 10TB --writes 4TB/day --life-years 5 --sure 90% --max-loss 0.1%"
OF_THE_CATALOGUE = (
    f'{CHOOSE} --like "Samsung" --json',
    'choose --segment enterprise --usable 20TB --iops 200000 --minimise cost --like "Intel" --json',
    'plan --drive "860 PRO 4TB" --writes "0.3 DWPD" --assume --json',
    'plan --drive "M500 120" --json',
)
# TRIM under skew, and writes that are not kept in one log.
OF_PLACEMENT = (
    (
        'plan --drive "840 EVO 250" --skew 80/20 --sequential 30% --trim 10% --policy fifo '
        "--layout streams --accuracy 90% --working-set 50% --json"
    ),
    'plan --drive "840 EVO 250" --client anandtech-heavy-2011 --writes "20 GiB/day" --json',
)
# Where placement is not stated, write amplification is the middle of two since then; where it is,
# no other is a bound of it.
UBER_OF_THEN = ["--uber", "1e-16"]  # assumed of every drive; now by its class
IN_ONE_LOG = ["--placement", "one-log"]
BY_CLIENT = 'plan --drive "840 EVO 250" --client'
UNPLACED = {
    BY_CLIENT: r"/figures/(host_gc|apart|one_log)_ratio/",
    'size raw --drive "9200 PRO 3840" --drive "9200 MAX 3200" --skew jesd219': r"/(value|details)",
}
# The credit of sequential writes was a formula of the spare area, the ratio of one log a constant.
# That of the typical placement, over itself, is 1 whatever the drive, and no figure any more.
CREDITED = re.compile(
    r"/figures/(sequential_credit|apart_ratio)/inputs/|/figures/one_log_ratio/source"
    r"|(/0)?/figures/(host_gc_ratio/|typical_wear_limit_bytes/inputs/placement_ratio)"
)
# What is unknown is assumed by default since then; what is known alone is judged here. The one
# line that assumed even then has it as facts.
WITH_DEFAULTS = {"choose", "plan", "size", "speed", "array", "cost", "uncertainty", "compare", "wa"}
# Rules of a choice since then: printed ratings and warranties hold, life is 90 % sure, no RAID 0.
# Old and used prices competed as they were.
WITHOUT_RULES = shlex.split(
    "--beyond-warranty --allow-unrated --credit-spare-area --no-redundancy --parity-group 100 "
    "--price-age '100 years' --price-kinds new,used,list,quote"
)
SURE_OF_THEN = ["--sure", "50%"]
ASSUMED_OF_THEN = " --raw 4096GiB --pe-cycles 6000"
# Write amplification differs since then, for reasons. The rest of such a plan is computed from the
# write amplification of then, as if it had been measured: so it still has to be the same.
BAND = ("wa band 0", "wa band 1", "wa band 2")
PLACED = ("typical wear life", "high wear life", *BAND)


def wa_differs(scenario):
    """Say why write amplification is meant to differ, and which numbers are of it."""
    workload, firmware = scenario["workload"], scenario["firmware"]
    is_skewed = scenario["skew"] != "uniform" or workload["working_set_fraction"] < 1
    if is_skewed and workload["trim_share"]:
        # and with it the blocks that stay open, which the rating has too
        rated = ("life by rated TBW", "host limit", "cost 3") * ("blocks" in scenario["facts"])
        reason = "TRIM hits all data in use alike, not as they are written"
        return reason, ("cleaning op ratio", *PLACED, *rated)
    if firmware["policy"] != "random":
        is_mixed = 0 < workload["sequential_fraction"] < 1
        if is_mixed and firmware["layout"] != "streams":
            return "sequential writes beside random ones are simulated", PLACED
        if is_skewed and firmware["policy"] != "fifo" and firmware["layout"] == "host-gc":
            return "host writes and copies apart are simulated", PLACED
        if is_skewed and firmware["policy"] == "d-choices" and firmware["layout"] == "one-log":
            return "ten random choices under skew are simulated", PLACED
        if workload["working_set_fraction"] < 1 and firmware["layout"] == "one-log":
            return "static data among the rest are simulated", PLACED
    return "", ()


def band_differs(scenario):
    """Name what differs since low and high are one log and host writes and copies apart.

    They were every temperature apart and one log, whatever the drive's rule of collection; what
    copies apart cost is simulated. Where writes are alike all three are the plan's own figure.
    """
    return BAND if is_alike(scenario) else ("low wear life", *PLACED)


def is_alike(scenario):
    workload = scenario["workload"]
    is_skewed = scenario["skew"] != "uniform" or workload["working_set_fraction"] < 1
    return not is_skewed and workload["sequential_fraction"] in (0, 1)


# The former interval held 27 to 68 % of drives whose writes come in bursts or change slowly, where
# 90 % was printed. From 2035-01-14, 2036-02-26 and 2037-05-19: the middle is earlier by the bursts
# and the changes that may come, the ends are apart by them.
DRAWN_SINCE = re.compile(r"/(early|middle|late)_s|/dates/(early|middle|late)")
REL = 1e-12  # between processors; on one machine the numbers are equal bit by bit


def as_pinned(drive_id):
    """Return a drive of the catalogue with what was known of it when its plans were pinned."""
    now, tb = RESIZED.get(drive_id, (drive_id, None))
    for before, after in RENAMED.items():
        now = now.replace(before, after)
    drive = load().drives[now]
    since = (*READ_SINCE.get(now, "").split(), *WITHOUT_EFFECT_THEN)
    facts = {
        name: fact for name in drive.facts if name not in since and (fact := read(drive, name))
    }
    later = [name for name, feature in drive.features.items() if feature.kind == RECALLED]
    later += ["nand_type", "nand_process"] * (drive.model in FLASH_READ_SINCE)
    others = {name: of for name, of in drive.passed_over.items() if name not in RATINGS}
    drive = replace(drive, facts=facts, passed_over=others, **dict.fromkeys(later, ""))
    if tb:
        drive = replace(with_user_facts(drive, user_bytes=tb * TB), capacity_gb=1000.0 * tb)
    return drive


def read(drive, quantity):
    """Return the first fact that is not recalled."""
    facts = (drive.facts[quantity], *drive.passed_over.get(quantity, ()))
    return next((fact for fact in facts if fact.kind != RECALLED), None)


def built(scenario):
    """Return the arguments of `plan` for a pinned scenario."""
    drive = as_pinned(scenario["drive"])
    if scenario["with_assumptions"]:
        drive = pinned.with_facts_of_then(drive)
    drive = with_user_facts(drive, **scenario["facts"])
    writes, pages = classes_of(scenario["skew"], capacity_bytes=drive.capacity_bytes)
    workload = scenario["workload"]
    if workload["queue_depth"] == DEPTH_OF_THEN:
        workload = workload | {"queue_depth": None}
    steps = tuple((time_s, factor) for time_s, factor in workload["rate_steps"])
    array = scenario["array"]
    firmware = scenario["firmware"]
    return (
        (drive, Workload(**workload | {"rate_steps": steps}, write_shares=writes,
                         page_shares=pages)),
        {
            "array": Array(**array | {"level": RaidLevel(array["level"])}),
            "firmware": Firmware(policy=Policy(firmware["policy"]),
                                 layout=Layout(firmware["layout"]),
                                 accuracy=firmware["accuracy"]),
            "partition_fraction": scenario["partition_fraction"],
            "rating_wa": scenario["rating_wa"],
        },
    )  # fmt: skip


def answers(scenario, wa=None):
    """Return every answer of a plan under a name that does not depend on the code."""
    if wa is not None:
        scenario = scenario | {"workload": scenario["workload"] | {"measured_wa": wa}}
    positional, named = built(scenario)
    try:
        result = plan_drive(*positional, **named)
    except ValueError:
        return {"refused": True}
    nodes = {
        "cleaning op ratio": result["cleaning_op_ratio"], "wa": result["workload_wa"],
        **{f"life by {limit}": result[key] for limit, key in LIFE_OF.items()},
        **{f"{level} wear life": result[f"{level}_wear_life_s"] for level in LEVELS},
        "host limit": result["host_limit_bytes"], "required dwpd": result["required_dwpd"],
        "rated dwpd": result["rated_dwpd"], "printed life": result["printed_life_s"],
        "naive life": result["naive_life_s"],
        **{
            f"{name} {place}": node
            for name, section in (("speed", SPEED), ("array", ARRAY), ("cost", COST))
            for place, node in enumerate(result.sections[section])
        },
    }  # fmt: skip
    if is_alike(scenario):  # elsewhere bands are simulated, and no number of then is their like
        nodes |= {f"wa band {place}": node for place, node in enumerate(result.wa_band)}
    numbers = {
        name: None if not node.is_known else pinned.plain(node.value)
        for name, node in nodes.items()
    }
    limits = {
        "limit": result.lives.limit,
        "runner up": result.lives.runner_up,
        "speed": speed_limit(result.reading),
    }
    words = {name: None if limit is None else str(limit) for name, limit in limits.items()}
    return {"numbers": numbers, "words": words | {"array": array_limit(result.reading)}}


def depends_on_depth(name, scenario):
    """Whether an answer of a pinned scenario is meant to follow its queue depth since then."""
    if scenario["workload"]["queue_depth"] != DEPTH_OF_THEN:
        return name in BY_DEPTH
    rated = rated_queue_depth(as_pinned(scenario["drive"])).typical
    return rated != DEPTH_OF_THEN and BY_DEPTH.get(name) == "latency"


def has_spare_area(scenario):
    """Whether less of the drive is in use than where its steady rate is printed."""
    workload = scenario["workload"]
    in_use = scenario["partition_fraction"] * workload["fill_fraction"]
    is_part = workload["working_set_fraction"] < 1  # rewritten, with the spare area of all
    return in_use < 1 or workload["trim_share"] > 0 or is_part


def is_as_pinned(name, value, now, scenario):
    """Whether a number is what it was; of those that follow the queue depth, at most that."""
    is_faster = name in BY_SPARE_AREA and has_spare_area(scenario)
    if depends_on_depth(name, scenario):
        is_any = BY_DEPTH[name] == "latency" or is_faster
        return None in (value, now) or is_any or now <= value * (1 + REL)
    if is_faster and value is not None:
        return now <= value * (1 + REL) if name == "speed 2" else now >= value * (1 - REL)
    if value is None:
        return now is None or name == NEWLY_KNOWN
    return now == pytest.approx(value, rel=REL, abs=0)


def is_meant_to_differ(path, line):
    """Whether a number of a command is no promise, or is listed as meant to differ."""
    return (
        path == MEASURED
        or NOW_COMPUTED.fullmatch(path)
        or CREDITED.match(path)
        or FEWER.search(path)
        or any(
            re.match(numbers, path)
            for differing in (ONE_ENGINE, BY_GENERATION, SATURATED, UNPLACED)
            for command, numbers in differing.items()
            if line.startswith(command)
        )
    )


def command_answer(line):
    """Return exit code and flattened JSON of a command; former names are answered on stderr."""
    arguments = shlex.split(line.replace(" --assume", ASSUMED_OF_THEN))
    is_open = line.startswith(("plan ", "compare ")) and "--layout" not in arguments
    arguments += IN_ONE_LOG if is_open else []
    arguments += UBER_OF_THEN if line.startswith("array --capacity ") else []
    if arguments[0] in WITH_DEFAULTS and arguments[:2] != ["size", "raw"]:
        arguments.append("--known-only")
    if arguments[0] == "choose":
        arguments[1:1] = ["--minimise", "price"]  # which was the default
        arguments += WITHOUT_RULES + SURE_OF_THEN * ("--sure" not in arguments)
    result = CliRunner().invoke(cli, arguments, catch_exceptions=True)
    if result.exit_code:
        return {"exit": main(arguments)}
    return {"exit": 0, "json": dict(pinned.flattened(json.loads(result.stdout)))}


def check_alike(numbers, scenario):
    """Where writes are alike, placement changes nothing: every bound is the plan's own figure."""
    if is_alike(scenario) and scenario["workload"].get("measured_wa") is None:
        wa = numbers["wa"]
        expected = None if wa is None else pytest.approx(wa, rel=1e-12)
        assert all(numbers[name] == expected for name in BAND), scenario


@pytest.mark.parametrize("part", range(PARTS))
def test_plans_give_the_numbers_they_gave(part):
    rows = pinned.load(pinned.PLANS)
    assert len(rows) == SCENARIOS
    for scenario, before in rows[part::PARTS]:
        reason, differing = wa_differs(scenario)
        differing += band_differs(scenario)
        now = answers(scenario, before["numbers"]["wa"] if reason and "numbers" in before else None)
        assert now.keys() == before.keys(), scenario
        if "refused" in before:
            continue
        is_deep = scenario["workload"]["queue_depth"] == DEPTH_OF_THEN
        is_as_then = is_deep and not has_spare_area(scenario)
        for name in before["words"].keys() - (set() if is_as_then else WORDS_BY_DEPTH):
            assert now["words"][name] == before["words"][name], (name, scenario)
        check_alike(now["numbers"], scenario)
        for name, value in before["numbers"].items():
            if name not in differing:
                assert is_as_pinned(name, value, now["numbers"][name], scenario), (name, scenario)


@pytest.mark.parametrize("line", pinned.load(pinned.COMMANDS))
def test_commands_give_the_json_they_gave(line):
    before, now = pinned.load(pinned.COMMANDS)[line], command_answer(line)
    assert now["exit"] == before["exit"]
    if line in OF_THE_CATALOGUE or line.startswith('choose --like "Micron" '):
        assert {path.split("/")[1] for path in before["json"]} <= {
            p.split("/")[1] for p in now["json"]
        }
        return
    for path, value in before.get("json", {}).items():
        if is_meant_to_differ(path, line):
            continue
        assert path in now["json"], path
        if line.startswith("forecast ") and DRAWN_SINCE.fullmatch(path):
            assert type(now["json"][path]) is type(value), path
            continue
        if isinstance(value, str):
            assert isinstance(now["json"][path], str), path
        elif line in OF_PLACEMENT and isinstance(value, float):
            assert isinstance(now["json"][path], float), path
        elif value is None or isinstance(value, bool):
            assert now["json"][path] is value, path
        else:
            assert now["json"][path] == pytest.approx(value, rel=1e-9, abs=0), path
