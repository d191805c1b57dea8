"""The open cells of a sheet of plans: inputs, their ends, and values that no formula follows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from models.nomenclature import QUANTITIES
from planner.export.workbook.input_rules import rule_of
from planner.export.workbook.typed_cells import TypedCell


class TypedInputs:
    """Typed cells of plans side by side on a sheet; `cells` name those of each plan."""

    def __init__(self, sheet: str, cells: Sequence[Mapping[str, str]]) -> None:
        self.sheet, self.cells = sheet, cells
        self._by_name: dict[tuple[int, str, str], TypedCell] = {}

    @property
    def every(self) -> list[TypedCell]:
        """The cells in the order in which they were written."""
        return list(self._by_name.values())

    def add(self, index: int, key: str, *, may_be_empty: bool) -> None:
        """List the cell of an input; what refers to the number of drives is judged after it."""
        one = self._made(index, key, may_be_empty=may_be_empty)
        if key != "members" and self.cells[index].get("members", "-") in one.rule[0]:
            one = replace(one, unless_of=self._made(index, "members").accepts)
        self._by_name[index, key, ""] = one

    def add_end(self, index: int, key: str, end: str, cell: str) -> None:
        """List an end of an input, which is judged where the input itself is accepted."""
        main = self._by_name.get((index, key, ""))
        if main is not None:
            one = self._made(index, key, cell=cell, may_be_empty=main.may_be_empty)
            label = f"{one.label}, {end}"
            self._by_name[index, key, end] = replace(one, label=label, unless_of=main.accepts)

    def add_step(self, index: int, name: str, label: str, *, may_be_empty: bool) -> None:
        """List a value above 0 on the way to a result."""
        self._by_name[index, name, ""] = TypedCell(
            cell=f"{self.sheet}!{self.cells[index][name]}", label=label, rule=("{x}>0", "> 0"),
            owner=index + 1, may_be_empty=may_be_empty,
        )  # fmt: skip

    def _made(
        self, index: int, key: str, *, cell: str = "", may_be_empty: bool = False
    ) -> TypedCell:
        at = {name: f"{self.sheet}!{place}" for name, place in self.cells[index].items()}
        at |= {key: f"{self.sheet}!{cell}"} if cell else {}
        return TypedCell(
            cell=at[key], label=QUANTITIES[key].label, rule=rule_of(key, at), owner=index + 1,
            may_be_empty=may_be_empty,
        )  # fmt: skip
