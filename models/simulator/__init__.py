"""Reference simulator: write amplification counted page by page, without any formula.

It shares no code with `models.write_amplification`, whose formulas it checks.
"""

from models.errors import Cancelled
from models.simulator.config import (
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
from models.simulator.small_drive import (
    HOST_GC_PLACEMENT,
    Run,
    cost_benefit_wa,
    d_choices_wa,
    fifo_wa,
    greedy_wa,
    handles_of,
    runs,
    states,
)

__all__ = [
    "HOST_GC_PLACEMENT", "Cancelled", "Classes", "Config", "Mixed", "Result", "Run", "Sequential",
    "Static", "Trace", "Uniform", "Workload", "Zipf", "bytes_needed", "cost_benefit_wa",
    "d_choices_wa", "fifo_wa", "greedy_wa", "handles_of", "run", "runs", "states",
]  # fmt: skip
