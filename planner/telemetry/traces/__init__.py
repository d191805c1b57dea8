"""Block traces: derive a workload from a trace, plain or compressed, in constant memory.

`trace` reads one; the other modules are its steps, from bytes (`stream`) to requests, pages,
classes and rates.
"""

from planner.telemetry.traces.layouts import LAYOUTS, TraceLayout
from planner.telemetry.traces.pages import PageWrites
from planner.telemetry.traces.workload import Traced, TraceWorkload, trace, trace_file

__all__ = [
    "LAYOUTS", "PageWrites", "TraceLayout", "TraceWorkload", "Traced", "trace", "trace_file",
]  # fmt: skip
