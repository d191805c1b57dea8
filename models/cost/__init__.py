"""Cost: prices per unit, years of a horizon, cost of ownership, and its present value.

Base units: US dollars; another currency does as well, as long as every price is in it.
"""

from models.cost.discounting import (
    break_even_price_usd,
    discount_factor,
    equivalent_usd_per_year,
    present_total_usd,
    present_usd,
)
from models.cost.owning import (
    capital_usd,
    net_present_usd,
    operating_present_usd,
    places_usd,
    priced_present_usd,
    residual_usd,
)
from models.cost.prices import (
    even_written_price_usd,
    iops_per_usd,
    throughput_bytes_per_s_per_usd,
    total_usd,
    usd_per_byte,
    usd_per_iops,
    written_bytes_per_usd,
)
from models.cost.replacements import (
    bought_drives,
    drives_usd,
    fleet_replacements,
    labour_total_usd,
    made_drives,
)
from models.cost.years import all_years, by_year, mid_year_s, year_end_s, year_length_s, year_part

__all__ = [
    "all_years",
    "bought_drives",
    "break_even_price_usd",
    "by_year",
    "capital_usd",
    "discount_factor",
    "drives_usd",
    "equivalent_usd_per_year",
    "even_written_price_usd",
    "fleet_replacements",
    "iops_per_usd",
    "labour_total_usd",
    "made_drives",
    "mid_year_s",
    "net_present_usd",
    "operating_present_usd",
    "places_usd",
    "present_total_usd",
    "present_usd",
    "priced_present_usd",
    "residual_usd",
    "throughput_bytes_per_s_per_usd",
    "total_usd",
    "usd_per_byte",
    "usd_per_iops",
    "written_bytes_per_usd",
    "year_end_s",
    "year_length_s",
    "year_part",
]
