"""The tables of figures that follow from others, a part of the page of reviews."""

from collections.abc import Iterable

from tests.claims import CLAIMS, CONTRADICTIONS, Claim, Contradiction
from tests.published import Printed


def sections() -> list[str]:
    """Return the lines of the tables."""
    held = [claim for claim in CLAIMS if claim.tolerance is not None]
    return [
        "## Figures that follow from others",
        "",
        (
            f"{len(CLAIMS)} figures of the reviews are computed from their other figures with the "
            "formulas of `models`, and agree to the printed digits, "
            f"{len(held)} of them to a stated tolerance; "
            f"{len(CONTRADICTIONS)} do not agree with their own source. A figure marked "
            "*derived* is not printed there but follows from printed ones. `arithmetic` marks a "
            "plain sum, difference or ratio."
        ),
        "",
        *table(
            ["id", "drive", "quantity", "printed", "computed", "formula", "source"],
            map(claim_cells, CLAIMS),
        ),
        "",
        "### Held to a stated tolerance",
        "",
        *table(
            ["id", "printed", "computed", "tolerance", "reason"],
            (
                [
                    claim.claim_id,
                    with_unit(claim.printed, claim.unit),
                    digits(claim.compute(), claim.printed),
                    f"{claim.tolerance:.2g}",
                    claim.reason,
                ]
                for claim in held
            ),
        ),
        "",
        "### Inconsistent in the source",
        "",
        *table(
            ["id", "drive", "quantity", "printed", "computed", "formula", "source", "reason"],
            map(contradiction_cells, CONTRADICTIONS),
        ),
    ]


def claim_cells(claim: Claim) -> list[str]:
    """Return the row of a claim."""
    notes = [claim.printed.rounding] if claim.printed.rounding == "truncated" else []
    notes += ["*derived*"] if claim.kind == "derived" else []
    printed = with_unit(claim.printed, claim.unit)
    return [
        claim.claim_id,
        claim.drive,
        claim.quantity,
        f"{printed} ({', '.join(notes)})" if notes else printed,
        digits(claim.compute(), claim.printed),
        code(claim.formula),
        claim.source,
    ]


def contradiction_cells(row: Contradiction) -> list[str]:
    """Return the row of a figure that does not agree."""
    return [
        row.claim_id,
        row.drive,
        row.quantity,
        with_unit(row.printed, row.unit),
        digits(row.compute(), row.shows),
        code(row.formula),
        row.source,
        row.reason,
    ]


def with_unit(printed: Printed, unit: str) -> str:
    """Return a printed figure and its unit."""
    return f"{printed} {unit}".strip()


def digits(value: float, printed: Printed) -> str:
    """Return a computed value with two decimals more than the printed one."""
    decimals = len(printed.text.partition(".")[2]) + 2
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def code(formula: str) -> str:
    """Return the names of formulas as code."""
    return ", ".join(f"`{name}`" for name in formula.split(", "))


def table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    cells = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(row)} |" for row in cells]
