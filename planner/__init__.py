"""Questions about drives and arrays, composed from the formulas of `models`."""

__version__ = "0.1.0"
