"""Who buys, for what, and until when quotes hold: text of the user, printed as it is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Free text on the first page; what is empty is left to be filled in by hand.

    >>> Project(title="Object store, second site").title
    'Object store, second site'
    """

    title: str = ""
    organisation: str = ""
    prepared_by: str = ""
    supplier: str = ""
    quote_reference: str = ""
    quote_valid_until: str = ""
    currency_note: str = ""
    notes: str = ""

    @property
    def told(self) -> dict[str, str]:
        """Each label with its text, below the title, as far as there is any."""
        texts = {
            "Buyer": self.organisation,
            "Prepared by": self.prepared_by,
            "Supplier": self.supplier,
            "Quote reference": self.quote_reference,
            "Quote valid until": self.quote_valid_until,
            "Prices": self.currency_note,
            "Notes": self.notes,
        }
        return {label: text for label, text in texts.items() if text}
