"""Spreadsheet formulas as expressions: computed with numbers, and reduced to what these leave.

An expression is a tree of Python's `ast`: both notations differ in the power alone. With the
numbers of one case a condition has one branch, and a bound that does not bind, an addend of 0 or a
factor of 1 changes nothing. Without these, arithmetic is left that a person can follow.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, TypeGuard

Numbers = Mapping[str, float]

_ARGUMENT = re.compile(r"\{(\w+)\}")
_OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.Lt: operator.lt, ast.Gt: operator.gt, ast.LtE: operator.le,
    ast.GtE: operator.ge,
}  # fmt: skip
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "EXP": math.exp, "LN": math.log, "MIN": min, "MAX": max, "ABS": abs, "INT": math.floor,
    "ROUNDUP": lambda value, _: math.ceil(value), "GCD": lambda *parts: math.gcd(*map(int, parts)),
}  # fmt: skip
# Results of an operation with 0 or 1 on its left (0) or right (1) side; None is the other side.
_NEUTRAL: Mapping[tuple[type, int, float], float | None] = {
    (ast.Add, 0, 0.0): None, (ast.Add, 1, 0.0): None, (ast.Sub, 1, 0.0): None,
    (ast.Mult, 0, 1.0): None, (ast.Mult, 1, 1.0): None, (ast.Div, 1, 1.0): None,
    (ast.Pow, 1, 1.0): None, (ast.Mult, 0, 0.0): 0.0, (ast.Mult, 1, 0.0): 0.0,
    (ast.Div, 0, 0.0): 0.0, (ast.Pow, 0, 0.0): 0.0, (ast.Pow, 1, 0.0): 1.0, (ast.Pow, 0, 1.0): 1.0,
}  # fmt: skip
_STRENGTH: Mapping[type, int] = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.Pow: 4}
_SIGNS: Mapping[type, str] = {
    ast.Add: " + ", ast.Sub: " - ", ast.Mult: " x ", ast.Div: " / ", ast.Pow: "^",
}  # fmt: skip
_WORDS = {"INT": "floor", "ROUNDUP": "ceil"}


@cache
def parse(text: str) -> ast.expr | None:
    """Parse a spreadsheet formula; None if it is more than arithmetic on its arguments.

    >>> ast.unparse(parse("{raw_bytes}*{pe_cycles}^2"))
    'raw_bytes * pe_cycles ** 2'
    """
    try:
        return ast.parse(_ARGUMENT.sub(r"\1", text).replace("^", "**"), mode="eval").body
    except SyntaxError:  # cells of years, ranges of cells
        return None


def evaluate(node: ast.expr, numbers: Numbers) -> float:
    """Compute an expression; `ArithmeticError`, `KeyError` or `ValueError` where it has no value.

    >>> evaluate(parse("IF({a}>0,{b}/{a},0)"), {"a": 2.0, "b": 6.0})
    3.0
    """
    match node:
        case ast.Name(id=name):
            return numbers[name]
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return -evaluate(part, numbers)
        case ast.BinOp(left=left, op=sign, right=right):
            sides = evaluate(left, numbers), evaluate(right, numbers)
            return float(_OPERATORS[type(sign)](*sides))
        case ast.Call(func=ast.Name(id="IF")):
            return evaluate(_branch(node, numbers), numbers)
        case ast.Call(func=ast.Name(id=name), args=parts):
            return float(_FUNCTIONS[name](*(evaluate(part, numbers) for part in parts)))
    return _constant(node)


def _branch(node: ast.Call, numbers: Numbers) -> ast.expr:
    """Return the branch of a condition that holds with some numbers."""
    test, then, otherwise = node.args
    if not isinstance(test, ast.Compare):
        raise KeyError(ast.unparse(test))
    sides = evaluate(test.left, numbers), evaluate(test.comparators[0], numbers)
    return then if _OPERATORS[type(test.ops[0])](*sides) else otherwise


def _constant(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    raise KeyError(ast.unparse(node))


def reduced(node: ast.expr, numbers: Numbers, neutral: Collection[str] = ()) -> ast.expr:
    """Return an expression without the branches and bounds that its numbers leave idle.

    Arguments that are `neutral`, 0 or 1, are dropped where they change nothing.

    >>> text = "IF({a}>0,MAX({b},1)*{c}+{a}*0,0)"
    >>> ast.unparse(reduced(parse(text), {"a": 2.0, "b": 6.0, "c": 1.0}, ["c"]))
    'b'
    """
    match node:
        case ast.Name(id=name) if name in neutral:
            return ast.Constant(numbers[name])
        case ast.UnaryOp(operand=part):
            inner = reduced(part, numbers, neutral)
            return inner if _is(inner, 0) else ast.UnaryOp(ast.USub(), inner)
        case ast.BinOp(left=left, op=sign, right=right):
            sides = [reduced(side, numbers, neutral) for side in (left, right)]
            return _joined(ast.BinOp(sides[0], sign, sides[1]))
        case ast.Call(func=ast.Name(id="IF")):
            return reduced(_branch(node, numbers), numbers, neutral)
        case ast.Call(func=ast.Name(id=name), args=parts):
            inners = [reduced(part, numbers, neutral) for part in parts]
            return _called(name, inners, numbers)
    return node


def _is(node: ast.expr, value: float) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def _is_trivial(node: ast.expr) -> bool:
    return _is(node, 0) or _is(node, 1)


def _joined(whole: ast.BinOp) -> ast.expr:
    """Return an operation without a side that changes nothing; that of 0 and 1 is computed."""
    kind, sides = type(whole.op), (whole.left, whole.right)
    if all(map(_is_trivial, sides)) and not (kind is ast.Div and _is(whole.right, 0)):
        return ast.Constant(evaluate(whole, {}))
    if kind is ast.Sub and _is(whole.left, 1) and _is_rest(whole.right):
        return whole.right.right
    for place, side in enumerate(sides):
        if _is_trivial(side) and (rule := (kind, place, _constant(side))) in _NEUTRAL:
            value = _NEUTRAL[rule]
            return sides[1 - place] if value is None else ast.Constant(value)
    return whole


def _is_rest(node: ast.expr) -> TypeGuard[ast.BinOp]:
    """Whether a part is what something leaves of 1."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and _is(node.left, 1)


