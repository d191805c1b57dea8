"""The request for quotation as a table: suppliers fill it in, and `--catalogue` reads it again.

Its columns are those of a table of quotes. Filled in is the drive of each plan as it is printed: an
offer names this drive or one that is no worse, with its own figures then. Prices of the numbers to
be bought, dates and delivery are left to the supplier.
"""

from models.units import TB, YEAR_S
from planner.catalogue.quote_header import COLUMNS
from planner.search.choose import Candidate, Choice

PRICES = ("price_10", "price_100")  # of the empty table; here the numbers to be bought


def request_rows(choice: Choice) -> list[dict[str, object]]:
    """Return a row for each drive of the ranked plans, as printed, to be priced.

    >>> from planner.catalogue import find, load
    >>> from planner.search.choose import Grid, Requirements, choose
    >>> from planner.scenario.workload import Workload
    >>> grid = Grid(drives=(find(load(), "845DC PRO 400"),), members=(12,), levels=("5",))
    >>> choice = choose(Workload(host_bytes_per_s=2e7), Requirements(usable_bytes=4e12), grid)
    >>> (row,) = request_rows(choice)
    >>> row["vendor"], row["model"], row["capacity"], row["tbw"], row["price_12"]
    ('Samsung', '845DC PRO', '400 GB', '7300 TB', '')
    """
    items: dict[str, Candidate] = {}
    for one in choice.candidates:
        items.setdefault(one.plan.drive.drive_id, one)
    counts = sorted({one.plan.array.members for one in items.values()} - {1})
    columns = [name for name in COLUMNS if name not in PRICES]
    place = columns.index("price") + 1
    columns[place:place] = [f"price_{count}" for count in counts]
    return [dict.fromkeys(columns, "") | _drive(one) for one in items.values()]


def _drive(one: Candidate) -> dict[str, object]:
    drive, quote, rated = one.plan.drive, one.plan.drive.quote, one.rated_bytes
    warranty_s = one.plan.reading["warranty_s"]
    return {
        "part_number": "" if quote is None else quote.part_number,
        "vendor": drive.vendor,
        "model": drive.model,
        "capacity": f"{drive.capacity_gb:.10g} GB",
        "interface": drive.interface,
        "form_factor": drive.form_factor,
        "plp": drive.power_loss_protection if drive.power_loss_protection == "yes" else "",
        "tbw": f"{rated.value / TB:.6g} TB" if rated.is_known else "",
        "warranty_years": f"{warranty_s.value / YEAR_S:.4g}" if warranty_s.is_known else "",
        "currency": one.ownership.terms.currency,
    }
