"""The cell formulas of one plan: live on known facts, "missing: ..." while facts are blank."""

from collections.abc import Mapping, Sequence

from models.nomenclature import QUANTITIES
from models.write_amplification import fifo
from planner.export.workbook.fillings import SAME, Choice, Fillings, Shape, Tree
from planner.graph import cell_growth as growth_cells
from planner.graph.cell_texts import (
    CELL_FORMULAS,
    FED,
    FIFO,
    FIFO_STEPS,
    FIFO_VALUE,
    LEFT_OUT,
    NEVER,
    WITH_FACTOR,
)
from planner.quantity.show import shown
from planner.quantity.units import FACTORS

__all__ = ["FACTOR", "STEPS", "PlanFormulas", "helpers", "verdict"]

STEPS = ("start", "Newton step 1", "Newton step 2")
FACTOR = "policy factor"
MISSING = "missing: "


class PlanFormulas:
    """Formulas and cached values of one plan, given the cell of each of its numbers."""

    def __init__(self, fillings: Fillings, cells: Mapping[str, str]) -> None:
        self.fillings, self.cells = fillings, cells

    def result(self, key: str) -> str:
        """Return the formula of a result, in the unit in which the cell shows it."""
        tree = self.fillings.tree(key)
        if tree is None:
            raise KeyError(f"{key} is no result")
        return f"={self._tree(key, tree, frozenset())}"

    def cached(self, key: str) -> float | str:
        """Return what the formula of a result gives as exported."""
        value = self.fillings.value(key)
        if value is None:
            return MISSING + ", ".join(dict.fromkeys(self._lacking(key).values()))
        return "never" if value == float("inf") else shown(key, value)

    def steps(self, key: str) -> list[str]:
        """Return the formulas of the helper cells of a write amplification."""
        tree = self.fillings.tree(key)
        if isinstance(tree, Shape) and tree.formula in FED:
            return []
        if isinstance(tree, Shape) and growth_cells.has_course(tree.formula, tree.inputs):
            bodies = growth_cells.helpers(self._references(tree), self._helper_cells(tree, key))
            return [f"={self._guarded(key, tree, frozenset(), body)}" for body in bodies]
        shape = self._uniform(key)
        spare, formulas, previous = self._reference(shape.inputs["op_ratio"]), [], ""
        for helper, template in zip(helpers(shape, key), FIFO_STEPS, strict=False):
            body = f"IF({spare}>0,{template.format(p=spare, y=previous)},NA())"
            formulas.append(f"={self._guarded(key, shape, frozenset(), body)}")
            previous = self.cells[helper]
        return formulas

    def helpers_cached(self, key: str) -> Sequence[float | str]:
        """Return what the helper cells of a number hold as exported."""
        value, tree = self.fillings.value(key), self.fillings.tree(key)
        names = helpers(tree, key)
        if isinstance(tree, Shape) and growth_cells.has_course(tree.formula, tree.inputs):
            inputs = {name: self.fillings.value(part) for name, part in tree.inputs.items()}
            known = {name: part for name, part in inputs.items() if part is not None}
            if value is not None:
                return growth_cells.cached(known, value)
            return [self.cached(key)] * len(names)
        spare = self.spare(key)
        return [self.cached(key) if spare is None else 1 / fifo(spare)] * len(names)

    def _helper_cells(self, shape: Shape, key: str) -> list[str]:
        return [self.cells[name] for name in helpers(shape, key)]

    def spare(self, key: str) -> float | None:
        """Return the spare area behind a number with helpers, None while it is unknown."""
        tree = self.fillings.tree(key)
        return self.fillings.value(tree.inputs["op_ratio"]) if isinstance(tree, Shape) else None

    def _uniform(self, key: str) -> Shape:
        tree = self.fillings.tree(key)
        if not isinstance(tree, Shape) or tree.formula not in (FIFO, *WITH_FACTOR):
            raise TypeError(f"{key} is no write amplification of uniform random writes")
        return tree

    def _tree(self, key: str, tree: Tree, known: frozenset[str]) -> str:
        if isinstance(tree, Choice):
            filled = self._tree(key, tree.filled, known | {tree.fact})
            blank = self._tree(key, tree.blank, known)
            return f'IF({self.cells[tree.fact]}="",{blank},{filled})'
        return self._guarded(key, tree, known, self._body(key, tree))

    def _body(self, key: str, shape: Shape) -> str:
        refs = self._references(shape)
        if growth_cells.has_course(shape.formula, shape.inputs):
            never, life = growth_cells.life(refs, self._helper_cells(shape, key))
            return f'IF({never},"never",{self._shown(key, life)})'
        body = self._shown(key, self._call(key, shape, refs))
        if shape.formula in NEVER:
            return f'IF({NEVER[shape.formula].format(**refs)},"never",{body})'
        return body

    @staticmethod
    def _shown(key: str, body: str) -> str:
        """Convert a formula from base units into the unit of its cell."""
        factor = FACTORS[QUANTITIES[key].shown_in]
        return f"({body})" if factor == 1 else f"({body})/{factor!r}"

    def _call(self, key: str, shape: Shape, refs: Mapping[str, str]) -> str:
        if shape.formula == SAME:
            return refs[""]
        if shape.formula not in (FIFO, *WITH_FACTOR, *FED):
            return _template(shape.formula).format(**refs)
        names = helpers(shape, key)
        if shape.formula in FED:
            return self.cells[names[-1]]
        value = FIFO_VALUE.format(y=self.cells[names[len(STEPS) - 1]])
        if shape.formula == FIFO:
            return value
        return f"{value}*{self.cells[names[-1]]}"

    def _guarded(self, key: str, shape: Shape, known: frozenset[str], body: str) -> str:
        """Say what is missing in the place of `body`, as long as something is."""
        blocked = {
            name: self._blocked(part)
            for name, part in shape.inputs.items()
            if part not in known and shape.formula not in FED and self.fillings.lacking(part)
        }
        for cell in self._factor(key):
            blocked[cell] = f'{cell}=""'
        if not blocked:
            return body
        refs, every = self._references(shape), ",".join(dict.fromkeys(blocked.values()))
        formula = f"IF(OR({every}),{self._message(key)},{body})"
        for name, (condition, value) in LEFT_OUT.get(shape.formula, {}).items():
            if name in blocked:
                instead = self._shown(key, value.format(**refs))
                needless = f"AND({condition.format(**refs)},{blocked[name]})"
                formula = f"IF({needless},{instead},{formula})"
        return formula

    def _blocked(self, key: str) -> str:
        """Return the condition under which an argument is not known."""
        cell = self.cells[key]
        return f'{cell}=""' if key in self.fillings.blanks else f"ISTEXT({cell})"

    def _message(self, key: str) -> str:
        lacking = self._lacking(key)
        if len(lacking) == 1:
            return f'"{MISSING}{next(iter(lacking.values()))}"'
        told = [f'IF({cell}="",", {label}","")' for cell, label in lacking.items()]
        return f'"{MISSING}"&MID({"&".join(told)},3,250)'

    def _lacking(self, key: str) -> dict[str, str]:
        """Map the blank cells without which a number stays unknown to what they are."""
        facts = self.fillings.lacking(key)
        cells = {self.cells[name]: QUANTITIES[name].label for name in facts}
        return cells | self._factors(self.fillings.tree(key), key)

    def _factors(self, tree: Tree | None, key: str) -> dict[str, str]:
        """Map the blank policy factors behind a number to what they are."""
        found = {cell: f"{FACTOR} in {cell}" for cell in self._factor(key)}
        if isinstance(tree, Choice):
            return found | self._factors(tree.filled, key)
        for part in tree.inputs.values() if tree is not None else ():
            found |= self._factors(self.fillings.tree(part), part)
        return found

    def _factor(self, key: str) -> list[str]:
        """Return the cell of the policy factor of a number, if it has one and it is blank."""
        names = helpers(self.fillings.tree(key), key)
        has_one = bool(names) and names[-1].endswith(FACTOR)
        return [self.cells[names[-1]]] if has_one and self.fillings.value(key) is None else []

    def _references(self, shape: Shape) -> dict[str, str]:
        return {name: self._reference(part) for name, part in shape.inputs.items()}

    def _reference(self, key: str) -> str:
        cell, factor = self.cells[key], FACTORS[QUANTITIES[key].shown_in]
        return cell if factor == 1 else f"({cell}*{factor!r})"


