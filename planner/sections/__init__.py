"""The answers of a plan, by question."""
