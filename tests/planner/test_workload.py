"""A workload refuses what cannot be, by the name of the field."""

import pytest

from models.errors import DomainError
from planner.scenario.workload import Workload


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("host_bytes_per_s", -1.0, "host_bytes_per_s must be >= 0 and finite, got -1"),
        ("host_bytes_per_s", float("inf"), "host_bytes_per_s must be >= 0 and finite, got inf"),
        ("host_bytes_per_s", float("nan"), "host_bytes_per_s must be >= 0 and finite, got nan"),
        ("growth_per_year", -1.0, "growth_per_year must be > -1, got -1"),
        ("read_fraction", 1.2, r"read_fraction must be in \[0, 1\], got 1.2"),
        ("transfer_bytes", 0, "transfer_bytes must be > 0 and finite, got 0"),
        ("sequential_fraction", -0.1, r"sequential_fraction must be in \[0, 1\], got -0.1"),
        ("queue_depth", -3, "queue_depth must be > 0 and finite, got -3"),
        ("fill_fraction", 0, r"fill_fraction must be in \(0, 1\], got 0"),
        ("working_set_fraction", 1.5, r"working_set_fraction must be in \(0, 1\], got 1.5"),
        ("measured_wa", 0.0, "measured_wa must be > 0 and finite, got 0"),
        ("write_shares", (0.5, 0.5), "write_shares must be as many as page_shares"),
        ("page_shares", (0.7,), "page_shares must be 1 in sum, got 0.7"),
    ],
)
def test_names_the_field_and_its_range(field, value, complaint):
    fields = {"host_bytes_per_s": 1e6} | {field: value}
    with pytest.raises(DomainError, match=f"^{complaint}$"):
        Workload(**fields)


def test_skew_is_kept_for_the_models_that_use_it():
    skewed = Workload(host_bytes_per_s=1e6, write_shares=(0.8, 0.2), page_shares=(0.2, 0.8))
    assert skewed.write_shares == (0.8, 0.2)
