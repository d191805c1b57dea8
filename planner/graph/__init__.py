"""A plan as an expression, and the ways to read it."""
