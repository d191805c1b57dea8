"""Tables of plans: between what each number lies, and on what it rests."""

from planner.catalogue import load
from planner.export.comparison import comparison
from planner.export.tables import rows
from planner.quantity.show import shown
from planner.sections.plan import known_only
from planner.sections.request import plan_of


def test_every_number_of_a_table_has_its_ends_and_its_basis():
    answer = plan_of("PM893 960", writes="2 TB/day")
    assumed = {item.quantity: item for item in answer.assumed}
    lines = {row.quantity: row for row in rows(answer, load()) if row.value is not None}
    cycles, wa = lines["pe_cycles"], lines["random_wa"]
    assert (cycles.section, wa.section) == ("Inputs", "Steps")
    assert (cycles.low, cycles.high) == (assumed["pe_cycles"].low, assumed["pe_cycles"].high)
    assert wa.low < wa.value < wa.high  # more raw flash, less to copy
    assert {cycles.basis, wa.basis} == {"prior"}
    for row in lines.values():
        if row.low is not None:  # a way not taken: of rating or flash alone
            assert row.low <= row.value <= row.high
            assert row.basis in ("fact", "derived", "prior")
    for key, each in answer.ranges.items():
        assert (lines[key].low, lines[key].high, lines[key].basis) == (
            shown(key, each.low), shown(key, each.high), each.basis,
        )  # fmt: skip


def test_without_assumptions_no_number_rests_on_a_prior():
    answer = known_only(plan_of("845DC PRO 400", writes="2 TB/day"))
    for row in rows(answer, load()):
        assert row.low is None or row.low <= row.value <= row.high
        assert row.basis != "prior"


def test_drives_beside_each_other_show_their_ranges():
    answers = [plan_of(name, writes="2 TB/day") for name in ("PM893 960", "845DC PRO 400")]
    table = {row["Quantity"]: list(row.values())[1:] for row in comparison(answers)}
    wear = answers[0].ranges["wear_life_s"].ends("wear_life_s", digits=3)
    assert " to " in wear
    assert table["Life by flash wear"][0].endswith(wear)
    assert "(" not in table["Usable capacity"][0]
    life = answers[1].range_of("endurance_life_s").ends("wear_life_s", digits=3)
    assert table["Life by endurance"][1].endswith(life)
