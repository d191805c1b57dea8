"""Scripts run twice: by the compiled kernels of this process, and in another as plain Python."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import models


def compiled_and_plain(script: str) -> tuple[object, object]:
    """Return what a script prints as JSON, once of each."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(script, {"__name__": "script"})  # noqa: S102 - the test's own
    plain = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True,
        cwd=Path(models.__path__[0]).parent, env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    return json.loads(printed.getvalue()), json.loads(plain.stdout)
