"""Reference simulator: write amplification counted page by page, without any formula.

It shares no code with `models.write_amplification`, whose formulas it checks.
"""

from models.simulator.config import (
    Cancelled,
    Classes,
    Config,
    Mixed,
    Result,
    Sequential,
    Static,
    Trace,
    Uniform,
    Workload,
    Zipf,
)
from models.simulator.driver import bytes_needed, run

__all__ = [
    "Cancelled",
    "Classes",
    "Config",
    "Mixed",
    "Result",
    "Sequential",
    "Static",
    "Trace",
    "Uniform",
    "Workload",
    "Zipf",
    "bytes_needed",
    "run",
]
