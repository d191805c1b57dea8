"""What the registry says of a formula is what the comparison with the simulator found."""

import re
from pathlib import Path

import pytest

from models import registry

ROOT = Path(__file__).parents[2]
REPORT = (ROOT / "docs" / "evidence" / "validation.md").read_text()
SPEED = (ROOT / "docs" / "evidence" / "validation-speed.md").read_text()
IN_A_TEST = {name for name, entry in registry.CHECKED.items() if entry.group.endswith(".py")}
WORST = {
    name.strip(): float(worst) / 100
    for name, worst in re.findall(r"^\| ([\w ,-]+) \| \d+ \| ([\d.]+)% \|", REPORT, re.MULTILINE)
}
SUMMARY = r"^\| ([\w ,.-]+) \| \d+ \| [\d.]+%[^|]*\|[^|]*\| ([\d.]+)% \|"
WORST_SPEED = {
    name.strip(): float(worst) / 100 for name, worst in re.findall(SUMMARY, SPEED, re.MULTILINE)
}
OF_SPEED = {name for name, entry in registry.CHECKED.items() if entry.group in WORST_SPEED}

# The cases of each group by the names that the reports list, and how these write an argument.
CASES = {
    group: re.findall(r"^\| ([^|]+) \| [^|]+ \| [^|]+ \| [-+]", rows, re.MULTILINE)
    for report in (REPORT, SPEED)
    for group, rows in re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", report, re.M | re.S)
}
WRITTEN = {
    "op_ratio": (1, r"\bp = ([\d.]+)"),
    "pages_per_block": (1, r"\bb = ([\d.]+)"),
    "trim_share": (1, r"\bq = ([\d.]+)"),
    "dynamic_fraction": (100, r"([\d.]+) % rewritten"),
    "fill_fraction": (100, r"([\d.]+)% in use"),
    "queue_depth": (1, r"queue depth (\d+)"),
    "dies": (1, r"^(\d+) dies"),
}
# Where a formula returns what it was given: no TRIM, no static data, the whole drive in use.
TRIVIAL = {"trim_share": 0.0, "dynamic_fraction": 1.0, "fill_fraction": 1.0}


@pytest.mark.parametrize("name", sorted(registry.CHECKED.keys() - IN_A_TEST))
def test_the_stated_error_holds_on_the_whole_grid(name):
    entry = registry.CHECKED[name]
    worst = (WORST | WORST_SPEED)[entry.group]
    assert worst <= entry.error <= max(0.01, 1.25 * worst)
    assert entry.formula.__name__ == name


@pytest.mark.parametrize("name", sorted(registry.CHECKED.keys() - IN_A_TEST))
def test_the_ends_of_each_range_are_cases_of_the_report(name):
    entry = registry.CHECKED[name]
    group = entry.group
    few_dies = {f"{group}, 4 dies", group.removesuffix(", 4 dies"), group.replace("4 dies", "dies")}
    cases = [case for name in {group, *few_dies} for case in CASES.get(name, ())]
    for argument, ends in entry.ranges.items():
        scale, written = WRITTEN[argument]
        values = {float(value) / scale for case in cases for value in re.findall(written, case)}
        values |= {TRIVIAL[argument]} if argument in TRIVIAL else set()
        assert ends == (min(values), max(values)), argument


@pytest.mark.parametrize("name", sorted(IN_A_TEST))
def test_the_stated_error_is_what_its_own_test_allows(name):
    entry = registry.CHECKED[name]
    assert f'registry.CHECKED["{name}"]' in (ROOT / entry.group).read_text()
    assert 0 < entry.error <= 0.2, "what is off by more is no model of it"
    assert entry.formula.__name__ == name


def test_every_group_of_the_report_belongs_to_a_formula():
    of_amplification = registry.CHECKED.keys() - IN_A_TEST - OF_SPEED
    reported = {registry.CHECKED[name].group for name in of_amplification}
    of_skewed = {
        "Zipf, linear noise",
        "skew, oldest block first",
        "static data interleaved, greedy",
    }
    assert set(WORST) == reported | of_skewed


def test_arguments_outside_their_range_are_named():
    greedy = "models.write_amplification.greedy"
    (statement,) = registry.outside(greedy, op_ratio=0.28, pages_per_block=4096)
    assert statement.startswith("pages_per_block 4096 is outside the range from 16 to 512")
    assert registry.outside("models.write_amplification.none", op_ratio=1) == ()


def test_a_formula_is_found_by_module_and_name():
    """A formula of the same name elsewhere is another one, whatever its arguments are called."""
    for name, entry in registry.CHECKED.items():
        assert registry.checked(f"{entry.formula.__module__}.{name}") is entry
        assert registry.checked(name) is None
    assert registry.checked("models.simulator.greedy") is None
    other = "tests.models.test_registry.greedy"
    assert registry.outside(other, op_ratio=0.28, pages_per_block=4096) == ()


def greedy(op_ratio, *, pages_per_block):
    """Stand for a formula that has the name of a checked one."""
    return op_ratio * pages_per_block
