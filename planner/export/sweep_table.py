"""The table of a sweep in Parquet: parts beside the file while it grows, then the file.

A part is written whole or not at all, so that a sweep that was stopped, killed or cut off goes on
from its parts to the same bytes.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planner import __version__
from planner.export.files import write_files
from planner.quantity.door import content
from planner.quantity.door.tables import joined, parquet
from planner.quantity.door.texts import json_value
from planner.search.points import PointGrid

MOST_NOTE_BYTES = 16 << 20  # of the note of a grid
_COMPRESSION = "zstd"
TEXTS = frozenset({"error", "life_limit", "warnings", "seed"})


class Parts:
    """The folder of the parts of one sweep, beside its table."""

    def __init__(self, table: Path, grid: PointGrid) -> None:
        self.table, self.grid = table, grid
        self.folder = table.with_name(f"{table.name}.parts")

    def start(self) -> set[int]:
        """Note the grid, or refuse the parts of another one; return the shards that are done."""
        note = self.folder / "grid.json"
        if note.exists():
            text = content(note, MOST_NOTE_BYTES).decode()
            if json_value(text, MOST_NOTE_BYTES) != self._statement:
                raise ValueError(
                    f"'{self.folder}' holds a sweep of another grid, or by another version: remove "
                    "it, or write to another file"
                )
        else:
            text = json.dumps(self._statement, indent=1)
            write_files({note: f"{text}\n".encode()}, folder=self.folder)
        return self.done()

    def done(self) -> set[int]:
        """Return the shards whose parts are written."""
        return {int(part.stem) for part in self.folder.glob("*.parquet")}

    def add(self, shard: int, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write the part of a shard."""
        names = dict.fromkeys(name for row in rows for name in row)
        texts = TEXTS | self.grid.options.keys()
        columns = {name: [row.get(name) for row in rows] for name in names}
        kinds = {name: _kind(name, texts) for name in names}
        write_files({self._part(shard): parquet(columns, kinds, compression=_COMPRESSION)})

    def finish(self) -> tuple[int, int]:
        """Write the table of all parts, in the order of the grid, and remove them.

        Return how many rows it has, and how many of them say an error.
        """
        parts = sorted(self.folder.glob("*.parquet"))
        whole = joined(parts, compression=_COMPRESSION)
        write_files({self.table: whole.data})
        for each in (*parts, self.folder / "grid.json"):
            each.unlink()
        self.folder.rmdir()
        return whole.rows, whole.stated["error"]

    @property
    def _statement(self) -> dict[str, Any]:
        options = {name: list(values) for name, values in self.grid.options.items()}
        return {
            "version": __version__, "command": self.grid.command, "seed": self.grid.seed,
            "options": options,
        }  # fmt: skip

    def _part(self, shard: int) -> Path:
        return self.folder / f"{shard:07d}.parquet"


def _kind(name: str, texts: frozenset[str]) -> type:
    if name == "point":
        return int
    return str if name in texts else float
