"""Questions about drives and arrays, composed from the formulas of `models`."""
