"""The arithmetic behind a number: its printed numbers give the printed result."""

import ast
import importlib
import math
import re

import pytest

from planner.graph.answer import Answer, given, walk
from planner.graph.arithmetic import BESIDE_CELLS, ArithmeticLine, arithmetic
from planner.graph.expression import evaluate, parse, reduced, written
from planner.quantity.units import FACTORS
from planner.scenario.risk import Risk
from planner.sections.data_loss import data_loss
from planner.sections.request import plan_of
from tests.models.test_contracts import VALID

PLANS = {
    "single": ("870 EVO 1TB", {"writes": "30 GB/day"}),
    "array": ("PM9A3 3.84", {"writes": "2 TB/day", "drives": 4, "raid": 5}),
    "used": ("980 PRO 2TB", {"written": "24TB", "age": "300days"}),
    "worn": ("980 PRO 2TB", {"written": "24TB", "used": "5%", "writes": "90 GB/day"}),
    "growing": ("PM9A3 1.92", {"writes": "1 TB/day", "drives": 8, "raid": "z2", "growth": "20%"}),
    "stepped": ("PM9A3 1.92", {"writes": "1 TB/day", "step": ["x2 after 2 years"]}),
    "mixed": ("990 PRO 1TB", {"writes": "30 to 120 GB/day", "sequential": "50%"}),
    "skewed": ("845DC PRO 400", {"writes": "1 TB/day", "skew": "90/10"}),
    "cluster": ("7450 PRO 3.84", {"drives": 12, "keep": "3 copies on 4 hosts",
                                  "writes": "2 TB/day"}),
    "idle": ("870 EVO 1TB", {"writes": "0 GB/day"}),
}  # fmt: skip
# Formulas that are no arithmetic: solved by iteration, summed over generations, or simulated.
SOLVED = {
    "models.write_amplification.fifo", "models.write_amplification.skewed",
    "models.simulator.d_choices_wa", "models.simulator.greedy_wa",
    "models.failures.generations_loss_probability", "models.failures.loss_probability_parts",
    "models.failures.replacements_over", "models.rebuild.declustered_rebuild_s",
    "models.pools.partition_bytes", "models.pools.raidz_space_bytes",
    "models.pools.deflated_fraction", "models.pools.available_bytes",
}  # fmt: skip
PERIODS = {"year": "years", "month": "months", "day": "days", "hour": "hours"}
UNITS = "|".join(
    re.escape(unit) for unit in sorted({*FACTORS, *PERIODS} - {"x", "1"}, key=len, reverse=True)
)
NUMBER = re.compile(
    r"(?P<below>below |< )?(?P<number>\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]\d+)?)"
    rf"(?: (?P<unit>{UNITS})(?![\w/]))?(?: an? (?P<every>year|month|day|hour))?"
)
FUNCTIONS = {
    "exp": math.exp, "ln": math.log, "min": min, "max": max, "ceil": math.ceil, "abs": abs,
    "floor": math.floor, "gcd": lambda *parts: math.gcd(*map(int, parts)),
}  # fmt: skip


def answers_of(name):
    drive, inputs = PLANS[name]
    plan = plan_of(drive, **inputs)
    lost = data_loss(plan, Risk())
    return walk([*lost.answers, *(node for nodes in plan.sections.values() for node in nodes)])


def read_number(found):
    """Return a printed number in base units, and how far its rounding may be off."""
    unit = found["unit"] or "1"
    size = 1 / FACTORS["days"] if unit == "DWPD" else FACTORS[PERIODS.get(unit, unit)]
    size /= FACTORS[PERIODS[found["every"]]] if found["every"] else 1.0
    number = float(found["number"].replace(",", ""))
    digits = 3 if "e" in found["number"] else 4
    step = 10.0 ** (math.floor(math.log10(number)) + 1 - digits) if number else 0.0
    half = 0.5 * min(step, 1.0)  # all digits before the point are printed
    return number * size, (number if found["below"] else half) * size


