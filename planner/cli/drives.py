"""`drives`: the catalogue."""

from dataclasses import asdict
from datetime import date

import click

from models.nomenclature import QUANTITIES
from planner.catalogue import load, search
from planner.catalogue.drive import RECALLED, Drive
from planner.catalogue.features import DERIVED, derived_features, rated_bytes
from planner.catalogue.names import other_models
from planner.catalogue.prices import PriceTerms, dated_text, price_record, priced
from planner.catalogue.reader import FEATURES
from planner.cli.parameters import AS_JSON, examples
from planner.cli.printing import MARK, print_json, print_table
from planner.cli.terminal import echo
from planner.quantity.inputs import INPUTS
from planner.quantity.parse import parse_bytes, quoted
from planner.quantity.show import ends_text, text, unit_text

SHOWN = ("raw_bytes", "rated_bytes", "rated_dwpd", "pe_cycles")
# Rates per USD, by which people compare drives.
BOUGHT = {
    "Read IOPS per USD": "random_read_iops", "Steady write IOPS per USD": "steady_write_iops",
    "Rated TB per USD": "rated_bytes",
}  # fmt: skip
PER_USD = dict.fromkeys(BOUGHT.values(), "iops_per_usd") | {"rated_bytes": "written_bytes_per_usd"}
MOST_RATINGS = 3  # in a cell of the table
IDENTITY = ("drive_id", "name", "vendor", "model", "segment", "interface", "nand_type")


@click.command("drives", epilog=examples("ssd-planner drives 845dc --min-capacity 400GB"))
@click.argument("words", nargs=-1)
@click.option("--vendor", help="Vendor: Samsung.")
@click.option("--nand", help="Cell type: SLC, MLC, TLC, QLC.")
@click.option(INPUTS["interface"].option, help="Interface, or part of its name: SATA, SAS, NVMe.")
@click.option(INPUTS["segment"].option, help="Segment: client, enterprise ...")
@click.option("--feature", "features", multiple=True, metavar="NAME=WORDS",
              help="Known feature, repeatable: power_loss_protection=yes. "
              f"NAME is one of {', '.join((*FEATURES, *DERIVED))}.")  # fmt: skip
@click.option("--min-capacity", help="Least user capacity: 960GB.")
@click.option("--max-capacity", help="Largest user capacity: 4TB.")
@AS_JSON
def command(
    *,
    words: tuple[str, ...],
    vendor: str | None,
    interface: str | None,
    nand: str | None,
    segment: str | None,
    features: tuple[str, ...],
    min_capacity: str | None,
    max_capacity: str | None,
    as_json: bool,
) -> None:
    """List drives of the catalogue whose names contain all WORDS."""
    catalogue = load()
    drives = search(
        catalogue,
        " ".join(words),
        vendor=vendor,
        interface=interface,
        nand_type=nand,
        segment=segment,
        features=dict(map(_feature, features)),
        min_bytes=None if min_capacity is None else parse_bytes("--min-capacity", min_capacity),
        max_bytes=None if max_capacity is None else parse_bytes("--max-capacity", max_capacity),
    )
    if as_json:
        print_json([_record(drive) for drive in drives])
        return
    terms = PriceTerms(today=date.today())
    print_table([_row(drive, terms) for drive in drives])
    echo(f"{len(drives)} of {len(catalogue.drives)} drives")
    recalled = sum(drive.is_recalled for drive in drives)
    if recalled:
        echo(f"{MARK} recalled from memory, not looked up: some facts of {recalled} drives")
    if others := other_models(catalogue, " ".join(words)):
        echo(f"Further models that match: {', '.join(others)}")
    for problem in catalogue.problems:
        echo(problem, err=True)


def _feature(written: str) -> tuple[str, str]:
    """Read one feature that drives must have."""
    name, sign, words = (part.strip() for part in written.partition("="))
    name = name.lower().replace("-", "_").replace(" ", "_")
    if name not in (*FEATURES, *DERIVED) or not sign or not words:
        raise click.UsageError(
            f"--feature must be NAME=WORDS such as power_loss_protection=yes, NAME one of "
            f"{', '.join((*FEATURES, *DERIVED))}, got {quoted(written)}"
        )
    return name, words


