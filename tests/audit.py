"""Known weaknesses of the locked libraries, by pip-audit: `make audit`.

pip-audit ends well where it could look nothing up; this says so instead.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

LOCKED = ("requirements.txt", "requirements-dev.txt")


def command(locked: str) -> list[str]:
    """The call of pip-audit, which uv fetches where it is not there."""
    return [
        sys.executable, "-m", "uv", "--quiet", "tool", "run", "pip-audit", "--require-hashes",
        "--disable-pip", "--progress-spinner=off", "--format=json", "--requirement", locked,
    ]  # fmt: skip


def audited(call: Sequence[str]) -> list[dict[str, Any]] | None:
    """What pip-audit says of each library; nothing where it cannot run or reaches no data."""
    run = subprocess.run(call, capture_output=True, text=True, check=False)
    try:
        libraries: list[dict[str, Any]] = json.loads(run.stdout)["dependencies"]
    except ValueError:
        return None
    return libraries if any("skip_reason" not in one for one in libraries) else None


def audit(name: str, libraries: Sequence[dict[str, Any]] | None) -> int:
    """Print what is known of the libraries of a lock file; 1 if any of them is weak."""
    if libraries is None:
        print(f"{name}: not audited: the data of pip-audit cannot be reached from here")
        return 0
    weak = [one for one in libraries if one.get("vulns")]
    for one in weak:
        for known in one["vulns"]:
            mended = ", ".join(known["fix_versions"]) or "no version yet"
            print(f"{name}: {one['name']} {one['version']}: {known['id']}, mended in {mended}")
    skipped = [one["name"] for one in libraries if "skip_reason" in one]
    if skipped:
        print(f"{name}: nothing is known of {', '.join(skipped)}")
    print(f"{name}: {len(libraries) - len(skipped)} libraries audited, {len(weak)} weak")
    return 1 if weak else 0


if __name__ == "__main__":
    raise SystemExit(max(audit(name, audited(command(name))) for name in LOCKED))