def calculated(side):
    """Calculate one side of a line as a reader would, and how far off rounding may put it."""
    numbers = [read_number(found) for found in NUMBER.finditer(side)]
    places = iter(range(len(numbers)))
    code = NUMBER.sub(lambda _: f"n[{next(places)}]", side).replace("^", "**").replace(" x ", " * ")

    def value(printed):
        return float(eval(code, {"__builtins__": {}, **FUNCTIONS}, {"n": printed}))  # noqa: S307

    middles = [middle for middle, _ in numbers]
    result = value(middles)
    slack = 0.0
    for place, (middle, half) in enumerate(numbers):
        moved = [value([*middles[:place], end, *middles[place + 1 :]])
                 for end in (middle - half, middle + half)]  # fmt: skip
        slack += max(abs(end - result) for end in moved)
    return result, slack


def assert_right(line):
    left, _, right = line.partition(" = ")
    (one, slack), (other, rounding) = calculated(left), calculated(right.partition(" (")[0])
    assert abs(one - other) <= 1.05 * (slack + rounding) + 1e-12 * abs(other), line


@pytest.mark.parametrize("name", PLANS)
def test_the_printed_numbers_give_the_printed_result(name):
    lines = {key: arithmetic(answer) for key, answer in answers_of(name).items()}
    assert sum(line != ArithmeticLine() for line in lines.values()) >= 30
    for line in lines.values():
        if line.text:
            assert_right(line.text)


@pytest.mark.parametrize("name", PLANS)
def test_formulas_without_a_line_are_no_arithmetic(name):
    without = {
        answer.formula for answer in answers_of(name).values()
        if answer.is_computed and not math.isinf(answer.value) and not arithmetic(answer).text
    }  # fmt: skip
    of_a_course = {"models.growth.growing_lifetime_s", "models.growth.written_bytes"}
    of_nothing = {"models.redundancy.mean_reads_per_write"}  # 0 whatever the numbers are
    if name == "idle":
        of_nothing |= {"models.growth.written_bytes", "models.write_amplification.background_wa"}
    assert without <= SOLVED | of_nothing | (of_a_course if name == "stepped" else set())


@pytest.mark.parametrize("name", BESIDE_CELLS)
def test_texts_beside_the_cells_are_their_formulas(name):
    call = VALID[".".join(name.split(".")[1:3])]
    if name.endswith(".failed"):
        call = {**call, "parities": 0}
    formula, numbers = parse(BESIDE_CELLS[name]), {key: float(part) for key, part in call.items()}
    module, function, *part = name.removeprefix("models.").split(".")
    value = getattr(importlib.import_module(f"models.{module}"), function)(**call)
    value = getattr(value, part[0]) if part else value
    assert evaluate(formula, numbers) == pytest.approx(value, rel=1e-9)


def test_a_wrong_value_has_no_line():
    inputs = {"rebuilt_bytes": given("rebuilt_bytes", 4e12, source="user"),
              "data_members": given("data_members", 3.0, source="array")}  # fmt: skip
    wrong = Answer(key="rebuild_read_bytes", value=13e12, inputs=inputs,
                   formula="models.rebuild.rebuild_read_bytes")  # fmt: skip
    assert arithmetic(wrong) == ArithmeticLine()


@pytest.mark.parametrize(
    ("text", "numbers", "expected"),
    [
        ("{a}*{b}+{c}", {"a": 2.0, "b": 1.0, "c": 0.0}, "a"),
        ("{a}/(1+{c})^{b}", {"a": 2.0, "b": 1.0, "c": 0.0}, "a"),
        ("1-(1-{a})*(1-{c})", {"a": 0.5, "c": 0.0}, "a"),
        ("MAX({a},{d},0)", {"a": 2.0, "d": 3.0}, "max(a, d)"),
        ("MIN({a},5)", {"a": 7.0}, "5"),
        ("-{c}+{a}", {"a": 2.0, "c": 0.0}, "a"),
        ("{a}-({d}-{e})", {"a": 2.0, "d": 3.0, "e": 4.0}, "a - (d - e)"),
        ("{a}/({d}*{e})", {"a": 2.0, "d": 3.0, "e": 4.0}, "a / (d x e)"),
        ("({a}*{d})^{e}", {"a": 2.0, "d": 3.0, "e": 4.0}, "(a x d)^e"),
    ],
)  # fmt: skip
def test_an_expression_is_reduced_and_keeps_its_value(text, numbers, expected):
    neutral = [name for name, value in numbers.items() if value in (0.0, 1.0)]
    short = reduced(parse(text), numbers, neutral)
    assert evaluate(short, numbers) == evaluate(parse(text), numbers)
    assert written(short, ast.unparse) == expected
