"""Work that takes the processor for a time, in a module that is quick to import."""

import time
from pathlib import Path


def busy(path, seconds):
    """Write a byte to a file now and then, for as long as it takes."""
    until = time.monotonic() + seconds
    with Path(path).open("ab", buffering=0) as file:
        while time.monotonic() < until:
            file.write(b".")
            sum(range(10_000))
    return seconds