def _called(name: str, parts: Sequence[ast.expr], numbers: Numbers) -> ast.expr:
    """Return a call of a function: a choice without bounds that do not bind, and 0 or 1 as such."""
    call = ast.Call(ast.Name(name), [*parts], [])
    if all(map(_is_trivial, parts)) and (value := evaluate(call, {})) in (0.0, 1.0):
        return ast.Constant(value)
    if name not in ("MIN", "MAX"):
        return call
    values = [evaluate(part, numbers) for part in parts]
    binding = values.index(_FUNCTIONS[name](*values))
    if isinstance(parts[binding], ast.Constant):
        return parts[binding]
    kept = [
        part
        for place, (part, value) in enumerate(zip(parts, values, strict=True))
        if place == binding or not (isinstance(part, ast.Constant) or math.isinf(value))
    ]
    return kept[0] if len(kept) == 1 else ast.Call(ast.Name(name), kept, [])


def operands(node: ast.expr) -> list[ast.expr]:
    """List the numbers and arguments of an expression.

    >>> [ast.unparse(part) for part in operands(parse("{a}*(1-LN({b}))"))]
    ['a', '1', 'b']
    """
    match node:
        case ast.Call(args=parts):
            return [inner for part in parts for inner in operands(part)]
        case ast.BinOp(left=left, right=right):
            return [*operands(left), *operands(right)]
        case ast.UnaryOp(operand=part):
            return operands(part)
    return [node]


def names(node: ast.expr) -> list[str]:
    """List the arguments in an expression, once each."""
    return [*dict.fromkeys(part.id for part in operands(node) if isinstance(part, ast.Name))]


def written(node: ast.expr, operand: Callable[[ast.expr], str], strength: int = 0) -> str:
    """Write an expression with few brackets; `operand` writes its numbers.

    >>> node = parse("({a}+{b})*{c}-{a}/({b}*{c})")
    >>> written(node, ast.unparse)
    '(a + b) x c - a / (b x c)'
    """
    match node:
        case ast.BinOp(left=left, op=sign, right=right):
            own, is_power = _STRENGTH[type(sign)], isinstance(sign, ast.Pow)
            is_strict = is_power or isinstance(sign, ast.Sub | ast.Div)
            sides = written(left, operand, own + is_power), written(right, operand, own + is_strict)
            text = _SIGNS[type(sign)].join(sides)
            return f"({text})" if own < strength else text
        case ast.UnaryOp(operand=part):
            return f"-{written(part, operand, 3)}"
        case ast.Call(func=ast.Name(id=name), args=parts):
            shown = parts[:1] if name == "ROUNDUP" else parts
            inner = ", ".join(written(part, operand) for part in shown)
            return f"{_WORDS.get(name, name.lower())}({inner})"
    text = operand(node)
    return f"({text})" if strength > _STRENGTH[ast.Pow] and " " in text else text
