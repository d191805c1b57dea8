"""Uncertain plans: against plain Monte Carlo and closed forms, and their own laws."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import DomainError
from models.units import DAY_S, GIB, TB, YEAR_S
from planner.catalogue import find, load
from planner.catalogue.drive import with_user_facts
from planner.scenario.array import Array, RaidLevel
from planner.scenario.firmware import Firmware, Layout
from planner.scenario.skew import classes_of
from planner.scenario.workload import Workload
from planner.search import uncertainty as u
from planner.search.uncertainty.inputs import with_values
from planner.sections.life import Limit
from planner.sections.plan import plan_drive
from tests.naive_uncertainty import CASES, lives_s

Z90, Z95 = 1.2815515655446004, 1.6448536269514722
RATE = 50 * GIB / DAY_S


def distribution(kind, *parameters):
    """Return the distribution of a case; a plan puts the scale of three points on itself."""
    if kind == "low..mid..high":
        scale, *points = parameters
        return u.low_mid_high(*points, least=-1.0 if scale == "straight" else 0.0)
    keyword = {"lognormal": "sigma", "normal": "sd"}.get(kind)
    if keyword is None:
        return getattr(u, kind)(*parameters)
    return getattr(u, kind)(parameters[0], **{keyword: parameters[1]})


def question(case, catalogue):
    """Return the plan of a case, its inputs, and its shares by class."""
    drive = find(catalogue, case.drive)
    if case.pages_per_block:
        drive = with_user_facts(drive, pages_per_block=case.pages_per_block)
    shares = classes_of(case.skew, capacity_bytes=drive.capacity_bytes)
    workload = Workload(
        host_bytes_per_s=case.host_bytes_per_s, write_shares=shares[0], page_shares=shares[1]
    )
    inputs = {name: distribution(*told) for name, told in case.inputs.items()}
    in_log = Firmware(layout=Layout.ONE_LOG)
    return plan_drive(drive, workload, firmware=in_log), inputs, shares


@pytest.fixture(scope="module")
def evo(catalogue):
    """A drive that only flash wear ends: its life is a product of its inputs."""
    return plan_drive(find(catalogue, "840 EVO 250"), Workload(host_bytes_per_s=RATE))


@pytest.mark.parametrize("name", CASES)
def test_quantiles_of_life_are_those_of_many_plain_draws(name, catalogue):
    answer, inputs, shares = question(CASES[name], catalogue)
    lives = lives_s(CASES[name], np.random.default_rng(7), 250_000, shares)  # 0.3 % of error
    got = u.uncertainty(answer, inputs, samples=4096, seed=3).spread(u.LIFE).quantiles
    for chance in (0.05, 0.95):
        assert got[chance] == pytest.approx(np.quantile(lives, chance), rel=0.02), chance


def test_a_product_of_lognormals_is_lognormal(evo):
    inputs = {
        "pe_cycles": u.lognormal(1129, sigma=0.2),
        "host_bytes_per_s": u.lognormal(RATE, sigma=0.4),
    }
    known = u.uncertainty(evo, inputs, samples=4096, seed=1)
    spread, middle = known.spread(u.LIFE), evo.lives.known[Limit.FLASH_WEAR].value
    sigma = np.hypot(0.2, 0.4)
    for chance, z in ((0.05, -Z95), (0.1, -Z90), (0.5, 0.0), (0.9, Z90), (0.95, Z95)):
        exact = middle * np.exp(sigma * z)
        assert spread.quantiles[chance] == pytest.approx(exact, rel=0.01)
    half = known.chance(u.LIFE, at_least=middle)
    assert half.value == pytest.approx(0.5, abs=0.005)
    tied = {("pe_cycles", "host_bytes_per_s"): 0.8}
    closer = u.uncertainty(evo, inputs, samples=4096, seed=1, correlations=tied)
    sigma = np.sqrt(0.2**2 + 0.4**2 - 2 * 0.8 * 0.2 * 0.4)
    low = closer.spread(u.LIFE).quantiles[0.05]
    assert low == pytest.approx(middle * np.exp(-Z95 * sigma), rel=0.01)


def test_stated_errors_are_those_that_other_draws_show(evo):
    inputs = {
        "pe_cycles": u.lognormal(1129, sigma=0.3),
        "host_bytes_per_s": u.lognormal(RATE, sigma=0.3),
        "fill_fraction": u.uniform(0.6, 1.0),
    }
    spreads = [u.uncertainty(evo, inputs, samples=64, seed=s).spread(u.LIFE) for s in range(60)]
    for chance in (0.05, 0.5, 0.95):
        seen = np.std([spread.quantiles[chance] for spread in spreads])
        stated = np.sqrt(np.mean([spread.errors[chance] ** 2 for spread in spreads]))
        assert 0.7 < stated / seen < 1.5, chance


def test_shares_of_the_variance_of_a_product_are_those_of_its_logarithms(evo):
    inputs = {
        "pe_cycles": u.lognormal(1129, sigma=0.2),
        "host_bytes_per_s": u.lognormal(RATE, sigma=0.4),
        "price_usd": u.uniform(100, 200),
    }
    known = u.uncertainty(evo, inputs, seed=2)
    shares = {share.name: share for share in u.sobol_shares(known)}
    assert list(shares) == ["host_bytes_per_s", "pe_cycles", "price_usd"]
    for name, exact in (("host_bytes_per_s", 0.8), ("pe_cycles", 0.2), ("price_usd", 0.0)):
        assert shares[name].first == pytest.approx(exact, abs=0.02)
        assert shares[name].total == pytest.approx(exact, abs=0.02)
    swings = {swing.name: swing.log_ratio for swing in u.tornado(known)}
    assert list(swings) == list(shares)
    assert swings["host_bytes_per_s"] == pytest.approx(-2 * Z90 * 0.4, rel=1e-9)
    assert swings["pe_cycles"] == pytest.approx(2 * Z90 * 0.2, rel=1e-9)
    assert swings["price_usd"] == 0


POINTS = st.tuples(*[st.floats(0.02, 0.98)] * 3).map(sorted)


@given(POINTS, st.sampled_from(["read_fraction", "fill_fraction", "price_usd", "growth_per_year"]))
def test_three_points_are_met_and_bounds_are_kept(points, name):
    known = u.placed(name, u.low_mid_high(*points))
    for point, chance in zip(points, (0.1, 0.5, 0.9), strict=True):
        assert known.at(chance) == pytest.approx(point, rel=1e-9)
    least, most = {"price_usd": (0, np.inf), "growth_per_year": (-1, np.inf)}.get(name, (0, 1))
    assert least < known.at(2.0**-31) <= known.at(1 - 2.0**-31) <= most


def test_three_points_in_proportion_are_lognormal():
    known, exact = u.low_mid_high(1000, 3000, 9000), u.lognormal(3000, sigma=np.log(3) / Z90)
    for chance in (0.001, 0.05, 0.3, 0.7, 0.999):
        assert known.at(chance) == pytest.approx(exact.at(chance), rel=1e-9)


def test_a_point_at_a_bound_is_met_with_the_chance_it_says():
    known = u.placed("sequential_fraction", u.low_mid_high(0, 0.1, 0.3, least=-1))
    assert (known.at(0.05), known.at(0.1)) == (0.0, pytest.approx(0, abs=1e-12))
    full = u.placed("fill_fraction", u.low_mid_high(0.6, 0.8, 1.0))
    assert (full.at(0.95), full.at(0.5)) == (1.0, pytest.approx(0.8))


@pytest.mark.parametrize(
    ("known", "mean", "sd"),
    [
        (u.uniform(2, 8), 5, 6 / np.sqrt(12)),
        (u.triangular(2, 3, 8), 13 / 3, np.sqrt((4 + 9 + 64 - 6 - 16 - 24) / 18)),
        (u.pert(2, 3, 8), 22 / 6, np.sqrt((22 / 6 - 2) * (8 - 22 / 6) / 7)),
        (u.normal(5, sd=2), 5, 2),
        (u.lognormal(5, sigma=0.3), 5 * np.exp(0.045), 5 * np.exp(0.045) * np.sqrt(np.expm1(0.09))),
        (u.fixed(5), 5, 0),
    ],
    ids=str,
)
def test_moments_are_those_of_the_textbook(known, mean, sd):
    values = known.quantile((np.arange(200_000) + 0.5) / 200_000)
    assert np.mean(values) == pytest.approx(mean, rel=1e-4)
    assert np.std(values) == pytest.approx(sd, rel=1e-3, abs=1e-12)


def test_tails_are_cut_where_an_input_ends():
    cut = u.placed("read_fraction", u.normal(0.9, sd=0.1))
    assert 0 <= cut.at(2.0**-31) < cut.at(1 - 2.0**-31) <= 1
    exact = NormalDist(0.9, 0.1)  # cut one standard deviation above the mean
    assert cut.at(0.5) == pytest.approx(exact.inv_cdf(exact.cdf(1) / 2), abs=1e-9)


@settings(max_examples=20)
@given(st.floats(0.05, 0.5), st.floats(1.3, 3), st.sampled_from(["pe_cycles", "host_bytes_per_s"]))
def test_what_is_known_less_well_gives_a_wider_interval(sigma, factor, name):
    answer = plan_drive(find(load(), "840 EVO 250"), Workload(host_bytes_per_s=RATE))
    middle = {"pe_cycles": 1129, "host_bytes_per_s": RATE}
    other = {key: u.lognormal(value, sigma=0.1) for key, value in middle.items() if key != name}
    narrow, wide = (
        u.uncertainty(
            answer, other | {name: u.lognormal(middle[name], sigma=s)}, samples=256
        ).spread(u.LIFE)
        for s in (sigma, sigma * factor)
    )
    assert wide.quantiles[0.05] < narrow.quantiles[0.05]
    assert wide.quantiles[0.95] > narrow.quantiles[0.95]


def test_known_inputs_give_the_plan_itself(evo):
    known = u.uncertainty(evo, {"pe_cycles": u.fixed(1129), "host_bytes_per_s": u.fixed(RATE)})
    for key in ("wear_life_s", "workload_wa", "budget_iops", "price_per_written_byte"):
        spread = known.spread(key)
        middle = evo.nodes[key].value
        assert list(spread.quantiles.values()) == pytest.approx([middle] * 5, rel=1e-12)
        assert max(spread.errors.values()) <= 1e-12 * spread.quantiles[0.5]
    assert u.sobol_shares(known) == ()
    assert [swing.log_ratio for swing in u.tornado(known)] == [0.0, 0.0]


def test_the_order_of_inputs_does_not_matter_and_the_seed_does(evo):
    inputs = {"pe_cycles": u.uniform(900, 1500), "fill_fraction": u.pert(0.5, 0.8, 1),
              "host_bytes_per_s": u.lognormal(RATE, sigma=0.3)}  # fmt: skip
    turned = dict(reversed(inputs.items()))
    one, same, other = (
        u.uncertainty(evo, told, seed=seed).values(u.LIFE)
        for told, seed in ((inputs, 1), (turned, 1), (inputs, 2))
    )
    np.testing.assert_array_equal(one, same)
    assert not np.any(one == other)


def test_an_array_gives_what_its_elements_give(catalogue):
    case = replace(CASES["Zipf on superblocks"], skew="95/5")
    answer, inputs, _ = question(case, catalogue)
    answer = plan_drive(
        answer.drive,
        answer.workload,
        array=Array(members=4, level=RaidLevel.RAID5),
        firmware=answer.firmware,
    )
    inputs["price_usd"] = u.uniform(100, 200)
    inputs["rating_wa"] = u.uniform(2, 4)
    known = u.uncertainty(answer, inputs, samples=64)
    for place in (0, 17, 255):
        alone = with_values(answer, {name: float(v[place]) for name, v in known.draws.items()})
        for key, node in alone.nodes.items():
            if np.ndim(node.value) == 0:
                together = known.values(key)[place]
                assert together == pytest.approx(node.value, rel=1e-9), key
    assert set(known.plan.nodes) == set(alone.nodes)


def test_first_limits_are_counted_and_the_warranty_is_one(pro_400):
    answer = plan_drive(pro_400, Workload(host_bytes_per_s=4 * TB / DAY_S))
    inputs = {"host_bytes_per_s": u.lognormal(4 * TB / DAY_S, sigma=0.5),
              "pe_cycles": u.uniform(15_000, 60_000)}  # fmt: skip
    known = u.uncertainty(answer, inputs)
    lives = {limit: known.values(key) for limit, key in (
        (Limit.FLASH_WEAR, "wear_life_s"), (Limit.RATED_TBW, "rated_life_s"))}  # fmt: skip
    np.testing.assert_array_equal(known.values(u.LIFE), np.minimum(*lives.values()))
    shares = known.binding
    assert sum(shares.values()) == pytest.approx(1)
    worn = lives[Limit.FLASH_WEAR] < np.minimum(lives[Limit.RATED_TBW], 5 * YEAR_S)
    assert shares[Limit.FLASH_WEAR] == pytest.approx(worn.mean())
    assert all(share > 0.05 for share in shares.values())


def test_a_drive_that_may_last_for_ever_has_quantiles_and_shares(pro_400):
    answer = plan_drive(pro_400, Workload(host_bytes_per_s=TB / DAY_S))
    known = u.uncertainty(answer, {"growth_per_year": u.uniform(-0.3, 0.3)}, seed=1)
    spread = known.spread(u.LIFE)
    assert np.isfinite(spread.quantiles[0.05])
    assert spread.quantiles[0.95] == np.inf
    assert 0 < known.binding[Limit.WARRANTY] <= 1
    (share,) = u.sobol_shares(known)
    assert (share.first, share.total) == (1, 1)


def test_the_probability_of_a_rate_is_that_of_the_rate_that_decides_it(pro_400):
    answer = plan_drive(pro_400, Workload(host_bytes_per_s=1e6, read_fraction=0.0))
    known = u.uncertainty(answer, {"steady_write_iops": u.uniform(10_000, 20_000)})
    got = known.chance("budget_iops", at_least=12_500)
    assert got.value == pytest.approx(0.75, abs=0.002)
    assert known.chance("budget_iops", at_least=10_000).value == 1


def test_what_is_missing_stays_missing(pro_4tb, busy):
    known = u.uncertainty(plan_drive(pro_4tb, busy), {"host_bytes_per_s": u.uniform(1e6, 2e6)})
    assert known.lacking("wear_life_s") == ("pe_cycles", "raw_bytes")
    assert np.isnan(known.values("wear_life_s")).all()
    assert known.spread("wear_life_s").lacking == ("pe_cycles", "raw_bytes")
    assert not known.spread("wear_life_s").is_known
    assert not known.chance("wear_life_s", at_least=1).is_known
    assert u.tornado(known, "wear_life_s") == ()
    assert u.sobol_shares(known, "wear_life_s") == ()
    assert known.spread(u.LIFE).is_known
    assert known.lacking(u.LIFE) == ()


def test_an_input_that_a_plan_does_not_use_is_named(evo):
    known = u.uncertainty(evo, {"erase_s": u.uniform(1e-3, 2e-3)})
    assert known.notes == ("Erase time does not enter this plan.",)


def test_regret_is_what_hindsight_would_have_saved(catalogue):
    workload = Workload(host_bytes_per_s=RATE)
    small, large = (
        plan_drive(find(catalogue, name), workload) for name in ("840 EVO 250", "840 EVO 500")
    )
    shared = {"host_bytes_per_s": u.lognormal(RATE, sigma=0.6)}
    found = u.least_regret([small, large], shared, u.usd_per_service_year(5 * YEAR_S), seed=4)
    by_drive = {item.plan.drive.drive_id: item for item in found}
    costs = []
    for answer in (small, large):
        known = u.uncertainty(answer, shared, seed=4)
        years = np.minimum(known.values("wear_life_s"), 5 * YEAR_S) / YEAR_S
        costs.append(answer.drive.value("price_usd") / years)
    best = np.minimum(*costs)
    for answer, cost in zip((small, large), costs, strict=True):
        item = by_drive[answer.drive.drive_id]
        assert item.mean == pytest.approx(cost.mean())
        assert item.expected == pytest.approx((cost - best).mean())
        assert item.worst == pytest.approx(np.quantile(cost - best, 0.95), rel=0.01)
        assert item.best == pytest.approx(np.mean(cost == best))
        assert 0 < item.best < 1
    assert found[0].expected <= found[1].expected


def test_a_plan_that_is_never_better_is_always_regretted(evo):
    dearer = plan_drive(with_user_facts(evo.drive, price_usd=400), evo.workload)
    own = [{"pe_cycles": u.uniform(900, 1100)}, {"pe_cycles": u.uniform(900, 1100)}]
    shared = {"host_bytes_per_s": u.uniform(0.5 * RATE, 2 * RATE)}
    cheap, dear = u.least_regret([dearer, evo], shared, u.usd_per_service_year(9e9), own=own)
    assert (cheap.plan, cheap.best, cheap.expected) == (evo, 1.0, 0.0)
    assert dear.best == 0.0
    alike = u.least_regret([evo, dearer], shared, u.life_shortfall_s(5 * YEAR_S))
    assert [item.expected for item in alike] == [0.0, 0.0]
    unpriced = plan_drive(replace(evo.drive, facts={}), evo.workload)
    (unknown,) = u.least_regret([unpriced], shared, u.usd_per_service_year(1e9))
    assert not unknown.is_known
    assert "price_usd" in unknown.lacking


@pytest.mark.parametrize(
    ("written", "name", "chance", "value"),
    [
        ("pe_cycles=2000..3000..5000", "pe_cycles", 0.9, 5000),
        ("pe-cycles = 2,000 .. 3,000 .. 5,000", "pe_cycles", 0.1, 2000),
        ("writes=0.5..1..2TB/day", "host_bytes_per_s", 0.1, 0.5 * TB / DAY_S),
        ("writes=lognormal(1 TB/day, 0.4)", "host_bytes_per_s", 0.5, TB / DAY_S),
        ("writes=1 DWPD", "host_bytes_per_s", 0.3, 1e12 / DAY_S),
        ("read-share=normal(50%, 5%)", "read_fraction", 0.5, 0.5),
        ("fill=triangular(60, 80, 100%)", "fill_fraction", 0.5, 0.8),
        ("growth=-10..0..20%", "growth_per_year", 0.1, -0.1),
        ("raw=pert(500GiB, 512GiB, 524GiB)", "raw_bytes", 0.5, 512 * GIB),
        ("steady_write_iops=uniform(10000, 14000)", "steady_write_iops", 0.25, 11_000),
        ("warranty_s=fixed(3 years)", "warranty_s", 0.5, 3 * YEAR_S),
        ("block-size=8KiB", "transfer_bytes", 0.5, 8192),
        ("wa=1.5..2..3", "measured_wa", 0.5, 2),
        ("spare=5%..7%..10%", "partition_fraction", 0.9, 0.95),
        ("spare=uniform(0%, 20%)", "partition_fraction", 0.25, 0.85),
        ("spare=normal(10%, 1%)", "partition_fraction", 0.5, 0.9),
        ("partition=80..90..95%", "partition_fraction", 0.5, 0.9),
        ("reads=20..30..50%", "read_fraction", 0.9, 0.5),
    ],
)
def test_inputs_are_read_as_they_are_written(written, name, chance, value):
    got, known = u.parse_input(written, capacity_bytes=1e12)
    assert got == name
    assert known.at(chance) == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize(
    ("written", "statement"),
    [
        ("pe_cycles", r"an uncertain input must be NAME=LOW\.\.MID\.\.HIGH"),
        ("pe_cycles=2000..3000", r"pe_cycles must be LOW\.\.MID\.\.HIGH .*, got '2000\.\.3000'"),
        ("pe_cycles=weibull(1, 2)", r"pe_cycles must be LOW.*got 'weibull\(1, 2\)'"),
        ("pe_cycles=uniform(1)", r"pe_cycles must be LOW.*got 'uniform\(1\)'"),
        ("pe_cycles=5000..3000..2000", r"pe_cycles must be points that rise, got 5000..3000..2000"),
        ("pe_cycles=0..3000..4000", r"pe_cycles must be from 1 to 10,000,000, got 0"),
        ("pe_cycles=lognormal(3000, -1)", r"pe_cycles: sigma must be > 0 and finite, got -1"),
        ("pe_cycles=lognormal(3000, 1000)", r"pe_cycles: sigma must be at most 20, got 1000"),
        ("pe_cycles=" + "9" * 300, r"an uncertain input must be .*, got 'pe_cycles=9{49}\.\.\.'"),
        (
            "\x1b[2J=1",
            r"\\x1b\[2j must be a drive.s fact or one of field_copy_ratio, fill_fraction, growth",
        ),
        ("pe_cycles=many", r"pe_cycles must be a number in cycles"),
        ("read-share=uniform(50%, 120%)", r"read_fraction must be from 0 to 1, got 1\.2"),
        ("read-share=normal(300%, 1%)", r"read_fraction must be from 0 to 1, got normal"),
        ("trim=0..10..50%", r"trim_share must be from 0 to less than 0\.5, got 0\.5"),
        ("fill=0..10..50%", r"fill_fraction must be > 0 and <= 1, got 0"),
        ("growth=-100..0..5%", r"growth_per_year must be > -1 and <= 10, got -1"),
        ("working_set_fraction=1..2..3", r"working_set_fraction must be one number"),
        (
            "colour=1..2..3",
            r"colour must be a drive.s fact or one of field_copy_ratio, fill_fraction, growth",
        ),
        ("spare=lognormal(7%, 0.2)", r"partition_fraction must be LOW.*got 'lognormal"),
        ("writes=1..2..3", r"writes must be a rate such as"),
    ],
)
def test_what_cannot_be_read_is_named_with_what_could_be(written, statement):
    with pytest.raises(DomainError, match=rf"^{statement}"):
        u.parse_input(written, capacity_bytes=1e12)


@pytest.mark.parametrize(
    ("options", "statement"),
    [
        ({"samples": 1000}, "samples must be a power of two from 64 to 65536, got 1000"),
        ({"correlations": {("pe_cycles", "fill_fraction"): 0.5}}, "fill_fraction must be unc"),
        ({"correlations": {("pe_cycles", "pe_cycles"): 0.5}}, "pe_cycles must be correlated with"),
        ({"correlations": {("pe_cycles", "price_usd"): 1.0}}, r"correlations must be in \(-1, 1\)"),
        (
            {"correlations": {("pe_cycles", "price_usd"): 0.9, ("price_usd", "raw_bytes"): 0.9,
                              ("raw_bytes", "pe_cycles"): -0.9}},
            "correlations must fit each other",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused_by_name(options, statement, evo):
    inputs = {"pe_cycles": u.uniform(900, 1500), "price_usd": u.uniform(100, 200),
              "raw_bytes": u.uniform(2.6e11, 2.8e11)}  # fmt: skip
    with pytest.raises(DomainError, match=rf"^{statement}"):
        u.uncertainty(evo, inputs, **options)


def test_draws_of_a_pair_are_tied_as_told(evo):
    inputs = {"pe_cycles": u.uniform(900, 1500), "price_usd": u.lognormal(200, sigma=0.3)}
    tied = {("pe_cycles", "price_usd"): 0.7}
    known = u.uncertainty(evo, inputs, samples=4096, correlations=tied)
    ranks = [np.argsort(np.argsort(known.draws[name])) for name in inputs]
    # Pearson 1907: rank correlation of a normal pair is 6/pi asin(rho/2).
    assert np.corrcoef(ranks)[0, 1] == pytest.approx(6 / np.pi * np.arcsin(0.35), abs=0.005)


def test_an_unknown_number_is_refused(evo):
    known = u.uncertainty(evo, {"pe_cycles": u.uniform(900, 1500)})
    with pytest.raises(DomainError, match="colour must be a number of a plan"):
        known.values("colour")


def test_a_bounded_distribution_is_not_bounded_twice():
    """A normal above 0, asked for between 0 and no end once more, is the same."""
    once = u.normal(50.0, sd=50.0).between(0.0, np.inf)
    twice = once.between(0.0, np.inf)
    assert [twice.at(p) for p in (0.1, 0.5, 0.9)] == pytest.approx(
        [once.at(p) for p in (0.1, 0.5, 0.9)]
    )
    exact = 50 + 50 * NormalDist().inv_cdf(NormalDist().cdf(-1) + 0.5 * (1 - NormalDist().cdf(-1)))
    assert once.at(0.5) == pytest.approx(exact)


def test_a_width_is_positive_and_a_mean_may_be_negative():
    assert u.normal(-5, sd=2).at(0.5) == -5
    with pytest.raises(DomainError, match=r"^sd must be > 0"):
        u.normal(5, sd=-2)
    with pytest.raises(DomainError, match=r"^sigma must be > 0"):
        u.lognormal(5, sigma=0)
