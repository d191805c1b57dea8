"""Data loss, generations of drives, replacements, and what is assumed of failures."""
