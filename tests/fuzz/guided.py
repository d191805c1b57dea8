"""Fuzz the parsers, guided by the code that each input reaches: `python -m tests.fuzz.guided`.

Atheris, which is libFuzzer for Python, keeps the inputs of a target that reach new code in
`.fuzz`, so that each run goes on from the one before. A target has a process of its own and the
same share of the time. `--record FILE` writes what was run and found.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".fuzz"
MOST_BYTES = 1 << 15
OWN_SHARE = 0.7  # of the changes, which keep the structure of a file; the others are libFuzzer's
LEAST_S = 5.0  # of a target
_COVERED = re.compile(rb"cov: (\d+) ft: (\d+)")


class Guided(NamedTuple):
    """What the process of a target tried and found, and the edges of the code that it reached."""

    target: str
    inputs: int
    edges: int
    kept: int
    faults: tuple[str, ...]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", help="all without")
    parser.add_argument("--seconds", type=float, default=60.0, help="of all processes together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--only", help=argparse.SUPPRESS)  # the process of one target
    stated = parser.parse_args()
    if find_spec("atheris") is None:
        return _unguided(stated.targets, stated.seconds, stated.seed)
    if stated.only:
        return _one(stated.only, stated.seconds, stated.seed)
    started, found = time.monotonic(), []
    for each in _all(stated.targets, stated.seconds, stated.seed, stated.jobs):
        found.append(each)
        print(f"{each.target:<30}{each.inputs:>9,} inputs{each.edges:>7,} edges{each.kept:>6,} kept"
              f"{len(each.faults):>4} faults", *each.faults, sep="\n  ", flush=True)  # fmt: skip
    faults = sum(len(each.faults) for each in found)
    record = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": commit(), "seed": stated.seed,
        "seconds": round(time.monotonic() - started), "targets": len(found),
        "inputs": sum(each.inputs for each in found), "edges": sum(each.edges for each in found),
        "faults": faults,
    }  # fmt: skip
    print(json.dumps(record))
    if stated.record:
        with stated.record.open("a") as file:
            file.write(f"{json.dumps(record)}\n")
    return 1 if faults else 0


def _unguided(names: Sequence[str], seconds: float, seed: int) -> int:
    from tests.fuzz.__main__ import run

    print("Atheris is not installed (it is for Linux on x86-64): no coverage guides the inputs")
    return run(names, seconds, None, seed)


def _all(names: Sequence[str], seconds: float, seed: int, jobs: int) -> Iterator[Guided]:
    """Run each target in a process of its own, a few at once."""
    from tests.fuzz.targets import TARGETS

    names = names or list(TARGETS)
    share = max(LEAST_S, seconds * jobs / len(names))
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda name: _process(name, share, seed), names)


def _process(name: str, seconds: float, seed: int) -> Guided:
    command = [sys.executable, "-m", "tests.fuzz.guided", "--only", name]
    command += [f"--seconds={seconds}", f"--seed={seed}"]
    ended = subprocess.run(command, capture_output=True, cwd=ROOT, check=False)
    covered = _COVERED.findall(ended.stderr)
    with suppress(ValueError, IndexError):
        told = json.loads(ended.stdout.splitlines()[-1])
        edges = max((int(edge) for edge, _ in covered), default=0)
        return Guided(name, told["inputs"], edges, told["kept"], tuple(told["faults"]))
    why = ended.stderr.decode(errors="replace")[-400:]
    return Guided(name, 0, 0, 0, (f"the process ended with {ended.returncode}: {why}",))


def _one(name: str, seconds: float, seed: int) -> int:
    """Fuzz one target until its time is over; what it found is printed as JSON."""
    import atheris

    with atheris.instrument_imports(include=["planner", "models"], enable_loader_override=False):
        from tests.fuzz.runner import Run
        from tests.fuzz.targets import TARGETS

    faults: list[str] = []
    target = TARGETS[name]
    run = Run([target], seed=seed, say=faults.append)
    account, folder = run.accounts[name], FOLDER / target.slug
    folder.mkdir(parents=True, exist_ok=True)
    for place, data in enumerate(account.pool):
        (folder / f"seed-{place}").write_bytes(data[:MOST_BYTES])
    until = time.monotonic() + seconds

    def change(data: bytes, most: int, chance: int) -> bytes:
        rng = random.Random(chance)  # noqa: S311 - repeatable, not secret
        if rng.random() > OWN_SHARE:
            return bytes(atheris.Mutate(data, most))
        changed = target.mutate(data, rng, account.pool)
        if len(changed) > most:  # beyond what libFuzzer keeps: to both sides of a reader's limit
            run.hold(account, changed)
        return changed[:most]

    def read(data: bytes) -> None:
        run.hold(account, data)
        if time.monotonic() > until:
            kept = len(list(folder.iterdir()))
            print(json.dumps({"inputs": account.tried, "kept": kept, "faults": faults}), flush=True)
            os._exit(0)

    options = (f"-seed={seed}", f"-max_len={MOST_BYTES}", "-timeout=600", "-rss_limit_mb=0")
    atheris.Setup([name, str(folder), *options], read, custom_mutator=change)
    atheris.Fuzz()
    return 1


def commit() -> str:
    """Return the commit that is tried."""
    ended = subprocess.run(["git", "rev-parse", "--short", "HEAD"],
                           capture_output=True, cwd=ROOT, text=True, check=False)  # fmt: skip
    return ended.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