def _row(drive: Drive, terms: PriceTerms) -> dict[str, str]:
    row = {"Drive": drive.name, "Interface": drive.interface, "NAND": drive.nand_type}
    row |= {QUANTITIES[name].label: _fact_text(drive, name) for name in SHOWN}
    today = priced(drive, terms)
    bought = {label: _bought_text(key, today) for label, key in BOUGHT.items()}
    return row | {QUANTITIES["price_usd"].label: dated_text(today)} | bought


def _bought_text(key: str, drive: Drive) -> str:
    """Write the rate per USD of a drive, with the range of its price; empty if it is unknown."""
    bought = bought_per_usd(key, drive)
    if bought is None:
        return ""
    low, typical, high = bought
    quantity = PER_USD[key]
    number = text(quantity, typical, digits=3).removesuffix(unit_text(quantity))
    between = ends_text(quantity, low, high, digits=2)
    return f"{number} ({between})" if low < high else number


def bought_per_usd(key: str, drive: Drive) -> tuple[float, float, float] | None:
    """Return a rate, or the rated TB, per USD over the range of the price."""
    value, price, between = _amount(key, drive), drive.value("price_usd"), drive.price_range
    if between is not None:
        low, typical, high = between[:3]
    elif price is not None:
        low = typical = high = price
    else:
        return None
    return None if value is None else (value / high, value / typical, value / low)


def _amount(key: str, drive: Drive) -> float | None:
    """Return a rate of a drive, or its rated bytes."""
    return rated_bytes(drive) if key == "rated_bytes" else drive.value(key)


def _fact_text(drive: Drive, name: str) -> str:
    fact = drive.facts.get(name)
    if fact is None:
        return ""
    several = _ratings_text(drive, name) if drive.passed_over.get(name) else ""
    return several or f"{text(name, fact.value)}{f' {MARK}' * (fact.kind == RECALLED)}"


def _ratings_text(drive: Drive, name: str) -> str:
    """Write several ratings of a drive with their workloads; of many the lowest and highest."""
    from planner.catalogue.rated import rated_workloads  # noqa: PLC0415 - few drives have several

    ratings = [rated.fact for rated in rated_workloads(drive) if rated.fact.quantity == name]
    if len(ratings) < 2:
        return ""
    if len(ratings) > MOST_RATINGS:
        values = [fact.value for fact in ratings]
        ends = " to ".join(text(name, end) for end in (min(values), max(values)))
        return f"{ends}, {len(ratings)} workloads"
    return ", ".join(f"{text(name, fact.value)} ({fact.condition})" for fact in ratings)


def _price_record(drive: Drive) -> dict[str, object]:
    """Return the price of a drive today, with its 90 % range, kind, date and basis."""
    today = priced(drive, PriceTerms(today=date.today()))
    stated, between = today.value("price_usd"), today.price_range
    low, typical, high = [stated] * 3 if between is None else between[:3]
    return {"low": low, "typical": typical, "high": high, **price_record(today)}


def _bought_record(drive: Drive) -> dict[str, object]:
    """Return rates per USD of today: low, typical and high by the price, None where unknown."""
    today = priced(drive, PriceTerms(today=date.today()))
    levels = ("low", "typical", "high")
    return {
        key: None if bought is None else dict(zip(levels, bought, strict=True))
        for key in BOUGHT.values()
        for bought in (bought_per_usd(key, today),)
    }


def _record(drive: Drive) -> dict[str, object]:
    """Return a drive as a record, with kind and source of each fact and feature."""
    features = {**drive.features, **derived_features(drive)}
    return {
        **{name: getattr(drive, name) for name in IDENTITY},
        "capacity_bytes": drive.capacity_bytes,
        "recalled": drive.is_recalled,
        "price": _price_record(drive),
        "per_usd": _bought_record(drive),
        "features": {name: asdict(feature) for name, feature in features.items()},
        "facts": {name: asdict(fact) for name, fact in drive.facts.items()},
        "passed_over": {
            name: [asdict(fact) for fact in facts] for name, facts in drive.passed_over.items()
        },
    }
