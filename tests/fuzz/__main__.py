"""Fuzz the parsers: `python -m tests.fuzz [--seconds 60] [--inputs N] [--seed 1] [TARGET ...]`.

Prints what each target tried; what breaks a promise is written to `tests/fuzz/faults`, and the exit
code is 1. `python -m tests.fuzz FILE` tries kept files again. A fault that is mended moves to
`tests/fuzz/corpus`, which the test suite reads.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.runner import MOST_BYTES, Run, fault_of, peak_bytes, target_of
from tests.fuzz.targets import TARGETS


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", help="targets, all without; or files to try again")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--inputs", type=int, help="instead of a time")
    parser.add_argument("--seed", type=int, default=1)
    statement = parser.parse_args()
    if statement.what and all(Path(name).is_file() for name in statement.what):
        return _again([Path(name) for name in statement.what])
    unknown = [name for name in statement.what if name not in TARGETS]
    if unknown:
        parser.error(f"no target {unknown[0]!r}; targets are {', '.join(TARGETS)}")
    return run(statement.what, statement.seconds, statement.inputs, statement.seed)


def run(names: Sequence[str], seconds: float, inputs: int | None, seed: int) -> int:
    """Fuzz targets, all without a name, and report what they did; 1 if there are faults."""
    targets = [TARGETS[name] for name in names or TARGETS]
    tries, started = Run(targets, seed=seed), time.monotonic()
    until = started + seconds
    try:
        tries.go_on(lambda now: time.monotonic() > until if inputs is None else now.tried >= inputs)
    except KeyboardInterrupt:
        print("stopped")
    _report(tries, time.monotonic() - started, seed)
    return 1 if tries.faults else 0


def _report(run: Run, seconds: float, seed: int) -> None:
    print(f"{'target':<30}{'inputs':>9}{'each':>11}{'slowest':>11}{'outcomes':>10}{'faults':>8}")
    for name, one in run.accounts.items():
        each = one.cpu_s / max(1, one.tried)
        print(
            f"{name:<30}{one.tried:>9,}{1e6 * each:>8.0f} us{1e3 * one.slowest_s:>8.0f} ms"
            f"{len(one.shapes):>10,}{sum(met.times for met in one.faults.values()):>8}"
        )
    slowest = max(run.accounts.items(), key=lambda item: item[1].slowest_s)
    name, data, grown = run.largest
    print(
        f"\n{run.tried:,} inputs in {seconds:.0f} s, {run.tried / seconds:,.0f} a second, seed "
        f"{seed}; {run.faults} faults\n"
        f"slowest: {slowest[1].slowest_s:.2f} s of CPU time, {slowest[0]}, "
        f"{len(slowest[1].slowest):,} bytes: {slowest[1].slowest[:60]!r}\n"
        f"memory: one input took at most {grown >> 20} MiB of {MOST_BYTES >> 20}, the process "
        f"{peak_bytes() >> 20} MiB ({name}, {len(data):,} bytes: {data[:60]!r})"
    )


def _again(paths: list[Path]) -> int:
    faults = 0
    for path in paths:
        fault = fault_of(target_of(path), path.read_bytes())
        faults += fault is not None
        print(f"{path.name}: {fault.text if fault else 'holds'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
