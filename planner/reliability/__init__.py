"""Data loss, replacements over time, and assumptions on failures."""
