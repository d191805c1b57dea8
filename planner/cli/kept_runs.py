"""Results of small drives, kept between commands: the same question is simulated once.

The key of what is kept is a digest of the code that runs them. The latest runs are kept.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import models
from models._waiting import Numbers, keeping

MOST = 2000  # runs that are kept, a tenth of a kilobyte each
NAME = "runs.json"


class KeptRuns:
    """Runs of this process and of those before it; the cache is read when a run is asked for."""

    def __init__(self) -> None:
        self._new: dict[str, Numbers] = {}

    def kept(self, run: str) -> Numbers | None:
        """Return the numbers of a run, if they are kept."""
        return self._new.get(run) or self._old.get(run)

    def keep(self, run: str, numbers: Numbers) -> None:
        """Keep the numbers of a run, for other processes from `flush` on."""
        self._new[run] = numbers

    def flush(self) -> None:
        """Write the new runs beside those that other processes wrote meanwhile."""
        if self._new and self._key is not None:
            from planner.catalogue import user_cache  # noqa: PLC0415 - few commands run any

            latest = [*(self._read() | self._new).items()][-MOST:]
            user_cache.keep(NAME, self._key, json.dumps(dict(latest)).encode())

    @cached_property
    def _old(self) -> dict[str, Numbers]:
        return self._read()

    @cached_property
    def _key(self) -> str | None:
        import numpy as np  # noqa: PLC0415 - a command that needs no run starts without it

        from planner.catalogue import user_cache  # noqa: PLC0415 - likewise

        code = sorted(Path(models.__file__).with_name("simulator").glob("*.py"))
        digest = user_cache.digest_of(*code)
        return None if digest is None else f"{digest}-numpy-{np.__version__}"

    def _read(self) -> dict[str, Numbers]:
        from planner.catalogue import user_cache  # noqa: PLC0415 - likewise

        kept = None if self._key is None else user_cache.kept(NAME, self._key)
        runs: dict[str, Numbers] = {} if kept is None else json.loads(kept)
        return runs


@contextmanager
def keeping_runs() -> Iterator[None]:
    """Keep the numbers of runs as long as the context lasts, and write them at its end."""
    runs = KeptRuns()
    with keeping(runs):
        try:
            yield
        finally:
            runs.flush()
