"""Life used is weighed: what disagrees is spanned, what is impossible is dropped, both by name."""

import io
import math
import time
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.catalogue import data_folder
from planner.telemetry import read, wear, wear_counts
from planner.telemetry.evidence import Evidence, Witness, percent_used
from planner.telemetry.numerals import counter
from planner.telemetry.wear_counts import ERASES, WearCount, WearCounts
from tests import synthetic_drives as made
from tests import witnesses

ROOT = Path(__file__).parents[3]
USED = "Percentage Used Endurance Indicator"
AVERAGE, LEFT, MORE = (173, "Ave_Block-Erase_Count"), (202, "Percent_Lifetime_Remain"), math.inf


def drive(model, attributes, percent=None, family="", **known):
    """Return what both outputs of smartctl give."""
    statistics = [] if percent is None else [(USED, percent)]
    known |= {"attributes": attributes, "statistics": statistics, "family": family}
    files = (made.encoded(made.sata_json(model, **known)), made.sata_text(model, **known).encode())
    one, other = (read("drive", data).drive for data in files)
    assert (one.used_fraction, one.unused) == (other.used_fraction, other.unused)
    return one


def ends(one):
    return one.used_fraction.low, one.used_fraction.high


@pytest.mark.parametrize(("left", "percent"), [(59, 105), (11, 235), (20, 200), (81, 45)])
def test_two_indicators_that_disagree_are_both_within_the_interval(left, percent):
    """Crucial BX500: attribute 202 says 41 to 89 % used where the standard says 105 to 235 %."""
    erases = 15.5 * (100 - left)
    one = drive("CT240BX500SSD1", [(*AVERAGE, left, int(erases)), (*LEFT, left, 100 - left)],
                percent, family="Crucial/Micron BX/MX1/2/3/500, M5/600, 11/1300 SSDs")  # fmt: skip
    low, high = ends(one)
    assert low <= 1 - left / 100 <= percent / 100 <= high
    assert f"says {percent} % of the life used" in one.notes[-1]
    assert f"says {100 - left} % of the life used" in one.notes[-1]
    assert "the interval spans them" in one.notes[-1]


def test_an_indicator_that_implies_no_rating_of_flash_is_dropped_by_name():
    """Crucial M500: 2,613 erases at 6 % would be 43,550 rated cycles of MLC."""
    one = drive("CT120M500SSD1", [(*AVERAGE, 13, 2_613), (*LEFT, 14, 86)], 6)
    assert ends(one) == (0.85, 0.87)
    (unused,) = one.unused
    assert unused.field == f"device statistics, {USED}"
    assert unused.reason.endswith("says 86 % of the life used")


@pytest.mark.parametrize(
    ("value", "raw", "erases", "percent", "used"),
    [
        (93, 7, 76, None, (0.06, 0.08)),  # the value falls
        (100, 89, 101, 10, (0.10, 0.11)),  # the raw number is what is left
        (100, 11, 110, 11, (0.10, 0.12)),  # here what is used
        (100, 0, 1_923, 0, (0.99, MORE)),  # worn out, though the standard log says new
        (100, 0, 4, 0, (0.0, 0.01)),
        (100, 100, 0, None, (0.0, 0.01)),
    ],
)
def test_erases_and_the_standard_tell_what_a_raw_number_counts(value, raw, erases, percent, used):
    one = drive("KINGSTON SA400S37120G",
                [(231, "SSD_Life_Left", value, raw), (244, "Average_Erase_Count", 100, erases)],
                percent)  # fmt: skip
    assert ends(one) == pytest.approx(used)


def test_where_erases_and_the_standard_agree_an_answer_is_given():
    """Kingston A400: the indicator says new, erases and the standard log agree on worn."""
    one = drive("KINGSTON SA400S37240G",
                [(231, "SSD_Life_Left", 97, 3), (244, "Average_Erase_Count", 100, 600)],
                60)  # fmt: skip
    assert one.used_fraction.value == 0.6
    assert one.used_fraction.high == 0.61


NYTRO = [(173, "Avg_Program/Erase_Ct", 96, 296), (231, "SSD_Life_Left", 96, 0x646000),
         (233, "Lifetime_Wts_To_Flsh_GB", 100, 309_264),
         (241, "Lifetime_Wts_Frm_Hst_GB", 100, 224_223)]  # fmt: skip
CLOUD = [(233, "Lifetime_Nand_Writes", 100, 499_136), (241, "Total_LBAs_Written", 100, 239_360),
         (245, "Drive_Life_Remaining%", 96, 96)]  # fmt: skip
NAND_249 = [(241, "Host_Writes_32MiB", 100, 1_095_051), (249, "NAND_Writes_1GiB", 100, 108_155)]


