"""Block traces: text or packed text in, a workload out, in constant memory.

`trace` reads one; the rest of the package are its steps, from bytes (`stream`) over requests to
pages, classes and rates.
"""

from planner.telemetry.traces.layouts import LAYOUTS, Layout
from planner.telemetry.traces.pages import PageWrites
from planner.telemetry.traces.workload import Traced, TraceWorkload, trace

__all__ = ["LAYOUTS", "Layout", "PageWrites", "TraceWorkload", "Traced", "trace"]
