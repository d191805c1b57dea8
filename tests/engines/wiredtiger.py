"""WiredTiger, the engine of MongoDB, in a program that is compiled here: log, blocks, flushes.

`pages` are blocks written, `block_bytes` their bytes; the mean flush is one of all files.
"""

import contextlib
import json
import time
from pathlib import Path

from tests.engines import AbsentError, Child, Engine, FlushDelay, compiled, stopped_after


@contextlib.contextmanager
def open_engine(load, folder):
    if not Path("/usr/include/wiredtiger.h").exists():
        raise AbsentError("WiredTiger is not installed: apt-get install libwiredtiger-dev")
    program = compiled("wiredtiger.c", "-lwiredtiger", "-lpthread", "-lm")
    settings, delay = load.settings, FlushDelay(load.flush_delay_s, folder)
    words = (
        folder, load.operation, load.rows, load.row_bytes, load.rate_per_s, load.clients,
        int(settings["sync"] == "commit"), load.checkpoint_s, load.cache_bytes,
        settings["random_share"], settings["compressor"],
    )  # fmt: skip
    child = Child((program, *words), delay.environment)
    with stopped_after(child.process):
        child.ask()  # the table is there
        yield WiredTiger(child, delay)


class WiredTiger(Engine):
    """A program whose clients and checkpoints run from its start on."""

    def __init__(self, child, delay):
        self.child, self.delay = child, delay

    def drive(self, seconds):
        time.sleep(seconds)

    def counters(self):
        flushes = self.delay.read()
        counted = json.loads(self.child.ask())
        counted.pop("version")
        mean_s = flushes["flush_s"] / max(flushes["log_flushes"], 1)
        return counted | {"flush_s": mean_s * counted["log_flushes"]}

    def processes(self):
        return [self.child.process.pid]

    def version(self):
        return json.loads(self.child.ask())["version"]