def helpers(tree: Tree | None, key: str) -> list[str]:
    """Name the helper cells that the formula of a number needs."""
    if isinstance(tree, Shape) and tree.formula in FED:
        return [f"{key}: {FACTOR}"]
    if isinstance(tree, Shape) and growth_cells.has_course(tree.formula, tree.inputs):
        return growth_cells.helper_names(key, tree.inputs)
    if not isinstance(tree, Shape) or tree.formula not in (FIFO, *WITH_FACTOR):
        return []
    names = [f"{key}: 1/WA, {step}" for step in STEPS]
    return names if tree.formula == FIFO else [*names, f"{key}: {FACTOR}"]


def verdict(lives: Mapping[str, str], first: str) -> tuple[str, str]:
    """Return the formulas of the first life and of its limit; `lives` are cells by limit."""
    cells = list(lives.values())
    never = ",".join(f'{cell}="never"' for cell in cells)
    every = ",".join(cells)
    life = f'=IF(COUNT({every})>0,MIN({every}),IF(OR({never}),"never","missing"))'
    limit = '"unknown"'
    for name, cell in reversed(list(lives.items())):
        limit = f'IF({cell}={first},"{name}",{limit})'
    return life, f'=IF({first}="never","none",{limit})'


def _template(formula: str) -> str:
    if formula not in CELL_FORMULAS:
        raise KeyError(f"{formula} has no cell formula yet; add it to CELL_FORMULAS")
    return CELL_FORMULAS[formula]
