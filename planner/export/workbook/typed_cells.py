"""Cells that are typed into: what each accepts, and whether it holds that."""

from dataclasses import dataclass

Rule = tuple[str, str]  # condition on the cell {x}, and the accepted values in words

ANY_DATE = ("{x}>=1,{x}<2958466", "a date up to the year 9999")
ANY_TEXT = ('{x}<>""', "a text")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedCell:
    """A cell that is typed into, as all sheets name it.

    `owner` is the number of the plan that rests on it, 0 if all do; `whose` names any other owner.
    A text is accepted by a rule of text alone, nothing only where the cell `may_be_empty`. Where
    the rule refers to another cell that is judged first: `unless_of` is its condition.
    """

    cell: str
    label: str
    rule: Rule
    is_text: bool = False
    may_be_empty: bool = False
    owner: int = 0
    whose: str = ""
    unless_of: str = ""

    @property
    def accepts(self) -> str:
        """The condition that the cell holds what it accepts.

        >>> TypedCell(cell="Quotes!C5", label="Price", rule=("{x}>0", "above 0")).accepts
        'IF(ISNUMBER(Quotes!C5),IF(ISERROR(Quotes!C5>0),TRUE,AND(Quotes!C5>0)),FALSE)'
        """
        condition = self.rule[0].format(x=self.cell)
        kind, joined = "ISTEXT" if self.is_text else "ISNUMBER", f"AND({condition})"
        tested = condition if "," not in condition else joined
        other = f'IF(ISERROR({self.cell}),FALSE,{self.cell}="")' if self.may_be_empty else "FALSE"
        own = f"IF({kind}({self.cell}),IF(ISERROR({tested}),TRUE,{joined}),{other})"
        return f"IF({self.unless_of},{own},TRUE)" if self.unless_of else own

    @property
    def sentence(self) -> str:
        """The cell by name, and what it accepts.

        >>> TypedCell(cell="Quotes!C5", label="Price", rule=("{x}>0", "above 0")).sentence
        'Quotes!C5: Price must be above 0'
        """
        return f"{self.cell.replace('$', '')}: {self.label} must be {self.rule[1]}"