@pytest.mark.parametrize(
    ("model", "family", "attributes", "sectors", "wa"),
    [
        ("XA1920LE10063", "Seagate Nytro SATA SSD", NYTRO, 224_223 << 21, 309_264 / 224_223),
        ("SDLF1CRR-019T-1HA1", "Sandisk SATA Cloudspeed Max and GEN2 ESS SSDs", CLOUD,
         239_373_175_583_232 // 512, 2.0851),
        ("INTEL SSDSC2KW128G8", "Intel 545s Series SSDs", NAND_249, 1_095_051 << 16,
         108_155 * 32 / 1_095_051),
    ],
)  # fmt: skip
def test_flash_writes_have_the_unit_of_host_writes_or_that_of_their_name(
    model, family, attributes, sectors, wa
):
    text = made.sata_text(
        model, attributes=attributes, family=family,
        statistics=[("Logical Sectors Written", sectors), ("Power-on Hours", 40_000)],
    )  # fmt: skip
    assert read("drive", text.encode()).drive.wa.value == pytest.approx(wa, rel=1e-4)


def test_flash_writes_of_no_known_unit_are_not_used():
    one = drive("SDLF1CRR-019T-1HA1", CLOUD, family="Sandisk SATA Cloudspeed Max and GEN2 ESS SSDs")
    assert (one.host_bytes, one.flash_bytes) == (None, None)
    assert "attribute 233 Lifetime_Nand_Writes" in {unused.field for unused in one.unused}


def test_erases_that_leave_out_a_part_of_the_flash_imply_a_wide_rating():
    """SanDisk SSD PLUS: 3.2 user capacities of host writes per counted erase."""
    size, erases = 240_057_409_536, 21
    written = int(3.2 * erases * size / 2**30)
    text = made.sata_text(
        "SanDisk SSD PLUS 240 GB", family="Marvell based SanDisk SSDs", capacity=size,
        attributes=[(173, "Avg_Write/Erase_Count", 100, erases),
                    (241, "Total_Writes_GiB", 253, written)],
        statistics=[(USED, 4)],
    )  # fmt: skip
    one = read("drive", text.encode()).drive
    assert one.pe_cycles.low == pytest.approx(20 / 0.05)
    assert one.pe_cycles.high == pytest.approx(3.2 * erases / 0.03, rel=0.01)
    assert any("counts a part of the blocks" in note for note in one.notes)


percents = st.integers(0, 254)


@given(st.lists(percents, min_size=1, max_size=4), st.integers(0, 20_000) | st.none())
def test_no_interval_excludes_all_but_what_is_impossible(points, erases):
    evidence = Evidence(protocol="ATA", firmware="unknown")
    evidence.used = [
        Witness(counter=str(n), readings={"stated": percent_used(one, f"indicator {n}")})
        for n, one in enumerate(points)
    ]
    if erases is not None:
        evidence.erase_cycles = counter(float(erases), "erases", 1.0)
    used = wear.life_used(evidence, WearCounts())
    unused = {one.field for one in evidence.counters.unused}
    for n, one in enumerate(points):
        stated = percent_used(one, "")
        inside = used is not None and used.low <= stated.high and stated.low <= used.high
        assert inside or f"indicator {n}" in unused
    assert used is not None or len(unused) == len(points)


def test_many_indicators_take_no_time():
    attributes = [(231, "SSD_Life_Left", 100, n % 100) for n in range(256)]
    text = made.sata_text("Any", family="Any SSDs", attributes=attributes).encode()
    started = time.process_time()
    assert read("drive", text).refused is None
    assert time.process_time() - started < 1


def counted(right, logs):
    return WearCounts((
        WearCount("f", "1", "stated", logs, logs), WearCount("f", "2", "stated", logs, right),
    ))  # fmt: skip


def test_an_indicator_that_never_held_in_its_family_is_dropped():
    """Bayes by hand: shares (n + 2p)/(n + 2), kept if right enough on either of two indicators."""
    for right, logs in product((0, 20, 36, 40), (40,)):
        evidence = Evidence(protocol="ATA", firmware="f")
        evidence.used = [
            Witness(counter=name, readings={"stated": percent_used(points, name)})
            for name, points in (("1", 20), ("2", 60))
        ]
        pooled = (logs + right + 4) / (2 * logs + 5)
        shares = [min(max((held + 2 * pooled) / (logs + 2), 0.05), 0.95) for held in (logs, right)]
        odds = shares[1] * (1 - shares[0]) / (shares[0] * (1 - shares[1]))
        used = wear.life_used(evidence, counted(right, logs))
        assert (used.high > 0.5) == (odds >= 0.01)
    assert shares[1] == 0.95


def test_the_rating_of_a_family_is_that_of_its_logs_and_of_others_without_any():
    rows = tuple(WearCount(f"f{n}", ERASES, "", 99, 99, cycles, 0.1)
                 for n, cycles in enumerate((1_000, 2_000, 4_000)))  # fmt: skip
    middle, _ = WearCounts(rows).rating("f0")
    assert math.exp(middle) == pytest.approx(1_000, rel=0.01)
    middle, spread = WearCounts(rows).rating("f9")
    assert math.exp(middle) == pytest.approx(2_000)
    assert spread == pytest.approx(math.sqrt(math.log(2) ** 2 + 0.01))


def test_the_counts_are_those_of_the_logs():
    written = (data_folder() / "wear_counts.csv").read_text(encoding="utf-8")
    made_now = io.StringIO()
    witnesses.write_counts(made_now)
    assert written == made_now.getvalue()
    assert wear_counts.load().problems == ()


def test_no_log_has_an_interval_without_both_the_standard_and_the_vendors_indicator():
    for log, used, left in witnesses.weighed():
        for interval in (used, left):
            stated = [log.stated(True), log.stated(False)]
            if interval is not None and all(stated):
                assert any(witnesses.holds(interval, one) for one in stated), log.name


def test_the_answer_holds_with_the_family_left_out():
    weighed = witnesses.weighed()
    held = sum(witnesses.contains(left, used) for _, used, left in weighed)
    assert held >= 0.95 * len(weighed)


def test_the_page_of_the_documentation_is_this_one():
    written = (ROOT / "docs" / "evidence" / "witnesses.md").read_text(encoding="utf-8")
    assert written == witnesses.page()
