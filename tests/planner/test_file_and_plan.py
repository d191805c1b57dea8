"""The forecast of a drive's file and the plan of what is left of it: one figure for one key."""

import io
import math

import pytest

from models.units import YEAR_S
from planner.export.forecast_screen import rating_left_s
from planner.export.measured_options import options_of
from planner.forecast import forecast
from planner.forecast.evidence import FLASH, WEAR
from planner.search.verdict import dates, lasts
from planner.search.verdict.lasts import NO
from planner.sections.request import plan_of
from planner.telemetry import read
from tests import drive_logs, telemetry_samples

LOGS = (
    "smartctl_json/INTEL_SSDSC2BB240G4-sde.json",  # 369 % of its rating, 78 % by its indicator
    "smartctl_json/CT250P2SSD8-nvme0.json",  # nothing used yet
    "smartctl_json/Micron_7300_MTFDHBE1T9TDF-nvme0.json",  # no rating known
    "smartctl_json/scrutiny_smart-nvme.json",  # dated
    "smartctl_text/CT1000MX500SSD1__1762B70D4138.txt",  # 99 % used, half of its rating
    "smartctl_text/Samsung_SSD_860_PRO_1TB__00F71468BCE7.txt",  # 163 % used, half of its rating
    "smartctl_text/Samsung_SSD_840_EVO_1TB__08F0A01C749C.txt",  # an indicator that has stopped
    "smartctl_text/NVMe_INTEL_SSDPED1K375GA__A92FA992C6C7.txt",  # 3D XPoint
    "NVMe__SEDC1000M960G__4F07938D8957.txt",  # rated in DWPD, for no period
    "NVMe__SSDPE2MX012T7__134F738D0752.txt",  # a size that the catalogue lacks
    "SSD__SSDSC2BB080G4__F5BBD112301C.txt",  # such a size past its rating
)


def reading(name):
    if name in drive_logs.logs():
        return drive_logs.readings()[name]
    return read(name, io.BytesIO(telemetry_samples.files()[name]))


def of_file(answer):
    """Return the figures of a forecast by key; unknown ones are left out."""
    found = {"past": answer.is_past, "host_bytes_per_s": answer.host_bytes_per_s}
    if answer.rating is not None:
        found["printed_left_bytes"] = answer.rating.left_bytes
    if not answer.is_past:
        found["printed_life_s"] = rating_left_s(answer)
        narrowed = any(left.kind == FLASH for left in answer.left[1:])
        if answer.left[0].kind == WEAR and not narrowed:
            found["wear_life_s"] = answer.middle_s
    return {key: value for key, value in found.items() if value is not None}


def of_plan(plan):
    found = {"past": dates(plan).is_past, "host_bytes_per_s": plan.workload.host_bytes_per_s}
    keys = ("printed_left_bytes", "printed_life_s", "wear_life_s")
    return found | {key: float(plan.nodes[key].value) for key in keys if key in plan.nodes}


@pytest.mark.parametrize("name", LOGS)
def test_a_file_and_its_plan_have_one_figure_for_one_key(name):
    one = reading(name)
    answer = forecast(one.drives)
    options = {key: str(value) for key, value in options_of([one]).items()}
    plan = plan_of(options.pop("drive"), **options)
    in_file, in_plan = of_file(answer), of_plan(plan)
    assert in_file.keys() <= in_plan.keys()
    for key, value in in_file.items():
        assert math.isclose(value, in_plan[key], rel_tol=1e-4), key  # texts have six digits
    if answer.is_past:
        assert lasts(plan, 5 * YEAR_S).word == NO


def test_a_rating_without_a_period_is_not_said_to_be_unknown():
    one = reading("NVMe__SEDC1000M960G__4F07938D8957.txt")
    options = {key: str(value) for key, value in options_of([one]).items()}
    statement = lasts(plan_of(options.pop("drive"), **options), 5 * YEAR_S).text
    assert "Its rating of 1 DWPD states no period: over five years it is 1,752 TB" in statement
    assert "No rating of this model" not in statement
